/* field_internal: what the rest of field/ may know of a field: its blocks, and the steps from reserved memory
 * to a complete field. */
#ifndef FR_FIELD_FIELD_INTERNAL_H
#define FR_FIELD_FIELD_INTERNAL_H

#include "base/buffer.h"
#include "field/extent.h"
#include "field/field.h"
#include "field/target.h"

/* Values of FR_BLOCK_SIDE x FR_BLOCK_SIDE cells. Cells beyond the map's edge are unreached. */
typedef struct fr_field_block {
    uint32_t integration[FR_BLOCK_CELLS];
    uint8_t best[FR_BLOCK_CELLS]; /* bit d: direction d is one of the best steps. The lowest set bit is the
                                     arrow; no bit: a goal, or unreached */
    fr_target target[FR_BLOCK_CELLS]; /* where units in the cell walk to; a goal's is
                                        the goal, an unreached cell's FR_TARGET_NONE */
    uint32_t maximum;                 /* largest value that is not FR_UNREACHED; 0 if there is none */
} fr_field_block;

/* Table entry of a block without a built cell: block 0 of every pool, all unreached, is never written. */
#define FR_BLOCK_ABSENT 0

struct fr_field {
    fr_grid grid;
    int32_t shift; /* a cell is 2^shift tiles wide */
    int32_t blocks_x;
    fr_field_block *blocks; /* of the pool; fields may share blocks */
    int32_t *table;         /* [blocks of the map] row-major, index into blocks, or FR_BLOCK_ABSENT */
    fr_extent extent;       /* what it holds is built and exact, all other cells are unreached */
    uint32_t maximum;       /* largest value that is not FR_UNREACHED */
    bool saturated;

    /* Until the field is settled: */
    int32_t *spare; /* [blocks of the map] the first `taken` are blocks that others took the place of, the
                       rest blocks still to be taken */
    uint8_t *owned; /* [blocks of the map] whether the block was taken from `spare`, so that it may be written
                       (field_pool.c) */
    int32_t spare_count, taken;

    bool in_use;         /* handed out by the pool */
    int32_t next_unused; /* the pool's list */
};

/* What one cell of a field holds; outside the map unreached. */
typedef struct fr_field_cell {
    uint32_t integration;
    uint8_t best;
    fr_target target;
} fr_field_cell;

/* The block of an inside cell. */
static inline const fr_field_block *fr_field_block_at(const fr_field *field, fr_cell cell)
{
    int32_t number = (cell.y >> FR_BLOCK_SHIFT) * field->blocks_x + (cell.x >> FR_BLOCK_SHIFT);
    return &field->blocks[field->table[number]];
}

static inline fr_field_cell fr_field_cell_at(const fr_field *field, fr_cell cell)
{
    if (!fr_grid_contains(field->grid, cell)) {
        return (fr_field_cell){.integration = FR_UNREACHED, .target = FR_TARGET_NONE};
    }
    const fr_field_block *block = fr_field_block_at(field, cell);
    int32_t index = fr_block_index(cell);
    return (fr_field_cell){
        .integration = block->integration[index], .best = block->best[index], .target = block->target[index]};
}

/* Integration of a cell as it is stored; FR_UNREACHED outside the map. */
static inline uint32_t fr_field_cell_value(const fr_field *field, fr_cell cell)
{
    return fr_field_cell_at(field, cell).integration;
}

/* Stored values as others are told them: what a straight step of one tile costs is FR_STEP_STRAIGHT to them.
 */
static inline uint32_t fr_field_tile_value(const fr_field *field, uint32_t value)
{
    if (field->shift == 0 || value == FR_UNREACHED) {
        return value;
    }
    if (field->shift < 0) {
        return value >> 1;
    }
    return value > FR_INTEGRATION_MAX >> field->shift ? FR_INTEGRATION_MAX : value << field->shift;
}

