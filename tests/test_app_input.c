/* test_app_input: events in, selection, camera and commands out. The scene is a hand-made snapshot on a
 * screen of 1000x500 pixels, 10 a cell, with the camera on (50, 25): cell (x, y) begins at pixel (10 x, 10
 * y). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "app/hotkeys.h"
#include "app/input.h"
#include "base/memory.h"

enum { UNITS = 8, COMMANDS = 64 };

typedef struct fixture {
    fr_map *map;
    fr_cost *cost;
    fr_snapshot snapshot;
    fr_position position[UNITS];
    float radius[UNITS];
    uint8_t team[UNITS], movement_class[UNITS], state[UNITS];
    fr_input input;
    fr_ui ui;
    fr_input_scene scene;
    fr_command commands[COMMANDS];
    fr_position goals[COMMANDS];
    uint32_t units[COMMANDS][UNITS];
    int command_count;
    fr_status answer;
} fixture;

/* A minimap of 100x50 pixels in the lower right corner, one pixel a cell, and a HUD of 200x100 in the upper
 * left. */
static int panels(void *self, fr_panel_rect *out, int capacity)
{
    (void)self;
    assert_true(capacity >= 2);
    out[0] = (fr_panel_rect){FR_PANEL_HUD, 0, 0, 200, 100};
    out[1] = (fr_panel_rect){FR_PANEL_MINIMAP, 900, 450, 100, 50};
    return 2;
}

static fr_position minimap_position(void *self, float x_px, float y_px)
{
    (void)self;
    return fr_position_at((double)x_px - 900.0, (double)y_px - 450.0);
}

static int help_pages(void *self)
{
    (void)self;
    return 2;
}

static int panels_with_help(void *self, fr_panel_rect *out, int capacity)
{
    int count = panels(self, out, capacity);
    out[0].panel = FR_PANEL_HELP;
    return count;
}

static int movement_row(void *self, float x_px, float y_px)
{
    (void)self;
    (void)x_px;
    return y_px < 30.0f ? -1 : (int)(y_px - 30.0f) / 10;
}

static fr_status submit(void *self, const fr_command *command)
{
    fixture *f = self;
    if (f->answer != FR_OK) {
        return f->answer;
    }
    assert_true(f->command_count < COMMANDS);
    int at = f->command_count++;
    f->commands[at] = *command;
    if (command->goal_count > 0) {
        f->goals[at] = command->goals[0];
    }
    if (command->unit_count > 0) {
        memcpy(f->units[at], command->units, sizeof(uint32_t) * (size_t)command->unit_count);
    }
    return FR_OK;
}

/* Units 0..3 of team 0 in a row at y = 20.5; 4..6 of team 1 at y = 30.5, of which 6 is on wheels; 7 is gone.
 */
static int setup(void **state)
{
    fixture *f = fr_alloc(1, sizeof *f);
    static const double PLACES[UNITS][2] = {{30.5, 20.5}, {32.5, 20.5}, {34.5, 20.5}, {36.5, 20.5},
                                            {30.5, 30.5}, {32.5, 30.5}, {34.5, 30.5}, {31.5, 20.5}};
    f->map = fr_map_create("test", (fr_grid){100, 50});
    f->map->costs[FR_CLASS_FOOT][10 * 100 + 60] = FR_COST_WALL;
    f->cost = fr_cost_create(f->map);
    for (int i = 0; i < UNITS; i++) {
        f->position[i] = fr_position_at(PLACES[i][0], PLACES[i][1]);
        f->radius[i] = 0.4f;
        f->team[i] = i >= 4 && i < 7;
        f->state[i] = i == 7 ? FR_UNIT_GONE : FR_UNIT_IDLE;
        f->movement_class[i] = i == 6 ? FR_CLASS_WHEELS : FR_CLASS_FOOT;
    }
    f->snapshot = (fr_snapshot){.grid = {100, 50},
                                .unit_count = UNITS,
                                .position = f->position,
                                .previous = f->position,
                                .radius = f->radius,
                                .team = f->team,
                                .movement_class = f->movement_class,
                                .state = f->state,
                                .cost = f->cost};
    f->input = fr_input_begin();
    f->ui = (fr_ui){.loop = fr_loop_begin(), .camera = {50, 25, 10}, .home_zoom = 10};
    fr_selection_init(&f->ui.selection, UNITS);
    f->scene = (fr_input_scene){.snapshot = &f->snapshot,
                                .width_px = 1000,
                                .height_px = 500,
                                .scale_x = 1,
                                .scale_y = 1,
                                .now_ns = 1000000000,
                                .self = f,
                                .panels = panels,
                                .minimap_position = minimap_position,
                                .movement_row = movement_row,
                                .help_pages = help_pages,
                                .submit = submit};
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    fr_selection_fini(&f->ui.selection);
    fr_cost_destroy(f->cost);
    fr_map_destroy(f->map);
    fr_free(f);
    return 0;
}

