/* movebench: movement judged over all scenes from many starts. One file each for what is run and asked
 * (movebench_scenes.c), a run (movebench_run.c), runs that the scorecard can't judge (movebench_manners.c),
 * what the figures come to (movebench_show.c), and the command (movebench.c). */
#ifndef FR_TOOLS_MOVEBENCH_H
#define FR_TOOLS_MOVEBENCH_H

#include <math.h>

#include "base/io.h"
#include "base/json.h"
#include "crowd/mechanisms.h"
#include "base/vec2.h"

/* `freshet-bench movebench [OPTIONS]`; returns the exit code. */
int fr_movebench(int argc, char **argv);

/* --- what is run --- */

#define FR_STARTS_MAX   27 /* 3 seeds, 9 shifts by a third of a cell */
#define FR_STARTS_QUICK 3

/* Start number 0..FR_STARTS_MAX - 1; the first three have a seed and a shift each that differ. */
typedef struct fr_start_choice {
    int seed; /* 1..3 */
    fr_vec2 shift;
} fr_start_choice;
fr_start_choice fr_start_at(int number);

/* What is measured, in the order of the tables. */
typedef enum fr_metric {
    FR_METRIC_RESOLVED = 0, /* 1 or 0 */
    FR_METRIC_ARRIVED,      /* share */
    FR_METRIC_STUCK,
    FR_METRIC_WALL,
    FR_METRIC_REST,
    FR_METRIC_REST_AFTER,
    FR_METRIC_SPEED_MAX,
    FR_METRIC_SPEED_P999,
    FR_METRIC_TIME_MEAN,
    FR_METRIC_TIME_P95,
    FR_METRIC_MAKESPAN,
    FR_METRIC_PATH_MEAN,
    FR_METRIC_PATH_P95,
    FR_METRIC_LAST,
    FR_METRIC_OVERLAP_MEAN,
    FR_METRIC_OVERLAP_MAX,
    FR_METRIC_OVERLAP_PAIRS,
    FR_METRIC_JERK,
    FR_METRIC_REVERSALS,
    FR_METRIC_STOPS,
    FR_METRIC_COMPACTNESS,
    FR_METRIC_ASPECT,
    FR_METRIC_LANES,
    FR_METRIC_DOOR_RATE,
    FR_METRIC_DOOR_ETA,
    FR_METRIC_RESPONSE,
    FR_METRIC_SPAM,
    FR_METRIC_POST,
    FR_METRIC_LOSS,
    FR_METRIC_COUNT
} fr_metric;

typedef struct fr_metric_row {
    const char *name;
    const char *keys[2]; /* where the report has it; null: not from a report */
} fr_metric_row;
extern const fr_metric_row FR_METRICS[FR_METRIC_COUNT];

/* Movement of one run. */
typedef struct fr_move_setup {
    const fr_io *io;
    const char *folder; /* of the scenarios */
    fr_mover mover;
    uint32_t without;
    fr_start_choice start;
} fr_move_setup;

/* A value that there is none of. */
#define FR_UNKNOWN ((double)NAN)

/* Values [FR_METRIC_COUNT], NaN where there is none. */
typedef struct fr_move_values {
    double of[FR_METRIC_COUNT];
    int32_t units;
} fr_move_values;

/* A run that is judged by code of its own; fills what it knows. */
typedef void (*fr_manners_fn)(const fr_move_setup *setup, fr_move_values *values);
void fr_manners_response(const fr_move_setup *setup, fr_move_values *values);
void fr_manners_response_packed(const fr_move_setup *setup, fr_move_values *values);
void fr_manners_spam(const fr_move_setup *setup, fr_move_values *values);
void fr_manners_give_way_one(const fr_move_setup *setup, fr_move_values *values);
void fr_manners_give_way_many(const fr_move_setup *setup, fr_move_values *values);

typedef struct fr_move_scene {
    const char *name;
    const char *files[3];  /* scenarios, by seed; the first alone: for all seeds */
    fr_manners_fn manners; /* instead of files */
} fr_move_scene;
extern const fr_move_scene FR_MOVE_SCENES[];
extern const int FR_MOVE_SCENE_COUNT;

/* One run from its start to its end. False with a message. Any thread: the world is its own. */
bool fr_move_run(const fr_move_scene *scene, const fr_move_setup *setup, fr_move_values *values,
                 fr_error *error);

/* --- what is asked --- */

typedef enum fr_bar_kind {
    FR_BAR_ALWAYS, /* every run within the limit */
    FR_BAR_ALWAYS_AT_LEAST,
    FR_BAR_AT_MOST, /* the median within the limit, the worst within 1.15 times as much */
    FR_BAR_AT_LEAST,
} fr_bar_kind;

typedef struct fr_bar {
    const char *scene; /* a name, or how names begin, with a '*' behind */
    fr_metric metric;
    fr_bar_kind kind;
    double limit;
} fr_bar;
extern const fr_bar FR_BARS[];
extern const int FR_BAR_COUNT;
bool fr_bar_applies(const fr_bar *bar, const char *scene);

/* Figure that was measured for RVO2 at its best setting, elsewhere and earlier; NaN if there is none. */
double fr_rvo2_figure(const char *scene, fr_metric metric);

/* --- what came of it --- */

typedef struct fr_spread {
    double min, median, max; /* NaN if there is none */
    int known;               /* runs that have a value */
} fr_spread;

typedef struct fr_move_result {
    const fr_move_scene *scene;
    int runs, naive_runs; /* 0: not asked for */
    fr_move_values values[FR_STARTS_MAX], naive[FR_STARTS_MAX];
} fr_move_result;

typedef enum fr_verdict {
    FR_VERDICT_HELD = 0,
    FR_VERDICT_MISSED,
    FR_VERDICT_UNKNOWN,
    FR_VERDICT_COUNT
} fr_verdict;

fr_spread fr_spread_of(const fr_move_values *values, int runs, fr_metric metric);
/* Of our mover's runs; unknown if any of them has no value. */
fr_verdict fr_bar_verdict(const fr_bar *bar, const fr_move_result *result);
/* "held", ... */
const char *fr_verdict_name(fr_verdict verdict);

/* A block of lines, or a JSON object into an array; counts[FR_VERDICT_COUNT] are added to by the first. */
void fr_move_print(const fr_move_result *result, int *counts, fr_buffer *out);
void fr_move_write(const fr_move_result *result, fr_json_writer *writer);

#endif
