#include "app/orders.h"

#include <stdlib.h>

/* False if the order was not taken; the player has been told why. */
static bool submit(fr_ui *ui, const fr_input_scene *scene, const fr_command *command)
{
    if (ui->orders_off) {
        fr_ui_say(ui, scene->now_ns, "a replay takes no orders");
        return false;
    }
    if (scene->submit(scene->self, command) != FR_OK) {
        fr_ui_say(ui, scene->now_ns, "too many orders within one tick: the last was dropped");
        return false;
    }
    return true;
}

void fr_order_move(fr_ui *ui, const fr_input_scene *scene, fr_position place)
{
    const fr_snapshot *snapshot = scene->snapshot;
    place = fr_grid_clamp_position(snapshot->grid, place);
    if (ui->selection.count == 0) {
        if (!fr_cost_walkable(snapshot->cost, FR_CLASS_FOOT, fr_cell_at(place))) {
            fr_ui_say(ui, scene->now_ns, "a wall is no goal");
            return;
        }
        ui->has_probe = true;
        ui->probe = place;
        return;
    }
    fr_command command = {.kind = FR_COMMAND_MOVE,
                          .units = fr_selection_ids(&ui->selection),
                          .unit_count = ui->selection.count,
                          .goals = &place,
                          .goal_count = 1};
    if (!submit(ui, scene, &command)) {
        return;
    }
    ui->has_marker = true;
    ui->marker = place;
    ui->marker_ns = scene->now_ns;
    fr_class movement_class = (fr_class)snapshot->movement_class[command.units[0]];
    ui->marker_unreachable = !fr_cost_walkable(snapshot->cost, movement_class, fr_cell_at(place));
    if (ui->marker_unreachable) {
        fr_ui_say(ui, scene->now_ns, "no way there: going to the nearest place");
    }
}

void fr_order_follow(fr_ui *ui, const fr_input_scene *scene, uint32_t target)
{
    fr_command command = {.kind = FR_COMMAND_FOLLOW,
                          .units = fr_selection_ids(&ui->selection),
                          .unit_count = ui->selection.count,
                          .target = target};
    if (ui->selection.count > 0 && submit(ui, scene, &command)) {
        ui->has_marker = true;
        ui->marker = scene->snapshot->position[target];
        ui->marker_ns = scene->now_ns;
        ui->marker_unreachable = false;
    }
}

void fr_order_plain(fr_ui *ui, const fr_input_scene *scene, fr_command_kind kind)
{
    if (ui->selection.count == 0) {
        return;
    }
    fr_command command = {
        .kind = kind, .units = fr_selection_ids(&ui->selection), .unit_count = ui->selection.count};
    submit(ui, scene, &command);
}

static bool submit_walls(fr_ui *ui, const fr_input_scene *scene, fr_rect rect, bool put)
{
    fr_command command = {.kind = put ? FR_COMMAND_SET_COST : FR_COMMAND_RESTORE_COST,
                          .rect = rect,
                          .cost = put ? FR_COST_WALL : 0};
    return submit(ui, scene, &command);
}

static fr_rect rect_between(fr_cell a, fr_cell b)
{
    return (fr_rect){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, abs(a.x - b.x) + 1, abs(a.y - b.y) + 1};
}

void fr_order_walls(fr_ui *ui, const fr_input_scene *scene, fr_cell from, fr_cell to, bool put)
{
    /* Bresenham's line (1965), its cells joined to rows and columns: a quick stroke is a few commands, not
     * hundreds. */
    int32_t dx = abs(to.x - from.x), dy = -abs(to.y - from.y);
    int32_t step_x = from.x < to.x ? 1 : -1, step_y = from.y < to.y ? 1 : -1;
    int32_t error = dx + dy;
    fr_cell run_from = from, at = from;
    while (at.x != to.x || at.y != to.y) {
        fr_cell next = at;
        int32_t twice = 2 * error;
        if (twice >= dy) {
            error += dy;
            next.x += step_x;
        }
        if (twice <= dx) {
            error += dx;
            next.y += step_y;
        }
        if (next.x != run_from.x && next.y != run_from.y) {
            fr_rect run = rect_between(run_from, at);
            if (!submit_walls(ui, scene, run, put)) {
                return;
            }
            run_from = next;
        }
        at = next;
    }
    fr_rect run = rect_between(run_from, at);
    if (submit_walls(ui, scene, run, put) && ui->loop.paused) {
        fr_ui_say(ui, scene->now_ns, "paused: walls come with the next tick");
    }
}

void fr_order_movement(fr_ui *ui, const fr_input_scene *scene, int row)
{
    if (row < 0 || row > FR_MECHANISM_COUNT) {
        return;
    }
    fr_command command = {.kind = FR_COMMAND_SET_MOVEMENT, .mover = scene->mover, .without = scene->without};
    if (row == 0) {
        command.mover = scene->mover == FR_MOVER_FRESHET ? FR_MOVER_NAIVE : FR_MOVER_FRESHET;
    } else {
        command.without ^= FR_MECHANISMS[row - 1].bit;
    }
    if (!submit(ui, scene, &command)) {
        return;
    }
    if (row == 0) {
        fr_ui_say(ui, scene->now_ns, "units move by the %s mover", fr_mover_name(command.mover));
    } else {
        const fr_mechanism *mechanism = &FR_MECHANISMS[row - 1];
        fr_ui_say(ui, scene->now_ns, "%s %s: %s", mechanism->name,
                  (command.without & mechanism->bit) == 0 ? "on" : "off", mechanism->help);
    }
}
