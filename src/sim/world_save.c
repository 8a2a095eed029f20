/* world_save: a whole world as bytes, and back. Little-endian machines share saved worlds; nothing in the
 * bytes is trusted: every index is checked before anything follows it. */
#include "sim/world_internal.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "sim/order_ground.h"

#define MAGIC        0x57535246u /* "FRSW" */
#define SAVE_VERSION 12u

typedef struct header {
    uint32_t magic, version, field_rule;
    int32_t width, height;
    uint32_t tick;
    uint64_t cost_hash; /* of the map as loaded */
    uint64_t rng, seed;
    int32_t unit_capacity, displaced, group_count;
    uint16_t mover, without;
    uint32_t wants_congestion;
    uint32_t end; /* 0: no byte of the struct is padding */
} header;

static uint64_t map_hash(const fr_map *map)
{
    uint64_t hash = FR_HASH_SEED;
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        uint64_t costs = fr_map_cost_hash(map, (fr_class)c);
        hash = fr_hash_bytes(hash, &costs, sizeof costs);
    }
    /* Its fields have other cells; one a tile is the rule. */
    return map->nav_shift == 0 ? hash : fr_hash_u32(hash, (uint32_t)map->nav_shift);
}

static void save_groups(const fr_world *world, fr_buffer *out)
{
    for (int32_t g = 0; g < world->group_count; g++) {
        const group *own = &world->groups[g];
        uint32_t length = (uint32_t)strlen(own->name);
        uint8_t leaves = own->leaves;
        fr_buffer_append(out, &length, sizeof length);
        fr_buffer_append(out, own->name, length);
        fr_buffer_append(out, &leaves, 1);
        fr_buffer_append(out, &own->leave_from, sizeof own->leave_from);
        fr_buffer_append(out, &own->leave_to, sizeof own->leave_to);
    }
}

static bool load_groups(fr_world *world, int32_t count, fr_reader *reader)
{
    for (int32_t g = 0; g < count; g++) {
        uint32_t length;
        if (!fr_reader_take(reader, &length, sizeof length) || length > reader->size - reader->at) {
            return false;
        }
        char *name = fr_alloc(length + 1, 1);
        uint8_t leaves = 0;
        fr_group_def def = {.name = name};
        bool ok = fr_reader_take(reader, name, length) && fr_reader_take(reader, &leaves, 1) &&
                  fr_reader_take(reader, &def.leave_from, sizeof def.leave_from) &&
                  fr_reader_take(reader, &def.leave_to, sizeof def.leave_to);
        def.leaves = leaves != 0;
        if (ok) {
            fr_world_add_group(world, &def);
        }
        fr_free(name);
        if (!ok) {
            return false;
        }
    }
    return true;
}

static void save_commands(const fr_world *world, fr_buffer *out)
{
    fr_buffer_append(out, &world->command_count, sizeof world->command_count);
    for (int32_t i = 0; i < world->command_count; i++) {
        const fr_command *command = &world->commands[i];
        fr_buffer_append(out, command, sizeof *command);
        fr_buffer_append(out, command->units, (size_t)command->unit_count * sizeof *command->units);
        fr_buffer_append(out, command->goals, (size_t)command->goal_count * sizeof *command->goals);
        if (command->goal_prices != NULL) {
            fr_buffer_append(out, command->goal_prices, (size_t)command->goal_count * sizeof(uint32_t));
        }
        if (command->goal_capacities != NULL) {
            fr_buffer_append(out, command->goal_capacities, (size_t)command->goal_count * sizeof(uint32_t));
        }
    }
}

