#include "base/executor.h"

#include <stddef.h>

#include "base/assert.h"

static void inline_parallel_for(void *self, int count, int grain, fr_range_fn run, void *context)
{
    (void)self;
    FR_ASSERT(grain > 0);
    for (int begin = 0; begin < count; begin += grain) {
        run(context, begin, count - begin < grain ? count : begin + grain, 0);
    }
}

static void inline_submit(void *self, fr_job *job)
{
    (void)self;
    atomic_store(&job->state, FR_JOB_RUNNING);
    job->run(job->context, 0);
    atomic_store(&job->state, FR_JOB_DONE);
}

static void inline_settled(void *self, fr_job *job)
{
    (void)self;
    int state = atomic_load(&job->state);
    FR_ASSERT(state == FR_JOB_DONE || state == FR_JOB_IDLE);
}

fr_executor fr_executor_inline(void)
{
    return (fr_executor){
        .self = NULL,
        .worker_count = 0,
        .parallel_for = inline_parallel_for,
        .submit = inline_submit,
        .wait = inline_settled,
        .cancel = inline_settled,
    };
}
