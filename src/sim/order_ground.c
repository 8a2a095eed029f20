#include "sim/order_ground.h"

#include "grid/clearance.h"
#include "sim/order_goals.h"

/* A wide disc may stand, squeezed in, this far from the next cell into which it is known to fit (cells). */
#define SQUEEZE_CELLS 3

fr_cost_view fr_ground_fit(const fr_agents *agents, uint32_t unit)
{
    return fr_cost_fit((fr_class)agents->movement_class[unit], fr_clearance_of(agents->radius[unit]));
}

void fr_orders_admit(fr_order_desk *desk, fr_class movement_class, float radius)
{
    fr_cost_view_def def = {.movement_class = movement_class, .clearance = (uint8_t)fr_clearance_of(radius)};
    fr_cost_view_open(desk->cost, def);
    fr_cost_view fit = fr_cost_fit(movement_class, def.clearance);
    if (desk->regions[movement_class] == NULL) {
        desk->regions[movement_class] = fr_regions_create(desk->cost, movement_class);
    }
    if (desk->regions[fit] == NULL) {
        desk->regions[fit] = fr_regions_create(desk->cost, fit);
    }
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

uint32_t fr_ground_region(const fr_order_desk *desk, uint32_t unit)
{
    const fr_regions *ground = desk->regions[desk->agents->movement_class[unit]];
    const fr_regions *regions = desk->regions[fr_ground_fit(desk->agents, unit)];
    fr_cell cell = fr_grid_cell(fr_cost_grid(desk->cost), desk->agents->open_cell[unit]);
    uint32_t home = fr_regions_at(ground, cell), nearest = fr_regions_at(regions, cell);
    if (home == FR_REGION_NONE || nearest != FR_REGION_NONE) {
        return nearest;
    }
    int32_t least = INT32_MAX;
    for (int32_t dy = -SQUEEZE_CELLS; dy <= SQUEEZE_CELLS; dy++) {
        for (int32_t dx = -SQUEEZE_CELLS; dx <= SQUEEZE_CELLS; dx++) {
            fr_cell near = {cell.x + dx, cell.y + dy};
            uint32_t region = fr_regions_at(regions, near);
            if (region != FR_REGION_NONE && fr_regions_at(ground, near) == home &&
                dx * dx + dy * dy < least) {
                least = dx * dx + dy * dy;
                nearest = region;
            }
        }
    }
    return nearest;
}

void fr_leg_begin_jam(fr_order_desk *desk, fr_leg *leg, int32_t jam)
{
    fr_caution caution = desk->orders.orders[leg->order].caution;
    fr_grid grid = fr_cost_grid(desk->cost);
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
