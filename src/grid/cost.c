#include "grid/cost.h"

#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "grid/cost_internal.h"

/* The wall bits of a row begin this many cells left of the map, and as many rows lie above and below it: a
 * window of 8 cells that touches the map never leaves the array. */
#define WALL_RING 8

void fr_cost_set_wall_bit(fr_cost *cost, fr_cost_view view, fr_cell cell, bool wall)
{
    size_t bit = (size_t)(cell.x + WALL_RING);
    size_t row = (size_t)(cell.y + WALL_RING) * (size_t)cost->wall_words;
    uint64_t *word = &cost->walls[view][row + bit / 64];
    uint64_t mask = (uint64_t)1 << (bit % 64);
    *word = wall ? *word | mask : *word & ~mask;
}

void fr_cost_create_walls(fr_cost *cost, fr_cost_view view)
{
    size_t words = (size_t)cost->wall_words * (size_t)(cost->grid.height + 2 * WALL_RING);
    cost->walls[view] = fr_alloc_raw(words, sizeof(uint64_t));
    memset(cost->walls[view], 0xff, words * sizeof(uint64_t));
}

void fr_cost_find_walls(fr_cost *cost, fr_cost_view view)
{
    for (int32_t b = 0; b < cost->block_count; b++) {
        fr_rect rect = fr_grid_block_rect(cost->grid, b);
        const fr_cost_block *block =
            fr_cost_block_at(cost->chunks, cost->table[view * cost->block_count + b]);
        for (int32_t i = 0; i < rect.width * rect.height; i++) {
            fr_cell cell = {rect.x + i % rect.width, rect.y + i / rect.width};
            if (block->cost[fr_block_index(cell)] != FR_COST_WALL) {
                fr_cost_set_wall_bit(cost, view, cell, false);
            }
        }
    }
}

fr_cost *fr_cost_create_empty(fr_grid grid)
{
    fr_cost *cost = fr_alloc(1, sizeof *cost);
    cost->nav = cost;
    cost->grid = grid;
    cost->block_count = fr_grid_block_count(grid);
    cost->version = 1;
    size_t blocks = (size_t)cost->block_count;
    cost->wall_words = (cost->grid.width + 2 * WALL_RING + 63) / 64 + 1;
    cost->table = fr_alloc_raw(blocks * FR_COST_VIEWS_MAX, sizeof *cost->table);
    cost->edits = fr_alloc(blocks, FR_BLOCK_CELLS);
    cost->paint = fr_alloc(blocks, FR_BLOCK_CELLS);
    cost->paint_kind = fr_alloc(blocks, FR_BLOCK_CELLS);
    cost->block_version = fr_alloc(blocks, sizeof *cost->block_version);
    cost->held = fr_alloc(blocks, FR_BLOCK_CELLS);
    for (int32_t j = 0; j < FR_JAMS_MAX; j++) {
        cost->jams[j] = fr_alloc((size_t)fr_grid_count(fr_jam_squares(grid)), 1);
    }
    cost->jam_block_is_dirty = fr_alloc(blocks, 1);
    cost->jam_dirty_blocks = fr_alloc_raw(blocks, sizeof *cost->jam_dirty_blocks);
    return cost;
}

fr_cost *fr_cost_create(const fr_map *map)
{
    fr_cost *cost = fr_cost_create_empty(map->grid);
    cost->map = map;
    cost->nav = map->nav_shift == 0 ? cost : fr_cost_nav_create(cost, map->nav_shift);
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        fr_cost_view_open(cost, (fr_cost_view_def){.movement_class = (fr_class)c});
    }
    fr_cost_reserve(cost);
    if (cost->nav != cost) {
        fr_cost_reserve(cost->nav);
    }
    return cost;
}

