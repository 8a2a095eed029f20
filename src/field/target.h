/* target: the cell that units in a cell walk to, as it is stored. How it is found is aim_rule.h. Internal to
 * field/. */
#ifndef FR_FIELD_TARGET_H
#define FR_FIELD_TARGET_H

#include "grid/grid.h"

/* A cell as one number, y << 16 | x, so that equal targets are found with one comparison. A target that is
 * the end of one step over uneven ground carries a flag: nobody else may see it. */
typedef uint32_t fr_target;

#define FR_TARGET_UNEVEN 0x80000000u
/* Not known, or not reached. */
#define FR_TARGET_NONE UINT32_MAX
_Static_assert(FR_MAP_SIDE_MAX <= 1 << 15, "a coordinate must leave the flag's bit alone");

static inline fr_target fr_target_at(fr_cell cell)
{
    return (fr_target)cell.y << 16 | (fr_target)cell.x;
}

static inline fr_cell fr_target_cell(fr_target target)
{
    return (fr_cell){(int32_t)(target & 0xffff), (int32_t)(target >> 16 & 0x7fff)};
}

#endif
