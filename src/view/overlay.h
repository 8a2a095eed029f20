/* overlay: what the flow field is made of, laid over the ground: costs (F1), integration (F2), arrows (F3),
 * and what the ground is like: connected regions (F4), clearance (F5). Of several that colour cells the last
 * is seen. Costs and fields are read by copies of the visible rectangle alone. */
#ifndef FR_VIEW_OVERLAY_H
#define FR_VIEW_OVERLAY_H

#include "view/frame.h"
#include "view/text.h"

/* Pixels per cell from which numbers are written, and the grid is drawn. */
#define FR_OVERLAY_COST_NUMBER_ZOOM        18.0
#define FR_OVERLAY_INTEGRATION_NUMBER_ZOOM 34.0 /* of clearance too */
#define FR_OVERLAY_BOTH_ZOOM               46.0 /* numbers and arrows in one cell */
#define FR_OVERLAY_GRID_ZOOM               12.0

typedef struct fr_overlay_painter fr_overlay_painter;

fr_overlay_painter *fr_overlay_create(fr_canvas *canvas, fr_text *text);
void fr_overlay_destroy(fr_overlay_painter *overlay);
/* Drops the pictures. */
void fr_overlay_flush(fr_overlay_painter *overlay);

/* Adds the overlays that the frame's state asks for. */
void fr_overlay_draw(fr_overlay_painter *overlay, const fr_frame *frame, fr_draw_list *list);

#endif
