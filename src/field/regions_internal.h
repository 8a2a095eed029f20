/* regions_internal: the parts of a map of regions, for those in field/ who walk from block to block. */
#ifndef FR_FIELD_REGIONS_INTERNAL_H
#define FR_FIELD_REGIONS_INTERNAL_H

#include "field/regions.h"

/* A block's 1,024 cells hold at most 512 areas that do not touch. */
#define FR_BLOCK_REGIONS_MAX (FR_BLOCK_CELLS / 2)

/* Cells begin..end-1 along a border of two blocks, from left or top, where one area of each touch. */
typedef struct fr_region_stretch {
    uint16_t first, second; /* labels; `first` is of the block to the left or above */
    uint8_t begin, end;     /* 0 and 0: no stretch, nor any after it */
} fr_region_stretch;

/* A wall on one side at least lies between two stretches. */
#define FR_STRETCHES_MAX (FR_BLOCK_SIDE / 2)

struct fr_regions {
    const fr_cost *cost;
    fr_cost_view view;
    fr_grid grid;
    int32_t blocks_x, blocks_y;
    uint16_t *label;              /* [block][FR_BLOCK_CELLS] 0 = wall, else 1.. within the block */
    fr_region_stretch *stretches; /* [block][east, south][FR_STRETCHES_MAX] those of its border, in order */
    uint16_t *count;              /* [block] labels used */
    uint32_t *first;              /* [block] node of label 1 */
    uint32_t *parent;             /* [node] union-find (Tarjan 1975, path halving) */
};

/* Those of a block's eastern or southern border [FR_STRETCHES_MAX]. */
static inline fr_region_stretch *fr_regions_stretches(const fr_regions *regions, int32_t block, bool is_south)
{
    return regions->stretches + ((size_t)block * 2 + is_south) * FR_STRETCHES_MAX;
}

/* Node of a cell's area within its block; FR_REGION_NONE for walls. */
static inline uint32_t fr_regions_node(const fr_regions *regions, fr_cell cell)
{
    int32_t block = fr_grid_block(regions->grid, cell);
    uint16_t label = regions->label[(size_t)block * FR_BLOCK_CELLS + (size_t)fr_block_index(cell)];
    return label == 0 ? FR_REGION_NONE : regions->first[block] + label - 1u;
}

#endif
