/* bucket_queue: the rare half of the queue: chunks handed out and recycled. The frequent half is inline in
 * the header. */
#include "field/bucket_queue.h"

#include <string.h>

#include "base/assert.h"
#include "base/memory.h"

_Static_assert(FR_BUCKET_WIDTH <= FR_STEP_STRAIGHT, "cells of one bucket must not improve one another");
_Static_assert((FR_BUCKET_WIDTH - 1 + (FR_COST_WALL - 1) * FR_STEP_DIAGONAL) / FR_BUCKET_WIDTH <
                   FR_BUCKET_COUNT,
               "the dearest step must not lap the circle");

void fr_bucket_queue_init(fr_bucket_queue *queue, uint32_t push_count)
{
    /* Every bucket can have one chunk that is not full; chunk 0 stays unused. */
    queue->chunk_count = push_count / (FR_BUCKET_CHUNK - 1) + FR_BUCKET_COUNT + 1;
    queue->slots = fr_alloc_raw((size_t)queue->chunk_count * FR_BUCKET_CHUNK, sizeof *queue->slots);
    fr_bucket_queue_reset(queue);
}

void fr_bucket_queue_fini(fr_bucket_queue *queue)
{
    fr_free(queue->slots);
}

void fr_bucket_queue_reset(fr_bucket_queue *queue)
{
    memset(queue->next, 0, sizeof queue->next);
    queue->fresh_chunk = 1;
    queue->free_chunk = 0;
    queue->filled_count = 0;
}

void fr_bucket_queue_grow(fr_bucket_queue *queue, uint32_t bucket)
{
    uint32_t chunk = queue->free_chunk;
    if (chunk != 0) {
        queue->free_chunk = queue->slots[chunk * FR_BUCKET_CHUNK];
    } else {
        chunk = queue->fresh_chunk++;
        FR_ASSERT(chunk < queue->chunk_count);
    }
    uint32_t top = queue->next[bucket];
    queue->slots[chunk * FR_BUCKET_CHUNK] = top == 0 ? 0 : top / FR_BUCKET_CHUNK - 1;
    queue->next[bucket] = chunk * FR_BUCKET_CHUNK + 1;
    queue->filled_count += top == 0;
}

static fr_bucket_run run_of(const fr_bucket_queue *queue, uint32_t chunk, uint32_t count)
{
    return (fr_bucket_run){
        .entries = queue->slots + chunk * FR_BUCKET_CHUNK + 1, .count = count, .chunk = chunk};
}

fr_bucket_run fr_bucket_queue_take(fr_bucket_queue *queue, uint32_t bucket)
{
    uint32_t *next = &queue->next[bucket % FR_BUCKET_COUNT];
    if (*next == 0) {
        return (fr_bucket_run){0};
    }
    uint32_t last = *next - 1;
    *next = 0;
    queue->filled_count--;
    return run_of(queue, last / FR_BUCKET_CHUNK, last % FR_BUCKET_CHUNK);
}

fr_bucket_run fr_bucket_queue_next_run(fr_bucket_queue *queue, fr_bucket_run run)
{
    uint32_t below = queue->slots[run.chunk * FR_BUCKET_CHUNK];
    queue->slots[run.chunk * FR_BUCKET_CHUNK] = queue->free_chunk;
    queue->free_chunk = run.chunk;
    return below == 0 ? (fr_bucket_run){0} : run_of(queue, below, FR_BUCKET_CHUNK - 1);
}
