#include "grid/map.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"

static const char *const terrain_names[FR_TERRAIN_COUNT] = {
    "grass", "water", "shallow", "sand", "forest", "rock", "road", "bridge", "swamp", "wall",
};

const char *fr_terrain_name(fr_terrain terrain)
{
    return (unsigned)terrain < FR_TERRAIN_COUNT ? terrain_names[terrain] : NULL;
}

fr_terrain fr_terrain_from_name(const char *name)
{
    for (int t = 0; t < FR_TERRAIN_COUNT; t++) {
        if (strcmp(name, terrain_names[t]) == 0) {
            return (fr_terrain)t;
        }
    }
    return FR_TERRAIN_COUNT;
}

/* File name without folders and without its last extension. */
static char *base_name(const char *path)
{
    const char *start = path;
    for (const char *c = path; *c != '\0'; c++) {
        if (*c == '/' || *c == '\\') {
            start = c + 1;
        }
    }
    char *name = fr_strdup(start);
    char *dot = strrchr(name, '.');
    if (dot != NULL && dot != name) {
        *dot = '\0';
    }
    return name;
}

fr_map *fr_map_create(const char *path, fr_grid grid)
{
    FR_ASSERT(grid.width >= 1 && grid.width <= FR_MAP_SIDE_MAX);
    FR_ASSERT(grid.height >= 1 && grid.height <= FR_MAP_SIDE_MAX);
    FR_ASSERT((int64_t)grid.width * grid.height <= FR_MAP_CELLS_MAX);
    fr_map *map = fr_alloc(1, sizeof *map);
    size_t count = (size_t)fr_grid_count(grid);
    map->path = fr_strdup(path);
    map->name = base_name(path);
    map->grid = grid;
    map->full_speed_cost = 1;
    map->tile_width_px = map->tile_height_px = 16;
    map->terrain = fr_alloc(count, 1);
    map->costs[FR_CLASS_FOOT] = fr_alloc_raw(count, 1);
    memset(map->costs[FR_CLASS_FOOT], 1, count);
    fr_map_share_costs(map);
    return map;
}

static void free_costs(fr_map *map, int first)
{
    for (int c = first; c < FR_CLASS_COUNT; c++) {
        bool shared = false;
        for (int other = 0; other < c; other++) {
            shared |= map->costs[other] == map->costs[c];
        }
        if (!shared) {
            fr_free(map->costs[c]);
        }
        map->costs[c] = NULL;
    }
}

void fr_map_share_costs(fr_map *map)
{
    free_costs(map, FR_CLASS_WHEELS);
    for (int c = FR_CLASS_WHEELS; c < FR_CLASS_AIR; c++) {
        map->costs[c] = map->costs[FR_CLASS_FOOT];
    }
    size_t count = (size_t)fr_grid_count(map->grid);
    map->costs[FR_CLASS_AIR] = fr_alloc_raw(count, 1);
    memset(map->costs[FR_CLASS_AIR], 1, count);
}

void fr_map_destroy(fr_map *map)
{
    if (map == NULL) {
        return;
    }
    for (int c = FR_CLASS_COUNT - 1; c >= 0; c--) {
        free_costs(map, c);
    }
    for (int i = 0; i < map->layer_count; i++) {
        fr_free(map->layers[i].name);
        fr_free(map->layers[i].gids);
    }
    for (int i = 0; i < map->tileset_count; i++) {
        fr_tileset *tileset = &map->tilesets[i];
        for (int t = 0; t < tileset->tile_image_count; t++) {
            fr_free(tileset->tile_images[t].path);
        }
        fr_free(tileset->tile_images);
        fr_free(tileset->name);
        fr_free(tileset->image);
    }
    for (int i = 0; i < map->warning_count; i++) {
        fr_free(map->warnings[i]);
    }
    fr_free(map->layers);
    fr_free(map->tilesets);
    fr_free(map->warnings);
    fr_free(map->spawns);
    fr_free(map->terrain);
    fr_free(map->name);
    fr_free(map->path);
    fr_free(map);
}

void fr_map_warn(fr_map *map, const char *format, ...)
{
    char line[FR_ERROR_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fr_make_one_line(line);
    map->warnings = fr_realloc(map->warnings, (size_t)map->warning_count + 1, sizeof *map->warnings);
    map->warnings[map->warning_count++] = fr_strdup(line);
}

uint64_t fr_map_cost_hash(const fr_map *map, fr_class movement_class)
{
    uint64_t hash = fr_hash_u32(FR_HASH_SEED, (uint32_t)map->grid.width);
    hash = fr_hash_u32(hash, (uint32_t)map->grid.height);
    return fr_hash_bytes(hash, map->costs[movement_class], (size_t)fr_grid_count(map->grid));
}
