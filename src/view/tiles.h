/* tiles: the pictures of a Tiled map's own tiles, painted into the ground where the map does not state kinds
 * of ground. A missing image is one warning and lets the flat colour below show. Pixels only, no textures. */
#ifndef FR_VIEW_TILES_H
#define FR_VIEW_TILES_H

#include "grid/map.h"
#include "view/raster.h"

typedef struct fr_tiles fr_tiles;

/* Loads the images of a map's tilesets. Null if the map has no layers to draw. `warn` may be null. */
fr_tiles *fr_tiles_create(const fr_map *map, void (*warn)(void *self, const char *line), void *warn_self);
void fr_tiles_destroy(fr_tiles *tiles);

/* Lays all layers over the raster (world pixels); `cells`: those that it shows. Tiles larger than a cell
 * reach up and right of it, as in the editor. */
void fr_tiles_paint(fr_tiles *tiles, double zoom, fr_raster *raster, fr_rect cells);

/* Mean colour of a cell's tiles over `below`. */
uint32_t fr_tiles_cell_color(const fr_tiles *tiles, int32_t x, int32_t y, uint32_t below);

#endif
