/* placement: where units can stand at the start: on passable ground, with room for their disc, apart from all
 * that stand already. Knows a map and discs; nothing of worlds, orders or files. */
#ifndef FR_SIM_PLACEMENT_H
#define FR_SIM_PLACEMENT_H

#include "base/rng.h"
#include "grid/map.h"
#include "sim/walls.h"

/* Centres stand at least this times the sum of the radii apart. */
#define FR_PLACEMENT_SPACING 1.05

/* Random tries in a row for one unit before it counts as without room. */
#define FR_PLACEMENT_TRIES 1000

typedef struct fr_placement fr_placement;

/* An empty map. `largest_radius` bounds the radii of all units to come (it sets the size of the search grid).
 */
fr_placement *fr_placement_create(const fr_map *map, double largest_radius);
void fr_placement_destroy(fr_placement *placement);

/* Walls and regions of a class. Borrowed. */
const fr_walls *fr_placement_walls(fr_placement *placement, fr_class movement_class);

/* Takes the place, whatever stands there. */
void fr_placement_add(fr_placement *placement, fr_position position, double radius);

/* Does the disc reach into no wall, but for the rounding of a position? */
bool fr_placement_has_room(fr_placement *placement, fr_class movement_class, fr_position position,
                           double radius);

/* Uniform in [0,1) with 53 bits: the 24 of fr_rng_unit would show as a raster on a wide map. */
double fr_placement_unit(fr_rng *rng);

/* Uniform rejection sampling in `area` (x, y, width, height in cells; parts outside the map count as wall).
 * Takes and returns a free place, or false after FR_PLACEMENT_TRIES. */
bool fr_placement_random(fr_placement *placement, fr_rng *rng, const double area[4], fr_class movement_class,
                         double radius, fr_position *place);

/* Packing outward from a point on a hex lattice, nearest places first, within one region. */
typedef struct fr_packing fr_packing;

/* Centred on `origin`; if that is no open ground, in the region of the nearest open cell. Null if the class
 * has no open ground at all. `placement` is borrowed. */
fr_packing *fr_packing_create(fr_placement *placement, fr_class movement_class, fr_position origin,
                              double radius);
/* Takes and returns the next free place, or false when the region is full. */
bool fr_packing_next(fr_packing *packing, fr_position *place);
void fr_packing_destroy(fr_packing *packing);

#endif
