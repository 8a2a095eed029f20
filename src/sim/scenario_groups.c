/* scenario_groups: the "groups" of a scenario file. */
#include "sim/scenario_parse.h"

#include <string.h>

#include "base/memory.h"

/* Optional member within limits that are floats: the number in the file is compared after rounding to float,
 * so that a stated limit is itself allowed. */
static fr_status parse_float(const fr_scenario_parser *parser, const fr_json_value *object, const char *key,
                             float min, float max, float *out)
{
    const fr_json_value *value = fr_json_get(object, key);
    if (value == NULL) {
        return FR_OK;
    }
    double number;
    fr_status status = fr_json_number(parser->json, value, -1e9, 1e9, &number, parser->error);
    if (status == FR_OK && !((float)number >= min && (float)number <= max)) {
        status = fr_json_fail(parser->json, value, parser->error, "found %.9g, expected a number in %g..%g",
                              number, (double)min, (double)max);
    }
    if (status != FR_OK) {
        return status;
    }
    *out = (float)number;
    return FR_OK;
}

static fr_status parse_name(const fr_scenario_parser *parser, const fr_json_value *value,
                            fr_scenario_group *group)
{
    const char *name;
    fr_status status = fr_json_get_string(parser->json, value, "name", &name, parser->error);
    if (status != FR_OK) {
        return status;
    }
    const fr_json_value *at = fr_json_get(value, "name");
    if (name[0] == '\0') {
        return fr_json_fail(parser->json, at, parser->error, "empty, expected a name");
    }
    for (const char *c = name; *c != '\0'; c++) {
        /* A name stands in the lines of positions files. */
        if ((unsigned char)*c < 0x20) {
            return fr_json_fail(parser->json, at, parser->error, "control character in a name");
        }
    }
    for (const fr_scenario_group *other = parser->scenario->groups; other < group; other++) {
        if (strcmp(other->name, name) == 0) {
            return fr_json_fail(parser->json, at, parser->error, "two groups are called \"%.60s\"", name);
        }
    }
    group->name = fr_strdup(name);
    return FR_OK;
}

static fr_status parse_kind(const fr_scenario_parser *parser, const fr_json_value *value,
                            fr_scenario_group *group)
{
    int64_t team = 0;
    fr_status status = FR_OK;
    group->movement_class = FR_CLASS_FOOT;
    group->radius = FR_RADIUS_DEFAULT;
    group->speed = FR_SPEED_DEFAULT;
    if (fr_json_get(value, "team") != NULL) {
        status = fr_json_get_int(parser->json, value, "team", 0, FR_TEAMS_MAX - 1, &team, parser->error);
    }
    group->team = (int32_t)team;
    if (status == FR_OK && fr_json_get(value, "class") != NULL) {
        const char *name;
        status = fr_json_get_string(parser->json, value, "class", &name, parser->error);
        if (status == FR_OK && (group->movement_class = fr_class_from_name(name)) == FR_CLASS_COUNT) {
            status = fr_json_fail(parser->json, fr_json_get(value, "class"), parser->error,
                                  "found \"%.40s\", expected foot, wheels, hover or air", name);
        }
    }
    if (status == FR_OK) {
        status = parse_float(parser, value, "radius", FR_RADIUS_MIN, FR_RADIUS_MAX, &group->radius);
    }
    if (status == FR_OK) {
        status = parse_float(parser, value, "speed", FR_SPEED_MIN, FR_SPEED_MAX, &group->speed);
    }
    return status;
}

static fr_status parse_leave(const fr_scenario_parser *parser, const fr_json_value *value,
                             fr_scenario_group *group)
{
    static const char *const keys[] = {"line", NULL};
    const fr_json_value *leave = fr_json_get(value, "leave");
    if (leave == NULL) {
        return FR_OK;
    }
    group->leaves = true;
    fr_status status = fr_json_check_keys(parser->json, leave, keys, parser->error);
    return status == FR_OK ? fr_parse_line(parser, leave, group->leave) : status;
}

static fr_status parse_unit(const fr_scenario_parser *parser, const fr_json_value *value,
                            fr_scenario_unit *unit)
{
    fr_grid grid = parser->scenario->map->grid;
    double numbers[4];
    unit->has_goal = fr_json_is_array(value) && fr_json_count(value) == 4;
    fr_status status = fr_parse_numbers(parser, value, unit->has_goal ? 4 : 2, -1e9, 1e9,
                                        "[x, y] or [x, y, goal_x, goal_y]", numbers);
    for (int i = 0; i < (unit->has_goal ? 4 : 2) && status == FR_OK; i += 2) {
        if (numbers[i] < 0.0 || numbers[i + 1] < 0.0 || numbers[i] >= grid.width ||
            numbers[i + 1] >= grid.height) {
            status = fr_json_fail(
                parser->json, value, parser->error, "%s (%g, %g) lies outside the map of %dx%d cells",
                i == 0 ? "place" : "goal", numbers[i], numbers[i + 1], grid.width, grid.height);
        }
    }
    if (status != FR_OK) {
        return status;
    }
    unit->x = numbers[0];
    unit->y = numbers[1];
    unit->goal_x = unit->has_goal ? numbers[2] : 0.0;
    unit->goal_y = unit->has_goal ? numbers[3] : 0.0;
    return FR_OK;
}

