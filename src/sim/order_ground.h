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

/* Region of a unit among the cells into which its disc fits. By that rule it may not fit where it stands:
 * then the region of the nearest such cell that is connected to its place. FR_REGION_NONE if there is none
 * near. */
uint32_t fr_ground_region(const fr_order_desk *desk, uint32_t unit);

#endif
