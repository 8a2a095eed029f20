#include "view/render_sdl.h"

#include <SDL.h>

#include "base/memory.h"

/* Quads in one call: indices stay small and the scratch memory bounded. */
#define QUADS_PER_CALL 4096

/* Below this many quads single copies cost no more than the vertices of one call. */
#define QUADS_WORTH_A_CALL 4

/* For renderers that state no limit of their own (the software renderer). */
#define PICTURE_SIDE_MAX 16384

struct fr_canvas {
    SDL_Renderer *renderer;
    int picture_max;
    SDL_Vertex *vertices; /* [4 * QUADS_PER_CALL] */
    int *indices;         /* [6 * QUADS_PER_CALL], the same for every call */
};

struct fr_picture {
    SDL_Texture *texture;
    int width, height;
};

fr_canvas *fr_canvas_create(SDL_Renderer *renderer)
{
    fr_canvas *canvas = fr_alloc(1, sizeof *canvas);
    canvas->renderer = renderer;
    canvas->picture_max = PICTURE_SIDE_MAX;
    SDL_RendererInfo info;
    if (SDL_GetRendererInfo(renderer, &info) == 0 && info.max_texture_width > 0) {
        canvas->picture_max = SDL_min(info.max_texture_width, info.max_texture_height);
    }
    canvas->vertices = fr_alloc((size_t)4 * QUADS_PER_CALL, sizeof *canvas->vertices);
    canvas->indices = fr_alloc_raw((size_t)6 * QUADS_PER_CALL, sizeof *canvas->indices);
    for (int i = 0; i < QUADS_PER_CALL; i++) {
        static const int corners[6] = {0, 1, 2, 0, 2, 3};
        for (int k = 0; k < 6; k++) {
            canvas->indices[6 * i + k] = 4 * i + corners[k];
        }
    }
    for (int i = 0; i < 4 * QUADS_PER_CALL; i++) {
        /* White for ever: tinted vertices cost the software renderer five times as much. */
        canvas->vertices[i].color = (SDL_Color){255, 255, 255, 255};
    }
    return canvas;
}

void fr_canvas_destroy(fr_canvas *canvas)
{
    if (canvas != NULL) {
        fr_free(canvas->vertices);
        fr_free(canvas->indices);
        fr_free(canvas);
    }
}

int fr_canvas_picture_max(const fr_canvas *canvas)
{
    return canvas->picture_max;
}

static void set_color(SDL_Renderer *renderer, uint32_t color)
{
    SDL_SetRenderDrawColor(renderer, (Uint8)(color >> 16), (Uint8)(color >> 8), (Uint8)color,
                           (Uint8)(color >> 24));
}

void fr_canvas_clear(fr_canvas *canvas, uint32_t color)
{
    set_color(canvas->renderer, color);
    SDL_RenderClear(canvas->renderer);
}

static bool power_of_two(int n)
{
    return (n & (n - 1)) == 0;
}

static void set_vertex(SDL_Vertex *vertex, float x, float y, float u, float v)
{
    vertex->position = (SDL_FPoint){x, y};
    vertex->tex_coord = (SDL_FPoint){u, v};
}

static void draw_quads_at_once(fr_canvas *canvas, const fr_picture *picture, const fr_box *targets,
                               const fr_rect *sources, int count)
{
    float u_scale = 1.0f / (float)picture->width, v_scale = 1.0f / (float)picture->height;
    for (int i = 0; i < count; i++) {
        fr_box t = targets[i];
        fr_rect s = sources[i];
        float u0 = (float)s.x * u_scale, u1 = (float)(s.x + s.width) * u_scale;
        float v0 = (float)s.y * v_scale, v1 = (float)(s.y + s.height) * v_scale;
        SDL_Vertex *corner = &canvas->vertices[4 * i];
        set_vertex(&corner[0], t.x, t.y, u0, v0);
        set_vertex(&corner[1], t.x + t.width, t.y, u1, v0);
        set_vertex(&corner[2], t.x + t.width, t.y + t.height, u1, v1);
        set_vertex(&corner[3], t.x, t.y + t.height, u0, v1);
    }
    SDL_RenderGeometry(canvas->renderer, picture->texture, canvas->vertices, 4 * count, canvas->indices,
                       6 * count);
}

