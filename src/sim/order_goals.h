/* order_goals: what each region of the map can reach of an order's goals, and the field that leads there.
 * Internal to the orders. */
#ifndef FR_SIM_ORDER_GOALS_H
#define FR_SIM_ORDER_GOALS_H

#include "sim/orders.h"

typedef struct fr_resolution {
    bool reachable;
    fr_position goal; /* as in fr_leg */
    uint64_t key;     /* equal keys: the same goals */
    uint8_t mask[FR_GOALS_MAX / 8];
} fr_resolution;

/* The goals of the order that can be reached from a region of the ground `fit`, or the nearest cell to them:
 * smallest squared distance from a goal, or from the middle of an area, to the cell's centre. */
fr_resolution fr_order_resolve(const fr_order_desk *desk, const fr_order *order, fr_cost_view fit,
                               uint32_t region);

/* Takes a reference to the leg's field. Sets wants_field; the id stays null while the service has no slot. */
void fr_leg_request_field(fr_order_desk *desk, fr_leg *leg);

#endif
