#include "field/field_service.h"

#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"
#include "field/field_internal.h"

/* Requests known at one time, in use or cached. A field of a small map takes 5 KiB a block; 4,096 of them
 * fill the budget long before the slots run out. */
#define SLOTS_MAX 4096

/* Denied fields are tried again this often. */
#define RETRY_TICKS 15

typedef enum build_state {
    BUILD_NONE = 0, /* nothing to do */
    BUILD_QUEUED,   /* waits its turn; no memory taken */
    BUILD_RUNNING,  /* work is being charged, the job may run */
    BUILD_CHARGED,  /* all work charged, seen at `due` */
} build_state;

typedef struct slot {
    bool used;
    uint16_t generation;
    int32_t references;
    uint32_t last_used; /* tick */

    fr_class movement_class;
    uint8_t clearance, caution;
    uint16_t flags;
    int32_t goal_count;
    uint64_t key; /* hash of the request */

    fr_field *field; /* complete and visible, or null */
    bool stale;      /* costs changed since the field's snapshot */
    bool denied;     /* no memory; tried again */

    build_state build;
    fr_field *next;      /* being built */
    bool next_stale;     /* costs changed since the build's snapshot */
    int64_t charge_left; /* cells still to be charged */
    uint32_t due;        /* tick */
    const fr_cost_snapshot *snapshot;
    fr_job job;
    fr_field_service *service; /* for the job */
    uint64_t build_ns;
} slot;

struct fr_field_service {
    fr_cost *cost;
    fr_grid grid;
    fr_executor executor;
    fr_field_pool *pool;
    fr_scratch **scratch; /* per lane */
    uint64_t (*now_ns)(void *clock);
    void *clock;
    slot *slots;        /* [SLOTS_MAX] */
    fr_goal *goals;     /* [SLOTS_MAX][FR_GOALS_MAX] */
    int32_t slot_limit; /* slots from here on were never used */
    int32_t *queue;     /* ring of slot indices in request order */
    int32_t queue_head, queue_count;
    uint32_t tick;
    fr_field_service_stats stats;
};

static fr_goal *goals_of(const fr_field_service *service, const slot *entry)
{
    return service->goals + (entry - service->slots) * FR_GOALS_MAX;
}

fr_field_service *fr_field_service_create(fr_cost *cost, fr_executor executor, size_t budget_bytes,
                                          uint64_t (*now_ns)(void *clock), void *clock)
{
    fr_field_service *service = fr_alloc(1, sizeof *service);
    service->cost = cost;
    service->grid = fr_cost_grid(cost);
    service->executor = executor;
    service->pool = fr_field_pool_create(service->grid, budget_bytes);
    service->now_ns = now_ns;
    service->clock = clock;
    int lanes = executor.worker_count + 1;
    service->scratch = fr_alloc((size_t)lanes, sizeof(fr_scratch *));
    for (int lane = 0; lane < lanes; lane++) {
        service->scratch[lane] = fr_scratch_create(service->grid);
    }
    service->slots = fr_alloc(SLOTS_MAX, sizeof *service->slots);
    service->goals = fr_alloc_raw((size_t)SLOTS_MAX * FR_GOALS_MAX, sizeof *service->goals);
    service->queue = fr_alloc(SLOTS_MAX, sizeof *service->queue);
    return service;
}

void fr_field_service_destroy(fr_field_service *service)
{
    if (service == NULL) {
        return;
    }
    for (int32_t i = 0; i < service->slot_limit; i++) {
        slot *entry = &service->slots[i];
        if (entry->snapshot != NULL) {
            service->executor.cancel(service->executor.self, &entry->job);
            fr_cost_release(service->cost, entry->snapshot);
        }
    }
    for (int lane = 0; lane <= service->executor.worker_count; lane++) {
        fr_scratch_destroy(service->scratch[lane]);
    }
    fr_field_pool_destroy(service->pool);
    fr_free(service->scratch);
    fr_free(service->slots);
    fr_free(service->goals);
    fr_free(service->queue);
    fr_free(service);
}

/* ---- slots ---- */

static uint64_t request_key(const fr_field_request *request)
{
    uint64_t key = fr_hash_u32(FR_HASH_SEED, (uint32_t)request->movement_class);
    key = fr_hash_u32(key,
                      request->clearance | (uint32_t)request->caution << 8 | (uint32_t)request->flags << 16);
    for (int32_t i = 0; i < request->goal_count; i++) {
        key = fr_hash_u32(key, (uint32_t)request->goals[i].cell.x);
        key = fr_hash_u32(key, (uint32_t)request->goals[i].cell.y);
        key = fr_hash_u32(key, request->goals[i].price);
    }
    return key;
}

