#include "grid/cost.h"

#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "base/rng.h"

/* Blocks held ready beyond those in use, so that edits while jobs hold snapshots need no memory. */
#define SPARE_BLOCKS 256
#define CHUNK_BLOCKS 256
/* Snapshots held ready: costs change at most once a tick for fields, and those take about three. */
#define SPARE_SNAPSHOTS 8

/* The wall bits of a row begin this many cells left of the map, and as many rows lie above and below it: a
 * window of 8 cells that touches the map never leaves the array. */
#define WALL_RING 8

typedef struct cost_block {
    uint8_t cost[FR_BLOCK_CELLS];
} cost_block;

struct fr_cost_snapshot {
    uint32_t version;
    int32_t references;
    fr_grid grid;
    cost_block **chunks; /* of the owner: blocks stay in place while referenced */
    int32_t *table;      /* [class][block] */
    fr_cost_snapshot *next;
};

struct fr_cost {
    const fr_map *map;
    fr_grid grid;
    int32_t block_count;
    uint32_t version;
    uint64_t hash;

    cost_block **chunks;
    int32_t chunk_count, chunk_capacity;
    int32_t *references; /* per pool block; main thread only */
    int32_t *free_blocks;
    int32_t free_count;

    int32_t *table; /* [class][block], composed costs now */
    /* Edits, painted costs (0 = none) and painted kinds, [block][FR_BLOCK_CELLS]. Cleared by the system page
     * by page: where nobody ever edits they take no memory. */
    uint8_t *edits, *paint, *paint_kind;
    uint32_t *block_version; /* [block] */

    uint64_t *walls[FR_CLASS_COUNT];
    int32_t wall_words; /* per row */

    fr_cost_snapshot *current;   /* of this version, or null */
    fr_cost_snapshot *snapshots; /* unused ones */
};

static cost_block *block_at(cost_block **chunks, int32_t index)
{
    return &chunks[index / CHUNK_BLOCKS][index % CHUNK_BLOCKS];
}

/* Index of a cell in the arrays that are kept by block. */
static size_t place(int32_t block, int32_t index)
{
    return (size_t)block * FR_BLOCK_CELLS + (size_t)index;
}

static void grow_pool(fr_cost *cost)
{
    if (cost->chunk_count == cost->chunk_capacity) {
        /* Snapshots keep a pointer to the chunk table, so it must never move. */
        FR_ASSERT(cost->chunk_capacity == 0);
        int64_t most = (int64_t)FR_CLASS_COUNT * cost->block_count * 16 + SPARE_BLOCKS;
        cost->chunk_capacity = (int32_t)(most / CHUNK_BLOCKS) + 2;
        cost->chunks = fr_alloc((size_t)cost->chunk_capacity, sizeof *cost->chunks);
        size_t blocks = (size_t)cost->chunk_capacity * CHUNK_BLOCKS;
        cost->references = fr_alloc(blocks, sizeof *cost->references);
        cost->free_blocks = fr_alloc_raw(blocks, sizeof *cost->free_blocks);
    }
    int32_t first = cost->chunk_count * CHUNK_BLOCKS;
    cost->chunks[cost->chunk_count++] = fr_alloc_raw(CHUNK_BLOCKS, sizeof(cost_block));
    for (int32_t i = CHUNK_BLOCKS - 1; i >= 0; i--) {
        cost->free_blocks[cost->free_count++] = first + i;
    }
}

static int32_t take_block(fr_cost *cost)
{
    if (cost->free_count == 0) {
        grow_pool(cost);
    }
    int32_t block = cost->free_blocks[--cost->free_count];
    cost->references[block] = 1;
    return block;
}

static void drop_block(fr_cost *cost, int32_t block)
{
    if (--cost->references[block] == 0) {
        cost->free_blocks[cost->free_count++] = block;
    }
}

/* The cells of a block that lie inside the map. */
static fr_rect block_rect(const fr_cost *cost, int32_t block)
{
    int32_t blocks_x = fr_grid_blocks_x(cost->grid);
    fr_rect rect = {block % blocks_x * FR_BLOCK_SIDE, block / blocks_x * FR_BLOCK_SIDE, FR_BLOCK_SIDE,
                    FR_BLOCK_SIDE};
    return fr_grid_clip(cost->grid, rect);
}

static void set_wall_bit(fr_cost *cost, int movement_class, fr_cell cell, bool wall)
{
    size_t bit = (size_t)(cell.x + WALL_RING);
    size_t row = (size_t)(cell.y + WALL_RING) * (size_t)cost->wall_words;
    uint64_t *word = &cost->walls[movement_class][row + bit / 64];
    uint64_t mask = (uint64_t)1 << (bit % 64);
    *word = wall ? *word | mask : *word & ~mask;
}

