#include "sim/order_ground.h"

#include "grid/clearance.h"
#include "grid/nav.h"
#include "sim/order_goals.h"

/* A wide disc may stand, squeezed in, this far from the next cell into which it is known to fit (cells). */
#define SQUEEZE_CELLS 3

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
    /* Orders go by the costs of the class that stands for all that pay the same: not opened within a tick. */
    def.movement_class = fr_cost_canonical_class(desk->cost, movement_class);
    fr_cost_view_open(desk->cost, def);
    fr_orders_admit_again(desk, movement_class, radius);
}

void fr_orders_admit_again(fr_order_desk *desk, fr_class movement_class, float radius)
{
    admit(desk, movement_class);
    admit(desk, fr_cost_fit(movement_class, fr_clearance_of(radius)));
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
    for (fr_cost_view fit = 0; fit < FR_COST_FITS; fit++) {
        if (fr_way_out_has_main(desk->way_out, fit)) {
            fr_way_out_find_main(desk->way_out, fit, desk->regions[fit], desk->nav_regions[fit]);
        }
    }
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

static fr_cost_view_def view_def(const fr_order_desk *desk, fr_cost_view fit, fr_caution caution,
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
    return fr_cost_view_open(desk->cost, view_def(desk, fit, caution, team));
}

fr_ground fr_ground_at(const fr_order_desk *desk, fr_cost_view fit, fr_cell tile)
{
    fr_ground ground = {fr_regions_at(desk->regions[fit], tile), FR_REGION_NONE};
    fr_cell end;
    if (fr_way_out_end(desk->way_out, fit, tile, &end)) {
        ground.cells = fr_regions_at(desk->nav_regions[fit], fr_nav_cell_of(nav_shift(desk), end));
    }
    return ground;
}

fr_ground fr_ground_of(const fr_order_desk *desk, uint32_t unit)
{
    const fr_regions *class_regions = desk->regions[desk->agents->movement_class[unit]];
    fr_cost_view fit = fr_ground_fit(desk->agents, unit);
    fr_cell cell = fr_grid_cell(fr_cost_grid(desk->cost), desk->agents->open_cell[unit]);
    uint32_t home = fr_regions_at(class_regions, cell);
    fr_ground nearest = fr_ground_at(desk, fit, cell);
    if (home == FR_REGION_NONE || nearest.tiles != FR_REGION_NONE) {
        return nearest;
    }
    int32_t least = INT32_MAX;
    for (int32_t dy = -SQUEEZE_CELLS; dy <= SQUEEZE_CELLS; dy++) {
        for (int32_t dx = -SQUEEZE_CELLS; dx <= SQUEEZE_CELLS; dx++) {
            fr_cell near = {cell.x + dx, cell.y + dy};
            if (fr_regions_at(desk->regions[fit], near) != FR_REGION_NONE &&
                fr_regions_at(class_regions, near) == home && dx * dx + dy * dy < least) {
                least = dx * dx + dy * dy;
                nearest = fr_ground_at(desk, fit, near);
            }
        }
    }
    return nearest;
}

int32_t fr_ground_main_ways(fr_order_desk *desk, fr_cost_view fit)
{
    if (!fr_way_out_has_main(desk->way_out, fit)) {
        fr_way_out_find_main(desk->way_out, fit, desk->regions[fit], desk->nav_regions[fit]);
    }
    return FR_WAYS_TO_MAIN(fit);
}

fr_cell fr_ground_field_cell(const fr_order_desk *desk, int32_t ways, fr_position position)
{
    return fr_way_out_cell(desk->way_out, nav_shift(desk), ways, position);
}

void fr_leg_begin_jam(fr_order_desk *desk, fr_leg *leg, int32_t jam)
{
    fr_caution caution = desk->orders.orders[leg->order].caution;
    fr_grid grid = fr_cost_grid(fr_cost_nav(desk->cost));
    leg->jam = (uint8_t)(jam + 1);
    fr_cost_view view = fr_cost_jam_open(desk->cost, jam, view_def(desk, leg->fit, caution, leg->team));
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
