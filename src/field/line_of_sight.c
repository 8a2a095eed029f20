#include "field/line_of_sight.h"

#include <stdlib.h>

/* Where a walk along a segment stands. The next border in x is crossed at t = reach_x / |dx|, in y at reach_y
 * / |dy|; comparing the cross products keeps everything in integers, so that a corner is met exactly or not
 * at all. */
typedef struct traversal {
    fr_cell cell, last;
    int32_t step_x, step_y;
    int64_t dx, dy; /* absolute */
    int64_t reach_x, reach_y;
} traversal;

static traversal traversal_of(fr_position a, fr_position b)
{
    traversal at = {.cell = fr_cell_at(a), .last = fr_cell_at(b)};
    int64_t dx = (int64_t)b.x - a.x, dy = (int64_t)b.y - a.y;
    at.step_x = dx > 0 ? 1 : -1;
    at.step_y = dy > 0 ? 1 : -1;
    at.reach_x = llabs((int64_t)(at.cell.x + (dx > 0)) * FR_POSITION_ONE - a.x);
    at.reach_y = llabs((int64_t)(at.cell.y + (dy > 0)) * FR_POSITION_ONE - a.y);
    at.dx = llabs(dx);
    at.dy = llabs(dy);
    return at;
}

static bool has_ended(const traversal *at)
{
    return at->cell.x == at->last.x && at->cell.y == at->last.y;
}

/* Borders to cross along one axis until the block is left; 0 if the segment ends before. */
static int64_t crossings_out(int32_t cell, int32_t last, int32_t step)
{
    int32_t inside = cell & (FR_BLOCK_SIDE - 1);
    int32_t out = step > 0 ? FR_BLOCK_SIDE - inside : inside + 1;
    return abs(last - cell) >= out ? out : 0;
}

/* Crossings along one axis (the first at reach / way) before the other axis' at other_reach / other_way; at
 * most `left`. */
static int64_t crossings_before(int64_t reach, int64_t way, int64_t other_reach, int64_t other_way,
                                int32_t left)
{
    int64_t lead = other_reach * way - reach * other_way;
    int64_t count = lead <= 0 ? 0 : (lead - 1) / (other_way * FR_POSITION_ONE) + 1;
    return count < left ? count : left;
}

/* Goes on to where the next step leaves the block, or to the end: as cell by cell, if none of the block's
 * cells would have stopped it. */
static void cross_block(traversal *at)
{
    int64_t out_x = crossings_out(at->cell.x, at->last.x, at->step_x);
    int64_t out_y = crossings_out(at->cell.y, at->last.y, at->step_y);
    if (out_x == 0 && out_y == 0) {
        at->cell = at->last;
        return;
    }
    int64_t far_x = at->reach_x + (out_x - 1) * FR_POSITION_ONE;
    int64_t far_y = at->reach_y + (out_y - 1) * FR_POSITION_ONE;
    bool by_x = out_x != 0 && (out_y == 0 || far_x * at->dy <= far_y * at->dx);
    int64_t x =
        by_x ? out_x - 1 : crossings_before(at->reach_x, at->dx, far_y, at->dy, abs(at->last.x - at->cell.x));
    int64_t y = !by_x ? out_y - 1
                      : crossings_before(at->reach_y, at->dy, far_x, at->dx, abs(at->last.y - at->cell.y));
    at->cell.x += at->step_x * (int32_t)x;
    at->cell.y += at->step_y * (int32_t)y;
    at->reach_x += x * FR_POSITION_ONE;
    at->reach_y += y * FR_POSITION_ONE;
}

