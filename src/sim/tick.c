/* tick: one step of the world, in the order that replays rely on. */
#include "grid/nav.h"
#include "sim/world_internal.h"

static void stand(fr_world *world, const fr_command *command, fr_unit_state state)
{
    fr_agents *agents = &world->agents;
    for (int32_t i = 0; i < command->unit_count; i++) {
        uint32_t unit = command->units[i];
        if (unit >= (uint32_t)agents->count || agents->state[unit] == FR_UNIT_GONE) {
            continue;
        }
        fr_orders_leave(&world->desk, unit);
        agents->state[unit] = (uint8_t)state;
        agents->veer[unit] = 0.0f;
        if ((agents->flags[unit] & FR_AGENT_DISPLACED) == 0) {
            agents->reason[unit] = FR_REASON_NONE;
            agents->target[unit] = agents->position[unit];
        }
    }
}

static void fields_change(fr_world *world, fr_rect tiles)
{
    int32_t shift = fr_cost_shift(fr_cost_nav(world->cost));
    fr_field_service_cost_changed(world->desk.fields, fr_nav_cells(shift, tiles));
}

static void cost_changed(fr_world *world, fr_rect rect)
{
    if (rect.width == 0) {
        return;
    }
    fr_rect changed = fr_cost_take_changed(world->cost);
    fields_change(world, changed);
    world_displace_units(world, rect);
    fr_orders_ground_changed(&world->desk, changed);
    fr_orders_walls_changed(&world->desk);
    world_end_displacements(world); /* whom a later command of the tick sets free again */
    world_event(world, (fr_event){.kind = FR_EVENT_COST_CHANGED, .rect = rect});
}

/* Costs without a part in walls and speeds. */
static void extras_changed(fr_world *world)
{
    fr_rect changed = fr_cost_take_changed(world->cost);
    if (changed.width > 0) {
        fields_change(world, changed);
        world_event(world, (fr_event){.kind = FR_EVENT_COST_CHANGED, .rect = changed});
    }
    fr_orders_extras_changed(&world->desk);
}

/* The unit does as the latest of its group was told, of those who are still there if any is. */
static void spawn(fr_world *world, const fr_unit_def *def)
{
    fr_agents *agents = &world->agents;
    uint32_t unit = fr_world_spawn(world, def), latest = FR_NO_UNIT;
    if (unit == FR_NO_UNIT) {
        world->commands_dropped++;
        return;
    }
    for (uint32_t other = unit; other-- > 0;) {
        bool is_there = agents->state[other] != FR_UNIT_GONE;
        if (agents->group[other] == def->group && (is_there || latest == FR_NO_UNIT)) {
            latest = other;
            if (is_there) {
                break;
            }
        }
    }
    if (latest == FR_NO_UNIT) {
        return;
    }
    if (agents->state[latest] == FR_UNIT_HOLDING) {
        agents->state[unit] = FR_UNIT_HOLDING;
    } else if (agents->order[latest] != FR_NO_INDEX && agents->state[latest] != FR_UNIT_IDLE) {
        fr_orders_join(&world->desk, unit, agents->order[latest]);
    }
}

/* Nothing happens if the target is gone already. */
static void follow(fr_world *world, const fr_command *command)
{
    const fr_agents *agents = &world->agents;
    if (command->target < (uint32_t)agents->count && agents->state[command->target] != FR_UNIT_GONE) {
        fr_orders_move(&world->desk, command->units, command->unit_count,
                       &(fr_order_aim){.goals = &agents->position[command->target],
                                       .goal_count = 1,
                                       .leader1 = command->target + 1});
    }
}

static void switch_congestion(fr_world *world)
{
    fr_congestion_switch(world->congestion, &world->desk,
                         world->wants_congestion && (world->config.without & FR_MECHANISM_CONGESTION) == 0);
}

