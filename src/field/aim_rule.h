/* aim_rule: where a unit in a cell walks to: the target of the cell, which is what one sees furthest down
 * one's own descent. String pulling, baked into the field. The rule stands here once; it is compiled for the
 * flat arrays of a build (any_angle.c) and for the blocks of a repair (repair_targets.c), which give it the
 * same bits. Internal to field/.
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
    /* Before costs between two cells are asked for. */
    void (*look_at)(void *layout, fr_cell from, fr_cell to);
    uint8_t (*cost_at)(void *layout, int32_t x, int32_t y);
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

/* > 0 if `target` lies clockwise of a step's direction, 0 if straight ahead. */
FR_INLINED static inline int32_t fr_aim_side(int direction, fr_cell from, fr_cell target)
{
    const fr_step *step = &FR_STEPS[direction];
    return step->dx * (target.y - from.y) - step->dy * (target.x - from.x);
}

/* Whether a cell sees a target to the side of a best step that is even, whose cell sees it. Of the square
 * that is swept from here nearly all is swept from there as well: in each column (of a line with a slope of
 * up to 45 degrees) all but one cell at most, the outermost on the side of the other step. */
FR_INLINED static inline bool fr_aim_sees(const fr_aim_ground *ground, fr_cell from, fr_cell to,
                                          int direction, uint8_t cost)
{
    const fr_step *step = &FR_STEPS[direction];
    const int32_t dx = to.x - from.x, dy = to.y - from.y, ax = abs(dx), ay = abs(dy);
    const int32_t across = ax < ay ? ax : ay, along = ax < ay ? ay : ax;
    const bool is_diagonal = step->price == FR_STEP_DIAGONAL, is_steep = ay > ax;
    /* Off the way of least cost that begins with the step: what is seen there would make another one best. */
    if (is_diagonal ? step->dx * dx <= 0 || step->dy * dy <= 0 : step->dx * dx + step->dy * dy <= across) {
        return false;
    }
    const int32_t sx = dx < 0 ? -1 : 1, sy = dy < 0 ? -1 : 1;
    int32_t x = from.x, y = from.y, part = is_diagonal ? 0 : across - 1;
    x += is_diagonal == is_steep ? 0 : sx;
    y += is_diagonal == is_steep ? sy : 0;
    ground->look_at(ground->layout, from, to);
    for (int32_t k = 0; k < along; k++) {
        if (ground->cost_at(ground->layout, x, y) != cost) {
            return false;
        }
        part += across;
        bool turns = part >= along;
        part -= turns ? along : 0;
        x += is_steep ? (turns ? sx : 0) : sx;
        y += is_steep ? sy : (turns ? sy : 0);
    }
    return true;
}

/* The cell of the best step beyond which a straight way saves most. */
FR_INLINED static inline fr_target fr_aim_next(const fr_aim_ground *ground, uint32_t place, fr_cell cell,
                                               uint8_t best)
{
    void *layout = ground->layout;
    float most = -1.0f;
    fr_target chosen = FR_TARGET_NONE;
    for (uint8_t left = best; left != 0; left &= (uint8_t)(left - 1)) {
        int d = __builtin_ctz(left);
        uint32_t next = ground->next_to(layout, place, d);
        fr_cell next_cell = {cell.x + FR_STEPS[d].dx, cell.y + FR_STEPS[d].dy};
        fr_cell to = fr_target_cell(ground->target_of(layout, next));
        float saving =
            (float)ground->cost_of(layout, next) * fr_aim_saving(to.x - next_cell.x, to.y - next_cell.y);
        if (saving > most) {
            most = saving;
            chosen =
                fr_target_at(next_cell) | (ground->step_is_even(layout, place, d) ? 0 : FR_TARGET_UNEVEN);
        }
    }
    return chosen;
}

/* Looks for a target among those of the best steps' cells, whatever their number. */
FR_INLINED static inline fr_target fr_aim_search(const fr_aim_ground *ground, uint32_t place, fr_cell cell,
                                                 uint8_t best)
{
    void *layout = ground->layout;
    struct {
        fr_target target;
        float saving; /* negative: not a candidate, or no longer */
        int direction;
        bool is_ahead;
    } found[FR_DIR_COUNT];
    int count = 0;
    for (uint8_t left = best; left != 0; left &= (uint8_t)(left - 1)) {
        int d = __builtin_ctz(left);
        fr_target target = ground->target_of(layout, ground->next_to(layout, place, d));
        fr_cell to = fr_target_cell(target);
        int32_t side = fr_aim_side(d, cell, to);
        int beside = (d + (side > 0 ? 1 : FR_DIR_COUNT - 1)) % FR_DIR_COUNT;
        bool may_be_seen = (target & FR_TARGET_UNEVEN) == 0 && (side == 0 || (best >> beside & 1) != 0) &&
                           ground->step_is_even(layout, place, d);
        found[count].target = target;
        found[count].direction = d;
        found[count].saving = may_be_seen ? fr_aim_saving(to.x - cell.x, to.y - cell.y) : -1.0f;
        found[count++].is_ahead = side == 0;
    }
    for (;;) {
        int most = 0;
        for (int i = 1; i < count; i++) {
            most = found[i].saving > found[most].saving ? i : most;
        }
        if (found[most].saving < 0.0f) {
            return fr_aim_next(ground, place, cell, best);
        }
        fr_target target = found[most].target;
        if (found[most].is_ahead || fr_aim_sees(ground, cell, fr_target_cell(target), found[most].direction,
                                                ground->cost_of(layout, place))) {
            return target;
        }
        for (int i = 0; i < count; i++) {
            found[i].saving = found[i].target == target ? -1.0f : found[i].saving;
        }
    }
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
