/* scen: scenarios of the grid benchmark: pairs of cells with the length of the shortest path between them. */
#include "mapio/mapio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapio/lines.h"

/* bucket, map, width, height, start x, start y, goal x, goal y, length */
#define FIELD_COUNT 9

/* Splits a line at tabs or, where it has none, at blanks (map names may hold blanks). */
static int split(const fr_line *line, fr_line fields[FIELD_COUNT])
{
    char separator = memchr(line->text, '\t', line->length) != NULL ? '\t' : ' ';
    const char *at = line->text, *end = line->text + line->length;
    while (end > at && end[-1] == separator) {
        end--;
    }
    for (int count = 0; count < FIELD_COUNT; count++) {
        const char *stop = memchr(at, separator, (size_t)(end - at));
        stop = stop != NULL ? stop : end;
        fields[count] = (fr_line){at, (size_t)(stop - at), line->number};
        if (stop == end) {
            return count + 1;
        }
        at = stop + 1;
    }
    return FIELD_COUNT + 1;
}

/* Digits with at most one point; the tolerance is half a unit of the last digit. */
static bool read_length(const fr_line *field, double *length, double *tolerance)
{
    char text[48];
    size_t points = 0, decimals = 0;
    if (field->length < 1 || field->length >= sizeof text) {
        return false;
    }
    for (size_t i = 0; i < field->length; i++) {
        char c = field->text[i];
        points += c == '.';
        decimals += points > 0 && c != '.';
        if (points > 1 || (c != '.' && (c < '0' || c > '9'))) {
            return false;
        }
    }
    memcpy(text, field->text, field->length);
    text[field->length] = '\0';
    *length = strtod(text, NULL);
    *tolerance = 0.5;
    for (size_t i = 0; i < decimals; i++) {
        *tolerance /= 10;
    }
    return field->length > points;
}

static bool read_line(const fr_line *line, fr_scen_line *out)
{
    fr_line fields[FIELD_COUNT];
    int32_t bucket;
    int32_t *const numbers[FIELD_COUNT] = {
        &bucket,       NULL,         &out->width,  &out->height, &out->start.x,
        &out->start.y, &out->goal.x, &out->goal.y, NULL,
    };
    if (split(line, fields) != FIELD_COUNT) {
        return false;
    }
    for (int i = 0; i < FIELD_COUNT; i++) {
        if (numbers[i] != NULL && !fr_line_int(&fields[i], numbers[i])) {
            return false;
        }
    }
    out->line = line->number;
    return read_length(&fields[FIELD_COUNT - 1], &out->length, &out->tolerance);
}

static fr_status read_lines(const char *path, fr_lines lines, fr_scen_line **out, int32_t *count,
                            fr_error *error)
{
    fr_line line, rest;
    int32_t capacity = 0;
    if (!fr_lines_next(&lines, &line) || !fr_line_after(&line, "version", &rest) ||
        !(fr_line_is(&rest, "1") || fr_line_is(&rest, "1.0"))) {
        return fr_fail(error, FR_BAD_INPUT, "%s: 1:1: expected \"version 1\"", path);
    }
    while (fr_lines_next(&lines, &line)) {
        if (line.length == 0) {
            continue; /* some files end so */
        }
        if (*count == capacity) {
            capacity = capacity == 0 ? 256 : capacity * 2;
            *out = fr_realloc(*out, (size_t)capacity, sizeof **out);
        }
        if (!read_line(&line, &(*out)[*count])) {
            return fr_fail(
                error, FR_BAD_INPUT,
                "%s: %d:1: expected bucket, map, width, height, start x, start y, goal x, goal y, length",
                path, line.number);
        }
        (*count)++;
    }
    return FR_OK;
}

fr_status fr_scen_load(const fr_io *io, const char *path, fr_scen_line **out, int32_t *count, fr_error *error)
{
    fr_buffer text = {0};
    fr_scen_line *lines = NULL;
    int32_t line_count = 0;
    fr_status status = io->read(io->self, path, &text, error);
    if (status == FR_OK) {
        status =
            read_lines(path, (fr_lines){(const char *)text.data, text.size, 0}, &lines, &line_count, error);
    }
    fr_buffer_fini(&text);
    if (status != FR_OK) {
        fr_free(lines);
        return status;
    }
    *out = lines;
    *count = line_count;
    return FR_OK;
}
