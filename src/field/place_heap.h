/* place_heap: cells that wait their turn by value, the lowest first: a binary heap of fixed size. Internal to
 * field/. */
#ifndef FR_FIELD_PLACE_HEAP_H
#define FR_FIELD_PLACE_HEAP_H

#include <stdint.h>

#include "base/assert.h"

/* A cell: number of its tile and index within the block (repair_tiles.h). */
typedef uint32_t fr_place;

typedef struct fr_waiting_place {
    uint32_t value;
    fr_place place;
} fr_waiting_place;

typedef struct fr_place_heap {
    fr_waiting_place *items; /* owned by whoever made the heap [capacity] */
    int32_t count, capacity;
} fr_place_heap;

static inline void fr_place_heap_push(fr_place_heap *heap, fr_place place, uint32_t value)
{
    FR_ASSERT(heap->count < heap->capacity);
    fr_waiting_place *items = heap->items;
    int32_t at = heap->count++;
    for (; at > 0 && items[(at - 1) / 2].value > value; at = (at - 1) / 2) {
        items[at] = items[(at - 1) / 2];
    }
    items[at] = (fr_waiting_place){value, place};
}

/* The lowest of a heap that is not empty. */
static inline fr_waiting_place fr_place_heap_pop(fr_place_heap *heap)
{
    fr_waiting_place *items = heap->items;
    fr_waiting_place first = items[0], last = items[--heap->count];
    int32_t at = 0;
    for (int32_t child = 1; child < heap->count; child = 2 * at + 1) {
        if (child + 1 < heap->count && items[child + 1].value < items[child].value) {
            child++;
        }
        if (items[child].value >= last.value) {
            break;
        }
        items[at] = items[child];
        at = child;
    }
    items[at] = last;
    return first;
}

#endif
