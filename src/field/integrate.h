/* integrate: the exact 8-way integration of a whole map on a flat, walled grid, and the 8-way arrows. Pure
 * arithmetic on scratch memory of one lane: no blocks, no service, no world. The textbook next door
 * (field/textbook.h) is its oracle and yardstick. */
#ifndef FR_FIELD_INTEGRATE_H
#define FR_FIELD_INTEGRATE_H

#include "grid/grid.h"

/* Integration: least total price to the nearest goal, 70 (straight) or 99 (diagonal) per step x the cost of
 * the cell being left. u32; FR_UNREACHED for walls and for cells without a way (or beyond saturation). */
#define FR_UNREACHED UINT32_MAX

/* Largest value that is stored; a cell that would cost more is unreached and the field says `saturated`. One
 * step of the dearest cell more still fits 32 bits. The next value is a multiple of 64 (and so begins a
 * bucket of the queue, bucket_queue.h). */
#define FR_INTEGRATION_MAX (((UINT32_MAX - 254u * FR_STEP_DIAGONAL) & ~63u) - 1u)

/* A goal with its entry price (0 = plain), in integration units. */
typedef struct fr_goal {
    fr_cell cell;   /* inside the map */
    uint32_t price; /* 0..FR_INTEGRATION_MAX */
} fr_goal;

/* Working memory for maps of one size; reused from build to build, nothing is allocated in between. The
 * arrays have a ring of wall one cell wide: cell (x, y) is at (y + 1) * stride + x + 1, stride = width + 2.
 */
typedef struct fr_scratch fr_scratch;

fr_scratch *fr_scratch_create(fr_grid grid);
void fr_scratch_destroy(fr_scratch *scratch);
fr_grid fr_scratch_grid(const fr_scratch *scratch);
int fr_scratch_stride(const fr_scratch *scratch);

/* Row 0, column 0 of the padded costs, to be filled before fr_integrate; the ring is wall already and must
 * stay so. */
uint8_t *fr_scratch_costs(fr_scratch *scratch);
/* Results, padded alike: the address of cell (0, 0). */
const uint32_t *fr_scratch_integration(const fr_scratch *scratch);
const uint8_t *fr_scratch_directions(const fr_scratch *scratch);

/* Integrates from the goals outward (bucket queue: Dial 1969; buckets as wide as the cheapest step: Dinic
 * 1978). Goals in walls are skipped; at most FR_FIELD_GOALS_MAX, and FR_GOALS_MAX or one a cell of the map if
 * that is more than these. Returns true if the field saturated. */
bool fr_integrate(fr_scratch *scratch, const fr_goal *goals, int goal_count);

/* Arrows for the last integration: argmin(neighbour + step) over the steps that the corner rule allows, ties
 * by the direction table; FR_DIR_GOAL where no step is better than staying (a goal), FR_DIR_NONE where
 * unreached. */
void fr_integrate_directions(fr_scratch *scratch);

#endif
