/* positions_read: one line of a --positions file, as this program or another has written it. */
#ifndef FR_SIM_POSITIONS_READ_H
#define FR_SIM_POSITIONS_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/vec2.h"

/* A unit at one tick. */
typedef struct fr_positions_row {
    uint32_t tick;
    int32_t unit;
    const char *group; /* in the line that was read */
    fr_position position;
    double radius, speed; /* cells, cells/s; within the limits of units */
    bool has_goal;
    fr_position goal;
} fr_positions_row;

/* Is this the header that such files begin with? */
bool fr_positions_is_header(const char *line);

/* Reads a line [without its end; is written to]. FR_BAD_INPUT names the column; the caller knows file and
 * line. */
fr_status fr_positions_read(char *line, fr_positions_row *row, fr_error *error);

#endif
