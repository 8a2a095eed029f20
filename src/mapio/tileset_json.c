/* tileset_json: tilesets in JSON, embedded in a map or in a file of their own, in the form before Tiled 1.2
 * (`tileproperties`, `tiles` as an object) and after. */
#include "mapio/tileset.h"

#include <string.h>

#include "base/memory.h"
#include "mapio/paths.h"
#include "mapio/properties.h"

static const char *const number_names[] = {
    "tilewidth", "tileheight", "margin", "spacing", "columns", "tilecount", "imagewidth", "imageheight",
};

typedef struct reader {
    fr_tileset_source *source;
    const fr_json *json;
    fr_error *error;
} reader;

static fr_status take_properties(const reader *r, fr_tile_facts *facts, const fr_json_value *properties)
{
    const fr_json_value *cursor = fr_json_first(properties), *value;
    fr_property property;
    while (fr_property_next(&cursor, &property, &value)) {
        fr_error reason = {0};
        if (!fr_tileset_take(r->source, facts, &property, &reason)) {
            return fr_json_fail(r->json, value, r->error, "%s", reason.message);
        }
    }
    return FR_OK;
}

/* The id that is the key of an entry of an old-form object. */
static fr_status id_of_key(const reader *r, const fr_json_value *entry, uint32_t *id)
{
    const char *key = fr_json_key(entry);
    uint64_t number = 0;
    size_t length = strspn(key, "0123456789");
    for (size_t i = 0; i < length && number <= FR_TILE_ID_MAX; i++) {
        number = number * 10 + (uint64_t)(key[i] - '0');
    }
    if (length == 0 || key[length] != '\0' || number > FR_TILE_ID_MAX) {
        return fr_json_fail(r->json, entry, r->error, "expected the number of a tile as the key");
    }
    *id = (uint32_t)number;
    return FR_OK;
}

static fr_status read_tile(const reader *r, const fr_json_value *entry)
{
    uint32_t id = 0;
    fr_status status;
    if (!fr_json_is_object(entry)) {
        return fr_json_fail(r->json, entry, r->error, "expected a tile");
    }
    if (fr_json_key(entry) != NULL) {
        status = id_of_key(r, entry, &id);
    } else {
        int64_t number = 0;
        status = fr_json_get_int(r->json, entry, "id", 0, FR_TILE_ID_MAX, &number, r->error);
        id = (uint32_t)number;
    }
    if (status != FR_OK) {
        return status;
    }
    fr_tile_facts facts = fr_tile_facts_none(id);
    status = take_properties(r, &facts, fr_json_get(entry, "properties"));
    const char *image = fr_json_string_or(fr_json_get(entry, "image"), NULL);
    if (status == FR_OK) {
        facts.image = image != NULL ? fr_path_beside(r->source->path, image) : NULL;
        fr_tileset_add(r->source, facts);
    }
    return status;
}

/* `tileproperties`: {"3": {"cost": 2}}. */
static fr_status read_old_properties(const reader *r, const fr_json_value *entry)
{
    uint32_t id = 0;
    fr_status status = id_of_key(r, entry, &id);
    if (status != FR_OK) {
        return status;
    }
    fr_tile_facts facts = fr_tile_facts_none(id);
    status = take_properties(r, &facts, entry);
    if (status == FR_OK) {
        fr_tileset_add(r->source, facts);
    }
    return status;
}

static fr_status read_numbers(const reader *r, const fr_json_value *value)
{
    for (size_t i = 0; i < sizeof number_names / sizeof *number_names; i++) {
        bool is_needed = i < 2; /* what has no tile size is no tileset */
        int64_t number;
        if (!is_needed && fr_json_get(value, number_names[i]) == NULL) {
            continue;
        }
        fr_status status =
            fr_json_get_int(r->json, value, number_names[i], 0, FR_TILE_ID_MAX, &number, r->error);
        if (status != FR_OK) {
            return status;
        }
        *fr_tileset_number(r->source, number_names[i]) = (int32_t)number;
    }
    return FR_OK;
}

fr_status fr_tileset_read_json(fr_tileset_source *source, const fr_json *json, const fr_json_value *value,
                               fr_error *error)
{
    reader r = {source, json, error};
    if (!fr_json_is_object(value)) {
        return fr_json_fail(json, value, error, "expected a tileset");
    }
    const char *type = fr_json_string_or(fr_json_get(value, "type"), "tileset");
    if (strcmp(type, "tileset") != 0) {
        return fr_json_fail(json, value, error, "a %s, expected a tileset", type);
    }
    source->sheet.name = fr_strdup(fr_json_string_or(fr_json_get(value, "name"), ""));
    const char *image = fr_json_string_or(fr_json_get(value, "image"), NULL);
    if (image != NULL) {
        fr_tileset_set_image(source, image);
    }
    fr_status status = read_numbers(&r, value);
    const fr_json_value *entry = fr_json_first(fr_json_get(value, "tileproperties"));
    for (; status == FR_OK && entry != NULL; entry = fr_json_next(entry)) {
        if (fr_json_key(entry) == NULL) {
            return fr_json_fail(json, entry, error, "expected tile properties by number");
        }
        status = read_old_properties(&r, entry);
    }
    entry = fr_json_first(fr_json_get(value, "tiles"));
    for (; status == FR_OK && entry != NULL; entry = fr_json_next(entry)) {
        status = read_tile(&r, entry);
    }
    return status == FR_OK ? fr_tileset_finish(source, error) : status;
}

/* First byte that is neither a byte order mark nor white. */
static char first_letter(const fr_buffer *text)
{
    for (size_t i = 0; i < text->size; i++) {
        if (text->data[i] > ' ' && text->data[i] < 0x80) {
            return (char)text->data[i];
        }
    }
    return '\0';
}

fr_status fr_tileset_read_file(fr_tileset_source *source, const fr_io *io, fr_error *error)
{
    fr_buffer text = {0};
    fr_status status = io->read(io->self, source->path, &text, error);
    if (status != FR_OK) {
        fr_buffer_fini(&text);
        return status;
    }
    char first = first_letter(&text);
    if (first == '<') {
        status = fr_tileset_read_xml(source, text.data, text.size, error);
    } else if (first != '{') {
        status = fr_fail(error, FR_BAD_INPUT, "%s: not a tileset, expected JSON or XML", source->path);
    } else {
        fr_json *json = fr_json_parse(source->path, text.data, text.size, error);
        status = json == NULL ? FR_BAD_INPUT : fr_tileset_read_json(source, json, fr_json_root(json), error);
        fr_json_destroy(json);
    }
    fr_buffer_fini(&text);
    return status;
}
