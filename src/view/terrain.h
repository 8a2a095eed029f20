/* terrain: paints ground into pixels, in our own art or from a map's tiles. A pure function of the ground,
 * the zoom and the place: a piece painted anew fits the pieces round it to the pixel. No textures, no caches.
 */
#ifndef FR_VIEW_TERRAIN_H
#define FR_VIEW_TERRAIN_H

#include "view/painter.h"
#include "view/tiles.h"

/* Below this zoom cells are dots of one colour (overview.h): outlines and trees would be noise. */
#define FR_TERRAIN_DETAIL_ZOOM 3.0

/* Cells beyond an edit up to which a picture of it may change (outlines, shadows, canopies, bridges' rails).
 */
#define FR_TERRAIN_REACH 3

typedef struct fr_terrain_art {
    const fr_land *ground;
    fr_tiles *tiles; /* null: our own art */
    fr_painter painter;
} fr_terrain_art;

void fr_terrain_art_init(fr_terrain_art *art, const fr_land *ground, fr_tiles *tiles);
void fr_terrain_art_fini(fr_terrain_art *art);

/* Paints every pixel of the raster, which lies in world pixels of this zoom (at least FR_TERRAIN_DETAIL_ZOOM)
 * and within the map. */
void fr_terrain_paint(fr_terrain_art *art, double zoom, fr_raster raster);

/* The colour of a cell seen from afar. */
uint32_t fr_terrain_cell_color(const fr_terrain_art *art, int32_t x, int32_t y);

#endif
