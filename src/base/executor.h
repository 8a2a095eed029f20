/* executor: the seam for threads. Rooms above hand it work; what runs it is the program's choice. The inline
 * implementation is the reference: every other one must leave the same bits. The SDL pool is jobs/pool.h. */
#ifndef FR_BASE_EXECUTOR_H
#define FR_BASE_EXECUTOR_H

#include <stdatomic.h>

/* `lane` tells apart threads that run at the same time: 0 is the caller's (main) thread, 1..worker_count the
 * workers. Scratch memory is kept per lane. */
typedef void (*fr_job_fn)(void *context, int lane);
typedef void (*fr_range_fn)(void *context, int begin, int end, int lane);

typedef struct fr_job fr_job;

/* One background job. The caller owns it and keeps it in place from submit until wait or cancel has returned.
 */
struct fr_job {
    fr_job_fn run;
    void *context;
    _Atomic int state; /* fr_job_state, written by the executor */
    fr_job *next;      /* the executor's queue */
};

typedef enum fr_job_state { FR_JOB_IDLE = 0, FR_JOB_QUEUED, FR_JOB_RUNNING, FR_JOB_DONE } fr_job_state;

/* Called from the main thread only, except that jobs themselves run on any lane. */
typedef struct fr_executor {
    void *self;
    int worker_count; /* 0 = everything inline; lanes = worker_count + 1 */
    /* Calls run(context, begin, end, lane) over disjoint ranges of at most `grain` that cover 0..count-1;
     * returns when all are done. The caller takes part, so it never waits for a worker busy with a job. */
    void (*parallel_for)(void *self, int count, int grain, fr_range_fn run, void *context);
    /* Queues a job; it may run at once, later on a worker, or inside wait. First in, first out. */
    void (*submit)(void *self, fr_job *job);
    /* Returns when the job is done; runs it here if no worker has begun it. */
    void (*wait)(void *self, fr_job *job);
    /* Returns when the job will not run any more: dropped from the queue, or finished. */
    void (*cancel)(void *self, fr_job *job);
} fr_executor;

/* Executor without threads: submit runs the job before it returns. */
fr_executor fr_executor_inline(void);

#endif
