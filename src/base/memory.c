#include "base/memory.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The one mutable file-scope variable of the library: a statistic, read by nothing that decides anything. */
static _Atomic uint64_t call_count;

static void *checked(void *memory, size_t count, size_t size)
{
    if (memory == NULL) {
        fprintf(stderr, "freshet: out of memory (%zu x %zu bytes)\n", count, size);
        abort();
    }
    return memory;
}

void *fr_alloc(size_t count, size_t size)
{
    atomic_fetch_add_explicit(&call_count, 1, memory_order_relaxed);
    if (count == 0 || size == 0) {
        count = size = 1;
    }
    return checked(calloc(count, size), count, size);
}

void *fr_alloc_raw(size_t count, size_t size)
{
    return fr_realloc(NULL, count, size);
}

void *fr_alloc_lines(size_t count, size_t size)
{
    atomic_fetch_add_explicit(&call_count, 1, memory_order_relaxed);
    if (size != 0 && count > (SIZE_MAX - FR_CACHE_LINE) / size) {
        checked(NULL, count, size);
    }
    size_t lines = (count * size + FR_CACHE_LINE - 1) / FR_CACHE_LINE;
    return checked(aligned_alloc(FR_CACHE_LINE, (lines > 0 ? lines : 1) * FR_CACHE_LINE), count, size);
}

void *fr_realloc(void *memory, size_t count, size_t size)
{
    atomic_fetch_add_explicit(&call_count, 1, memory_order_relaxed);
    if (size != 0 && count > SIZE_MAX / size) {
        checked(NULL, count, size);
    }
    size_t bytes = count * size;
    return checked(realloc(memory, bytes > 0 ? bytes : 1), count, size);
}

void fr_free(void *memory)
{
    free(memory);
}

char *fr_strdup(const char *text)
{
    if (text == NULL) {
        return NULL;
    }
    size_t length = strlen(text) + 1;
    return memcpy(fr_alloc_raw(length, 1), text, length);
}

uint64_t fr_alloc_count(void)
{
    return atomic_load_explicit(&call_count, memory_order_relaxed);
}
