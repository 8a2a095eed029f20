#include "field_ground.h"

fr_field_ground fr_field_ground_begin(const fr_map *map, fr_class movement_class, bool ring)
{
    fr_field_ground ground = {.movement_class = movement_class, .cost = fr_cost_create(map)};
    ground.nav = fr_cost_field(ground.cost);
    fr_cost_set_ring(ground.cost, ring);
    ground.view = fr_cost_view_open(ground.cost, (fr_cost_view_def){.movement_class = movement_class});
    ground.way_out = fr_way_out_create(ground.cost);
    fr_way_out_admit(ground.way_out, movement_class);
    ground.scratch = fr_scratch_create(fr_cost_grid(ground.nav));
    ground.pool = fr_field_pool_create_for(ground.nav, FR_FIELD_BYTES);
    return ground;
}

void fr_field_ground_end(fr_field_ground *ground)
{
    fr_field_pool_destroy(ground->pool);
    fr_scratch_destroy(ground->scratch);
    fr_way_out_destroy(ground->way_out);
    fr_cost_destroy(ground->cost);
    *ground = (fr_field_ground){0};
}

fr_cell fr_field_ground_cell(const fr_field_ground *ground, fr_cell tile)
{
    return fr_way_out_cell(ground->way_out, fr_cost_shift(ground->nav), ground->movement_class,
                           fr_cell_centre(tile));
}

double fr_field_ground_trace(const fr_field_ground *ground, const fr_field *field, fr_cell tile, double limit,
                             bool *met_wall)
{
    return fr_way_out_trace(ground->way_out, ground->movement_class, field, fr_cell_centre(tile), limit,
                            met_wall);
}
