/* utf8: is a run of bytes text? Shared by the JSON reader, which refuses what is not, and the writer, which
 * must not pass it on. */
#ifndef FR_BASE_UTF8_H
#define FR_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Length of the valid UTF-8 sequence at the front of `bytes` (1..4), or 0: cut, overlong, a surrogate, or
 * past U+10FFFF (the table of the Unicode Standard, section 3.9). */
static inline size_t fr_utf8_length(const uint8_t *bytes, size_t size)
{
    if (size == 0) {
        return 0;
    }
    uint8_t lead = bytes[0], low = 0x80, high = 0xbf;
    if (lead < 0x80) {
        return 1;
    }
    size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || size < length) {
        return 0;
    }
    if (lead == 0xe0) {
        low = 0xa0;
    } else if (lead == 0xed) {
        high = 0x9f;
    } else if (lead == 0xf0) {
        low = 0x90;
    } else if (lead == 0xf4) {
        high = 0x8f;
    }
    if (bytes[1] < low || bytes[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

#endif
