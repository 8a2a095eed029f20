/* frame: what all parts of the picture share while one frame is made: what is shown, and the rule that turns
 * cells into whole pixels. The corner of the map lies on a whole pixel, so cached pictures are copied
 * unscaled. */
#ifndef FR_VIEW_FRAME_H
#define FR_VIEW_FRAME_H

#include "view/draw_list.h"
#include "view/view.h"

typedef struct fr_frame {
    const fr_snapshot *snapshot;
    const fr_view_state *state;
    int width_px, height_px;
    fr_camera camera;           /* clamped */
    double zoom;                /* pixels per cell */
    int32_t origin_x, origin_y; /* screen pixel of the map's top left corner */
    fr_rect cells;              /* visible, clipped to the map */
} fr_frame;

fr_frame fr_frame_begin(const fr_snapshot *snapshot, const fr_view_state *state);

/* Screen position of a point of the map. */
static inline float fr_frame_x(const fr_frame *frame, double x)
{
    return (float)(x * frame->zoom + frame->origin_x);
}

static inline float fr_frame_y(const fr_frame *frame, double y)
{
    return (float)(y * frame->zoom + frame->origin_y);
}

#endif
