#include "scen_check.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "field/way_out.h"

/* 99/70 is not quite the root of two. */
#define LENGTH_ERROR 6e-5

typedef struct checker {
    const fr_map *map;
    fr_class movement_class;
    fr_cost *cost, *nav;
    fr_way_out *way_out;
    fr_scratch *scratch;
    fr_field_pool *pool;
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
           check->map->costs[check->movement_class][fr_grid_index(check->map->grid, cell)] != FR_COST_WALL;
}

static fr_cell field_cell(const checker *check, fr_cell tile)
{
    return fr_way_out_cell(check->way_out, fr_cost_shift(check->nav), check->movement_class,
                           fr_cell_centre(tile));
}

static void trace_line(const checker *check, const fr_field *field, const fr_scen_line *line)
{
    fr_scen_result *result = check->result;
    if (line->length == 0.0) {
        return;
    }
    double length = fr_way_out_trace(check->way_out, check->movement_class, field,
                                     fr_cell_centre(line->start), 4.0 * line->length + 16.0, NULL);
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
    fr_goal goal = {field_cell(check, tile), 0};
    int32_t end = first;
    while (end < count && lines[end].goal.x == tile.x && lines[end].goal.y == tile.y) {
        end++;
    }
    if (!is_open(check, tile)) {
        return end;
    }
    fr_field *field = NULL;
    for (int32_t i = first; i < end; i++) {
        if (!is_open(check, lines[i].start)) {
            continue;
        }
        fr_cell start = field_cell(check, lines[i].start);
        if (check->lazy) {
            field = fr_field_widen(check->pool, check->scratch, check->nav, check->movement_class, &goal, 1,
                                   field, &start, 1);
        } else if (field == NULL) {
            field = fr_field_build(check->pool, check->scratch, check->nav, check->movement_class, &goal, 1);
        }
        check_line(check, field, &lines[i]);
    }
    fr_field_destroy(check->pool, field);
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
    checker check = {
        .map = map, .movement_class = movement_class, .trace = trace, .lazy = lazy, .result = result};
    check.cost = fr_cost_create(map);
    check.nav = fr_cost_field(check.cost);
    check.way_out = fr_way_out_create(check.cost);
    fr_way_out_admit(check.way_out, movement_class);
    check.scratch = fr_scratch_create(fr_cost_grid(check.nav));
    check.pool = fr_field_pool_create_for(check.nav, FR_FIELD_BYTES);
    for (int32_t i = 0; i < result->lines;) {
        i = check_goal(&check, chosen, result->lines, i);
    }
    fr_field_pool_destroy(check.pool);
    fr_scratch_destroy(check.scratch);
    fr_way_out_destroy(check.way_out);
    fr_cost_destroy(check.cost);
    fr_free(chosen);
    return FR_OK;
}
