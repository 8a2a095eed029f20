#include "view/tiles.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "view/image.h"
#include "view/painter.h"
#include "view/palette.h"
#include "view/pixel.h"

/* Cells that the picture of a tile may reach beyond its own: larger tiles are cut off there. */
#define REACH_MAX 32

/* Samples per pixel and axis where tiles are shown smaller than they are. */
#define SAMPLES_MAX 4

/* One tileset with what it is drawn from. */
typedef struct tile_sheet {
    const fr_tileset *set;
    fr_image image;     /* a sheet, or */
    fr_image *images;   /* ... a collection [set->tile_image_count] */
    int columns, count; /* tiles of the sheet; old files leave them to be counted in the image */
    uint32_t *means;    /* mean colour, straight alpha: [tile_count], or of a collection [tile_image_count] */
} tile_sheet;

struct fr_tiles {
    const fr_map *map;
    tile_sheet *sheets; /* [map->tileset_count] */
    int reach;
};

/* What one gid shows: a part of an image. No pixels: the image is missing. */
typedef struct tile_source {
    const uint32_t *pixels; /* its top left pixel */
    int stride, width, height;
    uint32_t mean;
    bool undefined; /* no tileset defines it */
} tile_source;

static tile_source part_of(const fr_image *image, int x, int y, int width, int height)
{
    tile_source source = {.width = width, .height = height};
    if (image->pixels != NULL && x >= 0 && y >= 0 && x + width <= image->width &&
        y + height <= image->height) {
        source.pixels = image->pixels + (intptr_t)y * image->width + x;
        source.stride = image->width;
    }
    return source;
}

static tile_source source_in_sheet(const tile_sheet *sheet, uint32_t id)
{
    const fr_tileset *set = sheet->set;
    if (set->image != NULL) {
        if (id >= (uint32_t)sheet->count || sheet->columns < 1) {
            return (tile_source){.undefined = true};
        }
        int column = (int)id % sheet->columns, row = (int)id / sheet->columns;
        tile_source source =
            part_of(&sheet->image, set->margin_px + column * (set->tile_width_px + set->spacing_px),
                    set->margin_px + row * (set->tile_height_px + set->spacing_px), set->tile_width_px,
                    set->tile_height_px);
        source.mean = sheet->means[id];
        return source;
    }
    for (int32_t i = 0; i < set->tile_image_count; i++) {
        if (set->tile_images[i].id == id) {
            tile_source source =
                part_of(&sheet->images[i], 0, 0, sheet->images[i].width, sheet->images[i].height);
            source.mean = sheet->means[i];
            return source;
        }
    }
    return (tile_source){.undefined = true};
}

static tile_source source_of(const fr_tiles *tiles, uint32_t gid)
{
    for (int32_t i = tiles->map->tileset_count - 1; i >= 0; i--) {
        uint32_t first = tiles->map->tilesets[i].first_gid;
        if (gid >= first) {
            return source_in_sheet(&tiles->sheets[i], gid - first);
        }
    }
    return (tile_source){.undefined = true};
}

static uint32_t mean_of(tile_source source)
{
    uint64_t sum[4] = {0};
    for (int y = 0; source.pixels != NULL && y < source.height; y++) {
        for (int x = 0; x < source.width; x++) {
            uint32_t pixel = source.pixels[(intptr_t)y * source.stride + x], alpha = pixel >> 24;
            sum[3] += alpha;
            for (int k = 0; k < 3; k++) {
                sum[k] += (uint64_t)(pixel >> (8 * k) & 0xffu) * alpha;
            }
        }
    }
    if (sum[3] == 0) {
        return 0;
    }
    uint64_t pixels = (uint64_t)source.width * (uint64_t)source.height;
    uint32_t mean = (uint32_t)(sum[3] / pixels) << 24;
    for (int k = 0; k < 3; k++) {
        mean |= (uint32_t)(sum[k] / sum[3]) << (8 * k);
    }
    return mean;
}

static void load_image(const char *path, fr_image *out, void (*warn)(void *self, const char *line),
                       void *self)
{
    fr_error error = {{0}};
    fr_status status = fr_image_load(path, out, &error);
    /* Of files that are not there the map's own warnings tell. */
    if (status != FR_OK && status != FR_IO_FAILED && warn != NULL) {
        char line[FR_ERROR_BYTES + 64];
        snprintf(line, sizeof line, "%s; its tiles are drawn in one colour", error.message);
        warn(self, line);
    }
}

/* Tiles of this length, with their spacing, in an image's side. */
static int tiles_along(int side_px, int margin_px, int spacing_px, int tile_px)
{
    int step = tile_px + spacing_px, room = side_px - 2 * margin_px + spacing_px;
    return tile_px > 0 && step > 0 && room > 0 ? room / step : 0;
}

static void count_tiles(tile_sheet *sheet)
{
    const fr_tileset *set = sheet->set;
    sheet->columns = set->columns;
    sheet->count = set->tile_count;
    if (sheet->columns < 1) {
        sheet->columns = tiles_along(sheet->image.width, set->margin_px, set->spacing_px, set->tile_width_px);
    }
    if (sheet->count < 1) {
        sheet->count = sheet->columns *
                       tiles_along(sheet->image.height, set->margin_px, set->spacing_px, set->tile_height_px);
    }
}

