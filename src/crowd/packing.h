/* packing: places for units of several sizes, between what decides where their pack lies (mixed.c) and what
 * puts their discs down there (mixed_fit.c). */
#ifndef FR_CROWD_PACKING_H
#define FR_CROWD_PACKING_H

#include "crowd/places.h"

#define GATES_MAX 8
/* What discs keep from one another, by their radii. */
#define DISC_SPACING 1.02f
/* Distances from the middle that are told apart. */
enum { DISTANCES = 4096, DISTANCES_A_CELL = 16 };

typedef struct packing {
    ground_search ground;
    float mass;              /* squared radii of those who get places */
    int32_t units;           /* these */
    float smallest, largest; /* radii of them */
    float most_distance;     /* from the middle, for centres */
    uint32_t walk_most;      /* the same of the way walked to the goal, from this much farther out */
    float margin;
    fr_position gates[GATES_MAX]; /* where those who come come into sight of the goal */
    float gate_way[GATES_MAX];    /* cells from there to the goal */
    int32_t gate_count;
    float reach;                    /* gates are no farther than this */
    float walk_slack;               /* to be taken off ways walked, for comparison with those by air */
    float least_depth;              /* of all candidates, and a little less */
    int32_t at_distance[DISTANCES]; /* candidates that may be used, by how far from the middle they lie */
    int32_t taken_before;           /* discs that others have taken */
    float placed_mass;              /* squared radii of those who have one */
    int32_t used;                   /* so many of the candidates that may be used have been looked through */
    int32_t usable;                 /* candidates that may be used: from now on their `radius` is that of the
                                       largest disc for which there was room when it was last asked for */
    /* Of these, those before this one have no room for a disc of the size: walls differ between classes. */
    int32_t from[FR_CLASS_COUNT][SIZE_CLASSES];
} packing;

static inline bool crowd_is_meant(const packing *now, const pack_member *member)
{
    return member->goal == now->ground.goal;
}

/* mixed.c: how much farther than the goal a point lies from where the pack is come to: by air in the open,
 * and on foot behind corners. */
float crowd_depth_at(const packing *now, fr_position place);
/* mixed_fit.c: cells that the pack takes at least. */
float crowd_least_ground(float mass);
/* mixed_fit.c: finds the places of all members. Returns how many have one, the first to come. */
int32_t crowd_fit_all(packing *now);

#endif
