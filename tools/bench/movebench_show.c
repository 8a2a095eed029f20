/* movebench_show: what the figures of all runs come to, for people and as JSON. */
#include "movebench.h"

#include <stdlib.h>

/* A bar holds although the worst of all starts misses it by this factor. */
#define WORST_FACTOR 1.15

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

fr_spread fr_spread_of(const fr_move_values *values, int runs, fr_metric metric)
{
    double known[FR_STARTS_MAX];
    int count = 0;
    for (int i = 0; i < runs; i++) {
        if (!isnan(values[i].of[metric])) {
            known[count++] = values[i].of[metric];
        }
    }
    if (count == 0) {
        return (fr_spread){FR_UNKNOWN, FR_UNKNOWN, FR_UNKNOWN, 0};
    }
    qsort(known, (size_t)count, sizeof *known, compare);
    double median = 0.5 * (known[(count - 1) / 2] + known[count / 2]);
    return (fr_spread){known[0], median, known[count - 1], count};
}

fr_verdict fr_bar_verdict(const fr_bar *bar, const fr_move_result *result)
{
    fr_spread spread = fr_spread_of(result->values, result->runs, bar->metric);
    bool holds = false;
    if (spread.known < result->runs || result->runs == 0) {
        return FR_VERDICT_UNKNOWN;
    }
    switch (bar->kind) {
    case FR_BAR_ALWAYS:
        holds = spread.max <= bar->limit;
        break;
    case FR_BAR_ALWAYS_AT_LEAST:
        holds = spread.min >= bar->limit;
        break;
    case FR_BAR_AT_MOST:
        holds = spread.median <= bar->limit && spread.max <= bar->limit * WORST_FACTOR;
        break;
    case FR_BAR_AT_LEAST:
        holds = spread.median >= bar->limit && spread.min >= bar->limit / WORST_FACTOR;
        break;
    }
    return holds ? FR_VERDICT_HELD : FR_VERDICT_MISSED;
}

const char *fr_verdict_name(fr_verdict verdict)
{
    static const char *const names[FR_VERDICT_COUNT] = {"held", "missed", "unknown"};
    return names[verdict];
}

static const char *bar_sign(fr_bar_kind kind)
{
    return kind == FR_BAR_ALWAYS || kind == FR_BAR_AT_MOST ? "<=" : ">=";
}

/* Bars are for our mover: without a run of it nothing is asked. */
static bool is_asked(const fr_move_result *result, const fr_bar *bar)
{
    return result->runs > 0 && fr_bar_applies(bar, result->scene->name);
}

/* --- for people ---------------------------------------------------------------------------------- */

static void print_number(double value, fr_buffer *out)
{
    if (isnan(value)) {
        fr_buffer_printf(out, " %10s", "-");
    } else {
        fr_buffer_printf(out, " %10.*f", fabs(value) >= 100.0 ? 1 : fabs(value) >= 10.0 ? 2 : 4, value);
    }
}

static void print_bars(const fr_move_result *result, fr_metric metric, int *counts, fr_buffer *out)
{
    for (int b = 0; b < FR_BAR_COUNT; b++) {
        if (FR_BARS[b].metric != metric || !is_asked(result, &FR_BARS[b])) {
            continue;
        }
        fr_verdict verdict = fr_bar_verdict(&FR_BARS[b], result);
        fr_buffer_printf(out, "  %s %g %s", bar_sign(FR_BARS[b].kind), FR_BARS[b].limit,
                         verdict == FR_VERDICT_MISSED ? "MISSED" : fr_verdict_name(verdict));
        counts[verdict]++;
    }
}

/* Runs in which the value is exactly this. */
static int count_of(const fr_move_result *result, fr_metric metric, double value)
{
    int count = 0;
    for (int i = 0; i < result->runs; i++) {
        count += result->values[i].of[metric] == value;
    }
    return count;
}

