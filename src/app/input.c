#include "app/input.h"

#include <math.h>

#include "app/hotkeys.h"
#include "app/input_keys.h"
#include "app/orders.h"

/* A press and release closer together than this is a click. Window coordinates. */
#define DEAD_ZONE 5.0f

/* A drag up to this long that drew an empty box was a shaky click after all. Window coordinates. */
#define SHAKY_CLICK 16.0f

/* A click may miss a unit's disc by this much. Window coordinates. */
#define CLICK_SLACK 4.0f

#define ZOOM_PER_NOTCH  1.2
#define SCROLL_PX_PER_S 900.0
#define TAP_SCROLL_S    (1.0 / 60.0) /* a tap of an arrow key scrolls at least this long */

fr_input fr_input_begin(void)
{
    return (fr_input){.tapped_group = -1};
}

fr_pick_scene fr_input_pick_scene(const fr_ui *ui, const fr_input_scene *scene)
{
    return (fr_pick_scene){.snapshot = scene->snapshot,
                           .alpha = scene->alpha,
                           .camera = ui->camera,
                           .width_px = scene->width_px,
                           .height_px = scene->height_px};
}

fr_position fr_input_world(const fr_input *input, const fr_ui *ui, const fr_input_scene *scene)
{
    double x, y;
    fr_camera_to_world(ui->camera, scene->width_px, scene->height_px, (double)input->mouse_x,
                       (double)input->mouse_y, &x, &y);
    /* Bounded before it turns into fixed point: far out, zoomed out, it would not fit. */
    x = fmin(fmax(x, -1.0), scene->snapshot->grid.width + 1.0);
    y = fmin(fmax(y, -1.0), scene->snapshot->grid.height + 1.0);
    return fr_grid_clamp_position(scene->snapshot->grid, fr_position_at(x, y));
}

fr_panel fr_input_panel(const fr_input *input, const fr_input_scene *scene)
{
    fr_panel_rect rects[8];
    int count = scene->panels(scene->self, rects, 8);
    for (int i = count - 1; i >= 0; i--) {
        const fr_panel_rect *rect = &rects[i];
        if (input->mouse_x >= (float)rect->x && input->mouse_x < (float)(rect->x + rect->width) &&
            input->mouse_y >= (float)rect->y && input->mouse_y < (float)(rect->y + rect->height)) {
            return rect->panel;
        }
    }
    return FR_PANEL_NONE;
}

static float distance(float x0, float y0, float x1, float y1)
{
    return sqrtf((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0));
}

static unsigned held_mods(const fr_input *input, const fr_input_event *event)
{
    unsigned mods = event->mods;
    for (int key = 0; key < 3; key++) { /* left and right key of each */
        mods |= (input->modifier_keys >> (2 * key) & 3u) != 0 ? 1u << key : 0;
    }
    return mods;
}

/* Remembers a modifier key; false if it is another key. Bits: left and right shift, ctrl, alt. */
static bool track_modifier(fr_input *input, const fr_input_event *event)
{
    static const SDL_Keycode KEYS[] = {SDLK_LSHIFT, SDLK_RSHIFT, SDLK_LCTRL,
                                       SDLK_RCTRL,  SDLK_LALT,   SDLK_RALT};
    for (unsigned i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++) {
        if (event->key == KEYS[i]) {
            input->modifier_keys &= ~(1u << i);
            input->modifier_keys |= event->kind == FR_INPUT_KEY_DOWN ? 1u << i : 0;
            return true;
        }
    }
    return false;
}

static void camera_to_minimap(const fr_input *input, fr_ui *ui, const fr_input_scene *scene)
{
    fr_position place = scene->minimap_position(scene->self, input->mouse_x, input->mouse_y);
    ui->camera.x = fr_cells(place.x);
    ui->camera.y = fr_cells(place.y);
    ui->camera = fr_camera_clamp(ui->camera, scene->snapshot->grid);
}

