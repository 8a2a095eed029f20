/* bench_repair: a building of 3x3 cells goes up somewhere on a map and is razed again; each time the field is
 * repaired, timed against a build of the whole field, and compared with it bit by bit. */
#include <stdlib.h>
#include <string.h>

#include "../common/field_timing.h"
#include "../common/map_maker.h"
#include "base/memory.h"
#include "base/rng.h"
#include "bench.h"
#include "field/repair.h"

#define SEED            1
#define SIDE            3 /* cells of a building */
#define BUILDINGS       100
#define BUILDINGS_QUICK 20
#define GOALS           5 /* as many fields take turns */
#define BUILDS          5 /* timed per field, and their median taken */

typedef struct site {
    fr_map *map;
    fr_cost *cost;
    fr_scratch *scratch;
    fr_field_pool *pool;
    fr_repair *repair;
    fr_goal goal;
    fr_field *field;
    const fr_cost_snapshot *snapshot; /* of the field */
    double build_ns;                  /* of the field as a whole */
} site;

typedef struct result {
    double *shares; /* [repairs] time of a repair / time of a build */
    int repairs, given_up;
    int64_t changed; /* cells, over all repairs */
    bool equal;
} result;

/* A field built anew over the costs of now, from memory taken to field seen. */
static fr_field *build(site *s, double *ns)
{
    uint64_t begin = fr_thread_ns();
    fr_field *field = fr_field_reserve(s->pool, s->map->grid);
    fr_field_fill(field, s->scratch, s->snapshot, FR_CLASS_FOOT, &s->goal, 1);
    fr_field_settle(s->pool, field);
    *ns = (double)(fr_thread_ns() - begin);
    return field;
}

static void begin_field(site *s, fr_cell goal)
{
    double times[BUILDS];
    s->goal = (fr_goal){goal, 0};
    for (int i = 0; i < BUILDS; i++) {
        fr_field_destroy(s->pool, s->field);
        s->field = build(s, &times[i]);
    }
    s->build_ns = fr_median(times, BUILDS);
}

static bool same(const fr_field *a, const fr_field *b)
{
    return fr_field_count_changes(a, b) == 0 && fr_field_maximum(a) == fr_field_maximum(b) &&
           fr_field_saturated(a) == fr_field_saturated(b);
}

/* Brings the field up to the costs of now, and notes how long that took. */
static void repair(site *s, result *r)
{
    const fr_cost_snapshot *now = fr_cost_acquire(s->cost);
    uint64_t begin = fr_thread_ns();
    fr_field *after = fr_field_clone(s->pool, s->field);
    bool done = fr_field_repair(after, s->repair, s->snapshot, now, FR_CLASS_FOOT, &s->goal, 1);
    if (!done) {
        fr_field_fill(after, s->scratch, now, FR_CLASS_FOOT, &s->goal, 1);
    }
    fr_field_settle(s->pool, after);
    double ns = (double)(fr_thread_ns() - begin);

    fr_cost_release(s->cost, s->snapshot);
    s->snapshot = now;
    r->shares[r->repairs++] = ns / s->build_ns;
    r->given_up += !done;
    r->changed += fr_field_count_changes(s->field, after);
    double ignored;
    fr_field *anew = build(s, &ignored);
    r->equal = same(after, anew) && r->equal;
    fr_field_destroy(s->pool, anew);
    fr_field_destroy(s->pool, s->field);
    s->field = after;
}

static fr_cell random_open_cell(const site *s, fr_rng *rng)
{
    for (;;) {
        int32_t index = (int32_t)fr_rng_below(rng, (uint32_t)fr_grid_count(s->map->grid));
        fr_cell cell = fr_grid_cell(s->map->grid, index);
        if (fr_field_value(s->field, cell) != FR_UNREACHED) {
            return cell;
        }
    }
}

static void write_case(const fr_bench *bench, const char *name, const site *s, const result *r)
{
    double median = fr_median(r->shares, r->repairs), p95 = r->shares[(r->repairs * 95 + 99) / 100 - 1];
    fr_bench_begin_case(bench, name);
    fr_json_write_string(bench->writer, "map", s->map->name);
    fr_json_write_int(bench->writer, "width", s->map->grid.width);
    fr_json_write_int(bench->writer, "height", s->map->grid.height);
    fr_json_write_int(bench->writer, "repairs", r->repairs);
    fr_json_write_number(bench->writer, "build_ms", s->build_ns * 1e-6);
    fr_json_write_number(bench->writer, "cells_changed_mean", (double)r->changed / r->repairs);
    fr_json_write_int(bench->writer, "given_up", r->given_up);
    fr_json_write_number(bench->writer, "median_share", median);
    fr_json_write_number(bench->writer, "p95_share", p95);
    fr_json_write_number(bench->writer, "ratio", 1.0 / median);
    fr_json_write_bool(bench->writer, "equal", r->equal);
    fr_json_end_object(bench->writer);
}

static bool time_repairs(const fr_bench *bench, fr_map_kind kind, int32_t side, uint8_t dearest,
                         const char *name)
{
    fr_map *map = fr_make_map(kind, (fr_grid){side, side}, SEED, dearest);
    site s = {.map = map, .cost = fr_cost_create(map)};
    s.scratch = fr_scratch_create(map->grid);
    s.pool = fr_field_pool_create(map->grid, FR_FIELD_BYTES);
    s.repair = fr_repair_create(map->grid, fr_repair_worthwhile(map->grid));
    s.snapshot = fr_cost_acquire(s.cost);
    int buildings = bench->quick ? BUILDINGS_QUICK : BUILDINGS;
    result r = {.shares = fr_alloc((size_t)(2 * buildings), sizeof *r.shares), .equal = true};
    fr_rng rng = {SEED};
    fr_cell goal;
    bool good = fr_central_cell(map, FR_CLASS_FOOT, &goal);
    for (int i = 0; good && i < buildings; i++) {
        if (i % (buildings / GOALS) == 0) {
            begin_field(&s, goal);
            goal = random_open_cell(&s, &rng); /* the next one's: in reach of this one */
        }
        fr_cell at = random_open_cell(&s, &rng);
        fr_rect rect = {at.x - SIDE / 2, at.y - SIDE / 2, SIDE, SIDE};
        fr_cost_set_edit(s.cost, rect, FR_COST_WALL);
        repair(&s, &r);
        fr_cost_set_edit(s.cost, rect, 0);
        repair(&s, &r);
    }
    if (good) {
        write_case(bench, name, &s, &r);
    }
    fr_free(r.shares);
    fr_cost_release(s.cost, s.snapshot);
    fr_repair_destroy(s.repair);
    fr_field_pool_destroy(s.pool);
    fr_scratch_destroy(s.scratch);
    fr_cost_destroy(s.cost);
    fr_map_destroy(map);
    return r.equal;
}

bool fr_bench_repair(const fr_bench *bench)
{
    static const struct {
        fr_map_kind kind;
        int32_t side;
        uint8_t dearest;
        const char *name;
    } cases[] = {
        {FR_MAP_CAVE, 1024, 1, "repair-cave-1024-uniform"},
        {FR_MAP_CAVE, 1024, 8, "repair-cave-1024-1to8"},
        {FR_MAP_OPEN, 1024, 1, "repair-open-1024-uniform"},
        {FR_MAP_MAZE, 1024, 1, "repair-maze-1024-uniform"},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        good = time_repairs(bench, cases[i].kind, cases[i].side, cases[i].dearest, cases[i].name) && good;
    }
    return good;
}
