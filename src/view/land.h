/* land: what the ground looks like, cell by cell, kept beside the world so that pictures of it are
 * repainted only where something changed. Kinds of ground and edits only: no pixels, no textures. */
#ifndef FR_VIEW_LAND_H
#define FR_VIEW_LAND_H

#include "grid/cost.h"

/* Cells that a bridge is followed to find out which way it leads. */
#define FR_BRIDGE_RUN_MAX 96

typedef struct fr_land {
    fr_grid grid;
    uint8_t *kinds;   /* [w*h] fr_terrain; FR_TERRAIN_WALL where an edit made a wall */
    uint8_t *patches; /* [w*h] cost of another edit, 0 = none */
    uint8_t *loaded;  /* [w*h] kinds as the map shows them; null: as the cost grid states them */
    uint32_t *seen;   /* [blocks] versions last read */
    const fr_cost *source;
} fr_land;

/* Ground of a map before any edit. A map that does not state kinds of ground shows its walls as rock. */
void fr_land_init(fr_land *land, const fr_map *map);
void fr_land_fini(fr_land *land);

/* Reads the blocks that changed since the last call and calls `changed` (may be null) with the bounds of the
 * cells that look different now, once a block. O(blocks) when nothing changed. */
void fr_land_sync(fr_land *land, const fr_cost *cost, void (*changed)(void *self, fr_rect cells), void *self);

/* Kind of a cell; outside the map that of the nearest cell, so that the edge of the map is no shore. */
static inline fr_terrain fr_land_kind(const fr_land *land, int32_t x, int32_t y)
{
    fr_cell cell = fr_grid_clamp_cell(land->grid, (fr_cell){x, y});
    return (fr_terrain)land->kinds[fr_grid_index(land->grid, cell)];
}

static inline uint8_t fr_land_patch(const fr_land *land, int32_t x, int32_t y)
{
    fr_cell cell = fr_grid_clamp_cell(land->grid, (fr_cell){x, y});
    return land->patches[fr_grid_index(land->grid, cell)];
}

#endif
