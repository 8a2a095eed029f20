/* aim_rule: where a unit in a cell walks to: the target of the cell, which is what one sees furthest down
 * one's own descent. String pulling, baked into the field. The rule stands here once; it is compiled for the
 * flat arrays of a build (any_angle.c) and for the blocks of a repair (repair_aims.c), which give it the same
 * bits. Internal to field/.
 *
 * A cell sees a target if the unit square, swept from the cell to the target, covers nothing but cells that
 * cost what the cell costs: then wherever in the cell a unit stands, its straight way is free of walls,
 * corners and dearer ground. The target of a cell is one of the targets of its best steps' cells, the one
 * that shortens the way most of those that it sees; if it sees none, it is the cell of a best step. A target
 * therefore lies on a way of least cost, or at the end of one step.
 *
 * Most answers need no look at the ground between:
 * - What a best step's cell sees straight ahead, the cell behind it sees as well.
 * - If both cells of two adjacent best steps see the same target, so does the cell: a blocked cell between
 *   their lines, swept, would be wider than the two are apart.
 * - A target aside of the direction of a step can only be seen if the step next to it, on that side, is a
 *   best one as well: over even ground both begin a way of least cost. */
#ifndef FR_FIELD_AIM_RULE_H
#define FR_FIELD_AIM_RULE_H

#include <stdlib.h>

#include "field/target.h"

/* The rule must be compiled into its caller: only there are the ground's functions known, and inlined. */
#if defined(__GNUC__)
#define FR_INLINED __attribute__((always_inline))
#else
#define FR_INLINED
#endif

/* What the rule must know of the ground. `place` names a cell in the way of the layout. */
typedef struct fr_aim_ground {
    void *layout;
    fr_target (*target_of)(void *layout, uint32_t place); /* of a cell with a known target */
    uint8_t (*cost_of)(void *layout, uint32_t place);
    uint32_t (*next_to)(void *layout, uint32_t place, int direction);
    bool (*step_is_even)(void *layout, uint32_t place, int direction);
    /* Whether `count` cells from (x, y) on to the right all cost `cost`. All lie inside the map. */
    bool (*row_is_even)(void *layout, int32_t x, int32_t y, int32_t count, uint8_t cost);
} fr_aim_ground;

/* What the straight way to a cell at (dx, dy) saves against the way along the eight directions, in steps
 * times 70. */
FR_INLINED static inline float fr_aim_saving(int32_t dx, int32_t dy)
{
    int32_t ax = abs(dx), ay = abs(dy);
    int32_t longer = ax > ay ? ax : ay, shorter = ax > ay ? ay : ax;
    int32_t octile = FR_STEP_STRAIGHT * longer + (FR_STEP_DIAGONAL - FR_STEP_STRAIGHT) * shorter;
    float x = (float)dx, y = (float)dy;
    return (float)octile - FR_STEP_STRAIGHT * sqrtf(x * x + y * y);
}

/* Whether row r of a unit square swept over (dx, dy) from a cell covers only cells of this cost: it lies
 * between the columns ax * (r - 1) / ay, rounded down, and ax * (r + 1) / ay, rounded up, cut at both ends.
 */
FR_INLINED static inline bool fr_aim_row_is_even(const fr_aim_ground *ground, fr_cell from, int32_t dx,
                                                 int32_t dy, int32_t r, int32_t first, int32_t last,
                                                 uint8_t cost)
{
    int32_t ax = abs(dx);
    first = first < 0 ? 0 : first;
    last = last > ax ? ax : last;
    int32_t x = dx >= 0 ? from.x + first : from.x - last, y = dy >= 0 ? from.y + r : from.y - r;
    return ground->row_is_even(ground->layout, x, y, last - first + 1, cost);
}

/* Whether a unit square swept from one cell to another covers only cells of this cost. Where the way is
 * likely to be barred, beside `doubt`, it is looked at first. */
FR_INLINED static inline bool fr_aim_sees(const fr_aim_ground *ground, fr_cell from, fr_cell to, uint8_t cost,
                                          fr_cell doubt)
{
    int32_t dx = to.x - from.x, dy = to.y - from.y, ax = abs(dx), ay = abs(dy);
    if (ay == 0) {
        return fr_aim_row_is_even(ground, from, dx, dy, 0, 0, ax, cost);
    }
    int32_t doubted = dy >= 0 ? doubt.y - from.y : from.y - doubt.y;
    for (int32_t r = doubted < 1 ? 1 : doubted - 1; r <= doubted + 1 && r < ay; r++) {
        int32_t first = (int32_t)((int64_t)ax * (r - 1) / ay);
        int32_t last = (int32_t)(((int64_t)ax * (r + 1) + ay - 1) / ay);
        if (!fr_aim_row_is_even(ground, from, dx, dy, r, first, last, cost)) {
            return false;
        }
    }
    int32_t whole = ax / ay, part = ax % ay;
    /* first * ay + first_part = ax * (r - 1), and last alike of ax * (r + 1), for r = 0. */
    int32_t first = part > 0 ? -whole - 1 : -whole, first_part = part > 0 ? ay - part : 0;
    int32_t last = whole, last_part = part;
    for (int32_t r = 0; r <= ay; r++) {
        if (!fr_aim_row_is_even(ground, from, dx, dy, r, first, last_part > 0 ? last + 1 : last, cost)) {
            return false;
        }
        first += whole;
        first_part += part;
        last += whole;
        last_part += part;
        if (first_part >= ay) {
            first++;
            first_part -= ay;
        }
        if (last_part >= ay) {
            last++;
            last_part -= ay;
        }
    }
    return true;
}

