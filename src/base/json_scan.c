/* json_scan: one pass over JSON text before it is parsed, for what the parser lets pass or silently bends. It
 * checks words, not grammar. */
#include "base/json_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

fr_status fr_json_fail_at(const fr_json_text *in, size_t offset, fr_error *error, const char *message)
{
    int line = 1, column = 1;
    for (size_t i = 0; i < offset && i < in->size; i++) {
        if (in->bytes[i] == '\n') {
            line++;
            column = 1;
        } else if ((in->bytes[i] & 0xc0) != 0x80) {
            column++;
        }
    }
    return fr_fail(error, FR_BAD_INPUT, "%s: %d:%d: %s", in->name, line, column, message);
}

static bool is_digit(const fr_json_text *in, size_t at)
{
    return at < in->size && in->bytes[at] >= '0' && in->bytes[at] <= '9';
}

static size_t skip_digits(const fr_json_text *in, size_t at)
{
    while (is_digit(in, at)) {
        at++;
    }
    return at;
}

/* `*at` is at the first byte of a number and moves past it. cJSON would take 01 and turn 1e400 into infinity.
 */
static fr_status scan_number(const fr_json_text *in, size_t *at, fr_error *error)
{
    size_t start = *at, end = start;
    bool exponent = false;
    if (in->bytes[end] == '-') {
        end++;
    }
    size_t digits = end;
    end = skip_digits(in, end);
    bool good = end > digits && (end == digits + 1 || in->bytes[digits] != '0');
    if (good && end < in->size && in->bytes[end] == '.') {
        digits = ++end;
        end = skip_digits(in, end);
        good = end > digits;
    }
    if (good && end < in->size && (in->bytes[end] == 'e' || in->bytes[end] == 'E')) {
        exponent = true;
        end++;
        if (end < in->size && (in->bytes[end] == '+' || in->bytes[end] == '-')) {
            end++;
        }
        digits = end;
        end = skip_digits(in, end);
        good = end > digits;
    }
    char number[64]; /* cJSON reads no more than 63 characters of a number either */
    if (!good || end - start >= sizeof number) {
        return fr_json_fail_at(in, start, error,
                               good ? "number with more than 63 characters" : "malformed number");
    }
    if (exponent) {
        memcpy(number, in->bytes + start, end - start);
        number[end - start] = '\0';
        if (!isfinite(strtod(number, NULL))) {
            return fr_json_fail_at(in, start, error, "number too large for a double");
        }
    }
    *at = end;
    return FR_OK;
}

/* `*at` is behind the opening quote and moves behind the closing one. */
static fr_status scan_string(const fr_json_text *in, size_t *at, fr_error *error)
{
    size_t i = *at;
    while (i < in->size && in->bytes[i] != '"') {
        uint8_t c = in->bytes[i];
        if (c == '\\') {
            if (in->size - i >= 6 && memcmp(in->bytes + i, "\\u0000", 6) == 0) {
                return fr_json_fail_at(in, i, error, "\\u0000 in a string");
            }
            i += i + 1 < in->size && in->bytes[i + 1] < 0x80 ? 2 : 1;
            continue;
        }
        size_t length = fr_utf8_length(in->bytes + i, in->size - i);
        if (c == 0 || length == 0) {
            return fr_json_fail_at(in, i, error, c == 0 ? "NUL byte, expected text" : "not UTF-8 text");
        }
        i += length;
    }
    if (i >= in->size) {
        return fr_json_fail_at(in, *at - 1, error, "string without an end: the file is cut short");
    }
    *at = i + 1;
    return FR_OK;
}

fr_status fr_json_scan(const fr_json_text *in, bool *is_cut, fr_error *error)
{
    size_t i = 0;
    int64_t open = 0;
    while (i < in->size) {
        uint8_t c = in->bytes[i];
        fr_status status = FR_OK;
        if (c == '"') {
            i++;
            status = scan_string(in, &i, error);
        } else if (c == '-' || is_digit(in, i)) {
            status = scan_number(in, &i, error);
        } else if (c == 0) {
            status = fr_json_fail_at(in, i, error, "NUL byte, expected text");
        } else {
            open += (c == '{' || c == '[') - (c == '}' || c == ']');
            i++;
        }
        if (status != FR_OK) {
            return status;
        }
    }
    *is_cut = open > 0;
    return FR_OK;
}
