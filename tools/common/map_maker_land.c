#include "map_maker_land.h"

#include "noise.h"

/* What foot, and all who walk, pay for the ground of these maps. */
static uint8_t cost_of(fr_terrain kind)
{
    switch (kind) {
    case FR_TERRAIN_GRASS:
        return 1;
    case FR_TERRAIN_SAND:
        return 2;
    case FR_TERRAIN_FOREST:
        return 3;
    default:
        return FR_COST_WALL;
    }
}

static void set(fr_map *map, int32_t x, int32_t y, fr_terrain kind)
{
    if (fr_grid_contains(map->grid, (fr_cell){x, y})) {
        int32_t index = fr_grid_index(map->grid, (fr_cell){x, y});
        map->terrain[index] = (uint8_t)kind;
        map->costs[FR_CLASS_FOOT][index] = cost_of(kind);
    }
}

static float at_most(float value, float high)
{
    return value < high ? value : high;
}

/* Cells between a cell and the map's edge. */
static int32_t rim_distance(fr_grid grid, int32_t x, int32_t y)
{
    int32_t across = x < grid.width - 1 - x ? x : grid.width - 1 - x;
    int32_t down = y < grid.height - 1 - y ? y : grid.height - 1 - y;
    return across < down ? across : down;
}

/* Width of the largest features: an island or a valley must fit several times, on small maps too. */
static float feature_scale(fr_grid grid, float largest)
{
    int32_t side = grid.width < grid.height ? grid.width : grid.height;
    float scale = at_most((float)side / 4.0f, largest);
    return scale < 4.0f ? 4.0f : scale;
}

static bool is_wood(uint64_t seed, int32_t x, int32_t y)
{
    return fr_noise(seed, (float)x, (float)y, 24.0f) > 0.6f;
}

void fr_make_islands(fr_map *map, fr_rng *rng)
{
    uint64_t height_seed = fr_rng_next(rng), wood_seed = fr_rng_next(rng);
    float scale = feature_scale(map->grid, 64.0f);
    for (int32_t y = 0; y < map->grid.height; y++) {
        for (int32_t x = 0; x < map->grid.width; x++) {
            float height = fr_noise(height_seed, (float)x, (float)y, scale) - 0.5f;
            /* The sea goes all around. */
            height -= 0.3f * (1.0f - at_most((float)rim_distance(map->grid, x, y) / (0.5f * scale), 1.0f));
            fr_terrain kind = height < 0.0f              ? FR_TERRAIN_WATER
                              : height < 0.03f           ? FR_TERRAIN_SAND
                              : is_wood(wood_seed, x, y) ? FR_TERRAIN_FOREST
                                                         : FR_TERRAIN_GRASS;
            set(map, x, y, kind);
        }
    }
}

enum { RIDGE_PITCH = 64, PASS_PITCH = 96, PASS_WIDTH_MIN = 3, PASS_WIDTH_MAX = 8, PASS_MOUTH = 3 };

/* First and last column of a ridge in one row. */
static void ridge_extent(uint64_t seed, int32_t centre, int32_t y, int32_t *from, int32_t *to)
{
    float bend = (fr_noise(seed, 0.0f, (float)y, 48.0f) - 0.5f) * 32.0f;
    float half = 4.0f + fr_noise(seed + 8, 0.0f, (float)y, 16.0f) * 6.0f;
    *from = centre + (int32_t)(bend - half);
    *to = centre + (int32_t)(bend + half);
}

static void fill_ridge(fr_map *map, uint64_t seed, int32_t centre, int32_t y, int32_t rows, int32_t mouth,
                       fr_terrain kind)
{
    for (int32_t end = y + rows; y < end; y++) {
        int32_t from, to;
        ridge_extent(seed, centre, y, &from, &to);
        for (int32_t x = from - mouth; x <= to + mouth; x++) {
            set(map, x, y, kind);
        }
    }
}

static void make_ridge(fr_map *map, fr_rng *rng, int32_t centre)
{
    uint64_t seed = fr_rng_next(rng);
    int32_t height = map->grid.height;
    fill_ridge(map, seed, centre, 0, height, 0, FR_TERRAIN_ROCK);
    int32_t count = height / PASS_PITCH > 0 ? height / PASS_PITCH : 1;
    for (int32_t i = 0; i < count; i++) {
        int32_t top = height / count * i, room = height / count;
        int32_t width = PASS_WIDTH_MIN + (int32_t)fr_rng_below(rng, PASS_WIDTH_MAX - PASS_WIDTH_MIN + 1);
        int32_t place = room > width ? (int32_t)fr_rng_below(rng, (uint32_t)(room - width)) : 0;
        fill_ridge(map, seed, centre, top + place, width, PASS_MOUTH, FR_TERRAIN_SAND);
    }
}

void fr_make_passes(fr_map *map, fr_rng *rng)
{
    uint64_t wood_seed = fr_rng_next(rng);
    for (int32_t y = 0; y < map->grid.height; y++) {
        for (int32_t x = 0; x < map->grid.width; x++) {
            set(map, x, y, is_wood(wood_seed, x, y) ? FR_TERRAIN_FOREST : FR_TERRAIN_GRASS);
        }
    }
    for (int32_t x = RIDGE_PITCH / 2; x < map->grid.width; x += RIDGE_PITCH) {
        make_ridge(map, rng, x);
    }
}