static void handle(fixture *f, fr_input_event event)
{
    fr_input_handle(&f->input, &f->ui, &f->scene, &event);
}

static void mouse(fixture *f, fr_input_kind kind, fr_button button, float x, float y, unsigned mods)
{
    handle(f,
           (fr_input_event){
               .kind = kind, .has_place = true, .x = x, .y = y, .button = button, .clicks = 1, .mods = mods});
}

static void drag(fixture *f, float x0, float y0, float x1, float y1, unsigned mods)
{
    mouse(f, FR_INPUT_DOWN, FR_BUTTON_LEFT, x0, y0, mods);
    mouse(f, FR_INPUT_MOTION, FR_BUTTON_LEFT, (x0 + x1) / 2, (y0 + y1) / 2, mods);
    mouse(f, FR_INPUT_UP, FR_BUTTON_LEFT, x1, y1, mods);
}

static void click(fixture *f, fr_button button, float x, float y, unsigned mods)
{
    mouse(f, FR_INPUT_DOWN, button, x, y, mods);
    mouse(f, FR_INPUT_UP, button, x, y, mods);
}

static void key(fixture *f, fr_input_kind kind, SDL_Keycode code, unsigned mods)
{
    SDL_Scancode scancode = code >= SDLK_1 && code <= SDLK_9 ? (SDL_Scancode)(SDL_SCANCODE_1 + code - SDLK_1)
                            : code == SDLK_0                 ? SDL_SCANCODE_0
                                                             : SDL_SCANCODE_UNKNOWN;
    handle(f, (fr_input_event){.kind = kind, .key = code, .scancode = scancode, .mods = mods});
}

static void tap(fixture *f, SDL_Keycode code, unsigned mods)
{
    key(f, FR_INPUT_KEY_DOWN, code, mods);
    key(f, FR_INPUT_KEY_UP, code, mods);
}

/* Selected units as digits, e.g. "013". */
static void expect_selected(const fixture *f, const char *expected)
{
    char got[UNITS + 1];
    int length = 0;
    for (int i = 0; i < UNITS; i++) {
        if (f->ui.selection.flags[i] != 0) {
            got[length++] = (char)('0' + i);
        }
    }
    got[length] = '\0';
    assert_string_equal(got, expected);
    assert_int_equal(f->ui.selection.count, length);
}

static void test_click_selects(void **state)
{
    fixture *f = *state;
    click(f, FR_BUTTON_LEFT, 305, 205, 0);
    expect_selected(f, "0");
    click(f, FR_BUTTON_LEFT, 325 + 7, 205, 0); /* beside the disc of 4 px, within the slack */
    expect_selected(f, "1");
    click(f, FR_BUTTON_LEFT, 315, 205, 0); /* unit 7 is gone; nobody else is near enough */
    expect_selected(f, "");
    click(f, FR_BUTTON_LEFT, 345, 205, 0);
    click(f, FR_BUTTON_LEFT, 365, 205, FR_MOD_SHIFT);
    expect_selected(f, "23");
    click(f, FR_BUTTON_LEFT, 345, 205, FR_MOD_SHIFT);
    expect_selected(f, "3");
    click(f, FR_BUTTON_LEFT, 700, 400, FR_MOD_SHIFT); /* an empty click with Shift keeps */
    expect_selected(f, "3");
    click(f, FR_BUTTON_LEFT, 700, 400, 0);
    expect_selected(f, "");
    f->ui.camera.zoom = 2; /* four pixels from unit to unit: the nearest of several in reach */
    click(f, FR_BUTTON_LEFT, 462, 241, 0);
    expect_selected(f, "0");
    click(f, FR_BUTTON_LEFT, 468, 241, 0);
    expect_selected(f, "2");
}

static void test_shaky_clicks(void **state)
{
    fixture *f = *state;
    drag(f, 305, 205, 308, 207, 0); /* within the dead zone */
    expect_selected(f, "0");
    drag(f, 303, 203, 306, 206, FR_MOD_SHIFT); /* round its centre, and still no box: takes it away */
    expect_selected(f, "");
    drag(f, 328, 208, 336, 214, 0); /* a tiny empty box pulled off the unit: hit where pressed */
    expect_selected(f, "1");
    drag(f, 352, 212, 348, 206, 0); /* corrected onto the unit */
    expect_selected(f, "2");
    drag(f, 310, 210, 340, 240, 0); /* empty and no click */
    expect_selected(f, "");
    /* Down and up in one frame, without a motion between. */
    mouse(f, FR_INPUT_DOWN, FR_BUTTON_LEFT, 290, 190, 0);
    mouse(f, FR_INPUT_UP, FR_BUTTON_LEFT, 330, 220, 0);
    expect_selected(f, "01");
}

