#include "sim/order_ground.h"

#include "grid/clearance.h"
#include "grid/nav.h"
#include "sim/order_goals.h"

/* A wide disc may stand, squeezed in, this far from the next cell into which it is known to fit (cells). */
#define SQUEEZE_CELLS 3

/* Marks a region of tiles in which no field cell is open. */
#define BY_TILES 0x80000000u
_Static_assert(FR_MAP_CELLS_MAX < BY_TILES, "there are fewer regions than tiles");

fr_cost_view fr_ground_fit(const fr_agents *agents, uint32_t unit)
{
    return fr_cost_fit((fr_class)agents->movement_class[unit], fr_clearance_of(agents->radius[unit]));
}

static int32_t nav_shift(const fr_order_desk *desk)
{
    return fr_cost_shift(fr_cost_nav(desk->cost));
}

static void admit(fr_order_desk *desk, fr_cost_view fit)
{
    if (desk->regions[fit] == NULL) {
        bool is_tile = nav_shift(desk) == 0;
        desk->regions[fit] = fr_regions_create(desk->cost, fit);
        desk->nav_regions[fit] =
            is_tile ? desk->regions[fit] : fr_regions_create(fr_cost_nav(desk->cost), fit);
        fr_way_out_admit(desk->way_out, fit);
    }
}

void fr_orders_admit(fr_order_desk *desk, fr_class movement_class, float radius)
{
    fr_cost_view_def def = {.movement_class = movement_class, .clearance = (uint8_t)fr_clearance_of(radius)};
    fr_cost_view_open(desk->cost, def);
    fr_cost_view fit = fr_cost_fit(movement_class, def.clearance);
    admit(desk, movement_class);
    admit(desk, fit);
}

void fr_orders_ground_changed(fr_order_desk *desk, fr_rect rect)
{
    fr_rect cells = fr_nav_cells(nav_shift(desk), rect);
    for (int fit = 0; fit < FR_COST_FITS; fit++) {
        if (desk->regions[fit] == NULL || fit % FR_CLASS_COUNT == FR_CLASS_AIR) {
            continue;
        }
        fr_regions_update(desk->regions[fit], rect);
        if (desk->nav_regions[fit] != desk->regions[fit]) {
            fr_regions_update(desk->nav_regions[fit], cells);
        }
    }
    fr_way_out_update(desk->way_out, rect);
}

void fr_orders_drop_ground(fr_order_desk *desk)
{
    for (int fit = 0; fit < FR_COST_FITS; fit++) {
        if (desk->nav_regions[fit] != desk->regions[fit]) {
            fr_regions_destroy(desk->nav_regions[fit]);
        }
        fr_regions_destroy(desk->regions[fit]);
    }
    fr_way_out_destroy(desk->way_out);
}

fr_cost_view_def fr_ground_view_def(const fr_order_desk *desk, fr_cost_view fit, fr_caution caution,
                                    uint8_t team)
{
    fr_class own = (fr_class)(fit % FR_CLASS_COUNT);
    return (fr_cost_view_def){.movement_class = fr_cost_canonical_class(desk->cost, own),
                              .clearance = (uint8_t)(fit / FR_CLASS_COUNT),
                              .caution = (uint8_t)caution,
                              .team = team};
}

fr_cost_view fr_ground_view(const fr_order_desk *desk, fr_cost_view fit, fr_caution caution, uint8_t team)
{
    return fr_cost_view_open(desk->cost, fr_ground_view_def(desk, fit, caution, team));
}

uint32_t fr_ground_region_at(const fr_order_desk *desk, fr_cost_view fit, fr_cell tile)
{
    fr_cell end;
    if (fr_way_out_end(desk->way_out, fit, tile, &end)) {
        return fr_regions_at(desk->nav_regions[fit], fr_nav_cell_of(nav_shift(desk), end));
    }
    uint32_t region = fr_regions_at(desk->regions[fit], tile);
    return region == FR_REGION_NONE ? region : region | BY_TILES;
}

