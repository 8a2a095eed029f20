/* score_course: see the header. */
#include "sim/score_course.h"

#include <math.h>

#include "base/memory.h"

/* Bytes for ground that is kept; beyond it nothing is said of the ways of further units. Four maps of the
 * largest size, or hundreds of edits between orders on those of common size. */
#define GROUND_BYTES ((size_t)64 << 20)

void fr_courses_init(fr_courses *courses, fr_grid grid)
{
    *courses = (fr_courses){.grid = grid};
}

void fr_courses_fini(fr_courses *courses)
{
    for (int32_t g = 0; g < courses->ground_count; g++) {
        fr_free(courses->grounds[g].costs);
    }
    fr_free(courses->grounds);
    fr_free(courses->units);
    *courses = (fr_courses){0};
}

static void grow(fr_courses *courses, int32_t unit_count)
{
    if (unit_count <= courses->unit_count) {
        return;
    }
    courses->units = fr_realloc(courses->units, (size_t)unit_count, sizeof *courses->units);
    for (int32_t i = courses->unit_count; i < unit_count; i++) {
        courses->units[i] = (fr_course){.order = FR_NO_ORDER, .ground = FR_NO_GROUND};
    }
    courses->unit_count = unit_count;
}

/* --- ground -------------------------------------------------------------------------------------- */

static void release_ground(fr_courses *courses, int32_t index)
{
    if (index == FR_NO_GROUND || --courses->grounds[index].unit_count > 0) {
        return;
    }
    fr_free(courses->grounds[index].costs);
    courses->grounds[index].costs = NULL;
    courses->ground_bytes -= (size_t)fr_grid_count(courses->grid);
}

/* The ground as it is now, with one unit more. */
static int32_t hold_ground(fr_courses *courses, const fr_cost *cost, fr_class movement_class)
{
    uint32_t version = fr_cost_version(cost);
    int32_t free_place = courses->ground_count;
    for (int32_t g = 0; g < courses->ground_count; g++) {
        fr_course_ground *ground = &courses->grounds[g];
        if (ground->costs == NULL) {
            free_place = g;
        } else if (ground->version == version && ground->movement_class == movement_class) {
            ground->unit_count++;
            return g;
        }
    }
    size_t bytes = (size_t)fr_grid_count(courses->grid);
    if (courses->ground_bytes + bytes > GROUND_BYTES) {
        return FR_NO_GROUND;
    }
    if (free_place == courses->ground_count) {
        courses->ground_count++;
        courses->grounds =
            fr_realloc(courses->grounds, (size_t)courses->ground_count, sizeof *courses->grounds);
    }
    fr_course_ground *ground = &courses->grounds[free_place];
    *ground = (fr_course_ground){fr_alloc_raw(bytes, 1), version, movement_class, 1};
    fr_cost_copy(cost, movement_class, (fr_rect){0, 0, courses->grid.width, courses->grid.height},
                 ground->costs);
    courses->ground_bytes += bytes;
    return free_place;
}

/* --- courses ------------------------------------------------------------------------------------- */

static bool has_extras(const fr_snapshot *snapshot)
{
    bool found = snapshot->congestion;
    for (int32_t t = 0; t < FR_THREATS_MAX && !found; t++) {
        found = fr_cost_threat(snapshot->cost, t) != NULL;
    }
    return found;
}

static void take_goal(fr_course *course, const fr_goal_book *book, const fr_unit_goal *goal, double radius)
{
    const fr_target *target = &book->targets[goal->target];
    course->goal = target->place;
    course->area = target->area;
    course->arrival_radius =
        target->is_own ? fr_own_goal_reach(radius) : (double)target->ball.radius / (double)FR_DISTANCE_CELL;
}

static void begin(fr_courses *courses, const fr_goal_book *book, const fr_snapshot *snapshot,
                  fr_position before, int32_t i)
{
    fr_course *course = &courses->units[i];
    const fr_unit_goal *goal = &book->units[i];
    fr_class movement_class = (fr_class)snapshot->movement_class[i];
    release_ground(courses, course->ground);
    *course = (fr_course){
        .order = goal->order, .given_tick = goal->given_tick, .ground = FR_NO_GROUND, .start = before};
    /* Who follows has no goal that stays; with extra costs nobody is meant to take the shortest way. */
    if (goal->target == FR_NO_TARGET || snapshot->orders[goal->order].is_follow || courses->has_extras) {
        return;
    }
    course->ground = hold_ground(courses, snapshot->cost, movement_class);
    take_goal(course, book, goal, (double)snapshot->radius[i]);
    if (!fr_cost_walkable(snapshot->cost, movement_class, fr_cell_at(before))) {
        course->start = fr_cell_centre(goal->open_cell);
    }
}

void fr_courses_tick(fr_courses *courses, const fr_goal_book *book, const fr_snapshot *snapshot,
                     const fr_position *before)
{
    grow(courses, snapshot->unit_count);
    courses->has_extras = courses->has_extras || has_extras(snapshot);
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        fr_course *course = &courses->units[i];
        const fr_unit_goal *goal = &book->units[i];
        if (goal->order == FR_NO_ORDER || snapshot->state[i] == FR_UNIT_GONE) {
            continue;
        }
        if (course->order != goal->order || course->given_tick != goal->given_tick) {
            begin(courses, book, snapshot, before[i], i);
        } else if (course->ground != FR_NO_GROUND && goal->target != FR_NO_TARGET &&
                   fr_snapshot_sent_to(snapshot, i) >= 0) {
            take_goal(course, book, goal, (double)snapshot->radius[i]); /* it is told late which it is */
        }
        int64_t squared = fr_squared_distance(snapshot->position[i], before[i]);
        course->walked += squared > 0 ? sqrt((double)squared) / FR_POSITION_ONE : 0.0;
        if (goal->is_inside && goal->entered_tick == snapshot->tick) {
            course->walked_in = course->walked;
        }
    }
}
