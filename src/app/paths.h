/* paths: where the program's own files lie (maps, fonts; files/data_dir.h) and where it may leave pictures.
 */
#ifndef FR_APP_PATHS_H
#define FR_APP_PATHS_H

#include "base/status.h"

/* Path of a file of the data folder, e.g. "maps/vale.tmj": from --data if given (`data_option`, may be null),
 * else from the first of $FRESHET_DATA, beside the program, a checkout around it, the installed folder beside
 * it, and the folder that was compiled in. Null with the places tried if it is nowhere. The caller frees
 * (fr_free). */
char *fr_data_file(const char *data_option, const char *name, fr_error *error);

/* The folder that holds fonts/, searched for in the same places (a checkout keeps it in assets/); null if
 * there is none. The caller frees. */
char *fr_data_font_dir(const char *data_option);

/* A name that is not taken yet for a screenshot in the player's own folder; null with a message if there is
 * no such folder. `extension` without the dot. The caller frees. */
char *fr_screenshot_path(const char *extension, fr_error *error);

#endif
