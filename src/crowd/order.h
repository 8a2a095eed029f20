/* order: what units have been told. Units point to orders and legs, never to fields. An order holds the goals
 * as they were given; a leg is the part of an order that concerns one region of the map: its reachable goals,
 * or the nearest reachable cell in their place. Plain storage; sim/orders decides. */
#ifndef FR_CROWD_ORDER_H
#define FR_CROWD_ORDER_H

#include "crowd/agents.h"
#include "field/field_service.h"

/* Places in a pack lie this many diameters apart: touching, plus what lets everybody come to rest. */
#define FR_SLOT_SPACING 1.045f

typedef struct fr_order {
    uint32_t tick;      /* applied at */
    int32_t goal_count; /* 1..FR_GOALS_MAX; 0: unused entry */
    fr_position goal;   /* the first, or only, one */
    fr_caution caution; /* towards threats */
    int32_t goal_set;   /* index of all of them where there are several, else -1 */
    bool has_capacity;  /* each goal is meant for so many units (goal_capacities) */
    fr_area area;       /* to any cell of it; `goal` is its middle */
    uint32_t leader1;   /* unit that is followed, and 1; `goal` is where it was seen last; 0: none */
    int32_t unit_count; /* units it was given to */
    int32_t holders;    /* units that still name it */
    int32_t followers;  /* units that still follow one of its legs */
    int32_t moving;     /* of these, how many were under way after the last tick */
    bool was_moving;
} fr_order;

typedef struct fr_leg {
    uint32_t order; /* FR_NO_INDEX: unused entry */
    fr_class movement_class;
    fr_cost_view fit;                    /* ground that the units can use: theirs may be wide discs */
    int32_t ways;                        /* between tiles and field cells, where these are larger: `fit`, or
                                            FR_WAYS_TO_MAIN of it (field/way_out.h) */
    fr_cost_view own_view;               /* whose costs they go by, congestion left out */
    fr_cost_view view;                   /* of which `field` is made */
    uint8_t team;                        /* of its first unit: whose threats they do not mind */
    fr_field_id field_id;                /* null: none asked for */
    fr_field_id old_field_id;            /* serves until the other is there; or null */
    uint8_t jam;                         /* 0, or 1 + number of its congestion */
    fr_field_id jam_field_id;            /* with congestion: serves once it is there; or null */
    uint32_t asks_tick;                  /* no field of its own is asked for before */
    fr_position field_goal;              /* where the first field of a burst of orders leads to */
    const fr_field *field;               /* this tick's, or null */
    const fr_field *rough;               /* leads where `field` does not reach; or null */
    fr_position goal;                    /* the goal, the first of several, the cell nearest to an area's
                                            middle, or the substitute's centre */
    uint64_t goals_key;                  /* of the goal cells: legs of an order are told apart by it */
    uint64_t ground_key;                 /* of all that can be reached, of which the leg may have a share:
                                            tells whether a change of walls moved the goals */
    uint8_t goal_mask[FR_GOALS_MAX / 8]; /* which goals of the order; all 0 for a substitute */
    int32_t goal_count;                  /* how many these are; 0 for areas too */
    bool reachable;                      /* false: `goal` stands in for one that can't be reached */
    bool wants_field;
    int32_t movers;        /* units under way when the tick began */
    uint32_t rests_since;  /* the last tick with any */
    uint32_t lead;         /* the last unit that joined */
    float mass;            /* sum of squared radii of all that joined */
    int32_t units;         /* that follow this leg */
    int32_t unclaimed;     /* of these, without a place yet */
    float pack_radius;     /* cells: of the disc that the units need */
    float slot_pitch;      /* cells between places */
    uint32_t held_up;      /* the last tick, and 1, in which a unit of it got nowhere before one who holds */
    bool grows;            /* units joined after it set out: places are made again as they run out */
    uint32_t slots_tick;   /* when places were made last */
    uint32_t pack;         /* number of the pack that its units share with those of other legs, above those
                              of legs; 0: they have one of their own */
    bool is_mixed;         /* its places are of several sizes */
    bool slots_made;       /* the places are known, and from where on units claim them */
    int32_t claims_left;   /* until the depths of the free places are worked out anew */
    int32_t outside;       /* moving units that are not in the pack: all of them until everybody has come */
    uint32_t inside_since; /* tick since when there are none */
    uint32_t depths_tick;
    uint32_t pack_potential;        /* of the field: below it a unit is near enough to stop for sure */
    uint32_t claim_potential;       /* units claim below this one */
    int32_t slot_first, slot_count; /* free places in the pool, nearest first */
} fr_leg;

