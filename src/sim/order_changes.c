/* order_changes: what becomes of orders when the ground changes under them: walls that shut or open ways to
 * their goals, and extra costs that lead elsewhere. */
#include "sim/order_goals.h"
#include "sim/order_ground.h"

/* To another leg of its order. */
static void change_leg(fr_order_desk *desk, uint32_t unit, uint32_t to)
{
    fr_order *order = &desk->orders.orders[desk->orders.legs[to].order];
    order->followers++; /* the order must outlive the change of legs */
    fr_orders_leave(desk, unit);
    fr_leg_add_unit(desk, unit, to);
    order->followers--;
}

void fr_orders_walls_changed(fr_order_desk *desk)
{
    fr_agents *agents = desk->agents;
    fr_orders *orders = &desk->orders;
    desk->leg_scratch_count = 0;
    /* Units come in runs of one leg and region: the last answer mostly serves the next unit too. */
    uint32_t from_leg = FR_NO_INDEX, to_leg = FR_NO_INDEX;
    fr_ground region = {0, 0};
    for (uint32_t unit = 0; unit < (uint32_t)agents->count; unit++) {
        uint32_t leg_index = agents->leg[unit];
        if (leg_index == FR_NO_INDEX) {
            continue;
        }
        agents->flags[unit] |= FR_AGENT_RECHECK;
        fr_ground here = fr_ground_of(desk, unit);
        if (leg_index != from_leg || !fr_ground_equals(here, region)) {
            const fr_leg *leg = &orders->legs[leg_index];
            fr_resolution result = fr_order_resolve(desk, &orders->orders[leg->order], leg->fit, here);
            from_leg = leg_index;
            region = here;
            to_leg = result.key == leg->ground_key
                         ? leg_index
                         : fr_orders_find_leg(desk, leg->order, leg->fit, unit, &result);
        }
        if (to_leg != leg_index) {
            change_leg(desk, unit, to_leg);
            if (orders->legs[leg_index].order == FR_NO_INDEX) {
                from_leg = FR_NO_INDEX;
            }
        }
    }
    fr_orders_complete_legs(desk);
}

/* Another field than so far, which serves on until that one is there. */
void fr_leg_change_field(fr_order_desk *desk, fr_leg *leg)
{
    fr_leg_end_jam(desk, leg); /* its field is of the old kind */
    if (leg->old_field_id.index1 == 0) {
        leg->old_field_id = leg->field_id;
    } else {
        fr_field_service_release(desk->fields, leg->field_id);
    }
    fr_leg_request_field(desk, leg);
}

/* Units on their way for whom other costs count than for their leg, since they are of another team than its
 * first unit, go on to a leg of their own. */
static void part_teams(fr_order_desk *desk)
{
    const fr_agents *agents = desk->agents;
    fr_orders *orders = &desk->orders;
    desk->leg_scratch_count = 0;
    for (uint32_t unit = 0; unit < (uint32_t)agents->count; unit++) {
        if (agents->leg[unit] == FR_NO_INDEX || agents->state[unit] != FR_UNIT_MOVING) {
            continue;
        }
        const fr_leg *leg = &orders->legs[agents->leg[unit]];
        const fr_order *order = &orders->orders[leg->order];
        if (leg->team != agents->team[unit] &&
            fr_ground_view(desk, leg->fit, order->caution, agents->team[unit]) != leg->own_view) {
            fr_resolution result = fr_order_resolve(desk, order, leg->fit, fr_ground_of(desk, unit));
            change_leg(desk, unit, fr_orders_find_leg(desk, leg->order, leg->fit, unit, &result));
        }
    }
    fr_orders_complete_legs(desk);
}

void fr_orders_extras_changed(fr_order_desk *desk)
{
    fr_orders *orders = &desk->orders;
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        fr_leg *leg = &orders->legs[l];
        if (leg->order == FR_NO_INDEX) {
            continue;
        }
        fr_cost_view view = fr_ground_view(desk, leg->fit, orders->orders[leg->order].caution, leg->team);
        if (view != leg->own_view) {
            leg->view = leg->own_view = view;
            if (leg->wants_field) {
                fr_leg_change_field(desk, leg);
            }
        }
    }
    part_teams(desk);
    fr_agents *agents = desk->agents;
    for (int32_t unit = 0; unit < agents->count; unit++) {
        agents->flags[unit] |= agents->leg[unit] != FR_NO_INDEX ? FR_AGENT_RECHECK : 0;
    }
}