/* What a class pays in a block, by cause: an edit covers paint, paint covers the ground as loaded. */
static void compose(const fr_cost *cost, int movement_class, int32_t block, uint8_t *out)
{
    memset(out, FR_COST_WALL, FR_BLOCK_CELLS);
    fr_rect rect = block_rect(cost, block);
    const uint8_t *loaded = cost->map->costs[movement_class];
    for (int32_t y = 0; y < rect.height; y++) {
        int32_t row = fr_grid_index(cost->grid, (fr_cell){rect.x, rect.y + y});
        memcpy(out + y * FR_BLOCK_SIDE, loaded + row, (size_t)rect.width);
    }
    if (movement_class == FR_CLASS_AIR) {
        return;
    }
    const uint8_t *edits = cost->edits + place(block, 0), *paint = cost->paint + place(block, 0);
    for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
        if (edits[i] != 0) {
            out[i] = edits[i];
        } else if (paint[i] != 0) {
            out[i] = paint[i];
        }
    }
}

/* A lower class of the same content to share the block with, or -1. */
static int32_t find_twin(const fr_cost *cost, int movement_class, int32_t block, const uint8_t *content)
{
    for (int c = 0; c < movement_class; c++) {
        int32_t index = cost->table[c * cost->block_count + block];
        if (memcmp(block_at(cost->chunks, index)->cost, content, FR_BLOCK_CELLS) == 0) {
            return index;
        }
    }
    return -1;
}

static void grow_rect(fr_rect *rect, fr_cell cell)
{
    if (rect->width == 0) {
        *rect = (fr_rect){cell.x, cell.y, 1, 1};
        return;
    }
    int32_t x0 = rect->x < cell.x ? rect->x : cell.x;
    int32_t y0 = rect->y < cell.y ? rect->y : cell.y;
    int32_t x1 = rect->x + rect->width > cell.x + 1 ? rect->x + rect->width : cell.x + 1;
    int32_t y1 = rect->y + rect->height > cell.y + 1 ? rect->y + rect->height : cell.y + 1;
    *rect = (fr_rect){x0, y0, x1 - x0, y1 - y0};
}

/* Composes one block of one class anew; grows `changed` by the cells whose cost became another. */
static void recompose(fr_cost *cost, int movement_class, int32_t block, fr_rect *changed)
{
    uint8_t content[FR_BLOCK_CELLS];
    compose(cost, movement_class, block, content);
    int32_t *entry = &cost->table[movement_class * cost->block_count + block];
    int32_t old = *entry;
    const uint8_t *before = block_at(cost->chunks, old)->cost;
    if (memcmp(before, content, FR_BLOCK_CELLS) != 0) {
        fr_rect rect = block_rect(cost, block);
        for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
            fr_cell cell = {rect.x + i % FR_BLOCK_SIDE, rect.y + i / FR_BLOCK_SIDE};
            if (before[i] != content[i]) {
                set_wall_bit(cost, movement_class, cell, content[i] == FR_COST_WALL);
                grow_rect(changed, cell);
            }
        }
    }
    int32_t twin = find_twin(cost, movement_class, block, content);
    if (twin == old || (twin < 0 && memcmp(before, content, FR_BLOCK_CELLS) == 0)) {
        return;
    }
    if (twin >= 0) {
        cost->references[twin]++;
        *entry = twin;
    } else {
        /* Copy on write: a snapshot, or a class that shared the block, may still read the old one. */
        *entry = take_block(cost);
        memcpy(block_at(cost->chunks, *entry)->cost, content, FR_BLOCK_CELLS);
    }
    drop_block(cost, old);
}

static void create_walls(fr_cost *cost)
{
    cost->wall_words = (cost->grid.width + 2 * WALL_RING + 63) / 64 + 1;
    size_t words = (size_t)cost->wall_words * (size_t)(cost->grid.height + 2 * WALL_RING);
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        cost->walls[c] = fr_alloc_raw(words, sizeof(uint64_t));
        memset(cost->walls[c], 0xff, words * sizeof(uint64_t));
        for (int32_t i = 0; i < fr_grid_count(cost->grid); i++) {
            if (cost->map->costs[c][i] != FR_COST_WALL) {
                set_wall_bit(cost, c, fr_grid_cell(cost->grid, i), false);
            }
        }
    }
}