static int64_t floor_quotient(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* The even line, by cells and even blocks. */
static bool walk_even(const fr_cost *cost, fr_cost_view view, fr_position a, fr_position b)
{
    traversal at = traversal_of(a, b);
    uint8_t ground = fr_cost_at(cost, view, at.cell);
    if (ground == FR_COST_WALL) {
        return false;
    }
    while (!has_ended(&at)) {
        if (fr_cost_block_even(cost, view, at.cell) != 0) {
            cross_block(&at);
            if (has_ended(&at)) {
                return true;
            }
        }
        /* A segment that ends on a border exactly may have used up one axis. */
        bool x_left = at.cell.x != at.last.x, y_left = at.cell.y != at.last.y;
        int64_t order = !x_left ? 1 : !y_left ? -1 : at.reach_x * at.dy - at.reach_y * at.dx;
        if (order == 0 && (!fr_cost_walkable(cost, view, (fr_cell){at.cell.x + at.step_x, at.cell.y}) ||
                           !fr_cost_walkable(cost, view, (fr_cell){at.cell.x, at.cell.y + at.step_y}))) {
            return false;
        }
        if (order <= 0) {
            at.cell.x += at.step_x;
            at.reach_x += FR_POSITION_ONE;
        }
        if (order >= 0) {
            at.cell.y += at.step_y;
            at.reach_y += FR_POSITION_ONE;
        }
        if (fr_cost_at(cost, view, at.cell) != ground) {
            return false;
        }
    }
    return true;
}

/* The free line, row by row from above: where only walls count, all cells of a row are asked for at once. */
static bool walk_free(const fr_cost *cost, fr_cost_view view, fr_position a, fr_position b)
{
    fr_position top = a.y <= b.y ? a : b, bottom = a.y <= b.y ? b : a;
    fr_cell cell = fr_cell_at(top), last = fr_cell_at(bottom);
    if (!fr_grid_contains(fr_cost_grid(cost), cell) || !fr_grid_contains(fr_cost_grid(cost), last)) {
        return false;
    }
    int32_t left_end = cell.x < last.x ? cell.x : last.x, right_end = cell.x < last.x ? last.x : cell.x;
    int32_t left = cell.x, right = cell.x;
    if (cell.y < last.y) {
        /* Where the next row begins: at x and x_rest / dy of its unit. */
        int64_t dx = (int64_t)bottom.x - top.x, dy = (int64_t)bottom.y - top.y;
        int64_t first = dx * ((int64_t)(cell.y + 1) * FR_POSITION_ONE - top.y), step = dx * FR_POSITION_ONE;
        int64_t x = floor_quotient(first, dy), step_x = floor_quotient(step, dy);
        int64_t x_rest = first - x * dy, step_rest = step - step_x * dy;
        x += top.x;
        for (; cell.y < last.y; cell.y++) {
            /* Through a corner exactly, it touches the cells on both sides. */
            int32_t crossing = (int32_t)(x / FR_POSITION_ONE);
            bool is_corner = x_rest == 0 && x % FR_POSITION_ONE == 0;
            int32_t next_left = crossing - is_corner < left_end ? left_end : crossing - is_corner;
            int32_t next_right = crossing > right_end ? right_end : crossing;
            if (!fr_cost_row_is_open(cost, view, cell.y, left < next_left ? left : next_left,
                                     right > next_right ? right : next_right)) {
                return false;
            }
            left = next_left;
            right = next_right;
            x_rest += step_rest;
            x += step_x + (x_rest >= dy);
            x_rest -= x_rest >= dy ? dy : 0;
        }
    }
    return fr_cost_row_is_open(cost, view, last.y, left < last.x ? left : last.x,
                               right > last.x ? right : last.x);
}

typedef bool line_walk(const fr_cost *cost, fr_cost_view view, fr_position a, fr_position b);

static bool walk_wide(line_walk *walk, const fr_cost *cost, fr_cost_view view, fr_position a, fr_position b,
                      float half_width)
{
    if (!walk(cost, view, a, b)) {
        return false;
    }
    if (half_width <= 0.0f) {
        return true;
    }
    fr_vec2 along = fr_vec2_normalize(fr_position_delta(a, b));
    fr_position side = {fr_fixed((double)(-along.y * half_width)), fr_fixed((double)(along.x * half_width))};
    fr_position a_left = {a.x + side.x, a.y + side.y}, b_left = {b.x + side.x, b.y + side.y};
    fr_position a_right = {a.x - side.x, a.y - side.y}, b_right = {b.x - side.x, b.y - side.y};
    return walk(cost, view, a_left, b_left) && walk(cost, view, a_right, b_right);
}

bool fr_line_is_even(const fr_cost *cost, fr_cost_view view, fr_position a, fr_position b, float half_width)
{
    return walk_wide(walk_even, cost, view, a, b, half_width);
}

bool fr_line_is_free(const fr_cost *cost, fr_cost_view view, fr_position a, fr_position b, float half_width)
{
    return walk_wide(walk_free, cost, view, a, b, half_width);
}
