/* test_jobs: the SDL pool leaves the same bits as the inline executor, and never makes the main thread wait
 * for work that is not its own. Worth most under ThreadSanitizer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <SDL.h>

#include "base/memory.h"
#include "base/rng.h"
#include "jobs/pool.h"

enum { JOBS = 64, CELLS = 1500, ROUNDS = 60 };

/* A job with work of its own and a place of its own for the result. */
typedef struct sum_job {
    fr_job job;
    uint64_t seed, result;
    int lane;
} sum_job;

static void sum_run(void *context, int lane)
{
    sum_job *sum = context;
    fr_rng rng = {sum->seed};
    uint64_t result = 0;
    for (int i = 0; i < 200; i++) {
        result += fr_rng_next(&rng);
    }
    sum->result = result;
    sum->lane = lane;
}

typedef struct cell_array {
    uint64_t value[CELLS];
    int visits[CELLS];
    int lane_max;
    uint64_t salt;
} cell_array;

static void cells_run(void *context, int begin, int end, int lane)
{
    cell_array *cells = context;
    for (int i = begin; i < end; i++) {
        cells->value[i] = fr_mix64((uint64_t)i + cells->salt);
        cells->visits[i]++;
    }
    if (lane < 0 || lane > cells->lane_max) {
        cells->visits[begin] = -1000;
    }
}

/* Jobs and ranges in a seeded mixture; the hash of all results. */
static uint64_t mixed_run(fr_executor executor)
{
    sum_job *jobs = fr_alloc(JOBS, sizeof *jobs);
    cell_array *cells = fr_alloc(1, sizeof *cells);
    cells->lane_max = executor.worker_count;
    fr_rng rng = {7};
    uint64_t hash = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < JOBS; i++) {
            jobs[i].job = (fr_job){.run = sum_run, .context = &jobs[i]};
            jobs[i].seed = fr_rng_next(&rng);
            jobs[i].result = 0;
            executor.submit(executor.self, &jobs[i].job);
            if (i % 8 == 0) {
                int count = 1 + (int)fr_rng_below(&rng, CELLS);
                int grain = 1 + (int)fr_rng_below(&rng, 100);
                cells->salt = fr_rng_next(&rng);
                for (int c = 0; c < CELLS; c++) {
                    cells->visits[c] = 0;
                }
                executor.parallel_for(executor.self, count, grain, cells_run, cells);
                for (int c = 0; c < CELLS; c++) {
                    assert_int_equal(cells->visits[c], c < count ? 1 : 0);
                    hash = fr_mix64(hash ^ cells->value[c]);
                }
            }
        }
        /* Backwards and forwards, so that main also takes jobs from the middle of the queue. */
        for (int i = 0; i < JOBS; i++) {
            sum_job *sum = &jobs[round % 2 == 0 ? i : JOBS - 1 - i];
            executor.wait(executor.self, &sum->job);
            assert_int_equal(atomic_load(&sum->job.state), FR_JOB_DONE);
            assert_in_range(sum->lane, 0, executor.worker_count);
        }
        for (int i = 0; i < JOBS; i++) {
            hash = fr_mix64(hash ^ jobs[i].result);
        }
    }
    fr_free(cells);
    fr_free(jobs);
    return hash;
}

static void test_same_results_as_inline(void **state)
{
    (void)state;
    uint64_t expected = mixed_run(fr_executor_inline());
    for (int workers = 1; workers <= 4; workers++) {
        fr_error error = {{0}};
        fr_pool *pool = fr_pool_create(workers, &error);
        assert_non_null(pool);
        assert_int_equal(fr_pool_executor(pool).worker_count, workers);
        assert_true(mixed_run(fr_pool_executor(pool)) == expected);
        fr_pool_destroy(pool);
    }
}

/* A job that stands still until it is let go. */
typedef struct gate_job {
    fr_job job;
    SDL_sem *begun, *go;
    _Atomic int runs;
} gate_job;

static void gate_run(void *context, int lane)
{
    (void)lane;
    gate_job *gate = context;
    atomic_fetch_add(&gate->runs, 1);
    SDL_SemPost(gate->begun);
    SDL_SemWait(gate->go);
}

static void gate_init(gate_job *gate)
{
    *gate =
        (gate_job){.job = {.run = gate_run}, .begun = SDL_CreateSemaphore(0), .go = SDL_CreateSemaphore(0)};
    gate->job.context = gate;
}

/* Keeps one worker busy until `go` is posted. */
static void occupy_worker(fr_executor executor, gate_job *gate)
{
    gate_init(gate);
    executor.submit(executor.self, &gate->job);
    SDL_SemWait(gate->begun);
}

