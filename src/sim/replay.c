/* replay: opens recordings line by line, and runs them again. */
#include "sim/replay_file.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

void fr_replay_destroy(fr_replay *replay)
{
    if (replay == NULL) {
        return;
    }
    for (int32_t i = 0; i < replay->group_count; i++) {
        fr_free((void *)(uintptr_t)replay->groups[i].name);
    }
    for (int32_t i = 0; i < replay->command_count; i++) {
        fr_free((void *)(uintptr_t)replay->commands[i].command.units);
        fr_free((void *)(uintptr_t)replay->commands[i].command.goals);
        fr_free((void *)(uintptr_t)replay->commands[i].command.goal_prices);
        fr_free((void *)(uintptr_t)replay->commands[i].command.goal_capacities);
    }
    fr_map_destroy(replay->map);
    fr_free(replay->groups);
    fr_free(replay->units);
    fr_free(replay->commands);
    fr_free(replay->hashes);
    fr_free(replay->path);
    fr_free(replay);
}

static fr_status read_line(fr_replay *replay, const fr_io *io, const char *text, size_t size, int32_t line,
                           fr_error *error)
{
    char name[FR_ERROR_BYTES];
    snprintf(name, sizeof name, "%.300s: line %d", replay->path, line);
    fr_json *json = fr_json_parse(name, text, size, error);
    if (json == NULL) {
        return FR_BAD_INPUT;
    }
    fr_status status = FR_OK;
    if (replay->is_complete) {
        status = fr_json_fail(json, fr_json_root(json), error, "a line after the end of the recording");
    } else if (line == 1) {
        status = fr_replay_read_head(replay, io, json, error);
    } else {
        status = fr_replay_read_line(replay, json, error);
    }
    fr_json_destroy(json);
    return status;
}

fr_replay *fr_replay_load(const fr_io *io, const char *path, fr_error *error)
{
    fr_buffer bytes = {0};
    if (io->read(io->self, path, &bytes, error) != FR_OK) {
        return NULL;
    }
    fr_replay *replay = fr_alloc(1, sizeof *replay);
    replay->path = fr_strdup(path);
    const char *at = (const char *)bytes.data;
    size_t left = bytes.size;
    fr_status status = FR_OK;
    for (int32_t line = 1; left > 0 && status == FR_OK; line++) {
        const char *end = memchr(at, '\n', left);
        size_t size = end != NULL ? (size_t)(end - at) : left;
        status = read_line(replay, io, at, size, line, error);
        size_t used = end != NULL ? size + 1 : size;
        at += used;
        left -= used;
    }
    if (status == FR_OK && !replay->is_complete) {
        status = fr_fail(error, FR_BAD_INPUT, "%s: the recording is cut: its last line is missing", path);
    }
    fr_buffer_fini(&bytes);
    if (status != FR_OK) {
        fr_replay_destroy(replay);
        return NULL;
    }
    return replay;
}

const fr_map *fr_replay_map(const fr_replay *replay)
{
    return replay->map;
}

uint64_t fr_replay_seed(const fr_replay *replay)
{
    return replay->seed;
}

void fr_replay_configure(const fr_replay *replay, fr_world_config *config)
{
    config->map = replay->map;
    config->seed = replay->seed;
    config->mover = replay->mover;
    config->without = replay->without;
}

uint32_t fr_replay_ticks(const fr_replay *replay)
{
    return replay->hash_count - 1;
}

int32_t fr_replay_unit_count(const fr_replay *replay)
{
    return replay->unit_count + replay->spawn_count;
}

fr_status fr_replay_populate(const fr_replay *replay, fr_world *world, fr_error *error)
{
    for (int32_t i = 0; i < replay->group_count; i++) {
        fr_world_add_group(world, &replay->groups[i]);
    }
    for (int32_t i = 0; i < replay->unit_count; i++) {
        const fr_unit_def *unit = &replay->units[i];
        if (fr_world_spawn(world, unit) == FR_NO_UNIT) {
            return fr_fail(error, FR_BAD_INPUT, "%s: line 1: $.units[%d]: no unit can stand at (%.3f, %.3f)",
                           replay->path, i, fr_cells(unit->position.x), fr_cells(unit->position.y));
        }
    }
    return FR_OK;
}

void fr_replay_submit(const fr_replay *replay, fr_world *world)
{
    uint32_t tick = fr_world_snapshot(world)->tick;
    int32_t low = 0, high = replay->command_count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (replay->commands[middle].tick < tick) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < replay->command_count && replay->commands[low].tick == tick; low++) {
        fr_world_submit(world, &replay->commands[low].command);
    }
}

bool fr_replay_check(const fr_replay *replay, const fr_world *world)
{
    uint32_t tick = fr_world_snapshot(world)->tick;
    return tick >= replay->hash_count || replay->hashes[tick] == fr_world_hash(world);
}