static fr_cost_snapshot *new_snapshot(const fr_cost *cost)
{
    fr_cost_snapshot *snapshot = fr_alloc(1, sizeof *snapshot);
    snapshot->table = fr_alloc_raw((size_t)cost->block_count * FR_CLASS_COUNT, sizeof *snapshot->table);
    return snapshot;
}

fr_cost *fr_cost_create(const fr_map *map)
{
    fr_cost *cost = fr_alloc(1, sizeof *cost);
    cost->map = map;
    cost->grid = map->grid;
    cost->block_count = fr_grid_block_count(map->grid);
    cost->version = 1;
    size_t blocks = (size_t)cost->block_count;
    cost->table = fr_alloc(blocks * FR_CLASS_COUNT, sizeof *cost->table);
    cost->edits = fr_alloc(blocks, FR_BLOCK_CELLS);
    cost->paint = fr_alloc(blocks, FR_BLOCK_CELLS);
    cost->paint_kind = fr_alloc(blocks, FR_BLOCK_CELLS);
    cost->block_version = fr_alloc(blocks, sizeof *cost->block_version);
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        for (int32_t b = 0; b < cost->block_count; b++) {
            uint8_t content[FR_BLOCK_CELLS];
            compose(cost, c, b, content);
            int32_t index = find_twin(cost, c, b, content);
            if (index >= 0) {
                cost->references[index]++;
            } else {
                index = take_block(cost);
                memcpy(block_at(cost->chunks, index)->cost, content, FR_BLOCK_CELLS);
            }
            cost->table[c * cost->block_count + b] = index;
        }
    }
    while (cost->free_count < SPARE_BLOCKS) {
        grow_pool(cost);
    }
    for (int i = 0; i < SPARE_SNAPSHOTS; i++) {
        fr_cost_snapshot *snapshot = new_snapshot(cost);
        snapshot->next = cost->snapshots;
        cost->snapshots = snapshot;
    }
    create_walls(cost);
    return cost;
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

void fr_cost_destroy(fr_cost *cost)
{
    if (cost == NULL) {
        return;
    }
    free_snapshots(cost->current);
    free_snapshots(cost->snapshots);
    for (int32_t i = 0; i < cost->chunk_count; i++) {
        fr_free(cost->chunks[i]);
    }
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        fr_free(cost->walls[c]);
    }
    fr_free(cost->chunks);
    fr_free(cost->references);
    fr_free(cost->free_blocks);
    fr_free(cost->table);
    fr_free(cost->edits);
    fr_free(cost->paint);
    fr_free(cost->paint_kind);
    fr_free(cost->block_version);
    fr_free(cost);
}

fr_grid fr_cost_grid(const fr_cost *cost)
{
    return cost->grid;
}

uint8_t fr_cost_at(const fr_cost *cost, fr_class movement_class, fr_cell cell)
{
    if (!fr_grid_contains(cost->grid, cell)) {
        return FR_COST_WALL;
    }
    int32_t index = cost->table[(int)movement_class * cost->block_count + fr_grid_block(cost->grid, cell)];
    return block_at(cost->chunks, index)->cost[fr_block_index(cell)];
}

bool fr_cost_walkable(const fr_cost *cost, fr_class movement_class, fr_cell cell)
{
    if (!fr_grid_contains(cost->grid, cell)) {
        return false;
    }
    size_t bit = (size_t)(cell.x + WALL_RING);
    size_t row = (size_t)(cell.y + WALL_RING) * (size_t)cost->wall_words;
    return (cost->walls[movement_class][row + bit / 64] >> (bit % 64) & 1u) == 0;
}

fr_terrain fr_cost_terrain(const fr_cost *cost, fr_cell cell)
{
    size_t at = place(fr_grid_block(cost->grid, cell), fr_block_index(cell));
    return cost->paint[at] != 0 ? (fr_terrain)cost->paint_kind[at]
                                : (fr_terrain)cost->map->terrain[fr_grid_index(cost->grid, cell)];
}

uint8_t fr_cost_edit(const fr_cost *cost, fr_cell cell)
{
    return cost->edits[place(fr_grid_block(cost->grid, cell), fr_block_index(cell))];
}

/* A cell's part of the hash: zero without edit and paint, and summed, so that order does not matter. */
static uint64_t cell_hash(const fr_cost *cost, size_t at)
{
    uint64_t painted = cost->paint[at] != 0 ? cost->paint[at] | (uint64_t)cost->paint_kind[at] << 8 : 0;
    uint64_t value = painted << 8 | cost->edits[at];
    return value == 0 ? 0 : fr_mix64(value << 40 ^ at);
}

