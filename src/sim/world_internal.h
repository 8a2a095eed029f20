/* world_internal: the world's parts, for the files that implement world.h. */
#ifndef FR_SIM_WORLD_INTERNAL_H
#define FR_SIM_WORLD_INTERNAL_H

#include "crowd/crowd.h"
#include "sim/congestion.h"
#include "sim/orders.h"
#include "base/rng.h"
#include "sim/world.h"

typedef struct group {
    char *name;
    bool leaves;
    fr_position leave_from, leave_to;
} group;

struct fr_world {
    fr_world_config config;
    fr_grid grid;
    uint32_t tick;
    fr_rng rng; /* the simulation's own stream */
    fr_cost *cost;
    fr_agents agents;
    fr_order_desk desk;
    fr_crowd *crowd;
    fr_congestion *congestion;
    bool wants_congestion; /* asked for; off nevertheless while its mechanism is left out */

    group *groups;
    fr_group_view *group_views;
    int32_t group_count, group_capacity;
    bool any_group_leaves;

    fr_command *commands; /* for the next tick; their arrays lie in the two pools */
    int32_t command_count, command_capacity;
    uint32_t *command_units;
    int32_t command_unit_count, command_unit_capacity;
    fr_position *command_goals;
    uint32_t *command_prices;     /* of the same numbers */
    uint32_t *command_capacities; /* likewise */
    int32_t command_goal_count, command_goal_capacity;

    fr_event *events;
    int32_t event_count;

    int32_t displaced; /* units on their way out of a wall */
    fr_order_view *order_views;
    fr_snapshot snapshot;
    uint32_t commands_dropped, events_dropped, neighbours_dropped;
};

/* world.c */
void world_event(fr_world *world, fr_event event);
void world_refresh_snapshot(fr_world *world);
/* displace.c: a change of walls came down inside `rect`. Call with regions as they were before. */
void world_displace_units(fr_world *world, fr_rect rect);
/* displace.c: ends the displacement of those who got out. */
void world_end_displacements(fr_world *world);
/* world_check.c: of a world that is being loaded, part by part: groups, costs, orders and units are there;
 * the first also puts the largest radius and speed right. */
bool world_units_are_sane(fr_world *world);
bool world_orders_are_sane(const fr_world *world);
/* world_check.c: the field service is there too. */
bool world_fields_are_sane(const fr_world *world);

#endif
