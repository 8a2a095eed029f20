/* hud: what the panels say: numbers at the top left, keys at the bottom, and a message at the top. */
#ifndef FR_VIEW_HUD_H
#define FR_VIEW_HUD_H

#include "view/frame.h"
#include "view/layout.h"
#include "view/panel.h"

void fr_hud_draw(fr_skin *skin, const fr_frame *frame, const fr_layout *layout, fr_draw_list *list);

/* A number with commas between thousands. `out` needs 32 bytes; returned. */
const char *fr_hud_count(char *out, uint64_t number);

#endif
