/* data_dir: where the programs' own files lie (maps, fonts). The same binary runs from a checkout, from a
 * folder that was unpacked, and installed. Side room: sees base/ only. */
#ifndef FR_FILES_DATA_DIR_H
#define FR_FILES_DATA_DIR_H

#include "base/status.h"

/* Where to look; null entries are left out. */
typedef struct fr_data_places {
    const char *option;  /* named on the command line: then nowhere else */
    const char *current; /* looked in first */
    const char *program; /* folder of the program, with a slash at the end: there, in a checkout around it, in
                            the installed folder beside it */
} fr_data_places;

/* Path of the first file or folder `name`, e.g. "maps/vale.tmj", that is in one of the folders: the option's;
 * or else the current one, $FRESHET_DATA, those round the program, the one that was compiled in. Null with
 * the places tried if it is nowhere. The caller frees (fr_free). */
char *fr_data_find(const fr_data_places *places, const char *name, fr_error *error);

#endif
