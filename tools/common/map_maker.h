/* map_maker: maps drawn by lot, for players and benchmarks: the same kind, size and seed give the same map
 * anywhere. */
#ifndef FR_TOOLS_MAP_MAKER_H
#define FR_TOOLS_MAP_MAKER_H

#include "grid/map.h"

typedef enum fr_map_kind {
    FR_MAP_OPEN = 0, /* no wall */
    FR_MAP_NOISE,    /* every fifth cell a wall */
    FR_MAP_CAVE,     /* noise, smoothed */
    FR_MAP_MAZE,     /* corridors four cells wide */
    FR_MAP_ROOMS,    /* rooms 15 cells wide, doors of two cells */
    FR_MAP_ISLANDS,  /* land in a sea; beaches and woods cost more */
    FR_MAP_PASSES,   /* ridges with a few ways through */
    FR_MAP_KIND_COUNT
} fr_map_kind;

/* "open", ...; null for an unknown number. */
const char *fr_map_kind_name(fr_map_kind kind);

/* The kind of that name, or FR_MAP_KIND_COUNT. */
fr_map_kind fr_map_kind_from_name(const char *name);

/* Every open cell costs 1..dearest by lot; with dearest = 1 what the kind says, which is 1 but for islands
 * and passes. Small maps may come out without any open cell. */
fr_map *fr_make_map(fr_map_kind kind, fr_grid grid, uint64_t seed, uint8_t dearest);

#endif
