/* view: the picture. Reads a snapshot and one plain fr_view_state; changes neither. Pixels exist only in this
 * room. render_sdl, text and image are the only files here that draw with SDL. */
#ifndef FR_VIEW_VIEW_H
#define FR_VIEW_VIEW_H

#include "sim/snapshot.h"
#include "view/camera.h"

struct SDL_Renderer;

typedef struct fr_view fr_view;

/* Overlay bits, in the order of their keys F1.. */
typedef enum fr_overlay {
    FR_OVERLAY_COST = 1 << 0,
    FR_OVERLAY_INTEGRATION = 1 << 1,
    FR_OVERLAY_ARROWS = 1 << 2,
    FR_OVERLAY_REGIONS = 1 << 3,
    FR_OVERLAY_CLEARANCE = 1 << 4,
    FR_OVERLAY_WAVEFRONT = 1 << 5,
    FR_OVERLAY_SECTORS = 1 << 6,
    FR_OVERLAY_THREAT = 1 << 7,
    FR_OVERLAY_CONGESTION = 1 << 8,
} fr_overlay;
#define FR_OVERLAY_COUNT 9
/* Those that show a field. */
#define FR_OVERLAYS_OF_FIELD                                                                                 \
    (FR_OVERLAY_INTEGRATION | FR_OVERLAY_ARROWS | FR_OVERLAY_WAVEFRONT | FR_OVERLAY_SECTORS)
/* "cost", "integration", ...: the names of --overlay; null beyond. */
const char *fr_overlay_name(int index);

/* A key and what it does, for the help panel and the bar at the bottom. */
typedef struct fr_help_line {
    const char *key, *text;
    const char *bar; /* what it does in fewer words, for the bar at the bottom; null: not there */
} fr_help_line;

typedef struct fr_hud {
    double fps, tick_ms, field_ms; /* tick: mean of the last second; field: last build */
    uint32_t field_waits, cache_hits, fields_live, dropped_ticks;
    uint32_t evicted, denied; /* fields; shown once there are any */
    uint64_t state_hash;      /* shown small; 0 = not shown */
} fr_hud;

/* The way that a unit would take, for the preview. */
typedef struct fr_view_route {
    bool arrives;
    double length_cells, eta_s;
    const fr_position *points; /* [point_count] from the unit to the goal; 0 = none is shown */
    int32_t point_count;
} fr_view_route;

/* Whose field the overlays show. */
typedef enum fr_field_owner {
    FR_FIELD_OF_PROBE = 0, /* nobody's: the player asked for it */
    FR_FIELD_OF_SELECTED,
    FR_FIELD_OF_LAST_ORDER,
    FR_FIELD_OWNER_COUNT
} fr_field_owner;

/* All that the view must know of the app. Plain values, borrowed for one call. */
typedef struct fr_view_state {
    int width_px, height_px; /* of the render target */
    fr_camera camera;
    float alpha;            /* 0..1 between the previous and the current tick */
    double time_s;          /* for water and markers; virtual under a script */
    unsigned overlays;      /* fr_overlay bits */
    fr_class overlay_class; /* whose costs, regions and clearance are shown */
    const fr_field *field;  /* for F2, F3, F6 and F7; null = none */
    fr_field_owner field_owner;
    float wave;           /* 0..1: how far the wavefront has come, of the field's largest value */
    uint64_t field_stamp; /* differs whenever `field`'s contents differ: key for cached pictures */
    uint64_t field_name;  /* stays the same as long as `field` is that of the same order or probe */
    fr_field_standing field_standing;
    const uint8_t *selected; /* [unit_count] 0/1 */
    int32_t selected_count;
    bool dragging;    /* selection box */
    float drag_px[4]; /* x0, y0, x1, y1 */
    bool has_marker;  /* order marker */
    fr_position marker;
    double marker_age_s;
    bool marker_unreachable;
    fr_view_route route;
    bool has_probe; /* probe goal */
    fr_position probe;
    bool paused;
    double speed;       /* 1 = normal */
    bool movement_open; /* the panel with what movement is made of */
    fr_mover mover;     /* as it will be from the next tick on, as `without` */
    uint32_t without;   /* mechanisms left out: FR_MECHANISM bits */
    int help_page;      /* from 1; 0: no help is shown */
    const fr_help_line *help;
    int32_t help_count;
    fr_hud hud;
    const char *message; /* one line at the top centre, or null */
    float mouse_px[2];
    const char *title; /* of what runs, for the panel in the corner */
    bool complete;     /* paint everything this frame needs, however long it takes: for screenshots */
} fr_view_state;

typedef struct fr_view_config {
    const char *data_dir;  /* folder with fonts/ (the bundled font), or null */
    const char *font_path; /* --font, or null */
    float ui_scale;        /* 1 = 12 px text */
} fr_view_config;

/* `renderer` and `map` are borrowed. A missing font or image is a warning through `warn` (may be null) and a
 * stand-in. */
fr_view *fr_view_create(struct SDL_Renderer *renderer, const fr_map *map, const fr_view_config *config,
                        void (*warn)(void *self, const char *line), void *warn_self);
void fr_view_destroy(fr_view *view);

/* Draws one frame into the renderer's target; does not present. */
void fr_view_draw(fr_view *view, const fr_snapshot *snapshot, const fr_view_state *state);

/* Textures were lost (SDL_RENDER_TARGETS_RESET / DEVICE_RESET): cached pictures are drawn anew. */
void fr_view_targets_lost(fr_view *view);

/* Panels: the one rule for who owns the mouse. */
typedef enum fr_panel {
    FR_PANEL_NONE = 0,
    FR_PANEL_HUD,
    FR_PANEL_MINIMAP,
    FR_PANEL_BAR,
    FR_PANEL_LEGEND,
    FR_PANEL_MOVEMENT,
    FR_PANEL_HELP
} fr_panel;
typedef struct fr_panel_rect {
    fr_panel panel;
    int x, y, width, height; /* pixels */
} fr_panel_rect;
/* Rectangles of the panels that state shows now; returns their count (at most 8), writes up to capacity. */
int fr_view_panels(const fr_view *view, const fr_view_state *state, fr_panel_rect *out, int capacity);
/* Pages that the help comes to in this window, while it is shown. */
int fr_view_help_pages(const fr_view *view, const fr_view_state *state);
/* Row of the movement panel under a point: 0 the mover, 1.. the mechanisms; -1: none. */
int fr_view_movement_row(const fr_view *view, const fr_view_state *state, float x_px, float y_px);
/* World position under a point of the minimap panel, clamped to the map. */
fr_position fr_view_minimap_position(const fr_view *view, const fr_view_state *state, float x_px, float y_px);

#endif
