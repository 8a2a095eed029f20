/* score_ideal: the best that each unit could have done since its last order: the shortest way at any angle
 * where all ground is alike, elsewhere the streamline of a field with the rule of how ground slows. Worked
 * out when a report is written. */
#ifndef FR_SIM_SCORE_IDEAL_H
#define FR_SIM_SCORE_IDEAL_H

#include "sim/score_course.h"
#include "sim/scenario.h"

/* The way of one unit, down to its arrival radius. */
typedef struct fr_ideal_way {
    bool is_known;
    bool is_trace;          /* along a streamline, no bound in the strict sense */
    double length, seconds; /* at its top speed */
    int8_t side;            /* from which it comes to the first door on its way, -1 or 1; 0: to none */
    double to_door_s, from_door_s;
} fr_ideal_way;

/* Fills ways [unit_count of the courses]. Ways that would take too long to work out, or for which the memory
 * was not there, are unknown; so are those of units without an order. `scenario` (its doors) may be null. */
void fr_ideal_find(const fr_courses *courses, const fr_snapshot *snapshot, const fr_scenario *scenario,
                   fr_ideal_way *ways);

#endif
