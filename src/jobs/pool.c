/* pool: a fixed set of SDL threads behind base/executor.h. One mutex guards the queue, the open range and the
 * states of jobs; two conditions wake workers and the main thread. Only the chunk counter of a range is taken
 * without the mutex: it publishes nothing, the mutex does. It must not know what the work is for. */
#include "jobs/pool.h"

#include <SDL.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/assert.h"
#include "base/limits.h"
#include "base/memory.h"

typedef struct pool_worker {
    fr_pool *pool;
    int lane;
    SDL_Thread *thread;
} pool_worker;

/* The one parallel_for that may be under way. */
typedef struct pool_range {
    fr_range_fn run;
    void *context;
    int count, grain;
    unsigned chunk_count;
    _Atomic unsigned next_chunk;
    bool open;   /* chunks may be left: workers may join */
    int helpers; /* workers inside; main waits for these alone */
} pool_range;

struct fr_pool {
    SDL_mutex *mutex;
    SDL_cond *work;    /* for workers: a job, a range, or the end */
    SDL_cond *settled; /* for main: a job is done, or the last helper left the range */
    fr_job *head, *tail;
    pool_range range;
    bool quit;
    int worker_count;
    pool_worker workers[FR_WORKERS_MAX];
};

static void range_take_chunks(pool_range *range, int lane)
{
    for (;;) {
        unsigned chunk = atomic_fetch_add_explicit(&range->next_chunk, 1, memory_order_relaxed);
        if (chunk >= range->chunk_count) {
            return;
        }
        int begin = (int)chunk * range->grain;
        int end = range->count - begin < range->grain ? range->count : begin + range->grain;
        range->run(range->context, begin, end, lane);
    }
}

/* Mutex held on entry and exit, released while the chunks run. */
static void help_range(fr_pool *pool, int lane)
{
    pool->range.helpers++;
    SDL_UnlockMutex(pool->mutex);
    range_take_chunks(&pool->range, lane);
    SDL_LockMutex(pool->mutex);
    /* Closing it here keeps a worker from joining again and again until main notices the end. */
    pool->range.open = false;
    if (--pool->range.helpers == 0) {
        SDL_CondSignal(pool->settled);
    }
}

/* Mutex held on entry and exit, released while the job runs. */
static void run_job(fr_pool *pool, fr_job *job, int lane)
{
    atomic_store(&job->state, FR_JOB_RUNNING);
    SDL_UnlockMutex(pool->mutex);
    job->run(job->context, lane);
    SDL_LockMutex(pool->mutex);
    /* From here on the owner may free the job. */
    atomic_store(&job->state, FR_JOB_DONE);
    SDL_CondSignal(pool->settled);
}

static fr_job *queue_pop(fr_pool *pool)
{
    fr_job *job = pool->head;
    pool->head = job->next;
    if (pool->head == NULL) {
        pool->tail = NULL;
    }
    job->next = NULL;
    return job;
}

static void queue_remove(fr_pool *pool, fr_job *job)
{
    fr_job *before = NULL;
    for (fr_job *at = pool->head; at != job; at = at->next) {
        FR_ASSERT(at != NULL);
        before = at;
    }
    if (before == NULL) {
        queue_pop(pool);
        return;
    }
    before->next = job->next;
    if (pool->tail == job) {
        pool->tail = before;
    }
    job->next = NULL;
}

static int worker_main(void *self)
{
    pool_worker *worker = self;
    fr_pool *pool = worker->pool;
    SDL_LockMutex(pool->mutex);
    for (;;) {
        /* A range first: main stands still until it is done, a job has ticks to spare. */
        if (pool->range.open) {
            help_range(pool, worker->lane);
        } else if (pool->head != NULL) {
            run_job(pool, queue_pop(pool), worker->lane);
        } else if (pool->quit) {
            break;
        } else {
            SDL_CondWait(pool->work, pool->mutex);
        }
    }
    SDL_UnlockMutex(pool->mutex);
    return 0;
}

static void pool_parallel_for(void *self, int count, int grain, fr_range_fn run, void *context)
{
    fr_pool *pool = self;
    FR_ASSERT(grain > 0);
    if (count <= 0) {
        return;
    }
    if (count <= grain) {
        run(context, 0, count, 0);
        return;
    }
    pool_range *range = &pool->range;
    SDL_LockMutex(pool->mutex);
    FR_ASSERT(!range->open && range->helpers == 0);
    range->run = run;
    range->context = context;
    range->count = count;
    range->grain = grain;
    range->chunk_count = (unsigned)(count / grain + (count % grain != 0));
    atomic_store_explicit(&range->next_chunk, 0, memory_order_relaxed);
    range->open = true;
    SDL_CondBroadcast(pool->work);
    SDL_UnlockMutex(pool->mutex);

    range_take_chunks(range, 0);

    SDL_LockMutex(pool->mutex);
    range->open = false;
    while (range->helpers > 0) {
        SDL_CondWait(pool->settled, pool->mutex);
    }
    SDL_UnlockMutex(pool->mutex);
}

