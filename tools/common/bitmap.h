/* bitmap: a picture in memory, and as a BMP file: SDL alone opens it, and so does the Tiled editor. */
#ifndef FR_TOOLS_BITMAP_H
#define FR_TOOLS_BITMAP_H

#include "base/buffer.h"

typedef struct fr_bitmap {
    int width, height;
    uint32_t *pixels; /* 0xRRGGBB [width * height]; owned */
} fr_bitmap;

/* A black picture; sides of at least one pixel. */
fr_bitmap fr_bitmap_create(int width, int height);
void fr_bitmap_destroy(fr_bitmap *bitmap);

/* Appends the picture as a BMP of 24 bits a pixel. */
void fr_bitmap_write(const fr_bitmap *bitmap, fr_buffer *out);

#endif
