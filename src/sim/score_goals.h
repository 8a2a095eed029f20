/* score_goals: which goal each unit is judged by, the radius within which it has arrived, and since when it
 * is there. Follows orders and walls as they change; knows positions and nothing of how units move. */
#ifndef FR_SIM_SCORE_GOALS_H
#define FR_SIM_SCORE_GOALS_H

#include "sim/score_distance.h"
#include "sim/snapshot.h"

#define FR_NO_TARGET UINT32_MAX

/* A place that units are judged by: a goal, or what stands in for one that can't be reached. */
typedef struct fr_target {
    fr_position place;
    fr_cell cell;
    fr_class movement_class;
    int32_t unit_count;
    fr_area area;      /* of which all cells in the region count as goals; or none */
    uint32_t region;   /* for areas: in which their cells lie */
    bool is_own;       /* of one unit: judged by straight distance */
    double disc_cells; /* FR_PACKED_CELLS r^2 summed over its units: what they need */
    fr_ball ball;      /* unless is_own */
    uint32_t place_in_cache;
} fr_target;

/* What is known of one unit. */
typedef struct fr_unit_goal {
    uint32_t order;        /* FR_NO_ORDER: no goal yet */
    uint32_t given_tick;   /* at which the order came to those who were there */
    uint32_t order_tick;   /* at which it came to this unit: not before the unit itself */
    uint32_t born_tick;    /* the last tick without it */
    fr_position asked;     /* the goal that it is judged by, as asked */
    fr_area area;          /* the same for orders to an area */
    fr_cell open_cell;     /* in which its centre last stood */
    uint32_t region;       /* of that cell; FR_WALL_REGION: none */
    uint32_t target;       /* FR_NO_TARGET: no goal, or no ground to stand on */
    uint32_t entered_tick; /* valid while is_inside */
    bool is_single;        /* the order was for this unit alone */
    bool is_inside;
    bool is_fresh; /* its order came in the last tick */
} fr_unit_goal;

/* Distances of all cells to one target. */
typedef struct fr_distance_field {
    uint32_t target;
    uint64_t used; /* for least recently used */
    uint32_t *distance;
} fr_distance_field;

typedef struct fr_goal_book {
    fr_grid grid;
    fr_unit_goal *units;
    int32_t unit_count;
    fr_target *targets;
    int32_t target_count, target_capacity;
    uint32_t *slots; /* hash table of targets */
    struct fr_goal_key *keys;
    uint32_t slot_count;
    bool is_dirty; /* targets must be worked out anew */
    fr_distance_search search;
    fr_distance_field *fields;
    int32_t field_count, field_limit;
    uint64_t clock;
    uint16_t *nearest;          /* which of several goals is nearest, for the order and class below */
    uint32_t *nearest_distance; /* [w*h] each */
    uint32_t nearest_order;
    fr_class nearest_class;
    uint32_t stray_region; /* the goal for units of that order that can reach none, from this region */
    int32_t stray_goal;
} fr_goal_book;

void fr_goal_book_init(fr_goal_book *book, fr_grid grid);
void fr_goal_book_fini(fr_goal_book *book);

/* One tick. `before`: positions one tick ago. `walls` [FR_CLASS_COUNT], those of classes in use. */
void fr_goal_book_tick(fr_goal_book *book, const fr_snapshot *snapshot, const fr_position *before,
                       const fr_walls *walls);

/* Walking distance of a cell to a target; FR_DISTANCE_NONE where there is no way. Computed when first asked
 * for and kept within a budget. */
uint32_t fr_goal_book_distance(fr_goal_book *book, const fr_walls *walls, uint32_t target, fr_cell cell);

/* Works all targets out anew (score_targets.c; for the book's own use). */
void fr_goal_book_rebuild(fr_goal_book *book, const fr_snapshot *snapshot, const fr_walls *walls);
void fr_goal_book_drop_targets(fr_goal_book *book);

static inline int64_t fr_squared_distance(fr_position a, fr_position b)
{
    int64_t dx = (int64_t)a.x - b.x, dy = (int64_t)a.y - b.y;
    return dx * dx + dy * dy;
}

/* Within this many cells of a goal of its own a unit has arrived. */
static inline double fr_own_goal_reach(double radius)
{
    return radius > 0.25 ? 2.0 * radius : 0.5;
}

static inline bool fr_goal_book_has_goal(const fr_goal_book *book, int32_t unit)
{
    return book->units[unit].target != FR_NO_TARGET;
}

#endif