static fr_status parse_every(const fr_scenario_parser *parser, const fr_json_value *value,
                             fr_scenario_group *group)
{
    int64_t every = 0;
    fr_status status = FR_OK;
    if (fr_json_get(value, "every") != NULL) {
        status =
            fr_json_get_int(parser->json, value, "every", 1, FR_SCENARIO_TICKS_MAX, &every, parser->error);
    }
    group->every = (uint32_t)every;
    return status;
}

/* More would be another place (cells). */
#define NOISE_MAX 1.0

/* Either "units", or "count" and "area". */
static fr_status parse_places(const fr_scenario_parser *parser, const fr_json_value *value,
                              fr_scenario_group *group)
{
    const fr_json_value *units = fr_json_get(value, "units"), *area;
    const fr_json_value *noise = fr_json_get(value, "noise");
    if (units == NULL) {
        int64_t count;
        if (noise != NULL) {
            return fr_json_fail(parser->json, noise, parser->error, "expected beside \"units\" only");
        }
        fr_status status =
            fr_json_get_int(parser->json, value, "count", 1, FR_UNITS_MAX, &count, parser->error);
        if (status == FR_OK) {
            group->count = (int32_t)count;
            status = fr_parse_member(parser, value, "area", "[x, y, width, height]", &area);
        }
        if (status == FR_OK) {
            status = fr_parse_area(parser, area, group->area);
        }
        return status == FR_OK ? parse_every(parser, value, group) : status;
    }
    if (noise != NULL) {
        fr_status status = fr_json_number(parser->json, noise, 0.0, NOISE_MAX, &group->noise, parser->error);
        if (status != FR_OK) {
            return status;
        }
    }
    static const char *const others[] = {"count", "area", "every"};
    for (int i = 0; i < 3; i++) {
        const char *other = others[i];
        if (fr_json_get(value, other) != NULL) {
            return fr_json_fail(parser->json, fr_json_get(value, other), parser->error,
                                "stands beside \"units\", expected one or the other");
        }
    }
    int32_t count;
    fr_status status = fr_parse_array(parser, value, "units", &units, &count);
    if (status != FR_OK) {
        return status;
    }
    group->units = fr_alloc((size_t)count, sizeof *group->units);
    for (const fr_json_value *v = fr_json_first(units); v != NULL && status == FR_OK; v = fr_json_next(v)) {
        status = parse_unit(parser, v, &group->units[group->unit_count++]);
    }
    return status;
}

static fr_status parse_group(const fr_scenario_parser *parser, const fr_json_value *value,
                             fr_scenario_group *group)
{
    static const char *const keys[] = {"name",  "team",  "class", "count", "area",  "radius",
                                       "speed", "units", "leave", "every", "noise", NULL};
    fr_status status = fr_json_check_keys(parser->json, value, keys, parser->error);
    if (status == FR_OK) {
        status = parse_name(parser, value, group);
    }
    if (status == FR_OK) {
        status = parse_kind(parser, value, group);
    }
    if (status == FR_OK) {
        status = parse_leave(parser, value, group);
    }
    return status == FR_OK ? parse_places(parser, value, group) : status;
}

fr_status fr_parse_groups(const fr_scenario_parser *parser, const fr_json_value *root)
{
    fr_scenario *scenario = parser->scenario;
    const fr_json_value *groups;
    int32_t count;
    int64_t units = 0;
    fr_status status = fr_parse_array(parser, root, "groups", &groups, &count);
    if (status != FR_OK) {
        return status;
    }
    if (count > FR_GROUPS_MAX) {
        return fr_json_fail(parser->json, groups, parser->error, "%d groups, expected at most %d", count,
                            FR_GROUPS_MAX);
    }
    scenario->groups = fr_alloc((size_t)count, sizeof *scenario->groups);
    for (const fr_json_value *v = fr_json_first(groups); v != NULL; v = fr_json_next(v)) {
        fr_scenario_group *group = &scenario->groups[scenario->group_count++];
        status = parse_group(parser, v, group);
        if (status != FR_OK) {
            return status;
        }
        units += group->count + group->unit_count;
        if (units > FR_UNITS_MAX) {
            return fr_json_fail(parser->json, v, parser->error,
                                "%lld units with this group, expected at most %d", (long long)units,
                                FR_UNITS_MAX);
        }
    }
    return FR_OK;
}
