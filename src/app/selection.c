#include "app/selection.h"

#include <string.h>

#include "base/assert.h"
#include "base/memory.h"

void fr_selection_init(fr_selection *selection, int32_t unit_count)
{
    *selection = (fr_selection){.capacity = unit_count,
                                .flags = fr_alloc((size_t)unit_count, 1),
                                .groups = fr_alloc((size_t)unit_count, sizeof(uint16_t)),
                                .ids = fr_alloc((size_t)unit_count, sizeof(uint32_t))};
}

void fr_selection_fini(fr_selection *selection)
{
    fr_free(selection->flags);
    fr_free(selection->groups);
    fr_free(selection->ids);
    *selection = (fr_selection){0};
}

void fr_selection_clear(fr_selection *selection)
{
    memset(selection->flags, 0, (size_t)selection->capacity);
    selection->count = 0;
}

void fr_selection_set(fr_selection *selection, uint32_t unit, bool selected)
{
    FR_ASSERT(unit < (uint32_t)selection->capacity);
    selection->count += (int32_t)selected - (int32_t)selection->flags[unit];
    selection->flags[unit] = selected;
}

void fr_selection_prune(fr_selection *selection, const fr_snapshot *snapshot)
{
    if (selection->count == 0) {
        return;
    }
    for (int32_t i = 0; i < selection->capacity; i++) {
        if (selection->flags[i] != 0 && snapshot->state[i] == FR_UNIT_GONE) {
            fr_selection_set(selection, (uint32_t)i, false);
        }
    }
}

const uint32_t *fr_selection_ids(fr_selection *selection)
{
    int32_t count = 0;
    for (int32_t i = 0; i < selection->capacity; i++) {
        if (selection->flags[i] != 0) {
            selection->ids[count++] = (uint32_t)i;
        }
    }
    FR_ASSERT(count == selection->count);
    return selection->ids;
}

void fr_selection_store(fr_selection *selection, int group, bool add)
{
    uint16_t bit = (uint16_t)(1u << group);
    for (int32_t i = 0; i < selection->capacity; i++) {
        if (selection->flags[i] != 0) {
            selection->groups[i] |= bit;
        } else if (!add) {
            selection->groups[i] &= (uint16_t)~bit;
        }
    }
}

void fr_selection_recall(fr_selection *selection, const fr_snapshot *snapshot, int group)
{
    uint16_t bit = (uint16_t)(1u << group);
    bool found = false;
    for (int32_t i = 0; i < selection->capacity; i++) {
        if ((selection->groups[i] & bit) == 0 || snapshot->state[i] == FR_UNIT_GONE) {
            continue;
        }
        if (!found) {
            fr_selection_clear(selection);
            found = true;
        }
        fr_selection_set(selection, (uint32_t)i, true);
    }
}

bool fr_selection_centre(const fr_selection *selection, const fr_snapshot *snapshot, double *x, double *y)
{
    if (selection->count == 0) {
        return false;
    }
    double sum_x = 0, sum_y = 0;
    for (int32_t i = 0; i < selection->capacity; i++) {
        if (selection->flags[i] != 0) {
            sum_x += fr_cells(snapshot->position[i].x);
            sum_y += fr_cells(snapshot->position[i].y);
        }
    }
    *x = sum_x / selection->count;
    *y = sum_y / selection->count;
    return true;
}
