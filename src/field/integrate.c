/* integrate: Dijkstra from the goals outward, with what makes it fast on grids: a ring of wall instead of
 * bounds tests, walls folded into the value array, steps found beforehand, buckets instead of a heap. Costs
 * are integers and a relaxation is a minimum, so every order of work ends in the same bits as the textbook's.
 */
#include "field/integrate.h"

#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "field/scratch.h"

/* While the queue runs, a wall holds 0, which nothing undercuts, and a cell not yet reached holds this:
 * values beyond the limit don't undercut it either. It begins a bucket, so that no stored value shares its
 * bucket. */
#define NOT_YET (FR_INTEGRATION_MAX + 1u)
_Static_assert(NOT_YET % FR_BUCKET_WIDTH == 0, "a first visit must look like a change of bucket");

/* A cell is pushed when its value falls into another bucket. Its first diagonal visitors come from one
 * bucket, so the values they offer lie in at most two; later diagonal visitors come from dearer cells and
 * improve nothing. The same holds for straight visitors: four pushes. */
#define PUSHES_PER_CELL 4u

fr_scratch *fr_scratch_create(fr_grid grid)
{
    FR_ASSERT(grid.width > 0 && grid.height > 0 && grid.width <= FR_MAP_SIDE_MAX &&
              grid.height <= FR_MAP_SIDE_MAX);
    FR_ASSERT((int64_t)grid.width * grid.height <= FR_MAP_CELLS_MAX);
    fr_scratch *scratch = fr_alloc(1, sizeof *scratch);
    scratch->grid = grid;
    scratch->stride = grid.width + 2;
    size_t count = (size_t)scratch->stride * (size_t)(grid.height + 2);
    scratch->costs = fr_alloc_raw(count, sizeof *scratch->costs);
    memset(scratch->costs, FR_COST_WALL, count);
    scratch->steps = fr_alloc(count, sizeof *scratch->steps);
    scratch->integration = fr_alloc_raw(count, sizeof *scratch->integration);
    scratch->best = fr_alloc(count, sizeof *scratch->best);
    scratch->directions = fr_alloc_raw(count, sizeof *scratch->directions);
    memset(scratch->directions, FR_DIR_NONE, count);
    fr_bucket_queue_init(&scratch->queue, PUSHES_PER_CELL * (uint32_t)fr_grid_count(grid) + FR_GOALS_MAX);
    return scratch;
}

void fr_scratch_destroy(fr_scratch *scratch)
{
    if (scratch == NULL) {
        return;
    }
    fr_bucket_queue_fini(&scratch->queue);
    fr_free(scratch->costs);
    fr_free(scratch->steps);
    fr_free(scratch->integration);
    fr_free(scratch->best);
    fr_free(scratch->directions);
    fr_free(scratch);
}

fr_grid fr_scratch_grid(const fr_scratch *scratch)
{
    return scratch->grid;
}

int fr_scratch_stride(const fr_scratch *scratch)
{
    return scratch->stride;
}

uint8_t *fr_scratch_costs(fr_scratch *scratch)
{
    return scratch->costs + scratch->stride + 1;
}

const uint32_t *fr_scratch_integration(const fr_scratch *scratch)
{
    return scratch->integration + scratch->stride + 1;
}

const uint8_t *fr_scratch_directions(const fr_scratch *scratch)
{
    return scratch->directions + scratch->stride + 1;
}

static size_t padded_count(const fr_scratch *scratch)
{
    return (size_t)scratch->stride * (size_t)(scratch->grid.height + 2);
}

static void fold_walls(const uint8_t *restrict costs, size_t count, uint32_t *restrict integration)
{
    for (size_t i = 0; i < count; i++) {
        integration[i] = costs[i] == FR_COST_WALL ? 0 : NOT_YET;
    }
}

static void unfold_walls(const uint8_t *restrict costs, size_t count, uint32_t *restrict integration)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t value = integration[i] == NOT_YET ? FR_UNREACHED : integration[i];
        integration[i] = costs[i] == FR_COST_WALL ? FR_UNREACHED : value;
    }
}

/* Notes the goals that are not walls, cheapest first, with their prices. */
static void sort_goals(fr_scratch *scratch, const fr_goal *goals, int goal_count, uint32_t *prices)
{
    int count = 0;
    for (int g = 0; g < goal_count; g++) {
        FR_ASSERT(fr_grid_contains(scratch->grid, goals[g].cell) && goals[g].price <= FR_INTEGRATION_MAX);
        if (scratch->costs[fr_scratch_index(scratch, goals[g].cell)] == FR_COST_WALL) {
            continue;
        }
        int at = count++;
        for (; at > 0 && prices[at - 1] > goals[g].price; at--) {
            prices[at] = prices[at - 1];
            scratch->goals[at] = scratch->goals[at - 1];
        }
        prices[at] = goals[g].price;
        scratch->goals[at] = goals[g].cell;
    }
    scratch->goal_count = count;
}

