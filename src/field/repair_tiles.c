/* repair_tiles: opening tiles, and taking blocks over from the field that the repaired one was cloned from.
 */
#include "field/repair_tiles.h"

#include <string.h>

#include "base/assert.h"
#include "base/memory.h"

static const fr_tile_rows no_rows;

void fr_repair_tiles_init(fr_repair_tiles *tiles, fr_grid grid)
{
    int32_t blocks_x = fr_grid_blocks_x(grid), blocks_y = fr_grid_blocks_y(grid);
    size_t count = (size_t)(blocks_x + 2) * (size_t)(blocks_y + 2);
    *tiles = (fr_repair_tiles){.grid = grid, .stride = blocks_x + 2};
    tiles->tiles = fr_alloc(count, sizeof *tiles->tiles);
    tiles->rows = fr_alloc_raw(count, sizeof *tiles->rows);
    tiles->opened = fr_alloc_raw(count, sizeof *tiles->opened);
    tiles->wall_costs = fr_alloc(FR_BLOCK_CELLS, 1);
    memset(tiles->wall_costs, FR_COST_WALL, FR_BLOCK_CELLS);
    tiles->unreached = fr_alloc(1, sizeof *tiles->unreached);
    memset(tiles->unreached->integration, 0xff, sizeof tiles->unreached->integration); /* FR_UNREACHED */
    memset(tiles->unreached->target, 0xff, sizeof tiles->unreached->target);           /* FR_TARGET_NONE */
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        tiles->inner_steps[d] = (uint32_t)(FR_STEPS[d].dy * FR_BLOCK_SIDE + FR_STEPS[d].dx);
    }
    for (size_t t = 0; t < count; t++) {
        tiles->tiles[t] = (fr_repair_tile){.block = tiles->unreached,
                                           .old = tiles->unreached,
                                           .costs = tiles->wall_costs,
                                           .old_costs = tiles->wall_costs,
                                           .number = -1};
    }
    for (int32_t number = 0; number < blocks_x * blocks_y; number++) {
        tiles->tiles[fr_repair_tile_of_block(tiles, number % blocks_x, number / blocks_x)].number = number;
    }
}

void fr_repair_tiles_fini(fr_repair_tiles *tiles)
{
    fr_free(tiles->tiles);
    fr_free(tiles->rows);
    fr_free(tiles->opened);
    fr_free(tiles->wall_costs);
    fr_free(tiles->unreached);
}

void fr_repair_tiles_begin(fr_repair_tiles *tiles, fr_field *field, const fr_cost_snapshot *old_costs,
                           const fr_cost_snapshot *costs, fr_cost_view view)
{
    tiles->field = field;
    tiles->old_costs = old_costs;
    tiles->costs = costs;
    tiles->view = view;
    tiles->opened_count = 0;
    tiles->changed_count = 0;
    tiles->owned_maximum = 0;
    tiles->current++;
    FR_ASSERT(tiles->current != 0);
}

static void open_tile(fr_repair_tiles *tiles, int32_t index)
{
    fr_repair_tile *tile = &tiles->tiles[index];
    if (tile->number < 0 || tile->opened_by == tiles->current) {
        return;
    }
    tile->opened_by = tiles->current;
    tile->block = &tiles->field->blocks[tiles->field->table[tile->number]];
    tile->old = tile->block;
    tile->own = NULL;
    tile->old_costs = fr_cost_snapshot_block(tiles->old_costs, tiles->view, tile->number);
    tile->costs = fr_cost_snapshot_block(tiles->costs, tiles->view, tile->number);
    tiles->rows[index] = no_rows;
    tiles->opened[tiles->opened_count++] = index;
}

void fr_repair_tiles_open_around(fr_repair_tiles *tiles, int32_t tile)
{
    open_tile(tiles, tile);
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        open_tile(tiles, tile + FR_STEPS[d].dy * tiles->stride + FR_STEPS[d].dx);
    }
}

void fr_repair_tiles_own(fr_repair_tiles *tiles, int32_t index)
{
    fr_repair_tile *tile = &tiles->tiles[index];
    FR_ASSERT(tile->opened_by == tiles->current);
    fr_repair_tiles_open_around(tiles, index);
    if (tile->block->maximum > tiles->owned_maximum) {
        tiles->owned_maximum = tile->block->maximum;
    }
    tile->own = fr_field_block_own(tiles->field, tile->number);
    tile->block = tile->own;
}

const fr_tile_rows *fr_repair_tiles_rows(const fr_repair_tiles *tiles, int32_t tile)
{
    return tiles->tiles[tile].opened_by == tiles->current ? &tiles->rows[tile] : &no_rows;
}
