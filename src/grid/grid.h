/* grid: cells, the one direction table, and how positions, cells and indices turn into one another. All other
 * rooms take these from here: world to cell is floor in one function, and there is one order of directions.
 */
#ifndef FR_GRID_GRID_H
#define FR_GRID_GRID_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/vec2.h"

/* Movement classes. The names are those of scenario files and of the Tiled properties cost_CLASS. */
typedef enum fr_class {
    FR_CLASS_NONE = -1, /* makes the type signed with every compiler: a class stands for its fr_cost_view */
    FR_CLASS_FOOT = 0,
    FR_CLASS_WHEELS,
    FR_CLASS_HOVER,
    FR_CLASS_AIR,
    FR_CLASS_COUNT
} fr_class;

/* "foot", ...; null for an unknown number. */
const char *fr_class_name(fr_class movement_class);
/* The class of that name, or FR_CLASS_COUNT. */
fr_class fr_class_from_name(const char *name);

/* Fliers have the air to themselves: discs collide only if both fly, or neither does. */
static inline bool fr_classes_collide(fr_class a, fr_class b)
{
    return (a == FR_CLASS_AIR) == (b == FR_CLASS_AIR);
}

/* Cost of a cell: 1 (best ground) .. 254, or a wall. 0 never occurs. Outside the map is wall. */
#define FR_COST_WALL 255

/* Integer cell; may lie outside the map. */
typedef struct fr_cell {
    int32_t x, y;
} fr_cell;

/* Whole cells: x, y, width, height. */
typedef struct fr_rect {
    int32_t x, y, width, height;
} fr_rect;

/* Size of a map: 1..FR_MAP_SIDE_MAX a side, at most FR_MAP_CELLS_MAX cells. Cells are stored row by row. */
typedef struct fr_grid {
    int32_t width, height;
} fr_grid;

/* Directions clockwise from east (y points down): odd ones are diagonal, d ^ 4 is the opposite. */
typedef enum fr_direction {
    FR_DIR_E = 0,
    FR_DIR_SE,
    FR_DIR_S,
    FR_DIR_SW,
    FR_DIR_W,
    FR_DIR_NW,
    FR_DIR_N,
    FR_DIR_NE,
    FR_DIR_COUNT,
    FR_DIR_GOAL = 8, /* this cell is a goal */
    FR_DIR_NONE = 9, /* wall, or no way to a goal */
} fr_direction;

/* Price of a step per unit of cost: 99/70 is sqrt 2 within 5e-5. */
#define FR_STEP_STRAIGHT 70
#define FR_STEP_DIAGONAL 99

typedef struct fr_step {
    int8_t dx, dy;
    uint8_t price; /* FR_STEP_STRAIGHT or FR_STEP_DIAGONAL */
    fr_vec2 unit;  /* unit vector */
} fr_step;

extern const fr_step FR_STEPS[FR_DIR_COUNT];

/* The least cost of a way between cells so far apart (cells of cost 1, no walls). */
static inline uint32_t fr_octile_price(int32_t dx, int32_t dy)
{
    uint32_t ax = (uint32_t)abs(dx), ay = (uint32_t)abs(dy), shorter = ax < ay ? ax : ay;
    return FR_STEP_STRAIGHT * (ax + ay - 2 * shorter) + FR_STEP_DIAGONAL * shorter;
}

/* The corner rule on bits: of the neighbours that are passable (bit d: the one in direction d) those that a
 * step leads to. A diagonal needs the two beside it. */
static inline uint8_t fr_steps_allowed(uint8_t open)
{
    const unsigned straight = 1u << FR_DIR_E | 1u << FR_DIR_S | 1u << FR_DIR_W | 1u << FR_DIR_N;
    unsigned before = (unsigned)open << 1 | (unsigned)open >> 7,
             after = (unsigned)open >> 1 | (unsigned)open << 7;
    return (uint8_t)(open & (straight | (before & after)));
}

