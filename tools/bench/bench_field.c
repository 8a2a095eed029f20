/* bench_field: one field from plain costs to arrows, against the textbook: five kinds of maps, with and
 * without weights, and the benchmark maps under $FRESHET_CASES where they are. */
#include <stdio.h>
#include <stdlib.h>

#include "../common/field_timing.h"
#include "../common/map_maker.h"
#include "bench.h"
#include "files/stdio_io.h"
#include "mapio/mapio.h"

#define SEED         1
#define DEAREST      8
#define REPEAT       5
#define REPEAT_QUICK 3

static bool time_map(const fr_bench *bench, const fr_map *map, const char *name)
{
    fr_cell goal;
    if (!fr_central_cell(map, FR_CLASS_FOOT, &goal)) {
        return true; /* nothing but walls: no case */
    }
    int repeats = bench->quick ? REPEAT_QUICK : REPEAT;
    fr_field_timing timing = fr_time_field(map->grid, map->costs[FR_CLASS_FOOT], goal, repeats);
    fr_bench_begin_case(bench, name);
    fr_write_field_timing(bench->writer, map->name, &timing);
    fr_json_end_object(bench->writer);
    return timing.equal;
}

static bool time_made_maps(const fr_bench *bench)
{
    static const int32_t sizes[] = {512, 1024, 2048};
    size_t size_count = sizeof sizes / sizeof *sizes - (bench->quick ? 1 : 0);
    static const fr_map_kind kinds[] = {FR_MAP_OPEN, FR_MAP_NOISE, FR_MAP_CAVE, FR_MAP_MAZE, FR_MAP_ROOMS};
    bool good = true;
    for (size_t s = 0; s < size_count; s++) {
        for (size_t k = 0; k < 2 * sizeof kinds / sizeof *kinds; k++) {
            fr_map_kind kind = kinds[k / 2];
            bool weighted = k % 2 != 0;
            fr_map *map = fr_make_map(kind, (fr_grid){sizes[s], sizes[s]}, SEED, weighted ? DEAREST : 1);
            char name[64];
            snprintf(name, sizeof name, "%s-%d-%s", fr_map_kind_name(kind), sizes[s],
                     weighted ? "1to8" : "uniform");
            good = time_map(bench, map, name) && good;
            fr_map_destroy(map);
        }
    }
    return good;
}

static bool time_given_maps(const fr_bench *bench)
{
    static const char *const names[] = {"Caldera",   "icecrown",    "maze512-1-0", "random512-40-7",
                                        "8room_000", "Paris_1_256", "brc000d"};
    const char *cases = getenv("FRESHET_CASES");
    bool good = true;
    fr_io io = fr_stdio_io(bench->name);
    for (size_t i = 0; i < sizeof names / sizeof *names && cases != NULL; i++) {
        char path[512];
        fr_error error = {0};
        snprintf(path, sizeof path, "%s/movingai/%s.map", cases, names[i]);
        fr_map *map = fr_map_load(&io, path, &error);
        if (map == NULL) {
            io.log(io.self, error.message);
            continue;
        }
        good = time_map(bench, map, names[i]) && good;
        fr_map_destroy(map);
    }
    return good;
}

bool fr_bench_field(const fr_bench *bench)
{
    bool made = time_made_maps(bench);
    return time_given_maps(bench) && made;
}
