/* rejudge_orders: what units were told, by the scenario and by the rows of their run. */
#include "sim/rejudge_internal.h"

static bool is_there(const fr_rejudge *r, int32_t unit)
{
    return unit < r->unit_count && r->state[unit] != FR_UNIT_GONE;
}

static uint32_t add_order(fr_rejudge *r, const fr_scenario_order *source, fr_position goal, uint32_t tick)
{
    int32_t index = r->order_count++;
    r->own_goals[index] = goal;
    r->source[index] = source;
    r->orders[index] = (fr_order_view){.tick = tick, .goals = &r->own_goals[index], .goal_count = 1};
    return (uint32_t)index;
}

void rejudge_give_own_goals(fr_rejudge *r)
{
    for (int32_t g = 0; g < r->scenario->group_count; g++) {
        const fr_scenario_group *group = &r->scenario->groups[g];
        int32_t nth = 0;
        for (int32_t i = 0; i < r->unit_count && nth < group->unit_count; i++) {
            if (r->group[i] != g) {
                continue;
            }
            const fr_scenario_unit *unit = &group->units[nth++];
            if (unit->has_goal && is_there(r, i)) {
                fr_position goal = fr_position_at(unit->goal_x, unit->goal_y);
                r->order[i] = add_order(r, NULL, fr_grid_clamp_position(r->scenario->map->grid, goal), 0);
                r->orders[r->order[i]].unit_count = 1;
            }
        }
    }
}

/* Whom an order says to follow: the first of a group that is there, or one unit. */
static int32_t find_leader(const fr_rejudge *r, const fr_scenario_order *order)
{
    if (order->target_group < 0) {
        return is_there(r, (int32_t)order->target) ? (int32_t)order->target : -1;
    }
    for (int32_t i = 0; i < r->unit_count; i++) {
        if (r->group[i] == order->target_group && is_there(r, i)) {
            return i;
        }
    }
    return -1;
}

static void send(fr_rejudge *r, const fr_scenario_order *order)
{
    bool is_follow = order->kind == FR_COMMAND_FOLLOW;
    int32_t leader = is_follow ? find_leader(r, order) : -1;
    if (is_follow && leader < 0) {
        return;
    }
    fr_position goal = is_follow                          ? r->position[leader]
                       : order->area.kind != FR_AREA_NONE ? fr_area_centre(&order->area)
                                                          : order->goals[0];
    fr_order_view *view = &r->orders[add_order(r, order, goal, order->tick)];
    if (order->goal_count > 1) {
        view->goals = order->goals;
        view->goal_count = order->goal_count;
        view->prices = order->goal_prices;
    }
    view->area = order->area;
    view->is_follow = is_follow;
    for (int32_t i = 0; i < r->unit_count; i++) {
        if (r->group[i] == order->group && is_there(r, i) && i != leader) {
            r->order[i] = (uint32_t)(view - r->orders);
            view->unit_count++;
        }
    }
}

static void apply(fr_rejudge *r, const fr_scenario_order *order)
{
    switch (order->kind) {
    case FR_COMMAND_MOVE:
    case FR_COMMAND_FOLLOW:
        send(r, order);
        break;
    case FR_COMMAND_SET_COST:
        fr_cost_set_edit(r->cost, order->rect, order->cost);
        break;
    case FR_COMMAND_RESTORE_COST:
        fr_cost_set_edit(r->cost, order->rect, 0);
        break;
    case FR_COMMAND_SET_THREAT:
        fr_cost_set_threat(r->cost, order->threat_index, &order->threat);
        break;
    case FR_COMMAND_REMOVE_THREAT:
        fr_cost_set_threat(r->cost, order->threat_index, NULL);
        break;
    default:
        break; /* they leave goals and ground alone */
    }
}

void rejudge_apply_orders(fr_rejudge *r, uint32_t tick)
{
    const fr_scenario *scenario = r->scenario;
    if (tick == 0) {
        for (int32_t t = 0; t < scenario->threat_count; t++) {
            fr_cost_set_threat(r->cost, t, &scenario->threats[t]);
        }
        rejudge_give_own_goals(r);
    }
    for (int32_t i = fr_scenario_first_order(scenario, tick);
         i < scenario->order_count && scenario->orders[i].tick == tick; i++) {
        apply(r, &scenario->orders[i]);
    }
}

void rejudge_join(fr_rejudge *r, int32_t unit)
{
    uint32_t order = FR_NO_ORDER;
    bool is_found = false;
    for (int32_t other = unit - 1; other >= 0 && !is_found; other--) {
        if (r->group[other] == r->group[unit]) {
            is_found = is_there(r, other);
            order = is_found || order == FR_NO_ORDER ? r->order[other] : order;
        }
    }
    if (order != FR_NO_ORDER) {
        r->order[unit] = order;
        r->orders[order].unit_count++;
    }
}

void rejudge_read_goals(fr_rejudge *r)
{
    for (int32_t i = 0; i < r->unit_count; i++) {
        if (!is_there(r, i) || !r->has_goal[i] || r->order[i] == FR_NO_ORDER) {
            continue;
        }
        const fr_order_view *view = &r->orders[r->order[i]];
        const fr_scenario_order *source = r->source[r->order[i]];
        if (view->is_follow) {
            r->own_goals[r->order[i]] = r->goal[i];
        }
        r->goal1[i] = 0;
        for (int32_t g = 0; source != NULL && source->goal_capacities != NULL && g < view->goal_count; g++) {
            bool is_it = view->goals[g].x == r->goal[i].x && view->goals[g].y == r->goal[i].y;
            r->goal1[i] = is_it && r->goal1[i] == 0 ? (uint16_t)(g + 1) : r->goal1[i];
        }
    }
}
