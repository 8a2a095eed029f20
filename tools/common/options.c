#include "options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "mapio/mapio.h"

static void complain(const char *program, const char *format, va_list arguments)
{
    fprintf(stderr, "%s: ", program);
    vfprintf(stderr, format, arguments);
}

int fr_complain(const char *program, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(program, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return FR_EXIT_USAGE;
}

int fr_complain_usage(const char *program, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    complain(program, format, arguments);
    va_end(arguments);
    fprintf(stderr, " (try '%s --help')\n", program);
    return FR_EXIT_USAGE;
}

bool fr_answer_help(const char *program, const char *help, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            fputs(help, stdout);
            return true;
        }
        if (strcmp(argv[i], "--version") == 0) {
            printf("%s %s\n", program, FR_VERSION);
            printf("optional libraries: %s\n", fr_mapio_libraries());
            return true;
        }
    }
    return false;
}

/* The number at the front of `text`; `*end` is behind it, or null if there is none. strtoll alone would take
 * leading blanks. */
static int64_t leading_int(const char *text, const char **end)
{
    *end = NULL;
    const char *digits = text + (*text == '-');
    if (*digits < '0' || *digits > '9') {
        return 0;
    }
    char *stop;
    errno = 0;
    long long number = strtoll(text, &stop, 10);
    if (errno == 0) {
        *end = stop;
    }
    return number;
}

bool fr_parse_int(const char *text, int64_t min, int64_t max, int64_t *out)
{
    const char *end;
    int64_t number = leading_int(text, &end);
    if (end == NULL || *end != '\0' || number < min || number > max) {
        return false;
    }
    *out = number;
    return true;
}

bool fr_parse_size(const char *text, int32_t side_max, fr_grid *out)
{
    const char *times, *end;
    int64_t width = leading_int(text, &times);
    if (times == NULL || *times != 'x') {
        return false;
    }
    int64_t height = leading_int(times + 1, &end);
    if (end == NULL || *end != '\0' || width < 1 || width > side_max || height < 1 || height > side_max) {
        return false;
    }
    *out = (fr_grid){(int32_t)width, (int32_t)height};
    return true;
}

bool fr_parse_cell(const char *text, fr_cell *out)
{
    const char *comma, *end;
    int64_t x = leading_int(text, &comma);
    if (comma == NULL || *comma != ',') {
        return false;
    }
    int64_t y = leading_int(comma + 1, &end);
    if (end == NULL || *end != '\0' || x < INT32_MIN || x > INT32_MAX || y < INT32_MIN || y > INT32_MAX) {
        return false;
    }
    *out = (fr_cell){(int32_t)x, (int32_t)y};
    return true;
}
