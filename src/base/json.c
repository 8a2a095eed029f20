/* json: the checked reader. The only file that sees cJSON: it first scans the text for what cJSON lets pass
 * or silently bends, and never hands out a number that is not exactly the one in the file. It must not know
 * what the documents mean. */
#include "base/json.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/json_scan.h"
#include "base/memory.h"
#include "base/number_text.h"

/* Integers beyond this are not exact in a double. */
#define EXACT_INT_MAX ((int64_t)1 << 53)

struct fr_json {
    char *name;
    cJSON *root;
};

static const cJSON *node_of(const fr_json_value *value)
{
    return (const cJSON *)(const void *)value;
}

static const fr_json_value *value_of(const cJSON *node)
{
    return (const fr_json_value *)(const void *)node;
}

/* --- parsing ----------------------------------------------------------------------------------------------
 */

static size_t skip_space(const fr_json_text *in, size_t at)
{
    while (at < in->size && in->bytes[at] <= 0x20) {
        at++;
    }
    return at;
}

/* Null with the place in `error`. */
static cJSON *parse_text(const fr_json_text *in, bool is_cut, fr_error *error)
{
    const char *start = (const char *)in->bytes, *end = start;
    /* cJSON returns without a place for an empty text. */
    if (skip_space(in, 0) == in->size) {
        fr_json_fail_at(in, in->size, error, "empty, expected JSON");
        return NULL;
    }
    cJSON *root = cJSON_ParseWithLengthOpts(start, in->size, &end, 0);
    size_t at = skip_space(in, (size_t)(end - start));
    if (root != NULL && at == in->size) {
        return root;
    }
    char message[64];
    if (root != NULL) {
        snprintf(message, sizeof message, "trailing text after the JSON value");
    } else if (is_cut && skip_space(in, at + 1) >= in->size) {
        /* cJSON gives the last byte as the place where a cut text goes wrong. */
        snprintf(message, sizeof message, "not valid JSON: the file ends too early");
    } else if (in->bytes[at] < 0x80) {
        snprintf(message, sizeof message, "not valid JSON: unexpected '%c'", in->bytes[at]);
    } else {
        snprintf(message, sizeof message, "not valid JSON: unexpected character");
    }
    fr_json_fail_at(in, at, error, message);
    cJSON_Delete(root);
    return NULL;
}

fr_json *fr_json_parse(const char *name, const void *bytes, size_t size, fr_error *error)
{
    fr_json_text in = {name, bytes, size};
    if (size >= 2 && ((in.bytes[0] == 0xff && in.bytes[1] == 0xfe) ||
                      (in.bytes[0] == 0xfe && in.bytes[1] == 0xff) || in.bytes[0] == 0 || in.bytes[1] == 0)) {
        fr_json_fail_at(&in, 0, error, "UTF-16 text, expected UTF-8");
        return NULL;
    }
    if (size >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
        in.bytes += 3;
        in.size -= 3;
    }
    bool is_cut = false;
    if (fr_json_scan(&in, &is_cut, error) != FR_OK) {
        return NULL;
    }
    cJSON *root = parse_text(&in, is_cut, error);
    if (root == NULL) {
        return NULL;
    }
    fr_json *json = fr_alloc(1, sizeof *json);
    json->name = fr_strdup(name);
    json->root = root;
    return json;
}

void fr_json_destroy(fr_json *json)
{
    if (json != NULL) {
        cJSON_Delete(json->root);
        fr_free(json->name);
        fr_free(json);
    }
}

const fr_json_value *fr_json_root(const fr_json *json)
{
    return value_of(json->root);
}

/* --- kinds and walking ------------------------------------------------------------------------------------
 */

bool fr_json_is_object(const fr_json_value *value)
{
    return cJSON_IsObject(node_of(value)) != 0;
}

bool fr_json_is_array(const fr_json_value *value)
{
    return cJSON_IsArray(node_of(value)) != 0;
}

bool fr_json_is_string(const fr_json_value *value)
{
    return cJSON_IsString(node_of(value)) != 0;
}

bool fr_json_is_number(const fr_json_value *value)
{
    return cJSON_IsNumber(node_of(value)) != 0;
}

bool fr_json_is_bool(const fr_json_value *value)
{
    return cJSON_IsBool(node_of(value)) != 0;
}

