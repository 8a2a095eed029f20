/* json: a checked reader and a writer for JSON. json.c is the only file that sees cJSON. The reader answers
 * bad data with one line that carries file, JSON path, what was found and what was expected; it never
 * truncates a number, and it refuses what cJSON lets pass (NUL bytes, UTF-16, `\u0000`, trailing garbage,
 * infinities). A UTF-8 byte order mark is skipped. */
#ifndef FR_BASE_JSON_H
#define FR_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/status.h"

typedef struct fr_json fr_json;             /* a document; owns all values and strings */
typedef struct fr_json_value fr_json_value; /* a borrowed node, valid until fr_json_destroy */

/* Parses `size` bytes (need not end in NUL). `name` is the file's name for messages; copied. Parse errors
 * name line:column. Null on failure. */
fr_json *fr_json_parse(const char *name, const void *bytes, size_t size, fr_error *error);
void fr_json_destroy(fr_json *json);
const fr_json_value *fr_json_root(const fr_json *json);

/* Kind tests; false for null pointers. */
bool fr_json_is_object(const fr_json_value *value);
bool fr_json_is_array(const fr_json_value *value);
bool fr_json_is_string(const fr_json_value *value);
bool fr_json_is_number(const fr_json_value *value);
bool fr_json_is_bool(const fr_json_value *value);

/* "null", "an object", "a string", ...: for messages. Static storage. */
const char *fr_json_kind_name(const fr_json_value *value);

/* Walking: member by key (null if absent or not an object; first of duplicates), children in order. */
const fr_json_value *fr_json_get(const fr_json_value *object, const char *key);
const fr_json_value *fr_json_first(const fr_json_value *container);
const fr_json_value *fr_json_next(const fr_json_value *value);
const char *fr_json_key(const fr_json_value *value); /* null inside arrays */
int fr_json_count(const fr_json_value *container);   /* O(n) */

/* Unchecked peeks for tests on optional data: the number, string or bool, or the fallback if of another kind.
 */
double fr_json_number_or(const fr_json_value *value, double fallback);
const char *fr_json_string_or(const fr_json_value *value, const char *fallback);
bool fr_json_bool_or(const fr_json_value *value, bool fallback);

/* Sets `error` to `NAME: $.path: message` (the path is found by searching for the node) and returns
 * FR_BAD_INPUT. */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
fr_status
fr_json_fail(const fr_json *json, const fr_json_value *value, fr_error *error, const char *format, ...);

/* Checked getters: a missing (null) value, another kind, a fraction, or a value outside min..max is
 * FR_BAD_INPUT with the path of `object` and `key`, what was found and what was expected; `*out` is untouched
 * on failure. */
fr_status fr_json_get_int(const fr_json *json, const fr_json_value *object, const char *key, int64_t min,
                          int64_t max, int64_t *out, fr_error *error);
fr_status fr_json_get_number(const fr_json *json, const fr_json_value *object, const char *key, double min,
                             double max, double *out, fr_error *error);
fr_status fr_json_get_string(const fr_json *json, const fr_json_value *object, const char *key,
                             const char **out, fr_error *error);
/* The same for a value already in hand (an array element). */
fr_status fr_json_int(const fr_json *json, const fr_json_value *value, int64_t min, int64_t max, int64_t *out,
                      fr_error *error);
fr_status fr_json_number(const fr_json *json, const fr_json_value *value, double min, double max, double *out,
                         fr_error *error);
/* A float: the number in the file is rounded before it is compared, so that 0.1 lies within limits of 0.1f.
 */
fr_status fr_json_float(const fr_json *json, const fr_json_value *value, float min, float max, float *out,
                        fr_error *error);

/* Strict objects: every key of `object` must be in the null-terminated list and appear once. */
fr_status fr_json_check_keys(const fr_json *json, const fr_json_value *object, const char *const *allowed,
                             fr_error *error);

/* Writer: appends to a buffer; keeps commas, quotes and escapes right. Non-finite numbers are written as
 * null. Pass key = null inside arrays. Indented two spaces a level unless `compact`. */
typedef struct fr_json_writer {
    fr_buffer *out;
    bool compact;
    int depth;
    bool has_items; /* in the container being written */
} fr_json_writer;

fr_json_writer fr_json_writer_begin(fr_buffer *out, bool compact);
void fr_json_begin_object(fr_json_writer *writer, const char *key);
void fr_json_end_object(fr_json_writer *writer);
void fr_json_begin_array(fr_json_writer *writer, const char *key);
void fr_json_end_array(fr_json_writer *writer);
void fr_json_write_string(fr_json_writer *writer, const char *key, const char *text);
void fr_json_write_int(fr_json_writer *writer, const char *key, int64_t number);
/* Shortest decimal that reads back exactly; fixed rounds to that many places. */
void fr_json_write_number(fr_json_writer *writer, const char *key, double number);
void fr_json_write_fixed(fr_json_writer *writer, const char *key, double number, int decimals);
void fr_json_write_bool(fr_json_writer *writer, const char *key, bool value);
void fr_json_write_null(fr_json_writer *writer, const char *key);
/* 16 lower-case hex digits, as a string. */
void fr_json_write_hash(fr_json_writer *writer, const char *key, uint64_t hash);

#endif
