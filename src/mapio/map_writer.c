#include "mapio/map_writer.h"

#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "grid/nav.h"
#include "mapio/codec.h"

/* The tiles found so far, and a table to find them by: open addressing, at most half full. */
typedef struct tile_set {
    fr_ground_tile *tiles;
    int32_t count;
    int32_t *slots;      /* 0 = free, else place in `tiles` + 1 */
    uint32_t slot_count; /* a power of two */
} tile_set;

static uint32_t tile_key(fr_ground_tile tile)
{
    uint32_t key = tile.terrain;
    for (int c = 0; c < FR_CLASS_AIR; c++) {
        key = key << 8 | tile.costs[c];
    }
    return key;
}

/* The slot that holds the tile, or the free one where it belongs. */
static int32_t *find_slot(const tile_set *set, uint32_t key)
{
    uint32_t at = key * 0x9e3779b1u;
    at ^= at >> 16;
    for (;; at++) {
        int32_t *slot = &set->slots[at & (set->slot_count - 1)];
        if (*slot == 0 || tile_key(set->tiles[*slot - 1]) == key) {
            return slot;
        }
    }
}

static void grow(tile_set *set)
{
    fr_free(set->slots);
    set->slot_count = set->slot_count == 0 ? 64 : 2 * set->slot_count;
    set->slots = fr_alloc(set->slot_count, sizeof *set->slots);
    set->tiles = fr_realloc(set->tiles, set->slot_count / 2, sizeof *set->tiles);
    for (int32_t i = 0; i < set->count; i++) {
        *find_slot(set, tile_key(set->tiles[i])) = i + 1;
    }
}

/* Place of the tile plus one: its gid. */
static uint32_t gid_of(tile_set *set, fr_ground_tile tile)
{
    int32_t *slot = find_slot(set, tile_key(tile));
    if (*slot == 0) {
        set->tiles[set->count++] = tile;
        *slot = set->count;
        if ((uint32_t)set->count == set->slot_count / 2) {
            grow(set);
            return (uint32_t)set->count;
        }
    }
    return (uint32_t)*slot;
}

static fr_ground_tile tile_at(const fr_map *map, int32_t index)
{
    fr_ground_tile tile = {.terrain = map->terrain[index]};
    for (int c = 0; c < FR_CLASS_AIR; c++) {
        tile.costs[c] = map->costs[c][index];
    }
    return tile;
}

/* Gids of all cells, [w*h] row-major, the caller's. */
static uint32_t *collect_tiles(const fr_map *map, tile_set *set)
{
    int32_t count = fr_grid_count(map->grid);
    uint32_t *gids = fr_alloc_raw((size_t)count, sizeof *gids);
    grow(set);
    for (int32_t i = 0; i < count; i++) {
        /* Neighbours are mostly alike. */
        fr_ground_tile tile = tile_at(map, i);
        gids[i] = i > 0 && tile_key(set->tiles[gids[i - 1] - 1]) == tile_key(tile) ? gids[i - 1]
                                                                                   : gid_of(set, tile);
    }
    return gids;
}

static void write_property(fr_json_writer *w, const char *name, int64_t value)
{
    fr_json_begin_object(w, NULL);
    fr_json_write_string(w, "name", name);
    fr_json_write_string(w, "type", "int");
    fr_json_write_int(w, "value", value);
    fr_json_end_object(w);
}

static void write_text_property(fr_json_writer *w, const char *name, const char *value)
{
    fr_json_begin_object(w, NULL);
    fr_json_write_string(w, "name", name);
    fr_json_write_string(w, "type", "string");
    fr_json_write_string(w, "value", value);
    fr_json_end_object(w);
}

static void write_tile(fr_json_writer *w, int32_t id, const fr_ground_tile *tile)
{
    static const char *const names[FR_CLASS_AIR] = {
        [FR_CLASS_FOOT] = "cost", [FR_CLASS_WHEELS] = "cost_wheels", [FR_CLASS_HOVER] = "cost_hover"};
    fr_json_begin_object(w, NULL);
    fr_json_write_int(w, "id", id);
    fr_json_begin_array(w, "properties");
    for (int c = 0; c < FR_CLASS_AIR; c++) {
        if (c == FR_CLASS_FOOT || tile->costs[c] != tile->costs[FR_CLASS_FOOT]) {
            write_property(w, names[c], tile->costs[c]);
        }
    }
    write_text_property(w, "terrain", fr_terrain_name((fr_terrain)tile->terrain));
    fr_json_end_array(w);
    fr_json_end_object(w);
}

