/* field_extend: fields of a part of the map: the front runs from the goals, or from where an earlier build of
 * the same field stopped, until it has passed the cells that are wanted. What it has passed and the extent
 * holds is final, since a cell's value depends on lower ones alone, which are held as well: the same bits as
 * in a field of the whole map. */
#include <stdatomic.h>

#include "base/assert.h"
#include "field/any_angle.h"
#include "field/field_internal.h"
#include "field/scratch.h"

/* ---- from where the front sets out ---- */

/* Whether an open cell of the block is not built. */
static bool has_open_end(const fr_field *field, const fr_front_source *source, int32_t block)
{
    const uint8_t *costs = fr_front_costs(source, block);
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

/* Lets the front set out from a block's built cells from which a step leads back to a cell that is not built.
 */
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
            fr_place_list_add(&scratch->setting_out, place << FR_ENTRY_SHIFT | FR_DIR_ORIGIN, value);
        }
    }
}

/* The front sets out from goals that are not built, and from the border of what is built. */
static void set_out(fr_scratch *scratch, const fr_goal *goals, int goal_count)
{
    const fr_field *base = scratch->source.base;
    fr_bucket_queue_reset(&scratch->queue);
    fr_place_list_clear(&scratch->setting_out);
    for (int32_t block = 0; base != NULL && block < fr_grid_block_count(scratch->grid); block++) {
        if (is_on_border(base, &scratch->source, block)) {
            seed_block(scratch, block);
        }
    }
    fr_place_list_sort(&scratch->setting_out);
    for (int g = 0; g < goal_count; g++) {
        if (base == NULL || fr_field_cell_value(base, goals[g].cell) == FR_UNREACHED) {
            fr_scratch_ready_block(scratch, fr_grid_block(scratch->grid, goals[g].cell));
        }
    }
    fr_scratch_set_goals(scratch, goals, goal_count, base);
    scratch->joined = 0;
}

/* ---- how far it goes ---- */

/* Spreads as far as `extent`. */
static void spread_like(fr_scratch *scratch, fr_extent extent)
{
    scratch->extent = extent;
    scratch->sure_limit = extent.limit;
    fr_place_list_clear(&scratch->held_back);
    fr_scratch_spread(scratch, NULL);
}

/* What the extent's limit will be at least: a way is no shorter than over open ground of cost 1. */
static uint32_t sure_limit(const fr_scratch *scratch, const fr_goal *goals, int goal_count,
                           const fr_front_need *need)
{
    uint32_t longest = 0;
    for (int32_t i = 0; i < need->count && goal_count <= FR_GOALS_ASKED; i++) {
        if (scratch->costs[fr_scratch_index(scratch, need->cells[i])] != FR_COST_WALL) {
            uint32_t way = fr_guess_ways(goals, goal_count, &need->cells[i], 1).longest;
            longest = way > longest ? way : longest;
        }
    }
    uint32_t limit = fr_price_sum(longest, need->reach);
    return limit > need->least ? limit : need->least;
}

/* Spreads until the cells of the part, and what is near enough to their ways, are passed. Where the ways are
 * longer than was thought, the front sets out again from where it was held back. */
static void spread_to(fr_scratch *scratch, const fr_field *field, const fr_goal *goals, int goal_count,
                      const fr_field_part *part)
{
    for (int32_t i = 0; i < part->cell_count; i++) {
        fr_scratch_ready_block(scratch, fr_grid_block(field->grid, part->cells[i]));
    }
    fr_way_guess guess = fr_guess_ways(goals, goal_count, part->cells, part->cell_count);
    fr_front_need need = {
        .cells = part->cells, .count = part->cell_count, .reach = part->reach, .least = field->extent.limit};
    scratch->sure_limit = sure_limit(scratch, goals, goal_count, &need);
    fr_extent extent = {fr_blocks_around(field->grid, part->cells, part->cell_count, field->extent.near),
                        fr_price_sum(fr_guessed_limit(&guess), part->reach)};
    for (;;) {
        extent.limit = extent.limit > need.least ? extent.limit : need.least;
        scratch->extent = extent.limit < FR_LIMIT_NONE ? extent : fr_extent_all(field->grid);
        fr_place_list_clear(&scratch->held_back);
        if (!fr_scratch_spread(scratch, &need)) {
            return;
        }
        if (fr_place_list_is_empty(&scratch->held_back)) {
            scratch->extent = fr_extent_all(field->grid);
            return;
        }
        uint32_t limit;
        bool is_met = fr_front_need_is_met(scratch, &need, scratch->extent.limit, &limit);
        if (is_met && limit <= scratch->extent.limit) {
            scratch->extent.limit = limit;
            return;
        }
        if (part->detour_max > 0 && guess.detour >= part->detour_max) {
            return;
        }
        fr_guess_farther(&guess);
        extent.limit = is_met ? limit : fr_price_sum(fr_guessed_limit(&guess), part->reach);
        fr_place_list waiting = scratch->setting_out;
        scratch->setting_out = scratch->held_back;
        scratch->held_back = waiting;
        fr_place_list_sort(&scratch->setting_out);
    }
}

/* ---- what the front has passed ---- */

