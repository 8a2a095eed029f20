#include "app/session.h"

#include <stdlib.h>

#include "app/clock.h"
#include "app/paths.h"
#include "base/memory.h"
#include "mapio/mapio.h"

#define DEFAULT_MAP "maps/vale.tmj"

static uint64_t world_now_ns(void *clock)
{
    (void)clock;
    return fr_real_now_ns();
}

fr_map *fr_session_load_map(const fr_options *options, const fr_io *io, fr_error *error)
{
    if (options->map_path != NULL) {
        return fr_map_load(io, options->map_path, error);
    }
    char *path = fr_data_file(options->data_dir, DEFAULT_MAP, error);
    fr_map *map = path != NULL ? fr_map_load(io, path, error) : NULL;
    fr_free(path);
    return map;
}

static fr_status load_inputs(fr_session *session, fr_error *error)
{
    const fr_options *options = session->options;
    if (options->scenario_path != NULL) {
        session->scenario = fr_scenario_load(&session->io, options->scenario_path, error);
        session->map = session->scenario != NULL ? session->scenario->map : NULL;
    } else if (options->replay_path != NULL) {
        session->replay = fr_replay_load(&session->io, options->replay_path, error);
        session->map = session->replay != NULL ? fr_replay_map(session->replay) : NULL;
    } else {
        session->map = session->own_map = fr_session_load_map(options, &session->io, error);
    }
    if (session->map == NULL) {
        return FR_BAD_INPUT;
    }
    for (int32_t i = 0; i < session->map->warning_count; i++) {
        fr_buffer line = {0};
        fr_buffer_printf(&line, "%s: warning: %s", session->map->path, session->map->warnings[i]);
        fr_buffer_append(&line, "", 1);
        session->io.log(session->io.self, (const char *)line.data);
        fr_buffer_fini(&line);
    }
    return FR_OK;
}

/* The command line wins over the scenario, the scenario over the default. */
static fr_status settle(fr_session *session, fr_error *error)
{
    const fr_options *options = session->options;
    const fr_scenario *scenario = session->scenario;
    session->seed = options->seed;
    session->last_tick = options->ticks;
    session->has_last_tick = options->has_ticks;
    if (!options->has_seed && scenario != NULL) {
        session->seed = scenario->seed;
    }
    if (!options->has_ticks && scenario != NULL) {
        session->last_tick = scenario->ticks;
        session->has_last_tick = scenario->has_ticks;
    }
    if (session->replay != NULL) {
        uint32_t recorded = fr_replay_ticks(session->replay);
        session->seed = fr_replay_seed(session->replay);
        session->last_tick = options->has_ticks && options->ticks < recorded ? options->ticks : recorded;
        session->has_last_tick = true;
    }
    if (options->headless && !session->has_last_tick) {
        return fr_fail(error, FR_BAD_INPUT,
                       "--headless needs a number of ticks, and %s states none: --ticks N. " FR_USAGE_HINT,
                       options->scenario_path != NULL ? options->scenario_path : "the command line");
    }
    session->threads = options->has_threads ? options->threads : fr_pool_default_workers();
    return FR_OK;
}

static fr_status open_file(fr_output **output, const char *path, fr_error *error)
{
    if (path == NULL) {
        return FR_OK;
    }
    *output = fr_output_open(path, error);
    return *output != NULL ? FR_OK : FR_BAD_INPUT;
}

static fr_status open_files(fr_session *session, fr_error *error)
{
    const fr_options *options = session->options;
    fr_session_files *files = &session->files;
    fr_status status = open_file(&files->report, options->report_path, error);
    if (status == FR_OK) {
        status = open_file(&files->positions, options->positions_path, error);
    }
    if (status == FR_OK) {
        status = open_file(&files->dump, options->dump_path, error);
    }
    if (status == FR_OK) {
        status = open_file(&files->record, options->record_path, error);
    }
    if (status == FR_OK) {
        status = open_file(&files->screenshot, options->screenshot_path, error);
    }
    session->times.kept = files->report != NULL;
    return status;
}

static int32_t units_wanted(const fr_session *session)
{
    return session->scenario != NULL ? fr_scenario_unit_count(session->scenario)
           : session->replay != NULL ? fr_replay_unit_count(session->replay)
                                     : fr_map_unit_count(session->map, session->options->units);
}

static fr_status fill_world(fr_session *session, fr_error *error)
{
    const fr_options *options = session->options;
    if (session->scenario != NULL) {
        return fr_scenario_populate(session->scenario, session->seed, options->shift, session->world, error);
    }
    if (session->replay != NULL) {
        return fr_replay_populate(session->replay, session->world, error);
    }
    return fr_map_populate(session->map, options->units, session->seed, options->shift, session->world,
                           error);
}

static fr_status create_world(fr_session *session, fr_error *error)
{
    int32_t wanted = units_wanted(session);
    if (wanted > FR_UNITS_MAX) {
        return fr_fail(error, FR_BAD_INPUT, "%s: asks for %d units, at most %d fit into a world",
                       session->map->path, wanted, FR_UNITS_MAX);
    }
    fr_world_config config = fr_world_config_default();
    if (session->threads > 0) {
        session->pool = fr_pool_create(session->threads, error);
        if (session->pool == NULL) {
            return FR_LIMIT;
        }
        config.executor = fr_pool_executor(session->pool);
    }
    config.map = session->map;
    config.seed = session->seed;
    config.mover = session->options->mover;
    config.without = session->options->without;
    if (session->replay != NULL) {
        fr_replay_configure(session->replay, &config);
    }
    config.unit_capacity = wanted > 0 ? wanted : 1;
    config.now_ns = world_now_ns;
    session->world = fr_world_create(&config);
    return fill_world(session, error);
}

