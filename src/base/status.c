#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

void fr_make_one_line(char *text)
{
    for (char *c = text; *c != '\0'; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            *c = '?';
        }
    }
}

fr_status fr_fail(fr_error *error, fr_status status, const char *format, ...)
{
    if (error == NULL) {
        return status;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    fr_make_one_line(error->message);
    return status;
}
