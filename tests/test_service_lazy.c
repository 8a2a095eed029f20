/* The field service on maps so large that fields cover only what units need: what is covered when, what that
 * takes, and that nobody can tell who built it or how. */
#include "service_scene.h"

#include "base/hash.h"
#include "base/rng.h"
#include "field/field_internal.h"
#include "jobs/pool.h"

/* Just above the size up to which fields are whole: 21 x 13 blocks. */
static fr_map *large_map(void)
{
    fr_map *map = open_map(660, 400);
    assert_true(fr_grid_count(map->grid) > FR_FIELD_WHOLE_CELLS);
    return map;
}

static bench open_bench(fr_executor executor)
{
    return make_bench(large_map(), executor, FR_FIELD_BYTES);
}

/* Ticks until a cell is covered, the one that shows it included; -1: never. */
static int ticks_until_covered(bench *b, fr_field_id id, fr_cell cell)
{
    for (int ticks = 1; ticks <= 20; ticks++) {
        tick(b);
        const fr_field *field = fr_field_service_get(b->service, id);
        if (field != NULL && fr_field_value(field, cell) != FR_UNREACHED) {
            return ticks;
        }
    }
    return -1;
}

static void test_fields_cover_what_is_needed(void **state)
{
    (void)state;
    bench b = open_bench(fr_executor_inline());
    fr_field_id id = request(&b, 330, 200);
    assert_true(fr_field_service_is_lazy(b.service));
    for (int i = 0; i < 5; i++) {
        fr_field_service_tick(b.service, b.tick++);
    }
    assert_null(fr_field_service_get(b.service, id)); /* nobody stands anywhere */
    fr_cell near = {360, 210}, far = {150, 330};
    fr_field_service_need(b.service, id, near);
    assert_int_equal(ticks_until_covered(&b, id, near), 3);
    const fr_field *field = fr_field_service_get(b.service, id);
    assert_false(fr_field_is_complete(field));
    size_t held = fr_field_service_statistics(b.service).bytes;
    assert_true(held < 273 / 4 * sizeof(fr_field_block));
    /* Known already, or a wall: nothing to do. */
    fr_field_service_need(b.service, id, near);
    assert_int_equal(ticks_until_covered(&b, id, far), -1);
    assert_ptr_equal(fr_field_service_get(b.service, id), field);
    fr_field_service_need(b.service, id, far);
    assert_int_equal(ticks_until_covered(&b, id, far), 3);
    assert_int_equal(fr_field_value(fr_field_service_get(b.service, id), near), 20 * 70 + 10 * 99);
    assert_int_equal(fr_field_value(fr_field_service_get(b.service, id), far), 50 * 70 + 130 * 99);
    close_bench(&b);
}

/* A wall with gates at its ends crosses the map: the way leads round it, at once. */
static void test_units_are_led_in_the_same_tick(void **state)
{
    (void)state;
    bench b = open_bench(fr_executor_inline());
    edit(&b, (fr_rect){10, 200, 600, 2}, FR_COST_WALL);
    fr_regions *regions = fr_regions_create(b.cost, FR_CLASS_FOOT);
    fr_field_id id = request(&b, 330, 380);
    fr_cell west = {100, 100}, east = {500, 20};
    fr_field_service_need(b.service, id, west);
    fr_field_service_need(b.service, id, east);
    fr_field_service_guide(b.service, id, regions);
    const fr_field *rough = fr_field_service_rough(b.service, id);
    assert_non_null(rough);
    assert_null(fr_field_service_get(b.service, id));
    fr_field_sample led_west = fr_field_sample_at(rough, fr_cell_centre(west));
    fr_field_sample led_east = fr_field_sample_at(rough, fr_cell_centre(east));
    fr_field_service_guide(b.service, id, regions); /* nothing new */
    assert_ptr_equal(fr_field_service_rough(b.service, id), rough);
    /* One of two who want it goes: the other is still led. */
    assert_int_equal(request(&b, 330, 380).index1, id.index1);
    fr_field_service_release(b.service, id);
    assert_ptr_equal(fr_field_service_rough(b.service, id), rough);
    assert_true(ticks_until_covered(&b, id, east) > 0);
    const fr_field *field = fr_field_service_get(b.service, id);
    assert_null(fr_field_service_rough(b.service, id));
    assert_true(fr_field_service_statistics(b.service).handover_cosine > 0.7f);
    fr_field_sample exact_west = fr_field_sample_at(field, fr_cell_centre(west));
    fr_field_sample exact_east = fr_field_sample_at(field, fr_cell_centre(east));
    /* The same corners, if not by the same line; neither way is the straight one. */
    assert_true(fr_vec2_dot(led_west.direction, exact_west.direction) > 0.7f);
    assert_true(fr_vec2_dot(led_east.direction, exact_east.direction) > 0.7f);
    assert_true(led_west.direction.x < 0.0f && led_east.direction.x > 0.0f);
    fr_regions_destroy(regions);
    close_bench(&b);
}

