#include "scen_check.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "field_ground.h"

/* 99/70 is not quite the root of two. */
#define LENGTH_ERROR 6e-5

typedef struct checker {
    const fr_map *map;
    fr_field_ground ground;
    bool trace, lazy;
    fr_scen_result *result;
} checker;

/* By goal, so that lines with the same goal share a field; then as in the file. */
static int compare_lines(const void *left, const void *right)
{
    const fr_scen_line *a = left, *b = right;
    if (a->goal.y != b->goal.y) {
        return a->goal.y < b->goal.y ? -1 : 1;
    }
    if (a->goal.x != b->goal.x) {
        return a->goal.x < b->goal.x ? -1 : 1;
    }
    return (a->line > b->line) - (a->line < b->line);
}

static double tolerance(const fr_scen_line *line)
{
    return line->tolerance + LENGTH_ERROR * line->length;
}

static bool says_no_path(const fr_scen_line *line)
{
    return line->length == 0.0 && (line->start.x != line->goal.x || line->start.y != line->goal.y);
}

static bool is_open(const checker *check, fr_cell cell)
{
    return fr_grid_contains(check->map->grid, cell) &&
           check->map->costs[check->ground.movement_class][fr_grid_index(check->map->grid, cell)] !=
               FR_COST_WALL;
}

static void trace_line(const checker *check, const fr_field *field, const fr_scen_line *line)
{
    fr_scen_result *result = check->result;
    if (line->length == 0.0) {
        return;
    }
    double length =
        fr_field_ground_trace(&check->ground, field, line->start, 4.0 * line->length + 16.0, NULL);
    if (length < 0.0) {
        result->failed++;
        return;
    }
    double ratio = length / line->length;
    result->traced++;
    result->longer += length > line->length + tolerance(line);
    result->ratio_sum += ratio;
    result->ratio_worst = ratio > result->ratio_worst ? ratio : result->ratio_worst;
}

static void check_line(const checker *check, const fr_field *field, const fr_scen_line *line)
{
    double steps = fr_field_steps(field, line->start);
    bool matches =
        says_no_path(line) ? isinf(steps) : !isinf(steps) && fabs(steps - line->length) <= tolerance(line);
    check->result->matched += matches;
    if (check->trace) {
        trace_line(check, field, line);
    }
}

/* The lines from `first` on that have its goal; returns the first line behind them. */
static int32_t check_goal(const checker *check, const fr_scen_line *lines, int32_t count, int32_t first)
{
    fr_cell tile = lines[first].goal;
    fr_goal goal = {fr_field_ground_cell(&check->ground, tile), 0};
    int32_t end = first;
    while (end < count && lines[end].goal.x == tile.x && lines[end].goal.y == tile.y) {
        end++;
    }
    if (!is_open(check, tile)) {
        return end;
    }
    const fr_field_ground *ground = &check->ground;
    fr_field *field = NULL;
    for (int32_t i = first; i < end; i++) {
        if (!is_open(check, lines[i].start)) {
            continue;
        }
        fr_cell start = fr_field_ground_cell(ground, lines[i].start);
        if (check->lazy) {
            field = fr_field_widen(ground->pool, ground->scratch, ground->nav, ground->view, &goal, 1, field,
                                   &start, 1);
        } else if (field == NULL) {
            field = fr_field_build(ground->pool, ground->scratch, ground->nav, ground->view, &goal, 1);
        }
        check_line(check, field, &lines[i]);
    }
    fr_field_destroy(ground->pool, field);
    return end;
}

fr_status fr_check_scen(const fr_map *map, fr_class movement_class, const char *path,
                        const fr_scen_line *lines, int32_t line_count, int32_t every, bool trace, bool lazy,
                        fr_scen_result *result, fr_error *error)
{
    fr_scen_line *chosen = fr_alloc((size_t)line_count, sizeof *chosen);
    *result = (fr_scen_result){0};
    for (int32_t i = 0; i < line_count; i += every) {
        if (lines[i].width != map->grid.width || lines[i].height != map->grid.height) {
            fr_free(chosen);
            return fr_fail(error, FR_BAD_INPUT,
                           "%s: line %d: found a map of %d x %d cells, expected %d x %d of %s", path,
                           lines[i].line, lines[i].width, lines[i].height, map->grid.width, map->grid.height,
                           map->path);
        }
        result->no_path += says_no_path(&lines[i]);
        chosen[result->lines++] = lines[i];
    }
    qsort(chosen, (size_t)result->lines, sizeof *chosen, compare_lines);
    checker check = {.map = map,
                     .ground = fr_field_ground_begin(map, movement_class, false),
                     .trace = trace,
                     .lazy = lazy,
                     .result = result};
    for (int32_t i = 0; i < result->lines;) {
        i = check_goal(&check, chosen, result->lines, i);
    }
    fr_field_ground_end(&check.ground);
    fr_free(chosen);
    return FR_OK;
}
