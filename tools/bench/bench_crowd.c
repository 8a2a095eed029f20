#include "bench_crowd.h"

#include <SDL.h>
#include <stdio.h>

#include "../common/field_timing.h"
#include "../common/map_maker.h"
#include "../common/options.h"
#include "bench_data.h"
#include "base/memory.h"
#include "files/stdio_io.h"
#include "jobs/pool.h"
#include "sim/scenario.h"

/* Cells on a side of the open map. */
#define SIDE 512
#define SEED 1
/* Cells of the starting square for one unit: as loose as a crowd that walks. */
#define CELLS_PER_UNIT 1.5
/* Before the first, all units have set out. */
#define WARM_UP_TICKS      100
#define MEASURED_TICKS     300
#define MEASURED_TICKS_FEW 100
/* Ticks in which a crowd in the open has long come to rest. */
#define SETTLING_TICKS_MAX 1200
#define REPEATS            3
#define REPEATS_QUICK      1
/* Of top speed: slower is standing. */
#define MOVING_SPEED_SHARE 0.2
#define VALE_SCENARIO      "maps/scenarios/vale-west.json"

typedef enum crowd_kind {
    CROWD_WALKS = 0, /* a long way over open ground */
    CROWD_SETTLES,   /* the goal is the crowd's own middle; measured when all have come to rest */
    CROWD_STANDS,    /* without an order, as when all have settled */
    CROWD_IS_PASSED, /* the same, while a few others walk far away */
} crowd_kind;
/* Of a crowd that is passed, those of its number who walk. */
#define WALKERS 10

typedef struct crowd_case {
    const char *name;
    int32_t units;
    const char *scenario; /* null: an open map */
    crowd_kind kind;
    int threads; /* beside the main one; -1: as asked for */
} crowd_case;

typedef struct crowd_run {
    fr_map *own_map; /* null with a scenario */
    fr_scenario *scenario;
    fr_world *world;
} crowd_run;

/* What one run gives. */
typedef struct crowd_figures {
    double p50_ms, p99_ms, max_ms, moving_share;
    uint64_t hash;
} crowd_figures;

static fr_world *create_world(const fr_map *map, fr_executor executor, int32_t units)
{
    fr_world_config config = fr_world_config_default();
    config.map = map;
    config.executor = executor;
    config.unit_capacity = units;
    return fr_world_create(&config);
}

static fr_status order(crowd_run *crowd, int32_t first, int32_t count, fr_position goal)
{
    uint32_t *units = fr_alloc((size_t)count, sizeof *units);
    for (int32_t i = 0; i < count; i++) {
        units[i] = (uint32_t)(first + i);
    }
    fr_command move = {
        .kind = FR_COMMAND_MOVE, .units = units, .unit_count = count, .goals = &goal, .goal_count = 1};
    fr_status status = fr_world_submit(crowd->world, &move);
    fr_free(units);
    return status;
}

/* A square crowd near the lower left corner. Its goal is more than 200 cells away: nobody is there before the
 * last measured tick. */
static fr_status begin_open(crowd_run *crowd, const crowd_case *c, fr_executor executor, fr_error *error)
{
    fr_map *map = fr_make_map(FR_MAP_OPEN, (fr_grid){SIDE, SIDE}, SEED, 1);
    crowd->own_map = map;
    float side = 1.0f;
    while ((double)(side * side) < c->units * CELLS_PER_UNIT) {
        side += 1.0f;
    }
    int32_t walkers = c->kind == CROWD_IS_PASSED ? WALKERS : 0;
    map->spawn_count = walkers > 0 ? 2 : 1;
    map->spawns = fr_alloc(2, sizeof *map->spawns);
    map->spawns[0] = (fr_spawn){.x = 10.0f,
                                .y = SIDE - 10.0f - side,
                                .width = side,
                                .height = side,
                                .count = c->units - walkers,
                                .radius = FR_RADIUS_DEFAULT,
                                .speed = FR_SPEED_DEFAULT};
    /* On the other side, with a long way down to go. */
    map->spawns[1] = map->spawns[0];
    map->spawns[1].x = SIDE - 60.0f;
    map->spawns[1].y = 10.0f;
    map->spawns[1].width = map->spawns[1].height = 40.0f;
    map->spawns[1].count = walkers;
    crowd->world = create_world(map, executor, c->units);
    fr_status status = fr_map_populate(map, c->units, SEED, (fr_vec2){0}, crowd->world, error);
    if (status != FR_OK) {
        return status;
    }
    double middle = (double)side / 2.0 + 9.5;
    switch (c->kind) {
    case CROWD_WALKS:
        return order(crowd, 0, c->units, fr_position_at(SIDE * 0.75 + 0.5, SIDE * 0.25 + 0.5));
    case CROWD_SETTLES:
        return order(crowd, 0, c->units, fr_position_at(middle + 1.0, SIDE - middle));
    case CROWD_STANDS:
        return FR_OK;
    case CROWD_IS_PASSED:
        break;
    }
    return order(crowd, c->units - walkers, walkers, fr_position_at(SIDE - 40.0, SIDE - 20.0));
}

