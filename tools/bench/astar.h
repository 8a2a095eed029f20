/* astar: the usual way to find one unit's path, as the yardstick for a field shared by many: A* (Hart,
 * Nilsson and Raphael 1968) with the octile heuristic, a binary heap and memory that is reused from path to
 * path. Same grid, prices and corner rule as the fields. */
#ifndef FR_TOOLS_ASTAR_H
#define FR_TOOLS_ASTAR_H

#include "grid/grid.h"

/* Price of a path that does not exist. */
#define FR_ASTAR_NO_PATH UINT32_MAX

typedef struct fr_astar fr_astar;

/* costs [w*h] row-major, 1..254 or FR_COST_WALL; borrowed. */
fr_astar *fr_astar_create(fr_grid grid, const uint8_t *costs);
void fr_astar_destroy(fr_astar *astar);

/* Least price of a path between two cells that are no walls (what a field's integration says at `start`), or
 * FR_ASTAR_NO_PATH. The path itself is known then (fr_astar_path). */
uint32_t fr_astar_find(fr_astar *astar, fr_cell start, fr_cell goal);

/* Cells of the path found last, from its goal back to its start; returns their number, at most `capacity`. */
int32_t fr_astar_path(const fr_astar *astar, fr_cell *out, int32_t capacity);

#endif
