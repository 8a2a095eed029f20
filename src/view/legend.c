#include "view/legend.h"

#include <math.h>

#include "view/overlay_clearance.h"
#include "view/overlay_congestion.h"
#include "view/overlay_threat.h"
#include "view/palette.h"

/* Lengths at scale 1 (pixels). */
#define SWATCH 10
#define GAP    6

#define SWATCHES_MAX 6
#define PARTS_MAX    4

/* Swatches in a row, and what they mean. */
typedef struct legend_part {
    uint32_t colors[SWATCHES_MAX];
    int color_count;
    const char *text;
} legend_part;

typedef struct legend_line {
    const char *name;
    legend_part parts[PARTS_MAX]; /* up to the first without a text */
} legend_line;

static const legend_part WALLS = {{FR_COLOR_WALL_TINT}, 1, "wall"};

/* From few to many. */
static uint32_t ramp_color(int overlay, float share)
{
    switch (1 << overlay) {
    case FR_OVERLAY_COST:
        return fr_palette_viridis(share);
    case FR_OVERLAY_CLEARANCE:
        return fr_clearance_color((uint16_t)(share * 10 * FR_CLEARANCE_MAX));
    case FR_OVERLAY_THREAT:
        return fr_threat_color((uint32_t)powf(254.0f, share));
    case FR_OVERLAY_CONGESTION:
        return fr_jam_color((uint32_t)(share * 24.0f));
    default:
        return fr_palette_viridis(1.0f - share);
    }
}

static legend_part ramp(int overlay, const char *text)
{
    legend_part part = {.color_count = SWATCHES_MAX, .text = text};
    for (int i = 0; i < SWATCHES_MAX; i++) {
        part.colors[i] = ramp_color(overlay, (float)i / (SWATCHES_MAX - 1));
    }
    return part;
}

static legend_part words(const char *text)
{
    return (legend_part){.text = text};
}

static legend_line line_of(int overlay)
{
    legend_line line = {.name = fr_overlay_name(overlay)};
    legend_part *part = line.parts;
    switch (1 << overlay) {
    case FR_OVERLAY_COST:
        part[0] = ramp(overlay, "1 to 32 and more");
        part[1] = WALLS;
        break;
    case FR_OVERLAY_INTEGRATION:
        part[0] = ramp(overlay, "near, far");
        part[1] = (legend_part){{FR_COLOR_BONE}, 1, "equally far"};
        part[2] = (legend_part){{FR_COLOR_NO_WAY}, 1, "no way"};
        part[3] = WALLS;
        break;
    case FR_OVERLAY_ARROWS:
        part[0] = words("where units go from there; dot: goal");
        break;
    case FR_OVERLAY_REGIONS:
        part[0] = words("one colour: ground that is connected");
        part[1] = WALLS;
        break;
    case FR_OVERLAY_CLEARANCE:
        part[0] = ramp(overlay, "0 to 10 cells to a wall");
        part[1] = WALLS;
        break;
    case FR_OVERLAY_WAVEFRONT:
        part[0] = (legend_part){{FR_COLOR_BONE}, 1, "front; Page Up, Down move it"};
        break;
    case FR_OVERLAY_SECTORS:
        part[0] = (legend_part){{FR_COLOR_SECTOR_BUILT}, 1, "built"};
        part[1] = (legend_part){{FR_COLOR_SECTOR_FRESH}, 1, "just now"};
        part[2] = (legend_part){{FR_COLOR_SECTOR_STALE}, 1, "out of date"};
        break;
    case FR_OVERLAY_THREAT:
        part[0] = ramp(overlay, "1 to 254 dearer");
        break;
    default:
        part[0] = ramp(overlay, "1 to 3 times dearer and more");
        break;
    }
    return line;
}

static bool is_of_field(int overlay)
{
    return (FR_OVERLAYS_OF_FIELD >> overlay & 1u) != 0;
}

static const char *const OWNERS[FR_FIELD_OWNER_COUNT] = {[FR_FIELD_OF_PROBE] = "to the probe goal",
                                                         [FR_FIELD_OF_SELECTED] = "of the selected",
                                                         [FR_FIELD_OF_LAST_ORDER] = "of the last order"};

static int owner_columns(void)
{
    int most = 0;
    for (int i = 0; i < FR_FIELD_OWNER_COUNT; i++) {
        int columns = fr_text_columns(OWNERS[i]);
        most = columns > most ? columns : most;
    }
    return most;
}

#define NO_FIELD       "no field to show: its goal is in a wall"
#define NO_THREAT      "there is no threat"
#define NO_JAM         "no crowd is in the way of an order"
#define CONGESTION_OFF "switched off here"

