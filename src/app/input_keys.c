#include "app/input_keys.h"

#include "app/orders.h"

/* Longest pause between the two taps of a double tap, in real time whatever the speed of the game. */
#define DOUBLE_TAP_NS 350000000u

/* Every unit of the team, wherever it is; -1: of all teams. */
static void select_team(fr_ui *ui, const fr_snapshot *snapshot, int team)
{
    fr_selection_clear(&ui->selection);
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        if (snapshot->state[i] != FR_UNIT_GONE && (team < 0 || snapshot->team[i] == team)) {
            fr_selection_set(&ui->selection, (uint32_t)i, true);
        }
    }
}

/* The team with most units among the selected, else on the screen, else at all; -1 if there are none. */
static int foremost_team(const fr_ui *ui, const fr_input_scene *scene)
{
    const fr_snapshot *snapshot = scene->snapshot;
    if (ui->selection.count == 0) {
        fr_pick_scene pick = fr_input_pick_scene(ui, scene);
        int team = fr_pick_team(&pick, fr_pick_screen(&pick));
        if (team >= 0) {
            return team;
        }
    }
    int32_t counts[FR_TEAMS_MAX] = {0};
    int best = -1;
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        bool counted =
            ui->selection.count > 0 ? ui->selection.flags[i] != 0 : snapshot->state[i] != FR_UNIT_GONE;
        counts[snapshot->team[i]] += counted;
    }
    for (int team = 0; team < FR_TEAMS_MAX; team++) {
        if (counts[team] > 0 && (best < 0 || counts[team] > counts[best])) {
            best = team;
        }
    }
    return best;
}

static void select_all(fr_ui *ui, const fr_input_scene *scene)
{
    int team = foremost_team(ui, scene);
    int32_t size = 0;
    for (int32_t i = 0; i < scene->snapshot->unit_count; i++) {
        size += scene->snapshot->team[i] == team && scene->snapshot->state[i] != FR_UNIT_GONE;
    }
    bool have_team = ui->selection.count >= size;
    select_team(ui, scene->snapshot, have_team ? -1 : team);
}

static void centre_on_selection(fr_ui *ui, const fr_input_scene *scene)
{
    if (fr_selection_centre(&ui->selection, scene->snapshot, &ui->camera.x, &ui->camera.y)) {
        ui->camera = fr_camera_clamp(ui->camera, scene->snapshot->grid);
    }
}

static void recall_group(fr_input *input, fr_ui *ui, const fr_input_scene *scene, int group)
{
    bool twice = input->tapped_group == group && scene->now_ns - input->tapped_ns <= DOUBLE_TAP_NS;
    fr_selection_recall(&ui->selection, scene->snapshot, group);
    if (twice) {
        centre_on_selection(ui, scene);
    }
    input->tapped_group = twice ? -1 : group;
    input->tapped_ns = scene->now_ns;
}

static void cancel(fr_input *input, fr_ui *ui)
{
    if (input->drag == FR_DRAG_BOX) {
        input->drag = FR_DRAG_NONE; /* the release of the button then ends nothing */
    } else if (ui->help_page > 0) {
        ui->help_page = 0;
    } else if (ui->movement_open) {
        ui->movement_open = false;
    } else if (ui->selection.count > 0) {
        fr_selection_clear(&ui->selection);
    } else {
        ui->has_probe = false;
    }
}

void fr_input_turn_help(fr_ui *ui, const fr_input_scene *scene)
{
    bool is_last = ui->help_page > 0 && ui->help_page >= scene->help_pages(scene->self);
    ui->help_page = is_last ? 0 : ui->help_page + 1;
}

static void take_brush(fr_input *input, fr_ui *ui, const fr_input_scene *scene, int brush)
{
    input->wall_brush = brush;
    input->brush_cell = fr_cell_at(fr_input_world(input, ui, scene));
    if (fr_input_panel(input, scene) == FR_PANEL_NONE) {
        fr_order_walls(ui, scene, input->brush_cell, input->brush_cell, brush > 0);
    }
}

