/* recorder: writes recordings: one JSON object a line, so that a cut file is noticed and a person can read
 * it. All numbers are whole, or floats in the shortest form that reads back to the same bits. */
#include "sim/replay.h"

#include <string.h>

#include "base/assert.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/version.h"
#include "grid/nav.h"
#include "sim/replay_format.h"

const char *const FR_COMMAND_NAMES[FR_COMMAND_KIND_COUNT] = {
    "move",          "stop",     "hold",  "set_cost", "restore_cost",   "set_terrain", "set_threat",
    "remove_threat", "set_ring", "spawn", "follow",   "set_congestion", "set_movement"};

/* Hashes on one line. */
#define HASHES_A_LINE 60

struct fr_recorder {
    fr_buffer head, commands; /* lines as they will be written */
    uint64_t *hashes;         /* [hash_count], from tick 0 on */
    uint32_t hash_count, hash_capacity;
};

static void add_hash(fr_recorder *recorder, uint64_t hash)
{
    if (recorder->hash_count == recorder->hash_capacity) {
        recorder->hash_capacity = recorder->hash_capacity == 0 ? 1024 : recorder->hash_capacity * 2;
        recorder->hashes = fr_realloc(recorder->hashes, recorder->hash_capacity, sizeof *recorder->hashes);
    }
    recorder->hashes[recorder->hash_count++] = hash;
}

static void write_position(fr_json_writer *writer, fr_position position)
{
    fr_json_begin_array(writer, NULL);
    fr_json_write_int(writer, NULL, position.x);
    fr_json_write_int(writer, NULL, position.y);
    fr_json_end_array(writer);
}

/* A scenario's grid has no file of its own: its costs go into the recording, a hex string a row. */
static void write_inline_map(fr_json_writer *writer, const fr_map *map)
{
    static const char digits[] = "0123456789abcdef";
    char *row = fr_alloc(2 * (size_t)map->grid.width + 1, 1);
    fr_json_begin_object(writer, "map");
    fr_json_begin_array(writer, "costs");
    for (int32_t y = 0; y < map->grid.height; y++) {
        for (int32_t x = 0; x < map->grid.width; x++) {
            uint8_t cost = map->costs[FR_CLASS_FOOT][fr_grid_index(map->grid, (fr_cell){x, y})];
            row[2 * x] = digits[cost >> 4];
            row[2 * x + 1] = digits[cost & 15];
        }
        fr_json_write_string(writer, NULL, row);
    }
    fr_json_end_array(writer);
    fr_json_end_object(writer);
    fr_free(row);
}

static void write_movement(fr_json_writer *writer, fr_mover mover, uint32_t without)
{
    fr_json_write_string(writer, "mover", fr_mover_name(mover));
    fr_json_begin_array(writer, "without");
    for (int i = 0; i < FR_MECHANISM_COUNT; i++) {
        if ((without & FR_MECHANISMS[i].bit) != 0) {
            fr_json_write_string(writer, NULL, FR_MECHANISMS[i].name);
        }
    }
    fr_json_end_array(writer);
}

static void write_groups(fr_json_writer *writer, const fr_snapshot *snapshot)
{
    fr_json_begin_array(writer, "groups");
    for (int32_t g = 0; g < snapshot->group_count; g++) {
        const fr_group_view *group = &snapshot->groups[g];
        fr_json_begin_object(writer, NULL);
        fr_json_write_string(writer, "name", group->name);
        if (group->leaves) {
            fr_json_begin_array(writer, "leave");
            write_position(writer, group->leave_from);
            write_position(writer, group->leave_to);
            fr_json_end_array(writer);
        }
        fr_json_end_object(writer);
    }
    fr_json_end_array(writer);
}

static void write_unit(fr_json_writer *writer, const char *key, const fr_unit_def *unit)
{
    fr_json_begin_array(writer, key);
    fr_json_write_int(writer, NULL, unit->position.x);
    fr_json_write_int(writer, NULL, unit->position.y);
    fr_json_write_number(writer, NULL, (double)unit->radius);
    fr_json_write_number(writer, NULL, (double)unit->speed);
    fr_json_write_int(writer, NULL, unit->team);
    fr_json_write_int(writer, NULL, unit->movement_class);
    fr_json_write_int(writer, NULL, unit->group);
    fr_json_end_array(writer);
}

