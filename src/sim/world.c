#include "sim/world_internal.h"

#include <string.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"

/* Commands of one tick beyond one for every unit, their goals likewise, and events. */
#define COMMANDS_MAX      1024
#define COMMAND_GOALS_MAX 16384
#define EVENTS_MAX        4096

fr_world_config fr_world_config_default(void)
{
    return (fr_world_config){
        .executor = fr_executor_inline(),
        .seed = 1,
        .unit_capacity = 16384,
        .field_bytes = FR_FIELD_BYTES,
    };
}

static bool movement_is_sane(fr_mover mover, uint32_t without)
{
    return (unsigned)mover < FR_MOVER_COUNT && (without & ~FR_MECHANISMS_ALL) == 0;
}

fr_world *fr_world_create(const fr_world_config *config)
{
    FR_ASSERT(config->map != NULL);
    FR_ASSERT(movement_is_sane(config->mover, config->without));
    FR_ASSERT(config->unit_capacity >= 1 && config->unit_capacity <= FR_UNITS_MAX);
    fr_world *world = fr_alloc(1, sizeof *world);
    size_t units = (size_t)config->unit_capacity;
    world->config = *config;
    world->grid = config->map->grid;
    world->rng.state = config->seed;
    world->cost = fr_cost_create(config->map);
    fr_agents_init(&world->agents, config->unit_capacity);
    fr_orders_init(&world->desk.orders, config->unit_capacity);
    world->desk.agents = &world->agents;
    world->desk.cost = world->cost;
    /* Other classes get theirs with their first unit: 2 bytes a cell each. */
    world->desk.way_out = fr_way_out_create(world->cost);
    fr_orders_admit(&world->desk, FR_CLASS_FOOT, FR_RADIUS_DEFAULT);
    world->desk.fields = fr_field_service_create(fr_cost_field(world->cost), config->executor,
                                                 config->field_bytes, config->now_ns, config->clock);
    world->desk.leg_scratch = fr_alloc_raw(units + 1, sizeof *world->desk.leg_scratch);
    world->desk.share_scratch = fr_alloc_raw(units, sizeof *world->desk.share_scratch);
    world->congestion = fr_congestion_create(world->grid);
    world->crowd = fr_crowd_create(world->grid, config->unit_capacity);
    world->command_capacity = config->unit_capacity + COMMANDS_MAX;
    world->commands = fr_alloc((size_t)world->command_capacity, sizeof *world->commands);
    world->command_unit_capacity = 4 * config->unit_capacity + 4096;
    world->command_units = fr_alloc_raw((size_t)world->command_unit_capacity, sizeof *world->command_units);
    world->command_goal_capacity = config->unit_capacity + COMMAND_GOALS_MAX;
    world->command_goals = fr_alloc_raw((size_t)world->command_goal_capacity, sizeof *world->command_goals);
    world->command_prices = fr_alloc_raw((size_t)world->command_goal_capacity, sizeof *world->command_prices);
    world->command_capacities =
        fr_alloc_raw((size_t)world->command_goal_capacity, sizeof *world->command_capacities);
    world->events = fr_alloc(EVENTS_MAX, sizeof *world->events);
    world->order_views = fr_alloc(units + 1, sizeof *world->order_views);
    world_refresh_snapshot(world);
    return world;
}

void fr_world_destroy(fr_world *world)
{
    if (world == NULL) {
        return;
    }
    fr_field_service_destroy(world->desk.fields);
    fr_orders_drop_ground(&world->desk);
    for (int32_t g = 0; g < world->group_count; g++) {
        fr_free(world->groups[g].name);
    }
    fr_free(world->groups);
    fr_free(world->group_views);
    fr_crowd_destroy(world->crowd);
    fr_congestion_destroy(world->congestion);
    fr_orders_fini(&world->desk.orders);
    fr_agents_fini(&world->agents);
    fr_cost_destroy(world->cost);
    fr_free(world->desk.leg_scratch);
    fr_free(world->desk.share_scratch);
    fr_free(world->commands);
    fr_free(world->command_units);
    fr_free(world->command_goals);
    fr_free(world->command_prices);
    fr_free(world->command_capacities);
    fr_free(world->events);
    fr_free(world->order_views);
    fr_free(world);
}

