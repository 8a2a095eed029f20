/* freshet-field: asks one field what it knows: costs, traces, a heat map; compares it with published optimal
 * lengths, and its speed with the textbook's. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "common/field_ground.h"
#include "common/field_timing.h"
#include "common/options.h"
#include "common/scen_check.h"
#include "files/stdio_io.h"
#include "mapio/mapio.h"

static const char program[] = "freshet-field";

static const char help[] =
    "Usage: freshet-field MAP --goal X,Y [--goal X,Y ...] [--class C] [--at X,Y ...] [--trace X,Y ...] "
    "[--pgm FILE] [--ring] [--lazy]\n"
    "       freshet-field MAP --scen FILE [--class C] [--every N] [--trace] [--lazy]\n"
    "       freshet-field MAP --bench [--goal X,Y] [--class C] [--repeat N]\n"
    "Asks the flow field of one or several goals. MAP: Tiled JSON or MovingAI; X,Y: whole cells.\n"
    "\n"
    "  --goal X,Y     a goal; with several, the nearest counts\n"
    "  --class C      movement class: foot (default), wheels, hover, air\n"
    "  --at X,Y       prints the integration there in straight steps of cost 1, or inf\n"
    "  --trace X,Y    prints the length of the way that a unit takes from there, in cells\n"
    "  --pgm FILE     heat map: the brighter the nearer, black = no way (- = stdout)\n"
    "  --ring         cells that touch a wall cost half as much again\n"
    "  --scen FILE    compares with every line of a MovingAI scenario\n"
    "  --every N      ... with lines 1, N+1, 2N+1, ... only\n"
    "  --trace        ... and walks every way (with --scen, without a cell)\n"
    "  --lazy         builds the field as far as the questions or lines need it, not all of it\n"
    "  --bench        times integration and arrows against the textbook; JSON\n"
    "  --repeat N     ... medians of N runs each (default 11)\n"
    "  --help         this text\n"
    "  --version      version and optional libraries\n"
    "\n"
    "Exit status: 0 done, 1 a trace failed or a line did not match, 2 usage or bad input.\n";

#define QUESTIONS_MAX 4096
#define REPEAT_MAX    1000

/* A --at or a --trace, answered in the order of the command line. */
typedef struct question {
    bool trace;
    fr_cell cell;
} question;

typedef struct options {
    const char *map, *scen, *pgm;
    fr_class movement_class;
    fr_goal goals[FR_GOALS_MAX];
    int goal_count;
    question questions[QUESTIONS_MAX];
    int question_count;
    bool bench, trace_scen, ring, lazy;
    int64_t every, repeat; /* 0: not given */
} options;

/* ---- command line ---- */

static int parse_cell_option(options *o, const char *name, const char *text)
{
    fr_cell cell;
    if (!fr_parse_cell(text, &cell)) {
        return fr_complain_usage(program, "%s: found '%s', expected X,Y in whole cells", name, text);
    }
    if (strcmp(name, "--goal") == 0) {
        if (o->goal_count == FR_GOALS_MAX) {
            return fr_complain(program, "--goal: more than %d", FR_GOALS_MAX);
        }
        o->goals[o->goal_count++] = (fr_goal){cell, 0};
        return FR_EXIT_OK;
    }
    if (o->question_count == QUESTIONS_MAX) {
        return fr_complain(program, "%s: more than %d of --at and --trace", name, QUESTIONS_MAX);
    }
    o->questions[o->question_count++] = (question){strcmp(name, "--trace") == 0, cell};
    return FR_EXIT_OK;
}

static int parse_value_option(options *o, const char *name, const char *text)
{
    if (strcmp(name, "--goal") == 0 || strcmp(name, "--at") == 0 || strcmp(name, "--trace") == 0) {
        return parse_cell_option(o, name, text);
    }
    if (strcmp(name, "--class") == 0) {
        o->movement_class = fr_class_from_name(text);
        return o->movement_class < FR_CLASS_COUNT
                   ? FR_EXIT_OK
                   : fr_complain_usage(program, "--class: found '%s', expected foot, wheels, hover or air",
                                       text);
    }
    if (strcmp(name, "--scen") == 0) {
        o->scen = text;
        return FR_EXIT_OK;
    }
    if (strcmp(name, "--pgm") == 0) {
        o->pgm = text;
        return FR_EXIT_OK;
    }
    bool every = strcmp(name, "--every") == 0;
    int64_t most = every ? INT32_MAX : REPEAT_MAX;
    if (!fr_parse_int(text, 1, most, every ? &o->every : &o->repeat)) {
        return fr_complain_usage(program, "%s: found '%s', expected 1..%lld", name, text, (long long)most);
    }
    return FR_EXIT_OK;
}

