/* overlay_threat: where it is dangerous, for the overlay of F8: what threats add to the cost of a cell. */
#ifndef FR_VIEW_OVERLAY_THREAT_H
#define FR_VIEW_OVERLAY_THREAT_H

#include "grid/cost.h"

/* Colours of every `stride`th cell of a rectangle inside the map by the sum of what all threats, of any team,
 * add there; opaque, 0 where nothing does; out [rows * columns] as in fr_heat_grid. */
void fr_threats_read(const fr_cost *cost, fr_rect cells, int stride, uint32_t *out);

/* Colour of an extra cost of 1 or more, opaque. */
uint32_t fr_threat_color(uint32_t extra);

/* Is there a threat at all? */
bool fr_threats_any(const fr_cost *cost);

#endif
