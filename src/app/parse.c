#include "app/parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool fr_parse_word_uint(const char *text, uint64_t max, uint64_t *out)
{
    uint64_t value = 0;
    if (*text == '\0') {
        return false;
    }
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') {
            return false;
        }
        uint64_t digit = (uint64_t)(*text - '0');
        if (value > (max - digit) / 10 || digit > max) {
            return false;
        }
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

bool fr_parse_word_numbers(const char *text, char separator, double *out, int count)
{
    for (int i = 0; i < count; i++) {
        /* strtod would also take blanks, hexadecimal, "inf" and "nan". */
        size_t length = strspn(text, "0123456789.+-eE");
        if (length == 0) {
            return false;
        }
        char *end = NULL;
        out[i] = strtod(text, &end);
        if (end != text + length || !isfinite(out[i])) {
            return false;
        }
        if (*end != (i + 1 < count ? separator : '\0')) {
            return false;
        }
        text = end + 1;
    }
    return true;
}
