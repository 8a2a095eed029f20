/* route: where a field would lead a unit, how long the way is and how long it takes. A question that changes
 * nothing: it sees a snapshot and any field, and neither the world nor its orders. */
#ifndef FR_SIM_ROUTE_H
#define FR_SIM_ROUTE_H

#include "sim/snapshot.h"

typedef struct fr_route {
    bool arrives; /* false: no way, not built, or longer than FR_ROUTE_CELLS_MAX; the rest is what there is */
    double length_cells; /* along the streamline that the unit would follow */
    double eta_s;        /* at the unit's top speed and the speed rule, alone on the map and already moving */
    int32_t point_count; /* points of the way: as many as there was room for */
} fr_route;

/* Longest way that is followed (cells): the longest through a maze of the largest map is of no use to anyone.
 */
#define FR_ROUTE_CELLS_MAX 65536.0

/* Follows `field` from where a unit is now. `points` [capacity] get the way from the unit to the goal, half a
 * cell or less apart; may be null. Main thread; takes some microseconds a cell. */
fr_route fr_route_trace(const fr_snapshot *snapshot, const fr_field *field, uint32_t unit,
                        fr_position *points, int32_t capacity);

#endif
