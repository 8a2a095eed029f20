/* The field service after changes of costs: what is repaired, what that is charged, and that nobody can tell
 * how a successor came about. */
#include "service_scene.h"

#include "base/hash.h"
#include "base/rng.h"
#include "field/field_internal.h"
#include "field/repair.h"
#include "jobs/pool.h"

static bench open_bench(fr_map *map, fr_executor executor)
{
    return make_bench(map, executor, FR_FIELD_BYTES);
}

/* Ticks until the field that is seen is another than now, the one that shows it included. */
static int ticks_until_seen(bench *b)
{
    const fr_field *before = fr_field_service_get(b->service, b->id);
    for (int ticks = 1; ticks <= 40; ticks++) {
        tick(b);
        if (fr_field_service_get(b->service, b->id) != before) {
            return ticks;
        }
    }
    return -1;
}

/* Cells in which the field that is seen differs from one built now. */
static int32_t count_differences(bench *b, int32_t x, int32_t y)
{
    fr_goal goal = {{x, y}, 0};
    fr_scratch *scratch = fr_scratch_create(b->map->grid);
    fr_field_pool *pool = fr_field_pool_create(b->map->grid, FR_FIELD_BYTES);
    fr_field *anew = fr_field_build(pool, scratch, b->cost, FR_CLASS_FOOT, &goal, 1);
    int32_t changes = fr_field_count_changes(fr_field_service_get(b->service, b->id), anew);
    fr_field_pool_destroy(pool);
    fr_scratch_destroy(scratch);
    return changes;
}

/* What a change takes depends on what it changes alone: a shadow is seen two ticks later; so is a door that
 * opens half the map, although the repair gives up and the field is built. */
static void test_changes_are_charged_by_cell(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        fr_rect rect;
        uint8_t cost;
    } edits[] = {
        {"a building", {250, 150, 3, 3}, FR_COST_WALL},
        {"razed", {250, 150, 3, 3}, 0},
        {"half the map shut off", {150, 0, 1, 250}, FR_COST_WALL},
        {"a door", {150, 20, 1, 2}, 0},
        {"all is dearer", {0, 0, 260, 250}, 3},
        {"a wall that nobody passes", {259, 249, 1, 1}, FR_COST_WALL},
    };
    bench b = open_bench(open_map(260, 250), fr_executor_inline());
    b.id = request(&b, 5, 5);
    assert_int_equal(ticks_until_seen(&b), 1 + FR_FIELD_LATENCY_TICKS);
    for (size_t e = 0; e < sizeof edits / sizeof *edits; e++) {
        edit(&b, edits[e].rect, edits[e].cost);
        int32_t changes = count_differences(&b, 5, 5);
        assert_true(changes > 0);
        int ticks = ticks_until_seen(&b);
        if (ticks != 1 + FR_FIELD_LATENCY_TICKS) {
            fail_msg("%s: %d cells changed, seen after %d ticks", edits[e].name, changes, ticks);
        }
        if (count_differences(&b, 5, 5) != 0) {
            fail_msg("%s: not what a build gives", edits[e].name);
        }
    }
    close_bench(&b);
}

/* A change while a repair is under way: the repair is finished and seen, then the next one begins. */
static void test_change_during_repair(void **state)
{
    (void)state;
    bench b = open_bench(open_map(120, 70), fr_executor_inline());
    b.id = request(&b, 5, 5);
    ticks_until_seen(&b);
    edit(&b, (fr_rect){60, 30, 1, 30}, FR_COST_WALL);
    tick(&b);
    edit(&b, (fr_rect){80, 10, 1, 30}, FR_COST_WALL);
    const fr_field *before = fr_field_service_get(b.service, b.id);
    assert_int_equal(fr_field_value(before, (fr_cell){60, 40}),
                     35 * FR_STEP_DIAGONAL + 20 * FR_STEP_STRAIGHT);
    assert_int_equal(ticks_until_seen(&b), 2);
    const fr_field *first = fr_field_service_get(b.service, b.id);
    assert_int_equal(fr_field_value(first, (fr_cell){60, 40}), FR_UNREACHED);
    assert_true(fr_field_value(first, (fr_cell){80, 20}) != FR_UNREACHED);
    assert_int_equal(ticks_until_seen(&b), 2);
    assert_int_equal(count_differences(&b, 5, 5), 0);
    close_bench(&b);
}

