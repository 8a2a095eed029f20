/* view_scene: what the tests of the view share: a window in memory (a surface and SDL's software renderer, no
 * video driver), a map with every kind of ground, and a crowd without a world behind it. */
#ifndef FR_TESTS_VIEW_SCENE_H
#define FR_TESTS_VIEW_SCENE_H

#include "support.h"

#include <SDL.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/rng.h"
#include "view/view.h"

typedef struct test_scene {
    SDL_Surface *surface;
    SDL_Renderer *renderer;
    fr_map *map;
    fr_cost *cost;
    fr_snapshot snapshot;
    fr_view_state state;
} test_scene;

/* Ground in stripes of all kinds, and blotches of them, so that every kind meets every other. */
static inline fr_map *patchwork_map(int32_t width, int32_t height)
{
    fr_map *map = open_map(width, height);
    map->has_terrain = true;
    fr_rng rng = {7};
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        fr_cell cell = fr_grid_cell(map->grid, i);
        uint32_t kind = (uint32_t)(cell.x / 5 + cell.y / 7) % FR_TERRAIN_COUNT;
        map->terrain[i] = (uint8_t)(fr_rng_below(&rng, 6) == 0 ? fr_rng_below(&rng, FR_TERRAIN_COUNT) : kind);
    }
    return map;
}

/* Takes the map over. The camera shows its middle at 16 pixels a cell; no units yet. */
static inline void scene_begin(test_scene *scene, fr_map *map, int width_px, int height_px)
{
    memset(scene, 0, sizeof *scene);
    scene->surface = SDL_CreateRGBSurfaceWithFormat(0, width_px, height_px, 32, SDL_PIXELFORMAT_ARGB8888);
    assert_non_null(scene->surface);
    scene->renderer = SDL_CreateSoftwareRenderer(scene->surface);
    assert_non_null(scene->renderer);
    scene->map = map;
    scene->cost = fr_cost_create(map);
    scene->snapshot.grid = map->grid;
    scene->snapshot.cost = scene->cost;
    scene->state.width_px = width_px;
    scene->state.height_px = height_px;
    scene->state.camera = (fr_camera){map->grid.width / 2.0, map->grid.height / 2.0, 16.0};
    scene->state.speed = 1.0;
    scene->state.title = "scene";
}

/* `count` units of radius 0.4 of teams 0 and 1 in turn, at rest on a square lattice whose first place is (x,
 * y). */
static inline void scene_add_units(test_scene *scene, int32_t count, int32_t columns, double x, double y,
                                   double apart)
{
    size_t n = (size_t)count;
    fr_position *position = fr_alloc(n, sizeof *position), *previous = fr_alloc(n, sizeof *previous);
    fr_vec2 *facing = fr_alloc(n, sizeof *facing), *velocity = fr_alloc(n, sizeof *velocity);
    float *radius = fr_alloc(n, sizeof *radius), *speed = fr_alloc(n, sizeof *speed);
    uint8_t *team = fr_alloc(n, 1), *zeros = fr_alloc(n, 4);
    for (int32_t i = 0; i < count; i++) {
        position[i] = previous[i] = fr_position_at(x + i % columns * apart, y + i / columns * apart);
        facing[i] = FR_STEPS[i % FR_DIR_COUNT].unit;
        radius[i] = 0.4f;
        team[i] = (uint8_t)(i % 2);
    }
    fr_snapshot *snapshot = &scene->snapshot;
    snapshot->unit_count = count;
    snapshot->position = position;
    snapshot->previous = previous;
    snapshot->facing = facing;
    snapshot->velocity = velocity;
    snapshot->radius = radius;
    snapshot->speed = speed;
    snapshot->team = team;
    snapshot->state = snapshot->movement_class = snapshot->reason = zeros;
}

static inline void scene_end(test_scene *scene)
{
    const fr_snapshot *snapshot = &scene->snapshot;
    const void *const arrays[] = {snapshot->position, snapshot->previous, snapshot->facing,
                                  snapshot->velocity, snapshot->radius,   snapshot->speed,
                                  snapshot->team,     snapshot->state};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        fr_free((void *)(uintptr_t)arrays[i]);
    }
    fr_cost_destroy(scene->cost);
    fr_map_destroy(scene->map);
    SDL_DestroyRenderer(scene->renderer);
    SDL_FreeSurface(scene->surface);
}

static inline fr_view *scene_view(test_scene *scene)
{
    const fr_view_config config = {.data_dir = "assets", .ui_scale = 1.0f};
    return fr_view_create(scene->renderer, scene->map, &config, NULL, NULL);
}

/* Draws one frame; hash of its pixels. */
static inline uint64_t scene_draw(test_scene *scene, fr_view *view)
{
    fr_view_draw(view, &scene->snapshot, &scene->state);
    SDL_RenderFlush(scene->renderer);
    return fr_hash_bytes(FR_HASH_SEED, scene->surface->pixels,
                         (size_t)scene->surface->pitch * (size_t)scene->surface->h);
}

static inline uint32_t scene_pixel(const test_scene *scene, int x, int y)
{
    const char *row = (const char *)scene->surface->pixels + (size_t)y * (size_t)scene->surface->pitch;
    return ((const uint32_t *)(const void *)row)[x] | 0xff000000u;
}

#endif
