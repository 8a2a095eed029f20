/* integrate: Dijkstra from the goals outward, with what makes it fast on grids: a ring of wall instead of
 * bounds tests, walls folded into the value array, steps found beforehand, buckets instead of a heap. Costs
 * are integers and a relaxation is a minimum, so every order of work ends in the same bits as the textbook's.
 */
#include "field/integrate.h"

#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "field/field_internal.h"
#include "field/scratch.h"

/* A cell is pushed whenever it is improved, at most once by each neighbour, or to set out from it. */
#define PUSHES_PER_CELL 9u

_Static_assert((FR_MAP_CELLS_MAX + 4ll * FR_MAP_SIDE_MAX + 4) << FR_ENTRY_SHIFT <= UINT32_MAX,
               "a cell and a direction must fit an entry");

/* Which of a cell's steps the front has to try, by the step that reached it and the cell's `steps`. The rest
 * would reach nothing more cheaply than the cell before could:
 * - Whatever the costs: back, and the two places beside, which the cell before reaches by a straight step.
 * - If all cells around cost the same: every place that the cell before reaches as cheaply without this cell,
 *   where of two such ways that cost the same the one that begins diagonally is kept (canonical orderings:
 *   Sturtevant and Rabin 2016; no corners are cut, so the ways past a wall differ from theirs). A straight
 *   step leaves what is beside and obliquely ahead to the diagonal step next to it, if that one is open; a
 *   diagonal step goes on between its two straight ones. */
static void find_natural(fr_scratch *scratch)
{
    for (uint32_t steps = 0; steps < FR_STEPS_COUNT; steps++) {
        scratch->natural[FR_DIR_ORIGIN][steps] = (uint8_t)steps;
        for (int d = 0; d < FR_DIR_COUNT; d++) {
            uint32_t left = steps & 0xffu;
            for (int turn = 3; turn <= 5; turn++) {
                left &= ~(1u << (d + turn) % FR_DIR_COUNT);
            }
            for (int side = -1; side <= 1 && (steps & FR_STEPS_EVEN) != 0; side += 2) {
                uint32_t ahead = 1u << ((d + side) & 7), beside = 1u << ((d + 2 * side) & 7);
                uint32_t behind = 1u << ((d + 3 * side) & 7);
                bool is_diagonal = d % 2 != 0;
                if (is_diagonal) {
                    left &= ~beside;
                } else if ((steps & behind) != 0) {
                    left &= ~(ahead | beside);
                }
            }
            scratch->natural[d][steps] = (uint8_t)left;
        }
    }
}

/* The rest is never touched before it is filled: a build of a part of a large map stays small. */
static void wall_ring(fr_scratch *scratch)
{
    size_t stride = (size_t)scratch->stride, rows = (size_t)scratch->grid.height + 2;
    memset(scratch->costs, FR_COST_WALL, stride);
    memset(scratch->costs + (rows - 1) * stride, FR_COST_WALL, stride);
    for (size_t y = 0; y < rows; y++) {
        scratch->costs[y * stride] = scratch->costs[(y + 1) * stride - 1] = FR_COST_WALL;
    }
}

