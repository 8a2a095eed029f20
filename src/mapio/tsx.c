/* tsx: tilesets in XML. The only file that sees expat. */
#include "mapio/tileset.h"

#ifdef FR_HAVE_EXPAT

#include <expat.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapio/paths.h"

typedef struct reader {
    XML_Parser parser;
    fr_tileset_source *source;
    fr_error *error;
    fr_status status;
    int depth;
    bool in_tile, in_tile_properties;
    fr_tile_facts tile; /* while in_tile */
} reader;

/* Keeps the first failure, with its place, and stops the parser. */
static void fail(reader *r, const char *message)
{
    if (r->status == FR_OK) {
        r->status = fr_fail(r->error, FR_BAD_INPUT, "%s: %lu:%lu: %s", r->source->path,
                            (unsigned long)XML_GetCurrentLineNumber(r->parser),
                            (unsigned long)XML_GetCurrentColumnNumber(r->parser) + 1, message);
        XML_StopParser(r->parser, XML_FALSE);
    }
}

/* Attributes are pairs of names and values, ended by null. */
static const char *attribute(const char **attributes, const char *name)
{
    for (; *attributes != NULL; attributes += 2) {
        if (strcmp(attributes[0], name) == 0) {
            return attributes[1];
        }
    }
    return NULL;
}

static bool parse_id(const char *text, int32_t *out)
{
    char *end;
    long number = text != NULL && *text >= '0' && *text <= '9' ? strtol(text, &end, 10) : -1;
    if (number < 0 || *end != '\0' || number > FR_TILE_ID_MAX) {
        return false;
    }
    *out = (int32_t)number;
    return true;
}

/* Reads the attribute into the field that Tiled's JSON calls `field`. */
static void read_number(reader *r, const char **attributes, const char *name, const char *field)
{
    const char *text = attribute(attributes, name);
    if (text != NULL && !parse_id(text, fr_tileset_number(r->source, field))) {
        char message[160];
        snprintf(message, sizeof message, "%s=\"%.40s\", expected a whole number in 0..%d", name, text,
                 FR_TILE_ID_MAX);
        fail(r, message);
    }
}

static void begin_tileset(reader *r, const char **attributes)
{
    static const char *const names[] = {"tilewidth", "tileheight", "margin",
                                        "spacing",   "columns",    "tilecount"};
    const char *name = attribute(attributes, "name");
    fr_free(r->source->sheet.name);
    r->source->sheet.name = fr_strdup(name != NULL ? name : "");
    if (attribute(attributes, "tilewidth") == NULL || attribute(attributes, "tileheight") == NULL) {
        fail(r, "tileset without tilewidth and tileheight");
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        read_number(r, attributes, names[i], names[i]);
    }
}

static void begin_tile(reader *r, const char **attributes)
{
    int32_t id;
    if (!parse_id(attribute(attributes, "id"), &id)) {
        fail(r, "tile without a whole number as its id");
        return;
    }
    r->in_tile = true;
    r->tile = fr_tile_facts_none((uint32_t)id);
}

static void read_image(reader *r, const char **attributes)
{
    const char *source = attribute(attributes, "source");
    if (source == NULL) {
        return; /* embedded pictures: Tiled never wrote them */
    }
    if (r->in_tile) {
        fr_free(r->tile.image);
        r->tile.image = fr_path_beside(r->source->path, source);
        return;
    }
    fr_tileset_set_image(r->source, source);
    read_number(r, attributes, "width", "imagewidth");
    read_number(r, attributes, "height", "imageheight");
}

