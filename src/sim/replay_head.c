/* replay_head: the first line of a recording: versions, map, groups and units. Everything is checked: a
 * recording may have been cut, edited, or made with another map. */
#include "sim/replay_file.h"

#include <string.h>

#include "base/memory.h"
#include "grid/nav.h"
#include "mapio/mapio.h"
#include "sim/replay_format.h"

static fr_status check_versions(const fr_json *json, const fr_json_value *head, fr_error *error)
{
    static const char *const keys[] = {"format",      "version",         "program",   "field_rule", "map",
                                       "cost_hashes", "full_speed_cost", "nav_scale", "seed",       "mover",
                                       "without",     "groups",          "units",     NULL};
    const char *format, *program;
    int64_t version, rule = 0;
    fr_status status = fr_json_get_string(json, head, "format", &format, error);
    if (status == FR_OK && strcmp(format, FR_REPLAY_FORMAT) != 0) {
        status = fr_json_fail(json, fr_json_get(head, "format"), error,
                              "found \"%.40s\", expected \"" FR_REPLAY_FORMAT "\"", format);
    }
    if (status == FR_OK) {
        status =
            fr_json_get_int(json, head, "version", FR_REPLAY_VERSION, FR_REPLAY_VERSION, &version, error);
    }
    if (status == FR_OK) {
        status = fr_json_check_keys(json, head, keys, error);
    }
    if (status == FR_OK) {
        status = fr_json_get_string(json, head, "program", &program, error);
    }
    if (status == FR_OK) {
        status = fr_json_get_int(json, head, "field_rule", 0, INT32_MAX, &rule, error);
    }
    if (status == FR_OK && rule != FR_FIELD_RULE_VERSION) {
        status =
            fr_json_fail(json, fr_json_get(head, "field_rule"), error,
                         "recorded by version %.20s under rule %d for when fields appear, expected rule %d",
                         program, (int)rule, FR_FIELD_RULE_VERSION);
    }
    return status;
}

/* --- the map ------------------------------------------------------------------------------------- */

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static fr_status read_cost_row(const fr_json *json, const fr_json_value *value, uint8_t *costs, int32_t width,
                               fr_error *error)
{
    const char *row = fr_json_string_or(value, "");
    if (strlen(row) != 2 * (size_t)width) {
        return fr_json_fail(json, value, error, "expected %d hex digits", 2 * width);
    }
    for (int32_t x = 0; x < width; x++) {
        int high = hex_digit(row[2 * x]), low = hex_digit(row[2 * x + 1]);
        if (high < 0 || low < 0 || (high == 0 && low == 0)) {
            return fr_json_fail(json, value, error, "cell %d: \"%.2s\", expected a cost in 01..ff", x,
                                row + 2 * x);
        }
        costs[x] = (uint8_t)(high * 16 + low);
    }
    return FR_OK;
}

static fr_status read_inline_map(fr_replay *replay, const fr_json *json, const fr_json_value *map,
                                 fr_error *error)
{
    static const char *const keys[] = {"costs", NULL};
    const fr_json_value *rows;
    fr_status status = fr_json_check_keys(json, map, keys, error);
    if (status == FR_OK) {
        status = fr_replay_read_array(json, map, "costs", &rows, error);
    }
    if (status != FR_OK) {
        return status;
    }
    size_t width = strlen(fr_json_string_or(fr_json_first(rows), "")) / 2,
           height = (size_t)fr_json_count(rows);
    if (width < 1 || height < 1 || width > FR_MAP_SIDE_MAX || height > FR_MAP_SIDE_MAX ||
        width * height > FR_MAP_CELLS_MAX) {
        return fr_json_fail(json, rows, error, "%zux%zu cells, expected 1..%d a side", width, height,
                            FR_MAP_SIDE_MAX);
    }
    replay->map = fr_map_create(replay->path, (fr_grid){(int32_t)width, (int32_t)height});
    replay->map->format = FR_MAP_INLINE;
    uint8_t *costs = replay->map->costs[FR_CLASS_FOOT];
    for (const fr_json_value *v = fr_json_first(rows); v != NULL && status == FR_OK; v = fr_json_next(v)) {
        status = read_cost_row(json, v, costs, (int32_t)width, error);
        costs += width;
    }
    return status;
}

