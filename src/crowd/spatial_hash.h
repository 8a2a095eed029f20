/* spatial_hash: all units of a tick in the order of square buckets, by a counting sort, so that the
 * neighbours of a unit are three contiguous runs. Units in one bucket keep the order of their ids: every sum
 * over neighbours has one order, whatever the thread. */
#ifndef FR_CROWD_SPATIAL_HASH_H
#define FR_CROWD_SPATIAL_HASH_H

#include "crowd/agents.h"

typedef struct fr_spatial_hash {
    fr_grid map;
    int32_t side_fixed;    /* of a bucket, 1/65536 cell */
    int32_t columns, rows; /* of buckets, over the box that holds the units */
    fr_cell corner;        /* bucket coordinates of the box */
    uint32_t *start;       /* [columns*rows + 1] first sorted index of a bucket */
    uint8_t *active;       /* [columns*rows] some unit in it moves, or did last tick */
    uint32_t *bucket;      /* [unit] scratch */
    uint32_t *ids;         /* [sorted] unit ids */
    int32_t count;         /* units sorted: those not gone */
    int32_t bucket_capacity;
} fr_spatial_hash;

void fr_spatial_hash_init(fr_spatial_hash *hash, fr_grid map, int32_t unit_capacity);
void fr_spatial_hash_fini(fr_spatial_hash *hash);

/* Sorts all units that are not gone. Buckets are at least `reach` cells wide: whoever is nearer than that is
 * in the 3x3 buckets around. O(units + buckets). */
void fr_spatial_hash_build(fr_spatial_hash *hash, const fr_agents *agents, float reach);

/* Bucket coordinates of a position, relative to the box; may lie outside of it. */
static inline fr_cell fr_spatial_hash_bucket(const fr_spatial_hash *hash, fr_position position)
{
    return (fr_cell){(position.x < 0 ? 0 : position.x / hash->side_fixed) - hash->corner.x,
                     (position.y < 0 ? 0 : position.y / hash->side_fixed) - hash->corner.y};
}

/* Run of sorted indices begin..end-1 in the buckets x-1..x+1 of row y; empty outside. */
static inline void fr_spatial_hash_row(const fr_spatial_hash *hash, int32_t x, int32_t y, uint32_t *begin,
                                       uint32_t *end)
{
    int32_t x0 = x - 1 < 0 ? 0 : x - 1;
    int32_t x1 = x + 2 > hash->columns ? hash->columns : x + 2;
    if (y < 0 || y >= hash->rows || x0 >= x1) {
        *begin = *end = 0;
        return;
    }
    *begin = hash->start[y * hash->columns + x0];
    *end = hash->start[y * hash->columns + x1];
}

#endif