static void gate_fini(gate_job *gate)
{
    SDL_DestroySemaphore(gate->begun);
    SDL_DestroySemaphore(gate->go);
}

/* The only worker is busy until main opens the gate: whatever waits for it would wait for ever. */
static void test_main_never_waits_for_a_busy_worker(void **state)
{
    (void)state;
    fr_pool *pool = fr_pool_create(1, NULL);
    fr_executor executor = fr_pool_executor(pool);
    gate_job gate;
    occupy_worker(executor, &gate);

    cell_array *cells = fr_alloc(1, sizeof *cells);
    executor.parallel_for(executor.self, CELLS, 10, cells_run, cells);
    assert_int_equal(cells->visits[CELLS - 1], 1);
    fr_free(cells);

    sum_job helped = {.job = {.run = sum_run}, .lane = -1};
    helped.job.context = &helped;
    executor.submit(executor.self, &helped.job);
    executor.wait(executor.self, &helped.job);
    assert_int_equal(helped.lane, 0);

    sum_job dropped = {.job = {.run = sum_run}, .lane = -1};
    dropped.job.context = &dropped;
    executor.submit(executor.self, &dropped.job);
    executor.cancel(executor.self, &dropped.job);
    assert_int_equal(atomic_load(&dropped.job.state), FR_JOB_IDLE);

    SDL_SemPost(gate.go);
    executor.cancel(executor.self, &gate.job); /* it runs already: cancel waits for its end */
    assert_int_equal(atomic_load(&gate.job.state), FR_JOB_DONE);
    assert_int_equal(dropped.lane, -1);
    assert_int_equal(atomic_load(&gate.runs), 1);
    gate_fini(&gate);
    fr_pool_destroy(pool);
}

/* Order of running on one worker, held back by a gate until all are queued. */
typedef struct order_job {
    fr_job job;
    int number;
    int *log, *logged;
} order_job;

static void order_run(void *context, int lane)
{
    (void)lane;
    order_job *order = context;
    order->log[(*order->logged)++] = order->number;
}

static void test_first_in_first_out(void **state)
{
    (void)state;
    fr_pool *pool = fr_pool_create(1, NULL);
    fr_executor executor = fr_pool_executor(pool);
    gate_job gate;
    occupy_worker(executor, &gate);
    int log[5] = {0}, logged = 0;
    order_job orders[5];
    for (int i = 0; i < 5; i++) {
        orders[i] = (order_job){.job = {.run = order_run}, .number = i, .log = log, .logged = &logged};
        orders[i].job.context = &orders[i];
        executor.submit(executor.self, &orders[i].job);
    }
    executor.cancel(executor.self, &orders[2].job); /* from the middle */
    executor.cancel(executor.self, &orders[4].job); /* from the end */
    gate_job last;
    gate_init(&last);
    executor.submit(executor.self, &last.job);
    SDL_SemPost(gate.go);
    SDL_SemWait(last.begun); /* everything before it has run, on the worker */
    assert_int_equal(logged, 3);
    assert_int_equal(log[0], 0);
    assert_int_equal(log[1], 1);
    assert_int_equal(log[2], 3);
    SDL_SemPost(last.go);
    executor.wait(executor.self, &last.job);
    gate_fini(&gate);
    gate_fini(&last);
    fr_pool_destroy(pool);
}

static void test_no_allocation_per_call(void **state)
{
    (void)state;
    fr_pool *pool = fr_pool_create(2, NULL);
    fr_executor executor = fr_pool_executor(pool);
    cell_array *cells = fr_alloc(1, sizeof *cells);
    cells->lane_max = 2;
    sum_job sum = {.job = {.run = sum_run}};
    sum.job.context = &sum;
    uint64_t before = fr_alloc_count();
    for (int i = 0; i < 100; i++) {
        executor.submit(executor.self, &sum.job); /* a job that is done may be queued again */
        executor.parallel_for(executor.self, CELLS, 64, cells_run, cells);
        executor.wait(executor.self, &sum.job);
    }
    executor.parallel_for(executor.self, 0, 64, cells_run, cells);
    assert_true(fr_alloc_count() == before);
    assert_int_equal(cells->visits[0], 100);
    fr_free(cells);
    fr_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_results_as_inline),
        cmocka_unit_test(test_main_never_waits_for_a_busy_worker),
        cmocka_unit_test(test_first_in_first_out),
        cmocka_unit_test(test_no_allocation_per_call),
    };
    return cmocka_run_group_tests_name("jobs", tests, NULL, NULL);
}
