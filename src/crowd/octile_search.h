/* octile_search: walking distance around a few cells when every cell costs 1, outward in order, until told to
 * stop. For places in a pack, which must lie together whatever the ground costs; fields proper live in
 * field/. */
#ifndef FR_CROWD_OCTILE_SEARCH_H
#define FR_CROWD_OCTILE_SEARCH_H

#include "grid/area.h"
#include "grid/cost.h"

/* Reusable working memory for maps of one size. */
typedef struct fr_octile_search {
    fr_grid grid;
    uint32_t generation;
    uint32_t *closed;                 /* [cell] generation for which the cell is entered, but not passed */
    uint32_t *stamp;                  /* [cell] generation in which the cell was reached */
    uint32_t *distance;               /* [cell] in 70ths of a cell */
    uint16_t *source;                 /* [cell] index of the source it belongs to */
    int32_t *entry_cell, *entry_next; /* pool of queue entries */
    int32_t entry_capacity;
} fr_octile_search;

void fr_octile_search_init(fr_octile_search *search, fr_grid grid);
void fr_octile_search_fini(fr_octile_search *search);

/* For the next run only: the cell can be reached, but leads nowhere (somebody stands in it). */
void fr_octile_search_close(fr_octile_search *search, fr_cell cell);

/* Called for each cell in order of distance; false ends the search. */
typedef bool (*fr_octile_visit)(void *context, fr_cell cell, uint32_t distance, int32_t source);

/* Dijkstra from the sources [1..65535], those in walls skipped, with the corner rule; a bucket queue (Dial
 * 1969). `prices` [source_count]: the distance that each source begins with; null: 0. */
void fr_octile_search_run(fr_octile_search *search, const fr_cost *cost, fr_cost_view view,
                          const fr_cell *sources, int32_t source_count, const uint32_t *prices,
                          fr_octile_visit visit, void *context);

/* The same from one cell to another (A*, Hart, Nilsson and Raphael 1968), until it is reached, or known to be
 * farther than `most`. The distances of cells on the shortest ways there are right, those of others may not
 * be. */
void fr_octile_search_to(fr_octile_search *search, const fr_cost *cost, fr_cost_view view, fr_cell from,
                         fr_cell to, uint32_t most);

/* Another run from all cells of the area that the last one reached. */
void fr_octile_search_widen(fr_octile_search *search, const fr_cost *cost, fr_cost_view view,
                            const fr_area *area, fr_octile_visit visit, void *context);

/* Instead of a run: forgets the last one, and lets cells be told apart by other means. Only sources may be
 * asked for then. */
void fr_octile_search_clear(fr_octile_search *search);
void fr_octile_search_label(fr_octile_search *search, fr_cell cell, int32_t source);

/* Source nearest to a cell in the last run that was not stopped early, or -1. */
int32_t fr_octile_search_source(const fr_octile_search *search, fr_cell cell);

/* Distance of a cell in the last run that was not stopped early, in 70ths of a cell; UINT32_MAX if not
 * reached. */
uint32_t fr_octile_search_distance(const fr_octile_search *search, fr_cell cell);

#endif
