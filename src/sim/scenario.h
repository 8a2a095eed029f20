/* scenario: scenario files (README, "Scenarios"), placing units, and feeding timed orders into a world. */
#ifndef FR_SIM_SCENARIO_H
#define FR_SIM_SCENARIO_H

#include "base/io.h"
#include "sim/world.h"

/* One group as written. */
typedef struct fr_scenario_unit {
    double x, y;
    bool has_goal; /* a move at tick 0 */
    double goal_x, goal_y;
} fr_scenario_unit;

typedef struct fr_scenario_group {
    char *name;
    int32_t team;
    fr_class movement_class;
    float radius, speed;
    int32_t count;  /* random placement in `area`, or */
    uint32_t every; /* of these one every so many ticks, the first at the start; 0: all at the start */
    double area[4]; /* x, y, width, height in cells */
    fr_scenario_unit *units; /* ... explicit units [unit_count] */
    int32_t unit_count;
    double noise; /* of explicit units: each stands up to this far from x and y as written (cells) */
    bool leaves;
    double leave[4];
    /* Filled by fr_scenario_populate: ids first_unit .. first_unit + placed - 1, those of a stream later. */
    uint32_t first_unit;
    int32_t placed;
} fr_scenario_group;

typedef struct fr_scenario_order {
    uint32_t tick;
    int32_t group; /* -1 for cost orders */
    fr_command_kind kind;
    fr_position *goals;
    int32_t goal_count;
    uint32_t *goal_prices;     /* [goal_count] or null, as in fr_command */
    uint32_t *goal_capacities; /* likewise */
    fr_area area;              /* instead of goals */
    int32_t target_group;      /* to follow: the first of this group that is still there, or, if -1, ... */
    uint32_t target;           /* ... this unit */
    fr_rect rect;
    uint8_t cost;
    fr_caution caution;
    int32_t threat_index;
    fr_threat threat;
} fr_scenario_order;

typedef struct fr_scenario_door {
    char *name;
    double line[4];
} fr_scenario_door;

typedef struct fr_scenario {
    char *path, *name; /* base name without extension */
    fr_map *map;       /* owned */
    char *map_name;    /* as written, or "inline" */
    uint64_t seed;
    uint32_t ticks;
    bool has_ticks;
    fr_scenario_group *groups;
    int32_t group_count;
    fr_scenario_order *orders; /* file order; a stable sort by tick is done on load */
    int32_t order_count;
    fr_scenario_door *doors;
    int32_t door_count;
    uint64_t stream_seed; /* filled by fr_scenario_populate, like the next: where streams come in */
    fr_vec2 stream_shift;
    bool has_lanes;
    double lanes_area[4];
    bool lanes_axis_y;
    int32_t lanes_groups[2];
    bool ring, congestion;
    fr_threat *threats; /* there from the beginning, numbered in file order */
    int32_t threat_count;
} fr_scenario;

/* Loads scenario and map. Null on failure: unknown keys, numbers that are not finite, goals outside the map,
 * groups that are not there, ... with the JSON path. */
fr_scenario *fr_scenario_load(const fr_io *io, const char *path, fr_error *error);
void fr_scenario_destroy(fr_scenario *scenario);

/* Units needed by all groups (for the world's capacity). */
int32_t fr_scenario_unit_count(const fr_scenario *scenario);

/* Adds groups and units to a fresh world of scenario->map. `shift` moves every group's start (cells). */
fr_status fr_scenario_populate(fr_scenario *scenario, uint64_t seed, fr_vec2 shift, fr_world *world,
                               fr_error *error);

/* Index of the first order of `tick` or later (order_count if there is none). */
int32_t fr_scenario_first_order(const fr_scenario *scenario, uint32_t tick);

/* Submits what is due at the world's next tick (its snapshot's tick). Call before every fr_world_tick. */
void fr_scenario_submit(const fr_scenario *scenario, fr_world *world);

/* Units for a map without a scenario: its spawns (counts not stated share `units` out), else `units` of team
 * 0 in the largest region of foot, packed round the region cell nearest the map's centre. One group per
 * spawn. A stated count that does not fit is an error; of a share as many are placed as fit, at least one
 * (compare with fr_map_unit_count to tell the player). */
fr_status fr_map_populate(const fr_map *map, int32_t units, uint64_t seed, fr_vec2 shift, fr_world *world,
                          fr_error *error);
/* Units that fr_map_populate will ask for. */
int32_t fr_map_unit_count(const fr_map *map, int32_t units);

#endif
