/* regions_internal: the parts of a map of regions, for those in field/ who walk from block to block. */
#ifndef FR_FIELD_REGIONS_INTERNAL_H
#define FR_FIELD_REGIONS_INTERNAL_H

#include "field/regions.h"

/* A block's 1,024 cells hold at most 512 areas that do not touch. */
#define FR_BLOCK_REGIONS_MAX (FR_BLOCK_CELLS / 2)

struct fr_regions {
    const fr_cost *cost;
    fr_cost_view view;
    fr_grid grid;
    int32_t blocks_x, blocks_y;
    uint16_t *label; /* [block][FR_BLOCK_CELLS] 0 = wall, else 1.. within the block */
    uint16_t
        *border; /* [block][side: direction / 2][FR_BLOCK_SIDE] labels along its sides, from left or top */
    uint16_t *count;  /* [block] labels used */
    uint32_t *first;  /* [block] node of label 1 */
    uint32_t *parent; /* [node] union-find (Tarjan 1975, path halving) */
};

static inline uint16_t *fr_regions_border(const fr_regions *regions, int32_t block, int direction)
{
    return regions->border + ((size_t)block * 4 + (size_t)direction / 2) * FR_BLOCK_SIDE;
}

/* Node of a cell's area within its block; FR_REGION_NONE for walls. */
static inline uint32_t fr_regions_node(const fr_regions *regions, fr_cell cell)
{
    int32_t block = fr_grid_block(regions->grid, cell);
    uint16_t label = regions->label[(size_t)block * FR_BLOCK_CELLS + (size_t)fr_block_index(cell)];
    return label == 0 ? FR_REGION_NONE : regions->first[block] + label - 1u;
}

#endif