/* A write that fails is told once, at the end. */
static void write_positions(fr_session *session, const fr_snapshot *snapshot)
{
    if (session->files.positions == NULL || session->write_failed) {
        return;
    }
    session->row_bytes.size = 0;
    fr_positions_write(snapshot, &session->row_bytes);
    session->write_failed = fr_output_write(session->files.positions, session->row_bytes.data,
                                            session->row_bytes.size, &session->write_error) != FR_OK;
}

static void check_replay(fr_session *session)
{
    if (session->replay != NULL && !session->diverged && !fr_replay_check(session->replay, session->world)) {
        session->diverged = true;
        session->diverged_tick = fr_world_snapshot(session->world)->tick;
    }
}

fr_status fr_session_create(fr_session *session, const fr_options *options, fr_error *error)
{
    *session = (fr_session){.options = options, .io = fr_stdio_io("freshet")};
    fr_status status = load_inputs(session, error);
    if (status == FR_OK) {
        status = settle(session, error);
    }
    if (status == FR_OK) {
        status = open_files(session, error);
    }
    if (status == FR_OK) {
        status = create_world(session, error);
    }
    if (status != FR_OK) {
        return status;
    }
    const fr_snapshot *snapshot = fr_world_snapshot(session->world);
    if (session->files.record != NULL) {
        session->recorder =
            fr_recorder_create(session->world, session->map, session->map->path, session->seed);
    }
    if (session->files.report != NULL) {
        session->scorecard = fr_scorecard_create(snapshot, session->scenario);
    }
    write_positions(session, NULL);
    write_positions(session, snapshot);
    check_replay(session);
    return FR_OK;
}

void fr_session_destroy(fr_session *session)
{
    fr_output_abandon(session->files.report);
    fr_output_abandon(session->files.positions);
    fr_output_abandon(session->files.dump);
    fr_output_abandon(session->files.record);
    fr_output_abandon(session->files.screenshot);
    fr_buffer_fini(&session->row_bytes);
    fr_free(session->times.ms);
    if (session->scorecard != NULL) {
        fr_scorecard_destroy(session->scorecard);
    }
    if (session->recorder != NULL) {
        fr_recorder_destroy(session->recorder);
    }
    if (session->world != NULL) {
        fr_world_destroy(session->world);
    }
    fr_pool_destroy(session->pool);
    if (session->replay != NULL) {
        fr_replay_destroy(session->replay);
    }
    if (session->scenario != NULL) {
        fr_scenario_destroy(session->scenario);
    }
    if (session->own_map != NULL) {
        fr_map_destroy(session->own_map);
    }
    *session = (fr_session){.options = NULL};
}

static void keep_time(fr_tick_times *times, uint64_t ns)
{
    if (!times->kept) {
        return;
    }
    if (times->count == times->capacity) {
        times->capacity = times->capacity > 0 ? 2 * times->capacity : 4096;
        times->ms = fr_realloc(times->ms, (size_t)times->capacity, sizeof *times->ms);
    }
    times->ms[times->count++] = (float)((double)ns / 1e6);
}

/* What a player's game has and a scenario must ask for. */
static void begin_game(const fr_session *session)
{
    if (session->scenario == NULL && session->replay == NULL &&
        fr_world_snapshot(session->world)->tick == 0) {
        fr_world_submit(session->world, &(fr_command){.kind = FR_COMMAND_SET_RING, .is_on = true});
        fr_world_submit(session->world, &(fr_command){.kind = FR_COMMAND_SET_CONGESTION, .is_on = true});
    }
}

const char *fr_session_title(const fr_session *session)
{
    return session->scenario != NULL ? session->scenario->name : session->map->name;
}

void fr_session_tick(fr_session *session)
{
    begin_game(session);
    if (session->scenario != NULL) {
        fr_scenario_submit(session->scenario, session->world);
    }
    if (session->replay != NULL) {
        fr_replay_submit(session->replay, session->world);
    }
    if (session->recorder != NULL) {
        fr_recorder_before_tick(session->recorder, session->world);
    }
    /* Nothing but the tick between the two readings: the report is about it alone. */
    uint64_t allocations = fr_alloc_count();
    uint64_t begin_ns = fr_real_now_ns();
    fr_world_tick(session->world);
    session->last_tick_ns = fr_real_now_ns() - begin_ns;
    session->tick_allocations += fr_alloc_count() - allocations;
    keep_time(&session->times, session->last_tick_ns);

    const fr_snapshot *snapshot = fr_world_snapshot(session->world);
    if (session->recorder != NULL) {
        fr_recorder_after_tick(session->recorder, session->world);
    }
    if (session->scorecard != NULL) {
        fr_scorecard_tick(session->scorecard, snapshot);
    }
    write_positions(session, snapshot);
    check_replay(session);
}

bool fr_session_ended(const fr_session *session)
{
    return session->diverged || session->write_failed ||
           (session->has_last_tick && fr_world_snapshot(session->world)->tick >= session->last_tick);
}
