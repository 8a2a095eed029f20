/* field_pool: where fields and their blocks come from. Everything is reserved at once; blocks are counted one
 * by one and by reference, so that a field and its successor share what did not change. Knows nothing of what
 * the blocks hold, but that block 0 is unreached throughout.
 *
 * Workers fill fields, the main thread hands out memory: a field gets all blocks that it could need set aside
 * before it is filled (spare), takes of them what it needs without asking anybody, and gives the rest back
 * when it is settled. */
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "field/field_internal.h"

/* Fields of one pool, whatever the budget: two (seen and being built) for each that the service can know. On
 * small maps this ends the pool, not the budget. */
#define FIELDS_MAX 8192

/* On larger maps fields are mostly partial; there are tables for as many of this size (blocks) as the budget
 * holds. */
#define PARTIAL_BLOCKS 16

/* What fr_field's `owned` says of a block until the field is settled. */
enum {
    BLOCK_SHARED = 0, /* of the field that was cloned, or absent */
    BLOCK_OWN,
    BLOCK_LEFT, /* own, but to be absent */
};

struct fr_field_pool {
    fr_grid grid;
    int32_t shift;            /* of its fields */
    int32_t blocks_per_field; /* of the whole map */
    int32_t block_limit;      /* blocks that the budget allows */
    int32_t block_fresh;      /* blocks from here on were never handed out */
    int32_t used_blocks;      /* in fields, or set aside */
    int32_t aside_blocks;     /* of these, those of fields that are not settled */
    fr_field_block *blocks;   /* owned [1 + block_limit], raw; the first is that of FR_BLOCK_ABSENT */
    int32_t *references;      /* owned [1 + block_limit], raw: fields that hold a block */
    int32_t *free_blocks;     /* owned [block_limit], raw; a stack */
    int32_t free_count;
    fr_field *fields; /* owned [field_limit], raw */
    int32_t *tables;  /* owned [field_limit][blocks_per_field], raw; spares and marks alike */
    int32_t *spares;
    uint8_t *owned;
    int32_t field_limit, field_fresh;
    int32_t unused_field; /* head of the list of fields given back, -1 = none */
};

fr_field_pool *fr_field_pool_create(fr_grid grid, size_t budget_bytes)
{
    fr_field_pool *pool = fr_alloc(1, sizeof *pool);
    pool->grid = grid;
    pool->blocks_per_field = fr_grid_block_count(grid);
    size_t blocks = budget_bytes / sizeof(fr_field_block);
    FR_ASSERT(blocks < INT32_MAX);
    int32_t least = pool->blocks_per_field < PARTIAL_BLOCKS ? pool->blocks_per_field : PARTIAL_BLOCKS;
    size_t fields = blocks / (size_t)least;
    pool->block_limit = (int32_t)blocks;
    pool->block_fresh = FR_BLOCK_ABSENT + 1;
    pool->field_limit = fields < FIELDS_MAX ? (int32_t)fields : FIELDS_MAX;
    pool->unused_field = -1;
    size_t entries = (size_t)pool->field_limit * (size_t)pool->blocks_per_field;
    pool->blocks = fr_alloc_raw(blocks + 1, sizeof *pool->blocks);
    memset(pool->blocks[FR_BLOCK_ABSENT].integration, 0xff, sizeof pool->blocks->integration);
    memset(pool->blocks[FR_BLOCK_ABSENT].best, 0, sizeof pool->blocks->best);
    memset(pool->blocks[FR_BLOCK_ABSENT].target, 0xff, sizeof pool->blocks->target);
    pool->blocks[FR_BLOCK_ABSENT].maximum = 0;
    pool->references = fr_alloc_raw(blocks + 1, sizeof *pool->references);
    pool->free_blocks = fr_alloc_raw(blocks, sizeof *pool->free_blocks);
    pool->fields = fr_alloc_raw((size_t)pool->field_limit, sizeof *pool->fields);
    pool->tables = fr_alloc_raw(entries, sizeof *pool->tables);
    pool->spares = fr_alloc_raw(entries, sizeof *pool->spares);
    pool->owned = fr_alloc_raw(entries, sizeof *pool->owned);
    return pool;
}

fr_field_pool *fr_field_pool_create_for(const fr_cost *cost, size_t budget_bytes)
{
    fr_field_pool *pool = fr_field_pool_create(fr_cost_grid(cost), budget_bytes);
    pool->shift = fr_cost_shift(cost);
    return pool;
}

void fr_field_pool_destroy(fr_field_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    fr_free(pool->blocks);
    fr_free(pool->references);
    fr_free(pool->free_blocks);
    fr_free(pool->fields);
    fr_free(pool->tables);
    fr_free(pool->spares);
    fr_free(pool->owned);
    fr_free(pool);
}

size_t fr_field_pool_used_bytes(const fr_field_pool *pool)
{
    return (size_t)pool->used_blocks * sizeof(fr_field_block);
}

size_t fr_field_pool_budget_bytes(const fr_field_pool *pool)
{
    return (size_t)pool->block_limit * sizeof(fr_field_block);
}

size_t fr_field_pool_held_bytes(const fr_field_pool *pool)
{
    return (size_t)(pool->used_blocks - pool->aside_blocks) * sizeof(fr_field_block);
}

fr_grid fr_field_pool_grid(const fr_field_pool *pool)
{
    return pool->grid;
}

/* ---- blocks ---- */