static void pool_submit(void *self, fr_job *job)
{
    fr_pool *pool = self;
    SDL_LockMutex(pool->mutex);
    int state = atomic_load(&job->state);
    FR_ASSERT(state == FR_JOB_IDLE || state == FR_JOB_DONE);
    atomic_store(&job->state, FR_JOB_QUEUED);
    job->next = NULL;
    if (pool->tail == NULL) {
        pool->head = job;
    } else {
        pool->tail->next = job;
    }
    pool->tail = job;
    SDL_CondSignal(pool->work);
    SDL_UnlockMutex(pool->mutex);
}

/* Mutex held. */
static void wait_running(fr_pool *pool, fr_job *job)
{
    while (atomic_load(&job->state) == FR_JOB_RUNNING) {
        SDL_CondWait(pool->settled, pool->mutex);
    }
}

static void pool_wait(void *self, fr_job *job)
{
    fr_pool *pool = self;
    SDL_LockMutex(pool->mutex);
    if (atomic_load(&job->state) == FR_JOB_QUEUED) {
        queue_remove(pool, job);
        run_job(pool, job, 0);
    }
    wait_running(pool, job);
    SDL_UnlockMutex(pool->mutex);
}

static void pool_cancel(void *self, fr_job *job)
{
    fr_pool *pool = self;
    SDL_LockMutex(pool->mutex);
    if (atomic_load(&job->state) == FR_JOB_QUEUED) {
        queue_remove(pool, job);
        atomic_store(&job->state, FR_JOB_IDLE);
    }
    wait_running(pool, job);
    SDL_UnlockMutex(pool->mutex);
}

int fr_pool_default_workers(void)
{
    int spare = SDL_GetCPUCount() - 1;
    return spare < 1 ? 1 : spare > FR_WORKERS_MAX ? FR_WORKERS_MAX : spare;
}

fr_pool *fr_pool_create(int workers, fr_error *error)
{
    FR_ASSERT(workers >= 1 && workers <= FR_WORKERS_MAX);
    fr_pool *pool = fr_alloc(1, sizeof *pool);
    pool->mutex = SDL_CreateMutex();
    pool->work = SDL_CreateCond();
    pool->settled = SDL_CreateCond();
    if (pool->mutex == NULL || pool->work == NULL || pool->settled == NULL) {
        fr_fail(error, FR_LIMIT, "can't make a thread pool: %s", SDL_GetError());
        fr_pool_destroy(pool);
        return NULL;
    }
    for (int i = 0; i < workers; i++) {
        char name[32];
        snprintf(name, sizeof name, "worker %d", i + 1);
        pool->workers[i].pool = pool;
        pool->workers[i].lane = i + 1;
        pool->workers[i].thread = SDL_CreateThread(worker_main, name, &pool->workers[i]);
        if (pool->workers[i].thread == NULL) {
            fr_fail(error, FR_LIMIT, "can't start worker thread %d of %d: %s", i + 1, workers,
                    SDL_GetError());
            fr_pool_destroy(pool);
            return NULL;
        }
        pool->worker_count = i + 1;
    }
    return pool;
}

void fr_pool_destroy(fr_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    if (pool->worker_count > 0) {
        SDL_LockMutex(pool->mutex);
        FR_ASSERT(pool->head == NULL && !pool->range.open);
        pool->quit = true;
        SDL_CondBroadcast(pool->work);
        SDL_UnlockMutex(pool->mutex);
    }
    for (int i = 0; i < pool->worker_count; i++) {
        SDL_WaitThread(pool->workers[i].thread, NULL);
    }
    /* SDL's destroyers take null: a pool that failed half-way comes here too. */
    SDL_DestroyCond(pool->settled);
    SDL_DestroyCond(pool->work);
    SDL_DestroyMutex(pool->mutex);
    fr_free(pool);
}

fr_executor fr_pool_executor(fr_pool *pool)
{
    return (fr_executor){
        .self = pool,
        .worker_count = pool->worker_count,
        .parallel_for = pool_parallel_for,
        .submit = pool_submit,
        .wait = pool_wait,
        .cancel = pool_cancel,
    };
}
