/* field_extend: fields of a part of the map: the front runs from the goals, or from where an earlier build of
 * the same field stopped, until it has passed the cells that are wanted. What lies behind it is final, since
 * a cell's value depends on lower ones alone: the same bits as in a field of the whole map. */
#include <string.h>

#include "base/assert.h"
#include "field/any_angle.h"
#include "field/field_internal.h"
#include "field/scratch.h"

/* ---- from where the front sets out ---- */

static void start_from_goals(fr_scratch *scratch, const fr_goal *goals, int goal_count)
{
    for (int g = 0; g < goal_count; g++) {
        fr_scratch_ready_block(scratch, fr_grid_block(scratch->grid, goals[g].cell));
    }
    fr_scratch_set_goals(scratch, goals, goal_count);
    scratch->bucket = 0;
    scratch->joined = 0;
}

/* Whether an open cell of the block is not built. */
static bool has_open_end(const fr_field *field, const fr_front_source *source, int32_t block)
{
    const uint8_t *costs = fr_cost_snapshot_block(source->snapshot, source->view, block);
    const uint32_t *values = field->blocks[field->table[block]].integration;
    bool found = false;
    for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
        found |= values[i] == FR_UNREACHED && costs[i] != FR_COST_WALL;
    }
    return found;
}

/* Whether the block has built cells, and it or one around it is not fully built. */
static bool is_on_border(const fr_field *field, const fr_front_source *source, int32_t block)
{
    if (field->table[block] == FR_BLOCK_ABSENT) {
        return false;
    }
    int32_t blocks_x = field->blocks_x, blocks_y = fr_grid_blocks_y(field->grid);
    for (int32_t by = block / blocks_x - 1; by <= block / blocks_x + 1; by++) {
        for (int32_t bx = block % blocks_x - 1; bx <= block % blocks_x + 1; bx++) {
            if (bx >= 0 && by >= 0 && bx < blocks_x && by < blocks_y &&
                has_open_end(field, source, by * blocks_x + bx)) {
                return true;
            }
        }
    }
    return false;
}

/* Queues a block's built cells from which a step leads back to a cell that is not built. Such a cell is not
 * far below the limit: its neighbour costs one step more and lies above. */
static void seed_block(fr_scratch *scratch, int32_t block)
{
    fr_scratch_open_block(scratch, block);
    fr_rect rect = fr_grid_block_rect(scratch->grid, block);
    for (int32_t i = 0; i < rect.width * rect.height; i++) {
        uint32_t place =
            fr_scratch_index(scratch, (fr_cell){rect.x + i % rect.width, rect.y + i / rect.width});
        uint32_t value = scratch->integration[place];
        bool leads_out = false;
        for (uint32_t steps = scratch->steps[place] & 0xffu; value != FR_UNREACHED && steps != 0;
             steps &= steps - 1) {
            uint32_t next = place + (uint32_t)scratch->offsets[__builtin_ctz(steps)];
            leads_out |= scratch->integration[next] == FR_UNREACHED;
        }
        if (leads_out) {
            fr_bucket_queue_push(&scratch->queue, value, place << FR_ENTRY_SHIFT | FR_DIR_ORIGIN);
            uint32_t bucket = fr_bucket_of(value);
            scratch->bucket = bucket < scratch->bucket ? bucket : scratch->bucket;
        }
    }
}

static void start_from_border(fr_scratch *scratch, const fr_field *field, const fr_goal *goals,
                              int goal_count)
{
    scratch->bucket = fr_bucket_of(field->limit);
    for (int32_t block = 0; block < fr_grid_block_count(field->grid); block++) {
        if (is_on_border(field, &scratch->source, block)) {
            seed_block(scratch, block);
        }
    }
    uint32_t first = scratch->bucket;
    start_from_goals(scratch, goals, goal_count);
    scratch->bucket = first;
    /* The cheaper ones are built. */
    while (scratch->joined < scratch->goal_count && scratch->goals[scratch->joined].price < field->limit) {
        scratch->joined++;
    }
}

/* ---- what the front has passed ---- */

static bool has_new_cells(const fr_scratch *scratch, fr_rect rect, uint32_t from, uint32_t limit)
{
    uint32_t found = 0;
    for (int32_t y = 0; y < rect.height; y++) {
        const uint32_t *row = scratch->integration + fr_scratch_index(scratch, (fr_cell){rect.x, rect.y + y});
        for (int32_t x = 0; x < rect.width; x++) {
            found |= (uint32_t)(row[x] >= from) & (uint32_t)(row[x] < limit);
        }
    }
    return found != 0;
}