fr_scratch *fr_scratch_create(fr_grid grid)
{
    FR_ASSERT(grid.width > 0 && grid.height > 0 && grid.width <= FR_MAP_SIDE_MAX &&
              grid.height <= FR_MAP_SIDE_MAX);
    FR_ASSERT((int64_t)grid.width * grid.height <= FR_MAP_CELLS_MAX);
    fr_scratch *scratch = fr_alloc(1, sizeof *scratch);
    scratch->grid = grid;
    scratch->stride = grid.width + 2;
    size_t count = (size_t)scratch->stride * (size_t)(grid.height + 2);
    scratch->costs = fr_alloc_raw(count + FR_COSTS_SLACK, sizeof *scratch->costs);
    wall_ring(scratch);
    scratch->steps = fr_alloc(count, sizeof *scratch->steps);
    scratch->integration = fr_alloc_raw(count, sizeof *scratch->integration);
    scratch->best = fr_alloc(count, sizeof *scratch->best);
    scratch->directions = fr_alloc_raw(count, sizeof *scratch->directions);
    scratch->targets = fr_alloc_raw(count, sizeof *scratch->targets);
    scratch->trail = fr_alloc_raw(count, sizeof *scratch->trail);
    size_t blocks = (size_t)fr_grid_block_count(grid);
    scratch->states = fr_alloc(blocks, sizeof *scratch->states);
    scratch->touched = fr_alloc_raw(blocks, sizeof *scratch->touched);
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        scratch->offsets[d] = FR_STEPS[d].dy * scratch->stride + FR_STEPS[d].dx;
    }
    find_natural(scratch);
    fr_bucket_queue_init(&scratch->queue, PUSHES_PER_CELL * (uint32_t)fr_grid_count(grid) + FR_GOALS_MAX);
    fr_place_list_init(&scratch->setting_out, fr_grid_count(grid));
    fr_place_list_init(&scratch->held_back, fr_grid_count(grid));
    /* More goals than cells only come as one list with doubles. */
    int cells = fr_grid_count(grid);
    scratch->goal_capacity = cells > FR_FIELD_GOALS_MAX ? FR_FIELD_GOALS_MAX
                             : cells < FR_GOALS_MAX     ? FR_GOALS_MAX
                                                        : cells;
    scratch->goals = fr_alloc_raw((size_t)scratch->goal_capacity, sizeof *scratch->goals);
    return scratch;
}

void fr_scratch_destroy(fr_scratch *scratch)
{
    if (scratch == NULL) {
        return;
    }
    fr_bucket_queue_fini(&scratch->queue);
    fr_place_list_fini(&scratch->setting_out);
    fr_place_list_fini(&scratch->held_back);
    fr_free(scratch->goals);
    fr_free(scratch->costs);
    fr_free(scratch->steps);
    fr_free(scratch->integration);
    fr_free(scratch->best);
    fr_free(scratch->directions);
    fr_free(scratch->targets);
    fr_free(scratch->trail);
    fr_free(scratch->states);
    fr_free(scratch->touched);
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

/* Lists in the order of prices, such as the cells of an area, which all cost the same, take one look a goal.
 */
void fr_scratch_set_goals(fr_scratch *scratch, const fr_goal *goals, int goal_count, const fr_field *base)
{
    FR_ASSERT(goal_count >= 0 && goal_count <= scratch->goal_capacity && (goal_count == 0 || goals != NULL));
    int count = 0;
    for (int g = 0; g < goal_count; g++) {
        FR_ASSERT(fr_grid_contains(scratch->grid, goals[g].cell) && goals[g].price <= FR_INTEGRATION_MAX);
        bool is_built = base != NULL && fr_field_cell_value(base, goals[g].cell) != FR_UNREACHED;
        if (is_built || scratch->costs[fr_scratch_index(scratch, goals[g].cell)] == FR_COST_WALL) {
            continue;
        }
        int at = count++;
        for (; at > 0 && scratch->goals[at - 1].price > goals[g].price; at--) {
            scratch->goals[at] = scratch->goals[at - 1];
        }
        scratch->goals[at] = goals[g];
    }
    scratch->goal_count = count;
}

/* Offers a cell a value, and queues it if that is less than it had. */
static inline void offer(fr_bucket_queue *queue, uint32_t *integration, uint32_t cell, uint32_t value,
                         uint32_t direction)
{
    if (value < integration[cell]) {
        integration[cell] = value;
        fr_bucket_queue_push(queue, value, cell << FR_ENTRY_SHIFT | direction);
    }
}

/* Bit d: the neighbour in direction d, walls included, holds more than a way over the cell would cost. For
 * uneven ground, where many steps are tried and few improve anything: one unpredictable branch less for each.
 */
static inline uint32_t improved(const fr_scratch *scratch, uint32_t cell, uint32_t value)
{
    uint32_t mask = 0;
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        uint32_t next = cell + (uint32_t)scratch->offsets[d];
        uint32_t price = d % 2 == 0 ? FR_STEP_STRAIGHT : FR_STEP_DIAGONAL;
        mask |= (uint32_t)(value + price * scratch->costs[next] < scratch->integration[next]) << d;
    }
    return mask;
}

