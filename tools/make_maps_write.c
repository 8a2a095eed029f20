/* make_maps_write: the maps as files. One tileset for all of them, four pictures a kind of ground, drawn here
 * pixel by pixel in the game's palette; the maps as Tiled JSON with one row of cells a line, so that a change
 * of a map reads as a change. Knows nothing of composing. */
#include "make_maps.h"

#include <assert.h>

#include "base/rng.h"

enum { TILE_PX = 16, VARIANTS = 4, TILES = FR_TERRAIN_COUNT * VARIANTS };
enum { IMAGE_WIDTH = VARIANTS * TILE_PX, IMAGE_HEIGHT = FR_TERRAIN_COUNT * TILE_PX };

/* Colours as 0xRRGGBB. */
typedef struct picture {
    uint32_t pixels[IMAGE_HEIGHT][IMAGE_WIDTH];
} picture;

/* One tile of the picture, to be drawn on. */
typedef struct spot {
    picture *sheet;
    int x, y, variant;
} spot;

static void dot(spot *tile, int x, int y, uint32_t colour)
{
    if (x >= 0 && y >= 0 && x < TILE_PX && y < TILE_PX) {
        tile->sheet->pixels[tile->y + y][tile->x + x] = colour;
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
    static const uint32_t ground[VARIANTS] = {0x8FA86A, 0x86A062, 0x9AB174, 0x8FA86A};
    box(tile, 0, 0, TILE_PX, TILE_PX, ground[tile->variant]);
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
    box(tile, 0, 0, TILE_PX, TILE_PX, tile->variant < 2 ? 0x3D7389 : 0x2F5D73);
    if (tile->variant % 2 == 1) {
        box(tile, 4, 6, 6, 1, tile->variant < 2 ? 0x568A9D : 0x47758A);
        box(tile, 8, 11, 4, 1, tile->variant < 2 ? 0x4B8095 : 0x3D6B80);
    }
}

static void draw_shallow(spot *tile)
{
    box(tile, 0, 0, TILE_PX, TILE_PX, 0x6FA3A6);
    if (tile->variant > 0) {
        box(tile, 1 + 3 * tile->variant, 3 + 3 * tile->variant, 5, 1, 0x8AB8B8);
    }
}

static void draw_sand(spot *tile)
{
    box(tile, 0, 0, TILE_PX, TILE_PX, 0xD9C79A);
    for (int i = 0; i < tile->variant; i++) {
        dot(tile, 3 + 4 * i, 11 - 3 * i, 0xC4B084);
        dot(tile, 12 - 3 * i, 4 + 5 * i, 0xE4D5AF);
    }
}

/* Three canopies, further ones first. */
static void draw_forest(spot *tile)
{
    static const int places[VARIANTS][3][2] = {{{4, 4}, {11, 6}, {6, 11}},
                                               {{11, 4}, {4, 6}, {10, 11}},
                                               {{7, 4}, {4, 10}, {12, 10}},
                                               {{5, 5}, {12, 4}, {9, 11}}};
    box(tile, 0, 0, TILE_PX, TILE_PX, 0x3A5238);
    for (int i = 0; i < 3; i++) {
        int x = places[tile->variant][i][0], y = places[tile->variant][i][1];
        disc(tile, x, y + 1, 4, 0x3A5238);
        disc(tile, x, y, 4, 0x4C6B45);
        disc(tile, x - 1, y - 1, 2, 0x638457);
    }
}

static void draw_rock(spot *tile)
{
    box(tile, 0, 0, TILE_PX, TILE_PX, 0x8D8883);
    for (int i = 0; i < tile->variant; i++) {
        int x = 3 + 4 * i, y = (5 + 7 * i + 3 * tile->variant) % 12;
        box(tile, x, y, 3, 1, 0x6E6A66);
        box(tile, x + 2, y + 1, 1, 2, 0x6E6A66);
    }
}

static void draw_road(spot *tile)
{
    box(tile, 0, 0, TILE_PX, TILE_PX, 0xCDB889);
    for (int i = 0; i < tile->variant; i++) {
        box(tile, (2 + 5 * i + 3 * tile->variant) % 14, (4 + 6 * i) % 15, 2, 1, 0xB59E70);
    }
}

/* Planks across the way; the last two variants carry the rail of the upper and the lower edge. */
static void draw_bridge(spot *tile)
{
    box(tile, 0, 0, TILE_PX, TILE_PX, 0xB08F62);
    for (int x = 3; x < TILE_PX; x += 4) {
        box(tile, x, 0, 1, TILE_PX, 0x94764F);
    }
    if (tile->variant == 1) {
        dot(tile, 1, 7, 0x7C6142);
        dot(tile, 9, 4, 0x7C6142);
    }
    if (tile->variant >= 2) {
        box(tile, 0, tile->variant == 2 ? 0 : TILE_PX - 3, TILE_PX, 3, 0x7C6142);
    }
}

static void draw_swamp(spot *tile)
{
    box(tile, 0, 0, TILE_PX, TILE_PX, 0x76895F);
    disc(tile, 4 + 3 * tile->variant, 5, 2, 0x5E7F78);
    disc(tile, 11 - 2 * tile->variant, 11, 2, 0x5E7F78);
    box(tile, 13, 2 + 2 * tile->variant, 1, 3, 0x4C6B45);
    box(tile, 2, 10 - tile->variant, 1, 3, 0x4C6B45);
}

/* Courses of stone: the joints of one course stand over the middles of the next. */
static void draw_wall(spot *tile)
{
    box(tile, 0, 0, TILE_PX, TILE_PX, 0x6E6A66);
    for (int course = 0; course < 4; course++) {
        box(tile, 0, 4 * course + 3, TILE_PX, 1, 0x4B4845);
        for (int joint = 0; joint < 2; joint++) {
            box(tile, 8 * joint + (course % 2) * 4 + 2, 4 * course, 1, 3, 0x4B4845);
        }
    }
    box(tile, 8 * (tile->variant % 2) + 3, 4 * tile->variant, 4, 1, 0x8D8883);
}

static void draw_tiles(picture *sheet)
{
    static void (*const draw[FR_TERRAIN_COUNT])(spot *) = {
        [FR_TERRAIN_GRASS] = draw_grass,     [FR_TERRAIN_WATER] = draw_water,
        [FR_TERRAIN_SHALLOW] = draw_shallow, [FR_TERRAIN_SAND] = draw_sand,
        [FR_TERRAIN_FOREST] = draw_forest,   [FR_TERRAIN_ROCK] = draw_rock,
        [FR_TERRAIN_ROAD] = draw_road,       [FR_TERRAIN_BRIDGE] = draw_bridge,
        [FR_TERRAIN_SWAMP] = draw_swamp,     [FR_TERRAIN_WALL] = draw_wall,
    };
    for (int id = 0; id < TILES; id++) {
        spot tile = {sheet, id % VARIANTS * TILE_PX, id / VARIANTS * TILE_PX, id % VARIANTS};
        draw[id / VARIANTS](&tile);
    }
}

static void append_le(fr_buffer *out, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        uint8_t byte = (uint8_t)(value >> (8 * i));
        fr_buffer_append(out, &byte, 1);
    }
}

