#include "view/overlay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "grid/nav.h"
#include "view/heat.h"
#include "view/overlay_arrows.h"
#include "view/overlay_clearance.h"
#include "view/overlay_congestion.h"
#include "view/overlay_regions.h"
#include "view/overlay_sectors.h"
#include "view/overlay_threat.h"
#include "view/painter.h"
#include "view/palette.h"
#include "view/pixel.h"

/* Entries of the heat map are at least this wide (pixels). */
#define ENTRY_PX 2.0

/* What the picture was made from; equal keys mean equal pictures. Zeroed before it is filled, for memcmp. */
typedef struct overlay_key {
    double zoom;
    uint64_t field_stamp;
    const void *field, *cost;
    int32_t origin_x, origin_y;
    int32_t width, height;
    uint32_t cost_version;
    uint32_t overlays;
    int32_t movement_class;
    uint32_t wave;    /* value that the wavefront has reached */
    uint32_t sectors; /* of their colours */
    uint32_t jams;
    uint64_t threats;
} overlay_key;

struct fr_overlay_painter {
    fr_canvas *canvas;
    fr_text *text;
    overlay_key key;
    fr_heat_grid grid;
    fr_region_colors regions;
    fr_clearance clearance;
    bool shows_clearance; /* of the grid's cells, rather than one of the overlays that go before it */
    fr_sectors sectors;
    uint32_t *pixels;
    size_t pixel_capacity;
    fr_picture *picture;
    fr_arrows arrows;
};

static const char *const NAMES[FR_OVERLAY_COUNT] = {
    "cost", "integration", "arrows", "regions", "clearance", "wavefront", "sectors", "threat", "congestion"};

const char *fr_overlay_name(int index)
{
    return index >= 0 && index < FR_OVERLAY_COUNT ? NAMES[index] : NULL;
}

fr_overlay_painter *fr_overlay_create(fr_canvas *canvas, fr_text *text)
{
    fr_overlay_painter *overlay = fr_alloc(1, sizeof *overlay);
    overlay->canvas = canvas;
    overlay->text = text;
    return overlay;
}

void fr_overlay_flush(fr_overlay_painter *overlay)
{
    fr_picture_destroy(overlay->picture);
    overlay->picture = NULL;
    fr_arrows_flush(&overlay->arrows);
    memset(&overlay->key, 0, sizeof overlay->key);
}

void fr_overlay_destroy(fr_overlay_painter *overlay)
{
    if (overlay != NULL) {
        fr_overlay_flush(overlay);
        fr_heat_grid_fini(&overlay->grid);
        fr_region_colors_fini(&overlay->regions);
        fr_clearance_fini(&overlay->clearance);
        fr_sectors_fini(&overlay->sectors);
        fr_free(overlay->pixels);
        fr_free(overlay);
    }
}

/* The field to be shown, if it belongs to this map. */
static const fr_field *shown_field(const fr_frame *frame)
{
    const fr_field *field = frame->state->field;
    if (field == NULL || (frame->state->overlays & FR_OVERLAYS_OF_FIELD) == 0) {
        return NULL;
    }
    fr_grid grid = fr_field_grid(field), own = fr_cost_grid(fr_cost_nav(frame->snapshot->cost));
    return grid.width == own.width && grid.height == own.height ? field : NULL;
}

/* The value up to which the field is shown; 0 without the overlay of the wavefront. */
static uint32_t wave_value(const fr_frame *frame, const fr_field *field)
{
    if (field == NULL || (frame->state->overlays & FR_OVERLAY_WAVEFRONT) == 0) {
        return 0;
    }
    return (uint32_t)((double)frame->state->wave * fr_field_maximum(field)) + 1;
}

static bool shows_sectors(const fr_frame *frame, const fr_field *field)
{
    return field != NULL && (frame->state->overlays & FR_OVERLAY_SECTORS) != 0;
}

