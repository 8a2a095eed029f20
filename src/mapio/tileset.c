#include "mapio/tileset.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mapio/paths.h"

fr_tileset_source fr_tileset_source_begin(const char *path)
{
    /* -1: not stated. */
    return (fr_tileset_source){.path = fr_strdup(path), .sheet = {.tile_count = -1, .columns = -1}};
}

void fr_tileset_source_fini(fr_tileset_source *source)
{
    for (int32_t i = 0; i < source->count; i++) {
        fr_free(source->tiles[i].image);
    }
    for (int32_t i = 0; i < source->sheet.tile_image_count; i++) {
        fr_free(source->sheet.tile_images[i].path);
    }
    fr_free(source->sheet.tile_images);
    fr_free(source->sheet.image);
    fr_free(source->sheet.name);
    fr_free(source->tiles);
    fr_free(source->unknown_terrain);
    fr_free(source->path);
    *source = (fr_tileset_source){0};
}

int32_t *fr_tileset_number(fr_tileset_source *source, const char *name)
{
    const struct {
        const char *name;
        int32_t *field;
    } fields[] = {
        {"tilewidth", &source->sheet.tile_width_px}, {"tileheight", &source->sheet.tile_height_px},
        {"margin", &source->sheet.margin_px},        {"spacing", &source->sheet.spacing_px},
        {"columns", &source->sheet.columns},         {"tilecount", &source->sheet.tile_count},
        {"imagewidth", &source->image_width_px},     {"imageheight", &source->image_height_px},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(fields[i].name, name) == 0) {
            return fields[i].field;
        }
    }
    return NULL;
}

void fr_tileset_set_image(fr_tileset_source *source, const char *relative_path)
{
    fr_free(source->sheet.image);
    source->sheet.image = fr_path_beside(source->path, relative_path);
}

void fr_tileset_add(fr_tileset_source *source, fr_tile_facts facts)
{
    if (source->count == source->capacity) {
        source->capacity = source->capacity == 0 ? 16 : source->capacity * 2;
        source->tiles = fr_realloc(source->tiles, (size_t)source->capacity, sizeof *source->tiles);
    }
    facts.order = (uint32_t)source->count;
    source->tiles[source->count++] = facts;
}

bool fr_tileset_take(fr_tileset_source *source, fr_tile_facts *facts, const fr_property *property,
                     fr_error *error)
{
    const char *unknown = NULL;
    fr_error reason = {0};
    if (!fr_tile_facts_take(facts, property, &unknown, &reason)) {
        fr_fail(error, FR_BAD_INPUT, "tileset \"%s\", tile %u: %s",
                source->sheet.name != NULL ? source->sheet.name : "", facts->id, reason.message);
        return false;
    }
    if (unknown != NULL && source->unknown_terrain == NULL) {
        source->unknown_terrain = fr_strdup(unknown);
    }
    return true;
}

static int compare_tiles(const void *a, const void *b)
{
    const fr_tile_facts *p = a, *q = b;
    if (p->id != q->id) {
        return p->id < q->id ? -1 : 1;
    }
    return p->order < q->order ? -1 : p->order > q->order;
}

static void merge_tiles(fr_tileset_source *source)
{
    if (source->count == 0) {
        return;
    }
    qsort(source->tiles, (size_t)source->count, sizeof *source->tiles, compare_tiles);
    int32_t last = 0;
    for (int32_t i = 1; i < source->count; i++) {
        if (source->tiles[i].id == source->tiles[last].id) {
            fr_tile_facts_merge(&source->tiles[last], &source->tiles[i]);
        } else {
            source->tiles[++last] = source->tiles[i];
        }
    }
    source->count = last + 1;
}

/* Whole tiles along a side of the image. */
static int32_t tiles_along(int32_t image_px, int32_t tile_px, const fr_tileset *sheet)
{
    int32_t room = image_px - sheet->margin_px + sheet->spacing_px;
    return tile_px < 1 || room < 0 ? 0 : room / (tile_px + sheet->spacing_px);
}

static void collect_images(fr_tileset_source *source)
{
    fr_tileset *sheet = &source->sheet;
    for (int32_t i = 0; i < source->count; i++) {
        sheet->tile_image_count += source->tiles[i].image != NULL;
    }
    sheet->tile_images = fr_alloc((size_t)sheet->tile_image_count, sizeof *sheet->tile_images);
    int32_t at = 0;
    for (int32_t i = 0; i < source->count; i++) {
        fr_tile_facts *tile = &source->tiles[i];
        if (tile->image != NULL) {
            sheet->tile_images[at++] = (fr_tile_image){tile->id, tile->image};
            tile->image = NULL;
        }
    }
}

fr_status fr_tileset_finish(fr_tileset_source *source, fr_error *error)
{
    fr_tileset *sheet = &source->sheet;
    if (sheet->name == NULL) {
        sheet->name = fr_strdup("");
    }
    if (sheet->image != NULL && (sheet->tile_width_px < 1 || sheet->tile_height_px < 1)) {
        return fr_fail(error, FR_BAD_INPUT, "%s: tileset \"%s\": tiles of %d x %d pixels", source->path,
                       sheet->name, sheet->tile_width_px, sheet->tile_height_px);
    }
    merge_tiles(source);
    if (sheet->image == NULL) {
        collect_images(source);
    }
    int32_t across = tiles_along(source->image_width_px, sheet->tile_width_px, sheet);
    int32_t down = tiles_along(source->image_height_px, sheet->tile_height_px, sheet);
    if (sheet->columns <= 0 && sheet->image != NULL) {
        sheet->columns = across;
    }
    if (sheet->tile_count < 0 && sheet->image != NULL && (int64_t)across * down <= FR_TILE_ID_MAX) {
        sheet->tile_count = across * down;
        source->has_open_count = sheet->tile_count == 0;
    }
    sheet->columns = sheet->columns < 0 ? 0 : sheet->columns;
    sheet->tile_count = sheet->tile_count < 0 ? 0 : sheet->tile_count;
    return FR_OK;
}

const fr_tile_facts *fr_tileset_find(const fr_tileset_source *source, uint32_t id)
{
    int32_t low = 0, high = source->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (source->tiles[middle].id < id) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < source->count && source->tiles[low].id == id ? &source->tiles[low] : NULL;
}

bool fr_tileset_defines(const fr_tileset_source *source, uint32_t id)
{
    /* A collection has the ids that it lists; its tilecount says nothing, for ids may have holes. */
    bool on_sheet = source->sheet.image != NULL && id < (uint32_t)source->sheet.tile_count;
    return on_sheet || source->has_open_count || fr_tileset_find(source, id) != NULL;
}
