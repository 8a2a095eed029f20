/* cost_compose: how causes become what a view pays, block by block: ground as loaded, paint over it, edits
 * over both; for a wider disc, walls where it does not fit; then the ring, threats and congestion. Blocks of
 * equal content are shared. Costs of field cells follow from those of tiles, cost_nav.c. */
#include <string.h>

#include "grid/clearance.h"
#include "grid/cost_internal.h"

/* How far from a wall it decides whether a disc fits (cells): half the window of the widest even clearance.
 */
#define FIT_REACH 3

static void compose_ground(const fr_cost *cost, int movement_class, int32_t block, uint8_t *out)
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

/* The ground of the class, and walls where the disc does not fit. */
static void compose_fit(const fr_cost *cost, fr_cost_view view, int32_t block, uint8_t *out)
{
    int movement_class = view % FR_CLASS_COUNT, clearance = view / FR_CLASS_COUNT;
    const int32_t *ground = cost->table + movement_class * cost->block_count;
    memcpy(out, fr_cost_block_at(cost->chunks, ground[block])->cost, FR_BLOCK_CELLS);
    fr_rect rect = fr_grid_block_rect(cost->grid, block);
    int side = fr_clearance_window(clearance);
    for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
        if (out[i] == FR_COST_WALL) {
            continue;
        }
        fr_cell corner = {rect.x + i % FR_BLOCK_SIDE - side / 2, rect.y + i / FR_BLOCK_SIDE - side / 2};
        if (!fr_clearance_fits(fr_cost_wall_window(cost, movement_class, corner, side), clearance)) {
            out[i] = FR_COST_WALL;
        }
    }
}

/* Cells that touch a wall of the fit, across a corner too. */
static void add_ring(const fr_cost *cost, fr_cost_view fit, fr_rect rect, uint8_t *costs)
{
    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        for (int32_t x = rect.x; x < rect.x + rect.width; x++) {
            uint8_t *at = &costs[fr_block_index((fr_cell){x, y})];
            if (*at != FR_COST_WALL && fr_cost_wall_window(cost, fit, (fr_cell){x - 1, y - 1}, 3) != 0) {
                *at = fr_cost_sum(*at, (*at + 1) / 2);
            }
        }
    }
}

/* The costs of the fit, and what the ring, threats and congestion add. */
static void compose_extras(const fr_cost *cost, fr_cost_view view, int32_t block, uint8_t *out)
{
    const fr_cost_view_def *def = &cost->defs[view];
    fr_cost_view fit = fr_cost_fit_of(cost, view);
    const int32_t *table = cost->table + fit * cost->block_count;
    const uint8_t *ground = fr_cost_block_at(cost->chunks, table[block])->cost;
    memcpy(out, ground, FR_BLOCK_CELLS);
    fr_rect rect = fr_grid_block_rect(cost->grid, block);
    if (cost->ring) {
        add_ring(cost, fit, rect, out);
    }
    fr_cost_add_threats(cost, def, rect, out);
    if (view >= FR_COST_FIRST_JAM) {
        fr_cost_add_jam(cost, view - FR_COST_FIRST_JAM, rect, ground, out);
    }
}

static void compose(const fr_cost *cost, fr_cost_view view, int32_t block, uint8_t *out)
{
    if (cost->tiles != NULL) {
        fr_cost_compose_nav(cost, view, block, out);
    } else if (view < FR_CLASS_COUNT) {
        compose_ground(cost, view, block, out);
    } else if (view < FR_COST_FITS) {
        compose_fit(cost, view, block, out);
    } else {
        compose_extras(cost, view, block, out);
    }
}

/* A block of a lower view with the same content to share, or -1. */
static int32_t find_twin(const fr_cost *cost, fr_cost_view view, int32_t block, const uint8_t *content)
{
    for (fr_cost_view v = 0; v < view; v++) {
        if (!fr_cost_view_is_open(cost, v)) {
            continue;
        }
        int32_t index = cost->table[v * cost->block_count + block];
        if (memcmp(fr_cost_block_at(cost->chunks, index)->cost, content, FR_BLOCK_CELLS) == 0) {
            return index;
        }
    }
    return -1;
}

static void grow_rect(fr_rect *rect, fr_rect by)
{
    if (rect->width == 0 || by.width == 0) {
        *rect = by.width == 0 ? *rect : by;
        return;
    }
    int32_t x0 = rect->x < by.x ? rect->x : by.x;
    int32_t y0 = rect->y < by.y ? rect->y : by.y;
    int32_t x1 = rect->x + rect->width > by.x + by.width ? rect->x + rect->width : by.x + by.width;
    int32_t y1 = rect->y + rect->height > by.y + by.height ? rect->y + rect->height : by.y + by.height;
    *rect = (fr_rect){x0, y0, x1 - x0, y1 - y0};
}

