/* input_keys: what each hotkey does. The keys themselves are the table's business (hotkeys.h). */
#ifndef FR_APP_INPUT_KEYS_H
#define FR_APP_INPUT_KEYS_H

#include "app/hotkeys.h"
#include "app/input.h"

/* A hotkey went down (again, if it repeats). */
void fr_input_key_down(fr_input *input, fr_ui *ui, const fr_input_scene *scene, fr_hotkey hotkey,
                       bool repeat);
/* A key went up: ends what lasts while it is held. */
void fr_input_key_up(fr_input *input, fr_hotkey hotkey);

/* Opens the help, goes to its next page, or closes it after the last. */
void fr_input_turn_help(fr_ui *ui, const fr_input_scene *scene);

/* Draws with the wall brush up to the cursor, if it is held. */
void fr_input_brush(fr_input *input, fr_ui *ui, const fr_input_scene *scene);

/* The panel under the cursor. */
fr_panel fr_input_panel(const fr_input *input, const fr_input_scene *scene);

fr_pick_scene fr_input_pick_scene(const fr_ui *ui, const fr_input_scene *scene);
/* World position under the cursor, clamped to the map. */
fr_position fr_input_world(const fr_input *input, const fr_ui *ui, const fr_input_scene *scene);

#endif
