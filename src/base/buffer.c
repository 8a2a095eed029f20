#include "base/buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"

static void reserve(fr_buffer *buffer, size_t more)
{
    FR_ASSERT(more <= SIZE_MAX - buffer->size);
    size_t needed = buffer->size + more;
    if (needed <= buffer->capacity) {
        return;
    }
    size_t capacity = buffer->capacity < 256 ? 256 : buffer->capacity;
    while (capacity < needed) {
        capacity = capacity > SIZE_MAX / 2 ? needed : capacity * 2;
    }
    buffer->data = fr_realloc(buffer->data, capacity, 1);
    buffer->capacity = capacity;
}

void fr_buffer_fini(fr_buffer *buffer)
{
    fr_free(buffer->data);
    *buffer = (fr_buffer){0};
}

void fr_buffer_append(fr_buffer *buffer, const void *bytes, size_t size)
{
    if (size == 0) {
        return;
    }
    reserve(buffer, size);
    memcpy(buffer->data + buffer->size, bytes, size);
    buffer->size += size;
}

void fr_buffer_printf(fr_buffer *buffer, const char *format, ...)
{
    char line[256];
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(line, sizeof line, format, arguments);
    FR_ASSERT(length >= 0);
    if ((size_t)length < sizeof line) {
        fr_buffer_append(buffer, line, (size_t)length);
    } else {
        reserve(buffer, (size_t)length + 1);
        vsnprintf((char *)buffer->data + buffer->size, (size_t)length + 1, format, again);
        buffer->size += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

bool fr_reader_take(fr_reader *reader, void *bytes, size_t size)
{
    if (size > reader->size - reader->at) {
        return false;
    }
    if (size > 0) {
        memcpy(bytes, reader->data + reader->at, size);
    }
    reader->at += size;
    return true;
}
