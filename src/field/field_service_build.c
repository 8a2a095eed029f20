/* field_service_build: how a slot comes by its field: memory and a snapshot, the job, what its work is
 * charged, and when it is seen. Knows slots and the queue, not who asks.
 *
 * Work is charged by result. A slot's first field is charged its cells, whole blocks. A successor is charged
 * the cells in which it differs from the field that it replaces, and whole blocks where that had none,
 * whether it was repaired, or the repair was given up for a build, or there was nothing to repair from: how
 * it came about never shows. What that is is mostly known only once it is there. So the charges of a tick are
 * drawn FR_FIELD_LATENCY_TICKS later, when what they complete is to be seen: jobs have had that long, and who
 * was charged what is the same for every number of workers. A job that is still at work then, and has already
 * done more than a tick can charge, is charged that much and not waited for. */
#include "base/assert.h"
#include "field/field_service_internal.h"

/* What work of unknown charge is taken to cost: no more than 16 such builds are begun a tick. */
#define CHARGE_EXPECTED (FR_FIELD_CELLS_PER_TICK / 16)

/* Jobs of which it is not known how long they will take (successors, and parts of large maps) are begun while
 * their fields have no more cells than this together: so much one worker does before they are due, beside
 * what it knows, with time to spare. Else the main thread would have to help. One is always begun. */
#define UNKNOWN_CELLS (4 * FR_FIELD_CELLS_PER_TICK)

/* What FR_FIELD_REACH is where fields are parts because the budget is short, so that more of them fit. */
#define THRIFTY_REACH 12

/* Snapshots after which a stale field that waits its turn, or that nobody holds, lets go of its own: every
 * one keeps the blocks of its version. */
#define BASE_AGE_MAX 6

/* ---- the job ---- */

const fr_goal *fr_field_service_list_goals(const fr_field_service *service, const fr_field_slot *entry,
                                           int lane, int *count)
{
    *count = entry->goal_count;
    if (entry->goal_count > 0) {
        return fr_field_slot_goals(service, entry);
    }
    fr_goal *goals = service->area_goals[lane];
    fr_rect bounds = fr_area_bounds(&entry->area, service->grid);
    for (int32_t y = bounds.y; y < bounds.y + bounds.height; y++) {
        for (int32_t x = bounds.x; x < bounds.x + bounds.width && *count < service->area_capacity; x++) {
            if (fr_area_contains(&entry->area, (fr_cell){x, y})) {
                goals[(*count)++] = (fr_goal){{x, y}, 0};
            }
        }
    }
    return goals;
}

static uint64_t now_ns(const fr_field_service *service)
{
    return service->now_ns != NULL ? service->now_ns(service->clock) : 0;
}

static bool lacks_a_want(const fr_field_service *service, const fr_field_slot *entry)
{
    bool lacks = entry->field == NULL;
    for (int32_t w = 0; w < entry->part_count; w++) {
        lacks |= fr_field_cell_value(entry->next, fr_field_slot_wants(service, entry)[w]) == FR_UNREACHED;
    }
    return lacks;
}

/* Makes `next` exact as far as `field` is, over the costs of the snapshot. */
static void renew(fr_field_slot *entry, int lane, const fr_goal *goals, int goal_count)
{
    const fr_field_service *service = entry->service;
    if (!entry->renews) {
        return; /* is so already */
    }
    if (entry->base != NULL && goal_count <= FR_GOALS_MAX &&
        fr_field_repair(entry->next, service->repairs[lane], entry->base, entry->snapshot, entry->view, goals,
                        goal_count)) {
        return;
    }
    if (!entry->is_part) {
        fr_field_fill(entry->next, service->scratch[lane], entry->snapshot, entry->view, goals, goal_count);
        return;
    }
    fr_field_clear(entry->next);
    fr_field_part part = {.like = entry->field};
    fr_field_extend(entry->next, service->scratch[lane], entry->snapshot, entry->view, goals, goal_count,
                    &part);
}

static void run_build(void *context, int lane)
{
    fr_field_slot *entry = context;
    fr_field_service *service = entry->service;
    if (atomic_load(&entry->is_void)) {
        return;
    }
    uint64_t begin = now_ns(service);
    int goal_count;
    const fr_goal *goals = fr_field_service_list_goals(service, entry, lane, &goal_count);
    if (!entry->is_part && entry->field == NULL) {
        fr_field_fill(entry->next, service->scratch[lane], entry->snapshot, entry->view, goals, goal_count);
    } else {
        renew(entry, lane, goals, goal_count);
    }
    if (entry->is_part && lacks_a_want(service, entry)) {
        fr_field_part part = {.cells = fr_field_slot_wants(service, entry),
                              .cell_count = entry->part_count,
                              .reach = (service->lazy ? FR_FIELD_REACH : THRIFTY_REACH) * FR_STEP_STRAIGHT,
                              .progress = &entry->progress};
        fr_field_extend(entry->next, service->scratch[lane], entry->snapshot, entry->view, goals, goal_count,
                        &part);
    }
    entry->work = fr_field_service_count_work(service, entry);
    entry->build_ns = now_ns(service) - begin;
}

