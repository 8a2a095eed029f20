/* place_list: cells that are collected in any order and then taken by value, the lowest first. Internal to
 * field/. */
#ifndef FR_FIELD_PLACE_LIST_H
#define FR_FIELD_PLACE_LIST_H

#include <stdbool.h>
#include <stdint.h>

/* A cell, as its owner numbers cells: by tile and index within the block (repair_tiles.h), or as an entry of
 * the queue (scratch.h). */
typedef uint32_t fr_place;

typedef struct fr_waiting_place {
    uint32_t value;
    fr_place place;
} fr_waiting_place;

typedef struct fr_place_list {
    fr_waiting_place *items;  /* owned [capacity], raw */
    fr_waiting_place *beside; /* owned [capacity], raw; for sorting */
    int32_t count, capacity;
    int32_t taken; /* the first of the items, once sorted */
} fr_place_list;

void fr_place_list_init(fr_place_list *list, int32_t capacity);
void fr_place_list_fini(fr_place_list *list);

static inline void fr_place_list_clear(fr_place_list *list)
{
    list->count = list->taken = 0;
}

/* False if the list is full. */
static inline bool fr_place_list_add(fr_place_list *list, fr_place place, uint32_t value)
{
    if (list->count == list->capacity) {
        return false;
    }
    list->items[list->count++] = (fr_waiting_place){value, place};
    return true;
}

/* Sorts by value, byte by byte from the lowest (radix sort), so that the order of adding decides among
 * equals.
 */
void fr_place_list_sort(fr_place_list *list);

static inline bool fr_place_list_is_empty(const fr_place_list *list)
{
    return list->taken == list->count;
}

/* Value of the first item not taken; the list must not be empty. */
static inline uint32_t fr_place_list_first(const fr_place_list *list)
{
    return list->items[list->taken].value;
}

#endif
