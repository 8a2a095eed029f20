/* pixel: arithmetic on 0xAARRGGBB colours. Alpha is straight (not premultiplied), as SDL's textures expect.
 */
#ifndef FR_VIEW_PIXEL_H
#define FR_VIEW_PIXEL_H

#include <stdint.h>

/* Opaque mix of two colours, t 0 (a) .. 256 (b). */
static inline uint32_t fr_argb_mix(uint32_t a, uint32_t b, uint32_t t)
{
    uint32_t red_blue = ((a & 0xff00ffu) * (256u - t) + (b & 0xff00ffu) * t) >> 8;
    uint32_t green = ((a & 0x00ff00u) * (256u - t) + (b & 0x00ff00u) * t) >> 8;
    return 0xff000000u | (red_blue & 0xff00ffu) | (green & 0x00ff00u);
}

/* `color` (its alpha is ignored) laid over `under` with alpha 0..256; `under` may be transparent. */
static inline uint32_t fr_argb_over(uint32_t under, uint32_t color, uint32_t alpha)
{
    uint32_t under_alpha = under >> 24;
    if (under_alpha == 255u) {
        return fr_argb_mix(under, color, alpha);
    }
    /* In units of 1/65280: 256 steps of alpha times 255 steps of what is below. */
    uint32_t top = alpha * 255u, below = under_alpha * (256u - alpha);
    uint32_t total = top + below;
    if (total == 0u) {
        return 0u;
    }
    uint32_t mixed = fr_argb_mix(under, color, (top << 8) / total);
    return (mixed & 0xffffffu) | ((total >> 8) << 24);
}

static inline uint32_t fr_argb_with_alpha(uint32_t color, uint32_t alpha)
{
    return (color & 0xffffffu) | (alpha << 24);
}

/* Share 0..256 of a pixel that lies inside an edge, from the signed distance of its centre (pixels, negative
 * inside). */
static inline uint32_t fr_coverage(float distance_px)
{
    float share = 0.5f - distance_px;
    return share <= 0.0f ? 0u : share >= 1.0f ? 256u : (uint32_t)(share * 256.0f);
}

#endif
