/* scratch: the working memory of one build, and the row passes that run over it. Internal to field/. */
#ifndef FR_FIELD_SCRATCH_H
#define FR_FIELD_SCRATCH_H

#include "field/bucket_queue.h"
#include "field/extent.h"
#include "field/field.h"
#include "field/place_list.h"
#include "field/target.h"

/* Bit of `steps`: the cell and those around it that are no walls cost the same. */
#define FR_STEPS_EVEN  0x100
#define FR_STEPS_COUNT 0x200
/* Bit of `steps`: on the border of a block whose neighbours may not lie in the scratch yet. Only while a part
 * of the map is built. */
#define FR_STEPS_EDGE 0x200

/* Costs behind the last cell that may be read, but mean nothing: rows are read eight cells at a time. */
#define FR_COSTS_SLACK 8

/* Direction of a queue entry that was not reached by a step: a goal. */
#define FR_DIR_ORIGIN FR_DIR_COUNT

/* A queue entry: the cell, and in the low bits the direction of the step that reached it. */
#define FR_ENTRY_SHIFT 4
#define FR_ENTRY_MASK  ((1u << FR_ENTRY_SHIFT) - 1u)

/* What of a block lies in the scratch; each state includes those before. */
typedef enum fr_block_state {
    FR_BLOCK_AWAY = 0, /* nothing: leftovers of earlier builds */
    FR_BLOCK_COSTS,
    FR_BLOCK_READY, /* steps and values: can be entered */
    FR_BLOCK_OPEN,  /* all blocks around are ready as well: can be left */
    FR_BLOCK_GAINED /* the front is done, and has passed cells in here that are to be held */
} fr_block_state;

/* A build of a part of the map: where its blocks come from. */
typedef struct fr_front_source {
    const fr_cost_snapshot *snapshot; /* one of the two */
    const fr_cost *cost;
    fr_cost_view view;
    const fr_field *base;      /* what is built already; may be null */
    _Atomic int32_t *progress; /* counts blocks that `base` lacks and that are sure to be held; may be null */
} fr_front_source;

/* The costs of a block. */
static inline const uint8_t *fr_front_costs(const fr_front_source *source, int32_t block)
{
    return source->snapshot != NULL ? fr_cost_snapshot_block(source->snapshot, source->view, block)
                                    : fr_cost_block_costs(source->cost, source->view, block);
}

/* Cells that the front must have passed before it may stop. */
typedef struct fr_front_need {
    const fr_cell *cells; /* [count] in blocks that are ready; walls are passed over */
    int32_t count;
    int32_t passed;   /* how many of them have their final value */
    uint32_t reach;   /* ways that are longer by this much are needed as well */
    uint32_t longest; /* value of those that have been passed */
    uint32_t least;   /* the limit must not be less */
} fr_front_need;

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
    fr_target *targets;  /* owned, raw */
    uint8_t *trail;      /* owned, raw; of fr_any_angle_find */
    fr_bucket_queue queue;
    uint8_t natural[FR_DIR_COUNT + 1][FR_STEPS_COUNT]; /* see fr_scratch_find_natural */
    int32_t offsets[FR_DIR_COUNT];                     /* from a cell to its neighbours */
    fr_goal *goals; /* owned [goal_capacity]; of the last integration, walls left out, cheapest first */
    int goal_count, goal_capacity;

    /* The front: */
    uint32_t bucket; /* the next to be emptied */
    int joined;      /* goals that it has reached */

    /* For builds of a part of the map: */
    bool is_part;
    fr_extent extent;          /* cells that it does not hold are not left */
    uint32_t sure_limit;       /* the extent's limit will not be less in the end */
    uint8_t dearest;           /* ground in the blocks that are ready */
    fr_place_list setting_out; /* entries that join when the front reaches their value */
    fr_place_list held_back;   /* entries of cells that were not left */
    fr_front_source source;
    uint8_t *states;  /* owned [blocks] fr_block_state; AWAY between builds */
    int32_t *touched; /* owned [blocks] those that are not AWAY */
    int32_t touched_count;
};

/* Place of an inside cell in the padded arrays. */
static inline uint32_t fr_scratch_index(const fr_scratch *scratch, fr_cell cell)
{
    return (uint32_t)((cell.y + 1) * scratch->stride + cell.x + 1);
}

static inline fr_cell fr_scratch_cell(const fr_scratch *scratch, uint32_t place)
{
    uint32_t stride = (uint32_t)scratch->stride;
    return (fr_cell){(int32_t)(place % stride) - 1, (int32_t)(place / stride) - 1};
}

/* Fills `steps` from `costs` in a rectangle inside the map: THE corner rule on padded arrays. Reads the costs
 * of the cells around the rectangle. */
void fr_scratch_find_steps(fr_scratch *scratch, fr_rect rect);

/* Fills `best` in a rectangle inside the map from values, costs and steps. */
void fr_scratch_find_best(fr_scratch *scratch, fr_rect rect);

/* Notes the goals that are no walls and that `base` (may be null) does not hold, cheapest first; their costs
 * must lie in the scratch. */
void fr_scratch_set_goals(fr_scratch *scratch, const fr_goal *goals, int goal_count, const fr_field *base);

/* Empties the queue bucket by bucket, from `bucket` on; goals from `joined` on, and what is setting out,
 * enter when the front reaches their values. As soon as a need (may be null) is met the extent shrinks to
 * what that takes. Ends when the front has passed it, false, or has run dry, true: the values of cells that
 * the extent holds are final. */
bool fr_scratch_spread(fr_scratch *scratch, fr_front_need *need);

/* Whether all cells of a need have been passed, with all values below `end` final; if so, `limit` is what the
 * extent must go to for them. */
bool fr_front_need_is_met(const fr_scratch *scratch, fr_front_need *need, uint32_t end, uint32_t *limit);

/* scratch_blocks.c: blocks brought in as the front meets them. `begin` starts with none; `end` forgets them.
 */
void fr_scratch_begin_part(fr_scratch *scratch, fr_front_source source);
void fr_scratch_end_part(fr_scratch *scratch);
/* Brings in the costs of a block; makes a block of the map, or the one of that place, ready or open. */
void fr_scratch_load_costs(fr_scratch *scratch, int32_t block);
void fr_scratch_ready_block(fr_scratch *scratch, int32_t block);
void fr_scratch_open_block(fr_scratch *scratch, int32_t block);
void fr_scratch_open_block_of(fr_scratch *scratch, uint32_t place);

#endif
