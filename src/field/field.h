/* field: one flow field, stored in 32x32 blocks from one pool, and the sampler that units, traces and tools
 * use.
 *
 *   name         type  range                        written by        overlay
 *   cost         u8    1..254, 255 wall             grid/cost         F1
 *   integration  u32   0..FR_INTEGRATION_MAX,       integrate         F2
 *                      FR_UNREACHED
 *   direction    u8    0..7, FR_DIR_GOAL/NONE       integrate         F3
 *
 * A field cell is a square of half, one, two or four tiles (grid/nav.h). Goals, rectangles and blocks of a
 * field are in its cells; positions, single cells that are asked for, lengths and values in tiles.
 *
 * Nobody outside field/ sees these arrays: units sample, overlays copy rectangles. A field is immutable once
 * settled; the service (field_service.h) replaces it as a whole.
 *
 * A field may be partial: exact for the cells that it holds (extent.h), with all other cells FR_UNREACHED,
 * which then means "not built". Blocks without a built cell take no memory. */
#ifndef FR_FIELD_FIELD_H
#define FR_FIELD_FIELD_H

#include "field/integrate.h"
#include "grid/cost.h"

typedef struct fr_field fr_field;
typedef struct fr_field_pool fr_field_pool;

/* Pool of blocks for fields of one map, whose cells are tiles, with a budget in bytes: everything is reserved
 * here and touched as it is used, so that fields come and go without an allocation. A budget below the size
 * of a field of the whole map makes a pool that has no room. */
fr_field_pool *fr_field_pool_create(fr_grid grid, size_t budget_bytes);
/* The same for fields over these costs, whatever their cells measure. */
fr_field_pool *fr_field_pool_create_for(const fr_cost *cost, size_t budget_bytes);
/* All fields of the pool end with it. */
void fr_field_pool_destroy(fr_field_pool *pool);
/* Bytes in use now, and bytes that the pool may use. */
size_t fr_field_pool_used_bytes(const fr_field_pool *pool);
size_t fr_field_pool_budget_bytes(const fr_field_pool *pool);

/* Builds the whole field over the costs of now, at once: for tools, tests and the player's probe. Null when
 * the pool has no room. `scratch` and `pool` must fit the grid of the costs. Goals [1..FR_GOALS_MAX], inside
 * the map. Main thread. */
fr_field *fr_field_build(fr_field_pool *pool, fr_scratch *scratch, const fr_cost *cost, fr_cost_view view,
                         const fr_goal *goals, int goal_count);
/* A field of a part of the map that is exact for these cells [count, inside the map] as well as for those
 * that `field` covered, which it takes the place of (null: the first part). A cell without a way to a goal
 * makes it complete. Null, with `field` as it was, when the pool has no room. The costs must not have changed
 * in between. Main thread. */
fr_field *fr_field_widen(fr_field_pool *pool, fr_scratch *scratch, const fr_cost *cost, fr_cost_view view,
                         const fr_goal *goals, int goal_count, fr_field *field, const fr_cell *cells,
                         int32_t count);
/* Gives the field's blocks back; null is allowed. Main thread. */
void fr_field_destroy(fr_field_pool *pool, fr_field *field);

typedef enum fr_sample_kind {
    FR_SAMPLE_NONE = 0, /* wall, outside, or no way to a goal: direction is zero */
    FR_SAMPLE_GOAL,     /* in a goal cell: direction is zero, the rest is the order's business */
    FR_SAMPLE_ROUGH,    /* a heading without an exact field behind it */
    FR_SAMPLE_STEP,     /* follow the direction */
} fr_sample_kind;

typedef struct fr_field_sample {
    fr_vec2 direction;  /* unit vector; never leads into a blocked cell */
    float reach;        /* tiles to the point that the direction leads to, straight over open ground */
    uint32_t potential; /* integration at the cell, FR_UNREACHED where none */
    fr_position centre; /* middle of the field's cell, for which that holds */
    fr_sample_kind kind;
} fr_field_sample;

/* Direction at any position (outside the map: NONE). Owns all blending between cells. Any thread. */
fr_field_sample fr_field_sample_at(const fr_field *field, fr_position position);

/* Direction at a position of a stream that is as wide as its way: side by side round corners, not all past
 * their edge. Never for one unit alone: it is longer. False, with `direction` as it was, where the field
 * leads nowhere or the ground is too level to tell. Dear: looks at a hundred cells. Any thread. */
bool fr_field_parallel_at(const fr_field *field, fr_position position, fr_vec2 *direction);

/* Integration in the middle of a tile, and at a position; FR_UNREACHED outside the map. */
uint32_t fr_field_value(const fr_field *field, fr_cell tile);
uint32_t fr_field_value_at(const fr_field *field, fr_position position);
/* The same in straight steps of one tile of cost 1, exact; INFINITY where it is unreached. */
double fr_field_steps(const fr_field *field, fr_cell tile);

/* Copies a rectangle of the field's cells; either output may be null. integration [w*h], directions [w*h]. */
void fr_field_copy(const fr_field *field, fr_rect rect, uint32_t *integration, uint8_t *directions);

/* 0 for a block of which nothing is built, else a number that differs when its values may. For pictures: a
 * number may come back after other content was there. */
uint32_t fr_field_block_stamp(const fr_field *field, int32_t block);

/* How the field of a request stands: what there is to follow, and what is on its way. */
typedef enum fr_field_standing {
    FR_STANDING_NONE = 0, /* nothing to follow yet */
    FR_STANDING_CURRENT,  /* up to date, nothing is being made */
    FR_STANDING_STALE,    /* costs changed since; what follows waits its turn */
    FR_STANDING_BUILDING, /* what follows is being made */
} fr_field_standing;

fr_grid fr_field_grid(const fr_field *field);
/* A cell of it is 2^shift tiles wide. */
int32_t fr_field_shift(const fr_field *field);
/* Whether an unreached cell has no way to a goal; in a partial field it may just not be built. */
bool fr_field_is_complete(const fr_field *field);
bool fr_field_saturated(const fr_field *field);
/* Largest integration value that is not FR_UNREACHED (for the colour scale of overlays). */
uint32_t fr_field_maximum(const fr_field *field);

/* Walks the streamline from a position by small steps of the sampler. Returns its length in cells, or a
 * negative number if it touches a blocked cell or does not arrive within `limit` cells; `*met_wall` (may be
 * null) says which. Points for drawing go to `points` [capacity] if not null, their count to `*point_count`.
 */
double fr_field_trace(const fr_field *field, fr_position start, double limit, bool *met_wall,
                      fr_position *points, int capacity, int *point_count);

#endif
