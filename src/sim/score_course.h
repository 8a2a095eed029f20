/* score_course: what the judge keeps of each unit since its last order: where it was, which ground and goal
 * it had before it, and how far it has walked. What the best of all ways would have been is worked out from
 * that when the run is over (score_ideal.h), so that a tick costs next to nothing. */
#ifndef FR_SIM_SCORE_COURSE_H
#define FR_SIM_SCORE_COURSE_H

#include "sim/score_goals.h"

/* Costs of one class as they were when units were sent out. */
typedef struct fr_course_ground {
    uint8_t *costs; /* [w*h], or null: free */
    uint32_t version;
    fr_class movement_class;
    int32_t unit_count; /* that set out on it */
} fr_course_ground;

#define FR_NO_GROUND (-1)

typedef struct fr_course {
    uint32_t order, given_tick; /* of the last order; FR_NO_ORDER: none yet */
    int32_t ground;             /* FR_NO_GROUND: not kept, so nothing can be said of its way */
    fr_position start;          /* on an open cell of the ground */
    fr_position goal;           /* or what stands in for it */
    fr_area area;
    double arrival_radius; /* cells */
    double walked;         /* cells since the order */
    double walked_in;      /* until it came within the radius for the last time */
} fr_course;

typedef struct fr_courses {
    fr_grid grid;
    fr_course *units;
    int32_t unit_count;
    fr_course_ground *grounds;
    int32_t ground_count;
    size_t ground_bytes;
    bool has_extras; /* threats or congestion were on at some time */
} fr_courses;

void fr_courses_init(fr_courses *courses, fr_grid grid);
void fr_courses_fini(fr_courses *courses);

/* Adds one tick, after the goal book. `before`: positions one tick ago. Allocates when an order comes on new
 * ground, and else never. */
void fr_courses_tick(fr_courses *courses, const fr_goal_book *book, const fr_snapshot *snapshot,
                     const fr_position *before);

#endif
