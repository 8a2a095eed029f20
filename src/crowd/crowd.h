/* crowd: one step of all units. The pipeline: sort, direction, conflict grid, queue, relax, position
 * correction against neighbours and walls, commit, arrival. Every parallel stage gathers only: it reads the
 * tick's state and writes each unit's own slot, so the worker count can't change a bit. */
#ifndef FR_CROWD_CROWD_H
#define FR_CROWD_CROWD_H

#include "base/executor.h"
#include "crowd/mechanisms.h"
#include "crowd/order.h"
#include "field/way_out.h"

#include "crowd/spatial_hash.h"

/* Working memory between and within steps; holds nothing that decides what comes next. */
typedef struct fr_crowd fr_crowd;

fr_crowd *fr_crowd_create(fr_grid map, int32_t unit_capacity);
void fr_crowd_destroy(fr_crowd *crowd);

/* What a step works on; all borrowed. */
typedef struct fr_crowd_input {
    fr_agents *agents;
    fr_orders *orders;
    const fr_cost *cost;
    const fr_way_out *way_out; /* or null */
    fr_executor executor;
    int32_t full_speed_cost;
    uint32_t tick;
    uint64_t salt; /* for breaking exact symmetry: a fixed number of the world */
    fr_mover mover;
    uint32_t without; /* mechanisms left out: FR_MECHANISM bits */
} fr_crowd_input;

/* Moves all units by one tick: `previous`, `position`, `velocity`, states. Returns how many neighbours were
 * passed over because a unit had more than the cap. */
uint32_t fr_crowd_step(fr_crowd *crowd, const fr_crowd_input *input);

#endif
