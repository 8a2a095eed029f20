/* repair_tiles: the map as a repair sees it: tiles of one field block and one cost block each, opened as the
 * work reaches them, with a ring of wall tiles round the map, so that no step needs a bounds test. Which
 * cells are at hand is all it knows; what becomes of them is repair.c. Internal to field/. */
#ifndef FR_FIELD_REPAIR_TILES_H
#define FR_FIELD_REPAIR_TILES_H

#include "field/bucket_queue.h"
#include "field/place_list.h"
#include "field/repair.h"

#define FR_PLACE_SHIFT (2 * FR_BLOCK_SHIFT)

typedef struct fr_repair_tile {
    const fr_field_block *block; /* what the field holds now */
    fr_field_block *own;         /* the same for writing; null until something here changes */
    const fr_field_block *old;   /* what it held before the repair */
    const uint8_t *costs;        /* [FR_BLOCK_CELLS], of now */
    const uint8_t *old_costs;    /* the same, of before */
    int32_t number;              /* of the block; -1: a tile of the ring */
    uint32_t opened_by;          /* the repair that opened the tile last */
} fr_repair_tile;

/* One bit a cell: bit x of row y. */
typedef struct fr_tile_rows {
    uint32_t changed[FR_BLOCK_SIDE];  /* the value may be another than before the repair */
    uint32_t suspect[FR_BLOCK_SIDE];  /* the cell, or a cell next to it, has another cost than before */
    uint32_t led_anew[FR_BLOCK_SIDE]; /* its value or best steps may be others than before */
    uint32_t queued[FR_BLOCK_SIDE];   /* waits for its target to be found anew */
    uint32_t sighted[FR_BLOCK_SIDE];  /* may see a cell whose cost is another than before, or did */
} fr_tile_rows;

typedef struct fr_repair_tiles {
    fr_grid grid;
    int32_t stride;                     /* tiles a row, the ring included */
    uint32_t inner_steps[FR_DIR_COUNT]; /* from a place to its neighbours in one tile, modulo 2^32 */
    fr_repair_tile *tiles;              /* owned [all tiles] */
    fr_tile_rows *rows;                 /* owned [all tiles] */
    int32_t *opened;           /* owned [all tiles]: the first opened_count have been opened by this repair */
    uint8_t *wall_costs;       /* owned [FR_BLOCK_CELLS], of the ring's tiles */
    fr_field_block *unreached; /* owned; of the ring's tiles */
    int32_t opened_count;
    int32_t changed_count;  /* cells marked as changed */
    uint32_t owned_maximum; /* largest value, before the repair, in the blocks that were made own */
    uint32_t current;       /* number of this repair, from 1 */
    fr_field *field;
    const fr_cost_snapshot *costs, *old_costs;
    fr_cost_view view;
} fr_repair_tiles;

void fr_repair_tiles_init(fr_repair_tiles *tiles, fr_grid grid);
void fr_repair_tiles_fini(fr_repair_tiles *tiles);

/* Starts a repair with no tile open. */
void fr_repair_tiles_begin(fr_repair_tiles *tiles, fr_field *field, const fr_cost_snapshot *old_costs,
                           const fr_cost_snapshot *costs, fr_cost_view view);

/* Opens the tile of a block, and those around it: afterwards every neighbour of its cells can be read. */
void fr_repair_tiles_open_around(fr_repair_tiles *tiles, int32_t tile);

/* Makes the block of an open tile the field's own. Opens what lies around it. */
void fr_repair_tiles_own(fr_repair_tiles *tiles, int32_t tile);

/* Row masks of a tile; all zero if this repair has not opened it. */
const fr_tile_rows *fr_repair_tiles_rows(const fr_repair_tiles *tiles, int32_t tile);

static inline int32_t fr_repair_tile_of_block(const fr_repair_tiles *tiles, int32_t bx, int32_t by)
{
    return (by + 1) * tiles->stride + bx + 1;
}

static inline fr_place fr_place_at(int32_t tile, uint32_t index)
{
    return (fr_place)tile << FR_PLACE_SHIFT | index;
}

static inline fr_cell fr_place_cell(const fr_repair_tiles *tiles, fr_place place)
{
    int32_t tile = (int32_t)(place >> FR_PLACE_SHIFT), index = (int32_t)(place % FR_BLOCK_CELLS);
    return (fr_cell){(tile % tiles->stride - 1) * FR_BLOCK_SIDE + index % FR_BLOCK_SIDE,
                     (tile / tiles->stride - 1) * FR_BLOCK_SIDE + index / FR_BLOCK_SIDE};
}

static inline uint32_t fr_place_index(fr_place place)
{
    return place & (FR_BLOCK_CELLS - 1);
}

static inline int32_t fr_place_tile(fr_place place)
{
    return (int32_t)(place >> FR_PLACE_SHIFT);
}

/* The cell one step on; of a cell inside the map always a cell of some tile. */
static inline fr_place fr_place_step(const fr_repair_tiles *tiles, fr_place place, int direction)
{
    /* Moved up by a side, so that the tile to the left or above is no negative number. */
    const uint32_t side = FR_BLOCK_SIDE;
    uint32_t x = (uint32_t)((int32_t)(place % side) + FR_BLOCK_SIDE + FR_STEPS[direction].dx);
    uint32_t y = (uint32_t)((int32_t)(place / side % side) + FR_BLOCK_SIDE + FR_STEPS[direction].dy);
    int32_t tile = fr_place_tile(place) + (int32_t)(y / side - 1) * tiles->stride + (int32_t)(x / side) - 1;
    return fr_place_at(tile, y % side * side + x % side);
}

