/* repair_refresh: what a repaired field's values entail. */
#include "field/repair_tiles.h"

/* Bits of a row and of the bits beside them, the neighbouring tiles' last and first included. */
static uint32_t widen(const fr_repair_tiles *tiles, int32_t tile, int32_t y)
{
    uint32_t row = fr_repair_tiles_rows(tiles, tile)->changed[y];
    uint32_t left = fr_repair_tiles_rows(tiles, tile - 1)->changed[y];
    uint32_t right = fr_repair_tiles_rows(tiles, tile + 1)->changed[y];
    return row | row << 1 | row >> 1 | left >> (FR_BLOCK_SIDE - 1) | right << (FR_BLOCK_SIDE - 1);
}

static void refresh_best(fr_repair_tiles *tiles, fr_place place)
{
    uint8_t best = 0;
    if (fr_place_value(tiles, place) != FR_UNREACHED) {
        best = fr_place_steps_of_value(tiles, place);
    }
    if (best != fr_place_best(tiles, place)) {
        fr_place_set_best(tiles, place, best);
    }
}

/* A cell's best steps follow from its own steps and value and its neighbours' values: where one of these has
 * changed they are read off anew. */
static void refresh_tile(fr_repair_tiles *tiles, int32_t tile)
{
    uint32_t wide[FR_BLOCK_SIDE + 2]; /* rows -1..32 */
    wide[0] = widen(tiles, tile - tiles->stride, FR_BLOCK_SIDE - 1);
    wide[FR_BLOCK_SIDE + 1] = widen(tiles, tile + tiles->stride, 0);
    for (int32_t y = 0; y < FR_BLOCK_SIDE; y++) {
        wide[y + 1] = widen(tiles, tile, y);
    }
    for (uint32_t y = 0; y < FR_BLOCK_SIDE; y++) {
        uint32_t row = wide[y] | wide[y + 1] | wide[y + 2] | tiles->rows[tile].suspect[y];
        if (row != 0) {
            fr_repair_tiles_open_around(tiles, tile);
        }
        for (; row != 0; row &= row - 1) {
            uint32_t x = (uint32_t)__builtin_ctz(row);
            refresh_best(tiles, fr_place_at(tile, y << FR_BLOCK_SHIFT | x));
        }
    }
}

/* The field's largest value; only if the block that held it was touched are all blocks asked. */
static void refresh_maximum(fr_repair_tiles *tiles)
{
    fr_field *field = tiles->field;
    uint32_t largest = 0;
    for (int32_t i = 0; i < tiles->opened_count; i++) {
        fr_field_block *own = tiles->tiles[tiles->opened[i]].own;
        if (own != NULL) {
            own->maximum = fr_block_maximum(own);
            largest = own->maximum > largest ? own->maximum : largest;
            if (fr_block_is_unreached(own)) {
                fr_field_block_leave(field, tiles->tiles[tiles->opened[i]].number);
            }
        }
    }
    if (largest >= field->maximum) {
        field->maximum = largest;
    } else if (tiles->owned_maximum == field->maximum) {
        int32_t count = fr_grid_block_count(field->grid);
        for (int32_t number = 0; number < count; number++) {
            uint32_t maximum = field->blocks[field->table[number]].maximum;
            largest = maximum > largest ? maximum : largest;
        }
        field->maximum = largest;
    }
}

/* Whether a reached cell of the tile has a step to a passable one that is not. */
static bool tile_lost_a_cell(fr_repair_tiles *tiles, int32_t tile)
{
    fr_repair_tiles_open_around(tiles, tile);
    for (uint32_t i = 0; i < FR_BLOCK_CELLS; i++) {
        fr_place place = fr_place_at(tile, i);
        if (fr_place_value(tiles, place) == FR_UNREACHED) {
            continue;
        }
        fr_surroundings around = fr_place_surroundings(tiles, place);
        for (int d = 0; d < FR_DIR_COUNT; d++) {
            if ((around.steps >> d & 1) != 0 && around.values[d] == FR_UNREACHED) {
                return true;
            }
        }
    }
    return false;
}

/* As fr_integrate says it. Only blocks that come within one step of the limit can have lost a cell. */
static void refresh_saturated(fr_repair_tiles *tiles)
{
    fr_field *field = tiles->field;
    const uint32_t near_limit = FR_INTEGRATION_MAX - (FR_COST_WALL - 1) * FR_STEP_DIAGONAL;
    field->saturated = false;
    if (field->maximum <= near_limit || !fr_field_is_complete(field)) {
        return;
    }
    int32_t count = fr_grid_block_count(field->grid);
    for (int32_t number = 0; number < count && !field->saturated; number++) {
        if (field->blocks[field->table[number]].maximum > near_limit) {
            int32_t bx = number % field->blocks_x, by = number / field->blocks_x;
            field->saturated = tile_lost_a_cell(tiles, fr_repair_tile_of_block(tiles, bx, by));
        }
    }
}

void fr_repair_refresh(fr_repair_tiles *tiles)
{
    /* Only tiles beside a change are open; refreshing opens more, which need no refresh. */
    int32_t count = tiles->opened_count;
    for (int32_t i = 0; i < count; i++) {
        refresh_tile(tiles, tiles->opened[i]);
    }
    refresh_maximum(tiles);
    refresh_saturated(tiles);
}

int32_t fr_field_block_changes(const fr_field *before, const fr_field *after, int32_t number)
{
    const fr_field_block *a = &before->blocks[before->table[number]];
    const fr_field_block *b = &after->blocks[after->table[number]];
    int32_t changes = 0;
    for (int32_t i = 0; i < FR_BLOCK_CELLS && a != b; i++) {
        changes += a->integration[i] != b->integration[i] || a->best[i] != b->best[i] ||
                   a->target[i] != b->target[i];
    }
    return changes;
}

int32_t fr_field_count_changes(const fr_field *before, const fr_field *after)
{
    int32_t changes = 0, count = fr_grid_block_count(before->grid);
    for (int32_t number = 0; number < count; number++) {
        changes += fr_field_block_changes(before, after, number);
    }
    return changes;
}
