#include "field/way_out_internal.h"

#include <string.h>

#include "base/assert.h"
#include "base/memory.h"
#include "grid/nav.h"

fr_way_out *fr_way_out_create(const fr_cost *cost)
{
    if (fr_cost_shift(fr_cost_nav(cost)) <= 0) {
        return NULL;
    }
    fr_way_out *way_out = fr_alloc(1, sizeof *way_out);
    way_out->cost = cost;
    way_out->nav = fr_cost_nav(cost);
    way_out->grid = fr_cost_grid(cost);
    way_out->shift = fr_cost_shift(way_out->nav);
    size_t tiles = (size_t)fr_grid_count(way_out->grid);
    way_out->queue = fr_alloc_raw(tiles, sizeof *way_out->queue);
    way_out->is_queued = fr_alloc(tiles, 1);
    way_out->region_size = fr_alloc_raw(tiles, sizeof *way_out->region_size);
    way_out->region_main = fr_alloc_raw(tiles, sizeof *way_out->region_main);
    return way_out;
}

void fr_way_out_destroy(fr_way_out *way_out)
{
    if (way_out != NULL) {
        for (int ways = 0; ways < FR_WAYS_COUNT; ways++) {
            fr_free(way_out->length[ways]);
        }
        for (int fit = 0; fit < FR_COST_FITS; fit++) {
            fr_free(way_out->is_end[fit]);
            fr_free(way_out->step[fit]);
            fr_free(way_out->end[fit]);
        }
        fr_free(way_out->region_size);
        fr_free(way_out->region_main);
        fr_free(way_out->queue);
        fr_free(way_out->is_queued);
        fr_free(way_out);
    }
}

/* Do the ways of this kind lead to that tile? */
static bool is_end(const fr_way_out *way_out, int32_t ways, fr_cell tile)
{
    return ways >= FR_COST_FITS ? way_out->is_end[fr_way_fit(ways)][fr_grid_index(way_out->grid, tile)] != 0
                                : fr_cost_walkable(way_out->nav, ways, fr_nav_cell_of(way_out->shift, tile));
}

static uint32_t price_of(int direction)
{
    return FR_STEPS[direction].price == FR_STEP_STRAIGHT ? FR_WAY_STRAIGHT : FR_WAY_DIAGONAL;
}

uint32_t fr_way_shortest(const fr_way_out *way_out, int32_t ways, fr_cell tile, int *direction)
{
    /* One look at the 3x3 tiles around instead of three questions a step. */
    uint64_t walls =
        fr_cost_wall_window(way_out->cost, fr_way_fit(ways), (fr_cell){tile.x - 1, tile.y - 1}, 3);
    uint32_t least = FR_WAY_FAR;
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        int column = 4 + FR_STEPS[d].dx, row = 4 + 3 * FR_STEPS[d].dy;
        uint64_t touched = (uint64_t)1 << column | (uint64_t)1 << row | (uint64_t)1 << (column + row - 4);
        /* The corner rule; of a straight step one of the two beside is the tile itself. */
        if ((walls & touched & ~(uint64_t)16) == 0) {
            uint32_t length =
                way_out->length[ways][fr_grid_index(way_out->grid, fr_way_step(tile, d))] + price_of(d);
            if (length < least) {
                least = length;
                *direction = d;
            }
        }
    }
    return least;
}

static void push(fr_way_out *way_out, int32_t tile)
{
    if (!way_out->is_queued[tile]) {
        int32_t capacity = fr_grid_count(way_out->grid);
        way_out->is_queued[tile] = 1;
        way_out->queue[(way_out->first + way_out->count++) % capacity] = tile;
    }
}

static int32_t pop(fr_way_out *way_out)
{
    int32_t tile = way_out->queue[way_out->first];
    way_out->first = (way_out->first + 1) % fr_grid_count(way_out->grid);
    way_out->count--;
    way_out->is_queued[tile] = 0;
    return tile;
}

/* Forgets the length of every tile of the rectangle that needs a way out, and then of those whose way led
 * over one that is forgotten. All of them are queued, and nothing else. */
