#include "mapio/movingai.h"

#include <stdio.h>
#include <string.h>

#include "mapio/lines.h"

typedef struct reader {
    const char *path;
    fr_lines lines;
    fr_error *error;
} reader;

static fr_status fail(const reader *r, int32_t line, size_t column, const char *message)
{
    return fr_fail(r->error, FR_BAD_INPUT, "%s: %d:%zu: %s", r->path, line, column, message);
}

/* Lengths of messages are bounded: what is quoted comes from a file. */
static fr_status fail_header(const reader *r, const fr_line *line, const char *expected)
{
    char message[160];
    snprintf(message, sizeof message, "found \"%.*s\", expected %s",
             line->length > 40 ? 40 : (int)line->length, line->text, expected);
    return fail(r, line->number, 1, message);
}

static fr_status read_side(const reader *r, const fr_line *line, const fr_line *rest, int32_t *side)
{
    if (*side != 0) {
        return fail_header(r, line, "each side once");
    }
    if (!fr_line_int(rest, side) || *side < 1 || *side > FR_MAP_SIDE_MAX) {
        char expected[64];
        snprintf(expected, sizeof expected, "a side of 1..%d cells", FR_MAP_SIDE_MAX);
        return fail_header(r, line, expected);
    }
    return FR_OK;
}

/* `type octile`, then height and width in either order, then `map`. */
static fr_status read_header(reader *r, fr_grid *grid)
{
    fr_line line, rest;
    bool has_type = false;
    while (fr_lines_next(&r->lines, &line)) {
        fr_status status = FR_OK;
        if (!has_type) {
            if (!fr_line_after(&line, "type", &rest) || !fr_line_is(&rest, "octile")) {
                return fail_header(r, &line, "type octile");
            }
            has_type = true;
        } else if (fr_line_after(&line, "height", &rest)) {
            status = read_side(r, &line, &rest, &grid->height);
        } else if (fr_line_after(&line, "width", &rest)) {
            status = read_side(r, &line, &rest, &grid->width);
        } else if (!fr_line_is(&line, "map") || grid->width == 0 || grid->height == 0) {
            return fail_header(r, &line, "height, width, then map");
        } else if ((int64_t)grid->width * grid->height > FR_MAP_CELLS_MAX) {
            return fail_header(r, &line, "fewer cells: the map is too large");
        } else {
            return FR_OK;
        }
        if (status != FR_OK) {
            return status;
        }
    }
    return fail(r, r->lines.number + 1, 1, "the file ends too early, expected type, height, width and map");
}

/* Kind and cost of a letter; false for one that means nothing. */
static bool read_letter(char letter, uint8_t *terrain, uint8_t *cost)
{
    static const struct {
        char letter;
        uint8_t terrain, cost;
    } letters[] = {
        {'.', FR_TERRAIN_GRASS, 1},
        {'G', FR_TERRAIN_GRASS, 1},
        {'S', FR_TERRAIN_SWAMP, 1},
        {'@', FR_TERRAIN_ROCK, FR_COST_WALL},
        {'O', FR_TERRAIN_ROCK, FR_COST_WALL},
        {'T', FR_TERRAIN_FOREST, FR_COST_WALL},
        {'W', FR_TERRAIN_WATER, FR_COST_WALL},
    };
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
        if (letters[i].letter == letter) {
            *terrain = letters[i].terrain;
            *cost = letters[i].cost;
            return true;
        }
    }
    return false;
}

static fr_status read_row(const reader *r, const fr_line *line, int32_t width, uint8_t *terrain,
                          uint8_t *costs)
{
    char message[96];
    for (int32_t x = 0; x < width && (size_t)x < line->length; x++) {
        if (!read_letter(line->text[x], &terrain[x], &costs[x])) {
            bool is_plain = line->text[x] > ' ' && line->text[x] < 0x7f;
            snprintf(message, sizeof message, "found '%c', expected one of . G S @ O T W",
                     is_plain ? line->text[x] : '?');
            return fail(r, line->number, (size_t)x + 1, message);
        }
    }
    if (line->length != (size_t)width) {
        snprintf(message, sizeof message, "found a row of %zu cells, expected %d", line->length, width);
        return fail(r, line->number, (line->length < (size_t)width ? line->length : (size_t)width) + 1,
                    message);
    }
    return FR_OK;
}

static fr_status read_rows(reader *r, fr_map *map)
{
    fr_line line;
    for (int32_t y = 0; y < map->grid.height; y++) {
        if (!fr_lines_next(&r->lines, &line)) {
            char message[80];
            snprintf(message, sizeof message, "found %d rows, expected %d", y, map->grid.height);
            return fail(r, r->lines.number + 1, 1, message);
        }
        int32_t row = fr_grid_index(map->grid, (fr_cell){0, y});
        fr_status status =
            read_row(r, &line, map->grid.width, map->terrain + row, map->costs[FR_CLASS_FOOT] + row);
        if (status != FR_OK) {
            return status;
        }
    }
    while (fr_lines_next(&r->lines, &line)) {
        if (line.length > 0) {
            return fail(r, line.number, 1, "text after the last row");
        }
    }
    return FR_OK;
}

fr_map *fr_movingai_load(const char *path, const void *bytes, size_t size, fr_error *error)
{
    reader r = {path, {bytes, size, 0}, error};
    fr_grid grid = {0, 0};
    if (read_header(&r, &grid) != FR_OK) {
        return NULL;
    }
    /* Before anything is allocated: the file must have at least as many bytes as the map has cells. */
    if (r.lines.left < (size_t)fr_grid_count(grid)) {
        char message[96];
        snprintf(message, sizeof message, "found fewer cells than %d x %d", grid.width, grid.height);
        fail(&r, r.lines.number + 1, 1, message);
        return NULL;
    }
    fr_map *map = fr_map_create(path, grid);
    map->format = FR_MAP_MOVINGAI;
    map->has_terrain = true;
    if (read_rows(&r, map) != FR_OK) {
        fr_map_destroy(map);
        return NULL;
    }
    return map;
}
