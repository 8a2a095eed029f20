/* cost_jam: congestion as a cause of costs. Each jam has a view of its own: what it costs depends on where
 * its travellers head, so it is nobody else's. Kept by small squares; where somebody stands who never gives
 * way, by cells, for all of them. Who works it out is sim/congestion. */
#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "grid/cost_internal.h"

fr_grid fr_jam_squares(fr_grid grid)
{
    const int32_t more = FR_JAM_SIDE - 1;
    return (fr_grid){(grid.width + more) / FR_JAM_SIDE, (grid.height + more) / FR_JAM_SIDE};
}

fr_cost_view fr_cost_jam_open(fr_cost *cost, int32_t jam, fr_cost_view_def def)
{
    FR_ASSERT(jam >= 0 && jam < FR_JAMS_MAX);
    fr_cost_view view = FR_COST_FIRST_JAM + jam;
    memset(cost->jams[jam], 0, (size_t)fr_grid_count(fr_jam_squares(cost->grid)));
    fr_cost_place_view(cost, view, def);
    return view;
}

uint8_t fr_cost_jam_at(const fr_cost *cost, int32_t jam, int32_t square)
{
    return cost->jams[jam][square];
}

static void mark_block(fr_cost *cost, int32_t block)
{
    if (!cost->jam_block_is_dirty[block]) {
        cost->jam_block_is_dirty[block] = 1;
        cost->jam_dirty_blocks[cost->jam_dirty_count++] = block;
    }
}

void fr_cost_set_jam(fr_cost *cost, int32_t jam, int32_t square, uint8_t eighths)
{
    uint8_t *at = &cost->jams[jam][square];
    if (*at == eighths) {
        return;
    }
    *at = eighths;
    fr_cell low = fr_grid_cell(fr_jam_squares(cost->grid), square);
    mark_block(cost, fr_grid_block(cost->grid, (fr_cell){low.x * FR_JAM_SIDE, low.y * FR_JAM_SIDE}));
}

static size_t held_place(const fr_cost *cost, fr_cell cell)
{
    return fr_cost_place(fr_grid_block(cost->grid, cell), fr_block_index(cell));
}

bool fr_cost_is_held(const fr_cost *cost, fr_cell cell)
{
    return cost->held[held_place(cost, cell)] != 0;
}

void fr_cost_set_held(fr_cost *cost, fr_cell cell, bool is_held)
{
    uint8_t *at = &cost->held[held_place(cost, cell)];
    if (*at != is_held) {
        *at = is_held;
        mark_block(cost, fr_grid_block(cost->grid, cell));
    }
}

static void compose_dirty(fr_cost *cost, fr_cost_view view, fr_rect *changed)
{
    for (int32_t i = 0; i < cost->jam_dirty_count; i++) {
        fr_cost_recompose(cost, view, cost->jam_dirty_blocks[i], changed);
    }
}

/* All is written that was to be. */
static void end_write(fr_cost *cost, fr_rect changed)
{
    for (int32_t i = 0; i < cost->jam_dirty_count; i++) {
        cost->jam_block_is_dirty[cost->jam_dirty_blocks[i]] = 0;
    }
    cost->jam_dirty_count = 0;
    if (changed.width > 0) {
        cost->version++;
        fr_cost_retire_snapshot(cost);
    }
}

fr_rect fr_cost_held_compose(fr_cost *cost)
{
    fr_rect changed = {0, 0, 0, 0};
    for (fr_cost_view view = FR_COST_FIRST_JAM; view < FR_COST_VIEWS_MAX; view++) {
        if (fr_cost_view_is_open(cost, view)) {
            compose_dirty(cost, view, &changed);
        }
    }
    end_write(cost, changed);
    return changed;
}

fr_rect fr_cost_jam_compose(fr_cost *cost, int32_t jam)
{
    fr_rect changed = {0, 0, 0, 0};
    compose_dirty(cost, FR_COST_FIRST_JAM + jam, &changed);
    end_write(cost, changed);
    return changed;
}

void fr_cost_add_jam(const fr_cost *cost, int32_t jam, fr_rect rect, const uint8_t *ground, uint8_t *costs)
{
    int32_t columns = fr_jam_squares(cost->grid).width;
    const uint8_t *held = cost->held + fr_cost_place(fr_grid_block(cost->grid, (fr_cell){rect.x, rect.y}), 0);
    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        const uint8_t *row = cost->jams[jam] + (ptrdiff_t)(y / FR_JAM_SIDE) * columns;
        for (int32_t x = rect.x; x < rect.x + rect.width; x++) {
            int32_t at = fr_block_index((fr_cell){x, y});
            int eighths = row[x / FR_JAM_SIDE] + (held[at] != 0 ? FR_HELD_EIGHTHS : 0);
            if (eighths != 0 && costs[at] != FR_COST_WALL) {
                costs[at] = fr_cost_sum(costs[at], (ground[at] * eighths + 4) / 8);
            }
        }
    }
}