/* What is to be said where an overlay has nothing to show; null where it has. */
static const char *nothing_of(int overlay, const fr_frame *frame)
{
    if (is_of_field(overlay)) {
        return frame->state->field == NULL ? NO_FIELD : NULL;
    }
    if (1 << overlay == FR_OVERLAY_THREAT) {
        return fr_threats_any(frame->snapshot->cost) ? NULL : NO_THREAT;
    }
    if (1 << overlay == FR_OVERLAY_CONGESTION && frame->snapshot->jams == 0) {
        return frame->snapshot->congestion ? NO_JAM : CONGESTION_OFF;
    }
    return NULL;
}

/* The longest of what `nothing_of` may say. */
static int nothing_columns(int overlay)
{
    return is_of_field(overlay)                    ? fr_text_columns(NO_FIELD)
           : 1 << overlay == FR_OVERLAY_THREAT     ? fr_text_columns(NO_THREAT)
           : 1 << overlay == FR_OVERLAY_CONGESTION ? fr_text_columns(NO_JAM)
                                                   : 0;
}

static float px(float scale, int length)
{
    return (float)(int)((float)length * scale + 0.5f);
}

int fr_legend_overlays(unsigned overlays, int most, int *out)
{
    int count = 0;
    for (int overlay = FR_OVERLAY_COUNT - 1; overlay >= 0 && count < most; overlay--) {
        if ((overlays >> overlay & 1u) != 0) {
            out[count++] = overlay;
        }
    }
    return count;
}

int fr_legend_width(const fr_metrics *metrics, int overlay, bool names_owner)
{
    legend_line line = line_of(overlay);
    float width = 0.0f;
    for (int i = 0; i < PARTS_MAX && line.parts[i].text != NULL; i++) {
        const legend_part *part = &line.parts[i];
        width += (float)(fr_text_columns(part->text) * metrics->column_px) + px(metrics->scale, 2 * GAP) +
                 (float)part->color_count * px(metrics->scale, SWATCH) +
                 (part->color_count > 0 ? px(metrics->scale, GAP) : 0.0f);
    }
    if (names_owner && is_of_field(overlay)) {
        width += (float)(owner_columns() * metrics->column_px) + px(metrics->scale, 2 * GAP);
    }
    float nothing = (float)(nothing_columns(overlay) * metrics->column_px) + px(metrics->scale, 2 * GAP);
    return (int)(width > nothing ? width : nothing) + fr_text_columns(line.name) * metrics->bold_column_px;
}

static float draw_part(fr_skin *skin, const legend_part *part, float x, float y, fr_draw_list *list)
{
    float side = px(skin->scale, SWATCH);
    float down = ((float)fr_text_line_px(skin->text, FR_TEXT_PLAIN) - side) * 0.5f;
    for (int i = 0; i < part->color_count; i++) {
        fr_draw_rect(list, part->colors[i], (fr_box){x, floorf(y + down), side, side});
        x += side;
    }
    x += part->color_count > 0 ? px(skin->scale, GAP) : 0.0f;
    x += fr_text_draw(skin->text, list, FR_TEXT_PLAIN, FR_TEXT_MUTED, x, y, part->text);
    return x + px(skin->scale, 2 * GAP);
}

void fr_legend_draw(fr_skin *skin, const fr_frame *frame, const fr_layout *layout, fr_draw_list *list)
{
    if (layout->legend.width < 1) {
        return;
    }
    fr_skin_panel(skin, list, layout->legend);
    int shown[FR_OVERLAY_COUNT];
    int count = fr_legend_overlays(frame->state->overlays, layout->legend_rows, shown);
    for (int i = 0; i < count; i++) {
        float x = (float)(layout->legend.x + layout->legend_pad_x);
        float y = (float)(layout->legend.y + layout->legend_pad_y + i * layout->line_px);
        legend_line line = line_of(shown[i]);
        const char *nothing = nothing_of(shown[i], frame);
        x += fr_text_draw(skin->text, list, FR_TEXT_BOLD, FR_TEXT_BRIGHT, x, y, line.name) +
             px(skin->scale, 2 * GAP);
        if (nothing != NULL) {
            fr_text_draw(skin->text, list, FR_TEXT_PLAIN, FR_TEXT_ACCENT, x, y, nothing);
        }
        for (int k = 0; nothing == NULL && k < PARTS_MAX && line.parts[k].text != NULL; k++) {
            x = draw_part(skin, &line.parts[k], x, y, list);
        }
        if (nothing == NULL && layout->legend_names_owner && is_of_field(shown[i])) {
            fr_text_draw(skin->text, list, FR_TEXT_PLAIN, FR_TEXT_BRIGHT, x, y,
                         OWNERS[frame->state->field_owner]);
        }
    }
}
