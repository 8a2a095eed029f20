/* orders: giving, keeping and dropping orders. Resolves goals to what each region can reach, asks the field
 * service, and follows changes of walls. Works on the world's parts that it is handed; ticks and commands are
 * the world's. */
#ifndef FR_SIM_ORDERS_H
#define FR_SIM_ORDERS_H

#include "crowd/order.h"
#include "field/regions.h"
#include "field/way_out.h"

/* A unit of an order whose goals have capacities, while it is decided where it goes. */
typedef struct fr_share_unit {
    uint32_t unit;
    int32_t goal;
    int32_t other;  /* the cheapest goal that has room; -1: none */
    uint64_t extra; /* what that one costs it more */
} fr_share_unit;

/* What orders work on; borrowed from the world. */
typedef struct fr_order_desk {
    fr_orders orders;
    fr_agents *agents;
    fr_cost *cost;
    fr_regions *regions[FR_COST_FITS]; /* of foot, and of other classes and wider discs once there are some;
                                          or null */
    fr_regions
        *nav_regions[FR_COST_FITS]; /* the same of field cells; these same where a field cell is a tile */
    fr_way_out *way_out;            /* or null: no tile needs one */
    fr_field_service *fields;
    uint32_t tick;
    uint32_t *leg_scratch; /* [leg_capacity] legs touched by the call under way */
    int32_t leg_scratch_count;
    fr_share_unit *share_scratch; /* [unit_capacity] */
    uint32_t orders_merged;       /* legs that began with the field of the order before */
    uint32_t goal_sets_denied;    /* orders of several goals refused for want of storage */
} fr_order_desk;

/* What an order tells units to go to. */
typedef struct fr_order_aim {
    const fr_position *goals;   /* [goal_count 1..FR_GOALS_MAX] inside the map; the middle of an area */
    const uint32_t *prices;     /* [goal_count], or null: no goal is dearer than another */
    const uint32_t *capacities; /* [goal_count] units that each is meant for, or null: any number */
    int32_t goal_count;
    fr_area area; /* with one goal */
    fr_caution caution;
    uint32_t leader1; /* the goal is where this unit is, and 1; 0: none */
} fr_order_aim;

void fr_orders_init(fr_orders *orders, int32_t unit_capacity);
void fr_orders_fini(fr_orders *orders);

/* Gives units the order to go to the nearest of the goals, or to any cell of the area. Units that are gone
 * are skipped. Returns the order's index, or FR_NO_INDEX if no unit was left or the storage for goal lists is
 * used up. */
uint32_t fr_orders_move(fr_order_desk *desk, const uint32_t *units, int32_t unit_count,
                        const fr_order_aim *aim);

/* A unit that follows no order yet joins one, as if it had been among those who got it. */
void fr_orders_join(fr_order_desk *desk, uint32_t unit, uint32_t order);

/* Once a tick: orders to follow a unit are aimed anew. Every FR_FOLLOW_TICKS the goal moves to where the
 * leader is; the old field serves until the new one is there. With a leader who is gone, the order ends as
 * one to the place where it was seen last. */
void fr_orders_follow(fr_order_desk *desk);

/* Once a tick: units of orders whose goals have capacities are shared out. They head for the nearest goal
 * until the fields to each are there; then those to whom it matters least leave the goals that would get too
 * many for the cheapest that has room. */
void fr_orders_share(fr_order_desk *desk);

/* The unit follows no order any more; what it last was told stays on record. */
void fr_orders_leave(fr_order_desk *desk, uint32_t unit);

/* Gets ready for units of this class and radius. Before the first of them is added. */
void fr_orders_admit(fr_order_desk *desk, fr_class movement_class, float radius);
/* The same where their costs are known already, as in a world that is loaded: opens no views. */
void fr_orders_admit_again(fr_order_desk *desk, fr_class movement_class, float radius);

/* Region of a unit: that of the open cell in which it last stood; FR_REGION_NONE if that is wall now. */
uint32_t fr_orders_unit_region(const fr_order_desk *desk, uint32_t unit);

/* Costs changed within a rectangle of tiles: regions and ways out follow. */
void fr_orders_ground_changed(fr_order_desk *desk, fr_rect rect);
/* What is kept of the ground ends. */
void fr_orders_drop_ground(fr_order_desk *desk);

/* Walls changed and regions are up to date: legs whose goals can be reached no more, or can be again, are
 * resolved anew. */
void fr_orders_walls_changed(fr_order_desk *desk);

/* Ring or threats changed: legs that go by other costs from now on ask for other fields. */
void fr_orders_extras_changed(fr_order_desk *desk);

/* A leg goes by congestion number `jam` (0..FR_JAMS_MAX - 1) from when its field is there; and no more. */
void fr_leg_begin_jam(fr_order_desk *desk, fr_leg *leg, int32_t jam);
void fr_leg_end_jam(fr_order_desk *desk, fr_leg *leg);

void fr_orders_save(const fr_orders *orders, fr_buffer *out);
/* Into fresh orders of the same unit capacity; `cost` is loaded. False: the bytes make no sense. What has to
 * do with units is not checked. */
bool fr_orders_load(fr_orders *orders, const fr_cost *cost, fr_reader *reader);

/* In a loaded world: the fields that the legs had at the end of the last tick. */
void fr_orders_restore_fields(fr_order_desk *desk);

/* Before the crowd's step: this tick's field of every leg, and fields for those that turned out to need one.
 */
void fr_orders_refresh_fields(fr_order_desk *desk);

#endif