static void write_units(fr_json_writer *writer, const fr_snapshot *snapshot)
{
    fr_json_begin_array(writer, "units");
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        fr_unit_def unit = {
            .position = snapshot->position[i],
            .radius = snapshot->radius[i],
            .speed = snapshot->speed[i],
            .team = snapshot->team[i],
            .movement_class = (fr_class)snapshot->movement_class[i],
            .group = snapshot->group[i],
        };
        write_unit(writer, NULL, &unit);
    }
    fr_json_end_array(writer);
}

fr_recorder *fr_recorder_create(const fr_world *world, const fr_map *map, const char *map_path, uint64_t seed)
{
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    FR_ASSERT(snapshot->tick == 0);
    fr_recorder *recorder = fr_alloc(1, sizeof *recorder);
    fr_json_writer writer = fr_json_writer_begin(&recorder->head, true);
    fr_json_begin_object(&writer, NULL);
    fr_json_write_string(&writer, "format", FR_REPLAY_FORMAT);
    fr_json_write_int(&writer, "version", FR_REPLAY_VERSION);
    fr_json_write_string(&writer, "program", FR_VERSION);
    fr_json_write_int(&writer, "field_rule", FR_FIELD_RULE_VERSION);
    if (map->format == FR_MAP_INLINE) {
        write_inline_map(&writer, map);
    } else {
        fr_json_write_string(&writer, "map", map_path);
    }
    fr_json_begin_array(&writer, "cost_hashes");
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        fr_json_write_hash(&writer, NULL, fr_map_cost_hash(map, (fr_class)c));
    }
    fr_json_end_array(&writer);
    fr_json_write_int(&writer, "full_speed_cost", map->full_speed_cost);
    if (map->nav_shift != 0) {
        fr_json_write_number(&writer, "nav_scale", fr_nav_scale(map->nav_shift));
    }
    /* As a string: a number in JSON holds 53 bits. */
    fr_json_write_hash(&writer, "seed", seed);
    write_movement(&writer, snapshot->mover, snapshot->without);
    write_groups(&writer, snapshot);
    write_units(&writer, snapshot);
    fr_json_end_object(&writer);
    fr_buffer_append(&recorder->head, "\n", 1);
    add_hash(recorder, fr_world_hash(world));
    return recorder;
}

void fr_recorder_destroy(fr_recorder *recorder)
{
    if (recorder != NULL) {
        fr_buffer_fini(&recorder->head);
        fr_buffer_fini(&recorder->commands);
        fr_free(recorder->hashes);
        fr_free(recorder);
    }
}

/* Ids as runs [first, count], in order. */
static void write_ids(fr_json_writer *writer, const fr_command *command)
{
    fr_json_begin_array(writer, "units");
    for (int32_t i = 0; i < command->unit_count;) {
        int32_t end = i + 1;
        while (end < command->unit_count && command->units[end] == command->units[end - 1] + 1) {
            end++;
        }
        fr_json_begin_array(writer, NULL);
        fr_json_write_int(writer, NULL, command->units[i]);
        fr_json_write_int(writer, NULL, end - i);
        fr_json_end_array(writer);
        i = end;
    }
    fr_json_end_array(writer);
}

static void write_goal_numbers(fr_json_writer *writer, const char *key, const uint32_t *numbers,
                               int32_t count)
{
    if (numbers != NULL) {
        fr_json_begin_array(writer, key);
        for (int32_t i = 0; i < count; i++) {
            fr_json_write_int(writer, NULL, numbers[i]);
        }
        fr_json_end_array(writer);
    }
}

static void write_goal_options(fr_json_writer *writer, const fr_command *command)
{
    write_goal_numbers(writer, "prices", command->goal_prices, command->goal_count);
    write_goal_numbers(writer, "capacities", command->goal_capacities, command->goal_count);
    if (command->area.kind != FR_AREA_NONE) {
        fr_json_begin_array(writer, command->area.kind == FR_AREA_RECT ? "rect_area" : "disc_area");
        write_position(writer, command->area.low);
        write_position(writer, command->area.high);
        fr_json_end_array(writer);
    }
}

static void write_threat(fr_json_writer *writer, const fr_command *command)
{
    if (command->kind == FR_COMMAND_SET_THREAT || command->kind == FR_COMMAND_REMOVE_THREAT) {
        fr_json_write_int(writer, "threat", command->threat_index);
    }
    if (command->kind == FR_COMMAND_SET_THREAT) {
        fr_json_begin_array(writer, "centre");
        fr_json_write_int(writer, NULL, command->threat.centre.x);
        fr_json_write_int(writer, NULL, command->threat.centre.y);
        fr_json_end_array(writer);
        fr_json_write_int(writer, "radius", command->threat.radius);
        fr_json_write_int(writer, "cost", command->threat.cost);
        if (command->threat.team != FR_TEAM_NONE) {
            fr_json_write_int(writer, "team", command->threat.team);
        }
    }
}