/* One option, `--name VALUE` or `--name=VALUE`. Advances `*at` past what it took. */
static int parse_option(options *o, bool scen_mode, int argc, char **argv, int *at)
{
    static const char *const with_value[] = {"--goal", "--at",  "--trace", "--class",
                                             "--scen", "--pgm", "--every", "--repeat"};
    const char *text = argv[(*at)++];
    size_t length = strcspn(text, "=");
    const char *value = text[length] == '=' ? text + length + 1 : NULL;
    if (strcmp(text, "--bench") == 0) {
        o->bench = true;
        return FR_EXIT_OK;
    }
    if (strcmp(text, "--ring") == 0) {
        o->ring = true;
        return FR_EXIT_OK;
    }
    if (strcmp(text, "--lazy") == 0) {
        o->lazy = true;
        return FR_EXIT_OK;
    }
    if (scen_mode && strcmp(text, "--trace") == 0) {
        o->trace_scen = true;
        return FR_EXIT_OK;
    }
    for (size_t i = 0; i < sizeof with_value / sizeof *with_value; i++) {
        if (strlen(with_value[i]) != length || strncmp(text, with_value[i], length) != 0) {
            continue;
        }
        if (value == NULL && *at == argc) {
            return fr_complain_usage(program, "%s: needs a value", with_value[i]);
        }
        return parse_value_option(o, with_value[i], value != NULL ? value : argv[(*at)++]);
    }
    return fr_complain_usage(program, "%s: unknown option", text);
}

/* Which of the three things is asked, and that nothing is asked beside it. */
static int check_mode(const options *o)
{
    bool asks = o->question_count > 0 || o->pgm != NULL;
    if (o->map == NULL) {
        return fr_complain_usage(program, "which map?");
    }
    if (o->scen != NULL && (o->bench || o->goal_count > 0 || asks)) {
        return fr_complain_usage(program, "--scen goes with --class, --every, --trace and --lazy alone");
    }
    if (o->bench && (o->goal_count > 1 || asks || o->lazy)) {
        return fr_complain_usage(program, "--bench goes with --class, --repeat and one --goal alone");
    }
    if (o->ring && (o->scen != NULL || o->bench)) {
        return fr_complain_usage(program, "--ring goes with --goal");
    }
    if (o->every != 0 && o->scen == NULL) {
        return fr_complain_usage(program, "--every goes with --scen");
    }
    if (o->repeat != 0 && !o->bench) {
        return fr_complain_usage(program, "--repeat goes with --bench");
    }
    if (o->scen == NULL && !o->bench && o->goal_count == 0) {
        return fr_complain_usage(program, "expected --goal, --scen or --bench");
    }
    return FR_EXIT_OK;
}

static int parse(options *o, int argc, char **argv)
{
    bool scen_mode = false, options_end = false;
    for (int i = 1; i < argc; i++) {
        scen_mode = scen_mode || strcmp(argv[i], "--scen") == 0 || strncmp(argv[i], "--scen=", 7) == 0;
    }
    for (int at = 1; at < argc;) {
        if (!options_end && strcmp(argv[at], "--") == 0) {
            options_end = true;
            at++;
        } else if (!options_end && argv[at][0] == '-' && argv[at][1] != '\0') {
            int code = parse_option(o, scen_mode, argc, argv, &at);
            if (code != FR_EXIT_OK) {
                return code;
            }
        } else if (o->map == NULL) {
            o->map = argv[at++];
        } else {
            return fr_complain_usage(program, "%s: one map is enough", argv[at]);
        }
    }
    return check_mode(o);
}

/* ---- what is asked ---- */