int32_t fr_world_add_group(fr_world *world, const fr_group_def *def)
{
    FR_ASSERT(world->group_count < FR_GROUPS_MAX);
    if (world->group_count == world->group_capacity) {
        world->group_capacity = world->group_capacity > 0 ? 2 * world->group_capacity : 16;
        size_t capacity = (size_t)world->group_capacity;
        world->groups = fr_realloc(world->groups, capacity, sizeof *world->groups);
        world->group_views = fr_realloc(world->group_views, capacity, sizeof *world->group_views);
    }
    int32_t index = world->group_count++;
    world->groups[index] = (group){.name = fr_strdup(def->name),
                                   .leaves = def->leaves,
                                   .leave_from = def->leave_from,
                                   .leave_to = def->leave_to};
    world->group_views[index] = (fr_group_view){.name = world->groups[index].name,
                                                .leaves = def->leaves,
                                                .leave_from = def->leave_from,
                                                .leave_to = def->leave_to};
    world->any_group_leaves |= def->leaves;
    world_refresh_snapshot(world);
    return index;
}

static bool unit_is_sane(const fr_world *world, const fr_unit_def *unit)
{
    return (int32_t)unit->group < world->group_count && (unsigned)unit->movement_class < FR_CLASS_COUNT &&
           unit->team < FR_TEAMS_MAX && unit->radius >= FR_RADIUS_MIN && unit->radius <= FR_RADIUS_MAX &&
           unit->speed >= FR_SPEED_MIN && unit->speed <= FR_SPEED_MAX;
}

uint32_t fr_world_spawn(fr_world *world, const fr_unit_def *unit)
{
    fr_agents *agents = &world->agents;
    FR_ASSERT(unit_is_sane(world, unit));
    fr_cell cell = fr_cell_at(unit->position);
    if (agents->count == agents->capacity || !fr_cost_walkable(world->cost, unit->movement_class, cell)) {
        return FR_NO_UNIT;
    }
    fr_orders_admit(&world->desk, unit->movement_class, unit->radius);
    uint32_t id = (uint32_t)agents->count++;
    agents->position[id] = agents->previous[id] = agents->target[id] = unit->position;
    /* Teams that stand about look different ways; nothing but the picture depends on it. */
    agents->facing[id] = FR_STEPS[fr_mix64(id) % FR_DIR_COUNT].unit;
    agents->radius[id] = unit->radius;
    agents->speed[id] = unit->speed;
    agents->team[id] = unit->team;
    agents->movement_class[id] = (uint8_t)unit->movement_class;
    agents->group[id] = unit->group;
    agents->leaves[id] = world->groups[unit->group].leaves;
    agents->state[id] = FR_UNIT_IDLE;
    agents->order[id] = agents->leg[id] = FR_NO_INDEX;
    agents->open_cell[id] = fr_grid_index(world->grid, cell);
    agents->radius_max = unit->radius > agents->radius_max ? unit->radius : agents->radius_max;
    agents->speed_max = unit->speed > agents->speed_max ? unit->speed : agents->speed_max;
    world_refresh_snapshot(world);
    return id;
}

static fr_status drop_command(fr_world *world)
{
    world->commands_dropped++;
    return FR_LIMIT;
}

static bool goals_are_sane(const fr_world *world, const fr_command *command)
{
    if (command->area.kind != FR_AREA_NONE) {
        if (!fr_area_is_sane(&command->area)) {
            return false;
        }
        fr_area area = fr_area_clamp(&command->area, world->grid);
        int32_t cells = fr_area_count(&area, world->grid);
        return cells >= 1 && cells <= FR_FIELD_GOALS_MAX;
    }
    bool sane = command->goal_count >= 1 && command->goal_count <= FR_GOALS_MAX;
    for (int32_t g = 0; sane && command->goal_prices != NULL && g < command->goal_count; g++) {
        sane = command->goal_prices[g] <= FR_GOAL_PRICE_MAX;
    }
    uint32_t room = command->goal_capacities == NULL;
    for (int32_t g = 0; sane && command->goal_capacities != NULL && g < command->goal_count; g++) {
        sane = command->goal_capacities[g] <= FR_UNITS_MAX;
        room |= command->goal_capacities[g];
    }
    return sane && room > 0;
}

static bool threat_is_sane(const fr_command *command)
{
    bool sets = command->kind == FR_COMMAND_SET_THREAT;
    return (!sets && command->kind != FR_COMMAND_REMOVE_THREAT) ||
           (command->threat_index >= 0 && command->threat_index < FR_THREATS_MAX &&
            (!sets || fr_threat_is_sane(&command->threat)));
}