static fr_status begin_scenario(crowd_run *crowd, const crowd_case *c, fr_executor executor, const fr_io *io,
                                fr_error *error)
{
    crowd->scenario = fr_scenario_load(io, c->scenario, error);
    if (crowd->scenario == NULL) {
        return FR_BAD_INPUT;
    }
    crowd->world = create_world(crowd->scenario->map, executor, fr_scenario_unit_count(crowd->scenario));
    return fr_scenario_populate(crowd->scenario, crowd->scenario->seed, (fr_vec2){0}, crowd->world, error);
}

static void end(crowd_run *crowd)
{
    if (crowd->world != NULL) {
        fr_world_destroy(crowd->world);
    }
    if (crowd->scenario != NULL) {
        fr_scenario_destroy(crowd->scenario);
    }
    fr_map_destroy(crowd->own_map);
}

/* One tick; returns how long it took. */
static double tick_ms(crowd_run *crowd)
{
    if (crowd->scenario != NULL) {
        fr_scenario_submit(crowd->scenario, crowd->world);
    }
    Uint64 began = SDL_GetPerformanceCounter();
    fr_world_tick(crowd->world);
    return (double)(SDL_GetPerformanceCounter() - began) * 1000.0 / (double)SDL_GetPerformanceFrequency();
}

static int32_t count_moving(const fr_snapshot *snapshot)
{
    int32_t moving = 0;
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        double dx = fr_cells(snapshot->position[i].x - snapshot->previous[i].x);
        double dy = fr_cells(snapshot->position[i].y - snapshot->previous[i].y);
        double least = MOVING_SPEED_SHARE * (double)snapshot->speed[i] / FR_TICK_HZ;
        moving += dx * dx + dy * dy > least * least;
    }
    return moving;
}

static bool is_at_rest(const fr_snapshot *snapshot)
{
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        if (snapshot->state[i] == FR_UNIT_MOVING) {
            return false;
        }
    }
    return true;
}

/* Until all have come to rest; a crowd that does not is measured as it is, and that is said. */
static void settle(const fr_bench *bench, const crowd_case *c, crowd_run *crowd)
{
    while (!is_at_rest(fr_world_snapshot(crowd->world))) {
        if (fr_world_snapshot(crowd->world)->tick >= SETTLING_TICKS_MAX) {
            fr_complain(bench->name, "%s: not at rest after %d ticks", c->name, SETTLING_TICKS_MAX);
            return;
        }
        tick_ms(crowd);
    }
}

static crowd_figures measure(const fr_bench *bench, const crowd_case *c, crowd_run *crowd)
{
    int32_t ticks = bench->quick ? MEASURED_TICKS_FEW : MEASURED_TICKS;
    for (int i = 0; i < WARM_UP_TICKS; i++) {
        tick_ms(crowd);
    }
    if (c->kind == CROWD_SETTLES) {
        settle(bench, c, crowd);
    }
    double times[MEASURED_TICKS];
    int64_t moving = 0;
    for (int32_t i = 0; i < ticks; i++) {
        times[i] = tick_ms(crowd);
        moving += count_moving(fr_world_snapshot(crowd->world));
    }
    crowd_figures figures = {.p50_ms = fr_median(times, ticks)};
    figures.p99_ms = times[(ticks * 99 + 99) / 100 - 1]; /* the median has sorted them; nearest rank */
    figures.max_ms = times[ticks - 1];
    figures.moving_share = (double)moving / ((double)ticks * c->units);
    figures.hash = fr_world_hash(crowd->world);
    return figures;
}

