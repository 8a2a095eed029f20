/* extent: which part of a map a field holds: the cells over which ways to somewhere near certain cells lead
 * that are not much longer than the best. Internal to field/.
 *
 * A cell is held if its value, and the way to it from the nearest cell of `near` as it would be over ground
 * of cost 1 without walls, sum up to less than `limit` (the order in which A* goes: Hart, Nilsson, Raphael
 * 1968). A step of least cost never raises that sum: with a cell all cells of its ways of least cost are
 * held. So what is held can be built, extended and repaired exactly without a look at the rest. */
#ifndef FR_FIELD_EXTENT_H
#define FR_FIELD_EXTENT_H

#include "field/integrate.h"

/* Limit of a field that covers all it can reach. */
#define FR_LIMIT_NONE (FR_INTEGRATION_MAX + 1u)

typedef struct fr_extent {
    fr_rect near;
    uint32_t limit; /* 0: nothing is held; FR_LIMIT_NONE, with the whole map as `near`: all that is reached */
} fr_extent;

static inline fr_extent fr_extent_all(fr_grid grid)
{
    return (fr_extent){{0, 0, grid.width, grid.height}, FR_LIMIT_NONE};
}

/* The value from which on a cell is not held any more. */
static inline uint32_t fr_extent_end(const fr_extent *extent, int32_t x, int32_t y)
{
    const fr_rect *near = &extent->near;
    int32_t left = near->x - x, right = x - (near->x + near->width - 1);
    int32_t above = near->y - y, below = y - (near->y + near->height - 1);
    int32_t dx = left > 0 ? left : right > 0 ? right : 0, dy = above > 0 ? above : below > 0 ? below : 0;
    uint32_t way = fr_octile_price(dx, dy);
    return extent->limit > way ? extent->limit - way : 0;
}

/* The same for `count` cells from one on to the right. */
static inline void fr_extent_row(const fr_extent *extent, fr_cell first, int32_t count, uint32_t *ends)
{
    for (int32_t x = 0; x < count; x++) {
        ends[x] = fr_extent_end(extent, first.x + x, first.y);
    }
}

static inline bool fr_extent_holds(const fr_extent *extent, fr_cell cell, uint32_t value)
{
    return value < fr_extent_end(extent, cell.x, cell.y);
}

/* The sum of two prices, at most FR_LIMIT_NONE. */
static inline uint32_t fr_price_sum(uint32_t a, uint32_t b)
{
    return a < FR_LIMIT_NONE && b < FR_LIMIT_NONE - a ? a + b : FR_LIMIT_NONE;
}

/* Goals that are asked how far it may be to them; of more, some. */
#define FR_GOALS_ASKED 64

/* A guess at how far an extent has to go to hold some cells. */
typedef struct fr_way_guess {
    uint32_t longest; /* of the ways to these cells, as they would be over open ground of cost 1 */
    uint32_t detour;  /* by how much they may be longer */
} fr_way_guess;

/* goals [goal_count 1..], cells [cell_count 1..]. */
fr_way_guess fr_guess_ways(const fr_goal *goals, int32_t goal_count, const fr_cell *cells,
                           int32_t cell_count);

/* Where that was too little: about twice the detour. */
static inline void fr_guess_farther(fr_way_guess *guess)
{
    guess->detour = fr_price_sum(guess->detour, guess->detour + FR_STEP_STRAIGHT);
}

static inline uint32_t fr_guessed_limit(const fr_way_guess *guess)
{
    return fr_price_sum(guess->longest, guess->detour);
}

/* The smallest rectangle of whole blocks with the cells [count], all inside the map, and `with` (empty:
 * nothing) in it. */
fr_rect fr_blocks_around(fr_grid grid, const fr_cell *cells, int32_t count, fr_rect with);

#endif
