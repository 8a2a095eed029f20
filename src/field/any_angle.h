/* any_angle: the pass that gives every cell of a build its target (aim_rule.h), after integration and best
 * steps. Internal to field/. */
#ifndef FR_FIELD_ANY_ANGLE_H
#define FR_FIELD_ANY_ANGLE_H

#include "field/scratch.h"

/* The target of a cell depends on its best steps, on the targets of the cells they lead to, and on the costs
 * of the cells between it and those targets, however far: on nothing that is dearer than the cell. */

/* Gives goals that are held and nearest to themselves their targets. Best steps are known; other targets of
 * cells that are held and new must be FR_TARGET_NONE. */
void fr_any_angle_begin(fr_scratch *scratch, const fr_extent *extent);

/* Finds the missing targets of cells in a rectangle with values that are held, and of what lies on their
 * ways down, from the costs, steps, values and best steps that lie in the scratch. While a part of the map is
 * built, costs further off are brought in as they are looked at. O(cells), but for the looks along lines
 * where the targets of two best steps differ. */
void fr_any_angle_find(fr_scratch *scratch, fr_rect rect, const fr_extent *extent);

/* Both, for the whole map. */
void fr_any_angle_find_all(fr_scratch *scratch);

#endif
