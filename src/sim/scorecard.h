/* scorecard: judges a run from positions, radii, top speeds, walls and goals alone, so that any mover can be
 * judged. Definitions: README, "The report". Knows nothing of fields or of how units move. */
#ifndef FR_SIM_SCORECARD_H
#define FR_SIM_SCORECARD_H

#include "sim/scenario.h"

typedef struct fr_scorecard fr_scorecard;

/* `scenario` (borrowed, may be null) names doors, lanes and groups. */
fr_scorecard *fr_scorecard_create(const fr_snapshot *first, const fr_scenario *scenario);
/* Call once after every tick. */
void fr_scorecard_tick(fr_scorecard *scorecard, const fr_snapshot *snapshot);
void fr_scorecard_destroy(fr_scorecard *scorecard);

/* What the program knows beside the scorecard. A negative time is written as null. */
typedef struct fr_report_info {
    const char *scenario, *map, *mover; /* scenario may be null */
    bool is_rejudged; /* from a file: seed, threads, mover and hash of the run are not known */
    uint64_t seed;
    int32_t threads;
    uint64_t state_hash;
    double tick_p50_ms, tick_p99_ms, tick_max_ms, field_wait_max_ms, first_frame_ms;
    double field_worker_ms, field_bytes, handover_deg_p50; /* negative: not known */
    double allocations_per_tick;                           /* negative: null */
} fr_report_info;

/* Appends the report (keys and order as in the README) for the run so far. */
void fr_report_write(fr_scorecard *scorecard, const fr_snapshot *last, const fr_report_info *info,
                     fr_buffer *out);

/* One tick of a --positions file: the header line when `snapshot` is null. */
void fr_positions_write(const fr_snapshot *snapshot, fr_buffer *out);

#endif
