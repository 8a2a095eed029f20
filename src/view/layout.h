/* layout: where the panels are. Pure arithmetic on the window's size, so that drawing and the mouse agree.
 * Panels stay out of the middle 60 % of the window; one that can't is left out. The help panel, which the
 * player opens, may cover it. */
#ifndef FR_VIEW_LAYOUT_H
#define FR_VIEW_LAYOUT_H

#include "view/view.h"

/* What the text measures (pixels). */
typedef struct fr_metrics {
    float scale;
    int column_px, bold_column_px; /* of plain and bold text */
} fr_metrics;

#define FR_HUD_ROWS_MAX  8
#define FR_BAR_LINES_MAX 12

/* Rows of the movement panel: the mover, and the mechanisms; and lines that say what one does. */
#define FR_MOVEMENT_ROWS       (1 + FR_MECHANISM_COUNT)
#define FR_MOVEMENT_HELP_LINES 3

/* Lines of help in columns and pages (help.h). */
typedef struct fr_help_layout {
    fr_rect box;                  /* width 0: not shown */
    int page, pages;              /* from 1 */
    int columns, rows, column_px; /* of a page */
    int key_px, text_columns;     /* of a column: width of the keys; letters of a text in a row */
    bool stacked;                 /* texts stand below their keys */
    int line_px, pad_px;
} fr_help_layout;

typedef struct fr_layout {
    fr_rect hud, minimap, minimap_map, bar; /* width 0: not shown */
    int hud_rows;                           /* that fit, the title included */
    fr_help_layout help;
    int line_px; /* from row to row */
    fr_rect legend;
    int legend_rows, legend_pad_x, legend_pad_y;
    bool legend_names_owner; /* there is room to say whose field is shown */
    fr_rect movement;
    int movement_line_px, movement_pad_px, movement_rows_y;
    bool movement_is_wide, movement_has_help;   /* with words; with what each does */
    int bar_items, bar_lines[FR_BAR_LINES_MAX]; /* lines of help that the bar shows */
} fr_layout;

fr_layout fr_layout_make(const fr_metrics *metrics, const fr_view_state *state, fr_grid grid);

/* Columns that a UTF-8 text takes in a monospaced font. */
int fr_text_columns(const char *utf8);

/* Bytes of a text that go into a line of that many columns: up to the end of a word where that is possible,
 * at least one letter of a text that is not empty. */
int fr_text_break(const char *utf8, int columns);

#endif
