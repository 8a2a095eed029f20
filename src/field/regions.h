/* regions: which cells are connected. 4-connected areas (the corner rule makes them so) labelled per 32x32
 * block and joined across block borders, so that an edit relabels its blocks only. */
#ifndef FR_FIELD_REGIONS_H
#define FR_FIELD_REGIONS_H

#include "grid/cost.h"

typedef struct fr_regions fr_regions;

#define FR_REGION_NONE UINT32_MAX /* wall or outside */

/* Labels the whole map for one class. `cost` is borrowed. */
fr_regions *fr_regions_create(const fr_cost *cost, fr_cost_view view);
void fr_regions_destroy(fr_regions *regions);

/* Relabels what a change of costs inside rect touched, O(blocks of rect x 1,024 + blocks of the map x 64).
 * Ids of regions change. */
void fr_regions_update(fr_regions *regions, fr_rect rect);

/* Region of a cell: two cells are connected if their ids are equal. O(1). Valid until the next update. */
uint32_t fr_regions_at(const fr_regions *regions, fr_cell cell);

/* All regions have numbers below this, which is no more than the map has cells. */
uint32_t fr_regions_limit(const fr_regions *regions);

/* The cell of a region with the smallest squared distance from `goal` to its centre; ties: smaller y, then
 * smaller x. FR_REGION_NONE asks for the nearest open cell of any region. False if there is none. */
bool fr_regions_nearest(const fr_regions *regions, uint32_t region, fr_position goal, fr_cell *nearest);

#endif
