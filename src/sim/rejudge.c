/* rejudge: see the header. */
#include "sim/rejudge_internal.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* Radii and speeds in a file are rounded to so much. */
#define ROUNDING 5.1e-6

/* Units may move up to twice their top speed in a tick (cells per top speed). */
#define STEP_MOST (2.0 / FR_TICK_HZ)

/* Nobody is there for so long only if a file is damaged: an hour between two units of a stream. */
#define GAP_MOST (3600 * FR_TICK_HZ)

fr_rejudge *fr_rejudge_create(const fr_scenario *scenario)
{
    fr_rejudge *r = fr_alloc(1, sizeof *r);
    r->scenario = scenario;
    r->cost = fr_cost_create(scenario->map);
    size_t orders = (size_t)scenario->order_count + (size_t)fr_scenario_unit_count(scenario) + 1;
    r->orders = fr_alloc(orders, sizeof *r->orders);
    r->own_goals = fr_alloc(orders, sizeof *r->own_goals);
    r->source = fr_alloc(orders, sizeof *r->source);
    r->groups = fr_alloc((size_t)scenario->group_count + 1, sizeof *r->groups);
    for (int32_t g = 0; g < scenario->group_count; g++) {
        const fr_scenario_group *group = &scenario->groups[g];
        r->groups[g] = (fr_group_view){.name = group->name, .leaves = group->leaves};
        if (group->leaves) {
            r->groups[g].leave_from = fr_position_at(group->leave[0], group->leave[1]);
            r->groups[g].leave_to = fr_position_at(group->leave[2], group->leave[3]);
        }
    }
    return r;
}

void fr_rejudge_destroy(fr_rejudge *r)
{
    if (r == NULL) {
        return;
    }
    fr_scorecard_destroy(r->card);
    fr_cost_destroy(r->cost);
    fr_free(r->position);
    fr_free(r->radius);
    fr_free(r->speed);
    fr_free(r->movement_class);
    fr_free(r->state);
    fr_free(r->group);
    fr_free(r->order);
    fr_free(r->goal1);
    fr_free(r->seen_tick);
    fr_free(r->goal);
    fr_free(r->has_goal);
    fr_free(r->orders);
    fr_free(r->own_goals);
    fr_free(r->source);
    fr_free(r->groups);
    fr_free(r);
}

/* --- ticks --------------------------------------------------------------------------------------- */

static void show(fr_rejudge *r)
{
    r->snapshot = (fr_snapshot){
        .tick = r->tick,
        .grid = r->scenario->map->grid,
        .full_speed_cost = r->scenario->map->full_speed_cost,
        .unit_count = r->unit_count,
        .unit_capacity = r->unit_capacity,
        .position = r->position,
        .radius = r->radius,
        .speed = r->speed,
        .movement_class = r->movement_class,
        .state = r->state,
        .group = r->group,
        .order = r->order,
        .goal1 = r->goal1,
        .orders = r->orders,
        .order_count = r->order_count,
        .groups = r->groups,
        .group_count = r->scenario->group_count,
        .cost = r->cost,
        .congestion = r->scenario->congestion,
    };
}

/* All rows of the tick are in. */
static void end_tick(fr_rejudge *r)
{
    for (int32_t i = 0; i < r->unit_count; i++) {
        if (r->seen_tick[i] != r->tick) {
            r->state[i] = FR_UNIT_GONE;
        }
    }
    rejudge_read_goals(r);
    show(r);
    if (r->card == NULL) {
        r->card = fr_scorecard_create(&r->snapshot, r->scenario);
    } else {
        fr_scorecard_tick(r->card, &r->snapshot);
    }
}

/* Ends the tick under way and all without rows before the next. */
static void go_to(fr_rejudge *r, uint32_t tick)
{
    while (r->tick < tick) {
        end_tick(r);
        rejudge_apply_orders(r, r->tick);
        r->tick++;
    }
}

/* --- rows ---------------------------------------------------------------------------------------- */

static void grow(fr_rejudge *r)
{
    if (r->unit_count < r->unit_capacity) {
        return;
    }
    r->unit_capacity = r->unit_capacity == 0 ? 256 : 2 * r->unit_capacity;
    size_t room = (size_t)r->unit_capacity;
    r->position = fr_realloc(r->position, room, sizeof *r->position);
    r->radius = fr_realloc(r->radius, room, sizeof *r->radius);
    r->speed = fr_realloc(r->speed, room, sizeof *r->speed);
    r->movement_class = fr_realloc(r->movement_class, room, sizeof *r->movement_class);
    r->state = fr_realloc(r->state, room, sizeof *r->state);
    r->group = fr_realloc(r->group, room, sizeof *r->group);
    r->order = fr_realloc(r->order, room, sizeof *r->order);
    r->goal1 = fr_realloc(r->goal1, room, sizeof *r->goal1);
    r->seen_tick = fr_realloc(r->seen_tick, room, sizeof *r->seen_tick);
    r->goal = fr_realloc(r->goal, room, sizeof *r->goal);
    r->has_goal = fr_realloc(r->has_goal, room, sizeof *r->has_goal);
}

