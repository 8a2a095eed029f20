/* extent: how far one has to go is not known before one has been there; this is where the guesses are made.
 */
#include "field/extent.h"

#include "base/assert.h"

/* Ways are taken to be longer than over open ground by one part in this many: it costs a front less to set
 * out again than to have gone too far. */
#define DETOUR_PART 32

fr_way_guess fr_guess_ways(const fr_goal *goals, int32_t goal_count, const fr_cell *cells, int32_t cell_count)
{
    fr_way_guess guess = {0, 0};
    int32_t stride = (goal_count + FR_GOALS_ASKED - 1) / FR_GOALS_ASKED;
    for (int32_t i = 0; i < cell_count; i++) {
        uint32_t least = FR_UNREACHED, detour = 0;
        for (int32_t g = 0; g < goal_count; g += stride) {
            uint32_t way = fr_octile_price(goals[g].cell.x - cells[i].x, goals[g].cell.y - cells[i].y);
            uint32_t all = fr_price_sum(goals[g].price, way);
            if (all < least) {
                least = all;
                detour = way / DETOUR_PART;
            }
        }
        guess.longest = least > guess.longest ? least : guess.longest;
        guess.detour = detour > guess.detour ? detour : guess.detour;
    }
    return guess;
}

static fr_rect join(fr_rect a, fr_rect b)
{
    int32_t left = a.x < b.x ? a.x : b.x, top = a.y < b.y ? a.y : b.y;
    int32_t right = a.x + a.width > b.x + b.width ? a.x + a.width : b.x + b.width;
    int32_t bottom = a.y + a.height > b.y + b.height ? a.y + a.height : b.y + b.height;
    return (fr_rect){left, top, right - left, bottom - top};
}

fr_rect fr_blocks_around(fr_grid grid, const fr_cell *cells, int32_t count, fr_rect with)
{
    for (int32_t i = 0; i < count; i++) {
        FR_ASSERT(fr_grid_contains(grid, cells[i]));
        fr_rect block = fr_grid_block_rect(grid, fr_grid_block(grid, cells[i]));
        with = with.width > 0 ? join(with, block) : block;
    }
    return with;
}
