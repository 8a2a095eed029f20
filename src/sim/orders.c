#include "sim/orders.h"

#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "field/line_of_sight.h"
#include "sim/order_goals.h"
#include "sim/order_ground.h"

/* Lists of several goals alive at one time. */
#define GOAL_SETS_MAX 512

/* Free places beyond a fourth more than there are units. */
#define SPARE_SLOTS 1024

void fr_orders_init(fr_orders *orders, int32_t unit_capacity)
{
    /* Every live order is named by a unit, every leg followed by one, every free place owed to one. */
    size_t entries = (size_t)unit_capacity + 1;
    *orders = (fr_orders){.order_capacity = (int32_t)entries,
                          .leg_capacity = (int32_t)entries,
                          .goal_set_capacity = GOAL_SETS_MAX,
                          .slot_capacity = (int32_t)(entries + entries / 4 + SPARE_SLOTS)};
    orders->orders = fr_alloc(entries, sizeof *orders->orders);
    orders->legs = fr_alloc(entries, sizeof *orders->legs);
    orders->goal_sets = fr_alloc_raw((size_t)GOAL_SETS_MAX * FR_GOALS_MAX, sizeof *orders->goal_sets);
    orders->goal_prices = fr_alloc_raw((size_t)GOAL_SETS_MAX * FR_GOALS_MAX, sizeof *orders->goal_prices);
    orders->goal_capacities =
        fr_alloc_raw((size_t)GOAL_SETS_MAX * FR_GOALS_MAX, sizeof *orders->goal_capacities);
    orders->shares = fr_alloc(GOAL_SETS_MAX, sizeof *orders->shares);
    orders->share_fields = fr_alloc((size_t)GOAL_SETS_MAX * FR_GOALS_MAX, sizeof *orders->share_fields);
    for (ptrdiff_t set = 0; set < GOAL_SETS_MAX; set++) {
        orders->shares[set].fields = orders->share_fields + set * FR_GOALS_MAX;
    }
    orders->goal_set_used = fr_alloc(GOAL_SETS_MAX, 1);
    orders->slots = fr_alloc_raw((size_t)orders->slot_capacity, sizeof *orders->slots);
}

void fr_orders_fini(fr_orders *orders)
{
    fr_free(orders->orders);
    fr_free(orders->legs);
    fr_free(orders->goal_sets);
    fr_free(orders->goal_prices);
    fr_free(orders->goal_capacities);
    fr_free(orders->shares);
    fr_free(orders->share_fields);
    fr_free(orders->goal_set_used);
    fr_free(orders->slots);
    *orders = (fr_orders){0};
}

uint32_t fr_orders_unit_region(const fr_order_desk *desk, uint32_t unit)
{
    const fr_regions *regions = desk->regions[desk->agents->movement_class[unit]];
    return fr_regions_at(regions, fr_grid_cell(fr_cost_grid(desk->cost), desk->agents->open_cell[unit]));
}

/* ---- entries ---- */

static uint32_t take_order(fr_orders *orders)
{
    for (int32_t i = 0; i < orders->order_limit; i++) {
        if (orders->orders[i].goal_count == 0) {
            return (uint32_t)i;
        }
    }
    FR_ASSERT(orders->order_limit < orders->order_capacity);
    return (uint32_t)orders->order_limit++;
}

static void drop_order(fr_order_desk *desk, uint32_t index)
{
    fr_order *order = &desk->orders.orders[index];
    FR_ASSERT(order->holders == 0 && order->followers == 0);
    if (order->goal_set >= 0) {
        fr_share_drop(desk, order->goal_set);
        desk->orders.goal_set_used[order->goal_set] = 0;
    }
    *order = (fr_order){0};
}

/* A list for several goals, or -1. */
static int32_t take_goal_set(fr_orders *orders)
{
    for (int32_t i = 0; i < orders->goal_set_capacity; i++) {
        if (!orders->goal_set_used[i]) {
            orders->goal_set_used[i] = 1;
            return i;
        }
    }
    return -1;
}

static uint32_t take_leg(fr_orders *orders)
{
    for (int32_t i = 0; i < orders->leg_limit; i++) {
        if (orders->legs[i].order == FR_NO_INDEX) {
            return (uint32_t)i;
        }
    }
    FR_ASSERT(orders->leg_limit < orders->leg_capacity);
    return (uint32_t)orders->leg_limit++;
}

