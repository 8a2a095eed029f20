/* scenario_parse: reads a scenario file: the root with its map, doors and lanes, and the helpers for numbers
 * that must lie within the map. Groups and orders have files of their own. Strict: what the format does not
 * know is an error, and nothing is half loaded. */
#include "sim/scenario_parse.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "mapio/mapio.h"

/* Lines (doors, leaving) may end a little beyond the map: products of places (fr_cross) must not overflow. */
#define LINE_END_MIN (-1024.0)
#define LINE_END_MAX (FR_MAP_SIDE_MAX + 1024.0)

/* --- helpers ------------------------------------------------------------------------------------- */

fr_status fr_parse_member(const fr_scenario_parser *parser, const fr_json_value *object, const char *key,
                          const char *expected, const fr_json_value **out)
{
    *out = fr_json_get(object, key);
    if (*out == NULL) {
        return fr_json_fail(parser->json, object, parser->error, "\"%s\" is missing, expected %s", key,
                            expected);
    }
    return FR_OK;
}

fr_status fr_parse_array(const fr_scenario_parser *parser, const fr_json_value *object, const char *key,
                         const fr_json_value **out, int32_t *count)
{
    fr_status status = fr_parse_member(parser, object, key, "an array", out);
    if (status != FR_OK) {
        return status;
    }
    *count = fr_json_is_array(*out) ? fr_json_count(*out) : 0;
    if (*count == 0) {
        return fr_json_fail(parser->json, *out, parser->error, "expected an array with at least one element");
    }
    return FR_OK;
}

fr_status fr_parse_numbers(const fr_scenario_parser *parser, const fr_json_value *value, int count,
                           double min, double max, const char *what, double *out)
{
    if (!fr_json_is_array(value) || fr_json_count(value) != count) {
        return fr_json_fail(parser->json, value, parser->error, "expected %s", what);
    }
    int at = 0;
    fr_status status = FR_OK;
    for (const fr_json_value *v = fr_json_first(value); v != NULL && status == FR_OK; v = fr_json_next(v)) {
        status = fr_json_number(parser->json, v, min, max, &out[at++], parser->error);
    }
    return status;
}

fr_status fr_parse_line(const fr_scenario_parser *parser, const fr_json_value *object, double out[4])
{
    static const char form[] = "[x0, y0, x1, y1]";
    const fr_json_value *line;
    fr_status status = fr_parse_member(parser, object, "line", form, &line);
    if (status == FR_OK) {
        status = fr_parse_numbers(parser, line, 4, LINE_END_MIN, LINE_END_MAX, form, out);
    }
    if (status == FR_OK && out[0] == out[2] && out[1] == out[3]) {
        status = fr_json_fail(parser->json, line, parser->error, "the line has no length");
    }
    return status;
}

fr_status fr_parse_goal(const fr_scenario_parser *parser, const fr_json_value *value, double out[2])
{
    fr_grid grid = parser->scenario->map->grid;
    double point[2];
    fr_status status = fr_parse_numbers(parser, value, 2, -1e9, 1e9, "[x, y]", point);
    if (status != FR_OK) {
        return status;
    }
    if (point[0] < 0.0 || point[1] < 0.0 || point[0] >= grid.width || point[1] >= grid.height) {
        return fr_json_fail(parser->json, value, parser->error,
                            "(%g, %g) lies outside the map of %dx%d cells", point[0], point[1], grid.width,
                            grid.height);
    }
    out[0] = point[0];
    out[1] = point[1];
    return FR_OK;
}

fr_status fr_parse_area(const fr_scenario_parser *parser, const fr_json_value *value, double out[4])
{
    fr_grid grid = parser->scenario->map->grid;
    double area[4];
    fr_status status = fr_parse_numbers(parser, value, 4, -1e9, 1e9, "[x, y, width, height]", area);
    if (status != FR_OK) {
        return status;
    }
    if (!(area[2] > 0.0 && area[3] > 0.0)) {
        return fr_json_fail(parser->json, value, parser->error,
                            "width %g and height %g, expected more than 0", area[2], area[3]);
    }
    if (area[0] < 0.0 || area[1] < 0.0 || area[0] + area[2] > grid.width || area[1] + area[3] > grid.height) {
        return fr_json_fail(parser->json, value, parser->error,
                            "%gx%g at (%g, %g) reaches outside the map of %dx%d cells", area[2], area[3],
                            area[0], area[1], grid.width, grid.height);
    }
    memcpy(out, area, sizeof area);
    return FR_OK;
}

fr_status fr_parse_group_name(const fr_scenario_parser *parser, const fr_json_value *value, int32_t *group)
{
    const fr_scenario *scenario = parser->scenario;
    const char *name = fr_json_string_or(value, NULL);
    for (int32_t i = 0; i < scenario->group_count && name != NULL; i++) {
        if (strcmp(scenario->groups[i].name, name) == 0) {
            *group = i;
            return FR_OK;
        }
    }
    if (name == NULL) {
        return fr_json_fail(parser->json, value, parser->error, "expected the name of a group");
    }
    return fr_json_fail(parser->json, value, parser->error, "there is no group \"%.60s\"", name);
}

