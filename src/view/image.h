/* image: picture files in and out. The only file of the project that sees SDL2_image; without it, BMP alone.
 */
#ifndef FR_VIEW_IMAGE_H
#define FR_VIEW_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/status.h"

struct SDL_Surface;

/* Largest side of an image that is loaded (pixels): larger ones are no tilesets. */
#define FR_IMAGE_SIDE_MAX 8192

typedef struct fr_image {
    uint32_t *pixels; /* owned [height * width], 0xAARRGGBB, straight alpha */
    int width, height;
} fr_image;

/* Loads a file; on failure `error` names it and the image is untouched: FR_IO_FAILED for a file that can't be
 * opened, FR_BAD_INPUT or FR_LIMIT for one that is no picture or too large a one. */
fr_status fr_image_load(const char *path, fr_image *out, fr_error *error);
void fr_image_fini(fr_image *image);

/* Extension of the best format this build can write: "png" or "bmp". */
const char *fr_image_extension(void);

/* Why no picture can be written under this name, or null if it can. Static storage. */
const char *fr_image_refusal(const char *path);

/* Does a file's name ask for PNG? */
bool fr_image_is_png(const char *path);

/* Appends the bytes of a .png or .bmp file. FR_LIMIT if PNG is asked for and not built in. */
fr_status fr_image_encode(struct SDL_Surface *surface, bool png, fr_buffer *out, fr_error *error);

/* "SDL2_image X.Y.Z", or null where it is not built in. Static storage. */
const char *fr_image_library(void);

#endif