static void test_no_way_is_no_guide(void **state)
{
    (void)state;
    bench b = open_bench(fr_executor_inline());
    edit(&b, (fr_rect){0, 200, 660, 1}, FR_COST_WALL);
    fr_regions *regions = fr_regions_create(b.cost, FR_CLASS_FOOT);
    fr_field_id id = request(&b, 330, 380);
    fr_field_service_need(b.service, id, (fr_cell){100, 100});
    fr_field_service_guide(b.service, id, regions);
    assert_null(fr_field_service_rough(b.service, id));
    fr_regions_destroy(regions);
    close_bench(&b);
}

static int32_t held_blocks(const bench *b)
{
    return (int32_t)(fr_field_service_statistics(b->service).bytes / sizeof(fr_field_block));
}

/* Ticks that so many blocks of work take, the two until it is seen included. */
static int ticks_of(int32_t blocks)
{
    int32_t a_tick = FR_FIELD_CELLS_PER_TICK / FR_BLOCK_CELLS;
    return FR_FIELD_LATENCY_TICKS + (blocks + a_tick - 1) / a_tick;
}

static void test_the_part_that_is_added_is_charged(void **state)
{
    (void)state;
    bench b = {.map = open_map(1408, 1024)}; /* 44 x 32 blocks, of which 256 are a tick's work */
    b.cost = fr_cost_create(b.map);
    b.service = fr_field_service_create(b.cost, fr_executor_inline(), FR_FIELD_BYTES, NULL, NULL);
    fr_field_id id = request(&b, 0, 512);
    fr_cell half = {640, 512}, end = {900, 0};
    fr_field_service_need(b.service, id, half);
    int ticks = ticks_until_covered(&b, id, half);
    int32_t first = held_blocks(&b);
    assert_in_range(first, 60, 120);
    assert_int_equal(ticks, ticks_of(first));
    /* The others, and the cells that blocks on the border had not got. */
    fr_field_service_need(b.service, id, end);
    ticks = ticks_until_covered(&b, id, end);
    int32_t added = held_blocks(&b) - first;
    assert_in_range(added, 300, 900);
    assert_in_range(ticks, ticks_of(added), ticks_of(added + 60));
    assert_false(fr_field_is_complete(fr_field_service_get(b.service, id)));
    close_bench(&b);
}

static uint64_t hash_of_view(const bench *b, fr_field_id id, uint64_t hash)
{
    hash = fr_field_service_hash(b->service, hash);
    const fr_field *fields[] = {fr_field_service_get(b->service, id), fr_field_service_rough(b->service, id)};
    for (int i = 0; i < 2; i++) {
        hash = fr_hash_u32(hash, fields[i] != NULL);
        if (fields[i] != NULL && b->tick % 4 == 0) {
            fr_buffer bytes = {0};
            fr_field_save(fields[i], &bytes);
            hash = fr_hash_bytes(hash, bytes.data, bytes.size);
            fr_buffer_fini(&bytes);
        }
    }
    return hash;
}

/* Saves the service into bytes and goes on with one made from them. */
static void reload(bench *b, fr_executor executor, size_t budget_bytes)
{
    fr_buffer bytes = {0};
    fr_field_service_save(b->service, &bytes);
    fr_field_service_destroy(b->service);
    b->service = fr_field_service_create(b->cost, executor, budget_bytes, NULL, NULL);
    fr_reader reader = {bytes.data, bytes.size, 0};
    assert_true(fr_field_service_load(b->service, &reader));
    assert_int_equal(reader.at, reader.size);
    fr_buffer_fini(&bytes);
}

