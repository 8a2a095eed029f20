/* field: fields as they are stored: blocks from a pool, filled from a scratch, copied for overlays. How they
 * are followed is sampler.c; how they are saved is field_file.c. */
#include "field/field.h"

#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "field/field_internal.h"
#include "field/scratch.h"

/* Fields of one pool, whatever the budget: two (seen and being built) for each that the service can know. On
 * small maps this ends the pool, not the budget. */
#define FIELDS_MAX 8192

struct fr_field_pool {
    fr_grid grid;
    int32_t blocks_per_field;
    int32_t block_limit; /* blocks that the budget allows */
    int32_t block_fresh; /* blocks from here on were never used */
    int32_t used_blocks;
    fr_field_block *blocks; /* owned [block_limit], raw */
    int32_t *free_blocks;   /* owned [block_limit], raw; a stack */
    int32_t free_count;
    fr_field *fields; /* owned [field_limit], raw */
    int32_t *tables;  /* owned [field_limit][blocks_per_field], raw */
    int32_t field_limit, field_fresh;
    int32_t unused_field; /* head of the list of fields given back, -1 = none */
};

fr_field_pool *fr_field_pool_create(fr_grid grid, size_t budget_bytes)
{
    fr_field_pool *pool = fr_alloc(1, sizeof *pool);
    pool->grid = grid;
    pool->blocks_per_field = fr_grid_block_count(grid);
    size_t fields = budget_bytes / ((size_t)pool->blocks_per_field * sizeof(fr_field_block));
    pool->field_limit = fields < FIELDS_MAX ? (int32_t)fields : FIELDS_MAX;
    pool->block_limit = pool->field_limit * pool->blocks_per_field;
    pool->unused_field = -1;
    pool->blocks = fr_alloc_raw((size_t)pool->block_limit, sizeof *pool->blocks);
    pool->free_blocks = fr_alloc_raw((size_t)pool->block_limit, sizeof *pool->free_blocks);
    pool->fields = fr_alloc_raw((size_t)pool->field_limit, sizeof *pool->fields);
    pool->tables = fr_alloc_raw((size_t)pool->block_limit, sizeof *pool->tables);
    return pool;
}

void fr_field_pool_destroy(fr_field_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    fr_free(pool->blocks);
    fr_free(pool->free_blocks);
    fr_free(pool->fields);
    fr_free(pool->tables);
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

fr_grid fr_field_pool_grid(const fr_field_pool *pool)
{
    return pool->grid;
}

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
    *field = (fr_field){
        .grid = pool->grid,
        .blocks_x = fr_grid_blocks_x(pool->grid),
        .blocks = pool->blocks,
        .table = pool->tables + (ptrdiff_t)index * pool->blocks_per_field,
        .in_use = true,
    };
    return field;
}

static int32_t take_block(fr_field_pool *pool)
{
    FR_ASSERT(pool->used_blocks < pool->block_limit);
    pool->used_blocks++;
    return pool->free_count > 0 ? pool->free_blocks[--pool->free_count] : pool->block_fresh++;
}

fr_field *fr_field_reserve(fr_field_pool *pool, fr_grid grid)
{
    FR_ASSERT(grid.width == pool->grid.width && grid.height == pool->grid.height);
    if (pool->used_blocks + pool->blocks_per_field > pool->block_limit) {
        return NULL;
    }
    fr_field *field = take_field(pool);
    for (int32_t b = 0; field != NULL && b < pool->blocks_per_field; b++) {
        field->table[b] = take_block(pool);
    }
    return field;
}

void fr_field_destroy(fr_field_pool *pool, fr_field *field)
{
    if (field == NULL) {
        return;
    }
    FR_ASSERT(field >= pool->fields && field < pool->fields + pool->field_fresh && field->in_use);
    /* Backwards, so that the next field takes them in the same order. */
    for (int32_t b = pool->blocks_per_field - 1; b >= 0; b--) {
        pool->free_blocks[pool->free_count++] = field->table[b];
    }
    pool->used_blocks -= pool->blocks_per_field;
    field->in_use = false;
    field->next_unused = pool->unused_field;
    pool->unused_field = (int32_t)(field - pool->fields);
}

