/* report: the scorecard as JSON. The order of the keys is part of the format; a key that can't be computed is
 * null, never 0. */
#include "sim/report_internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Rest is judged from this long after the last arrival until that long after it. */
#define REST_FROM_TICKS  60
#define REST_UNTIL_TICKS 360

/* Moving is judged from this tick on. */
#define MOVING_FROM_TICK 100

/* Roundness is judged of groups with at least this many arrived units. */
#define PACK_UNITS_MIN 20

static double seconds(uint32_t ticks)
{
    return (double)ticks / FR_TICK_HZ;
}

/* Ascending times of arrival since each unit's order, of one group or (-1) of all. */
typedef struct arrivals {
    int32_t units, count;
    uint32_t *ticks; /* [count], owned */
} arrivals;

static int compare_ticks(const void *a, const void *b)
{
    uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return (p > q) - (p < q);
}

static arrivals gather_arrivals(const fr_scorecard *card, const fr_snapshot *last, int32_t group)
{
    arrivals result = {.ticks = fr_alloc_raw((size_t)last->unit_count + 1, sizeof *result.ticks)};
    for (int32_t i = 0; i < last->unit_count; i++) {
        uint32_t tick;
        if (group >= 0 && last->group[i] != group) {
            continue;
        }
        result.units++;
        if (fr_score_arrival(card, i, &tick)) {
            const fr_unit_goal *goal = &card->goals.units[i];
            uint32_t start = goal->order != FR_NO_ORDER ? goal->order_tick : 0;
            result.ticks[result.count++] = tick - start;
        }
    }
    qsort(result.ticks, (size_t)result.count, sizeof *result.ticks, compare_ticks);
    return result;
}

int32_t fr_report_rank(int32_t count, double share)
{
    int32_t rank = (int32_t)ceil(share * count);
    return rank < 1 ? 0 : rank - 1;
}

static uint32_t quantile(const arrivals *a, double share)
{
    return a->ticks[fr_report_rank(a->count, share)];
}

void fr_report_number_if(fr_json_writer *writer, const char *key, bool is_known, double number)
{
    if (is_known) {
        fr_json_write_number(writer, key, number);
    } else {
        fr_json_write_null(writer, key);
    }
}

static void write_arrivals(fr_json_writer *writer, const arrivals *a)
{
    bool is_known = a->count > 0;
    fr_json_begin_object(writer, "arrival_s");
    fr_report_number_if(writer, "p50", is_known, is_known ? seconds(quantile(a, 0.5)) : 0.0);
    fr_report_number_if(writer, "p95", is_known, is_known ? seconds(quantile(a, 0.95)) : 0.0);
    fr_report_number_if(writer, "last", is_known, is_known ? seconds(a->ticks[a->count - 1]) : 0.0);
    fr_json_end_object(writer);
}

/* --- moving and rest ----------------------------------------------------------------------------- */

/* Ticks of the first and the last arrival; false if nobody has arrived. */
static bool find_arrival_span(const fr_scorecard *card, const fr_snapshot *last, uint32_t *first_tick,
                              uint32_t *last_tick)
{
    bool has_arrival = false;
    for (int32_t i = 0; i < last->unit_count; i++) {
        uint32_t tick;
        if (fr_score_arrival(card, i, &tick)) {
            *first_tick = !has_arrival || tick < *first_tick ? tick : *first_tick;
            *last_tick = !has_arrival || tick > *last_tick ? tick : *last_tick;
            has_arrival = true;
        }
    }
    return has_arrival;
}

/* The record of the state after `tick` steps; null outside the run. */
static const fr_tick_record *record_at(const fr_scorecard *card, const fr_snapshot *last, uint32_t tick)
{
    uint32_t first = last->tick - card->motion.tick_count + 1;
    return tick < first || tick > last->tick ? NULL : &card->motion.ticks[tick - first];
}

static void write_moving_share(fr_json_writer *writer, const fr_scorecard *card, const fr_snapshot *last,
                               uint32_t until)
{
    int64_t moving = 0, units = 0;
    for (uint32_t tick = MOVING_FROM_TICK; tick <= until && tick <= last->tick; tick++) {
        const fr_tick_record *record = record_at(card, last, tick);
        if (record != NULL) {
            moving += record->moving;
            units += record->units;
        }
    }
    fr_report_number_if(writer, "moving_share", units > 0, units > 0 ? (double)moving / (double)units : 0.0);
}

