/* rows: the grids that scenarios carry inside: rows of letters and a legend of costs. */
#include "mapio/mapio.h"

#include <string.h>

#include "base/memory.h"
#include "mapio/ground.h"

/* Letters are ASCII: one byte is one cell. */
typedef struct legend {
    uint8_t costs[128]; /* 0 = not in the legend */
} legend;

static fr_status read_legend(const fr_json *json, const fr_json_value *value, legend *out, fr_error *error)
{
    if (!fr_json_is_object(value)) {
        return fr_json_fail(json, value, error, "expected letters and costs");
    }
    for (const fr_json_value *v = fr_json_first(value); v != NULL; v = fr_json_next(v)) {
        const uint8_t *key = (const uint8_t *)fr_json_key(v);
        int64_t cost;
        if (key[0] == '\0' || key[0] >= sizeof out->costs || key[1] != '\0') {
            return fr_json_fail(json, v, error, "expected one ASCII letter as the key");
        }
        if (out->costs[key[0]] != 0) {
            return fr_json_fail(json, v, error, "this letter appears twice");
        }
        fr_status status = fr_json_int(json, v, 1, FR_COST_WALL, &cost, error);
        if (status != FR_OK) {
            return status;
        }
        out->costs[key[0]] = (uint8_t)cost;
    }
    return FR_OK;
}

static fr_status read_size(const fr_json *json, const fr_json_value *rows, fr_grid *out, fr_error *error)
{
    if (!fr_json_is_array(rows) || fr_json_first(rows) == NULL) {
        return fr_json_fail(json, rows, error, "expected rows of letters");
    }
    size_t height = (size_t)fr_json_count(rows), width = 0;
    for (const fr_json_value *row = fr_json_first(rows); row != NULL; row = fr_json_next(row)) {
        const char *text = fr_json_string_or(row, NULL);
        if (text == NULL || *text == '\0') {
            return fr_json_fail(json, row, error, "expected a row of letters");
        }
        size_t length = strlen(text);
        width = width == 0 ? length : width;
        if (length != width) {
            return fr_json_fail(json, row, error, "found %zu letters, expected %zu as in the first row",
                                length, width);
        }
    }
    if (width > FR_MAP_SIDE_MAX || height > FR_MAP_SIDE_MAX || width * height > FR_MAP_CELLS_MAX) {
        return fr_json_fail(json, rows, error, "map of %zu x %zu, at most %d a side and %d cells in all",
                            width, height, FR_MAP_SIDE_MAX, FR_MAP_CELLS_MAX);
    }
    *out = (fr_grid){(int32_t)width, (int32_t)height};
    return FR_OK;
}

static fr_status fill(fr_map *map, const fr_json *json, const fr_json_value *rows, const legend *letters,
                      fr_error *error)
{
    int32_t at = 0;
    for (const fr_json_value *row = fr_json_first(rows); row != NULL; row = fr_json_next(row)) {
        const uint8_t *text = (const uint8_t *)fr_json_string_or(row, "");
        for (int32_t x = 0; x < map->grid.width; x++, at++) {
            uint8_t cost = text[x] < sizeof letters->costs ? letters->costs[text[x]] : 0;
            if (cost == 0) {
                return fr_json_fail(json, row, error, "letter %d is not in the legend", x + 1);
            }
            map->costs[FR_CLASS_FOOT][at] = cost;
            map->terrain[at] = (uint8_t)fr_ground_kind_of_cost(cost);
        }
    }
    return FR_OK;
}

fr_map *fr_map_from_rows(const char *name, const fr_json *json, const fr_json_value *value, fr_error *error)
{
    static const char *const keys[] = {"rows", "legend", NULL};
    legend letters = {0};
    fr_grid grid;
    if (fr_json_check_keys(json, value, keys, error) != FR_OK) {
        return NULL;
    }
    const fr_json_value *rows = fr_json_get(value, "rows"), *legend_value = fr_json_get(value, "legend");
    if (rows == NULL || legend_value == NULL) {
        fr_json_fail(json, value, error, "\"%s\" is missing", rows == NULL ? "rows" : "legend");
        return NULL;
    }
    if (read_legend(json, legend_value, &letters, error) != FR_OK ||
        read_size(json, rows, &grid, error) != FR_OK) {
        return NULL;
    }
    fr_map *map = fr_map_create(name, grid);
    map->format = FR_MAP_INLINE;
    map->has_terrain = true;
    if (fill(map, json, rows, &letters, error) != FR_OK) {
        fr_map_destroy(map);
        return NULL;
    }
    return map;
}
