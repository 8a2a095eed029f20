/* make_maps_vale: the default map. A river winds from north to south, crossed by two bridges and a ford; a
 * ridge in the west and one in the east are broken by passes; roads lead from edge to edge over the bridges.
 * Composition only: the tools are in make_maps_canvas.c. */
#include "make_maps.h"

#include "common/noise.h"

enum { WIDTH = 256, HEIGHT = 192 };

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const fr_knot RIVER[] = {
    {152, -12, 9}, {158, 12, 10}, {156, 32, 11},  {142, 54, 9},     {130, 72, 7.5f},
    {128, 84, 7},  {127, 97, 7},  {120, 112, 7},  {107, 128, 7.5f}, {101, 142, 7},
    {100, 157, 7}, {107, 172, 9}, {121, 188, 11}, {128, 206, 12},
};
static const fr_knot WEST_RIDGE[] = {
    {66, -6, 5}, {62, 14, 5},   {53, 30, 3},   {51, 36, -8}, {50, 42, -8}, {52, 50, 3},  {57, 64, 4},
    {56, 76, 2}, {54, 84, -12}, {54, 92, -12}, {56, 102, 2}, {62, 112, 4}, {66, 122, 2}, {68, 128, -6},
};
static const fr_knot EAST_RIDGE[] = {
    {188, 8, 2},   {192, 20, 4},  {190, 34, 4},  {186, 46, 2},   {184, 54, -10}, {184, 82, -12},
    {190, 92, 3},  {196, 104, 5}, {194, 118, 3}, {190, 126, -9}, {188, 134, -9}, {190, 142, -9},
    {192, 152, 2}, {198, 164, 5}, {206, 180, 4}, {210, 200, 5},
};
/* The first two cross the bridges, the third the ford. */
static const fr_knot NORTH_ROAD[] = {{-8, 92, 2.5f},     {22, 90, 2.5f},  {54, 87, 2.5f},     {86, 83, 2.5f},
                                     {112, 84.5f, 2.5f}, {128, 85, 2.5f}, {144, 84.5f, 2.5f}, {172, 78, 2.5f},
                                     {200, 70, 2.5f},    {228, 66, 2.5f}, {264, 60, 2.5f}};
static const fr_knot SOUTH_ROAD[] = {{-8, 158, 2},     {24, 162, 2},  {52, 160, 2},  {80, 150, 2},
                                     {100, 149.5f, 2}, {118, 150, 2}, {150, 142, 2}, {186, 134, 2},
                                     {226, 146, 2},    {264, 152, 2}};
static const fr_knot FORD_ROAD[] = {{88, 81, 1.5f},   {96, 96, 1.5f},   {108, 108, 1.5f}, {117, 115, 1.5f},
                                    {130, 122, 1.5f}, {142, 132, 1.5f}, {150, 142, 1.5f}};
static const fr_knot WEST_ROAD[] = {
    {22, 90, 1.5f}, {30, 108, 1.5f}, {24, 132, 1.5f}, {30, 148, 1.5f}, {40, 161, 1.5f}};
static const fr_knot EAST_ROAD[] = {
    {172, 74, 1.5f}, {168, 92, 1.5f}, {174, 110, 1.5f}, {176, 124, 1.5f}, {180, 135, 1.5f}};

/* Ground that stays open: where armies stand, gather, and queue for a bridge. */
typedef struct meadow {
    float x, y, radius_x, radius_y;
} meadow;
static const meadow MEADOWS[] = {
    {20, 72, 24, 40},   {226, 66, 31, 30}, {52, 162, 34, 24}, {232, 152, 30, 26},
    {104, 84, 30, 17},  {152, 84, 28, 17}, {84, 150, 18, 13}, {116, 150, 17, 13},
    {117, 114, 15, 11}, {24, 176, 24, 14}, {54, 88, 14, 11},  {188, 134, 13, 10},
};
static const meadow PONDS[] = {{30, 18, 9, 6}, {222, 20, 11, 7}, {158, 172, 9, 6}};

static const fr_start STARTS[] = {
    {86, 66, 28, 19, 0}, {86, 85, 28, 19, 0}, {58, 74, 26, 22, 0}, {148, 66, 28, 18, 1}, {142, 86, 28, 18, 1},
};

/* Negative inside, about the distance in cells from the edge outside. */
static float meadow_distance(const meadow *meadows, int count, float x, float y)
{
    float nearest = 1e9f;
    for (int i = 0; i < count; i++) {
        float dx = (x - meadows[i].x) / meadows[i].radius_x, dy = (y - meadows[i].y) / meadows[i].radius_y;
        float smaller = meadows[i].radius_x < meadows[i].radius_y ? meadows[i].radius_x : meadows[i].radius_y;
        float distance = (sqrtf(dx * dx + dy * dy) - 1.0f) * smaller;
        nearest = distance < nearest ? distance : nearest;
    }
    return nearest;
}

static float smaller_of(float a, float b)
{
    return a < b ? a : b;
}

static float road_distance(float x, float y)
{
    float distance = fr_line_distance(NORTH_ROAD, COUNT(NORTH_ROAD), x, y);
    distance = smaller_of(distance, fr_line_distance(SOUTH_ROAD, COUNT(SOUTH_ROAD), x, y));
    distance = smaller_of(distance, fr_line_distance(FORD_ROAD, COUNT(FORD_ROAD), x, y));
    distance = smaller_of(distance, fr_line_distance(WEST_ROAD, COUNT(WEST_ROAD), x, y));
    return smaller_of(distance, fr_line_distance(EAST_ROAD, COUNT(EAST_ROAD), x, y));
}

