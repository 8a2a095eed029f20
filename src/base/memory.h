/* memory: the only allocator calls of floors 0-5. Every call is counted so that
 * "no allocation per tick" can be measured and tested. */
#ifndef FR_BASE_MEMORY_H
#define FR_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* Zeroed array of count elements of size bytes. Aborts with one line when memory is exhausted or the product
 * overflows: no caller can continue, and no input may ask for more than base/limits.h allows. Any thread. */
void *fr_alloc(size_t count, size_t size);

/* Same, but the memory is not cleared: pages that are never touched cost nothing. */
void *fr_alloc_raw(size_t count, size_t size);

/* The same, beginning at a line of the cache (FR_CACHE_LINE bytes). Not for fr_realloc. */
#define FR_CACHE_LINE 64
void *fr_alloc_lines(size_t count, size_t size);

/* Changes the size of an array (null = new). The added part is not cleared. */
void *fr_realloc(void *memory, size_t count, size_t size);

/* Frees; null is allowed. */
void fr_free(void *memory);

/* Copy of a string; null gives null. */
char *fr_strdup(const char *text);

/* Number of calls of the allocating functions in this process so far, from all threads. Any thread. */
uint64_t fr_alloc_count(void);

#endif