static int check_cell(const fr_map *map, const char *name, fr_cell cell)
{
    if (!fr_grid_contains(map->grid, cell)) {
        return fr_complain(program, "%s: %s %d,%d is outside the map of %d x %d cells", map->path, name,
                           cell.x, cell.y, map->grid.width, map->grid.height);
    }
    return FR_EXIT_OK;
}

static int check_goals(const fr_map *map, const options *o)
{
    for (int g = 0; g < o->goal_count; g++) {
        fr_cell cell = o->goals[g].cell;
        int code = check_cell(map, "--goal", cell);
        if (code != FR_EXIT_OK) {
            return code;
        }
        if (map->costs[o->movement_class][fr_grid_index(map->grid, cell)] == FR_COST_WALL) {
            return fr_complain(program, "%s: --goal %d,%d is a wall for class %s", map->path, cell.x, cell.y,
                               fr_class_name(o->movement_class));
        }
    }
    return FR_EXIT_OK;
}

/* The heat map, a pixel a tile: 0 where there is no way, else 255 (a goal) down to 1. Ends the output. */
static int write_pgm(const fr_field *field, fr_grid grid, fr_output *output)
{
    fr_buffer image = {0};
    fr_buffer_printf(&image, "P5\n%d %d\n255\n", grid.width, grid.height);
    uint64_t most = fr_field_maximum(field) > 0 ? fr_field_maximum(field) : 1;
    for (int32_t i = 0; i < fr_grid_count(grid); i++) {
        uint32_t value = fr_field_value(field, fr_grid_cell(grid, i));
        uint8_t shade = (uint8_t)(value == FR_UNREACHED ? 0 : 255 - value * (uint64_t)254 / most);
        fr_buffer_append(&image, &shade, 1);
    }
    fr_error error = {0};
    fr_status status = fr_output_write(output, image.data, image.size, &error);
    if (status == FR_OK) {
        status = fr_output_commit(output, &error);
    } else {
        fr_output_abandon(output);
    }
    if (status != FR_OK) {
        fr_complain(program, "%s", error.message);
    }
    fr_buffer_fini(&image);
    return status == FR_OK ? FR_EXIT_OK : FR_EXIT_FAILED;
}

static int answer(const fr_field_ground *ground, const fr_field *field, const question *asked)
{
    if (!asked->trace) {
        printf("%.6f\n", fr_field_steps(field, asked->cell));
        return FR_EXIT_OK;
    }
    /* No way through all cells of the map is longer than this. */
    double limit = 4.0 * (double)fr_grid_count(fr_field_grid(field));
    bool met_wall;
    double length = fr_field_ground_trace(ground, field, asked->cell, limit, &met_wall);
    if (length < 0.0) {
        fr_complain(program, "--trace %d,%d: %s", asked->cell.x, asked->cell.y,
                    met_wall ? "stands in a wall, meets one, or has no way to a goal" : "does not arrive");
        return FR_EXIT_FAILED;
    }
    printf("%.6f\n", length);
    return FR_EXIT_OK;
}

static fr_field *build_for_questions(const fr_field_ground *ground, const fr_goal *goals, const options *o)
{
    fr_field *field = NULL;
    for (int i = 0; i < o->question_count || field == NULL; i++) {
        fr_cell cell = fr_field_ground_cell(ground, o->questions[i].cell);
        field = fr_field_widen(ground->pool, ground->scratch, ground->nav, ground->view, goals, o->goal_count,
                               field, &cell, o->question_count > 0);
    }
    return field;
}

static int ask_field(const fr_map *map, const options *o, fr_output *pgm)
{
    fr_field_ground ground = fr_field_ground_begin(map, o->movement_class, o->ring);
    fr_goal goals[FR_GOALS_MAX];
    for (int i = 0; i < o->goal_count; i++) {
        goals[i] = (fr_goal){fr_field_ground_cell(&ground, o->goals[i].cell), 0};
    }
    fr_field *field =
        o->lazy ? build_for_questions(&ground, goals, o)
                : fr_field_build(ground.pool, ground.scratch, ground.nav, ground.view, goals, o->goal_count);
    int code = FR_EXIT_OK;
    for (int i = 0; i < o->question_count; i++) {
        int one = answer(&ground, field, &o->questions[i]);
        code = one != FR_EXIT_OK ? one : code;
    }
    if (fr_field_saturated(field)) {
        fprintf(stderr,
                "%s: %s: warning: the field is saturated: cells too dear to reach count as unreached\n",
                program, map->path);
    }
    if (pgm != NULL) {
        int one = write_pgm(field, map->grid, pgm);
        code = one != FR_EXIT_OK ? one : code;
    }
    fr_field_ground_end(&ground);
    return code;
}

