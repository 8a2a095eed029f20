/* field_file: a complete field as bytes (saved worlds), and back with every byte checked: a bad file must
 * never lead a unit out of the map. */
#include "field/field_internal.h"

enum { CELL_BYTES = 5, BLOCK_BYTES = FR_BLOCK_CELLS * CELL_BYTES, HEADER_BYTES = 13 };

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
    bytes[12] = field->saturated;
    fr_buffer_append(out, bytes, HEADER_BYTES);
    int32_t count = fr_grid_block_count(field->grid);
    for (int32_t number = 0; number < count; number++) {
        const fr_field_block *block = &field->blocks[field->table[number]];
        for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
            put_u32(bytes + i * CELL_BYTES, block->integration[i]);
            bytes[i * CELL_BYTES + 4] = block->best[i];
        }
        fr_buffer_append(out, bytes, BLOCK_BYTES);
    }
}

static bool read_blocks(fr_field *field, fr_reader *reader)
{
    uint8_t bytes[BLOCK_BYTES];
    int32_t count = fr_grid_block_count(field->grid);
    for (int32_t number = 0; number < count; number++) {
        if (!fr_reader_take(reader, bytes, BLOCK_BYTES)) {
            return false;
        }
        fr_field_block *block = &field->blocks[field->table[number]];
        for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
            block->integration[i] = get_u32(bytes + i * CELL_BYTES);
            block->best[i] = bytes[i * CELL_BYTES + 4];
        }
    }
    return true;
}

/* Every step must lead down (and so inside the map); an unreached cell has none. */
static bool cell_is_sane(const fr_field *field, fr_cell cell)
{
    const fr_field_block *block = fr_field_block_at(field, cell);
    uint32_t value = block->integration[fr_block_index(cell)];
    uint8_t best = block->best[fr_block_index(cell)];
    if (value == FR_UNREACHED) {
        return best == 0;
    }
    if (value > field->maximum || !fr_grid_contains(field->grid, cell)) {
        return false;
    }
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        fr_cell next = {cell.x + FR_STEPS[d].dx, cell.y + FR_STEPS[d].dy};
        if ((best >> d & 1) != 0 && fr_field_value(field, next) >= value) {
            return false;
        }
    }
    return true;
}

/* Whole blocks: cells beyond the map's edge must be unreached as well. */
static bool field_is_sane(const fr_field *field)
{
    int32_t height = fr_grid_blocks_y(field->grid) * FR_BLOCK_SIDE, width = field->blocks_x * FR_BLOCK_SIDE;
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) {
            if (!cell_is_sane(field, (fr_cell){x, y})) {
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
        header[12] > 1) {
        return NULL;
    }
    fr_field *field = fr_field_reserve(pool, grid);
    if (field == NULL) {
        return NULL;
    }
    field->maximum = get_u32(header + 8);
    field->saturated = header[12] != 0;
    if (!read_blocks(field, reader) || !field_is_sane(field)) {
        fr_field_destroy(pool, field);
        return NULL;
    }
    return field;
}