static void drop_leg(fr_order_desk *desk, uint32_t index)
{
    fr_leg *leg = &desk->orders.legs[index];
    fr_field_service_release(desk->fields, leg->field_id);
    fr_field_service_release(desk->fields, leg->old_field_id);
    fr_field_service_release(desk->fields, leg->jam_field_id);
    *leg = (fr_leg){.order = FR_NO_INDEX};
}

/* ---- units and legs ---- */

void fr_orders_leave(fr_order_desk *desk, uint32_t unit)
{
    fr_agents *agents = desk->agents;
    uint32_t index = agents->leg[unit];
    if (index == FR_NO_INDEX) {
        return;
    }
    fr_leg *leg = &desk->orders.legs[index];
    agents->leg[unit] = FR_NO_INDEX;
    leg->units--;
    desk->orders.orders[leg->order].followers--;
    if ((agents->flags[unit] & FR_AGENT_HAS_SLOT) == 0) {
        leg->unclaimed--;
    }
    agents->flags[unit] &= FR_AGENT_DISPLACED;
    if (leg->units == 0) {
        drop_leg(desk, index);
    }
}

void fr_leg_add_unit(fr_order_desk *desk, uint32_t unit, uint32_t index)
{
    fr_agents *agents = desk->agents;
    fr_leg *leg = &desk->orders.legs[index];
    agents->leg[unit] = index;
    agents->goal1[unit] = 0;
    agents->state[unit] = FR_UNIT_MOVING;
    agents->flags[unit] = (uint8_t)((agents->flags[unit] & FR_AGENT_DISPLACED) | FR_AGENT_RECHECK);
    if ((agents->flags[unit] & FR_AGENT_DISPLACED) == 0) {
        agents->reason[unit] = FR_REASON_WAITING_FIELD;
        agents->target[unit] = leg->goal;
    }
    fr_agents_set_out(agents, unit);
    leg->mass += agents->radius[unit] * agents->radius[unit];
    leg->lead = unit;
    leg->units++;
    leg->unclaimed++;
    desk->orders.orders[leg->order].followers++;
}

uint32_t fr_orders_find_leg(fr_order_desk *desk, uint32_t order_index, fr_cost_view fit, uint32_t unit,
                            const fr_resolution *result)
{
    fr_orders *orders = &desk->orders;
    fr_cost_view view =
        fr_ground_view(desk, fit, orders->orders[order_index].caution, desk->agents->team[unit]);
    for (int32_t i = desk->leg_scratch_count - 1; i >= 0; i--) {
        const fr_leg *leg = &orders->legs[desk->leg_scratch[i]];
        if (leg->order == order_index && leg->fit == fit && leg->own_view == view &&
            leg->goals_key == result->key) {
            return desk->leg_scratch[i];
        }
    }
    uint32_t index = take_leg(orders);
    fr_leg *leg = &orders->legs[index];
    *leg = (fr_leg){.order = order_index,
                    .movement_class = (fr_class)(fit % FR_CLASS_COUNT),
                    .fit = fit,
                    .ways = result->ways,
                    .team = desk->agents->team[unit],
                    .goal = result->goal,
                    .field_goal = result->goal,
                    .goals_key = result->key,
                    .ground_key = result->ground_key,
                    .goal_count = result->goal_count,
                    .reachable = result->reachable};
    leg->view = leg->own_view = view;
    memcpy(leg->goal_mask, result->mask, sizeof leg->goal_mask);
    desk->leg_scratch[desk->leg_scratch_count++] = index;
    return index;
}

/* The room that all units of the leg need. */
static void measure_pack(fr_leg *leg)
{
    leg->pack_radius = sqrtf(leg->mass / (float)FR_PACKED_SHARE);
    leg->slot_pitch = 2.0f * FR_SLOT_SPACING * sqrtf(leg->mass / (float)leg->units);
}