static void forget(fr_way_out *way_out, int32_t ways, fr_rect rect)
{
    uint16_t *length = way_out->length[ways];
    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        for (int32_t x = rect.x; x < rect.x + rect.width; x++) {
            fr_cell tile = {x, y};
            int32_t at = fr_grid_index(way_out->grid, tile);
            bool is_out = is_end(way_out, ways, tile);
            length[at] = is_out ? 0 : FR_WAY_FAR;
            if (!is_out && fr_cost_walkable(way_out->cost, fr_way_fit(ways), tile)) {
                push(way_out, at);
            }
        }
    }
    for (int32_t i = 0; i < way_out->count; i++) {
        int32_t at = way_out->queue[(way_out->first + i) % fr_grid_count(way_out->grid)];
        for (int d = 0; d < FR_DIR_COUNT; d++) {
            fr_cell near = fr_way_step(fr_grid_cell(way_out->grid, at), d);
            if (!fr_grid_contains(way_out->grid, near)) {
                continue;
            }
            int32_t tile = fr_grid_index(way_out->grid, near);
            int direction;
            if (length[tile] > 0 && length[tile] < FR_WAY_FAR &&
                fr_way_shortest(way_out, ways, near, &direction) > length[tile]) {
                length[tile] = FR_WAY_FAR;
                push(way_out, tile);
            }
        }
    }
}

/* Corrects lengths until no neighbour has a better one to lend (Bellman 1958, first in, first out). */
static void settle(fr_way_out *way_out, int32_t ways)
{
    uint16_t *length = way_out->length[ways];
    while (way_out->count > 0) {
        int32_t at = pop(way_out);
        fr_cell tile = fr_grid_cell(way_out->grid, at);
        int direction;
        uint32_t found = fr_way_shortest(way_out, ways, tile, &direction);
        if (found >= length[at]) {
            continue;
        }
        length[at] = (uint16_t)found;
        for (int d = 0; d < FR_DIR_COUNT; d++) {
            fr_cell near = fr_way_step(tile, d);
            if (fr_cost_walkable(way_out->cost, fr_way_fit(ways), near) &&
                length[fr_grid_index(way_out->grid, near)] > found + price_of(d)) {
                push(way_out, fr_grid_index(way_out->grid, near));
            }
        }
    }
}

static void find(fr_way_out *way_out, int32_t ways, fr_rect rect)
{
    forget(way_out, ways, rect);
    settle(way_out, ways);
}

void fr_way_out_admit(fr_way_out *way_out, fr_cost_view fit)
{
    if (way_out == NULL || way_out->length[fit] != NULL) {
        return;
    }
    size_t tiles = (size_t)fr_grid_count(way_out->grid);
    way_out->length[fit] = fr_alloc_raw(tiles, sizeof *way_out->length[fit]);
    /* Where nobody asks for them they are never touched. */
    way_out->length[FR_WAYS_TO_MAIN(fit)] = fr_alloc_raw(tiles, sizeof *way_out->length[fit]);
    way_out->is_end[fit] = fr_alloc_raw(tiles, 1);
    way_out->step[fit] = fr_alloc_raw(tiles, 1);
    way_out->end[fit] = fr_alloc_raw(tiles, sizeof *way_out->end[fit]);
    find(way_out, fit, (fr_rect){0, 0, way_out->grid.width, way_out->grid.height});
}

bool fr_way_out_has_main(const fr_way_out *way_out, fr_cost_view fit)
{
    return way_out != NULL && way_out->has_main[fit];
}

/* The region of field cells of a tile; FR_REGION_NONE in walls of them. */
static uint32_t region_of_cell(const fr_way_out *way_out, const fr_regions *cells, fr_cell tile)
{
    return fr_regions_at(cells, fr_nav_cell_of(way_out->shift, tile));
}

/* region_main[t]: of the field cells in region t of tiles, the largest region. */
static void find_main_regions(fr_way_out *way_out, const fr_regions *tiles, const fr_regions *cells)
{
    uint32_t *size = way_out->region_size, *main = way_out->region_main;
    int32_t count = fr_grid_count(way_out->grid);
    memset(size, 0, fr_regions_limit(cells) * sizeof *size);
    memset(main, 0xff, fr_regions_limit(tiles) * sizeof *main); /* FR_REGION_NONE */
    for (int32_t i = 0; i < count; i++) {
        uint32_t region = region_of_cell(way_out, cells, fr_grid_cell(way_out->grid, i));
        size[region != FR_REGION_NONE ? region : 0] += region != FR_REGION_NONE;
    }
    for (int32_t i = 0; i < count; i++) {
        fr_cell tile = fr_grid_cell(way_out->grid, i);
        uint32_t region = region_of_cell(way_out, cells, tile);
        if (region != FR_REGION_NONE) {
            uint32_t *best = &main[fr_regions_at(tiles, tile)];
            bool is_better = *best == FR_REGION_NONE || size[region] > size[*best] ||
                             (size[region] == size[*best] && region < *best);
            *best = is_better ? region : *best;
        }
    }
}

