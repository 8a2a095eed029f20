/* json_scan: the part of the JSON reader that looks at bytes. Internal to base/. */
#ifndef FR_BASE_JSON_SCAN_H
#define FR_BASE_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* The text being parsed, without its byte order mark. */
typedef struct fr_json_text {
    const char *name; /* the file's, for messages */
    const uint8_t *bytes;
    size_t size;
} fr_json_text;

/* Refuses NUL bytes, the escape \u0000, malformed numbers and those that overflow a double, strings without
 * an end or not in UTF-8. `*is_cut` tells whether brackets stay open at the end. */
fr_status fr_json_scan(const fr_json_text *in, bool *is_cut, fr_error *error);

/* FR_BAD_INPUT with `NAME: LINE:COLUMN: message`; both count from 1, columns in characters. */
fr_status fr_json_fail_at(const fr_json_text *in, size_t offset, fr_error *error, const char *message);

#endif