static bool slot_matches(const fr_field_service *service, const slot *entry, uint64_t key,
                         const fr_field_request *request)
{
    if (!entry->used || entry->key != key || entry->movement_class != request->movement_class ||
        entry->clearance != request->clearance || entry->caution != request->caution ||
        entry->flags != request->flags || entry->goal_count != request->goal_count) {
        return false;
    }
    const fr_goal *goals = goals_of(service, entry);
    for (int32_t i = 0; i < request->goal_count; i++) {
        if (goals[i].cell.x != request->goals[i].cell.x || goals[i].cell.y != request->goals[i].cell.y ||
            goals[i].price != request->goals[i].price) {
            return false;
        }
    }
    return true;
}

static void free_slot(fr_field_service *service, slot *entry)
{
    FR_ASSERT(entry->references == 0 && entry->build == BUILD_NONE);
    fr_field_destroy(service->pool, entry->field);
    entry->field = NULL;
    entry->used = false;
    service->stats.live--;
}

/* The cached slot that was used longest ago, ties by index; null if there is none. */
static slot *find_victim(fr_field_service *service, bool must_hold_memory)
{
    slot *victim = NULL;
    for (int32_t i = 0; i < service->slot_limit; i++) {
        slot *entry = &service->slots[i];
        if (entry->used && entry->references == 0 && entry->build == BUILD_NONE &&
            (entry->field != NULL || !must_hold_memory) &&
            (victim == NULL || entry->last_used < victim->last_used)) {
            victim = entry;
        }
    }
    return victim;
}

static slot *take_slot(fr_field_service *service)
{
    for (int32_t i = 0; i < service->slot_limit; i++) {
        if (!service->slots[i].used) {
            return &service->slots[i];
        }
    }
    if (service->slot_limit < SLOTS_MAX) {
        return &service->slots[service->slot_limit++];
    }
    slot *victim = find_victim(service, false);
    if (victim != NULL) {
        free_slot(service, victim);
        service->stats.evictions++;
    }
    return victim;
}

static slot *slot_of(const fr_field_service *service, fr_field_id id)
{
    if (id.index1 == 0 || id.index1 > service->slot_limit) {
        return NULL;
    }
    slot *entry = &service->slots[id.index1 - 1];
    return entry->used && entry->generation == id.generation ? entry : NULL;
}

/* ---- the queue ---- */

static void enqueue(fr_field_service *service, slot *entry)
{
    FR_ASSERT(entry->build == BUILD_NONE && service->queue_count < SLOTS_MAX);
    int32_t at = (service->queue_head + service->queue_count++) % SLOTS_MAX;
    service->queue[at] = (int32_t)(entry - service->slots);
    entry->build = BUILD_QUEUED;
}

/* Takes a queued slot out again, keeping the order of the others. */
static void dequeue(fr_field_service *service, slot *entry)
{
    int32_t index = (int32_t)(entry - service->slots), kept = 0;
    for (int32_t i = 0; i < service->queue_count; i++) {
        int32_t other = service->queue[(service->queue_head + i) % SLOTS_MAX];
        if (other != index) {
            service->queue[(service->queue_head + kept++) % SLOTS_MAX] = other;
        }
    }
    service->queue_count = kept;
    entry->build = BUILD_NONE;
}

fr_field_id fr_field_service_request(fr_field_service *service, const fr_field_request *request)
{
    FR_ASSERT(request->goal_count >= 1 && request->goal_count <= FR_GOALS_MAX);
    uint64_t key = request_key(request);
    slot *entry = NULL;
    for (int32_t i = 0; i < service->slot_limit && entry == NULL; i++) {
        if (slot_matches(service, &service->slots[i], key, request)) {
            entry = &service->slots[i];
            service->stats.cache_hits++;
        }
    }
    if (entry == NULL) {
        entry = take_slot(service);
        if (entry == NULL) {
            service->stats.denied++;
            return (fr_field_id){0, 0};
        }
        uint16_t generation = (uint16_t)(entry->generation + 1);
        *entry = (slot){.used = true,
                        .generation = generation == 0 ? 1 : generation,
                        .movement_class = request->movement_class,
                        .clearance = request->clearance,
                        .caution = request->caution,
                        .flags = request->flags,
                        .goal_count = request->goal_count,
                        .key = key,
                        .service = service};
        memcpy(goals_of(service, entry), request->goals, (size_t)request->goal_count * sizeof(fr_goal));
        service->stats.live++;
    }
    entry->references++;
    entry->last_used = service->tick;
    if (entry->build == BUILD_NONE && (entry->field == NULL || entry->stale)) {
        enqueue(service, entry);
    }
    return (fr_field_id){(uint16_t)(entry - service->slots + 1), entry->generation};
}

