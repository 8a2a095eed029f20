#include "sim/scenario_stream.h"

#include "base/rng.h"
#include "sim/placement.h"

/* Places tried for one unit in one tick; with none of them free it waits. */
#define TRIES 40

/* Room on the ground as it is now, and apart from everybody by as much as at the start. */
static bool has_room(const fr_world *world, const fr_unit_def *unit)
{
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    double x = fr_cells(unit->position.x), y = fr_cells(unit->position.y), radius = (double)unit->radius;
    if (!fr_cost_disc_is_clear(snapshot->cost, (fr_cost_view)unit->movement_class, unit->position, radius)) {
        return false;
    }
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        double dx = fr_cells(snapshot->position[i].x) - x, dy = fr_cells(snapshot->position[i].y) - y;
        double apart = FR_PLACEMENT_SPACING * (radius + (double)snapshot->radius[i]);
        if (snapshot->state[i] != FR_UNIT_GONE && dx * dx + dy * dy < apart * apart) {
            return false;
        }
    }
    return true;
}

/* One unit of the group at most a tick: those queued in the same tick do not see each other. */
static void stream_group(const fr_scenario *scenario, int32_t index, fr_world *world)
{
    const fr_scenario_group *group = &scenario->groups[index];
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    int32_t come = 0;
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        come += snapshot->group[i] == index;
    }
    if (come >= group->count || (uint32_t)come > snapshot->tick / group->every) {
        return;
    }
    fr_rng rng = {fr_mix64(scenario->stream_seed ^ fr_mix64((uint64_t)index << 32 | snapshot->tick))};
    fr_unit_def unit = {
        .radius = group->radius,
        .speed = group->speed,
        .team = (uint8_t)group->team,
        .movement_class = group->movement_class,
        .group = (uint16_t)index,
    };
    for (int i = 0; i < TRIES; i++) {
        double x =
            group->area[0] + (double)scenario->stream_shift.x + group->area[2] * (double)fr_rng_unit(&rng);
        double y =
            group->area[1] + (double)scenario->stream_shift.y + group->area[3] * (double)fr_rng_unit(&rng);
        if (x < 0.0 || y < 0.0 || x >= snapshot->grid.width || y >= snapshot->grid.height) {
            continue;
        }
        unit.position = fr_grid_clamp_position(snapshot->grid, fr_position_at(x, y));
        if (has_room(world, &unit)) {
            fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_SPAWN, .unit = unit});
            return;
        }
    }
}

void fr_scenario_stream(const fr_scenario *scenario, fr_world *world)
{
    for (int32_t g = 0; g < scenario->group_count; g++) {
        if (scenario->groups[g].every > 0) {
            stream_group(scenario, g, world);
        }
    }
}
