/* replay_lines: what follows the first line of a recording: commands, hashes, and the end. */
#include "sim/replay_file.h"

#include <string.h>

#include "base/memory.h"
#include "sim/replay_format.h"

/* --- numbers ------------------------------------------------------------------------------------- */

fr_status fr_replay_read_array(const fr_json *json, const fr_json_value *object, const char *key,
                               const fr_json_value **out, fr_error *error)
{
    *out = fr_json_get(object, key);
    if (*out == NULL) {
        return fr_json_fail(json, object, error, "\"%s\" is missing, expected an array", key);
    }
    return fr_json_is_array(*out) ? FR_OK : fr_json_fail(json, *out, error, "expected an array");
}

/* An array of `count` whole numbers in min..max. */
static fr_status read_whole(const fr_json *json, const fr_json_value *value, int32_t count, int64_t min,
                            int64_t max, int64_t *out, fr_error *error)
{
    if (!fr_json_is_array(value) || fr_json_count(value) != count) {
        return fr_json_fail(json, value, error, "expected an array of %d whole numbers", count);
    }
    fr_status status = FR_OK;
    for (const fr_json_value *v = fr_json_first(value); v != NULL && status == FR_OK; v = fr_json_next(v)) {
        status = fr_json_int(json, v, min, max, out++, error);
    }
    return status;
}

fr_status fr_replay_read_position(const fr_json *json, const fr_json_value *value, fr_position *out,
                                  fr_error *error)
{
    int64_t xy[2] = {0, 0};
    fr_status status = read_whole(json, value, 2, INT32_MIN, INT32_MAX, xy, error);
    *out = (fr_position){(int32_t)xy[0], (int32_t)xy[1]};
    return status;
}

fr_status fr_replay_read_hash(const fr_json *json, const fr_json_value *value, uint64_t *out, fr_error *error)
{
    const char *text = fr_json_string_or(value, "");
    uint64_t hash = 0;
    size_t length = strspn(text, "0123456789abcdef");
    if (length != 16 || text[16] != '\0') {
        return fr_json_fail(json, value, error, "expected 16 hex digits");
    }
    for (size_t i = 0; i < length; i++) {
        hash = hash << 4 | (uint64_t)(text[i] <= '9' ? text[i] - '0' : text[i] - 'a' + 10);
    }
    *out = hash;
    return FR_OK;
}

/* --- commands ------------------------------------------------------------------------------------ */

/* Runs [first, count] of units. A group order may name each unit once, so no list is longer than the world.
 */
static fr_status read_ids(const fr_replay *replay, const fr_json *json, const fr_json_value *value,
                          fr_command *command, fr_error *error)
{
    const fr_json_value *runs;
    int32_t known = replay->unit_count + replay->spawn_count;
    int64_t run[2] = {0, 0}, total = 0;
    fr_status status = fr_replay_read_array(json, value, "units", &runs, error);
    if (status != FR_OK) {
        return status;
    }
    uint32_t *units = fr_alloc_raw((size_t)known + 1, sizeof *units);
    command->units = units;
    for (const fr_json_value *v = fr_json_first(runs); v != NULL && status == FR_OK; v = fr_json_next(v)) {
        status = read_whole(json, v, 2, 0, known, run, error);
        if (status == FR_OK && (run[0] + run[1] > known || total + run[1] > known)) {
            status = fr_json_fail(json, v, error, "names units beyond the %d there are", known);
        }
        for (int64_t i = 0; i < run[1] && status == FR_OK; i++) {
            units[total++] = (uint32_t)(run[0] + i);
        }
    }
    command->units = fr_realloc(units, (size_t)total + 1, sizeof *units);
    command->unit_count = (int32_t)total;
    return status;
}

static fr_status read_goals(const fr_json *json, const fr_json_value *value, fr_command *command,
                            fr_error *error)
{
    const fr_json_value *goals;
    fr_status status = fr_replay_read_array(json, value, "goals", &goals, error);
    if (status != FR_OK) {
        return status;
    }
    int32_t count = fr_json_count(goals);
    if (count < 1 || count > FR_GOALS_MAX) {
        return fr_json_fail(json, goals, error, "%d goals, expected 1..%d", count, FR_GOALS_MAX);
    }
    fr_position *positions = fr_alloc((size_t)count, sizeof *positions);
    command->goals = positions;
    command->goal_count = count;
    for (const fr_json_value *v = fr_json_first(goals); v != NULL && status == FR_OK; v = fr_json_next(v)) {
        status = fr_replay_read_position(json, v, positions++, error);
    }
    return status;
}