void fr_field_service_release(fr_field_service *service, fr_field_id id)
{
    slot *entry = slot_of(service, id);
    if (entry == NULL) {
        return;
    }
    FR_ASSERT(entry->references > 0);
    entry->references--;
    entry->last_used = service->tick;
    if (entry->references > 0) {
        return;
    }
    entry->denied = false;
    if (entry->build == BUILD_QUEUED) {
        dequeue(service, entry);
    }
    if (entry->build == BUILD_NONE && entry->field == NULL) {
        free_slot(service, entry);
    }
}

const fr_field *fr_field_service_get(const fr_field_service *service, fr_field_id id)
{
    const slot *entry = slot_of(service, id);
    return entry != NULL ? entry->field : NULL;
}

/* ---- builds ---- */

static void run_build(void *context, int lane)
{
    slot *entry = context;
    fr_field_service *service = entry->service;
    uint64_t begin = service->now_ns != NULL ? service->now_ns(service->clock) : 0;
    fr_field_fill(entry->next, service->scratch[lane], entry->snapshot, entry->movement_class,
                  goals_of(service, entry), entry->goal_count);
    entry->build_ns = service->now_ns != NULL ? service->now_ns(service->clock) - begin : 0;
}

/* Takes memory and a snapshot for the head of the queue and hands the work out. False: no room. */
static bool start_build(fr_field_service *service, slot *entry)
{
    fr_field *next = fr_field_reserve(service->pool, service->grid);
    while (next == NULL) {
        slot *victim = find_victim(service, true);
        if (victim == NULL) {
            return false;
        }
        free_slot(service, victim);
        service->stats.evictions++;
        next = fr_field_reserve(service->pool, service->grid);
    }
    entry->next = next;
    entry->next_stale = false;
    entry->denied = false;
    entry->snapshot = fr_cost_acquire(service->cost);
    entry->charge_left = (int64_t)fr_grid_block_count(service->grid) * FR_BLOCK_CELLS;
    entry->build = BUILD_RUNNING;
    entry->job = (fr_job){.run = run_build, .context = entry};
    service->stats.pending++;
    service->executor.submit(service->executor.self, &entry->job);
    return true;
}

/* Waits for a build's job if it has one, counting the time. */
static void finish_job(fr_field_service *service, slot *entry)
{
    if (entry->snapshot == NULL) {
        return;
    }
    if (atomic_load(&entry->job.state) != FR_JOB_DONE) {
        service->stats.waits++;
        uint64_t begin = service->now_ns != NULL ? service->now_ns(service->clock) : 0;
        service->executor.wait(service->executor.self, &entry->job);
        service->stats.wait_ns_last += service->now_ns != NULL ? service->now_ns(service->clock) - begin : 0;
    } else {
        /* Pairs with the worker's last write even when nothing is left to wait for. */
        service->executor.wait(service->executor.self, &entry->job);
    }
    service->stats.build_ns_last = entry->build_ns;
    fr_cost_release(service->cost, entry->snapshot);
    entry->snapshot = NULL;
}

static void publish(fr_field_service *service, slot *entry)
{
    finish_job(service, entry);
    fr_field_destroy(service->pool, entry->field);
    entry->field = entry->next;
    entry->next = NULL;
    entry->stale = entry->next_stale;
    entry->build = BUILD_NONE;
    service->stats.pending--;
    service->stats.built++;
}

/* This tick's share of work, in request order. A build that does not fit into what is left goes on next tick.
 */
static void do_work(fr_field_service *service)
{
    int64_t budget = FR_FIELD_CELLS_PER_TICK;
    while (service->queue_count > 0 && budget > 0) {
        slot *entry = &service->slots[service->queue[service->queue_head]];
        if (entry->build == BUILD_QUEUED && !start_build(service, entry)) {
            entry->build = BUILD_NONE;
            entry->denied = true;
            service->stats.denied++;
        } else {
            int64_t share = entry->charge_left < budget ? entry->charge_left : budget;
            entry->charge_left -= share;
            budget -= share;
            if (entry->charge_left > 0) {
                break;
            }
            entry->build = BUILD_CHARGED;
            entry->due = service->tick + FR_FIELD_LATENCY_TICKS;
        }
        service->queue_head = (service->queue_head + 1) % SLOTS_MAX;
        service->queue_count--;
    }
}

