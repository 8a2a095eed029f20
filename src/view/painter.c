#include "view/painter.h"

#include "base/assert.h"
#include "base/memory.h"
#include "view/pixel.h"
#include "view/shape.h"

/* Pixels of a cell's row that are worked on at once. */
#define SPAN_PX 128

void fr_painter_fini(fr_painter *painter)
{
    fr_free(painter->bits);
    fr_free(painter->any);
    fr_free(painter->corners);
    fr_free(painter->stamps);
    *painter = (fr_painter){0};
}

static unsigned bits_of_cell(const fr_land *ground, int32_t x, int32_t y)
{
    const unsigned wet = 1u << FR_TERRAIN_WATER | 1u << FR_TERRAIN_BRIDGE;
    unsigned bits = 1u << fr_land_kind(ground, x, y);
    if (fr_land_patch(ground, x, y) != 0) {
        bits |= FR_CELL_PATCH;
    }
    if ((bits & wet) == 0) {
        return bits;
    }
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if ((1u << fr_land_kind(ground, x + dx, y + dy) & wet) == 0) {
                return bits;
            }
        }
    }
    return bits | FR_CELL_DEEP;
}

static void gather(fr_painter *painter, int columns, int rows)
{
    int stride = painter->bits_stride;
    for (int y = 0; y < rows; y++) {
        for (int x = 0; x < columns; x++) {
            painter->bits[y * stride + x] =
                (uint16_t)bits_of_cell(painter->ground, painter->cells.x - FR_PAINTER_MARGIN + x,
                                       painter->cells.y - FR_PAINTER_MARGIN + y);
        }
    }
    for (int y = 1; y < rows - 1; y++) {
        for (int x = 1; x < columns - 1; x++) {
            unsigned any = 0;
            for (int dy = -1; dy <= 1; dy++) {
                const uint16_t *at = painter->bits + (y + dy) * stride + x;
                any |= (unsigned)at[-1] | at[0] | at[1];
            }
            painter->any[y * stride + x] = (uint16_t)any;
        }
    }
}

void fr_painter_begin(fr_painter *painter, const fr_land *ground, double zoom, fr_raster raster)
{
    FR_ASSERT(raster.width > 0 && raster.height > 0 && zoom >= 2.0);
    painter->ground = ground;
    painter->zoom = zoom;
    painter->scale = (float)zoom;
    painter->raster = raster;
    int32_t x0 = fr_cell_of_px(zoom, raster.left), x1 = fr_cell_of_px(zoom, raster.left + raster.width - 1);
    int32_t y0 = fr_cell_of_px(zoom, raster.top), y1 = fr_cell_of_px(zoom, raster.top + raster.height - 1);
    painter->cells = (fr_rect){x0, y0, x1 - x0 + 1, y1 - y0 + 1};
    int columns = painter->cells.width + 2 * FR_PAINTER_MARGIN;
    int rows = painter->cells.height + 2 * FR_PAINTER_MARGIN;
    painter->bits_stride = columns;
    if (columns * rows > painter->bits_capacity) {
        painter->bits_capacity = columns * rows;
        size_t count = (size_t)painter->bits_capacity;
        painter->bits = fr_realloc(painter->bits, count, sizeof *painter->bits);
        painter->any = fr_realloc(painter->any, count, sizeof *painter->any);
    }
    if (columns > painter->corner_capacity) {
        painter->corner_capacity = columns;
        painter->corners = fr_realloc(painter->corners, 2 * (size_t)columns, sizeof *painter->corners);
    }
    gather(painter, columns, rows);
}

/* The part of a cell's pixels, shifted, that the raster shows; false if none. */
typedef struct cell_span {
    int x0, x1, y0, y1; /* world pixels before the shift */
} cell_span;

static bool cell_pixels(const fr_painter *painter, int32_t x, int32_t y, int shift_x, int shift_y,
                        cell_span *out)
{
    const fr_raster *raster = &painter->raster;
    int left = raster->left - shift_x, top = raster->top - shift_y;
    int x0 = fr_cell_edge_px(painter->zoom, x), x1 = fr_cell_edge_px(painter->zoom, x + 1);
    int y0 = fr_cell_edge_px(painter->zoom, y), y1 = fr_cell_edge_px(painter->zoom, y + 1);
    out->x0 = x0 > left ? x0 : left;
    out->x1 = x1 < left + raster->width ? x1 : left + raster->width;
    out->y0 = y0 > top ? y0 : top;
    out->y1 = y1 < top + raster->height ? y1 : top + raster->height;
    return out->x0 < out->x1 && out->y0 < out->y1;
}

