/* panel: the one look of everything that lies over the map: near-black, rounded, with one thin light edge. */
#ifndef FR_VIEW_PANEL_H
#define FR_VIEW_PANEL_H

#include "view/text.h"

/* Backgrounds that are kept; one for each panel that can be open at a time. */
#define FR_UI_PANELS_KEPT 8

typedef struct fr_ui {
    fr_canvas *canvas; /* borrowed */
    fr_text *text;     /* owned */
    float scale;
    struct {
        fr_picture *picture;
        int width, height;
        uint32_t used;
    } kept[FR_UI_PANELS_KEPT];
    uint32_t frame;
} fr_ui;

void fr_ui_init(fr_ui *ui, fr_canvas *canvas, fr_text *text, float scale);
void fr_ui_fini(fr_ui *ui);
/* Drops all pictures. */
void fr_ui_flush(fr_ui *ui);

/* Pixels of a length given at scale 1. */
static inline int fr_ui_px(const fr_ui *ui, int length)
{
    return (int)((float)length * ui->scale + 0.5f);
}

/* Background of a panel (whole pixels). */
void fr_ui_panel(fr_ui *ui, fr_draw_list *list, fr_rect box);

#endif
