/* displace: walls that come down on units. Whoever is touched walks out to the nearest open cell of its
 * region, through the wall, a cell a tick at most; nobody is lost inside. */
#include "sim/world_internal.h"

/* Does the disc touch a wall in the cells around it? */
static bool touches_wall(const fr_world *world, uint32_t unit)
{
    const fr_agents *agents = &world->agents;
    fr_position at = agents->position[unit];
    fr_class movement_class = (fr_class)agents->movement_class[unit];
    fr_cell cell = fr_cell_at(at);
    double radius = (double)agents->radius[unit];
    int32_t reach = (int32_t)radius + 1;
    double x = fr_cells(at.x), y = fr_cells(at.y);
    for (int32_t cy = cell.y - reach; cy <= cell.y + reach; cy++) {
        for (int32_t cx = cell.x - reach; cx <= cell.x + reach; cx++) {
            if (fr_cost_walkable(world->cost, movement_class, (fr_cell){cx, cy})) {
                continue;
            }
            double dx = x < cx ? cx - x : x > cx + 1 ? x - cx - 1 : 0.0;
            double dy = y < cy ? cy - y : y > cy + 1 ? y - cy - 1 : 0.0;
            if (dx * dx + dy * dy < radius * radius) {
                return true;
            }
        }
    }
    return false;
}

#define NO_HOME (FR_REGION_NONE - 1)

/* What one change is known to have walled up, so that a crowd in it does not search the map once for each
 * unit. */
typedef struct walled_up {
    bool whole_map[FR_CLASS_COUNT];
    uint32_t home[FR_CLASS_COUNT]; /* the last region found without an open cell, or NO_HOME */
} walled_up;

/* Sends a unit out. `regions` may still describe the time before the change: the way out lies where it was at
 * home. */
static void displace(fr_world *world, uint32_t unit, walled_up *walled)
{
    fr_agents *agents = &world->agents;
    const fr_regions *regions = world->desk.regions[agents->movement_class[unit]];
    uint32_t home = fr_orders_unit_region(&world->desk, unit);
    fr_cell out;
    int movement_class = agents->movement_class[unit];
    if (walled->whole_map[movement_class]) {
        return; /* no open cell is left: it stays where it is */
    }
    bool found = walled->home[movement_class] != home &&
                 fr_regions_nearest(regions, home, agents->position[unit], &out);
    if (!found) {
        walled->home[movement_class] = home;
        if (!fr_regions_nearest(regions, FR_REGION_NONE, agents->position[unit], &out)) {
            walled->whole_map[movement_class] = true;
            return;
        }
    }
    if ((agents->flags[unit] & FR_AGENT_DISPLACED) == 0) {
        world->displaced++;
        fr_agents_restart(agents, unit);
    }
    agents->flags[unit] |= FR_AGENT_DISPLACED;
    agents->target[unit] = fr_cell_centre(out);
    agents->reason[unit] = FR_REASON_DISPLACED;
    agents->open_cell[unit] = fr_grid_index(world->grid, out);
}

void world_displace_units(fr_world *world, fr_rect rect)
{
    fr_agents *agents = &world->agents;
    int32_t margin = (int32_t)agents->radius_max + 1;
    walled_up walled = {.home = {NO_HOME, NO_HOME, NO_HOME, NO_HOME}};
    for (uint32_t unit = 0; unit < (uint32_t)agents->count; unit++) {
        if (agents->state[unit] == FR_UNIT_GONE) {
            continue;
        }
        if ((agents->flags[unit] & FR_AGENT_DISPLACED) != 0) {
            if (!fr_cost_walkable(world->cost, (fr_class)agents->movement_class[unit],
                                  fr_cell_at(agents->target[unit]))) {
                displace(world, unit, &walled);
            }
            continue;
        }
        fr_cell cell = fr_cell_at(agents->position[unit]);
        if (cell.x >= rect.x - margin && cell.y >= rect.y - margin && cell.x < rect.x + rect.width + margin &&
            cell.y < rect.y + rect.height + margin && touches_wall(world, unit)) {
            displace(world, unit, &walled);
        }
    }
}

/* Has it come out: to the place it was sent to, or to another of its region where it stands free? */
static bool is_out(const fr_world *world, uint32_t unit)
{
    const fr_agents *agents = &world->agents;
    fr_position at = agents->position[unit], target = agents->target[unit];
    if (at.x == target.x && at.y == target.y) {
        return true;
    }
    const fr_regions *regions = world->desk.regions[agents->movement_class[unit]];
    return !touches_wall(world, unit) &&
           fr_regions_at(regions, fr_cell_at(at)) == fr_orders_unit_region(&world->desk, unit);
}

void world_end_displacements(fr_world *world)
{
    fr_agents *agents = &world->agents;
    for (uint32_t unit = 0; world->displaced > 0 && unit < (uint32_t)agents->count; unit++) {
        if ((agents->flags[unit] & FR_AGENT_DISPLACED) == 0 || !is_out(world, unit)) {
            continue;
        }
        world->displaced--;
        agents->target[unit] = agents->position[unit];
        agents->open_cell[unit] = fr_grid_index(world->grid, fr_cell_at(agents->position[unit]));
        agents->flags[unit] &= (uint8_t)~FR_AGENT_DISPLACED;
        agents->reason[unit] = FR_REASON_NONE;
        uint32_t index = agents->leg[unit];
        if (index == FR_NO_INDEX) {
            continue;
        }
        /* Its place may lie under the wall: it looks for another. */
        fr_leg *leg = &world->desk.orders.legs[index];
        if ((agents->flags[unit] & FR_AGENT_HAS_SLOT) != 0) {
            leg->unclaimed++;
        }
        agents->flags[unit] = FR_AGENT_RECHECK;
        agents->state[unit] = FR_UNIT_MOVING;
        agents->target[unit] = leg->goal;
        fr_agents_restart(agents, unit);
    }
}
