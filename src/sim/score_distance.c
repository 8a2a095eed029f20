/* score_distance: Dijkstra with a ring of buckets one unit wide (Dial, "Algorithm 360: Shortest-path forest
 * with topological ordering", 1969), so that cells are settled in exact order of distance. */
#include "sim/score_distance.h"

#include <string.h>

#include "base/assert.h"
#include "base/memory.h"

void fr_distance_search_init(fr_distance_search *search, fr_grid grid)
{
    *search = (fr_distance_search){.grid = grid};
}

void fr_distance_search_fini(fr_distance_search *search)
{
    for (int i = 0; i < FR_DISTANCE_BUCKETS; i++) {
        fr_free(search->buckets[i].cells);
    }
    fr_free(search->touched.cells);
    fr_free(search->distance);
    *search = (fr_distance_search){0};
}

static void add(fr_distance_bucket *bucket, int32_t cell)
{
    if (bucket->count == bucket->capacity) {
        bucket->capacity = bucket->capacity == 0 ? 64 : bucket->capacity * 2;
        bucket->cells = fr_realloc(bucket->cells, (size_t)bucket->capacity, sizeof *bucket->cells);
    }
    bucket->cells[bucket->count++] = cell;
}

/* One run of the search. */
typedef struct run {
    fr_distance_search *search;
    const fr_walls *walls;
    uint32_t *distance;
    uint16_t *nearest;           /* or null */
    fr_distance_bucket *touched; /* gets every cell that got a distance, or null */
    int64_t queued;
} run;

static void reach(run *r, int32_t cell, uint32_t distance, int32_t from)
{
    if (distance >= r->distance[cell]) {
        return;
    }
    if (r->touched != NULL && r->distance[cell] == FR_DISTANCE_NONE) {
        add(r->touched, cell);
    }
    r->distance[cell] = distance;
    if (r->nearest != NULL && from >= 0) {
        r->nearest[cell] = r->nearest[from];
    }
    add(&r->search->buckets[distance % FR_DISTANCE_BUCKETS], cell);
    r->queued++;
}

static void expand(run *r, int32_t index, uint32_t distance)
{
    fr_grid grid = r->search->grid;
    fr_cell cell = fr_grid_cell(grid, index);
    bool is_open[FR_DIR_COUNT];
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        fr_cell next = {cell.x + FR_STEPS[d].dx, cell.y + FR_STEPS[d].dy};
        is_open[d] = fr_walls_region(r->walls, next) != FR_WALL_REGION;
    }
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        bool is_diagonal = FR_STEPS[d].price == FR_STEP_DIAGONAL;
        /* The corner rule: a diagonal needs both of its orthogonal neighbours. */
        if (is_open[d] && (!is_diagonal || (is_open[(d + 1) & 7] && is_open[(d + 7) & 7]))) {
            reach(r, index + FR_STEPS[d].dy * grid.width + FR_STEPS[d].dx, distance + FR_STEPS[d].price,
                  index);
        }
    }
}

typedef struct seeds {
    const fr_cell *cells;
    const uint32_t *prices; /* or null */
    int32_t count;
} seeds;

/* Lets the seeds in that begin at this distance; returns where the next ones do. */
static uint32_t let_in(run *r, const seeds *from, uint32_t distance)
{
    uint32_t next = FR_DISTANCE_NONE;
    for (int32_t i = 0; i < from->count; i++) {
        uint32_t price = from->prices != NULL ? from->prices[i] : 0;
        if (price > distance) {
            next = price < next ? price : next;
        } else if (price == distance && fr_walls_region(r->walls, from->cells[i]) != FR_WALL_REGION) {
            int32_t cell = fr_grid_index(r->search->grid, from->cells[i]);
            if (r->nearest != NULL && distance < r->distance[cell]) {
                r->nearest[cell] = (uint16_t)i;
            }
            reach(r, cell, distance, -1);
        }
    }
    return next;
}

/* Settles cells nearest first. `settled` (or null) gets them in order, and ends the run: with `cells_needed`
 * of them, it goes on for one cell of distance more. Returns the distance at which it ended. */
