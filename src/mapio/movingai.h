/* movingai: maps of the grid benchmark by N. Sturtevant ("Benchmarks for Grid-Based Pathfinding", 2012).
 * Internal to mapio/. */
#ifndef FR_MAPIO_MOVINGAI_H
#define FR_MAPIO_MOVINGAI_H

#include <stddef.h>

#include "base/status.h"
#include "grid/map.h"

/* Loads a map; null with a message on failure. */
fr_map *fr_movingai_load(const char *path, const void *bytes, size_t size, fr_error *error);

#endif
