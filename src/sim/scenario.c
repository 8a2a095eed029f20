/* scenario: what becomes of a scenario once it is read: units are placed, and orders go to the world as their
 * ticks come. */
#include "sim/scenario.h"

#include <stdio.h>

#include "base/assert.h"
#include "base/memory.h"
#include "sim/placement.h"
#include "sim/scenario_stream.h"

void fr_scenario_destroy(fr_scenario *scenario)
{
    if (scenario == NULL) {
        return;
    }
    for (int32_t i = 0; i < scenario->group_count; i++) {
        fr_free(scenario->groups[i].name);
        fr_free(scenario->groups[i].units);
    }
    for (int32_t i = 0; i < scenario->order_count; i++) {
        fr_free(scenario->orders[i].goals);
        fr_free(scenario->orders[i].goal_prices);
        fr_free(scenario->orders[i].goal_capacities);
    }
    for (int32_t i = 0; i < scenario->door_count; i++) {
        fr_free(scenario->doors[i].name);
    }
    fr_free(scenario->groups);
    fr_free(scenario->orders);
    fr_free(scenario->doors);
    fr_free(scenario->threats);
    fr_map_destroy(scenario->map);
    fr_free(scenario->map_name);
    fr_free(scenario->name);
    fr_free(scenario->path);
    fr_free(scenario);
}

int32_t fr_scenario_unit_count(const fr_scenario *scenario)
{
    int32_t count = 0;
    for (int32_t i = 0; i < scenario->group_count; i++) {
        count += scenario->groups[i].count + scenario->groups[i].unit_count;
    }
    return count;
}

/* --- placing ------------------------------------------------------------------------------------- */

typedef struct populate {
    fr_scenario *scenario;
    fr_world *world;
    fr_placement *placement;
    fr_rng rng;
    double shift_x, shift_y;
    fr_error *error;
} populate;

static fr_status add_unit(populate *p, int32_t group, uint16_t world_group, fr_position place)
{
    fr_scenario_group *g = &p->scenario->groups[group];
    fr_unit_def unit = {
        .position = place,
        .radius = g->radius,
        .speed = g->speed,
        .team = (uint8_t)g->team,
        .movement_class = g->movement_class,
        .group = world_group,
    };
    uint32_t id = fr_world_spawn(p->world, &unit);
    if (id == FR_NO_UNIT) {
        return fr_fail(p->error, FR_LIMIT,
                       "%s: $.groups[%d]: the world took %d of the units of group \"%.60s\"",
                       p->scenario->path, group, g->placed, g->name);
    }
    g->first_unit = g->placed == 0 ? id : g->first_unit;
    g->placed++;
    return FR_OK;
}

static fr_status place_area(populate *p, int32_t group, uint16_t world_group)
{
    fr_scenario_group *g = &p->scenario->groups[group];
    const double area[4] = {g->area[0] + p->shift_x, g->area[1] + p->shift_y, g->area[2], g->area[3]};
    fr_status status = FR_OK;
    int32_t at_start = g->every > 0 ? 1 : g->count;
    while (g->placed < at_start && status == FR_OK) {
        fr_position place;
        if (!fr_placement_random(p->placement, &p->rng, area, g->movement_class, (double)g->radius, &place)) {
            return fr_fail(
                p->error, FR_BAD_INPUT,
                "%s: $.groups[%d].area: group \"%.60s\": placed %d of %d units, then %d tries in a row "
                "found no room, expected a larger area or fewer units",
                p->scenario->path, group, g->name, g->placed, g->count, FR_PLACEMENT_TRIES);
        }
        status = add_unit(p, group, world_group, place);
    }
    return status;
}

static fr_status place_units(populate *p, int32_t group, uint16_t world_group)
{
    fr_scenario_group *g = &p->scenario->groups[group];
    fr_grid grid = p->scenario->map->grid;
    fr_status status = FR_OK;
    for (int32_t i = 0; i < g->unit_count && status == FR_OK; i++) {
        double x = g->units[i].x + p->shift_x, y = g->units[i].y + p->shift_y;
        if (g->noise > 0.0) {
            x += (2.0 * fr_placement_unit(&p->rng) - 1.0) * g->noise;
            y += (2.0 * fr_placement_unit(&p->rng) - 1.0) * g->noise;
        }
        bool is_inside = x >= 0.0 && y >= 0.0 && x < grid.width && y < grid.height;
        fr_position place = is_inside ? fr_position_at(x, y) : (fr_position){0, 0};
        if (!is_inside || !fr_placement_has_room(p->placement, g->movement_class, place, (double)g->radius)) {
            return fr_fail(
                p->error, FR_BAD_INPUT,
                "%s: $.groups[%d].units[%d]: no room for radius %.3g at (%g, %g), expected passable "
                "ground",
                p->scenario->path, group, i, (double)g->radius, x, y);
        }
        fr_placement_add(p->placement, place, (double)g->radius);
        status = add_unit(p, group, world_group, place);
    }
    return status;
}

