/* make_scenes: the scenes that movement is judged by, as scenario files with their maps: make_maps writes
 * them into maps/scenarios. */
#ifndef FR_TOOLS_MAKE_SCENES_H
#define FR_TOOLS_MAKE_SCENES_H

#include "base/io.h"
#include "grid/map.h"

/* A map of cost 1 in a ring of walls, one cell thick. The caller destroys it. */
fr_map *fr_scene_map(int32_t width, int32_t height);
/* The part of the rectangle inside the map. */
void fr_scene_fill(fr_map *map, fr_rect rect, uint8_t cost);

/* Grounds of the scenes that need more than a few rectangles. */
fr_map *fr_scene_maze(uint64_t seed);
fr_map *fr_scene_convoy(void);

/* Appends an open map in a ring of walls as Tiled JSON whose layer has tiles in the ring only: a large map in
 * a small file. */
void fr_write_ring_map(int32_t width, int32_t height, fr_buffer *out);
/* Appends the costs 1, 2, 6 and 255 as the inline grid of a scenario. */
void fr_write_rows(const fr_map *map, fr_buffer *out);

/* Writes all scenes and their maps into `folder`. */
fr_status fr_make_scenes(const fr_io *io, const char *folder, fr_error *error);

#endif