/* As named, seen from the working directory; else from the folder of the recording. */
static fr_status load_map(fr_replay *replay, const fr_io *io, const char *name, fr_error *error)
{
    replay->map = fr_map_load(io, name, error);
    const char *slash = strrchr(replay->path, '/');
    if (replay->map != NULL || name[0] == '/' || slash == NULL) {
        return replay->map != NULL ? FR_OK : FR_BAD_INPUT;
    }
    size_t folder = (size_t)(slash - replay->path) + 1;
    char *path = fr_alloc(folder + strlen(name) + 1, 1);
    memcpy(path, replay->path, folder);
    memcpy(path + folder, name, strlen(name));
    /* If this fails too, the first message is the one that helps. */
    replay->map = fr_map_load(io, path, NULL);
    fr_free(path);
    return replay->map != NULL ? FR_OK : FR_BAD_INPUT;
}

/* Costs and speeds must be those of the recording, or nothing would play out alike. */
static fr_status check_costs(const fr_replay *replay, const fr_json *json, const fr_json_value *head,
                             fr_error *error)
{
    const fr_json_value *hashes;
    int64_t full_speed_cost = 0;
    fr_status status = fr_replay_read_array(json, head, "cost_hashes", &hashes, error);
    if (status == FR_OK && fr_json_count(hashes) != FR_CLASS_COUNT) {
        status = fr_json_fail(json, hashes, error, "expected %d hashes", FR_CLASS_COUNT);
    }
    int c = 0;
    for (const fr_json_value *v = fr_json_first(hashes); v != NULL && status == FR_OK;
         v = fr_json_next(v), c++) {
        uint64_t hash = 0, found = fr_map_cost_hash(replay->map, (fr_class)c);
        status = fr_replay_read_hash(json, v, &hash, error);
        if (status == FR_OK && hash != found) {
            status = fr_json_fail(json, v, error, "map \"%.200s\" has changed: cost hash %016llx for %s",
                                  replay->map->path, (unsigned long long)found, fr_class_name((fr_class)c));
        }
    }
    if (status == FR_OK) {
        status = fr_json_get_int(json, head, "full_speed_cost", 1, FR_COST_WALL - 1, &full_speed_cost, error);
    }
    if (status == FR_OK && full_speed_cost != replay->map->full_speed_cost) {
        status = fr_json_fail(json, fr_json_get(head, "full_speed_cost"), error,
                              "map \"%.200s\" has changed: its full_speed_cost is %d", replay->map->path,
                              replay->map->full_speed_cost);
    }
    return status;
}

/* Written only where a field cell is not a tile; an inline map has it from here. */
static fr_status check_nav_scale(fr_replay *replay, const fr_json *json, const fr_json_value *head,
                                 fr_error *error)
{
    const fr_json_value *value = fr_json_get(head, "nav_scale");
    int32_t shift = 0;
    if (value != NULL &&
        (!fr_nav_shift_of(fr_json_number_or(value, 0), &shift) || !fr_nav_fits(replay->map->grid, shift))) {
        return fr_json_fail(json, value, error, "expected 0.5, 1, 2 or 4, as the size of the map allows");
    }
    if (replay->map->format == FR_MAP_INLINE) {
        replay->map->nav_shift = shift;
    }
    if (shift != replay->map->nav_shift) {
        return fr_json_fail(json, value != NULL ? value : head, error,
                            "map \"%.200s\" has changed: its nav_scale is %g", replay->map->path,
                            fr_nav_scale(replay->map->nav_shift));
    }
    return FR_OK;
}

