/* field_service: who asks for fields, and when what was asked is seen. Equal requests share one field;
 * results become visible by counted work, in request order, never by time, so that worker count and speed
 * can't change a simulation. The last complete field serves until its successor is due. Main thread only, all
 * functions. */
#ifndef FR_FIELD_FIELD_SERVICE_H
#define FR_FIELD_FIELD_SERVICE_H

#include "base/executor.h"
#include "field/field.h"
#include "field/regions.h"
#include "grid/area.h"

typedef struct fr_field_service fr_field_service;

/* What a field depends on. Two requests with equal members share a field. */
typedef struct fr_field_request {
    const fr_goal *goals; /* [goal_count 0..FR_GOALS_MAX] inside the map, in ascending cell order (y, then x),
                             no cell twice; copied */
    int32_t goal_count;
    fr_area area;      /* instead of goals (goal_count 0): all its passable cells are goals; at most
                          FR_FIELD_GOALS_MAX cells of the map */
    fr_cost_view view; /* whose costs: a class, or what fr_cost_view_open has made of one */
} fr_field_request;

/* Index + generation; zero is null. */
typedef struct fr_field_id {
    uint16_t index1, generation;
} fr_field_id;

/* `cost` is borrowed. `now_ns` may be null (no times in the statistics). */
fr_field_service *fr_field_service_create(fr_cost *cost, fr_executor executor, size_t budget_bytes,
                                          uint64_t (*now_ns)(void *clock), void *clock);
/* Cancels what runs. */
void fr_field_service_destroy(fr_field_service *service);

/* Takes a reference to the field of this request; new or stale ones are queued. Null id only when all slots
 * are held (counted as denied): ask again later. */
fr_field_id fr_field_service_request(fr_field_service *service, const fr_field_request *request);
/* A unit that holds the field stands on this cell and has a way to a goal: where fields cover a part of the
 * map (on large maps, and on others where many are in use) the field is built or extended to cover it.
 * Elsewhere, and where it is covered or asked for already, nothing happens. */
void fr_field_service_need(fr_field_service *service, fr_field_id id, fr_cell cell);
/* Finds at once where those head that are not covered: by the graph of regions (of the ground that they can
 * use) to places ahead of them, exactly from there on. Once for each new need. */
void fr_field_service_guide(fr_field_service *service, fr_field_id id, const fr_regions *regions);
/* What leads them until the field does, or null. Its directions hold near the cells that were needed; its
 * potential is rough. */
const fr_field *fr_field_service_rough(const fr_field_service *service, fr_field_id id);
/* Are there fields that cover only what is needed? */
bool fr_field_service_is_lazy(const fr_field_service *service);
/* Takes another reference to a field; returns its id, or null for a null or stale one. */
fr_field_id fr_field_service_retain(fr_field_service *service, fr_field_id id);
/* Drops a reference. A field that nobody holds stays as cache until its memory is needed; a build that nobody
 * wants any more, queued or under way, is cancelled and charged nothing further. Null ids are ignored. */
void fr_field_service_release(fr_field_service *service, fr_field_id id);

/* The complete field that serves now, or null: not due yet, or denied for want of memory. Stale ids: null. */
const fr_field *fr_field_service_get(const fr_field_service *service, fr_field_id id);

/* How that field stands; NONE for stale and null ids. For people. */
fr_field_standing fr_field_service_standing(const fr_field_service *service, fr_field_id id);

/* Marks what a change of costs inside rect makes stale: every field with a reached cell in it or next to it.
 */
void fr_field_service_cost_changed(fr_field_service *service, fr_rect rect);
/* The same where only the costs of one view have changed. */
void fr_field_service_view_changed(fr_field_service *service, fr_cost_view view, fr_rect rect);

/* One step: publishes what is due at `tick`, queues stale fields in use, does this tick's share of work.
 * Returns true if a field was published. */
bool fr_field_service_tick(fr_field_service *service, uint32_t tick);

#define FR_HANDOVERS_KEPT 256

typedef struct fr_field_service_stats {
    uint32_t live, pending, built, cache_hits, evictions, denied, cancelled, waits;
    uint64_t wait_ns_max, wait_ns_last, build_ns_last;
    uint64_t work_ns;      /* all that builds took, on whatever thread */
    size_t bytes;          /* of fields, and set aside for those being built */
    size_t held_max;       /* the most bytes that complete fields took at one time */
    float handover_cosine; /* of the angle between rough and exact direction where fields took over, the
                              median of the last FR_HANDOVERS_KEPT; 2: none yet */
} fr_field_service_stats;
fr_field_service_stats fr_field_service_statistics(const fr_field_service *service);

/* Everything, builds under way included (they are finished first; when they are seen does not change). */
void fr_field_service_save(fr_field_service *service, fr_buffer *out);
/* Into a service just created on costs just loaded. False: the bytes make no sense. */
bool fr_field_service_load(fr_field_service *service, fr_reader *reader);
/* Are the references that are held just these [count], null and stale ids left out? */
bool fr_field_service_is_held_by(const fr_field_service *service, const fr_field_id *ids, int32_t count);
/* Mixed into the world's hash: requests, references, what is due when. */
uint64_t fr_field_service_hash(const fr_field_service *service, uint64_t hash);

#endif
