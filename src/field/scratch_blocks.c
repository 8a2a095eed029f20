/* scratch_blocks: a scratch that is filled block by block as the front meets the map, so that a build of a
 * part costs what the part costs. The front asks for nothing until it stands on a cell marked as an edge:
 * then the blocks around that cell's block are brought in and its marks go. A build of the whole map has no
 * marks and never comes here. */
#include <stdatomic.h>
#include <string.h>

#include "base/assert.h"
#include "field/field_internal.h"
#include "field/scratch.h"

void fr_scratch_begin_part(fr_scratch *scratch, fr_front_source source)
{
    FR_ASSERT(scratch->touched_count == 0);
    scratch->source = source;
    scratch->is_part = true;
    scratch->dearest = 0;
}

void fr_scratch_end_part(fr_scratch *scratch)
{
    for (int32_t i = 0; i < scratch->touched_count; i++) {
        scratch->states[scratch->touched[i]] = FR_BLOCK_AWAY;
    }
    scratch->touched_count = 0;
    scratch->source = (fr_front_source){0};
    scratch->is_part = false;
}

void fr_scratch_load_costs(fr_scratch *scratch, int32_t block)
{
    if (scratch->states[block] >= FR_BLOCK_COSTS) {
        return;
    }
    fr_rect rect = fr_grid_block_rect(scratch->grid, block);
    const uint8_t *costs = fr_front_costs(&scratch->source, block);
    for (int32_t y = 0; y < rect.height; y++) {
        uint32_t to = fr_scratch_index(scratch, (fr_cell){rect.x, rect.y + y});
        memcpy(scratch->costs + to, costs + y * FR_BLOCK_SIDE, (size_t)rect.width);
    }
    scratch->states[block] = FR_BLOCK_COSTS;
    scratch->touched[scratch->touched_count++] = block;
}

/* Calls `visit` for the block and those around it that the map has. */
static void for_blocks_around(fr_scratch *scratch, int32_t block,
                              void (*visit)(fr_scratch *scratch, int32_t block))
{
    int32_t blocks_x = fr_grid_blocks_x(scratch->grid), blocks_y = fr_grid_blocks_y(scratch->grid);
    for (int32_t by = block / blocks_x - 1; by <= block / blocks_x + 1; by++) {
        for (int32_t bx = block % blocks_x - 1; bx <= block % blocks_x + 1; bx++) {
            if (bx >= 0 && by >= 0 && bx < blocks_x && by < blocks_y) {
                visit(scratch, by * blocks_x + bx);
            }
        }
    }
}

static void load_values(fr_scratch *scratch, int32_t block, fr_rect rect)
{
    const fr_field *base = scratch->source.base;
    bool is_built = base != NULL && base->table[block] != FR_BLOCK_ABSENT;
    for (int32_t y = 0; y < rect.height; y++) {
        uint32_t *row = scratch->integration + fr_scratch_index(scratch, (fr_cell){rect.x, rect.y + y});
        if (is_built) {
            const fr_field_block *values = &base->blocks[base->table[block]];
            memcpy(row, values->integration + y * FR_BLOCK_SIDE, (size_t)rect.width * sizeof *row);
            memcpy(scratch->targets + (row - scratch->integration), values->target + y * FR_BLOCK_SIDE,
                   (size_t)rect.width * sizeof *scratch->targets);
        } else {
            memset(row, 0xff, (size_t)rect.width * sizeof *row); /* FR_UNREACHED */
            memset(scratch->targets + (row - scratch->integration), 0xff,
                   (size_t)rect.width * sizeof *scratch->targets); /* FR_TARGET_NONE */
        }
    }
}

static uint8_t dearest_ground(const fr_scratch *scratch, int32_t block)
{
    const uint8_t *costs = fr_front_costs(&scratch->source, block);
    uint8_t dearest = 0;
    for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
        uint8_t cost = costs[i] == FR_COST_WALL ? 0 : costs[i];
        dearest = cost > dearest ? cost : dearest;
    }
    return dearest;
}

/* Marks, or unmarks, the outermost cells of a block. */
static void mark_edge(fr_scratch *scratch, fr_rect rect, bool is_edge)
{
    const uint16_t bit = is_edge ? FR_STEPS_EDGE : 0;
    for (int32_t y = 0; y < rect.height; y++) {
        uint16_t *row = scratch->steps + fr_scratch_index(scratch, (fr_cell){rect.x, rect.y + y});
        int32_t step = y == 0 || y == rect.height - 1 || rect.width == 1 ? 1 : rect.width - 1;
        for (int32_t x = 0; x < rect.width; x += step) {
            row[x] = (uint16_t)((row[x] & (FR_STEPS_EDGE - 1)) | bit);
        }
    }
}

void fr_scratch_ready_block(fr_scratch *scratch, int32_t block)
{
    if (scratch->states[block] >= FR_BLOCK_READY) {
        return;
    }
    for_blocks_around(scratch, block, fr_scratch_load_costs);
    fr_rect rect = fr_grid_block_rect(scratch->grid, block);
    fr_scratch_find_steps(scratch, rect);
    load_values(scratch, block, rect);
    uint8_t dearest = dearest_ground(scratch, block);
    scratch->dearest = dearest > scratch->dearest ? dearest : scratch->dearest;
    mark_edge(scratch, rect, true);
    scratch->states[block] = FR_BLOCK_READY;
}

void fr_scratch_open_block(fr_scratch *scratch, int32_t block)
{
    for_blocks_around(scratch, block, fr_scratch_ready_block);
    mark_edge(scratch, fr_grid_block_rect(scratch->grid, block), false);
    scratch->states[block] = FR_BLOCK_OPEN;
}

void fr_scratch_open_block_of(fr_scratch *scratch, uint32_t place)
{
    fr_cell cell = fr_scratch_cell(scratch, place);
    int32_t block = fr_grid_block(scratch->grid, cell);
    const fr_front_source *source = &scratch->source;
    fr_extent sure = {scratch->extent.near, scratch->sure_limit};
    if (source->progress != NULL && fr_extent_holds(&sure, cell, scratch->integration[place]) &&
        (source->base == NULL || source->base->table[block] == FR_BLOCK_ABSENT)) {
        atomic_fetch_add(source->progress, 1);
    }
    fr_scratch_open_block(scratch, block);
}
