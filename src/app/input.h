/* input: from events to selections, camera, overlays and commands. A state machine over plain events with its
 * own idea of mouse and modifier keys; it asks neither SDL nor a clock, so a table of events is a complete
 * test. */
#ifndef FR_APP_INPUT_H
#define FR_APP_INPUT_H

#include "app/event.h"
#include "app/pick.h"
#include "app/ui.h"
#include "view/view.h"

/* What input looks at, and where its commands go. Borrowed for one call. */
typedef struct fr_input_scene {
    const fr_snapshot *snapshot;
    float alpha;             /* units are picked where they were drawn */
    int width_px, height_px; /* of the drawing */
    float scale_x, scale_y;  /* window coordinates to pixels of the drawing */
    uint64_t now_ns;
    void *self;
    fr_mover mover;   /* as it will be from the next tick on, as `without` */
    uint32_t without; /* mechanisms left out: FR_MECHANISM bits */
    /* fr_view_panels, fr_view_minimap_position, fr_view_movement_row and fr_view_help_pages for what is shown
     * now. */
    int (*panels)(void *self, fr_panel_rect *out, int capacity);
    fr_position (*minimap_position)(void *self, float x_px, float y_px);
    int (*help_pages)(void *self);
    int (*movement_row)(void *self, float x_px, float y_px);
    fr_status (*submit)(void *self, const fr_command *command);
} fr_input_scene;

typedef enum fr_drag {
    FR_DRAG_NONE = 0,
    FR_DRAG_BOX,     /* left button on the map */
    FR_DRAG_PAN,     /* middle button */
    FR_DRAG_MINIMAP, /* left button, begun on the minimap: stays there */
    FR_DRAG_PANEL,   /* begun on another panel: does nothing until it ends */
} fr_drag;

typedef struct fr_input {
    unsigned modifier_keys; /* bit per modifier key that is down */
    float mouse_x, mouse_y; /* pixels of the drawing */
    fr_drag drag;
    float press_x, press_y;
    bool left_dead_zone; /* the drag is more than a shaky click */
    int press_clicks;
    bool aims; /* the right button is held since it sent the selected to a place on the map */
    float aim_x, aim_y;
    int wall_brush; /* 1 puts walls, -1 takes them away, 0 neither */
    fr_cell brush_cell;
    unsigned scroll_held, scroll_tapped; /* bit per fr_direction */
    bool key_was_hotkey;                 /* the text that comes with it is spent */
    int tapped_group;                    /* -1: none */
    uint64_t tapped_ns;
} fr_input;

fr_input fr_input_begin(void);

/* One event. Events must come in their order: down and up may lie in one frame. */
void fr_input_handle(fr_input *input, fr_ui *ui, const fr_input_scene *scene, const fr_input_event *event);

/* Once a frame, after its events: what goes on while keys are held. `seconds` since the last frame. */
void fr_input_frame(fr_input *input, fr_ui *ui, const fr_input_scene *scene, double seconds);

/* Does something go on that needs frames even if nothing else happens? */
bool fr_input_busy(const fr_input *input);

/* The place under the cursor, while the right button is held that sent the selected out. */
bool fr_input_aim(const fr_input *input, const fr_ui *ui, const fr_input_scene *scene, fr_position *place);

/* The selection box in pixels, if one is being drawn. */
bool fr_input_box(const fr_input *input, float box_px[4]);

#endif
