#include "mapio/properties.h"

#include <string.h>

static fr_property_kind kind_of(const fr_json_value *value)
{
    return fr_json_is_number(value)   ? FR_PROPERTY_NUMBER
           : fr_json_is_bool(value)   ? FR_PROPERTY_BOOL
           : fr_json_is_string(value) ? FR_PROPERTY_TEXT
                                      : FR_PROPERTY_OTHER;
}

bool fr_property_next(const fr_json_value **cursor, fr_property *out, const fr_json_value **value)
{
    while (*cursor != NULL) {
        const fr_json_value *entry = *cursor;
        *cursor = fr_json_next(entry);
        /* Inside an array entries have no key: the array form. */
        const char *name = fr_json_key(entry);
        const fr_json_value *v = name != NULL ? entry : fr_json_get(entry, "value");
        if (name == NULL) {
            name = fr_json_string_or(fr_json_get(entry, "name"), NULL);
        }
        if (name != NULL && v != NULL) {
            *out = (fr_property){name, kind_of(v), fr_json_number_or(v, 0), fr_json_bool_or(v, false),
                                 fr_json_string_or(v, fr_json_kind_name(v))};
            *value = v;
            return true;
        }
    }
    return false;
}

const fr_json_value *fr_property_find(const fr_json_value *owner, const char *name)
{
    const fr_json_value *cursor = fr_json_first(fr_json_get(owner, "properties")), *value;
    fr_property property;
    while (fr_property_next(&cursor, &property, &value)) {
        if (strcmp(property.name, name) == 0) {
            return value;
        }
    }
    return NULL;
}

bool fr_property_is_true(const fr_json_value *owner, const char *name)
{
    return fr_json_bool_or(fr_property_find(owner, name), false);
}
