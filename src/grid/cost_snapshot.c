/* cost_snapshot: the pool of blocks that tables of costs point into, and snapshots, which are such tables
 * with a reference to each block. */
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "grid/cost_internal.h"

/* Blocks held ready beyond those in use, so that edits while jobs hold snapshots need no memory. */
#define SPARE_BLOCKS 256
/* Versions of the costs that are held at one time, at most: those that fields are being built from, and those
 * that fields were built from and will be repaired from. */
#define VERSIONS_MAX 16
/* Snapshots held ready. */
#define SPARE_SNAPSHOTS VERSIONS_MAX

static void grow_pool(fr_cost *cost)
{
    if (cost->chunk_count == cost->chunk_capacity) {
        /* Snapshots keep a pointer to the chunk table, so it must never move. */
        FR_ASSERT(cost->chunk_capacity == 0);
        int64_t most = (int64_t)FR_COST_VIEWS_MAX * cost->block_count * VERSIONS_MAX + SPARE_BLOCKS;
        cost->chunk_capacity = (int32_t)(most / FR_COST_CHUNK_BLOCKS) + 2;
        cost->chunks = fr_alloc((size_t)cost->chunk_capacity, sizeof *cost->chunks);
        size_t blocks = (size_t)cost->chunk_capacity * FR_COST_CHUNK_BLOCKS;
        cost->references = fr_alloc(blocks, sizeof *cost->references);
        cost->even = fr_alloc(blocks, sizeof *cost->even);
        cost->free_blocks = fr_alloc_raw(blocks, sizeof *cost->free_blocks);
    }
    int32_t first = cost->chunk_count * FR_COST_CHUNK_BLOCKS;
    cost->chunks[cost->chunk_count++] = fr_alloc_raw(FR_COST_CHUNK_BLOCKS, sizeof(fr_cost_block));
    for (int32_t i = FR_COST_CHUNK_BLOCKS - 1; i >= 0; i--) {
        cost->free_blocks[cost->free_count++] = first + i;
    }
}

/* The cost that all of a block's cells have, or 0. */
static uint8_t even_cost(const uint8_t *costs)
{
    return memcmp(costs, costs + 1, FR_BLOCK_CELLS - 1) == 0 ? costs[0] : 0;
}

int32_t fr_cost_store_block(fr_cost *cost, const uint8_t *costs)
{
    if (cost->free_count == 0) {
        grow_pool(cost);
    }
    int32_t block = cost->free_blocks[--cost->free_count];
    cost->references[block] = 1;
    cost->even[block] = even_cost(costs);
    memcpy(fr_cost_block_at(cost->chunks, block)->cost, costs, FR_BLOCK_CELLS);
    return block;
}

void fr_cost_drop_block(fr_cost *cost, int32_t block)
{
    if (--cost->references[block] == 0) {
        cost->free_blocks[cost->free_count++] = block;
    }
}

static fr_cost_snapshot *new_snapshot(const fr_cost *cost)
{
    fr_cost_snapshot *snapshot = fr_alloc(1, sizeof *snapshot);
    snapshot->table = fr_alloc_raw((size_t)cost->block_count * FR_COST_VIEWS_MAX, sizeof *snapshot->table);
    return snapshot;
}

void fr_cost_reserve(fr_cost *cost)
{
    while (cost->free_count < SPARE_BLOCKS) {
        grow_pool(cost);
    }
    for (int i = 0; i < SPARE_SNAPSHOTS; i++) {
        fr_cost_snapshot *snapshot = new_snapshot(cost);
        snapshot->next = cost->snapshots;
        cost->snapshots = snapshot;
    }
}

static void free_snapshots(fr_cost_snapshot *snapshot)
{
    while (snapshot != NULL) {
        fr_cost_snapshot *next = snapshot->next;
        fr_free(snapshot->table);
        fr_free(snapshot);
        snapshot = next;
    }
}