static overlay_key key_of(fr_overlay_painter *overlay, const fr_frame *frame, const fr_field *field)
{
    overlay_key key;
    memset(&key, 0, sizeof key);
    key.zoom = frame->zoom;
    key.field = field;
    key.field_stamp = field == NULL ? 0 : frame->state->field_stamp;
    key.cost = frame->snapshot->cost;
    key.cost_version = fr_cost_version(frame->snapshot->cost);
    key.origin_x = frame->origin_x;
    key.origin_y = frame->origin_y;
    key.width = frame->width_px;
    key.height = frame->height_px;
    key.overlays = frame->state->overlays;
    key.movement_class = (int32_t)frame->state->overlay_class;
    key.wave = wave_value(frame, field);
    key.jams = frame->snapshot->jams;
    if ((frame->state->overlays & FR_OVERLAY_THREAT) != 0) {
        key.threats = fr_cost_hash(frame->snapshot->cost);
    }
    if (shows_sectors(frame, field)) {
        key.sectors =
            fr_sectors_look(&overlay->sectors, field, frame->state->field_name, frame->state->field_standing,
                            fr_cost_nav(frame->snapshot->cost), frame->snapshot->tick);
    }
    return key;
}

/* Fills in the colours that neither costs nor the field state. False if no such overlay is on. */
static bool read_tints(fr_overlay_painter *overlay, const fr_frame *frame, const fr_field *field,
                       fr_class movement_class)
{
    const fr_snapshot *snapshot = frame->snapshot;
    fr_heat_grid *grid = &overlay->grid;
    overlay->shows_clearance = false;
    /* One that has nothing to show hides none of the others. */
    if ((frame->state->overlays & FR_OVERLAY_CONGESTION) != 0 && snapshot->jams != 0) {
        fr_jams_read(snapshot->cost, snapshot->jams, grid->cells, grid->stride, grid->tints);
        return true;
    }
    if ((frame->state->overlays & FR_OVERLAY_THREAT) != 0 && fr_threats_any(snapshot->cost)) {
        fr_threats_read(snapshot->cost, grid->cells, grid->stride, grid->tints);
        return true;
    }
    if (shows_sectors(frame, field)) {
        fr_sectors_read(&overlay->sectors, fr_cost_nav(snapshot->cost), grid->cells, grid->stride,
                        grid->tints);
        return true;
    }
    if ((frame->state->overlays & FR_OVERLAY_CLEARANCE) != 0) {
        fr_clearance_read(&overlay->clearance, snapshot->cost, movement_class, grid->cells, grid->stride);
        uint32_t colors[10 * FR_CLEARANCE_MAX + 1];
        for (uint16_t i = 0; i <= 10 * FR_CLEARANCE_MAX; i++) {
            colors[i] = fr_clearance_color(i);
        }
        for (int i = 0; i < grid->rows * grid->columns; i++) {
            grid->tints[i] = colors[overlay->clearance.tenths[i]];
        }
        overlay->shows_clearance = true;
        return true;
    }
    const fr_regions *regions = snapshot->regions[movement_class];
    if ((frame->state->overlays & FR_OVERLAY_REGIONS) != 0 && regions != NULL) {
        fr_region_colors_read(&overlay->regions, regions, fr_cost_version(snapshot->cost), snapshot->grid,
                              grid->cells, grid->stride, grid->tints);
        return true;
    }
    return false;
}