/* Calls `visit` for the blocks with cells of values in from..limit-1. */
static void for_new_cells(fr_field *field, fr_scratch *scratch, uint32_t from, uint32_t limit,
                          void (*visit)(fr_field *field, fr_scratch *scratch, int32_t number, uint32_t from,
                                        uint32_t limit))
{
    int32_t count = scratch->touched_count; /* more blocks may come in, without values */
    for (int32_t i = 0; i < count; i++) {
        int32_t number = scratch->touched[i];
        if (scratch->states[number] >= FR_BLOCK_READY &&
            has_new_cells(scratch, fr_grid_block_rect(field->grid, number), from, limit)) {
            visit(field, scratch, number, from, limit);
        }
    }
}

static void find_steps_of_new_cells(fr_field *field, fr_scratch *scratch, int32_t number, uint32_t from,
                                    uint32_t limit)
{
    (void)from, (void)limit;
    fr_scratch_find_best(scratch, fr_grid_block_rect(field->grid, number));
}

/* Adds them to the field, while they are in the caches. Older cells keep what they have: the scratch may not
 * hold all that lies around them. */
static void finish_new_cells(fr_field *field, fr_scratch *scratch, int32_t number, uint32_t from,
                             uint32_t limit)
{
    fr_any_angle_find(scratch, fr_grid_block_rect(field->grid, number), limit);
    fr_field_block *block = fr_field_block_own(field, number);
    fr_field_block_store(block, scratch, number, from, limit);
    field->maximum = block->maximum > field->maximum ? block->maximum : field->maximum;
}

/* Whether a cell was offered more than the largest value; see fr_integrate. */
static bool is_beyond_limit(const fr_scratch *scratch)
{
    for (int32_t i = 0; i < scratch->touched_count; i++) {
        fr_rect rect = fr_grid_block_rect(scratch->grid, scratch->touched[i]);
        if (scratch->states[scratch->touched[i]] >= FR_BLOCK_READY &&
            has_new_cells(scratch, rect, FR_LIMIT_NONE, FR_UNREACHED)) {
            return true;
        }
    }
    return false;
}

void fr_field_extend(fr_field *field, fr_scratch *scratch, const fr_cost_snapshot *snapshot,
                     fr_cost_view view, const fr_goal *goals, int goal_count, const fr_field_part *part)
{
    FR_ASSERT(scratch->grid.width == field->grid.width && scratch->grid.height == field->grid.height);
    if (fr_field_is_complete(field)) {
        return;
    }
    fr_scratch_begin_part(scratch, (fr_front_source){.snapshot = snapshot,
                                                     .view = view,
                                                     .base = field->limit > 0 ? field : NULL,
                                                     .progress = part->progress});
    fr_bucket_queue_reset(&scratch->queue);
    if (field->limit > 0) {
        start_from_border(scratch, field, goals, goal_count);
    } else {
        start_from_goals(scratch, goals, goal_count);
    }
    for (int32_t i = 0; i < part->cell_count; i++) {
        FR_ASSERT(fr_grid_contains(field->grid, part->cells[i]));
        fr_scratch_ready_block(scratch, fr_grid_block(field->grid, part->cells[i]));
    }
    fr_front_need need = {
        .cells = part->cells, .count = part->cell_count, .reach = part->reach, .stop = FR_UNREACHED};
    bool ran_dry = fr_scratch_spread(scratch, &need);
    uint32_t from = field->limit, limit = ran_dry ? FR_LIMIT_NONE : scratch->bucket << FR_BUCKET_SHIFT;
    for_new_cells(field, scratch, from, limit, find_steps_of_new_cells);
    fr_any_angle_begin(scratch, from, limit);
    for_new_cells(field, scratch, from, limit, finish_new_cells);
    field->limit = limit > from ? limit : from;
    field->saturated = ran_dry && is_beyond_limit(scratch);
    fr_scratch_end_part(scratch);
}

fr_field *fr_field_widen(fr_field_pool *pool, fr_scratch *scratch, fr_cost *cost, fr_cost_view view,
                         const fr_goal *goals, int goal_count, fr_field *field, const fr_cell *cells,
                         int32_t count)
{
    fr_field *wider = field == NULL ? fr_field_reserve(pool, scratch->grid) : fr_field_clone(pool, field);
    if (wider == NULL) {
        return NULL;
    }
    const fr_cost_snapshot *snapshot = fr_cost_acquire(cost);
    fr_field_part part = {.cells = cells, .cell_count = count, .reach = FR_FIELD_REACH * FR_STEP_STRAIGHT};
    fr_field_extend(wider, scratch, snapshot, view, goals, goal_count, &part);
    fr_cost_release(cost, snapshot);
    fr_field_settle(pool, wider);
    fr_field_destroy(pool, field);
    return wider;
}