/* Whether cells of the block are held that were not. */
static bool has_new_cells(const fr_scratch *scratch, fr_rect rect)
{
    uint32_t ends[FR_BLOCK_SIDE], found = 0;
    for (int32_t y = rect.y; y < rect.y + rect.height && found == 0; y++) {
        uint32_t place = fr_scratch_index(scratch, (fr_cell){rect.x, y});
        const uint32_t *values = scratch->integration + place;
        const fr_target *targets = scratch->targets + place;
        fr_extent_row(&scratch->extent, (fr_cell){rect.x, y}, rect.width, ends);
        for (int32_t x = 0; x < rect.width; x++) {
            found |= (uint32_t)(targets[x] == FR_TARGET_NONE) & (uint32_t)(values[x] < ends[x]);
        }
    }
    return found != 0;
}

/* Finds out which blocks gain cells, and the best steps in these. */
static void find_gains(fr_scratch *scratch)
{
    const fr_front_source *source = &scratch->source;
    int32_t added = 0;
    for (int32_t i = 0; i < scratch->touched_count; i++) {
        int32_t number = scratch->touched[i];
        fr_rect rect = fr_grid_block_rect(scratch->grid, number);
        if (scratch->states[number] >= FR_BLOCK_READY && has_new_cells(scratch, rect)) {
            scratch->states[number] = FR_BLOCK_GAINED;
            fr_scratch_find_best(scratch, rect);
            added += source->base == NULL || source->base->table[number] == FR_BLOCK_ABSENT;
        }
    }
    if (source->progress != NULL) {
        FR_ASSERT(added >= atomic_load(source->progress));
        atomic_store(source->progress, added);
    }
}

/* Adds the new cells to the field, block by block while they are in the caches. Older cells keep what they
 * have: the scratch may not hold all that lies around them. */
static void store_gains(fr_field *field, fr_scratch *scratch)
{
    fr_any_angle_begin(scratch, &scratch->extent);
    int32_t count = scratch->touched_count; /* more blocks may come in, without values */
    for (int32_t i = 0; i < count; i++) {
        int32_t number = scratch->touched[i];
        if (scratch->states[number] == FR_BLOCK_GAINED) {
            fr_any_angle_find(scratch, fr_grid_block_rect(field->grid, number), &scratch->extent);
            fr_field_block *block = fr_field_block_own(field, number);
            fr_field_block_store(block, scratch, number, &scratch->extent);
            field->maximum = block->maximum > field->maximum ? block->maximum : field->maximum;
        }
    }
}

/* Whether a cell was offered more than the largest value; see fr_integrate. */
static bool is_beyond_limit(const fr_scratch *scratch)
{
    bool found = false;
    for (int32_t i = 0; i < scratch->touched_count; i++) {
        fr_rect rect = fr_grid_block_rect(scratch->grid, scratch->touched[i]);
        bool is_ready = scratch->states[scratch->touched[i]] >= FR_BLOCK_READY;
        for (int32_t k = 0; is_ready && k < rect.width * rect.height; k++) {
            fr_cell cell = {rect.x + k % rect.width, rect.y + k / rect.width};
            uint32_t value = scratch->integration[fr_scratch_index(scratch, cell)];
            found |= value > FR_INTEGRATION_MAX && value != FR_UNREACHED;
        }
    }
    return found;
}

static void extend(fr_field *field, fr_scratch *scratch, fr_front_source source, const fr_goal *goals,
                   int goal_count, const fr_field_part *part)
{
    FR_ASSERT(scratch->grid.width == field->grid.width && scratch->grid.height == field->grid.height);
    if (fr_field_is_complete(field)) {
        return;
    }
    source.base = field->extent.limit > 0 ? field : NULL;
    source.progress = part->progress;
    fr_scratch_begin_part(scratch, source);
    set_out(scratch, goals, goal_count);
    if (part->like != NULL) {
        spread_like(scratch, part->like->extent);
    } else {
        spread_to(scratch, field, goals, goal_count, part);
    }
    find_gains(scratch);
    store_gains(field, scratch);
    field->extent = scratch->extent;
    field->saturated = fr_field_is_complete(field) && is_beyond_limit(scratch);
    fr_scratch_end_part(scratch);
}

void fr_field_extend(fr_field *field, fr_scratch *scratch, const fr_cost_snapshot *snapshot,
                     fr_cost_view view, const fr_goal *goals, int goal_count, const fr_field_part *part)
{
    fr_front_source source = {.snapshot = snapshot, .view = view};
    extend(field, scratch, source, goals, goal_count, part);
}

fr_field *fr_field_widen(fr_field_pool *pool, fr_scratch *scratch, const fr_cost *cost, fr_cost_view view,
                         const fr_goal *goals, int goal_count, fr_field *field, const fr_cell *cells,
                         int32_t count)
{
    fr_field *wider = field == NULL ? fr_field_reserve(pool, scratch->grid) : fr_field_clone(pool, field);
    if (wider == NULL) {
        return NULL;
    }
    fr_front_source source = {.cost = cost, .view = view};
    fr_field_part part = {.cells = cells, .cell_count = count, .reach = FR_FIELD_REACH * FR_STEP_STRAIGHT};
    extend(wider, scratch, source, goals, goal_count, &part);
    fr_field_settle(pool, wider);
    fr_field_destroy(pool, field);
    return wider;
}
