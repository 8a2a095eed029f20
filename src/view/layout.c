#include "view/layout.h"

#include "view/help.h"
#include "view/legend.h"

/* Lengths at scale 1 (pixels). */
#define MARGIN         12
#define LINE           18
#define PAD            12
#define HUD_WIDTH      240
#define BAR_HEIGHT     32
#define BAR_GAP        22
#define LEGEND_GAP     4
#define LEGEND_PAD     2
#define MINIMAP_PAD    8
#define MINIMAP_WIDTH  200
#define MINIMAP_HEIGHT 160

/* The movement panel: from this width on it has words, else it is that narrow. */
#define MOVEMENT_WIDE       180
#define MOVEMENT_NARROW     116
#define MOVEMENT_SMALL_PAD  8
#define MOVEMENT_SMALL_LINE 16

/* Share of the window on each side that panels may use: what is left is the middle 60 %. */
#define RIM_PERCENT 20

typedef struct layout_ruler {
    const fr_metrics *metrics;
    int width, height; /* of the window */
    int rim_x, rim_y;
} layout_ruler;

static int px(const layout_ruler *ruler, int length)
{
    return (int)((float)length * ruler->metrics->scale + 0.5f);
}

int fr_text_columns(const char *utf8)
{
    int columns = 0;
    for (; *utf8 != '\0'; utf8++) {
        columns += ((unsigned char)*utf8 & 0xc0) != 0x80;
    }
    return columns;
}

int fr_text_break(const char *text, int columns)
{
    int bytes = 0, last_space = 0;
    for (int used = 0; text[bytes] != '\0'; bytes++) {
        last_space = text[bytes] == ' ' ? bytes : last_space;
        used += ((unsigned char)text[bytes] & 0xc0) != 0x80;
        if (used > columns) {
            break;
        }
    }
    if (text[bytes] == '\0' || last_space == 0) {
        return bytes > 0 ? bytes : text[0] != '\0';
    }
    return last_space + 1;
}

static void place_hud(const layout_ruler *ruler, fr_layout *layout)
{
    int margin = px(ruler, MARGIN), width = px(ruler, HUD_WIDTH);
    bool beside = margin + width <= ruler->rim_x;
    int room = (beside ? ruler->height / 2 : ruler->rim_y) - margin - 2 * px(ruler, PAD);
    int rows = room / px(ruler, LINE);
    if (rows < 1 || 2 * margin + width > ruler->width) {
        return;
    }
    layout->hud_rows = rows < FR_HUD_ROWS_MAX ? rows : FR_HUD_ROWS_MAX;
    layout->hud = (fr_rect){margin, margin, width, 2 * px(ruler, PAD) + layout->hud_rows * px(ruler, LINE)};
}

static void place_minimap(const layout_ruler *ruler, fr_grid grid, fr_layout *layout)
{
    int margin = px(ruler, MARGIN), pad = px(ruler, MINIMAP_PAD);
    int width = px(ruler, MINIMAP_WIDTH), height = px(ruler, MINIMAP_HEIGHT);
    width = width < ruler->rim_x - margin ? width : ruler->rim_x - margin;
    height = height < ruler->height / 3 ? height : ruler->height / 3;
    int map_width = width - 2 * pad, map_height = height - 2 * pad;
    if (map_width < 24 || map_height < 24) {
        return;
    }
    /* The map's shape in the room there is; a thread of a map still gets a few pixels. */
    int64_t fit = (int64_t)map_width * grid.height / grid.width;
    if (fit > map_height) {
        map_width = (int)((int64_t)map_height * grid.width / grid.height);
    } else {
        map_height = (int)fit;
    }
    map_width = map_width < 8 ? 8 : map_width;
    map_height = map_height < 8 ? 8 : map_height;
    fr_rect *panel = &layout->minimap;
    panel->width = map_width + 2 * pad;
    panel->height = map_height + 2 * pad;
    panel->x = ruler->width - margin - panel->width;
    panel->y = ruler->height - margin - panel->height;
    layout->minimap_map = (fr_rect){panel->x + pad, panel->y + pad, map_width, map_height};
}

static int bar_item_px(const layout_ruler *ruler, const fr_help_line *line)
{
    return fr_text_columns(line->key) * ruler->metrics->bold_column_px +
           (fr_text_columns(line->bar) + 1) * ruler->metrics->column_px;
}

/* As many lines as fit from the first on; the last, which leads to all others, before any of them. */
static void place_bar(const layout_ruler *ruler, const fr_view_state *state, fr_layout *layout)
{
    int margin = px(ruler, MARGIN), height = px(ruler, BAR_HEIGHT);
    int end = layout->minimap.width > 0 ? layout->minimap.x : ruler->width;
    int room = end - 2 * margin - 2 * px(ruler, PAD);
    if (margin + height > ruler->rim_y) {
        return;
    }
    int last = state->help_count - 1;
    while (last >= 0 && state->help[last].bar == NULL) {
        last--;
    }
    int used = last >= 0 ? bar_item_px(ruler, &state->help[last]) : 0;
    if (last < 0 || used > room) {
        return;
    }
    for (int i = 0; i < last && layout->bar_items < FR_BAR_LINES_MAX - 1; i++) {
        if (state->help[i].bar == NULL) {
            continue;
        }
        int item = bar_item_px(ruler, &state->help[i]) + px(ruler, BAR_GAP);
        if (used + item > room) {
            break;
        }
        used += item;
        layout->bar_lines[layout->bar_items++] = i;
    }
    layout->bar_lines[layout->bar_items++] = last;
    layout->bar = (fr_rect){margin, ruler->height - margin - height, used + 2 * px(ruler, PAD), height};
}

