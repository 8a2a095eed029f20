/* tiled_layers: walks layers and groups, and lays the cells of tile layers out on the map's grid. */
#include "mapio/tiled.h"

#include <string.h>

#include "base/memory.h"
#include "mapio/properties.h"

/* Cells in all layers that are kept for drawing: half a GiB. A few bytes of a compressed file can ask for any
 * number of layers. */
#define DRAWN_CELLS_MAX (8 * (int64_t)FR_MAP_CELLS_MAX)

/* Names (any case) and bool properties that make a tile layer one of walls. */
static const char *const collision_words[] = {"collision", "collisions", "walls", "obstacles", "blocked"};

static bool equal_any_case(const char *a, const char *b)
{
    for (; *a != '\0' && *b != '\0'; a++, b++) {
        char lower_a = *a >= 'A' && *a <= 'Z' ? (char)(*a - 'A' + 'a') : *a;
        char lower_b = *b >= 'A' && *b <= 'Z' ? (char)(*b - 'A' + 'a') : *b;
        if (lower_a != lower_b) {
            return false;
        }
    }
    return *a == *b;
}

static bool is_collision(const fr_tiled_layer *layer)
{
    for (size_t i = 0; i < sizeof collision_words / sizeof *collision_words; i++) {
        if (equal_any_case(layer->name, collision_words[i]) ||
            fr_property_is_true(layer->value, collision_words[i])) {
            return true;
        }
    }
    return false;
}

static const char *type_of(const fr_json_value *layer)
{
    return fr_json_string_or(fr_json_get(layer, "type"), "");
}

static fr_status add_box(const fr_tiled *tiled, const fr_json_value *holder, fr_box *box, fr_error *error)
{
    fr_box part;
    fr_status status = fr_layer_box(tiled->json, holder, &part, error);
    if (status == FR_OK) {
        fr_box_add(box, part);
    }
    return status;
}

static fr_status add_layer_extent(const fr_tiled *tiled, const fr_json_value *layer, fr_box *box,
                                  fr_error *error)
{
    if (strcmp(type_of(layer), "group") == 0) {
        return fr_tiled_add_extent(tiled, layer, box, error);
    }
    if (strcmp(type_of(layer), "tilelayer") != 0) {
        return FR_OK;
    }
    if (fr_json_get(layer, "chunks") == NULL) {
        return add_box(tiled, layer, box, error);
    }
    const fr_json_value *chunk;
    fr_status status = fr_tiled_first(tiled, layer, "chunks", &chunk, error);
    for (; status == FR_OK && chunk != NULL; chunk = fr_json_next(chunk)) {
        status = add_box(tiled, chunk, box, error);
    }
    return status;
}

fr_status fr_tiled_add_extent(const fr_tiled *tiled, const fr_json_value *group, fr_box *box, fr_error *error)
{
    const fr_json_value *layer;
    fr_status status = fr_tiled_first(tiled, group, "layers", &layer, error);
    for (; status == FR_OK && layer != NULL; layer = fr_json_next(layer)) {
        status = add_layer_extent(tiled, layer, box, error);
    }
    return status;
}

/* Copies the gids of one layer or chunk to where it lies on the map. Returns false if some fall outside. */
static bool lay_out(const fr_tiled *tiled, const fr_box *part, const uint32_t *from, uint32_t *to)
{
    fr_grid grid = tiled->map->grid;
    bool all_inside = true;
    int64_t width = part->right - part->left, height = part->bottom - part->top;
    for (int64_t row = 0; row < height; row++) {
        for (int64_t column = 0; column < width; column++) {
            uint32_t gid = from[row * width + column];
            int64_t x = part->left - tiled->box.left + column, y = part->top - tiled->box.top + row;
            if ((gid & ~FR_GID_FLAG_MASK) == 0) {
                continue;
            }
            if (x < 0 || y < 0 || x >= grid.width || y >= grid.height) {
                all_inside = false;
                continue;
            }
            to[y * grid.width + x] = gid;
        }
    }
    return all_inside;
}

/* Reads one layer or chunk into the map-sized array. */
static fr_status read_part(fr_tiled *tiled, const fr_tiled_layer *layer, const fr_json_value *holder,
                           uint32_t *gids, bool *all_inside, fr_error *error)
{
    fr_box part = tiled->box;
    if (holder != layer->value || fr_json_get(holder, "width") != NULL) {
        fr_status status = fr_layer_box(tiled->json, holder, &part, error);
        if (status != FR_OK) {
            return status;
        }
    }
    fr_grid size = {(int32_t)(part.right - part.left), (int32_t)(part.bottom - part.top)};
    uint32_t *read = fr_alloc_raw((size_t)fr_grid_count(size), sizeof *read);
    fr_status status = fr_layer_data_read(tiled->json, layer->value, holder, size, read, error);
    if (status == FR_OK) {
        *all_inside &= lay_out(tiled, &part, read, gids);
    }
    fr_free(read);
    return status;
}

