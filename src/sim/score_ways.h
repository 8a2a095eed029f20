/* score_ways: the shortest ways at any angle from many places to one goal, exact to rounding, for the judge.
 * A way is that of a point: it may touch walls and corners but not pass between two walls that meet at a
 * corner. */
#ifndef FR_SIM_SCORE_WAYS_H
#define FR_SIM_SCORE_WAYS_H

#include "sim/score_corners.h"

/* Where ways end: a place, or any of some cells. */
typedef struct fr_way_goal {
    fr_position place;
    const fr_cell *cells; /* [cell_count], open, in ascending order (y, then x); null: the place */
    int32_t cell_count;
} fr_way_goal;

typedef struct fr_ways fr_ways;

/* `ground` is borrowed. */
fr_ways *fr_ways_create(const fr_open_ground *ground);
void fr_ways_destroy(fr_ways *ways);

/* Finds the ways of all starts [count, on open cells]; lengths [count] gets cells, negative where there is no
 * way. `steps` is how much work may be done, and is lowered by what was: false, with nothing found, when it
 * is used up. Work grows with the ground that is seen round the corners that are nearer than the farthest
 * start.
 */
bool fr_ways_find(fr_ways *ways, const fr_way_goal *goal, const fr_position *starts, int32_t count,
                  int64_t *steps, double *lengths);

/* The points of a way of the last search, from its start to the goal [*count >= 1]; valid until the next
 * call. */
const fr_position *fr_ways_points(fr_ways *ways, int32_t start, int32_t *count);

#endif
