/* paths: where a file named inside another file lies. Internal to mapio/. */
#ifndef FR_MAPIO_PATHS_H
#define FR_MAPIO_PATHS_H

/* The path of `relative`, named in the file `from`: joined with the folder of `from`, backslashes turned.
 * Absolute paths, Windows' ones too, stay as they are. The caller frees (fr_free). */
char *fr_path_beside(const char *from, const char *relative);

#endif
