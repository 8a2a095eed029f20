/* cost: what walking costs while a world runs. Kept per cause (terrain as loaded or painted, edits by walls
 * and scripts) and per 32x32 block, composed on write; jobs read immutable snapshots, which are tables of
 * block indices with reference counts. Knows nothing of fields or units. */
#ifndef FR_GRID_COST_H
#define FR_GRID_COST_H

#include "base/buffer.h"
#include "grid/map.h"
#include "grid/threat.h"

typedef struct fr_cost fr_cost;

/* What one kind of traveller pays. The first FR_CLASS_COUNT views are the classes themselves, ground alone:
 * speeds, collision and pictures go by them, and an fr_class can be passed for its view. */
typedef int32_t fr_cost_view;
#define FR_COST_VIEWS_MAX 64

/* The views without extra costs: ground, with walls where a disc of that clearance (grid/clearance.h) does
 * not fit. */
#define FR_COST_FITS (FR_CLASS_COUNT * FR_CLEARANCE_COUNT)
static inline fr_cost_view fr_cost_fit(fr_class movement_class, int clearance)
{
    return (fr_cost_view)movement_class + FR_CLASS_COUNT * clearance;
}

/* What makes travellers pay alike. */
typedef struct fr_cost_view_def {
    fr_class movement_class;
    uint8_t clearance; /* 0..FR_CLEARANCE_COUNT - 1 */
    uint8_t caution;   /* fr_caution */
    uint8_t team;      /* does not mind its own threats */
} fr_cost_view_def;

/* The costs of all open views at one version, immutable. */
typedef struct fr_cost_snapshot fr_cost_snapshot;

fr_cost *fr_cost_create(const fr_map *map);
void fr_cost_destroy(fr_cost *cost);

fr_grid fr_cost_grid(const fr_cost *cost);

/* The costs that fields are made of: of the map's field cells (grid/nav.h), following these in every view and
 * owned by them; the same costs where a field cell is a tile. A field cell costs as much as the dearest of
 * its tiles, and is a wall if any of them is; so are tiles beyond the map's edge. Its own costs are nobody's
 * to write. */
const fr_cost *fr_cost_nav(const fr_cost *cost);
/* The same for whom snapshots are taken. */
fr_cost *fr_cost_field(fr_cost *cost);
/* Cells of these costs are 2^shift tiles a side. */
int32_t fr_cost_shift(const fr_cost *cost);

/* Composed cost of a cell, 1..254 or FR_COST_WALL; outside the map wall. Main thread. */
uint8_t fr_cost_at(const fr_cost *cost, fr_cost_view view, fr_cell cell);
bool fr_cost_walkable(const fr_cost *cost, fr_cost_view view, fr_cell cell);
/* Does a disc touch no wall there? */
bool fr_cost_disc_is_clear(const fr_cost *cost, fr_cost_view view, fr_position position, double radius);
/* Is there no wall among the cells left..right of row y, all of them inside the map? */
bool fr_cost_row_is_open(const fr_cost *cost, fr_cost_view view, int32_t y, int32_t left, int32_t right);
/* The cost that all cells of the block around a cell of the map have, or 0 where they differ. Main thread. */
uint8_t fr_cost_block_even(const fr_cost *cost, fr_cost_view view, fr_cell cell);

/* Kind of ground of an inside cell: as loaded or painted. */
fr_terrain fr_cost_terrain(const fr_cost *cost, fr_cell cell);
/* The edit on an inside cell, 0 = none. */
uint8_t fr_cost_edit(const fr_cost *cost, fr_cell cell);

/* Sets an edit (1..255) over the part of rect inside the map, for all classes but air; 0 drops the edits
 * there. Returns the bounding rectangle of the cells whose ground cost changed for a class (width 0: none).
 */
fr_rect fr_cost_set_edit(fr_cost *cost, fr_rect rect, uint8_t value);

/* Paints ground: kind, and its cost as terrain for all classes but air. Returns as fr_cost_set_edit. */
fr_rect fr_cost_set_terrain(fr_cost *cost, fr_rect rect, fr_terrain kind, uint8_t value);

/* The view of such travellers: a fit, or, where a ring or threats add to that, one of its own. One that
 * nobody has asked for before is composed, O(cells); when there is no room for another, the fit has to do
 * (counted). Main thread. */
fr_cost_view fr_cost_view_open(fr_cost *cost, fr_cost_view_def def);
/* May this view be asked for costs? Classes always may. */
bool fr_cost_view_is_open(const fr_cost *cost, fr_cost_view view);

/* Soft ring: cells that touch a wall, across a corner too, cost half as much again (rounded up), for views
 * that are opened from now on. Main thread. */
void fr_cost_set_ring(fr_cost *cost, bool is_on);
/* Puts a threat in place of number `index` (0..FR_THREATS_MAX - 1), which may be there or not; null: takes it
 * away. Extra costs of all causes end at 254. Main thread. */
void fr_cost_set_threat(fr_cost *cost, int32_t index, const fr_threat *threat);
/* A threat, or null. */
const fr_threat *fr_cost_threat(const fr_cost *cost, int32_t index);
/* Are its numbers within their limits? */
bool fr_threat_is_sane(const fr_threat *threat);
/* Times that a view had to do without its extra costs for want of room. */
uint32_t fr_cost_views_denied(const fr_cost *cost);

