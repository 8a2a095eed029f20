/* score_trace: see the header. */
#include "sim/score_trace.h"

#include <string.h>

#include "base/memory.h"

/* Largest map, and cells of all fields that one tracer makes: some seconds of work. */
#define CELLS_MAX       (2048 * 2048)
#define FIELD_CELLS_MAX ((int64_t)64 << 20)

/* Points of the longest way: two a cell, on ground where ways wind. */
#define POINTS_MAX 65536

/* No way that makes sense is longer (cells). */
#define LENGTH_MAX (POINTS_MAX / 2.0)

struct fr_tracer {
    fr_map *map;
    fr_cost *cost;
    fr_field_pool *pool;
    fr_scratch *scratch;
    fr_field *field;
    fr_position goal;
    bool has_area;
    int64_t cells_left;
    fr_position *points; /* [POINTS_MAX] */
};

fr_tracer *fr_tracer_create(fr_grid grid, const uint8_t *costs)
{
    if (fr_grid_count(grid) > CELLS_MAX) {
        return NULL;
    }
    fr_tracer *tracer = fr_alloc(1, sizeof *tracer);
    tracer->map = fr_map_create("judge", grid);
    memcpy(tracer->map->costs[FR_CLASS_FOOT], costs, (size_t)fr_grid_count(grid));
    tracer->cost = fr_cost_create(tracer->map);
    tracer->pool = fr_field_pool_create(grid, FR_FIELD_BYTES);
    tracer->scratch = fr_scratch_create(grid);
    tracer->points = fr_alloc_raw(POINTS_MAX, sizeof *tracer->points);
    tracer->cells_left = FIELD_CELLS_MAX;
    return tracer;
}

void fr_tracer_destroy(fr_tracer *tracer)
{
    if (tracer == NULL) {
        return;
    }
    fr_field_destroy(tracer->pool, tracer->field);
    fr_field_pool_destroy(tracer->pool);
    fr_scratch_destroy(tracer->scratch);
    fr_cost_destroy(tracer->cost);
    fr_map_destroy(tracer->map);
    fr_free(tracer->points);
    fr_free(tracer);
}

bool fr_tracer_aim(fr_tracer *tracer, fr_position place, const fr_area *area)
{
    fr_goal goals[FR_GOALS_MAX];
    int goal_count = 0;
    fr_grid grid = fr_cost_grid(tracer->cost);
    tracer->goal = place;
    tracer->has_area = area->kind != FR_AREA_NONE;
    fr_rect bounds = fr_area_bounds(area, grid);
    if (!tracer->has_area) {
        goals[goal_count++] = (fr_goal){.cell = fr_cell_at(place)};
    } else if (fr_area_count(area, grid) > FR_GOALS_MAX) {
        return false;
    }
    for (int32_t i = 0; i < bounds.width * bounds.height && tracer->has_area; i++) {
        fr_cell cell = {bounds.x + i % bounds.width, bounds.y + i / bounds.width};
        if (fr_area_contains(area, cell) && fr_grid_contains(grid, cell)) {
            goals[goal_count++] = (fr_goal){.cell = cell};
        }
    }
    fr_field_destroy(tracer->pool, tracer->field);
    tracer->field = NULL;
    tracer->cells_left -= fr_grid_count(grid);
    if (tracer->cells_left < 0 || goal_count == 0) {
        return false;
    }
    tracer->field =
        fr_field_build(tracer->pool, tracer->scratch, tracer->cost, FR_CLASS_FOOT, goals, goal_count);
    return tracer->field != NULL;
}

const fr_position *fr_tracer_way(fr_tracer *tracer, fr_position start, int32_t *count)
{
    int points = 0;
    double length =
        fr_field_trace(tracer->field, start, LENGTH_MAX, NULL, tracer->points, POINTS_MAX, &points);
    if (length < 0.0 || points >= POINTS_MAX) {
        return NULL;
    }
    /* The last point is the middle of the goal's cell. */
    if (tracer->has_area) {
        points--;
    } else {
        tracer->points[points - 1] = tracer->goal;
    }
    *count = points;
    return tracer->points;
}