static uint32_t settle(run *r, const seeds *from, fr_distance_bucket *settled, double cells_needed)
{
    uint32_t limit = FR_DISTANCE_NONE, last = 0, next = let_in(r, from, 0);
    for (uint32_t distance = 0; (r->queued > 0 || next != FR_DISTANCE_NONE) && distance <= limit;
         distance++) {
        distance = r->queued == 0 ? next : distance;
        next = distance == next ? let_in(r, from, distance) : next;
        fr_distance_bucket *bucket = &r->search->buckets[distance % FR_DISTANCE_BUCKETS];
        for (int32_t i = 0; i < bucket->count; i++) {
            int32_t cell = bucket->cells[i];
            if (r->distance[cell] != distance) {
                continue; /* reached by a shorter way since */
            }
            last = distance;
            if (settled != NULL) {
                add(settled, cell);
                if (limit == FR_DISTANCE_NONE && settled->count >= cells_needed) {
                    limit = distance + FR_DISTANCE_CELL;
                }
            }
            expand(r, cell, distance);
        }
        r->queued -= bucket->count;
        bucket->count = 0;
    }
    for (int i = 0; i < FR_DISTANCE_BUCKETS; i++) {
        r->search->buckets[i].count = 0;
    }
    return limit != FR_DISTANCE_NONE ? limit : last + FR_DISTANCE_CELL;
}

void fr_distance_from(fr_distance_search *search, const fr_walls *walls, const fr_cell *cells,
                      int32_t seed_count, const uint32_t *prices, uint32_t *distance, uint16_t *nearest)
{
    run r = {.search = search, .walls = walls, .distance = distance, .nearest = nearest};
    memset(distance, 0xff, (size_t)fr_grid_count(search->grid) * sizeof *distance);
    settle(&r, &(seeds){cells, prices, seed_count}, NULL, 0.0);
}

void fr_ball_init(fr_ball *ball, fr_distance_search *search, const fr_walls *walls, const fr_cell *centres,
                  int32_t count, double cells_needed)
{
    FR_ASSERT(count >= 1 && fr_walls_region(walls, centres[0]) != FR_WALL_REGION);
    if (search->distance == NULL) {
        size_t cells = (size_t)fr_grid_count(search->grid);
        search->distance = fr_alloc_raw(cells, sizeof *search->distance);
        memset(search->distance, 0xff, cells * sizeof *search->distance);
    }
    fr_distance_bucket settled = {0};
    run r = {.search = search, .walls = walls, .distance = search->distance, .touched = &search->touched};
    ball->radius = settle(&r, &(seeds){centres, NULL, count}, &settled, cells_needed);
    fr_cell low = centres[0], high = centres[0];
    for (int32_t i = 0; i < settled.count; i++) {
        fr_cell cell = fr_grid_cell(search->grid, settled.cells[i]);
        low = (fr_cell){cell.x < low.x ? cell.x : low.x, cell.y < low.y ? cell.y : low.y};
        high = (fr_cell){cell.x > high.x ? cell.x : high.x, cell.y > high.y ? cell.y : high.y};
    }
    ball->window = (fr_rect){low.x, low.y, high.x - low.x + 1, high.y - low.y + 1};
    int64_t bits = (int64_t)ball->window.width * ball->window.height;
    ball->bits = fr_alloc((size_t)(bits / 64 + 1), sizeof *ball->bits);
    for (int32_t i = 0; i < settled.count; i++) {
        fr_cell cell = fr_grid_cell(search->grid, settled.cells[i]);
        int64_t bit = (int64_t)(cell.y - low.y) * ball->window.width + (cell.x - low.x);
        ball->bits[bit / 64] |= (uint64_t)1 << (bit % 64);
    }
    for (int32_t i = 0; i < search->touched.count; i++) {
        search->distance[search->touched.cells[i]] = FR_DISTANCE_NONE;
    }
    search->touched.count = 0;
    fr_free(settled.cells);
}

void fr_ball_fini(fr_ball *ball)
{
    fr_free(ball->bits);
    *ball = (fr_ball){0};
}
