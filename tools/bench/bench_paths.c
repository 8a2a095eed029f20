/* bench_paths: from how many units on is one field cheaper than a path for each? Units anywhere on a cave
 * map, and a crowd that stands together, walk to one goal: the whole field, arrows included, against one A* a
 * unit in the same thread. Every price that A* finds must be the field's. */
#include <math.h>
#include <string.h>

#include "../common/field_timing.h"
#include "../common/map_maker.h"
#include "astar.h"
#include "base/memory.h"
#include "base/rng.h"
#include "bench.h"
#include "field/integrate.h"

#define SEED        1
#define DEAREST     8
#define SIDE        1024
#define PATHS       200
#define PATHS_QUICK 40
#define REPEAT      5
#define CROWD_SIDE  64 /* a crowd stands in a square of this side */
#define PATH_CELLS  16384

typedef struct scene {
    const char *name;
    uint8_t dearest;
    bool is_crowd;
} scene;

/* Draws the starts from the cells that have a way to the goal: anywhere, or in one corner of the map. */
static void draw_starts(const fr_scratch *field, const scene *s, fr_cell *starts, int count)
{
    fr_grid grid = fr_scratch_grid(field);
    fr_rng rng = {SEED};
    fr_rect area = {0, 0, grid.width, grid.height};
    if (s->is_crowd) {
        area = (fr_rect){grid.width / 8, grid.height / 8, CROWD_SIDE, CROWD_SIDE};
    }
    for (int i = 0; i < count;) {
        fr_cell cell = {area.x + (int32_t)fr_rng_below(&rng, (uint32_t)area.width),
                        area.y + (int32_t)fr_rng_below(&rng, (uint32_t)area.height)};
        uint32_t value = fr_scratch_integration(field)[(ptrdiff_t)cell.y * fr_scratch_stride(field) + cell.x];
        if (value != FR_UNREACHED) {
            starts[i++] = cell;
        }
    }
}

static double time_field(fr_scratch *scratch, const uint8_t *costs, fr_cell goal)
{
    double ns[REPEAT];
    for (int i = -1; i < REPEAT; i++) { /* the first touches the memory and does not count */
        uint64_t begin = fr_thread_ns();
        fr_build_whole_field(scratch, costs, goal);
        ns[i < 0 ? 0 : i] = (double)(fr_thread_ns() - begin);
    }
    return fr_median(ns, REPEAT);
}

/* One path for each start; their mean time, and whether all prices are the field's. */
static double time_paths(const fr_map *map, const fr_scratch *field, fr_cell goal, const fr_cell *starts,
                         int count, bool *equal)
{
    fr_astar *astar = fr_astar_create(map->grid, map->costs[FR_CLASS_FOOT]);
    fr_cell *path = fr_alloc(PATH_CELLS, sizeof *path);
    uint64_t spent = 0;
    *equal = true;
    fr_astar_find(astar, starts[0], goal); /* touches the memory */
    for (int i = 0; i < count; i++) {
        uint64_t begin = fr_thread_ns();
        uint32_t price = fr_astar_find(astar, starts[i], goal);
        fr_astar_path(astar, path, PATH_CELLS);
        spent += fr_thread_ns() - begin;
        uint32_t expected =
            fr_scratch_integration(field)[(ptrdiff_t)starts[i].y * fr_scratch_stride(field) + starts[i].x];
        *equal = *equal && price == expected;
    }
    fr_free(path);
    fr_astar_destroy(astar);
    return (double)spent / count;
}

static bool run_scene(const fr_bench *bench, const scene *s)
{
    fr_map *map = fr_make_map(FR_MAP_CAVE, (fr_grid){SIDE, SIDE}, SEED, s->dearest);
    fr_scratch *scratch = fr_scratch_create(map->grid);
    int count = bench->quick ? PATHS_QUICK : PATHS;
    fr_cell *starts = fr_alloc((size_t)count, sizeof *starts), goal = {0, 0};
    bool equal = false;
    if (fr_central_cell(map, FR_CLASS_FOOT, &goal)) {
        double field_ns = time_field(scratch, map->costs[FR_CLASS_FOOT], goal);
        draw_starts(scratch, s, starts, count);
        double path_ns = time_paths(map, scratch, goal, starts, count, &equal);
        fr_bench_begin_case(bench, s->name);
        fr_json_write_int(bench->writer, "paths", count);
        fr_json_write_fixed(bench->writer, "field_ms", field_ns / 1e6, 3);
        fr_json_write_fixed(bench->writer, "path_ms", path_ns / 1e6, 3);
        fr_json_write_int(bench->writer, "break_even", (int64_t)ceil(field_ns / path_ns));
        fr_json_write_fixed(bench->writer, "ratio", 1000.0 * path_ns / field_ns, 1);
        fr_json_write_bool(bench->writer, "equal", equal);
        fr_json_end_object(bench->writer);
    }
    fr_free(starts);
    fr_scratch_destroy(scratch);
    fr_map_destroy(map);
    return equal;
}

bool fr_bench_paths(const fr_bench *bench)
{
    static const scene scenes[] = {
        {"cave-1024-anywhere-uniform", 1, false},
        {"cave-1024-anywhere-1to8", DEAREST, false},
        {"cave-1024-crowd-uniform", 1, true},
        {"cave-1024-crowd-1to8", DEAREST, true},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        good = run_scene(bench, &scenes[i]) && good;
    }
    return good;
}
