/* map_maker_land: the two kinds of made maps that look like land. Internal to map_maker. */
#ifndef FR_TOOLS_MAP_MAKER_LAND_H
#define FR_TOOLS_MAP_MAKER_LAND_H

#include "base/rng.h"
#include "grid/map.h"

/* Islands in a sea that foot can't cross: beaches (cost 2), grass (1), woods (3). */
void fr_make_islands(fr_map *map, fr_rng *rng);

/* Valleys of grass with woods between ridges of rock; every ridge has a few passes, 3 to 8 cells wide. */
void fr_make_passes(fr_map *map, fr_rng *rng);

#endif
