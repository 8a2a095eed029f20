/* nav: the grid that fields are made on, and how it lies over the map's tiles. A field cell is a square of
 * 2^shift tiles a side: half a tile (shift -1), one (0), two or four. Everything else of a world (positions,
 * radii, speeds, collision, files, reports) is measured in tiles; what crosses into field/ or out of it is
 * converted here. */
#ifndef FR_GRID_NAV_H
#define FR_GRID_NAV_H

#include "grid/area.h"

#define FR_NAV_SHIFT_MIN (-1)
#define FR_NAV_SHIFT_MAX 2

/* Tiles that a field cell is wide: the map property `nav_scale`. And back; false for any other number. */
static inline double fr_nav_scale(int32_t shift)
{
    return shift < 0 ? 0.5 : (double)(1 << shift);
}

static inline bool fr_nav_shift_of(double scale, int32_t *shift)
{
    for (*shift = FR_NAV_SHIFT_MIN; *shift <= FR_NAV_SHIFT_MAX; (*shift)++) {
        if (fr_nav_scale(*shift) == scale) {
            return true;
        }
    }
    return false;
}

/* A number of tiles as one of field cells, rounded down, and back. Exact in fixed point but for the last bit.
 */
static inline int32_t fr_nav_scale_down(int32_t shift, int32_t tiles)
{
    return shift >= 0 ? tiles >> shift : tiles * 2;
}

static inline int32_t fr_nav_scale_up(int32_t shift, int32_t cells)
{
    return shift >= 0 ? cells * (1 << shift) : cells >> 1;
}

/* The field cells that cover a map of tiles; the last column and row may reach beyond it. */
static inline fr_grid fr_nav_grid(fr_grid tiles, int32_t shift)
{
    int32_t more = shift > 0 ? (1 << shift) - 1 : 0;
    return (fr_grid){fr_nav_scale_down(shift, tiles.width + more),
                     fr_nav_scale_down(shift, tiles.height + more)};
}

/* May fields of such cells be made? They have the limits of a map. */
static inline bool fr_nav_fits(fr_grid tiles, int32_t shift)
{
    fr_grid cells = fr_nav_grid(tiles, shift);
    return cells.width <= FR_MAP_SIDE_MAX && cells.height <= FR_MAP_SIDE_MAX &&
           (int64_t)cells.width * cells.height <= FR_MAP_CELLS_MAX;
}

/* A position in field cells, of one in tiles, and back. */
static inline fr_position fr_nav_position(int32_t shift, fr_position position)
{
    return (fr_position){fr_nav_scale_down(shift, position.x), fr_nav_scale_down(shift, position.y)};
}

static inline fr_position fr_nav_tile_position(int32_t shift, fr_position position)
{
    return (fr_position){fr_nav_scale_up(shift, position.x), fr_nav_scale_up(shift, position.y)};
}

/* The field cell at a position, and the middle of a field cell, both in tiles. */
static inline fr_cell fr_nav_cell_at(int32_t shift, fr_position position)
{
    return fr_cell_at(fr_nav_position(shift, position));
}

static inline fr_position fr_nav_centre(int32_t shift, fr_cell cell)
{
    return fr_nav_tile_position(shift, fr_cell_centre(cell));
}

/* The field cell that stands for a tile: the one that holds it, or, of the four of a tile, the one that
 * begins in its middle. */
static inline fr_cell fr_nav_cell_of(int32_t shift, fr_cell tile)
{
    return fr_nav_cell_at(shift, fr_cell_centre(tile));
}

/* Tiles that a rectangle of field cells covers or lies in; they may reach beyond the map. */
static inline fr_rect fr_nav_tiles(int32_t shift, fr_rect cells)
{
    if (cells.width == 0) {
        return cells;
    }
    int32_t x = fr_nav_scale_up(shift, cells.x), y = fr_nav_scale_up(shift, cells.y);
    int32_t more = shift < 0 ? 1 : 0;
    return (fr_rect){x, y, fr_nav_scale_up(shift, cells.x + cells.width + more) - x,
                     fr_nav_scale_up(shift, cells.y + cells.height + more) - y};
}

/* Field cells that a rectangle of tiles touches. */
static inline fr_rect fr_nav_cells(int32_t shift, fr_rect tiles)
{
    if (tiles.width == 0) {
        return tiles;
    }
    int32_t x = fr_nav_scale_down(shift, tiles.x), y = fr_nav_scale_down(shift, tiles.y);
    int32_t more = shift > 0 ? (1 << shift) - 1 : 0;
    return (fr_rect){x, y, fr_nav_scale_down(shift, tiles.x + tiles.width + more) - x,
                     fr_nav_scale_down(shift, tiles.y + tiles.height + more) - y};
}

/* An area of the map in field cells. */
static inline fr_area fr_nav_area(int32_t shift, const fr_area *area)
{
    return (fr_area){area->kind, fr_nav_position(shift, area->low), fr_nav_position(shift, area->high)};
}

#endif