void fr_orders_complete_legs(fr_order_desk *desk)
{
    const fr_agents *agents = desk->agents;
    for (int32_t i = 0; i < desk->leg_scratch_count; i++) {
        fr_leg *leg = &desk->orders.legs[desk->leg_scratch[i]];
        measure_pack(leg);
        bool alone = desk->orders.orders[leg->order].unit_count == 1 && fr_leg_has_one_point(leg);
        if (alone && fr_leg_line_is_even(leg, desk->cost, agents->position[leg->lead], leg->goal,
                                         agents->radius[leg->lead])) {
            fr_field_service_release(desk->fields, leg->old_field_id);
            leg->old_field_id = (fr_field_id){0, 0};
        } else if (leg->old_field_id.index1 != 0) {
            leg->wants_field = true;
            leg->asks_tick = desk->tick + FR_BURST_TICKS;
            desk->orders_merged++;
        } else {
            fr_leg_request_field(desk, leg);
        }
    }
}

/* Storage for what several goals need. -1: there is one, or a counted refusal. */
static bool keep_goals(fr_order_desk *desk, const fr_order_aim *aim, int32_t *goal_set)
{
    fr_orders *orders = &desk->orders;
    *goal_set = -1;
    if (aim->goal_count == 1) {
        return true;
    }
    *goal_set = take_goal_set(orders);
    if (*goal_set < 0) {
        desk->goal_sets_denied++;
        return false;
    }
    ptrdiff_t first = (ptrdiff_t)*goal_set * FR_GOALS_MAX;
    memcpy(orders->goal_sets + first, aim->goals, (size_t)aim->goal_count * sizeof *aim->goals);
    for (int32_t g = 0; g < aim->goal_count; g++) {
        orders->goal_prices[first + g] = aim->prices != NULL ? aim->prices[g] : 0;
        orders->goal_capacities[first + g] = aim->capacities != NULL ? aim->capacities[g] : 0;
    }
    return true;
}

/* Nobody follows itself. */
static bool can_take(const fr_agents *agents, uint32_t unit, const fr_order_aim *aim)
{
    return unit < (uint32_t)agents->count && agents->state[unit] != FR_UNIT_GONE && unit + 1 != aim->leader1;
}

/* The field that a unit follows, if the order that comes now is one of a burst with the one before: it leads
 * to a place near the new goal, in sight of it. A reference is taken. */
typedef struct fr_burst_field {
    fr_field_id id; /* null: none */
    fr_cost_view fit, view;
    fr_position goal;
} fr_burst_field;

static fr_burst_field find_burst_field(fr_order_desk *desk, uint32_t unit, const fr_order_aim *aim)
{
    uint32_t index = desk->agents->leg[unit];
    if (index == FR_NO_INDEX || aim->goal_count != 1 || aim->area.kind != FR_AREA_NONE || aim->leader1 != 0) {
        return (fr_burst_field){{0, 0}, 0, 0, {0, 0}};
    }
    const fr_leg *leg = &desk->orders.legs[index];
    const fr_order *order = &desk->orders.orders[leg->order];
    fr_vec2 way = fr_position_delta(leg->field_goal, aim->goals[0]);
    fr_burst_field shared = {.fit = leg->fit, .view = leg->own_view, .goal = leg->field_goal};
    if (leg->reachable && leg->wants_field && order->leader1 == 0 && order->goal_count == 1 &&
        order->area.kind == FR_AREA_NONE && desk->tick - order->tick <= FR_BURST_TICKS &&
        fr_vec2_dot(way, way) <= (float)(FR_BURST_CELLS * FR_BURST_CELLS) &&
        fr_line_is_free(desk->cost, leg->fit, leg->field_goal, aim->goals[0], 0.0f)) {
        fr_field_id id = leg->old_field_id.index1 != 0 ? leg->old_field_id : leg->field_id;
        shared.id = fr_field_service_retain(desk->fields, id);
    }
    return shared;
}

/* A new leg begins with the field of a burst; one field is enough. */
static void share_field(fr_order_desk *desk, fr_leg *leg, const fr_burst_field *shared)
{
    if (leg->old_field_id.index1 == 0 && leg->reachable && leg->fit == shared->fit &&
        leg->own_view == shared->view) {
        leg->old_field_id = shared->id;
        leg->field_goal = shared->id.index1 != 0 ? shared->goal : leg->field_goal;
    } else {
        fr_field_service_release(desk->fields, shared->id);
    }
}

