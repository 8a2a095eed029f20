/* order_fields: the fields of legs: what is asked for, which one serves in a tick, and when it is let go. */
#include <string.h>

#include "grid/nav.h"
#include "sim/order_goals.h"
#include "sim/order_ground.h"

/* Fields are held this long after the last unit of a leg has come to rest (ticks). */
#define REST_TICKS 60

/* Sorts a goal in by its cell; of two in one cell the cheaper one counts. Equal sets of goals make equal
 * requests. */
static int32_t add_goal(fr_grid grid, fr_goal *goals, int32_t count, fr_goal goal)
{
    int32_t index = fr_grid_index(grid, goal.cell), at = count;
    while (at > 0 && fr_grid_index(grid, goals[at - 1].cell) > index) {
        at--;
    }
    if (at > 0 && fr_grid_index(grid, goals[at - 1].cell) == index) {
        goals[at - 1].price = goal.price < goals[at - 1].price ? goal.price : goals[at - 1].price;
        return count;
    }
    memmove(goals + at + 1, goals + at, (size_t)(count - at) * sizeof *goals);
    goals[at] = goal;
    return count + 1;
}

/* An area in field cells; if at least one that leads to the leg's goal has its middle there, and not too
 * many.
 */
static bool ask_for_area(const fr_order_desk *desk, const fr_leg *leg, fr_field_request *wanted)
{
    const fr_cost *nav = fr_cost_nav(desk->cost);
    const fr_regions *regions = desk->nav_regions[leg->fit];
    uint32_t region = fr_ground_at(desk, leg->fit, fr_cell_at(leg->goal)).cells;
    fr_area area = fr_nav_area(fr_cost_shift(nav), &desk->orders.orders[leg->order].area);
    if (fr_cost_shift(nav) == 0) {
        wanted->area = area;
        return true;
    }
    fr_rect bounds = fr_area_bounds(&area, fr_cost_grid(nav));
    bool is_met = false;
    for (int32_t i = 0; i < bounds.width * bounds.height && !is_met && leg->ways == leg->fit; i++) {
        fr_cell cell = {bounds.x + i % bounds.width, bounds.y + i / bounds.width};
        is_met = fr_area_contains(&area, cell) && fr_regions_at(regions, cell) == region;
    }
    if (!is_met || fr_area_count(&area, fr_cost_grid(nav)) > FR_FIELD_GOALS_MAX) {
        return false;
    }
    wanted->area = area;
    return true;
}

fr_field_id fr_leg_ask_for_field(fr_order_desk *desk, const fr_leg *leg, fr_cost_view view)
{
    const fr_order *order = &desk->orders.orders[leg->order];
    fr_goal goals[FR_GOALS_MAX];
    fr_field_request wanted = {
        .goals = goals,
        .view = view,
    };
    if (fr_leg_has_area(&desk->orders, leg) && ask_for_area(desk, leg, &wanted)) {
        return fr_field_service_request(desk->fields, &wanted);
    }
    if (fr_leg_has_area(&desk->orders, leg) || fr_leg_has_one_point(leg)) {
        goals[wanted.goal_count++] = (fr_goal){fr_ground_field_cell(desk, leg->ways, leg->goal), 0};
        return fr_field_service_request(desk->fields, &wanted);
    }
    const fr_position *asked = fr_order_goals(&desk->orders, order);
    const uint32_t *prices = fr_order_prices(&desk->orders, order);
    const fr_cost *nav = fr_cost_nav(desk->cost);
    for (int32_t g = 0; g < order->goal_count; g++) {
        if (fr_leg_has_goal(leg, g)) {
            fr_goal goal = {fr_ground_field_cell(desk, leg->ways, asked[g]),
                            (uint32_t)fr_nav_scale_down(fr_cost_shift(nav), (int32_t)prices[g])};
            wanted.goal_count = add_goal(fr_cost_grid(nav), goals, wanted.goal_count, goal);
        }
    }
    return fr_field_service_request(desk->fields, &wanted);
}

void fr_leg_request_field(fr_order_desk *desk, fr_leg *leg)
{
    leg->field_id = fr_leg_ask_for_field(desk, leg, leg->own_view);
    leg->wants_field = true;
}