/* Paints the heat map anew if anything it shows has changed. */
static void refresh(fr_overlay_painter *overlay, const fr_frame *frame, const fr_field *field)
{
    overlay_key key = key_of(overlay, frame, field);
    if (overlay->picture != NULL && memcmp(&key, &overlay->key, sizeof key) == 0) {
        return;
    }
    int width = frame->width_px, height = frame->height_px;
    if (fr_picture_width(overlay->picture) != width || fr_picture_height(overlay->picture) != height) {
        fr_picture_destroy(overlay->picture);
        overlay->picture = fr_picture_create(overlay->canvas, width, height, false);
    }
    size_t pixels = (size_t)width * (size_t)height;
    if (pixels > overlay->pixel_capacity) {
        overlay->pixel_capacity = pixels;
        overlay->pixels = fr_realloc(overlay->pixels, pixels, sizeof *overlay->pixels);
    }
    int stride = (int)ceil(ENTRY_PX / frame->zoom);
    fr_class movement_class =
        frame->state->overlay_class < FR_CLASS_COUNT ? frame->state->overlay_class : FR_CLASS_FOOT;
    /* Begin at a multiple of the stride, so that panning does not pick other cells each frame. */
    fr_rect cells = frame->cells;
    cells.width += cells.x % stride;
    cells.x -= cells.x % stride;
    cells.height += cells.y % stride;
    cells.y -= cells.y % stride;
    fr_heat_grid_read(&overlay->grid, frame->snapshot->cost, movement_class, field, cells, stride);
    fr_heat_style style = {.by_cost = (frame->state->overlays & FR_OVERLAY_COST) != 0,
                           .by_integration = (frame->state->overlays & FR_OVERLAY_INTEGRATION) != 0,
                           .wave = key.wave,
                           .by_tint = read_tints(overlay, frame, field, movement_class),
                           .lines = frame->zoom >= FR_OVERLAY_GRID_ZOOM};
    fr_raster raster = {overlay->pixels, width, -frame->origin_x, -frame->origin_y, width, height};
    fr_heat_paint(&overlay->grid, &style, frame->zoom, &raster);
    fr_picture_update(overlay->picture, (fr_rect){0, 0, width, height}, overlay->pixels, width);
    overlay->key = key;
}

static void draw_digits(fr_text *text, fr_draw_list *list, const char *digits, float x, float y)
{
    size_t length = strlen(digits);
    float width = (float)((int)length * fr_text_column_px(text, FR_TEXT_NUMBER));
    float height = (float)fr_text_line_px(text, FR_TEXT_NUMBER);
    fr_text_draw(text, list, FR_TEXT_NUMBER, FR_TEXT_BRIGHT, x - width * 0.5f, y - height * 0.5f, digits);
}

static void draw_number(fr_text *text, fr_draw_list *list, uint32_t number, float x, float y)
{
    char digits[16];
    snprintf(digits, sizeof digits, "%u", (unsigned)number);
    draw_digits(text, list, digits, x, y);
}

/* Cells to the nearest wall, in the middle of each cell. */
static void draw_clearances(const fr_overlay_painter *overlay, const fr_frame *frame, fr_draw_list *list)
{
    const fr_heat_grid *grid = &overlay->grid;
    for (int i = 0; i < grid->rows * grid->columns; i++) {
        uint16_t tenths = overlay->clearance.tenths[i];
        if (tenths > 0) {
            char digits[16];
            snprintf(digits, sizeof digits, "%d.%d", tenths / 10, tenths % 10);
            draw_digits(overlay->text, list, digits,
                        fr_frame_x(frame, grid->cells.x + i % grid->columns + 0.5),
                        fr_frame_y(frame, grid->cells.y + i / grid->columns + 0.5));
        }
    }
}

/* A field cell of several tiles has one number. */
static bool is_first_of_cell(int32_t shift, int32_t x, int32_t y)
{
    int32_t within = shift > 0 ? (1 << shift) - 1 : 0;
    return (x & within) == 0 && (y & within) == 0;
}

