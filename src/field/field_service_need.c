/* field_service_need: which cells the fields of large maps have to cover. Units name the cell they stand on;
 * a slot remembers one cell a block until a field is seen that covers it. */
#include "field/field_service_internal.h"

#include <string.h>

bool fr_field_service_is_lazy(const fr_field_service *service)
{
    return service->lazy;
}

static bool covers(const fr_field_slot *entry, fr_cell cell)
{
    return entry->field != NULL &&
           (fr_field_is_complete(entry->field) || fr_field_value(entry->field, cell) != FR_UNREACHED);
}

void fr_field_service_drop_met_wants(fr_field_service *service, fr_field_slot *entry)
{
    fr_cell *wants = fr_field_slot_wants(service, entry);
    int32_t kept = 0;
    for (int32_t w = 0; w < entry->want_count; w++) {
        /* What a build was to cover, and did not, changed under it: whoever stands there asks again. */
        if (w >= entry->part_count && !covers(entry, wants[w])) {
            wants[kept++] = wants[w];
        }
    }
    entry->want_count = kept;
    entry->part_count = 0;
}

void fr_field_service_need(fr_field_service *service, fr_field_id id, fr_cell cell)
{
    fr_field_slot *entry = fr_field_service_slot(service, id);
    if (!service->lazy || entry == NULL || covers(entry, cell) || entry->want_count == FR_FIELD_WANTS_MAX ||
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