static void test_boxes(void **state)
{
    fixture *f = *state;
    drag(f, 300, 200, 350, 210, 0);
    expect_selected(f, "012");
    drag(f, 370, 210, 360, 200, FR_MOD_SHIFT); /* corners the other way round; adds */
    expect_selected(f, "0123");
    drag(f, 290, 190, 350, 310, 0); /* three of each: the lower team */
    expect_selected(f, "012");
    drag(f, 290, 190, 330, 310, 0);
    expect_selected(f, "01");
    drag(f, 310, 190, 350, 310, FR_MOD_ALT);
    expect_selected(f, "1256");
    /* Modifier keys that went down earlier count too. */
    key(f, FR_INPUT_KEY_DOWN, SDLK_LSHIFT, 0);
    drag(f, 300, 200, 310, 210, 0);
    expect_selected(f, "01256");
    key(f, FR_INPUT_KEY_UP, SDLK_LSHIFT, 0);
    drag(f, 300, 300, 330, 310, 0);
    expect_selected(f, "45");

    float box[4];
    mouse(f, FR_INPUT_DOWN, FR_BUTTON_LEFT, 500, 300, 0);
    assert_false(fr_input_box(&f->input, box));
    mouse(f, FR_INPUT_MOTION, FR_BUTTON_LEFT, 520, 320, 0);
    assert_true(fr_input_box(&f->input, box));
    assert_true(box[0] == 500.0f && box[3] == 320.0f);
    tap(f, SDLK_ESCAPE, 0); /* gives the box up, keeps the selection */
    assert_false(fr_input_box(&f->input, box));
    mouse(f, FR_INPUT_UP, FR_BUTTON_LEFT, 300, 200, 0);
    expect_selected(f, "45");
}

static void test_kinds_and_all(void **state)
{
    fixture *f = *state;
    click(f, FR_BUTTON_LEFT, 305, 305, FR_MOD_CTRL); /* its team and class, on the screen */
    expect_selected(f, "45");
    handle(f, (fr_input_event){.kind = FR_INPUT_DOWN, .has_place = true, .x = 345, .y = 205, .clicks = 2});
    handle(f, (fr_input_event){.kind = FR_INPUT_UP, .has_place = true, .x = 345, .y = 205, .clicks = 2});
    expect_selected(f, "0123");
    tap(f, SDLK_ESCAPE, 0);
    tap(f, SDLK_a, FR_MOD_CTRL); /* most on the screen are of team 0 */
    expect_selected(f, "0123");
    tap(f, SDLK_a, FR_MOD_CTRL);
    expect_selected(f, "0123456");
    click(f, FR_BUTTON_LEFT, 305, 305, 0);
    tap(f, SDLK_a, FR_MOD_CTRL); /* the team of the selected */
    expect_selected(f, "456");
}

static void test_orders(void **state)
{
    fixture *f = *state;
    drag(f, 300, 200, 330, 210, 0);
    click(f, FR_BUTTON_RIGHT, 705, 255, 0);
    assert_int_equal(f->command_count, 1);
    assert_int_equal(f->commands[0].kind, FR_COMMAND_MOVE);
    assert_int_equal(f->commands[0].unit_count, 2);
    assert_int_equal(f->units[0][1], 1);
    assert_true(fr_cells(f->goals[0].x) == 70.5 && fr_cells(f->goals[0].y) == 25.5);
    assert_true(f->ui.has_marker && !f->ui.marker_unreachable && !f->ui.has_probe);
    assert_true(fr_ui_marker_shown(&f->ui, f->scene.now_ns) && !fr_ui_message(&f->ui, f->scene.now_ns));

    click(f, FR_BUTTON_RIGHT, 605, 105, 0); /* on the wall: taken, with a word */
    assert_int_equal(f->command_count, 2);
    assert_true(f->ui.marker_unreachable);
    assert_non_null(strstr(fr_ui_message(&f->ui, f->scene.now_ns), "no way there"));
    assert_null(fr_ui_message(&f->ui, f->scene.now_ns + FR_MESSAGE_NS));

    click(f, FR_BUTTON_RIGHT, 950, 460, 0); /* on the minimap */
    assert_true(fr_cells(f->goals[2].x) == 50.0 && fr_cells(f->goals[2].y) == 10.0);
    click(f, FR_BUTTON_RIGHT, 100, 50, 0); /* on the HUD */
    assert_int_equal(f->command_count, 3);

    tap(f, SDLK_s, 0);
    tap(f, SDLK_h, 0);
    assert_int_equal(f->commands[3].kind, FR_COMMAND_STOP);
    assert_int_equal(f->commands[4].kind, FR_COMMAND_HOLD);
    assert_int_equal(f->commands[4].unit_count, 2);

    f->ui.camera.zoom = 0.5; /* far outside the map: clamped */
    click(f, FR_BUTTON_RIGHT, 5, 490, 0);
    assert_true(fr_cells(f->goals[5].x) == 0.0);

    f->answer = FR_LIMIT;
    click(f, FR_BUTTON_RIGHT, 705, 255, 0);
    assert_non_null(strstr(fr_ui_message(&f->ui, f->scene.now_ns), "too many orders"));
    f->answer = FR_OK;
    f->ui.orders_off = true;
    click(f, FR_BUTTON_RIGHT, 705, 255, 0);
    assert_non_null(strstr(fr_ui_message(&f->ui, f->scene.now_ns), "replay"));
    assert_int_equal(f->command_count, 6);
}

