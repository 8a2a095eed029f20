/* bench: what every benchmark gets and gives. A benchmark is one file with one entry function and one line in
 * the table of freshet_bench.c. */
#ifndef FR_TOOLS_BENCH_H
#define FR_TOOLS_BENCH_H

#include "base/json.h"

typedef struct fr_bench {
    bool quick;             /* fewer and smaller cases */
    int threads;            /* worker threads beside the main one */
    fr_json_writer *writer; /* inside the array of cases */
    const char *name;       /* for messages: of the program */
} fr_bench;

/* Opens a case; the benchmark writes its keys and closes it with fr_json_end_object. */
void fr_bench_begin_case(const fr_bench *bench, const char *name);

/* Each writes its cases. False if a result was wrong, which a fast answer does not excuse. */
typedef bool (*fr_bench_fn)(const fr_bench *bench);
bool fr_bench_field(const fr_bench *bench);
bool fr_bench_repair(const fr_bench *bench);
bool fr_bench_paths(const fr_bench *bench);

#endif
