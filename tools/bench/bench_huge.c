#include "bench_huge.h"

#include <SDL.h>
#include <math.h>

#include "../common/field_timing.h"
#include "../common/map_maker.h"
#include "../common/options.h"
#include "base/memory.h"
#include "field/field_internal.h"
#include "jobs/pool.h"
#include "sim/scenario.h"

#define SIDE          4096
#define SEED          1
#define UNITS         2000
#define WARM_UP_TICKS 5
#define REPEATS       3
#define REPEATS_QUICK 1

typedef struct huge_case {
    const char *name;
    fr_cell goal;
    int ticks; /* from the order on */
} huge_case;

/* What one run gives. */
typedef struct huge_run {
    double order_tick_ms, tick_max_ms, wait_ms, worker_ms;
    double way_cells, field_share, handover_deg;
    int field_ticks; /* 0: it never came */
    int32_t turned;  /* units that had a heading after the tick of the order */
} huge_run;

/* The square in which they stand. */
static const fr_spawn crowd = {.x = 1000.0f,
                               .y = 1000.0f,
                               .width = 76.0f,
                               .height = 76.0f,
                               .count = UNITS,
                               .radius = FR_RADIUS_DEFAULT,
                               .speed = FR_SPEED_DEFAULT};

static uint64_t real_ns(void *clock)
{
    (void)clock;
    return (uint64_t)((double)SDL_GetPerformanceCounter() * 1e9 / (double)SDL_GetPerformanceFrequency());
}

/* A tick, and then sleep until the next is due, as in the game. Returns the time that it computed. */
static double paced_tick_ms(fr_world *world, uint64_t due_ns)
{
    uint64_t begin = fr_thread_ns();
    fr_world_tick(world);
    double ms = (double)(fr_thread_ns() - begin) / 1e6;
    uint64_t now = real_ns(NULL);
    if (now < due_ns) {
        SDL_Delay((Uint32)((due_ns - now) / 1000000u));
    }
    return ms;
}

static fr_status order(fr_world *world, fr_cell goal)
{
    uint32_t *all = fr_alloc(UNITS, sizeof *all);
    for (uint32_t i = 0; i < UNITS; i++) {
        all[i] = i;
    }
    fr_position position = fr_cell_centre(goal);
    fr_command move = {
        .kind = FR_COMMAND_MOVE, .units = all, .unit_count = UNITS, .goals = &position, .goal_count = 1};
    fr_status status = fr_world_submit(world, &move);
    fr_free(all);
    return status;
}

static int32_t count_moved(const fr_snapshot *snapshot)
{
    int32_t moved = 0;
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        moved += snapshot->position[i].x != snapshot->previous[i].x ||
                 snapshot->position[i].y != snapshot->previous[i].y;
    }
    return moved;
}

static void measure(fr_world *world, const huge_case *c, huge_run *run)
{
    const uint64_t tick_ns = 1000000000u / FR_TICK_HZ;
    uint64_t due = real_ns(NULL);
    for (int i = 0; i < WARM_UP_TICKS; i++) {
        paced_tick_ms(world, due += tick_ns);
    }
    order(world, c->goal);
    for (int i = 0; i < c->ticks; i++) {
        double ms = paced_tick_ms(world, due += tick_ns);
        if (i == 0) {
            run->order_tick_ms = ms;
            run->turned = count_moved(fr_world_snapshot(world));
        } else {
            run->tick_max_ms = ms > run->tick_max_ms ? ms : run->tick_max_ms;
        }
        const fr_field *field = fr_world_unit_field(world, 0);
        if (run->field_ticks == 0 && field != NULL) {
            run->field_ticks = i + 1;
            run->worker_ms = (double)fr_world_statistics(world).field_work_ns / 1e6;
            fr_cell cell = fr_cell_at(fr_world_snapshot(world)->position[0]);
            run->way_cells = (double)fr_field_value(field, cell) / FR_STEP_STRAIGHT;
        }
    }
    fr_world_stats stats = fr_world_statistics(world);
    double whole = (double)SIDE * SIDE / FR_BLOCK_CELLS * sizeof(fr_field_block);
    run->wait_ms = (double)stats.field_wait_ns_max / 1e6;
    run->field_share = (double)stats.field_bytes_max / whole;
    run->handover_deg = acos(fmin(1.0, (double)stats.field_handover_cosine)) * 180.0 / 3.14159265358979;
}

