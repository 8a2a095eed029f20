/* buffer: a growing array of bytes, for files that are written and worlds that are saved. */
#ifndef FR_BASE_BUFFER_H
#define FR_BASE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fr_buffer {
    uint8_t *data; /* owned */
    size_t size, capacity;
} fr_buffer;

/* An all-zero buffer is valid and empty. */
void fr_buffer_fini(fr_buffer *buffer);
void fr_buffer_append(fr_buffer *buffer, const void *bytes, size_t size);
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void fr_buffer_printf(fr_buffer *buffer, const char *format, ...);

/* Reads `size` bytes in order; false (and nothing read) when fewer are left. For untrusted buffers. */
typedef struct fr_reader {
    const uint8_t *data;
    size_t size, at;
} fr_reader;
bool fr_reader_take(fr_reader *reader, void *bytes, size_t size);

/* Whether a bool that was read as bytes is one: looking at any other is undefined. */
#define FR_BOOL_IS_SANE(flag) (*(const uint8_t *)(const void *)&(flag) <= 1)

#endif