static void write_tileset(fr_json_writer *w, const char *image, const tile_set *set)
{
    int32_t rows = (set->count + FR_SHEET_COLUMNS - 1) / FR_SHEET_COLUMNS;
    fr_json_begin_object(w, NULL);
    fr_json_write_int(w, "firstgid", 1);
    fr_json_write_string(w, "name", "ground");
    fr_json_write_string(w, "image", image);
    fr_json_write_int(w, "imagewidth", FR_SHEET_COLUMNS * FR_SHEET_TILE_PX);
    fr_json_write_int(w, "imageheight", rows * FR_SHEET_TILE_PX);
    fr_json_write_int(w, "tilewidth", FR_SHEET_TILE_PX);
    fr_json_write_int(w, "tileheight", FR_SHEET_TILE_PX);
    fr_json_write_int(w, "columns", FR_SHEET_COLUMNS);
    fr_json_write_int(w, "tilecount", set->count);
    fr_json_write_int(w, "margin", 0);
    fr_json_write_int(w, "spacing", 0);
    fr_json_begin_array(w, "tiles");
    for (int32_t i = 0; i < set->count; i++) {
        write_tile(w, i, &set->tiles[i]);
    }
    fr_json_end_array(w);
    fr_json_end_object(w);
}

/* Members `encoding`, `compression` and `data`; with zlib the gids are overwritten. */
static void write_data(fr_json_writer *w, fr_grid grid, uint32_t *gids)
{
    size_t count = (size_t)fr_grid_count(grid);
    fr_buffer packed = {0};
    if (fr_zlib_version() == NULL) {
        fr_json_begin_array(w, "data");
        for (size_t i = 0; i < count; i++) {
            fr_json_write_int(w, NULL, gids[i]);
        }
        fr_json_end_array(w);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        uint8_t bytes[4] = {(uint8_t)gids[i], (uint8_t)(gids[i] >> 8), (uint8_t)(gids[i] >> 16),
                            (uint8_t)(gids[i] >> 24)};
        memcpy(&gids[i], bytes, sizeof bytes);
    }
    fr_compress(gids, 4 * count, &packed);
    fr_buffer text = {0};
    fr_base64_encode(packed.data, packed.size, &text);
    fr_buffer_append(&text, "", 1);
    fr_json_write_string(w, "encoding", "base64");
    fr_json_write_string(w, "compression", "zlib");
    fr_json_write_string(w, "data", (const char *)text.data);
    fr_buffer_fini(&text);
    fr_buffer_fini(&packed);
}

static void begin_layer(fr_json_writer *w, int id, const char *type, const char *name)
{
    fr_json_begin_object(w, NULL);
    fr_json_write_int(w, "id", id);
    fr_json_write_string(w, "type", type);
    fr_json_write_string(w, "name", name);
    fr_json_write_int(w, "x", 0);
    fr_json_write_int(w, "y", 0);
    fr_json_write_int(w, "opacity", 1);
    fr_json_write_bool(w, "visible", true);
}

static void write_number_property(fr_json_writer *w, const char *name, float value)
{
    fr_json_begin_object(w, NULL);
    fr_json_write_string(w, "name", name);
    fr_json_write_string(w, "type", "float");
    fr_json_write_number(w, "value", (double)value);
    fr_json_end_object(w);
}

static void write_spawn(fr_json_writer *w, int32_t id, const fr_spawn *spawn)
{
    fr_json_begin_object(w, NULL);
    fr_json_write_int(w, "id", id);
    fr_json_write_string(w, "name", "");
    fr_json_write_string(w, "type", "spawn");
    fr_json_write_number(w, "x", (double)spawn->x * FR_SHEET_TILE_PX);
    fr_json_write_number(w, "y", (double)spawn->y * FR_SHEET_TILE_PX);
    fr_json_write_number(w, "width", (double)spawn->width * FR_SHEET_TILE_PX);
    fr_json_write_number(w, "height", (double)spawn->height * FR_SHEET_TILE_PX);
    if (spawn->width == 0.0f && spawn->height == 0.0f) {
        fr_json_write_bool(w, "point", true);
    }
    fr_json_write_int(w, "rotation", 0);
    fr_json_write_bool(w, "visible", true);
    fr_json_begin_array(w, "properties");
    if (spawn->count >= 0) {
        write_property(w, "count", spawn->count);
    }
    write_property(w, "team", spawn->team);
    write_text_property(w, "class", fr_class_name(spawn->movement_class));
    write_number_property(w, "radius", spawn->radius);
    write_number_property(w, "speed", spawn->speed);
    fr_json_end_array(w);
    fr_json_end_object(w);
}