uint32_t fr_ground_region(const fr_order_desk *desk, uint32_t unit)
{
    const fr_regions *ground = desk->regions[desk->agents->movement_class[unit]];
    fr_cost_view fit = fr_ground_fit(desk->agents, unit);
    fr_cell cell = fr_grid_cell(fr_cost_grid(desk->cost), desk->agents->open_cell[unit]);
    uint32_t home = fr_regions_at(ground, cell), nearest = fr_ground_region_at(desk, fit, cell);
    if (home == FR_REGION_NONE || nearest != FR_REGION_NONE) {
        return nearest;
    }
    int32_t least = INT32_MAX;
    for (int32_t dy = -SQUEEZE_CELLS; dy <= SQUEEZE_CELLS; dy++) {
        for (int32_t dx = -SQUEEZE_CELLS; dx <= SQUEEZE_CELLS; dx++) {
            fr_cell near = {cell.x + dx, cell.y + dy};
            uint32_t region = fr_ground_region_at(desk, fit, near);
            if (region != FR_REGION_NONE && fr_regions_at(ground, near) == home &&
                dx * dx + dy * dy < least) {
                least = dx * dx + dy * dy;
                nearest = region;
            }
        }
    }
    return nearest;
}

static int32_t clamp(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

bool fr_ground_nearest(const fr_order_desk *desk, fr_cost_view fit, uint32_t region, fr_position goal,
                       fr_cell *nearest)
{
    const fr_regions *tiles = desk->regions[fit], *cells = desk->nav_regions[fit];
    if (tiles == cells || region == FR_REGION_NONE) {
        return fr_regions_nearest(tiles, region, goal, nearest);
    }
    if ((region & BY_TILES) != 0) {
        return fr_regions_nearest(tiles, region & ~BY_TILES, goal, nearest);
    }
    int32_t shift = nav_shift(desk);
    fr_cell cell;
    if (!fr_regions_nearest(cells, region, fr_nav_position(shift, goal), &cell)) {
        return false;
    }
    /* A tile without an open field cell may be nearer still; unless another region leads there. */
    fr_rect rect = fr_nav_tiles(shift, (fr_rect){cell.x, cell.y, 1, 1});
    fr_cell at = fr_cell_at(goal), own = {clamp(at.x, rect.x, rect.x + rect.width - 1),
                                          clamp(at.y, rect.y, rect.y + rect.height - 1)};
    if (!fr_regions_nearest(tiles, fr_regions_at(tiles, own), goal, nearest) ||
        fr_ground_region_at(desk, fit, *nearest) != region) {
        *nearest = own;
    }
    return true;
}

fr_cell fr_ground_field_cell(const fr_order_desk *desk, fr_cost_view fit, fr_position position)
{
    return fr_way_out_cell(desk->way_out, nav_shift(desk), fit, position);
}

void fr_leg_begin_jam(fr_order_desk *desk, fr_leg *leg, int32_t jam)
{
    fr_caution caution = desk->orders.orders[leg->order].caution;
    fr_grid grid = fr_cost_grid(fr_cost_nav(desk->cost));
    leg->jam = (uint8_t)(jam + 1);
    fr_cost_view view =
        fr_cost_jam_open(desk->cost, jam, fr_ground_view_def(desk, leg->fit, caution, leg->team));
    fr_field_service_view_changed(desk->fields, view, (fr_rect){0, 0, grid.width, grid.height});
    leg->jam_field_id = fr_leg_ask_for_field(desk, leg, view);
}

void fr_leg_end_jam(fr_order_desk *desk, fr_leg *leg)
{
    fr_field_service_release(desk->fields, leg->jam_field_id);
    leg->jam_field_id = (fr_field_id){0, 0};
    leg->jam = 0;
    leg->view = leg->own_view;
}
