/* tile_facts: what the properties of one tile say about walking over it, from whatever file they came.
 * Internal to mapio/; must not know JSON or XML. */
#ifndef FR_MAPIO_TILE_FACTS_H
#define FR_MAPIO_TILE_FACTS_H

#include "grid/map.h"

typedef enum fr_property_kind {
    FR_PROPERTY_NUMBER,
    FR_PROPERTY_BOOL,
    FR_PROPERTY_TEXT,
    FR_PROPERTY_OTHER
} fr_property_kind;

/* One custom property; borrowed strings. */
typedef struct fr_property {
    const char *name;
    fr_property_kind kind;
    double number;
    bool flag;
    const char *text; /* of another kind: what it is, as in "null" */
} fr_property;

typedef struct fr_tile_facts {
    uint32_t id;                        /* within its tileset */
    uint32_t order;                     /* place in the file: keeps merging stable */
    uint8_t cost;                       /* property `cost`, 0 = not stated */
    uint8_t class_cost[FR_CLASS_COUNT]; /* properties `cost_CLASS`, 0 = not stated */
    bool is_blocked;                    /* by one of the bool properties */
    uint8_t terrain;                    /* fr_terrain; FR_TERRAIN_COUNT = not stated */
    char *image;                        /* resolved path of a tile's own image, owned; null = none */
} fr_tile_facts;

/* Facts of a tile that states nothing. */
fr_tile_facts fr_tile_facts_none(uint32_t id);

/* Takes one property into account; properties that say nothing here are passed over. False for a cost that is
 * none
 * (`error` says what was found, without the place). An unknown kind of ground sets `*unknown_terrain` to its
 * name (borrowed from the property). */
bool fr_tile_facts_take(fr_tile_facts *facts, const fr_property *property, const char **unknown_terrain,
                        fr_error *error);

/* What `from` states replaces what `into` states; takes over the image. */
void fr_tile_facts_merge(fr_tile_facts *into, fr_tile_facts *from);

/* Cost for a class: of `cost_CLASS`, else `cost`, else the bools; 0 = not stated. */
uint8_t fr_tile_facts_cost(const fr_tile_facts *facts, fr_class movement_class);

#endif
