#include "bitmap.h"

#include "base/memory.h"

#define HEADERS_BYTES (14 + 40)

fr_bitmap fr_bitmap_create(int width, int height)
{
    return (fr_bitmap){width, height, fr_alloc((size_t)width * (size_t)height, sizeof(uint32_t))};
}

void fr_bitmap_destroy(fr_bitmap *bitmap)
{
    fr_free(bitmap->pixels);
    *bitmap = (fr_bitmap){0};
}

static void append_le(fr_buffer *out, uint32_t value, int bytes)
{
    for (int i = 0; i < bytes; i++) {
        uint8_t byte = (uint8_t)(value >> (8 * i));
        fr_buffer_append(out, &byte, 1);
    }
}

static void append_headers(const fr_bitmap *bitmap, uint32_t bytes, fr_buffer *out)
{
    fr_buffer_append(out, "BM", 2);
    append_le(out, HEADERS_BYTES + bytes, 4);
    append_le(out, 0, 4);
    append_le(out, HEADERS_BYTES, 4);
    append_le(out, 40, 4);
    append_le(out, (uint32_t)bitmap->width, 4);
    append_le(out, (uint32_t)bitmap->height, 4);
    append_le(out, 1, 2);  /* planes */
    append_le(out, 24, 2); /* bits a pixel */
    append_le(out, 0, 4);  /* not compressed */
    append_le(out, bytes, 4);
    append_le(out, 2835, 4); /* 72 dpi in pixels a metre, both ways */
    append_le(out, 2835, 4);
    append_le(out, 0, 4);
    append_le(out, 0, 4);
}

void fr_bitmap_write(const fr_bitmap *bitmap, fr_buffer *out)
{
    /* Rows from the bottom up, each padded to a multiple of four bytes. */
    int padding = (4 - bitmap->width * 3 % 4) % 4;
    append_headers(bitmap, (uint32_t)((bitmap->width * 3 + padding) * bitmap->height), out);
    for (int y = bitmap->height - 1; y >= 0; y--) {
        for (int x = 0; x < bitmap->width; x++) {
            append_le(out, bitmap->pixels[y * bitmap->width + x], 3);
        }
        append_le(out, 0, padding);
    }
}
