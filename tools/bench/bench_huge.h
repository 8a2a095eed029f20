/* bench_huge: fields on a map so large that they cover only what units need: 2,000 units on a cave of
 * 4096x4096 are ordered along a way of 600 cells, and another time across the map, at 30 ticks a second. */
#ifndef FR_TOOLS_BENCH_HUGE_H
#define FR_TOOLS_BENCH_HUGE_H

#include "bench.h"

/* One case each: {"name", "threads", "way_cells" (of the first unit), "order_tick_ms" (the tick of the order;
 * all of these are time that the main thread computed), "tick_max_ms" (of all later ones), "wait_ms" (longest
 * wait for a field), "field_ticks" (until the field was in use), "field_worker_ms" (until then),
 * "field_share" (of the memory of a field of the whole map), "handover_deg", "ratio": null}. False if units
 * did not turn in the tick of the order, or no field came. */
bool fr_bench_huge(const fr_bench *bench);

#endif
