/* replay_file: a recording in memory. Internal to the replay: replay_read.c fills it, replay.c plays it. */
#ifndef FR_SIM_REPLAY_FILE_H
#define FR_SIM_REPLAY_FILE_H

#include "base/json.h"
#include "sim/replay.h"

typedef struct fr_replay_command {
    uint32_t tick;
    fr_command command; /* units and goals are owned */
} fr_replay_command;

struct fr_replay {
    char *path;
    fr_map *map;
    uint64_t seed;
    fr_mover mover;
    uint32_t without;
    fr_group_def *groups; /* names are owned */
    int32_t group_count;
    fr_unit_def *units;
    int32_t unit_count;          /* from the start */
    int32_t spawn_count;         /* that the commands read so far add */
    fr_replay_command *commands; /* by ascending tick */
    int32_t command_count, command_capacity;
    uint64_t *hashes; /* [hash_count]: entry k is the state after k steps */
    uint32_t hash_count, hash_capacity;
    bool is_complete; /* the line that ends a recording has been read */
};

/* The first line: version, map, groups and units. */
fr_status fr_replay_read_head(fr_replay *replay, const fr_io *io, const fr_json *json, fr_error *error);

/* Any further line: commands, hashes, or the end. */
fr_status fr_replay_read_line(fr_replay *replay, const fr_json *json, fr_error *error);

/* [x, y] in fixed point, anywhere that positions can hold. */
fr_status fr_replay_read_position(const fr_json *json, const fr_json_value *value, fr_position *out,
                                  fr_error *error);

/* [x, y, radius, speed, team, class, group] within their limits. */
fr_status fr_replay_read_unit(const fr_replay *replay, const fr_json *json, const fr_json_value *value,
                              fr_unit_def *unit, fr_error *error);

/* Members "mover" and "without" of an object. Recordings from before there was a choice name neither. */
fr_status fr_replay_read_movement(const fr_json *json, const fr_json_value *object, fr_mover *mover,
                                  uint32_t *without, fr_error *error);

/* 16 lower-case hex digits. */
fr_status fr_replay_read_hash(const fr_json *json, const fr_json_value *value, uint64_t *out,
                              fr_error *error);

/* Member `key`, which must be an array. */
fr_status fr_replay_read_array(const fr_json *json, const fr_json_value *object, const char *key,
                               const fr_json_value **out, fr_error *error);

#endif