static void write_case(const fr_bench *bench, const crowd_case *c, const crowd_figures *runs, int count)
{
    double p50[REPEATS], p99[REPEATS], most[REPEATS];
    for (int i = 0; i < count; i++) {
        p50[i] = runs[i].p50_ms;
        p99[i] = runs[i].p99_ms;
        most[i] = runs[i].max_ms;
    }
    double median_ms = fr_median(p50, count);
    fr_json_writer *writer = bench->writer;
    fr_bench_begin_case(bench, c->name);
    fr_json_write_int(writer, "units", c->units);
    fr_json_write_int(writer, "threads", bench->threads);
    fr_json_write_fixed(writer, "moving_share", runs[0].moving_share, 4);
    fr_json_write_fixed(writer, "tick_p50_ms", median_ms, 3);
    fr_json_write_fixed(writer, "tick_p99_ms", fr_median(p99, count), 3);
    fr_json_write_fixed(writer, "tick_max_ms", fr_median(most, count), 3);
    fr_json_write_fixed(writer, "ns_per_unit", median_ms * 1e6 / c->units, 1);
    fr_json_write_null(writer, "ratio");
    fr_json_end_object(writer);
}

static bool run_case(const fr_bench *bench, const crowd_case *c, fr_executor executor, const fr_io *io)
{
    crowd_figures runs[REPEATS];
    int repeats = bench->quick ? REPEATS_QUICK : REPEATS;
    for (int i = 0; i < repeats; i++) {
        crowd_run crowd = {0};
        fr_error error = {0};
        fr_status status = c->scenario != NULL ? begin_scenario(&crowd, c, executor, io, &error)
                                               : begin_open(&crowd, c, executor, &error);
        if (status == FR_OK) {
            runs[i] = measure(bench, c, &crowd);
        }
        end(&crowd);
        if (status != FR_OK) {
            fr_complain(bench->name, "%s: %s", c->name, error.message);
            return false;
        }
        if (runs[i].hash != runs[0].hash) {
            fr_complain(bench->name, "%s: two runs ended in different states", c->name);
            return false;
        }
    }
    write_case(bench, c, runs, repeats);
    return true;
}

/* With the case's own number of threads, if it has one. */
static bool run_threaded(const fr_bench *bench, const crowd_case *c, const fr_io *io)
{
    fr_bench own = *bench;
    own.threads = c->threads >= 0 ? c->threads : bench->threads;
    fr_error error = {0};
    fr_pool *pool = own.threads > 0 ? fr_pool_create(own.threads, &error) : NULL;
    if (own.threads > 0 && pool == NULL) {
        fr_complain(bench->name, "%s", error.message);
        return false;
    }
    bool good = run_case(&own, c, pool != NULL ? fr_pool_executor(pool) : fr_executor_inline(), io);
    fr_pool_destroy(pool);
    return good;
}

static bool run_cases(const fr_bench *bench, const crowd_case *cases, size_t count)
{
    fr_io io = fr_stdio_io(bench->name);
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        crowd_case own = cases[i];
        fr_error error = {{0}};
        char *path = own.scenario != NULL ? fr_bench_data(own.scenario, &error) : NULL;
        if (own.scenario != NULL && path == NULL) {
            fprintf(stderr, "%s: %s skipped: %s\n", bench->name, own.name, error.message);
            continue;
        }
        own.scenario = path;
        good = run_threaded(bench, &own, &io) && good;
        fr_free(path);
    }
    return good;
}

bool fr_bench_crowd(const fr_bench *bench)
{
    static const crowd_case cases[] = {
        {"open-2000", 2000, NULL, CROWD_WALKS, -1},
        {"open-10000", 10000, NULL, CROWD_WALKS, -1},
        {"vale-west-10000", 10000, VALE_SCENARIO, CROWD_WALKS, -1},
        {"settled-10000", 10000, NULL, CROWD_SETTLES, -1},
    };
    return run_cases(bench, cases, sizeof cases / sizeof *cases);
}

bool fr_bench_scale(const fr_bench *bench)
{
    static const crowd_case cases[] = {
        {"s12-10k", 10000, "maps/scenarios/s12-10k.json", CROWD_WALKS, 0},
        {"s12-100k", 100000, "maps/scenarios/s12-100k.json", CROWD_WALKS, 1},
        {"standing-100000", 100000, NULL, CROWD_STANDS, 1},
        {"passed-100000", 100000, NULL, CROWD_IS_PASSED, 1},
    };
    return run_cases(bench, cases, sizeof cases / sizeof *cases);
}