const char *fr_json_kind_name(const fr_json_value *value)
{
    return fr_json_is_object(value)   ? "an object"
           : fr_json_is_array(value)  ? "an array"
           : fr_json_is_string(value) ? "a string"
           : fr_json_is_number(value) ? "a number"
           : fr_json_is_bool(value)   ? "true or false"
                                      : "null";
}

const fr_json_value *fr_json_get(const fr_json_value *object, const char *key)
{
    return fr_json_is_object(object) ? value_of(cJSON_GetObjectItemCaseSensitive(node_of(object), key))
                                     : NULL;
}

const fr_json_value *fr_json_first(const fr_json_value *container)
{
    return container == NULL ? NULL : value_of(node_of(container)->child);
}

const fr_json_value *fr_json_next(const fr_json_value *value)
{
    return value_of(node_of(value)->next);
}

const char *fr_json_key(const fr_json_value *value)
{
    return node_of(value)->string;
}

int fr_json_count(const fr_json_value *container)
{
    int count = 0;
    for (const fr_json_value *v = fr_json_first(container); v != NULL; v = fr_json_next(v)) {
        count++;
    }
    return count;
}

double fr_json_number_or(const fr_json_value *value, double fallback)
{
    return fr_json_is_number(value) ? node_of(value)->valuedouble : fallback;
}

const char *fr_json_string_or(const fr_json_value *value, const char *fallback)
{
    return fr_json_is_string(value) ? node_of(value)->valuestring : fallback;
}

bool fr_json_bool_or(const fr_json_value *value, bool fallback)
{
    return fr_json_is_bool(value) ? cJSON_IsTrue(node_of(value)) != 0 : fallback;
}

/* --- messages ---------------------------------------------------------------------------------------------
 */

/* The nodes from below the root down to one node. */
typedef struct node_path {
    const cJSON *steps[CJSON_NESTING_LIMIT + 1];
    int count;
} node_path;

static bool find_node(const cJSON *from, const cJSON *target, node_path *path)
{
    if (from == target) {
        return true;
    }
    FR_ASSERT(path->count <= CJSON_NESTING_LIMIT);
    int at = path->count++;
    for (const cJSON *child = from->child; child != NULL; child = child->next) {
        path->steps[at] = child;
        if (find_node(child, target, path)) {
            return true;
        }
    }
    path->count--;
    return false;
}

/* The end of a long path says more than its beginning, but 1,000 levels fit no line: cut and marked. */
static void describe_path(const fr_json *json, const cJSON *node, char *out, size_t size)
{
    node_path path;
    path.count = 0;
    find_node(json->root, node, &path);
    size_t used = (size_t)snprintf(out, size, "$");
    const cJSON *parent = json->root;
    for (int i = 0; i < path.count && used + 1 < size; i++) {
        const cJSON *step = path.steps[i];
        int length;
        if (step->string != NULL) {
            length = snprintf(out + used, size - used, ".%s", step->string);
        } else {
            int index = 0;
            for (const cJSON *c = parent->child; c != step; c = c->next) {
                index++;
            }
            length = snprintf(out + used, size - used, "[%d]", index);
        }
        used += (size_t)length;
        parent = step;
    }
    if (used >= size) {
        memcpy(out + size - 4, "...", 4);
    }
}