/* Entries of a run whose cells are fetched ahead: the front is long, and what lies around its cells seldom is
 * in the nearest cache. */
#define FETCH_AHEAD 8u

/* Offers the neighbours of the run's cells what a way over the cell costs. A cell has its final value by now:
 * an entry that lies below `bucket` is one that its cell has left for a lower bucket. A cell that was
 * improved within its bucket is expanded once for each of its entries; only the last step counts, the others
 * do no harm. */
static void expand_run(fr_scratch *scratch, fr_bucket_run run, uint32_t bucket)
{
    const uint8_t *costs = scratch->costs;
    const uint16_t *steps = scratch->steps;
    uint32_t *integration = scratch->integration;
    const uint32_t stride = (uint32_t)scratch->stride;
    fr_bucket_queue *queue = &scratch->queue;
    for (uint32_t i = 0; i < run.count; i++) {
        /* Not in a function of its own: gcc 12 takes one that only prefetches for one that does nothing. */
        if (i + FETCH_AHEAD < run.count) {
            const uint32_t ahead = run.entries[i + FETCH_AHEAD] >> FR_ENTRY_SHIFT;
            __builtin_prefetch(&integration[ahead]);
            __builtin_prefetch(&integration[ahead + stride]);
            __builtin_prefetch(&integration[ahead - stride]);
            __builtin_prefetch(&steps[ahead]);
            __builtin_prefetch(&costs[ahead + stride]);
            __builtin_prefetch(&costs[ahead - stride]);
        }
        const uint32_t cell = run.entries[i] >> FR_ENTRY_SHIFT;
        const uint32_t value = integration[cell];
        if (fr_bucket_of(value) < bucket) {
            continue;
        }
        /* One that finds no room in the list goes on, which is a waste, but no harm. */
        if (scratch->is_part && !fr_extent_holds(&scratch->extent, fr_scratch_cell(scratch, cell), value) &&
            fr_place_list_add(&scratch->held_back, run.entries[i], value)) {
            continue;
        }
        if (steps[cell] >= FR_STEPS_EDGE) {
            fr_scratch_open_block_of(scratch, cell);
        }
        uint32_t natural = scratch->natural[run.entries[i] & FR_ENTRY_MASK][steps[cell]];
        if ((steps[cell] & FR_STEPS_EVEN) == 0) {
            natural &= improved(scratch, cell, value);
        }
        while (natural != 0) {
            const int d = __builtin_ctz(natural);
            const uint32_t next = cell + (uint32_t)scratch->offsets[d];
            natural &= natural - 1;
            offer(queue, integration, next, value + (uint32_t)FR_STEPS[d].price * costs[next], (uint32_t)d);
        }
    }
}

/* Steps over the dearest ground by which a unit may stray from the ways of least cost: it cuts the corners of
 * dear cells, and stands where it likes in its own. */
#define STRAY_STEPS 2u

bool fr_front_need_is_met(const fr_scratch *scratch, fr_front_need *need, uint32_t end, uint32_t *limit)
{
    for (; need->passed < need->count; need->passed++) {
        uint32_t place = fr_scratch_index(scratch, need->cells[need->passed]);
        if (scratch->costs[place] == FR_COST_WALL) {
            continue;
        }
        if (scratch->integration[place] >= end) {
            return false;
        }
        uint32_t value = scratch->integration[place];
        need->longest = value > need->longest ? value : need->longest;
    }
    uint32_t stray = STRAY_STEPS * FR_STEP_DIAGONAL * scratch->dearest;
    *limit = fr_price_sum(need->longest + 1, stray > need->reach ? stray : need->reach);
    *limit = *limit > need->least ? *limit : need->least;
    return true;
}

