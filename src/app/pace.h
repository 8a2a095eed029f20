/* pace: keeps frames from coming faster than wanted. The display does it by itself if it can; some drivers
 * say so and do not, so it is watched. Pure arithmetic: who sleeps is the caller. */
#ifndef FR_APP_PACE_H
#define FR_APP_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* Frames in a row that are faster than the display before its word is doubted. */
#define FR_PACE_DOUBTS 10

#define FR_PACE_FPS_DEFAULT 60

typedef struct fr_pace {
    int fps;                /* wanted; 0: the display's, else FR_PACE_FPS_DEFAULT */
    bool waits_for_display; /* as long as it is believed */
    int refresh_hz;
    int fast_frames;
    uint64_t last_ns; /* end of the last frame */
    uint64_t due_ns;  /* when the next frame may begin */
} fr_pace;

fr_pace fr_pace_begin(int fps, bool waits_for_display, int refresh_hz);

/* Takes the end of a frame; returns how long to sleep (ns). */
uint64_t fr_pace_frame(fr_pace *pace, uint64_t now_ns);

#endif
