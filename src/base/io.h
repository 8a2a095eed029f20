/* io: the only way in which the library touches the outside. The library opens no file and prints nothing;
 * programs hand it this seam. The stdio form is files/stdio_io.h. */
#ifndef FR_BASE_IO_H
#define FR_BASE_IO_H

#include "base/buffer.h"
#include "base/status.h"

typedef struct fr_io {
    void *self;
    /* Appends the whole file to `out`. On failure `error` reads `PATH: reason` and `out` is untouched. */
    fr_status (*read)(void *self, const char *path, fr_buffer *out, fr_error *error);
    /* Writes a whole file through a temporary name and renames it. */
    fr_status (*write)(void *self, const char *path, const void *bytes, size_t size, fr_error *error);
    /* One line for a person (warnings). */
    void (*log)(void *self, const char *line);
} fr_io;

#endif
