/* agents: the units of a world as arrays, one entry a unit, indexed by id in order of creation. Plain
 * storage: what moves them is steering, collision and arrival; what they want is crowd/order.h. */
#ifndef FR_CROWD_AGENTS_H
#define FR_CROWD_AGENTS_H

#include "base/buffer.h"
#include "base/vec2.h"
#include "grid/grid.h"

/* What a unit is doing. The order of the first five is that of the names in dumps and files. */
typedef enum fr_unit_state {
    FR_UNIT_IDLE = 0, /* no order; gives way */
    FR_UNIT_MOVING,   /* on the way */
    FR_UNIT_ARRIVED,  /* at its place, at rest */
    FR_UNIT_HOLDING,  /* stands and does not give way */
    FR_UNIT_GONE,     /* left the world */
    FR_UNIT_STATE_COUNT
} fr_unit_state;

/* Why a unit does what it does, for the inspector and the dump. */
typedef enum fr_unit_reason {
    FR_REASON_NONE = 0,
    FR_REASON_FIELD,         /* follows its field */
    FR_REASON_STRAIGHT,      /* straight line to the goal is free */
    FR_REASON_SLOT,          /* heads for its place in the pack */
    FR_REASON_WAITING_FIELD, /* no field yet and no free line */
    FR_REASON_NO_WAY,        /* its goal can't be reached: goes to, or stands at, the nearest place */
    FR_REASON_QUEUE,         /* slowed by the one ahead */
    FR_REASON_SETTLED,       /* at its place */
    FR_REASON_NO_ROOM,       /* its place was not to be had; settled where it stood */
    FR_REASON_DISPLACED,     /* a wall came down on it: on its way out */
    FR_REASON_COUNT
} fr_unit_reason;

/* Corners on the way to a place that can't be seen from where the pack is entered: the one next to the place
 * first. */
#define FR_VIAS 2
typedef struct fr_via {
    fr_position corner[FR_VIAS]; /* the place itself where fewer are needed */
} fr_via;

/* Bits of fr_agents.flags. */
enum {
    FR_AGENT_HAS_SLOT = 1,  /* target is a place of its own in the pack */
    FR_AGENT_LINE_FREE = 2, /* the straight line to the target is free: go by it */
    FR_AGENT_RECHECK = 4,   /* look for a free line at the next tick, however far */
    FR_AGENT_DISPLACED = 8, /* stands in a wall; walks to `target`, ignoring walls and others */
    /* Not to the target, but to via[0] the line is free; shifted left by 1: to via[1]. */
    FR_AGENT_VIA_FREE = 16,
    /* Goes by way of via[0] to via[1] first, round those who stand in its way (detour.c). */
    FR_AGENT_DETOUR = 64,
    FR_AGENT_OFF_POST = 128, /* stands, but not at its post, which is `target`: others have moved it */
};

#define FR_NO_INDEX UINT32_MAX

/* After so many a unit that settles has had enough: only those who are shut out of the pack still rouse it.
 */
#define FR_ROUSES_MAX 6
/* After so many a unit stays with the place that it has. */
#define FR_RESORTS_MAX 24

typedef struct fr_agents {
    int32_t count, capacity;
    fr_position *position, *previous;
    fr_position *target; /* goal or place; where a displaced unit gets out */
    fr_via *via;         /* to a place in the pack */
    fr_vec2 *velocity;   /* cells/s */
    fr_vec2 *facing;     /* unit vector, smoothed, for the eye only */
    float *radius;       /* cells */
    float *speed;        /* top speed, cells/s */
    float *veer;         /* tangent of half the angle by which it gives way to others, right positive */
    float *aside;        /* the same of what it passes beside its own queue by */
    float *abreast;      /* the same of what it keeps beside others round a corner by */
    float *best;         /* least distance to the target so far, cells */
    uint32_t *order;     /* last order that had a goal, or FR_NO_INDEX */
    uint32_t *leg;       /* leg of the order it follows, or FR_NO_INDEX */
    int32_t *open_cell;  /* index of the open cell in which its centre last stood */
    uint16_t *group;
    uint16_t *goal1;        /* of its order's goals the one that it was sent to by their capacities, and 1; 0:
                               whichever is nearest */
    uint16_t *stall_ticks;  /* since `best` last improved */
    float *stride_from;     /* way left when it last had come on by a stride, cells */
    uint16_t *stride_ticks; /* on its way since */
    uint8_t *team, *movement_class, *state, *reason, *flags;
    uint32_t *backs_for; /* leg of those whom it lets through a passage */
    fr_vec2 *back;       /* velocity with which it goes back for that */
    uint8_t *backs;      /* how strongly; 0: not at all */
    uint8_t *leaves;     /* 1: is taken out when it crosses its group's line, so it stops nowhere before */
    /* Bounded under one order, so that packs come to rest. */
    uint8_t *rouses;  /* how often it walked again after settling, 0..FR_ROUSES_MAX */
    uint8_t *resorts; /* how often, getting nowhere, it took another place, or exchanged its own unseen or
                         with one that has had enough, 0..FR_RESORTS_MAX */
    float radius_max, speed_max; /* over all units so far */
} fr_agents;

/* All arrays in one block of memory. capacity 1..FR_UNITS_MAX. */
void fr_agents_init(fr_agents *agents, int32_t capacity);
void fr_agents_fini(fr_agents *agents);

void fr_agents_save(const fr_agents *agents, fr_buffer *out);
/* False if the buffer is cut or holds more units than fit. Values are checked by the caller. */
bool fr_agents_load(fr_agents *agents, fr_reader *reader);

/* Begins a unit's way anew: no progress has been made yet, and none missed. */
static inline void fr_agents_restart(fr_agents *agents, uint32_t unit)
{
    agents->best[unit] = INFINITY;
    agents->stall_ticks[unit] = agents->stride_ticks[unit] = 0;
}

/* The same under another order, or to another goal: it has been disturbed by nobody yet. */
static inline void fr_agents_set_out(fr_agents *agents, uint32_t unit)
{
    fr_agents_restart(agents, unit);
    agents->rouses[unit] = agents->resorts[unit] = 0;
}

/* Whether a unit is on its way, or still in motion. Those who are not stay where they are unless one of these
 * comes near. */
static inline bool fr_agents_is_astir(const fr_agents *agents, uint32_t unit)
{
    return agents->state[unit] != FR_UNIT_GONE &&
           (agents->state[unit] == FR_UNIT_MOVING || agents->velocity[unit].x != 0.0f ||
            agents->velocity[unit].y != 0.0f ||
            (agents->flags[unit] & (FR_AGENT_DISPLACED | FR_AGENT_OFF_POST)) != 0);
}

/* Units in sorted order lie anywhere in these arrays: what a stage of the tick is going to read of a unit is
 * asked for this many units before it comes to it. */
#define FR_AGENTS_AHEAD 8

/* Mixes all state that decides what comes next. */
uint64_t fr_agents_hash(const fr_agents *agents, uint64_t hash);

#endif
