/* panel: the one look of everything that lies over the map: near-black, rounded, with one thin light edge. */
#ifndef FR_VIEW_PANEL_H
#define FR_VIEW_PANEL_H

#include "view/text.h"

/* Backgrounds that are kept; one for each panel that can be open at a time. */
#define FR_SKIN_PANELS_KEPT 8

typedef struct fr_skin {
    fr_canvas *canvas; /* borrowed */
    fr_text *text;     /* owned */
    float scale;
    struct {
        fr_picture *picture;
        int width, height;
        uint32_t used;
    } kept[FR_SKIN_PANELS_KEPT];
    uint32_t frame;
} fr_skin;

void fr_skin_init(fr_skin *skin, fr_canvas *canvas, fr_text *text, float scale);
void fr_skin_fini(fr_skin *skin);
/* Drops all pictures. */
void fr_skin_flush(fr_skin *skin);

/* Pixels of a length given at scale 1. */
static inline int fr_skin_px(const fr_skin *skin, int length)
{
    return (int)((float)length * skin->scale + 0.5f);
}

/* Plain text in lines of so many columns, broken between words, `line_px` apart; what needs more than
 * `lines_max` lines is left out. Returns the lines drawn. */
int fr_text_draw_wrapped(fr_skin *skin, fr_draw_list *list, fr_text_color color, float x, float y,
                         int line_px, int columns, int lines_max, const char *utf8);

/* Background of a panel (whole pixels). */
void fr_skin_panel(fr_skin *skin, fr_draw_list *list, fr_rect box);

#endif
