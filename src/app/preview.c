#include "app/preview.h"

#include "base/memory.h"
#include "grid/clearance.h"

/* Points kept for drawing: a way of 16,384 cells. */
#define POINTS_MAX 32768

void fr_preview_fini(fr_preview *preview)
{
    fr_probe_fini(&preview->probe);
    fr_free(preview->points);
    *preview = (fr_preview){0};
}

void fr_preview_end(fr_preview *preview)
{
    preview->has_unit = false;
}

bool fr_preview_choose(fr_preview *preview, const fr_selection *selection, const fr_snapshot *snapshot,
                       uint32_t *unit)
{
    double x, y, nearest = 0.0;
    if (preview->has_unit && selection->flags[preview->unit] != 0) {
        *unit = preview->unit;
        return true;
    }
    preview->has_unit = false;
    if (!fr_selection_centre(selection, snapshot, &x, &y)) {
        return false;
    }
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        if (selection->flags[i] == 0) {
            continue;
        }
        double dx = fr_cells(snapshot->position[i].x) - x, dy = fr_cells(snapshot->position[i].y) - y;
        double distance = dx * dx + dy * dy;
        if (!preview->has_unit || distance < nearest) {
            nearest = distance;
            preview->unit = (uint32_t)i;
            preview->has_unit = true;
        }
    }
    *unit = preview->unit;
    return preview->has_unit;
}

/* The ground on which the unit fits; where it stands too close to a wall for that, its class's. */
static fr_cost_view view_of(const fr_snapshot *snapshot, uint32_t unit)
{
    fr_class movement_class = (fr_class)snapshot->movement_class[unit];
    fr_cost_view fit = fr_cost_fit(movement_class, fr_clearance_of(snapshot->radius[unit]));
    fr_cell cell = fr_cell_at(snapshot->position[unit]);
    bool can_ask = fr_cost_view_is_open(snapshot->cost, fit);
    return can_ask && fr_cost_walkable(snapshot->cost, fit, cell) ? fit : (fr_cost_view)movement_class;
}

/* What the unit would head for: the goal, or the nearest place of its own region. */
static fr_position reachable_goal(const fr_snapshot *snapshot, uint32_t unit, fr_position goal)
{
    const fr_regions *regions = snapshot->regions[snapshot->movement_class[unit]];
    uint32_t region = fr_regions_at(regions, fr_cell_at(snapshot->position[unit]));
    fr_cell nearest;
    if (region == FR_REGION_NONE || region == fr_regions_at(regions, fr_cell_at(goal)) ||
        !fr_regions_nearest(regions, region, goal, &nearest)) {
        return goal;
    }
    return fr_cell_centre(nearest);
}

bool fr_preview_trace(fr_preview *preview, const fr_snapshot *snapshot, uint32_t unit, const fr_field *led_by,
                      fr_position goal)
{
    const fr_field *field = led_by;
    if (field == NULL) {
        goal = reachable_goal(snapshot, unit, goal);
        fr_probe_look look = {.view = view_of(snapshot, unit),
                              .goals = &goal,
                              .goal_count = 1,
                              .from = &snapshot->position[unit],
                              .from_count = 1};
        field = fr_probe_field(&preview->probe, snapshot, &look);
        if (field == NULL || !fr_probe_covers(snapshot, field, look.view, snapshot->position[unit])) {
            return false;
        }
    }
    if (preview->points == NULL) {
        preview->points = fr_alloc_raw(POINTS_MAX, sizeof *preview->points);
    }
    preview->route = fr_route_trace(snapshot, field, unit, preview->points, POINTS_MAX);
    return true;
}
