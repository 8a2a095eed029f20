/* directions: the passes that look at each cell and its eight neighbours once: which steps the corner rule
 * allows, and which of them is the arrow. */
#include <stddef.h>

#include "field/row_pass.h"
#include "field/scratch.h"

/* Whether a neighbour costs as much as the cell itself, or is a wall. */
static inline uint8_t is_even(uint8_t cost, uint8_t own)
{
    return (uint8_t)((cost == own) | (cost == FR_COST_WALL));
}

/* `costs` are the rows of the neighbours: cell x's neighbour in direction d is costs[d][x]. */
FR_WIDEST_VECTORS FR_NOT_INLINED static void find_steps_row(const uint8_t *costs[FR_DIR_COUNT],
                                                            const uint8_t *restrict own, int width,
                                                            uint16_t *restrict steps)
{
    const uint8_t *restrict e = costs[FR_DIR_E];
    const uint8_t *restrict se = costs[FR_DIR_SE];
    const uint8_t *restrict s = costs[FR_DIR_S];
    const uint8_t *restrict sw = costs[FR_DIR_SW];
    const uint8_t *restrict w = costs[FR_DIR_W];
    const uint8_t *restrict nw = costs[FR_DIR_NW];
    const uint8_t *restrict n = costs[FR_DIR_N];
    const uint8_t *restrict ne = costs[FR_DIR_NE];
    for (int x = 0; x < width; x++) {
        uint8_t open_e = e[x] != FR_COST_WALL, open_s = s[x] != FR_COST_WALL;
        uint8_t open_w = w[x] != FR_COST_WALL, open_n = n[x] != FR_COST_WALL;
        uint8_t open_se = (uint8_t)(se[x] != FR_COST_WALL) & open_s & open_e;
        uint8_t open_sw = (uint8_t)(sw[x] != FR_COST_WALL) & open_s & open_w;
        uint8_t open_nw = (uint8_t)(nw[x] != FR_COST_WALL) & open_n & open_w;
        uint8_t open_ne = (uint8_t)(ne[x] != FR_COST_WALL) & open_n & open_e;
        uint8_t all =
            (uint8_t)(open_e << FR_DIR_E | open_se << FR_DIR_SE | open_s << FR_DIR_S | open_sw << FR_DIR_SW |
                      open_w << FR_DIR_W | open_nw << FR_DIR_NW | open_n << FR_DIR_N | open_ne << FR_DIR_NE);
        uint8_t even = is_even(e[x], own[x]) & is_even(se[x], own[x]) & is_even(s[x], own[x]) &
                       is_even(sw[x], own[x]) & is_even(w[x], own[x]) & is_even(nw[x], own[x]) &
                       is_even(n[x], own[x]) & is_even(ne[x], own[x]);
        steps[x] = (uint16_t)(all | even * FR_STEPS_EVEN);
    }
}

void fr_scratch_find_steps(fr_scratch *scratch, fr_rect rect)
{
    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        ptrdiff_t begin = fr_scratch_index(scratch, (fr_cell){rect.x, y});
        const uint8_t *row = scratch->costs + begin;
        const uint8_t *around[FR_DIR_COUNT];
        for (int d = 0; d < FR_DIR_COUNT; d++) {
            around[d] = row + scratch->offsets[d];
        }
        find_steps_row(around, row, rect.width, scratch->steps + begin);
    }
}

static inline uint32_t bit_if_equal(uint32_t a, uint32_t b, int bit)
{
    return a == b ? 1u << bit : 0u;
}

/* `values` are the rows of the neighbours. A step is one of the best when the neighbour's value plus the
 * price is the cell's own value: nothing is less, or the cell's value would be. Writes bit d for every
 * neighbour of which that is true, walls and barred diagonals included. */
