/* raster: lines and discs with soft edges drawn into pixels in memory. Pure arithmetic; knows no textures. */
#ifndef FR_VIEW_RASTER_H
#define FR_VIEW_RASTER_H

#include <stdint.h>

/* A window of pixels onto a larger plane: pixel (x, y) of the plane is at pixels[(y - top) * stride + x -
 * left]. What falls outside the window is clipped. */
typedef struct fr_raster {
    uint32_t *pixels; /* borrowed [height * stride], 0xAARRGGBB */
    int stride;       /* pixels, >= width */
    int left, top, width, height;
} fr_raster;

/* Row of pixels that holds plane row y, shifted so that it can be indexed by the window's x - left. */
static inline uint32_t *fr_raster_row(const fr_raster *raster, int y)
{
    return raster->pixels + (intptr_t)(y - raster->top) * raster->stride;
}

/* Line of `width` pixels between two points; alpha 0..256 of its middle. */
void fr_raster_line(fr_raster *raster, float x0, float y0, float x1, float y1, float width, uint32_t color,
                    uint32_t alpha);

/* Disc of `radius` pixels whose edge fades over `softness` pixels (>= 1). */
void fr_raster_disc(fr_raster *raster, float x, float y, float radius, float softness, uint32_t color,
                    uint32_t alpha);

/* Axis-aligned rectangle with fractional edges, x0 <= x1 and y0 <= y1. */
void fr_raster_box(fr_raster *raster, float x0, float y0, float x1, float y1, uint32_t color, uint32_t alpha);

#endif
