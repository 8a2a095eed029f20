#include "app/screen_field.h"

#include "base/hash.h"
#include "base/rng.h"
#include "view/camera.h"

/* A world gives its fields no names. The address, with what changes whenever one is built anew or dropped at
 * that address, is one: a picture is then drawn once too often at worst. */
static uint64_t stamp_of(const fr_screen *screen, const fr_field *field)
{
    fr_world_stats stats = fr_world_statistics(screen->session->world);
    const fr_snapshot *snapshot = fr_world_snapshot(screen->session->world);
    uint64_t stamp = fr_mix64((uint64_t)(uintptr_t)field);
    stamp = fr_mix64(stamp ^ stats.fields_built);
    return fr_mix64(stamp ^ fr_cost_version(snapshot->cost));
}

static bool take_unit_field(fr_screen *screen, uint32_t unit, fr_shown_field *shown)
{
    const fr_snapshot *snapshot = fr_world_snapshot(screen->session->world);
    const fr_field *field = fr_world_unit_field(screen->session->world, unit);
    if (field == NULL) {
        return false;
    }
    shown->field = field;
    shown->stamp = stamp_of(screen, field);
    shown->name = fr_mix64(((uint64_t)snapshot->order[unit] << 8 | snapshot->movement_class[unit]) + 1);
    shown->standing = fr_world_unit_field_standing(screen->session->world, unit);
    shown->movement_class = (fr_class)snapshot->movement_class[unit];
    return true;
}

/* Looks from all over the picture. */
static void take_probe(fr_screen *screen, const fr_position *goals, int goal_count, fr_shown_field *shown)
{
    enum { SIDE = 6 };
    const fr_snapshot *snapshot = fr_world_snapshot(screen->session->world);
    int width_px, height_px;
    float scale_x, scale_y;
    fr_stage_size(&screen->stage, &width_px, &height_px, &scale_x, &scale_y);
    fr_rect seen = fr_camera_cells(screen->ui.camera, width_px, height_px, snapshot->grid);
    fr_position from[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        from[i] = fr_position_at(seen.x + seen.width * (i % SIDE + 0.5) / SIDE,
                                 seen.y + seen.height * (i / SIDE + 0.5) / SIDE);
    }
    fr_probe_look look = {.view = (fr_cost_view)shown->movement_class,
                          .goals = goals,
                          .goal_count = goal_count,
                          .from = from,
                          .from_count = SIDE * SIDE};
    shown->field = fr_probe_field(&screen->probe, snapshot, &look);
    shown->stamp = fr_mix64(screen->probe.builds);
    shown->name = screen->probe.goals_hash;
    shown->standing = FR_STANDING_CURRENT; /* built as it is asked for */
}

/* A unit whose way is a straight line has no field: one is built for the eye alone. */
static bool take_unit_goals(fr_screen *screen, uint32_t unit, fr_shown_field *shown)
{
    const fr_snapshot *snapshot = fr_world_snapshot(screen->session->world);
    if (snapshot->order[unit] == FR_NO_ORDER) {
        return false;
    }
    const fr_order_view *order = &snapshot->orders[snapshot->order[unit]];
    if (order->goal_count < 1) {
        return false;
    }
    shown->movement_class = (fr_class)snapshot->movement_class[unit];
    take_probe(screen, order->goals, order->goal_count, shown);
    return true;
}

static bool take_selected(fr_screen *screen, fr_shown_field *shown)
{
    const fr_selection *selection = &screen->ui.selection;
    for (int32_t i = 0; i < selection->capacity; i++) {
        if (selection->flags[i] != 0 && take_unit_field(screen, (uint32_t)i, shown)) {
            shown->owner = FR_FIELD_OF_SELECTED;
            return true;
        }
    }
    for (int32_t i = 0; i < selection->capacity; i++) {
        if (selection->flags[i] != 0 && take_unit_goals(screen, (uint32_t)i, shown)) {
            shown->owner = FR_FIELD_OF_SELECTED;
            return true;
        }
    }
    return false;
}

/* Of all units the one whose order is the youngest; FR_NO_UNIT if there was no order yet. */
static uint32_t last_ordered_unit(const fr_snapshot *snapshot)
{
    uint32_t best = FR_NO_UNIT;
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        if (snapshot->state[i] == FR_UNIT_GONE || snapshot->order[i] == FR_NO_ORDER) {
            continue;
        }
        if (best == FR_NO_UNIT || snapshot->order[i] > snapshot->order[best]) {
            best = (uint32_t)i;
        }
    }
    return best;
}

/* The walkable cell nearest to the middle of the picture, ring by ring. */
static fr_position middle_of_picture(const fr_screen *screen)
{
    const fr_snapshot *snapshot = fr_world_snapshot(screen->session->world);
    fr_cell middle = fr_grid_clamp_cell(snapshot->grid,
                                        fr_cell_at(fr_position_at(screen->ui.camera.x, screen->ui.camera.y)));
    int32_t reach =
        snapshot->grid.width > snapshot->grid.height ? snapshot->grid.width : snapshot->grid.height;
    for (int32_t ring = 0; ring <= reach; ring++) {
        for (int32_t y = middle.y - ring; y <= middle.y + ring; y++) {
            bool whole_row = y == middle.y - ring || y == middle.y + ring;
            for (int32_t x = middle.x - ring; x <= middle.x + ring;
                 x += whole_row || ring == 0 ? 1 : 2 * ring) {
                if (fr_cost_walkable(snapshot->cost, FR_CLASS_FOOT, (fr_cell){x, y})) {
                    return fr_cell_centre((fr_cell){x, y});
                }
            }
        }
    }
    return fr_cell_centre(middle);
}

fr_shown_field fr_screen_field(fr_screen *screen)
{
    fr_ui *ui = &screen->ui;
    const fr_snapshot *snapshot = fr_world_snapshot(screen->session->world);
    fr_shown_field shown = {.movement_class = FR_CLASS_FOOT};
    for (int32_t i = 0; i < ui->selection.capacity && ui->selection.count > 0; i++) {
        if (ui->selection.flags[i] != 0) {
            shown.movement_class = (fr_class)snapshot->movement_class[i];
            break;
        }
    }
    if ((ui->overlays & FR_OVERLAYS_OF_FIELD) == 0 || take_selected(screen, &shown)) {
        return shown;
    }
    if (!ui->has_probe) {
        uint32_t unit = last_ordered_unit(snapshot);
        if (unit != FR_NO_UNIT &&
            (take_unit_field(screen, unit, &shown) || take_unit_goals(screen, unit, &shown))) {
            shown.owner = FR_FIELD_OF_LAST_ORDER;
            return shown;
        }
        /* Nothing has a goal yet: one in the middle shows what the overlay is about. It stays where it is
         * while the camera moves on. */
        if (!screen->has_default_probe) {
            screen->default_probe = middle_of_picture(screen);
            screen->has_default_probe = true;
        }
    }
    shown.has_probe = true;
    shown.probe = ui->has_probe ? ui->probe : screen->default_probe;
    take_probe(screen, &shown.probe, 1, &shown);
    return shown;
}