/* The right button held: the way is shown, and where it is let go counts. */
static void test_aiming(void **state)
{
    fixture *f = *state;
    fr_position place;
    mouse(f, FR_INPUT_DOWN, FR_BUTTON_RIGHT, 705, 255, 0); /* nobody selected: a probe, no way to show */
    assert_false(fr_input_aim(&f->input, &f->ui, &f->scene, &place));
    mouse(f, FR_INPUT_UP, FR_BUTTON_RIGHT, 805, 255, 0);
    assert_int_equal(f->command_count, 0);

    drag(f, 300, 200, 330, 210, 0);
    mouse(f, FR_INPUT_DOWN, FR_BUTTON_RIGHT, 705, 255, 0);
    assert_int_equal(f->command_count, 1); /* they set out at once */
    assert_true(fr_input_aim(&f->input, &f->ui, &f->scene, &place));
    assert_true(fr_cells(place.x) == 70.5 && fr_cells(place.y) == 25.5);
    mouse(f, FR_INPUT_UP, FR_BUTTON_RIGHT, 707, 256, 0); /* a shaky click is one order */
    assert_int_equal(f->command_count, 1);
    assert_false(fr_input_aim(&f->input, &f->ui, &f->scene, &place));

    mouse(f, FR_INPUT_DOWN, FR_BUTTON_RIGHT, 705, 255, 0);
    mouse(f, FR_INPUT_MOTION, FR_BUTTON_LEFT, 505, 355, 0);
    assert_true(fr_input_aim(&f->input, &f->ui, &f->scene, &place));
    assert_true(fr_cells(place.x) == 50.5 && fr_cells(place.y) == 35.5);
    mouse(f, FR_INPUT_MOTION, FR_BUTTON_LEFT, 100, 50, 0); /* over the HUD there is no place */
    assert_false(fr_input_aim(&f->input, &f->ui, &f->scene, &place));
    mouse(f, FR_INPUT_UP, FR_BUTTON_RIGHT, 505, 355, 0);
    assert_int_equal(f->command_count, 3);
    assert_true(fr_cells(f->goals[2].x) == 50.5 && fr_cells(f->goals[2].y) == 35.5);

    mouse(f, FR_INPUT_DOWN, FR_BUTTON_RIGHT, 705, 255, 0);
    mouse(f, FR_INPUT_UP, FR_BUTTON_RIGHT, 100, 50, 0); /* let go over the HUD: the first order stands */
    assert_int_equal(f->command_count, 4);
    mouse(f, FR_INPUT_DOWN, FR_BUTTON_RIGHT, 705, 255, 0);
    mouse(f, FR_INPUT_UP, FR_BUTTON_RIGHT, 305, 305, 0); /* on a unit: after it */
    assert_int_equal(f->command_count, 6);
    assert_int_equal(f->commands[5].kind, FR_COMMAND_FOLLOW);
    mouse(f, FR_INPUT_DOWN, FR_BUTTON_RIGHT, 705, 255, 0);
    handle(f, (fr_input_event){.kind = FR_INPUT_FOCUS_LOST});
    assert_false(fr_input_aim(&f->input, &f->ui, &f->scene, &place));
}

static void test_probe(void **state)
{
    fixture *f = *state;
    tap(f, SDLK_s, 0);
    click(f, FR_BUTTON_RIGHT, 705, 255, 0);
    assert_int_equal(f->command_count, 0);
    assert_true(f->ui.has_probe && !f->ui.has_marker);
    assert_true(fr_cells(f->ui.probe.x) == 70.5);
    click(f, FR_BUTTON_RIGHT, 605, 105, 0); /* on the wall: refused, with a word */
    assert_true(f->ui.has_probe && fr_cells(f->ui.probe.x) == 70.5);
    assert_non_null(strstr(fr_ui_message(&f->ui, f->scene.now_ns), "a wall is no goal"));
    tap(f, SDLK_ESCAPE, 0);
    assert_false(f->ui.has_probe);
    click(f, FR_BUTTON_RIGHT, 605, 105, 0);
    assert_false(f->ui.has_probe);
}

