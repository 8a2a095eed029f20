#include "view/overview.h"

#include "base/memory.h"
#include "view/pixel.h"

/* A texel may be shown this large (pixels) where cells could be told apart. */
#define TEXEL_MAX_PX 2.0

static uint32_t texel_color(const fr_overview *overview, int x, int y)
{
    int k = overview->cells_per_texel;
    uint32_t color = fr_terrain_cell_color(overview->art, x * k + k / 4, y * k + k / 4);
    if (k == 1) {
        return color;
    }
    return fr_argb_mix(color, fr_terrain_cell_color(overview->art, x * k + k * 3 / 4, y * k + k * 3 / 4),
                       128);
}

void fr_overview_touch(fr_overview *overview, fr_rect cells)
{
    int k = overview->cells_per_texel;
    fr_raster *raster = &overview->raster;
    int x1 = (cells.x + cells.width + k - 1) / k, y1 = (cells.y + cells.height + k - 1) / k;
    for (int y = cells.y / k; y < y1 && y < raster->height; y++) {
        uint32_t *row = fr_raster_row(raster, y);
        for (int x = cells.x / k; x < x1 && x < raster->width; x++) {
            row[x] = texel_color(overview, x, y);
        }
    }
    overview->version++;
}

void fr_overview_init(fr_overview *overview, const fr_terrain_art *art)
{
    fr_grid grid = art->ground->grid;
    int side = grid.width > grid.height ? grid.width : grid.height;
    int k = (side + FR_OVERVIEW_SIDE_MAX - 1) / FR_OVERVIEW_SIDE_MAX;
    int width = (grid.width + k - 1) / k, height = (grid.height + k - 1) / k;
    *overview = (fr_overview){.art = art, .cells_per_texel = k};
    overview->raster = (fr_raster){.stride = width, .width = width, .height = height};
    overview->raster.pixels = fr_alloc_raw((size_t)width * (size_t)height, sizeof *overview->raster.pixels);
    fr_overview_touch(overview, (fr_rect){0, 0, grid.width, grid.height});
}

void fr_overview_fini(fr_overview *overview)
{
    fr_free(overview->raster.pixels);
    *overview = (fr_overview){0};
}

static int within(double at, int size)
{
    int i = (int)at;
    return i < size ? i : size - 1;
}

void fr_overview_paint(const fr_overview *overview, double zoom, fr_raster raster)
{
    const fr_raster *texels = &overview->raster;
    int k = overview->cells_per_texel;
    /* Large maps seen near enough: the overview is too coarse. */
    bool by_cell = k > 1 && zoom * k > TEXEL_MAX_PX;
    /* Pixels that cover several cells are the mean of 2 x 2 samples. */
    int samples = zoom < 1.0 ? 2 : 1;
    for (int y = raster.top; y < raster.top + raster.height; y++) {
        uint32_t *row = fr_raster_row(&raster, y) - raster.left;
        for (int x = raster.left; x < raster.left + raster.width; x++) {
            uint32_t color = 0;
            for (int i = 0; i < samples * samples; i++) {
                double cell_x = (x + (i % samples + 0.5) / samples) / zoom;
                double cell_y = (y + (i / samples + 0.5) / samples) / zoom;
                uint32_t sample =
                    by_cell
                        ? fr_terrain_cell_color(overview->art, (int32_t)cell_x, (int32_t)cell_y)
                        : fr_raster_row(
                              texels, within(cell_y / k, texels->height))[within(cell_x / k, texels->width)];
                color = i == 0 ? sample : fr_argb_mix(color, sample, 256u / (uint32_t)(i + 1));
            }
            row[x] = color;
        }
    }
}
