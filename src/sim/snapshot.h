/* snapshot: what the world shows after a tick, borrowed and read-only until the next tick. Drawing, judging and
 * writing files read this and nothing else of the world. */
#ifndef FR_SIM_SNAPSHOT_H
#define FR_SIM_SNAPSHOT_H

#include "base/vec2.h"
#include "field/field.h"
#include "grid/cost.h"

typedef enum fr_unit_state {
    FR_UNIT_IDLE = 0, /* no order; gives way */
    FR_UNIT_MOVING,   /* on the way */
    FR_UNIT_ARRIVED,  /* at its place, at rest */
    FR_UNIT_HOLDING,  /* stands and does not give way */
    FR_UNIT_GONE,     /* left the world */
    FR_UNIT_STATE_COUNT
} fr_unit_state;

/* "idle", "moving", ... */
const char *fr_unit_state_name(fr_unit_state state);

/* Why a unit does what it does, for the inspector and the dump. */
typedef enum fr_unit_reason {
    FR_REASON_NONE = 0,
    FR_REASON_FIELD,         /* follows its field */
    FR_REASON_STRAIGHT,      /* straight line to the goal is free */
    FR_REASON_SLOT,          /* heads for its place in the pack */
    FR_REASON_WAITING_FIELD, /* no field yet and no free line */
    FR_REASON_NO_WAY,        /* its goal can't be reached: stands at the nearest place */
    FR_REASON_QUEUE,         /* slowed by the one ahead */
    FR_REASON_SETTLED,       /* at its place */
    FR_REASON_NO_ROOM,       /* its place was not to be had; settled where it stood */
    FR_REASON_DISPLACED,     /* a wall came down on it: on its way out */
    FR_REASON_COUNT
} fr_unit_reason;

const char *fr_unit_reason_name(fr_unit_reason reason);

/* One order that has been given. */
typedef struct fr_order_view {
    uint32_t tick;            /* at which it was applied */
    const fr_position *goals; /* as asked (clamped to the map) [goal_count] */
    int32_t goal_count;
    int32_t unit_count; /* units that got it; 1: a goal of its own */
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
    int32_t unit_count;
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
    const fr_position *target;     /* where the unit is heading: goal or place; meaningless without an order */
    const fr_order_view *orders;   /* all orders that units still name; others have unit_count 0 */
    int32_t order_count;
    const fr_group_view *groups;
    int32_t group_count;
    const fr_cost *cost; /* read-only questions: costs, edits, kinds of ground, block versions */
} fr_snapshot;

#endif