static inline bool fr_grid_contains(fr_grid grid, fr_cell cell)
{
    return (uint32_t)cell.x < (uint32_t)grid.width && (uint32_t)cell.y < (uint32_t)grid.height;
}

/* Row-major index of a cell inside the map. */
static inline int32_t fr_grid_index(fr_grid grid, fr_cell cell)
{
    return cell.y * grid.width + cell.x;
}

static inline fr_cell fr_grid_cell(fr_grid grid, int32_t index)
{
    return (fr_cell){index % grid.width, index / grid.width};
}

static inline int32_t fr_grid_count(fr_grid grid)
{
    return grid.width * grid.height;
}

/* Floor, so that -0.01 lies in cell -1. */
static inline int32_t fr_cell_coordinate(int32_t fixed)
{
    return fixed >= 0 ? fixed / FR_POSITION_ONE : -((-(fixed + 1)) / FR_POSITION_ONE) - 1;
}

static inline fr_cell fr_cell_at(fr_position position)
{
    return (fr_cell){fr_cell_coordinate(position.x), fr_cell_coordinate(position.y)};
}

static inline fr_position fr_cell_centre(fr_cell cell)
{
    return (fr_position){cell.x * FR_POSITION_ONE + FR_POSITION_ONE / 2,
                         cell.y * FR_POSITION_ONE + FR_POSITION_ONE / 2};
}

/* Squared distance in cells from a position to the nearest point of a cell: 0 within it. */
double fr_cell_distance_squared(fr_position from, fr_cell cell);

/* Cells that a disc may touch: all it does, and perhaps some beside it. */
fr_rect fr_cells_under_disc(fr_position position, double radius);

/* The nearest cell, or position, inside the map. */
fr_cell fr_grid_clamp_cell(fr_grid grid, fr_cell cell);
fr_position fr_grid_clamp_position(fr_grid grid, fr_position position);

/* The part of rect inside the map; width or height is 0 where nothing is left. Any values are allowed. */
fr_rect fr_grid_clip(fr_grid grid, fr_rect rect);

/* What both have in common; width or height is 0 or less if nothing. */
static inline fr_rect fr_rect_intersect(fr_rect a, fr_rect b)
{
    int32_t x0 = a.x > b.x ? a.x : b.x, y0 = a.y > b.y ? a.y : b.y;
    int32_t x1 = a.x + a.width < b.x + b.width ? a.x + a.width : b.x + b.width;
    int32_t y1 = a.y + a.height < b.y + b.height ? a.y + a.height : b.y + b.height;
    return (fr_rect){x0, y0, x1 - x0, y1 - y0};
}

/* Blocks of FR_BLOCK_SIDE cells that cover the map, row-major. */
static inline int32_t fr_grid_blocks_x(fr_grid grid)
{
    return (grid.width + FR_BLOCK_SIDE - 1) >> FR_BLOCK_SHIFT;
}

static inline int32_t fr_grid_blocks_y(fr_grid grid)
{
    return (grid.height + FR_BLOCK_SIDE - 1) >> FR_BLOCK_SHIFT;
}

static inline int32_t fr_grid_block_count(fr_grid grid)
{
    return fr_grid_blocks_x(grid) * fr_grid_blocks_y(grid);
}

/* The cells of a block that lie inside the map. */
fr_rect fr_grid_block_rect(fr_grid grid, int32_t block);

/* Place of an inside cell: number of its block, and index within the block. */
static inline int32_t fr_grid_block(fr_grid grid, fr_cell cell)
{
    return (cell.y >> FR_BLOCK_SHIFT) * fr_grid_blocks_x(grid) + (cell.x >> FR_BLOCK_SHIFT);
}

static inline int32_t fr_block_index(fr_cell cell)
{
    return ((cell.y & (FR_BLOCK_SIDE - 1)) << FR_BLOCK_SHIFT) | (cell.x & (FR_BLOCK_SIDE - 1));
}

#endif