/* Views of jams come last. */
#define FR_COST_FIRST_JAM (FR_COST_VIEWS_MAX - FR_JAMS_MAX)
/* Congestion. Squares of FR_JAM_SIDE cells, row by row from the map's corner. */
fr_grid fr_jam_squares(fr_grid grid);
/* Gives jam number `jam` (0..FR_JAMS_MAX - 1) a view: that of `def`, without congestion yet. What was in the
 * view before is gone: whatever was made of it is stale. Main thread. */
fr_cost_view fr_cost_jam_open(fr_cost *cost, int32_t jam, fr_cost_view_def def);
/* Extra cost of an open jam in a square, in eighths of the ground's cost. Composed by fr_cost_jam_compose,
 * which is to follow before another jam is written; it returns a rectangle that holds the changes (width 0:
 * none). */
void fr_cost_set_jam(fr_cost *cost, int32_t jam, int32_t square, uint8_t eighths);
fr_rect fr_cost_jam_compose(fr_cost *cost, int32_t jam);
/* Cells that somebody holds cost FR_HELD_EIGHTHS more in the views of all jams. After writing, compose:
 * returns a rectangle that holds the changes in any of them. */
void fr_cost_set_held(fr_cost *cost, fr_cell cell, bool is_held);
bool fr_cost_is_held(const fr_cost *cost, fr_cell cell);
fr_rect fr_cost_held_compose(fr_cost *cost);
uint8_t fr_cost_jam_at(const fr_cost *cost, int32_t jam, int32_t square);

/* A rectangle that holds all cells whose cost has changed in any open view since the last call (width 0:
 * none): where walls come and go, wider discs are shut out of more cells than those. */
fr_rect fr_cost_take_changed(fr_cost *cost);

/* Grows by one with every change of a composed cost, starting at 1. */
uint32_t fr_cost_version(const fr_cost *cost);

/* Changes whenever the composed costs of that view do. */
uint32_t fr_cost_view_version(const fr_cost *cost, fr_cost_view view);

/* Composed costs of a block [FR_BLOCK_CELLS, those beyond the map are walls], until the next change. */
const uint8_t *fr_cost_block_costs(const fr_cost *cost, fr_cost_view view, int32_t block);

/* Changes whenever a cost, edit or kind of ground in that block (grid.h) changes: what a picture of it needs.
 */
uint32_t fr_cost_block_version(const fr_cost *cost, int32_t block);

/* Copies composed costs of a rectangle inside the map, [w*h] row-major. For overlays and tools. */
void fr_cost_copy(const fr_cost *cost, fr_cost_view view, fr_rect rect, uint8_t *out);

/* Wall bits of a window of `side` x `side` cells (side <= 8) with its top left corner at `corner`: bit
 * y * side + x is set where the cell is wall (outside included). The fast way to ask "anything near me?". */
uint64_t fr_cost_wall_window(const fr_cost *cost, fr_cost_view view, fr_cell corner, int side);
/* Is no cell of that window wall? Faster still. */
bool fr_cost_window_is_open(const fr_cost *cost, fr_cost_view view, fr_cell corner, int side);

/* The lowest class whose costs equal those of this one everywhere right now: their fields can be shared. */
fr_class fr_cost_canonical_class(const fr_cost *cost, fr_class movement_class);

/* Current snapshot with one reference more; O(blocks), no cell is copied. Main thread. */
const fr_cost_snapshot *fr_cost_acquire(fr_cost *cost);
void fr_cost_release(fr_cost *cost, const fr_cost_snapshot *snapshot);

uint32_t fr_cost_snapshot_version(const fr_cost_snapshot *snapshot);
/* Costs of one view in a block (grid.h) [FR_BLOCK_CELLS row by row, cells beyond the map's edge wall]. The
 * same address from two snapshots that are both held means the same costs. Any thread. */
const uint8_t *fr_cost_snapshot_block(const fr_cost_snapshot *snapshot, fr_cost_view view, int32_t block);
/* Copies one view into rows of `stride` bytes beginning at `out` [height rows]. Any thread. */
void fr_cost_snapshot_copy(const fr_cost_snapshot *snapshot, fr_cost_view view, uint8_t *out, int stride);

/* Edits, painted ground, ring and threats, for saved worlds. Load expects a cost grid just created from the
 * same map. */
void fr_cost_save(const fr_cost *cost, fr_buffer *out);
bool fr_cost_load(fr_cost *cost, fr_reader *reader);
/* Hash of edits, painted ground, ring and threats: O(threats). */
uint64_t fr_cost_hash(const fr_cost *cost);

/* THE corner rule: may a unit of this class step from an inside cell in this direction? The target must be
 * passable, and for a diagonal both orthogonal neighbours too. */
static inline bool fr_cost_step_allowed(const fr_cost *cost, fr_cost_view view, fr_cell cell, int direction)
{
    const fr_step *step = &FR_STEPS[direction];
    if (!fr_cost_walkable(cost, view, (fr_cell){cell.x + step->dx, cell.y + step->dy})) {
        return false;
    }
    return step->price == FR_STEP_STRAIGHT ||
           (fr_cost_walkable(cost, view, (fr_cell){cell.x + step->dx, cell.y}) &&
            fr_cost_walkable(cost, view, (fr_cell){cell.x, cell.y + step->dy}));
}

#endif
