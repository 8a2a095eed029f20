/* displace: walls that come down on units. Whoever is touched walks out to the nearest open cell of its
 * region, through the wall, a cell a tick at most; nobody is lost inside. */
#include "sim/world_internal.h"

#include "sim/order_ground.h"

/* A disc of this radius (cells) stands free in any open cell. */
#define CELL_RADIUS 0.5

static bool touches_wall(const fr_world *world, uint32_t unit, fr_position at)
{
    const fr_agents *agents = &world->agents;
    return !fr_cost_disc_is_clear(world->cost, agents->movement_class[unit], at,
                                  (double)agents->radius[unit]);
}

#define NO_HOME (FR_REGION_NONE - 1)

/* What one change is known to have walled up, so that a crowd in it does not search the map once for each
 * unit. */
typedef struct walled_up {
    bool whole_map[FR_CLASS_COUNT];
    uint32_t home[FR_CLASS_COUNT]; /* the last region found without an open cell, or NO_HOME */
    uint32_t tight[FR_COST_FITS];  /* likewise without one that is wide enough */
} walled_up;

/* Middle, side or corner of a cell, for every second half of a cell. */
static fr_position half_cell(int32_t x, int32_t y)
{
    return (fr_position){x * (FR_POSITION_ONE / 2), y * (FR_POSITION_ONE / 2)};
}

static walled_up nothing_known(void)
{
    walled_up walled = {0};
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        walled.home[c] = NO_HOME;
    }
    for (int fit = 0; fit < FR_COST_FITS; fit++) {
        walled.tight[fit] = NO_HOME;
    }
    return walled;
}

/* Is that the middle of a cell of the region, where the unit stands free? */
static bool is_wide_enough(const fr_world *world, uint32_t unit, uint32_t region, fr_cell cell)
{
    const fr_order_desk *desk = &world->desk;
    return fr_regions_at(desk->regions[fr_ground_fit(&world->agents, unit)], cell) != FR_REGION_NONE &&
           fr_regions_at(desk->regions[world->agents.movement_class[unit]], cell) == region &&
           !touches_wall(world, unit, fr_cell_centre(cell));
}

/* The middle of the nearest such cell, however far; `place` as it was if there is none. In squares round the
 * unit. */
static void find_wide_cell(const fr_world *world, uint32_t unit, uint32_t region, walled_up *walled,
                           fr_position *place)
{
    fr_position at = world->agents.position[unit];
    fr_cell own = fr_cell_at(at);
    fr_grid grid = world->grid;
    uint32_t *tight = &walled->tight[fr_ground_fit(&world->agents, unit)];
    int32_t most = *tight == region ? -1 : grid.width > grid.height ? grid.width : grid.height;
    float least = INFINITY;
    for (int32_t ring = 0; ring <= most && (float)ring < least + 1.0f; ring++) {
        for (int32_t y = own.y - ring; y <= own.y + ring; y++) {
            bool is_end = y == own.y - ring || y == own.y + ring;
            for (int32_t x = own.x - ring; x <= own.x + ring; x += is_end || ring == 0 ? 1 : 2 * ring) {
                fr_cell cell = {x, y};
                float way = fr_vec2_length(fr_position_delta(at, fr_cell_centre(cell)));
                if (way < least && fr_grid_contains(grid, cell) &&
                    is_wide_enough(world, unit, region, cell)) {
                    least = way;
                    *place = fr_cell_centre(cell);
                }
            }
        }
    }
    *tight = least < INFINITY ? *tight : region;
}

/* Where a wide disc stands free in the region that `out` is in, instead of being pushed off the walls all at
 * once when it has come there, or of standing in them for good: the place nearest to the unit within what its
 * width may take it further, ties by the smaller y, then x; else the nearest cell; `out` itself if there is
 * none in the whole region. */
static fr_position free_place(const fr_world *world, uint32_t unit, fr_cell out, walled_up *walled)
{
    const fr_agents *agents = &world->agents;
    const fr_regions *regions = world->desk.regions[agents->movement_class[unit]];
    fr_position at = agents->position[unit], best = fr_cell_centre(out);
    if ((double)agents->radius[unit] <= CELL_RADIUS || !touches_wall(world, unit, best)) {
        return best;
    }
    fr_cell cell = fr_cell_at(at);
    uint32_t region = fr_regions_at(regions, out);
    int32_t dx = out.x > cell.x ? out.x - cell.x : cell.x - out.x,
            dy = out.y > cell.y ? out.y - cell.y : cell.y - out.y;
    int32_t reach = (dx > dy ? dx : dy) + 2 * ((int32_t)agents->radius[unit] + 1);
    int64_t least = INT64_MAX;
    for (int32_t y = 2 * (cell.y - reach); y <= 2 * (cell.y + reach); y++) {
        for (int32_t x = 2 * (cell.x - reach); x <= 2 * (cell.x + reach); x++) {
            fr_position place = half_cell(x, y);
            int64_t off_x = (int64_t)place.x - at.x, off_y = (int64_t)place.y - at.y;
            int64_t squared = off_x * off_x + off_y * off_y;
            if (squared < least && fr_regions_at(regions, fr_cell_at(place)) == region &&
                !touches_wall(world, unit, place)) {
                least = squared;
                best = place;
            }
        }
    }
    if (least == INT64_MAX) {
        find_wide_cell(world, unit, region, walled, &best);
    }
    return best;
}

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
    agents->target[unit] = free_place(world, unit, out, walled);
    agents->reason[unit] = FR_REASON_DISPLACED;
    agents->open_cell[unit] = fr_grid_index(world->grid, fr_cell_at(agents->target[unit]));
}

void world_displace_units(fr_world *world, fr_rect rect)
{
    fr_agents *agents = &world->agents;
    int32_t margin = (int32_t)agents->radius_max + 1;
    walled_up walled = nothing_known();
    for (uint32_t unit = 0; unit < (uint32_t)agents->count; unit++) {
        if (agents->state[unit] == FR_UNIT_GONE) {
            continue;
        }
        if ((agents->flags[unit] & FR_AGENT_DISPLACED) != 0) {
            if (touches_wall(world, unit, agents->target[unit])) {
                displace(world, unit, &walled);
            }
            continue;
        }
        fr_cell cell = fr_cell_at(agents->position[unit]);
        if (cell.x >= rect.x - margin && cell.y >= rect.y - margin && cell.x < rect.x + rect.width + margin &&
            cell.y < rect.y + rect.height + margin && touches_wall(world, unit, agents->position[unit])) {
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
    return !touches_wall(world, unit, at) &&
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
