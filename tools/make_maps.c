/* make_maps: writes the maps that ship with the game into a folder, and the scenes into its folder scenarios:
 * `make_maps DIR`. Holds the two small maps, and main. */
#include "make_maps.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/rng.h"
#include "common/maze.h"
#include "common/noise.h"
#include "files/stdio_io.h"
#include "make_scenes.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* Two basins of grass in rock, joined by a gap seven cells wide. One cost everywhere, so that how well a
 * crowd passes can be computed exactly. */
static fr_canvas make_pass(const fr_start **starts, int *start_count)
{
    enum { WIDTH = 160, HEIGHT = 96, GAP_TOP = 44, GAP = 7, NECK = 76, NECK_LENGTH = 8 };
    static const fr_start places[] = {{14, 32, 34, 30, 0}, {112, 32, 34, 30, 1}};
    static const fr_knot divide[] = {{78, -10, 9}, {83, 20, 7}, {80, 47.5f, 6}, {76, 75, 8}, {80, 106, 10}};
    fr_canvas canvas = fr_canvas_create(WIDTH, HEIGHT, FR_TERRAIN_GRASS);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            float cx = (float)x + 0.5f, cy = (float)y + 0.5f;
            float rim = cx < cy ? cx : cy;
            rim = WIDTH - cx < rim ? WIDTH - cx : rim;
            rim = HEIGHT - cy < rim ? HEIGHT - cy : rim;
            float wobble = (fr_noise(53, cx, cy, 12.0f) - 0.5f) * 8.0f;
            if (rim + wobble < 4.0f || fr_line_distance(divide, COUNT(divide), cx, cy) + wobble < 0.0f) {
                fr_canvas_set(&canvas, x, y, FR_TERRAIN_ROCK);
            }
        }
    }
    fr_canvas_smooth(&canvas, FR_TERRAIN_ROCK, FR_TERRAIN_GRASS, 3);
    fr_canvas_drop_small(&canvas, FR_TERRAIN_ROCK, 20, FR_TERRAIN_GRASS);
    /* A neck with straight sides, opening towards the basins. */
    fr_canvas_fill(&canvas, NECK, 0, NECK_LENGTH, HEIGHT, FR_TERRAIN_ROCK);
    for (int x = NECK - 16; x < NECK + NECK_LENGTH + 16; x++) {
        int away = x < NECK ? NECK - x : x - (NECK + NECK_LENGTH - 1);
        int wider = away > 0 ? away / 2 : 0;
        fr_canvas_fill(&canvas, x, GAP_TOP - wider, 1, GAP + 2 * wider, FR_TERRAIN_GRASS);
    }
    fr_canvas_close_gaps(&canvas);
    *starts = places;
    *start_count = COUNT(places);
    return canvas;
}

enum { MAZE_PITCH = 3 };

static void dig_corridor(void *context, fr_cell place, int came_from)
{
    fr_canvas *canvas = context;
    int x = place.x * MAZE_PITCH + 1, y = place.y * MAZE_PITCH + 1;
    fr_canvas_fill(canvas, x, y, 2, 2, FR_TERRAIN_GRASS);
    if (came_from != FR_DIR_NONE) {
        fr_canvas_fill(canvas, x + FR_STEPS[came_from].dx, y + FR_STEPS[came_from].dy, 2, 2,
                       FR_TERRAIN_GRASS);
    }
}

/* A maze of corridors two cells wide: a depth-first tree, with some walls taken out again so that there is
 * more than one way, and a court in two corners to gather in. */
static fr_canvas make_maze(const fr_start **starts, int *start_count)
{
    enum { ROOMS = 21, SIDE = ROOMS * MAZE_PITCH + 1, LOOPS = 40, COURT = 5 * MAZE_PITCH - 1 };
    static const fr_start places[] = {{1, 1, COURT, COURT, 0}};
    static const int steps[2][2] = {{1, 0}, {0, 1}};
    fr_canvas canvas = fr_canvas_create(SIDE, SIDE, FR_TERRAIN_WALL);
    fr_rng rng = {7};
    fr_make_maze((fr_grid){ROOMS, ROOMS}, &rng, dig_corridor, &canvas);
    for (int i = 0; i < LOOPS; i++) {
        int x = (int)fr_rng_below(&rng, ROOMS - 1), y = (int)fr_rng_below(&rng, ROOMS - 1);
        const int *step = steps[fr_rng_below(&rng, 2)];
        fr_canvas_fill(&canvas, x * MAZE_PITCH + 1 + step[0], y * MAZE_PITCH + 1 + step[1], 2, 2,
                       FR_TERRAIN_GRASS);
    }
    fr_canvas_fill(&canvas, 1, 1, COURT, COURT, FR_TERRAIN_GRASS);
    fr_canvas_fill(&canvas, SIDE - 1 - COURT, SIDE - 1 - COURT, COURT, COURT, FR_TERRAIN_GRASS);
    *starts = places;
    *start_count = COUNT(places);
    return canvas;
}

typedef struct recipe {
    const char *file;
    fr_canvas (*make)(const fr_start **starts, int *start_count);
} recipe;

static fr_status write_file(const fr_io *io, const char *folder, const char *file, const fr_buffer *bytes,
                            fr_error *error)
{
    fr_buffer path = {0};
    fr_buffer_printf(&path, "%s/%s", folder, file);
    fr_buffer_append(&path, "", 1);
    fr_status status = io->write(io->self, (const char *)path.data, bytes->data, bytes->size, error);
    fr_buffer_fini(&path);
    return status;
}

static fr_status write_all(const fr_io *io, const char *folder, fr_error *error)
{
    static const recipe recipes[] = {
        {"vale.tmj", fr_make_vale}, {"pass.tmj", make_pass}, {"maze.tmj", make_maze}};
    fr_buffer bytes = {0};
    fr_write_tileset(&bytes);
    fr_status status = write_file(io, folder, "ground.tsj", &bytes, error);
    bytes.size = 0;
    fr_write_tileset_image(&bytes);
    if (status == FR_OK) {
        status = write_file(io, folder, "ground.bmp", &bytes, error);
    }
    for (int i = 0; i < COUNT(recipes) && status == FR_OK; i++) {
        const fr_start *starts;
        int start_count;
        fr_canvas canvas = recipes[i].make(&starts, &start_count);
        bytes.size = 0;
        fr_write_tiled_map(&canvas, starts, start_count, &bytes);
        status = write_file(io, folder, recipes[i].file, &bytes, error);
        fr_canvas_destroy(&canvas);
    }
    if (status == FR_OK) {
        bytes.size = 0;
        fr_buffer_printf(&bytes, "%s/scenarios", folder);
        fr_buffer_append(&bytes, "", 1);
        status = fr_make_scenes(io, (const char *)bytes.data, error);
    }
    fr_buffer_fini(&bytes);
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 2 || strcmp(argv[1], "--help") == 0) {
        fprintf(argc == 2 ? stdout : stderr, "usage: make_maps DIR\n");
        return argc == 2 ? 0 : 2;
    }
    fr_io io = fr_stdio_io("make_maps");
    fr_error error = {{0}};
    if (write_all(&io, argv[1], &error) != FR_OK) {
        fprintf(stderr, "make_maps: %s\n", error.message);
        return 1;
    }
    return 0;
}
