/* order_ground: which ground a unit can use, by its class and width, and whose costs it goes by there. Part
 * of orders.h: knows classes, discs and regions, no goals. */
#ifndef FR_SIM_ORDER_GROUND_H
#define FR_SIM_ORDER_GROUND_H

#include "sim/orders.h"

/* The cells into which the unit's disc fits, as a view of the costs. */
fr_cost_view fr_ground_fit(const fr_agents *agents, uint32_t unit);

/* Whose costs units of that ground, caution and team go by. */
fr_cost_view fr_ground_view(const fr_order_desk *desk, fr_cost_view fit, fr_caution caution, uint8_t team);

/* What a place is connected with: the region of its tile among those into which such a disc fits, and that of
 * its field cell, or of the one at the end of its way out (FR_REGION_NONE: no way). Where a field cell is a
 * tile they are the same. */
typedef struct fr_ground {
    uint32_t tiles, cells;
} fr_ground;

static inline bool fr_ground_equals(fr_ground a, fr_ground b)
{
    return a.tiles == b.tiles && a.cells == b.cells;
}

fr_ground fr_ground_at(const fr_order_desk *desk, fr_cost_view fit, fr_cell tile);
/* That of a unit. Its disc may not fit where it stands: then that of the nearest tile at which it does and
 * which is connected to its place; FR_REGION_NONE if there is none near. */
fr_ground fr_ground_of(const fr_order_desk *desk, uint32_t unit);

/* Ways (field/way_out.h) to the main field cells of each region of tiles, for orders that lead from one
 * region of field cells to another; they are found when they are first asked for. */
int32_t fr_ground_main_ways(fr_order_desk *desk, fr_cost_view fit);
/* The field cell that stands for a position: its own, or the one at the end of such a way out. */
fr_cell fr_ground_field_cell(const fr_order_desk *desk, int32_t ways, fr_position position);

#endif
