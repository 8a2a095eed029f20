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

/* orders.c: the unit, which follows none, follows this leg from now on. */
void fr_leg_add_unit(fr_order_desk *desk, uint32_t unit, uint32_t leg);

/* orders.c: the leg of this order for a region among those of the call under way, or a new one, for this
 * unit. */
uint32_t fr_orders_find_leg(fr_order_desk *desk, uint32_t order, fr_cost_view fit, uint32_t unit,
                            const fr_resolution *result);

/* orders.c: once all its units follow a new leg: the room that they need, and its field unless one unit can
 * do without. */
void fr_orders_complete_legs(fr_order_desk *desk);

/* orders.c: asks for another field, of other goals or costs; the present one serves until it is there. */
void fr_leg_change_field(fr_order_desk *desk, fr_leg *leg);

/* Takes a reference to the field to the leg's goals over the costs of a view. Null while the service has no
 * slot. */
fr_field_id fr_leg_ask_for_field(fr_order_desk *desk, const fr_leg *leg, fr_cost_view view);
/* The same for its own view, into field_id. Sets wants_field. */
void fr_leg_request_field(fr_order_desk *desk, fr_leg *leg);

#endif
