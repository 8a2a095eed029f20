/* snapshot: what the world shows after a tick, borrowed and read-only until the next tick. Drawing, judging
 * and writing files read this and nothing else of the world. */
#ifndef FR_SIM_SNAPSHOT_H
#define FR_SIM_SNAPSHOT_H

#include "base/vec2.h"
#include "crowd/agents.h"
#include "crowd/mechanisms.h"
#include "field/field.h"
#include "field/regions.h"
#include "field/way_out.h"
#include "grid/area.h"
#include "grid/cost.h"

/* "idle", "moving", ... */
const char *fr_unit_state_name(fr_unit_state state);

/* "none", "field", ... */
const char *fr_unit_reason_name(fr_unit_reason reason);

/* One order that has been given. */
typedef struct fr_order_view {
    uint32_t tick;            /* at which it was applied */
    const fr_position *goals; /* as asked (clamped to the map) [goal_count] */
    int32_t goal_count;
    int32_t unit_count;     /* units that got it; 1: a goal of its own */
    const uint32_t *prices; /* what entering each goal costs more, FR_STEP_STRAIGHT a cell; null: nothing */
    fr_area area;           /* to any cell of it; then the one goal is its middle */
    bool is_follow;         /* after a unit: the one goal moves with it */
} fr_order_view;

#define FR_NO_ORDER UINT32_MAX

typedef struct fr_group_view {
    const char *name;
    bool leaves; /* units whose path crosses the line leave the world */
    fr_position leave_from, leave_to;
} fr_group_view;

/* All arrays are [unit_count], indexed by unit id (order of creation); units in state GONE keep their last
 * values. */
typedef struct fr_snapshot {
    uint32_t tick; /* steps done */
    fr_grid grid;
    int32_t full_speed_cost;
    fr_mover mover;
    uint32_t without; /* mechanisms left out: FR_MECHANISM bits */
    int32_t unit_count;
    int32_t unit_capacity; /* of the world: more may come */
    const fr_position *position;
    const fr_position *previous; /* one tick ago, for interpolation */
    const fr_vec2 *velocity;     /* cells/s */
    const fr_vec2 *facing;       /* unit vector, turned smoothly: for drawing only */
    const float *radius;         /* cells */
    const float *speed;          /* top speed, cells/s */
    const uint8_t *team;
    const uint8_t *movement_class; /* fr_class */
    const uint8_t *state;          /* fr_unit_state */
    const uint8_t *reason;         /* fr_unit_reason */
    const uint16_t *group;         /* index into groups */
    const uint32_t *order;         /* index into orders of the last order that had a goal, or FR_NO_ORDER */
    const uint16_t *goal1;       /* of several goals the one that the unit was sent to, and 1; 0: whichever is
                                    nearest (fr_snapshot_sent_to); null: so for all */
    const fr_position *target;   /* where the unit is heading: goal or place; meaningless without an order */
    const fr_order_view *orders; /* all orders that units still name; others have unit_count 0 */
    int32_t order_count;
    const fr_group_view *groups;
    int32_t group_count;
    const fr_cost *cost;       /* read-only questions: costs, edits, kinds of ground, block versions */
    const fr_way_out *way_out; /* from tiles whose field cell is a wall; or null */
    const fr_regions *regions[FR_CLASS_COUNT]; /* connected areas per class, up to date with the costs;
                                                 null for a class without units (foot always has them) */
    uint32_t jams;   /* bit j: some order goes round congestion number j (fr_cost_jam_at) */
    bool congestion; /* orders may go round crowds */
} fr_snapshot;

/* Goals with capacities are shared out: index of the one that a unit was sent to among those of its order.
 * -1: to the nearest, whichever that is. */
static inline int32_t fr_snapshot_sent_to(const fr_snapshot *snapshot, int32_t unit)
{
    return snapshot->goal1 == NULL ? -1 : (int32_t)snapshot->goal1[unit] - 1;
}

#endif
