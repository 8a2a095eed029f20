/* overlay_arrows: where units would go, one arrow a field cell or, where cells are small, one for several; a
 * dot in goals. For the overlay of F3. */
#ifndef FR_VIEW_OVERLAY_ARROWS_H
#define FR_VIEW_OVERLAY_ARROWS_H

#include "view/frame.h"
#include "view/render_sdl.h"

typedef struct fr_arrows {
    fr_picture *picture; /* an arrow for each heading, or null */
    int size_px;         /* of the arrows in it */
} fr_arrows;

/* All-zero is valid. Drops the picture. */
void fr_arrows_flush(fr_arrows *arrows);

void fr_arrows_draw(fr_arrows *arrows, fr_canvas *canvas, const fr_frame *frame, const fr_field *field,
                    fr_draw_list *list);

#endif