/* A number for each goal, if there are such under that key. */
static fr_status read_goal_numbers(const fr_json *json, const fr_json_value *value, const char *key,
                                   const fr_command *command, uint32_t most, const uint32_t **out,
                                   fr_error *error)
{
    const fr_json_value *array = fr_json_get(value, key);
    if (array == NULL) {
        return FR_OK;
    }
    int64_t numbers[FR_GOALS_MAX] = {0};
    uint32_t *copy = fr_alloc((size_t)command->goal_count, sizeof *copy);
    *out = copy;
    fr_status status = read_whole(json, array, command->goal_count, 0, most, numbers, error);
    for (int32_t i = 0; i < command->goal_count; i++) {
        copy[i] = (uint32_t)numbers[i];
    }
    return status;
}

/* What a move may say beside its goals. */
static fr_status read_goal_options(const fr_json *json, const fr_json_value *value, fr_command *command,
                                   fr_error *error)
{
    fr_status status =
        read_goal_numbers(json, value, "prices", command, FR_GOAL_PRICE_MAX, &command->goal_prices, error);
    if (status == FR_OK) {
        status = read_goal_numbers(json, value, "capacities", command, FR_UNITS_MAX,
                                   &command->goal_capacities, error);
    }
    for (int kind = FR_AREA_RECT; kind < FR_AREA_KIND_COUNT && status == FR_OK; kind++) {
        const fr_json_value *corners = fr_json_get(value, kind == FR_AREA_RECT ? "rect_area" : "disc_area");
        if (corners == NULL) {
            continue;
        }
        if (!fr_json_is_array(corners) || fr_json_count(corners) != 2) {
            return fr_json_fail(json, corners, error, "expected two corners");
        }
        command->area.kind = kind;
        const fr_json_value *low = fr_json_first(corners);
        status = fr_replay_read_position(json, low, &command->area.low, error);
        if (status == FR_OK) {
            status = fr_replay_read_position(json, fr_json_next(low), &command->area.high, error);
        }
    }
    return status;
}

static fr_status read_edit(const fr_json *json, const fr_json_value *value, fr_command *command,
                           fr_error *error)
{
    const fr_json_value *at = fr_json_get(value, "rect");
    int64_t rect[4] = {0, 0, 0, 0}, cost = 0;
    /* Brushes may reach beyond the map: the world clips. */
    fr_status status = read_whole(json, at != NULL ? at : value, 4, -(int64_t)FR_MAP_SIDE_MAX,
                                  2 * (int64_t)FR_MAP_SIDE_MAX, rect, error);
    command->rect = (fr_rect){(int32_t)rect[0], (int32_t)rect[1], (int32_t)rect[2], (int32_t)rect[3]};
    if (status == FR_OK && fr_command_has_cost(command->kind)) {
        status = fr_json_get_int(json, value, "cost", 1, FR_COST_WALL, &cost, error);
        command->cost = (uint8_t)cost;
    }
    if (status == FR_OK && command->kind == FR_COMMAND_SET_TERRAIN) {
        const char *name;
        status = fr_json_get_string(json, value, "terrain", &name, error);
        command->terrain = status == FR_OK ? fr_terrain_from_name(name) : FR_TERRAIN_GRASS;
        if (command->terrain == FR_TERRAIN_COUNT) {
            status = fr_json_fail(json, fr_json_get(value, "terrain"), error, "unknown kind of ground");
        }
    }
    return status;
}

static fr_status read_caution(const fr_json *json, const fr_json_value *value, fr_command *command,
                              fr_error *error)
{
    const fr_json_value *at = fr_json_get(value, "caution");
    if (at == NULL) {
        return FR_OK;
    }
    command->caution = fr_caution_from_name(fr_json_string_or(at, ""));
    return command->caution < FR_CAUTION_COUNT ? FR_OK
                                               : fr_json_fail(json, at, error, "unknown kind of caution");
}

