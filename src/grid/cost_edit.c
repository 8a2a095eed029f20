/* cost_edit: the causes of costs, kept apart: ground as loaded, paint over it, edits over both; and how they
 * are composed, block by block, into what a class pays. */
#include <string.h>

#include "base/assert.h"
#include "base/rng.h"
#include "grid/cost_internal.h"

/* What a class pays in a block, by cause: an edit covers paint, paint covers the ground as loaded. */
static void compose(const fr_cost *cost, int movement_class, int32_t block, uint8_t *out)
{
    memset(out, FR_COST_WALL, FR_BLOCK_CELLS);
    fr_rect rect = fr_grid_block_rect(cost->grid, block);
    const uint8_t *loaded = cost->map->costs[movement_class];
    for (int32_t y = 0; y < rect.height; y++) {
        int32_t row = fr_grid_index(cost->grid, (fr_cell){rect.x, rect.y + y});
        memcpy(out + y * FR_BLOCK_SIDE, loaded + row, (size_t)rect.width);
    }
    if (movement_class == FR_CLASS_AIR) {
        return;
    }
    const uint8_t *edits = cost->edits + fr_cost_place(block, 0);
    const uint8_t *paint = cost->paint + fr_cost_place(block, 0);
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
        if (memcmp(fr_cost_block_at(cost->chunks, index)->cost, content, FR_BLOCK_CELLS) == 0) {
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
    const uint8_t *before = fr_cost_block_at(cost->chunks, old)->cost;
    if (memcmp(before, content, FR_BLOCK_CELLS) != 0) {
        fr_rect rect = fr_grid_block_rect(cost->grid, block);
        for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
            fr_cell cell = {rect.x + i % FR_BLOCK_SIDE, rect.y + i / FR_BLOCK_SIDE};
            if (before[i] != content[i]) {
                fr_cost_set_wall_bit(cost, movement_class, cell, content[i] == FR_COST_WALL);
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
        *entry = fr_cost_take_block(cost);
        memcpy(fr_cost_block_at(cost->chunks, *entry)->cost, content, FR_BLOCK_CELLS);
    }
    fr_cost_drop_block(cost, old);
}

void fr_cost_compose_all(fr_cost *cost)
{
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        for (int32_t b = 0; b < cost->block_count; b++) {
            uint8_t content[FR_BLOCK_CELLS];
            compose(cost, c, b, content);
            int32_t index = find_twin(cost, c, b, content);
            if (index >= 0) {
                cost->references[index]++;
            } else {
                index = fr_cost_take_block(cost);
                memcpy(fr_cost_block_at(cost->chunks, index)->cost, content, FR_BLOCK_CELLS);
            }
            cost->table[c * cost->block_count + b] = index;
        }
    }
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
            fr_rect part = intersect(rect, fr_grid_block_rect(cost->grid, block));
            for (int32_t y = part.y; y < part.y + part.height; y++) {
                for (int32_t x = part.x; x < part.x + part.width; x++) {
                    size_t at = fr_cost_place(block, fr_block_index((fr_cell){x, y}));
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
        fr_cost_retire_snapshot(cost);
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

void fr_cost_save(const fr_cost *cost, fr_buffer *out)
{
    fr_buffer_append(out, &cost->version, sizeof cost->version);
    for (int32_t b = 0; b < cost->block_count; b++) {
        uint8_t touched = cost->block_version[b] != 0;
        fr_buffer_append(out, &touched, 1);
        if (touched) {
            fr_buffer_append(out, cost->edits + fr_cost_place(b, 0), FR_BLOCK_CELLS);
            fr_buffer_append(out, cost->paint + fr_cost_place(b, 0), FR_BLOCK_CELLS);
            fr_buffer_append(out, cost->paint_kind + fr_cost_place(b, 0), FR_BLOCK_CELLS);
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
        if (!fr_reader_take(reader, cost->edits + fr_cost_place(b, 0), FR_BLOCK_CELLS) ||
            !fr_reader_take(reader, cost->paint + fr_cost_place(b, 0), FR_BLOCK_CELLS) ||
            !fr_reader_take(reader, cost->paint_kind + fr_cost_place(b, 0), FR_BLOCK_CELLS)) {
            return false;
        }
        for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
            if (cost->paint_kind[fr_cost_place(b, i)] >= FR_TERRAIN_COUNT) {
                return false;
            }
            cost->hash += cell_hash(cost, fr_cost_place(b, i));
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