/* What one write does to a cell. */
typedef struct cell_write {
    bool paints;
    uint8_t value, kind;
} cell_write;

static fr_rect intersect(fr_rect a, fr_rect b)
{
    int32_t x0 = a.x > b.x ? a.x : b.x, y0 = a.y > b.y ? a.y : b.y;
    int32_t x1 = a.x + a.width < b.x + b.width ? a.x + a.width : b.x + b.width;
    int32_t y1 = a.y + a.height < b.y + b.height ? a.y + a.height : b.y + b.height;
    return (fr_rect){x0, y0, x1 - x0, y1 - y0};
}

static fr_rect write_rect(fr_cost *cost, fr_rect rect, cell_write write)
{
    fr_rect changed = {0, 0, 0, 0};
    rect = fr_grid_clip(cost->grid, rect);
    if (rect.width == 0 || rect.height == 0) {
        return changed;
    }
    int32_t blocks_x = fr_grid_blocks_x(cost->grid);
    for (int32_t by = rect.y >> FR_BLOCK_SHIFT; by <= (rect.y + rect.height - 1) >> FR_BLOCK_SHIFT; by++) {
        for (int32_t bx = rect.x >> FR_BLOCK_SHIFT; bx <= (rect.x + rect.width - 1) >> FR_BLOCK_SHIFT; bx++) {
            int32_t block = by * blocks_x + bx;
            fr_rect part = intersect(rect, block_rect(cost, block));
            for (int32_t y = part.y; y < part.y + part.height; y++) {
                for (int32_t x = part.x; x < part.x + part.width; x++) {
                    size_t at = place(block, fr_block_index((fr_cell){x, y}));
                    cost->hash -= cell_hash(cost, at);
                    if (write.paints) {
                        cost->paint_kind[at] = write.kind;
                        cost->paint[at] = write.value;
                    } else {
                        cost->edits[at] = write.value;
                    }
                    cost->hash += cell_hash(cost, at);
                }
            }
            cost->block_version[block]++;
            for (int c = 0; c < FR_CLASS_COUNT; c++) {
                recompose(cost, c, block, &changed);
            }
        }
    }
    if (changed.width > 0) {
        cost->version++;
        /* The version's snapshot serves its holders until they release it, but nobody new. */
        if (cost->current != NULL && cost->current->references == 0) {
            fr_cost_snapshot *stale = cost->current;
            stale->references = 1;
            cost->current = NULL;
            fr_cost_release(cost, stale);
        }
        cost->current = NULL;
    }
    return changed;
}

fr_rect fr_cost_set_edit(fr_cost *cost, fr_rect rect, uint8_t value)
{
    return write_rect(cost, rect, (cell_write){.value = value});
}

fr_rect fr_cost_set_terrain(fr_cost *cost, fr_rect rect, fr_terrain kind, uint8_t value)
{
    FR_ASSERT((unsigned)kind < FR_TERRAIN_COUNT && value != 0);
    return write_rect(cost, rect, (cell_write){.paints = true, .value = value, .kind = (uint8_t)kind});
}

uint32_t fr_cost_version(const fr_cost *cost)
{
    return cost->version;
}

uint32_t fr_cost_block_version(const fr_cost *cost, int32_t block)
{
    return cost->block_version[block];
}

void fr_cost_copy(const fr_cost *cost, fr_class movement_class, fr_rect rect, uint8_t *out)
{
    for (int32_t y = 0; y < rect.height; y++) {
        for (int32_t x = 0; x < rect.width; x++) {
            *out++ = fr_cost_at(cost, movement_class, (fr_cell){rect.x + x, rect.y + y});
        }
    }
}

uint64_t fr_cost_wall_window(const fr_cost *cost, fr_class movement_class, fr_cell corner, int side)
{
    FR_ASSERT(side >= 1 && side <= WALL_RING);
    /* Farther out everything is wall alike. */
    fr_cell low = {corner.x < -WALL_RING ? -WALL_RING : corner.x,
                   corner.y < -WALL_RING ? -WALL_RING : corner.y};
    low.x = low.x > cost->grid.width ? cost->grid.width : low.x;
    low.y = low.y > cost->grid.height ? cost->grid.height : low.y;
    size_t bit = (size_t)(low.x + WALL_RING);
    size_t shift = bit % 64;
    const uint64_t *row =
        cost->walls[movement_class] + (size_t)(low.y + WALL_RING) * (size_t)cost->wall_words + bit / 64;
    uint64_t mask = ((uint64_t)1 << side) - 1;
    uint64_t window = 0;
    for (int y = 0; y < side; y++, row += cost->wall_words) {
        uint64_t bits = row[0] >> shift;
        if (shift > 64 - WALL_RING) {
            bits |= row[1] << (64 - shift);
        }
        window |= (bits & mask) << (y * side);
    }
    return window;
}

