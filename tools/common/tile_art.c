#include "tile_art.h"

/* One tile of the picture, to be drawn on. */
typedef struct spot {
    fr_bitmap *sheet;
    int x, y, variant;
} spot;

static void dot(spot *tile, int x, int y, uint32_t colour)
{
    if (x >= 0 && y >= 0 && x < FR_TILE_PX && y < FR_TILE_PX) {
        tile->sheet->pixels[(tile->y + y) * tile->sheet->width + tile->x + x] = colour;
    }
}

static void box(spot *tile, int x, int y, int width, int height, uint32_t colour)
{
    for (int i = 0; i < width * height; i++) {
        dot(tile, x + i % width, y + i / width, colour);
    }
}

static void disc(spot *tile, int x, int y, int radius, uint32_t colour)
{
    for (int dy = -radius; dy <= radius; dy++) {
        for (int dx = -radius; dx <= radius; dx++) {
            if (dx * dx + dy * dy <= radius * radius + radius) {
                dot(tile, x + dx, y + dy, colour);
            }
        }
    }
}

/* Two grass colours in patches, a lighter one, and tufts. */
static void draw_grass(spot *tile)
{
    static const uint32_t ground[FR_TILE_VARIANTS] = {0x8FA86A, 0x86A062, 0x9AB174, 0x8FA86A};
    box(tile, 0, 0, FR_TILE_PX, FR_TILE_PX, ground[tile->variant]);
    if (tile->variant == 3) {
        box(tile, 4, 9, 1, 3, 0x86A062);
        box(tile, 6, 8, 1, 4, 0x7A9557);
        box(tile, 8, 9, 1, 3, 0x86A062);
        box(tile, 11, 4, 1, 2, 0xA7B97C);
    }
}

/* Near the bank, then deep; the odd ones carry a pale stroke. */
static void draw_water(spot *tile)
{
    box(tile, 0, 0, FR_TILE_PX, FR_TILE_PX, tile->variant < 2 ? 0x3D7389 : 0x2F5D73);
    if (tile->variant % 2 == 1) {
        box(tile, 4, 6, 6, 1, tile->variant < 2 ? 0x568A9D : 0x47758A);
        box(tile, 8, 11, 4, 1, tile->variant < 2 ? 0x4B8095 : 0x3D6B80);
    }
}

static void draw_shallow(spot *tile)
{
    box(tile, 0, 0, FR_TILE_PX, FR_TILE_PX, 0x6FA3A6);
    if (tile->variant > 0) {
        box(tile, 1 + 3 * tile->variant, 3 + 3 * tile->variant, 5, 1, 0x8AB8B8);
    }
}

static void draw_sand(spot *tile)
{
    box(tile, 0, 0, FR_TILE_PX, FR_TILE_PX, 0xD9C79A);
    for (int i = 0; i < tile->variant; i++) {
        dot(tile, 3 + 4 * i, 11 - 3 * i, 0xC4B084);
        dot(tile, 12 - 3 * i, 4 + 5 * i, 0xE4D5AF);
    }
}

/* Three canopies, further ones first. */
static void draw_forest(spot *tile)
{
    static const int places[FR_TILE_VARIANTS][3][2] = {{{4, 4}, {11, 6}, {6, 11}},
                                                       {{11, 4}, {4, 6}, {10, 11}},
                                                       {{7, 4}, {4, 10}, {12, 10}},
                                                       {{5, 5}, {12, 4}, {9, 11}}};
    box(tile, 0, 0, FR_TILE_PX, FR_TILE_PX, 0x3A5238);
    for (int i = 0; i < 3; i++) {
        int x = places[tile->variant][i][0], y = places[tile->variant][i][1];
        disc(tile, x, y + 1, 4, 0x3A5238);
        disc(tile, x, y, 4, 0x4C6B45);
        disc(tile, x - 1, y - 1, 2, 0x638457);
    }
}

static void draw_rock(spot *tile)
{
    box(tile, 0, 0, FR_TILE_PX, FR_TILE_PX, 0x8D8883);
    for (int i = 0; i < tile->variant; i++) {
        int x = 3 + 4 * i, y = (5 + 7 * i + 3 * tile->variant) % 12;
        box(tile, x, y, 3, 1, 0x6E6A66);
        box(tile, x + 2, y + 1, 1, 2, 0x6E6A66);
    }
}

static void draw_road(spot *tile)
{
    box(tile, 0, 0, FR_TILE_PX, FR_TILE_PX, 0xCDB889);
    for (int i = 0; i < tile->variant; i++) {
        box(tile, (2 + 5 * i + 3 * tile->variant) % 14, (4 + 6 * i) % 15, 2, 1, 0xB59E70);
    }
}

/* Planks across the way; the last two variants carry the rail of the upper and the lower edge. */
static void draw_bridge(spot *tile)
{
    box(tile, 0, 0, FR_TILE_PX, FR_TILE_PX, 0xB08F62);
    for (int x = 3; x < FR_TILE_PX; x += 4) {
        box(tile, x, 0, 1, FR_TILE_PX, 0x94764F);
    }
    if (tile->variant == 1) {
        dot(tile, 1, 7, 0x7C6142);
        dot(tile, 9, 4, 0x7C6142);
    }
    if (tile->variant >= 2) {
        box(tile, 0, tile->variant == 2 ? 0 : FR_TILE_PX - 3, FR_TILE_PX, 3, 0x7C6142);
    }
}

static void draw_swamp(spot *tile)
{
    box(tile, 0, 0, FR_TILE_PX, FR_TILE_PX, 0x76895F);
    disc(tile, 4 + 3 * tile->variant, 5, 2, 0x5E7F78);
    disc(tile, 11 - 2 * tile->variant, 11, 2, 0x5E7F78);
    box(tile, 13, 2 + 2 * tile->variant, 1, 3, 0x4C6B45);
    box(tile, 2, 10 - tile->variant, 1, 3, 0x4C6B45);
}

/* Courses of stone: the joints of one course stand over the middles of the next. */
static void draw_wall(spot *tile)
{
    box(tile, 0, 0, FR_TILE_PX, FR_TILE_PX, 0x6E6A66);
    for (int course = 0; course < 4; course++) {
        box(tile, 0, 4 * course + 3, FR_TILE_PX, 1, 0x4B4845);
        for (int joint = 0; joint < 2; joint++) {
            box(tile, 8 * joint + (course % 2) * 4 + 2, 4 * course, 1, 3, 0x4B4845);
        }
    }
    box(tile, 8 * (tile->variant % 2) + 3, 4 * tile->variant, 4, 1, 0x8D8883);
}

void fr_draw_tile(fr_bitmap *sheet, int x, int y, fr_terrain kind, int variant)
{
    static void (*const draw[FR_TERRAIN_COUNT])(spot *) = {
        [FR_TERRAIN_GRASS] = draw_grass,     [FR_TERRAIN_WATER] = draw_water,
        [FR_TERRAIN_SHALLOW] = draw_shallow, [FR_TERRAIN_SAND] = draw_sand,
        [FR_TERRAIN_FOREST] = draw_forest,   [FR_TERRAIN_ROCK] = draw_rock,
        [FR_TERRAIN_ROAD] = draw_road,       [FR_TERRAIN_BRIDGE] = draw_bridge,
        [FR_TERRAIN_SWAMP] = draw_swamp,     [FR_TERRAIN_WALL] = draw_wall,
    };
    spot tile = {sheet, x, y, variant};
    draw[kind](&tile);
}
