/* world_check: whether a world that was loaded hangs together: every number within its limits, every index
 * where it leads to, and what is counted as often there as it is said. What passes here can be ticked. */
#include "sim/world_internal.h"

#include <string.h>

#include "base/memory.h"
#include "sim/order_ground.h"

/* Beyond all that units move by (cells/s, and tangents). */
#define VELOCITY_MAX 1000.0f
#define VEER_MAX     10.0f
/* Beyond all ways (cells). */
#define WAY_MAX 1e8f

static bool position_is_inside(fr_grid grid, fr_position position)
{
    return fr_grid_contains(grid, fr_cell_at(position));
}

/* False for what is not a number. */
static bool is_within(float value, float most)
{
    return value >= -most && value <= most;
}

static bool vector_is_within(fr_vec2 vector, float most)
{
    return is_within(vector.x, most) && is_within(vector.y, most);
}

static bool numbers_are_sane(const fr_agents *agents, int32_t i)
{
    return agents->radius[i] >= FR_RADIUS_MIN && agents->radius[i] <= FR_RADIUS_MAX &&
           agents->speed[i] >= FR_SPEED_MIN && agents->speed[i] <= FR_SPEED_MAX &&
           vector_is_within(agents->velocity[i], VELOCITY_MAX) &&
           vector_is_within(agents->back[i], VELOCITY_MAX) && vector_is_within(agents->facing[i], 2.0f) &&
           is_within(agents->veer[i], VEER_MAX) && is_within(agents->aside[i], VEER_MAX) &&
           is_within(agents->abreast[i], VEER_MAX) && agents->best[i] >= 0.0f &&
           is_within(agents->stride_from[i], WAY_MAX) && agents->rouses[i] <= FR_ROUSES_MAX &&
           agents->resorts[i] <= FR_RESORTS_MAX;
}

static bool places_are_sane(const fr_world *world, int32_t i)
{
    const fr_agents *agents = &world->agents;
    bool inside = position_is_inside(world->grid, agents->position[i]) &&
                  position_is_inside(world->grid, agents->previous[i]) &&
                  position_is_inside(world->grid, agents->target[i]) && agents->open_cell[i] >= 0 &&
                  agents->open_cell[i] < fr_grid_count(world->grid);
    for (int v = 0; v < FR_VIAS && inside; v++) {
        inside = position_is_inside(world->grid, agents->via[i].corner[v]);
    }
    return inside;
}

static bool names_are_sane(const fr_world *world, int32_t i)
{
    const fr_agents *agents = &world->agents;
    return agents->state[i] < FR_UNIT_STATE_COUNT && agents->reason[i] < FR_REASON_COUNT &&
           agents->team[i] < FR_TEAMS_MAX && agents->movement_class[i] < FR_CLASS_COUNT &&
           (int32_t)agents->group[i] < world->group_count &&
           agents->leaves[i] == world->groups[agents->group[i]].leaves;
}

/* Its order, its leg of it, and whether it follows that. */
static bool links_are_sane(const fr_world *world, int32_t i)
{
    const fr_agents *agents = &world->agents;
    const fr_orders *orders = &world->desk.orders;
    uint32_t order = agents->order[i], leg = agents->leg[i];
    if (order != FR_NO_INDEX &&
        (order >= (uint32_t)orders->order_limit || orders->orders[order].goal_count == 0)) {
        return false;
    }
    if (agents->goal1[i] != 0 &&
        (order == FR_NO_INDEX || agents->goal1[i] > orders->orders[order].goal_count)) {
        return false;
    }
    bool follows = agents->state[i] == FR_UNIT_MOVING || agents->state[i] == FR_UNIT_ARRIVED;
    if (leg == FR_NO_INDEX) {
        return !follows && (agents->flags[i] & (FR_AGENT_HAS_SLOT | FR_AGENT_DETOUR)) == 0;
    }
    return follows && order != FR_NO_INDEX && leg < (uint32_t)orders->leg_limit &&
           orders->legs[leg].order == order &&
           orders->legs[leg].movement_class == (fr_class)agents->movement_class[i] &&
           orders->legs[leg].fit == fr_ground_fit(agents, (uint32_t)i);
}

