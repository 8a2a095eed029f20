/* field_service_internal: what the files of the field service share: its slots, each one request with its
 * field and its build, and the queue. Internal to the service; everybody else asks through field_service.h.
 */
#ifndef FR_FIELD_FIELD_SERVICE_INTERNAL_H
#define FR_FIELD_FIELD_SERVICE_INTERNAL_H

#include "field/field_internal.h"
#include "field/field_service.h"
#include "field/region_guide.h"
#include "field/repair.h"

/* Requests known at one time, in use or cached. A field of a small map takes 5 KiB a block; 4,096 of them
 * fill the budget long before the slots run out. */
#define FR_FIELD_SLOTS_MAX 4096

typedef enum fr_build_state {
    FR_BUILD_NONE = 0, /* nothing to do */
    FR_BUILD_QUEUED,   /* waits its turn; no memory taken */
    FR_BUILD_RUNNING,  /* begun; seen when all its work is charged */
    FR_BUILD_CANCELLED /* begun, and wanted by nobody: never seen; gives its memory back in a while */
} fr_build_state;

/* Charge of work that is known only once the job is done. */
#define FR_CHARGE_UNKNOWN (-1)

typedef struct fr_field_slot {
    bool used;
    uint16_t generation;
    int32_t references;
    uint32_t last_used; /* tick */

    fr_cost_view view;
    int32_t goal_count;
    fr_area area; /* without goals */
    uint64_t key; /* hash of the request */

    fr_field *field;              /* complete and visible, or null */
    bool stale;                   /* costs changed since the field's snapshot */
    const fr_cost_snapshot *base; /* costs over which `field` is exact; null: not kept, no repair */
    int32_t base_age;             /* snapshots taken since */
    bool denied;                  /* no memory; tried again */
    fr_field *rough;              /* leads units that no field covers; or null */
    int32_t guided_count;         /* wants that it was made for */
    bool is_part;                 /* its field covers what is wanted; else the map */
    int32_t want_count;           /* cells to be covered, if so */

    fr_build_state build;
    fr_field *next;           /* being built */
    bool next_stale;          /* costs changed since the build's snapshot */
    uint32_t started;         /* tick */
    int64_t charge;           /* cells of work, or FR_CHARGE_UNKNOWN until the job has been waited for */
    int64_t charged;          /* of these */
    int64_t work;             /* what the job found the charge to be */
    _Atomic int32_t progress; /* blocks that the job is sure to add, so far */
    const fr_cost_snapshot *snapshot; /* of `next`; null after loading */
    bool renews;                      /* `field` was stale when it was begun */
    int32_t part_count;               /* the first of the wants, which it covers */
    _Atomic bool is_void;             /* the job need not begin any more */
    bool job_runs;                    /* submitted and not waited for */
    fr_job job;
    fr_field_service *service; /* for the job */
    uint64_t build_ns;
} fr_field_slot;

struct fr_field_service {
    fr_cost *cost;
    fr_grid grid;
    fr_executor executor;
    fr_field_pool *pool;
    fr_scratch **scratch; /* per lane */
    fr_repair **repairs;  /* per lane */
    uint64_t (*now_ns)(void *clock);
    void *clock;
    fr_field_slot *slots;               /* [FR_FIELD_SLOTS_MAX] */
    fr_goal *goals;                     /* [FR_FIELD_SLOTS_MAX][FR_GOALS_MAX] */
    fr_cell *wants;                     /* [FR_FIELD_SLOTS_MAX][FR_FIELD_WANTS_MAX] */
    fr_region_guide *guide;             /* lazy service, else null */
    fr_field_pool *rough_pool;          /* likewise */
    float handovers[FR_HANDOVERS_KEPT]; /* cosines, the oldest is replaced; for the statistics alone */
    int32_t handover_count;
    bool lazy;            /* all slots are parts */
    int32_t part_slots;   /* slots that are parts */
    fr_goal **area_goals; /* per lane [area_capacity]: the cells of an area while its field is built */
    int32_t area_capacity;
    int32_t slot_limit; /* slots from here on were never used */
    int32_t *queue;     /* ring of slot indices in request order */
    int32_t queue_head, queue_count;
    uint32_t tick;
    uint32_t cost_version; /* of the snapshot taken last */
    fr_field_service_stats stats;
};

static inline fr_goal *fr_field_slot_goals(const fr_field_service *service, const fr_field_slot *entry)
{
    return service->goals + (entry - service->slots) * FR_GOALS_MAX;
}

static inline fr_cell *fr_field_slot_wants(const fr_field_service *service, const fr_field_slot *entry)
{
    return service->wants + (entry - service->slots) * FR_FIELD_WANTS_MAX;
}

/* Is there something to build that nothing was begun for? */
static inline bool fr_field_slot_lacks(const fr_field_slot *entry)
{
    return entry->stale || (entry->field == NULL && !entry->is_part) || entry->want_count > 0;
}

/* field_service_need.c: forgets wants that the field now there covers. */
void fr_field_service_drop_met_wants(fr_field_service *service, fr_field_slot *entry);

/* field_service_need.c: the median of `handovers`, or 2. */
float fr_field_service_handover_cosine(const fr_field_service *service);

/* field_service.c: queues a slot of which nothing is under way. */
void fr_field_service_enqueue(fr_field_service *service, fr_field_slot *entry);
/* field_service.c: the slot of an id; null for stale ones. */
fr_field_slot *fr_field_service_slot(const fr_field_service *service, fr_field_id id);
/* field_service.c: takes a queued slot out again, keeping the order of the others. */
void fr_field_service_dequeue(fr_field_service *service, fr_field_slot *entry);
/* Frees the cached slot that was used longest ago. False if there is none. */
bool fr_field_service_evict(fr_field_service *service, bool must_hold_memory);

/* field_service_build.c, once a tick each: charges a tick's work and shows what it completes (true: something
 * was), then begins what is next in the queue. */
bool fr_field_service_charge(fr_field_service *service);
void fr_field_service_start(fr_field_service *service);

/* What the slot's field is built from: its goals, or the cells of its area, written into the lane's own list
 * and valid until that lane asks again. */
const fr_goal *fr_field_service_list_goals(const fr_field_service *service, const fr_field_slot *entry,
                                           int lane, int *count);

/* What the complete `next` of a slot is charged. */
int64_t fr_field_service_count_work(const fr_field_service *service, const fr_field_slot *entry);
/* Takes a build that has begun out of the queue. Its memory comes back FR_FIELD_LATENCY_TICKS after it began,
 * whatever its job has come to until then, so that speed can't show. */
void fr_field_service_cancel(fr_field_service *service, fr_field_slot *entry);
/* Once a tick, for a slot whose build was cancelled. True when that is over. */
bool fr_field_service_reap(fr_field_service *service, fr_field_slot *entry);

/* Waits for a build's job if it has one, counting the time. */
void fr_field_service_finish_job(fr_field_service *service, fr_field_slot *entry);

/* Releases a snapshot that may be null, and forgets it. */
void fr_field_service_drop_snapshot(fr_field_service *service, const fr_cost_snapshot **snapshot);

#endif