/* Largest of `before` and the row's values, FR_UNREACHED left out. */
static uint32_t row_maximum(const uint32_t *values, int32_t count, uint32_t before)
{
    for (int32_t i = 0; i < count; i++) {
        uint32_t value = values[i] == FR_UNREACHED ? 0 : values[i];
        before = value > before ? value : before;
    }
    return before;
}

static void store_block(fr_field *field, const fr_scratch *scratch, int32_t number)
{
    fr_field_block *block = &field->blocks[field->table[number]];
    fr_rect rect = fr_grid_block_rect(field->grid, number);
    if (rect.width < FR_BLOCK_SIDE || rect.height < FR_BLOCK_SIDE) {
        memset(block->integration, 0xff, sizeof block->integration); /* FR_UNREACHED */
        memset(block->best, 0, sizeof block->best);
    }
    for (int32_t y = 0; y < rect.height; y++) {
        uint32_t from = fr_scratch_index(scratch, (fr_cell){rect.x, rect.y + y});
        int32_t to = y * FR_BLOCK_SIDE;
        memcpy(block->integration + to, scratch->integration + from, (size_t)rect.width * sizeof(uint32_t));
        memcpy(block->best + to, scratch->best + from, (size_t)rect.width);
        field->maximum = row_maximum(block->integration + to, rect.width, field->maximum);
    }
}

/* Makes a field of the costs that lie in the scratch. */
static void fill(fr_field *field, fr_scratch *scratch, const fr_goal *goals, int goal_count)
{
    field->saturated = fr_integrate(scratch, goals, goal_count);
    fr_integrate_directions(scratch);
    field->maximum = 0;
    int32_t count = fr_grid_block_count(field->grid);
    for (int32_t number = 0; number < count; number++) {
        store_block(field, scratch, number);
    }
}

void fr_field_fill(fr_field *field, fr_scratch *scratch, const fr_cost_snapshot *snapshot,
                   fr_class movement_class, const fr_goal *goals, int goal_count)
{
    FR_ASSERT(scratch->grid.width == field->grid.width && scratch->grid.height == field->grid.height);
    fr_cost_snapshot_copy(snapshot, movement_class, fr_scratch_costs(scratch), scratch->stride);
    fill(field, scratch, goals, goal_count);
}

fr_field *fr_field_build(fr_field_pool *pool, fr_scratch *scratch, const fr_cost *cost,
                         fr_class movement_class, const fr_goal *goals, int goal_count)
{
    fr_grid grid = fr_cost_grid(cost);
    FR_ASSERT(scratch->grid.width == grid.width && scratch->grid.height == grid.height);
    fr_field *field = fr_field_reserve(pool, grid);
    if (field == NULL) {
        return NULL;
    }
    for (int32_t y = 0; y < grid.height; y++) {
        fr_cost_copy(cost, movement_class, (fr_rect){0, y, grid.width, 1},
                     fr_scratch_costs(scratch) + (ptrdiff_t)y * scratch->stride);
    }
    fill(field, scratch, goals, goal_count);
    return field;
}

uint32_t fr_field_value(const fr_field *field, fr_cell cell)
{
    return fr_field_cell_at(field, cell).integration;
}

void fr_field_copy(const fr_field *field, fr_rect rect, uint32_t *integration, uint8_t *directions)
{
    FR_ASSERT(rect.x >= 0 && rect.y >= 0 && rect.width >= 0 && rect.height >= 0 &&
              rect.x + rect.width <= field->grid.width && rect.y + rect.height <= field->grid.height);
    size_t out = 0;
    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        for (int32_t x = rect.x; x < rect.x + rect.width; x++, out++) {
            fr_field_cell found = fr_field_cell_at(field, (fr_cell){x, y});
            if (integration != NULL) {
                integration[out] = found.integration;
            }
            if (directions != NULL) {
                int goal_or_none = found.integration == FR_UNREACHED ? FR_DIR_NONE : FR_DIR_GOAL;
                directions[out] = (uint8_t)(found.best != 0 ? fr_first_step(found.best) : goal_or_none);
            }
        }
    }
}

fr_grid fr_field_grid(const fr_field *field)
{
    return field->grid;
}

bool fr_field_saturated(const fr_field *field)
{
    return field->saturated;
}

uint32_t fr_field_maximum(const fr_field *field)
{
    return field->maximum;
}