bool fr_field_service_tick(fr_field_service *service, uint32_t tick)
{
    bool published = false;
    service->tick = tick;
    service->stats.wait_ns_last = 0;
    for (int32_t i = 0; i < service->slot_limit; i++) {
        slot *entry = &service->slots[i];
        if (!entry->used) {
            continue;
        }
        if (entry->build == BUILD_CHARGED && entry->due <= tick) {
            publish(service, entry);
            published = true;
        }
        bool wanted = entry->references > 0 && entry->build == BUILD_NONE;
        bool retry = entry->denied && tick % RETRY_TICKS == 0;
        if (wanted && (retry || (entry->stale && !entry->denied))) {
            enqueue(service, entry);
        }
    }
    do_work(service);
    if (service->stats.wait_ns_last > service->stats.wait_ns_max) {
        service->stats.wait_ns_max = service->stats.wait_ns_last;
    }
    return published;
}

/* A change matters to a field only where one of the cells around it has a value: a path can't begin to use,
 * or cease to use, a cell that it does not touch. */
static bool covers(const fr_field *field, fr_grid grid, fr_rect rect)
{
    rect = fr_grid_clip(grid, (fr_rect){rect.x - 1, rect.y - 1, rect.width + 2, rect.height + 2});
    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        for (int32_t x = rect.x; x < rect.x + rect.width; x++) {
            if (fr_field_value(field, (fr_cell){x, y}) != FR_UNREACHED) {
                return true;
            }
        }
    }
    return false;
}

void fr_field_service_cost_changed(fr_field_service *service, fr_rect rect)
{
    for (int32_t i = 0; i < service->slot_limit; i++) {
        slot *entry = &service->slots[i];
        if (!entry->used) {
            continue;
        }
        if (entry->next != NULL) {
            entry->next_stale = true;
        }
        if (entry->field == NULL || entry->stale) {
            continue;
        }
        /* A goal that was a wall is unreached itself, and opens with the change. */
        bool goal_inside = false;
        const fr_goal *goals = goals_of(service, entry);
        for (int32_t g = 0; g < entry->goal_count; g++) {
            fr_cell cell = goals[g].cell;
            goal_inside |= cell.x >= rect.x && cell.y >= rect.y && cell.x < rect.x + rect.width &&
                           cell.y < rect.y + rect.height;
        }
        entry->stale = goal_inside || covers(entry->field, service->grid, rect);
    }
}

fr_field_service_stats fr_field_service_statistics(const fr_field_service *service)
{
    fr_field_service_stats stats = service->stats;
    stats.bytes = fr_field_pool_used_bytes(service->pool);
    return stats;
}

uint64_t fr_field_service_hash(const fr_field_service *service, uint64_t hash)
{
    for (int32_t i = 0; i < service->slot_limit; i++) {
        const slot *entry = &service->slots[i];
        if (entry->used) {
            hash = fr_hash_bytes(hash, &entry->key, sizeof entry->key);
            hash = fr_hash_u32(hash, (uint32_t)entry->references);
            hash = fr_hash_u32(hash, (uint32_t)entry->build | (uint32_t)entry->stale << 8 |
                                         (uint32_t)(entry->field != NULL) << 9);
            hash =
                fr_hash_u32(hash, entry->build == BUILD_CHARGED ? entry->due : (uint32_t)entry->charge_left);
        }
    }
    return hash;
}

/* ---- saved worlds ---- */

/* A slot as saved; the goals and the fields follow it. */
typedef struct saved_slot {
    uint64_t key;
    int64_t charge_left;
    int32_t references, goal_count;
    uint32_t last_used, due;
    uint16_t generation, flags;
    uint8_t used, movement_class, clearance, caution;
    uint8_t has_field, has_next, stale, next_stale, denied, build;
    uint8_t padding[2];
} saved_slot;

