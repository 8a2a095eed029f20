#include "view/heat.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "view/painter.h"
#include "view/palette.h"
#include "view/pixel.h"

/* Bands over the whole range of a field. */
#define BANDS 24

/* Contour lines through one square of four cells; more would be a blot. */
#define CONTOURS_PER_SQUARE 3

/* Cells of a contour are at least this many pixels wide. */
#define CONTOUR_STEP_PX 4.0

/* The wavefront is as wide as this share of the field, and at least a step. */
#define WAVE_FRONTS    160u
#define WAVE_FRONT_MIN ((uint32_t)FR_STEP_DIAGONAL)

/* Alphas, of 256. */
#define DARKEN       64
#define TINT         141
#define WALL_ON_COST 170
#define WALL_ON_REST 90
#define NO_WAY_TINT  150
#define LINE_ALPHA   34
#define WAVE_TINT    215

void fr_heat_grid_fini(fr_heat_grid *grid)
{
    fr_free(grid->costs);
    fr_free(grid->integration);
    fr_free(grid->tints);
    fr_free(grid->cost_row);
    fr_free(grid->value_row);
    *grid = (fr_heat_grid){0};
}

static void reserve(fr_heat_grid *grid)
{
    size_t entries = (size_t)grid->columns * (size_t)grid->rows, row = (size_t)grid->cells.width;
    if (entries > grid->capacity) {
        grid->capacity = entries;
        grid->costs = fr_realloc(grid->costs, entries, sizeof *grid->costs);
        grid->integration = fr_realloc(grid->integration, entries, sizeof *grid->integration);
        grid->tints = fr_realloc(grid->tints, entries, sizeof *grid->tints);
    }
    if (row > grid->row_capacity) {
        grid->row_capacity = row;
        grid->cost_row = fr_realloc(grid->cost_row, row, sizeof *grid->cost_row);
        grid->value_row = fr_realloc(grid->value_row, row, sizeof *grid->value_row);
    }
}

/* What the field has for a row of tiles: that of the field cells they lie in, or of their middle. */
static void read_values(const fr_field *field, fr_rect row, uint32_t *out)
{
    if (fr_field_shift(field) == 0) {
        fr_field_copy(field, row, out, NULL);
        return;
    }
    for (int32_t i = 0; i < row.width; i++) {
        out[i] = fr_field_value(field, (fr_cell){row.x + i, row.y});
    }
}

void fr_heat_grid_read(fr_heat_grid *grid, const fr_cost *cost, fr_class movement_class,
                       const fr_field *field, fr_rect cells, int stride)
{
    grid->cells = cells;
    grid->stride = stride;
    grid->columns = (cells.width + stride - 1) / stride;
    grid->rows = (cells.height + stride - 1) / stride;
    grid->has_field = field != NULL;
    grid->is_complete = field != NULL && fr_field_is_complete(field);
    grid->maximum = field != NULL ? fr_field_maximum(field) : 0;
    if (cells.width < 1 || cells.height < 1) {
        grid->columns = grid->rows = 0;
        return;
    }
    reserve(grid);
    for (int j = 0; j < grid->rows; j++) {
        fr_rect row = {cells.x, cells.y + j * stride, cells.width, 1};
        size_t first = (size_t)j * (size_t)grid->columns;
        bool direct = stride == 1;
        fr_cost_copy(cost, movement_class, row, direct ? grid->costs + first : grid->cost_row);
        if (field != NULL) {
            read_values(field, row, direct ? grid->integration + first : grid->value_row);
        }
        for (int i = 0; i < grid->columns && !direct; i++) {
            grid->costs[first + (size_t)i] = grid->cost_row[i * stride];
            if (field != NULL) {
                grid->integration[first + (size_t)i] = grid->value_row[i * stride];
            }
        }
    }
}

uint32_t fr_heat_band(uint32_t maximum)
{
    /* 1, 2 or 5 times a power of ten straight steps. */
    uint32_t steps = maximum / FR_STEP_STRAIGHT / BANDS, band = 1;
    while (band < steps && band < 50000000u) {
        uint32_t first = band;
        while (first >= 10) {
            first /= 10;
        }
        band = first == 2 ? band / 2 * 5 : band * 2;
    }
    return band * FR_STEP_STRAIGHT;
}

uint32_t fr_heat_cost_color(uint8_t cost)
{
    /* By ratio, not by difference: 1 against 2 matters as much as 10 against 20. Above 32 all is bright. */
    return fr_palette_viridis(logf((float)cost) / logf(32.0f));
}

static uint32_t laid(uint32_t color, uint32_t alpha)
{
    return fr_argb_over((uint32_t)DARKEN << 24, color, alpha);
}

/* Colours of one picture, worked out once. */
typedef struct heat_colors {
    const fr_heat_grid *grid;
    const fr_heat_style *style;
    uint32_t costs[256];
    uint32_t plain, no_way;
    uint32_t band;
} heat_colors;