static inline uint32_t fr_place_value(const fr_repair_tiles *tiles, fr_place place)
{
    return tiles->tiles[fr_place_tile(place)].block->integration[fr_place_index(place)];
}

static inline uint8_t fr_place_best(const fr_repair_tiles *tiles, fr_place place)
{
    return tiles->tiles[fr_place_tile(place)].block->best[fr_place_index(place)];
}

static inline uint8_t fr_place_cost(const fr_repair_tiles *tiles, fr_place place)
{
    return tiles->tiles[fr_place_tile(place)].costs[fr_place_index(place)];
}

static inline uint8_t fr_place_old_best(const fr_repair_tiles *tiles, fr_place place)
{
    return tiles->tiles[fr_place_tile(place)].old->best[fr_place_index(place)];
}

static inline uint8_t fr_place_old_cost(const fr_repair_tiles *tiles, fr_place place)
{
    return tiles->tiles[fr_place_tile(place)].old_costs[fr_place_index(place)];
}

/* The tile's block for writing. */
static inline fr_field_block *fr_repair_own_block(fr_repair_tiles *tiles, int32_t tile)
{
    if (tiles->tiles[tile].own == NULL) {
        fr_repair_tiles_own(tiles, tile);
    }
    return tiles->tiles[tile].own;
}

/* Writes the value of a cell and marks it as changed. */
static inline void fr_place_set_value(fr_repair_tiles *tiles, fr_place place, uint32_t value)
{
    int32_t tile = fr_place_tile(place);
    uint32_t index = fr_place_index(place);
    fr_repair_own_block(tiles, tile)->integration[index] = value;
    uint32_t *row = &tiles->rows[tile].changed[index / FR_BLOCK_SIDE];
    uint32_t bit = 1u << index % FR_BLOCK_SIDE;
    tiles->changed_count += (*row & bit) == 0;
    *row |= bit;
    tiles->rows[tile].led_anew[index / FR_BLOCK_SIDE] |= bit;
}

static inline void fr_place_set_best(fr_repair_tiles *tiles, fr_place place, uint8_t best)
{
    int32_t tile = fr_place_tile(place);
    uint32_t index = fr_place_index(place);
    fr_repair_own_block(tiles, tile)->best[index] = best;
    tiles->rows[tile].led_anew[index / FR_BLOCK_SIDE] |= 1u << index % FR_BLOCK_SIDE;
}

/* The neighbours of a cell. */
static inline void fr_place_neighbours(const fr_repair_tiles *tiles, fr_place place,
                                       fr_place neighbours[FR_DIR_COUNT])
{
    const uint32_t side = FR_BLOCK_SIDE;
    if (place % side - 1 < side - 2 && place / side % side - 1 < side - 2) {
        for (int d = 0; d < FR_DIR_COUNT; d++) {
            neighbours[d] = place + tiles->inner_steps[d]; /* all in one tile */
        }
    } else {
        for (int d = 0; d < FR_DIR_COUNT; d++) {
            neighbours[d] = fr_place_step(tiles, place, d);
        }
    }
}

/* What lies around a cell. */
typedef struct fr_surroundings {
    fr_place places[FR_DIR_COUNT];
    uint32_t values[FR_DIR_COUNT];
    uint8_t costs[FR_DIR_COUNT];
    uint8_t steps; /* bit d: the cell may step in direction d */
} fr_surroundings;

static inline fr_surroundings fr_place_surroundings(const fr_repair_tiles *tiles, fr_place place)
{
    fr_surroundings around;
    uint8_t open = 0;
    fr_place_neighbours(tiles, place, around.places);
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        const fr_repair_tile *tile = &tiles->tiles[fr_place_tile(around.places[d])];
        uint32_t index = fr_place_index(around.places[d]);
        around.values[d] = tile->block->integration[index];
        around.costs[d] = tile->costs[index];
        open |= (uint8_t)((around.costs[d] != FR_COST_WALL) << d);
    }
    around.steps = fr_steps_allowed(open);
    return around;
}

static inline uint32_t fr_step_price(int direction, uint8_t cost)
{
    return (uint32_t)FR_STEPS[direction].price * cost;
}

/* The steps that give a passable, reached cell its value. */
static inline uint8_t fr_place_steps_of_value(const fr_repair_tiles *tiles, fr_place place)
{
    fr_surroundings around = fr_place_surroundings(tiles, place);
    uint32_t value = fr_place_value(tiles, place);
    uint8_t cost = fr_place_cost(tiles, place), best = 0;
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        uint32_t price = fr_step_price(d, cost);
        bool gives = value >= price && around.values[d] == value - price;
        best |= (uint8_t)(gives << d);
    }
    return best & around.steps;
}

/* repair_refresh.c: once the values are final, reads off anew what follows from them: best steps beside every
 * change, the field's maximum, and whether it is saturated. */
void fr_repair_refresh(fr_repair_tiles *tiles);

/* repair_targets.c: then, the targets of all cells that depend on what changed. The rest is working memory.
 * False if it is too small. */
bool fr_repair_targets(fr_repair_tiles *tiles, fr_bucket_queue *queue, fr_place_list *waiting,
                       fr_place *sighted, int32_t sighted_capacity);

#endif