fr_status fr_world_submit(fr_world *world, const fr_command *command)
{
    bool moves = command->kind == FR_COMMAND_MOVE;
    bool edits = command->kind == FR_COMMAND_SET_COST || command->kind == FR_COMMAND_SET_TERRAIN;
    if ((unsigned)command->kind >= FR_COMMAND_KIND_COUNT || command->unit_count < 0 ||
        (moves && !goals_are_sane(world, command)) || (edits && command->cost == 0) ||
        !threat_is_sane(command) ||
        (command->kind == FR_COMMAND_SPAWN && !unit_is_sane(world, &command->unit)) ||
        !movement_is_sane(command->mover, command->without) ||
        (unsigned)command->caution >= FR_CAUTION_COUNT || (unsigned)command->terrain >= FR_TERRAIN_COUNT) {
        return FR_BAD_INPUT;
    }
    fr_command copy = *command;
    fr_position middle;
    copy.goal_count = moves ? command->goal_count : 0;
    copy.area = (fr_area){.kind = FR_AREA_NONE};
    if (moves && command->area.kind != FR_AREA_NONE) {
        copy.area = fr_area_clamp(&command->area, world->grid);
        middle = fr_area_centre(&copy.area);
        copy.goals = &middle;
        copy.goal_count = 1;
        copy.goal_prices = copy.goal_capacities = NULL;
    }
    if (world->command_count == world->command_capacity ||
        copy.unit_count > world->command_unit_capacity - world->command_unit_count ||
        copy.goal_count > world->command_goal_capacity - world->command_goal_count) {
        return drop_command(world);
    }
    uint32_t *units = world->command_units + world->command_unit_count;
    if (copy.unit_count > 0) {
        memcpy(units, command->units, (size_t)copy.unit_count * sizeof *units);
    }
    copy.units = units;
    world->command_unit_count += copy.unit_count;
    fr_position *goals = world->command_goals + world->command_goal_count;
    for (int32_t g = 0; g < copy.goal_count; g++) {
        goals[g] = fr_grid_clamp_position(world->grid, copy.goals[g]);
    }
    copy.goals = goals;
    if (copy.goal_count > 0 && copy.goal_prices != NULL) {
        uint32_t *prices = world->command_prices + world->command_goal_count;
        memcpy(prices, copy.goal_prices, (size_t)copy.goal_count * sizeof *prices);
        copy.goal_prices = prices;
    }
    if (copy.goal_count > 0 && copy.goal_capacities != NULL) {
        uint32_t *capacities = world->command_capacities + world->command_goal_count;
        memcpy(capacities, copy.goal_capacities, (size_t)copy.goal_count * sizeof *capacities);
        copy.goal_capacities = capacities;
    }
    world->command_goal_count += copy.goal_count;
    world->commands[world->command_count++] = copy;
    return FR_OK;
}

const fr_command *fr_world_queued(const fr_world *world, int32_t *count)
{
    *count = world->command_count;
    return world->commands;
}

void world_event(fr_world *world, fr_event event)
{
    if (world->event_count == EVENTS_MAX) {
        world->events_dropped++;
        return;
    }
    world->events[world->event_count++] = event;
}

const fr_event *fr_world_events(const fr_world *world, int32_t *count)
{
    *count = world->event_count;
    return world->events;
}