/* Many fields are stale at once: all follow, a few a tick. */
static void test_many_fields(void **state)
{
    (void)state;
    enum { FIELDS = 40 };
    bench b = open_bench(open_map(70, 40), fr_executor_inline());
    fr_field_id ids[FIELDS];
    for (int i = 0; i < FIELDS; i++) {
        ids[i] = request(&b, i, 3);
    }
    for (int t = 0; t < 8; t++) {
        tick(&b);
    }
    edit(&b, (fr_rect){0, 20, 60, 1}, FR_COST_WALL);
    for (int t = 0; t < 6; t++) {
        tick(&b);
    }
    for (int i = 0; i < FIELDS; i++) {
        b.id = ids[i];
        assert_int_equal(count_differences(&b, i, 3), 0);
    }
    close_bench(&b);
}

/* ---- one history, told by everybody alike ---- */

enum { HISTORY_TICKS = 30, HISTORY_FIELDS = 3 };

typedef struct history {
    uint64_t service[HISTORY_TICKS], fields[HISTORY_TICKS];
} history;

static uint64_t hash_fields(const bench *b, const fr_field_id *ids)
{
    uint64_t hash = FR_HASH_SEED;
    for (int f = 0; f < HISTORY_FIELDS; f++) {
        const fr_field *field = fr_field_service_get(b->service, ids[f]);
        for (int32_t i = 0; field != NULL && i < fr_grid_count(b->map->grid); i += 7) {
            fr_field_cell cell = fr_field_cell_at(field, fr_grid_cell(b->map->grid, i));
            hash = fr_hash_u32(fr_hash_u32(hash, cell.integration), cell.best);
        }
    }
    return hash;
}

/* Saves the service, and goes on with the copy. */
static void reload(bench *b, fr_executor executor)
{
    fr_buffer saved = {0};
    fr_cost_save(b->cost, &saved);
    fr_field_service_save(b->service, &saved);
    fr_field_service_destroy(b->service);
    fr_cost_destroy(b->cost);
    fr_reader reader = {saved.data, saved.size, 0};
    b->cost = fr_cost_create(b->map);
    assert_true(fr_cost_load(b->cost, &reader));
    b->service = fr_field_service_create(b->cost, executor, FR_FIELD_BYTES, NULL, NULL);
    assert_true(fr_field_service_load(b->service, &reader));
    fr_buffer_fini(&saved);
}

/* `reload_every` ticks the service is saved and loaded (0: never), and so loses what it would repair from. */
static history tell(fr_executor executor, uint32_t reload_every)
{
    history told;
    bench b = open_bench(open_map(200, 130), executor);
    fr_field_id ids[HISTORY_FIELDS];
    fr_rng rng = {7};
    for (int f = 0; f < HISTORY_FIELDS; f++) {
        ids[f] = request(&b, 40 * f + 3, 20 * f + 5);
    }
    for (uint32_t t = 0; t < HISTORY_TICKS; t++) {
        if (t >= 5 && t < 24 && fr_rng_below(&rng, 3) != 0) {
            fr_rect rect = {(int32_t)fr_rng_below(&rng, 200), (int32_t)fr_rng_below(&rng, 130),
                            1 + (int32_t)fr_rng_below(&rng, 9), 1 + (int32_t)fr_rng_below(&rng, 40)};
            edit(&b, rect, fr_rng_below(&rng, 3) == 0 ? 0 : FR_COST_WALL);
        }
        tick(&b);
        if (reload_every > 0 && t % reload_every == reload_every - 1) {
            reload(&b, executor);
        }
        told.service[t] = fr_field_service_hash(b.service, FR_HASH_SEED);
        told.fields[t] = hash_fields(&b, ids);
    }
    close_bench(&b);
    return told;
}

static void expect_same_history(const char *what, const history *found, const history *expected)
{
    for (int t = 0; t < HISTORY_TICKS; t++) {
        if (found->service[t] != expected->service[t] || found->fields[t] != expected->fields[t]) {
            fail_msg("%s: another history from tick %d on", what, t);
        }
    }
}

static void test_history_does_not_depend_on_how(void **state)
{
    (void)state;
    history expected = tell(fr_executor_inline(), 0);
    assert_true(expected.fields[HISTORY_TICKS - 1] != expected.fields[10]);
    history reloaded = tell(fr_executor_inline(), 5);
    expect_same_history("saved and loaded", &reloaded, &expected);
    static const int workers[] = {1, 2, 4};
    for (size_t w = 0; w < sizeof workers / sizeof *workers; w++) {
        fr_error error = {0};
        fr_pool *pool = fr_pool_create(workers[w], &error);
        assert_non_null(pool);
        history found = tell(fr_pool_executor(pool), 0);
        fr_pool_destroy(pool);
        expect_same_history("with workers", &found, &expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes_are_charged_by_cell),
        cmocka_unit_test(test_change_during_repair),
        cmocka_unit_test(test_many_fields),
        cmocka_unit_test(test_history_does_not_depend_on_how),
    };
    return cmocka_run_group_tests_name("service repair", tests, NULL, NULL);
}
