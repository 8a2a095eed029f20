#include "view/land.h"

#include <string.h>

#include "base/memory.h"

static bool shows_a_barrier(uint8_t kind)
{
    return kind == FR_TERRAIN_WATER || kind == FR_TERRAIN_ROCK || kind == FR_TERRAIN_WALL;
}

void fr_land_init(fr_land *ground, const fr_map *map)
{
    size_t cells = (size_t)fr_grid_count(map->grid);
    *ground = (fr_land){.grid = map->grid};
    ground->kinds = fr_alloc_raw(cells, 1);
    memcpy(ground->kinds, map->terrain, cells);
    ground->patches = fr_alloc(cells, 1);
    ground->seen = fr_alloc((size_t)fr_grid_block_count(map->grid), sizeof *ground->seen);
    if (map->has_terrain) {
        return;
    }
    for (size_t i = 0; i < cells; i++) {
        if (map->costs[FR_CLASS_FOOT][i] == FR_COST_WALL && !shows_a_barrier(ground->kinds[i])) {
            ground->kinds[i] = FR_TERRAIN_ROCK;
        }
    }
    ground->loaded = fr_alloc_raw(cells, 1);
    memcpy(ground->loaded, ground->kinds, cells);
}

void fr_land_fini(fr_land *ground)
{
    fr_free(ground->kinds);
    fr_free(ground->patches);
    fr_free(ground->loaded);
    fr_free(ground->seen);
    *ground = (fr_land){0};
}

/* Reads one block; bounds of what looks different go to `out`, width 0 if nothing. */
static void read_block(fr_land *ground, const fr_cost *cost, int32_t block, fr_rect *out)
{
    int32_t blocks_x = fr_grid_blocks_x(ground->grid);
    fr_rect rect =
        fr_grid_clip(ground->grid, (fr_rect){block % blocks_x * FR_BLOCK_SIDE,
                                             block / blocks_x * FR_BLOCK_SIDE, FR_BLOCK_SIDE, FR_BLOCK_SIDE});
    int32_t x0 = rect.x + rect.width, x1 = -1, y0 = rect.y + rect.height, y1 = -1;
    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        for (int32_t x = rect.x; x < rect.x + rect.width; x++) {
            fr_cell cell = {x, y};
            int32_t i = fr_grid_index(ground->grid, cell);
            uint8_t edit = fr_cost_edit(cost, cell);
            uint8_t kind = (uint8_t)fr_cost_terrain(cost, cell);
            if (ground->loaded != NULL && kind == FR_TERRAIN_GRASS) {
                kind = ground->loaded[i];
            }
            if (edit == FR_COST_WALL) {
                kind = FR_TERRAIN_WALL;
            }
            uint8_t patch = edit == FR_COST_WALL ? 0 : edit;
            if (kind == ground->kinds[i] && patch == ground->patches[i]) {
                continue;
            }
            ground->kinds[i] = kind;
            ground->patches[i] = patch;
            x0 = x < x0 ? x : x0;
            x1 = x > x1 ? x : x1;
            y0 = y < y0 ? y : y0;
            y1 = y > y1 ? y : y1;
        }
    }
    *out = x1 < 0 ? (fr_rect){0} : (fr_rect){x0, y0, x1 - x0 + 1, y1 - y0 + 1};
}

void fr_land_sync(fr_land *ground, const fr_cost *cost, void (*changed)(void *self, fr_rect cells),
                  void *self)
{
    /* Versions of another cost grid (a world that was loaded) say nothing about what was read from the last.
     */
    bool read_all = cost != ground->source;
    ground->source = cost;
    int32_t blocks = fr_grid_block_count(ground->grid);
    for (int32_t block = 0; block < blocks; block++) {
        uint32_t version = fr_cost_block_version(cost, block);
        if (version == ground->seen[block] && !read_all) {
            continue;
        }
        ground->seen[block] = version;
        fr_rect rect;
        read_block(ground, cost, block, &rect);
        if (rect.width > 0 && changed != NULL) {
            changed(self, rect);
        }
    }
}