void fr_cost_destroy(fr_cost *cost)
{
    if (cost == NULL) {
        return;
    }
    if (cost->nav != cost) {
        fr_cost_destroy(cost->nav);
    }
    fr_cost_free_snapshots(cost);
    for (int32_t i = 0; i < cost->chunk_count; i++) {
        fr_free(cost->chunks[i]);
    }
    for (int v = 0; v < FR_COST_FITS; v++) {
        fr_free(cost->walls[v]);
    }
    for (int32_t j = 0; j < FR_JAMS_MAX; j++) {
        fr_free(cost->jams[j]);
    }
    fr_free(cost->held);
    fr_free(cost->jam_block_is_dirty);
    fr_free(cost->jam_dirty_blocks);
    fr_free(cost->chunks);
    fr_free(cost->references);
    fr_free(cost->even);
    fr_free(cost->free_blocks);
    fr_free(cost->table);
    fr_free(cost->edits);
    fr_free(cost->paint);
    fr_free(cost->paint_kind);
    fr_free(cost->block_version);
    fr_free(cost);
}

fr_grid fr_cost_grid(const fr_cost *cost)
{
    return cost->grid;
}

const fr_cost *fr_cost_nav(const fr_cost *cost)
{
    return cost->nav;
}

fr_cost *fr_cost_field(fr_cost *cost)
{
    return cost->nav;
}

int32_t fr_cost_shift(const fr_cost *cost)
{
    return cost->shift;
}

uint8_t fr_cost_at(const fr_cost *cost, fr_cost_view view, fr_cell cell)
{
    if (!fr_grid_contains(cost->grid, cell)) {
        return FR_COST_WALL;
    }
    int32_t index = cost->table[view * cost->block_count + fr_grid_block(cost->grid, cell)];
    return fr_cost_block_at(cost->chunks, index)->cost[fr_block_index(cell)];
}

uint8_t fr_cost_block_even(const fr_cost *cost, fr_cost_view view, fr_cell cell)
{
    return cost->even[cost->table[view * cost->block_count + fr_grid_block(cost->grid, cell)]];
}

bool fr_cost_walkable(const fr_cost *cost, fr_cost_view view, fr_cell cell)
{
    if (!fr_grid_contains(cost->grid, cell)) {
        return false;
    }
    size_t bit = (size_t)(cell.x + WALL_RING);
    size_t row = (size_t)(cell.y + WALL_RING) * (size_t)cost->wall_words;
    return (cost->walls[view][row + bit / 64] >> (bit % 64) & 1u) == 0;
}

bool fr_cost_disc_is_clear(const fr_cost *cost, fr_cost_view view, fr_position position, double radius)
{
    fr_rect under = fr_cells_under_disc(position, radius);
    for (int32_t y = under.y; y < under.y + under.height; y++) {
        for (int32_t x = under.x; x < under.x + under.width; x++) {
            if (!fr_cost_walkable(cost, view, (fr_cell){x, y}) &&
                fr_cell_distance_squared(position, (fr_cell){x, y}) < radius * radius) {
                return false;
            }
        }
    }
    return true;
}

bool fr_cost_row_is_open(const fr_cost *cost, fr_cost_view view, int32_t y, int32_t left, int32_t right)
{
    size_t first = (size_t)(left + WALL_RING), last = (size_t)(right + WALL_RING);
    const uint64_t *row = cost->walls[view] + (size_t)(y + WALL_RING) * (size_t)cost->wall_words;
    uint64_t from = UINT64_MAX << (first % 64), to = UINT64_MAX >> (63 - last % 64);
    first /= 64;
    last /= 64;
    if (first == last) {
        return (row[first] & from & to) == 0;
    }
    uint64_t walls = row[first] & from;
    while (++first < last) {
        walls |= row[first];
    }
    return (walls | (row[last] & to)) == 0;
}

fr_terrain fr_cost_terrain(const fr_cost *cost, fr_cell cell)
{
    size_t at = fr_cost_place(fr_grid_block(cost->grid, cell), fr_block_index(cell));
    return cost->paint[at] != 0 ? (fr_terrain)cost->paint_kind[at]
                                : (fr_terrain)cost->map->terrain[fr_grid_index(cost->grid, cell)];
}