/* --- the root ------------------------------------------------------------------------------------ */

static fr_status parse_head(const fr_scenario_parser *parser, const fr_json_value *root)
{
    static const char *const keys[] = {"format",     "version", "map",   "seed",  "ticks",
                                       "groups",     "orders",  "doors", "lanes", "ring",
                                       "congestion", "threats", NULL};
    fr_scenario *scenario = parser->scenario;
    const char *format;
    int64_t version, seed = 1, ticks = 0;
    /* The format first: for a file of another kind "unknown key" would be no help. */
    fr_status status = fr_json_get_string(parser->json, root, "format", &format, parser->error);
    if (status == FR_OK && strcmp(format, "freshet-scenario") != 0) {
        status = fr_json_fail(parser->json, fr_json_get(root, "format"), parser->error,
                              "found \"%.40s\", expected \"freshet-scenario\"", format);
    }
    if (status == FR_OK) {
        status = fr_json_get_int(parser->json, root, "version", 1, 1, &version, parser->error);
    }
    if (status == FR_OK) {
        status = fr_json_check_keys(parser->json, root, keys, parser->error);
    }
    if (status == FR_OK && fr_json_get(root, "seed") != NULL) {
        status = fr_json_get_int(parser->json, root, "seed", 0, INT64_MAX, &seed, parser->error);
    }
    scenario->has_ticks = fr_json_get(root, "ticks") != NULL;
    if (status == FR_OK && scenario->has_ticks) {
        status =
            fr_json_get_int(parser->json, root, "ticks", 1, FR_SCENARIO_TICKS_MAX, &ticks, parser->error);
    }
    scenario->seed = (uint64_t)seed;
    scenario->ticks = (uint32_t)ticks;
    return status;
}

/* `name` as seen from the folder of the scenario. The caller frees it. */
static char *resolve_path(const char *scenario_path, const char *name)
{
    const char *slash = strrchr(scenario_path, '/');
    if (name[0] == '/' || slash == NULL) {
        return fr_strdup(name);
    }
    size_t folder = (size_t)(slash - scenario_path) + 1, length = strlen(name) + 1;
    char *path = fr_alloc(folder + length, 1);
    memcpy(path, scenario_path, folder);
    memcpy(path + folder, name, length);
    return path;
}

static fr_status parse_map(const fr_scenario_parser *parser, const fr_io *io, const fr_json_value *root)
{
    fr_scenario *scenario = parser->scenario;
    const fr_json_value *map;
    fr_status status = fr_parse_member(parser, root, "map", "a path or an inline grid", &map);
    if (status != FR_OK) {
        return status;
    }
    if (fr_json_is_object(map)) {
        scenario->map_name = fr_strdup("inline");
        scenario->map = fr_map_from_rows(scenario->path, parser->json, map, parser->error);
    } else if (fr_json_is_string(map) && fr_json_string_or(map, "")[0] != '\0') {
        scenario->map_name = fr_strdup(fr_json_string_or(map, ""));
        char *path = resolve_path(scenario->path, scenario->map_name);
        scenario->map = fr_map_load(io, path, parser->error);
        fr_free(path);
    } else {
        return fr_json_fail(parser->json, map, parser->error, "expected a path or an inline grid");
    }
    return scenario->map != NULL ? FR_OK : FR_BAD_INPUT;
}

static fr_status parse_door(const fr_scenario_parser *parser, const fr_json_value *value,
                            fr_scenario_door *door)
{
    static const char *const keys[] = {"name", "line", NULL};
    const fr_scenario *scenario = parser->scenario;
    const char *name;
    fr_status status = fr_json_check_keys(parser->json, value, keys, parser->error);
    if (status == FR_OK) {
        status = fr_json_get_string(parser->json, value, "name", &name, parser->error);
    }
    if (status != FR_OK) {
        return status;
    }
    for (const fr_scenario_door *other = scenario->doors; other < door; other++) {
        if (strcmp(other->name, name) == 0) {
            return fr_json_fail(parser->json, fr_json_get(value, "name"), parser->error,
                                "two doors are called \"%.60s\"", name);
        }
    }
    door->name = fr_strdup(name);
    return fr_parse_line(parser, value, door->line);
}

static fr_status parse_doors(const fr_scenario_parser *parser, const fr_json_value *root)
{
    fr_scenario *scenario = parser->scenario;
    const fr_json_value *doors = fr_json_get(root, "doors");
    if (doors == NULL) {
        return FR_OK;
    }
    if (!fr_json_is_array(doors)) {
        return fr_json_fail(parser->json, doors, parser->error, "expected an array of doors");
    }
    scenario->doors = fr_alloc((size_t)fr_json_count(doors) + 1, sizeof *scenario->doors);
    fr_status status = FR_OK;
    for (const fr_json_value *v = fr_json_first(doors); v != NULL && status == FR_OK; v = fr_json_next(v)) {
        status = parse_door(parser, v, &scenario->doors[scenario->door_count++]);
    }
    return status;
}

