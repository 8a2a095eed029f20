/* map: a map as it was loaded: size, ground kinds, costs per movement class, spawns, and the tile layers with
 * their tilesets for drawing. Plain data, filled by mapio/ (or by a test), read-only afterwards. What changes
 * while a world runs lives in grid/cost.h. */
#ifndef FR_GRID_MAP_H
#define FR_GRID_MAP_H

#include "base/status.h"
#include "grid/grid.h"

/* Kinds of ground, for drawing and for brushes; they say nothing of cost. The names are the values of the
 * Tiled tile property `terrain`. */
typedef enum fr_terrain {
    FR_TERRAIN_GRASS = 0,
    FR_TERRAIN_WATER,   /* open water: wall for foot */
    FR_TERRAIN_SHALLOW, /* ford */
    FR_TERRAIN_SAND,
    FR_TERRAIN_FOREST,
    FR_TERRAIN_ROCK, /* wall */
    FR_TERRAIN_ROAD,
    FR_TERRAIN_BRIDGE,
    FR_TERRAIN_SWAMP,
    FR_TERRAIN_WALL, /* built wall (also what an edit to cost 255 looks like) */
    FR_TERRAIN_COUNT
} fr_terrain;

/* "grass", ...; null for an unknown number. */
const char *fr_terrain_name(fr_terrain terrain);
/* The kind of that name, or FR_TERRAIN_COUNT. */
fr_terrain fr_terrain_from_name(const char *name);

typedef enum fr_map_format { FR_MAP_TILED = 0, FR_MAP_MOVINGAI, FR_MAP_INLINE } fr_map_format;

/* Where units start. A point has width = height = 0. */
typedef struct fr_spawn {
    float x, y, width, height; /* cells; within the map */
    int32_t count;             /* -1: not stated, a share of --units */
    int32_t team;
    fr_class movement_class;
    float radius, speed; /* cells, cells/s */
} fr_spawn;

/* Flip flags of a cell's gid as in Tiled. The rest of the word is the gid; 0 = empty. */
#define FR_GID_FLIP_H    0x80000000u
#define FR_GID_FLIP_V    0x40000000u
#define FR_GID_FLIP_D    0x20000000u
#define FR_GID_FLAG_MASK 0xF0000000u

/* A visible tile layer, for drawing: gids [w*h] row-major with flip flags, bottom layer first; null in a map
 * that states its terrain, which is not drawn by its tiles. */
typedef struct fr_tile_layer {
    char *name;
    uint32_t *gids;
    float opacity; /* 0..1 */
} fr_tile_layer;

/* One tile with an image of its own (image collections). */
typedef struct fr_tile_image {
    uint32_t id;
    char *path; /* resolved: relative to the tileset's file, joined with its folder */
} fr_tile_image;

/* A tileset, for drawing. Either `image` (a sheet) or `tile_images` (a collection). */
typedef struct fr_tileset {
    char *name;
    uint32_t first_gid;
    char *image; /* resolved path, null for a collection */
    int32_t tile_width_px, tile_height_px, margin_px, spacing_px, columns, tile_count;
    fr_tile_image *tile_images;
    int32_t tile_image_count;
} fr_tileset;

typedef struct fr_map {
    char *path; /* as opened */
    char *name; /* base name without its extension, for people */
    fr_map_format format;
    fr_grid grid;
    uint8_t *costs[FR_CLASS_COUNT]; /* [w*h] row-major, 1..254 or FR_COST_WALL; equal classes may share */
    uint8_t *terrain;               /* [w*h] fr_terrain */
    int32_t full_speed_cost;        /* 1..254: ground of this cost is walked at top speed (default 1) */
    int32_t nav_shift; /* fields are made on cells of 2^nav_shift tiles a side (grid/nav.h; default 0) */
    bool has_terrain;  /* the map states kinds itself: draw it in our own art, not by its tiles */
    fr_spawn *spawns;
    int32_t spawn_count;
    int32_t tile_width_px, tile_height_px; /* of the map, for drawing */
    fr_tile_layer *layers;
    int32_t layer_count;
    fr_tileset *tilesets; /* by ascending first_gid */
    int32_t tileset_count;
    char **warnings; /* one line each */
    int32_t warning_count;
} fr_map;

/* A map of open grass with cost 1 for every class, the base for tests and loaders. Sides within the limits.
 */
fr_map *fr_map_create(const char *path, fr_grid grid);
void fr_map_destroy(fr_map *map);

/* Gives every class but air the costs of foot (shares the array), and air cost 1 everywhere. */
void fr_map_share_costs(fr_map *map);

/* Adds a warning: one line, cut at FR_ERROR_BYTES, control characters replaced. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void fr_map_warn(fr_map *map, const char *format, ...);

/* FNV-1a 64 over width and height (u32 little-endian), then the costs row by row. */
uint64_t fr_map_cost_hash(const fr_map *map, fr_class movement_class);

#endif
