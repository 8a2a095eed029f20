/* event: what a hand or a script does, as one plain value. Input reads these and nothing of SDL's own mouse
 * and keyboard state, so that a script can stand in for a hand. */
#ifndef FR_APP_EVENT_H
#define FR_APP_EVENT_H

#include <SDL.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum fr_input_kind {
    FR_INPUT_NONE = 0,
    FR_INPUT_MOTION,
    FR_INPUT_DOWN, /* mouse button */
    FR_INPUT_UP,
    FR_INPUT_WHEEL,
    FR_INPUT_KEY_DOWN,
    FR_INPUT_KEY_UP,
    FR_INPUT_TEXT,
    FR_INPUT_DROP,   /* a file was dropped on the window */
    FR_INPUT_RESIZE, /* scripts only: asks for a window size */
    FR_INPUT_FOCUS_LOST,
    FR_INPUT_REDRAW, /* the window was uncovered, shown or resized */
    FR_INPUT_TARGETS_LOST,
    FR_INPUT_QUIT,
    FR_INPUT_SHOT, /* scripts only: save the picture, or the state, of this frame */
    FR_INPUT_DUMP,
} fr_input_kind;

typedef enum fr_button { FR_BUTTON_LEFT = 0, FR_BUTTON_MIDDLE, FR_BUTTON_RIGHT, FR_BUTTON_COUNT } fr_button;

enum { FR_MOD_SHIFT = 1, FR_MOD_CTRL = 2, FR_MOD_ALT = 4 };

typedef struct fr_input_event {
    fr_input_kind kind;
    bool has_place; /* x and y are given */
    float x, y; /* mouse: window coordinates (not pixels of the drawing, on HiDPI); resize: width, height */
    fr_button button;
    int clicks; /* 2 for the second press of a double click */
    float wheel;
    SDL_Keycode key;
    SDL_Scancode scancode;
    bool repeat;
    unsigned mods;    /* FR_MOD bits that come with the event; keys seen going down are added by input */
    char text[32];    /* UTF-8 */
    const char *file; /* borrowed */
} fr_input_event;

/* The event in plain form; kind NONE for what the program has no use for. A dropped file's name stays SDL's.
 */
fr_input_event fr_input_event_from_sdl(const SDL_Event *event);

#endif
