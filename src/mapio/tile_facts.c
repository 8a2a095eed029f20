#include "mapio/tile_facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/number_text.h"

/* Bool properties that make a tile a wall, each with the value that does. */
static const struct {
    const char *name;
    bool walls_when;
} wall_words[] = {
    {"collides", true}, {"collision", true}, {"solid", true},     {"blocked", true},
    {"wall", true},     {"passable", false}, {"walkable", false},
};

fr_tile_facts fr_tile_facts_none(uint32_t id)
{
    return (fr_tile_facts){.id = id, .terrain = FR_TERRAIN_COUNT};
}

static void describe(const fr_property *property, char *out, size_t size)
{
    if (property->kind == FR_PROPERTY_NUMBER) {
        char text[FR_NUMBER_TEXT_BYTES];
        fr_number_text(property->number, text);
        snprintf(out, size, "%s", text);
    } else if (property->kind == FR_PROPERTY_TEXT) {
        snprintf(out, size, "\"%.40s\"", property->text);
    } else if (property->kind == FR_PROPERTY_BOOL) {
        snprintf(out, size, "%s", property->flag ? "true" : "false");
    } else {
        snprintf(out, size, "%s", property->text);
    }
}

static bool take_cost(uint8_t *cost, const fr_property *property, fr_error *error)
{
    double number = property->number;
    if (property->kind != FR_PROPERTY_NUMBER || !(number >= 1 && number <= FR_COST_WALL) ||
        number != floor(number)) {
        char found[64];
        describe(property, found, sizeof found);
        fr_fail(error, FR_BAD_INPUT, "property \"%s\": found %s, expected a whole number in 1..%d",
                property->name, found, FR_COST_WALL);
        return false;
    }
    *cost = (uint8_t)number;
    return true;
}

bool fr_tile_facts_take(fr_tile_facts *facts, const fr_property *property, const char **unknown_terrain,
                        fr_error *error)
{
    const char *name = property->name;
    if (strcmp(name, "cost") == 0) {
        return take_cost(&facts->cost, property, error);
    }
    if (strncmp(name, "cost_", 5) == 0) {
        fr_class c = fr_class_from_name(name + 5);
        return c == FR_CLASS_COUNT || take_cost(&facts->class_cost[c], property, error);
    }
    if (strcmp(name, "terrain") == 0 && property->kind == FR_PROPERTY_TEXT) {
        fr_terrain kind = fr_terrain_from_name(property->text);
        if (kind == FR_TERRAIN_COUNT) {
            *unknown_terrain = property->text;
        } else {
            facts->terrain = (uint8_t)kind;
        }
    }
    for (size_t i = 0; property->kind == FR_PROPERTY_BOOL && i < sizeof wall_words / sizeof *wall_words;
         i++) {
        if (strcmp(name, wall_words[i].name) == 0 && property->flag == wall_words[i].walls_when) {
            facts->is_blocked = true;
        }
    }
    return true;
}

void fr_tile_facts_merge(fr_tile_facts *into, fr_tile_facts *from)
{
    into->cost = from->cost != 0 ? from->cost : into->cost;
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        into->class_cost[c] = from->class_cost[c] != 0 ? from->class_cost[c] : into->class_cost[c];
    }
    into->is_blocked |= from->is_blocked;
    into->terrain = from->terrain != FR_TERRAIN_COUNT ? from->terrain : into->terrain;
    if (from->image != NULL) {
        fr_free(into->image);
        into->image = from->image;
        from->image = NULL;
    }
}

uint8_t fr_tile_facts_cost(const fr_tile_facts *facts, fr_class movement_class)
{
    if (facts->class_cost[movement_class] != 0) {
        return facts->class_cost[movement_class];
    }
    return facts->cost != 0 ? facts->cost : facts->is_blocked ? FR_COST_WALL : 0;
}
