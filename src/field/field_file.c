/* field_file: a field as bytes (saved worlds), and back with every byte checked: a bad file must
 * never lead a unit out of the map. */
#include "field/field_internal.h"

enum { CELL_BYTES = 9, BLOCK_BYTES = FR_BLOCK_CELLS * CELL_BYTES, HEADER_BYTES = 33 };

static void put_u32(uint8_t *bytes, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
}

static uint32_t get_u32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

void fr_field_save(const fr_field *field, fr_buffer *out)
{
    uint8_t bytes[BLOCK_BYTES];
    put_u32(bytes, (uint32_t)field->grid.width);
    put_u32(bytes + 4, (uint32_t)field->grid.height);
    put_u32(bytes + 8, field->maximum);
    put_u32(bytes + 12, field->extent.limit);
    put_u32(bytes + 16, (uint32_t)field->extent.near.x);
    put_u32(bytes + 20, (uint32_t)field->extent.near.y);
    put_u32(bytes + 24, (uint32_t)field->extent.near.width);
    put_u32(bytes + 28, (uint32_t)field->extent.near.height);
    bytes[32] = field->saturated;
    fr_buffer_append(out, bytes, HEADER_BYTES);
    int32_t count = fr_grid_block_count(field->grid);
    for (int32_t number = 0; number < count; number++) {
        const fr_field_block *block = &field->blocks[field->table[number]];
        uint8_t present = field->table[number] != FR_BLOCK_ABSENT;
        fr_buffer_append(out, &present, 1);
        if (!present) {
            continue;
        }
        for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
            put_u32(bytes + i * CELL_BYTES, block->integration[i]);
            bytes[i * CELL_BYTES + 4] = block->best[i];
            put_u32(bytes + i * CELL_BYTES + 5, block->target[i]);
        }
        fr_buffer_append(out, bytes, BLOCK_BYTES);
    }
}

static bool read_blocks(fr_field *field, fr_reader *reader)
{
    uint8_t bytes[BLOCK_BYTES];
    int32_t count = fr_grid_block_count(field->grid);
    for (int32_t number = 0; number < count; number++) {
        uint8_t present;
        if (!fr_reader_take(reader, &present, 1) || present > 1) {
            return false;
        }
        if (!present) {
            continue;
        }
        if (!fr_reader_take(reader, bytes, BLOCK_BYTES)) {
            return false;
        }
        fr_field_block *block = fr_field_block_take(field, number);
        for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
            block->integration[i] = get_u32(bytes + i * CELL_BYTES);
            block->best[i] = bytes[i * CELL_BYTES + 4];
            block->target[i] = get_u32(bytes + i * CELL_BYTES + 5);
        }
        block->maximum = fr_block_maximum(block);
    }
    return true;
}

/* Or out of what a partial field holds. */
static bool leads_down(const fr_field *field, fr_cell cell, int32_t dx, int32_t dy)
{
    fr_cell next = {cell.x + dx, cell.y + dy};
    uint32_t value = fr_field_cell_value(field, next);
    return value < fr_field_cell_value(field, cell) ||
           (value == FR_UNREACHED && !fr_field_is_complete(field) && fr_grid_contains(field->grid, next));
}

/* On its way to the target a unit crosses borders of its cell in the target's directions: behind them it must
 * go down. A flag stands for the end of a best step. */
static bool target_is_sane(const fr_field *field, fr_cell cell, uint8_t best, fr_target target)
{
    fr_cell to = fr_target_cell(target);
    int32_t dx = (to.x > cell.x) - (to.x < cell.x), dy = (to.y > cell.y) - (to.y < cell.y);
    if (best == 0 || !fr_grid_contains(field->grid, to)) {
        return best == 0 && target == fr_target_at(cell);
    }
    if ((target & FR_TARGET_UNEVEN) == 0) {
        return (dx != 0 || dy != 0) && (dx == 0 || leads_down(field, cell, dx, 0)) &&
               (dy == 0 || leads_down(field, cell, 0, dy)) && leads_down(field, cell, dx, dy);
    }
    bool is_step = false;
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        is_step |= (best >> d & 1) != 0 && to.x == cell.x + FR_STEPS[d].dx && to.y == cell.y + FR_STEPS[d].dy;
    }
    /* Past no corner; dear cells beside the step may be out of what a partial field holds. */
    return is_step && (!fr_field_is_complete(field) ||
                       (fr_field_cell_value(field, (fr_cell){to.x, cell.y}) != FR_UNREACHED &&
                        fr_field_cell_value(field, (fr_cell){cell.x, to.y}) != FR_UNREACHED));
}

