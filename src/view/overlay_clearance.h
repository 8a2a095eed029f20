/* overlay_clearance: how far the nearest wall is, for the overlay of F5: where a crowd is squeezed, and how
 * wide a unit may be. */
#ifndef FR_VIEW_OVERLAY_CLEARANCE_H
#define FR_VIEW_OVERLAY_CLEARANCE_H

#include "grid/cost.h"

/* Cells beyond which all ground is wide. */
#define FR_CLEARANCE_MAX 10

typedef struct fr_clearance {
    uint16_t *tenths; /* [rows * columns] as in fr_heat_grid: tenths of a cell from the centre of a cell to
                         the nearest wall or edge of the map, 0 in walls, at most 10 * FR_CLEARANCE_MAX */
    size_t capacity;
    uint16_t *distance; /* with the ground around the rectangle; a fifth of an entry is 1 */
    uint8_t *costs;     /* one row of cells */
    size_t distance_capacity, row_capacity;
} fr_clearance;

/* All-zero is valid. */
void fr_clearance_fini(fr_clearance *clearance);

/* Measures every `stride`th cell of a rectangle inside the map; x and y of the rectangle are multiples of the
 * stride. Two sweeps with steps of 5 and 7 fifths (Borgefors, "Distance transformations in digital images",
 * 1986): at most 6 % too far. */
void fr_clearance_read(fr_clearance *clearance, const fr_cost *cost, fr_cost_view view, fr_rect cells,
                       int stride);

/* Colour of a clearance, opaque. */
uint32_t fr_clearance_color(uint16_t tenths);

#endif