/* A 24-bit BMP: SDL alone opens it, and so does the Tiled editor. Rows from the bottom up, of a multiple of
 * four bytes (as 64 pixels are). */
void fr_write_tileset_image(fr_buffer *out)
{
    enum { HEADERS = 14 + 40, BYTES = IMAGE_WIDTH * IMAGE_HEIGHT * 3 };
    static_assert(IMAGE_WIDTH * 3 % 4 == 0, "rows need no padding");
    picture sheet;
    draw_tiles(&sheet);
    fr_buffer_append(out, "BM", 2);
    append_le(out, HEADERS + BYTES, 4);
    append_le(out, 0, 4);
    append_le(out, HEADERS, 4);
    append_le(out, 40, 4);
    append_le(out, IMAGE_WIDTH, 4);
    append_le(out, IMAGE_HEIGHT, 4);
    append_le(out, 1, 2);  /* planes */
    append_le(out, 24, 2); /* bits a pixel */
    append_le(out, 0, 4);  /* not compressed */
    append_le(out, BYTES, 4);
    append_le(out, 2835, 4); /* 72 dpi in pixels a metre, both ways */
    append_le(out, 2835, 4);
    append_le(out, 0, 4);
    append_le(out, 0, 4);
    for (int y = IMAGE_HEIGHT - 1; y >= 0; y--) {
        for (int x = 0; x < IMAGE_WIDTH; x++) {
            append_le(out, sheet.pixels[y][x], 3);
        }
    }
}

static void write_cost(fr_buffer *out, const char *name, int cost)
{
    fr_buffer_printf(out, "{\"name\": \"%s\", \"type\": \"int\", \"value\": %d}, ", name, cost);
}

void fr_write_tileset(fr_buffer *out)
{
    fr_buffer_printf(out,
                     "{\n \"type\": \"tileset\", \"version\": \"1.8\", \"name\": \"ground\",\n"
                     " \"image\": \"ground.bmp\", \"imagewidth\": %d, \"imageheight\": %d,\n"
                     " \"tilewidth\": %d, \"tileheight\": %d, \"columns\": %d, \"tilecount\": %d,\n"
                     " \"margin\": 0, \"spacing\": 0,\n \"tiles\": [\n",
                     IMAGE_WIDTH, IMAGE_HEIGHT, TILE_PX, TILE_PX, VARIANTS, TILES);
    for (int id = 0; id < TILES; id++) {
        fr_terrain kind = (fr_terrain)(id / VARIANTS);
        int foot = fr_ground_cost(kind, FR_CLASS_FOOT);
        fr_buffer_printf(out, "  {\"id\": %d, \"properties\": [", id);
        write_cost(out, "cost", foot);
        if (fr_ground_cost(kind, FR_CLASS_HOVER) != foot) {
            write_cost(out, "cost_hover", fr_ground_cost(kind, FR_CLASS_HOVER));
        }
        if (fr_ground_cost(kind, FR_CLASS_WHEELS) != foot) {
            write_cost(out, "cost_wheels", fr_ground_cost(kind, FR_CLASS_WHEELS));
        }
        fr_buffer_printf(out, "{\"name\": \"terrain\", \"type\": \"string\", \"value\": \"%s\"}]}%s\n",
                         fr_terrain_name(kind), id + 1 < TILES ? "," : "");
    }
    fr_buffer_printf(out, " ]\n}\n");
}

