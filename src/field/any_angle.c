#include "field/any_angle.h"

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

/* Eight costs as one number, the first lowest. */
static inline uint64_t load_costs(const uint8_t *costs)
{
    uint64_t all = 0;
    for (int i = 0; i < 8; i++) {
        all |= (uint64_t)costs[i] << (8 * i);
    }
    return all;
}

/* Brings in the costs of a row's blocks. */
static void bring_in_row(fr_scratch *scratch, int32_t x, int32_t y, int32_t count)
{
    int32_t first = fr_grid_block(scratch->grid, (fr_cell){x, y});
    int32_t last = fr_grid_block(scratch->grid, (fr_cell){x + count - 1, y});
    for (int32_t block = first; block <= last; block++) {
        fr_scratch_load_costs(scratch, block);
    }
}

static bool row_is_even(void *layout, int32_t x, int32_t y, int32_t count, uint8_t cost)
{
    fr_scratch *scratch = layout;
    if (scratch->source.snapshot != NULL) {
        bring_in_row(scratch, x, y, count);
    }
    const uint8_t *row = scratch->costs + fr_scratch_index(scratch, (fr_cell){x, y});
    const uint64_t wanted = cost * 0x0101010101010101u;
    for (; count > 8; count -= 8, row += 8) {
        if (load_costs(row) != wanted) {
            return false;
        }
    }
    return (load_costs(row) ^ wanted) << (64 - 8 * count) == 0;
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
                                  .row_is_even = row_is_even};
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

/* Goals are their own targets, for all others none is known. */
static void begin_row(const uint32_t *restrict integration, const uint8_t *restrict best, int32_t width,
                      uint32_t from, fr_target start, fr_target *restrict targets)
{
    for (int32_t x = 0; x < width; x++) {
        fr_target own = start + (fr_target)x;
        fr_target first = best[x] != 0 || integration[x] == FR_UNREACHED ? FR_TARGET_NONE : own;
        targets[x] = integration[x] >= from ? first : targets[x];
    }
}

void fr_any_angle_begin(fr_scratch *scratch, fr_rect rect, uint32_t from)
{
    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        uint32_t begin = fr_scratch_index(scratch, (fr_cell){rect.x, y});
        begin_row(scratch->integration + begin, scratch->best + begin, rect.width, from,
                  fr_target_at((fr_cell){rect.x, y}), scratch->targets + begin);
    }
}

void fr_any_angle_find(fr_scratch *scratch, fr_rect rect, uint32_t limit)
{
    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        uint32_t place = fr_scratch_index(scratch, (fr_cell){rect.x, y});
        for (int32_t x = rect.x; x < rect.x + rect.width; x++, place++) {
            if (scratch->targets[place] == FR_TARGET_NONE && scratch->best[place] != 0 &&
                scratch->integration[place] < limit) {
                answer(scratch, place, (fr_cell){x, y});
            }
        }
    }
}

void fr_any_angle_find_all(fr_scratch *scratch)
{
    fr_rect whole = {0, 0, scratch->grid.width, scratch->grid.height};
    fr_any_angle_begin(scratch, whole, 0);
    fr_any_angle_find(scratch, whole, FR_UNREACHED);
}