void fr_field_service_save(fr_field_service *service, fr_buffer *out)
{
    fr_buffer_append(out, &service->tick, sizeof service->tick);
    fr_buffer_append(out, &service->slot_limit, sizeof service->slot_limit);
    for (int32_t i = 0; i < service->slot_limit; i++) {
        slot *entry = &service->slots[i];
        if (entry->next != NULL) {
            finish_job(service, entry);
        }
        saved_slot saved = {
            .key = entry->key,
            .charge_left = entry->charge_left,
            .references = entry->references,
            .goal_count = entry->used ? entry->goal_count : 0,
            .last_used = entry->last_used,
            .due = entry->due,
            .generation = entry->generation,
            .flags = entry->flags,
            .used = entry->used,
            .movement_class = (uint8_t)entry->movement_class,
            .clearance = entry->clearance,
            .caution = entry->caution,
            .has_field = entry->used && entry->field != NULL,
            .has_next = entry->used && entry->next != NULL,
            .stale = entry->stale,
            .next_stale = entry->next_stale,
            .denied = entry->denied,
            .build = (uint8_t)entry->build,
        };
        fr_buffer_append(out, &saved, sizeof saved);
        fr_buffer_append(out, goals_of(service, entry), (size_t)saved.goal_count * sizeof(fr_goal));
        if (saved.has_field) {
            fr_field_save(entry->field, out);
        }
        if (saved.has_next) {
            fr_field_save(entry->next, out);
        }
    }
    fr_buffer_append(out, &service->queue_count, sizeof service->queue_count);
    for (int32_t i = 0; i < service->queue_count; i++) {
        int32_t index = service->queue[(service->queue_head + i) % SLOTS_MAX];
        fr_buffer_append(out, &index, sizeof index);
    }
}

static bool saved_slot_is_sane(const saved_slot *saved)
{
    bool running = saved->build == BUILD_RUNNING || saved->build == BUILD_CHARGED;
    return saved->build <= BUILD_CHARGED && saved->movement_class < FR_CLASS_COUNT &&
           saved->references >= 0 && saved->has_next == running && saved->charge_left >= 0 &&
           (saved->used ? saved->goal_count >= 1 && saved->goal_count <= FR_GOALS_MAX
                        : saved->goal_count == 0 && saved->build == BUILD_NONE && !saved->has_field);
}

static bool load_slot(fr_field_service *service, slot *entry, fr_reader *reader)
{
    saved_slot saved;
    if (!fr_reader_take(reader, &saved, sizeof saved) || !saved_slot_is_sane(&saved) ||
        !fr_reader_take(reader, goals_of(service, entry), (size_t)saved.goal_count * sizeof(fr_goal))) {
        return false;
    }
    for (int32_t g = 0; g < saved.goal_count; g++) {
        if (!fr_grid_contains(service->grid, goals_of(service, entry)[g].cell)) {
            return false;
        }
    }
    *entry = (slot){.used = saved.used,
                    .generation = saved.generation,
                    .references = saved.references,
                    .last_used = saved.last_used,
                    .movement_class = (fr_class)saved.movement_class,
                    .clearance = saved.clearance,
                    .caution = saved.caution,
                    .flags = saved.flags,
                    .goal_count = saved.goal_count,
                    .key = saved.key,
                    .stale = saved.stale,
                    .denied = saved.denied,
                    .build = (build_state)saved.build,
                    .next_stale = saved.next_stale,
                    .charge_left = saved.charge_left,
                    .due = saved.due,
                    .service = service};
    if (saved.has_field && (entry->field = fr_field_load(service->pool, reader)) == NULL) {
        return false;
    }
    if (saved.has_next && (entry->next = fr_field_load(service->pool, reader)) == NULL) {
        return false;
    }
    service->stats.live += saved.used;
    service->stats.pending += saved.has_next;
    return true;
}

bool fr_field_service_load(fr_field_service *service, fr_reader *reader)
{
    int32_t limit, queued;
    if (!fr_reader_take(reader, &service->tick, sizeof service->tick) ||
        !fr_reader_take(reader, &limit, sizeof limit) || limit < 0 || limit > SLOTS_MAX) {
        return false;
    }
    for (int32_t i = 0; i < limit; i++) {
        service->slot_limit = i + 1;
        if (!load_slot(service, &service->slots[i], reader)) {
            return false;
        }
    }
    if (!fr_reader_take(reader, &queued, sizeof queued) || queued < 0 || queued > limit) {
        return false;
    }
    for (int32_t i = 0; i < queued; i++) {
        int32_t index;
        if (!fr_reader_take(reader, &index, sizeof index) || index < 0 || index >= limit ||
            (service->slots[index].build != BUILD_QUEUED && service->slots[index].build != BUILD_RUNNING)) {
            return false;
        }
        service->queue[i] = index;
    }
    service->queue_count = queued;
    return true;
}
