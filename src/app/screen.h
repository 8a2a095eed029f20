/* screen: what the player sees and touches: stage, picture, input and the player's arrangement of them over
 * one session. It shows and orders; when time passes is the business of play.h. */
#ifndef FR_APP_SCREEN_H
#define FR_APP_SCREEN_H

#include "app/clock.h"
#include "app/hotkeys.h"
#include "app/input.h"
#include "app/preview.h"
#include "app/probe.h"
#include "app/session.h"
#include "app/stage.h"
#include "app/ui.h"

/* What the HUD says about the last second. */
typedef struct fr_meter {
    bool started;
    uint64_t begin_ns;
    uint32_t frames, ticks;
    uint64_t tick_ns;
    double fps, tick_ms;
    uint64_t state_hash;
} fr_meter;

#define FR_HELP_LINES_MAX 64

typedef struct fr_screen {
    fr_session *session; /* borrowed */
    fr_stage stage;
    fr_view *view;
    fr_clock clock;
    fr_ui ui;
    fr_input input;
    float alpha; /* of the frame that is shown */
    fr_probe probe;
    fr_preview preview;
    bool has_default_probe; /* nothing else was there to show: a goal in the middle of the picture */
    fr_position default_probe;
    fr_meter meter;
    fr_help_line help[FR_HELP_LINES_MAX];
    int help_count;
} fr_screen;

/* Arranges everything for the start of a session, on a visible stage or an invisible one. The screen must be
 * closed in every case. */
fr_status fr_screen_open(fr_screen *screen, fr_session *session, bool visible, fr_error *error);
void fr_screen_close(fr_screen *screen);

/* Puts camera, overlays and selection to their start without a window: what a headless dump says. */
void fr_screen_arrange(fr_ui *ui, const fr_session *session, int width_px, int height_px);

/* Hands one event to input, in the scene as it is now. */
void fr_screen_handle(fr_screen *screen, const fr_input_event *event);
/* What held keys do in `seconds`. */
void fr_screen_hold(fr_screen *screen, double seconds);

/* Called after each tick, with the real time it took. */
void fr_screen_ticked(fr_screen *screen, uint64_t tick_ns);

/* Draws; does not present. `complete`: paints all that the frame needs now, however long it takes; without it
 * parts of the ground may follow in later frames. */
void fr_screen_draw(fr_screen *screen, bool complete);

/* The picture just drawn, or the state, into a file; a person is told by a message, a script by the status.
 */
fr_status fr_screen_save_picture(fr_screen *screen, const char *path, fr_error *error);
fr_status fr_screen_save_dump(fr_screen *screen, const char *path, fr_error *error);
/* The state as JSON. */
void fr_screen_dump(fr_screen *screen, fr_buffer *out);

#endif
