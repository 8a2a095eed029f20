/* field_service_save: the service as bytes and back, and its part of the world's hash. Knows what a slot
 * holds, not when anything is built or seen. */
#include "field/field_service_internal.h"

#include "base/hash.h"
#include "base/memory.h"

uint64_t fr_field_service_hash(const fr_field_service *service, uint64_t hash)
{
    for (int32_t i = 0; i < service->slot_limit; i++) {
        const fr_field_slot *entry = &service->slots[i];
        if (entry->used) {
            hash = fr_hash_bytes(hash, &entry->key, sizeof entry->key);
            hash = fr_hash_u32(hash, (uint32_t)entry->references);
            hash = fr_hash_u32(hash, (uint32_t)entry->build | (uint32_t)entry->stale << 8 |
                                         (uint32_t)(entry->field != NULL) << 9);
            hash = fr_hash_u32(hash, (uint32_t)entry->charged);
            hash = fr_hash_u32(hash, (uint32_t)entry->want_count);
        }
    }
    return hash;
}

/* ---- saved worlds ---- */

/* A slot as saved; the goals and the fields follow it. */
typedef struct saved_slot {
    uint64_t key;
    int64_t charged;
    int32_t references, goal_count, want_count, part_count, guided_count;
    uint32_t last_used, started;
    uint16_t generation;
    uint8_t used, view, has_field, has_next, stale, next_stale, denied, build;
    uint8_t has_rough;
    uint8_t is_part;
    fr_area area;
} saved_slot;

void fr_field_service_save(fr_field_service *service, fr_buffer *out)
{
    fr_buffer_append(out, &service->tick, sizeof service->tick);
    fr_buffer_append(out, &service->slot_limit, sizeof service->slot_limit);
    for (int32_t i = 0; i < service->slot_limit; i++) {
        fr_field_slot *entry = &service->slots[i];
        if (entry->next != NULL) {
            fr_field_service_finish_job(service, entry);
        }
        saved_slot saved = {
            .key = entry->key,
            .charged = entry->charged,
            .references = entry->references,
            .goal_count = entry->used ? entry->goal_count : 0,
            .want_count = entry->used ? entry->want_count : 0,
            .part_count = entry->used ? entry->part_count : 0,
            .guided_count = entry->guided_count,
            .has_rough = entry->used && entry->rough != NULL,
            .is_part = entry->used && entry->is_part,
            .last_used = entry->last_used,
            .started = entry->started,
            .generation = entry->generation,
            .used = entry->used,
            .view = (uint8_t)entry->view,
            .has_field = entry->used && entry->field != NULL,
            .has_next = entry->used && entry->build == FR_BUILD_RUNNING,
            .stale = entry->stale,
            .next_stale = entry->next_stale,
            .denied = entry->denied,
            .build = (uint8_t)entry->build,
            .area = entry->area,
        };
        fr_buffer_append(out, &saved, sizeof saved);
        fr_buffer_append(out, fr_field_slot_goals(service, entry),
                         (size_t)saved.goal_count * sizeof(fr_goal));
        fr_buffer_append(out, fr_field_slot_wants(service, entry),
                         (size_t)saved.want_count * sizeof(fr_cell));
        if (saved.has_field) {
            fr_field_save(entry->field, out);
        }
        if (saved.has_next) {
            fr_field_save(entry->next, out);
        }
        if (saved.has_rough) {
            fr_field_save(entry->rough, out);
        }
    }
    fr_buffer_append(out, &service->queue_count, sizeof service->queue_count);
    for (int32_t i = 0; i < service->queue_count; i++) {
        int32_t index = service->queue[(service->queue_head + i) % FR_FIELD_SLOTS_MAX];
        fr_buffer_append(out, &index, sizeof index);
    }
}

static bool flags_are_sane(const saved_slot *saved)
{
    return saved->used <= 1 && saved->has_field <= 1 && saved->has_next <= 1 && saved->stale <= 1 &&
           saved->next_stale <= 1 && saved->denied <= 1 && saved->has_rough <= 1 && saved->is_part <= 1;
}

static bool saved_slot_is_sane(const saved_slot *saved)
{
    bool running = saved->build == FR_BUILD_RUNNING;
    return flags_are_sane(saved) && saved->build <= FR_BUILD_CANCELLED && saved->view < FR_COST_VIEWS_MAX &&
           saved->references >= 0 && saved->has_next == running && saved->charged >= 0 &&
           saved->want_count >= 0 && saved->want_count <= FR_FIELD_WANTS_MAX && saved->part_count >= 0 &&
           saved->part_count <= saved->want_count && saved->guided_count >= 0 &&
           saved->guided_count <= FR_FIELD_WANTS_MAX && fr_area_is_sane(&saved->area) &&
           (saved->used ? saved->goal_count >= 0 && saved->goal_count <= FR_GOALS_MAX &&
                              (saved->goal_count == 0) == (saved->area.kind != FR_AREA_NONE)
                        : saved->goal_count == 0 && saved->build == FR_BUILD_NONE && !saved->has_field &&
                              saved->references == 0 && !saved->has_rough);
}

