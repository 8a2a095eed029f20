/* stage: the window and its renderer, or an invisible one for scripts and pictures without a display. It
 * knows nothing of what is drawn. */
#ifndef FR_APP_STAGE_H
#define FR_APP_STAGE_H

#include <SDL.h>

#include "app/options.h"
#include "base/buffer.h"

typedef struct fr_stage {
    bool initialised;
    SDL_Window *window;
    SDL_Renderer *renderer;
    bool waits_for_display; /* the renderer says so; some do not keep it */
    int refresh_hz;         /* of the display, 60 if it is not known */
} fr_stage;

/* Opens the window (`visible`), or a window on SDL's dummy display with the software renderer, which draws
 * the same on every machine. FR_LIMIT with one line if there is no display and none was asked for by name in
 * SDL_VIDEODRIVER. The stage must be closed in every case. */
fr_status fr_stage_open(fr_stage *stage, const fr_options *options, bool visible, fr_error *error);
void fr_stage_close(fr_stage *stage);

/* Pixels of the drawing, and how many of them a window coordinate is. */
void fr_stage_size(const fr_stage *stage, int *width_px, int *height_px, float *scale_x, float *scale_y);
void fr_stage_resize(fr_stage *stage, int width, int height);
void fr_stage_toggle_fullscreen(fr_stage *stage);
/* False while minimised or hidden. */
bool fr_stage_seen(const fr_stage *stage);

/* The picture drawn so far and not yet presented, as the bytes of a file. */
fr_status fr_stage_picture(const fr_stage *stage, bool png, fr_buffer *out, fr_error *error);

#endif
