/* text: monospaced text through a glyph atlas, colours and outlines baked in. Any UTF-8; letters that the
 * font lacks come from a system font if there is one. The only file that sees SDL2_ttf. Without a font
 * everything here draws nothing and the game goes on. */
#ifndef FR_VIEW_TEXT_H
#define FR_VIEW_TEXT_H

#include "view/render_sdl.h"

typedef enum fr_text_style {
    FR_TEXT_PLAIN = 0, /* 12 px at scale 1 */
    FR_TEXT_BOLD,      /* 13 px */
    FR_TEXT_NUMBER,    /* 10 px with a dark outline: numbers in cells */
    FR_TEXT_STYLE_COUNT
} fr_text_style;

typedef enum fr_text_color {
    FR_TEXT_BRIGHT = 0,
    FR_TEXT_MUTED,
    FR_TEXT_ACCENT,
    FR_TEXT_COLOR_COUNT
} fr_text_color;

typedef struct fr_text fr_text;

/* Looks for the font: `font_path`, `data_dir`/fonts, then the system's places. `warn` may be null. */
fr_text *fr_text_create(fr_canvas *canvas, const char *font_path, const char *data_dir, float scale,
                        void (*warn)(void *self, const char *line), void *warn_self);
void fr_text_destroy(fr_text *text);
/* Drops all pictures. */
void fr_text_flush(fr_text *text);

/* Pixels of one column (every letter of the font has this width), and from line to line. */
int fr_text_column_px(const fr_text *text, fr_text_style style);
int fr_text_line_px(const fr_text *text, fr_text_style style);

/* Width of a line (pixels), and drawing it with its top left corner at (x, y), a line high. Control
 * characters and bytes that are not UTF-8 show as a replacement sign. Returns the width. */
float fr_text_width(fr_text *text, fr_text_style style, const char *utf8);
float fr_text_draw(fr_text *text, fr_draw_list *list, fr_text_style style, fr_text_color color, float x,
                   float y, const char *utf8);

#endif