static fr_status read_map(fr_replay *replay, const fr_io *io, const fr_json *json, const fr_json_value *head,
                          fr_error *error)
{
    const fr_json_value *map = fr_json_get(head, "map");
    fr_status status;
    if (fr_json_is_object(map)) {
        status = read_inline_map(replay, json, map, error);
    } else {
        const char *name;
        status = fr_json_get_string(json, head, "map", &name, error);
        status = status == FR_OK ? load_map(replay, io, name, error) : status;
    }
    status = status == FR_OK ? check_nav_scale(replay, json, head, error) : status;
    return status == FR_OK ? check_costs(replay, json, head, error) : status;
}

/* --- movement ------------------------------------------------------------------------------------ */

fr_status fr_replay_read_movement(const fr_json *json, const fr_json_value *object, fr_mover *mover,
                                  uint32_t *without, fr_error *error)
{
    const fr_json_value *name = fr_json_get(object, "mover"), *names = fr_json_get(object, "without");
    if (name != NULL) {
        *mover = fr_mover_from_name(fr_json_string_or(name, ""));
        if (*mover == FR_MOVER_COUNT) {
            return fr_json_fail(json, name, error, "expected the name of a mover");
        }
    }
    if (names == NULL) {
        return FR_OK;
    }
    if (!fr_json_is_array(names)) {
        return fr_json_fail(json, names, error, "expected an array of mechanisms");
    }
    for (const fr_json_value *v = fr_json_first(names); v != NULL; v = fr_json_next(v)) {
        const char *mechanism = fr_json_string_or(v, "");
        uint32_t bit = fr_mechanism_bit(mechanism, strlen(mechanism));
        if (bit == 0) {
            return fr_json_fail(json, v, error, "expected the name of a mechanism");
        }
        *without |= bit;
    }
    return FR_OK;
}

/* --- groups and units ---------------------------------------------------------------------------- */

static fr_status read_group(const fr_json *json, const fr_json_value *value, fr_group_def *group,
                            fr_error *error)
{
    static const char *const keys[] = {"name", "leave", NULL};
    const char *name;
    fr_status status = fr_json_check_keys(json, value, keys, error);
    if (status == FR_OK) {
        status = fr_json_get_string(json, value, "name", &name, error);
    }
    if (status != FR_OK) {
        return status;
    }
    group->name = fr_strdup(name);
    const fr_json_value *leave = fr_json_get(value, "leave");
    if (leave == NULL) {
        return FR_OK;
    }
    if (!fr_json_is_array(leave) || fr_json_count(leave) != 2) {
        return fr_json_fail(json, leave, error, "expected two positions");
    }
    group->leaves = true;
    const fr_json_value *first = fr_json_first(leave);
    status = fr_replay_read_position(json, first, &group->leave_from, error);
    return status == FR_OK ? fr_replay_read_position(json, fr_json_next(first), &group->leave_to, error)
                           : status;
}

static fr_status read_groups(fr_replay *replay, const fr_json *json, const fr_json_value *head,
                             fr_error *error)
{
    const fr_json_value *groups;
    fr_status status = fr_replay_read_array(json, head, "groups", &groups, error);
    if (status == FR_OK && fr_json_count(groups) > UINT16_MAX) {
        status = fr_json_fail(json, groups, error, "more than %d groups", UINT16_MAX);
    }
    if (status != FR_OK) {
        return status;
    }
    replay->groups = fr_alloc((size_t)fr_json_count(groups) + 1, sizeof *replay->groups);
    for (const fr_json_value *v = fr_json_first(groups); v != NULL && status == FR_OK; v = fr_json_next(v)) {
        status = read_group(json, v, &replay->groups[replay->group_count++], error);
    }
    return status;
}

/* A float that was written in full: it must come back as it was. */
static fr_status read_float(const fr_json *json, const fr_json_value *value, float min, float max, float *out,
                            fr_error *error)
{
    double number = 0.0;
    fr_status status = fr_json_number(json, value, (double)min, (double)max, &number, error);
    *out = (float)number;
    return status;
}

