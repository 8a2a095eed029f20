/* clearance: where a disc that is wider than a cell can be. Knows walls alone, neither units nor costs. */
#ifndef FR_GRID_CLEARANCE_H
#define FR_GRID_CLEARANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/limits.h"

/* Classes of width: clearance k is for discs that pass gaps of k + 1 cells, but none narrower. */
static inline int fr_clearance_of(float radius)
{
    /* A disc as wide as a gap sticks in it: collision keeps a hair of room on both sides. */
    const float hair = 1e-3f;
    int clearance = 0;
    while (clearance < FR_CLEARANCE_COUNT - 1 && 2.0f * radius + hair > (float)(clearance + 1)) {
        clearance++;
    }
    return clearance;
}

/* Cells of walls around a cell that decide whether a disc fits: a window of this side, centred. */
static inline int fr_clearance_window(int clearance)
{
    return clearance == 0 ? 1 : clearance % 2 == 0 ? clearance + 1 : clearance + 4;
}

/* Does the centre of such a disc fit into the middle cell of a window of walls (fr_cost_wall_window, side
 * fr_clearance_window)? A disc k + 1 cells wide counts as a square of as many cells. For odd widths it is
 * centred on the cell. For even ones it is centred on one of the cell's corners; a cell is left out where the
 * square could not slide on: between corners that lie opposite, or over the edge to a neighbour that shares
 * no corner at which the square fits. Two cells that touch and both fit are thus truly connected. */
bool fr_clearance_fits(uint64_t walls, int clearance);

#endif