int64_t fr_field_service_count_work(const fr_field_service *service, const fr_field_slot *entry)
{
    int32_t count = fr_grid_block_count(service->grid);
    if (entry->field == NULL && !entry->is_part) {
        return (int64_t)count * FR_BLOCK_CELLS;
    }
    int64_t work = 0;
    for (int32_t number = 0; number < count; number++) {
        bool is_new = entry->next->table[number] != FR_BLOCK_ABSENT &&
                      (entry->field == NULL || entry->field->table[number] == FR_BLOCK_ABSENT);
        work += is_new
                    ? FR_BLOCK_CELLS
                    : (entry->field == NULL ? 0 : fr_field_block_changes(entry->field, entry->next, number));
    }
    return work;
}

void fr_field_service_finish_job(fr_field_service *service, fr_field_slot *entry)
{
    if (!entry->job_runs) {
        return;
    }
    /* Pairs with the worker's last write even when nothing is left to wait for. */
    bool late = atomic_load(&entry->job.state) != FR_JOB_DONE;
    uint64_t begin = now_ns(service);
    service->executor.wait(service->executor.self, &entry->job);
    service->stats.waits += late;
    service->stats.wait_ns_last += late ? now_ns(service) - begin : 0;
    service->stats.build_ns_last = entry->build_ns;
    service->stats.work_ns += entry->build_ns;
    entry->job_runs = false;
}

/* ---- snapshots ---- */

void fr_field_service_drop_snapshot(fr_field_service *service, const fr_cost_snapshot **snapshot)
{
    if (*snapshot != NULL) {
        fr_cost_release(service->cost, *snapshot);
        *snapshot = NULL;
    }
}

/* Fields that no change has made stale are exact over the costs of now as well; what they were built from can
 * go. Stale ones keep theirs for a while. */
static void renew_bases(fr_field_service *service)
{
    for (int32_t i = 0; i < service->slot_limit; i++) {
        fr_field_slot *entry = &service->slots[i];
        if (!entry->used || entry->field == NULL || entry->next != NULL) {
            continue;
        }
        if (!entry->stale) {
            fr_field_service_drop_snapshot(service, &entry->base);
            entry->base = fr_cost_acquire(service->cost);
            entry->base_age = 0;
        } else if (++entry->base_age > BASE_AGE_MAX) {
            fr_field_service_drop_snapshot(service, &entry->base);
        }
    }
}

static const fr_cost_snapshot *take_snapshot(fr_field_service *service)
{
    const fr_cost_snapshot *snapshot = fr_cost_acquire(service->cost);
    if (fr_cost_snapshot_version(snapshot) != service->cost_version) {
        service->cost_version = fr_cost_snapshot_version(snapshot);
        renew_bases(service);
    }
    return snapshot;
}

/* ---- from queue to view ---- */

static fr_field *take_memory(fr_field_service *service, const fr_field_slot *entry)
{
    bool goes_on = entry->field != NULL && (entry->base != NULL || !entry->stale);
    return goes_on ? fr_field_clone(service->pool, entry->field)
                   : fr_field_reserve(service->pool, service->grid);
}

/* Takes a snapshot and memory for a queued slot and hands the work out. False: no room. */
static bool start_build(fr_field_service *service, fr_field_slot *entry)
{
    const fr_cost_snapshot *snapshot = take_snapshot(service);
    fr_field *next = take_memory(service, entry);
    while (next == NULL && fr_field_service_evict(service, true)) {
        next = take_memory(service, entry);
    }
    if (next == NULL) {
        fr_field_service_drop_snapshot(service, &snapshot);
        return false;
    }
    entry->next = next;
    entry->next_stale = false;
    entry->denied = false;
    entry->snapshot = snapshot;
    entry->started = service->tick;
    entry->charge = entry->field != NULL || entry->is_part
                        ? FR_CHARGE_UNKNOWN
                        : (int64_t)fr_grid_block_count(service->grid) * FR_BLOCK_CELLS;
    entry->charged = 0;
    entry->renews = entry->field != NULL && entry->stale;
    entry->part_count = entry->want_count;
    atomic_store(&entry->progress, 0);
    entry->build = FR_BUILD_RUNNING;
    atomic_store(&entry->is_void, false);
    entry->job = (fr_job){.run = run_build, .context = entry};
    entry->job_runs = true;
    service->stats.pending++;
    service->executor.submit(service->executor.self, &entry->job);
    return true;
}

