/* way_out: where a field cell is several tiles, a tile may be open though its field cell is a wall, and a
 * field knows nothing of it. From every such tile this keeps the way to the nearest field cell that is open,
 * tile by tile, as if all ground cost 1, up to date with the costs: whoever stands there is led out, and what
 * lies there can be headed for.
 *
 * Field cells may even be parted where tiles are not: between them lie ways that hold no whole cell. For who
 * has to go from one part to another there are ways to the main one of each region of tiles: from all tiles
 * that lie elsewhere, open cells or not. They make one tree a region, so that any tile is come to from any
 * other: out, and back in again. */
#ifndef FR_FIELD_WAY_OUT_H
#define FR_FIELD_WAY_OUT_H

#include "field/field.h"
#include "field/regions.h"

/* Which ways: to the nearest open field cell, one kind for each fit (grid/cost.h), whose number they have; or
 * to the main field cells, FR_WAYS_TO_MAIN of the fit. */
#define FR_WAYS_TO_MAIN(fit) ((int32_t)(fit) + FR_COST_FITS)
#define FR_WAYS_COUNT        (2 * FR_COST_FITS)

/* For all fits that were asked for. Main thread, but for questions: any thread while nothing
 * changes. All questions may be asked of null, where no tile needs a way out. */
typedef struct fr_way_out fr_way_out;

/* Null where a field cell is not more than a tile. `cost`: of the tiles; borrowed. */
fr_way_out *fr_way_out_create(const fr_cost *cost);
void fr_way_out_destroy(fr_way_out *way_out);

/* Gets ready for one more fit, which is open; O(tiles) the first time. */
void fr_way_out_admit(fr_way_out *way_out, fr_cost_view fit);
/* Costs have changed within a rectangle of tiles: the nearest cells are found again. O(rect), and the ways
 * that led through it. */
void fr_way_out_update(fr_way_out *way_out, fr_rect rect);
/* Finds the ways to the main field cells, which are the largest region of `cells` in each region of `tiles`,
 * ties by their number; one of the tiles where no field cell is open. O(tiles); to be called again after
 * every change. */
void fr_way_out_find_main(fr_way_out *way_out, fr_cost_view fit, const fr_regions *tiles,
                          const fr_regions *cells);
bool fr_way_out_has_main(const fr_way_out *way_out, fr_cost_view fit);

/* The tile at the end of the way; the tile itself if it needs none. False if there is no way: walls, or no
 * open field cell in the whole region. O(length of the way). */
bool fr_way_out_end(const fr_way_out *way_out, int32_t ways, fr_cell tile, fr_cell *end);
/* The next tile on the way; false at its end, and where there is none. */
bool fr_way_out_next(const fr_way_out *way_out, int32_t ways, fr_cell tile, fr_cell *next);

/* The field cell (of 2^shift tiles a side) that stands for a position: its own, or the one at the end of its
 * way out. */
fr_cell fr_way_out_cell(const fr_way_out *way_out, int32_t shift, int32_t ways, fr_position position);

/* The field's value for a tile, and what the field says at a position, with the way out before it. */
uint32_t fr_way_out_value(const fr_way_out *way_out, int32_t ways, const fr_field *field, fr_cell tile);
fr_field_sample fr_way_out_sample(const fr_way_out *way_out, int32_t ways, const fr_field *field,
                                  fr_position position);
/* Length of the way out of a tile, as an integration; 0 if it needs none. */
uint32_t fr_way_out_length(const fr_way_out *way_out, int32_t ways, fr_cell tile);
/* What is left from a tile to the one that the field leads to, out and back in again. */
uint32_t fr_way_out_left(const fr_way_out *way_out, int32_t ways, const fr_field *field, fr_cell goal,
                         fr_cell tile);
/* The same way back in: how somebody at a position that lies on the way out of a tile, or in the field cell
 * to which it leads, comes to that tile. False for everybody else. The sample's potential is that of what is
 * left. */
bool fr_way_out_back(const fr_way_out *way_out, int32_t ways, fr_cell tile, fr_position position,
                     fr_field_sample *sample);
/* fr_field_trace with the way out before it; without points. */
double fr_way_out_trace(const fr_way_out *way_out, int32_t ways, const fr_field *field, fr_position start,
                        double limit, bool *met_wall);

#endif
