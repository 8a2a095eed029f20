/* score_motion: see the header. */
#include "sim/score_motion.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

/* A unit joins the moving set this long after its order: setting off is not jerk. */
#define MOVING_AFTER_TICKS 8

/* Turns count above 5 degrees (its tangent) and above 5 % of the top speed. */
#define TURN_TANGENT 0.08748866352592401
#define TURN_SPEED   0.05

/* Stop and go: from above 60 % to below 20 % of the top speed. */
#define GO_SPEED   0.6
#define STOP_SPEED 0.2

/* What still counts as standing free of walls (cells). */
#define FREE_PENETRATION 1e-4

/* A displaced unit is excused for this long, and only while it moves no more than a cell a tick. */
#define DISPLACED_TICKS 30
#define DISPLACED_CELLS 1.0

void fr_motion_init(fr_motion *motion)
{
    *motion = (fr_motion){0};
    motion->speed_count = fr_alloc(FR_SPEED_BINS, sizeof *motion->speed_count);
    motion->speed_largest = fr_alloc(FR_SPEED_BINS, sizeof *motion->speed_largest);
}

void fr_motion_fini(fr_motion *motion)
{
    fr_free(motion->units);
    fr_free(motion->ticks);
    fr_free(motion->speed_count);
    fr_free(motion->speed_largest);
    *motion = (fr_motion){0};
}

static void grow(fr_motion *motion, int32_t unit_count)
{
    if (unit_count > motion->unit_count) {
        motion->units = fr_realloc(motion->units, (size_t)unit_count, sizeof *motion->units);
        memset(motion->units + motion->unit_count, 0,
               (size_t)(unit_count - motion->unit_count) * sizeof *motion->units);
        motion->unit_count = unit_count;
    }
}

static fr_tick_record *add_tick(fr_motion *motion)
{
    if (motion->tick_count == motion->tick_capacity) {
        motion->tick_capacity = motion->tick_capacity == 0 ? 1024 : motion->tick_capacity * 2;
        motion->ticks = fr_realloc(motion->ticks, motion->tick_capacity, sizeof *motion->ticks);
    }
    fr_tick_record *record = &motion->ticks[motion->tick_count++];
    *record = (fr_tick_record){0};
    return record;
}

static void add_speed(fr_motion *motion, double ratio)
{
    int32_t bin = ratio < FR_SPEED_TOP ? (int32_t)(ratio * FR_SPEED_STEPS) : FR_SPEED_BINS - 1;
    motion->speed_count[bin]++;
    float *largest = &motion->speed_largest[bin];
    *largest = (float)ratio > *largest ? (float)ratio : *largest;
    motion->speed_total++;
}

double fr_motion_speed_quantile(const fr_motion *motion, double share)
{
    int64_t wanted = (int64_t)ceil(share * (double)motion->speed_total), seen = 0;
    for (int32_t bin = 0; bin < FR_SPEED_BINS; bin++) {
        seen += motion->speed_count[bin];
        if (motion->speed_count[bin] > 0 && seen >= wanted) {
            return (double)motion->speed_largest[bin];
        }
    }
    return -1.0;
}

/* --- displaced ----------------------------------------------------------------------------------- */

/* Is this tick's movement excused because a wall came down on the unit? */
static bool judge_walls(fr_motion *motion, fr_unit_motion *unit, const fr_walls *walls, bool is_newly_buried,
                        fr_position position, double radius, double moved, uint32_t tick)
{
    if (moved == 0.0 && unit->has_velocity && !unit->is_buried && !walls->has_changed) {
        return false; /* it stands as deep as in the last tick */
    }
    if (is_newly_buried) {
        motion->displaced += unit->was_displaced ? 0 : 1;
        unit->was_displaced = unit->is_buried = true;
        unit->buried_tick = tick;
    }
    if (unit->is_buried && tick - unit->buried_tick >= DISPLACED_TICKS) {
        unit->is_buried = false;
    }
    bool is_excused = unit->is_buried && moved <= DISPLACED_CELLS;
    double penetration = fr_walls_penetration(walls, position, radius);
    if (penetration <= FREE_PENETRATION) {
        unit->is_buried = false;
    }
    if (!is_excused && penetration > motion->wall_penetration_max) {
        motion->wall_penetration_max = penetration;
    }
    return is_excused;
}

/* --- the moving set ------------------------------------------------------------------------------ */