static int ask(const fr_map *map, const options *o)
{
    int code = check_goals(map, o);
    for (int i = 0; i < o->question_count && code == FR_EXIT_OK; i++) {
        code = check_cell(map, o->questions[i].trace ? "--trace" : "--at", o->questions[i].cell);
    }
    if (code != FR_EXIT_OK) {
        return code;
    }
    fr_error error = {0};
    fr_output *pgm = o->pgm != NULL ? fr_output_open(o->pgm, &error) : NULL;
    if (o->pgm != NULL && pgm == NULL) {
        return fr_complain(program, "%s", error.message);
    }
    return ask_field(map, o, pgm);
}

static int compare_scen(const fr_io *io, const fr_map *map, const options *o)
{
    fr_error error = {0};
    fr_scen_line *lines;
    int32_t count;
    if (fr_scen_load(io, o->scen, &lines, &count, &error) != FR_OK) {
        return fr_complain(program, "%s", error.message);
    }
    fr_scen_result result;
    int32_t every = o->every != 0 ? (int32_t)o->every : 1;
    fr_status status = fr_check_scen(map, o->movement_class, o->scen, lines, count, every, o->trace_scen,
                                     o->lazy, &result, &error);
    fr_free(lines);
    if (status != FR_OK) {
        return fr_complain(program, "%s", error.message);
    }
    printf("matched %d of %d (no path: %d of them)\n", result.matched, result.lines, result.no_path);
    if (o->trace_scen) {
        double mean = result.traced > 0 ? result.ratio_sum / result.traced : 0.0;
        printf("traced: mean %.4f, worst %.4f of the octile optimum, %d longer, %d failed\n", mean,
               result.ratio_worst, result.longer, result.failed);
    }
    return result.matched == result.lines && result.failed == 0 ? FR_EXIT_OK : FR_EXIT_FAILED;
}

static int bench(const fr_map *map, const options *o)
{
    int code = check_goals(map, o);
    if (code != FR_EXIT_OK) {
        return code;
    }
    fr_cell goal = o->goals[0].cell;
    if (o->goal_count == 0 && !fr_central_cell(map, o->movement_class, &goal)) {
        return fr_complain(program, "%s: no open cell for class %s", map->path,
                           fr_class_name(o->movement_class));
    }
    int repeat = o->repeat != 0 ? (int)o->repeat : 11;
    fr_field_timing timing = fr_time_field(map->grid, map->costs[o->movement_class], goal, repeat);
    fr_buffer out = {0};
    fr_json_writer writer = fr_json_writer_begin(&out, false);
    fr_json_begin_object(&writer, NULL);
    fr_write_field_timing(&writer, map->name, &timing);
    fr_json_end_object(&writer);
    fr_buffer_append(&out, "\n", 1);
    fwrite(out.data, 1, out.size, stdout);
    fr_buffer_fini(&out);
    return timing.equal ? FR_EXIT_OK : FR_EXIT_FAILED;
}

int main(int argc, char **argv)
{
    if (fr_answer_help(program, help, argc, argv)) {
        return FR_EXIT_OK;
    }
    options *o = fr_alloc(1, sizeof *o);
    int code = parse(o, argc, argv);
    if (code == FR_EXIT_OK) {
        fr_io io = fr_stdio_io(program);
        fr_error error = {0};
        fr_map *map = fr_map_load(&io, o->map, &error);
        if (map == NULL) {
            code = fr_complain(program, "%s", error.message);
        } else if (o->scen != NULL) {
            code = compare_scen(&io, map, o);
        } else {
            code = o->bench ? bench(map, o) : ask(map, o);
        }
        fr_map_destroy(map);
    }
    fr_free(o);
    if (fflush(stdout) != 0) {
        fr_complain(program, "standard output: cannot be written");
        return FR_EXIT_FAILED;
    }
    return code;
}
