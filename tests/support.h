/* support: what several tests share. Maps are drawn as ASCII pictures: `.` cost 1, `#` wall, digits their
 * cost. */
#ifndef FR_TESTS_SUPPORT_H
#define FR_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "grid/map.h"

/* `what` names the case for a failure. */
static inline void expect_message(const char *what, const fr_error *error, const char *part)
{
    if (strstr(error->message, part) == NULL) {
        fail_msg("%s: found \"%s\", expected \"%s\" in it", what, error->message, part);
    }
}

/* Map from rows of one length, the last of them null. Letters are open ground too, for marking places. */
static inline fr_map *map_from_picture(const char *const *rows)
{
    int32_t height = 0;
    while (rows[height] != NULL) {
        height++;
    }
    fr_map *map = fr_map_create("picture", (fr_grid){(int32_t)strlen(rows[0]), height});
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        fr_cell cell = fr_grid_cell(map->grid, i);
        char c = rows[cell.y][cell.x];
        uint8_t cost = c == '#' ? FR_COST_WALL : c >= '1' && c <= '9' ? (uint8_t)(c - '0') : 1;
        map->costs[FR_CLASS_FOOT][i] = cost;
    }
    return map;
}

/* Cell of the first occurrence of a letter. */
static inline fr_cell picture_cell(const char *const *rows, char letter)
{
    for (int32_t y = 0; rows[y] != NULL; y++) {
        const char *at = strchr(rows[y], letter);
        if (at != NULL) {
            return (fr_cell){(int32_t)(at - rows[y]), y};
        }
    }
    fail_msg("no '%c' in the picture", letter);
    return (fr_cell){0, 0};
}

/* Open ground of one cost. */
static inline fr_map *open_map(int32_t width, int32_t height)
{
    return fr_map_create("open", (fr_grid){width, height});
}

#endif