static void add_sums(fr_motion_sums *to, const fr_motion_sums *from)
{
    to->jerk += from->jerk;
    to->ticks += from->ticks;
    to->reversals += from->reversals;
    to->stops += from->stops;
}

/* Adds a turn from the last velocity to (vx, vy): does it reverse the last one? */
static bool is_reversal(fr_unit_motion *unit, double vx, double vy, double top_speed)
{
    double slow = TURN_SPEED * top_speed, slow_squared = slow * slow;
    if (vx * vx + vy * vy <= slow_squared || unit->vx * unit->vx + unit->vy * unit->vy <= slow_squared) {
        return false;
    }
    double cross = unit->vx * vy - unit->vy * vx, dot = unit->vx * vx + unit->vy * vy;
    if (dot > 0.0 && fabs(cross) <= TURN_TANGENT * dot) {
        return false;
    }
    int8_t turn = cross < 0.0 ? -1 : 1;
    bool reverses = unit->last_turn == -turn;
    unit->last_turn = turn;
    return reverses;
}

static void judge_moving(fr_motion *motion, fr_unit_motion *unit, bool is_inside, bool is_steady, double vx,
                         double vy, double ratio, double top_speed)
{
    fr_motion_sums sums = {.ticks = 1};
    if (is_steady && unit->is_steady && unit->has_velocity) {
        double dx = vx - unit->vx, dy = vy - unit->vy;
        sums.jerk = (dx * dx + dy * dy) / (top_speed * top_speed);
        sums.reversals = is_reversal(unit, vx, vy, top_speed) ? 1 : 0;
    }
    if (ratio > GO_SPEED) {
        unit->is_fast = true;
    } else if (ratio < STOP_SPEED && unit->is_fast) {
        unit->is_fast = false;
        sums.stops = 1;
    }
    if (is_inside) {
        add_sums(&unit->pending, &sums);
    } else {
        add_sums(&motion->sums, &unit->pending);
        add_sums(&motion->sums, &sums);
        unit->pending = (fr_motion_sums){0};
    }
}

static void judge_unit(fr_motion *motion, const fr_goal_book *book, const fr_snapshot *snapshot,
                       const fr_position *before, const fr_walls *walls, fr_tick_record *record, int32_t i)
{
    fr_unit_motion *unit = &motion->units[i];
    const fr_unit_goal *goal = &book->units[i];
    const fr_walls *own = &walls[snapshot->movement_class[i]];
    fr_position position = snapshot->position[i];
    double radius = (double)snapshot->radius[i], top_speed = (double)snapshot->speed[i];
    double dx = fr_cells(position.x - before[i].x), dy = fr_cells(position.y - before[i].y);
    double moved = sqrt(dx * dx + dy * dy), ratio = moved * FR_TICK_HZ / top_speed;
    double vx = dx * FR_TICK_HZ, vy = dy * FR_TICK_HZ;

    bool is_newly_buried = own->has_changed && fr_walls_buried(own, before[i], radius);
    bool is_steady =
        !judge_walls(motion, unit, own, is_newly_buried, position, radius, moved, snapshot->tick);
    record->units++;
    record->moving += ratio > STOP_SPEED ? 1 : 0;
    record->squared_speed += ratio * ratio;
    add_speed(motion, ratio);
    if (is_steady && ratio > motion->speed_max) {
        motion->speed_max = ratio;
    }
    if (moved > 0.0) {
        motion->last_movement_tick = snapshot->tick;
    }
    if (!fr_goal_book_has_goal(book, i) || snapshot->tick == goal->order_tick + 1) {
        /* A new order: what the unit did within its last goal's radius was rest. */
        unit->pending = (fr_motion_sums){0};
        unit->last_turn = 0;
        unit->is_fast = false;
    }
    if (fr_goal_book_has_goal(book, i) && snapshot->tick >= goal->order_tick + MOVING_AFTER_TICKS) {
        judge_moving(motion, unit, goal->is_inside, is_steady, vx, vy, ratio, top_speed);
    }
    unit->vx = vx;
    unit->vy = vy;
    unit->has_velocity = true;
    unit->is_steady = is_steady;
}

void fr_motion_tick(fr_motion *motion, const fr_goal_book *book, const fr_snapshot *snapshot,
                    const fr_position *before, const fr_walls *walls)
{
    grow(motion, snapshot->unit_count);
    fr_tick_record *record = add_tick(motion);
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        if (snapshot->state[i] != FR_UNIT_GONE) {
            judge_unit(motion, book, snapshot, before, walls, record, i);
        }
    }
}
