/* overlay_regions: a colour for each connected area, for the overlay of F4. The largest is blue, others have
 * the colours of Okabe and Ito's set, by where they lie: an edit elsewhere does not change them. */
#ifndef FR_VIEW_OVERLAY_REGIONS_H
#define FR_VIEW_OVERLAY_REGIONS_H

#include "field/regions.h"

/* An area as it was met by samples of the map. */
typedef struct fr_region_mark {
    uint32_t region;
    int32_t first; /* sample that met it first: stays the same as long as the area is there */
    int32_t samples;
} fr_region_mark;

typedef struct fr_region_colors {
    const fr_regions *regions; /* for which the rest was made */
    uint32_t cost_version;
    fr_region_mark *marks; /* [count] by ascending region */
    int32_t count, capacity;
    uint32_t largest;
} fr_region_colors;

/* All-zero colours are valid. */
void fr_region_colors_fini(fr_region_colors *colors);

/* Colours of every `stride`th cell of a rectangle inside the map, opaque, 0 for walls; out [rows * columns]
 * as in fr_heat_grid. `cost_version` is that of the costs that the regions were made from. */
void fr_region_colors_read(fr_region_colors *colors, const fr_regions *regions, uint32_t cost_version,
                           fr_grid grid, fr_rect cells, int stride, uint32_t *out);

#endif