void world_refresh_snapshot(fr_world *world)
{
    const fr_orders *orders = &world->desk.orders;
    for (int32_t i = 0; i < orders->order_limit; i++) {
        const fr_order *order = &orders->orders[i];
        world->order_views[i] = (fr_order_view){
            .tick = order->tick,
            .goals = fr_order_goals(orders, order),
            .goal_count = order->goal_count,
            .unit_count = order->goal_count > 0 ? order->unit_count : 0,
            .prices = order->goal_set >= 0 && order->goal_count > 1 ? fr_order_prices(orders, order) : NULL,
            .area = order->area,
            .is_follow = order->leader1 != 0};
    }
    const fr_agents *agents = &world->agents;
    world->snapshot = (fr_snapshot){
        .tick = world->tick,
        .grid = world->grid,
        .full_speed_cost = world->config.map->full_speed_cost,
        .mover = world->config.mover,
        .without = world->config.without,
        .unit_count = agents->count,
        .unit_capacity = agents->capacity,
        .position = agents->position,
        .previous = agents->previous,
        .velocity = agents->velocity,
        .facing = agents->facing,
        .radius = agents->radius,
        .speed = agents->speed,
        .team = agents->team,
        .movement_class = agents->movement_class,
        .state = agents->state,
        .reason = agents->reason,
        .group = agents->group,
        .order = agents->order,
        .goal1 = agents->goal1,
        .target = agents->target,
        .orders = world->order_views,
        .order_count = orders->order_limit,
        .groups = world->group_views,
        .group_count = world->group_count,
        .cost = world->cost,
        .way_out = world->desk.way_out,
        .jams = fr_congestion_jams(world->congestion),
        .congestion = fr_congestion_is_on(world->congestion),
    };
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        world->snapshot.regions[c] = world->desk.regions[c];
    }
}

const fr_snapshot *fr_world_snapshot(const fr_world *world)
{
    return &world->snapshot;
}

uint64_t fr_world_hash(const fr_world *world)
{
    uint64_t hash = fr_hash_u32(FR_HASH_SEED, world->tick);
    hash = fr_hash_u32(hash, (uint32_t)world->config.mover << FR_MECHANISM_COUNT | world->config.without);
    hash = fr_hash_u32(hash, world->wants_congestion);
    hash = fr_hash_bytes(hash, &world->rng.state, sizeof world->rng.state);
    uint64_t cost = fr_cost_hash(world->cost);
    hash = fr_hash_bytes(hash, &cost, sizeof cost);
    hash = fr_field_service_hash(world->desk.fields, hash);
    const fr_orders *orders = &world->desk.orders;
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        const fr_leg *leg = &orders->legs[l];
        hash = fr_hash_u32(hash, leg->order);
        hash = fr_hash_u32(hash, (uint32_t)leg->units ^ (uint32_t)leg->slot_count << 16);
        hash = fr_hash_bytes(hash, &leg->goals_key, sizeof leg->goals_key);
    }
    hash = fr_congestion_hash(world->congestion, world->cost, hash);
    return fr_agents_hash(&world->agents, hash);
}

/* The null id if the unit has no order that needs a field. */
static fr_field_id unit_field_id(const fr_world *world, uint32_t unit)
{
    if (unit >= (uint32_t)world->agents.count || world->agents.leg[unit] == FR_NO_INDEX) {
        return (fr_field_id){0, 0};
    }
    const fr_leg *leg = &world->desk.orders.legs[world->agents.leg[unit]];
    bool jammed = fr_field_service_get(world->desk.fields, leg->jam_field_id) != NULL;
    return jammed ? leg->jam_field_id : leg->field_id;
}

const fr_field *fr_world_unit_field(const fr_world *world, uint32_t unit)
{
    return fr_field_service_get(world->desk.fields, unit_field_id(world, unit));
}

fr_field_standing fr_world_unit_field_standing(const fr_world *world, uint32_t unit)
{
    return fr_field_service_standing(world->desk.fields, unit_field_id(world, unit));
}

fr_world_stats fr_world_statistics(const fr_world *world)
{
    fr_field_service_stats fields = fr_field_service_statistics(world->desk.fields);
    return (fr_world_stats){
        .fields_live = fields.live,
        .fields_built = fields.built,
        .field_cache_hits = fields.cache_hits,
        .field_evictions = fields.evictions,
        .fields_denied = fields.denied,
        .extras_denied = fr_cost_views_denied(world->cost) + fr_congestion_denied(world->congestion),
        .fields_pending = fields.pending,
        .fields_cancelled = fields.cancelled,
        .orders_merged = world->desk.orders_merged,
        .field_waits = fields.waits,
        .field_wait_ns_max = fields.wait_ns_max,
        .field_wait_ns_last = fields.wait_ns_last,
        .field_build_ns_last = fields.build_ns_last,
        .field_work_ns = fields.work_ns,
        .field_bytes = fields.bytes,
        .field_bytes_max = fields.held_max,
        .field_handover_cosine = fields.handover_cosine,
        .commands_dropped = world->commands_dropped + world->desk.goal_sets_denied,
        .events_dropped = world->events_dropped,
        .neighbours_dropped = world->neighbours_dropped,
    };
}
