/* ground: what the tile layers of a map say about each cell, gathered layer by layer from the bottom up, and
 * what that makes of the cell. Internal to mapio/; must not know how layers are written. */
#ifndef FR_MAPIO_GROUND_H
#define FR_MAPIO_GROUND_H

#include "grid/map.h"
#include "mapio/tileset.h"

typedef struct fr_ground {
    fr_map *map;                 /* borrowed: gets the warnings, and the result in the end */
    fr_tileset_source *tilesets; /* borrowed, by ascending first_gid */
    int32_t tileset_count;
    uint8_t *costs[FR_CLASS_AIR]; /* [w*h] per class that walks; 0 = no tile states one */
    uint8_t *terrain;             /* [w*h]; FR_TERRAIN_COUNT = no tile states one */
    uint8_t *marks;               /* [w*h] of fr_ground_mark */
    bool has_warned_below;        /* of a gid below every tileset */
} fr_ground;

typedef enum fr_ground_mark { FR_MARK_TILE = 1, FR_MARK_WALL = 2 } fr_ground_mark;

typedef struct fr_ground_layer {
    const char *name;
    const uint32_t *gids; /* [w*h] of the map; flip flags allowed */
    bool is_visible;      /* hidden layers state no cost */
    bool is_collision;    /* every tile is a wall, seen or not */
} fr_ground_layer;

fr_ground fr_ground_begin(fr_map *map, fr_tileset_source *tilesets, int32_t tileset_count);
void fr_ground_fini(fr_ground *ground);
void fr_ground_add(fr_ground *ground, const fr_ground_layer *layer);

/* Writes costs and terrain of the map. */
void fr_ground_finish(fr_ground *ground, bool empty_is_wall);

/* The kind of ground that a cost looks like where nothing states one. */
fr_terrain fr_ground_kind_of_cost(uint8_t cost);

#endif
