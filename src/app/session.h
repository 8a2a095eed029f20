/* session: one run: map, world, what feeds it (scenario, replay) and what is written about it (report,
 * positions, recording). It knows neither windows nor time: whoever owns it decides when a tick is. */
#ifndef FR_APP_SESSION_H
#define FR_APP_SESSION_H

#include "app/options.h"
#include "files/stdio_io.h"
#include "jobs/pool.h"
#include "sim/replay.h"
#include "sim/scenario.h"
#include "sim/scorecard.h"

/* Output files, opened before the run so that a bad name costs no run; null = not asked for. */
typedef struct fr_session_files {
    fr_output *report, *positions, *dump, *record, *screenshot;
} fr_session_files;

/* Real time of every tick, kept for the report alone. */
typedef struct fr_tick_times {
    bool kept;
    float *ms; /* [count] */
    int32_t count, capacity;
} fr_tick_times;

typedef struct fr_session {
    const fr_options *options; /* borrowed */
    fr_io io;
    fr_map *own_map; /* null if scenario or replay own it */
    const fr_map *map;
    fr_scenario *scenario;
    fr_replay *replay;
    fr_pool *pool;
    int32_t threads;
    fr_world *world;
    uint64_t seed;
    bool has_last_tick; /* the run has an end of its own */
    uint32_t last_tick;
    fr_recorder *recorder;
    fr_scorecard *scorecard;
    fr_session_files files;
    fr_buffer row_bytes; /* positions of one tick */
    fr_tick_times times;
    uint64_t tick_allocations;
    uint64_t last_tick_ns; /* real time that the last tick took */
    bool diverged;         /* the replay differs, first at this tick */
    uint32_t diverged_tick;
    bool write_failed;
    fr_error write_error;
} fr_session;

/* Loads everything, opens the output files and fills the world. FR_BAD_INPUT (or what else went wrong) with
 * one line; the session must be destroyed in every case. `options` is borrowed. */
fr_status fr_session_create(fr_session *session, const fr_options *options, fr_error *error);
void fr_session_destroy(fr_session *session);

/* Loads the map that the options mean, for --check and sessions alike. Null on failure. */
fr_map *fr_session_load_map(const fr_options *options, const fr_io *io, fr_error *error);

/* The name of the scenario, or else of the map. */
const char *fr_session_title(const fr_session *session);

/* One step of the world with all that goes with it. */
void fr_session_tick(fr_session *session);

/* The run has come to its end: its ticks are done, a replay differs, or nothing can be written any more. */
bool fr_session_ended(const fr_session *session);

/* Writes and closes report, positions and recording. A negative first frame time is null in the report. */
fr_status fr_session_finish(fr_session *session, double first_frame_ms, fr_error *error);

/* Writes a whole file and sets `*output` to null; nothing to do if it was not asked for. */
fr_status fr_output_finish(fr_output **output, const fr_buffer *bytes, fr_error *error);

#endif
