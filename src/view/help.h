/* help: the panel with all keys: how its lines lie in columns and pages, so that they can be read in any
 * window, and drawing it. */
#ifndef FR_VIEW_HELP_H
#define FR_VIEW_HELP_H

#include "view/frame.h"
#include "view/layout.h"
#include "view/panel.h"

/* Where the panel and its lines are; a page that there is not is the last. */
fr_help_layout fr_help_arrange(const fr_metrics *metrics, const fr_view_state *state);

void fr_help_draw(fr_skin *skin, const fr_frame *frame, const fr_help_layout *layout, fr_draw_list *list);

#endif
