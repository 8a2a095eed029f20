/* mapio: map files in and out. Tiled JSON (.tmj, .json) with external tilesets, and MovingAI .map. The only
 * room that sees zlib, zstd and expat. It must not know fields, crowds or drawing: it fills an fr_map. */
#ifndef FR_MAPIO_MAPIO_H
#define FR_MAPIO_MAPIO_H

#include "base/io.h"
#include "base/json.h"
#include "grid/map.h"

/* Loads a map by what the file holds (a MovingAI map begins with `type `, anything else must be Tiled JSON).
 * Null on failure, with `FILE: what is wrong, where, found, expected` in `error`; nothing is half loaded.
 * Warnings are kept in the map. The caller owns the result (fr_map_destroy). */
fr_map *fr_map_load(const fr_io *io, const char *path, fr_error *error);

/* The same from bytes in memory; `path` is for messages and for resolving tilesets. */
fr_map *fr_map_load_bytes(const fr_io *io, const char *path, const void *bytes, size_t size, fr_error *error);

/* Inline grid of a scenario: `{"rows": ["..##"], "legend": {".": 1, "#": 255}}`; rows of one length, every
 * character in the legend (costs 1..255). `name` becomes the map's path. */
fr_map *fr_map_from_rows(const char *name, const fr_json *json, const fr_json_value *value, fr_error *error);

/* The summary that --check prints (README, "Maps"). Appends one JSON object and a newline. */
void fr_map_write_summary(const fr_map *map, fr_buffer *out);

/* Comma-separated names of the optional libraries built in, e.g. "zlib 1.2.13, zstd 1.5.4, expat 2.5.0", or
 * "none". Static storage. */
const char *fr_mapio_libraries(void);

/* One line of a MovingAI .scen file. */
typedef struct fr_scen_line {
    int32_t width, height;
    fr_cell start, goal;
    double length;    /* octile optimum; 0 with start != goal: no path */
    double tolerance; /* half a unit of the last printed digit */
    int32_t line;     /* in the file, from 1 */
} fr_scen_line;

/* Loads a .scen file; the array is the caller's (fr_free). */
fr_status fr_scen_load(const fr_io *io, const char *path, fr_scen_line **out, int32_t *count,
                       fr_error *error);

#endif