FR_WIDEST_VECTORS FR_NOT_INLINED static void match_row(const uint32_t *values[FR_DIR_COUNT],
                                                       const uint32_t *restrict own,
                                                       const uint8_t *restrict costs, int width,
                                                       uint8_t *restrict matches)
{
    const uint32_t *restrict e = values[FR_DIR_E];
    const uint32_t *restrict se = values[FR_DIR_SE];
    const uint32_t *restrict s = values[FR_DIR_S];
    const uint32_t *restrict sw = values[FR_DIR_SW];
    const uint32_t *restrict w = values[FR_DIR_W];
    const uint32_t *restrict nw = values[FR_DIR_NW];
    const uint32_t *restrict n = values[FR_DIR_N];
    const uint32_t *restrict ne = values[FR_DIR_NE];
    for (int x = 0; x < width; x++) {
        uint32_t straight = own[x] - (uint16_t)(FR_STEP_STRAIGHT * costs[x]);
        uint32_t diagonal = own[x] - (uint16_t)(FR_STEP_DIAGONAL * costs[x]);
        matches[x] =
            (uint8_t)(bit_if_equal(e[x], straight, FR_DIR_E) | bit_if_equal(se[x], diagonal, FR_DIR_SE) |
                      bit_if_equal(s[x], straight, FR_DIR_S) | bit_if_equal(sw[x], diagonal, FR_DIR_SW) |
                      bit_if_equal(w[x], straight, FR_DIR_W) | bit_if_equal(nw[x], diagonal, FR_DIR_NW) |
                      bit_if_equal(n[x], straight, FR_DIR_N) | bit_if_equal(ne[x], diagonal, FR_DIR_NE));
    }
}

/* Matches that are allowed remain. */
FR_WIDEST_VECTORS FR_NOT_INLINED static void allow_row(const uint16_t *restrict steps, int width,
                                                       uint8_t *restrict best)
{
    for (int x = 0; x < width; x++) {
        best[x] &= (uint8_t)steps[x];
    }
}

void fr_scratch_find_best(fr_scratch *scratch, fr_rect rect)
{
    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        ptrdiff_t begin = fr_scratch_index(scratch, (fr_cell){rect.x, y});
        const uint32_t *row = scratch->integration + begin;
        const uint32_t *around[FR_DIR_COUNT];
        for (int d = 0; d < FR_DIR_COUNT; d++) {
            around[d] = row + scratch->offsets[d];
        }
        uint8_t *best = scratch->best + begin;
        match_row(around, row, scratch->costs + begin, rect.width, best);
        allow_row(scratch->steps + begin, rect.width, best);
    }
}

/* The first of the best steps is the arrow, FR_DIR_NONE where there is none. */
FR_WIDEST_VECTORS FR_NOT_INLINED static void choose_row(const uint8_t *restrict best, int width,
                                                        uint8_t *restrict directions)
{
    for (int x = 0; x < width; x++) {
        uint8_t first = best[x] & (uint8_t)-best[x];
        uint8_t direction =
            (uint8_t)((first & 0xf0 ? 4 : 0) | (first & 0xcc ? 2 : 0) | (first & 0xaa ? 1 : 0));
        directions[x] = first != 0 ? direction : FR_DIR_NONE;
    }
}

void fr_integrate_directions(fr_scratch *scratch)
{
    for (int32_t y = 0; y < scratch->grid.height; y++) {
        fr_scratch_find_best(scratch, (fr_rect){0, y, scratch->grid.width, 1});
        ptrdiff_t begin = fr_scratch_index(scratch, (fr_cell){0, y});
        choose_row(scratch->best + begin, scratch->grid.width, scratch->directions + begin);
    }
    /* A goal is the only reached cell without a best step: staying costs less. (An unreached cell has none
     * either: its value less a step lies above FR_INTEGRATION_MAX, where no neighbour is.) */
    for (int g = 0; g < scratch->goal_count; g++) {
        uint8_t *direction = &scratch->directions[fr_scratch_index(scratch, scratch->goals[g].cell)];
        *direction = *direction == FR_DIR_NONE ? FR_DIR_GOAL : *direction;
    }
}
