#include "field/field_service_internal.h"

#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"

/* Denied fields are tried again this often. */
#define RETRY_TICKS 15

/* Of the budget, fields of the whole map take one part in this many; but these many may be whole. */
#define WHOLES_SHARE 16
#define WHOLES_LEAST 4

/* Blocks of rough fields at one time, beyond one that is being made: those of about 40 orders. */
#define ROUGH_BLOCKS 4096

fr_field_service *fr_field_service_create(fr_cost *cost, fr_executor executor, size_t budget_bytes,
                                          uint64_t (*now_ns)(void *clock), void *clock)
{
    fr_field_service *service = fr_alloc(1, sizeof *service);
    service->cost = cost;
    service->grid = fr_cost_grid(cost);
    service->executor = executor;
    service->pool = fr_field_pool_create_for(cost, budget_bytes);
    service->now_ns = now_ns;
    service->clock = clock;
    int lanes = executor.worker_count + 1;
    service->scratch = fr_alloc((size_t)lanes, sizeof(fr_scratch *));
    service->repairs = fr_alloc((size_t)lanes, sizeof(fr_repair *));
    service->area_goals = fr_alloc((size_t)lanes, sizeof *service->area_goals);
    int32_t cells = fr_grid_count(service->grid);
    service->area_capacity = cells < FR_FIELD_GOALS_MAX ? cells : FR_FIELD_GOALS_MAX;
    for (int lane = 0; lane < lanes; lane++) {
        service->scratch[lane] = fr_scratch_create(service->grid);
        service->repairs[lane] = fr_repair_create(service->grid, fr_repair_worthwhile(service->grid));
        service->area_goals[lane] =
            fr_alloc_raw((size_t)service->area_capacity, sizeof *service->area_goals[lane]);
    }
    service->slots = fr_alloc(FR_FIELD_SLOTS_MAX, sizeof *service->slots);
    service->goals = fr_alloc_raw((size_t)FR_FIELD_SLOTS_MAX * FR_GOALS_MAX, sizeof *service->goals);
    service->wants = fr_alloc_raw((size_t)FR_FIELD_SLOTS_MAX * FR_FIELD_WANTS_MAX, sizeof *service->wants);
    service->lazy = cells > FR_FIELD_WHOLE_CELLS;
    if (service->lazy) {
        service->guide = fr_region_guide_create(service->grid);
        size_t blocks = (size_t)fr_grid_block_count(service->grid) + ROUGH_BLOCKS;
        service->rough_pool = fr_field_pool_create_for(cost, blocks * sizeof(fr_field_block));
    }
    service->queue = fr_alloc(FR_FIELD_SLOTS_MAX, sizeof *service->queue);
    return service;
}

void fr_field_service_destroy(fr_field_service *service)
{
    if (service == NULL) {
        return;
    }
    for (int32_t i = 0; i < service->slot_limit; i++) {
        fr_field_slot *entry = &service->slots[i];
        if (entry->job_runs) {
            service->executor.cancel(service->executor.self, &entry->job);
        }
        fr_field_service_drop_snapshot(service, &entry->snapshot);
        fr_field_service_drop_snapshot(service, &entry->base);
    }
    for (int lane = 0; lane <= service->executor.worker_count; lane++) {
        fr_scratch_destroy(service->scratch[lane]);
        fr_repair_destroy(service->repairs[lane]);
        fr_free(service->area_goals[lane]);
    }
    fr_field_pool_destroy(service->pool);
    fr_field_pool_destroy(service->rough_pool);
    fr_region_guide_destroy(service->guide);
    fr_free(service->scratch);
    fr_free(service->repairs);
    fr_free(service->slots);
    fr_free(service->goals);
    fr_free(service->wants);
    fr_free(service->area_goals);
    fr_free(service->queue);
    fr_free(service);
}

/* ---- slots ---- */

static uint64_t request_key(const fr_field_request *request)
{
    uint64_t key = fr_hash_u32(FR_HASH_SEED, (uint32_t)request->view);
    for (int32_t i = 0; i < request->goal_count; i++) {
        key = fr_hash_u32(key, (uint32_t)request->goals[i].cell.x);
        key = fr_hash_u32(key, (uint32_t)request->goals[i].cell.y);
        key = fr_hash_u32(key, request->goals[i].price);
    }
    return fr_area_hash(&request->area, key);
}

static bool slot_matches(const fr_field_service *service, const fr_field_slot *entry, uint64_t key,
                         const fr_field_request *request)
{
    if (!entry->used || entry->key != key || entry->view != request->view ||
        entry->goal_count != request->goal_count || !fr_area_equals(&entry->area, &request->area)) {
        return false;
    }
    const fr_goal *goals = fr_field_slot_goals(service, entry);
    for (int32_t i = 0; i < request->goal_count; i++) {
        if (goals[i].cell.x != request->goals[i].cell.x || goals[i].cell.y != request->goals[i].cell.y ||
            goals[i].price != request->goals[i].price) {
            return false;
        }
    }
    return true;
}

