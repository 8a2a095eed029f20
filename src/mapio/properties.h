/* properties: Tiled's custom properties in JSON: since 1.2 an array of {name, type, value}, before an object
 * of names and values. Internal to mapio/. */
#ifndef FR_MAPIO_PROPERTIES_H
#define FR_MAPIO_PROPERTIES_H

#include "base/json.h"
#include "mapio/tile_facts.h"

/* Steps through properties of either form: start with *cursor = fr_json_first(properties); false at the end.
 * Entries without a name are passed over. `*value` is the node, for messages. */
bool fr_property_next(const fr_json_value **cursor, fr_property *out, const fr_json_value **value);

/* The property of that name of an object that has `properties`; null if there is none. */
const fr_json_value *fr_property_find(const fr_json_value *owner, const char *name);

/* Whether the owner has the bool property `name` and it is true. */
bool fr_property_is_true(const fr_json_value *owner, const char *name);

#endif