/* Offers a cell a value; queues it when the value falls into a lower bucket than before. */
static inline void offer(fr_bucket_queue *queue, uint32_t *integration, uint32_t cell, uint32_t value)
{
    uint32_t before = integration[cell];
    if (value < before) {
        integration[cell] = value;
        if (fr_bucket_of(value) != fr_bucket_of(before)) {
            fr_bucket_queue_push(queue, value, cell);
        }
    }
}

/* Offers all neighbours of the run's cells what a way over the cell costs. Straight steps need no test: a
 * wall takes no offer. Each cell is expanded once, with its final value: an entry that lies below `bucket` is
 * one that its cell has left for a lower bucket. */
static void expand_run(fr_scratch *scratch, fr_bucket_run run, uint32_t bucket)
{
    const uint8_t *costs = scratch->costs, *steps = scratch->steps;
    const uint32_t stride = (uint32_t)scratch->stride;
    uint32_t *integration = scratch->integration;
    fr_bucket_queue *queue = &scratch->queue;
    for (uint32_t i = 0; i < run.count; i++) {
        uint32_t cell = run.cells[i];
        uint32_t value = integration[cell];
        if (fr_bucket_of(value) < bucket) {
            continue;
        }
        const uint32_t e = cell + 1, w = cell - 1, n = cell - stride, s = cell + stride;
        offer(queue, integration, e, value + FR_STEP_STRAIGHT * costs[e]);
        offer(queue, integration, s, value + FR_STEP_STRAIGHT * costs[s]);
        offer(queue, integration, w, value + FR_STEP_STRAIGHT * costs[w]);
        offer(queue, integration, n, value + FR_STEP_STRAIGHT * costs[n]);
        const uint32_t allowed = steps[cell];
        if (allowed & 1u << FR_DIR_SE) {
            offer(queue, integration, s + 1, value + FR_STEP_DIAGONAL * costs[s + 1]);
        }
        if (allowed & 1u << FR_DIR_SW) {
            offer(queue, integration, s - 1, value + FR_STEP_DIAGONAL * costs[s - 1]);
        }
        if (allowed & 1u << FR_DIR_NW) {
            offer(queue, integration, n - 1, value + FR_STEP_DIAGONAL * costs[n - 1]);
        }
        if (allowed & 1u << FR_DIR_NE) {
            offer(queue, integration, n + 1, value + FR_STEP_DIAGONAL * costs[n + 1]);
        }
    }
}

/* Empties the queue bucket by bucket. A goal joins when the front reaches its price. Returns the last bucket.
 */
static uint32_t spread(fr_scratch *scratch, const uint32_t *prices)
{
    fr_bucket_queue *queue = &scratch->queue;
    fr_bucket_queue_reset(queue);
    uint32_t bucket = 0;
    int joined = 0;
    while (queue->filled_count > 0 || joined < scratch->goal_count) {
        if (queue->filled_count == 0) {
            bucket = fr_bucket_of(prices[joined]);
        }
        for (; joined < scratch->goal_count && fr_bucket_of(prices[joined]) == bucket; joined++) {
            uint32_t cell = fr_scratch_index(scratch, scratch->goals[joined]);
            offer(queue, scratch->integration, cell, prices[joined]);
        }
        fr_bucket_run run = fr_bucket_queue_take(queue, bucket);
        while (run.chunk != 0) {
            expand_run(scratch, run, bucket);
            run = fr_bucket_queue_next_run(queue, run);
        }
        bucket++;
    }
    return bucket;
}

/* Saturated: a passable cell was left unreached although a reached one is a legal step away. */
static bool lost_a_cell(const fr_scratch *scratch)
{
    for (int32_t y = 0; y < scratch->grid.height; y++) {
        for (int32_t x = 0; x < scratch->grid.width; x++) {
            uint32_t cell = fr_scratch_index(scratch, (fr_cell){x, y});
            if (scratch->integration[cell] == FR_UNREACHED) {
                continue;
            }
            for (int d = 0; d < FR_DIR_COUNT; d++) {
                uint32_t next = cell + (uint32_t)(FR_STEPS[d].dy * scratch->stride + FR_STEPS[d].dx);
                if ((scratch->steps[cell] >> d & 1) != 0 && scratch->integration[next] == FR_UNREACHED) {
                    return true;
                }
            }
        }
    }
    return false;
}

bool fr_integrate(fr_scratch *scratch, const fr_goal *goals, int goal_count)
{
    FR_ASSERT(goal_count >= 0 && goal_count <= FR_GOALS_MAX && (goal_count == 0 || goals != NULL));
    uint32_t prices[FR_GOALS_MAX];
    sort_goals(scratch, goals, goal_count, prices);
    fr_scratch_find_steps(scratch);
    fold_walls(scratch->costs, padded_count(scratch), scratch->integration);
    uint32_t last_bucket = spread(scratch, prices);
    unfold_walls(scratch->costs, padded_count(scratch), scratch->integration);
    /* Only a front that came within one step of the limit can have lost a cell. */
    uint32_t near_limit = FR_INTEGRATION_MAX - (FR_COST_WALL - 1) * FR_STEP_DIAGONAL;
    return last_bucket > fr_bucket_of(near_limit) && lost_a_cell(scratch);
}
