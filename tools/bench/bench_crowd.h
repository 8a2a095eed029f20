/* bench_crowd: what a tick of a whole world costs: fields, steering, collision, arrival and the snapshot. */
#ifndef FR_TOOLS_BENCH_CROWD_H
#define FR_TOOLS_BENCH_CROWD_H

#include "bench.h"

/* One case each: {"name", "units", "threads", "moving_share", "tick_p50_ms", "tick_p99_ms", "tick_max_ms",
 * "ns_per_unit" (of the median tick), "ratio": null}. moving_share: unit-ticks faster than a fifth of top
 * speed, so that a jam can't pass for a fast crowd. False if a run did not end as the one before. */
bool fr_bench_crowd(const fr_bench *bench);

/* The same of the largest scenes, each with a number of threads of its own: 10,000 units with the main thread
 * alone, 100,000 with one beside it, and 100,000 that stand while ten walk elsewhere (to settle by an order
 * would take so many minutes). */
bool fr_bench_scale(const fr_bench *bench);

#endif
