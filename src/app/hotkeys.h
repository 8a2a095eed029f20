/* hotkeys: the one table of keys. Input, --help and the help panel all read it, so a key can't do one thing
 * and be said to do another. Letters go by the key's meaning, digits by its place (they sit on other levels
 * of other layouts), and signs that move about between layouts by the character typed as well. */
#ifndef FR_APP_HOTKEYS_H
#define FR_APP_HOTKEYS_H

#include "app/event.h"
#include "view/view.h"

typedef enum fr_action {
    FR_ACTION_NONE = 0,
    FR_ACTION_OVERLAY, /* argument: number of the overlay */
    FR_ACTION_WAVE,    /* argument: 1 forward, -1 back */
    FR_ACTION_HELP,
    FR_ACTION_MOVEMENT, /* its panel */
    FR_ACTION_FULLSCREEN,
    FR_ACTION_SCREENSHOT,
    FR_ACTION_PAUSE,
    FR_ACTION_STEP,
    FR_ACTION_SPEED, /* argument: 1 faster, -1 slower */
    FR_ACTION_STOP,
    FR_ACTION_HOLD,
    FR_ACTION_WALL_PUT,  /* as long as it is held */
    FR_ACTION_WALL_TAKE, /* as long as it is held */
    FR_ACTION_SCROLL,    /* argument: fr_direction; as long as it is held */
    FR_ACTION_ZOOM_RESET,
    FR_ACTION_CENTRE,
    FR_ACTION_SELECT_ALL,
    FR_ACTION_CANCEL,
    FR_ACTION_GROUP_RECALL, /* argument: 0..9 */
    FR_ACTION_GROUP_SET,
    FR_ACTION_GROUP_ADD,
} fr_action;

typedef struct fr_hotkey {
    fr_action action;
    int argument;
    bool repeats; /* a key that repeats while held does it again */
} fr_hotkey;

/* What a key does with these modifiers held; action NONE if nothing. */
fr_hotkey fr_hotkey_for_key(SDL_Keycode key, SDL_Scancode scancode, unsigned mods);

/* What a typed character does, for layouts on which its key is another. */
fr_hotkey fr_hotkey_for_text(const char *text);

/* Keys and mouse with what they do, for the help panel and --help. Returns the number of lines. Static
 * storage. */
int fr_hotkey_help(fr_help_line *out, int capacity);

#endif
