/* area: a part of the map that an order names as a whole, a rectangle or a disc. A cell belongs to it if its
 * centre lies inside. Kept as a shape, never as a list of cells, so that it costs the same whatever its size.
 */
#ifndef FR_GRID_AREA_H
#define FR_GRID_AREA_H

#include "grid/grid.h"

typedef enum fr_area_kind { FR_AREA_NONE = 0, FR_AREA_RECT, FR_AREA_DISC, FR_AREA_KIND_COUNT } fr_area_kind;

/* All members zero: no area. */
typedef struct fr_area {
    int32_t kind;          /* fr_area_kind; of fixed size, for areas are saved and hashed as they are */
    fr_position low, high; /* corners; a disc fills the square between them */
} fr_area;

fr_area fr_area_rect(fr_position low, fr_position high);
/* radius: 1/65536 cell, >= 0. The disc must lie within the range of positions. */
fr_area fr_area_disc(fr_position centre, int32_t radius);

fr_position fr_area_centre(const fr_area *area);

/* Is the middle of the cell inside? The upper edges of a rectangle don't belong to it, the rim of a disc
 * does. */
bool fr_area_contains(const fr_area *area, fr_cell cell);

/* Cells of the map among which all of the area's lie; empty for no area. */
fr_rect fr_area_bounds(const fr_area *area, fr_grid grid);

/* Cells of the map that the area contains. O(bounds). */
int32_t fr_area_count(const fr_area *area, fr_grid grid);

/* The point of the area nearest to a position; the position itself if it lies inside. */
fr_position fr_area_nearest(const fr_area *area, fr_position position);

/* Is it an area at all, its corners in order and near enough to one another for their difference to be a
 * number? For areas from outside. */
bool fr_area_is_sane(const fr_area *area);

/* The part of the area that orders can have: its corners moved to the edge of the map. */
fr_area fr_area_clamp(const fr_area *area, fr_grid grid);

static inline bool fr_area_equals(const fr_area *a, const fr_area *b)
{
    return a->kind == b->kind && a->low.x == b->low.x && a->low.y == b->low.y && a->high.x == b->high.x &&
           a->high.y == b->high.y;
}

uint64_t fr_area_hash(const fr_area *area, uint64_t hash);

#endif