bool world_units_are_sane(fr_world *world)
{
    fr_agents *agents = &world->agents;
    agents->radius_max = agents->speed_max = 0.0f;
    int32_t displaced = 0;
    for (int32_t i = 0; i < agents->count; i++) {
        if (!numbers_are_sane(agents, i) || !places_are_sane(world, i) || !names_are_sane(world, i) ||
            !links_are_sane(world, i)) {
            return false;
        }
        agents->radius_max = agents->radius[i] > agents->radius_max ? agents->radius[i] : agents->radius_max;
        agents->speed_max = agents->speed[i] > agents->speed_max ? agents->speed[i] : agents->speed_max;
        displaced += (agents->flags[i] & FR_AGENT_DISPLACED) != 0;
    }
    return displaced == world->displaced;
}

/* Units of orders and legs. */
typedef struct tally {
    int32_t holders, followers, units, unclaimed;
} tally;

static bool tally_is_right(const fr_world *world, const tally *tallies)
{
    const fr_orders *orders = &world->desk.orders;
    for (int32_t o = 0; o < orders->order_limit; o++) {
        const fr_order *order = &orders->orders[o];
        if (order->goal_count > 0 &&
            (order->holders != tallies[o].holders || order->followers != tallies[o].followers ||
             order->holders == 0 || order->leader1 > (uint32_t)world->agents.count)) {
            return false;
        }
    }
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        const fr_leg *leg = &orders->legs[l];
        if (leg->order != FR_NO_INDEX &&
            (leg->units != tallies[l].units || leg->unclaimed != tallies[l].unclaimed ||
             leg->lead >= (uint32_t)world->agents.count)) {
            return false;
        }
    }
    return true;
}

bool world_orders_are_sane(const fr_world *world)
{
    const fr_agents *agents = &world->agents;
    const fr_orders *orders = &world->desk.orders;
    tally *tallies = fr_alloc((size_t)orders->order_capacity + (size_t)orders->leg_capacity, sizeof *tallies);
    for (int32_t i = 0; i < agents->count; i++) {
        uint32_t order = agents->order[i], leg = agents->leg[i];
        if (order != FR_NO_INDEX) {
            tallies[order].holders++;
        }
        if (leg != FR_NO_INDEX) {
            tallies[order].followers++;
            tallies[leg].units++;
            tallies[leg].unclaimed += (agents->flags[i] & FR_AGENT_HAS_SLOT) == 0;
        }
    }
    bool right = tally_is_right(world, tallies);
    fr_free(tallies);
    return right;
}

/* Every field that a leg, or the sharing out of an order, names is held once for that, and none besides. */
bool world_fields_are_sane(const fr_world *world)
{
    const fr_orders *orders = &world->desk.orders;
    size_t most = 3 * (size_t)orders->leg_limit + (size_t)orders->goal_set_capacity * FR_GOALS_MAX;
    fr_field_id *held = fr_alloc(most, sizeof *held);
    int32_t count = 0;
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        const fr_leg *leg = &orders->legs[l];
        if (leg->order != FR_NO_INDEX) {
            held[count++] = leg->field_id;
            held[count++] = leg->old_field_id;
            held[count++] = leg->jam_field_id;
        }
    }
    for (int32_t o = 0; o < orders->order_limit; o++) {
        const fr_order *order = &orders->orders[o];
        for (int32_t g = 0; order->goal_set >= 0 && g < order->goal_count; g++) {
            const fr_goal_share *share = &orders->shares[order->goal_set];
            if (share->leg1 != 0) {
                held[count++] = share->fields[g];
            }
        }
    }
    bool right = fr_field_service_is_held_by(world->desk.fields, held, count);
    fr_free(held);
    return right;
}
