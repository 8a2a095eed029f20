#include "view/land_cache.h"

#include <math.h>

#include "base/memory.h"

/* A chunk is a square of cells, a power of two a side, at least this many pixels wide (and less than twice).
 */
#define CHUNK_MIN_PX    256
#define CHUNK_CELLS_MIN 4

/* Pixels painted a frame: some five milliseconds of ordinary ground. */
#define PAINT_BUDGET_PX (160 * 1024)

/* What a cell costs beside its pixels, in pixels: it counts where cells are small. */
#define CELL_WORK_PX 40

/* Memory for chunks: at least this, and enough for a few windows full (bytes). */
#define CACHE_BYTES_MIN    ((size_t)48 << 20)
#define CACHE_WINDOWS_FULL 2

typedef struct land_chunk {
    double zoom;
    int32_t ix, iy; /* in chunks of this zoom */
    fr_rect place;  /* world pixels of this zoom */
    fr_rect stale;  /* part of place that must be painted anew; width 0: none */
    fr_picture *picture;
    uint32_t used; /* frame */
} land_chunk;

struct fr_land_cache {
    fr_canvas *canvas;
    fr_terrain_art *art;
    land_chunk *chunks;
    int count, capacity;
    size_t bytes;
    uint32_t frame;
    double zoom;         /* of the last frame */
    double settled_zoom; /* the last at which nothing was missing */
    uint32_t *scratch;   /* pixels of one land_chunk */
    size_t scratch_capacity;

    fr_overview overview;
    fr_picture *overview_picture; /* made when needed */
    uint32_t overview_version;    /* that the picture shows */
};

fr_land_cache *fr_land_cache_create(fr_canvas *canvas, fr_terrain_art *art)
{
    fr_land_cache *cache = fr_alloc(1, sizeof *cache);
    cache->canvas = canvas;
    cache->art = art;
    fr_overview_init(&cache->overview, art);
    return cache;
}

static size_t chunk_bytes(const land_chunk *chunk)
{
    return (size_t)chunk->place.width * (size_t)chunk->place.height * sizeof(uint32_t);
}

static void drop_chunk(fr_land_cache *cache, int i)
{
    cache->bytes -= chunk_bytes(&cache->chunks[i]);
    fr_picture_destroy(cache->chunks[i].picture);
    cache->chunks[i] = cache->chunks[--cache->count];
}

void fr_land_cache_flush(fr_land_cache *cache)
{
    while (cache->count > 0) {
        drop_chunk(cache, cache->count - 1);
    }
    fr_picture_destroy(cache->overview_picture);
    cache->overview_picture = NULL;
    cache->settled_zoom = 0.0;
}

void fr_land_cache_destroy(fr_land_cache *cache)
{
    if (cache != NULL) {
        fr_land_cache_flush(cache);
        fr_overview_fini(&cache->overview);
        fr_free(cache->chunks);
        fr_free(cache->scratch);
        fr_free(cache);
    }
}

const fr_overview *fr_land_cache_overview(const fr_land_cache *cache)
{
    return &cache->overview;
}

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

static int greater(int a, int b)
{
    return a > b ? a : b;
}

static fr_rect common(fr_rect a, fr_rect b)
{
    int x0 = greater(a.x, b.x), y0 = greater(a.y, b.y);
    int x1 = lesser(a.x + a.width, b.x + b.width), y1 = lesser(a.y + a.height, b.y + b.height);
    return x0 < x1 && y0 < y1 ? (fr_rect){x0, y0, x1 - x0, y1 - y0} : (fr_rect){0};
}

/* Smallest rectangle round two; one of width 0 counts for nothing. */
static fr_rect bounds(fr_rect a, fr_rect b)
{
    if (a.width == 0 || b.width == 0) {
        return a.width == 0 ? b : a;
    }
    int x0 = lesser(a.x, b.x), y0 = lesser(a.y, b.y);
    int x1 = greater(a.x + a.width, b.x + b.width), y1 = greater(a.y + a.height, b.y + b.height);
    return (fr_rect){x0, y0, x1 - x0, y1 - y0};
}

static fr_rect pixels_of(fr_grid grid, double zoom, fr_rect cells)
{
    fr_rect inside = fr_grid_clip(grid, cells);
    int x0 = fr_cell_edge_px(zoom, inside.x), x1 = fr_cell_edge_px(zoom, inside.x + inside.width);
    int y0 = fr_cell_edge_px(zoom, inside.y), y1 = fr_cell_edge_px(zoom, inside.y + inside.height);
    return (fr_rect){x0, y0, x1 - x0, y1 - y0};
}

void fr_land_cache_touch(fr_land_cache *cache, fr_rect cells)
{
    const int reach = FR_TERRAIN_REACH;
    fr_rect wide = {cells.x - reach, cells.y - reach, cells.width + 2 * reach, cells.height + 2 * reach};
    for (int i = 0; i < cache->count; i++) {
        land_chunk *chunk = &cache->chunks[i];
        fr_rect changed = pixels_of(cache->art->ground->grid, chunk->zoom, wide);
        chunk->stale = bounds(chunk->stale, common(changed, chunk->place));
    }
    fr_overview_touch(&cache->overview, cells);
}

