/* report_ideal: the part of the report that compares with the best that could be done: ratios, bound, doors
 * and lanes. */
#include "sim/report_internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "sim/score_ideal.h"

/* Shorter ways say nothing about how units move (cells). */
#define JUDGED_CELLS 2.0

/* A run is resolved if all have arrived within this many times the bound, and so long. */
#define RESOLVED_TIMES 2.0
#define RESOLVED_S     5.0

typedef struct ratios {
    double *values; /* [count], owned */
    int32_t count;
} ratios;

static int compare_values(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static void write_ratios(fr_json_writer *writer, const char *key, ratios *r, bool is_known)
{
    double sum = 0.0;
    for (int32_t i = 0; i < r->count; i++) {
        sum += r->values[i];
    }
    qsort(r->values, (size_t)r->count, sizeof *r->values, compare_values);
    is_known = is_known && r->count > 0;
    fr_json_begin_object(writer, key);
    fr_report_number_if(writer, "mean", is_known, is_known ? sum / r->count : 0.0);
    fr_report_number_if(writer, "p95", is_known, is_known ? r->values[fr_report_rank(r->count, 0.95)] : 0.0);
    fr_json_end_object(writer);
}

/* Diameter and top speed that most units have; of equally many the first. */
static void find_kind(const fr_snapshot *last, double *diameter, double *top_speed)
{
    int32_t most = 0;
    for (int32_t i = 0; i < last->unit_count; i++) {
        bool is_new = true;
        for (int32_t k = 0; k < i && is_new; k++) {
            is_new = last->radius[k] != last->radius[i] || last->speed[k] != last->speed[i];
        }
        int32_t count = 0;
        for (int32_t k = i; k < last->unit_count && is_new; k++) {
            count += last->radius[k] == last->radius[i] && last->speed[k] == last->speed[i];
        }
        if (count > most) {
            most = count;
            *diameter = 2.0 * (double)last->radius[i];
            *top_speed = (double)last->speed[i];
        }
    }
}

/* --- the bound ----------------------------------------------------------------------------------- */

/* Those who come to the doors from one side. */
typedef struct stream {
    int32_t count;
    double slowest_s, to_door_s, from_door_s;
} stream;

static void add_to_stream(stream *s, const fr_ideal_way *way)
{
    bool is_first = s->count == 0;
    s->count++;
    s->slowest_s = fmax(s->slowest_s, way->seconds);
    s->to_door_s = is_first ? way->to_door_s : fmin(s->to_door_s, way->to_door_s);
    s->from_door_s = is_first ? way->from_door_s : fmin(s->from_door_s, way->from_door_s);
}

/* Units/s that all doors together can carry; 0 if none can. */
static double all_doors(const fr_scenario *scenario, const fr_snapshot *last)
{
    double diameter = 0.0, top_speed = 0.0, sum = 0.0;
    if (scenario == NULL || scenario->door_count == 0) {
        return 0.0;
    }
    find_kind(last, &diameter, &top_speed);
    for (int32_t d = 0; d < scenario->door_count && diameter > 0.0; d++) {
        sum += fmax(fr_door_capacity(scenario->doors[d].line, diameter, top_speed), 0.0);
    }
    return sum;
}

/* What a run is measured by (s): the longest of all ways, or, one side after the other, the first unit's way
 * to the door, all of its stream through it, and the shortest way on from there. Two sides that can pass each
 * other at the door may be sooner. */
static double find_bound(const fr_scorecard *card, const fr_snapshot *last, const fr_ideal_way *ways)
{
    stream streams[2] = {{.count = 0}, {.count = 0}};
    double bound = 0.0, through_doors = 0.0, capacity = all_doors(card->scenario, last);
    for (int32_t i = 0; i < card->courses.unit_count; i++) {
        if (ways[i].is_known) {
            bound = fmax(bound, ways[i].seconds);
            if (ways[i].side != 0) {
                add_to_stream(&streams[ways[i].side > 0], &ways[i]);
            }
        }
    }
    for (int k = 0; k < 2 && capacity > 0.0; k++) {
        const stream *s = &streams[k];
        double queue_s = s->count > 0 ? s->to_door_s + (s->count - 1) / capacity + s->from_door_s : 0.0;
        through_doors += fmax(s->slowest_s, queue_s);
    }
    return fmax(bound, through_doors);
}

/* --- the keys ------------------------------------------------------------------------------------ */

typedef struct verdict {
    ratios time, path;
    int32_t units, arrived; /* of those that have a goal */
    bool is_known, is_trace;
    double last_s;
} verdict;

static void judge_unit(verdict *v, const fr_scorecard *card, const fr_ideal_way *way, int32_t i)
{
    const fr_course *course = &card->courses.units[i];
    uint32_t tick;
    v->units++;
    v->is_known = v->is_known && way->is_known;
    v->is_trace = v->is_trace || way->is_trace;
    if (!fr_score_arrival(card, i, &tick)) {
        return;
    }
    double taken_s = (double)(tick - card->goals.units[i].order_tick) / FR_TICK_HZ;
    v->arrived++;
    v->last_s = fmax(v->last_s, taken_s);
    if (way->is_known && way->length >= JUDGED_CELLS) {
        double walked = card->goals.units[i].is_inside ? course->walked_in : course->walked;
        v->time.values[v->time.count++] = taken_s / way->seconds;
        v->path.values[v->path.count++] = walked / way->length;
    }
}

void fr_report_write_ideal(fr_json_writer *writer, const fr_scorecard *card, const fr_snapshot *last)
{
    size_t room = (size_t)card->courses.unit_count + 1;
    fr_ideal_way *ways = fr_alloc(room, sizeof *ways);
    verdict v = {.is_known = !card->courses.has_extras};
    v.time.values = fr_alloc_raw(room, sizeof *v.time.values);
    v.path.values = fr_alloc_raw(room, sizeof *v.path.values);
    if (v.is_known) {
        fr_ideal_find(&card->courses, last, card->scenario, ways);
    }
    for (int32_t i = 0; i < card->courses.unit_count; i++) {
        if (card->courses.units[i].order != FR_NO_ORDER) {
            judge_unit(&v, card, &ways[i], i);
        }
    }
    bool is_known = v.is_known && v.units > 0, all_arrived = v.units > 0 && v.arrived == v.units;
    double bound = is_known ? find_bound(card, last, ways) : 0.0;
    write_ratios(writer, "time_ratio", &v.time, is_known);
    write_ratios(writer, "path_ratio", &v.path, is_known);
    bool has_makespan = is_known && all_arrived && bound > 0.0;
    fr_report_number_if(writer, "makespan_ratio", has_makespan, has_makespan ? v.last_s / bound : 0.0);
    if (is_known || (v.units > 0 && !all_arrived)) {
        fr_json_write_bool(writer, "resolved",
                           all_arrived && v.last_s <= RESOLVED_TIMES * bound + RESOLVED_S);
    } else {
        fr_json_write_null(writer, "resolved");
    }
    if (is_known) {
        fr_json_write_string(writer, "bound", v.is_trace ? "trace" : "exact");
    } else {
        fr_json_write_null(writer, "bound");
    }
    fr_free(ways);
    fr_free(v.time.values);
    fr_free(v.path.values);
}

void fr_report_write_doors(fr_json_writer *writer, const fr_scorecard *card, const fr_snapshot *last)
{
    double order = 0.0, diameter = 0.0, top_speed = 0.0;
    bool has_lanes = fr_lanes_order(&card->lanes, &order);
    fr_report_number_if(writer, "lane_order", has_lanes, order);
    fr_json_begin_array(writer, "doors");
    if (card->doors.door_count > 0) {
        find_kind(last, &diameter, &top_speed);
    }
    for (int32_t d = 0; d < card->doors.door_count; d++) {
        const fr_scenario_door *door = &card->scenario->doors[d];
        double rate = fr_doors_rate(&card->doors, d);
        double capacity = diameter > 0.0 ? fr_door_capacity(door->line, diameter, top_speed) : -1.0;
        bool has_share = rate >= 0.0 && capacity > 0.0;
        fr_json_begin_object(writer, NULL);
        fr_json_write_string(writer, "name", door->name);
        fr_report_number_if(writer, "per_s", rate >= 0.0, rate);
        fr_report_number_if(writer, "eta", has_share, has_share ? rate / capacity : 0.0);
        fr_json_end_object(writer);
    }
    fr_json_end_array(writer);
}
