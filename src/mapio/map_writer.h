/* map_writer: maps as files: Tiled JSON and MovingAI. What is written is the ground (kinds and costs) and the
 * spawns, not the pictures of a map's own tilesets. It hands out bytes; must not know files. */
#ifndef FR_MAPIO_MAP_WRITER_H
#define FR_MAPIO_MAP_WRITER_H

#include "base/buffer.h"
#include "grid/map.h"

/* One tile of the tileset of a written map: a kind of ground and what those who walk pay for it. */
typedef struct fr_ground_tile {
    uint8_t terrain;             /* fr_terrain */
    uint8_t costs[FR_CLASS_AIR]; /* 1..254 or FR_COST_WALL */
} fr_ground_tile;

/* How the picture of the tileset must be laid out: tile i at column i % FR_SHEET_COLUMNS, 16 x 16 pixels. */
#define FR_SHEET_COLUMNS 8
#define FR_SHEET_TILE_PX 16

/* Appends the map as Tiled JSON that holds its tileset, whose picture is the file `image` beside the map:
 * base64 and zlib where built in, else plain numbers. It loads with the same costs, kinds, spawns and full
 * speed cost.
 * `*tiles` [*tile_count] says what the picture shows; it is the caller's (fr_free). Any thread; O(cells). */
void fr_map_write_tiled(const fr_map *map, const char *image, fr_buffer *out, fr_ground_tile **tiles,
                        int32_t *tile_count);

/* Appends the map as MovingAI text: open or wall for foot, with water, trees and swamp by their letters.
 * Returns the number of open cells that cost more than 1: the format has no costs. Any thread; O(cells). */
int32_t fr_map_write_movingai(const fr_map *map, fr_buffer *out);

#endif
