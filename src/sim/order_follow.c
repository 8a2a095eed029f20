/* order_follow: orders whose goal is another unit. Re-aims them at a bounded rate; everything else about such
 * an order is as for a move to the place where the leader was seen last. */
#include <string.h>

#include "sim/order_goals.h"
#include "sim/order_ground.h"

/* A leader that has moved less than this (squared 1/65536 cells) still stands where its followers pack. */
#define STANDS_STILL ((int64_t)FR_POSITION_ONE * FR_POSITION_ONE / 4)

static int64_t squared_distance(fr_position a, fr_position b)
{
    int64_t dx = (int64_t)a.x - b.x, dy = (int64_t)a.y - b.y;
    return dx * dx + dy * dy;
}

/* The leg heads for the new place of its goal; its places are of no use any more. */
static void retarget(fr_order_desk *desk, fr_leg *leg, const fr_resolution *result)
{
    leg->goal = leg->field_goal = result->goal;
    leg->goals_key = leg->ground_key = result->key;
    leg->ways = result->ways;
    leg->goal_count = result->goal_count;
    leg->reachable = result->reachable;
    memcpy(leg->goal_mask, result->mask, sizeof leg->goal_mask);
    leg->slots_made = false;
    leg->pack = 0;
    leg->slot_count = 0;
    leg->unclaimed = leg->units;
    if (leg->wants_field) {
        fr_leg_change_field(desk, leg);
    }
}

/* Sets the unit on its way again, with no place of its own. */
static void set_out(fr_agents *agents, uint32_t unit, const fr_leg *leg)
{
    uint8_t kept = (uint8_t)(agents->flags[unit] & FR_AGENT_DISPLACED);
    agents->flags[unit] = (uint8_t)(kept | FR_AGENT_RECHECK);
    if (agents->state[unit] != FR_UNIT_MOVING) {
        agents->state[unit] = FR_UNIT_MOVING;
        agents->reason[unit] = kept != 0 ? agents->reason[unit] : (uint8_t)FR_REASON_WAITING_FIELD;
    }
    if (kept == 0) {
        agents->target[unit] = leg->goal;
    }
    fr_agents_set_out(agents, unit);
}

/* A leg belongs to one region as a rule; whoever has come into another one changes to a leg of its own. */
static void aim(fr_order_desk *desk, uint32_t order_index)
{
    fr_agents *agents = desk->agents;
    fr_orders *orders = &desk->orders;
    desk->leg_scratch_count = 0;
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        fr_leg *leg = &orders->legs[l];
        if (leg->order == order_index) {
            fr_resolution result =
                fr_order_resolve(desk, &orders->orders[order_index], leg->fit, fr_ground_of(desk, leg->lead));
            retarget(desk, leg, &result);
        }
    }
    for (uint32_t unit = 0; unit < (uint32_t)agents->count; unit++) {
        uint32_t index = agents->leg[unit];
        if (index == FR_NO_INDEX || orders->legs[index].order != order_index) {
            continue;
        }
        fr_cost_view fit = orders->legs[index].fit;
        fr_resolution result =
            fr_order_resolve(desk, &orders->orders[order_index], fit, fr_ground_of(desk, unit));
        set_out(agents, unit, &orders->legs[index]);
        if (result.key != orders->legs[index].goals_key) {
            uint32_t other = fr_orders_find_leg(desk, order_index, fit, unit, &result);
            orders->orders[order_index].followers++; /* the order must outlive the change of legs */
            fr_orders_leave(desk, unit);
            fr_leg_add_unit(desk, unit, other);
            orders->orders[order_index].followers--;
        }
    }
    fr_orders_complete_legs(desk);
}

/* Is a field for the last place of the goal still being made? Then that is waited for: whoever begins anew at
 * every step of its leader never gets one. */
static bool awaits_field(const fr_orders *orders, uint32_t order_index)
{
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        if (orders->legs[l].order == order_index && orders->legs[l].old_field_id.index1 != 0) {
            return true;
        }
    }
    return false;
}

void fr_orders_follow(fr_order_desk *desk)
{
    const fr_agents *agents = desk->agents;
    for (int32_t i = 0; i < desk->orders.order_limit; i++) {
        fr_order *order = &desk->orders.orders[i];
        if (order->goal_count == 0 || order->leader1 == 0) {
            continue;
        }
        uint32_t leader = order->leader1 - 1;
        bool gone = agents->state[leader] == FR_UNIT_GONE;
        bool due = (desk->tick - order->tick) % FR_FOLLOW_TICKS == 0 && desk->tick != order->tick;
        if (gone) {
            order->leader1 = 0;
        }
        if ((due || gone) && order->followers > 0 &&
            squared_distance(agents->position[leader], order->goal) > STANDS_STILL &&
            (gone || !awaits_field(&desk->orders, (uint32_t)i))) {
            order->goal = agents->position[leader];
            aim(desk, (uint32_t)i);
        }
    }
}
