/* score_stuck: units that stand still short of their goal with nobody to blame. Keeps the positions of the
 * last ten seconds; knows goals and neighbours, nothing of what a unit says about itself. */
#ifndef FR_SIM_SCORE_STUCK_H
#define FR_SIM_SCORE_STUCK_H

#include "sim/score_goals.h"
#include "sim/score_neighbours.h"

/* A unit that stays within half its radius of one place for this long stands still. */
#define FR_STUCK_TICKS 300

typedef struct fr_unit_still {
    uint32_t next_check; /* tick before which it can't have stood still long enough */
    double x, y;         /* the place it stays at; valid while is_still */
    bool is_still;
    bool was_stuck;
} fr_unit_still;

/* A unit that would count as stuck unless it is excused. */
typedef struct fr_still_unit {
    int32_t unit;
    bool is_excused;
    int32_t neighbour_count;
    int32_t neighbours[8];
} fr_still_unit;

typedef struct fr_stuck {
    fr_unit_still *units;
    int32_t unit_count, stuck_count;
    fr_position *history; /* [slot_count][unit_capacity], slot (tick / interval) % slot_count */
    int32_t unit_capacity;
    uint32_t interval; /* ticks between two slots: 1 unless there are very many units */
    uint32_t slot_count;
    uint32_t newest_tick;
    fr_still_unit *still; /* of this tick */
    int32_t still_count, still_capacity;
    int32_t *still_index; /* [unit_count] place in `still`, or -1 */
} fr_stuck;

/* `first`: positions before the first tick. */
void fr_stuck_init(fr_stuck *stuck, const fr_snapshot *first);
void fr_stuck_fini(fr_stuck *stuck);

/* Adds one tick. `is_halted` [groups]: told to stand by the scenario, so never stuck; may be null. */
void fr_stuck_tick(fr_stuck *stuck, fr_goal_book *book, const fr_neighbours *neighbours,
                   const fr_snapshot *snapshot, const fr_walls *walls, const bool *is_halted);

#endif