static fr_status read_threat(const fr_json *json, const fr_json_value *value, fr_command *command,
                             fr_error *error)
{
    const fr_json_value *centre;
    int64_t radius = 0, cost = 0, team = FR_TEAM_NONE;
    fr_status status = fr_replay_read_array(json, value, "centre", &centre, error);
    if (status == FR_OK) {
        status = fr_replay_read_position(json, centre, &command->threat.centre, error);
    }
    if (status == FR_OK) {
        status = fr_json_get_int(json, value, "radius", 1, INT32_MAX, &radius, error);
    }
    if (status == FR_OK) {
        status = fr_json_get_int(json, value, "cost", 1, FR_COST_WALL - 1, &cost, error);
    }
    if (status == FR_OK && fr_json_get(value, "team") != NULL) {
        status = fr_json_get_int(json, value, "team", 0, FR_TEAMS_MAX - 1, &team, error);
    }
    command->threat.radius = (int32_t)radius;
    command->threat.cost = (uint8_t)cost;
    command->threat.team = (uint8_t)team;
    if (status == FR_OK && !fr_threat_is_sane(&command->threat)) {
        status = fr_json_fail(json, value, error, "a threat that no map can hold");
    }
    return status;
}

/* Ring and threats. */
static fr_status read_extras(const fr_json *json, const fr_json_value *value, fr_command *command,
                             fr_error *error)
{
    if (command->kind == FR_COMMAND_SET_RING || command->kind == FR_COMMAND_SET_CONGESTION) {
        const fr_json_value *on = fr_json_get(value, "on");
        command->is_on = fr_json_bool_or(on, false);
        return fr_json_is_bool(on) ? FR_OK
                                   : fr_json_fail(json, value, error, "expected \"on\": true or false");
    }
    int64_t index = 0;
    fr_status status = fr_json_get_int(json, value, "threat", 0, FR_THREATS_MAX - 1, &index, error);
    command->threat_index = (int32_t)index;
    return status == FR_OK && command->kind == FR_COMMAND_SET_THREAT
               ? read_threat(json, value, command, error)
               : status;
}

static fr_status read_spawn(fr_replay *replay, const fr_json *json, const fr_json_value *value,
                            fr_command *command, fr_error *error)
{
    const fr_json_value *unit;
    fr_status status = fr_replay_read_array(json, value, "unit", &unit, error);
    if (status == FR_OK) {
        status = fr_replay_read_unit(replay, json, unit, &command->unit, error);
    }
    if (status == FR_OK && replay->unit_count + replay->spawn_count == FR_UNITS_MAX) {
        status = fr_json_fail(json, unit, error, "more than %d units", FR_UNITS_MAX);
    }
    replay->spawn_count += status == FR_OK;
    return status;
}

static fr_status read_command(fr_replay *replay, const fr_json *json, const fr_json_value *value,
                              uint32_t tick, fr_error *error)
{
    static const char *const keys[] = {"kind",      "units",   "goals", "prices",  "capacities", "rect_area",
                                       "disc_area", "rect",    "cost",  "terrain", "caution",    "threat",
                                       "centre",    "radius",  "team",  "on",      "unit",       "target",
                                       "mover",     "without", NULL};
    const char *name;
    fr_status status = fr_json_check_keys(json, value, keys, error);
    if (status == FR_OK) {
        status = fr_json_get_string(json, value, "kind", &name, error);
    }
    if (status != FR_OK) {
        return status;
    }
    int kind = 0;
    while (kind < FR_COMMAND_KIND_COUNT && strcmp(FR_COMMAND_NAMES[kind], name) != 0) {
        kind++;
    }
    if (kind == FR_COMMAND_KIND_COUNT) {
        return fr_json_fail(json, fr_json_get(value, "kind"), error, "unknown command \"%.40s\"", name);
    }
    if (replay->command_count == replay->command_capacity) {
        replay->command_capacity = replay->command_capacity == 0 ? 64 : replay->command_capacity * 2;
        replay->commands =
            fr_realloc(replay->commands, (size_t)replay->command_capacity, sizeof *replay->commands);
    }
    fr_replay_command *entry = &replay->commands[replay->command_count++];
    *entry = (fr_replay_command){.tick = tick, .command = {.kind = (fr_command_kind)kind}};
    if (kind == FR_COMMAND_SPAWN) {
        return read_spawn(replay, json, value, &entry->command, error);
    }
    if (kind == FR_COMMAND_SET_MOVEMENT) {
        return fr_replay_read_movement(json, value, &entry->command.mover, &entry->command.without, error);
    }
    if (fr_command_has_rect(entry->command.kind)) {
        return read_edit(json, value, &entry->command, error);
    }
    if (!fr_command_has_units(entry->command.kind)) {
        return read_extras(json, value, &entry->command, error);
    }
    status = read_ids(replay, json, value, &entry->command, error);
    if (status == FR_OK && kind == FR_COMMAND_MOVE) {
        status = read_goals(json, value, &entry->command, error);
        if (status == FR_OK) {
            status = read_caution(json, value, &entry->command, error);
        }
    }
    if (status == FR_OK && kind == FR_COMMAND_MOVE) {
        status = read_goal_options(json, value, &entry->command, error);
    }
    if (status == FR_OK && kind == FR_COMMAND_FOLLOW) {
        int64_t target = 0;
        int64_t most = (int64_t)replay->unit_count + replay->spawn_count - 1;
        status = fr_json_get_int(json, value, "target", 0, most, &target, error);
        entry->command.target = (uint32_t)target;
    }
    return status;
}