static bool load_commands(fr_world *world, fr_reader *reader)
{
    int32_t count;
    if (!fr_reader_take(reader, &count, sizeof count) || count < 0 || count > world->command_capacity) {
        return false;
    }
    for (int32_t i = 0; i < count; i++) {
        fr_command command;
        if (!fr_reader_take(reader, &command, sizeof command) || !FR_BOOL_IS_SANE(command.is_on) ||
            command.unit_count < 0 || command.unit_count > world->command_unit_capacity ||
            command.goal_count < 0 || command.goal_count > FR_GOALS_MAX) {
            return false;
        }
        uint32_t *units = fr_alloc((size_t)command.unit_count, sizeof *units);
        fr_position goals[FR_GOALS_MAX];
        uint32_t prices[FR_GOALS_MAX], capacities[FR_GOALS_MAX];
        bool ok = fr_reader_take(reader, units, (size_t)command.unit_count * sizeof *units) &&
                  fr_reader_take(reader, goals, (size_t)command.goal_count * sizeof *goals) &&
                  (command.goal_prices == NULL ||
                   fr_reader_take(reader, prices, (size_t)command.goal_count * sizeof *prices)) &&
                  (command.goal_capacities == NULL ||
                   fr_reader_take(reader, capacities, (size_t)command.goal_count * sizeof *capacities));
        command.units = units;
        command.goal_prices = command.goal_prices == NULL ? NULL : prices;
        command.goal_capacities = command.goal_capacities == NULL ? NULL : capacities;
        command.goals = goals;
        ok = ok && fr_world_submit(world, &command) == FR_OK;
        fr_free(units);
        if (!ok) {
            return false;
        }
    }
    return true;
}

void fr_world_save(const fr_world *world, fr_buffer *out)
{
    size_t begin = out->size;
    header head = {
        .magic = MAGIC,
        .version = SAVE_VERSION,
        .field_rule = FR_FIELD_RULE_VERSION,
        .width = world->grid.width,
        .height = world->grid.height,
        .tick = world->tick,
        .cost_hash = map_hash(world->config.map),
        .rng = world->rng.state,
        .seed = world->config.seed,
        .unit_capacity = world->config.unit_capacity,
        .displaced = world->displaced,
        .group_count = world->group_count,
        .mover = (uint16_t)world->config.mover,
        .without = (uint16_t)world->config.without,
        .wants_congestion = world->wants_congestion,
    };
    fr_buffer_append(out, &head, sizeof head);
    save_groups(world, out);
    fr_cost_save(world->cost, out);
    fr_orders_save(&world->desk.orders, out);
    fr_agents_save(&world->agents, out);
    fr_field_service_save(world->desk.fields, out);
    fr_congestion_save(world->congestion, out);
    save_commands(world, out);
    uint64_t seal = fr_hash_bytes(FR_HASH_SEED, out->data + begin, out->size - begin);
    fr_buffer_append(out, &seal, sizeof seal);
}

/* Jams and legs must know one another. */
static bool load_congestion(fr_world *world, fr_reader *reader)
{
    if (!fr_congestion_load(world->congestion, world->cost, reader)) {
        return false;
    }
    const fr_orders *orders = &world->desk.orders;
    for (int32_t j = 0; j < FR_JAMS_MAX; j++) {
        if (fr_congestion_jam_leg(world->congestion, j) >= (uint32_t)orders->leg_limit &&
            fr_congestion_jam_leg(world->congestion, j) != FR_NO_INDEX) {
            return false;
        }
    }
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        const fr_leg *leg = &orders->legs[l];
        if (leg->jam > FR_JAMS_MAX ||
            (leg->jam > 0 && (!fr_cost_view_is_open(world->cost, FR_COST_FIRST_JAM + leg->jam - 1) ||
                              fr_congestion_jam_leg(world->congestion, leg->jam - 1) != (uint32_t)l))) {
            return false;
        }
    }
    return true;
}