fr_status fr_replay_read_unit(const fr_replay *replay, const fr_json *json, const fr_json_value *value,
                              fr_unit_def *unit, fr_error *error)
{
    const fr_json_value *member[7];
    int count = 0;
    for (const fr_json_value *v = fr_json_first(value); v != NULL && count < 7; v = fr_json_next(v)) {
        member[count++] = v;
    }
    if (!fr_json_is_array(value) || fr_json_count(value) != 7) {
        return fr_json_fail(json, value, error, "expected [x, y, radius, speed, team, class, group]");
    }
    fr_grid grid = replay->map->grid;
    int64_t x = 0, y = 0, team = 0, movement_class = 0, group = 0;
    fr_status status = fr_json_int(json, member[0], 0, grid.width * (int64_t)FR_POSITION_ONE - 1, &x, error);
    if (status == FR_OK) {
        status = fr_json_int(json, member[1], 0, grid.height * (int64_t)FR_POSITION_ONE - 1, &y, error);
    }
    if (status == FR_OK) {
        status = read_float(json, member[2], FR_RADIUS_MIN, FR_RADIUS_MAX, &unit->radius, error);
    }
    if (status == FR_OK) {
        status = read_float(json, member[3], FR_SPEED_MIN, FR_SPEED_MAX, &unit->speed, error);
    }
    if (status == FR_OK) {
        status = fr_json_int(json, member[4], 0, FR_TEAMS_MAX - 1, &team, error);
    }
    if (status == FR_OK) {
        status = fr_json_int(json, member[5], 0, FR_CLASS_COUNT - 1, &movement_class, error);
    }
    if (status == FR_OK) {
        status = fr_json_int(json, member[6], 0, (int64_t)replay->group_count - 1, &group, error);
    }
    if (status != FR_OK) {
        return status;
    }
    unit->position = (fr_position){(int32_t)x, (int32_t)y};
    unit->team = (uint8_t)team;
    unit->movement_class = (fr_class)movement_class;
    unit->group = (uint16_t)group;
    return FR_OK;
}

static fr_status read_unit(fr_replay *replay, const fr_json *json, const fr_json_value *value,
                           fr_error *error)
{
    fr_unit_def *unit = &replay->units[replay->unit_count];
    fr_status status = fr_replay_read_unit(replay, json, value, unit, error);
    if (status != FR_OK) {
        return status;
    }
    int32_t cell = fr_grid_index(replay->map->grid, fr_cell_at(unit->position));
    if (replay->map->costs[unit->movement_class][cell] == FR_COST_WALL) {
        return fr_json_fail(json, value, error, "the unit stands in a wall");
    }
    replay->unit_count++;
    return FR_OK;
}

static fr_status read_units(fr_replay *replay, const fr_json *json, const fr_json_value *head,
                            fr_error *error)
{
    const fr_json_value *units;
    fr_status status = fr_replay_read_array(json, head, "units", &units, error);
    if (status == FR_OK && fr_json_count(units) > FR_UNITS_MAX) {
        status = fr_json_fail(json, units, error, "more than %d units", FR_UNITS_MAX);
    }
    if (status != FR_OK) {
        return status;
    }
    replay->units = fr_alloc((size_t)fr_json_count(units) + 1, sizeof *replay->units);
    for (const fr_json_value *v = fr_json_first(units); v != NULL && status == FR_OK; v = fr_json_next(v)) {
        status = read_unit(replay, json, v, error);
    }
    return status;
}

fr_status fr_replay_read_head(fr_replay *replay, const fr_io *io, const fr_json *json, fr_error *error)
{
    const fr_json_value *head = fr_json_root(json), *seed;
    fr_status status = check_versions(json, head, error);
    if (status == FR_OK) {
        status = read_map(replay, io, json, head, error);
    }
    if (status == FR_OK) {
        seed = fr_json_get(head, "seed");
        status = fr_replay_read_hash(json, seed != NULL ? seed : head, &replay->seed, error);
    }
    if (status == FR_OK) {
        status = fr_replay_read_movement(json, head, &replay->mover, &replay->without, error);
    }
    if (status == FR_OK) {
        status = read_groups(replay, json, head, error);
    }
    return status == FR_OK ? read_units(replay, json, head, error) : status;
}