fr_class fr_cost_canonical_class(const fr_cost *cost, fr_class movement_class)
{
    size_t bytes = (size_t)cost->block_count * sizeof *cost->table;
    const int32_t *own = cost->table + (int)movement_class * cost->block_count;
    for (int c = 0; c < (int)movement_class; c++) {
        /* Equal blocks share their index, see recompose. */
        if (memcmp(own, cost->table + c * cost->block_count, bytes) == 0) {
            return (fr_class)c;
        }
    }
    return movement_class;
}

const fr_cost_snapshot *fr_cost_acquire(fr_cost *cost)
{
    if (cost->current == NULL) {
        size_t entries = (size_t)cost->block_count * FR_CLASS_COUNT;
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
        memcpy(snapshot->table, cost->table, entries * sizeof *snapshot->table);
        for (size_t i = 0; i < entries; i++) {
            cost->references[snapshot->table[i]]++;
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
    for (size_t i = 0; i < (size_t)cost->block_count * FR_CLASS_COUNT; i++) {
        drop_block(cost, snapshot->table[i]);
    }
    snapshot->next = cost->snapshots;
    cost->snapshots = snapshot;
}

uint32_t fr_cost_snapshot_version(const fr_cost_snapshot *snapshot)
{
    return snapshot->version;
}

void fr_cost_snapshot_copy(const fr_cost_snapshot *snapshot, fr_class movement_class, uint8_t *out,
                           int stride)
{
    int32_t blocks_x = fr_grid_blocks_x(snapshot->grid);
    const int32_t *table = snapshot->table + (int)movement_class * fr_grid_block_count(snapshot->grid);
    for (int32_t y = 0; y < snapshot->grid.height; y++) {
        uint8_t *row = out + (ptrdiff_t)y * stride;
        for (int32_t bx = 0; bx < blocks_x; bx++) {
            int32_t x = bx << FR_BLOCK_SHIFT;
            int32_t width = snapshot->grid.width - x;
            const cost_block *block =
                block_at(snapshot->chunks, table[(y >> FR_BLOCK_SHIFT) * blocks_x + bx]);
            memcpy(row + x, block->cost + ((y & (FR_BLOCK_SIDE - 1)) << FR_BLOCK_SHIFT),
                   (size_t)(width < FR_BLOCK_SIDE ? width : FR_BLOCK_SIDE));
        }
    }
}

void fr_cost_save(const fr_cost *cost, fr_buffer *out)
{
    fr_buffer_append(out, &cost->version, sizeof cost->version);
    for (int32_t b = 0; b < cost->block_count; b++) {
        uint8_t touched = cost->block_version[b] != 0;
        fr_buffer_append(out, &touched, 1);
        if (touched) {
            fr_buffer_append(out, cost->edits + place(b, 0), FR_BLOCK_CELLS);
            fr_buffer_append(out, cost->paint + place(b, 0), FR_BLOCK_CELLS);
            fr_buffer_append(out, cost->paint_kind + place(b, 0), FR_BLOCK_CELLS);
        }
    }
}

bool fr_cost_load(fr_cost *cost, fr_reader *reader)
{
    uint32_t version;
    if (!fr_reader_take(reader, &version, sizeof version)) {
        return false;
    }
    for (int32_t b = 0; b < cost->block_count; b++) {
        uint8_t touched;
        if (!fr_reader_take(reader, &touched, 1) || touched > 1) {
            return false;
        }
        if (!touched) {
            continue;
        }
        if (!fr_reader_take(reader, cost->edits + place(b, 0), FR_BLOCK_CELLS) ||
            !fr_reader_take(reader, cost->paint + place(b, 0), FR_BLOCK_CELLS) ||
            !fr_reader_take(reader, cost->paint_kind + place(b, 0), FR_BLOCK_CELLS)) {
            return false;
        }
        for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
            if (cost->paint_kind[place(b, i)] >= FR_TERRAIN_COUNT) {
                return false;
            }
            cost->hash += cell_hash(cost, place(b, i));
        }
        fr_rect changed = {0, 0, 0, 0};
        for (int c = 0; c < FR_CLASS_COUNT; c++) {
            recompose(cost, c, b, &changed);
        }
        cost->block_version[b] = 1;
    }
    cost->version = version;
    return true;
}

uint64_t fr_cost_hash(const fr_cost *cost)
{
    return cost->hash;
}