static void write_rest(fr_json_writer *writer, const fr_scorecard *card, const fr_snapshot *last,
                       bool has_arrival, uint32_t last_arrival)
{
    double squared = 0.0;
    int64_t units = 0;
    bool is_long_enough = has_arrival && last->tick >= last_arrival + REST_UNTIL_TICKS;
    for (uint32_t k = REST_FROM_TICKS + 1; k <= REST_UNTIL_TICKS && is_long_enough; k++) {
        const fr_tick_record *record = record_at(card, last, last_arrival + k);
        if (record != NULL) {
            squared += record->squared_speed;
            units += record->units;
        }
    }
    fr_report_number_if(writer, "rest_speed", units > 0, units > 0 ? sqrt(squared / (double)units) : 0.0);
    uint32_t moved = card->motion.last_movement_tick;
    bool is_known = has_arrival && moved > 0;
    fr_report_number_if(writer, "rest_after_s", is_known,
                        is_known && moved > last_arrival ? seconds(moved - last_arrival) : 0.0);
}

/* --- packing ------------------------------------------------------------------------------------- */

/* Compactness and aspect (M11) of the arrived units of a group that are still in the world. */
static bool judge_pack(const fr_scorecard *card, const fr_snapshot *last, int32_t group, double *compactness,
                       double *aspect)
{
    double n = 0.0, x = 0.0, y = 0.0, discs = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        double mean_x = n > 0.0 ? x / n : 0.0, mean_y = n > 0.0 ? y / n : 0.0;
        for (int32_t i = 0; i < last->unit_count; i++) {
            uint32_t tick;
            if (last->group[i] != group || last->state[i] == FR_UNIT_GONE ||
                !fr_score_arrival(card, i, &tick)) {
                continue;
            }
            double px = fr_cells(last->position[i].x), py = fr_cells(last->position[i].y);
            if (pass == 0) {
                n += 1.0;
                x += px;
                y += py;
                discs += (double)last->radius[i] * (double)last->radius[i];
            } else {
                xx += (px - mean_x) * (px - mean_x);
                xy += (px - mean_x) * (py - mean_y);
                yy += (py - mean_y) * (py - mean_y);
            }
        }
    }
    /* Eigenvalues of the covariance, times n. */
    double half = (xx + yy) / 2.0, root = sqrt((xx - yy) * (xx - yy) / 4.0 + xy * xy);
    if (n < PACK_UNITS_MIN || !(half > 0.0)) {
        return false;
    }
    *compactness = discs / FR_PACKED_SHARE / 2.0 / ((xx + yy) / n);
    *aspect = sqrt(fmax(half - root, 0.0) / (half + root));
    return true;
}

static void write_packs(fr_json_writer *writer, const fr_scorecard *card, const fr_snapshot *last)
{
    bool is_known = false;
    double worst_compactness = 0.0, worst_aspect = 0.0;
    for (int32_t g = 0; g < last->group_count; g++) {
        double compactness, aspect;
        if (judge_pack(card, last, g, &compactness, &aspect)) {
            worst_compactness = is_known ? fmin(worst_compactness, compactness) : compactness;
            worst_aspect = is_known ? fmin(worst_aspect, aspect) : aspect;
            is_known = true;
        }
    }
    fr_report_number_if(writer, "compactness", is_known, worst_compactness);
    fr_report_number_if(writer, "aspect", is_known, worst_aspect);
}

/* --- the report ---------------------------------------------------------------------------------- */

static void write_text_if(fr_json_writer *writer, const char *key, const char *text)
{
    if (text != NULL) {
        fr_json_write_string(writer, key, text);
    } else {
        fr_json_write_null(writer, key);
    }
}

static void write_head(fr_json_writer *writer, const fr_report_info *info, const fr_snapshot *last)
{
    write_text_if(writer, "scenario", info->scenario);
    fr_json_write_string(writer, "map", info->map);
    if (info->is_rejudged) {
        fr_json_write_null(writer, "seed");
    } else {
        fr_json_write_int(writer, "seed", (int64_t)info->seed);
    }
    fr_json_write_int(writer, "ticks", last->tick);
    fr_json_write_int(writer, "tick_hz", FR_TICK_HZ);
    fr_report_number_if(writer, "threads", !info->is_rejudged, info->threads);
    write_text_if(writer, "mover", info->is_rejudged ? NULL : info->mover);
    if (info->is_rejudged) {
        fr_json_write_null(writer, "state_hash");
    } else {
        fr_json_write_hash(writer, "state_hash", info->state_hash);
    }
}