static float wobble(uint64_t seed, float x, float y, float scale, float cells)
{
    return (fr_noise(seed, x, y, scale) - 0.5f) * 2.0f * cells;
}

static fr_terrain ground_at(float x, float y)
{
    float water = smaller_of(fr_line_distance(RIVER, COUNT(RIVER), x, y) + wobble(11, x, y, 18.0f, 4.0f),
                             meadow_distance(PONDS, COUNT(PONDS), x, y) + wobble(13, x, y, 10.0f, 3.5f));
    float ridge = smaller_of(fr_line_distance(WEST_RIDGE, COUNT(WEST_RIDGE), x, y),
                             fr_line_distance(EAST_RIDGE, COUNT(EAST_RIDGE), x, y)) +
                  wobble(17, x, y, 9.0f, 3.5f);
    float open = meadow_distance(MEADOWS, COUNT(MEADOWS), x, y) + wobble(19, x, y, 12.0f, 4.0f);
    float road = road_distance(x, y);
    bool outcrop = fr_noise(23, x, y, 13.0f) > 0.70f && open > 2.0f && water > 6.0f && road > 4.0f;
    bool marsh = x > 118.0f && y > 160.0f && water < 5.0f + wobble(29, x, y, 10.0f, 5.0f);
    bool wood = fr_noise(31, x, y, 26.0f) + 0.25f * (fr_noise(37, x, y, 7.0f) - 0.5f) > 0.56f;

    if (water < 0.0f) {
        return FR_TERRAIN_WATER;
    }
    if (road < 0.0f) {
        return FR_TERRAIN_ROAD;
    }
    if (water < 2.2f + wobble(41, x, y, 11.0f, 1.8f)) {
        return FR_TERRAIN_SAND;
    }
    if ((ridge < 0.0f && road > 4.0f && water > 5.0f) || outcrop) {
        return FR_TERRAIN_ROCK;
    }
    if (marsh && road > 2.0f) {
        return FR_TERRAIN_SWAMP;
    }
    if (wood && open > 0.0f && road > 1.5f) {
        return FR_TERRAIN_FOREST;
    }
    return FR_TERRAIN_GRASS;
}

/* A bridge over the river in rows y .. y + width - 1, as long as the widest of them needs. Looks for water
 * only near `x`: a pond in the same rows is none of its business. */
static void build_bridge(fr_canvas *canvas, int x, int y, int width)
{
    int west = x, east = x;
    for (int row = y; row < y + width; row++) {
        int left = x, right = x;
        while (fr_canvas_at(canvas, left - 1, row) == FR_TERRAIN_WATER) {
            left--;
        }
        while (fr_canvas_at(canvas, right + 1, row) == FR_TERRAIN_WATER) {
            right++;
        }
        west = left < west ? left : west;
        east = right > east ? right : east;
    }
    fr_canvas_fill(canvas, west - 1, y, east - west + 3, width, FR_TERRAIN_BRIDGE);
}

static void lay_ford(fr_canvas *canvas, float x, float y, float radius)
{
    for (int row = 0; row < canvas->height; row++) {
        for (int column = 0; column < canvas->width; column++) {
            float dx = (float)column + 0.5f - x, dy = (float)row + 0.5f - y;
            if (fr_canvas_at(canvas, column, row) == FR_TERRAIN_WATER &&
                sqrtf(dx * dx + dy * dy) + wobble(43, (float)column, (float)row, 8.0f, 1.5f) < radius) {
                fr_canvas_set(canvas, column, row, FR_TERRAIN_SHALLOW);
            }
        }
    }
}

fr_canvas fr_make_vale(const fr_start **starts, int *start_count)
{
    fr_canvas canvas = fr_canvas_create(WIDTH, HEIGHT, FR_TERRAIN_GRASS);
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            fr_canvas_set(&canvas, x, y, ground_at((float)x + 0.5f, (float)y + 0.5f));
        }
    }
    fr_canvas_smooth(&canvas, FR_TERRAIN_FOREST, FR_TERRAIN_GRASS, 2);
    fr_canvas_smooth(&canvas, FR_TERRAIN_ROCK, FR_TERRAIN_GRASS, 2);
    fr_canvas_smooth(&canvas, FR_TERRAIN_WATER, FR_TERRAIN_SAND, 2);
    fr_canvas_drop_small(&canvas, FR_TERRAIN_FOREST, 12, FR_TERRAIN_GRASS);
    fr_canvas_drop_small(&canvas, FR_TERRAIN_GRASS, 12, FR_TERRAIN_FOREST);
    fr_canvas_drop_small(&canvas, FR_TERRAIN_SWAMP, 12, FR_TERRAIN_GRASS);
    fr_canvas_drop_small(&canvas, FR_TERRAIN_ROCK, 9, FR_TERRAIN_GRASS);
    fr_canvas_drop_small(&canvas, FR_TERRAIN_WATER, 20, FR_TERRAIN_SAND);
    lay_ford(&canvas, 117.0f, 115.0f, 9.0f);
    build_bridge(&canvas, 128, 80, 10);
    build_bridge(&canvas, 100, 146, 8);
    fr_canvas_close_gaps(&canvas);
    *starts = STARTS;
    *start_count = COUNT(STARTS);
    return canvas;
}
