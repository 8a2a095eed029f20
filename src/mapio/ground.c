#include "mapio/ground.h"

#include <string.h>

#include "base/memory.h"

/* Up to here dear ground is drawn as sand, above as forest. */
#define SAND_COST_MAX 3

fr_ground fr_ground_begin(fr_map *map, fr_tileset_source *tilesets, int32_t tileset_count)
{
    fr_ground ground = {.map = map, .tilesets = tilesets, .tileset_count = tileset_count};
    size_t count = (size_t)fr_grid_count(map->grid);
    for (int c = 0; c < FR_CLASS_AIR; c++) {
        ground.costs[c] = fr_alloc(count, 1);
    }
    ground.marks = fr_alloc(count, 1);
    ground.terrain = fr_alloc_raw(count, 1);
    memset(ground.terrain, FR_TERRAIN_COUNT, count);
    return ground;
}

void fr_ground_fini(fr_ground *ground)
{
    for (int c = 0; c < FR_CLASS_AIR; c++) {
        fr_free(ground->costs[c]);
    }
    fr_free(ground->marks);
    fr_free(ground->terrain);
    *ground = (fr_ground){0};
}

/* The tileset of a gid: the greatest first_gid that is not above it; null below all. */
static fr_tileset_source *tileset_of(const fr_ground *ground, uint32_t gid)
{
    int32_t low = 0, high = ground->tileset_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (ground->tilesets[middle].sheet.first_gid <= gid) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low == 0 ? NULL : &ground->tilesets[low - 1];
}

static void warn_unknown(fr_ground *ground, fr_tileset_source *tileset, const fr_ground_layer *layer,
                         int32_t index)
{
    bool *has_warned = tileset == NULL ? &ground->has_warned_below : &tileset->has_warned;
    if (*has_warned) {
        return;
    }
    *has_warned = true;
    fr_cell cell = fr_grid_cell(ground->map->grid, index);
    uint32_t gid = layer->gids[index] & ~FR_GID_FLAG_MASK;
    if (tileset == NULL) {
        fr_map_warn(ground->map, "layer \"%s\", cell %d,%d: gid %u is below every tileset", layer->name,
                    cell.x, cell.y, gid);
    } else {
        fr_map_warn(ground->map, "layer \"%s\", cell %d,%d: gid %u: tileset \"%s\" has no tile %u",
                    layer->name, cell.x, cell.y, gid, tileset->sheet.name, gid - tileset->sheet.first_gid);
    }
}

/* What a cell that holds this gid gets. */
typedef struct stamp {
    uint32_t gid;
    fr_tileset_source *tileset;
    bool is_known;
    uint8_t costs[FR_CLASS_AIR];
    uint8_t terrain;
} stamp;

static stamp make_stamp(const fr_ground *ground, uint32_t gid)
{
    stamp s = {.gid = gid, .tileset = tileset_of(ground, gid), .terrain = FR_TERRAIN_COUNT};
    if (s.tileset == NULL) {
        return s;
    }
    uint32_t id = gid - s.tileset->sheet.first_gid;
    s.is_known = fr_tileset_defines(s.tileset, id);
    const fr_tile_facts *facts = fr_tileset_find(s.tileset, id);
    if (facts != NULL) {
        for (int c = 0; c < FR_CLASS_AIR; c++) {
            s.costs[c] = fr_tile_facts_cost(facts, (fr_class)c);
        }
        s.terrain = facts->terrain;
    }
    return s;
}

static void apply_stamp(fr_ground *ground, const stamp *s, int32_t index)
{
    if (s->tileset != NULL) {
        s->tileset->is_used = true;
    }
    for (int c = 0; c < FR_CLASS_AIR; c++) {
        if (s->costs[c] != 0) {
            ground->costs[c][index] = s->costs[c];
        }
    }
    if (s->terrain != FR_TERRAIN_COUNT) {
        ground->terrain[index] = s->terrain;
    }
}

void fr_ground_add(fr_ground *ground, const fr_ground_layer *layer)
{
    int32_t count = fr_grid_count(ground->map->grid);
    stamp s = {0};
    for (int32_t i = 0; i < count; i++) {
        uint32_t gid = layer->gids[i] & ~FR_GID_FLAG_MASK;
        if (gid == 0) {
            continue;
        }
        if (gid != s.gid) { /* neighbours mostly hold the same tile */
            s = make_stamp(ground, gid);
        }
        ground->marks[i] |= layer->is_collision ? FR_MARK_TILE | FR_MARK_WALL : FR_MARK_TILE;
        if (!s.is_known) {
            warn_unknown(ground, s.tileset, layer, i);
        }
        if (layer->is_visible) {
            apply_stamp(ground, &s, i);
        }
    }
}

fr_terrain fr_ground_kind_of_cost(uint8_t cost)
{
    if (cost == FR_COST_WALL) {
        return FR_TERRAIN_ROCK;
    }
    return cost == 1 ? FR_TERRAIN_GRASS : cost <= SAND_COST_MAX ? FR_TERRAIN_SAND : FR_TERRAIN_FOREST;
}

/* Kind of a cell. What a collision layer closes must not look open. */
static fr_terrain kind_of_cell(uint8_t stated, bool is_closed, uint8_t cost)
{
    bool looks_closed = stated == FR_TERRAIN_WATER || stated == FR_TERRAIN_ROCK || stated == FR_TERRAIN_WALL;
    if (stated == FR_TERRAIN_COUNT || (is_closed && !looks_closed)) {
        return fr_ground_kind_of_cost(cost);
    }
    return (fr_terrain)stated;
}

/* Lets classes with equal costs share an array. */
static void share_equal_costs(fr_map *map)
{
    size_t count = (size_t)fr_grid_count(map->grid);
    for (int c = FR_CLASS_FOOT + 1; c < FR_CLASS_AIR; c++) {
        for (int other = 0; other < c; other++) {
            if (memcmp(map->costs[c], map->costs[other], count) == 0) {
                fr_free(map->costs[c]);
                map->costs[c] = map->costs[other];
                break;
            }
        }
    }
}

void fr_ground_finish(fr_ground *ground, bool empty_is_wall)
{
    fr_map *map = ground->map;
    int32_t count = fr_grid_count(map->grid);
    for (int c = 0; c < FR_CLASS_AIR; c++) {
        uint8_t *costs = ground->costs[c];
        for (int32_t i = 0; i < count; i++) {
            bool is_closed = (ground->marks[i] & FR_MARK_WALL) || (empty_is_wall && ground->marks[i] == 0);
            costs[i] = is_closed ? FR_COST_WALL : costs[i] == 0 ? 1 : costs[i];
        }
        /* The arrays become the map's; a new map has one for all that walk. */
        if (c == FR_CLASS_FOOT) {
            fr_free(map->costs[c]);
        }
        map->costs[c] = costs;
        ground->costs[c] = NULL;
    }
    for (int32_t i = 0; i < count; i++) {
        bool is_closed = (ground->marks[i] & FR_MARK_WALL) != 0;
        map->has_terrain |= ground->terrain[i] != FR_TERRAIN_COUNT;
        map->terrain[i] = (uint8_t)kind_of_cell(ground->terrain[i], is_closed, map->costs[FR_CLASS_FOOT][i]);
    }
    share_equal_costs(map);
}
