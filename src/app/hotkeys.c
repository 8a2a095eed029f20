#include "app/hotkeys.h"

#include <string.h>

#define ANY (FR_MOD_SHIFT | FR_MOD_CTRL | FR_MOD_ALT)

typedef struct hotkey_row {
    /* For people: rows without a label are further keys of the same action. */
    const char *label, *text;
    const char *bar;  /* in fewer words for the bar at the bottom; null: not there */
    fr_action action; /* NONE: the mouse, for people only */
    int argument;
    SDL_Keycode key;                      /* or, if 0, */
    SDL_Scancode scancode, scancode_last; /* a run of keys by place: argument counts from the first */
    unsigned mods, mods_free;             /* must be held; may be held. All others must not */
    const char *typed;                    /* does the same when typed */
    bool repeats;
} hotkey_row;

/* clang-format off */
static const hotkey_row ROWS[] = {
    {.label = "Left drag", .text = "select units; Shift adds, Alt takes every team", .bar = "select"},
    {.label = "Left click", .text = "select one; Shift adds or takes away; double, Ctrl: its kind"},
    {.label = "Right click", .text = "move there; on a unit: follow it; held: see the way", .bar = "move"},
    {.label = "Right click", .text = "with nothing selected: set the probe goal"},
    {.label = "Minimap", .text = "left: look there; right: move there"},
    {.label = "Wheel", .text = "zoom to the cursor"},
    {.label = "Middle drag", .text = "move the map"},
    {"F1", "cost", "cost", FR_ACTION_OVERLAY, 0, .key = SDLK_F1, .mods_free = ANY},
    {"F2", "integration", "integration", FR_ACTION_OVERLAY, 1, .key = SDLK_F2, .mods_free = ANY},
    {"F3", "arrows", "arrows", FR_ACTION_OVERLAY, 2, .key = SDLK_F3, .mods_free = ANY},
    /* Alt+F4 is the desktop's. */
    {"F4", "regions", NULL, FR_ACTION_OVERLAY, 3, .key = SDLK_F4, .mods_free = ANY & ~FR_MOD_ALT},
    {"F5", "clearance", NULL, FR_ACTION_OVERLAY, 4, .key = SDLK_F5, .mods_free = ANY},
    {"F6", "wavefront", NULL, FR_ACTION_OVERLAY, 5, .key = SDLK_F6, .mods_free = ANY},
    {"Page Up, Down", "move the wavefront on, back", NULL, FR_ACTION_WAVE, 1, .key = SDLK_PAGEUP, .mods_free = ANY,
     .repeats = true},
    {NULL, NULL, NULL, FR_ACTION_WAVE, -1, .key = SDLK_PAGEDOWN, .mods_free = ANY, .repeats = true},
    {"F7", "sectors", NULL, FR_ACTION_OVERLAY, 6, .key = SDLK_F7, .mods_free = ANY},
    {"F8", "threat", NULL, FR_ACTION_OVERLAY, 7, .key = SDLK_F8, .mods_free = ANY},
    {"F9", "congestion", NULL, FR_ACTION_OVERLAY, 8, .key = SDLK_F9, .mods_free = ANY},
    {"Space, Pause", "pause", "pause", FR_ACTION_PAUSE, .key = SDLK_SPACE, .mods_free = FR_MOD_SHIFT},
    {NULL, NULL, NULL, FR_ACTION_PAUSE, .key = SDLK_PAUSE, .mods_free = ANY},
    {".", "one tick", NULL, FR_ACTION_STEP, .key = SDLK_PERIOD, .typed = ".", .repeats = true},
    {"+ -", "faster, slower", NULL, FR_ACTION_SPEED, 1, .key = SDLK_PLUS, .mods_free = FR_MOD_SHIFT, .typed = "+"},
    {NULL, NULL, NULL, FR_ACTION_SPEED, 1, .key = SDLK_EQUALS, .mods_free = FR_MOD_SHIFT},
    {NULL, NULL, NULL, FR_ACTION_SPEED, 1, .key = SDLK_KP_PLUS, .mods_free = FR_MOD_SHIFT},
    {NULL, NULL, NULL, FR_ACTION_SPEED, -1, .key = SDLK_MINUS, .mods_free = FR_MOD_SHIFT, .typed = "-"},
    {NULL, NULL, NULL, FR_ACTION_SPEED, -1, .key = SDLK_KP_MINUS, .mods_free = FR_MOD_SHIFT},
    {"W, X", "hold: build, take away walls", "walls", FR_ACTION_WALL_PUT, .key = SDLK_w, .mods_free = FR_MOD_SHIFT},
    {NULL, NULL, NULL, FR_ACTION_WALL_TAKE, .key = SDLK_x, .mods_free = FR_MOD_SHIFT},
    {"S, H", "stop; hold the place", NULL, FR_ACTION_STOP, .key = SDLK_s, .mods_free = FR_MOD_SHIFT},
    {NULL, NULL, NULL, FR_ACTION_HOLD, .key = SDLK_h, .mods_free = FR_MOD_SHIFT},
    {"Ctrl+A", "select the whole team; again: everyone", NULL, FR_ACTION_SELECT_ALL, .key = SDLK_a,
     .mods = FR_MOD_CTRL, .mods_free = FR_MOD_SHIFT},
    {"Ctrl+0-9", "make a group", NULL, FR_ACTION_GROUP_SET, .scancode = SDL_SCANCODE_1,
     .scancode_last = SDL_SCANCODE_0, .mods = FR_MOD_CTRL},
    {"Shift+0-9", "add to a group", NULL, FR_ACTION_GROUP_ADD, .scancode = SDL_SCANCODE_1,
     .scancode_last = SDL_SCANCODE_0, .mods = FR_MOD_SHIFT},
    {"0-9", "select a group; twice: go there", NULL, FR_ACTION_GROUP_RECALL, .scancode = SDL_SCANCODE_1,
     .scancode_last = SDL_SCANCODE_0},
    {"M", "movement: its mechanisms, on and off", NULL, FR_ACTION_MOVEMENT, .key = SDLK_m,
     .mods_free = FR_MOD_SHIFT},
    {"C, Home", "go to the selected; first zoom", NULL, FR_ACTION_CENTRE, .key = SDLK_c, .mods_free = FR_MOD_SHIFT},
    {NULL, NULL, NULL, FR_ACTION_ZOOM_RESET, .key = SDLK_HOME, .mods_free = ANY},
    {"Arrows", "move the map", NULL, FR_ACTION_SCROLL, FR_DIR_E, .key = SDLK_RIGHT, .mods_free = ANY},
    {NULL, NULL, NULL, FR_ACTION_SCROLL, FR_DIR_S, .key = SDLK_DOWN, .mods_free = ANY},
    {NULL, NULL, NULL, FR_ACTION_SCROLL, FR_DIR_W, .key = SDLK_LEFT, .mods_free = ANY},
    {NULL, NULL, NULL, FR_ACTION_SCROLL, FR_DIR_N, .key = SDLK_UP, .mods_free = ANY},
    {"Esc", "close a panel, end a drag, clear the selection", NULL, FR_ACTION_CANCEL, .key = SDLK_ESCAPE,
     .mods_free = ANY},
    {"F10, ?", "help", "help", FR_ACTION_HELP, .key = SDLK_F10, .mods_free = ANY},
    {NULL, NULL, NULL, FR_ACTION_HELP, .key = SDLK_QUESTION, .mods_free = FR_MOD_SHIFT, .typed = "?"},
    {NULL, NULL, NULL, FR_ACTION_HELP, .key = SDLK_SLASH, .mods = FR_MOD_SHIFT},
    {"F11, F12", "fullscreen (or Alt+Enter); screenshot", NULL, FR_ACTION_FULLSCREEN, .key = SDLK_F11,
     .mods_free = ANY},
    {NULL, NULL, NULL, FR_ACTION_FULLSCREEN, .key = SDLK_RETURN, .mods = FR_MOD_ALT},
    {NULL, NULL, NULL, FR_ACTION_FULLSCREEN, .key = SDLK_KP_ENTER, .mods = FR_MOD_ALT},
    {NULL, NULL, NULL, FR_ACTION_SCREENSHOT, .key = SDLK_F12, .mods_free = ANY},
};
/* clang-format on */

enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

static bool mods_fit(const hotkey_row *row, unsigned mods)
{
    return (mods & ~row->mods_free) == row->mods;
}

fr_hotkey fr_hotkey_for_key(SDL_Keycode key, SDL_Scancode scancode, unsigned mods)
{
    for (int i = 0; i < ROW_COUNT; i++) {
        const hotkey_row *row = &ROWS[i];
        if (row->action == FR_ACTION_NONE || !mods_fit(row, mods)) {
            continue;
        }
        if (row->key != 0 && row->key == key) {
            return (fr_hotkey){row->action, row->argument, row->repeats};
        }
        if (row->key == 0 && scancode >= row->scancode && scancode <= row->scancode_last) {
            /* SDL's digits run 1..9, 0. */
            return (fr_hotkey){row->action, ((int)(scancode - row->scancode) + 1) % 10, row->repeats};
        }
    }
    return (fr_hotkey){.action = FR_ACTION_NONE};
}

fr_hotkey fr_hotkey_for_text(const char *text)
{
    for (int i = 0; i < ROW_COUNT; i++) {
        if (ROWS[i].typed != NULL && strcmp(ROWS[i].typed, text) == 0) {
            return (fr_hotkey){ROWS[i].action, ROWS[i].argument, ROWS[i].repeats};
        }
    }
    return (fr_hotkey){.action = FR_ACTION_NONE};
}

int fr_hotkey_help(fr_help_line *out, int capacity)
{
    int count = 0;
    for (int i = 0; i < ROW_COUNT; i++) {
        if (ROWS[i].label == NULL) {
            continue;
        }
        if (count < capacity) {
            out[count] = (fr_help_line){.key = ROWS[i].label, .text = ROWS[i].text, .bar = ROWS[i].bar};
        }
        count++;
    }
    return count;
}