static void draw_quads(fr_canvas *canvas, const fr_draw_batch *batch, const fr_draw_list *list)
{
    const fr_picture *picture = batch->picture;
    const fr_box *targets = list->targets + batch->first;
    const fr_rect *sources = list->sources + batch->first;
    /* The software renderer cuts texture coordinates down to whole pixels: only sides that are powers of two
     * come back exact, others go as copies. */
    if (batch->count >= QUADS_WORTH_A_CALL && power_of_two(picture->width) && power_of_two(picture->height)) {
        for (int32_t i = 0; i < batch->count; i += QUADS_PER_CALL) {
            int count = SDL_min(batch->count - i, QUADS_PER_CALL);
            draw_quads_at_once(canvas, picture, targets + i, sources + i, count);
        }
        return;
    }
    for (int32_t i = 0; i < batch->count; i++) {
        SDL_Rect source = {sources[i].x, sources[i].y, sources[i].width, sources[i].height};
        SDL_FRect target = {targets[i].x, targets[i].y, targets[i].width, targets[i].height};
        SDL_RenderCopyF(canvas->renderer, picture->texture, &source, &target);
    }
}

void fr_canvas_draw(fr_canvas *canvas, const fr_draw_list *list)
{
    _Static_assert(sizeof(fr_box) == sizeof(SDL_FRect), "boxes are handed over as they are");
    for (int32_t i = 0; i < list->batch_count; i++) {
        const fr_draw_batch *batch = &list->batches[i];
        if (batch->kind == FR_DRAW_QUADS) {
            draw_quads(canvas, batch, list);
            continue;
        }
        SDL_SetRenderDrawBlendMode(canvas->renderer,
                                   batch->color >> 24 == 255u ? SDL_BLENDMODE_NONE : SDL_BLENDMODE_BLEND);
        set_color(canvas->renderer, batch->color);
        SDL_RenderFillRectsF(canvas->renderer, (const SDL_FRect *)(const void *)(list->rects + batch->first),
                             batch->count);
    }
}

fr_picture *fr_picture_create(fr_canvas *canvas, int width, int height, bool opaque)
{
    if (width < 1 || height < 1 || width > canvas->picture_max || height > canvas->picture_max) {
        return NULL;
    }
    SDL_Texture *texture = SDL_CreateTexture(canvas->renderer, SDL_PIXELFORMAT_ARGB8888,
                                             SDL_TEXTUREACCESS_STATIC, width, height);
    if (texture == NULL) {
        return NULL;
    }
    SDL_SetTextureBlendMode(texture, opaque ? SDL_BLENDMODE_NONE : SDL_BLENDMODE_BLEND);
    fr_picture *picture = fr_alloc(1, sizeof *picture);
    *picture = (fr_picture){texture, width, height};
    return picture;
}

void fr_picture_destroy(fr_picture *picture)
{
    if (picture != NULL) {
        SDL_DestroyTexture(picture->texture);
        fr_free(picture);
    }
}

int fr_picture_width(const fr_picture *picture)
{
    return picture == NULL ? 0 : picture->width;
}

int fr_picture_height(const fr_picture *picture)
{
    return picture == NULL ? 0 : picture->height;
}

void fr_picture_update(fr_picture *picture, fr_rect part, const uint32_t *pixels, int stride)
{
    if (picture != NULL && part.width > 0 && part.height > 0) {
        SDL_Rect rect = {part.x, part.y, part.width, part.height};
        SDL_UpdateTexture(picture->texture, &rect, pixels, stride * (int)sizeof *pixels);
    }
}
