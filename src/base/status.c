#include "base/status.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

void fr_make_one_line(char *text)
{
    size_t left = strlen(text);
    while (left > 0) {
        size_t length = fr_utf8_length((const uint8_t *)text, left);
        bool is_control = length == 1 && ((unsigned char)*text < 0x20 || *text == 0x7f);
        if (length == 0 || is_control) {
            *text = '?';
            length = 1;
        }
        text += length;
        left -= length;
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
