/* places: what finding the ground for a pack (ground.c) and giving it out, to units of one size (places.c) or
 * of several (mixed.c), hand to one another. */
#ifndef FR_CROWD_PLACES_H
#define FR_CROWD_PLACES_H

#include "crowd/crowd_internal.h"

#define ROW_RATIO 0.8660254f /* height of a lattice row per pitch */

/* Legs whose units share one pack; those beyond make packs of their own. */
#define PACK_LEGS_MAX 64

/* Those who get places together. */
typedef struct pack_legs {
    fr_leg *legs[PACK_LEGS_MAX]; /* first the one that the narrowest ways are open to */
    int32_t count;
} pack_legs;

/* A search for points near a goal where a unit can stand: those of a hexagonal lattice, which become
 * crowd->candidates. */
typedef struct ground_search {
    fr_crowd *crowd;
    const fr_crowd_input *input;
    const pack_legs *pack;
    fr_position centre; /* round which the places lie */
    fr_position anchor; /* a point of the lattice */
    bool is_turned;     /* rows go down instead of across */
    float pitch, radius;
    int32_t goal, wanted, count;
    uint32_t stop_distance;  /* enough were found: the search goes on to here for roundness */
    uint32_t arrival_radius; /* UINT32_MAX until known */
    float cells_left;        /* cells within the arrival radius that have not been met */
    const fr_area *area;     /* places lie in it only, or null */
    uint32_t reach;          /* an area: how far it is searched; else at least so far */
    float others_mass;       /* squared radii of those who have taken ground within the pack */
    int32_t area_cells_left; /* cells of it that have not been met */
    bool by_walk;            /* order by the way walked alone: there is no one point to be round about */
} ground_search;

/* What a pack needs. */
typedef struct ground_need {
    float pitch, radius; /* of the lattice, and of the discs that stand on it */
    int32_t wanted;      /* points */
    int32_t least;       /* with fewer than this in it an area is left */
    float mass;          /* squared radii of all units */
    uint32_t reach;      /* the search goes as far as this at least, or 0 */
} ground_need;

/* ground.c: ways to lay the lattice round the goal: a point, the middle of an edge, of a triangle or
 * something between them on it, and rows across or down. */
enum { LATTICE_PHASES = 8 };

/* ground.c: points round a goal, or within the leg's area. */
ground_search crowd_find_ground(fr_crowd *crowd, const fr_crowd_input *input, const pack_legs *pack,
                                const ground_need *need, int32_t goal, fr_position anchor, int phase);
ground_search crowd_find_ground_of_area(fr_crowd *crowd, const fr_crowd_input *input, const pack_legs *pack,
                                        const ground_need *need);
/* ground.c: how far a place is from the middle of the pack (cells): by air in the open, so that packs are
 * round, and by the way walked behind corners. */
float crowd_ground_distance(const ground_search *ground, const fr_slot *place);
/* ground.c: fills `order` with the indices of `key`, the least first, equal ones as they stand. */
void crowd_order_by_key(const uint32_t *key, int32_t count, uint32_t *order);

/* places.c: puts a place into the pool, the next one of the leg that was begun last. */
void crowd_append_slot(fr_orders *orders, fr_leg *leg, const fr_slot *slot);
/* mixed.c: places round a goal, or in the leg's area, for crowd->members of that goal. Returns the squared
 * radius of the disc that the pack needs, with all who have taken ground in it. */
float crowd_append_mixed(fr_crowd *crowd, const fr_crowd_input *input, const pack_legs *pack, int32_t goal,
                         fr_position anchor);

#endif
