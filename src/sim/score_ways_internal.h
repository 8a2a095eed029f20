/* score_ways_internal: the search for shortest ways, shared by its two halves: which corner is next
 * (score_ways.c), and what one sees from it (score_sweep.c). */
#ifndef FR_SIM_SCORE_WAYS_INTERNAL_H
#define FR_SIM_SCORE_WAYS_INTERNAL_H

#include "sim/score_ways.h"

#include <math.h>

/* For places in products: those of two of them fit 62 bits. */
#define ONE ((int64_t)FR_POSITION_ONE)

/* Where a way goes on from a corner or a start: a corner, ... */
#define FROM_NONE (-1) /* ... nothing yet, ... */
#define FROM_GOAL (-2) /* ... straight to the point of the goal kept with it. */

typedef struct way_node {
    double length;    /* cells to the goal; negative: not reached */
    int32_t from;     /* corner, or FROM_ */
    fr_position goal; /* of FROM_GOAL */
} way_node;

typedef struct way_corner {
    way_node node;
    int64_t dx, dy; /* from the point before to this corner */
    bool is_closed;
} way_corner;

typedef struct way_entry {
    double order;
    int32_t corner;
} way_entry;

/* Directions as seen from the point that looks, y counted the way the sweep goes: (lx, ly) is the border with
 * the smaller x. ly and ry are never negative, and the cone is less than a half plane or all of it. */
typedef struct way_cone {
    int64_t lx, ly, rx, ry;
} way_cone;

typedef struct way_strip {
    int32_t line;
    way_cone cone;
} way_strip;

struct fr_ways {
    const fr_open_ground *ground;
    way_corner *corners; /* [corner_count] */
    way_entry *heap;
    int32_t heap_count, heap_capacity;
    way_strip *strips; /* of the sweep under way */
    int32_t strip_count, strip_capacity;
    fr_position *starts;   /* sorted by row, then x [start_count] */
    int32_t *start_index;  /* in the caller's order */
    way_node *start_nodes; /* in the sorted order */
    int32_t *sorted_place; /* of the caller's start in the sorted order */
    int32_t *row_first;    /* [height + 1] */
    int32_t start_count, start_capacity;
    fr_position low, high; /* corners of the box of all starts */
    fr_position *points;
    int32_t point_capacity;
    int64_t steps;
};

/* Length in cells of a difference of places. */
static inline double ways_straight_cells(int64_t dx, int64_t dy)
{
    double x = (double)dx / (double)ONE, y = (double)dy / (double)ONE;
    return sqrt(x * x + y * y);
}

/* score_ways.c: the corner is to be looked at in its turn, its length being known. */
void ways_queue(fr_ways *ways, int32_t corner);

/* score_sweep.c: reaches all that is seen from a point of the goal; `cell` holds it, on an edge or inside. */
void ways_look_round(fr_ways *ways, fr_position point, fr_cell cell);

/* score_sweep.c: reaches what is seen from a corner behind it, as the way comes there. */
void ways_look_behind(fr_ways *ways, int32_t index);

#endif
