/* walls: the walls and 4-connected regions of one movement class, as the judge and the placing of units see
 * them. Built from plain costs and on purpose independent of field/, so that what it says about a run does
 * not depend on the code that made the run. */
#ifndef FR_SIM_WALLS_H
#define FR_SIM_WALLS_H

#include <stddef.h>

#include "grid/grid.h"

#define FR_WALL_REGION 0u

typedef struct fr_walls {
    fr_grid grid;
    uint32_t *region;      /* [w*h] row-major: FR_WALL_REGION, or 1..region_count */
    uint32_t *previous;    /* the labels before the last change of walls; null before the first */
    uint32_t region_count; /* 0: all wall */
    bool is_labelled;      /* costs have been taken over at least once */
    bool has_changed;      /* a wall came or went in this tick; whoever calls update clears it */
    int32_t *stack;        /* of the flood fill [stack_capacity] */
    size_t stack_capacity;
} fr_walls;

/* All wall; fini frees it. */
void fr_walls_init(fr_walls *walls, fr_grid grid);
void fr_walls_fini(fr_walls *walls);

/* Takes over costs [w*h] row-major. Returns true (and sets has_changed), with new labels, if a wall came or
 * went; the labels of unchanged walls stay. O(w*h). */
bool fr_walls_update(fr_walls *walls, const uint8_t *costs);

/* Region of a cell; FR_WALL_REGION outside the map. */
static inline uint32_t fr_walls_region(const fr_walls *walls, fr_cell cell)
{
    return fr_grid_contains(walls->grid, cell) ? walls->region[fr_grid_index(walls->grid, cell)]
                                               : FR_WALL_REGION;
}

/* Was this cell open before the last change, and is it a wall now? */
static inline bool fr_walls_became_wall(const fr_walls *walls, fr_cell cell)
{
    if (walls->previous == NULL || !fr_grid_contains(walls->grid, cell)) {
        return false;
    }
    int32_t index = fr_grid_index(walls->grid, cell);
    return walls->region[index] == FR_WALL_REGION && walls->previous[index] != FR_WALL_REGION;
}

/* Cells deep that a disc reaches into the wall cell that it overlaps most; 0 where it stands free. At most
 * `radius`: a centre inside a wall has distance 0 from it. */
double fr_walls_penetration(const fr_walls *walls, fr_position position, double radius);

/* Does the disc reach into a cell that the last change turned into wall? */
bool fr_walls_buried(const fr_walls *walls, fr_position position, double radius);

/* Open cell with the smallest squared distance from `from` to its centre; ties: smaller y, then smaller x. Of
 * `region` unless 0, and of region `was` before the last change unless 0. False if there is none. */
bool fr_walls_nearest(const fr_walls *walls, fr_position from, uint32_t region, uint32_t was,
                      fr_cell *nearest);

#endif