static void apply(fr_world *world, const fr_command *command)
{
    switch (command->kind) {
    case FR_COMMAND_MOVE:
        fr_orders_move(&world->desk, command->units, command->unit_count,
                       &(fr_order_aim){.goals = command->goals,
                                       .prices = command->goal_prices,
                                       .capacities = command->goal_capacities,
                                       .goal_count = command->goal_count,
                                       .area = command->area,
                                       .caution = command->caution});
        break;
    case FR_COMMAND_STOP:
        stand(world, command, FR_UNIT_IDLE);
        break;
    case FR_COMMAND_HOLD:
        stand(world, command, FR_UNIT_HOLDING);
        break;
    case FR_COMMAND_SET_COST:
        cost_changed(world, fr_cost_set_edit(world->cost, command->rect, command->cost));
        break;
    case FR_COMMAND_RESTORE_COST:
        cost_changed(world, fr_cost_set_edit(world->cost, command->rect, 0));
        break;
    case FR_COMMAND_SET_TERRAIN:
        cost_changed(world, fr_cost_set_terrain(world->cost, command->rect, command->terrain, command->cost));
        break;
    case FR_COMMAND_SET_THREAT:
        fr_cost_set_threat(world->cost, command->threat_index, &command->threat);
        extras_changed(world);
        break;
    case FR_COMMAND_REMOVE_THREAT:
        fr_cost_set_threat(world->cost, command->threat_index, NULL);
        extras_changed(world);
        break;
    case FR_COMMAND_SET_RING:
        fr_cost_set_ring(world->cost, command->is_on);
        extras_changed(world);
        break;
    case FR_COMMAND_SPAWN:
        spawn(world, &command->unit);
        break;
    case FR_COMMAND_FOLLOW:
        follow(world, command);
        break;
    case FR_COMMAND_SET_CONGESTION:
        world->wants_congestion = command->is_on;
        switch_congestion(world);
        break;
    case FR_COMMAND_SET_MOVEMENT:
        world->config.mover = command->mover;
        world->config.without = command->without;
        switch_congestion(world);
        break;
    case FR_COMMAND_KIND_COUNT:
        break;
    }
}

static void remove_leavers(fr_world *world)
{
    fr_agents *agents = &world->agents;
    for (uint32_t unit = 0; world->any_group_leaves && unit < (uint32_t)agents->count; unit++) {
        const group *own = &world->groups[agents->group[unit]];
        if (own->leaves && agents->state[unit] != FR_UNIT_GONE &&
            fr_path_crosses(agents->previous[unit], agents->position[unit], own->leave_from, own->leave_to)) {
            fr_orders_leave(&world->desk, unit);
            world->displaced -= (agents->flags[unit] & FR_AGENT_DISPLACED) != 0;
            agents->flags[unit] = 0;
            agents->state[unit] = FR_UNIT_GONE;
            world_event(world, (fr_event){.kind = FR_EVENT_UNIT_LEFT, .id = unit});
        }
    }
}

/* Reports orders whose last unit has come to rest. */
static void note_done_orders(fr_world *world)
{
    fr_agents *agents = &world->agents;
    fr_orders *orders = &world->desk.orders;
    for (int32_t i = 0; i < orders->order_limit; i++) {
        fr_order *order = &orders->orders[i];
        order->was_moving = order->moving > 0;
        order->moving = 0;
    }
    for (int32_t unit = 0; unit < agents->count; unit++) {
        if (agents->state[unit] == FR_UNIT_MOVING) {
            orders->orders[agents->order[unit]].moving++;
        }
    }
    for (int32_t i = 0; i < orders->order_limit; i++) {
        const fr_order *order = &orders->orders[i];
        if (order->goal_count > 0 && order->was_moving && order->moving == 0 && order->followers > 0) {
            world_event(world, (fr_event){.kind = FR_EVENT_ORDER_DONE, .id = (uint32_t)i});
        }
    }
}

static void publish_fields(fr_world *world)
{
    fr_orders *orders = &world->desk.orders;
    bool published = fr_field_service_tick(world->desk.fields, world->tick);
    for (int32_t l = 0; published && l < orders->leg_limit; l++) {
        const fr_leg *leg = &orders->legs[l];
        if (leg->order != FR_NO_INDEX && leg->field == NULL &&
            fr_field_service_get(world->desk.fields, leg->field_id) != NULL) {
            world_event(world, (fr_event){.kind = FR_EVENT_FIELD_READY, .id = leg->order});
        }
    }
    fr_orders_refresh_fields(&world->desk);
}

void fr_world_tick(fr_world *world)
{
    world->event_count = 0;
    world->desk.tick = world->tick;
    for (int32_t i = 0; i < world->command_count; i++) {
        apply(world, &world->commands[i]);
    }
    world->command_count = world->command_unit_count = world->command_goal_count = 0;
    fr_orders_follow(&world->desk);
    fr_orders_share(&world->desk);
    fr_congestion_tick(world->congestion, &world->desk, world->config.map->full_speed_cost);
    publish_fields(world);
    fr_crowd_input input = {
        .agents = &world->agents,
        .orders = &world->desk.orders,
        .cost = world->cost,
        .way_out = world->desk.way_out,
        .executor = world->config.executor,
        .full_speed_cost = world->config.map->full_speed_cost,
        .tick = world->tick,
        .salt = fr_rng_next(&world->rng),
        .mover = world->config.mover,
        .without = world->config.without,
    };
    world->neighbours_dropped += fr_crowd_step(world->crowd, &input);
    world_end_displacements(world);
    remove_leavers(world);
    note_done_orders(world);
    world->tick++;
    world_refresh_snapshot(world);
}