/* Stores a block that a view has had none of. */
static void compose_first(fr_cost *cost, fr_cost_view view, int32_t block)
{
    uint8_t content[FR_BLOCK_CELLS];
    compose(cost, view, block, content);
    int32_t index = find_twin(cost, view, block, content);
    if (index >= 0) {
        cost->references[index]++;
    } else {
        index = fr_cost_store_block(cost, content);
    }
    cost->table[view * cost->block_count + block] = index;
    cost->view_version[view]++;
}

void fr_cost_compose_view(fr_cost *cost, fr_cost_view view)
{
    for (int32_t b = 0; b < cost->block_count; b++) {
        compose_first(cost, view, b);
    }
}

void fr_cost_recompose(fr_cost *cost, fr_cost_view view, int32_t block, fr_rect *changed)
{
    uint8_t content[FR_BLOCK_CELLS];
    compose(cost, view, block, content);
    int32_t *entry = &cost->table[view * cost->block_count + block];
    int32_t old = *entry;
    const uint8_t *before = fr_cost_block_at(cost->chunks, old)->cost;
    if (memcmp(before, content, FR_BLOCK_CELLS) != 0) {
        fr_rect rect = fr_grid_block_rect(cost->grid, block);
        for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
            fr_cell cell = {rect.x + i % FR_BLOCK_SIDE, rect.y + i / FR_BLOCK_SIDE};
            if (before[i] != content[i]) {
                if (view < FR_COST_FITS) {
                    fr_cost_set_wall_bit(cost, view, cell, content[i] == FR_COST_WALL);
                }
                grow_rect(changed, (fr_rect){cell.x, cell.y, 1, 1});
            }
        }
    }
    int32_t twin = find_twin(cost, view, block, content);
    if (twin == old || (twin < 0 && memcmp(before, content, FR_BLOCK_CELLS) == 0)) {
        return;
    }
    if (twin >= 0) {
        cost->references[twin]++;
        *entry = twin;
    } else {
        /* Copy on write: a snapshot, or a view that shared the block, may still read the old one. */
        *entry = fr_cost_store_block(cost, content);
    }
    fr_cost_drop_block(cost, old);
    cost->view_version[view]++;
    fr_cost_nav_follow(cost, view, block);
}

static void note_change(fr_cost *cost, fr_rect changed)
{
    if (changed.width > 0) {
        grow_rect(&cost->changed, changed);
        cost->version++;
        fr_cost_retire_snapshot(cost);
    }
}

/* Composes the blocks of one view anew that lie within `reach` cells of a rectangle. */
static void recompose_around(fr_cost *cost, fr_cost_view view, fr_rect rect, int32_t reach, fr_rect *changed)
{
    rect = fr_grid_clip(cost->grid, (fr_rect){rect.x - reach, rect.y - reach, rect.width + 2 * reach,
                                              rect.height + 2 * reach});
    int32_t blocks_x = fr_grid_blocks_x(cost->grid);
    for (int32_t by = rect.y >> FR_BLOCK_SHIFT; by <= (rect.y + rect.height - 1) >> FR_BLOCK_SHIFT; by++) {
        for (int32_t bx = rect.x >> FR_BLOCK_SHIFT; bx <= (rect.x + rect.width - 1) >> FR_BLOCK_SHIFT; bx++) {
            fr_cost_recompose(cost, view, by * blocks_x + bx, changed);
        }
    }
}

void fr_cost_ground_changed(fr_cost *cost, fr_rect rect)
{
    if (rect.width == 0) {
        return;
    }
    fr_rect changed = rect;
    for (fr_cost_view view = FR_CLASS_COUNT; view < FR_COST_VIEWS_MAX; view++) {
        if (fr_cost_view_is_open(cost, view)) {
            recompose_around(cost, view, rect, FIT_REACH + (view >= FR_COST_FITS), &changed);
        }
    }
    note_change(cost, changed);
}

void fr_cost_extras_changed(fr_cost *cost, fr_rect rect)
{
    fr_rect changed = {0, 0, 0, 0};
    for (fr_cost_view view = FR_COST_FITS; view < FR_COST_VIEWS_MAX; view++) {
        if (fr_cost_view_is_open(cost, view)) {
            recompose_around(cost, view, rect, 0, &changed);
        }
    }
    note_change(cost, changed);
}
