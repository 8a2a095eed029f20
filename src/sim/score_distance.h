/* score_distance: octile walking distance over ground where every open cell costs 1, from the walls alone.
 * The judge's own search: it must not use field/, so that a fault there can't hide itself. */
#ifndef FR_SIM_SCORE_DISTANCE_H
#define FR_SIM_SCORE_DISTANCE_H

#include "sim/walls.h"

/* Distances count FR_STEP_STRAIGHT for a cell and FR_STEP_DIAGONAL for a diagonal. */
#define FR_DISTANCE_NONE UINT32_MAX
#define FR_DISTANCE_CELL ((uint32_t)FR_STEP_STRAIGHT)

/* More buckets than the longest step, so that the ring of buckets never laps itself. */
#define FR_DISTANCE_BUCKETS 128

typedef struct fr_distance_bucket {
    int32_t *cells;
    int32_t count, capacity;
} fr_distance_bucket;

/* Working memory for maps of one size; grows with what is searched and is kept from search to search. */
typedef struct fr_distance_search {
    fr_grid grid;
    fr_distance_bucket buckets[FR_DISTANCE_BUCKETS];
    uint32_t *distance;         /* [w*h] of the ball's search: FR_DISTANCE_NONE in between */
    fr_distance_bucket touched; /* cells to be put back */
} fr_distance_search;

void fr_distance_search_init(fr_distance_search *search, fr_grid grid);
void fr_distance_search_fini(fr_distance_search *search);

/* Fills distance [w*h] with the distance of every cell to the nearest seed, FR_DISTANCE_NONE where there is
 * no way. Seeds in walls are skipped. `prices` [seed_count]: what counts on top of the distance to each seed;
 * null: nothing. `nearest` [w*h] may be null: which seed it is, undefined where there is
 * no way. */
void fr_distance_from(fr_distance_search *search, const fr_walls *walls, const fr_cell *seeds,
                      int32_t seed_count, const uint32_t *prices, uint32_t *distance, uint16_t *nearest);

/* The cells within some distance of a centre, or of several, as bits of a window of the map. */
typedef struct fr_ball {
    uint32_t radius;
    fr_rect window;
    uint64_t *bits; /* row by row; owned */
} fr_ball;

/* The ball whose radius is the smallest distance within which there are at least `cells_needed` cells (all of
 * the region if it has fewer), plus one cell. Distances are those to the nearest of the centres [count >= 1],
 * which must be open. */
void fr_ball_init(fr_ball *ball, fr_distance_search *search, const fr_walls *walls, const fr_cell *centres,
                  int32_t count, double cells_needed);
void fr_ball_fini(fr_ball *ball);

static inline bool fr_ball_contains(const fr_ball *ball, fr_cell cell)
{
    int32_t x = cell.x - ball->window.x, y = cell.y - ball->window.y;
    if (x < 0 || y < 0 || x >= ball->window.width || y >= ball->window.height) {
        return false;
    }
    int64_t bit = (int64_t)y * ball->window.width + x;
    return (ball->bits[bit / 64] >> (bit % 64) & 1) != 0;
}

#endif