uint8_t fr_cost_edit(const fr_cost *cost, fr_cell cell)
{
    return cost->edits[fr_cost_place(fr_grid_block(cost->grid, cell), fr_block_index(cell))];
}

uint32_t fr_cost_version(const fr_cost *cost)
{
    return cost->version;
}

uint32_t fr_cost_view_version(const fr_cost *cost, fr_cost_view view)
{
    return cost->view_version[view];
}

const uint8_t *fr_cost_block_costs(const fr_cost *cost, fr_cost_view view, int32_t block)
{
    return fr_cost_block_at(cost->chunks, cost->table[view * cost->block_count + block])->cost;
}

uint32_t fr_cost_block_version(const fr_cost *cost, int32_t block)
{
    return cost->block_version[block];
}

void fr_cost_copy(const fr_cost *cost, fr_cost_view view, fr_rect rect, uint8_t *out)
{
    const int32_t *table = cost->table + view * cost->block_count;
    for (int32_t y = 0; y < rect.height; y++) {
        fr_cost_copy_row(cost->chunks, table, cost->grid, (fr_cell){rect.x, rect.y + y}, rect.width,
                         out + (ptrdiff_t)y * rect.width);
    }
}

/* First word of wall bits of a window, and how far in it the window begins. */
static const uint64_t *window_at(const fr_cost *cost, fr_cost_view view, fr_cell corner, size_t *shift)
{
    /* Farther out everything is wall alike. */
    fr_cell low = {corner.x < -WALL_RING ? -WALL_RING : corner.x,
                   corner.y < -WALL_RING ? -WALL_RING : corner.y};
    low.x = low.x > cost->grid.width ? cost->grid.width : low.x;
    low.y = low.y > cost->grid.height ? cost->grid.height : low.y;
    size_t bit = (size_t)(low.x + WALL_RING);
    *shift = bit % 64;
    return cost->walls[view] + (size_t)(low.y + WALL_RING) * (size_t)cost->wall_words + bit / 64;
}

uint64_t fr_cost_wall_window(const fr_cost *cost, fr_cost_view view, fr_cell corner, int side)
{
    FR_ASSERT(side >= 1 && side <= WALL_RING);
    size_t shift;
    const uint64_t *row = window_at(cost, view, corner, &shift);
    uint64_t mask = ((uint64_t)1 << side) - 1;
    uint64_t window = 0;
    for (int y = 0; y < side; y++, row += cost->wall_words) {
        uint64_t bits = row[0] >> shift;
        if (shift > 64 - WALL_RING) {
            bits |= row[1] << (64 - shift);
        }
        window |= (bits & mask) << (y * side);
    }
    return window;
}

bool fr_cost_window_is_open(const fr_cost *cost, fr_cost_view view, fr_cell corner, int side)
{
    FR_ASSERT(side >= 1 && side <= WALL_RING);
    size_t shift;
    const uint64_t *row = window_at(cost, view, corner, &shift);
    uint64_t mask = ((uint64_t)1 << side) - 1, bits = 0;
    for (int y = 0; y < side; y++) {
        bits |= row[y * cost->wall_words];
    }
    bits >>= shift;
    for (int y = 0; y < side && shift > 64 - WALL_RING; y++) {
        bits |= row[y * cost->wall_words + 1] << (64 - shift);
    }
    return (bits & mask) == 0;
}

fr_class fr_cost_canonical_class(const fr_cost *cost, fr_class movement_class)
{
    size_t bytes = (size_t)cost->block_count * sizeof *cost->table;
    const int32_t *own = cost->table + (int)movement_class * cost->block_count;
    for (int c = 0; c < (int)movement_class; c++) {
        /* Equal blocks share their index, see recompose. */
        if (memcmp(own, cost->table + c * cost->block_count, bytes) == 0) {
            return (fr_class)c;
        }
    }
    return movement_class;
}

uint64_t fr_cost_hash(const fr_cost *cost)
{
    /* Without extra causes the hash is that of the ground, 0 if untouched. */
    return fr_cost_threats_hash(cost, cost->ring ? ~cost->hash : cost->hash);
}