/* A small window shows the help in pages: the key, and a click on it, go on and close it after the last. */
static void test_help_pages(void **state)
{
    fixture *f = *state;
    static const int pages[] = {1, 2, 0, 1};
    for (int i = 0; i < 4; i++) {
        tap(f, SDLK_F10, 0);
        assert_int_equal(f->ui.help_page, pages[i]);
    }
    f->scene.panels = panels_with_help;
    click(f, FR_BUTTON_LEFT, 50, 50, 0);
    assert_int_equal(f->ui.help_page, 2);
    click(f, FR_BUTTON_RIGHT, 50, 50, 0);
    assert_int_equal(f->ui.help_page, 2);
    tap(f, SDLK_ESCAPE, 0);
    assert_int_equal(f->ui.help_page, 0);
}

static void test_escape_in_steps(void **state)
{
    fixture *f = *state;
    click(f, FR_BUTTON_RIGHT, 705, 255, 0);
    click(f, FR_BUTTON_LEFT, 305, 205, 0);
    tap(f, SDLK_F10, 0);
    assert_int_equal(f->ui.help_page, 1);
    tap(f, SDLK_ESCAPE, 0);
    assert_int_equal(f->ui.help_page, 0);
    expect_selected(f, "0");
    tap(f, SDLK_ESCAPE, 0);
    expect_selected(f, "");
    assert_true(f->ui.has_probe);
    tap(f, SDLK_ESCAPE, 0);
    tap(f, SDLK_ESCAPE, 0);
    assert_false(f->ui.has_probe);
    assert_false(f->ui.quit);
}

static void test_camera(void **state)
{
    fixture *f = *state;
    fr_camera start = f->ui.camera;
    mouse(f, FR_INPUT_DOWN, FR_BUTTON_MIDDLE, 500, 250, 0);
    mouse(f, FR_INPUT_MOTION, FR_BUTTON_MIDDLE, 520, 260, 0);
    mouse(f, FR_INPUT_UP, FR_BUTTON_MIDDLE, 520, 260, 0);
    mouse(f, FR_INPUT_MOTION, FR_BUTTON_MIDDLE, 600, 300, 0);
    assert_true(f->ui.camera.x == start.x - 2.0 && f->ui.camera.y == start.y - 1.0);

    f->ui.camera = start;
    handle(f, (fr_input_event){.kind = FR_INPUT_WHEEL, .has_place = true, .x = 700, .y = 400, .wheel = 1});
    assert_true(f->ui.camera.zoom > 11.9 && f->ui.camera.zoom < 12.1);
    double x, y;
    fr_camera_to_world(f->ui.camera, 1000, 500, 700, 400, &x, &y);
    assert_true(x > 69.999 && x < 70.001 && y > 39.999 && y < 40.001); /* what is under the cursor stays */
    tap(f, SDLK_HOME, 0);
    assert_true(f->ui.camera.zoom == 10.0);
    handle(f, (fr_input_event){.kind = FR_INPUT_WHEEL, .has_place = true, .x = 10, .y = 10, .wheel = 5});
    assert_true(f->ui.camera.zoom == 10.0); /* a panel owns the mouse */

    f->ui.camera = start;
    key(f, FR_INPUT_KEY_DOWN, SDLK_RIGHT, 0);
    assert_true(fr_input_busy(&f->input));
    fr_input_frame(&f->input, &f->ui, &f->scene, 0.1);
    assert_true(f->ui.camera.x > start.x + 8.9 && f->ui.camera.x < start.x + 9.1);
    handle(f, (fr_input_event){.kind = FR_INPUT_FOCUS_LOST});
    assert_false(fr_input_busy(&f->input));
    tap(f, SDLK_UP, 0); /* within one frame: it still moves */
    fr_input_frame(&f->input, &f->ui, &f->scene, 0.0);
    assert_true(f->ui.camera.y < start.y);
    assert_false(fr_input_busy(&f->input));
}

static void test_minimap_drag_stays_there(void **state)
{
    fixture *f = *state;
    mouse(f, FR_INPUT_DOWN, FR_BUTTON_LEFT, 930, 470, 0);
    assert_true(f->ui.camera.x == 30.0 && f->ui.camera.y == 20.0);
    mouse(f, FR_INPUT_MOTION, FR_BUTTON_LEFT, 880, 460, 0); /* off the panel */
    assert_true(f->ui.camera.x == 0.0 && f->ui.camera.y == 10.0);
    mouse(f, FR_INPUT_UP, FR_BUTTON_LEFT, 880, 460, 0);
    assert_int_equal(f->input.drag, FR_DRAG_NONE);
    f->ui.camera.x = 50;
    f->ui.camera.y = 25;
    mouse(f, FR_INPUT_DOWN, FR_BUTTON_LEFT, 290, 190, 0); /* a box that ends over the minimap is a box */
    mouse(f, FR_INPUT_UP, FR_BUTTON_LEFT, 950, 470, 0);
    expect_selected(f, "0123");
    tap(f, SDLK_ESCAPE, 0);
    /* A press on the HUD does nothing, wherever it ends. */
    mouse(f, FR_INPUT_DOWN, FR_BUTTON_LEFT, 100, 50, 0);
    mouse(f, FR_INPUT_UP, FR_BUTTON_LEFT, 700, 400, 0);
    expect_selected(f, "");
}