/* The scenario's number where the file's is the same but for rounding. */
static float unrounded(double in_file, float in_scenario)
{
    return fabs(in_file - (double)in_scenario) < ROUNDING ? in_scenario : (float)in_file;
}

static fr_status add_unit(fr_rejudge *r, const fr_positions_row *row, fr_error *error)
{
    int32_t group = 0;
    while (group < r->scenario->group_count && strcmp(r->scenario->groups[group].name, row->group) != 0) {
        group++;
    }
    if (group == r->scenario->group_count) {
        return fr_fail(error, FR_BAD_INPUT, "group: found \"%.60s\", expected one of the scenario",
                       row->group);
    }
    if (row->unit != r->unit_count) {
        return fr_fail(error, FR_BAD_INPUT, "id: found %d, expected %d for the next unit", (int)row->unit,
                       (int)r->unit_count);
    }
    grow(r);
    const fr_scenario_group *own = &r->scenario->groups[group];
    int32_t i = r->unit_count++;
    r->radius[i] = unrounded(row->radius, own->radius);
    r->speed[i] = unrounded(row->speed, own->speed);
    r->movement_class[i] = (uint8_t)own->movement_class;
    r->group[i] = (uint16_t)group;
    r->state[i] = FR_UNIT_MOVING;
    r->order[i] = FR_NO_ORDER;
    r->goal1[i] = 0;
    if (r->tick > 0 && row->has_goal) {
        rejudge_join(r, i);
    }
    return FR_OK;
}

fr_status fr_rejudge_add(fr_rejudge *r, const fr_positions_row *row, fr_error *error)
{
    if (row->tick < r->tick || (!r->has_rows && row->tick > 0)) {
        return fr_fail(error, FR_BAD_INPUT, "tick: found %u, expected %s%u", (unsigned)row->tick,
                       r->has_rows ? "at least " : "", (unsigned)r->tick);
    }
    if (row->tick - r->tick > GAP_MOST) {
        return fr_fail(error, FR_BAD_INPUT, "tick: found %u, expected at most %u", (unsigned)row->tick,
                       (unsigned)(r->tick + GAP_MOST));
    }
    go_to(r, row->tick);
    r->has_rows = true;
    if (row->unit >= r->unit_count) {
        fr_status status = add_unit(r, row, error);
        if (status != FR_OK) {
            return status;
        }
    } else if (r->state[row->unit] == FR_UNIT_GONE || r->seen_tick[row->unit] == row->tick) {
        return fr_fail(error, FR_BAD_INPUT, "id: unit %d is there %s", (int)row->unit,
                       r->state[row->unit] == FR_UNIT_GONE ? "again after it had left" : "twice in one tick");
    }
    r->position[row->unit] = row->position;
    r->seen_tick[row->unit] = row->tick;
    r->goal[row->unit] = row->goal;
    r->has_goal[row->unit] = row->has_goal;
    return FR_OK;
}

/* --- the end ------------------------------------------------------------------------------------- */

/* Can everybody who was there last have crossed the line behind which units leave, in one tick? */
static bool all_may_have_left(const fr_rejudge *r)
{
    for (int32_t i = 0; i < r->unit_count; i++) {
        const fr_scenario_group *group = &r->scenario->groups[r->group[i]];
        if (r->seen_tick[i] != r->tick) {
            continue;
        }
        double x = fr_cells(r->position[i].x), y = fr_cells(r->position[i].y);
        double ax = group->leave[0], ay = group->leave[1];
        double dx = group->leave[2] - ax, dy = group->leave[3] - ay, square = dx * dx + dy * dy;
        double along = square > 0.0 ? ((x - ax) * dx + (y - ay) * dy) / square : 0.0;
        along = fmin(fmax(along, 0.0), 1.0);
        double reach = STEP_MOST * (double)r->speed[i];
        double away_x = ax + along * dx - x, away_y = ay + along * dy - y;
        if (!group->leaves || away_x * away_x + away_y * away_y > reach * reach) {
            return false;
        }
    }
    return true;
}

void fr_rejudge_report(fr_rejudge *r, fr_buffer *out)
{
    /* When all have left, a file ends, and a run goes on. */
    if (r->scenario->has_ticks && r->tick < r->scenario->ticks && all_may_have_left(r)) {
        go_to(r, r->scenario->ticks);
    }
    end_tick(r);
    fr_report_info info = {
        .scenario = r->scenario->name,
        .map = r->scenario->map_name,
        .is_rejudged = true,
        .tick_p50_ms = -1.0,
        .tick_p99_ms = -1.0,
        .tick_max_ms = -1.0,
        .field_wait_max_ms = -1.0,
        .first_frame_ms = -1.0,
        .field_worker_ms = -1.0,
        .field_bytes = -1.0,
        .handover_deg_p50 = -1.0,
        .allocations_per_tick = -1.0,
    };
    fr_report_write(r->card, &r->snapshot, &info, out);
}
