#include "view/movement_panel.h"

#include "view/palette.h"

/* Lengths at scale 1 (pixels). */
#define BOX     8
#define BOX_GAP 5

/* What a row says of its switch. */
typedef struct switch_row {
    const char *name, *help;
    bool is_on, counts; /* counts: it makes a difference as the others stand */
} switch_row;

static switch_row row_of(const fr_view_state *state, int row)
{
    bool ours = state->mover == FR_MOVER_FRESHET;
    if (row == 0) {
        return (switch_row){fr_mover_name(FR_MOVER_FRESHET),
                            "our way of moving; off: the usual recipe of tutorials", ours, true};
    }
    const fr_mechanism *mechanism = &FR_MECHANISMS[row - 1];
    return (switch_row){mechanism->name, mechanism->help, (state->without & mechanism->bit) == 0, ours};
}

int fr_movement_panel_row(const fr_layout *layout, float x_px, float y_px)
{
    const fr_rect *box = &layout->movement;
    float y = y_px - (float)layout->movement_rows_y;
    if (box->width < 1 || x_px < (float)box->x || x_px >= (float)(box->x + box->width) || y < 0.0f) {
        return -1;
    }
    int row = (int)y / layout->movement_line_px;
    return row < FR_MOVEMENT_ROWS ? row : -1;
}

static void draw_switch(fr_skin *skin, bool is_on, bool counts, float x, float y, fr_draw_list *list)
{
    float side = (float)fr_skin_px(skin, BOX), line = (float)fr_skin_px(skin, 1);
    uint32_t color = counts ? FR_COLOR_TEXT : FR_COLOR_MUTED;
    fr_draw_rect(list, color, (fr_box){x, y, side, side});
    if (!is_on) {
        fr_draw_rect(list, FR_COLOR_PANEL, (fr_box){x + line, y + line, side - 2 * line, side - 2 * line});
    }
}

static void draw_row(fr_skin *skin, const fr_view_state *state, const fr_layout *layout, int row,
                     bool is_under, fr_draw_list *list)
{
    switch_row own = row_of(state, row);
    const fr_rect *box = &layout->movement;
    float x = (float)(box->x + layout->movement_pad_px);
    float y = (float)(layout->movement_rows_y + row * layout->movement_line_px);
    float height = (float)layout->movement_line_px;
    if (is_under) {
        float edge = (float)fr_skin_px(skin, 1);
        fr_draw_rect(list, FR_COLOR_PANEL_EDGE,
                     (fr_box){(float)box->x + edge, y, (float)box->width - 2 * edge, height});
    }
    draw_switch(skin, own.is_on, own.counts, x, y + (height - (float)fr_skin_px(skin, BOX)) * 0.5f, list);
    x += (float)fr_skin_px(skin, BOX + BOX_GAP);
    float text_y = y + (height - (float)fr_text_line_px(skin->text, FR_TEXT_PLAIN)) * 0.5f;
    char digit[2] = {(char)('0' + row), '\0'};
    x += fr_text_draw(skin->text, list, FR_TEXT_PLAIN, FR_TEXT_MUTED, x, text_y, digit) +
         (float)fr_skin_px(skin, BOX_GAP);
    fr_text_draw(skin->text, list, FR_TEXT_PLAIN,
                 !own.counts ? FR_TEXT_MUTED
                 : own.is_on ? FR_TEXT_BRIGHT
                             : FR_TEXT_ACCENT,
                 x, text_y, own.name);
    if (layout->movement_is_wide) {
        const char *word = own.is_on ? "on" : "off";
        x = (float)(box->x + box->width - layout->movement_pad_px) -
            fr_text_width(skin->text, FR_TEXT_PLAIN, word);
        fr_text_draw(skin->text, list, FR_TEXT_PLAIN,
                     own.is_on || !own.counts ? FR_TEXT_MUTED : FR_TEXT_ACCENT, x, text_y, word);
    }
}

void fr_movement_panel_draw(fr_skin *skin, const fr_frame *frame, const fr_layout *layout, fr_draw_list *list)
{
    const fr_rect *box = &layout->movement;
    if (box->width < 1) {
        return;
    }
    const fr_view_state *state = frame->state;
    fr_skin_panel(skin, list, *box);
    float x = (float)(box->x + layout->movement_pad_px), y = (float)(box->y + layout->movement_pad_px);
    fr_text_draw(skin->text, list, FR_TEXT_BOLD, FR_TEXT_BRIGHT, x, y, "Movement");
    int under = fr_movement_panel_row(layout, state->mouse_px[0], state->mouse_px[1]);
    for (int row = 0; row < FR_MOVEMENT_ROWS; row++) {
        draw_row(skin, state, layout, row, row == under, list);
    }
    if (layout->movement_has_help) {
        y = (float)(layout->movement_rows_y + FR_MOVEMENT_ROWS * layout->movement_line_px +
                    layout->movement_line_px / 2);
        int columns =
            (box->width - 2 * layout->movement_pad_px) / fr_text_column_px(skin->text, FR_TEXT_PLAIN);
        fr_text_draw_wrapped(skin, list, FR_TEXT_MUTED, x, y, layout->movement_line_px, columns,
                             FR_MOVEMENT_HELP_LINES,
                             under >= 0 ? row_of(state, under).help : "click, or press the digit, to switch");
    }
}