static void read_property(reader *r, const char **attributes)
{
    const char *name = attribute(attributes, "name"), *value = attribute(attributes, "value");
    const char *type = attribute(attributes, "type");
    if (name == NULL || value == NULL) {
        return; /* text over several lines stands in the element: never one of ours */
    }
    fr_property property = {.name = name, .kind = FR_PROPERTY_TEXT, .text = value};
    if (type != NULL && (strcmp(type, "int") == 0 || strcmp(type, "float") == 0)) {
        char *end;
        property.number = strtod(value, &end);
        property.kind = *value != '\0' && *end == '\0' ? FR_PROPERTY_NUMBER : FR_PROPERTY_TEXT;
    } else if (type != NULL && strcmp(type, "bool") == 0) {
        property.kind = FR_PROPERTY_BOOL;
        property.flag = strcmp(value, "true") == 0;
    }
    fr_error reason = {0};
    if (!fr_tileset_take(r->source, &r->tile, &property, &reason)) {
        fail(r, reason.message);
    }
}

static void XMLCALL begin_element(void *self, const char *name, const char **attributes)
{
    reader *r = self;
    r->depth++;
    if (r->status != FR_OK) {
        return;
    }
    if (r->depth == 1) {
        if (strcmp(name, "tileset") != 0) {
            char message[100];
            snprintf(message, sizeof message, "<%.40s>, expected <tileset>", name);
            fail(r, message);
            return;
        }
        begin_tileset(r, attributes);
    } else if (r->depth == 2 && strcmp(name, "tile") == 0) {
        begin_tile(r, attributes);
    } else if (strcmp(name, "image") == 0 && (r->depth == 2 || (r->depth == 3 && r->in_tile))) {
        read_image(r, attributes);
    } else if (r->depth == 3 && r->in_tile && strcmp(name, "properties") == 0) {
        r->in_tile_properties = true;
    } else if (r->depth == 4 && r->in_tile_properties && strcmp(name, "property") == 0) {
        read_property(r, attributes);
    }
}

static void XMLCALL end_element(void *self, const char *name)
{
    reader *r = self;
    (void)name;
    if (r->depth == 3) {
        r->in_tile_properties = false;
    } else if (r->depth == 2 && r->in_tile) {
        fr_tileset_add(r->source, r->tile);
        r->in_tile = false;
        r->tile.image = NULL;
    }
    r->depth--;
}

/* Entities are how a small XML file becomes a huge one, or reads other files; no tileset needs them. */
static void XMLCALL refuse_entity(void *self, const char *name, int is_parameter, const char *value,
                                  int length, const char *base, const char *system, const char *public_id,
                                  const char *notation)
{
    (void)name, (void)is_parameter, (void)value, (void)length, (void)base;
    (void)system, (void)public_id, (void)notation;
    fail(self, "entity declaration in a tileset");
}

fr_status fr_tileset_read_xml(fr_tileset_source *source, const void *bytes, size_t size, fr_error *error)
{
    if (size > INT_MAX) {
        return fr_fail(error, FR_LIMIT, "%s: tileset of more than 2 GiB", source->path);
    }
    reader r = {.parser = XML_ParserCreate(NULL), .source = source, .error = error};
    if (r.parser == NULL) {
        return fr_fail(error, FR_NO_MEMORY, "%s: no memory for an XML parser", source->path);
    }
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, begin_element, end_element);
    XML_SetEntityDeclHandler(r.parser, refuse_entity);
    if (XML_Parse(r.parser, bytes, (int)size, 1) != XML_STATUS_OK) {
        fail(&r, XML_ErrorString(XML_GetErrorCode(r.parser)));
    }
    fr_free(r.tile.image);
    XML_ParserFree(r.parser);
    return r.status == FR_OK ? fr_tileset_finish(source, error) : r.status;
}

const char *fr_expat_version(void)
{
    const char *version = XML_ExpatVersion();
    return strncmp(version, "expat_", 6) == 0 ? version + 6 : version;
}

#else

fr_status fr_tileset_read_xml(fr_tileset_source *source, const void *bytes, size_t size, fr_error *error)
{
    (void)bytes, (void)size;
    return fr_fail(error, FR_BAD_INPUT, "%s: a tileset in XML needs expat, which is not built in",
                   source->path);
}

const char *fr_expat_version(void)
{
    return NULL;
}

#endif
