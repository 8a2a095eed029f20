/* score_ideal: see the header. Units are taken ground by ground and goal by goal, so that one search serves
 * all that share both. */
#include "sim/score_ideal.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "crowd/ground_speed.h"
#include "sim/score_trace.h"
#include "sim/score_ways.h"

/* Work of all searches of one report (fr_ways_find): ten seconds. All ways of 2,000 units on a map of
 * 1024x1024 with 10,000 corners take a seventh of that. */
#define SEARCH_STEPS ((int64_t)128 << 20)

/* More corners than those of any map of 2048x2048 but noise: their search would take some 100 MB. */
#define CORNERS_MAX 2000000

/* Where ground differs, its cost is looked up this often along a way (cells). */
#define SPEED_STEP 0.125

typedef struct traveller {
    int32_t unit;
    const fr_course *course;
} traveller;

static int compare_numbers(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_goals(const fr_course *a, const fr_course *b)
{
    const int64_t keys[][2] = {
        {a->ground, b->ground},           {a->goal.x, b->goal.x},           {a->goal.y, b->goal.y},
        {a->area.kind, b->area.kind},     {a->area.low.x, b->area.low.x},   {a->area.low.y, b->area.low.y},
        {a->area.high.x, b->area.high.x}, {a->area.high.y, b->area.high.y},
    };
    int order = 0;
    for (size_t k = 0; k < sizeof keys / sizeof *keys && order == 0; k++) {
        order = compare_numbers(keys[k][0], keys[k][1]);
    }
    return order;
}

static int compare_travellers(const void *a, const void *b)
{
    const traveller *p = a, *q = b;
    int order = compare_goals(p->course, q->course);
    return order != 0 ? order : compare_numbers(p->unit, q->unit);
}

/* One ground and what was made ready for it. */
typedef struct site {
    const fr_snapshot *snapshot;
    const fr_scenario *scenario;
    const uint8_t *costs;
    fr_grid grid;
    bool is_even; /* all open cells cost the same, and are walked at top speed */
    fr_open_ground ground;
    fr_ways *search;   /* of even ground; may be null */
    fr_tracer *tracer; /* of uneven ground; may be null */
    int64_t steps;     /* left of all sites */
} site;

static bool is_even(fr_grid grid, const uint8_t *costs, int32_t full_speed_cost)
{
    int32_t found = 0;
    for (int32_t i = 0; i < fr_grid_count(grid); i++) {
        if (costs[i] != FR_COST_WALL) {
            if (costs[i] > full_speed_cost || (found != 0 && costs[i] != found)) {
                return false;
            }
            found = costs[i];
        }
    }
    return true;
}

static void open_site(site *s, const uint8_t *costs)
{
    s->costs = costs;
    s->is_even = is_even(s->grid, costs, s->snapshot->full_speed_cost);
    if (s->is_even) {
        fr_open_ground_init(&s->ground, s->grid, costs);
        s->search = s->ground.corner_count <= CORNERS_MAX ? fr_ways_create(&s->ground) : NULL;
    } else {
        s->tracer = fr_tracer_create(s->grid, costs);
    }
}

static void close_site(site *s)
{
    if (s->costs != NULL && s->is_even) {
        fr_ways_destroy(s->search);
        fr_open_ground_fini(&s->ground);
    } else if (s->costs != NULL) {
        fr_tracer_destroy(s->tracer);
    }
    s->costs = NULL;
    s->search = NULL;
    s->tracer = NULL;
}

/* --- one way ------------------------------------------------------------------------------------- */

static double seconds_of(const site *s, fr_position a, fr_position b, double length, double top_speed)
{
    if (s->is_even) {
        return length / top_speed;
    }
    int32_t pieces = (int32_t)ceil(length / SPEED_STEP);
    double seconds = 0.0;
    for (int32_t k = 0; k < pieces; k++) {
        double t = (k + 0.5) / pieces;
        fr_position at = {a.x + (int32_t)(t * (b.x - a.x)), a.y + (int32_t)(t * (b.y - a.y))};
        fr_cell cell = fr_cell_at(at);
        uint8_t cost =
            fr_grid_contains(s->grid, cell) ? s->costs[fr_grid_index(s->grid, cell)] : FR_COST_WALL;
        /* A way may run along the edge of a wall. */
        cost = cost == FR_COST_WALL ? (uint8_t)s->snapshot->full_speed_cost : cost;
        seconds +=
            length / pieces / (double)fr_ground_speed((float)top_speed, s->snapshot->full_speed_cost, cost);
    }
    return seconds;
}

/* Which side of a line the first point lies on (-1 or 1), if the piece from there to the second crosses it,
 * and at which part of the piece; else 0. */
static int8_t crosses_at(fr_position a, fr_position b, fr_position from, fr_position to, double *part)
{
    if (!fr_path_crosses(a, b, from, to)) {
        return 0;
    }
    double a_side = (double)fr_cross(from, to, a), b_side = (double)fr_cross(from, to, b);
    *part = a_side / (a_side - b_side);
    return a_side < 0.0 ? -1 : 1;
}

/* Adds a piece of the way up to a part of it. */
static void add_piece(const site *s, const traveller *who, fr_position a, fr_position b, double end,
                      fr_ideal_way *way)
{
    double length = sqrt((double)fr_squared_distance(a, b)) / FR_POSITION_ONE;
    double seconds = seconds_of(s, a, b, length, (double)s->snapshot->speed[who->unit]);
    for (int32_t d = 0; s->scenario != NULL && d < s->scenario->door_count && way->side == 0; d++) {
        const double *line = s->scenario->doors[d].line;
        double part = 0.0;
        int8_t side =
            crosses_at(a, b, fr_position_at(line[0], line[1]), fr_position_at(line[2], line[3]), &part);
        if (side != 0 && part <= end) {
            way->side = side;
            way->to_door_s = way->seconds + part * seconds;
        }
    }
    way->length += length * end;
    way->seconds += seconds * end;
}

/* Adds up a way of `count` points until only the arrival radius is left of it, or to the line behind which
 * units of its group leave. */
static void measure(const site *s, const traveller *who, const fr_position *points, int32_t count,
                    double whole_length, fr_ideal_way *way)
{
    const fr_group_view *group = &s->snapshot->groups[s->snapshot->group[who->unit]];
    double left = whole_length - who->course->arrival_radius;
    *way = (fr_ideal_way){.is_known = true, .is_trace = !s->is_even};
    for (int32_t p = 1; p < count && left > 0.0; p++) {
        fr_position a = points[p - 1], b = points[p];
        double length = sqrt((double)fr_squared_distance(a, b)) / FR_POSITION_ONE;
        double end = left < length ? left / length : 1.0, part = 1.0;
        bool leaves = group->leaves && crosses_at(a, b, group->leave_from, group->leave_to, &part) != 0;
        add_piece(s, who, a, b, fmin(end, part), way);
        left = leaves ? 0.0 : left - length;
    }
    way->from_door_s = way->side != 0 ? way->seconds - way->to_door_s : 0.0;
}

static double length_of(const fr_position *points, int32_t count)
{
    double length = 0.0;
    for (int32_t p = 1; p < count; p++) {
        length += sqrt((double)fr_squared_distance(points[p - 1], points[p])) / FR_POSITION_ONE;
    }
    return length;
}

/* --- all ways to one goal ------------------------------------------------------------------------ */

/* The open cells of an area, in ascending order; the caller frees them. */
static fr_cell *list_area(const site *s, const fr_area *area, int32_t *count)
{
    fr_rect bounds = fr_area_bounds(area, s->grid);
    fr_cell *cells = fr_alloc_raw((size_t)bounds.width * (size_t)bounds.height + 1, sizeof *cells);
    *count = 0;
    for (int32_t y = bounds.y; y < bounds.y + bounds.height; y++) {
        for (int32_t x = bounds.x; x < bounds.x + bounds.width; x++) {
            fr_cell cell = {x, y};
            if (fr_area_contains(area, cell) && s->costs[fr_grid_index(s->grid, cell)] != FR_COST_WALL) {
                cells[(*count)++] = cell;
            }
        }
    }
    return cells;
}

static void find_exact(site *s, const traveller *list, int32_t count, fr_ideal_way *ways)
{
    const fr_course *course = list[0].course;
    if (s->search == NULL) {
        return;
    }
    fr_position *starts = fr_alloc_raw((size_t)count, sizeof *starts);
    double *lengths = fr_alloc_raw((size_t)count, sizeof *lengths);
    fr_way_goal goal = {.place = course->goal};
    fr_cell *cells = NULL;
    if (course->area.kind != FR_AREA_NONE) {
        goal.cells = cells = list_area(s, &course->area, &goal.cell_count);
    }
    for (int32_t i = 0; i < count; i++) {
        starts[i] = list[i].course->start;
    }
    bool is_found = fr_ways_find(s->search, &goal, starts, count, &s->steps, lengths);
    for (int32_t i = 0; i < count && is_found; i++) {
        if (lengths[i] >= 0.0) {
            int32_t points;
            const fr_position *way = fr_ways_points(s->search, i, &points);
            measure(s, &list[i], way, points, lengths[i], &ways[list[i].unit]);
        }
    }
    fr_free(cells);
    fr_free(starts);
    fr_free(lengths);
}

static void find_traces(site *s, const traveller *list, int32_t count, fr_ideal_way *ways)
{
    const fr_course *course = list[0].course;
    if (s->tracer == NULL || !fr_tracer_aim(s->tracer, course->goal, &course->area)) {
        return;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t points;
        const fr_position *way = fr_tracer_way(s->tracer, list[i].course->start, &points);
        if (way != NULL) {
            measure(s, &list[i], way, points, length_of(way, points), &ways[list[i].unit]);
        }
    }
}

void fr_ideal_find(const fr_courses *courses, const fr_snapshot *snapshot, const fr_scenario *scenario,
                   fr_ideal_way *ways)
{
    site s = {.snapshot = snapshot, .scenario = scenario, .grid = courses->grid, .steps = SEARCH_STEPS};
    traveller *list = fr_alloc_raw((size_t)courses->unit_count + 1, sizeof *list);
    int32_t count = 0;
    for (int32_t i = 0; i < courses->unit_count; i++) {
        ways[i] = (fr_ideal_way){.is_known = false};
        if (courses->units[i].ground != FR_NO_GROUND) {
            list[count++] = (traveller){i, &courses->units[i]};
        }
    }
    qsort(list, (size_t)count, sizeof *list, compare_travellers);
    int32_t ground = FR_NO_GROUND;
    for (int32_t first = 0, end = 0; first < count; first = end) {
        while (end < count && compare_goals(list[first].course, list[end].course) == 0) {
            end++;
        }
        if (list[first].course->ground != ground) {
            ground = list[first].course->ground;
            close_site(&s);
            open_site(&s, courses->grounds[ground].costs);
        }
        (s.is_even ? find_exact : find_traces)(&s, list + first, end - first, ways);
    }
    close_site(&s);
    fr_free(list);
}