static int legend_width(const layout_ruler *ruler, const int *overlays, int rows, bool names_owner)
{
    int width = 0;
    for (int i = 0; i < rows; i++) {
        int line = fr_legend_width(ruler->metrics, overlays[i], names_owner);
        width = line > width ? line : width;
    }
    return width + 2 * px(ruler, PAD);
}

/* Above the bar, as many lines as fit below the middle of the window: at least the first. */
static void place_legend(const layout_ruler *ruler, const fr_view_state *state, fr_layout *layout)
{
    int margin = px(ruler, MARGIN), gap = px(ruler, LEGEND_GAP);
    int bottom = layout->bar.width > 0 ? layout->bar.y - gap : ruler->height - margin;
    int room_across = (layout->minimap.width > 0 ? layout->minimap.x : ruler->width) - 2 * margin;
    int room_down = bottom - (ruler->height - ruler->rim_y);
    layout->legend_pad_x = px(ruler, PAD);
    layout->legend_pad_y = px(ruler, LEGEND_PAD);
    int shown[FR_OVERLAY_COUNT];
    int rows =
        fr_legend_overlays(state->overlays, (room_down - 2 * layout->legend_pad_y) / layout->line_px, shown);
    layout->legend_names_owner = legend_width(ruler, shown, rows, true) <= room_across;
    int width = legend_width(ruler, shown, rows, layout->legend_names_owner);
    if (rows > 0 && width <= room_across) {
        int height = rows * layout->line_px + 2 * layout->legend_pad_y;
        layout->legend_rows = rows;
        layout->legend = (fr_rect){margin, bottom - height, width, height};
    }
}

/* At the right, above the minimap; narrower, and without what each does, where that would not fit. */
static void place_movement(const layout_ruler *ruler, fr_layout *layout)
{
    int margin = px(ruler, MARGIN), room = ruler->rim_x - margin;
    int bottom = layout->minimap.width > 0 ? layout->minimap.y : ruler->height;
    int room_down = bottom - 2 * margin;
    layout->movement_is_wide = room >= px(ruler, MOVEMENT_WIDE);
    layout->movement_pad_px = px(ruler, layout->movement_is_wide ? PAD : MOVEMENT_SMALL_PAD);
    layout->movement_line_px = px(ruler, LINE);
    int rows = 1 + FR_MOVEMENT_ROWS;
    if (2 * layout->movement_pad_px + rows * layout->movement_line_px > room_down) {
        layout->movement_line_px = px(ruler, MOVEMENT_SMALL_LINE);
    }
    int height = 2 * layout->movement_pad_px + rows * layout->movement_line_px;
    int with_help = height + (2 * FR_MOVEMENT_HELP_LINES + 1) * layout->movement_line_px / 2;
    layout->movement_has_help = layout->movement_is_wide && with_help <= room_down;
    height = layout->movement_has_help ? with_help : height;
    int width = px(ruler, layout->movement_is_wide ? HUD_WIDTH : MOVEMENT_NARROW);
    width = layout->movement_is_wide && width > room ? room : width;
    int spare = ruler->height - height;
    int y = spare >= 2 * margin ? margin : spare > 0 ? spare / 2 : 0;
    layout->movement = (fr_rect){ruler->width - margin - width, y, width, height};
    layout->movement_rows_y = y + layout->movement_pad_px + layout->movement_line_px;
}

fr_layout fr_layout_make(const fr_metrics *metrics, const fr_view_state *state, fr_grid grid)
{
    layout_ruler ruler = {metrics, state->width_px > 1 ? state->width_px : 1,
                          state->height_px > 1 ? state->height_px : 1, 0, 0};
    ruler.rim_x = (int)((int64_t)ruler.width * RIM_PERCENT / 100);
    ruler.rim_y = (int)((int64_t)ruler.height * RIM_PERCENT / 100);
    fr_layout layout = {.line_px = px(&ruler, LINE)};
    place_hud(&ruler, &layout);
    place_minimap(&ruler, grid, &layout);
    place_bar(&ruler, state, &layout);
    place_legend(&ruler, state, &layout);
    if (state->movement_open) {
        place_movement(&ruler, &layout);
    }
    if (state->help_page > 0) {
        layout.help = fr_help_arrange(metrics, state);
        fr_rect *const others[] = {&layout.hud, &layout.minimap, &layout.bar, &layout.legend,
                                   &layout.movement};
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            fr_rect common = fr_rect_intersect(*others[i], layout.help.box);
            if (common.width > 0 && common.height > 0) {
                others[i]->width = 0; /* text through text can't be read */
            }
        }
        layout.hud_rows = layout.hud.width > 0 ? layout.hud_rows : 0;
        layout.bar_items = layout.bar.width > 0 ? layout.bar_items : 0;
        layout.minimap_map.width = layout.minimap.width > 0 ? layout.minimap_map.width : 0;
    }
    return layout;
}