fr_status fr_scenario_populate(fr_scenario *scenario, uint64_t seed, fr_vec2 shift, fr_world *world,
                               fr_error *error)
{
    double largest = (double)FR_RADIUS_MIN;
    for (int32_t i = 0; i < scenario->group_count; i++) {
        double radius = (double)scenario->groups[i].radius;
        largest = radius > largest ? radius : largest;
    }
    populate p = {
        .scenario = scenario,
        .world = world,
        .placement = fr_placement_create(scenario->map, largest),
        .rng = {seed},
        .shift_x = (double)shift.x,
        .shift_y = (double)shift.y,
        .error = error,
    };
    scenario->stream_seed = seed;
    scenario->stream_shift = shift;
    fr_status status = FR_OK;
    for (int32_t i = 0; i < scenario->group_count && status == FR_OK; i++) {
        fr_scenario_group *group = &scenario->groups[i];
        fr_group_def def = {.name = group->name, .leaves = group->leaves};
        if (group->leaves) {
            def.leave_from = fr_position_at(group->leave[0], group->leave[1]);
            def.leave_to = fr_position_at(group->leave[2], group->leave[3]);
        }
        uint16_t world_group = (uint16_t)fr_world_add_group(world, &def);
        group->placed = 0;
        status = group->units != NULL ? place_units(&p, i, world_group) : place_area(&p, i, world_group);
    }
    fr_placement_destroy(p.placement);
    return status;
}

/* --- orders -------------------------------------------------------------------------------------- */

/* What the world refuses it counts in its statistics; the limits of one order were checked on reading. */
static void submit_own_goals(const fr_scenario *scenario, fr_world *world)
{
    for (int32_t g = 0; g < scenario->group_count; g++) {
        const fr_scenario_group *group = &scenario->groups[g];
        for (int32_t i = 0; i < group->unit_count && i < group->placed; i++) {
            const fr_scenario_unit *unit = &group->units[i];
            if (unit->has_goal) {
                uint32_t id = group->first_unit + (uint32_t)i;
                fr_position goal = fr_position_at(unit->goal_x, unit->goal_y);
                goal = fr_grid_clamp_position(scenario->map->grid, goal);
                fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_MOVE,
                                                     .units = &id,
                                                     .unit_count = 1,
                                                     .goals = &goal,
                                                     .goal_count = 1});
            }
        }
    }
}

/* Ring and threats, before the first order asks for a field. */
static void submit_extras(const fr_scenario *scenario, fr_world *world)
{
    if (scenario->ring) {
        fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_SET_RING, .is_on = true});
    }
    if (scenario->congestion) {
        fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_SET_CONGESTION, .is_on = true});
    }
    for (int32_t t = 0; t < scenario->threat_count; t++) {
        fr_world_submit(
            world,
            &(fr_command){.kind = FR_COMMAND_SET_THREAT, .threat_index = t, .threat = scenario->threats[t]});
    }
}

/* The unit that an order says to follow, if it is there. Groups of a scenario have the same numbers in its
 * world. */
static bool find_target(const fr_scenario_order *order, const fr_snapshot *snapshot, uint32_t *target)
{
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        bool is_it = order->target_group >= 0 ? snapshot->group[i] == order->target_group
                                              : (uint32_t)i == order->target;
        if (is_it && snapshot->state[i] != FR_UNIT_GONE) {
            *target = (uint32_t)i;
            return true;
        }
    }
    return false;
}

static void submit_order(const fr_scenario_order *order, fr_world *world)
{
    fr_command command = {
        .kind = order->kind,
        .goals = order->goals,
        .goal_count = order->goal_count,
        .goal_prices = order->goal_prices,
        .goal_capacities = order->goal_capacities,
        .area = order->area,
        .rect = order->rect,
        .cost = order->cost,
        .caution = order->caution,
        .threat_index = order->threat_index,
        .threat = order->threat,
    };
    if (order->group < 0) {
        fr_world_submit(world, &command);
        return;
    }
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    uint32_t *units = fr_alloc_raw((size_t)snapshot->unit_count + 1, sizeof *units);
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        if (snapshot->group[i] == order->group && snapshot->state[i] != FR_UNIT_GONE) {
            units[command.unit_count++] = (uint32_t)i;
        }
    }
    command.units = units;
    if (command.unit_count > 0 &&
        (order->kind != FR_COMMAND_FOLLOW || find_target(order, snapshot, &command.target))) {
        fr_world_submit(world, &command);
    }
    fr_free(units);
}

int32_t fr_scenario_first_order(const fr_scenario *scenario, uint32_t tick)
{
    int32_t low = 0, high = scenario->order_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (scenario->orders[middle].tick < tick) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void fr_scenario_submit(const fr_scenario *scenario, fr_world *world)
{
    uint32_t tick = fr_world_snapshot(world)->tick;
    if (tick == 0) {
        submit_extras(scenario, world);
        submit_own_goals(scenario, world);
    }
    for (int32_t i = fr_scenario_first_order(scenario, tick); i < scenario->order_count; i++) {
        if (scenario->orders[i].tick != tick) {
            break;
        }
        submit_order(&scenario->orders[i], world);
    }
    /* After the orders of this tick, so that who comes now gets them too. */
    fr_scenario_stream(scenario, world);
}
