/* movebench: the command: which scenes, which starts, several runs at a time. */
#include "movebench.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "../common/options.h"
#include "bench_data.h"
#include "base/memory.h"
#include "files/stdio_io.h"
#include "jobs/pool.h"

static const char program[] = "freshet-bench movebench";

static const char help[] =
    "Usage: freshet-bench movebench [OPTIONS]\n"
    "Judges movement: every scene of maps/scenarios from 27 starts (9 shifts by a third of a cell, 3 seeds), "
    "the\n"
    "naive mover from 3 beside it. Prints a table, and writes it as JSON.\n"
    "\n"
    "  --quick         3 starts\n"
    "  --scene NAME    scenes whose names begin so; may be given several times\n"
    "  --mover NAME    this mover alone: freshet or naive\n"
    "  --without LIST  mechanisms of ours switched off (freshet --help names them)\n"
    "  --threads N     runs at a time beside one more (default: cores - 1)\n"
    "  --out FILE      where the JSON goes (default build/movebench.json, or movebench.json where there is\n"
    "                  no build/; - = stdout, without the table)\n"
    "\n"
    "A bar holds when the median is within it and the worst run within 1.15 times as much; resolved, stuck, "
    "walls,\n"
    "rest and speed must hold in every run. Figures of RVO2 (*) were measured elsewhere, at its best setting "
    "for\n"
    "each scene, and are not run here: compare times and door rates, not ratios.\n"
    "The scenes are looked for in the folder that it is run in, round the program, and where they were "
    "installed.\n"
    "Exit status: 0 done, 1 a run failed, 2 usage.\n";

enum { SCENES_MAX = 64 };

typedef struct options {
    bool quick;
    const char *scenes[SCENES_MAX];
    int scene_count;
    bool has_mover;
    fr_mover mover;
    uint32_t without;
    int64_t threads;
    const char *out;
    const char *folder; /* of the scenarios */
} options;

/* Where the JSON goes to standard output, nothing else does. */
static bool has_table(const options *o)
{
    return strcmp(o->out, "-") != 0;
}

/* --- the command line ---------------------------------------------------------------------------- */

static bool is_chosen(const options *o, const fr_move_scene *scene)
{
    for (int i = 0; i < o->scene_count; i++) {
        if (strncmp(scene->name, o->scenes[i], strlen(o->scenes[i])) == 0) {
            return true;
        }
    }
    return o->scene_count == 0;
}

static int take_scene(options *o, const char *text)
{
    for (int i = 0; i < FR_MOVE_SCENE_COUNT; i++) {
        if (strncmp(FR_MOVE_SCENES[i].name, text, strlen(text)) == 0 && o->scene_count < SCENES_MAX) {
            o->scenes[o->scene_count++] = text;
            return FR_EXIT_OK;
        }
    }
    return fr_complain_usage(program, "--scene: no scene begins with '%s'", text);
}

static int take_without(options *o, const char *text)
{
    fr_error error;
    return fr_mechanisms_parse(text, &o->without, &error) == FR_OK
               ? FR_EXIT_OK
               : fr_complain_usage(program, "--without: %s", error.message);
}

static int take_value(options *o, const char *name, const char *text)
{
    if (strcmp(name, "--scene") == 0) {
        return take_scene(o, text);
    }
    if (strcmp(name, "--without") == 0) {
        return take_without(o, text);
    }
    if (strcmp(name, "--out") == 0) {
        o->out = text;
        return FR_EXIT_OK;
    }
    if (strcmp(name, "--mover") == 0) {
        o->mover = fr_mover_from_name(text);
        o->has_mover = true;
        return o->mover < FR_MOVER_COUNT
                   ? FR_EXIT_OK
                   : fr_complain_usage(program, "--mover: found '%s', expected freshet or naive", text);
    }
    return fr_parse_int(text, 0, FR_WORKERS_MAX, &o->threads)
               ? FR_EXIT_OK
               : fr_complain_usage(program, "--threads: found '%s', expected 0..%d", text, FR_WORKERS_MAX);
}

static int parse(options *o, int argc, char **argv)
{
    static const char *const with_value[] = {"--scene", "--mover", "--without", "--threads", "--out"};
    int code = FR_EXIT_OK;
    for (int i = 1; i < argc && code == FR_EXIT_OK; i++) {
        bool known = strcmp(argv[i], "--quick") == 0;
        o->quick |= known;
        for (size_t k = 0; k < sizeof with_value / sizeof *with_value && !known; k++) {
            known = strcmp(argv[i], with_value[k]) == 0;
            if (known && i + 1 == argc) {
                return fr_complain_usage(program, "%s needs a value", argv[i]);
            }
            if (known) {
                code = take_value(o, argv[i], argv[i + 1]);
                i++;
            }
        }
        if (!known) {
            return fr_complain_usage(program, "%s: unknown option", argv[i]);
        }
    }
    return code;
}

/* --- runs ---------------------------------------------------------------------------------------- */

/* All runs of one scene; each writes its own slots. */
typedef struct batch {
    const options *o;
    const fr_io *io;
    fr_move_result *result;
    bool failed[2 * FR_STARTS_MAX];
    fr_error errors[2 * FR_STARTS_MAX];
} batch;

