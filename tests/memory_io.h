/* memory_io: files that exist only in a test, and map text that can be read in C: single quotes stand for
 * double ones. */
#ifndef FR_TESTS_MEMORY_IO_H
#define FR_TESTS_MEMORY_IO_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/io.h"
#include "mapio/mapio.h"

typedef struct memory_file {
    const char *path, *text; /* a list ends with a null path */
} memory_file;

static inline void append_quoted(fr_buffer *out, const char *text)
{
    for (; *text != '\0'; text++) {
        fr_buffer_append(out, *text == '\'' ? "\"" : text, 1);
    }
}

static inline fr_status memory_read(void *self, const char *path, fr_buffer *out, fr_error *error)
{
    for (const memory_file *file = self; file != NULL && file->path != NULL; file++) {
        if (strcmp(file->path, path) == 0) {
            append_quoted(out, file->text);
            return FR_OK;
        }
    }
    return fr_fail(error, FR_IO_FAILED, "%s: no such file", path);
}

static inline fr_io memory_io(const memory_file *files)
{
    return (fr_io){.self = (void *)(uintptr_t)files, .read = memory_read};
}

/* Loads map text as the file maps/test.tmj among `files` (may be null). */
static inline fr_map *load_text(const memory_file *files, const char *text, fr_error *error)
{
    fr_io io = memory_io(files);
    fr_buffer bytes = {0};
    append_quoted(&bytes, text);
    fr_map *map = fr_map_load_bytes(&io, "maps/test.tmj", bytes.data, bytes.size, error);
    fr_buffer_fini(&bytes);
    return map;
}

/* Whether the costs look like the picture: a digit is a cost, # a wall, * any other; lines end in \n. Prints
 * both if not. */
static inline bool costs_are(const fr_map *map, fr_class movement_class, const char *picture)
{
    fr_buffer found = {0};
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        uint8_t cost = map->costs[movement_class][i];
        fr_buffer_printf(&found, "%c", cost == FR_COST_WALL ? '#' : cost <= 9 ? '0' + cost : '*');
        if (fr_grid_cell(map->grid, i).x == map->grid.width - 1) {
            fr_buffer_append(&found, "\n", 1);
        }
    }
    fr_buffer_append(&found, "", 1);
    bool equal = strcmp((const char *)found.data, picture) == 0;
    if (!equal) {
        fprintf(stderr, "class %s: found\n%sexpected\n%s", fr_class_name(movement_class),
                (const char *)found.data, picture);
    }
    fr_buffer_fini(&found);
    return equal;
}

#endif