/* Lets in what has waited for the front to reach its value: goals, and cells from which it sets out. */
static void let_in(fr_scratch *scratch, uint32_t bucket)
{
    const fr_goal *goals = scratch->goals;
    for (; scratch->joined < scratch->goal_count; scratch->joined++) {
        if (fr_bucket_of(goals[scratch->joined].price) != bucket) {
            break;
        }
        uint32_t cell = fr_scratch_index(scratch, goals[scratch->joined].cell);
        offer(&scratch->queue, scratch->integration, cell, goals[scratch->joined].price, FR_DIR_ORIGIN);
    }
    fr_place_list *list = &scratch->setting_out;
    while (!fr_place_list_is_empty(list) && fr_bucket_of(fr_place_list_first(list)) == bucket) {
        fr_waiting_place next = list->items[list->taken++];
        fr_bucket_queue_push(&scratch->queue, next.value, next.place);
    }
}

/* The bucket of what waits, or of what lies beyond all if nothing does. */
static uint32_t first_waiting(const fr_scratch *scratch)
{
    uint32_t value = FR_UNREACHED;
    if (scratch->joined < scratch->goal_count) {
        value = scratch->goals[scratch->joined].price;
    }
    if (!fr_place_list_is_empty(&scratch->setting_out) &&
        fr_place_list_first(&scratch->setting_out) < value) {
        value = fr_place_list_first(&scratch->setting_out);
    }
    return fr_bucket_of(value);
}

/* Whether the front, with all values below `end` final, has passed what is needed. Draws the extent in as
 * soon as it is known what that is. */
static bool is_done(fr_scratch *scratch, fr_front_need *need, uint32_t end)
{
    uint32_t limit = fr_price_sum(end + 1, need->reach);
    bool is_met = fr_front_need_is_met(scratch, need, end, &limit);
    scratch->sure_limit = limit > scratch->sure_limit ? limit : scratch->sure_limit;
    if (!is_met || limit > scratch->extent.limit) {
        return false;
    }
    scratch->extent.limit = limit;
    return end >= limit;
}

bool fr_scratch_spread(fr_scratch *scratch, fr_front_need *need)
{
    fr_bucket_queue *queue = &scratch->queue;
    for (;;) {
        const uint32_t bucket = queue->filled_count > 0 ? scratch->bucket : first_waiting(scratch);
        const uint32_t end = bucket << FR_BUCKET_SHIFT;
        if (bucket > fr_bucket_of(FR_INTEGRATION_MAX)) {
            return true; /* what may be left was offered more than the largest value */
        }
        if (need != NULL && is_done(scratch, need, end)) {
            return false;
        }
        scratch->bucket = bucket;
        let_in(scratch, bucket);
        fr_bucket_run run = fr_bucket_queue_take(queue, bucket);
        while (run.chunk != 0) {
            expand_run(scratch, run, bucket);
            run = fr_bucket_queue_next_run(queue, run);
        }
        scratch->bucket++;
    }
}

/* Takes back what was offered beyond the largest value. Returns whether there was anything: a cell that a
 * step leads to, and that the field can't hold. (Of two ways there the front may have tried one alone; but
 * then the other leads over a cell that is dearer still, or was offered too much itself.) */
static bool drop_beyond_limit(uint32_t *integration, size_t count)
{
    bool found = false;
    for (size_t i = 0; i < count; i++) {
        found |= integration[i] > FR_INTEGRATION_MAX && integration[i] != FR_UNREACHED;
        integration[i] = integration[i] > FR_INTEGRATION_MAX ? FR_UNREACHED : integration[i];
    }
    return found;
}

bool fr_integrate(fr_scratch *scratch, const fr_goal *goals, int goal_count)
{
    fr_scratch_set_goals(scratch, goals, goal_count, NULL);
    fr_scratch_find_steps(scratch, (fr_rect){0, 0, scratch->grid.width, scratch->grid.height});
    memset(scratch->integration, 0xff, padded_count(scratch) * sizeof *scratch->integration);
    fr_bucket_queue_reset(&scratch->queue);
    scratch->bucket = 0;
    scratch->joined = 0;
    fr_place_list_clear(&scratch->setting_out);
    fr_scratch_spread(scratch, NULL);
    /* Only a front that came within one step of the limit can have lost a cell. */
    uint32_t near_limit = FR_INTEGRATION_MAX - (FR_COST_WALL - 1) * FR_STEP_DIAGONAL;
    return scratch->bucket > fr_bucket_of(near_limit) &&
           drop_beyond_limit(scratch->integration, padded_count(scratch));
}