void fr_input_brush(fr_input *input, fr_ui *ui, const fr_input_scene *scene)
{
    if (input->wall_brush == 0 || fr_input_panel(input, scene) != FR_PANEL_NONE) {
        return;
    }
    fr_cell cell = fr_cell_at(fr_input_world(input, ui, scene));
    if (cell.x != input->brush_cell.x || cell.y != input->brush_cell.y) {
        fr_order_walls(ui, scene, input->brush_cell, cell, input->wall_brush > 0);
        input->brush_cell = cell;
    }
}

static void move_wave(fr_ui *ui, const fr_input_scene *scene, int way)
{
    int wave = ui->wave + way;
    ui->wave = wave < 0 ? 0 : wave > FR_WAVE_STEPS ? FR_WAVE_STEPS : wave;
    fr_ui_say(ui, scene->now_ns, "wavefront at %d %%", 100 * ui->wave / FR_WAVE_STEPS);
}

void fr_input_key_down(fr_input *input, fr_ui *ui, const fr_input_scene *scene, fr_hotkey hotkey, bool repeat)
{
    if (repeat && !hotkey.repeats) {
        return;
    }
    switch (hotkey.action) {
    case FR_ACTION_NONE:
        break;
    case FR_ACTION_OVERLAY:
        ui->overlays ^= 1u << hotkey.argument;
        break;
    case FR_ACTION_WAVE:
        move_wave(ui, scene, hotkey.argument);
        break;
    case FR_ACTION_HELP:
        fr_input_turn_help(ui, scene);
        break;
    case FR_ACTION_MOVEMENT:
        ui->movement_open = !ui->movement_open;
        break;
    case FR_ACTION_FULLSCREEN:
        ui->toggle_fullscreen = !ui->toggle_fullscreen;
        break;
    case FR_ACTION_SCREENSHOT:
        ui->screenshot = true;
        break;
    case FR_ACTION_PAUSE:
        ui->loop.paused = !ui->loop.paused;
        break;
    case FR_ACTION_STEP:
        fr_loop_step(&ui->loop);
        break;
    case FR_ACTION_SPEED:
        fr_loop_change_speed(&ui->loop, hotkey.argument);
        break;
    case FR_ACTION_STOP:
        fr_order_plain(ui, scene, FR_COMMAND_STOP);
        break;
    case FR_ACTION_HOLD:
        fr_order_plain(ui, scene, FR_COMMAND_HOLD);
        break;
    case FR_ACTION_WALL_PUT:
        take_brush(input, ui, scene, 1);
        break;
    case FR_ACTION_WALL_TAKE:
        take_brush(input, ui, scene, -1);
        break;
    case FR_ACTION_SCROLL:
        input->scroll_held |= 1u << hotkey.argument;
        input->scroll_tapped |= 1u << hotkey.argument;
        break;
    case FR_ACTION_ZOOM_RESET:
        ui->camera.zoom = ui->home_zoom;
        break;
    case FR_ACTION_CENTRE:
        centre_on_selection(ui, scene);
        break;
    case FR_ACTION_SELECT_ALL:
        select_all(ui, scene);
        break;
    case FR_ACTION_CANCEL:
        cancel(input, ui);
        break;
    case FR_ACTION_GROUP_RECALL:
        if (ui->movement_open) {
            fr_order_movement(ui, scene, hotkey.argument);
            break;
        }
        recall_group(input, ui, scene, hotkey.argument);
        break;
    case FR_ACTION_GROUP_SET:
        fr_selection_store(&ui->selection, hotkey.argument, false);
        break;
    case FR_ACTION_GROUP_ADD:
        fr_selection_store(&ui->selection, hotkey.argument, true);
        break;
    }
}

void fr_input_key_up(fr_input *input, fr_hotkey hotkey)
{
    if (hotkey.action == FR_ACTION_SCROLL) {
        input->scroll_held &= ~(1u << hotkey.argument);
    } else if ((hotkey.action == FR_ACTION_WALL_PUT && input->wall_brush > 0) ||
               (hotkey.action == FR_ACTION_WALL_TAKE && input->wall_brush < 0)) {
        input->wall_brush = 0;
    }
}
