/* score_neighbours: who is near whom, for the judge: units in horizontal rows, each row sorted by x. The
 * order of the last tick is the start of the next, so that sorting costs next to nothing. */
#ifndef FR_SIM_SCORE_NEIGHBOURS_H
#define FR_SIM_SCORE_NEIGHBOURS_H

#include "sim/snapshot.h"

typedef struct fr_neighbour {
    int32_t x, y; /* fixed point */
    float radius;
    int32_t unit;
    bool flies;
} fr_neighbour;

typedef struct fr_neighbours {
    fr_neighbour *sorted; /* row by row, by x within a row [count] */
    fr_neighbour *spare;
    int32_t count, capacity;
    int32_t known_units;  /* ids below were there in the last tick */
    float largest_radius; /* of all units so far */
    int32_t row_height;   /* fixed point: pairs up to FR_CLOSE_PAIR are in the same row or the next */
    int32_t *row_first;   /* [row_count + 1] */
    int32_t row_count;
} fr_neighbours;

/* A pair is close if its distance is below this times the sum of its radii. */
#define FR_CLOSE_PAIR 1.2

/* An all-zero struct is valid and empty. */
void fr_neighbours_update(fr_neighbours *neighbours, const fr_snapshot *snapshot);
void fr_neighbours_fini(fr_neighbours *neighbours);

/* Units other than `unit` within `reach` cells of its position, nearest first (ties: smaller id), at most
 * `capacity`. Returns their number. */
int32_t fr_neighbours_nearest(const fr_neighbours *neighbours, fr_position position, int32_t unit,
                              double reach, int32_t *units, int32_t capacity);

/* Overlaps of all ticks so far (M4). */
typedef struct fr_overlap {
    float *worst; /* of each sorted unit in this tick */
    int32_t capacity;
    double sum, max;
    int64_t unit_ticks, close_pairs, overlapping_pairs;
    struct fr_overlap_tick_sums {
        double sum;
        int64_t close_pairs, overlapping_pairs;
    } last; /* of the last tick */
} fr_overlap;

/* Adds one tick. An all-zero struct is valid and empty. */
void fr_overlap_tick(fr_overlap *overlap, const fr_neighbours *neighbours);
/* Adds one tick in which nobody has moved since the last. */
void fr_overlap_repeat(fr_overlap *overlap, const fr_neighbours *neighbours);
void fr_overlap_fini(fr_overlap *overlap);

#endif