static fr_status parse_lanes(const fr_scenario_parser *parser, const fr_json_value *root)
{
    static const char *const keys[] = {"area", "axis", "groups", NULL};
    fr_scenario *scenario = parser->scenario;
    const fr_json_value *lanes = fr_json_get(root, "lanes"), *area, *groups;
    const char *axis = NULL;
    int32_t count = 0;
    if (lanes == NULL) {
        return FR_OK;
    }
    scenario->has_lanes = true;
    fr_status status = fr_json_check_keys(parser->json, lanes, keys, parser->error);
    if (status == FR_OK) {
        status = fr_parse_member(parser, lanes, "area", "[x, y, width, height]", &area);
    }
    if (status == FR_OK) {
        status = fr_parse_area(parser, area, scenario->lanes_area);
    }
    if (status == FR_OK) {
        status = fr_json_get_string(parser->json, lanes, "axis", &axis, parser->error);
    }
    if (status == FR_OK && strcmp(axis, "x") != 0 && strcmp(axis, "y") != 0) {
        status = fr_json_fail(parser->json, fr_json_get(lanes, "axis"), parser->error,
                              "found \"%.40s\", expected \"x\" or \"y\"", axis);
    }
    if (status == FR_OK) {
        scenario->lanes_axis_y = strcmp(axis, "y") == 0;
        status = fr_parse_array(parser, lanes, "groups", &groups, &count);
    }
    if (status == FR_OK && count != 2) {
        status = fr_json_fail(parser->json, groups, parser->error, "%d groups, expected 2", count);
    }
    if (status == FR_OK) {
        const fr_json_value *first = fr_json_first(groups);
        status = fr_parse_group_name(parser, first, &scenario->lanes_groups[0]);
        if (status == FR_OK) {
            status = fr_parse_group_name(parser, fr_json_next(first), &scenario->lanes_groups[1]);
        }
    }
    if (status == FR_OK && scenario->lanes_groups[0] == scenario->lanes_groups[1]) {
        status =
            fr_json_fail(parser->json, groups, parser->error, "the same group twice, expected two groups");
    }
    return status;
}

/* Merges two sorted halves; of equal ticks the left one goes first. */
static void merge_orders(const fr_scenario_order *from, int32_t left, int32_t middle, int32_t right,
                         fr_scenario_order *to)
{
    int32_t a = left, b = middle;
    for (int32_t at = left; at < right; at++) {
        bool takes_left = a < middle && (b >= right || from[a].tick <= from[b].tick);
        to[at] = from[takes_left ? a++ : b++];
    }
}

/* Stable: orders of one tick stay in file order. */
static void sort_orders(fr_scenario *scenario)
{
    int32_t count = scenario->order_count;
    fr_scenario_order *from = scenario->orders, *to = fr_alloc((size_t)count + 1, sizeof *to);
    for (int64_t width = 1; width < count; width *= 2) {
        for (int64_t left = 0; left < count; left += 2 * width) {
            int64_t middle = left + width < count ? left + width : count;
            int64_t right = middle + width < count ? middle + width : count;
            merge_orders(from, (int32_t)left, (int32_t)middle, (int32_t)right, to);
        }
        fr_scenario_order *swap = from;
        from = to;
        to = swap;
    }
    scenario->orders = from;
    fr_free(to);
}

/* File name without folders and without its extension. The caller frees it. */
static char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *name = fr_strdup(slash != NULL ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot != NULL && dot != name) {
        *dot = '\0';
    }
    return name;
}

fr_scenario *fr_scenario_load(const fr_io *io, const char *path, fr_error *error)
{
    fr_buffer bytes = {0};
    if (io->read(io->self, path, &bytes, error) != FR_OK) {
        return NULL;
    }
    fr_json *json = fr_json_parse(path, bytes.data, bytes.size, error);
    fr_buffer_fini(&bytes);
    if (json == NULL) {
        return NULL;
    }
    fr_scenario *scenario = fr_alloc(1, sizeof *scenario);
    scenario->path = fr_strdup(path);
    scenario->name = base_name(path);
    fr_scenario_parser parser = {json, scenario, error};
    const fr_json_value *root = fr_json_root(json);
    fr_status status = parse_head(&parser, root);
    if (status == FR_OK) {
        status = parse_map(&parser, io, root);
    }
    if (status == FR_OK) {
        status = fr_parse_extras(&parser, root);
    }
    if (status == FR_OK) {
        status = fr_parse_groups(&parser, root);
    }
    if (status == FR_OK) {
        status = fr_parse_orders(&parser, root);
    }
    if (status == FR_OK) {
        status = parse_doors(&parser, root);
    }
    if (status == FR_OK) {
        status = parse_lanes(&parser, root);
    }
    fr_json_destroy(json);
    if (status != FR_OK) {
        fr_scenario_destroy(scenario);
        return NULL;
    }
    sort_orders(scenario);
    return scenario;
}