static void write_command(fr_json_writer *writer, const fr_command *command)
{
    fr_json_begin_object(writer, NULL);
    fr_json_write_string(writer, "kind", FR_COMMAND_NAMES[command->kind]);
    if (fr_command_has_units(command->kind)) {
        write_ids(writer, command);
    } else if (command->kind == FR_COMMAND_SPAWN) {
        write_unit(writer, "unit", &command->unit);
    } else if (fr_command_has_rect(command->kind)) {
        fr_json_begin_array(writer, "rect");
        fr_json_write_int(writer, NULL, command->rect.x);
        fr_json_write_int(writer, NULL, command->rect.y);
        fr_json_write_int(writer, NULL, command->rect.width);
        fr_json_write_int(writer, NULL, command->rect.height);
        fr_json_end_array(writer);
    }
    if (command->kind == FR_COMMAND_MOVE) {
        fr_json_begin_array(writer, "goals");
        for (int32_t i = 0; i < command->goal_count; i++) {
            write_position(writer, command->goals[i]);
        }
        fr_json_end_array(writer);
        write_goal_options(writer, command);
        if (command->caution != FR_CAUTION_NORMAL) {
            fr_json_write_string(writer, "caution", fr_caution_name(command->caution));
        }
    }
    write_threat(writer, command);
    if (command->kind == FR_COMMAND_SET_RING || command->kind == FR_COMMAND_SET_CONGESTION) {
        fr_json_write_bool(writer, "on", command->is_on);
    }
    if (command->kind == FR_COMMAND_SET_MOVEMENT) {
        write_movement(writer, command->mover, command->without);
    }
    if (command->kind == FR_COMMAND_FOLLOW) {
        fr_json_write_int(writer, "target", command->target);
    }
    if (fr_command_has_cost(command->kind)) {
        fr_json_write_int(writer, "cost", command->cost);
    }
    if (command->kind == FR_COMMAND_SET_TERRAIN) {
        fr_json_write_string(writer, "terrain", fr_terrain_name(command->terrain));
    }
    fr_json_end_object(writer);
}

void fr_recorder_before_tick(fr_recorder *recorder, const fr_world *world)
{
    int32_t count;
    const fr_command *commands = fr_world_queued(world, &count);
    if (count == 0) {
        return;
    }
    fr_json_writer writer = fr_json_writer_begin(&recorder->commands, true);
    fr_json_begin_object(&writer, NULL);
    fr_json_write_int(&writer, "tick", fr_world_snapshot(world)->tick);
    fr_json_begin_array(&writer, "commands");
    for (int32_t i = 0; i < count; i++) {
        write_command(&writer, &commands[i]);
    }
    fr_json_end_array(&writer);
    fr_json_end_object(&writer);
    fr_buffer_append(&recorder->commands, "\n", 1);
}

void fr_recorder_after_tick(fr_recorder *recorder, const fr_world *world)
{
    FR_ASSERT(fr_world_snapshot(world)->tick == recorder->hash_count);
    add_hash(recorder, fr_world_hash(world));
}

void fr_recorder_write(const fr_recorder *recorder, fr_buffer *out)
{
    fr_buffer_append(out, recorder->head.data, recorder->head.size);
    fr_buffer_append(out, recorder->commands.data, recorder->commands.size);
    for (uint32_t i = 0; i < recorder->hash_count; i += HASHES_A_LINE) {
        fr_json_writer writer = fr_json_writer_begin(out, true);
        fr_json_begin_object(&writer, NULL);
        fr_json_write_int(&writer, "from", i);
        fr_json_begin_array(&writer, "hashes");
        for (uint32_t k = i; k < i + HASHES_A_LINE && k < recorder->hash_count; k++) {
            fr_json_write_hash(&writer, NULL, recorder->hashes[k]);
        }
        fr_json_end_array(&writer);
        fr_json_end_object(&writer);
        fr_buffer_append(out, "\n", 1);
    }
    /* Without this line the file was cut. */
    fr_buffer_printf(out, "{\"end\": %u}\n", recorder->hash_count - 1);
}
