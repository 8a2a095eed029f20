/* tileset: a tileset as read, whatever file it came from: the sheet for drawing and the facts of its tiles.
 * Internal to mapio/. */
#ifndef FR_MAPIO_TILESET_H
#define FR_MAPIO_TILESET_H

#include "base/io.h"
#include "base/json.h"
#include "mapio/tile_facts.h"

/* Largest id of a tile, and largest of its other numbers: gids have 28 bits. */
#define FR_TILE_ID_MAX 0x0fffffff

typedef struct fr_tileset_source {
    fr_tileset sheet; /* first_gid is set by whoever names the tileset */
    char *path;       /* of the file it stands in: what image paths are relative to */
    int32_t image_width_px, image_height_px;
    fr_tile_facts *tiles; /* by ascending id once finished */
    int32_t count, capacity;
    char *unknown_terrain; /* the first kind of ground that is none of ours */
    bool has_open_count;   /* of a sheet: neither file nor image size says how many tiles there are */
    bool is_used;          /* some cell of a visible layer shows one of its tiles */
    bool has_warned;       /* of an id that it does not define */
} fr_tileset_source;

/* A tileset without tiles; `path` is copied. */
fr_tileset_source fr_tileset_source_begin(const char *path);
void fr_tileset_source_fini(fr_tileset_source *source);

/* The field that Tiled calls `name` (tilewidth, margin, imagewidth, ...), or null. */
int32_t *fr_tileset_number(fr_tileset_source *source, const char *name);

void fr_tileset_set_image(fr_tileset_source *source, const char *relative_path);

/* Adds a tile and takes over its image; of one id several may be added, later ones win. */
void fr_tileset_add(fr_tileset_source *source, fr_tile_facts facts);

/* Takes a property of a tile; false with the reason in `error` (tileset and tile named, not the place). */
bool fr_tileset_take(fr_tileset_source *source, fr_tile_facts *facts, const fr_property *property,
                     fr_error *error);

/* Sorts and merges the tiles, derives what the file left open, and refuses a sheet whose tiles have no size.
 */
fr_status fr_tileset_finish(fr_tileset_source *source, fr_error *error);

/* Facts of a tile, or null where it has none; whether the tileset has the tile at all. O(log tiles). */
const fr_tile_facts *fr_tileset_find(const fr_tileset_source *source, uint32_t id);
bool fr_tileset_defines(const fr_tileset_source *source, uint32_t id);

/* Readers: fill a source just begun and finish it. JSON in a value of a document (embedded or external); XML
 * in bytes, refused by name where expat is not built in; a file of either kind, told apart by what it holds.
 */
fr_status fr_tileset_read_json(fr_tileset_source *source, const fr_json *json, const fr_json_value *value,
                               fr_error *error);
fr_status fr_tileset_read_xml(fr_tileset_source *source, const void *bytes, size_t size, fr_error *error);
fr_status fr_tileset_read_file(fr_tileset_source *source, const fr_io *io, fr_error *error);

/* Version, or null where expat is not built in. Static storage. */
const char *fr_expat_version(void);

#endif
