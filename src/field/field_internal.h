/* field_internal: what the rest of field/ may know of a field: its blocks, and the steps from reserved memory
 * to a complete field. */
#ifndef FR_FIELD_FIELD_INTERNAL_H
#define FR_FIELD_FIELD_INTERNAL_H

#include "base/buffer.h"
#include "field/field.h"

/* Values of FR_BLOCK_SIDE x FR_BLOCK_SIDE cells. Cells beyond the map's edge are unreached. */
typedef struct fr_field_block {
    uint32_t integration[FR_BLOCK_CELLS];
    uint8_t best[FR_BLOCK_CELLS]; /* bit d: direction d is one of the best steps. The lowest set bit is the
                                     arrow; no bit: a goal, or unreached */
} fr_field_block;

struct fr_field {
    fr_grid grid;
    int32_t blocks_x;
    fr_field_block *blocks; /* of the pool */
    int32_t *table;         /* [blocks of the map] row-major, index into blocks */
    uint32_t maximum;       /* largest value that is not FR_UNREACHED */
    bool saturated;
    bool in_use;         /* handed out by the pool */
    int32_t next_unused; /* the pool's list */
};

/* What one cell of a field holds; outside the map unreached. */
typedef struct fr_field_cell {
    uint32_t integration;
    uint8_t best;
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
        return (fr_field_cell){.integration = FR_UNREACHED};
    }
    const fr_field_block *block = fr_field_block_at(field, cell);
    int32_t index = fr_block_index(cell);
    return (fr_field_cell){.integration = block->integration[index], .best = block->best[index]};
}

/* The arrow among the best steps (not 0): ties by the direction table. */
static inline int fr_first_step(uint8_t best)
{
    return __builtin_ctz(best);
}

fr_grid fr_field_pool_grid(const fr_field_pool *pool);

/* Takes memory for a field whose content is undefined until filled or loaded. Null if the pool has no room.
 * Main thread. */
fr_field *fr_field_reserve(fr_field_pool *pool, fr_grid grid);

/* Makes a reserved field complete. Touches only the field's own blocks and the scratch. Any thread. */
void fr_field_fill(fr_field *field, fr_scratch *scratch, const fr_cost_snapshot *snapshot,
                   fr_class movement_class, const fr_goal *goals, int goal_count);

/* A complete field as bytes, little-endian, and back. Load checks that every value and step can be followed
 * safely; null if not, or if the pool has no room. Main thread. */
void fr_field_save(const fr_field *field, fr_buffer *out);
fr_field *fr_field_load(fr_field_pool *pool, fr_reader *reader);

#endif