static void draw_numbers(const fr_overlay_painter *overlay, const fr_frame *frame, fr_draw_list *list)
{
    const fr_heat_grid *grid = &overlay->grid;
    unsigned overlays = frame->state->overlays;
    if ((overlays & FR_OVERLAY_CLEARANCE) != 0) {
        if (overlay->shows_clearance && frame->zoom >= FR_OVERLAY_INTEGRATION_NUMBER_ZOOM) {
            draw_clearances(overlay, frame, list);
        }
        return;
    }
    /* Beside arrows, numbers go to the upper and lower edge of a cell, and need a larger one. */
    bool arrows = (overlays & FR_OVERLAY_ARROWS) != 0 && grid->has_field;
    double least = arrows ? FR_OVERLAY_BOTH_ZOOM : 0.0;
    bool costs = (overlays & FR_OVERLAY_COST) != 0 && frame->zoom >= fmax(least, FR_OVERLAY_COST_NUMBER_ZOOM);
    bool values = (overlays & FR_OVERLAY_INTEGRATION) != 0 && grid->has_field &&
                  frame->zoom >= fmax(least, FR_OVERLAY_INTEGRATION_NUMBER_ZOOM);
    if (!costs && !values) {
        return;
    }
    int32_t shift = fr_cost_shift(fr_cost_nav(frame->snapshot->cost));
    float to_middle = shift > 0 ? (float)(frame->zoom * (fr_nav_scale(shift) - 1.0) / 2.0) : 0.0f;
    float apart = (float)frame->zoom * (arrows ? 0.36f : costs && values ? 0.2f : 0.0f);
    for (int j = 0; j < grid->rows; j++) {
        float y = fr_frame_y(frame, grid->cells.y + j + 0.5);
        for (int i = 0; i < grid->columns; i++) {
            size_t entry = (size_t)j * (size_t)grid->columns + (size_t)i;
            if (grid->costs[entry] == FR_COST_WALL) {
                continue;
            }
            float x = fr_frame_x(frame, grid->cells.x + i + 0.5);
            if (costs) {
                draw_number(overlay->text, list, grid->costs[entry], x, y - apart);
            }
            if (values && grid->integration[entry] != FR_UNREACHED &&
                is_first_of_cell(shift, grid->cells.x + i, grid->cells.y + j)) {
                uint32_t steps = (uint32_t)(((uint64_t)grid->integration[entry] + FR_STEP_STRAIGHT / 2) /
                                            FR_STEP_STRAIGHT);
                draw_number(overlay->text, list, steps, x + to_middle, y + to_middle + apart);
            }
        }
    }
}

/* Borders of the blocks that fields are made of. */
static void draw_block_lines(const fr_frame *frame, fr_draw_list *list)
{
    fr_rect cells = frame->cells;
    uint32_t color = fr_argb_with_alpha(FR_COLOR_OUTLINE, 90);
    float left = fr_frame_x(frame, cells.x), right = fr_frame_x(frame, cells.x + cells.width);
    float top = fr_frame_y(frame, cells.y), bottom = fr_frame_y(frame, cells.y + cells.height);
    int32_t side = fr_nav_scale_up(fr_cost_shift(fr_cost_nav(frame->snapshot->cost)), FR_BLOCK_SIDE);
    for (int32_t x = (cells.x + side - 1) / side * side; x < cells.x + cells.width; x += side) {
        fr_draw_rect(list, color, (fr_box){floorf(fr_frame_x(frame, x)), top, 1.0f, bottom - top});
    }
    for (int32_t y = (cells.y + side - 1) / side * side; y < cells.y + cells.height; y += side) {
        fr_draw_rect(list, color, (fr_box){left, floorf(fr_frame_y(frame, y)), right - left, 1.0f});
    }
}

void fr_overlay_draw(fr_overlay_painter *overlay, const fr_frame *frame, fr_draw_list *list)
{
    unsigned overlays = frame->state->overlays & ((1u << FR_OVERLAY_COUNT) - 1);
    if (overlays == 0 || frame->cells.width < 1 || frame->cells.height < 1) {
        return;
    }
    const fr_field *field = shown_field(frame);
    refresh(overlay, frame, field);
    fr_draw_copy(list, overlay->picture, 0.0f, 0.0f, (fr_rect){0, 0, frame->width_px, frame->height_px});
    if (shows_sectors(frame, field)) {
        draw_block_lines(frame, list);
    }
    draw_numbers(overlay, frame, list);
    if (field != NULL && (overlays & FR_OVERLAY_ARROWS) != 0) {
        fr_arrows_draw(&overlay->arrows, overlay->canvas, frame, field, list);
    }
}
