/* cost_edit: writes to the ground: paint, edits over it, and both as bytes. What follows from a write for
 * each view is composed in cost_compose.c. */
#include <string.h>

#include "base/assert.h"
#include "base/rng.h"
#include "grid/cost_internal.h"

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
            fr_rect part = fr_rect_intersect(rect, fr_grid_block_rect(cost->grid, block));
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
                fr_cost_recompose(cost, c, block, &changed);
            }
        }
    }
    fr_cost_ground_changed(cost, changed);
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
    fr_cost_save_views(cost, out);
}

/* What is saved of a cell; beyond the map's edge, in the blocks that reach over it, nothing is changed. */
static bool is_sane(const fr_cost *cost, int32_t block, int32_t i)
{
    size_t place = fr_cost_place(block, i);
    fr_rect rect = fr_grid_block_rect(cost->grid, block);
    fr_cell cell = {rect.x + i % FR_BLOCK_SIDE, rect.y + i / FR_BLOCK_SIDE};
    return cost->paint_kind[place] < FR_TERRAIN_COUNT &&
           (fr_grid_contains(cost->grid, cell) || (cost->edits[place] == 0 && cost->paint[place] == 0));
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
            if (!is_sane(cost, b, i)) {
                return false;
            }
            cost->hash += cell_hash(cost, fr_cost_place(b, i));
        }
        fr_rect changed = {0, 0, 0, 0};
        for (int c = 0; c < FR_CLASS_COUNT; c++) {
            fr_cost_recompose(cost, c, b, &changed);
        }
        cost->block_version[b] = 1;
    }
    if (!fr_cost_load_views(cost, reader)) {
        return false;
    }
    cost->version = version;
    return true;
}