static void free_slot(fr_field_service *service, fr_field_slot *entry)
{
    FR_ASSERT(entry->references == 0 && entry->build == FR_BUILD_NONE);
    fr_field_service_drop_snapshot(service, &entry->base);
    fr_field_destroy(service->pool, entry->field);
    fr_field_destroy(service->rough_pool, entry->rough);
    entry->field = entry->rough = NULL;
    entry->used = false;
    service->part_slots -= entry->is_part;
    service->stats.live--;
}

/* The cached slot that was used longest ago, ties by index; null if there is none. */
static fr_field_slot *find_victim(fr_field_service *service, bool must_hold_memory)
{
    fr_field_slot *victim = NULL;
    for (int32_t i = 0; i < service->slot_limit; i++) {
        fr_field_slot *entry = &service->slots[i];
        if (entry->used && entry->references == 0 && entry->build == FR_BUILD_NONE &&
            (entry->field != NULL || !must_hold_memory) &&
            (victim == NULL || entry->last_used < victim->last_used)) {
            victim = entry;
        }
    }
    return victim;
}

bool fr_field_service_evict(fr_field_service *service, bool must_hold_memory)
{
    fr_field_slot *victim = find_victim(service, must_hold_memory);
    if (victim == NULL) {
        return false;
    }
    free_slot(service, victim);
    service->stats.evictions++;
    return true;
}

static fr_field_slot *take_slot(fr_field_service *service)
{
    for (int32_t i = 0; i < service->slot_limit; i++) {
        if (!service->slots[i].used) {
            return &service->slots[i];
        }
    }
    if (service->slot_limit < FR_FIELD_SLOTS_MAX) {
        return &service->slots[service->slot_limit++];
    }
    fr_field_slot *victim = find_victim(service, false);
    if (victim != NULL) {
        free_slot(service, victim);
        service->stats.evictions++;
    }
    return victim;
}

fr_field_slot *fr_field_service_slot(const fr_field_service *service, fr_field_id id)
{
    if (id.index1 == 0 || id.index1 > service->slot_limit) {
        return NULL;
    }
    fr_field_slot *entry = &service->slots[id.index1 - 1];
    return entry->used && entry->generation == id.generation ? entry : NULL;
}

/* ---- the queue ---- */

void fr_field_service_enqueue(fr_field_service *service, fr_field_slot *entry)
{
    FR_ASSERT(entry->build == FR_BUILD_NONE && service->queue_count < FR_FIELD_SLOTS_MAX);
    int32_t at = (service->queue_head + service->queue_count++) % FR_FIELD_SLOTS_MAX;
    service->queue[at] = (int32_t)(entry - service->slots);
    entry->build = FR_BUILD_QUEUED;
}

void fr_field_service_dequeue(fr_field_service *service, fr_field_slot *entry)
{
    int32_t index = (int32_t)(entry - service->slots), kept = 0;
    for (int32_t i = 0; i < service->queue_count; i++) {
        int32_t other = service->queue[(service->queue_head + i) % FR_FIELD_SLOTS_MAX];
        if (other != index) {
            service->queue[(service->queue_head + kept++) % FR_FIELD_SLOTS_MAX] = other;
        }
    }
    service->queue_count = kept;
    entry->build = FR_BUILD_NONE;
}

/* Whether fields of the whole map that are in use take so much of the budget that the next has to be a part:
 * with a goal each, many orders would find no room, while their ways take little. */
static bool wholes_take_their_share(const fr_field_service *service)
{
    size_t count = 0;
    for (int32_t i = 0; i < service->slot_limit; i++) {
        const fr_field_slot *entry = &service->slots[i];
        count += entry->used && entry->references > 0 && !entry->is_part;
    }
    size_t bytes = (count + 1) * (size_t)fr_grid_block_count(service->grid) * sizeof(fr_field_block);
    return count >= WHOLES_LEAST && bytes > fr_field_pool_budget_bytes(service->pool) / WHOLES_SHARE;
}

fr_field_id fr_field_service_request(fr_field_service *service, const fr_field_request *request)
{
    FR_ASSERT(request->goal_count >= 0 && request->goal_count <= FR_GOALS_MAX);
    FR_ASSERT((request->goal_count == 0) == (request->area.kind != FR_AREA_NONE));
    uint64_t key = request_key(request);
    fr_field_slot *entry = NULL;
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
        *entry = (fr_field_slot){.used = true,
                                 .generation = generation == 0 ? 1 : generation,
                                 .view = request->view,
                                 .goal_count = request->goal_count,
                                 .area = request->area,
                                 .is_part = service->lazy || wholes_take_their_share(service),
                                 .key = key,
                                 .service = service};
        service->part_slots += entry->is_part;
        if (request->goal_count > 0) {
            memcpy(fr_field_slot_goals(service, entry), request->goals,
                   (size_t)request->goal_count * sizeof(fr_goal));
        }
        service->stats.live++;
    }
    entry->references++;
    entry->last_used = service->tick;
    if (entry->build == FR_BUILD_NONE && fr_field_slot_lacks(entry)) {
        fr_field_service_enqueue(service, entry);
    }
    return (fr_field_id){(uint16_t)(entry - service->slots + 1), entry->generation};
}