static void load_collection(tile_sheet *sheet, void (*warn)(void *self, const char *line), void *self)
{
    const fr_tileset *set = sheet->set;
    sheet->images = fr_alloc((size_t)set->tile_image_count + 1, sizeof *sheet->images);
    sheet->means = fr_alloc((size_t)set->tile_image_count + 1, sizeof *sheet->means);
    for (int32_t i = 0; i < set->tile_image_count; i++) {
        fr_image *image = &sheet->images[i];
        load_image(set->tile_images[i].path, image, warn, self);
        sheet->means[i] = mean_of(part_of(image, 0, 0, image->width, image->height));
    }
}

static void load_sheet(tile_sheet *sheet, const fr_tileset *set, void (*warn)(void *self, const char *line),
                       void *self)
{
    sheet->set = set;
    if (set->image == NULL) {
        load_collection(sheet, warn, self);
        return;
    }
    load_image(set->image, &sheet->image, warn, self);
    count_tiles(sheet);
    sheet->means = fr_alloc((size_t)sheet->count + 1, sizeof *sheet->means);
    for (int i = 0; i < sheet->count; i++) {
        sheet->means[i] = mean_of(source_in_sheet(sheet, (uint32_t)i));
    }
}

/* Cells by which the largest tile of a sheet is larger than one. */
static int reach_of(const tile_sheet *sheet, const fr_map *map)
{
    int width = sheet->set->tile_width_px, height = sheet->set->tile_height_px;
    for (int32_t i = 0; sheet->images != NULL && i < sheet->set->tile_image_count; i++) {
        width = sheet->images[i].width > width ? sheet->images[i].width : width;
        height = sheet->images[i].height > height ? sheet->images[i].height : height;
    }
    int across = (width - 1) / map->tile_width_px, down = (height - 1) / map->tile_height_px;
    int reach = across > down ? across : down;
    return reach < 0 ? 0 : reach > REACH_MAX ? REACH_MAX : reach;
}

fr_tiles *fr_tiles_create(const fr_map *map, void (*warn)(void *self, const char *line), void *warn_self)
{
    if (map->has_terrain || map->layer_count == 0 || map->tile_width_px < 1 || map->tile_height_px < 1) {
        return NULL;
    }
    fr_tiles *tiles = fr_alloc(1, sizeof *tiles);
    tiles->map = map;
    tiles->sheets = fr_alloc((size_t)map->tileset_count + 1, sizeof *tiles->sheets);
    for (int32_t i = 0; i < map->tileset_count; i++) {
        load_sheet(&tiles->sheets[i], &map->tilesets[i], warn, warn_self);
        int reach = reach_of(&tiles->sheets[i], map);
        tiles->reach = reach > tiles->reach ? reach : tiles->reach;
    }
    return tiles;
}

void fr_tiles_destroy(fr_tiles *tiles)
{
    if (tiles == NULL) {
        return;
    }
    for (int32_t i = 0; i < tiles->map->tileset_count; i++) {
        tile_sheet *sheet = &tiles->sheets[i];
        for (int32_t k = 0; sheet->images != NULL && k < sheet->set->tile_image_count; k++) {
            fr_image_fini(&sheet->images[k]);
        }
        fr_image_fini(&sheet->image);
        fr_free(sheet->images);
        fr_free(sheet->means);
    }
    fr_free(tiles->sheets);
    fr_free(tiles);
}

/* Where a tile goes (world pixels), and how it is turned. */
typedef struct placement {
    double left, top, width, height;
    uint32_t flags;
    uint32_t opacity; /* 0..256 */
} placement;

/* The pixel of a tile at (u, v) of its place, 0..1; flips undone in the editor's order: sides, then diagonal.
 */
static uint32_t tile_pixel(const tile_source *source, uint32_t flags, double u, double v)
{
    u = (flags & FR_GID_FLIP_H) != 0 ? 1.0 - u : u;
    v = (flags & FR_GID_FLIP_V) != 0 ? 1.0 - v : v;
    if ((flags & FR_GID_FLIP_D) != 0) {
        double swap = u;
        u = v;
        v = swap;
    }
    int x = (int)(u * source->width), y = (int)(v * source->height);
    x = x < 0 ? 0 : x >= source->width ? source->width - 1 : x;
    y = y < 0 ? 0 : y >= source->height ? source->height - 1 : y;
    return source->pixels[(intptr_t)y * source->stride + x];
}