static void prepare_colors(heat_colors *colors, const fr_heat_grid *grid, const fr_heat_style *style)
{
    colors->grid = grid;
    colors->style = style;
    colors->plain = (uint32_t)DARKEN << 24;
    colors->no_way = laid(FR_COLOR_NO_WAY, NO_WAY_TINT);
    colors->band = fr_heat_band(grid->maximum);
    for (int cost = 0; cost < 255; cost++) {
        colors->costs[cost] = laid(fr_heat_cost_color((uint8_t)(cost == 0 ? 1 : cost)), TINT);
    }
    colors->costs[FR_COST_WALL] = laid(FR_COLOR_WALL_TINT, style->by_cost ? WALL_ON_COST : WALL_ON_REST);
}

static uint32_t distance_color(const heat_colors *colors, uint32_t value)
{
    /* By the root: half of the colours for the nearest quarter, where most is looked at. */
    float far = sqrtf((float)value / ((float)colors->grid->maximum + 1.0f));
    uint32_t color = fr_palette_viridis(1.0f - far);
    if (value / colors->band % 2 != 0) {
        color = fr_argb_mix(color, FR_COLOR_OUTLINE, 30);
    }
    return laid(color, TINT);
}

/* Of the integration in the making: what is behind the wavefront, the front, and what is still to come. */
static uint32_t wave_color(const heat_colors *colors, uint32_t value)
{
    uint32_t front = colors->grid->maximum / WAVE_FRONTS, wave = colors->style->wave;
    front = front < WAVE_FRONT_MIN ? WAVE_FRONT_MIN : front;
    if (value >= wave) {
        return colors->plain;
    }
    return wave - value > front ? distance_color(colors, value) : laid(FR_COLOR_BONE, WAVE_TINT);
}

static uint32_t entry_color(const heat_colors *colors, size_t entry, bool *hatched)
{
    const fr_heat_grid *grid = colors->grid;
    uint8_t cost = grid->costs[entry];
    *hatched = false;
    if (cost == FR_COST_WALL) {
        return colors->costs[cost];
    }
    bool by_wave = colors->style->wave != 0 && grid->has_field;
    if (colors->style->by_tint && !by_wave) {
        return grid->tints[entry] == 0 ? colors->plain : laid(grid->tints[entry], TINT);
    }
    if (grid->has_field && grid->integration[entry] == FR_UNREACHED) {
        *hatched = grid->is_complete;
        return grid->is_complete ? colors->no_way : colors->plain;
    }
    if (by_wave) {
        return wave_color(colors, grid->integration[entry]);
    }
    if (colors->style->by_integration && grid->has_field) {
        return distance_color(colors, grid->integration[entry]);
    }
    return colors->style->by_cost ? colors->costs[cost] : colors->plain;
}

/* World pixels of entry i along one axis, clipped to the window. */
static void entry_px(double zoom, int32_t first_cell, int stride, int32_t end_cell, int i, int window,
                     int size, int *from, int *to)
{
    int32_t cell = first_cell + i * stride, next = cell + stride < end_cell ? cell + stride : end_cell;
    int a = fr_cell_edge_px(zoom, cell) - window, b = fr_cell_edge_px(zoom, next) - window;
    *from = a < 0 ? 0 : a > size ? size : a;
    *to = b < 0 ? 0 : b > size ? size : b;
}

/* Where the raster's pixels must be drawn over because a cell has no way to the goal. */
static void hatch_row(uint32_t *row, int from, int to, int world_x, int world_y)
{
    for (int x = from; x < to; x++) {
        if (((world_x + x + world_y) & 7) == 0) {
            row[x] = fr_argb_over(row[x], FR_COLOR_BONE, 70);
        }
    }
}

/* Paints the first pixel row of a row of entries; the others are copies of it. */
static void paint_entry_row(const heat_colors *colors, int j, double zoom, const fr_raster *raster,
                            uint32_t *row)
{
    const fr_heat_grid *grid = colors->grid;
    bool lines = colors->style->lines;
    memset(row, 0, (size_t)raster->width * sizeof *row);
    for (int i = 0; i < grid->columns; i++) {
        int from, to;
        entry_px(zoom, grid->cells.x, grid->stride, grid->cells.x + grid->cells.width, i, raster->left,
                 raster->width, &from, &to);
        bool hatched;
        uint32_t color = entry_color(colors, (size_t)j * (size_t)grid->columns + (size_t)i, &hatched);
        for (int x = from; x < to; x++) {
            row[x] = color;
        }
        if (lines && from < to && raster->left + from == fr_cell_edge_px(zoom, grid->cells.x + i)) {
            row[from] = fr_argb_over(row[from], FR_COLOR_OUTLINE, LINE_ALPHA);
        }
    }
}

