/* overlay_congestion: where crowds stand in the way of orders, for the overlay of F9: what congestion adds to
 * the cost of a cell for the order that minds it most. */
#ifndef FR_VIEW_OVERLAY_CONGESTION_H
#define FR_VIEW_OVERLAY_CONGESTION_H

#include "grid/cost.h"

/* Colours of every `stride`th cell of a rectangle inside the map, opaque, 0 where no order goes round
 * anything; out [rows * columns] as in fr_heat_grid. Bit j of `jams`: congestion number j counts; with any,
 * cells that somebody holds are as heavy as can be. */
void fr_jams_read(const fr_cost *cost, uint32_t jams, fr_rect cells, int stride, uint32_t *out);

/* Colour of an extra cost of 1 or more eighths of the ground's, opaque. */
uint32_t fr_jam_color(uint32_t eighths);

#endif
