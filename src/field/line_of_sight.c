#include "field/line_of_sight.h"

#include <stdlib.h>

/* Walks the cells of one segment. The next border in x is crossed at t = reach_x / |dx|, in y at reach_y /
 * |dy|; comparing the cross products keeps everything in integers, so that a corner is met exactly or not at
 * all. */
static bool walk(const fr_cost *cost, fr_cost_view view, fr_position a, fr_position b, bool even)
{
    fr_cell cell = fr_cell_at(a), last = fr_cell_at(b);
    uint8_t ground = fr_cost_at(cost, view, cell);
    if (ground == FR_COST_WALL) {
        return false;
    }
    int64_t dx = (int64_t)b.x - a.x, dy = (int64_t)b.y - a.y;
    int32_t step_x = dx > 0 ? 1 : -1, step_y = dy > 0 ? 1 : -1;
    int64_t reach_x = llabs((int64_t)(cell.x + (dx > 0)) * FR_POSITION_ONE - a.x);
    int64_t reach_y = llabs((int64_t)(cell.y + (dy > 0)) * FR_POSITION_ONE - a.y);
    dx = llabs(dx);
    dy = llabs(dy);
    while (cell.x != last.x || cell.y != last.y) {
        /* A segment that ends on a border exactly may have used up one axis. */
        bool x_left = cell.x != last.x, y_left = cell.y != last.y;
        int64_t order = !x_left ? 1 : !y_left ? -1 : reach_x * dy - reach_y * dx;
        if (order == 0 && (!fr_cost_walkable(cost, view, (fr_cell){cell.x + step_x, cell.y}) ||
                           !fr_cost_walkable(cost, view, (fr_cell){cell.x, cell.y + step_y}))) {
            return false;
        }
        if (order <= 0) {
            cell.x += step_x;
            reach_x += FR_POSITION_ONE;
        }
        if (order >= 0) {
            cell.y += step_y;
            reach_y += FR_POSITION_ONE;
        }
        uint8_t here = fr_cost_at(cost, view, cell);
        if (here == FR_COST_WALL || (even && here != ground)) {
            return false;
        }
    }
    return true;
}

static bool walk_wide(const fr_cost *cost, fr_cost_view view, fr_position a, fr_position b, float half_width,
                      bool even)
{
    if (!walk(cost, view, a, b, even)) {
        return false;
    }
    if (half_width <= 0.0f) {
        return true;
    }
    fr_vec2 along = fr_vec2_normalize(fr_position_delta(a, b));
    fr_position side = {fr_fixed((double)(-along.y * half_width)), fr_fixed((double)(along.x * half_width))};
    fr_position a_left = {a.x + side.x, a.y + side.y}, b_left = {b.x + side.x, b.y + side.y};
    fr_position a_right = {a.x - side.x, a.y - side.y}, b_right = {b.x - side.x, b.y - side.y};
    return walk(cost, view, a_left, b_left, even) && walk(cost, view, a_right, b_right, even);
}

bool fr_line_is_even(const fr_cost *cost, fr_cost_view view, fr_position a, fr_position b, float half_width)
{
    return walk_wide(cost, view, a, b, half_width, true);
}

bool fr_line_is_free(const fr_cost *cost, fr_cost_view view, fr_position a, fr_position b, float half_width)
{
    return walk_wide(cost, view, a, b, half_width, false);
}