static void publish(fr_field_service *service, fr_field_slot *entry)
{
    fr_field_service_finish_job(service, entry);
    fr_field_settle(service->pool, entry->next);
    fr_field_destroy(service->pool, entry->field);
    fr_field_service_drop_snapshot(service, &entry->base);
    entry->field = entry->next;
    entry->next = NULL;
    entry->base = entry->snapshot;
    entry->base_age = 0;
    entry->snapshot = NULL;
    entry->stale = entry->next_stale;
    entry->build = FR_BUILD_NONE;
    fr_field_service_drop_met_wants(service, entry);
    size_t held = fr_field_pool_held_bytes(service->pool);
    service->stats.held_max = held > service->stats.held_max ? held : service->stats.held_max;
    service->stats.pending--;
    service->stats.built++;
}

void fr_field_service_cancel(fr_field_service *service, fr_field_slot *entry)
{
    FR_ASSERT(entry->build == FR_BUILD_RUNNING);
    fr_field_service_dequeue(service, entry);
    entry->build = FR_BUILD_CANCELLED;
    entry->charge = entry->charged = 0;
    atomic_store(&entry->is_void, true);
    service->stats.cancelled++;
}

bool fr_field_service_reap(fr_field_service *service, fr_field_slot *entry)
{
    if (service->tick - entry->started < FR_FIELD_LATENCY_TICKS) {
        return false;
    }
    fr_field_service_finish_job(service, entry);
    fr_field_destroy(service->pool, entry->next);
    fr_field_service_drop_snapshot(service, &entry->snapshot);
    entry->next = NULL;
    entry->build = FR_BUILD_NONE;
    entry->want_count = entry->references > 0 ? entry->want_count : 0;
    entry->part_count = 0;
    service->stats.pending--;
    return true;
}

static fr_field_slot *queued_slot(const fr_field_service *service, int32_t place)
{
    return &service->slots[service->queue[(service->queue_head + place) % FR_FIELD_SLOTS_MAX]];
}

/* Finds out the charge of a build, for which its job must be done; unless it is sure to be more than `budget`
 * by what the job has done so far. */
static bool know_charge(fr_field_service *service, fr_field_slot *entry, int64_t budget)
{
    if (entry->charge == FR_CHARGE_UNKNOWN) {
        int64_t sure = (int64_t)atomic_load(&entry->progress) * FR_BLOCK_CELLS;
        if (entry->job_runs && sure > entry->charged + budget) {
            return false;
        }
        fr_field_service_finish_job(service, entry);
        entry->charge = entry->work;
    }
    return true;
}

bool fr_field_service_charge(fr_field_service *service)
{
    int64_t budget = FR_FIELD_CELLS_PER_TICK;
    bool published = false;
    while (service->queue_count > 0 && budget > 0) {
        fr_field_slot *entry = queued_slot(service, 0);
        if (entry->build != FR_BUILD_RUNNING || service->tick - entry->started < FR_FIELD_LATENCY_TICKS) {
            break; /* had no part in that tick's work */
        }
        if (!know_charge(service, entry, budget) || entry->charge - entry->charged > budget) {
            entry->charged += budget;
            break;
        }
        budget -= entry->charge - entry->charged;
        service->queue_head = (service->queue_head + 1) % FR_FIELD_SLOTS_MAX;
        service->queue_count--;
        publish(service, entry);
        published = true;
    }
    return published;
}

/* Before the job is done. */
static bool charge_is_known(const fr_field_slot *entry)
{
    return entry->field == NULL && !entry->is_part;
}

/* The same whether the job is done by now or not. */
static int64_t expected_charge(const fr_field_slot *entry)
{
    return charge_is_known(entry) ? entry->charge - entry->charged : CHARGE_EXPECTED;
}

/* Begins as much as this tick can charge. What has begun may still await the charges of the last
 * FR_FIELD_LATENCY_TICKS - 1 ticks. */
void fr_field_service_start(fr_field_service *service)
{
    const int64_t field_cells = (int64_t)fr_grid_block_count(service->grid) * FR_BLOCK_CELLS;
    int64_t backlog = 0, unknown_cells = 0;
    int32_t place = 0;
    for (; place < service->queue_count; place++) {
        const fr_field_slot *entry = queued_slot(service, place);
        if (entry->build != FR_BUILD_RUNNING) {
            break;
        }
        backlog += expected_charge(entry);
        unknown_cells += charge_is_known(entry) ? 0 : field_cells;
    }
    const int64_t drawn_later = (int64_t)(FR_FIELD_LATENCY_TICKS - 1) * FR_FIELD_CELLS_PER_TICK;
    backlog = backlog > drawn_later ? backlog - drawn_later : 0;
    while (place < service->queue_count && backlog < FR_FIELD_CELLS_PER_TICK) {
        fr_field_slot *entry = queued_slot(service, place);
        bool is_known = charge_is_known(entry);
        unknown_cells += is_known ? 0 : field_cells;
        if (!is_known && unknown_cells > UNKNOWN_CELLS && unknown_cells > field_cells) {
            break;
        }
        if (start_build(service, entry)) {
            backlog += expected_charge(entry);
            place++;
        } else if (place > 0) {
            break; /* what has begun will give memory back */
        } else {
            fr_field_service_dequeue(service, entry);
            entry->denied = true;
            service->stats.denied++;
        }
    }
}
