/* play: frame after frame of a session on a screen, until the player, the script or the run ends it. */
#ifndef FR_APP_PLAY_H
#define FR_APP_PLAY_H

#include "app/screen.h"
#include "app/script.h"

/* Plays until the end. `script` null: by hand and in real time. `*first_frame_ns` gets the real time of the
 * first frame. A status other than FR_OK: something that a script asked for could not be written. */
fr_status fr_play(fr_screen *screen, fr_script *script, uint64_t *first_frame_ns, fr_error *error);

#endif
