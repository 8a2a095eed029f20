/* world: the one context of a simulation. Everything that happens goes through commands and ticks; nothing
 * here knows of windows, files or clocks. Two worlds in one process do not meet. Main thread only, all
 * functions. */
#ifndef FR_SIM_WORLD_H
#define FR_SIM_WORLD_H

#include "base/executor.h"
#include "crowd/mechanisms.h"
#include "sim/command.h"
#include "sim/snapshot.h"

typedef struct fr_world fr_world;

/* Creation parameters. Start from fr_world_config_default and set `map`. */
typedef struct fr_world_config {
    const fr_map *map;               /* borrowed, must outlive the world */
    fr_executor executor;            /* default: inline */
    uint64_t seed;                   /* of the simulation's rng (default 1) */
    int32_t unit_capacity;           /* 1..FR_UNITS_MAX (default 16,384); memory follows it */
    size_t field_bytes;              /* budget for fields (default FR_FIELD_BYTES) */
    uint64_t (*now_ns)(void *clock); /* for statistics only, never for results; may be null */
    void *clock;
    fr_mover mover;   /* default: ours */
    uint32_t without; /* mechanisms of it left out: FR_MECHANISM bits (default 0) */
} fr_world_config;

fr_world_config fr_world_config_default(void);

fr_world *fr_world_create(const fr_world_config *config);
void fr_world_destroy(fr_world *world);

/* A named group of units (scenario groups; player units have one too). `leave`: a unit whose path crosses the
 * line is removed. Returns the group's index. At most 65,535 groups; the name is copied. */
typedef struct fr_group_def {
    const char *name;
    bool leaves;
    fr_position leave_from, leave_to;
} fr_group_def;
int32_t fr_world_add_group(fr_world *world, const fr_group_def *group);

#define FR_NO_UNIT UINT32_MAX
/* Adds a unit at once, between ticks, to a group that has been added before. Returns its id (0, 1, ... in
 * order of creation), or FR_NO_UNIT when the capacity is used up or the place is blocked. */
uint32_t fr_world_spawn(fr_world *world, const fr_unit_def *unit);

/* Queues a command for the next tick; everything it points to is copied. Unknown or gone units are skipped.
 * FR_LIMIT when the queue of one tick is full (counted in the statistics), FR_BAD_INPUT for a goal count,
 * cost, threat or movement outside its limits. */
fr_status fr_world_submit(fr_world *world, const fr_command *command);
/* The commands queued so far for the next tick, in order; valid until the next submit or tick. For recording.
 */
const fr_command *fr_world_queued(const fr_world *world, int32_t *count);

/* One step of 1/30 s. */
void fr_world_tick(fr_world *world);

const fr_snapshot *fr_world_snapshot(const fr_world *world);

/* Hash of all state that decides what comes next. O(units); computed when asked. */
uint64_t fr_world_hash(const fr_world *world);

/* The field that a unit follows now, or null (none yet, none needed, no order). Valid until the next tick. */
const fr_field *fr_world_unit_field(const fr_world *world, uint32_t unit);

/* How that field stands, for people. */
fr_field_standing fr_world_unit_field_standing(const fr_world *world, uint32_t unit);

/* What happened in the last tick. */
typedef enum fr_event_kind {
    FR_EVENT_FIELD_READY = 0, /* `id`: order */
    FR_EVENT_ORDER_DONE,      /* every unit of the order has settled; `id`: order */
    FR_EVENT_COST_CHANGED,    /* `rect` */
    FR_EVENT_UNIT_LEFT,       /* `id`: unit */
} fr_event_kind;
typedef struct fr_event {
    fr_event_kind kind;
    uint32_t id;
    fr_rect rect;
} fr_event;
const fr_event *fr_world_events(const fr_world *world, int32_t *count);

/* Counters since creation, for HUD, report and tests. */
typedef struct fr_world_stats {
    uint32_t fields_live, fields_built, field_cache_hits, field_evictions, fields_denied;
    uint32_t fields_pending;
    uint32_t extras_denied;       /* times that ring, threats or congestion were left out for want of room */
    uint32_t fields_cancelled;    /* builds, queued or begun, that nobody wanted any more */
    uint32_t orders_merged;       /* that went on with the field of the order before: bursts of clicks */
    uint32_t field_waits;         /* times the main thread had to wait for, or help with, a due field */
    uint64_t field_wait_ns_max;   /* longest in one tick; 0 without a clock */
    uint64_t field_wait_ns_last;  /* in the last tick */
    uint64_t field_build_ns_last; /* time one build took on its thread */
    uint64_t field_work_ns;       /* time that all builds took on whatever thread */
    size_t field_bytes;
    size_t field_bytes_max;      /* the most that complete fields took */
    float field_handover_cosine; /* median turn from rough to exact directions; 2: none */
    uint32_t commands_dropped, events_dropped, neighbours_dropped;
} fr_world_stats;
fr_world_stats fr_world_statistics(const fr_world *world);

/* Whole world to a buffer and back: same hash, same future. Load needs the same map; a buffer that is cut,
 * damaged (a hash stands at its end), of another map or version gives FR_BAD_INPUT and no world; and so does
 * one that was forged so that it would lead astray. */
void fr_world_save(const fr_world *world, fr_buffer *out);
fr_world *fr_world_load(const fr_world_config *config, const void *bytes, size_t size, fr_error *error);

#endif