fr_status fr_json_fail(const fr_json *json, const fr_json_value *value, fr_error *error, const char *format,
                       ...)
{
    char path[200], message[FR_ERROR_BYTES];
    describe_path(json, node_of(value), path, sizeof path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return fr_fail(error, FR_BAD_INPUT, "%s: %s: %s", json->name, path, message);
}

static void describe_value(const cJSON *node, char *out, size_t size)
{
    if (cJSON_IsNumber(node)) {
        char text[FR_NUMBER_TEXT_BYTES];
        fr_number_text(node->valuedouble, text);
        snprintf(out, size, "%s", text);
    } else if (cJSON_IsString(node)) {
        snprintf(out, size, "\"%.40s%s\"", node->valuestring, strlen(node->valuestring) > 40 ? "..." : "");
    } else if (cJSON_IsBool(node)) {
        snprintf(out, size, "%s", cJSON_IsTrue(node) ? "true" : "false");
    } else {
        snprintf(out, size, "%s", fr_json_kind_name(value_of(node)));
    }
}

static fr_status fail_missing(const fr_json *json, const fr_json_value *object, const char *key,
                              fr_error *error, const char *expected)
{
    return fr_json_fail(json, object, error, "\"%s\" is missing, expected %s", key, expected);
}

static fr_status fail_found(const fr_json *json, const fr_json_value *value, fr_error *error,
                            const char *expected)
{
    char found[64];
    describe_value(node_of(value), found, sizeof found);
    return fr_json_fail(json, value, error, "found %s, expected %s", found, expected);
}

/* --- checked getters --------------------------------------------------------------------------------------
 */

typedef struct expectation {
    char words[96];
} expectation;

static expectation int_words(int64_t min, int64_t max)
{
    expectation e;
    snprintf(e.words, sizeof e.words, "a whole number in %lld..%lld", (long long)min, (long long)max);
    return e;
}

static expectation number_words(double min, double max)
{
    expectation e;
    snprintf(e.words, sizeof e.words, "a number in %g..%g", min, max);
    return e;
}

fr_status fr_json_int(const fr_json *json, const fr_json_value *value, int64_t min, int64_t max, int64_t *out,
                      fr_error *error)
{
    min = min < -EXACT_INT_MAX ? -EXACT_INT_MAX : min;
    max = max > EXACT_INT_MAX ? EXACT_INT_MAX : max;
    double number = fr_json_number_or(value, (double)NAN);
    if (!(number >= (double)min && number <= (double)max) || number != floor(number)) {
        return fail_found(json, value, error, int_words(min, max).words);
    }
    *out = (int64_t)number;
    return FR_OK;
}

fr_status fr_json_number(const fr_json *json, const fr_json_value *value, double min, double max, double *out,
                         fr_error *error)
{
    double number = fr_json_number_or(value, (double)NAN);
    if (!(number >= min && number <= max)) {
        return fail_found(json, value, error, number_words(min, max).words);
    }
    *out = number;
    return FR_OK;
}

fr_status fr_json_float(const fr_json *json, const fr_json_value *value, float min, float max, float *out,
                        fr_error *error)
{
    double number = fr_json_number_or(value, (double)NAN);
    /* The bounds as doubles first: what does not fit a float must not be cast to one. */
    bool is_near = number > (double)min - 1.0 && number < (double)max + 1.0;
    if (!is_near || (float)number < min || (float)number > max) {
        return fail_found(json, value, error, number_words((double)min, (double)max).words);
    }
    *out = (float)number;
    return FR_OK;
}

fr_status fr_json_get_int(const fr_json *json, const fr_json_value *object, const char *key, int64_t min,
                          int64_t max, int64_t *out, fr_error *error)
{
    const fr_json_value *value = fr_json_get(object, key);
    return value == NULL ? fail_missing(json, object, key, error, int_words(min, max).words)
                         : fr_json_int(json, value, min, max, out, error);
}

fr_status fr_json_get_number(const fr_json *json, const fr_json_value *object, const char *key, double min,
                             double max, double *out, fr_error *error)
{
    const fr_json_value *value = fr_json_get(object, key);
    return value == NULL ? fail_missing(json, object, key, error, number_words(min, max).words)
                         : fr_json_number(json, value, min, max, out, error);
}

fr_status fr_json_get_string(const fr_json *json, const fr_json_value *object, const char *key,
                             const char **out, fr_error *error)
{
    const fr_json_value *value = fr_json_get(object, key);
    if (value == NULL) {
        return fail_missing(json, object, key, error, "a string");
    }
    if (!fr_json_is_string(value)) {
        return fail_found(json, value, error, "a string");
    }
    *out = node_of(value)->valuestring;
    return FR_OK;
}

fr_status fr_json_check_keys(const fr_json *json, const fr_json_value *object, const char *const *allowed,
                             fr_error *error)
{
    if (!fr_json_is_object(object)) {
        return fail_found(json, object, error, "an object");
    }
    for (const fr_json_value *v = fr_json_first(object); v != NULL; v = fr_json_next(v)) {
        const char *const *key = allowed;
        while (*key != NULL && strcmp(*key, fr_json_key(v)) != 0) {
            key++;
        }
        if (*key == NULL) {
            return fr_json_fail(json, v, error, "unknown key");
        }
        if (fr_json_get(object, fr_json_key(v)) != v) {
            return fr_json_fail(json, v, error, "this key appears twice");
        }
    }
    return FR_OK;
}
