/* pool: the executor on SDL threads. Side room: sees base/ and SDL's threads, nothing of the game. */
#ifndef FR_JOBS_POOL_H
#define FR_JOBS_POOL_H

#include "base/executor.h"
#include "base/status.h"

typedef struct fr_pool fr_pool;

/* Workers for this machine unless somebody states a number: one for every core but the main thread's, at
 * least one. */
int fr_pool_default_workers(void);

/* Starts `workers` threads (1..FR_WORKERS_MAX). Null with a message if a thread can't be started. */
fr_pool *fr_pool_create(int workers, fr_error *error);
/* Joins all threads; no job may be queued any more. */
void fr_pool_destroy(fr_pool *pool);
fr_executor fr_pool_executor(fr_pool *pool);

#endif