void fr_cost_free_snapshots(fr_cost *cost)
{
    free_snapshots(cost->current);
    free_snapshots(cost->snapshots);
}

const fr_cost_snapshot *fr_cost_acquire(fr_cost *cost)
{
    if (cost->current == NULL) {
        fr_cost_snapshot *snapshot = cost->snapshots;
        if (snapshot != NULL) {
            cost->snapshots = snapshot->next;
        } else {
            snapshot = new_snapshot(cost);
        }
        snapshot->version = cost->version;
        snapshot->references = 0;
        snapshot->grid = cost->grid;
        snapshot->chunks = cost->chunks;
        snapshot->next = NULL;
        snapshot->open = cost->open;
        for (int v = 0; v < FR_COST_VIEWS_MAX; v++) {
            if (!fr_cost_view_is_open(cost, v)) {
                continue;
            }
            size_t first = (size_t)v * (size_t)cost->block_count;
            for (size_t i = first; i < first + (size_t)cost->block_count; i++) {
                snapshot->table[i] = cost->table[i];
                cost->references[cost->table[i]]++;
            }
        }
        cost->current = snapshot;
    }
    cost->current->references++;
    return cost->current;
}

void fr_cost_release(fr_cost *cost, const fr_cost_snapshot *const_snapshot)
{
    fr_cost_snapshot *snapshot = (fr_cost_snapshot *)const_snapshot;
    FR_ASSERT(snapshot->references > 0);
    if (--snapshot->references > 0 || snapshot == cost->current) {
        return;
    }
    for (int v = 0; v < FR_COST_VIEWS_MAX; v++) {
        size_t first = (size_t)v * (size_t)cost->block_count;
        for (size_t i = 0; i < (size_t)cost->block_count && (snapshot->open >> v & 1) != 0; i++) {
            fr_cost_drop_block(cost, snapshot->table[first + i]);
        }
    }
    snapshot->next = cost->snapshots;
    cost->snapshots = snapshot;
}

void fr_cost_retire_snapshot(fr_cost *cost)
{
    if (cost->current != NULL && cost->current->references == 0) {
        fr_cost_snapshot *stale = cost->current;
        stale->references = 1;
        cost->current = NULL;
        fr_cost_release(cost, stale);
    }
    cost->current = NULL;
}

uint32_t fr_cost_snapshot_version(const fr_cost_snapshot *snapshot)
{
    return snapshot->version;
}

const uint8_t *fr_cost_snapshot_block(const fr_cost_snapshot *snapshot, fr_cost_view view, int32_t block)
{
    int32_t index = snapshot->table[view * fr_grid_block_count(snapshot->grid) + block];
    return fr_cost_block_at(snapshot->chunks, index)->cost;
}

void fr_cost_copy_row(fr_cost_block **chunks, const int32_t *table, fr_grid grid, fr_cell start,
                      int32_t count, uint8_t *out)
{
    fr_cell cell = start;
    while (cell.x < start.x + count) {
        int32_t left = start.x + count - cell.x, in_block = FR_BLOCK_SIDE - (cell.x & (FR_BLOCK_SIDE - 1));
        int32_t run = left < in_block ? left : in_block;
        const fr_cost_block *block = fr_cost_block_at(chunks, table[fr_grid_block(grid, cell)]);
        memcpy(out, block->cost + fr_block_index(cell), (size_t)run);
        out += run;
        cell.x += run;
    }
}

void fr_cost_snapshot_copy(const fr_cost_snapshot *snapshot, fr_cost_view view, uint8_t *out, int stride)
{
    fr_grid grid = snapshot->grid;
    const int32_t *table = snapshot->table + view * fr_grid_block_count(grid);
    for (int32_t y = 0; y < grid.height; y++) {
        fr_cost_copy_row(snapshot->chunks, table, grid, (fr_cell){0, y}, grid.width,
                         out + (ptrdiff_t)y * stride);
    }
}
