/* cost_view: which views of the costs are open. A view is opened when somebody first asks for it, and stays.
 */
#include "base/assert.h"
#include "grid/cost_internal.h"

bool fr_cost_view_is_open(const fr_cost *cost, fr_cost_view view)
{
    return view >= 0 && view < FR_COST_VIEWS_MAX && (cost->open >> view & 1) != 0;
}

fr_cost_view fr_cost_view_open(fr_cost *cost, fr_cost_view_def def)
{
    FR_ASSERT((unsigned)def.movement_class < FR_CLASS_COUNT && def.clearance < FR_CLEARANCE_COUNT);
    fr_cost_view fit = fr_cost_fit(def.movement_class, def.clearance);
    if (!fr_cost_view_is_open(cost, fit)) {
        fr_cost_create_walls(cost, fit);
        fr_cost_compose_view(cost, fit);
        fr_cost_find_walls(cost, fit);
        cost->open |= (uint64_t)1 << fit;
        /* It lacks the view. */
        fr_cost_retire_snapshot(cost);
    }
    return fit;
}

fr_rect fr_cost_take_changed(fr_cost *cost)
{
    fr_rect changed = cost->changed;
    cost->changed = (fr_rect){0, 0, 0, 0};
    return changed;
}

void fr_cost_save_views(const fr_cost *cost, fr_buffer *out)
{
    fr_buffer_append(out, &cost->open, sizeof cost->open);
}

bool fr_cost_load_views(fr_cost *cost, fr_reader *reader)
{
    uint64_t open;
    if (!fr_reader_take(reader, &open, sizeof open) || open >> FR_COST_FITS != 0) {
        return false;
    }
    for (fr_cost_view fit = 0; fit < FR_COST_FITS; fit++) {
        if ((open >> fit & 1) != 0) {
            fr_cost_view_open(cost, (fr_cost_view_def){.movement_class = (fr_class)(fit % FR_CLASS_COUNT),
                                                       .clearance = (uint8_t)(fit / FR_CLASS_COUNT)});
        }
    }
    return true;
}