/* The unit names this order from now on, and no other. */
static void take_up(fr_order_desk *desk, uint32_t unit, uint32_t index)
{
    fr_order *orders = desk->orders.orders;
    fr_orders_leave(desk, unit);
    uint32_t old = desk->agents->order[unit];
    if (old != FR_NO_INDEX && --orders[old].holders == 0) {
        drop_order(desk, old);
    }
    desk->agents->order[unit] = index;
    orders[index].holders++;
    orders[index].unit_count++;
}

uint32_t fr_orders_move(fr_order_desk *desk, const uint32_t *units, int32_t unit_count,
                        const fr_order_aim *aim)
{
    fr_agents *agents = desk->agents;
    fr_orders *orders = &desk->orders;
    int32_t takers = 0;
    for (int32_t i = 0; i < unit_count; i++) {
        takers += can_take(agents, units[i], aim);
    }
    if (takers == 0) {
        return FR_NO_INDEX;
    }
    int32_t goal_set;
    if (!keep_goals(desk, aim, &goal_set)) {
        return FR_NO_INDEX;
    }
    uint32_t index = take_order(orders);
    fr_order *order = &orders->orders[index];
    *order = (fr_order){.tick = desk->tick,
                        .goal_count = aim->goal_count,
                        .goal = aim->goals[0],
                        .goal_set = goal_set,
                        .has_capacity = goal_set >= 0 && aim->capacities != NULL,
                        .area = aim->area,
                        .caution = aim->caution,
                        .leader1 = aim->leader1};
    desk->leg_scratch_count = 0;
    fr_ground last_region = {0, 0};
    uint32_t last_leg = FR_NO_INDEX;
    for (int32_t i = 0; i < unit_count; i++) {
        uint32_t unit = units[i];
        if (!can_take(agents, unit, aim) || agents->order[unit] == index) {
            continue;
        }
        fr_burst_field shared = find_burst_field(desk, unit, aim);
        take_up(desk, unit, index);
        fr_cost_view fit = fr_ground_fit(agents, unit);
        fr_ground region = fr_ground_of(desk, unit);
        if (last_leg == FR_NO_INDEX || !fr_ground_equals(region, last_region) ||
            orders->legs[last_leg].fit != fit || orders->legs[last_leg].team != agents->team[unit]) {
            fr_resolution result = fr_order_resolve(desk, order, fit, region);
            last_leg = fr_orders_find_leg(desk, index, fit, unit, &result);
            last_region = region;
        }
        share_field(desk, &orders->legs[last_leg], &shared);
        fr_leg_add_unit(desk, unit, last_leg);
    }
    fr_orders_complete_legs(desk);
    return index;
}

uint32_t fr_orders_present_leg(fr_order_desk *desk, uint32_t order, fr_cost_view fit, uint32_t unit,
                               uint64_t goals_key)
{
    const fr_orders *orders = &desk->orders;
    fr_cost_view view = fr_ground_view(desk, fit, orders->orders[order].caution, desk->agents->team[unit]);
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        const fr_leg *leg = &orders->legs[l];
        if (leg->order == order && leg->fit == fit && leg->own_view == view && leg->goals_key == goals_key) {
            return (uint32_t)l;
        }
    }
    return FR_NO_INDEX;
}

void fr_leg_grow(fr_order_desk *desk, uint32_t unit, uint32_t leg)
{
    fr_leg_add_unit(desk, unit, leg);
    measure_pack(&desk->orders.legs[leg]);
    desk->orders.legs[leg].grows = true;
}

void fr_orders_join(fr_order_desk *desk, uint32_t unit, uint32_t order_index)
{
    fr_orders *orders = &desk->orders;
    fr_order *order = &orders->orders[order_index];
    FR_ASSERT(order->goal_count > 0 && desk->agents->order[unit] == FR_NO_INDEX);
    take_up(desk, unit, order_index);
    fr_cost_view fit = fr_ground_fit(desk->agents, unit);
    fr_resolution result = fr_order_resolve(desk, order, fit, fr_ground_of(desk, unit));
    uint32_t index = fr_orders_present_leg(desk, order_index, fit, unit, result.key);
    if (index != FR_NO_INDEX) {
        fr_leg_grow(desk, unit, index);
        return;
    }
    desk->leg_scratch_count = 0;
    index = fr_orders_find_leg(desk, order_index, fit, unit, &result);
    fr_leg_add_unit(desk, unit, index);
    orders->legs[index].grows = true;
    fr_orders_complete_legs(desk);
}