/* Each overlay has the key that help says, under its own name. */
static void test_overlays_have_keys(void **state)
{
    fixture *f = *state;
    fr_help_line help[64];
    int count = fr_hotkey_help(help, 64);
    for (int i = 0; i < FR_OVERLAY_COUNT; i++) {
        char label[16];
        snprintf(label, sizeof label, "F%d", i + 1);
        tap(f, SDLK_F1 + i, 0);
        assert_int_equal(f->ui.overlays, 1u << i);
        tap(f, SDLK_F1 + i, 0);
        assert_int_equal(f->ui.overlays, 0);
        int line = 0;
        while (line < count && strcmp(help[line].key, label) != 0) {
            line++;
        }
        assert_true(line < count);
        assert_string_equal(help[line].text, fr_overlay_name(i));
    }
    tap(f, SDLK_F4, FR_MOD_ALT); /* the desktop's */
    assert_int_equal(f->ui.overlays, 0);
}

/* A panel with rows of ten pixels from y = 30 on stands where the HUD was. */
static int panels_with_movement(void *self, fr_panel_rect *out, int capacity)
{
    int count = panels(self, out, capacity);
    out[0].panel = FR_PANEL_MOVEMENT;
    return count;
}

static void expect_movement(const fixture *f, int count, fr_mover mover, uint32_t without)
{
    assert_int_equal(f->command_count, count);
    assert_int_equal(f->commands[count - 1].kind, FR_COMMAND_SET_MOVEMENT);
    assert_int_equal(f->commands[count - 1].mover, mover);
    assert_int_equal(f->commands[count - 1].without, without);
}

static void test_movement_panel(void **state)
{
    fixture *f = *state;
    tap(f, SDLK_2, 0);
    assert_int_equal(f->command_count, 0); /* closed, digits select groups */
    tap(f, SDLK_m, 0);
    assert_true(f->ui.movement_open);
    f->scene.panels = panels_with_movement;
    click(f, FR_BUTTON_LEFT, 50, 52, 0);
    expect_movement(f, 1, FR_MOVER_FRESHET, FR_MECHANISMS[1].bit);
    assert_non_null(strstr(fr_ui_message(&f->ui, f->scene.now_ns), "off"));
    f->scene.without = FR_MECHANISMS[1].bit; /* it is queued, and counts from now on */
    tap(f, SDLK_9, 0);
    expect_movement(f, 2, FR_MOVER_FRESHET, FR_MECHANISMS[1].bit | FR_MECHANISMS[8].bit);
    tap(f, SDLK_2, 0);
    expect_movement(f, 3, FR_MOVER_FRESHET, 0);
    tap(f, SDLK_0, 0);
    expect_movement(f, 4, FR_MOVER_NAIVE, FR_MECHANISMS[1].bit);
    f->scene.mover = FR_MOVER_NAIVE;
    click(f, FR_BUTTON_LEFT, 50, 32, 0);
    expect_movement(f, 5, FR_MOVER_FRESHET, FR_MECHANISMS[1].bit);
    click(f, FR_BUTTON_LEFT, 50, 10, 0);  /* the title */
    click(f, FR_BUTTON_RIGHT, 50, 52, 0); /* no order to what lies under the panel */
    click(f, FR_BUTTON_MIDDLE, 50, 52, 0);
    tap(f, SDLK_2, FR_MOD_CTRL);
    assert_int_equal(f->command_count, 5);
    f->ui.orders_off = true;
    tap(f, SDLK_2, 0);
    assert_int_equal(f->command_count, 5);
    tap(f, SDLK_ESCAPE, 0);
    assert_false(f->ui.movement_open);
}

static void test_wavefront_keys(void **state)
{
    fixture *f = *state;
    tap(f, SDLK_PAGEDOWN, 0); /* at the goal already */
    assert_int_equal(f->ui.wave, 0);
    for (int i = 0; i < FR_WAVE_STEPS + 5; i++) { /* held: it repeats */
        handle(f, (fr_input_event){.kind = FR_INPUT_KEY_DOWN, .key = SDLK_PAGEUP, .repeat = i > 0});
        assert_int_equal(f->ui.wave, i < FR_WAVE_STEPS ? i + 1 : FR_WAVE_STEPS);
    }
    tap(f, SDLK_PAGEDOWN, 0);
    assert_int_equal(f->ui.wave, FR_WAVE_STEPS - 1);
    assert_non_null(strstr(fr_ui_message(&f->ui, f->scene.now_ns), "wavefront at 99 %"));
}

