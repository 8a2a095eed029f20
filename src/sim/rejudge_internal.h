/* rejudge_internal: a run that is judged by its rows, for the files that implement rejudge.h. */
#ifndef FR_SIM_REJUDGE_INTERNAL_H
#define FR_SIM_REJUDGE_INTERNAL_H

#include "sim/rejudge.h"

struct fr_rejudge {
    const fr_scenario *scenario;
    fr_cost *cost;
    fr_scorecard *card; /* null before the first tick is complete */
    fr_snapshot snapshot;
    uint32_t tick; /* of the rows that are coming in */
    bool has_rows; /* any at all */

    /* [unit_capacity] */
    fr_position *position;
    float *radius, *speed;
    uint8_t *movement_class, *state;
    uint16_t *group;
    uint32_t *order;
    uint16_t *goal1;
    uint32_t *seen_tick; /* of its last row */
    fr_position *goal;   /* of its last row */
    bool *has_goal;
    int32_t unit_count, unit_capacity;

    fr_order_view *orders;            /* [order_count], room for all of the scenario */
    fr_position *own_goals;           /* [of the same number] for orders that have none in the scenario */
    const fr_scenario_order **source; /* null: a unit's goal of its own */
    int32_t order_count;
    fr_group_view *groups;
};

/* rejudge_orders.c: goals that are written with the units themselves. */
void rejudge_give_own_goals(fr_rejudge *r);
/* rejudge_orders.c: what the step from `tick` on begins with. */
void rejudge_apply_orders(fr_rejudge *r, uint32_t tick);
/* rejudge_orders.c: who comes later does what the latest of its group was told, if it does anything. */
void rejudge_join(fr_rejudge *r, int32_t unit);
/* rejudge_orders.c: where leaders are, and to which of several goals units were sent, is told by the rows
 * alone. */
void rejudge_read_goals(fr_rejudge *r);

#endif
