/* image_file: a picture as the bytes of a .bmp or .png file. The only file of the app that sees SDL2_image.
 */
#ifndef FR_APP_IMAGE_FILE_H
#define FR_APP_IMAGE_FILE_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/status.h"

struct SDL_Surface;

/* Extension of the best format this build can write: "png" or "bmp". */
const char *fr_image_extension(void);

/* Does a file's name ask for PNG? */
bool fr_image_is_png(const char *path);

/* Appends the file's bytes. FR_LIMIT if PNG is asked for and not built in. */
fr_status fr_image_encode(struct SDL_Surface *surface, bool png, fr_buffer *out, fr_error *error);

#endif
