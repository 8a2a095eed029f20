/* field_service_need: which cells the fields of large maps have to cover. Units name the cell they stand on;
 * a slot remembers one cell a block until a field is seen that covers it. */
#include "field/field_service_internal.h"

#include <stdlib.h>
#include <string.h>

#include "grid/nav.h"

/* How far (cells) a rough field goes on behind those that it leads: they share blocks with others. */
#define ROUGH_REACH 12

/* How much farther (cells) than it seems it may be to the places that it makes for. It is made within the
 * tick of an order: who has farther waits for the field. */
#define ROUGH_DETOUR 1024

bool fr_field_service_is_lazy(const fr_field_service *service)
{
    return service->part_slots > 0;
}

static bool covers(const fr_field_slot *entry, fr_cell cell)
{
    return entry->field != NULL &&
           (fr_field_is_complete(entry->field) || fr_field_cell_value(entry->field, cell) != FR_UNREACHED);
}

/* Notes by how much the field that takes over turns those who were led roughly. */
static void note_handover(fr_field_service *service, const fr_field_slot *entry, fr_cell cell)
{
    fr_position centre = fr_nav_centre(entry->field->shift, cell);
    fr_field_sample exact = fr_field_sample_at(entry->field, centre);
    fr_field_sample rough = fr_field_sample_at(entry->rough, centre);
    if (exact.kind == FR_SAMPLE_STEP && rough.kind == FR_SAMPLE_STEP) {
        service->handovers[service->handover_count++ % FR_HANDOVERS_KEPT] =
            fr_vec2_dot(exact.direction, rough.direction);
    }
}

static int compare_floats(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

float fr_field_service_handover_cosine(const fr_field_service *service)
{
    int32_t count = service->handover_count < FR_HANDOVERS_KEPT ? service->handover_count : FR_HANDOVERS_KEPT;
    float sorted[FR_HANDOVERS_KEPT];
    memcpy(sorted, service->handovers, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare_floats);
    return count > 0 ? sorted[(count - 1) / 2] : 2.0f;
}

void fr_field_service_drop_met_wants(fr_field_service *service, fr_field_slot *entry)
{
    fr_cell *wants = fr_field_slot_wants(service, entry);
    int32_t kept = 0;
    for (int32_t w = 0; w < entry->want_count; w++) {
        if (entry->rough != NULL && w < entry->part_count) {
            note_handover(service, entry, wants[w]);
        }
        /* What a build was to cover, and did not, changed under it: whoever stands there asks again. */
        if (w >= entry->part_count && !covers(entry, wants[w])) {
            wants[kept++] = wants[w];
        }
    }
    entry->want_count = kept;
    entry->part_count = entry->guided_count = 0;
    if (kept == 0) {
        fr_field_destroy(service->rough_pool, entry->rough);
        entry->rough = NULL;
    }
}

void fr_field_service_need(fr_field_service *service, fr_field_id id, fr_cell cell)
{
    fr_field_slot *entry = fr_field_service_slot(service, id);
    if (entry == NULL || !entry->is_part || covers(entry, cell) || entry->want_count == FR_FIELD_WANTS_MAX ||
        !fr_cost_walkable(service->cost, entry->view, cell)) {
        return;
    }
    fr_cell *wants = fr_field_slot_wants(service, entry);
    int32_t block = fr_grid_block(service->grid, cell);
    for (int32_t w = 0; w < entry->want_count; w++) {
        if (fr_grid_block(service->grid, wants[w]) == block) {
            return;
        }
    }
    wants[entry->want_count++] = cell;
    if (entry->build == FR_BUILD_NONE && !entry->denied) {
        fr_field_service_enqueue(service, entry);
    }
}

void fr_field_service_guide(fr_field_service *service, fr_field_id id, const fr_regions *regions)
{
    fr_field_slot *entry = fr_field_service_slot(service, id);
    if (service->guide == NULL || entry == NULL || entry->want_count == entry->guided_count) {
        return;
    }
    entry->guided_count = entry->want_count;
    int goal_count;
    const fr_goal *goals = fr_field_service_list_goals(service, entry, 0, &goal_count);
    const fr_cell *wants = fr_field_slot_wants(service, entry);
    fr_goal places[FR_FIELD_WANTS_MAX];
    int32_t place_count =
        fr_region_guide_find(service->guide, regions, goals, goal_count, wants, entry->want_count, places);
    fr_field *rough = place_count > 0 ? fr_field_reserve(service->rough_pool, service->grid) : NULL;
    if (rough == NULL) {
        return; /* they wait for the field */
    }
    const fr_cost_snapshot *snapshot = fr_cost_acquire(service->cost);
    fr_field_part part = {.cells = wants,
                          .cell_count = entry->want_count,
                          .reach = ROUGH_REACH * FR_STEP_STRAIGHT,
                          .detour_max = ROUGH_DETOUR * FR_STEP_STRAIGHT};
    fr_field_extend(rough, service->scratch[0], snapshot, entry->view, places, place_count, &part);
    fr_cost_release(service->cost, snapshot);
    fr_field_settle(service->rough_pool, rough);
    fr_field_destroy(service->rough_pool, entry->rough);
    entry->rough = rough;
}

const fr_field *fr_field_service_rough(const fr_field_service *service, fr_field_id id)
{
    const fr_field_slot *entry = fr_field_service_slot(service, id);
    return entry != NULL ? entry->rough : NULL;
}
