/* make_scenes_maps: the grounds of the scenes. Knows nothing of units. */
#include "make_scenes.h"

#include "common/maze.h"
#include "common/tile_art.h"
#include "make_maps.h"

fr_map *fr_scene_map(int32_t width, int32_t height)
{
    fr_map *map = fr_map_create("scene", (fr_grid){width, height});
    fr_scene_fill(map, (fr_rect){0, 0, width, 1}, FR_COST_WALL);
    fr_scene_fill(map, (fr_rect){0, height - 1, width, 1}, FR_COST_WALL);
    fr_scene_fill(map, (fr_rect){0, 0, 1, height}, FR_COST_WALL);
    fr_scene_fill(map, (fr_rect){width - 1, 0, 1, height}, FR_COST_WALL);
    return map;
}

void fr_scene_fill(fr_map *map, fr_rect rect, uint8_t cost)
{
    rect = fr_grid_clip(map->grid, rect);
    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        for (int32_t x = rect.x; x < rect.x + rect.width; x++) {
            map->costs[FR_CLASS_FOOT][fr_grid_index(map->grid, (fr_cell){x, y})] = cost;
        }
    }
}

enum { CORRIDOR = 3, PITCH = CORRIDOR + 2, PLACES = 25, MAZE_SIDE = 129, RIM = 3, HALL = 30 };

static void dig_corridor(void *context, fr_cell place, int came_from)
{
    fr_map *map = context;
    fr_rect rect = {RIM + place.x * PITCH, RIM + place.y * PITCH, CORRIDOR, CORRIDOR};
    fr_scene_fill(map, rect, 1);
    for (int i = 1; came_from != FR_DIR_NONE && i < PITCH; i++) {
        rect.x += FR_STEPS[came_from].dx;
        rect.y += FR_STEPS[came_from].dy;
        fr_scene_fill(map, rect, 1);
    }
}

fr_map *fr_scene_maze(uint64_t seed)
{
    fr_map *map = fr_scene_map(MAZE_SIDE, MAZE_SIDE);
    fr_rng rng = {seed};
    fr_scene_fill(map, (fr_rect){0, 0, MAZE_SIDE, MAZE_SIDE}, FR_COST_WALL);
    fr_make_maze((fr_grid){PLACES, PLACES}, &rng, dig_corridor, map);
    /* Halls end where walls are, so that only corridors which led into them still do. */
    fr_scene_fill(map, (fr_rect){1, MAZE_SIDE - 1 - HALL, HALL, HALL}, 1);
    fr_scene_fill(map, (fr_rect){MAZE_SIDE - 1 - HALL, 1, HALL, HALL}, 1);
    return map;
}

/* Dear woods on both sides of a road that winds between them. */
fr_map *fr_scene_convoy(void)
{
    enum { WIDTH = 256, HEIGHT = 128 };
    static const fr_knot road[] = {{-10, 64, 2.5f}, {20, 64, 2.5f},  {50, 72, 2.5f},  {80, 84, 2.5f},
                                   {110, 80, 2.5f}, {128, 64, 2.5f}, {146, 48, 2.5f}, {176, 44, 2.5f},
                                   {206, 56, 2.5f}, {236, 64, 2.5f}, {266, 64, 2.5f}};
    fr_map *map = fr_scene_map(WIDTH, HEIGHT);
    for (int32_t y = 1; y < HEIGHT - 1; y++) {
        for (int32_t x = 1; x < WIDTH - 1; x++) {
            float distance =
                fr_line_distance(road, (int)(sizeof road / sizeof *road), (float)x + 0.5f, (float)y + 0.5f);
            fr_scene_fill(map, (fr_rect){x, y, 1, 1}, distance < 0.0f ? 1 : 2);
        }
    }
    fr_scene_fill(map, (fr_rect){60, 16, 40, 60}, 6);
    fr_scene_fill(map, (fr_rect){156, 52, 40, 60}, 6);
    return map;
}

static void write_chunk(fr_rect rect, bool is_last, fr_buffer *out)
{
    fr_buffer_printf(out, "    {\"x\": %d, \"y\": %d, \"width\": %d, \"height\": %d, \"data\": [",
                     (int)rect.x, (int)rect.y, (int)rect.width, (int)rect.height);
    for (int32_t i = 0; i < rect.width * rect.height; i++) {
        fr_buffer_printf(out, "%s%d", i > 0 ? "," : "", FR_TERRAIN_ROCK * FR_TILE_VARIANTS + 1);
    }
    fr_buffer_printf(out, "]}%s\n", is_last ? "" : ",");
}

void fr_write_ring_map(int32_t width, int32_t height, fr_buffer *out)
{
    fr_buffer_printf(
        out,
        "{\n \"type\": \"map\", \"version\": \"1.8\", \"orientation\": \"orthogonal\", \"infinite\": true,\n"
        " \"width\": %d, \"height\": %d, \"tilewidth\": %d, \"tileheight\": %d,\n"
        " \"tilesets\": [{\"firstgid\": 1, \"source\": \"../ground.tsj\"}],\n"
        " \"layers\": [\n  {\"id\": 1, \"type\": \"tilelayer\", \"name\": \"ring\", \"visible\": true, "
        "\"opacity\": 1, \"x\": 0, \"y\": 0, \"width\": %d, \"height\": %d,\n   \"chunks\": [\n",
        (int)width, (int)height, FR_TILE_PX, FR_TILE_PX, (int)width, (int)height);
    write_chunk((fr_rect){0, 0, width, 1}, false, out);
    write_chunk((fr_rect){0, height - 1, width, 1}, false, out);
    write_chunk((fr_rect){0, 1, 1, height - 2}, false, out);
    write_chunk((fr_rect){width - 1, 1, 1, height - 2}, true, out);
    fr_buffer_printf(out, "   ]}\n ]\n}\n");
}

void fr_write_rows(const fr_map *map, fr_buffer *out)
{
    fr_buffer_printf(out, "{\"legend\": {\"=\": 1, \".\": 2, \"f\": 6, \"#\": 255}, \"rows\": [\n");
    for (int32_t y = 0; y < map->grid.height; y++) {
        fr_buffer_printf(out, "    \"");
        for (int32_t x = 0; x < map->grid.width; x++) {
            uint8_t cost = map->costs[FR_CLASS_FOOT][fr_grid_index(map->grid, (fr_cell){x, y})];
            fr_buffer_append(out, cost == 1 ? "=" : cost == 2 ? "." : cost == 6 ? "f" : "#", 1);
        }
        fr_buffer_printf(out, "\"%s\n", y + 1 < map->grid.height ? "," : "]}");
    }
}