/* Selects units of one team, any if -1, and class if not FR_CLASS_COUNT, whose centres lie in the box. */
static void select_box(fr_ui *ui, const fr_pick_scene *scene, fr_box_px box, int team,
                       fr_class movement_class)
{
    for (int32_t i = 0; i < scene->snapshot->unit_count; i++) {
        if ((team < 0 || scene->snapshot->team[i] == team) &&
            (movement_class == FR_CLASS_COUNT || scene->snapshot->movement_class[i] == movement_class) &&
            fr_pick_in_box(scene, (uint32_t)i, box)) {
            fr_selection_set(&ui->selection, (uint32_t)i, true);
        }
    }
}

static void finish_click(const fr_input *input, fr_ui *ui, const fr_pick_scene *pick, float scale,
                         unsigned mods)
{
    double slack_px = (double)(CLICK_SLACK * scale);
    /* The player aimed at where the button went down, or corrected it until it went up. */
    uint32_t unit = fr_pick_unit(pick, (double)input->press_x, (double)input->press_y, slack_px);
    if (unit == FR_NO_UNIT) {
        unit = fr_pick_unit(pick, (double)input->mouse_x, (double)input->mouse_y, slack_px);
    }
    bool add = (mods & FR_MOD_SHIFT) != 0;
    if (!add) {
        fr_selection_clear(&ui->selection);
    }
    if (unit == FR_NO_UNIT) {
        return;
    }
    if (input->press_clicks >= 2 || (mods & FR_MOD_CTRL) != 0) {
        select_box(ui, pick, fr_pick_screen(pick), pick->snapshot->team[unit],
                   (fr_class)pick->snapshot->movement_class[unit]);
        return;
    }
    fr_selection_set(&ui->selection, unit, ui->selection.flags[unit] == 0);
}

static void finish_box(fr_input *input, fr_ui *ui, const fr_input_scene *scene, unsigned mods)
{
    fr_pick_scene pick = fr_input_pick_scene(ui, scene);
    fr_box_px box = {(double)input->press_x, (double)input->press_y, (double)input->mouse_x,
                     (double)input->mouse_y};
    float length = distance(input->press_x, input->press_y, input->mouse_x, input->mouse_y);
    bool is_box = input->left_dead_zone || length > DEAD_ZONE * scene->scale_x;
    int team = is_box ? fr_pick_team(&pick, box) : -1;
    if (!is_box || (team < 0 && length <= SHAKY_CLICK * scene->scale_x)) {
        finish_click(input, ui, &pick, scene->scale_x, mods);
        return;
    }
    if ((mods & FR_MOD_SHIFT) == 0) {
        fr_selection_clear(&ui->selection);
    }
    if (team >= 0) {
        select_box(ui, &pick, box, (mods & FR_MOD_ALT) != 0 ? -1 : team, FR_CLASS_COUNT);
    }
}

/* To a place, or after the unit that is shown there, unless it is one of the selected. */
static void order_at_mouse(const fr_input *input, fr_ui *ui, const fr_input_scene *scene)
{
    fr_pick_scene pick = fr_input_pick_scene(ui, scene);
    uint32_t unit = fr_pick_unit(&pick, (double)input->mouse_x, (double)input->mouse_y, 0.0);
    if (unit != FR_NO_UNIT && ui->selection.count > 0 && ui->selection.flags[unit] == 0) {
        fr_order_follow(ui, scene, unit);
    } else {
        fr_order_move(ui, scene, fr_input_world(input, ui, scene));
    }
}

