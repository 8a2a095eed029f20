/* trees: forest as three round crowns a cell, each with shadow, body and light, further up first. Crowns are
 * baked once a zoom: a wood has thousands of them. */
#include <string.h>

#include "base/memory.h"
#include "view/palette.h"
#include "view/pixel.h"
#include "view/scenery.h"

#define BIT(kind) (1u << FR_TERRAIN_##kind)

/* Looks of crowns: sizes times shades of green. */
#define CROWN_SIZES  4
#define CROWN_SHADES 4
#define CROWN_LOOKS  (CROWN_SIZES * CROWN_SHADES)

/* Radius of the smallest crown and steps to the larger ones; reach of the shadow beyond the radius (cells).
 */
#define CROWN_RADIUS 0.35f
#define CROWN_STEP   0.045f
#define SHADOW_REACH 0.26f

/* Zoom from which the light on a crown can be seen. */
#define LIGHT_ZOOM 5.0f

static void bake_crown(fr_raster *raster, float scale, int look)
{
    float radius = (CROWN_RADIUS + CROWN_STEP * (float)(look % CROWN_SIZES)) * scale;
    float middle = (float)raster->width * 0.5f;
    static const uint32_t tones[CROWN_SHADES] = {0, 40, 80, 90};
    int shade = look / CROWN_SIZES;
    uint32_t body =
        fr_argb_mix(FR_COLOR_TREE, shade == 3 ? FR_COLOR_TREE_SHADE : FR_COLOR_TREE_LIGHT, tones[shade]);
    fr_raster_disc(raster, middle + 0.09f * scale, middle + 0.14f * scale, radius * 1.04f,
                   0.1f * scale + 1.0f, FR_COLOR_OUTLINE, 76);
    fr_raster_disc(raster, middle, middle, radius, 1.0f, FR_COLOR_TREE_SHADE, 256);
    fr_raster_disc(raster, middle - 0.02f * scale, middle - 0.03f * scale, radius - 0.055f * scale, 1.0f,
                   body, 256);
    if (scale >= LIGHT_ZOOM) {
        fr_raster_disc(raster, middle - radius * 0.24f, middle - radius * 0.3f, radius * 0.52f,
                       0.06f * scale + 1.0f, FR_COLOR_TREE_LIGHT, 200);
    }
}

/* Bakes all looks for the painter's zoom, unless they are there. */
static void bake_crowns(fr_painter *painter)
{
    if (painter->stamp_zoom == painter->zoom) {
        return;
    }
    float reach = CROWN_RADIUS + CROWN_STEP * (CROWN_SIZES - 1) + SHADOW_REACH;
    int side = 2 * (int)ceilf(reach * painter->scale + 1.0f);
    size_t pixels = (size_t)side * (size_t)side;
    painter->stamps = fr_realloc(painter->stamps, pixels * CROWN_LOOKS, sizeof *painter->stamps);
    memset(painter->stamps, 0, pixels * CROWN_LOOKS * sizeof *painter->stamps);
    for (int look = 0; look < CROWN_LOOKS; look++) {
        fr_raster raster = {painter->stamps + pixels * (size_t)look, side, 0, 0, side, side};
        bake_crown(&raster, painter->scale, look);
    }
    painter->stamp_side = side;
    painter->stamp_zoom = painter->zoom;
}

/* Lays a stamp over the raster with its middle at a world pixel. */
static void lay_stamp(fr_painter *painter, int look, int x, int y)
{
    const fr_raster *raster = &painter->raster;
    int side = painter->stamp_side, left = x - side / 2, top = y - side / 2;
    int x0 = left > raster->left ? left : raster->left, y0 = top > raster->top ? top : raster->top;
    int x1 = left + side < raster->left + raster->width ? left + side : raster->left + raster->width;
    int y1 = top + side < raster->top + raster->height ? top + side : raster->top + raster->height;
    const uint32_t *stamp = painter->stamps + (size_t)look * (size_t)side * (size_t)side;
    for (int row_y = y0; row_y < y1; row_y++) {
        const uint32_t *from = stamp + (intptr_t)(row_y - top) * side - left;
        uint32_t *row = fr_raster_row(raster, row_y) - raster->left;
        for (int row_x = x0; row_x < x1; row_x++) {
            uint32_t alpha = from[row_x] >> 24;
            if (alpha == 255u) {
                row[row_x] = from[row_x];
            } else if (alpha != 0u) {
                row[row_x] = fr_argb_mix(row[row_x], from[row_x], alpha);
            }
        }
    }
}

/* One of the three crowns of a forest cell; `slot` 0..2 from back to front. */
static void paint_crown(fr_painter *painter, int32_t cx, int32_t cy, int slot)
{
    static const float base[3][2] = {{0.28f, 0.1f}, {0.76f, 0.4f}, {0.34f, 0.72f}};
    uint32_t hash = fr_scenery_hash(cx, cy, 30 + (uint32_t)slot);
    float shift_x = 0.36f * ((float)(hash >> 8 & 0xffu) / 255.0f - 0.5f);
    float shift_y = 0.3f * ((float)(hash >> 16 & 0xffu) / 255.0f - 0.5f);
    int x = (int)floorf(((float)cx + base[slot][0] + shift_x) * painter->scale);
    int y = (int)floorf(((float)cy + base[slot][1] + shift_y) * painter->scale);
    lay_stamp(painter, (int)(hash >> 24) % CROWN_LOOKS, x, y);
}

void fr_scenery_trees(fr_painter *painter)
{
    static const fr_coat shaded = {.body = BIT(FOREST),
                                   .radius = 0.45f,
                                   .grow = 0.08f,
                                   .color = FR_COLOR_TREE_SHADE,
                                   .alpha = 130,
                                   .softness = 0.3f};
    fr_painter_coat(painter, &shaded);
    bake_crowns(painter);
    fr_rect cells = painter->cells;
    for (int32_t y = cells.y - 2; y < cells.y + cells.height + 2; y++) {
        for (int slot = 0; slot < 3; slot++) {
            for (int32_t x = cells.x - 2; x < cells.x + cells.width + 2; x++) {
                if ((fr_painter_bits(painter, x, y) & BIT(FOREST)) != 0 &&
                    fr_grid_contains(painter->ground->grid, (fr_cell){x, y})) {
                    paint_crown(painter, x, y, slot);
                }
            }
        }
    }
}