/* What belongs into the block's `maximum`. */
static inline uint32_t fr_block_maximum(const fr_field_block *block)
{
    uint32_t maximum = 0;
    for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
        uint32_t value = block->integration[i] == FR_UNREACHED ? 0 : block->integration[i];
        maximum = value > maximum ? value : maximum;
    }
    return maximum;
}

static inline bool fr_block_is_unreached(const fr_field_block *block)
{
    uint32_t all = FR_UNREACHED;
    for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
        all &= block->integration[i];
    }
    return all == FR_UNREACHED;
}

/* The arrow among the best steps (not 0): ties by the direction table. */
static inline int fr_first_step(uint8_t best)
{
    return __builtin_ctz(best);
}

/* Bytes of the blocks of settled fields. */
size_t fr_field_pool_held_bytes(const fr_field_pool *pool);
fr_grid fr_field_pool_grid(const fr_field_pool *pool);

/* A field without a built cell, to be filled or loaded and then settled; blocks for the whole map are set
 * aside and count as used until then. Null if the pool has no room. Main thread. */
fr_field *fr_field_reserve(fr_field_pool *pool, fr_grid grid);

/* The same with the content of another field, which it shares block by block until it writes. */
fr_field *fr_field_clone(fr_field_pool *pool, const fr_field *of);

/* A block of a field that is not settled yet, to be written: its own, content undefined on the first call.
 * Any thread, one at a time. */
fr_field_block *fr_field_block_take(fr_field *field, int32_t number);
/* The same, with the content that the field has there (an absent block: all unreached). */
fr_field_block *fr_field_block_own(fr_field *field, int32_t number);

/* Gives an own block back in which, as it turned out, every cell is unreached: once settled it is absent. */
void fr_field_block_leave(fr_field *field, int32_t number);

/* Puts those cells into a block that an extent holds by their values in the scratch, and that are unreached
 * in the block. */
void fr_field_block_store(fr_field_block *block, const fr_scratch *scratch, int32_t number,
                          const fr_extent *extent);

/* Makes a field that is not settled yet, a clone maybe, one without a built cell. */
void fr_field_clear(fr_field *field);

/* Ends the writing: gives back what was set aside and not taken, and blocks that were replaced. Needed before
 * the field is seen. Main thread; a second call changes nothing. */
void fr_field_settle(fr_field_pool *pool, fr_field *field);

/* Makes a reserved field complete. Touches only the field's own blocks and the scratch. Any thread. */
void fr_field_fill(fr_field *field, fr_scratch *scratch, const fr_cost_snapshot *snapshot, fr_cost_view view,
                   const fr_goal *goals, int goal_count);

/* What a field must cover. */
typedef struct fr_field_part {
    const fr_cell *cells; /* [cell_count 1..] inside the map; walls don't count. One without a way to a goal
                             makes the field complete */
    int32_t cell_count;
    uint32_t reach;       /* ways to near them that are longer by this much are covered as well */
    uint32_t detour_max;  /* a cell whose way is longer than over open ground by about this much more need
                             not be covered; 0: whatever it takes */
    const fr_field *like; /* instead of cells: as far as this field, or null */
    _Atomic int32_t *progress; /* blocks that are sure to be added, as far as that is known; or null */
} fr_field_part;

/* Makes a field exact for more cells: one that is just reserved, or a clone, which goes on from its border.
 * The costs must be those of the earlier builds. Takes time and memory for the cells that it adds alone:
 * those that lie between goals and the cells that are wanted, or not far from there. They have the bits of a
 * field of the whole map. Any thread, as fr_field_fill. */
void fr_field_extend(fr_field *field, fr_scratch *scratch, const fr_cost_snapshot *snapshot,
                     fr_cost_view view, const fr_goal *goals, int goal_count, const fr_field_part *part);

/* A field as bytes, little-endian, and back. Load checks that every value and step can be followed
 * safely; null if not, or if the pool has no room. Main thread. */
void fr_field_save(const fr_field *field, fr_buffer *out);
fr_field *fr_field_load(fr_field_pool *pool, fr_reader *reader);

#endif
