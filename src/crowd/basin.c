/* basin: to which of a leg's several goals its field leads from a place. A field does not say it, and neither
 * do walls and distances alone: ground may be dear, and goals too. So it is walked down, cell by cell. */
#include "crowd/crowd_internal.h"

/* The next cell on the way down; the cell itself where there is none. */
static fr_cell step_down(const fr_crowd_input *input, const fr_leg *leg, fr_cell cell)
{
    uint32_t own = crowd_value(input, leg, cell);
    uint64_t cost = fr_cost_at(input->cost, leg->view, cell), least = UINT64_MAX;
    fr_cell best = cell;
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        fr_cell next = {cell.x + FR_STEPS[d].dx, cell.y + FR_STEPS[d].dy};
        if (!fr_cost_step_allowed(input->cost, leg->fit, cell, d)) {
            continue;
        }
        uint32_t value = crowd_value(input, leg, next);
        uint64_t whole = value + FR_STEPS[d].price * cost;
        if (value < own && whole < least) {
            least = whole;
            best = next;
        }
    }
    return best;
}

/* The goal in a cell; the one nearest to it by air where none is. */
static int32_t goal_in(const fr_orders *orders, const fr_leg *leg, fr_cell cell)
{
    const fr_order *order = &orders->orders[leg->order];
    const fr_position *goals = fr_order_goals(orders, order);
    for (int32_t g = 0; g < order->goal_count; g++) {
        fr_cell in = fr_cell_at(goals[g]);
        if (fr_leg_has_goal(leg, g) && in.x == cell.x && in.y == cell.y) {
            return g;
        }
    }
    fr_position goal;
    return crowd_nearest_goal(orders, leg, fr_cell_centre(cell), &goal);
}

/* Walks down until it knows the goal. */
static int32_t walk_down(fr_crowd *crowd, const fr_crowd_input *input, const fr_leg *leg, fr_cell cell,
                         bool by_labels)
{
    for (;;) {
        int32_t known = by_labels ? fr_octile_search_source(&crowd->search, cell) : -1;
        fr_cell next = known < 0 ? step_down(input, leg, cell) : cell;
        if (next.x == cell.x && next.y == cell.y) {
            return known >= 0 ? known : goal_in(input->orders, leg, cell);
        }
        crowd->places_left--;
        cell = next;
    }
}

static bool is_led(const fr_crowd_input *input, const fr_leg *leg, fr_cell cell)
{
    return leg->goal_count > 1 && leg->field != NULL && crowd_value(input, leg, cell) != FR_UNREACHED;
}

int32_t crowd_goal_below(fr_crowd *crowd, const fr_crowd_input *input, const fr_leg *leg,
                         fr_position position)
{
    fr_cell cell = fr_cell_at(position);
    fr_position goal;
    return is_led(input, leg, cell) ? walk_down(crowd, input, leg, cell, false)
                                    : crowd_nearest_goal(input->orders, leg, position, &goal);
}

void crowd_find_goals(fr_crowd *crowd, const fr_crowd_input *input, const fr_leg *leg)
{
    fr_octile_search_clear(&crowd->search);
    for (int32_t m = 0; m < crowd->member_count; m++) {
        pack_member *member = &crowd->members[m];
        fr_position position = input->agents->position[member->unit];
        fr_cell cell = fr_cell_at(position);
        if (!is_led(input, leg, cell)) {
            member->goal = crowd_nearest_goal(input->orders, leg, position, &position);
            continue;
        }
        member->goal = walk_down(crowd, input, leg, cell, true);
        while (fr_octile_search_source(&crowd->search, cell) < 0) {
            fr_octile_search_label(&crowd->search, cell, member->goal);
            cell = step_down(input, leg, cell);
        }
    }
}
