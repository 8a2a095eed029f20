/* cost_internal: the parts of a cost grid, for the files that implement cost.h: cost.c (its life and what it
 * answers), cost_edit.c (writes), cost_compose.c (from causes to what a view pays), cost_view.c (which views
 * there are), cost_snapshot.c (blocks and snapshots), cost_nav.c (costs of field cells, which follow). */
#ifndef FR_GRID_COST_INTERNAL_H
#define FR_GRID_COST_INTERNAL_H

#include "grid/cost.h"

typedef struct fr_cost_block {
    uint8_t cost[FR_BLOCK_CELLS];
} fr_cost_block;

/* Blocks are allocated this many at a time and stay in place. */
#define FR_COST_CHUNK_BLOCKS 256

struct fr_cost_snapshot {
    uint32_t version;
    int32_t references;
    fr_grid grid;
    fr_cost_block **chunks; /* of the owner: blocks stay in place while referenced */
    uint64_t open;          /* views that it holds */
    int32_t *table;         /* [view][block]; of open views only */
    fr_cost_snapshot *next;
};

struct fr_cost {
    const fr_map *map;
    fr_cost *nav;         /* follows these costs; they themselves if a field cell is a tile */
    const fr_cost *tiles; /* of the costs of field cells: those that they follow; else null */
    int32_t shift;        /* a cell is 2^shift tiles wide */
    fr_grid grid;
    int32_t block_count;
    uint32_t version;
    uint64_t hash;

    fr_cost_block **chunks;
    int32_t chunk_count, chunk_capacity;
    int32_t *references; /* per pool block; main thread only */
    uint8_t *even;       /* per pool block: the cost of all its cells, or 0 where they differ */
    int32_t *free_blocks;
    int32_t free_count;

    uint64_t open;   /* bit v: view v is open */
    fr_rect changed; /* holds all changes of any view since it was last taken */
    int32_t *table;  /* [view][block], composed costs now; of open views only */
    /* Edits, painted costs (0 = none) and painted kinds, [block][FR_BLOCK_CELLS]. Cleared by the system page
     * by page: where nobody ever edits they take no memory. */
    uint8_t *edits, *paint, *paint_kind;
    uint32_t *block_version; /* [block] */
    uint32_t view_version[FR_COST_VIEWS_MAX];

    uint64_t *walls[FR_COST_VIEWS_MAX]; /* views beyond the fits: those of their fit */
    int32_t wall_words;                 /* per row */

    /* Causes of extra costs. */
    bool ring;
    fr_threat threats[FR_THREATS_MAX];
    int32_t threat_limit;                     /* from here on there never was one */
    bool minds_threats, minds_teams;          /* there has been one; one of a team */
    fr_cost_view_def defs[FR_COST_VIEWS_MAX]; /* of open views beyond the fits */
    uint32_t views_denied;
    uint8_t *jams[FR_JAMS_MAX];  /* [square] eighths of the ground's cost */
    uint8_t *held;               /* [block][FR_BLOCK_CELLS] 1: somebody holds the cell */
    uint8_t *jam_block_is_dirty; /* [block] */
    int32_t *jam_dirty_blocks;   /* [jam_dirty_count] of the jam that is being written */
    int32_t jam_dirty_count;

    fr_cost_snapshot *current;   /* of this version, or null */
    fr_cost_snapshot *snapshots; /* unused ones */
};

static inline fr_cost_block *fr_cost_block_at(fr_cost_block **chunks, int32_t index)
{
    return &chunks[index / FR_COST_CHUNK_BLOCKS][index % FR_COST_CHUNK_BLOCKS];
}

/* Index of a cell in the arrays that are kept by block. */
static inline size_t fr_cost_place(int32_t block, int32_t index)
{
    return (size_t)block * FR_BLOCK_CELLS + (size_t)index;
}

/* cost_snapshot.c: copies cells of one row, from `start` on, through one class's table of blocks. */
void fr_cost_copy_row(fr_cost_block **chunks, const int32_t *table, fr_grid grid, fr_cell start,
                      int32_t count, uint8_t *out);

