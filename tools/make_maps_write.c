/* make_maps_write: the maps as files. One tileset for all of them, four pictures a kind of ground; the maps
 * as Tiled JSON with one row of cells a line, so that a change of a map reads as a change. Knows nothing of
 * composing. */
#include "make_maps.h"

#include "base/rng.h"
#include "common/noise.h"
#include "common/tile_art.h"

enum { TILES = FR_TERRAIN_COUNT * FR_TILE_VARIANTS };
enum { IMAGE_WIDTH = FR_TILE_VARIANTS * FR_TILE_PX, IMAGE_HEIGHT = FR_TERRAIN_COUNT * FR_TILE_PX };

void fr_write_tileset_image(fr_buffer *out)
{
    fr_bitmap sheet = fr_bitmap_create(IMAGE_WIDTH, IMAGE_HEIGHT);
    for (int id = 0; id < TILES; id++) {
        int kind = id / FR_TILE_VARIANTS, variant = id % FR_TILE_VARIANTS;
        fr_draw_tile(&sheet, variant * FR_TILE_PX, kind * FR_TILE_PX, (fr_terrain)kind, variant);
    }
    fr_bitmap_write(&sheet, out);
    fr_bitmap_destroy(&sheet);
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
                     IMAGE_WIDTH, IMAGE_HEIGHT, FR_TILE_PX, FR_TILE_PX, FR_TILE_VARIANTS, TILES);
    for (int id = 0; id < TILES; id++) {
        fr_terrain kind = (fr_terrain)(id / FR_TILE_VARIANTS);
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
    return dice % FR_TILE_VARIANTS;
}

static void write_cells(const fr_canvas *canvas, fr_buffer *out)
{
    for (int y = 0; y < canvas->height; y++) {
        for (int x = 0; x < canvas->width; x++) {
            int id = (int)fr_canvas_at(canvas, x, y) * FR_TILE_VARIANTS + variant_at(canvas, x, y);
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
        id, start->team == 0 ? "blue" : "orange", start->x * FR_TILE_PX, start->y * FR_TILE_PX,
        start->width * FR_TILE_PX, start->height * FR_TILE_PX, start->team);
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
                     canvas->width, canvas->height, FR_TILE_PX, FR_TILE_PX, start_count + 1,
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
