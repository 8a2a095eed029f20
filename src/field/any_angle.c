#include "field/any_angle.h"

#include <string.h>

#include "field/aim_rule.h"

/* The scratch as the rule sees it. */

static fr_target target_of(void *layout, uint32_t place)
{
    return ((fr_scratch *)layout)->targets[place];
}

static uint8_t cost_of(void *layout, uint32_t place)
{
    return ((fr_scratch *)layout)->costs[place];
}

static uint32_t next_to(void *layout, uint32_t place, int direction)
{
    return place + (uint32_t)((fr_scratch *)layout)->offsets[direction];
}

static bool step_is_even(void *layout, uint32_t place, int direction)
{
    const fr_scratch *scratch = layout;
    if ((scratch->steps[place] & FR_STEPS_EVEN) != 0) {
        return true;
    }
    const uint8_t *at = scratch->costs + place;
    const fr_step *step = &FR_STEPS[direction];
    return at[scratch->offsets[direction]] == *at &&
           (step->price == FR_STEP_STRAIGHT ||
            (at[step->dx] == *at && at[step->dy * scratch->stride] == *at));
}

/* While a part of the map is built: brings in the costs of the blocks between. */
static void look_at(void *layout, fr_cell from, fr_cell to)
{
    fr_scratch *scratch = layout;
    if (!scratch->is_part) {
        return;
    }
    const int32_t blocks_x = fr_grid_blocks_x(scratch->grid);
    const int32_t left = (from.x < to.x ? from.x : to.x) >> FR_BLOCK_SHIFT;
    const int32_t right = (from.x < to.x ? to.x : from.x) >> FR_BLOCK_SHIFT;
    const int32_t top = (from.y < to.y ? from.y : to.y) >> FR_BLOCK_SHIFT;
    const int32_t bottom = (from.y < to.y ? to.y : from.y) >> FR_BLOCK_SHIFT;
    for (int32_t y = top; y <= bottom; y++) {
        for (int32_t block = y * blocks_x + left; block <= y * blocks_x + right; block++) {
            if (scratch->states[block] < FR_BLOCK_COSTS) {
                fr_scratch_load_costs(scratch, block);
            }
        }
    }
}

static uint8_t cost_at(void *layout, int32_t x, int32_t y)
{
    const fr_scratch *scratch = layout;
    return scratch->costs[fr_scratch_index(scratch, (fr_cell){x, y})];
}

/* A direction of a best step that leads to a cell without a target, or -1. */
static inline int unanswered_step(const fr_scratch *scratch, uint32_t place)
{
    for (uint8_t left = scratch->best[place]; left != 0; left &= (uint8_t)(left - 1)) {
        int d = __builtin_ctz(left);
        if (scratch->targets[place + (uint32_t)scratch->offsets[d]] == FR_TARGET_NONE) {
            return d;
        }
    }
    return -1;
}

/* Answers one cell, those on the ways down from it first. The way walked so far is kept as directions. */
static void answer(fr_scratch *scratch, uint32_t place, fr_cell cell)
{
    const fr_aim_ground ground = {.layout = scratch,
                                  .target_of = target_of,
                                  .cost_of = cost_of,
                                  .next_to = next_to,
                                  .step_is_even = step_is_even,
                                  .look_at = look_at,
                                  .cost_at = cost_at};
    uint32_t depth = 0;
    for (;;) {
        int d = unanswered_step(scratch, place);
        if (d >= 0) {
            scratch->trail[depth++] = (uint8_t)d;
        } else {
            scratch->targets[place] = fr_aim_choose(&ground, place, cell, scratch->best[place]);
            if (depth == 0) {
                return;
            }
            d = scratch->trail[--depth] ^ 4; /* back */
        }
        place += (uint32_t)scratch->offsets[d];
        cell.x += FR_STEPS[d].dx;
        cell.y += FR_STEPS[d].dy;
    }
}

void fr_any_angle_begin(fr_scratch *scratch, const fr_extent *extent)
{
    for (int g = 0; g < scratch->goal_count; g++) {
        fr_cell cell = scratch->goals[g].cell;
        uint32_t place = fr_scratch_index(scratch, cell);
        if (scratch->best[place] == 0 && fr_extent_holds(extent, cell, scratch->integration[place])) {
            scratch->targets[place] = fr_target_at(cell);
        }
    }
}

void fr_any_angle_find(fr_scratch *scratch, fr_rect rect, const fr_extent *extent)
{
    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        uint32_t place = fr_scratch_index(scratch, (fr_cell){rect.x, y});
        for (int32_t x = rect.x; x < rect.x + rect.width; x++, place++) {
            if (scratch->targets[place] == FR_TARGET_NONE && scratch->best[place] != 0 &&
                fr_extent_holds(extent, (fr_cell){x, y}, scratch->integration[place])) {
                answer(scratch, place, (fr_cell){x, y});
            }
        }
    }
}

void fr_any_angle_find_all(fr_scratch *scratch)
{
    fr_extent all = fr_extent_all(scratch->grid);
    size_t count = (size_t)scratch->stride * (size_t)(scratch->grid.height + 2);
    memset(scratch->targets, 0xff, count * sizeof *scratch->targets); /* FR_TARGET_NONE */
    fr_any_angle_begin(scratch, &all);
    fr_any_angle_find(scratch, all.near, &all);
}
