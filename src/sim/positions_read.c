/* positions_read: see the header. */
#include "sim/positions_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"

/* Places lie on the map, or a little beside it where a program lets units leave it. */
#define PLACE_LEAST (-1024.0)
#define PLACE_MOST  (FR_MAP_SIDE_MAX + 1024.0)

static const char *const columns[] = {"tick",  "id",     "group",  "x",     "y", "radius",
                                      "speed", "goal_x", "goal_y", "state", NULL};

enum { COLUMN_COUNT = sizeof columns / sizeof *columns - 1 };

bool fr_positions_is_header(const char *line)
{
    for (int c = 0; c < COLUMN_COUNT; c++) {
        size_t length = strlen(columns[c]);
        if (strncmp(line, columns[c], length) != 0 || line[length] != (c + 1 < COLUMN_COUNT ? ',' : '\0')) {
            return false;
        }
        line += length + 1;
    }
    return true;
}

/* Ends the field that begins at `at`, takes its quotes off, and returns where the next begins; null after the
 * last one of the line. */
static char *end_field(char **at)
{
    char *read = *at, *write = read;
    bool is_quoted = *read == '"';
    if (is_quoted) {
        for (read++; *read != '\0' && (*read != '"' || read[1] == '"'); read++) {
            read += *read == '"' ? 1 : 0;
            *write++ = *read;
        }
        read += *read == '"' ? 1 : 0;
    } else {
        write = read += strcspn(read, ",");
    }
    bool is_last = *read == '\0';
    *write = '\0';
    return is_last ? NULL : read + 1;
}

static fr_status read_number(const char *text, int column, double least, double most, double *number,
                             fr_error *error)
{
    char *end;
    double found = strtod(text, &end);
    if (end == text || *end != '\0' || !(found >= least && found <= most)) {
        return fr_fail(error, FR_BAD_INPUT, "%s: found \"%.40s\", expected a number in %.9g..%.9g",
                       columns[column], text, least, most);
    }
    *number = found;
    return FR_OK;
}

static fr_status read_whole(const char *text, int column, double most, double *number, fr_error *error)
{
    fr_status status = read_number(text, column, 0.0, most, number, error);
    if (status == FR_OK && *number != floor(*number)) {
        status =
            fr_fail(error, FR_BAD_INPUT, "%s: found %.9g, expected a whole number", columns[column], *number);
    }
    return status;
}

static fr_status read_place(char *const *fields, int column, fr_position *place, fr_error *error)
{
    double x = 0.0, y = 0.0;
    fr_status status = read_number(fields[column], column, PLACE_LEAST, PLACE_MOST, &x, error);
    if (status == FR_OK) {
        status = read_number(fields[column + 1], column + 1, PLACE_LEAST, PLACE_MOST, &y, error);
    }
    if (status == FR_OK) {
        *place = fr_position_at(x, y);
    }
    return status;
}

fr_status fr_positions_read(char *line, fr_positions_row *row, fr_error *error)
{
    char *fields[COLUMN_COUNT], *at = line;
    int count = 0;
    for (; at != NULL && count < COLUMN_COUNT; count++) {
        fields[count] = at;
        at = end_field(&fields[count]);
    }
    if (at != NULL || count < COLUMN_COUNT) {
        return fr_fail(error, FR_BAD_INPUT, "found %s%d columns, expected %d", at != NULL ? "more than " : "",
                       count, COLUMN_COUNT);
    }
    double tick = 0.0, unit = 0.0;
    fr_status status = read_whole(fields[0], 0, 4294967295.0, &tick, error);
    if (status == FR_OK) {
        status = read_whole(fields[1], 1, FR_UNITS_MAX - 1, &unit, error);
    }
    if (status == FR_OK) {
        status = read_place(fields, 3, &row->position, error);
    }
    if (status == FR_OK) {
        status = read_number(fields[5], 5, 1e-5, (double)FR_RADIUS_MAX, &row->radius, error);
    }
    if (status == FR_OK) {
        status = read_number(fields[6], 6, 1e-5, (double)FR_SPEED_MAX, &row->speed, error);
    }
    row->has_goal = *fields[7] != '\0' || *fields[8] != '\0';
    if (status == FR_OK && row->has_goal) {
        status = read_place(fields, 7, &row->goal, error);
    }
    if (status == FR_OK) {
        row->tick = (uint32_t)tick;
        row->unit = (int32_t)unit;
        row->group = fields[2];
    }
    return status;
}
