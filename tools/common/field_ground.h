/* field_ground: a map as fields see it, for programs that make fields of it and ask in tiles. */
#ifndef FR_TOOLS_FIELD_GROUND_H
#define FR_TOOLS_FIELD_GROUND_H

#include "field/way_out.h"

typedef struct fr_field_ground {
    fr_class movement_class;
    fr_cost *cost, *nav; /* of tiles, and of field cells */
    fr_cost_view view;   /* of both */
    fr_way_out *way_out;
    fr_scratch *scratch;
    fr_field_pool *pool;
} fr_field_ground;

/* With a ring along walls or without. The map is borrowed. */
fr_field_ground fr_field_ground_begin(const fr_map *map, fr_class movement_class, bool ring);
/* All fields of the pool end with it. */
void fr_field_ground_end(fr_field_ground *ground);

/* The field cell that stands for a tile. */
fr_cell fr_field_ground_cell(const fr_field_ground *ground, fr_cell tile);
/* Length of the way that units take from the middle of a tile, as fr_field_trace. */
double fr_field_ground_trace(const fr_field_ground *ground, const fr_field *field, fr_cell tile, double limit,
                             bool *met_wall);

#endif
