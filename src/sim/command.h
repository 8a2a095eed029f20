/* command: the only way to change a world. A small value, stamped with its tick when it is applied, recorded
 * and replayed. The same shape serves mouse, scenario, script and library user. */
#ifndef FR_SIM_COMMAND_H
#define FR_SIM_COMMAND_H

#include "crowd/mechanisms.h"
#include "grid/area.h"
#include "grid/cost.h"

typedef enum fr_command_kind {
    FR_COMMAND_MOVE = 0,     /* units to the nearest of the goals, or into the area */
    FR_COMMAND_STOP,         /* units drop what they do and stand; they keep their goal for the record */
    FR_COMMAND_HOLD,         /* stand and do not give way */
    FR_COMMAND_SET_COST,     /* edit 1..255 over rect, all classes but air */
    FR_COMMAND_RESTORE_COST, /* drop the edits in rect */
    FR_COMMAND_SET_TERRAIN,  /* paint ground: kind and cost over rect */
    FR_COMMAND_SET_THREAT,   /* a threat comes, moves or changes */
    FR_COMMAND_REMOVE_THREAT,
    FR_COMMAND_SET_RING,       /* soft ring of extra cost along walls: on, or off */
    FR_COMMAND_SPAWN,          /* a unit comes, and joins what the latest of its group was told */
    FR_COMMAND_FOLLOW,         /* units to wherever `target` is, until it is gone */
    FR_COMMAND_SET_CONGESTION, /* orders go round crowds: on, or off */
    FR_COMMAND_SET_MOVEMENT,   /* another mover, other mechanisms left out */
    FR_COMMAND_KIND_COUNT
} fr_command_kind;

/* A unit to be added to a world. */
typedef struct fr_unit_def {
    fr_position position; /* on a cell that is passable for the class */
    float radius, speed;
    uint8_t team;
    fr_class movement_class;
    uint16_t group; /* index of a group of the world */
} fr_unit_def;

typedef struct fr_command {
    fr_command_kind kind;
    const uint32_t *units; /* ids [unit_count]; borrowed by the call that takes the command */
    int32_t unit_count;
    const fr_position *goals; /* [goal_count 1..FR_GOALS_MAX]; outside the map: clamped */
    int32_t goal_count;
    /* Entry prices of the goals [goal_count], FR_STEP_STRAIGHT per straight step of cost 1, each at most
     * FR_GOAL_PRICE_MAX; null: all 0. */
    const uint32_t *goal_prices;
    /* Units that each goal is meant for [goal_count], FR_UNITS_MAX at most and not all 0; null: any number.
     */
    const uint32_t *goal_capacities;
    fr_area area; /* instead of goals: to any cell of it; clamped like goals */
    fr_rect rect; /* clipped to the map */
    uint8_t cost;
    fr_terrain terrain;
    fr_caution caution;   /* of a move */
    int32_t threat_index; /* 0..FR_THREATS_MAX - 1 */
    fr_threat threat;
    bool is_on;
    fr_unit_def unit; /* to come */
    uint32_t target;  /* unit to follow */
    fr_mover mover;
    uint32_t without; /* mechanisms left out: FR_MECHANISM bits */
} fr_command;

#endif
