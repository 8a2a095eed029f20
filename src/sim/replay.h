/* replay: everything that is needed to run a session again (map name and hash, seed, groups, units, commands)
 * and the state hash of every tick. JSON, one object a line: a header, then lines for ticks with commands,
 * then hashes. */
#ifndef FR_SIM_REPLAY_H
#define FR_SIM_REPLAY_H

#include "base/io.h"
#include "sim/world.h"

typedef struct fr_recorder fr_recorder;
/* Begins a recording of a populated world at tick 0. `map_path`: how the map was named, for the replay. */
fr_recorder *fr_recorder_create(const fr_world *world, const fr_map *map, const char *map_path,
                                uint64_t seed);
void fr_recorder_before_tick(fr_recorder *recorder, const fr_world *world);
void fr_recorder_after_tick(fr_recorder *recorder, const fr_world *world);
/* The file's bytes; the recorder can go on. */
void fr_recorder_write(const fr_recorder *recorder, fr_buffer *out);
void fr_recorder_destroy(fr_recorder *recorder);

typedef struct fr_replay fr_replay;
/* Loads a recording, and its map (path relative to the working directory, else to the recording's folder; the
 * cost hash must agree). */
fr_replay *fr_replay_load(const fr_io *io, const char *path, fr_error *error);
void fr_replay_destroy(fr_replay *replay);
const fr_map *fr_replay_map(const fr_replay *replay);
uint64_t fr_replay_seed(const fr_replay *replay);
/* Sets map, seed, mover and mechanisms to those of the recording. */
void fr_replay_configure(const fr_replay *replay, fr_world_config *config);
uint32_t fr_replay_ticks(const fr_replay *replay);
int32_t fr_replay_unit_count(const fr_replay *replay);
fr_status fr_replay_populate(const fr_replay *replay, fr_world *world, fr_error *error);
/* Submits the commands of the world's next tick. */
void fr_replay_submit(const fr_replay *replay, fr_world *world);
/* True if the world's hash equals the recorded one of its tick (ticks beyond the recording: true). */
bool fr_replay_check(const fr_replay *replay, const fr_world *world);

#endif