static int chunk_cells(double zoom)
{
    int cells = CHUNK_CELLS_MIN;
    while (cells * zoom < CHUNK_MIN_PX) {
        cells *= 2;
    }
    return cells;
}

static void paint_part(fr_land_cache *cache, land_chunk *chunk, fr_rect part)
{
    size_t pixels = (size_t)part.width * (size_t)part.height;
    if (pixels > cache->scratch_capacity) {
        cache->scratch_capacity = pixels;
        cache->scratch = fr_realloc(cache->scratch, pixels, sizeof *cache->scratch);
    }
    fr_raster raster = {cache->scratch, part.width, part.x, part.y, part.width, part.height};
    if (chunk->zoom < FR_TERRAIN_DETAIL_ZOOM) {
        fr_overview_paint(&cache->overview, chunk->zoom, raster);
    } else {
        fr_terrain_paint(cache->art, chunk->zoom, raster);
    }
    fr_rect inside = {part.x - chunk->place.x, part.y - chunk->place.y, part.width, part.height};
    fr_picture_update(chunk->picture, inside, cache->scratch, part.width);
}

static int64_t work_px(const land_chunk *chunk)
{
    double pixels = (double)chunk->stale.width * chunk->stale.height;
    return (int64_t)(pixels + pixels / (chunk->zoom * chunk->zoom) * CELL_WORK_PX);
}

static void make_room(fr_land_cache *cache, size_t budget)
{
    while (cache->bytes > budget) {
        int oldest = -1;
        for (int i = 0; i < cache->count; i++) {
            uint32_t age = cache->frame - cache->chunks[i].used;
            if (age > 0 && (oldest < 0 || age > cache->frame - cache->chunks[oldest].used)) {
                oldest = i;
            }
        }
        if (oldest < 0) {
            return;
        }
        drop_chunk(cache, oldest);
    }
}

static land_chunk *find_chunk(fr_land_cache *cache, double zoom, int32_t ix, int32_t iy)
{
    for (int i = 0; i < cache->count; i++) {
        land_chunk *chunk = &cache->chunks[i];
        if (chunk->ix == ix && chunk->iy == iy && chunk->zoom == zoom) {
            return chunk;
        }
    }
    return NULL;
}

static land_chunk *add_chunk(fr_land_cache *cache, double zoom, int32_t ix, int32_t iy, fr_rect place)
{
    fr_picture *picture = fr_picture_create(cache->canvas, place.width, place.height, true);
    if (picture == NULL) {
        return NULL;
    }
    if (cache->count == cache->capacity) {
        cache->capacity = cache->capacity == 0 ? 64 : cache->capacity * 2;
        cache->chunks = fr_realloc(cache->chunks, (size_t)cache->capacity, sizeof *cache->chunks);
    }
    land_chunk *chunk = &cache->chunks[cache->count++];
    chunk->zoom = zoom;
    chunk->ix = ix;
    chunk->iy = iy;
    chunk->place = place;
    chunk->stale = place;
    chunk->picture = picture;
    chunk->used = cache->frame;
    cache->bytes += chunk_bytes(chunk);
    return chunk;
}

/* Paints what the chunks in view lack, as far as the budget goes. Returns true if nothing is missing. */
static bool prepare(fr_land_cache *cache, const fr_frame *frame, int64_t budget_px)
{
    fr_grid grid = frame->snapshot->grid;
    int cells = chunk_cells(frame->zoom);
    fr_rect view = frame->cells;
    bool settled = true;
    for (int32_t iy = view.y / cells; iy * cells < view.y + view.height; iy++) {
        for (int32_t ix = view.x / cells; ix * cells < view.x + view.width; ix++) {
            land_chunk *chunk = find_chunk(cache, frame->zoom, ix, iy);
            if (chunk == NULL && budget_px > 0) {
                fr_rect place = pixels_of(grid, frame->zoom, (fr_rect){ix * cells, iy * cells, cells, cells});
                if (place.width == 0 || place.height == 0) {
                    continue;
                }
                chunk = add_chunk(cache, frame->zoom, ix, iy, place);
            }
            if (chunk == NULL) {
                settled = false;
                continue;
            }
            chunk->used = cache->frame;
            if (chunk->stale.width > 0 && budget_px > 0) {
                budget_px -= work_px(chunk);
                paint_part(cache, chunk, chunk->stale);
                chunk->stale = (fr_rect){0};
            }
        }
    }
    return settled;
}