static bool load_parts(fr_world *world, const header *head, fr_reader *reader)
{
    if (!load_groups(world, head->group_count, reader) || !fr_cost_load(world->cost, reader) ||
        !fr_orders_load(&world->desk.orders, world->cost, reader) ||
        !fr_agents_load(&world->agents, reader) || !world_units_are_sane(world) ||
        !world_orders_are_sane(world)) {
        return false;
    }
    fr_rect everything = {0, 0, world->grid.width, world->grid.height};
    fr_orders_ground_changed(&world->desk, everything);
    for (int32_t i = 0; i < world->agents.count; i++) {
        if (!fr_cost_view_is_open(world->cost, fr_ground_fit(&world->agents, (uint32_t)i))) {
            return false;
        }
        fr_orders_admit_again(&world->desk, (fr_class)world->agents.movement_class[i],
                              world->agents.radius[i]);
    }
    for (int32_t l = 0; l < world->desk.orders.leg_limit; l++) {
        const fr_leg *leg = &world->desk.orders.legs[l];
        if (leg->order != FR_NO_INDEX && leg->ways != leg->fit) {
            if (world->desk.way_out == NULL) {
                return false;
            }
            fr_ground_main_ways(&world->desk, leg->fit);
        }
    }
    return fr_field_service_load(world->desk.fields, reader) && world_fields_are_sane(world) &&
           load_congestion(world, reader) && load_commands(world, reader) && reader->at == reader->size;
}

/* A hash of all bytes stands behind them; takes it off their number. */
static bool is_sealed(const void *bytes, size_t *size)
{
    uint64_t seal;
    if (*size < sizeof seal) {
        return false;
    }
    *size -= sizeof seal;
    memcpy(&seal, (const uint8_t *)bytes + *size, sizeof seal);
    return seal == fr_hash_bytes(FR_HASH_SEED, bytes, *size);
}

fr_world *fr_world_load(const fr_world_config *config, const void *bytes, size_t size, fr_error *error)
{
    fr_reader reader = {.data = bytes, .size = size};
    header head;
    if (!fr_reader_take(&reader, &head, sizeof head) || head.magic != MAGIC) {
        fr_fail(error, FR_BAD_INPUT, "saved world: not a saved world");
        return NULL;
    }
    if (head.version != SAVE_VERSION || head.field_rule != FR_FIELD_RULE_VERSION) {
        fr_fail(error, FR_BAD_INPUT, "saved world: version %u with field rule %u, expected %u with %u",
                head.version, head.field_rule, SAVE_VERSION, (unsigned)FR_FIELD_RULE_VERSION);
        return NULL;
    }
    if (!is_sealed(bytes, &reader.size)) {
        fr_fail(error, FR_BAD_INPUT, "saved world: damaged: its bytes are not those that were saved");
        return NULL;
    }
    if (head.width != config->map->grid.width || head.height != config->map->grid.height ||
        head.cost_hash != map_hash(config->map)) {
        fr_fail(error, FR_BAD_INPUT, "saved world: it was saved on another map than %s", config->map->name);
        return NULL;
    }
    if (head.unit_capacity < 1 || head.unit_capacity > FR_UNITS_MAX || head.group_count < 0 ||
        head.group_count > FR_GROUPS_MAX || head.displaced < 0 || head.mover >= FR_MOVER_COUNT ||
        (head.without & ~FR_MECHANISMS_ALL) != 0 || head.wants_congestion > 1) {
        fr_fail(error, FR_BAD_INPUT, "saved world: header with numbers outside their limits");
        return NULL;
    }
    fr_world_config own = *config;
    own.seed = head.seed;
    own.mover = (fr_mover)head.mover;
    own.without = head.without;
    own.unit_capacity = head.unit_capacity;
    fr_world *world = fr_world_create(&own);
    world->tick = head.tick;
    world->rng.state = head.rng;
    world->displaced = head.displaced;
    world->wants_congestion = head.wants_congestion != 0;
    if (!load_parts(world, &head, &reader)) {
        fr_fail(error, FR_BAD_INPUT, "saved world: damaged at byte %zu of %zu", reader.at, reader.size);
        fr_world_destroy(world);
        return NULL;
    }
    fr_orders_restore_fields(&world->desk);
    world_refresh_snapshot(world);
    return world;
}
