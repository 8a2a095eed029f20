/* bucket_queue: the priority queue of fr_integrate: a circular array of buckets (Dial 1969), each a stack of
 * chunks. Internal to field/. Knows keys and entries, nothing of maps or costs.
 *
 * A bucket spans FR_BUCKET_WIDTH keys. That is no more than the cheapest step, so cells of one bucket cannot
 * improve one another (Dinic 1978): a bucket may be emptied in any order, and pushes never land in the bucket
 * that is being emptied. */
#ifndef FR_FIELD_BUCKET_QUEUE_H
#define FR_FIELD_BUCKET_QUEUE_H

#include <stdint.h>

#include "grid/grid.h"

/* The largest power of two that does not exceed the cheapest step: a shift instead of a division per push. */
#define FR_BUCKET_SHIFT 6
#define FR_BUCKET_WIDTH (1u << FR_BUCKET_SHIFT)

/* A power of two, larger than the number of buckets that the dearest step (254 x 99) can reach ahead. */
#define FR_BUCKET_COUNT 512u

/* Entries of a chunk. The first links to the chunk below it in the same bucket, so a slot number that is a
 * multiple of this is never an entry: it says "full", and 0 says "empty". */
#define FR_BUCKET_CHUNK 256u

typedef struct fr_bucket_queue {
    uint32_t *slots;                /* owned; reserved raw: chunks that are never used cost nothing */
    uint32_t next[FR_BUCKET_COUNT]; /* per bucket: the next free slot; 0 = the bucket is empty */
    uint32_t fresh_chunk;           /* lowest chunk never handed out since the last reset; from 1 */
    uint32_t free_chunk;            /* head of the list of recycled chunks; 0 = none */
    uint32_t chunk_count;           /* chunks reserved, chunk 0 included, which is never used */
    uint32_t filled_count;          /* buckets that hold entries */
} fr_bucket_queue;

/* Room for `push_count` pushes between two resets, however they fall into buckets. */
void fr_bucket_queue_init(fr_bucket_queue *queue, uint32_t push_count);
void fr_bucket_queue_fini(fr_bucket_queue *queue);
void fr_bucket_queue_reset(fr_bucket_queue *queue);

/* Puts a chunk on top of a bucket that has none or whose top chunk is full. */
void fr_bucket_queue_grow(fr_bucket_queue *queue, uint32_t bucket);

static inline uint32_t fr_bucket_of(uint32_t key)
{
    return key >> FR_BUCKET_SHIFT;
}

/* Adds an entry. The key's bucket must lie less than FR_BUCKET_COUNT ahead of the one being emptied. */
static inline void fr_bucket_queue_push(fr_bucket_queue *queue, uint32_t key, uint32_t entry)
{
    uint32_t bucket = fr_bucket_of(key) % FR_BUCKET_COUNT;
    if (queue->next[bucket] % FR_BUCKET_CHUNK == 0) {
        fr_bucket_queue_grow(queue, bucket);
    }
    queue->slots[queue->next[bucket]++] = entry;
}

/* Entries of one chunk. */
typedef struct fr_bucket_run {
    const uint32_t *entries;
    uint32_t count;
    uint32_t chunk; /* 0: there is no such run */
} fr_bucket_run;

/* Takes bucket number `bucket` (fr_bucket_of) out of the queue and returns its first run. */
fr_bucket_run fr_bucket_queue_take(fr_bucket_queue *queue, uint32_t bucket);
/* Recycles the run's chunk and returns the next run of the same bucket. */
fr_bucket_run fr_bucket_queue_next_run(fr_bucket_queue *queue, fr_bucket_run run);

#endif