/* A leg of several goals that waits for the fields to each of them, by which its units are shared out
 * (sim/order_share.c). */
typedef struct fr_goal_share {
    uint32_t leg1; /* index and 1; 0: unused entry */
    uint32_t since;
    uint64_t goals_key;  /* of the leg */
    fr_cost_view view;   /* likewise */
    fr_field_id *fields; /* [FR_GOALS_MAX]; null where the leg does not lead */
} fr_goal_share;

typedef struct fr_slot {
    fr_position position;
    float radius;   /* of the units that it is meant for, about */
    bool spare;     /* only for those who are shut out of others */
    int32_t goal;   /* index in the order's goals; 0 for a substitute */
    uint32_t depth; /* walking distance from those who come, in 70ths of a cell; UINT32_MAX: shut in */
} fr_slot;

/* Storage of all orders of a world; sized by its units, never grown. */
typedef struct fr_orders {
    int32_t order_capacity, order_limit; /* limit: entries from here on were never used */
    fr_order *orders;
    int32_t leg_capacity, leg_limit;
    fr_leg *legs;
    int32_t goal_set_capacity;
    fr_position *goal_sets;    /* [set][FR_GOALS_MAX] */
    uint32_t *goal_prices;     /* [set][FR_GOALS_MAX] what entering each costs more, in integration units */
    uint32_t *goal_capacities; /* [set][FR_GOALS_MAX] units that each is meant for */
    fr_goal_share *shares;     /* [set] */
    fr_field_id *share_fields; /* of all sets */
    uint8_t *goal_set_used;
    int32_t slot_capacity, slot_limit;
    fr_slot *slots;
} fr_orders;

static inline const fr_position *fr_order_goals(const fr_orders *orders, const fr_order *order)
{
    return order->goal_set < 0 ? &order->goal : orders->goal_sets + (int64_t)order->goal_set * FR_GOALS_MAX;
}

/* Of an order with several goals. */
static inline const uint32_t *fr_order_prices(const fr_orders *orders, const fr_order *order)
{
    return orders->goal_prices + (int64_t)order->goal_set * FR_GOALS_MAX;
}

static inline const uint32_t *fr_order_capacities(const fr_orders *orders, const fr_order *order)
{
    return orders->goal_capacities + (int64_t)order->goal_set * FR_GOALS_MAX;
}

/* What tells those who will stand together from others: the number of their pack, or of their leg. */
static inline uint32_t fr_leg_pack(const fr_orders *orders, uint32_t leg)
{
    return orders->legs[leg].pack != 0 ? orders->legs[leg].pack : leg;
}

/* Do all units of the leg head for one point? */
static inline bool fr_leg_has_one_point(const fr_leg *leg)
{
    return !leg->reachable || leg->goal_count == 1;
}

/* Is it an area that the leg's units may spread over? */
static inline bool fr_leg_has_area(const fr_orders *orders, const fr_leg *leg)
{
    return leg->reachable && orders->orders[leg->order].area.kind != FR_AREA_NONE;
}

/* May a disc walk straight from a to b as if by the field: over ground of one cost, all of it wide enough?
 * (fr_line_is_even) */
bool fr_leg_line_is_even(const fr_leg *leg, const fr_cost *cost, fr_position a, fr_position b,
                         float half_width);

static inline bool fr_leg_has_goal(const fr_leg *leg, int32_t goal)
{
    return (leg->goal_mask[goal / 8] >> (goal % 8) & 1) != 0;
}

#endif