static void write_motion(fr_json_writer *writer, const fr_scorecard *card)
{
    const fr_overlap *overlap = &card->overlap;
    const fr_motion *motion = &card->motion;
    bool has_ticks = motion->speed_total > 0, has_moving = motion->sums.ticks > 0;
    double moving_s = has_moving ? (double)motion->sums.ticks / FR_TICK_HZ : 1.0;
    fr_json_begin_object(writer, "overlap");
    fr_report_number_if(writer, "mean", overlap->unit_ticks > 0,
                        overlap->sum / fmax((double)overlap->unit_ticks, 1.0));
    fr_report_number_if(writer, "max", overlap->unit_ticks > 0, overlap->max);
    fr_report_number_if(writer, "pairs", overlap->unit_ticks > 0,
                        (double)overlap->overlapping_pairs / fmax((double)overlap->close_pairs, 1.0));
    fr_json_end_object(writer);
    fr_report_number_if(writer, "wall_penetration_max", has_ticks, motion->wall_penetration_max);
    fr_report_number_if(writer, "speed_max", has_ticks, motion->speed_max);
    fr_report_number_if(writer, "speed_p999", has_ticks, fr_motion_speed_quantile(motion, 0.999));
    fr_report_number_if(writer, "jerk", has_moving, motion->sums.jerk / moving_s);
    fr_report_number_if(writer, "reversals_per_s", has_moving, (double)motion->sums.reversals / moving_s);
    fr_report_number_if(writer, "stop_go_per_min", has_moving, (double)motion->sums.stops / moving_s * 60.0);
}

static void write_groups(fr_json_writer *writer, const fr_scorecard *card, const fr_snapshot *last)
{
    fr_json_begin_array(writer, "groups");
    for (int32_t g = 0; g < last->group_count; g++) {
        arrivals a = gather_arrivals(card, last, g);
        fr_json_begin_object(writer, NULL);
        fr_json_write_string(writer, "name", last->groups[g].name);
        fr_json_write_int(writer, "units", a.units);
        fr_json_write_int(writer, "arrived", a.count);
        write_arrivals(writer, &a);
        fr_json_end_object(writer);
        fr_free(a.ticks);
    }
    fr_json_end_array(writer);
}

static void write_times(fr_json_writer *writer, const fr_report_info *info)
{
    const struct {
        const char *key;
        double ms;
    } times[] = {
        {"tick_p50", info->tick_p50_ms},       {"tick_p99", info->tick_p99_ms},
        {"tick_max", info->tick_max_ms},       {"field_wait_max", info->field_wait_max_ms},
        {"first_frame", info->first_frame_ms},
    };
    fr_json_begin_object(writer, "time_ms");
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        fr_report_number_if(writer, times[i].key, times[i].ms >= 0.0, times[i].ms);
    }
    fr_json_end_object(writer);
    fr_report_number_if(writer, "field_worker_ms", info->field_worker_ms >= 0.0, info->field_worker_ms);
    fr_report_number_if(writer, "field_bytes", info->field_bytes >= 0.0, info->field_bytes);
    fr_report_number_if(writer, "handover_deg_p50", info->handover_deg_p50 >= 0.0, info->handover_deg_p50);
    fr_report_number_if(writer, "allocations_per_tick", info->allocations_per_tick >= 0.0,
                        info->allocations_per_tick);
}

void fr_report_write(fr_scorecard *card, const fr_snapshot *last, const fr_report_info *info, fr_buffer *out)
{
    fr_json_writer writer = fr_json_writer_begin(out, false);
    uint32_t first_arrival = 0, last_arrival = 0;
    bool has_arrival = find_arrival_span(card, last, &first_arrival, &last_arrival);
    arrivals all = gather_arrivals(card, last, -1);
    fr_json_begin_object(&writer, NULL);
    write_head(&writer, info, last);
    fr_json_write_int(&writer, "units", all.units);
    fr_json_write_int(&writer, "arrived", all.count);
    fr_json_write_int(&writer, "stuck", card->stuck.stuck_count);
    fr_json_write_int(&writer, "displaced", card->motion.displaced);
    write_moving_share(&writer, card, last, has_arrival ? first_arrival : last->tick);
    write_arrivals(&writer, &all);
    fr_free(all.ticks);
    fr_report_write_ideal(&writer, card, last);
    write_motion(&writer, card);
    write_rest(&writer, card, last, has_arrival, last_arrival);
    write_packs(&writer, card, last);
    fr_report_write_doors(&writer, card, last);
    write_groups(&writer, card, last);
    write_times(&writer, info);
    fr_json_end_object(&writer);
    fr_buffer_append(out, "\n", 1);
}
