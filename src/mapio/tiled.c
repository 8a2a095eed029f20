#include "mapio/tiled.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/number_text.h"
#include "grid/nav.h"
#include "mapio/paths.h"
#include "mapio/properties.h"

/* Pixels on a side of a tile. */
#define TILE_PX_MAX 65536

fr_status fr_tiled_first(const fr_tiled *tiled, const fr_json_value *object, const char *key,
                         const fr_json_value **first, fr_error *error)
{
    const fr_json_value *array = fr_json_get(object, key);
    *first = fr_json_first(array);
    return array == NULL || fr_json_is_array(array)
               ? FR_OK
               : fr_json_fail(tiled->json, array, error, "expected an array");
}

static fr_status check_kind(const fr_tiled *tiled, fr_error *error)
{
    const fr_json_value *root = tiled->root;
    if (!fr_json_is_object(root)) {
        return fr_json_fail(tiled->json, root, error, "expected a Tiled map (an object)");
    }
    const char *type = fr_json_string_or(fr_json_get(root, "type"), NULL);
    if (type == NULL && fr_json_get(root, "layers") == NULL) {
        /* Before 1.0 nothing said what a file was. */
        type = fr_json_get(root, "tilewidth") != NULL && fr_json_get(root, "width") == NULL ? "tileset"
               : fr_json_get(root, "object") != NULL                                        ? "template"
                                                     : "file without layers";
    }
    if (type != NULL && strcmp(type, "map") != 0) {
        return fr_json_fail(tiled->json, root, error, "a %.40s, not a map", type);
    }
    const char *orientation = fr_json_string_or(fr_json_get(root, "orientation"), "orthogonal");
    if (strcmp(orientation, "orthogonal") != 0 && strcmp(orientation, "isometric") != 0) {
        return fr_json_fail(tiled->json, fr_json_get(root, "orientation"), error,
                            "%.40s maps are not supported, expected orthogonal or isometric", orientation);
    }
    return FR_OK;
}

/* Finds the map's cells: its width and height or, of an infinite map, the box around all chunks. */
static fr_status read_extent(fr_tiled *tiled, fr_error *error)
{
    const fr_json_value *root = tiled->root;
    if (fr_json_bool_or(fr_json_get(root, "infinite"), false)) {
        fr_status status = fr_tiled_add_extent(tiled, root, &tiled->box, error);
        if (status != FR_OK) {
            return status;
        }
    }
    int64_t width = tiled->box.right - tiled->box.left, height = tiled->box.bottom - tiled->box.top;
    if (width == 0) {
        fr_status status = fr_json_get_int(tiled->json, root, "width", 1, FR_MAP_SIDE_MAX, &width, error);
        if (status == FR_OK) {
            status = fr_json_get_int(tiled->json, root, "height", 1, FR_MAP_SIDE_MAX, &height, error);
        }
        if (status != FR_OK) {
            return status;
        }
        tiled->box = (fr_box){0, 0, width, height};
    }
    if (width > FR_MAP_SIDE_MAX || height > FR_MAP_SIDE_MAX || width * height > FR_MAP_CELLS_MAX) {
        return fr_json_fail(tiled->json, root, error,
                            "map of %lld x %lld, at most %d a side and %d cells in all", (long long)width,
                            (long long)height, FR_MAP_SIDE_MAX, FR_MAP_CELLS_MAX);
    }
    return FR_OK;
}

/* `nav_scale`: how many tiles a field cell is wide. The field's grid has the limits of a map. */
static fr_status read_nav_scale(fr_tiled *tiled, fr_error *error)
{
    const fr_json_value *value = fr_property_find(tiled->root, "nav_scale");
    if (value == NULL) {
        return FR_OK;
    }
    int32_t shift;
    if (!fr_nav_shift_of(fr_json_number_or(value, 0), &shift)) {
        char found[FR_NUMBER_TEXT_BYTES];
        fr_number_text(fr_json_number_or(value, 0), found);
        return fr_json_fail(tiled->json, value, error, "nav_scale: found %s, expected 0.5, 1, 2 or 4",
                            fr_json_is_number(value) ? found : fr_json_kind_name(value));
    }
    if (!fr_nav_fits(tiled->map->grid, shift)) {
        fr_grid cells = fr_nav_grid(tiled->map->grid, shift);
        return fr_json_fail(tiled->json, value, error,
                            "nav_scale: fields of %d x %d cells, at most %d a side and %d cells in all",
                            cells.width, cells.height, FR_MAP_SIDE_MAX, FR_MAP_CELLS_MAX);
    }
    tiled->map->nav_shift = shift;
    return FR_OK;
}