/* > 0 if `target` lies clockwise of a step's direction, 0 if straight ahead. */
FR_INLINED static inline int32_t fr_aim_side(int direction, fr_cell from, fr_cell target)
{
    const fr_step *step = &FR_STEPS[direction];
    return step->dx * (target.y - from.y) - step->dy * (target.x - from.x);
}

/* Looks for a target among those of the best steps' cells, whatever their number. */
FR_INLINED static inline fr_target fr_aim_search(const fr_aim_ground *ground, uint32_t place, fr_cell cell,
                                                 uint8_t best)
{
    void *layout = ground->layout;
    uint8_t cost = ground->cost_of(layout, place);
    float most = -1.0f, most_beyond = -1.0f;
    fr_target chosen = FR_TARGET_NONE, fallback = FR_TARGET_NONE, refused = FR_TARGET_NONE;
    /* What one cell sees and the other does not hides behind what the other sees. */
    fr_target last = ground->target_of(layout, ground->next_to(layout, place, 31 - __builtin_clz(best)));
    fr_cell doubt = fr_target_cell(last);
    for (uint8_t left = best; left != 0; left &= (uint8_t)(left - 1)) {
        int d = __builtin_ctz(left);
        uint32_t next = ground->next_to(layout, place, d);
        fr_cell next_cell = {cell.x + FR_STEPS[d].dx, cell.y + FR_STEPS[d].dy};
        bool even = ground->step_is_even(layout, place, d);
        fr_target target = ground->target_of(layout, next);
        fr_cell to = fr_target_cell(target);
        float beyond =
            (float)ground->cost_of(layout, next) * fr_aim_saving(to.x - next_cell.x, to.y - next_cell.y);
        if (beyond > most_beyond) {
            most_beyond = beyond;
            fallback = fr_target_at(next_cell) | (even ? 0 : FR_TARGET_UNEVEN);
        }
        if (!even || (target & FR_TARGET_UNEVEN) != 0 || target == refused) {
            continue;
        }
        float saving = fr_aim_saving(to.x - cell.x, to.y - cell.y);
        fr_cell other = doubt;
        doubt = to;
        int32_t side = fr_aim_side(d, cell, to);
        int beside = (d + (side > 0 ? 1 : FR_DIR_COUNT - 1)) % FR_DIR_COUNT;
        if (saving <= most || (side != 0 && (best >> beside & 1) == 0)) {
            continue;
        }
        if (side == 0 || fr_aim_sees(ground, cell, to, cost, other)) {
            most = saving;
            chosen = target;
        } else {
            refused = target;
        }
    }
    return chosen != FR_TARGET_NONE ? chosen : fallback;
}

/* The target of a cell with best steps, by the rule. The targets of its best steps' cells are known. */
FR_INLINED static inline fr_target fr_aim_choose(const fr_aim_ground *ground, uint32_t place, fr_cell cell,
                                                 uint8_t best)
{
    void *layout = ground->layout;
    int d = __builtin_ctz(best);
    uint8_t rest = best & (uint8_t)(best - 1);
    fr_target target = ground->target_of(layout, ground->next_to(layout, place, d));
    if (rest == 0) {
        fr_target next = fr_target_at((fr_cell){cell.x + FR_STEPS[d].dx, cell.y + FR_STEPS[d].dy});
        if (!ground->step_is_even(layout, place, d)) {
            return next | FR_TARGET_UNEVEN;
        }
        bool ahead = (target & FR_TARGET_UNEVEN) == 0 && fr_aim_side(d, cell, fr_target_cell(target)) == 0;
        return ahead ? target : next;
    }
    int other = __builtin_ctz(rest);
    bool adjacent = rest == 1u << other && (other - d == 1 || other - d == FR_DIR_COUNT - 1);
    if (adjacent && (target & FR_TARGET_UNEVEN) == 0 &&
        target == ground->target_of(layout, ground->next_to(layout, place, other)) &&
        ground->step_is_even(layout, place, d) && ground->step_is_even(layout, place, other)) {
        return target;
    }
    return fr_aim_search(ground, place, cell, best);
}

#endif
