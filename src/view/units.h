/* units: the crowd as the camera sees it. Interpolates, culls, and adds one quad a unit to the draw list, or
 * one dot when units are smaller than a few pixels. */
#ifndef FR_VIEW_UNITS_H
#define FR_VIEW_UNITS_H

#include "view/atlas.h"
#include "view/frame.h"

/* Units of a smaller diameter (pixels) are dots. */
#define FR_UNIT_DOT_PX 4.0f

typedef struct fr_unit_mark fr_unit_mark; /* one unit in view */

/* Working memory, kept from frame to frame. All-zero is valid. */
typedef struct fr_unit_painter {
    fr_unit_mark *marks, *sorted; /* [capacity] */
    int32_t capacity;
    int32_t *starts; /* counting sort */
    int32_t start_capacity;
} fr_unit_painter;

void fr_unit_painter_fini(fr_unit_painter *painter);

/* Adds the units in view to the list, further up first. Returns how many there are. */
int32_t fr_units_draw(fr_unit_painter *painter, fr_atlas *atlas, const fr_frame *frame, fr_draw_list *list);

#endif
