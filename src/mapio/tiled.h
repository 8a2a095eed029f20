/* tiled: maps of the Tiled editor in JSON. Internal to mapio/. */
#ifndef FR_MAPIO_TILED_H
#define FR_MAPIO_TILED_H

#include "base/io.h"
#include "base/json.h"
#include "grid/map.h"
#include "mapio/ground.h"
#include "mapio/layer_data.h"
#include "mapio/tileset.h"

/* Everything known while one map is read. */
typedef struct fr_tiled {
    const fr_io *io;
    const char *path;
    const fr_json *json;
    const fr_json_value *root;
    fr_map *map;
    fr_box box; /* the map's cells in Tiled's coordinates: infinite maps begin anywhere */
    double cell_width_px, cell_height_px; /* in the coordinates of objects */
    fr_tileset_source *tilesets;          /* by ascending first_gid */
    int32_t tileset_count;
    fr_ground ground;
    int64_t drawn_cells; /* in all layers kept for drawing */
} fr_tiled;

/* What a layer takes from the groups around it. */
typedef struct fr_tiled_layer {
    const fr_json_value *value;
    const char *name;
    bool is_visible;
    double opacity;
} fr_tiled_layer;

/* Loads a map; null with a message on failure. */
fr_map *fr_tiled_load(const fr_io *io, const char *path, const void *bytes, size_t size, fr_error *error);

/* The first element of the array `key` of an object, null if it is empty or absent; anything else than an
 * array is refused. */
fr_status fr_tiled_first(const fr_tiled *tiled, const fr_json_value *object, const char *key,
                         const fr_json_value **first, fr_error *error);

/* Adds the chunks of all layers of `group` (the map, or a group in it) to the box: the extent of an infinite
 * map. */
fr_status fr_tiled_add_extent(const fr_tiled *tiled, const fr_json_value *group, fr_box *box,
                              fr_error *error);

/* Reads all layers of `group` (the map, or a group in it) into the map and its ground. */
fr_status fr_tiled_read_layers(fr_tiled *tiled, const fr_tiled_layer *group, fr_error *error);

/* Reads the spawns of an object layer into the map. */
fr_status fr_tiled_read_spawns(fr_tiled *tiled, const fr_tiled_layer *layer, fr_error *error);

#endif
