/* ui: what the player has arranged: camera, overlays, selection, pause, marker, messages. Plain state that
 * input changes and the picture is drawn from; the simulation knows none of it. */
#ifndef FR_APP_UI_H
#define FR_APP_UI_H

#include "app/loop.h"
#include "app/selection.h"
#include "view/camera.h"

/* How long a message and an order's marker stay. */
#define FR_MESSAGE_NS 3000000000u
#define FR_MARKER_NS  3000000000u

/* Steps of the wavefront from the goal to the end of the field. */
#define FR_WAVE_STEPS 100

typedef struct fr_ui {
    fr_loop loop;
    fr_camera camera;
    double home_zoom;
    unsigned overlays; /* fr_overlay bits */
    int wave;          /* how far the wavefront of its overlay has come, 0..FR_WAVE_STEPS */
    int help_page;     /* from 1; 0: closed */
    bool movement_open;
    fr_selection selection;
    bool has_marker;
    fr_position marker;
    uint64_t marker_ns; /* when it was set */
    bool marker_unreachable;
    bool has_probe;
    fr_position probe;
    bool orders_off; /* a replay runs */
    char message[160];
    uint64_t message_ns; /* when it was set */
    /* Wishes that the program fulfils after the events of a frame. */
    bool quit, toggle_fullscreen, screenshot;
} fr_ui;

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void fr_ui_say(fr_ui *ui, uint64_t now_ns, const char *format, ...);
/* The message that is to be seen now, or null. */
const char *fr_ui_message(const fr_ui *ui, uint64_t now_ns);

/* Is the marker to be seen now? */
bool fr_ui_marker_shown(const fr_ui *ui, uint64_t now_ns);

/* Camera for the start: on the units' centre, with most of them in sight and at least a quarter of them in
 * the middle 60 % of the picture; on the whole map if there are no units. */
fr_camera fr_ui_first_camera(const fr_snapshot *snapshot, int width_px, int height_px);

#endif
