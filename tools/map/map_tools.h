/* map_tools: the verbs of freshet-map that write something, each in a file of its own, and the output that
 * they share. Exit codes and complaints as in common/options.h. */
#ifndef FR_TOOLS_MAP_TOOLS_H
#define FR_TOOLS_MAP_TOOLS_H

#include "files/stdio_io.h"
#include "grid/map.h"

/* `argv` begins behind the verb. */
int fr_map_generate(const char *program, int argc, char **argv);
int fr_map_convert(const char *program, int argc, char **argv);
int fr_map_thumbnail(const char *program, int argc, char **argv);

/* A map file to be written, opened before the work starts. A Tiled map has its tiles' picture beside it:
 * NAME-tiles.bmp for NAME.tmj. */
typedef struct fr_map_output {
    bool is_tiled;
    fr_output *map, *picture; /* picture null for MovingAI */
    char *picture_path;
} fr_map_output;

/* The format goes by the extension: .tmj and .json Tiled, .map MovingAI. FR_BAD_INPUT for others. */
fr_status fr_map_output_open(const char *path, fr_map_output *out, fr_error *error);
/* Writes the map, warns of what the format can't hold, and closes the output in every case. An exit code. */
int fr_map_output_save(const char *program, fr_map_output *output, const fr_map *map);
void fr_map_output_abandon(fr_map_output *output);

/* Whether a path ends in an extension (with its dot, any case). */
bool fr_has_extension(const char *path, const char *extension);

#endif
