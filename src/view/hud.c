#include "view/hud.h"

#include <stdio.h>
#include <string.h>

/* Lengths at scale 1 (pixels). */
#define PAD         12
#define VALUE_1     66
#define LABEL_2     130
#define VALUE_2     172
#define BAR_GAP     22
#define MESSAGE_PAD 18
#define MARGIN      12

#define CELL_BYTES 48

#define PAUSED "paused"

/* Place below the title of the row that says how fast the game runs. */
#define SPEED_ROW 3

/* One row of the panel: two labels, two values. */
typedef struct hud_row {
    const char *labels[2];
    char values[2][CELL_BYTES];
    bool accent[2];
} hud_row;

const char *fr_hud_count(char *out, uint64_t number)
{
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);
    char *at = out;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            *at++ = ',';
        }
        *at++ = digits[i];
    }
    *at = '\0';
    return out;
}

static int32_t living(const fr_snapshot *snapshot)
{
    int32_t count = 0;
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        count += snapshot->state[i] != FR_UNIT_GONE;
    }
    return count;
}

static void write_ms(char *out, double ms)
{
    snprintf(out, CELL_BYTES, ms >= 100.0 ? "%.0f ms" : "%.1f ms", ms);
}

static int count_bits(uint32_t bits)
{
    int count = 0;
    for (; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
}

/* All rows below the title, the most telling first; returns their count. */
static int gather_rows(const fr_frame *frame, hud_row *rows)
{
    const fr_view_state *state = frame->state;
    const fr_hud *hud = &state->hud;
    hud_row *row = rows;
    row->labels[0] = "units";
    fr_hud_count(row->values[0], (uint64_t)living(frame->snapshot));
    row->labels[1] = "sel";
    fr_hud_count(row->values[1], (uint64_t)(state->selected_count > 0 ? state->selected_count : 0));
    row++;
    row->labels[0] = "tick";
    write_ms(row->values[0], hud->tick_ms);
    row->labels[1] = "fps";
    snprintf(row->values[1], CELL_BYTES, "%.0f", hud->fps);
    row++;
    row->labels[0] = "field";
    write_ms(row->values[0], hud->field_ms);
    row->labels[1] = "wait";
    fr_hud_count(row->values[1], hud->field_waits);
    row++;
    uint32_t seconds = frame->snapshot->tick / FR_TICK_HZ;
    row->labels[0] = "time";
    snprintf(row->values[0], CELL_BYTES, "%u:%02u", (unsigned)(seconds / 60), (unsigned)(seconds % 60));
    row->labels[1] = "speed";
    snprintf(row->values[1], CELL_BYTES, "%gx", state->speed);
    if (state->paused) {
        snprintf(row->values[1], CELL_BYTES, PAUSED);
        row->accent[1] = true;
    }
    row++;
    row->labels[0] = "fields";
    fr_hud_count(row->values[0], hud->fields_live);
    row->labels[1] = "cache";
    fr_hud_count(row->values[1], hud->cache_hits);
    row++;
    if (state->mover != FR_MOVER_FRESHET || state->without != 0) {
        row->labels[0] = "mover";
        snprintf(row->values[0], CELL_BYTES, "%s", fr_mover_name(state->mover));
        row->accent[0] = state->mover != FR_MOVER_FRESHET;
        row->labels[1] = "off";
        fr_hud_count(row->values[1], (uint64_t)count_bits(state->without));
        row->accent[1] = state->without != 0;
        row++;
    }
    if (hud->evicted > 0 || hud->denied > 0) {
        row->labels[0] = "evict";
        fr_hud_count(row->values[0], hud->evicted);
        row->labels[1] = "deny";
        fr_hud_count(row->values[1], hud->denied);
        row->accent[1] = hud->denied > 0;
        row++;
    }
    if (hud->dropped_ticks > 0 || hud->state_hash != 0) {
        row->labels[0] = "hash";
        snprintf(row->values[0], CELL_BYTES, "%08x", (unsigned)(hud->state_hash >> 32));
        row->labels[1] = "drop";
        fr_hud_count(row->values[1], hud->dropped_ticks);
        row->accent[1] = hud->dropped_ticks > 0;
        row++;
    }
    return (int)(row - rows);
}

/* Copies a text, cut to so many columns with an ellipsis. */
static void fitted(const char *utf8, int columns, char *out, size_t size)
{
    bool cut = fr_text_columns(utf8) > columns;
    int room = cut ? columns - 1 : columns;
    size_t used = 0;
    for (const char *at = utf8; *at != '\0' && used + 4 < size; at++) {
        if (((unsigned char)*at & 0xc0) != 0x80 && room-- <= 0) {
            break;
        }
        out[used++] = *at;
    }
    snprintf(out + used, size - used, "%s", cut && columns > 0 ? "\xe2\x80\xa6" : "");
}

/* What runs, the size of its map, and whether it stands still, if the row that says so did not fit. */
static void draw_title(fr_skin *skin, const fr_frame *frame, fr_rect inner, bool with_pause,
                       fr_draw_list *list)
{
    char size[CELL_BYTES], name[128];
    snprintf(size, sizeof size, "%d x %d", (int)frame->snapshot->grid.width,
             (int)frame->snapshot->grid.height);
    bool paused = with_pause && frame->state->paused;
    int columns = inner.width / fr_text_column_px(skin->text, FR_TEXT_BOLD) - (int)strlen(size) - 1;
    columns -= paused ? (int)strlen(PAUSED) + 1 : 0;
    fitted(frame->state->title == NULL ? "" : frame->state->title, columns, name, sizeof name);
    float x = (float)inner.x, y = (float)inner.y, gap = (float)fr_skin_px(skin, 10);
    x += fr_text_draw(skin->text, list, FR_TEXT_BOLD, FR_TEXT_BRIGHT, x, y, name) + gap;
    x += fr_text_draw(skin->text, list, FR_TEXT_PLAIN, FR_TEXT_MUTED, x, y, size) + gap;
    if (paused) {
        fr_text_draw(skin->text, list, FR_TEXT_PLAIN, FR_TEXT_ACCENT, x, y, PAUSED);
    }
}

static void draw_numbers(fr_skin *skin, const fr_frame *frame, const fr_layout *layout, fr_draw_list *list)
{
    if (layout->hud_rows < 1) {
        return;
    }
    hud_row rows[FR_HUD_ROWS_MAX];
    memset(rows, 0, sizeof rows);
    int count = gather_rows(frame, rows);
    count = count < layout->hud_rows - 1 ? count : layout->hud_rows - 1;
    int pad = fr_skin_px(skin, PAD);
    fr_rect box = layout->hud;
    box.height = 2 * pad + (count + 1) * layout->line_px;
    fr_skin_panel(skin, list, box);
    fr_rect inner = {box.x + pad, box.y + pad, box.width - 2 * pad, box.height - 2 * pad};
    draw_title(skin, frame, inner, count <= SPEED_ROW, list);
    const int columns_x[4] = {0, VALUE_1, LABEL_2, VALUE_2};
    for (int i = 0; i < count; i++) {
        float y = (float)(inner.y + (i + 1) * layout->line_px);
        for (int k = 0; k < 2; k++) {
            float label_x = (float)(inner.x + fr_skin_px(skin, columns_x[2 * k]));
            float value_x = (float)(inner.x + fr_skin_px(skin, columns_x[2 * k + 1]));
            fr_text_draw(skin->text, list, FR_TEXT_PLAIN, FR_TEXT_MUTED, label_x, y, rows[i].labels[k]);
            fr_text_draw(skin->text, list, FR_TEXT_PLAIN, rows[i].accent[k] ? FR_TEXT_ACCENT : FR_TEXT_BRIGHT,
                         value_x, y, rows[i].values[k]);
        }
    }
}

static float middle(const fr_skin *skin, const fr_rect *box, fr_text_style style)
{
    return (float)box->y + (float)(box->height - fr_text_line_px(skin->text, style)) * 0.5f;
}

static void draw_bar(fr_skin *skin, const fr_frame *frame, const fr_layout *layout, fr_draw_list *list)
{
    if (layout->bar_items == 0) {
        return;
    }
    fr_skin_panel(skin, list, layout->bar);
    float x = (float)(layout->bar.x + fr_skin_px(skin, PAD));
    for (int i = 0; i < layout->bar_items; i++) {
        const fr_help_line *line = &frame->state->help[layout->bar_lines[i]];
        x += fr_text_draw(skin->text, list, FR_TEXT_BOLD, FR_TEXT_BRIGHT, x,
                          middle(skin, &layout->bar, FR_TEXT_BOLD), line->key);
        x += (float)fr_text_column_px(skin->text, FR_TEXT_PLAIN);
        x += fr_text_draw(skin->text, list, FR_TEXT_PLAIN, FR_TEXT_MUTED, x,
                          middle(skin, &layout->bar, FR_TEXT_PLAIN), line->bar);
        x += (float)fr_skin_px(skin, BAR_GAP);
    }
}

static void draw_message(fr_skin *skin, const fr_frame *frame, const fr_layout *layout, fr_draw_list *list)
{
    const char *message = frame->state->message;
    if (message == NULL || message[0] == '\0') {
        return;
    }
    int pad = fr_skin_px(skin, MESSAGE_PAD), margin = fr_skin_px(skin, MARGIN);
    int left = layout->hud.width > 0 ? layout->hud.x + layout->hud.width + margin : margin;
    int right = (layout->movement.width > 0 ? layout->movement.x : frame->width_px) - margin;
    int room = (right - left - 2 * pad) / fr_text_column_px(skin->text, FR_TEXT_PLAIN);
    int height = fr_skin_px(skin, 28);
    if (room < 4 || margin + height > frame->height_px / 2) {
        return;
    }
    char line[512];
    fitted(message, room, line, sizeof line);
    int width = (int)fr_text_width(skin->text, FR_TEXT_PLAIN, line) + 2 * pad;
    fr_rect box = {(frame->width_px - width) / 2, margin, width, height};
    box.x = box.x > right - width ? right - width : box.x;
    box.x = box.x < left ? left : box.x;
    fr_rect under_help = fr_rect_intersect(box, layout->help.box);
    if (under_help.width > 0 && under_help.height > 0) {
        return;
    }
    fr_skin_panel(skin, list, box);
    fr_text_draw(skin->text, list, FR_TEXT_PLAIN, FR_TEXT_BRIGHT, (float)(box.x + pad),
                 middle(skin, &box, FR_TEXT_PLAIN), line);
}

void fr_hud_draw(fr_skin *skin, const fr_frame *frame, const fr_layout *layout, fr_draw_list *list)
{
    draw_numbers(skin, frame, layout, list);
    draw_bar(skin, frame, layout, list);
    draw_message(skin, frame, layout, list);
}