static int32_t set_block_aside(fr_field_pool *pool)
{
    FR_ASSERT(pool->used_blocks < pool->block_limit);
    pool->used_blocks++;
    return pool->free_count > 0 ? pool->free_blocks[--pool->free_count] : pool->block_fresh++;
}

static void return_block(fr_field_pool *pool, int32_t block)
{
    pool->free_blocks[pool->free_count++] = block;
    pool->used_blocks--;
}

static void release_block(fr_field_pool *pool, int32_t block)
{
    if (block != FR_BLOCK_ABSENT && --pool->references[block] == 0) {
        return_block(pool, block);
    }
}

fr_field_block *fr_field_block_take(fr_field *field, int32_t number)
{
    if (field->owned[number] == BLOCK_SHARED) {
        FR_ASSERT(field->taken < field->spare_count);
        int32_t *spare = &field->spare[field->taken++];
        int32_t before = field->table[number];
        field->table[number] = *spare;
        *spare = before;
    }
    field->owned[number] = BLOCK_OWN;
    return &field->blocks[field->table[number]];
}

fr_field_block *fr_field_block_own(fr_field *field, int32_t number)
{
    const fr_field_block *before = &field->blocks[field->table[number]];
    fr_field_block *block = fr_field_block_take(field, number);
    if (block != before) {
        *block = *before;
    }
    return block;
}

void fr_field_block_leave(fr_field *field, int32_t number)
{
    FR_ASSERT(field->owned[number] != BLOCK_SHARED);
    field->owned[number] = BLOCK_LEFT;
}

void fr_field_clear(fr_field *field)
{
    for (int32_t number = 0; number < fr_grid_block_count(field->grid); number++) {
        if (field->table[number] != FR_BLOCK_ABSENT) {
            *fr_field_block_take(field, number) = field->blocks[FR_BLOCK_ABSENT];
            fr_field_block_leave(field, number);
        }
    }
    field->extent = (fr_extent){0};
    field->maximum = 0;
    field->saturated = false;
}

/* ---- fields ---- */

static fr_field *take_field(fr_field_pool *pool)
{
    int32_t index = pool->unused_field;
    if (index >= 0) {
        pool->unused_field = pool->fields[index].next_unused;
    } else if (pool->field_fresh < pool->field_limit) {
        index = pool->field_fresh++;
    } else {
        return NULL;
    }
    fr_field *field = &pool->fields[index];
    ptrdiff_t entries = (ptrdiff_t)index * pool->blocks_per_field;
    *field = (fr_field){
        .grid = pool->grid,
        .shift = pool->shift,
        .blocks_x = fr_grid_blocks_x(pool->grid),
        .blocks = pool->blocks,
        .table = pool->tables + entries,
        .spare = pool->spares + entries,
        .owned = pool->owned + entries,
        .in_use = true,
    };
    return field;
}

fr_field *fr_field_reserve(fr_field_pool *pool, fr_grid grid)
{
    FR_ASSERT(grid.width == pool->grid.width && grid.height == pool->grid.height);
    if (pool->used_blocks + pool->blocks_per_field > pool->block_limit) {
        return NULL;
    }
    fr_field *field = take_field(pool);
    if (field == NULL) {
        return NULL;
    }
    for (int32_t b = 0; b < pool->blocks_per_field; b++) {
        field->table[b] = FR_BLOCK_ABSENT;
        field->spare[b] = set_block_aside(pool);
        field->owned[b] = BLOCK_SHARED;
    }
    field->spare_count = pool->blocks_per_field;
    pool->aside_blocks += field->spare_count;
    return field;
}

fr_field *fr_field_clone(fr_field_pool *pool, const fr_field *of)
{
    FR_ASSERT(of->spare_count == 0);
    fr_field *field = fr_field_reserve(pool, of->grid);
    if (field == NULL) {
        return NULL;
    }
    for (int32_t b = 0; b < pool->blocks_per_field; b++) {
        field->table[b] = of->table[b];
        if (of->table[b] != FR_BLOCK_ABSENT) {
            pool->references[of->table[b]]++;
        }
    }
    field->extent = of->extent;
    field->maximum = of->maximum;
    field->saturated = of->saturated;
    return field;
}

void fr_field_settle(fr_field_pool *pool, fr_field *field)
{
    if (field->spare_count == 0) {
        return;
    }
    /* Backwards, so that the next field takes them in the same order. */
    for (int32_t i = field->spare_count - 1; i >= field->taken; i--) {
        return_block(pool, field->spare[i]);
    }
    for (int32_t i = 0; i < field->taken; i++) {
        release_block(pool, field->spare[i]);
    }
    for (int32_t b = 0; b < pool->blocks_per_field; b++) {
        if (field->owned[b] == BLOCK_OWN) {
            pool->references[field->table[b]] = 1;
        } else if (field->owned[b] == BLOCK_LEFT) {
            return_block(pool, field->table[b]);
            field->table[b] = FR_BLOCK_ABSENT;
        }
    }
    pool->aside_blocks -= field->spare_count;
    field->spare_count = field->taken = 0;
}

void fr_field_destroy(fr_field_pool *pool, fr_field *field)
{
    if (field == NULL) {
        return;
    }
    FR_ASSERT(field >= pool->fields && field < pool->fields + pool->field_fresh && field->in_use);
    fr_field_settle(pool, field);
    for (int32_t b = pool->blocks_per_field - 1; b >= 0; b--) {
        release_block(pool, field->table[b]);
    }
    field->in_use = false;
    field->next_unused = pool->unused_field;
    pool->unused_field = (int32_t)(field - pool->fields);
}