static void write_layers(fr_json_writer *w, const fr_map *map, uint32_t *gids)
{
    begin_layer(w, 1, "tilelayer", "ground");
    fr_json_write_int(w, "width", map->grid.width);
    fr_json_write_int(w, "height", map->grid.height);
    write_data(w, map->grid, gids);
    fr_json_end_object(w);
    if (map->spawn_count == 0) {
        return;
    }
    begin_layer(w, 2, "objectgroup", "spawns");
    fr_json_begin_array(w, "objects");
    for (int32_t i = 0; i < map->spawn_count; i++) {
        write_spawn(w, i + 1, &map->spawns[i]);
    }
    fr_json_end_array(w);
    fr_json_end_object(w);
}

void fr_map_write_tiled(const fr_map *map, const char *image, fr_buffer *out, fr_ground_tile **tiles,
                        int32_t *tile_count)
{
    tile_set set = {0};
    uint32_t *gids = collect_tiles(map, &set);
    fr_json_writer w = fr_json_writer_begin(out, true);
    fr_json_begin_object(&w, NULL);
    fr_json_write_string(&w, "type", "map");
    fr_json_write_string(&w, "version", "1.8");
    fr_json_write_string(&w, "orientation", "orthogonal");
    fr_json_write_string(&w, "renderorder", "right-down");
    fr_json_write_bool(&w, "infinite", false);
    fr_json_write_int(&w, "width", map->grid.width);
    fr_json_write_int(&w, "height", map->grid.height);
    fr_json_write_int(&w, "tilewidth", FR_SHEET_TILE_PX);
    fr_json_write_int(&w, "tileheight", FR_SHEET_TILE_PX);
    fr_json_write_int(&w, "nextlayerid", 3);
    fr_json_write_int(&w, "nextobjectid", map->spawn_count + 1);
    fr_json_begin_array(&w, "properties");
    write_property(&w, "full_speed_cost", map->full_speed_cost);
    if (map->nav_shift != 0) {
        write_number_property(&w, "nav_scale", (float)fr_nav_scale(map->nav_shift));
    }
    fr_json_end_array(&w);
    fr_json_begin_array(&w, "tilesets");
    write_tileset(&w, image, &set);
    fr_json_end_array(&w);
    fr_json_begin_array(&w, "layers");
    write_layers(&w, map, gids);
    fr_json_end_array(&w);
    fr_json_end_object(&w);
    fr_buffer_append(out, "\n", 1);
    fr_free(gids);
    fr_free(set.slots);
    *tiles = set.tiles;
    *tile_count = set.count;
}

static char letter_of(fr_terrain terrain, uint8_t cost)
{
    if (cost != FR_COST_WALL) {
        return terrain == FR_TERRAIN_SWAMP ? 'S' : '.';
    }
    return terrain == FR_TERRAIN_WATER ? 'W' : terrain == FR_TERRAIN_FOREST ? 'T' : '@';
}

int32_t fr_map_write_movingai(const fr_map *map, fr_buffer *out)
{
    const uint8_t *costs = map->costs[FR_CLASS_FOOT];
    int32_t dear = 0;
    char *row = fr_alloc_raw((size_t)map->grid.width + 1, 1);
    row[map->grid.width] = '\n';
    fr_buffer_printf(out, "type octile\nheight %d\nwidth %d\nmap\n", map->grid.height, map->grid.width);
    for (int32_t y = 0; y < map->grid.height; y++) {
        for (int32_t x = 0; x < map->grid.width; x++) {
            int32_t index = fr_grid_index(map->grid, (fr_cell){x, y});
            row[x] = letter_of((fr_terrain)map->terrain[index], costs[index]);
            dear += costs[index] != 1 && costs[index] != FR_COST_WALL;
        }
        fr_buffer_append(out, row, (size_t)map->grid.width + 1);
    }
    fr_free(row);
    return dear;
}
