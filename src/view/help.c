#include "view/help.h"

#include <stdio.h>

/* Lengths at scale 1 (pixels). */
#define LINE 18
#define PAD  12

/* Less room than this for the texts beside the keys (columns of text), and they stand below them. */
#define TEXT_COLUMNS_MIN 16

/* Where a line begins. */
typedef struct help_place {
    int page, column, row;
} help_place;

static int rows_of(const fr_help_layout *layout, const char *text)
{
    int rows = layout->stacked;
    do {
        text += fr_text_break(text, layout->text_columns);
        rows++;
    } while (*text != '\0');
    return rows;
}

/* Takes so many rows from `end` on, all in one column; returns where they begin. */
static help_place take_rows(const fr_help_layout *layout, help_place *end, int rows)
{
    if (end->row > 0 && end->row + rows > layout->rows) {
        end->row = 0;
        end->column++;
    }
    if (end->column == layout->columns) {
        end->column = 0;
        end->page++;
    }
    help_place begin = *end;
    end->row += rows;
    return begin;
}

static int count_pages(const fr_help_layout *layout, const fr_view_state *state)
{
    help_place end = {0, 0, 0};
    for (int i = 0; i < state->help_count; i++) {
        take_rows(layout, &end, rows_of(layout, state->help[i].text));
    }
    return end.page + 1;
}

fr_help_layout fr_help_arrange(const fr_metrics *metrics, const fr_view_state *state)
{
    int keys = 0, texts = 0;
    for (int i = 0; i < state->help_count; i++) {
        int key = fr_text_columns(state->help[i].key), text = fr_text_columns(state->help[i].text);
        keys = key > keys ? key : keys;
        texts = text > texts ? text : texts;
    }
    fr_help_layout layout = {.line_px = (int)((float)LINE * metrics->scale + 0.5f),
                             .pad_px = (int)((float)PAD * metrics->scale + 0.5f),
                             .text_columns = texts};
    int pad = layout.pad_px, room = state->width_px - 2 * pad;
    layout.key_px = keys * metrics->bold_column_px + pad;
    /* Texts break into lines where a column as wide as the window can't hold them. */
    int text_room = (room - layout.key_px - pad) / metrics->column_px - 1;
    layout.stacked = text_room < texts && text_room < TEXT_COLUMNS_MIN;
    if (layout.stacked) {
        layout.key_px = 0;
        text_room = (room - pad) / metrics->column_px - 1;
    }
    layout.text_columns = text_room < texts ? (text_room > 1 ? text_room : 1) : texts;
    layout.column_px = layout.key_px + (layout.text_columns + 1) * metrics->column_px + pad;
    layout.rows = (state->height_px - 4 * pad) / layout.line_px - 2;
    layout.rows = layout.rows < 1 ? 1 : layout.rows;
    /* As few columns as do with one page, or as many as there is room for; then all equally long. */
    int columns_max = room / layout.column_px;
    layout.columns = 1;
    while ((layout.pages = count_pages(&layout, state)) > 1 && layout.columns < columns_max) {
        layout.columns++;
    }
    for (layout.rows--; layout.rows > 0 && count_pages(&layout, state) == layout.pages; layout.rows--) {
    }
    layout.rows++;
    layout.page = state->help_page < layout.pages ? state->help_page : layout.pages;
    int width = layout.columns * layout.column_px + pad;
    int height = (layout.rows + 1) * layout.line_px + 2 * pad + layout.line_px / 2;
    width = width < state->width_px ? width : state->width_px;
    height = height < state->height_px ? height : state->height_px;
    layout.box = (fr_rect){(state->width_px - width) / 2, (state->height_px - height) / 2, width, height};
    return layout;
}

static void draw_line(fr_skin *skin, const fr_help_layout *layout, const fr_help_line *line, float x, float y,
                      fr_draw_list *list)
{
    fr_text_draw(skin->text, list, FR_TEXT_BOLD, FR_TEXT_BRIGHT, x, y, line->key);
    y += (float)(layout->stacked * layout->line_px);
    fr_text_draw_wrapped(skin, list, FR_TEXT_MUTED, x + (float)layout->key_px, y, layout->line_px,
                         layout->text_columns, INT32_MAX, line->text);
}

void fr_help_draw(fr_skin *skin, const fr_frame *frame, const fr_help_layout *layout, fr_draw_list *list)
{
    if (layout->box.width < 1) {
        return;
    }
    fr_skin_panel(skin, list, layout->box);
    float left = (float)(layout->box.x + layout->pad_px), top = (float)(layout->box.y + layout->pad_px);
    float x =
        left + fr_text_draw(skin->text, list, FR_TEXT_BOLD, FR_TEXT_BRIGHT, left, top, "Keys and mouse");
    if (layout->pages > 1) {
        char pages[48];
        snprintf(pages, sizeof pages, "%d/%d, F10: %s", layout->page, layout->pages,
                 layout->page < layout->pages ? "more" : "close");
        fr_text_draw(skin->text, list, FR_TEXT_PLAIN, FR_TEXT_MUTED, x + (float)layout->pad_px, top, pages);
    }
    top += (float)(layout->line_px + layout->line_px / 2);
    help_place end = {0, 0, 0};
    for (int i = 0; i < frame->state->help_count; i++) {
        const fr_help_line *line = &frame->state->help[i];
        help_place at = take_rows(layout, &end, rows_of(layout, line->text));
        if (at.page == layout->page - 1) {
            draw_line(skin, layout, line, left + (float)(at.column * layout->column_px),
                      top + (float)(at.row * layout->line_px), list);
        }
    }
}
