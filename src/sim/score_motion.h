/* score_motion: how units moved: speed, jerk, turning back and forth, stop and go, penetration of walls, and
 * what the run looked like tick by tick. From positions, radii, top speeds and walls alone. */
#ifndef FR_SIM_SCORE_MOTION_H
#define FR_SIM_SCORE_MOTION_H

#include "sim/score_goals.h"

/* What the moving set adds up to (M6 to M8). */
typedef struct fr_motion_sums {
    double jerk; /* sum of |v_t - v_{t-1}|^2 / v0^2 */
    int64_t ticks, reversals, stops;
} fr_motion_sums;

typedef struct fr_unit_motion {
    double vx, vy;          /* of the last tick, cells/s */
    fr_motion_sums pending; /* since it is within its arrival radius: counts if it leaves that again */
    uint32_t buried_tick;   /* when a wall came down on it; valid while is_buried */
    int8_t last_turn;       /* sign of the last turn of more than 5 degrees */
    bool has_velocity;
    bool is_steady; /* the last movement was the unit's own: not pushed out of a wall */
    bool is_fast;   /* has been above 60 % of its top speed and not below 20 % since */
    bool is_buried, was_displaced;
} fr_unit_motion;

/* One tick of the run, over all units in the world. */
typedef struct fr_tick_record {
    double squared_speed; /* sum of (speed / top speed)^2 */
    int32_t units, moving;
} fr_tick_record;

/* Counts of speed / top speed in steps of 1 / FR_SPEED_STEPS up to FR_SPEED_TOP, and the largest value in
 * each. */
#define FR_SPEED_STEPS 4096
#define FR_SPEED_TOP   4
#define FR_SPEED_BINS  (FR_SPEED_STEPS * FR_SPEED_TOP + 1)

typedef struct fr_motion {
    fr_unit_motion *units;
    int32_t unit_count, displaced;
    fr_motion_sums sums;
    fr_tick_record *ticks; /* [tick_count]; entry k is the state after k + 1 steps */
    uint32_t tick_count, tick_capacity;
    uint32_t last_movement_tick; /* 0: nothing ever moved */
    double speed_max, wall_penetration_max;
    uint32_t *speed_count; /* [FR_SPEED_BINS] */
    float *speed_largest;
    int64_t speed_total;
} fr_motion;

void fr_motion_init(fr_motion *motion);
void fr_motion_fini(fr_motion *motion);

/* Adds one tick. `before`: positions one tick ago; `walls` [FR_CLASS_COUNT]. */
void fr_motion_tick(fr_motion *motion, const fr_goal_book *book, const fr_snapshot *snapshot,
                    const fr_position *before, const fr_walls *walls);

/* The speed / top speed that the given share of all unit-ticks does not exceed; negative if there are none.
 */
double fr_motion_speed_quantile(const fr_motion *motion, double share);

#endif
