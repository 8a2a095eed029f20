#include "app/event.h"

/* FR_MOD bits of SDL's KMOD bits. */
static unsigned mods_from_sdl(unsigned kmod)
{
    return ((kmod & KMOD_SHIFT) != 0 ? (unsigned)FR_MOD_SHIFT : 0) |
           ((kmod & KMOD_CTRL) != 0 ? (unsigned)FR_MOD_CTRL : 0) |
           ((kmod & KMOD_ALT) != 0 ? (unsigned)FR_MOD_ALT : 0);
}

static fr_input_event from_button(const SDL_MouseButtonEvent *event, fr_input_kind kind)
{
    fr_input_event out = {
        .kind = kind, .has_place = true, .x = (float)event->x, .y = (float)event->y, .clicks = event->clicks};
    switch (event->button) {
    case SDL_BUTTON_LEFT:
        out.button = FR_BUTTON_LEFT;
        return out;
    case SDL_BUTTON_MIDDLE:
        out.button = FR_BUTTON_MIDDLE;
        return out;
    case SDL_BUTTON_RIGHT:
        out.button = FR_BUTTON_RIGHT;
        return out;
    default:
        return (fr_input_event){.kind = FR_INPUT_NONE};
    }
}

static fr_input_event from_key(const SDL_KeyboardEvent *event, fr_input_kind kind)
{
    return (fr_input_event){.kind = kind,
                            .key = event->keysym.sym,
                            .scancode = event->keysym.scancode,
                            .repeat = event->repeat != 0,
                            .mods = mods_from_sdl(event->keysym.mod)};
}

static fr_input_event from_window(const SDL_WindowEvent *event)
{
    switch (event->event) {
    case SDL_WINDOWEVENT_FOCUS_LOST:
        return (fr_input_event){.kind = FR_INPUT_FOCUS_LOST};
    case SDL_WINDOWEVENT_EXPOSED:
    case SDL_WINDOWEVENT_SHOWN:
    case SDL_WINDOWEVENT_RESTORED:
    case SDL_WINDOWEVENT_SIZE_CHANGED:
        return (fr_input_event){.kind = FR_INPUT_REDRAW};
    default:
        return (fr_input_event){.kind = FR_INPUT_NONE};
    }
}

fr_input_event fr_input_event_from_sdl(const SDL_Event *event)
{
    switch (event->type) {
    case SDL_QUIT:
        return (fr_input_event){.kind = FR_INPUT_QUIT};
    case SDL_MOUSEMOTION:
        return (fr_input_event){.kind = FR_INPUT_MOTION,
                                .has_place = true,
                                .x = (float)event->motion.x,
                                .y = (float)event->motion.y};
    case SDL_MOUSEBUTTONDOWN:
        return from_button(&event->button, FR_INPUT_DOWN);
    case SDL_MOUSEBUTTONUP:
        return from_button(&event->button, FR_INPUT_UP);
    case SDL_MOUSEWHEEL: {
        float turn = event->wheel.preciseY;
        return (fr_input_event){.kind = FR_INPUT_WHEEL,
                                .wheel = event->wheel.direction == SDL_MOUSEWHEEL_FLIPPED ? -turn : turn};
    }
    case SDL_KEYDOWN:
        return from_key(&event->key, FR_INPUT_KEY_DOWN);
    case SDL_KEYUP:
        return from_key(&event->key, FR_INPUT_KEY_UP);
    case SDL_TEXTINPUT: {
        fr_input_event out = {.kind = FR_INPUT_TEXT};
        SDL_strlcpy(out.text, event->text.text, sizeof out.text);
        return out;
    }
    case SDL_DROPFILE:
        return (fr_input_event){.kind = FR_INPUT_DROP, .file = event->drop.file};
    case SDL_WINDOWEVENT:
        return from_window(&event->window);
    case SDL_RENDER_TARGETS_RESET:
    case SDL_RENDER_DEVICE_RESET:
        return (fr_input_event){.kind = FR_INPUT_TARGETS_LOST};
    default:
        return (fr_input_event){.kind = FR_INPUT_NONE};
    }
}
