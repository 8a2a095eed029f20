/* overview: the whole map as a small picture in memory, one texel a cell or a square of cells; and the ground
 * as seen from afar, which is made from it. */
#ifndef FR_VIEW_OVERVIEW_H
#define FR_VIEW_OVERVIEW_H

#include "view/terrain.h"

/* Texels a side at most: enough for one a cell on all but the largest maps. */
#define FR_OVERVIEW_SIDE_MAX 1024

typedef struct fr_overview {
    const fr_terrain_art *art; /* borrowed */
    fr_raster raster;
    int cells_per_texel; /* a side */
    uint32_t version;    /* grows with every change */
} fr_overview;

void fr_overview_init(fr_overview *overview, const fr_terrain_art *art);
void fr_overview_fini(fr_overview *overview);

/* The cells look different now. */
void fr_overview_touch(fr_overview *overview, fr_rect cells);

/* Paints every pixel of the raster, in world pixels of this zoom (below FR_TERRAIN_DETAIL_ZOOM), within the
 * map. */
void fr_overview_paint(const fr_overview *overview, double zoom, fr_raster raster);

#endif