/* Mean of samples x samples points of one pixel. */
static uint32_t sampled(const tile_source *source, const placement *place, int x, int y, int samples)
{
    uint32_t sum[4] = {0};
    for (int i = 0; i < samples * samples; i++) {
        double u = (x + (i % samples + 0.5) / samples - place->left) / place->width;
        double v = (y + (i / samples + 0.5) / samples - place->top) / place->height;
        uint32_t pixel = tile_pixel(source, place->flags, u, v), alpha = pixel >> 24;
        sum[3] += alpha;
        for (int k = 0; k < 3; k++) {
            sum[k] += (pixel >> (8 * k) & 0xffu) * alpha;
        }
    }
    if (sum[3] == 0) {
        return 0;
    }
    uint32_t alpha = sum[3] / (uint32_t)(samples * samples);
    return alpha << 24 | (sum[2] / sum[3]) << 16 | (sum[1] / sum[3]) << 8 | sum[0] / sum[3];
}

static void paint_tile(fr_raster *raster, const tile_source *source, const placement *place)
{
    int x0 = (int)floor(place->left + 0.5), x1 = (int)floor(place->left + place->width + 0.5);
    int y0 = (int)floor(place->top + 0.5), y1 = (int)floor(place->top + place->height + 0.5);
    x0 = x0 > raster->left ? x0 : raster->left;
    y0 = y0 > raster->top ? y0 : raster->top;
    x1 = x1 < raster->left + raster->width ? x1 : raster->left + raster->width;
    y1 = y1 < raster->top + raster->height ? y1 : raster->top + raster->height;
    int samples = (int)ceil(source->width / place->width - 0.01);
    samples = samples < 1 ? 1 : samples > SAMPLES_MAX ? SAMPLES_MAX : samples;
    for (int y = y0; y < y1; y++) {
        uint32_t *row = fr_raster_row(raster, y) - raster->left;
        for (int x = x0; x < x1; x++) {
            uint32_t color;
            if (source->undefined) {
                bool light = ((int)((x - place->left) * 4.0 / place->width) +
                              (int)((y - place->top) * 4.0 / place->height)) %
                                 2 ==
                             0;
                color = light ? FR_COLOR_MISSING : FR_COLOR_OUTLINE;
            } else {
                color = sampled(source, place, x, y, samples);
            }
            uint32_t alpha = (color >> 24) + (color >> 31);
            row[x] = fr_argb_over(row[x], color, alpha * place->opacity >> 8);
        }
    }
}

static void paint_cell(const fr_tiles *tiles, const fr_tile_layer *layer, double zoom, fr_raster *raster,
                       fr_cell cell)
{
    uint32_t gid = layer->gids[fr_grid_index(tiles->map->grid, cell)];
    if ((gid & ~FR_GID_FLAG_MASK) == 0) {
        return;
    }
    tile_source source = source_of(tiles, gid & ~FR_GID_FLAG_MASK);
    if (!source.undefined && source.pixels == NULL) {
        return;
    }
    bool turned = (gid & FR_GID_FLIP_D) != 0;
    int width = source.undefined ? tiles->map->tile_width_px : turned ? source.height : source.width;
    int height = source.undefined ? tiles->map->tile_height_px : turned ? source.width : source.height;
    placement place = {.flags = gid & FR_GID_FLAG_MASK,
                       .opacity = (uint32_t)(layer->opacity * 256.0f + 0.5f)};
    place.left = fr_cell_edge_px(zoom, cell.x);
    place.width = width == tiles->map->tile_width_px ? fr_cell_edge_px(zoom, cell.x + 1) - place.left
                                                     : width * zoom / tiles->map->tile_width_px;
    double bottom = fr_cell_edge_px(zoom, cell.y + 1);
    place.height = height == tiles->map->tile_height_px ? bottom - fr_cell_edge_px(zoom, cell.y)
                                                        : height * zoom / tiles->map->tile_height_px;
    place.top = bottom - place.height;
    if (place.width > 0.0 && place.height > 0.0) {
        paint_tile(raster, &source, &place);
    }
}

void fr_tiles_paint(fr_tiles *tiles, double zoom, fr_raster *raster, fr_rect cells)
{
    int reach = tiles->reach;
    fr_rect rect = fr_grid_clip(
        tiles->map->grid, (fr_rect){cells.x - reach, cells.y, cells.width + reach, cells.height + reach});
    for (int32_t i = 0; i < tiles->map->layer_count; i++) {
        for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
            for (int32_t x = rect.x; x < rect.x + rect.width; x++) {
                paint_cell(tiles, &tiles->map->layers[i], zoom, raster, (fr_cell){x, y});
            }
        }
    }
}

uint32_t fr_tiles_cell_color(const fr_tiles *tiles, int32_t x, int32_t y, uint32_t below)
{
    fr_cell cell = fr_grid_clamp_cell(tiles->map->grid, (fr_cell){x, y});
    uint32_t color = below;
    for (int32_t i = 0; i < tiles->map->layer_count; i++) {
        const fr_tile_layer *layer = &tiles->map->layers[i];
        uint32_t gid = layer->gids[fr_grid_index(tiles->map->grid, cell)] & ~FR_GID_FLAG_MASK;
        if (gid == 0) {
            continue;
        }
        tile_source source = source_of(tiles, gid);
        uint32_t mean = source.undefined ? FR_COLOR_MISSING : source.mean;
        color = fr_argb_over(color, mean, (uint32_t)((float)((mean >> 24) + (mean >> 31)) * layer->opacity));
    }
    return color;
}