static void keep_for_drawing(fr_tiled *tiled, const fr_tiled_layer *layer, uint32_t *gids)
{
    fr_map *map = tiled->map;
    map->layers = fr_realloc(map->layers, (size_t)map->layer_count + 1, sizeof *map->layers);
    map->layers[map->layer_count++] =
        (fr_tile_layer){.name = fr_strdup(layer->name), .gids = gids, .opacity = (float)layer->opacity};
}

static bool has_tiles(const uint32_t *gids, fr_grid grid)
{
    for (int32_t i = 0; i < fr_grid_count(grid); i++) {
        if (gids[i] != 0) {
            return true;
        }
    }
    return false;
}

static fr_status read_cells(fr_tiled *tiled, const fr_tiled_layer *layer, uint32_t *gids, fr_error *error)
{
    bool all_inside = true;
    const fr_json_value *chunk;
    fr_status status = fr_tiled_first(tiled, layer->value, "chunks", &chunk, error);
    if (status == FR_OK && fr_json_get(layer->value, "chunks") == NULL) {
        status = read_part(tiled, layer, layer->value, gids, &all_inside, error);
    }
    for (; status == FR_OK && chunk != NULL; chunk = fr_json_next(chunk)) {
        status = read_part(tiled, layer, chunk, gids, &all_inside, error);
    }
    if (status == FR_OK && tiled->tileset_count == 0 && has_tiles(gids, tiled->map->grid)) {
        status = fr_json_fail(tiled->json, layer->value, error,
                              "layer \"%s\" has tiles, but the map no tileset", layer->name);
    }
    if (status == FR_OK && !all_inside) {
        fr_map_warn(tiled->map, "layer \"%s\" reaches beyond the map: tiles outside are dropped",
                    layer->name);
    }
    return status;
}

static fr_status read_tile_layer(fr_tiled *tiled, const fr_tiled_layer *layer, fr_error *error)
{
    int32_t count = fr_grid_count(tiled->map->grid);
    if (tiled->drawn_cells + count > DRAWN_CELLS_MAX) {
        return fr_json_fail(tiled->json, layer->value, error,
                            "layer \"%s\": more than %lld cells in all layers", layer->name,
                            (long long)DRAWN_CELLS_MAX);
    }
    uint32_t *gids = fr_alloc((size_t)count, sizeof *gids);
    fr_status status = read_cells(tiled, layer, gids, error);
    if (status == FR_OK) {
        fr_ground_add(&tiled->ground,
                      &(fr_ground_layer){layer->name, gids, layer->is_visible, is_collision(layer)});
    }
    if (status == FR_OK && layer->is_visible) {
        keep_for_drawing(tiled, layer, gids);
        tiled->drawn_cells += count;
    } else {
        fr_free(gids);
    }
    return status;
}

static fr_status read_layer(fr_tiled *tiled, const fr_json_value *value, const fr_tiled_layer *group,
                            fr_error *error)
{
    double opacity = fr_json_number_or(fr_json_get(value, "opacity"), 1);
    opacity = opacity < 0 ? 0 : opacity > 1 ? 1 : opacity;
    fr_tiled_layer layer = {
        .value = value,
        .name = fr_json_string_or(fr_json_get(value, "name"), ""),
        .is_visible = group->is_visible && fr_json_bool_or(fr_json_get(value, "visible"), true),
        .opacity = group->opacity * opacity,
    };
    const char *type = type_of(value);
    if (!fr_json_is_object(value)) {
        return fr_json_fail(tiled->json, value, error, "expected a layer");
    }
    if (strcmp(type, "tilelayer") == 0) {
        return read_tile_layer(tiled, &layer, error);
    }
    if (strcmp(type, "objectgroup") == 0) {
        return fr_tiled_read_spawns(tiled, &layer, error);
    }
    if (strcmp(type, "group") == 0) {
        return fr_tiled_read_layers(tiled, &layer, error);
    }
    if (strcmp(type, "imagelayer") != 0) {
        fr_map_warn(tiled->map, "layer \"%s\" of unknown type \"%.40s\" is skipped", layer.name, type);
    }
    return FR_OK;
}

fr_status fr_tiled_read_layers(fr_tiled *tiled, const fr_tiled_layer *group, fr_error *error)
{
    const fr_json_value *value;
    fr_status status = fr_tiled_first(tiled, group->value, "layers", &value, error);
    for (; status == FR_OK && value != NULL; value = fr_json_next(value)) {
        status = read_layer(tiled, value, group, error);
    }
    return status;
}
