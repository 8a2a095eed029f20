/* single_file: marks of the ways through ground where there is room for one stream only, and what they are
 * made by; for single_file.c, which makes them, and lane_turn.c, which goes by them. */
#ifndef FR_CROWD_SINGLE_FILE_H
#define FR_CROWD_SINGLE_FILE_H

#include "crowd/crowd_internal.h"

/* A way through is followed no farther (cells). */
#define LANE_TRACE_CELLS 64
/* Steps straight along rows and columns are enough: in single file there are no others. */
#define LANE_SIDES 4

typedef struct lane_mark {
    uint32_t stream, leg;
    int32_t next;      /* another mark in the cell, and 1; 0: none */
    uint8_t direction; /* of the way on; FR_DIR_NONE at its end */
    uint8_t left;      /* cells to where there is room again */
    uint8_t occupied;  /* somebody of that stream is in the cell */
    uint8_t is_exact;  /* `left` is that far; else it is more */
} lane_mark;

static inline fr_cell lane_step(fr_cell cell, int direction)
{
    return (fr_cell){cell.x + FR_STEPS[direction].dx, cell.y + FR_STEPS[direction].dy};
}

/* Does the cell lie in no open square in which two streams of that size can pass each other? */
bool crowd_is_narrow(const fr_crowd_input *input, const body *self, fr_cell cell);

/* The mark of a stream in a cell, or null, as for cells outside the map. */
lane_mark *crowd_mark_of(const fr_crowd *crowd, fr_cell cell, uint32_t stream);

/* The way on for units of a leg: the neighbour with the least left, or FR_DIR_NONE. */
int crowd_way_on(const fr_crowd_input *input, uint32_t leg, fr_cell cell);

#endif
