/* score_corners: open ground as the judge's search for shortest ways needs it: runs of open cells row by row,
 * and the convex corners of walls, the only points where a taut way bends. From walls alone; nothing of
 * field/. */
#ifndef FR_SIM_SCORE_CORNERS_H
#define FR_SIM_SCORE_CORNERS_H

#include "grid/grid.h"

/* Cells first .. end - 1 of a row are open, those beside them are not. */
typedef struct fr_run {
    int32_t first, end;
} fr_run;

/* The corner point (x, y) of the grid, where exactly one of the four cells around is wall. */
typedef struct fr_corner {
    int32_t x, y;
    int8_t wall_x, wall_y; /* where that cell lies: -1 or +1 */
} fr_corner;

typedef struct fr_open_ground {
    fr_grid grid;
    fr_run *runs;        /* row by row, by x */
    int32_t *row_first;  /* [height + 1] into runs */
    fr_corner *corners;  /* line by line, by x */
    int32_t *line_first; /* [height + 2] into corners: lines 0 .. height lie between rows */
    int32_t corner_count;
} fr_open_ground;

/* From costs [w*h] row-major: FR_COST_WALL is wall, and so is all outside. O(w*h). */
void fr_open_ground_init(fr_open_ground *ground, fr_grid grid, const uint8_t *costs);
void fr_open_ground_fini(fr_open_ground *ground);

/* The run that holds a cell, or null for a wall. */
const fr_run *fr_open_ground_run(const fr_open_ground *ground, fr_cell cell);

/* Index of the first corner of a line at x or right of it; line_first[line + 1] if there is none. */
int32_t fr_open_ground_corner(const fr_open_ground *ground, int32_t line, int32_t x);

#endif