static void write_case(const fr_bench *bench, const huge_case *c, const huge_run *runs, int count)
{
    const struct {
        const char *key;
        size_t offset;
    } members[] = {
        {"order_tick_ms", offsetof(huge_run, order_tick_ms)},
        {"tick_max_ms", offsetof(huge_run, tick_max_ms)},
        {"wait_ms", offsetof(huge_run, wait_ms)},
        {"field_worker_ms", offsetof(huge_run, worker_ms)},
        {"way_cells", offsetof(huge_run, way_cells)},
        {"field_share", offsetof(huge_run, field_share)},
        {"handover_deg", offsetof(huge_run, handover_deg)},
    };
    fr_bench_begin_case(bench, c->name);
    fr_json_write_int(bench->writer, "threads", bench->threads);
    fr_json_write_int(bench->writer, "field_ticks", runs[0].field_ticks);
    for (size_t m = 0; m < sizeof members / sizeof *members; m++) {
        double values[REPEATS];
        for (int i = 0; i < count; i++) {
            values[i] = *(const double *)((const char *)&runs[i] + members[m].offset);
        }
        fr_json_write_fixed(bench->writer, members[m].key, fr_median(values, count), 3);
    }
    fr_json_write_null(bench->writer, "ratio");
    fr_json_end_object(bench->writer);
}

static bool run_case(const fr_bench *bench, const huge_case *c, const fr_map *map, fr_executor executor)
{
    huge_run runs[REPEATS] = {0};
    int repeats = bench->quick ? REPEATS_QUICK : REPEATS;
    for (int i = 0; i < repeats; i++) {
        fr_world_config config = fr_world_config_default();
        config.map = map;
        config.executor = executor;
        config.unit_capacity = UNITS;
        config.now_ns = real_ns;
        fr_world *world = fr_world_create(&config);
        fr_error error = {0};
        bool placed = fr_map_populate(map, UNITS, SEED, (fr_vec2){0}, world, &error) == FR_OK;
        if (placed) {
            measure(world, c, &runs[i]);
        }
        fr_world_destroy(world);
        if (!placed || runs[i].field_ticks == 0 || runs[i].turned < UNITS * 9 / 10) {
            fr_complain(bench->name, "%s: %s", c->name,
                        !placed                    ? error.message
                        : runs[i].field_ticks == 0 ? "no field came"
                                                   : "units did not set out in the tick of the order");
            return false;
        }
    }
    write_case(bench, c, runs, repeats);
    return true;
}

bool fr_bench_huge(const fr_bench *bench)
{
    static const huge_case cases[] = {
        {"cave-4096-600-cells", {1520, 1300}, 30},
        {"cave-4096-3500-cells", {3500, 3000}, 180},
    };
    fr_error error = {0};
    fr_pool *pool = bench->threads > 0 ? fr_pool_create(bench->threads, &error) : NULL;
    if (bench->threads > 0 && pool == NULL) {
        fr_complain(bench->name, "%s", error.message);
        return false;
    }
    fr_map *map = fr_make_map(FR_MAP_CAVE, (fr_grid){SIDE, SIDE}, SEED, 1);
    map->spawns = fr_alloc(1, sizeof *map->spawns);
    map->spawns[0] = crowd;
    map->spawn_count = 1;
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        good =
            run_case(bench, &cases[i], map, pool != NULL ? fr_pool_executor(pool) : fr_executor_inline()) &&
            good;
    }
    fr_map_destroy(map);
    fr_pool_destroy(pool);
    return good;
}
