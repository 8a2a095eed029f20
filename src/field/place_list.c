/* place_list: memory, and the sorting. */
#include "field/place_list.h"

#include "base/memory.h"

#define DIGITS (1 << 8)

void fr_place_list_init(fr_place_list *list, int32_t capacity)
{
    *list = (fr_place_list){.capacity = capacity};
    list->items = fr_alloc_raw((size_t)capacity, sizeof *list->items);
    list->beside = fr_alloc_raw((size_t)capacity, sizeof *list->beside);
}

void fr_place_list_fini(fr_place_list *list)
{
    fr_free(list->items);
    fr_free(list->beside);
}

static void sort_by_byte(fr_place_list *list, int shift)
{
    int32_t starts[DIGITS + 1] = {0};
    for (int32_t i = 0; i < list->count; i++) {
        starts[(list->items[i].value >> shift) % DIGITS + 1]++;
    }
    if (list->count > 0 && starts[(list->items[0].value >> shift) % DIGITS + 1] == list->count) {
        return; /* all alike */
    }
    for (int digit = 0; digit < DIGITS; digit++) {
        starts[digit + 1] += starts[digit];
    }
    for (int32_t i = 0; i < list->count; i++) {
        list->beside[starts[(list->items[i].value >> shift) % DIGITS]++] = list->items[i];
    }
    fr_waiting_place *sorted = list->beside;
    list->beside = list->items;
    list->items = sorted;
}

void fr_place_list_sort(fr_place_list *list)
{
    for (int shift = 0; shift < 32; shift += 8) {
        sort_by_byte(list, shift);
    }
}