/* Two fields, units that need more and more, walls that come and go. */
static uint64_t play(fr_executor executor, uint32_t reload_at)
{
    bench b = open_bench(executor);
    fr_rng rng = {70};
    fr_field_id ids[2] = {request(&b, 300, 210), request(&b, 500, 90)};
    fr_regions *regions = fr_regions_create(b.cost, FR_CLASS_FOOT);
    uint64_t hash = FR_HASH_SEED;
    for (uint32_t tick = 0; tick < 24; tick++) {
        int32_t spread = 30 + 10 * (int32_t)tick;
        fr_cell cell = {300 + (int32_t)fr_rng_below(&rng, (uint32_t)spread), 100 + spread / 2};
        if (tick % 3 == 0) {
            fr_field_service_need(b.service, ids[tick % 2], cell);
            fr_field_service_guide(b.service, ids[tick % 2], regions);
        }
        if (tick % 5 == 4) {
            fr_rect rect = {280 + (int32_t)fr_rng_below(&rng, 200), 80 + (int32_t)fr_rng_below(&rng, 150), 30,
                            3};
            edit(&b, rect, tick % 2 == 0 ? FR_COST_WALL : 1);
            fr_regions_update(regions, rect);
        }
        if (tick == reload_at) {
            reload(&b, executor, FR_FIELD_BYTES);
        }
        fr_field_service_tick(b.service, b.tick++);
        hash = hash_of_view(&b, ids[tick % 2], hash);
    }
    fr_regions_destroy(regions);
    assert_non_null(fr_field_service_get(b.service, ids[0]));
    assert_false(fr_field_is_complete(fr_field_service_get(b.service, ids[0])));
    close_bench(&b);
    return hash;
}

/* On a small map the first fields are whole; of many with goals of their own the rest are parts, and all fit.
 */
static void test_many_fields_of_a_small_map_fit(void **state)
{
    (void)state;
    enum { FIELDS = 60, ROOM = 32 };
    fr_map *map = open_map(320, 200); /* 70 blocks */
    bench b = make_bench(map, fr_executor_inline(), ROOM * 70 * sizeof(fr_field_block));
    fr_field_id ids[FIELDS];
    for (int32_t i = 0; i < FIELDS; i++) {
        ids[i] = request(&b, 10 + 5 * i, 20);
        fr_field_service_need(b.service, ids[i], (fr_cell){300 - 4 * i, 150});
    }
    for (int ticks = 0; ticks < 40; ticks++) {
        tick(&b);
    }
    int whole = 0;
    for (int32_t i = 0; i < FIELDS; i++) {
        const fr_field *field = fr_field_service_get(b.service, ids[i]);
        assert_non_null(field);
        assert_true(fr_field_value(field, (fr_cell){300 - 4 * i, 150}) != FR_UNREACHED);
        whole += fr_field_is_complete(field);
    }
    assert_in_range(whole, 1, ROOM / 2);
    assert_int_equal(fr_field_service_statistics(b.service).denied, 0);
    reload(&b, fr_executor_inline(), ROOM * 70 * sizeof(fr_field_block));
    fr_cell elsewhere = {5, 190};
    fr_field_service_need(b.service, ids[FIELDS - 1], elsewhere);
    assert_int_equal(ticks_until_covered(&b, ids[FIELDS - 1], elsewhere), 3);
    close_bench(&b);
}

static void test_nobody_can_tell_who_built_it(void **state)
{
    (void)state;
    uint64_t inline_hash = play(fr_executor_inline(), UINT32_MAX);
    assert_int_equal(play(fr_executor_inline(), 7), inline_hash);
    assert_int_equal(play(fr_executor_inline(), 16), inline_hash);
    fr_pool *pool = fr_pool_create(2, NULL);
    assert_int_equal(play(fr_pool_executor(pool), UINT32_MAX), inline_hash);
    fr_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_cover_what_is_needed),
        cmocka_unit_test(test_units_are_led_in_the_same_tick),
        cmocka_unit_test(test_no_way_is_no_guide),
        cmocka_unit_test(test_the_part_that_is_added_is_charged),
        cmocka_unit_test(test_many_fields_of_a_small_map_fit),
        cmocka_unit_test(test_nobody_can_tell_who_built_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