static void press(fr_input *input, fr_ui *ui, const fr_input_scene *scene, const fr_input_event *event)
{
    fr_panel panel = fr_input_panel(input, scene);
    if (event->button == FR_BUTTON_RIGHT) {
        if (panel == FR_PANEL_MINIMAP) {
            fr_order_move(ui, scene, scene->minimap_position(scene->self, input->mouse_x, input->mouse_y));
        } else if (panel == FR_PANEL_NONE) {
            order_at_mouse(input, ui, scene);
            input->aims = ui->selection.count > 0;
            input->aim_x = input->mouse_x;
            input->aim_y = input->mouse_y;
        }
        return;
    }
    if (input->drag != FR_DRAG_NONE) {
        return; /* one drag at a time */
    }
    input->press_x = input->mouse_x;
    input->press_y = input->mouse_y;
    input->press_clicks = event->clicks;
    input->left_dead_zone = false;
    if (panel == FR_PANEL_MINIMAP && event->button == FR_BUTTON_LEFT) {
        input->drag = FR_DRAG_MINIMAP;
        camera_to_minimap(input, ui, scene);
    } else if (panel != FR_PANEL_NONE) {
        input->drag = FR_DRAG_PANEL;
        if (panel == FR_PANEL_MOVEMENT && event->button == FR_BUTTON_LEFT) {
            fr_order_movement(ui, scene, scene->movement_row(scene->self, input->mouse_x, input->mouse_y));
        } else if (panel == FR_PANEL_HELP && event->button == FR_BUTTON_LEFT) {
            fr_input_turn_help(ui, scene);
        }
    } else {
        input->drag = event->button == FR_BUTTON_LEFT ? FR_DRAG_BOX : FR_DRAG_PAN;
    }
}

/* The button went down in one place and up in another: the second is meant. */
static void finish_aim(fr_input *input, fr_ui *ui, const fr_input_scene *scene)
{
    bool has_moved =
        distance(input->aim_x, input->aim_y, input->mouse_x, input->mouse_y) > DEAD_ZONE * scene->scale_x;
    if (input->aims && has_moved && fr_input_panel(input, scene) == FR_PANEL_NONE) {
        order_at_mouse(input, ui, scene);
    }
    input->aims = false;
}

static void release(fr_input *input, fr_ui *ui, const fr_input_scene *scene, const fr_input_event *event)
{
    if (event->button == FR_BUTTON_RIGHT) {
        finish_aim(input, ui, scene);
        return;
    }
    bool ends_pan = input->drag == FR_DRAG_PAN && event->button == FR_BUTTON_MIDDLE;
    bool ends_panel = input->drag == FR_DRAG_PANEL && event->button != FR_BUTTON_RIGHT;
    bool ends_left =
        (input->drag == FR_DRAG_BOX || input->drag == FR_DRAG_MINIMAP) && event->button == FR_BUTTON_LEFT;
    if (ends_left && input->drag == FR_DRAG_BOX) {
        finish_box(input, ui, scene, held_mods(input, event));
    }
    if (ends_pan || ends_panel || ends_left) {
        input->drag = FR_DRAG_NONE;
    }
}

static void move_mouse(fr_input *input, fr_ui *ui, const fr_input_scene *scene, float x, float y)
{
    float dx = x - input->mouse_x, dy = y - input->mouse_y;
    input->mouse_x = x;
    input->mouse_y = y;
    switch (input->drag) {
    case FR_DRAG_BOX:
        if (distance(input->press_x, input->press_y, x, y) > DEAD_ZONE * scene->scale_x) {
            input->left_dead_zone = true;
        }
        break;
    case FR_DRAG_PAN:
        ui->camera.x -= (double)dx / ui->camera.zoom;
        ui->camera.y -= (double)dy / ui->camera.zoom;
        ui->camera = fr_camera_clamp(ui->camera, scene->snapshot->grid);
        break;
    case FR_DRAG_MINIMAP:
        camera_to_minimap(input, ui, scene);
        break;
    case FR_DRAG_NONE:
    case FR_DRAG_PANEL:
        break;
    }
    fr_input_brush(input, ui, scene);
}

static void turn_wheel(fr_input *input, fr_ui *ui, const fr_input_scene *scene, float notches)
{
    fr_panel panel = fr_input_panel(input, scene);
    if (panel != FR_PANEL_NONE) {
        return;
    }
    ui->camera = fr_camera_zoom_at(ui->camera, scene->width_px, scene->height_px, (double)input->mouse_x,
                                   (double)input->mouse_y, pow(ZOOM_PER_NOTCH, (double)notches));
    ui->camera = fr_camera_clamp(ui->camera, scene->snapshot->grid);
}