static void run_some(void *context, int begin, int end, int lane)
{
    (void)lane;
    batch *b = context;
    for (int i = begin; i < end; i++) {
        bool naive = i >= b->result->runs;
        int number = naive ? i - b->result->runs : i;
        fr_move_setup setup = {.io = b->io,
                               .folder = b->o->folder,
                               .mover = naive ? FR_MOVER_NAIVE : FR_MOVER_FRESHET,
                               .without = b->o->without,
                               .start = fr_start_at(number)};
        fr_move_values *values = naive ? &b->result->naive[number] : &b->result->values[number];
        b->failed[i] = !fr_move_run(b->result->scene, &setup, values, &b->errors[i]);
    }
}

/* False if a run failed, which has been said. */
static bool run_scene(const options *o, const fr_io *io, const fr_executor *executor, fr_move_result *result)
{
    batch *b = fr_alloc(1, sizeof *b);
    *b = (batch){.o = o, .io = io, .result = result};
    int count = result->runs + result->naive_runs;
    executor->parallel_for(executor->self, count, 1, run_some, b);
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        if (b->failed[i]) {
            fr_complain(program, "%s", b->errors[i].message);
            good = false;
        }
    }
    fr_free(b);
    return good;
}

static bool run_all(const options *o, const fr_executor *executor, int *counts, fr_json_writer *writer)
{
    fr_io io = fr_stdio_io(program);
    int starts = o->quick ? FR_STARTS_QUICK : FR_STARTS_MAX;
    fr_move_result *result = fr_alloc(1, sizeof *result);
    bool good = true;
    for (int s = 0; s < FR_MOVE_SCENE_COUNT && good; s++) {
        if (!is_chosen(o, &FR_MOVE_SCENES[s])) {
            continue;
        }
        result->scene = &FR_MOVE_SCENES[s];
        result->runs = o->has_mover && o->mover == FR_MOVER_NAIVE ? 0 : starts;
        result->naive_runs = o->has_mover && o->mover == FR_MOVER_FRESHET ? 0 : FR_STARTS_QUICK;
        good = run_scene(o, &io, executor, result);
        if (good) {
            fr_buffer text = {0};
            fr_move_print(result, counts, &text);
            if (has_table(o)) {
                fwrite(text.data, 1, text.size, stdout);
                fflush(stdout); /* the next scene may take a minute */
            }
            fr_buffer_fini(&text);
            fr_move_write(result, writer);
        }
    }
    fr_free(result);
    return good;
}

/* Runs, prints, and fills the JSON. */
static bool fill(const options *o, fr_buffer *json)
{
    fr_error error = {{0}};
    fr_pool *pool = o->threads > 0 ? fr_pool_create((int)o->threads, &error) : NULL;
    if (o->threads > 0 && pool == NULL) {
        fr_complain(program, "%s", error.message);
        return false;
    }
    fr_executor executor = pool != NULL ? fr_pool_executor(pool) : fr_executor_inline();
    int counts[FR_VERDICT_COUNT] = {0};
    fr_json_writer writer = fr_json_writer_begin(json, false);
    fr_json_begin_object(&writer, NULL);
    fr_json_write_string(&writer, "bench", "movebench");
    fr_json_begin_array(&writer, "cases");
    bool good = run_all(o, &executor, counts, &writer);
    fr_json_end_array(&writer);
    fr_json_begin_object(&writer, "bars");
    for (int v = 0; v < FR_VERDICT_COUNT; v++) {
        fr_json_write_int(&writer, fr_verdict_name((fr_verdict)v), counts[v]);
    }
    fr_json_end_object(&writer);
    fr_json_end_object(&writer);
    fr_buffer_append(json, "\n", 1);
    fr_pool_destroy(pool);
    if (good && has_table(o)) {
        printf("\nbars: %d held, %d missed, %d unknown (*RVO2: measured elsewhere, not run here)\n",
               counts[FR_VERDICT_HELD], counts[FR_VERDICT_MISSED], counts[FR_VERDICT_UNKNOWN]);
    }
    return good;
}

static int judge_scenes(const options *o)
{
    fr_error error = {{0}};
    fr_output *output = fr_output_open(o->out, &error);
    if (output == NULL) {
        return fr_complain(program, "%s", error.message);
    }
    fr_buffer json = {0};
    bool good = fill(o, &json);
    if (!good) {
        fr_output_abandon(output);
    } else if (fr_output_write(output, json.data, json.size, &error) != FR_OK) {
        fr_output_abandon(output);
        good = false;
        fr_complain(program, "%s", error.message);
    } else if (fr_output_commit(output, &error) != FR_OK) {
        good = false;
        fr_complain(program, "%s", error.message);
    }
    fr_buffer_fini(&json);
    return good ? FR_EXIT_OK : FR_EXIT_FAILED;
}

int fr_movebench(int argc, char **argv)
{
    if (fr_answer_help(program, help, argc, argv)) {
        return FR_EXIT_OK;
    }
    struct stat info;
    options o = {.threads = fr_pool_default_workers(),
                 .out = stat("build", &info) == 0 ? "build/movebench.json" : "movebench.json"};
    int code = parse(&o, argc, argv);
    if (code != FR_EXIT_OK) {
        return code;
    }
    fr_error error = {{0}};
    char *folder = fr_bench_data("maps/scenarios", &error);
    o.folder = folder;
    code = folder != NULL ? judge_scenes(&o) : fr_complain(program, "%s", error.message);
    fr_free(folder);
    return code;
}