static void draw_overview(fr_land_cache *cache, const fr_frame *frame, fr_draw_list *list)
{
    const fr_raster *overview = &cache->overview.raster;
    fr_rect all = {0, 0, overview->width, overview->height};
    if (cache->overview_picture == NULL) {
        cache->overview_picture = fr_picture_create(cache->canvas, all.width, all.height, true);
        cache->overview_version = cache->overview.version - 1;
    }
    if (cache->overview_version != cache->overview.version) {
        fr_picture_update(cache->overview_picture, all, overview->pixels, overview->stride);
        cache->overview_version = cache->overview.version;
    }
    /* Only the texels in view: stretching what is outside costs as much as what is inside. */
    int k = cache->overview.cells_per_texel;
    int x0 = frame->cells.x / k, x1 = lesser((frame->cells.x + frame->cells.width + k - 1) / k, all.width);
    int y0 = frame->cells.y / k, y1 = lesser((frame->cells.y + frame->cells.height + k - 1) / k, all.height);
    float scale = (float)(k * frame->zoom);
    fr_box target = {fr_frame_x(frame, x0 * k), fr_frame_y(frame, y0 * k), (float)(x1 - x0) * scale,
                     (float)(y1 - y0) * scale};
    fr_draw_quad(list, cache->overview_picture, target, (fr_rect){x0, y0, x1 - x0, y1 - y0});
}

/* Where a chunk goes on the screen; false if it is out of view. */
static bool chunk_target(const land_chunk *chunk, const fr_frame *frame, fr_box *out)
{
    float scale = (float)(frame->zoom / chunk->zoom);
    *out = (fr_box){(float)chunk->place.x * scale + (float)frame->origin_x,
                    (float)chunk->place.y * scale + (float)frame->origin_y, (float)chunk->place.width * scale,
                    (float)chunk->place.height * scale};
    return out->x < (float)frame->width_px && out->x + out->width > 0.0f &&
           out->y < (float)frame->height_px && out->y + out->height > 0.0f;
}

static void draw_chunks(const fr_land_cache *cache, double zoom, const fr_frame *frame, fr_draw_list *list)
{
    for (int i = 0; i < cache->count; i++) {
        const land_chunk *chunk = &cache->chunks[i];
        fr_box target;
        if (chunk->zoom == zoom && chunk_target(chunk, frame, &target)) {
            fr_draw_quad(list, chunk->picture, target,
                         (fr_rect){0, 0, chunk->place.width, chunk->place.height});
        }
    }
}

/* Do the chunks of a zoom hide all of the map that is in view? */
static bool chunks_cover(const fr_land_cache *cache, double zoom, const fr_frame *frame)
{
    double covered = 0.0;
    for (int i = 0; i < cache->count; i++) {
        fr_box box;
        if (cache->chunks[i].zoom == zoom && chunk_target(&cache->chunks[i], frame, &box)) {
            float x0 = fmaxf(box.x, 0.0f), x1 = fminf(box.x + box.width, (float)frame->width_px);
            float y0 = fmaxf(box.y, 0.0f), y1 = fminf(box.y + box.height, (float)frame->height_px);
            covered += (double)(x1 - x0) * (double)(y1 - y0);
        }
    }
    fr_grid grid = frame->snapshot->grid;
    float x0 = fmaxf(fr_frame_x(frame, 0.0), 0.0f),
          x1 = fminf(fr_frame_x(frame, grid.width), (float)frame->width_px);
    float y0 = fmaxf(fr_frame_y(frame, 0.0), 0.0f),
          y1 = fminf(fr_frame_y(frame, grid.height), (float)frame->height_px);
    return covered > (double)(x1 - x0) * (double)(y1 - y0) * 0.9999;
}

/* What can be shown until the chunks are there: those of another zoom, and below them the overview. */
static void draw_stand_ins(fr_land_cache *cache, const fr_frame *frame, fr_draw_list *list)
{
    bool others = cache->settled_zoom > 0.0 && cache->settled_zoom != frame->zoom;
    if (!others || !chunks_cover(cache, cache->settled_zoom, frame)) {
        draw_overview(cache, frame, list);
    }
    if (others) {
        draw_chunks(cache, cache->settled_zoom, frame, list);
    }
}

bool fr_land_cache_draw(fr_land_cache *cache, const fr_frame *frame, bool complete, fr_draw_list *list)
{
    cache->frame++;
    bool zooming = frame->zoom != cache->zoom && cache->settled_zoom > 0.0;
    cache->zoom = frame->zoom;
    /* While the wheel turns, every frame has a zoom of its own that is gone with the next: nothing is painted
     * for it. The first picture of all is painted whole. */
    int64_t budget = complete || cache->settled_zoom == 0.0 ? INT64_MAX / 2 : zooming ? 0 : PAINT_BUDGET_PX;
    bool settled = prepare(cache, frame, budget);
    /* Before anything is drawn: the list must not name a picture that is gone. */
    size_t window_bytes = (size_t)frame->width_px * (size_t)frame->height_px * sizeof(uint32_t);
    size_t budget_bytes = window_bytes * CACHE_WINDOWS_FULL;
    make_room(cache, budget_bytes > CACHE_BYTES_MIN ? budget_bytes : CACHE_BYTES_MIN);
    if (settled) {
        cache->settled_zoom = frame->zoom;
    } else {
        draw_stand_ins(cache, frame, list);
    }
    draw_chunks(cache, frame->zoom, frame, list);
    return settled;
}