/* Finds all lengths, from the ends outward. */
static void spread_from_ends(fr_way_out *way_out, fr_cost_view fit)
{
    int32_t ways = FR_WAYS_TO_MAIN(fit), count = fr_grid_count(way_out->grid);
    for (int32_t i = 0; i < count; i++) {
        way_out->length[ways][i] = way_out->is_end[fit][i] ? 0 : FR_WAY_FAR;
    }
    for (int32_t i = 0; i < count; i++) {
        fr_cell tile = fr_grid_cell(way_out->grid, i);
        int direction;
        if (!way_out->is_end[fit][i] && fr_cost_walkable(way_out->cost, fit, tile) &&
            fr_way_shortest(way_out, ways, tile, &direction) < FR_WAY_FAR) {
            push(way_out, i);
        }
    }
    settle(way_out, ways);
}

/* Ways may be long, and are asked for by many. */
static void keep_steps(fr_way_out *way_out, fr_cost_view fit)
{
    int32_t ways = FR_WAYS_TO_MAIN(fit), count = fr_grid_count(way_out->grid);
    uint8_t *steps = way_out->step[fit];
    int32_t *end = way_out->end[fit];
    for (int32_t i = 0; i < count; i++) {
        int direction = FR_DIR_NONE;
        uint32_t length = way_out->length[ways][i];
        if (length > 0 && length < FR_WAY_FAR) {
            fr_way_shortest(way_out, ways, fr_grid_cell(way_out->grid, i), &direction);
        }
        steps[i] = (uint8_t)direction;
        end[i] = direction == FR_DIR_NONE ? i : -1;
    }
    for (int32_t i = 0; i < count; i++) {
        int32_t at = i;
        while (end[at] < 0) {
            at = fr_grid_index(way_out->grid, fr_way_step(fr_grid_cell(way_out->grid, at), steps[at]));
        }
        int32_t last = end[at];
        for (at = i; end[at] < 0;) { /* all on the way have the same end */
            end[at] = last;
            at = fr_grid_index(way_out->grid, fr_way_step(fr_grid_cell(way_out->grid, at), steps[at]));
        }
    }
}

void fr_way_out_find_main(fr_way_out *way_out, fr_cost_view fit, const fr_regions *tiles,
                          const fr_regions *cells)
{
    int32_t count = fr_grid_count(way_out->grid);
    FR_ASSERT(way_out->is_end[fit] != NULL);
    way_out->has_main[fit] = true;
    find_main_regions(way_out, tiles, cells);
    const uint32_t no_cells = FR_REGION_NONE - 1; /* one of its tiles has been made the end */
    for (int32_t i = 0; i < count; i++) {
        fr_cell tile = fr_grid_cell(way_out->grid, i);
        uint32_t region = fr_regions_at(tiles, tile);
        uint32_t *main = region != FR_REGION_NONE ? &way_out->region_main[region] : NULL;
        bool is_first = main != NULL && *main == FR_REGION_NONE;
        way_out->is_end[fit][i] = is_first || (main != NULL && region_of_cell(way_out, cells, tile) == *main);
        if (is_first) {
            *main = no_cells;
        }
    }
    spread_from_ends(way_out, fit);
    keep_steps(way_out, fit);
}

void fr_way_out_update(fr_way_out *way_out, fr_rect rect)
{
    if (way_out == NULL || rect.width == 0) {
        return;
    }
    /* A tile bears on all others of its field cell, and on steps past it. */
    fr_rect whole = fr_nav_tiles(way_out->shift, fr_nav_cells(way_out->shift, rect));
    whole =
        fr_grid_clip(way_out->grid, (fr_rect){whole.x - 1, whole.y - 1, whole.width + 2, whole.height + 2});
    for (int fit = 0; fit < FR_COST_FITS; fit++) {
        if (way_out->length[fit] != NULL) {
            find(way_out, fit, whole);
        }
    }
}