/* Is everything within two cells of the same kind? */
static bool is_deep(const fr_canvas *canvas, int x, int y, fr_terrain kind)
{
    for (int i = 0; i < 25; i++) {
        fr_terrain near = fr_canvas_at(canvas, x + i % 5 - 2, y + i / 5 - 2);
        if (near != kind && near != FR_TERRAIN_BRIDGE) {
            return false;
        }
    }
    return true;
}

/* Which of a kind's four pictures a cell shows: by its surroundings where they matter, else at random. */
static int variant_at(const fr_canvas *canvas, int x, int y)
{
    fr_terrain kind = fr_canvas_at(canvas, x, y);
    int dice = (int)(fr_mix64((uint64_t)(y * canvas->width + x) + 0x5eed) >> 60);
    if (kind == FR_TERRAIN_GRASS) {
        float patch = fr_noise(47, (float)x, (float)y, 20.0f);
        return dice == 0 ? 3 : patch > 0.57f ? 2 : patch < 0.43f ? 1 : 0;
    }
    if (kind == FR_TERRAIN_WATER) {
        return (is_deep(canvas, x, y, kind) ? 2 : 0) + (dice == 0);
    }
    if (kind == FR_TERRAIN_BRIDGE) {
        if (fr_canvas_at(canvas, x, y - 1) != FR_TERRAIN_BRIDGE) {
            return 2;
        }
        return fr_canvas_at(canvas, x, y + 1) != FR_TERRAIN_BRIDGE ? 3 : dice % 2;
    }
    return dice % VARIANTS;
}

static void write_cells(const fr_canvas *canvas, fr_buffer *out)
{
    for (int y = 0; y < canvas->height; y++) {
        for (int x = 0; x < canvas->width; x++) {
            int id = (int)fr_canvas_at(canvas, x, y) * VARIANTS + variant_at(canvas, x, y);
            bool last = y + 1 == canvas->height && x + 1 == canvas->width;
            fr_buffer_printf(out, "%d%s", id + 1, last ? "" : x + 1 < canvas->width ? "," : ",\n");
        }
    }
}

static void write_start(const fr_start *start, int id, fr_buffer *out)
{
    fr_buffer_printf(
        out,
        "    {\"id\": %d, \"name\": \"%s\", \"type\": \"spawn\", \"x\": %d, \"y\": %d, \"width\": %d, "
        "\"height\": %d, \"rotation\": 0, \"visible\": true,\n"
        "     \"properties\": [{\"name\": \"team\", \"type\": \"int\", \"value\": %d}]}",
        id, start->team == 0 ? "blue" : "orange", start->x * TILE_PX, start->y * TILE_PX,
        start->width * TILE_PX, start->height * TILE_PX, start->team);
}

void fr_write_tiled_map(const fr_canvas *canvas, const fr_start *starts, int start_count, fr_buffer *out)
{
    fr_buffer_printf(out,
                     "{\n \"type\": \"map\", \"version\": \"1.8\", \"orientation\": \"orthogonal\", "
                     "\"renderorder\": \"right-down\", \"infinite\": false,\n"
                     " \"width\": %d, \"height\": %d, \"tilewidth\": %d, \"tileheight\": %d,\n"
                     " \"nextlayerid\": 3, \"nextobjectid\": %d,\n"
                     " \"properties\": [{\"name\": \"full_speed_cost\", \"type\": \"int\", \"value\": %d}],\n"
                     " \"tilesets\": [{\"firstgid\": 1, \"source\": \"ground.tsj\"}],\n \"layers\": [\n"
                     "  {\"id\": 1, \"type\": \"tilelayer\", \"name\": \"ground\", \"x\": 0, \"y\": 0, "
                     "\"width\": %d, \"height\": %d, \"opacity\": 1, \"visible\": true,\n   \"data\": [\n",
                     canvas->width, canvas->height, TILE_PX, TILE_PX, start_count + 1,
                     fr_ground_cost(FR_TERRAIN_GRASS, FR_CLASS_FOOT), canvas->width, canvas->height);
    write_cells(canvas, out);
    fr_buffer_printf(
        out, "]},\n  {\"id\": 2, \"type\": \"objectgroup\", \"name\": \"spawns\", \"x\": 0, \"y\": 0, "
             "\"draworder\": \"topdown\", \"opacity\": 1, \"visible\": true,\n   \"objects\": [\n");
    for (int i = 0; i < start_count; i++) {
        write_start(&starts[i], i + 1, out);
        fr_buffer_printf(out, "%s\n", i + 1 < start_count ? "," : "");
    }
    fr_buffer_printf(out, "   ]}\n ]\n}\n");
}