/* Keys and buttons let go while another window has the focus are never reported. */
static void let_go(fr_input *input)
{
    input->modifier_keys = 0;
    input->scroll_held = 0;
    input->wall_brush = 0;
    input->drag = FR_DRAG_NONE;
    input->aims = false;
}

void fr_input_handle(fr_input *input, fr_ui *ui, const fr_input_scene *scene, const fr_input_event *event)
{
    bool is_mouse = event->kind == FR_INPUT_MOTION || event->kind == FR_INPUT_DOWN ||
                    event->kind == FR_INPUT_UP || event->kind == FR_INPUT_WHEEL;
    if (is_mouse && event->has_place) {
        move_mouse(input, ui, scene, event->x * scene->scale_x, event->y * scene->scale_y);
    }
    switch (event->kind) {
    case FR_INPUT_DOWN:
        press(input, ui, scene, event);
        break;
    case FR_INPUT_UP:
        release(input, ui, scene, event);
        break;
    case FR_INPUT_WHEEL:
        turn_wheel(input, ui, scene, event->wheel);
        break;
    case FR_INPUT_KEY_DOWN:
        if (!track_modifier(input, event)) {
            fr_hotkey hotkey = fr_hotkey_for_key(event->key, event->scancode, held_mods(input, event));
            input->key_was_hotkey = hotkey.action != FR_ACTION_NONE;
            fr_input_key_down(input, ui, scene, hotkey, event->repeat);
        }
        break;
    case FR_INPUT_KEY_UP:
        if (!track_modifier(input, event)) {
            fr_input_key_up(input, fr_hotkey_for_key(event->key, event->scancode, 0));
        }
        break;
    case FR_INPUT_TEXT:
        if (!input->key_was_hotkey) {
            fr_input_key_down(input, ui, scene, fr_hotkey_for_text(event->text), false);
        }
        break;
    case FR_INPUT_DROP:
        fr_ui_say(ui, scene->now_ns, "maps are opened from the command line: freshet MAP");
        break;
    case FR_INPUT_FOCUS_LOST:
        let_go(input);
        break;
    case FR_INPUT_QUIT:
        ui->quit = true;
        break;
    default:
        break;
    }
}

void fr_input_frame(fr_input *input, fr_ui *ui, const fr_input_scene *scene, double seconds)
{
    for (int direction = 0; direction < FR_DIR_COUNT; direction++) {
        bool held = (input->scroll_held >> direction & 1u) != 0;
        bool tapped = (input->scroll_tapped >> direction & 1u) != 0;
        if (!held && !tapped) {
            continue;
        }
        double time_s = tapped && seconds < TAP_SCROLL_S ? TAP_SCROLL_S : seconds;
        double cells = SCROLL_PX_PER_S * (double)scene->scale_x * time_s / ui->camera.zoom;
        ui->camera.x += FR_STEPS[direction].dx * cells;
        ui->camera.y += FR_STEPS[direction].dy * cells;
    }
    if (input->scroll_held != 0 || input->scroll_tapped != 0) {
        ui->camera = fr_camera_clamp(ui->camera, scene->snapshot->grid);
        fr_input_brush(input, ui, scene);
    }
    input->scroll_tapped = 0;
}

bool fr_input_busy(const fr_input *input)
{
    return input->scroll_held != 0 || input->scroll_tapped != 0;
}

bool fr_input_aim(const fr_input *input, const fr_ui *ui, const fr_input_scene *scene, fr_position *place)
{
    if (!input->aims || ui->selection.count == 0 || fr_input_panel(input, scene) != FR_PANEL_NONE) {
        return false;
    }
    *place = fr_input_world(input, ui, scene);
    return true;
}

bool fr_input_box(const fr_input *input, float box_px[4])
{
    if (input->drag != FR_DRAG_BOX || !input->left_dead_zone) {
        return false;
    }
    box_px[0] = input->press_x;
    box_px[1] = input->press_y;
    box_px[2] = input->mouse_x;
    box_px[3] = input->mouse_y;
    return true;
}
