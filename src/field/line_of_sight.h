/* line_of_sight: may one walk straight from a to b? The same corner rule as everywhere, exact in integers. */
#ifndef FR_FIELD_LINE_OF_SIGHT_H
#define FR_FIELD_LINE_OF_SIGHT_H

#include "grid/cost.h"

/* True if every cell that the segment a-b touches is passable for the class and costs as much as the cell of
 * a (even ground), and no corner between blocked cells is cut. `half_width` (cells, 0 = a bare line) asks the
 * same of two parallels at that distance, so that a disc does not snag. Positions outside the map: false.
 * O(cells of uneven blocks + blocks). Traversal after Amanatides and Woo, "A fast voxel traversal algorithm
 * for ray tracing", 1987. */
bool fr_line_is_even(const fr_cost *cost, fr_cost_view view, fr_position a, fr_position b, float half_width);

/* The same without the demand for even ground: only walls count. O(rows). */
bool fr_line_is_free(const fr_cost *cost, fr_cost_view view, fr_position a, fr_position b, float half_width);

#endif
