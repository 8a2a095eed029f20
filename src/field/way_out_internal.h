/* way_out_internal: what finding ways out (way_out.c) and asking for them (way_out_ask.c) share. */
#ifndef FR_FIELD_WAY_OUT_INTERNAL_H
#define FR_FIELD_WAY_OUT_INTERNAL_H

#include "field/way_out.h"

/* Lengths are kept in fifths of a tile, a diagonal step being seven of them: two bytes reach 13,000 tiles. */
#define FR_WAY_STRAIGHT      5u
#define FR_WAY_DIAGONAL      7u
#define FR_WAY_FAR           UINT16_MAX
#define FR_WAY_VALUE(length) ((length) * (FR_STEP_STRAIGHT / FR_WAY_STRAIGHT))

struct fr_way_out {
    const fr_cost *cost, *nav;
    fr_grid grid;
    int32_t shift;
    /* [tile] way to an open field cell, 0 in one, FR_WAY_FAR without; null: not asked for */
    uint16_t *length[FR_WAYS_COUNT];
    /* Of the ways to the main cells, which may be long: */
    uint8_t *is_end[FR_COST_FITS];
    /* [tile] direction of the next tile, FR_DIR_NONE at ends and without a way */
    uint8_t *step[FR_COST_FITS];
    int32_t *end[FR_COST_FITS];          /* [tile] */
    bool has_main[FR_COST_FITS];         /* these have been found */
    uint32_t *region_size, *region_main; /* [region] of find_main */
    /* Tiles whose length may be wrong; a ring in which each is at most once. */
    int32_t *queue;
    uint8_t *is_queued;
    int32_t first, count;
};

static inline fr_cell fr_way_step(fr_cell tile, int direction)
{
    return (fr_cell){tile.x + FR_STEPS[direction].dx, tile.y + FR_STEPS[direction].dy};
}

/* The ground on which the ways of a kind are walked. */
static inline fr_cost_view fr_way_fit(int32_t ways)
{
    return ways % FR_COST_FITS;
}

/* way_out.c: the shortest length that a neighbour's lends the tile, and the direction to that one: the first
 * of several.
 */
uint32_t fr_way_shortest(const fr_way_out *way_out, int32_t ways, fr_cell tile, int *direction);

#endif
