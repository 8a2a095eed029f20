/* scratch: the working memory of one build, and the row passes that run over it. Internal to field/. */
#ifndef FR_FIELD_SCRATCH_H
#define FR_FIELD_SCRATCH_H

#include "field/bucket_queue.h"
#include "field/integrate.h"

/* Bit of `steps`: the cell and those around it that are no walls cost the same. */
#define FR_STEPS_EVEN  0x100
#define FR_STEPS_COUNT 0x200

/* Direction of a queue entry that was not reached by a step: a goal. */
#define FR_DIR_ORIGIN FR_DIR_COUNT

/* All arrays have stride * (height + 2) elements, row-major with the ring. */
struct fr_scratch {
    fr_grid grid;
    int stride;            /* width + 2 */
    uint8_t *costs;        /* owned; 1..254 or FR_COST_WALL; the ring is wall */
    uint16_t *steps;       /* owned; bit d: a unit here may step in direction d (corner rule included);
                              FR_STEPS_EVEN */
    uint32_t *integration; /* owned */
    uint8_t *best; /* owned; bit d: direction d is one of the best steps; 0 for goals and unreached cells */
    uint8_t *directions; /* owned; the first of the best steps */
    fr_bucket_queue queue;
    uint8_t natural[FR_DIR_COUNT + 1][FR_STEPS_COUNT]; /* see fr_scratch_find_natural */
    int32_t offsets[FR_DIR_COUNT];                     /* from a cell to its neighbours */
    fr_goal *goals; /* owned [goal_capacity]; of the last integration, walls left out, cheapest first */
    int goal_count, goal_capacity;
};

/* Place of an inside cell in the padded arrays. */
static inline uint32_t fr_scratch_index(const fr_scratch *scratch, fr_cell cell)
{
    return (uint32_t)((cell.y + 1) * scratch->stride + cell.x + 1);
}

/* Fills `steps` from `costs`: THE corner rule on padded arrays. */
void fr_scratch_find_steps(fr_scratch *scratch);

#endif
