/* map_thumbnail: a small picture of a map: `thumbnail IN OUT.bmp`. A pixel is the mean of the cells under it.
 */
#include "../common/bitmap.h"
#include "../common/options.h"
#include "map_tools.h"
#include "mapio/mapio.h"
#include "view/palette.h"

/* Pixels of the longer side at most; smaller maps have whole pixels a cell. */
#define SIDE_PX 512

/* Colour of a cell, 0xRRGGBB: as on the game's small map. */
static uint32_t cell_color(const fr_map *map, int32_t x, int32_t y)
{
    static const uint32_t colors[FR_TERRAIN_COUNT] = {
        [FR_TERRAIN_GRASS] = FR_COLOR_GRASS,     [FR_TERRAIN_WATER] = FR_COLOR_WATER,
        [FR_TERRAIN_SHALLOW] = FR_COLOR_SHALLOW, [FR_TERRAIN_SAND] = FR_COLOR_SAND,
        [FR_TERRAIN_FOREST] = FR_COLOR_TREE,     [FR_TERRAIN_ROCK] = FR_COLOR_ROCK,
        [FR_TERRAIN_ROAD] = FR_COLOR_ROAD,       [FR_TERRAIN_BRIDGE] = FR_COLOR_PLANKS,
        [FR_TERRAIN_SWAMP] = FR_COLOR_SWAMP,     [FR_TERRAIN_WALL] = FR_COLOR_WALL_FACE,
    };
    return colors[map->terrain[fr_grid_index(map->grid, (fr_cell){x, y})]] & 0xffffffu;
}

/* First cell under pixel i of `pixels` along a side of `cells`. */
static int32_t first_cell(int i, int pixels, int32_t cells)
{
    return (int32_t)((int64_t)i * cells / pixels);
}

static uint32_t mean_color(const fr_map *map, int x, int y, const fr_bitmap *picture)
{
    int32_t x0 = first_cell(x, picture->width, map->grid.width);
    int32_t x1 = first_cell(x + 1, picture->width, map->grid.width);
    int32_t y0 = first_cell(y, picture->height, map->grid.height);
    int32_t y1 = first_cell(y + 1, picture->height, map->grid.height);
    uint32_t red = 0, green = 0, blue = 0, count = 0;
    for (int32_t cy = y0; cy < y1 || cy == y0; cy++) {
        for (int32_t cx = x0; cx < x1 || cx == x0; cx++) {
            uint32_t color = cell_color(map, cx, cy);
            red += color >> 16;
            green += color >> 8 & 0xff;
            blue += color & 0xff;
            count++;
        }
    }
    return red / count << 16 | green / count << 8 | blue / count;
}

static fr_bitmap draw(const fr_map *map)
{
    int32_t side = map->grid.width > map->grid.height ? map->grid.width : map->grid.height;
    int across, down;
    if (side <= SIDE_PX) {
        int px = SIDE_PX / side;
        across = map->grid.width * px;
        down = map->grid.height * px;
    } else {
        across = (int)((int64_t)map->grid.width * SIDE_PX / side);
        down = (int)((int64_t)map->grid.height * SIDE_PX / side);
    }
    fr_bitmap picture = fr_bitmap_create(across > 0 ? across : 1, down > 0 ? down : 1);
    for (int y = 0; y < picture.height; y++) {
        for (int x = 0; x < picture.width; x++) {
            picture.pixels[y * picture.width + x] = mean_color(map, x, y, &picture);
        }
    }
    return picture;
}

int fr_map_thumbnail(const char *program, int argc, char **argv)
{
    if (argc != 2) {
        return fr_complain_usage(program, "thumbnail: found %d file names, expected two", argc);
    }
    if (!fr_has_extension(argv[1], ".bmp")) {
        return fr_complain(program, "%s: expected a name that ends in .bmp", argv[1]);
    }
    fr_io io = fr_stdio_io(program);
    fr_error error = {0};
    fr_map *map = fr_map_load(&io, argv[0], &error);
    if (map == NULL) {
        return fr_complain(program, "%s", error.message);
    }
    fr_bitmap picture = draw(map);
    fr_buffer bytes = {0};
    fr_bitmap_write(&picture, &bytes);
    fr_status status = io.write(io.self, argv[1], bytes.data, bytes.size, &error);
    if (status != FR_OK) {
        fr_complain(program, "%s", error.message);
    }
    fr_buffer_fini(&bytes);
    fr_bitmap_destroy(&picture);
    fr_map_destroy(map);
    return status == FR_OK ? FR_EXIT_OK : FR_EXIT_FAILED;
}
