/* session_report: the end of a run, written down. */
#include <math.h>
#include <stdlib.h>

#include "app/session.h"

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Nearest rank of sorted values; negative (unknown) if there are none. */
static double quantile(const fr_tick_times *times, double share)
{
    if (times->count == 0) {
        return -1.0;
    }
    int32_t rank = (int32_t)((double)times->count * share + 0.9999999);
    rank = rank < 1 ? 1 : rank > times->count ? times->count : rank;
    return (double)times->ms[rank - 1];
}

static double handover_degrees(float cosine)
{
    const double degrees = 57.29577951308232;
    return cosine > 1.5f ? -1.0 : acos(fmin(fmax((double)cosine, -1.0), 1.0)) * degrees;
}

static void write_report(fr_session *session, double first_frame_ms, fr_buffer *out)
{
    const fr_snapshot *snapshot = fr_world_snapshot(session->world);
    fr_world_stats stats = fr_world_statistics(session->world);
    fr_tick_times *times = &session->times;
    if (times->count > 0) {
        qsort(times->ms, (size_t)times->count, sizeof *times->ms, compare_floats);
    }
    const fr_scenario *scenario = session->scenario;
    fr_report_info info = {
        .scenario = scenario != NULL ? scenario->name : NULL,
        .map = scenario != NULL ? scenario->map_name : session->map->path,
        .mover = fr_mover_name(snapshot->mover),
        .seed = session->seed,
        .threads = session->threads,
        .state_hash = fr_world_hash(session->world),
        .tick_p50_ms = quantile(times, 0.5),
        .tick_p99_ms = quantile(times, 0.99),
        .tick_max_ms = quantile(times, 1.0),
        .field_worker_ms = (double)stats.field_work_ns / 1e6,
        .field_bytes = (double)stats.field_bytes_max,
        .handover_deg_p50 = handover_degrees(stats.field_handover_cosine),
        .field_wait_max_ms = (double)stats.field_wait_ns_max / 1e6,
        .first_frame_ms = first_frame_ms,
        .allocations_per_tick = times->count > 0 ? (double)session->tick_allocations / times->count : -1.0,
    };
    fr_report_write(session->scorecard, snapshot, &info, out);
}

fr_status fr_output_finish(fr_output **output, const fr_buffer *bytes, fr_error *error)
{
    if (*output == NULL) {
        return FR_OK;
    }
    fr_output *taken = *output;
    *output = NULL;
    fr_status status = bytes->size > 0 ? fr_output_write(taken, bytes->data, bytes->size, error) : FR_OK;
    if (status != FR_OK) {
        fr_output_abandon(taken);
        return status;
    }
    return fr_output_commit(taken, error);
}

fr_status fr_session_finish(fr_session *session, double first_frame_ms, fr_error *error)
{
    if (session->write_failed) {
        *error = session->write_error;
        return FR_IO_FAILED;
    }
    fr_buffer bytes = {0};
    /* The positions are in their file already. */
    fr_status status = fr_output_finish(&session->files.positions, &bytes, error);
    if (status == FR_OK && session->files.report != NULL) {
        write_report(session, first_frame_ms, &bytes);
        status = fr_output_finish(&session->files.report, &bytes, error);
    }
    if (status == FR_OK && session->files.record != NULL) {
        bytes.size = 0;
        fr_recorder_write(session->recorder, &bytes);
        status = fr_output_finish(&session->files.record, &bytes, error);
    }
    fr_buffer_fini(&bytes);
    return status;
}
