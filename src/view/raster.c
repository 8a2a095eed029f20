#include "view/raster.h"

#include <math.h>
#include <stdbool.h>

#include "view/pixel.h"

typedef struct span {
    int x0, y0, x1, y1; /* half open, in window coordinates */
} span;

/* Pixels of the window that a box of the plane touches; false if none. */
static bool clip(const fr_raster *raster, float x0, float y0, float x1, float y1, span *out)
{
    float left = (float)raster->left, top = (float)raster->top;
    float width = (float)raster->width, height = (float)raster->height;
    x0 = fmaxf(x0 - left, 0.0f);
    y0 = fmaxf(y0 - top, 0.0f);
    x1 = fminf(x1 - left, width);
    y1 = fminf(y1 - top, height);
    if (!(x0 < x1 && y0 < y1)) {
        return false;
    }
    *out = (span){(int)x0, (int)y0, (int)ceilf(x1), (int)ceilf(y1)};
    return true;
}

void fr_raster_line(fr_raster *raster, float x0, float y0, float x1, float y1, float width, uint32_t color,
                    uint32_t alpha)
{
    float half = width * 0.5f, reach = half + 1.0f;
    span s;
    if (!clip(raster, fminf(x0, x1) - reach, fminf(y0, y1) - reach, fmaxf(x0, x1) + reach,
              fmaxf(y0, y1) + reach, &s)) {
        return;
    }
    float dx = x1 - x0, dy = y1 - y0, square = dx * dx + dy * dy;
    float inverse = square > 1e-6f ? 1.0f / square : 0.0f;
    for (int y = s.y0; y < s.y1; y++) {
        uint32_t *row = raster->pixels + (intptr_t)y * raster->stride;
        float py = (float)(y + raster->top) + 0.5f - y0;
        for (int x = s.x0; x < s.x1; x++) {
            float px = (float)(x + raster->left) + 0.5f - x0;
            float t = fminf(fmaxf((px * dx + py * dy) * inverse, 0.0f), 1.0f);
            float ex = px - t * dx, ey = py - t * dy;
            float gap = ex * ex + ey * ey;
            if (gap < reach * reach) {
                uint32_t share = fr_coverage(sqrtf(gap) - half) * alpha >> 8;
                row[x] = fr_argb_over(row[x], color, share);
            }
        }
    }
}

/* Half the width of a circle's chord at distance dy from the centre; negative if there is none. */
static float half_chord(float radius, float dy)
{
    float square = radius * radius - dy * dy;
    return radius > 0.0f && square >= 0.0f ? sqrtf(square) : -1.0f;
}

void fr_raster_disc(fr_raster *raster, float x, float y, float radius, float softness, uint32_t color,
                    uint32_t alpha)
{
    float reach = radius + softness * 0.5f, core = radius - softness * 0.5f;
    span s;
    if (!clip(raster, x - reach, y - reach, x + reach, y + reach, &s)) {
        return;
    }
    for (int row_y = s.y0; row_y < s.y1; row_y++) {
        uint32_t *row = raster->pixels + (intptr_t)row_y * raster->stride;
        float dy = (float)(row_y + raster->top) + 0.5f - y;
        float outer = half_chord(reach, dy), inner = half_chord(core, dy);
        if (outer < 0.0f) {
            continue;
        }
        for (int row_x = s.x0; row_x < s.x1; row_x++) {
            float dx = (float)(row_x + raster->left) + 0.5f - x;
            float across = dx < 0.0f ? -dx : dx;
            if (across >= outer) {
                continue;
            }
            /* Roots only where the edge fades. */
            uint32_t share = alpha;
            if (across > inner) {
                share = fr_coverage((sqrtf(dx * dx + dy * dy) - radius) / softness) * alpha >> 8;
            }
            row[row_x] = fr_argb_over(row[row_x], color, share);
        }
    }
}

/* Overlap of the pixel that begins at `at` with a..b. */
static float overlap(float at, float a, float b)
{
    return fmaxf(fminf(at + 1.0f, b) - fmaxf(at, a), 0.0f);
}

void fr_raster_box(fr_raster *raster, float x0, float y0, float x1, float y1, uint32_t color, uint32_t alpha)
{
    span s;
    if (!clip(raster, x0, y0, x1, y1, &s)) {
        return;
    }
    for (int y = s.y0; y < s.y1; y++) {
        uint32_t *row = raster->pixels + (intptr_t)y * raster->stride;
        float down = overlap((float)(y + raster->top), y0, y1) * (float)alpha;
        for (int x = s.x0; x < s.x1; x++) {
            float share = overlap((float)(x + raster->left), x0, x1) * down;
            row[x] = fr_argb_over(row[x], color, (uint32_t)share);
        }
    }
}
