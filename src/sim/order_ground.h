/* order_ground: which ground a unit can use, by its class and width, and whose costs it goes by there. Part
 * of orders.h: knows classes, discs and regions, no goals. */
#ifndef FR_SIM_ORDER_GROUND_H
#define FR_SIM_ORDER_GROUND_H

#include "sim/orders.h"

/* The cells into which the unit's disc fits, as a view of the costs. */
fr_cost_view fr_ground_fit(const fr_agents *agents, uint32_t unit);

/* Whose costs units of that ground, caution and team go by. */
fr_cost_view_def fr_ground_view_def(const fr_order_desk *desk, fr_cost_view fit, fr_caution caution,
                                    uint8_t team);
fr_cost_view fr_ground_view(const fr_order_desk *desk, fr_cost_view fit, fr_caution caution, uint8_t team);

/* Region of a tile among the field cells into which such a disc fits: that of its own field cell, or of the
 * one at the end of its way out. Tiles without any such cell in their whole region count by that.
 * FR_REGION_NONE for walls. */
uint32_t fr_ground_region_at(const fr_order_desk *desk, fr_cost_view fit, fr_cell tile);
/* Region of a unit by that. Its disc may not fit where it stands: then that of the nearest such tile that is
 * connected to its place. FR_REGION_NONE if there is none near. */
uint32_t fr_ground_region(const fr_order_desk *desk, uint32_t unit);
/* The tile of a region (FR_REGION_NONE: of any) nearest to a goal, as fr_regions_nearest. */
bool fr_ground_nearest(const fr_order_desk *desk, fr_cost_view fit, uint32_t region, fr_position goal,
                       fr_cell *nearest);
/* The field cell that stands for a position: its own, or the one at the end of the way out. */
fr_cell fr_ground_field_cell(const fr_order_desk *desk, fr_cost_view fit, fr_position position);

#endif