/* cost.c: the wall bits of a view: makes them, all wall; fills them from its composed costs; marks a cell. */
void fr_cost_create_walls(fr_cost *cost, fr_cost_view view);
void fr_cost_find_walls(fr_cost *cost, fr_cost_view view);
void fr_cost_set_wall_bit(fr_cost *cost, fr_cost_view view, fr_cell cell, bool wall);

/* cost_compose.c: fills the table of a view that is about to be opened. */
void fr_cost_compose_view(fr_cost *cost, fr_cost_view view);
/* cost_compose.c: composes one block of a view anew; grows `changed` by the cells whose cost became another.
 */
void fr_cost_recompose(fr_cost *cost, fr_cost_view view, int32_t block, fr_rect *changed);
/* cost_compose.c: the classes' costs have changed within rect (width 0: nowhere): all else follows. */
void fr_cost_ground_changed(fr_cost *cost, fr_rect rect);

/* cost_compose.c: extra costs may have changed within rect. */
void fr_cost_extras_changed(fr_cost *cost, fr_rect rect);

/* cost_threat.c: adds what threats cost such travellers to a block's composed costs; `rect`: its cells. */
void fr_cost_add_threats(const fr_cost *cost, const fr_cost_view_def *def, fr_rect rect, uint8_t *costs);
uint64_t fr_cost_threats_hash(const fr_cost *cost, uint64_t hash);

/* cost_jam.c: adds a jam to a block's composed costs. `ground`: those of the fit. */
void fr_cost_add_jam(const fr_cost *cost, int32_t jam, fr_rect rect, const uint8_t *ground, uint8_t *costs);

/* cost_view.c: opens the view with that number for such travellers, or turns it over to them. */
void fr_cost_place_view(fr_cost *cost, fr_cost_view view, fr_cost_view_def def);

/* cost_nav.c: the costs of field cells that follow these of tiles, without a view yet. */
fr_cost *fr_cost_nav_create(const fr_cost *tiles, int32_t shift);
/* cost_nav.c: a view of the tiles has been opened or turned over; a block of one has changed. */
void fr_cost_nav_open(const fr_cost *tiles, fr_cost_view view);
void fr_cost_nav_follow(const fr_cost *tiles, fr_cost_view view, int32_t block);
/* cost_nav.c: composes a block of field cells. */
void fr_cost_compose_nav(const fr_cost *nav, fr_cost_view view, int32_t block, uint8_t *out);

/* cost.c: costs of such a grid without a view yet. */
fr_cost *fr_cost_create_empty(fr_grid grid);

/* The fit that a view beyond the fits adds to. */
static inline fr_cost_view fr_cost_fit_of(const fr_cost *cost, fr_cost_view view)
{
    return fr_cost_fit(cost->defs[view].movement_class, cost->defs[view].clearance);
}

/* Extra cost never makes a wall. */
static inline uint8_t fr_cost_sum(uint8_t ground, int more)
{
    int sum = ground + more;
    return (uint8_t)(sum < FR_COST_WALL ? sum : FR_COST_WALL - 1);
}

/* cost_view.c */
void fr_cost_save_views(const fr_cost *cost, fr_buffer *out);
bool fr_cost_load_views(fr_cost *cost, fr_reader *reader);

/* cost_snapshot.c: a block with these costs, [FR_BLOCK_CELLS], and one reference. */
int32_t fr_cost_store_block(fr_cost *cost, const uint8_t *costs);
void fr_cost_drop_block(fr_cost *cost, int32_t block);
/* Makes room ahead, so that edits and snapshots later need no memory. */
void fr_cost_reserve(fr_cost *cost);
/* The costs have changed: the snapshot of before serves its holders until they release it, but nobody new. */
void fr_cost_retire_snapshot(fr_cost *cost);
void fr_cost_free_snapshots(fr_cost *cost);

#endif
