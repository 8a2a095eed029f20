/* bench_draw: what a frame costs, drawn by SDL's software renderer into memory: the floor of all machines. */
#ifndef FR_TOOLS_BENCH_DRAW_H
#define FR_TOOLS_BENCH_DRAW_H

#include "bench.h"

/* One case each: {"name", "units", "width_px", "height_px", "frame_ms" (median), "worst_ms", "limit_ms",
 * "ratio" (median / limit)}. A slow machine is no failure: false only if no renderer came up. */
bool fr_bench_draw(const fr_bench *bench);

#endif
