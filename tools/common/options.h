/* options: what the command lines of all tools share: how they complain, --help and --version, and numbers in
 * arguments. Knows no tool in particular. */
#ifndef FR_TOOLS_OPTIONS_H
#define FR_TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "grid/grid.h"

/* Exit codes of every program. */
enum { FR_EXIT_OK = 0, FR_EXIT_FAILED = 1, FR_EXIT_USAGE = 2 };

/* Prints `PROGRAM: message` as one line to stderr and returns FR_EXIT_USAGE. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int fr_complain(const char *program, const char *format, ...);

/* The same with a hint to --help behind the message: for command lines, not for files. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int fr_complain_usage(const char *program, const char *format, ...);

/* If --help or --version is among the arguments (before any `--`), prints what it asks for to stdout and
 * returns true: the program is done. `help` ends in a newline. */
bool fr_answer_help(const char *program, const char *help, int argc, char **argv);

/* The whole of `text` as a decimal number within min..max, or false. */
bool fr_parse_int(const char *text, int64_t min, int64_t max, int64_t *out);

/* "WxH" in whole cells, each 1..side_max, or false. */
bool fr_parse_size(const char *text, int32_t side_max, fr_grid *out);

/* "X,Y" in whole cells, or false. */
bool fr_parse_cell(const char *text, fr_cell *out);

#endif