void fr_move_print(const fr_move_result *result, int *counts, fr_buffer *out)
{
    const char *name = result->scene->name;
    int units = result->runs > 0 ? result->values[0].units : result->naive[0].units;
    fr_buffer_printf(out, "\n%s: %d units, %d runs", name, units, result->runs);
    if (result->runs > 0 && result->scene->manners == NULL) {
        fr_buffer_printf(out, ", resolved %d/%d", count_of(result, FR_METRIC_RESOLVED, 1.0), result->runs);
    }
    fr_buffer_printf(out, "; naive %d runs\n  %-20s %10s %10s %10s %10s %10s\n", result->naive_runs, "",
                     "min", "median", "max", "naive", "RVO2*");
    for (int m = 0; m < FR_METRIC_COUNT; m++) {
        fr_spread ours = fr_spread_of(result->values, result->runs, (fr_metric)m);
        fr_spread naive = fr_spread_of(result->naive, result->naive_runs, (fr_metric)m);
        fr_buffer line = {0};
        print_bars(result, (fr_metric)m, counts, &line);
        if (ours.known + naive.known > 0 || line.size > 0) {
            fr_buffer_printf(out, "  %-20s", FR_METRICS[m].name);
            print_number(ours.min, out);
            print_number(ours.median, out);
            print_number(ours.max, out);
            print_number(naive.median, out);
            print_number(fr_rvo2_figure(name, (fr_metric)m), out);
            fr_buffer_append(out, line.data, line.size);
            fr_buffer_append(out, "\n", 1);
        }
        fr_buffer_fini(&line);
    }
}

/* --- as JSON ------------------------------------------------------------------------------------- */

static void write_spread(fr_json_writer *writer, const char *key, const fr_move_values *values, int runs,
                         fr_metric metric)
{
    fr_spread spread = fr_spread_of(values, runs, metric);
    fr_json_begin_object(writer, key);
    fr_json_write_number(writer, "min", spread.min);
    fr_json_write_number(writer, "median", spread.median);
    fr_json_write_number(writer, "max", spread.max);
    fr_json_write_int(writer, "known", spread.known);
    fr_json_end_object(writer);
}

static void write_bars(const fr_move_result *result, fr_json_writer *writer)
{
    fr_json_begin_array(writer, "bars");
    for (int b = 0; b < FR_BAR_COUNT; b++) {
        const fr_bar *bar = &FR_BARS[b];
        if (is_asked(result, bar)) {
            fr_json_begin_object(writer, NULL);
            fr_json_write_string(writer, "metric", FR_METRICS[bar->metric].name);
            fr_json_write_string(writer, "is", bar_sign(bar->kind));
            fr_json_write_number(writer, "limit", bar->limit);
            fr_json_write_bool(writer, "always",
                               bar->kind == FR_BAR_ALWAYS || bar->kind == FR_BAR_ALWAYS_AT_LEAST);
            fr_json_write_string(writer, "verdict", fr_verdict_name(fr_bar_verdict(bar, result)));
            fr_json_end_object(writer);
        }
    }
    fr_json_end_array(writer);
}

void fr_move_write(const fr_move_result *result, fr_json_writer *writer)
{
    fr_json_begin_object(writer, NULL);
    fr_json_write_string(writer, "name", result->scene->name);
    fr_json_write_int(writer, "units", result->runs > 0 ? result->values[0].units : result->naive[0].units);
    fr_json_write_int(writer, "runs", result->runs);
    fr_json_write_int(writer, "naive_runs", result->naive_runs);
    if (result->scene->manners == NULL) {
        fr_json_write_int(writer, "resolved", count_of(result, FR_METRIC_RESOLVED, 1.0));
    }
    fr_json_begin_object(writer, "metrics");
    for (int m = 0; m < FR_METRIC_COUNT; m++) {
        fr_json_begin_object(writer, FR_METRICS[m].name);
        write_spread(writer, "freshet", result->values, result->runs, (fr_metric)m);
        write_spread(writer, "naive", result->naive, result->naive_runs, (fr_metric)m);
        fr_json_write_number(writer, "rvo2", fr_rvo2_figure(result->scene->name, (fr_metric)m));
        fr_json_end_object(writer);
    }
    fr_json_end_object(writer);
    write_bars(result, writer);
    fr_json_end_object(writer);
}
