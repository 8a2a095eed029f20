#include "view/land.h"

#include <string.h>

#include "base/memory.h"

static bool shows_a_barrier(uint8_t kind)
{
    return kind == FR_TERRAIN_WATER || kind == FR_TERRAIN_ROCK || kind == FR_TERRAIN_WALL;
}

void fr_land_init(fr_land *land, const fr_map *map)
{
    size_t cells = (size_t)fr_grid_count(map->grid);
    *land = (fr_land){.grid = map->grid};
    land->kinds = fr_alloc_raw(cells, 1);
    memcpy(land->kinds, map->terrain, cells);
    land->patches = fr_alloc(cells, 1);
    land->seen = fr_alloc((size_t)fr_grid_block_count(map->grid), sizeof *land->seen);
    if (map->has_terrain) {
        return;
    }
    for (size_t i = 0; i < cells; i++) {
        if (map->costs[FR_CLASS_FOOT][i] == FR_COST_WALL && !shows_a_barrier(land->kinds[i])) {
            land->kinds[i] = FR_TERRAIN_ROCK;
        }
    }
    land->loaded = fr_alloc_raw(cells, 1);
    memcpy(land->loaded, land->kinds, cells);
}

void fr_land_fini(fr_land *land)
{
    fr_free(land->kinds);
    fr_free(land->patches);
    fr_free(land->loaded);
    fr_free(land->seen);
    *land = (fr_land){0};
}

/* Reads one block; bounds of what looks different go to `out`, width 0 if nothing. */
static void read_block(fr_land *land, const fr_cost *cost, int32_t block, fr_rect *out)
{
    fr_rect rect = fr_grid_block_rect(land->grid, block);
    int32_t x0 = rect.x + rect.width, x1 = -1, y0 = rect.y + rect.height, y1 = -1;
    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        for (int32_t x = rect.x; x < rect.x + rect.width; x++) {
            fr_cell cell = {x, y};
            int32_t i = fr_grid_index(land->grid, cell);
            uint8_t edit = fr_cost_edit(cost, cell);
            uint8_t kind = (uint8_t)fr_cost_terrain(cost, cell);
            if (land->loaded != NULL && kind == FR_TERRAIN_GRASS) {
                kind = land->loaded[i];
            }
            if (edit == FR_COST_WALL) {
                kind = FR_TERRAIN_WALL;
            }
            uint8_t patch = edit == FR_COST_WALL ? 0 : edit;
            if (kind == land->kinds[i] && patch == land->patches[i]) {
                continue;
            }
            land->kinds[i] = kind;
            land->patches[i] = patch;
            x0 = x < x0 ? x : x0;
            x1 = x > x1 ? x : x1;
            y0 = y < y0 ? y : y0;
            y1 = y > y1 ? y : y1;
        }
    }
    *out = x1 < 0 ? (fr_rect){0} : (fr_rect){x0, y0, x1 - x0 + 1, y1 - y0 + 1};
}

static bool bridge_in(const fr_land *land, fr_rect strip)
{
    strip = fr_grid_clip(land->grid, strip);
    for (int32_t y = strip.y; y < strip.y + strip.height; y++) {
        for (int32_t x = strip.x; x < strip.x + strip.width; x++) {
            if (fr_land_kind(land, x, y) == FR_TERRAIN_BRIDGE) {
                return true;
            }
        }
    }
    return false;
}

/* Which way a bridge leads depends on what lies at its far ends: takes in the bridges that begin at the edge
 * of what changed. */
static fr_rect with_bridges(const fr_land *land, fr_rect rect)
{
    fr_rect out = rect;
    for (int i = 0; i < FR_BRIDGE_RUN_MAX; i++) {
        fr_rect grown = out;
        if (bridge_in(land, (fr_rect){out.x - 1, rect.y, 1, rect.height})) {
            grown.x--;
            grown.width++;
        }
        if (bridge_in(land, (fr_rect){out.x + out.width, rect.y, 1, rect.height})) {
            grown.width++;
        }
        if (bridge_in(land, (fr_rect){rect.x, out.y - 1, rect.width, 1})) {
            grown.y--;
            grown.height++;
        }
        if (bridge_in(land, (fr_rect){rect.x, out.y + out.height, rect.width, 1})) {
            grown.height++;
        }
        if (grown.width == out.width && grown.height == out.height) {
            break;
        }
        out = grown;
    }
    return out;
}

void fr_land_sync(fr_land *land, const fr_cost *cost, void (*changed)(void *self, fr_rect cells), void *self)
{
    /* Versions of another cost grid (a world that was loaded) say nothing about what was read from the last.
     */
    bool read_all = cost != land->source;
    land->source = cost;
    int32_t blocks = fr_grid_block_count(land->grid);
    for (int32_t block = 0; block < blocks; block++) {
        uint32_t version = fr_cost_block_version(cost, block);
        if (version == land->seen[block] && !read_all) {
            continue;
        }
        land->seen[block] = version;
        fr_rect rect;
        read_block(land, cost, block, &rect);
        if (rect.width > 0 && changed != NULL) {
            changed(self, with_bridges(land, rect));
        }
    }
}