fr_field_id fr_field_service_retain(fr_field_service *service, fr_field_id id)
{
    fr_field_slot *entry = fr_field_service_slot(service, id);
    if (entry == NULL) {
        return (fr_field_id){0, 0};
    }
    FR_ASSERT(entry->references > 0);
    entry->references++;
    return id;
}

void fr_field_service_release(fr_field_service *service, fr_field_id id)
{
    fr_field_slot *entry = fr_field_service_slot(service, id);
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
    entry->want_count = entry->part_count; /* nobody stands anywhere any more; a job may still read these */
    entry->guided_count = 0;
    fr_field_destroy(service->rough_pool, entry->rough);
    entry->rough = NULL;
    if (entry->build == FR_BUILD_QUEUED) {
        fr_field_service_dequeue(service, entry);
        service->stats.cancelled++;
    } else if (entry->build == FR_BUILD_RUNNING) {
        fr_field_service_cancel(service, entry);
    }
    if (entry->build == FR_BUILD_NONE && entry->field == NULL) {
        free_slot(service, entry);
    }
}

const fr_field *fr_field_service_get(const fr_field_service *service, fr_field_id id)
{
    const fr_field_slot *entry = fr_field_service_slot(service, id);
    return entry != NULL ? entry->field : NULL;
}

fr_field_standing fr_field_service_standing(const fr_field_service *service, fr_field_id id)
{
    const fr_field_slot *entry = fr_field_service_slot(service, id);
    if (entry == NULL) {
        return FR_STANDING_NONE;
    }
    if (entry->build == FR_BUILD_RUNNING) {
        return FR_STANDING_BUILDING;
    }
    return entry->field == NULL ? FR_STANDING_NONE : entry->stale ? FR_STANDING_STALE : FR_STANDING_CURRENT;
}

bool fr_field_service_tick(fr_field_service *service, uint32_t tick)
{
    service->tick = tick;
    service->stats.wait_ns_last = 0;
    bool published = fr_field_service_charge(service);
    for (int32_t i = 0; i < service->slot_limit; i++) {
        fr_field_slot *entry = &service->slots[i];
        if (entry->used && entry->build == FR_BUILD_CANCELLED && fr_field_service_reap(service, entry) &&
            entry->field == NULL && entry->references == 0) {
            free_slot(service, entry); /* else it is wanted again, and begins anew */
        }
        bool wanted = entry->used && entry->references > 0 && entry->build == FR_BUILD_NONE;
        bool retry = entry->denied && tick % RETRY_TICKS == 0;
        if (wanted && (retry || !entry->denied) && fr_field_slot_lacks(entry)) {
            fr_field_service_enqueue(service, entry);
        }
    }
    fr_field_service_start(service);
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
            if (fr_field_cell_value(field, (fr_cell){x, y}) != FR_UNREACHED) {
                return true;
            }
        }
    }
    return false;
}

static bool rects_meet(fr_rect a, fr_rect b)
{
    return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

static void mark_stale(fr_field_service *service, fr_field_slot *entry, fr_rect rect)
{
    if (entry->next != NULL) {
        entry->next_stale = true;
    }
    if (entry->field == NULL || entry->stale) {
        return;
    }
    /* A goal that was a wall is unreached itself, and opens with the change. */
    bool goal_inside =
        entry->area.kind != FR_AREA_NONE && rects_meet(fr_area_bounds(&entry->area, service->grid), rect);
    const fr_goal *goals = fr_field_slot_goals(service, entry);
    for (int32_t g = 0; g < entry->goal_count; g++) {
        fr_cell cell = goals[g].cell;
        goal_inside |= cell.x >= rect.x && cell.y >= rect.y && cell.x < rect.x + rect.width &&
                       cell.y < rect.y + rect.height;
    }
    entry->stale = goal_inside || covers(entry->field, service->grid, rect);
}

void fr_field_service_cost_changed(fr_field_service *service, fr_rect rect)
{
    for (int32_t i = 0; i < service->slot_limit; i++) {
        if (service->slots[i].used) {
            mark_stale(service, &service->slots[i], rect);
        }
    }
}

void fr_field_service_view_changed(fr_field_service *service, fr_cost_view view, fr_rect rect)
{
    for (int32_t i = 0; i < service->slot_limit; i++) {
        if (service->slots[i].used && service->slots[i].view == view) {
            mark_stale(service, &service->slots[i], rect);
        }
    }
}

fr_field_service_stats fr_field_service_statistics(const fr_field_service *service)
{
    fr_field_service_stats stats = service->stats;
    stats.bytes = fr_field_pool_used_bytes(service->pool);
    stats.handover_cosine = fr_field_service_handover_cosine(service);
    return stats;
}