static fr_status read_map_properties(fr_tiled *tiled, fr_error *error)
{
    fr_map *map = tiled->map;
    int64_t width, height, cost = 1;
    fr_status status = fr_json_get_int(tiled->json, tiled->root, "tilewidth", 1, TILE_PX_MAX, &width, error);
    if (status == FR_OK) {
        status = fr_json_get_int(tiled->json, tiled->root, "tileheight", 1, TILE_PX_MAX, &height, error);
    }
    const fr_json_value *full_speed = fr_property_find(tiled->root, "full_speed_cost");
    if (status == FR_OK && full_speed != NULL) {
        status = fr_json_int(tiled->json, full_speed, 1, FR_COST_WALL - 1, &cost, error);
    }
    if (status == FR_OK) {
        status = read_nav_scale(tiled, error);
    }
    if (status != FR_OK) {
        return status;
    }
    map->tile_width_px = (int32_t)width;
    map->tile_height_px = (int32_t)height;
    map->full_speed_cost = (int32_t)cost;
    tiled->cell_width_px = (double)width;
    tiled->cell_height_px = (double)height;
    if (strcmp(fr_json_string_or(fr_json_get(tiled->root, "orientation"), ""), "isometric") == 0) {
        /* Objects of isometric maps are measured in tile heights along both axes. */
        tiled->cell_width_px = (double)height;
        fr_map_warn(map, "isometric map: loaded as a grid seen from above");
    }
    return FR_OK;
}

static fr_status read_tileset(fr_tiled *tiled, const fr_json_value *value, fr_tileset_source *out,
                              fr_error *error)
{
    int64_t first_gid;
    fr_status status = fr_json_get_int(tiled->json, value, "firstgid", 1, FR_TILE_ID_MAX, &first_gid, error);
    if (status != FR_OK) {
        return status;
    }
    if (fr_json_get(value, "source") == NULL) {
        *out = fr_tileset_source_begin(tiled->path);
        status = fr_tileset_read_json(out, tiled->json, value, error);
    } else {
        const char *source;
        status = fr_json_get_string(tiled->json, value, "source", &source, error);
        if (status != FR_OK) {
            return status;
        }
        char *path = fr_path_beside(tiled->path, source);
        *out = fr_tileset_source_begin(path);
        fr_free(path);
        fr_error reason = {0};
        status = fr_tileset_read_file(out, tiled->io, &reason);
        if (status != FR_OK) {
            fr_json_fail(tiled->json, fr_json_get(value, "source"), error, "tileset %s", reason.message);
        }
    }
    out->sheet.first_gid = (uint32_t)first_gid;
    return status;
}

static int compare_first_gids(const void *a, const void *b)
{
    const fr_tileset_source *p = a, *q = b;
    return p->sheet.first_gid < q->sheet.first_gid ? -1 : p->sheet.first_gid > q->sheet.first_gid;
}

static fr_status read_tilesets(fr_tiled *tiled, fr_error *error)
{
    const fr_json_value *tilesets = fr_json_get(tiled->root, "tilesets");
    const fr_json_value *value;
    fr_status status = fr_tiled_first(tiled, tiled->root, "tilesets", &value, error);
    int32_t count = fr_json_count(tilesets);
    tiled->tilesets = fr_alloc((size_t)count, sizeof *tiled->tilesets);
    for (; status == FR_OK && value != NULL; value = fr_json_next(value)) {
        status = read_tileset(tiled, value, &tiled->tilesets[tiled->tileset_count++], error);
    }
    if (status != FR_OK) {
        return status;
    }
    if (count > 1) {
        qsort(tiled->tilesets, (size_t)count, sizeof *tiled->tilesets, compare_first_gids);
    }
    for (int32_t i = 1; i < count; i++) {
        uint32_t first_gid = tiled->tilesets[i].sheet.first_gid;
        if (first_gid == tiled->tilesets[i - 1].sheet.first_gid) {
            return fr_json_fail(tiled->json, tilesets, error, "two tilesets with firstgid %u", first_gid);
        }
    }
    return FR_OK;
}

