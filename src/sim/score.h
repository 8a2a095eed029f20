/* score: what a scorecard is made of. Internal to the judge: scorecard.c fills it, report.c reads it. */
#ifndef FR_SIM_SCORE_H
#define FR_SIM_SCORE_H

#include "sim/score_course.h"
#include "sim/score_doors.h"
#include "sim/score_motion.h"
#include "sim/score_stuck.h"
#include "sim/scorecard.h"

#define FR_NOT_GONE UINT32_MAX

struct fr_scorecard {
    const fr_scenario *scenario; /* may be null */
    fr_grid grid;
    uint32_t cost_version;
    uint8_t *costs;                 /* [w*h] scratch */
    fr_walls walls[FR_CLASS_COUNT]; /* of the classes that units have */
    fr_position *before;            /* [unit_count] one tick ago */
    uint32_t *gone_tick;            /* [unit_count] FR_NOT_GONE while in the world */
    int32_t unit_count;
    bool has_ticks, has_changed_units; /* judged any; units have come or gone in this tick */
    bool *is_halted;                   /* [scenario groups] told to stand */
    fr_goal_book goals;
    fr_motion motion;
    fr_neighbours neighbours;
    fr_overlap overlap;
    fr_stuck stuck;
    fr_courses courses;
    fr_doors doors;
    fr_lanes lanes;
};

/* Has the unit arrived, as things stand now, and at which tick? */
bool fr_score_arrival(const fr_scorecard *scorecard, int32_t unit, uint32_t *tick);

#endif
