/* score_doors: how many units pass a line in the map, and when (M14); and how well two streams that meet sort
 * themselves into lanes (M12). From positions alone. */
#ifndef FR_SIM_SCORE_DOORS_H
#define FR_SIM_SCORE_DOORS_H

#include "sim/scenario.h"
#include "sim/score_goals.h"

/* Of one unit at one door since its last order: who goes back has not passed. */
typedef struct fr_passage {
    uint32_t tick;
    int8_t side; /* from which it came, -1 or 1; 0: it has not passed */
} fr_passage;

typedef struct fr_door_score {
    fr_position from, to;
    fr_passage *passages; /* [unit_count] */
    uint32_t *ticks;      /* of passages under earlier orders [tick_count] */
    int32_t tick_count, tick_capacity;
} fr_door_score;

typedef struct fr_doors {
    fr_door_score *doors; /* [door_count] in the scenario's order */
    int32_t door_count;
    uint32_t *given_tick; /* [unit_count] of the order that its passages belong to */
    int32_t unit_count;
} fr_doors;

/* `scenario` may be null: no doors. */
void fr_doors_init(fr_doors *doors, const fr_scenario *scenario);
void fr_doors_fini(fr_doors *doors);
void fr_doors_tick(fr_doors *doors, const fr_goal_book *book, const fr_snapshot *snapshot,
                   const fr_position *before);

/* Passages a second between the 10 % and the 90 % of all, both ways together; negative: not known. */
double fr_doors_rate(const fr_doors *doors, int32_t door);

/* What a door can carry (units/s), by Oler's bound on points apart in a strip; negative if they don't fit. */
double fr_door_capacity(const double line[4], double diameter, double top_speed);

/* Lanes in an area, row by row along its axis. */
typedef struct fr_lanes {
    fr_rect cells;
    bool is_along_y;
    int32_t groups[2];
    int32_t *counts[2]; /* [rows] of this tick */
    int32_t row_count;  /* 0: nothing to judge */
    bool has_met;
    uint32_t met_tick;
    int64_t order_sum, pair_sum;
} fr_lanes;

void fr_lanes_init(fr_lanes *lanes, const fr_scenario *scenario);
void fr_lanes_fini(fr_lanes *lanes);
void fr_lanes_tick(fr_lanes *lanes, const fr_snapshot *snapshot);

/* 1: every row belongs to one stream; 0: as by lot. False: they never were in one another's way. */
bool fr_lanes_order(const fr_lanes *lanes, double *order);

#endif