/* All that a build reads of the request. */
static bool request_is_sane(const fr_field_service *service, const fr_field_slot *entry,
                            const saved_slot *saved)
{
    if (!fr_cost_view_is_open(service->cost, saved->view)) {
        return false;
    }
    for (int32_t g = 0; g < saved->goal_count; g++) {
        const fr_goal *goal = &fr_field_slot_goals(service, entry)[g];
        if (!fr_grid_contains(service->grid, goal->cell) || goal->price > FR_INTEGRATION_MAX) {
            return false;
        }
    }
    for (int32_t w = 0; w < saved->want_count; w++) {
        if (!fr_grid_contains(service->grid, fr_field_slot_wants(service, entry)[w])) {
            return false;
        }
    }
    return !saved->used || saved->area.kind == FR_AREA_NONE ||
           fr_area_count(&saved->area, service->grid) <= service->area_capacity;
}

static bool load_slot(fr_field_service *service, fr_field_slot *entry, fr_reader *reader)
{
    saved_slot saved;
    if (!fr_reader_take(reader, &saved, sizeof saved) || !saved_slot_is_sane(&saved) ||
        !fr_reader_take(reader, fr_field_slot_goals(service, entry),
                        (size_t)saved.goal_count * sizeof(fr_goal)) ||
        !fr_reader_take(reader, fr_field_slot_wants(service, entry),
                        (size_t)saved.want_count * sizeof(fr_cell))) {
        return false;
    }
    if (!request_is_sane(service, entry, &saved)) {
        return false;
    }
    *entry = (fr_field_slot){.used = saved.used,
                             .generation = saved.generation,
                             .references = saved.references,
                             .last_used = saved.last_used,
                             .view = saved.view,
                             .goal_count = saved.goal_count,
                             .area = saved.area,
                             .key = saved.key,
                             .stale = saved.stale,
                             .is_part = saved.is_part,
                             .denied = saved.denied,
                             .build = (fr_build_state)saved.build,
                             .next_stale = saved.next_stale,
                             .want_count = saved.want_count,
                             .part_count = saved.part_count,
                             .guided_count = saved.guided_count,
                             .charge = FR_CHARGE_UNKNOWN,
                             .charged = saved.charged,
                             .started = saved.started,
                             .service = service};
    if (saved.has_field && (entry->field = fr_field_load(service->pool, reader)) == NULL) {
        return false;
    }
    if (saved.has_next && (entry->next = fr_field_load(service->pool, reader)) == NULL) {
        return false;
    }
    if (saved.has_rough &&
        (!service->lazy || (entry->rough = fr_field_load(service->rough_pool, reader)) == NULL)) {
        return false;
    }
    if (saved.has_next) {
        entry->work = fr_field_service_count_work(service, entry);
    }
    if (saved.build == FR_BUILD_CANCELLED) {
        entry->next =
            fr_field_reserve(service->pool, service->grid); /* as long as the one it was saved from */
        service->stats.pending++;
    }
    service->stats.live += saved.used;
    service->part_slots += saved.used && saved.is_part;
    service->stats.pending += saved.has_next;
    return true;
}

/* Every slot that is queued, or begun, and no other, each once. */
static bool load_queue(fr_field_service *service, int32_t count, fr_reader *reader)
{
    int32_t waiting = 0;
    for (int32_t i = 0; i < service->slot_limit; i++) {
        fr_build_state build = service->slots[i].build;
        waiting += build == FR_BUILD_QUEUED || build == FR_BUILD_RUNNING;
    }
    if (count != waiting) {
        return false;
    }
    uint8_t *seen = fr_alloc(FR_FIELD_SLOTS_MAX, 1);
    bool sane = true;
    for (int32_t i = 0; i < count && sane; i++) {
        int32_t index = -1;
        sane = fr_reader_take(reader, &index, sizeof index) && index >= 0 && index < service->slot_limit &&
               seen[index]++ == 0 &&
               (service->slots[index].build == FR_BUILD_QUEUED ||
                service->slots[index].build == FR_BUILD_RUNNING);
        service->queue[i] = index;
    }
    fr_free(seen);
    service->queue_count = sane ? count : 0;
    return sane;
}

bool fr_field_service_load(fr_field_service *service, fr_reader *reader)
{
    int32_t limit, queued;
    if (!fr_reader_take(reader, &service->tick, sizeof service->tick) ||
        !fr_reader_take(reader, &limit, sizeof limit) || limit < 0 || limit > FR_FIELD_SLOTS_MAX) {
        return false;
    }
    for (int32_t i = 0; i < limit; i++) {
        service->slot_limit = i + 1;
        if (!load_slot(service, &service->slots[i], reader)) {
            return false;
        }
    }
    return fr_reader_take(reader, &queued, sizeof queued) && load_queue(service, queued, reader);
}

bool fr_field_service_is_held_by(const fr_field_service *service, const fr_field_id *ids, int32_t count)
{
    int32_t *holders = fr_alloc((size_t)FR_FIELD_SLOTS_MAX, sizeof *holders);
    for (int32_t i = 0; i < count; i++) {
        const fr_field_slot *entry = fr_field_service_slot(service, ids[i]);
        if (entry != NULL) {
            holders[entry - service->slots]++;
        }
    }
    bool right = true;
    for (int32_t i = 0; i < service->slot_limit; i++) {
        right &= service->slots[i].references == holders[i];
    }
    fr_free(holders);
    return right;
}