static fr_status read_commands(fr_replay *replay, const fr_json *json, const fr_json_value *line,
                               fr_error *error)
{
    static const char *const keys[] = {"tick", "commands", NULL};
    int64_t tick = 0, least = 0;
    const fr_json_value *commands;
    if (replay->command_count > 0) {
        least = (int64_t)replay->commands[replay->command_count - 1].tick + 1;
    }
    fr_status status = fr_json_check_keys(json, line, keys, error);
    if (status == FR_OK) {
        status = fr_json_get_int(json, line, "tick", least, UINT32_MAX - 1, &tick, error);
    }
    if (status == FR_OK) {
        status = fr_replay_read_array(json, line, "commands", &commands, error);
    }
    if (status != FR_OK) {
        return status;
    }
    for (const fr_json_value *v = fr_json_first(commands); v != NULL && status == FR_OK;
         v = fr_json_next(v)) {
        status = read_command(replay, json, v, (uint32_t)tick, error);
    }
    return status;
}

/* --- hashes and the end -------------------------------------------------------------------------- */

static fr_status read_hashes(fr_replay *replay, const fr_json *json, const fr_json_value *line,
                             fr_error *error)
{
    static const char *const keys[] = {"from", "hashes", NULL};
    int64_t from;
    const fr_json_value *hashes;
    fr_status status = fr_json_check_keys(json, line, keys, error);
    if (status == FR_OK) {
        status = fr_json_get_int(json, line, "from", replay->hash_count, replay->hash_count, &from, error);
    }
    if (status == FR_OK) {
        status = fr_replay_read_array(json, line, "hashes", &hashes, error);
    }
    if (status != FR_OK) {
        return status;
    }
    for (const fr_json_value *v = fr_json_first(hashes); v != NULL && status == FR_OK; v = fr_json_next(v)) {
        if (replay->hash_count == replay->hash_capacity) {
            replay->hash_capacity = replay->hash_capacity == 0 ? 1024 : replay->hash_capacity * 2;
            replay->hashes = fr_realloc(replay->hashes, replay->hash_capacity, sizeof *replay->hashes);
        }
        status = fr_replay_read_hash(json, v, &replay->hashes[replay->hash_count++], error);
    }
    return status;
}

static fr_status read_end(fr_replay *replay, const fr_json *json, const fr_json_value *line, fr_error *error)
{
    static const char *const keys[] = {"end", NULL};
    int64_t end = (int64_t)replay->hash_count - 1, found;
    fr_status status = fr_json_check_keys(json, line, keys, error);
    if (status == FR_OK && end < 0) {
        status = fr_json_fail(json, line, error, "the end of a recording without hashes");
    }
    if (status == FR_OK) {
        status = fr_json_get_int(json, line, "end", end, end, &found, error);
    }
    replay->is_complete = status == FR_OK;
    return status;
}

fr_status fr_replay_read_line(fr_replay *replay, const fr_json *json, fr_error *error)
{
    const fr_json_value *line = fr_json_root(json);
    if (fr_json_get(line, "commands") != NULL) {
        return read_commands(replay, json, line, error);
    }
    if (fr_json_get(line, "hashes") != NULL) {
        return read_hashes(replay, json, line, error);
    }
    if (fr_json_get(line, "end") != NULL) {
        return read_end(replay, json, line, error);
    }
    return fr_json_fail(json, line, error, "expected commands, hashes or the end of the recording");
}