/* Every step must lead down (and so inside the map); an unreached cell has none. */
static bool cell_is_sane(const fr_field *field, fr_cell cell)
{
    const fr_field_block *block = fr_field_block_at(field, cell);
    uint32_t value = block->integration[fr_block_index(cell)];
    uint8_t best = block->best[fr_block_index(cell)];
    if (value == FR_UNREACHED) {
        return best == 0 && block->target[fr_block_index(cell)] == FR_TARGET_NONE;
    }
    if (value > field->maximum || !fr_extent_holds(&field->extent, cell, value) ||
        !fr_grid_contains(field->grid, cell)) {
        return false;
    }
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        fr_cell next = {cell.x + FR_STEPS[d].dx, cell.y + FR_STEPS[d].dy};
        if ((best >> d & 1) != 0 && fr_field_cell_value(field, next) >= value) {
            return false;
        }
    }
    return target_is_sane(field, cell, best, block->target[fr_block_index(cell)]);
}

/* A rectangle of the map; all of it where there is no limit. */
static bool extent_is_sane(const fr_field *field)
{
    fr_rect near = field->extent.near, all = {0, 0, field->grid.width, field->grid.height};
    bool is_inside = near.x >= 0 && near.y >= 0 && near.width >= 0 && near.height >= 0 &&
                     near.width <= all.width && near.height <= all.height &&
                     near.x <= all.width - near.width && near.y <= all.height - near.height;
    return is_inside &&
           (!fr_field_is_complete(field) || (near.width == all.width && near.height == all.height));
}

/* Whole blocks: cells beyond the map's edge must be unreached as well. */
static bool field_is_sane(const fr_field *field)
{
    for (int32_t number = 0; number < fr_grid_block_count(field->grid); number++) {
        fr_rect rect = fr_grid_block_rect(field->grid, number);
        for (int32_t i = 0; i < FR_BLOCK_CELLS && field->table[number] != FR_BLOCK_ABSENT; i++) {
            if (!cell_is_sane(field, (fr_cell){rect.x + i % FR_BLOCK_SIDE, rect.y + i / FR_BLOCK_SIDE})) {
                return false;
            }
        }
    }
    return true;
}

fr_field *fr_field_load(fr_field_pool *pool, fr_reader *reader)
{
    uint8_t header[HEADER_BYTES];
    fr_grid grid = fr_field_pool_grid(pool);
    if (!fr_reader_take(reader, header, HEADER_BYTES) || get_u32(header) != (uint32_t)grid.width ||
        get_u32(header + 4) != (uint32_t)grid.height || get_u32(header + 8) > FR_INTEGRATION_MAX ||
        get_u32(header + 12) > FR_LIMIT_NONE || header[32] > 1) {
        return NULL;
    }
    fr_field *field = fr_field_reserve(pool, grid);
    if (field == NULL) {
        return NULL;
    }
    field->maximum = get_u32(header + 8);
    field->extent.limit = get_u32(header + 12);
    field->extent.near = (fr_rect){(int32_t)get_u32(header + 16), (int32_t)get_u32(header + 20),
                                   (int32_t)get_u32(header + 24), (int32_t)get_u32(header + 28)};
    field->saturated = header[32] != 0;
    if (!extent_is_sane(field) || !read_blocks(field, reader) || !field_is_sane(field)) {
        fr_field_destroy(pool, field);
        return NULL;
    }
    fr_field_settle(pool, field);
    return field;
}
