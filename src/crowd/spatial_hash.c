#include "crowd/spatial_hash.h"

#include <string.h>

#include "base/assert.h"
#include "base/limits.h"
#include "base/memory.h"

/* More buckets than this cost more to clear than they save; they get wider instead. */
#define BUCKETS_MAX (1 << 20)

void fr_spatial_hash_init(fr_spatial_hash *hash, fr_grid map, int32_t unit_capacity)
{
    *hash = (fr_spatial_hash){.map = map};
    hash->bucket_capacity = BUCKETS_MAX;
    hash->start = fr_alloc_raw(BUCKETS_MAX + 2, sizeof *hash->start);
    hash->active = fr_alloc_raw(BUCKETS_MAX, sizeof *hash->active);
    hash->bucket = fr_alloc_raw((size_t)unit_capacity, sizeof *hash->bucket);
    hash->ids = fr_alloc_raw((size_t)unit_capacity, sizeof *hash->ids);
}

void fr_spatial_hash_fini(fr_spatial_hash *hash)
{
    fr_free(hash->start);
    fr_free(hash->active);
    fr_free(hash->bucket);
    fr_free(hash->ids);
    *hash = (fr_spatial_hash){0};
}

/* Box of buckets that holds all units. */
static void measure(fr_spatial_hash *hash, const fr_agents *agents)
{
    fr_cell low = {INT32_MAX, INT32_MAX}, high = {0, 0};
    hash->corner = (fr_cell){0, 0};
    for (int32_t i = 0; i < agents->count; i++) {
        if (agents->state[i] == FR_UNIT_GONE) {
            continue;
        }
        fr_cell at = fr_spatial_hash_bucket(hash, agents->position[i]);
        low.x = at.x < low.x ? at.x : low.x;
        low.y = at.y < low.y ? at.y : low.y;
        high.x = at.x > high.x ? at.x : high.x;
        high.y = at.y > high.y ? at.y : high.y;
    }
    if (low.x > high.x) {
        low = high = (fr_cell){0, 0};
    }
    hash->corner = low;
    hash->columns = high.x - low.x + 1;
    hash->rows = high.y - low.y + 1;
}

void fr_spatial_hash_build(fr_spatial_hash *hash, const fr_agents *agents, float reach)
{
    hash->side_fixed = fr_fixed((double)reach) + 1;
    measure(hash, agents);
    while ((int64_t)hash->columns * hash->rows > hash->bucket_capacity) {
        hash->side_fixed *= 2;
        measure(hash, agents);
    }
    size_t buckets = (size_t)hash->columns * (size_t)hash->rows;
    memset(hash->start, 0, (buckets + 2) * sizeof *hash->start);
    memset(hash->active, 0, buckets);
    /* Count into start[b + 2], so that after the running sum start[b + 1] is where bucket b begins and, once
     * filled, where it ends. */
    for (int32_t i = 0; i < agents->count; i++) {
        if (agents->state[i] == FR_UNIT_GONE) {
            continue;
        }
        fr_cell at = fr_spatial_hash_bucket(hash, agents->position[i]);
        uint32_t bucket = (uint32_t)(at.y * hash->columns + at.x);
        hash->bucket[i] = bucket;
        hash->start[bucket + 2]++;
        if (fr_agents_is_astir(agents, (uint32_t)i)) {
            hash->active[bucket] = 1;
        }
    }
    for (size_t b = 2; b < buckets + 2; b++) {
        hash->start[b] += hash->start[b - 1];
    }
    hash->count = 0;
    for (int32_t i = 0; i < agents->count; i++) {
        if (agents->state[i] != FR_UNIT_GONE) {
            hash->ids[hash->start[hash->bucket[i] + 1]++] = (uint32_t)i;
            hash->count++;
        }
    }
}