static void finish_rows(const heat_colors *colors, int j, double zoom, fr_raster *raster, int from_y,
                        int to_y)
{
    const fr_heat_grid *grid = colors->grid;
    for (int i = 0; i < grid->columns; i++) {
        bool hatched;
        entry_color(colors, (size_t)j * (size_t)grid->columns + (size_t)i, &hatched);
        if (!hatched) {
            continue;
        }
        int from, to;
        entry_px(zoom, grid->cells.x, grid->stride, grid->cells.x + grid->cells.width, i, raster->left,
                 raster->width, &from, &to);
        for (int y = from_y; y < to_y; y++) {
            hatch_row(raster->pixels + (intptr_t)y * raster->stride, from, to, raster->left, raster->top + y);
        }
    }
    if (colors->style->lines && raster->top + from_y == fr_cell_edge_px(zoom, grid->cells.y + j)) {
        uint32_t *row = raster->pixels + (intptr_t)from_y * raster->stride;
        for (int x = 0; x < raster->width; x++) {
            row[x] = row[x] == 0 ? 0 : fr_argb_over(row[x], FR_COLOR_OUTLINE, LINE_ALPHA);
        }
    }
}

/* Crossing of a level on the side between two corners, 0..1. */
static float crossing(float a, float b, float level)
{
    return (level - a) / (b - a);
}

/* One level through one square of four cell centres; `at`: its upper left corner, `side`: its size (pixels).
 */
static void contour_square(fr_raster *raster, const float corner[4], float level, float at_x, float at_y,
                           float side)
{
    /* Corners 0 1 / 3 2 clockwise; sides 0 top, 1 right, 2 bottom, 3 left. */
    float points[4][2];
    int count = 0;
    for (int k = 0; k < 4; k++) {
        float a = corner[k], b = corner[(k + 1) % 4];
        if ((a < level) == (b < level)) {
            continue;
        }
        float t = crossing(a, b, level);
        float x = k == 0 ? t : k == 1 ? 1.0f : k == 2 ? 1.0f - t : 0.0f;
        float y = k == 0 ? 0.0f : k == 1 ? t : k == 2 ? 1.0f : 1.0f - t;
        points[count][0] = at_x + x * side;
        points[count++][1] = at_y + y * side;
    }
    for (int k = 0; k + 1 < count; k += 2) {
        fr_raster_line(raster, points[k][0], points[k][1], points[k + 1][0], points[k + 1][1], 1.3f,
                       FR_COLOR_BONE, 190);
    }
}

static void paint_contours(const fr_heat_grid *grid, double zoom, fr_raster *raster)
{
    int thin = 1;
    while (zoom * grid->stride * thin < CONTOUR_STEP_PX) {
        thin++;
    }
    float band = (float)fr_heat_band(grid->maximum), side = (float)(zoom * grid->stride * thin);
    for (int j = 0; j + thin < grid->rows; j += thin) {
        for (int i = 0; i + thin < grid->columns; i += thin) {
            const uint32_t *at = grid->integration + (size_t)j * (size_t)grid->columns + (size_t)i;
            const uint32_t *below = at + (size_t)thin * (size_t)grid->columns;
            if (at[0] == FR_UNREACHED || at[thin] == FR_UNREACHED || below[0] == FR_UNREACHED ||
                below[thin] == FR_UNREACHED) {
                continue;
            }
            float corner[4] = {(float)at[0], (float)at[thin], (float)below[thin], (float)below[0]};
            float low = fminf(fminf(corner[0], corner[1]), fminf(corner[2], corner[3]));
            float high = fmaxf(fmaxf(corner[0], corner[1]), fmaxf(corner[2], corner[3]));
            float level = (floorf(low / band) + 1.0f) * band;
            float x = (float)((grid->cells.x + i * grid->stride + 0.5) * zoom);
            float y = (float)((grid->cells.y + j * grid->stride + 0.5) * zoom);
            for (int k = 0; k < CONTOURS_PER_SQUARE && level <= high; k++, level += band) {
                contour_square(raster, corner, level, x, y, side);
            }
        }
    }
}

void fr_heat_paint(const fr_heat_grid *grid, const fr_heat_style *style, double zoom, fr_raster *raster)
{
    heat_colors colors;
    prepare_colors(&colors, grid, style);
    int painted = 0;
    for (int j = 0; j < grid->rows; j++) {
        int from, to;
        entry_px(zoom, grid->cells.y, grid->stride, grid->cells.y + grid->cells.height, j, raster->top,
                 raster->height, &from, &to);
        if (from >= to) {
            continue;
        }
        size_t bytes = (size_t)raster->width * sizeof *raster->pixels;
        for (; painted < from; painted++) {
            memset(raster->pixels + (intptr_t)painted * raster->stride, 0, bytes);
        }
        uint32_t *first = raster->pixels + (intptr_t)from * raster->stride;
        paint_entry_row(&colors, j, zoom, raster, first);
        for (int y = from + 1; y < to; y++) {
            memcpy(raster->pixels + (intptr_t)y * raster->stride, first, bytes);
        }
        finish_rows(&colors, j, zoom, raster, from, to);
        painted = to;
    }
    for (; painted < raster->height; painted++) {
        memset(raster->pixels + (intptr_t)painted * raster->stride, 0,
               (size_t)raster->width * sizeof *raster->pixels);
    }
    if (style->by_integration && !style->by_tint && style->wave == 0 && grid->has_field &&
        grid->maximum > 0) {
        paint_contours(grid, zoom, raster);
    }
}
