/* tiled_spawns: objects of type (or class) `spawn` say where units start; all others are somebody else's. */
#include "mapio/tiled.h"

#include <string.h>

#include "base/memory.h"
#include "mapio/properties.h"

/* Pixels; far more than any map has. */
#define PIXELS_MAX 1e9

static bool is_spawn(const fr_json_value *object)
{
    /* Tiled 1.9 called it `class`, all others `type`. */
    return strcmp(fr_json_string_or(fr_json_get(object, "type"), ""), "spawn") == 0 ||
           strcmp(fr_json_string_or(fr_json_get(object, "class"), ""), "spawn") == 0;
}

static fr_status optional_number(const fr_tiled *tiled, const fr_json_value *object, const char *key,
                                 double *out, fr_error *error)
{
    return fr_json_get(object, key) == NULL
               ? FR_OK
               : fr_json_get_number(tiled->json, object, key, -PIXELS_MAX, PIXELS_MAX, out, error);
}

static fr_status read_place(const fr_tiled *tiled, const fr_json_value *object, fr_spawn *spawn,
                            fr_error *error)
{
    double x, y, width = 0, height = 0;
    const fr_json *json = tiled->json;
    fr_status status = fr_json_get_number(json, object, "x", -PIXELS_MAX, PIXELS_MAX, &x, error);
    if (status == FR_OK) {
        status = fr_json_get_number(json, object, "y", -PIXELS_MAX, PIXELS_MAX, &y, error);
    }
    if (status == FR_OK) {
        status = optional_number(tiled, object, "width", &width, error);
    }
    if (status == FR_OK) {
        status = optional_number(tiled, object, "height", &height, error);
    }
    if (status != FR_OK) {
        return status;
    }
    if (fr_json_get(object, "gid") != NULL) {
        y -= height; /* a tile object hangs from its lower left corner */
    }
    x = x / tiled->cell_width_px - (double)tiled->box.left;
    y = y / tiled->cell_height_px - (double)tiled->box.top;
    width /= tiled->cell_width_px;
    height /= tiled->cell_height_px;
    fr_grid grid = tiled->map->grid;
    bool is_inside = width >= 0 && height >= 0 && x >= 0 && y >= 0 && x < grid.width && y < grid.height &&
                     x + width <= grid.width && y + height <= grid.height;
    if (!is_inside) {
        return fr_json_fail(json, object, error,
                            "spawn at %g,%g with %g x %g cells, expected it inside the map of %d x %d", x, y,
                            width, height, grid.width, grid.height);
    }
    spawn->x = (float)x;
    spawn->y = (float)y;
    spawn->width = (float)width;
    spawn->height = (float)height;
    return FR_OK;
}

static fr_status take_property(const fr_tiled *tiled, const char *name, const fr_json_value *value,
                               fr_spawn *spawn, fr_error *error)
{
    int64_t number;
    fr_status status = FR_OK;
    if (strcmp(name, "count") == 0) {
        status = fr_json_int(tiled->json, value, 0, FR_UNITS_MAX, &number, error);
        spawn->count = status == FR_OK ? (int32_t)number : 0;
    } else if (strcmp(name, "team") == 0) {
        status = fr_json_int(tiled->json, value, 0, FR_TEAMS_MAX - 1, &number, error);
        spawn->team = status == FR_OK ? (int32_t)number : 0;
    } else if (strcmp(name, "class") == 0) {
        spawn->movement_class = fr_class_from_name(fr_json_string_or(value, ""));
        if (spawn->movement_class == FR_CLASS_COUNT) {
            status = fr_json_fail(tiled->json, value, error,
                                  "found \"%.40s\", expected foot, wheels, hover or air",
                                  fr_json_string_or(value, "no text"));
        }
    } else if (strcmp(name, "radius") == 0) {
        status = fr_json_float(tiled->json, value, FR_RADIUS_MIN, FR_RADIUS_MAX, &spawn->radius, error);
    } else if (strcmp(name, "speed") == 0) {
        status = fr_json_float(tiled->json, value, FR_SPEED_MIN, FR_SPEED_MAX, &spawn->speed, error);
    }
    return status;
}

static fr_status read_spawn(fr_tiled *tiled, const fr_tiled_layer *layer, const fr_json_value *object,
                            fr_error *error)
{
    static const char *const shapes[] = {"ellipse", "polygon", "polyline", "text"};
    fr_map *map = tiled->map;
    fr_spawn spawn = {.count = -1, .radius = FR_RADIUS_DEFAULT, .speed = FR_SPEED_DEFAULT};
    fr_status status = read_place(tiled, object, &spawn, error);
    const fr_json_value *cursor = fr_json_first(fr_json_get(object, "properties")), *value;
    fr_property property;
    while (status == FR_OK && fr_property_next(&cursor, &property, &value)) {
        status = take_property(tiled, property.name, value, &spawn, error);
    }
    if (status != FR_OK) {
        return status;
    }
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const fr_json_value *shape = fr_json_get(object, shapes[i]);
        if (shape != NULL && fr_json_bool_or(shape, true)) {
            fr_map_warn(
                map,
                "layer \"%s\": a spawn is a point or a rectangle, not a %s: its corner and size are used",
                layer->name, shapes[i]);
        }
    }
    map->spawns = fr_realloc(map->spawns, (size_t)map->spawn_count + 1, sizeof *map->spawns);
    map->spawns[map->spawn_count++] = spawn;
    return FR_OK;
}

fr_status fr_tiled_read_spawns(fr_tiled *tiled, const fr_tiled_layer *layer, fr_error *error)
{
    int templates = 0;
    const fr_json_value *object;
    fr_status status = fr_tiled_first(tiled, layer->value, "objects", &object, error);
    for (; status == FR_OK && object != NULL; object = fr_json_next(object)) {
        if (fr_json_get(object, "template") != NULL) {
            templates++;
        } else if (is_spawn(object)) {
            status = read_spawn(tiled, layer, object, error);
        }
    }
    if (templates > 0) {
        fr_map_warn(tiled->map, "layer \"%s\": %d objects made from templates are skipped", layer->name,
                    templates);
    }
    return status;
}