/* Whether the file can be read at all; its format is the drawer's business. */
static bool can_read(const fr_tiled *tiled, const char *path)
{
    fr_buffer bytes = {0};
    fr_error ignored;
    bool can = tiled->io->read(tiled->io->self, path, &bytes, &ignored) == FR_OK;
    fr_buffer_fini(&bytes);
    return can;
}

static void check_images(fr_tiled *tiled, const fr_tileset *sheet)
{
    const char *missing = NULL;
    if (sheet->image != NULL) {
        missing = can_read(tiled, sheet->image) ? NULL : sheet->image;
    }
    for (int32_t i = 0; i < sheet->tile_image_count && missing == NULL; i++) {
        missing = can_read(tiled, sheet->tile_images[i].path) ? NULL : sheet->tile_images[i].path;
    }
    if (missing != NULL) {
        fr_map_warn(tiled->map, "tileset \"%s\": image %s cannot be read: drawn with a stand-in", sheet->name,
                    missing);
    }
}

/* Warnings about the tilesets in use, whose sheets then become the map's. */
static void hand_over_tilesets(fr_tiled *tiled)
{
    fr_map *map = tiled->map;
    map->tilesets = fr_alloc((size_t)tiled->tileset_count, sizeof *map->tilesets);
    for (int32_t i = 0; i < tiled->tileset_count; i++) {
        fr_tileset_source *source = &tiled->tilesets[i];
        if (source->is_used) {
            check_images(tiled, &source->sheet);
        }
        if (source->unknown_terrain != NULL) {
            fr_map_warn(map, "tileset \"%s\": unknown terrain \"%.40s\" is passed over", source->sheet.name,
                        source->unknown_terrain);
        }
        map->tilesets[map->tileset_count++] = source->sheet;
        source->sheet = (fr_tileset){0};
    }
}

/* A map that states its ground is drawn in our art: the tiles would be the largest part of it in memory. */
static void drop_undrawn_tiles(fr_map *map)
{
    for (int32_t i = 0; i < map->layer_count && map->has_terrain; i++) {
        fr_free(map->layers[i].gids);
        map->layers[i].gids = NULL;
    }
}

static fr_status read_map(fr_tiled *tiled, fr_error *error)
{
    fr_status status = check_kind(tiled, error);
    if (status == FR_OK) {
        status = read_extent(tiled, error);
    }
    if (status != FR_OK) {
        return status;
    }
    fr_grid grid = {(int32_t)(tiled->box.right - tiled->box.left),
                    (int32_t)(tiled->box.bottom - tiled->box.top)};
    tiled->map = fr_map_create(tiled->path, grid);
    tiled->map->format = FR_MAP_TILED;
    status = read_map_properties(tiled, error);
    if (status == FR_OK) {
        status = read_tilesets(tiled, error);
    }
    if (status != FR_OK) {
        return status;
    }
    tiled->ground = fr_ground_begin(tiled->map, tiled->tilesets, tiled->tileset_count);
    fr_tiled_layer whole = {.value = tiled->root, .name = "", .is_visible = true, .opacity = 1};
    status = fr_tiled_read_layers(tiled, &whole, error);
    if (status == FR_OK) {
        fr_ground_finish(&tiled->ground, fr_property_is_true(tiled->root, "empty_is_wall"));
        hand_over_tilesets(tiled);
        drop_undrawn_tiles(tiled->map);
    }
    return status;
}

fr_map *fr_tiled_load(const fr_io *io, const char *path, const void *bytes, size_t size, fr_error *error)
{
    fr_json *json = fr_json_parse(path, bytes, size, error);
    if (json == NULL) {
        return NULL;
    }
    fr_tiled tiled = {.io = io, .path = path, .json = json, .root = fr_json_root(json)};
    fr_status status = read_map(&tiled, error);
    fr_map *map = tiled.map;
    if (status != FR_OK) {
        fr_map_destroy(map);
        map = NULL;
    } else if (map->layer_count == 0) {
        fr_map_warn(map, "no visible tile layer: open ground where nothing else is said");
        map->has_terrain = true; /* there are no tiles to draw */
    }
    fr_ground_fini(&tiled.ground);
    for (int32_t i = 0; i < tiled.tileset_count; i++) {
        fr_tileset_source_fini(&tiled.tilesets[i]);
    }
    fr_free(tiled.tilesets);
    fr_json_destroy(json);
    return map;
}
