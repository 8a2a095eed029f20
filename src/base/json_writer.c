/* json_writer: JSON text from values, one call a value. Knows nothing of cJSON: numbers are written so that
 * they read back exactly, and whatever text it is handed (file names need not be UTF-8) the result stays
 * valid. */
#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/number_text.h"
#include "base/utf8.h"

fr_json_writer fr_json_writer_begin(fr_buffer *out, bool compact)
{
    return (fr_json_writer){.out = out, .compact = compact};
}

static void put(fr_json_writer *writer, const char *text)
{
    fr_buffer_append(writer->out, text, strlen(text));
}

static void new_line(fr_json_writer *writer)
{
    if (writer->compact) {
        return;
    }
    put(writer, "\n");
    for (int i = 0; i < writer->depth; i++) {
        put(writer, "  ");
    }
}

static void put_escape(fr_json_writer *writer, uint8_t c)
{
    static const char letters[] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'};
    if (c == '"' || c == '\\') {
        fr_buffer_printf(writer->out, "\\%c", c);
    } else if (c < sizeof letters && letters[c] != '\0') {
        fr_buffer_printf(writer->out, "\\%c", letters[c]);
    } else {
        fr_buffer_printf(writer->out, "\\u%04x", c);
    }
}

static void put_string(fr_json_writer *writer, const char *text)
{
    const uint8_t *bytes = (const uint8_t *)text;
    size_t left = strlen(text);
    put(writer, "\"");
    while (left > 0) {
        size_t length = fr_utf8_length(bytes, left);
        if (length == 0) {
            put(writer, "\xef\xbf\xbd"); /* U+FFFD */
            length = 1;
        } else if (*bytes < 0x20 || *bytes == '"' || *bytes == '\\') {
            put_escape(writer, *bytes);
        } else {
            fr_buffer_append(writer->out, bytes, length);
        }
        bytes += length;
        left -= length;
    }
    put(writer, "\"");
}

/* Everything that stands before a value: comma, line break, key. */
static void begin_value(fr_json_writer *writer, const char *key)
{
    if (writer->has_items) {
        put(writer, writer->compact ? ", " : ",");
    }
    if (writer->depth > 0) {
        new_line(writer);
    }
    if (key != NULL) {
        put_string(writer, key);
        put(writer, ": ");
    }
    writer->has_items = true;
}

static void begin_container(fr_json_writer *writer, const char *key, const char *bracket)
{
    begin_value(writer, key);
    put(writer, bracket);
    writer->depth++;
    writer->has_items = false;
}

static void end_container(fr_json_writer *writer, const char *bracket)
{
    FR_ASSERT(writer->depth > 0);
    writer->depth--;
    if (writer->has_items) {
        new_line(writer);
    }
    put(writer, bracket);
    writer->has_items = true;
}

void fr_json_begin_object(fr_json_writer *writer, const char *key)
{
    begin_container(writer, key, "{");
}

void fr_json_end_object(fr_json_writer *writer)
{
    end_container(writer, "}");
}

void fr_json_begin_array(fr_json_writer *writer, const char *key)
{
    begin_container(writer, key, "[");
}

void fr_json_end_array(fr_json_writer *writer)
{
    end_container(writer, "]");
}

void fr_json_write_string(fr_json_writer *writer, const char *key, const char *text)
{
    begin_value(writer, key);
    put_string(writer, text);
}

void fr_json_write_int(fr_json_writer *writer, const char *key, int64_t number)
{
    begin_value(writer, key);
    fr_buffer_printf(writer->out, "%" PRId64, number);
}

void fr_json_write_number(fr_json_writer *writer, const char *key, double number)
{
    if (!isfinite(number)) {
        fr_json_write_null(writer, key);
        return;
    }
    char text[FR_NUMBER_TEXT_BYTES];
    fr_number_text(number, text);
    begin_value(writer, key);
    put(writer, text);
}

void fr_json_write_fixed(fr_json_writer *writer, const char *key, double number, int decimals)
{
    if (!isfinite(number)) {
        fr_json_write_null(writer, key);
        return;
    }
    begin_value(writer, key);
    fr_buffer_printf(writer->out, "%.*f", decimals, number);
}

void fr_json_write_bool(fr_json_writer *writer, const char *key, bool value)
{
    begin_value(writer, key);
    put(writer, value ? "true" : "false");
}

void fr_json_write_null(fr_json_writer *writer, const char *key)
{
    begin_value(writer, key);
    put(writer, "null");
}

void fr_json_write_hash(fr_json_writer *writer, const char *key, uint64_t hash)
{
    begin_value(writer, key);
    fr_buffer_printf(writer->out, "\"%016" PRIx64 "\"", hash);
}