static void test_keys(void **state)
{
    fixture *f = *state;
    tap(f, SDLK_F2, 0);
    assert_int_equal(f->ui.overlays, FR_OVERLAY_INTEGRATION);
    tap(f, SDLK_F1, 0);
    tap(f, SDLK_F2, 0);
    assert_int_equal(f->ui.overlays, FR_OVERLAY_COST);
    tap(f, SDLK_SPACE, 0);
    assert_true(f->ui.loop.paused);
    handle(f, (fr_input_event){.kind = FR_INPUT_KEY_DOWN, .key = SDLK_SPACE, .repeat = true});
    assert_true(f->ui.loop.paused);
    tap(f, SDLK_PERIOD, 0);
    handle(f, (fr_input_event){.kind = FR_INPUT_KEY_DOWN, .key = SDLK_PERIOD, .repeat = true});
    assert_int_equal(f->ui.loop.steps, 2);
    tap(f, SDLK_F11, 0);
    tap(f, SDLK_F12, 0);
    assert_true(f->ui.toggle_fullscreen && f->ui.screenshot);

    /* A plus is one plus, whether key, text or both say so. */
    tap(f, SDLK_EQUALS, FR_MOD_SHIFT);
    handle(f, (fr_input_event){.kind = FR_INPUT_TEXT, .text = "+"});
    assert_int_equal(f->ui.loop.speed, 2 * FR_SPEED_NORMAL);
    tap(f, SDLK_6, 0); /* AZERTY's minus has digit 6's place: the group key wins */
    handle(f, (fr_input_event){.kind = FR_INPUT_TEXT, .text = "-"});
    assert_int_equal(f->ui.loop.speed, 2 * FR_SPEED_NORMAL);
    key(f, FR_INPUT_KEY_DOWN, SDLK_k, 0);
    handle(f, (fr_input_event){.kind = FR_INPUT_TEXT, .text = "-"});
    assert_int_equal(f->ui.loop.speed, FR_SPEED_NORMAL);
    handle(f, (fr_input_event){.kind = FR_INPUT_QUIT});
    assert_true(f->ui.quit);
}

static void test_groups(void **state)
{
    fixture *f = *state;
    drag(f, 300, 200, 330, 210, 0);
    tap(f, SDLK_3, FR_MOD_CTRL);
    click(f, FR_BUTTON_LEFT, 305, 305, 0);
    tap(f, SDLK_3, FR_MOD_SHIFT);
    tap(f, SDLK_0, FR_MOD_CTRL);
    tap(f, SDLK_ESCAPE, 0);
    fr_camera start = f->ui.camera;
    tap(f, SDLK_3, 0);
    expect_selected(f, "014");
    assert_true(f->ui.camera.x == start.x); /* one tap does not move the camera */
    f->scene.now_ns += 400000000;
    tap(f, SDLK_3, 0); /* too late for a double tap */
    assert_true(f->ui.camera.x == start.x);
    f->scene.now_ns += 300000000;
    tap(f, SDLK_3, 0);
    assert_true(f->ui.camera.x > 31.1 && f->ui.camera.x < 31.2);
    tap(f, SDLK_0, 0);
    expect_selected(f, "4");
    tap(f, SDLK_7, 0); /* an empty group leaves the selection alone */
    expect_selected(f, "4");
    f->state[0] = FR_UNIT_GONE;
    tap(f, SDLK_3, 0);
    expect_selected(f, "14");
    f->state[4] = FR_UNIT_GONE;
    fr_selection_prune(&f->ui.selection, &f->snapshot);
    expect_selected(f, "1");
}

static void test_wall_brush(void **state)
{
    fixture *f = *state;
    mouse(f, FR_INPUT_MOTION, FR_BUTTON_LEFT, 405, 405, 0);
    key(f, FR_INPUT_KEY_DOWN, SDLK_w, 0);
    assert_int_equal(f->commands[0].kind, FR_COMMAND_SET_COST);
    assert_int_equal(f->commands[0].cost, FR_COST_WALL);
    mouse(f, FR_INPUT_MOTION, FR_BUTTON_LEFT, 475, 425, 0); /* cells (40,40) to (47,42) */
    /* Every step of the line is covered, and its neighbours touch by an edge or a corner. */
    bool put[50][100] = {{false}};
    for (int i = 0; i < f->command_count; i++) {
        fr_rect r = f->commands[i].rect;
        for (int y = r.y; y < r.y + r.height; y++) {
            for (int x = r.x; x < r.x + r.width; x++) {
                put[y][x] = true;
            }
        }
    }
    assert_true(put[40][40] && put[42][47]);
    for (int x = 40; x <= 47; x++) {
        assert_int_equal(put[40][x] + put[41][x] + put[42][x], 1);
    }
    assert_true(f->command_count <= 5);
    int count = f->command_count;
    key(f, FR_INPUT_KEY_UP, SDLK_w, 0);
    mouse(f, FR_INPUT_MOTION, FR_BUTTON_LEFT, 600, 300, 0);
    assert_int_equal(f->command_count, count);
    tap(f, SDLK_x, 0);
    assert_int_equal(f->commands[count].kind, FR_COMMAND_RESTORE_COST);
    assert_int_equal(f->commands[count].rect.x, 60);
    mouse(f, FR_INPUT_MOTION, FR_BUTTON_LEFT, 100, 50, 0); /* over a panel */
    tap(f, SDLK_w, 0);
    assert_int_equal(f->command_count, count + 1);
}