/* This tick's field of a leg. */
static void look_up_field(fr_order_desk *desk, fr_leg *leg)
{
    leg->field = fr_field_service_get(desk->fields, leg->field_id);
    if (leg->field == NULL) {
        leg->field = fr_field_service_get(desk->fields, leg->old_field_id);
    } else if (leg->old_field_id.index1 != 0) {
        fr_field_service_release(desk->fields, leg->old_field_id);
        leg->old_field_id = (fr_field_id){0, 0};
    }
    const fr_field *jammed = fr_field_service_get(desk->fields, leg->jam_field_id);
    leg->field = jammed != NULL ? jammed : leg->field;
    leg->view = jammed != NULL ? FR_COST_FIRST_JAM + leg->jam - 1 : leg->own_view;
}

/* A leg whose units have all rested for a while holds no field: of a thousand orders with a goal each only
 * those under way need room. The field stays as cache; whoever is roused and sees no way asks again. */
static void let_go_at_rest(fr_order_desk *desk, fr_leg *leg)
{
    if (leg->movers > 0) {
        leg->rests_since = desk->tick;
    } else if (leg->wants_field && desk->tick - leg->rests_since > REST_TICKS) {
        fr_leg_end_jam(desk, leg);
        fr_field_service_release(desk->fields, leg->field_id);
        fr_field_service_release(desk->fields, leg->old_field_id);
        leg->field_id = leg->old_field_id = (fr_field_id){0, 0};
        leg->field = NULL;
        leg->wants_field = false;
    }
}

void fr_orders_restore_fields(fr_order_desk *desk)
{
    for (int32_t l = 0; l < desk->orders.leg_limit; l++) {
        fr_leg *leg = &desk->orders.legs[l];
        if (leg->order != FR_NO_INDEX) {
            look_up_field(desk, leg);
            leg->rough = fr_field_service_rough(desk->fields, leg->field_id);
        }
    }
}

/* Has its field led a unit a moment ago? Then it goes on where the unit stands, or the unit will be seen to
 * wait for it. Asking the field itself for each of 100,000 takes 2 ms of a tick. */
static bool is_led(const fr_agents *agents, const fr_leg *leg, int32_t unit)
{
    return leg->field != NULL && leg->rough == NULL && leg->jam_field_id.index1 == 0 &&
           agents->reason[unit] == FR_REASON_FIELD;
}

void fr_orders_refresh_fields(fr_order_desk *desk)
{
    fr_agents *agents = desk->agents;
    fr_orders *orders = &desk->orders;
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        fr_leg *leg = &orders->legs[l];
        if (leg->order == FR_NO_INDEX) {
            continue;
        }
        if (leg->wants_field && leg->field_id.index1 == 0 && desk->tick >= leg->asks_tick) {
            fr_leg_request_field(desk, leg); /* the burst is over, or it was denied */
        }
        look_up_field(desk, leg);
        leg->movers = 0;
    }
    bool lazy = fr_field_service_is_lazy(desk->fields);
    /* A unit that set out without a field, and whose line is no longer free, needs one after all. */
    for (int32_t unit = 0; unit < agents->count; unit++) {
        if (agents->leg[unit] == FR_NO_INDEX) {
            continue;
        }
        fr_leg *leg = &orders->legs[agents->leg[unit]];
        leg->movers += agents->state[unit] == FR_UNIT_MOVING;
        if (lazy && leg->wants_field && agents->state[unit] == FR_UNIT_MOVING && !is_led(agents, leg, unit)) {
            fr_cell cell = fr_ground_field_cell(desk, leg->ways, agents->position[unit]);
            fr_field_service_need(desk->fields, leg->field_id, cell);
            fr_field_service_need(desk->fields, leg->jam_field_id, cell);
        }
        if (!leg->wants_field && agents->state[unit] == FR_UNIT_MOVING &&
            (agents->flags[unit] & (FR_AGENT_LINE_FREE | FR_AGENT_RECHECK | FR_AGENT_DISPLACED)) == 0) {
            fr_leg_request_field(desk, leg);
        }
    }
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        if (orders->legs[l].order != FR_NO_INDEX) {
            let_go_at_rest(desk, &orders->legs[l]);
        }
    }
    for (int32_t l = 0; lazy && l < orders->leg_limit; l++) {
        fr_leg *leg = &orders->legs[l];
        if (leg->order != FR_NO_INDEX) {
            fr_field_service_guide(desk->fields, leg->field_id, desk->nav_regions[leg->fit]);
            leg->rough = fr_field_service_rough(desk->fields, leg->field_id);
        }
    }
}
