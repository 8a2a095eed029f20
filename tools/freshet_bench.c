/* freshet-bench: fixed workloads, timed. Each lives in a file of its own under bench/; this one only knows
 * their names, the command line and the two forms of output. */
#include <stdio.h>
#include <string.h>

#include "bench/bench.h"
#include "bench/bench_crowd.h"
#include "bench/bench_draw.h"
#include "bench/bench_huge.h"
#include "bench/judge.h"
#include "bench/movebench.h"
#include "common/options.h"
#include "jobs/pool.h"

static const char program[] = "freshet-bench";

static const char help[] =
    "Usage: freshet-bench [NAME] [--json] [--quick] [--threads N]\n"
    "       freshet-bench judge POSITIONS SCENARIO\n"
    "       freshet-bench movebench [OPTIONS]\n"
    "Times fixed workloads; every figure is the median of several runs. judge prints the report of a run "
    "from its\n"
    "--positions file and its scenario alone; what only the program knows that made the run is null in it.\n"
    "movebench judges movement over all scenes (freshet-bench movebench --help).\n"
    "\n"
    "  NAME           field, repair, crowd, scale, paths, huge, draw, or all (default)\n"
    "  --json         one JSON object instead of lines for people\n"
    "  --quick        fewer repeats, no large maps\n"
    "  --threads N    worker threads beside the main thread, for crowd and huge (default: cores - 1)\n"
    "  --help         this text\n"
    "  --version      version and optional libraries\n"
    "\n"
    "With FRESHET_CASES set, field also times the benchmark maps in $FRESHET_CASES/movingai.\n"
    "Exit status: 0 done, 1 a result was wrong, 2 usage.\n";

/* All names; those without a function are promised, and refused until they are there. */
static const struct {
    const char *name;
    fr_bench_fn run;
} benches[] = {
    {"field", fr_bench_field}, {"repair", fr_bench_repair},
    {"crowd", fr_bench_crowd}, {"scale", fr_bench_scale},
    {"paths", fr_bench_paths}, {"huge", fr_bench_huge},
    {"draw", fr_bench_draw},   {"load", NULL},
};
enum { BENCH_COUNT = sizeof benches / sizeof *benches };

typedef struct options {
    const char *name;
    const char *positions, *scenario; /* of judge */
    bool json, quick;
    int64_t threads;
} options;

void fr_bench_begin_case(const fr_bench *bench, const char *name)
{
    fr_json_begin_object(bench->writer, NULL);
    fr_json_write_string(bench->writer, "name", name);
}

static int parse_threads(options *o, const char *text)
{
    if (text == NULL || !fr_parse_int(text, 0, FR_WORKERS_MAX, &o->threads)) {
        return fr_complain_usage(program, "--threads: found '%s', expected 0..%d",
                                 text != NULL ? text : "nothing", FR_WORKERS_MAX);
    }
    return FR_EXIT_OK;
}

static bool is_judge(const options *o)
{
    return o->name != NULL && strcmp(o->name, "judge") == 0;
}

static int parse(options *o, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        int code = FR_EXIT_OK;
        if (strcmp(argv[i], "--json") == 0) {
            o->json = true;
        } else if (strcmp(argv[i], "--quick") == 0) {
            o->quick = true;
        } else if (strcmp(argv[i], "--threads") == 0) {
            i++;
            code = parse_threads(o, i < argc ? argv[i] : NULL);
        } else if (strncmp(argv[i], "--threads=", 10) == 0) {
            code = parse_threads(o, argv[i] + 10);
        } else if (argv[i][0] == '-') {
            code = fr_complain_usage(program, "%s: unknown option", argv[i]);
        } else if (o->name == NULL) {
            o->name = argv[i];
        } else if (is_judge(o) && o->scenario == NULL) {
            *(o->positions == NULL ? &o->positions : &o->scenario) = argv[i];
        } else {
            code = fr_complain_usage(program,
                                     is_judge(o) ? "%s: judge takes POSITIONS and SCENARIO alone"
                                                 : "%s: one benchmark at a time, or all",
                                     argv[i]);
        }
        if (code != FR_EXIT_OK) {
            return code;
        }
    }
    return FR_EXIT_OK;
}

/* Runs one benchmark, or all that are there, into one JSON object. */
static bool run(const options *o, const char *name, fr_buffer *out)
{
    fr_json_writer writer = fr_json_writer_begin(out, false);
    fr_bench bench = {.quick = o->quick, .threads = (int)o->threads, .writer = &writer, .name = program};
    bool good = true;
    fr_json_begin_object(&writer, NULL);
    fr_json_write_string(&writer, "bench", name);
    fr_json_begin_array(&writer, "cases");
    for (int i = 0; i < BENCH_COUNT; i++) {
        bool chosen = strcmp(name, "all") == 0 || strcmp(name, benches[i].name) == 0;
        if (chosen && benches[i].run != NULL) {
            good = benches[i].run(&bench) && good;
        }
    }
    fr_json_end_array(&writer);
    fr_json_end_object(&writer);
    fr_buffer_append(out, "\n", 1);
    return good;
}

static void print_member(const fr_json_value *member)
{
    if (fr_json_is_number(member)) {
        printf("  %s %.9g", fr_json_key(member), fr_json_number_or(member, 0.0));
    } else if (fr_json_is_string(member)) {
        printf("  %s %s", fr_json_key(member), fr_json_string_or(member, ""));
    } else if (fr_json_is_bool(member)) {
        printf("  %s %s", fr_json_key(member), fr_json_bool_or(member, false) ? "yes" : "no");
    }
}

/* A line a case: its name, then every key. */
static void print_lines(const fr_buffer *result)
{
    fr_json *json = fr_json_parse(program, result->data, result->size, NULL);
    const fr_json_value *cases = fr_json_get(fr_json_root(json), "cases");
    for (const fr_json_value *one = fr_json_first(cases); one != NULL; one = fr_json_next(one)) {
        const fr_json_value *member = fr_json_first(one); /* the name */
        printf("%-20s", fr_json_string_or(member, ""));
        while ((member = fr_json_next(member)) != NULL) {
            print_member(member);
        }
        printf("\n");
    }
    fr_json_destroy(json);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "movebench") == 0) {
        return fr_movebench(argc - 1, argv + 1);
    }
    if (fr_answer_help(program, help, argc, argv)) {
        return FR_EXIT_OK;
    }
    options o = {.threads = fr_pool_default_workers()};
    int code = parse(&o, argc, argv);
    if (code != FR_EXIT_OK) {
        return code;
    }
    if (is_judge(&o)) {
        return o.scenario != NULL ? fr_judge_positions(program, o.positions, o.scenario)
                                  : fr_complain_usage(program, "judge: expected POSITIONS and SCENARIO");
    }
    const char *name = o.name != NULL ? o.name : "all";
    bool known = strcmp(name, "all") == 0;
    for (int i = 0; i < BENCH_COUNT && !known; i++) {
        known = strcmp(name, benches[i].name) == 0;
        if (known && benches[i].run == NULL) {
            return fr_complain(program, "%s: not in this version", name);
        }
    }
    if (!known) {
        return fr_complain_usage(program, "%s: unknown benchmark", name);
    }
    fr_buffer result = {0};
    bool good = run(&o, name, &result);
    if (o.json) {
        fwrite(result.data, 1, result.size, stdout);
    } else {
        print_lines(&result);
    }
    fr_buffer_fini(&result);
    if (fflush(stdout) != 0) {
        fr_complain(program, "standard output: cannot be written");
        return FR_EXIT_FAILED;
    }
    return good ? FR_EXIT_OK : FR_EXIT_FAILED;
}
