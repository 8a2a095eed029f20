/* legend: what the colours of the overlays mean, a line each above the keys at the bottom; and, where an
 * overlay has nothing to show, that it hasn't. */
#ifndef FR_VIEW_LEGEND_H
#define FR_VIEW_LEGEND_H

#include "view/frame.h"
#include "view/layout.h"
#include "view/panel.h"

/* Overlays that are on, the one seen first of all first: at most `most` bits of state->overlays, from the
 * highest down. Returns their count. */
int fr_legend_overlays(unsigned overlays, int most, int *out);

/* Width of an overlay's line (pixels), whatever it says; with or without whose field it shows. */
int fr_legend_width(const fr_metrics *metrics, int overlay, bool names_owner);

void fr_legend_draw(fr_skin *skin, const fr_frame *frame, const fr_layout *layout, fr_draw_list *list);

#endif
