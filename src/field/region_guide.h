/* region_guide: the way through a large map in strides of a block: which cells to make for, and about how far
 * it is from there, found in the very tick of an order. Walks the graph of regions: areas connected within a
 * block, joined where they touch across a border. */
#ifndef FR_FIELD_REGION_GUIDE_H
#define FR_FIELD_REGION_GUIDE_H

#include "field/integrate.h"
#include "field/regions.h"

/* Working memory for maps of one size; nothing is allocated between creation and end. */
typedef struct fr_region_guide fr_region_guide;

fr_region_guide *fr_region_guide_create(fr_grid grid);
void fr_region_guide_destroy(fr_region_guide *guide);

/* For cells [cell_count] on their way to the goals: cells some blocks ahead of them, each with the way from
 * there on in integration units, as if all ground cost 1 and areas had no walls inside; or goals that are
 * nearer. Cells without a way are left out, and goals that cost far more to enter than the cheapest. Returns
 * their number, at most cell_count. O(blocks between goals and cells). */
int32_t fr_region_guide_find(fr_region_guide *guide, const fr_regions *regions, const fr_goal *goals,
                             int32_t goal_count, const fr_cell *cells, int32_t cell_count, fr_goal *out);

#endif
