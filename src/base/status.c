#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

fr_status fr_fail(fr_error *error, fr_status status, const char *format, ...)
{
    if (error == NULL) {
        return status;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    /* Names and values come from files: a newline in one must not turn one line into two. */
    for (char *c = error->message; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            *c = '?';
        }
    }
    return status;
}