/* A window of 500x250 on a display that draws it with 1000x500 pixels. */
static void test_high_dpi(void **state)
{
    fixture *f = *state;
    f->scene.scale_x = f->scene.scale_y = 2;
    click(f, FR_BUTTON_LEFT, 152.5f, 102.5f, 0);
    expect_selected(f, "0");
    click(f, FR_BUTTON_RIGHT, 352.5f, 127.5f, 0);
    assert_true(fr_cells(f->goals[0].x) == 70.5);
}

static void test_first_camera(void **state)
{
    fixture *f = *state;
    static const struct {
        int in_middle, in_first_corner; /* units; the rest is in the other corner */
        double spread_x, spread_y;
        double zoom_min;
    } cases[] = {
        {0, 4, 0, 0, 28},  {0, 4, 1, 1, 28},   {0, 4, 90, 2, 5},  {0, 4, 3, 40, 5},
        {0, 4, 99, 49, 5}, {2, 3, 99, 49, 10}, {1, 4, 99, 49, 5},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        for (int i = 0; i < UNITS; i++) {
            double share = i < cases[c].in_middle                              ? 0.5
                           : i < cases[c].in_middle + cases[c].in_first_corner ? 0.0
                                                                               : 1.0;
            f->position[i] = fr_position_at(0.5 + share * cases[c].spread_x, 0.5 + share * cases[c].spread_y);
        }
        fr_camera camera = fr_ui_first_camera(&f->snapshot, 1280, 720);
        assert_true(camera.zoom >= cases[c].zoom_min && camera.zoom <= 28.0);
        int seen = 0;
        for (int i = 0; i < UNITS; i++) {
            double x, y;
            fr_camera_to_screen(camera, 1280, 720, fr_cells(f->position[i].x), fr_cells(f->position[i].y), &x,
                                &y);
            seen += x >= 0.2 * 1280 && x <= 0.8 * 1280 && y >= 0.2 * 720 && y <= 0.8 * 720;
        }
        assert_true(4 * seen >= UNITS);
    }
    f->snapshot.unit_count = 0;
    assert_true(fr_ui_first_camera(&f->snapshot, 1280, 720).x == 50.0);
}

static void test_sdl_events(void **state)
{
    (void)state;
    SDL_Event sdl = {
        .button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_RIGHT, .x = 3, .y = 4, .clicks = 2}};
    fr_input_event event = fr_input_event_from_sdl(&sdl);
    assert_true(event.kind == FR_INPUT_DOWN && event.button == FR_BUTTON_RIGHT && event.x == 3.0f &&
                event.y == 4.0f && event.clicks == 2);
    sdl = (SDL_Event){.button = {.type = SDL_MOUSEBUTTONDOWN, .button = SDL_BUTTON_X1}};
    assert_int_equal(fr_input_event_from_sdl(&sdl).kind, FR_INPUT_NONE);
    sdl =
        (SDL_Event){.key = {.type = SDL_KEYDOWN, .repeat = 1, .keysym = {.sym = SDLK_a, .mod = KMOD_RCTRL}}};
    event = fr_input_event_from_sdl(&sdl);
    assert_true(event.kind == FR_INPUT_KEY_DOWN && event.repeat && event.mods == FR_MOD_CTRL);
    sdl = (SDL_Event){.window = {.type = SDL_WINDOWEVENT, .event = SDL_WINDOWEVENT_FOCUS_LOST}};
    assert_int_equal(fr_input_event_from_sdl(&sdl).kind, FR_INPUT_FOCUS_LOST);
    sdl = (SDL_Event){.type = SDL_QUIT};
    assert_int_equal(fr_input_event_from_sdl(&sdl).kind, FR_INPUT_QUIT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_click_selects),
        TEST(test_shaky_clicks),
        TEST(test_boxes),
        TEST(test_kinds_and_all),
        TEST(test_orders),
        TEST(test_aiming),
        TEST(test_probe),
        TEST(test_help_pages),
        TEST(test_escape_in_steps),
        TEST(test_camera),
        TEST(test_minimap_drag_stays_there),
        TEST(test_overlays_have_keys),
        TEST(test_movement_panel),
        TEST(test_wavefront_keys),
        TEST(test_keys),
        TEST(test_groups),
        TEST(test_wall_brush),
        TEST(test_high_dpi),
        TEST(test_first_camera),
        TEST(test_sdl_events),
    };
    return cmocka_run_group_tests_name("app input", tests, NULL, NULL);
}
