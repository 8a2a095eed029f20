/* marker: where orders go: the order marker (diamond in two rings, or a crossed ring where no way leads), the
 * probe's goal, and the selection box while it is dragged. */
#ifndef FR_VIEW_MARKER_H
#define FR_VIEW_MARKER_H

#include "view/frame.h"
#include "view/panel.h"

/* Time for which the order marker is seen; it fades in the last second. */
#define FR_MARKER_S 3.0

typedef struct fr_markers {
    fr_picture *order, *probe;
    uint32_t *pixels; /* of one marker */
    int side;
} fr_markers;

/* An all-zero value is valid. */
void fr_markers_fini(fr_markers *markers);
/* Drops the pictures. */
void fr_markers_flush(fr_markers *markers);
void fr_markers_draw(fr_markers *markers, const fr_skin *skin, const fr_frame *frame, fr_draw_list *list);

#endif
