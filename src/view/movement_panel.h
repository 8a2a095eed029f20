/* movement_panel: what movement is made of, at the side: each mechanism with its switch, and what it does.
 * The player opens it. */
#ifndef FR_VIEW_MOVEMENT_PANEL_H
#define FR_VIEW_MOVEMENT_PANEL_H

#include "view/frame.h"
#include "view/layout.h"
#include "view/panel.h"

/* Row under a point: 0 the mover, 1.. the mechanisms in the order of their table; -1: none. */
int fr_movement_panel_row(const fr_layout *layout, float x_px, float y_px);

void fr_movement_panel_draw(fr_skin *skin, const fr_frame *frame, const fr_layout *layout,
                            fr_draw_list *list);

#endif