static uint32_t around(const fr_painter *painter, int32_t x, int32_t y, unsigned kinds)
{
    uint32_t cells = 0, bit = 1;
    for (int dy = -2; dy <= 2; dy++) {
        const uint16_t *row = painter->bits + fr_painter_index(painter, x - 2, y + dy);
        for (int dx = 0; dx < 5; dx++, bit <<= 1) {
            cells |= (row[dx] & kinds) != 0 ? bit : 0;
        }
    }
    return cells;
}

static void fill_cell(fr_painter *painter, const fr_coat *coat, const cell_span *span, int shift_x,
                      int shift_y)
{
    for (int y = span->y0; y < span->y1; y++) {
        uint32_t *row = fr_raster_row(&painter->raster, y + shift_y) + shift_x - painter->raster.left;
        for (int x = span->x0; x < span->x1; x++) {
            row[x] = fr_argb_mix(row[x], coat->color, coat->alpha);
        }
    }
}

static void edge_cell(fr_painter *painter, const fr_coat *coat, int32_t cx, int32_t cy, const cell_span *span,
                      int shift_x, int shift_y)
{
    fr_shape shape;
    uint32_t body = around(painter, cx, cy, coat->body);
    uint32_t joined = coat->joined == 0 ? body : around(painter, cx, cy, coat->body | coat->joined);
    fr_shape_build(&shape, body, joined, coat->radius);
    float step = 1.0f / painter->scale;
    /* The edge fades over one pixel or over the coat's softness, half on each side. */
    float fade = coat->softness > step ? coat->softness : step;
    float edge = coat->radius + coat->grow, inner = edge - 0.5f * fade, outer = edge + 0.5f * fade;
    float inner_square = inner > 0.0f ? inner * inner : -1.0f, outer_square = outer * outer;
    float squares[SPAN_PX];
    for (int y = span->y0; y < span->y1; y++) {
        float in_y = (float)((y + 0.5) / painter->zoom - cy);
        uint32_t *row = fr_raster_row(&painter->raster, y + shift_y) + shift_x - painter->raster.left;
        for (int x = span->x0; x < span->x1; x += SPAN_PX) {
            int count = span->x1 - x < SPAN_PX ? span->x1 - x : SPAN_PX;
            fr_shape_squares(&shape, (float)((x + 0.5) / painter->zoom - cx), step, in_y, count, squares);
            for (int i = 0; i < count; i++) {
                if (squares[i] >= outer_square) {
                    continue;
                }
                uint32_t share = 256u;
                if (squares[i] > inner_square) {
                    share = fr_coverage((sqrtf(squares[i]) - edge) / fade);
                }
                row[x + i] = fr_argb_mix(row[x + i], coat->color, share * coat->alpha >> 8);
            }
        }
    }
}

void fr_painter_coat(fr_painter *painter, const fr_coat *coat)
{
    int shift_x = (int)lroundf(coat->dx * painter->scale), shift_y = (int)lroundf(coat->dy * painter->scale);
    int reach_x = shift_x != 0, reach_y = shift_y != 0;
    fr_rect cells = painter->cells;
    for (int32_t y = cells.y - reach_y; y < cells.y + cells.height + reach_y; y++) {
        for (int32_t x = cells.x - reach_x; x < cells.x + cells.width + reach_x; x++) {
            int i = fr_painter_index(painter, x, y);
            cell_span span;
            if ((painter->any[i] & coat->body) == 0 || !cell_pixels(painter, x, y, shift_x, shift_y, &span)) {
                continue;
            }
            bool whole = true;
            for (int k = 0; k < 9 && whole; k++) {
                int at = i + (k / 3 - 1) * painter->bits_stride + k % 3 - 1;
                whole = (painter->bits[at] & coat->body) != 0;
            }
            if (whole) {
                fill_cell(painter, coat, &span, shift_x, shift_y);
            } else {
                edge_cell(painter, coat, x, y, &span, shift_x, shift_y);
            }
        }
    }
}

void fr_painter_coats(fr_painter *painter, const fr_coat *coats, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fr_painter_coat(painter, &coats[i]);
    }
}
