/* maze: the plan of a maze in which one way leads from any place to any other. How wide its corridors are,
 * and what they are dug into, is the caller's. */
#ifndef FR_TOOLS_MAZE_H
#define FR_TOOLS_MAZE_H

#include "base/rng.h"
#include "grid/grid.h"

/* Digs one place of the plan, and the way to it from the place next to it in the direction `came_from` (an
 * even fr_dir; FR_DIR_NONE for the first). */
typedef void (*fr_maze_dig_fn)(void *context, fr_cell place, int came_from);

/* Depth first from place (0, 0), by lot (the recursive backtracker): long winding corridors. Calls `dig` once
 * for each of `plan`. */
void fr_make_maze(fr_grid plan, fr_rng *rng, fr_maze_dig_fn dig, void *context);

#endif
