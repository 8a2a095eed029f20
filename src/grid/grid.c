#include "grid/grid.h"

#include <stddef.h>
#include <string.h>

#define DIAGONAL 0.70710678f

const fr_step FR_STEPS[FR_DIR_COUNT] = {
    {1, 0, FR_STEP_STRAIGHT, {1.0f, 0.0f}},   {1, 1, FR_STEP_DIAGONAL, {DIAGONAL, DIAGONAL}},
    {0, 1, FR_STEP_STRAIGHT, {0.0f, 1.0f}},   {-1, 1, FR_STEP_DIAGONAL, {-DIAGONAL, DIAGONAL}},
    {-1, 0, FR_STEP_STRAIGHT, {-1.0f, 0.0f}}, {-1, -1, FR_STEP_DIAGONAL, {-DIAGONAL, -DIAGONAL}},
    {0, -1, FR_STEP_STRAIGHT, {0.0f, -1.0f}}, {1, -1, FR_STEP_DIAGONAL, {DIAGONAL, -DIAGONAL}},
};

static const char *const class_names[FR_CLASS_COUNT] = {"foot", "wheels", "hover", "air"};

const char *fr_class_name(fr_class movement_class)
{
    return (unsigned)movement_class < FR_CLASS_COUNT ? class_names[movement_class] : NULL;
}

fr_class fr_class_from_name(const char *name)
{
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        if (strcmp(name, class_names[c]) == 0) {
            return (fr_class)c;
        }
    }
    return FR_CLASS_COUNT;
}

static int32_t clamp(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

double fr_cell_distance_squared(fr_position from, fr_cell cell)
{
    double x = fr_cells(from.x), y = fr_cells(from.y);
    double dx = x < cell.x ? cell.x - x : x > cell.x + 1 ? x - (cell.x + 1) : 0.0;
    double dy = y < cell.y ? cell.y - y : y > cell.y + 1 ? y - (cell.y + 1) : 0.0;
    return dx * dx + dy * dy;
}

fr_rect fr_cells_under_disc(fr_position position, double radius)
{
    int32_t reach = fr_fixed(radius) + 1;
    fr_cell low = fr_cell_at((fr_position){position.x - reach, position.y - reach});
    fr_cell high = fr_cell_at((fr_position){position.x + reach, position.y + reach});
    return (fr_rect){low.x, low.y, high.x - low.x + 1, high.y - low.y + 1};
}

fr_cell fr_grid_clamp_cell(fr_grid grid, fr_cell cell)
{
    return (fr_cell){clamp(cell.x, 0, grid.width - 1), clamp(cell.y, 0, grid.height - 1)};
}

fr_position fr_grid_clamp_position(fr_grid grid, fr_position position)
{
    /* The last 1/65536 before the edge still belongs to the last cell. */
    return (fr_position){clamp(position.x, 0, grid.width * FR_POSITION_ONE - 1),
                         clamp(position.y, 0, grid.height * FR_POSITION_ONE - 1)};
}

fr_rect fr_grid_clip(fr_grid grid, fr_rect rect)
{
    int64_t x0 = rect.x, y0 = rect.y, x1 = x0 + rect.width, y1 = y0 + rect.height;
    x0 = x0 < 0 ? 0 : x0 > grid.width ? grid.width : x0;
    y0 = y0 < 0 ? 0 : y0 > grid.height ? grid.height : y0;
    x1 = x1 < x0 ? x0 : x1 > grid.width ? grid.width : x1;
    y1 = y1 < y0 ? y0 : y1 > grid.height ? grid.height : y1;
    return (fr_rect){(int32_t)x0, (int32_t)y0, (int32_t)(x1 - x0), (int32_t)(y1 - y0)};
}

fr_rect fr_grid_block_rect(fr_grid grid, int32_t block)
{
    int32_t blocks_x = fr_grid_blocks_x(grid);
    fr_rect rect = {block % blocks_x * FR_BLOCK_SIDE, block / blocks_x * FR_BLOCK_SIDE, FR_BLOCK_SIDE,
                    FR_BLOCK_SIDE};
    return fr_grid_clip(grid, rect);
}
