/* lines: steps through text line by line, whatever ends them (LF or CR LF). Internal to mapio/. */
#ifndef FR_MAPIO_LINES_H
#define FR_MAPIO_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fr_line {
    const char *text; /* not ended by NUL */
    size_t length;    /* without the line's end */
    int32_t number;   /* from 1 */
} fr_line;

typedef struct fr_lines {
    const char *at;
    size_t left;
    int32_t number; /* of the line read last */
} fr_lines;

/* The next line, or false at the end. A last line needs no line end. */
bool fr_lines_next(fr_lines *lines, fr_line *out);

/* If the line begins with `word` and a blank (or is the word), `*rest` is what follows the blanks. */
bool fr_line_after(const fr_line *line, const char *word, fr_line *rest);

bool fr_line_is(const fr_line *line, const char *text);

/* The whole line as a decimal number of at most nine digits; false for anything else. */
bool fr_line_int(const fr_line *line, int32_t *out);

#endif
