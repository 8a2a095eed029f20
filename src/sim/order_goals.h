/* order_goals: what each region of the map can reach of an order's goals, and the field that leads there.
 * Internal to the orders. */
#ifndef FR_SIM_ORDER_GOALS_H
#define FR_SIM_ORDER_GOALS_H

#include "sim/order_ground.h"

typedef struct fr_resolution {
    bool reachable;
    fr_position goal;    /* as in fr_leg */
    uint64_t key;        /* equal keys: the same goals */
    int32_t ways;        /* as in fr_leg */
    uint64_t ground_key; /* as in fr_leg; from fr_order_resolve: the same */
    uint8_t mask[FR_GOALS_MAX / 8];
    int32_t goal_count; /* in it */
} fr_resolution;

/* The goals of the order that can be reached from a region of the ground `fit`, or the nearest cell to them:
 * smallest squared distance from a goal, or from the middle of an area, to the cell's centre. */
fr_resolution fr_order_resolve(fr_order_desk *desk, const fr_order *order, fr_cost_view fit,
                               fr_ground region);

/* One goal of the order, out of what a leg can reach. */
fr_resolution fr_order_resolve_one(const fr_order_desk *desk, const fr_leg *leg, int32_t goal);

/* orders.c: the unit, which follows none, follows this leg from now on. */
void fr_leg_add_unit(fr_order_desk *desk, uint32_t unit, uint32_t leg);

/* orders.c: the leg of this order for a region among those of the call under way, or a new one, for this
 * unit. */
uint32_t fr_orders_find_leg(fr_order_desk *desk, uint32_t order, fr_cost_view fit, uint32_t unit,
                            const fr_resolution *result);

/* orders.c: once all its units follow a new leg: the room that they need, and its field unless one unit can
 * do without. */
void fr_orders_complete_legs(fr_order_desk *desk);

/* orders.c: the leg of an order for these goals, that ground and the costs that count for the unit, or
 * FR_NO_INDEX. */
uint32_t fr_orders_present_leg(fr_order_desk *desk, uint32_t order, fr_cost_view fit, uint32_t unit,
                               uint64_t goals_key);

/* orders.c: one more unit follows a leg that has set out. */
void fr_leg_grow(fr_order_desk *desk, uint32_t unit, uint32_t leg);

/* order_share.c: the fields by which units of an order were to be shared out are not needed any more. */
void fr_share_drop(fr_order_desk *desk, int32_t goal_set);

/* order_changes.c: asks for another field, of other goals or costs; the present one serves until it is there.
 */
void fr_leg_change_field(fr_order_desk *desk, fr_leg *leg);

/* order_fields.c: takes a reference to the field to the leg's goals over the costs of a view. Null while the
 * service has no slot. */
fr_field_id fr_leg_ask_for_field(fr_order_desk *desk, const fr_leg *leg, fr_cost_view view);
/* The same for its own view, into field_id. Sets wants_field. */
void fr_leg_request_field(fr_order_desk *desk, fr_leg *leg);

#endif
