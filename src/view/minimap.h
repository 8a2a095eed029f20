/* minimap: the whole map in a corner: ground, a dot a unit, and the frame of what the window shows. */
#ifndef FR_VIEW_MINIMAP_H
#define FR_VIEW_MINIMAP_H

#include "view/frame.h"
#include "view/layout.h"
#include "view/overview.h"
#include "view/panel.h"

typedef struct fr_minimap {
    uint32_t *ground; /* [height * width] the map scaled to the panel */
    uint32_t *pixels; /* the same with units */
    int width, height;
    uint32_t version; /* of the overview that ground was made from */
    fr_picture *picture;
} fr_minimap;

/* An all-zero minimap is valid. */
void fr_minimap_fini(fr_minimap *minimap);
/* Drops the picture. */
void fr_minimap_flush(fr_minimap *minimap);

void fr_minimap_draw(fr_minimap *minimap, fr_skin *skin, const fr_frame *frame, const fr_layout *layout,
                     const fr_overview *overview, fr_draw_list *list);

#endif
