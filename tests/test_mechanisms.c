/* The movers, and the mechanisms that can be switched off: each switch has an effect, and what was switched
 * is part of a saved world. */
#include "world_scene.h"

#include "base/hash.h"
#include "jobs/pool.h"

static void test_the_table(void **state)
{
    (void)state;
    uint32_t all = 0;
    for (int i = 0; i < FR_MECHANISM_COUNT; i++) {
        const fr_mechanism *row = &FR_MECHANISMS[i];
        assert_int_equal(all & row->bit, 0);
        all |= row->bit;
        assert_int_equal(fr_mechanism_bit(row->name, strlen(row->name)), row->bit);
        assert_int_equal(fr_mechanism_bit(row->name, strlen(row->name) - 1), 0);
        assert_true(strlen(row->help) > 10 && strchr(row->help, '\n') == NULL);
    }
    assert_int_equal(all, FR_MECHANISMS_ALL);
    for (int m = 0; m < FR_MOVER_COUNT; m++) {
        assert_int_equal(fr_mover_from_name(fr_mover_name((fr_mover)m)), m);
    }
    assert_int_equal(fr_mover_from_name("boids"), FR_MOVER_COUNT);
    assert_null(fr_mover_name(FR_MOVER_COUNT));
}

enum { BLUE = 60, RED = 40, IDLE = 24 };

/* Two streams against each other through a wall with a gap for one and a gap for many, friends who stand
 * about before the first, and goals where packs form: something for every mechanism. */
static fr_world *begin(const fr_map *map, fr_executor executor, fr_mover mover, uint32_t without)
{
    fr_world_config config = fr_world_config_default();
    config.map = map;
    config.executor = executor;
    config.unit_capacity = 256;
    config.field_bytes = 4u << 20;
    config.mover = mover;
    config.without = without;
    fr_world *world = fr_world_create(&config);
    fr_world_add_group(world, &(fr_group_def){.name = "units"});
    assert_int_equal(spawn_block(world, 3, 4, 6, 10, BLUE), BLUE);
    assert_int_equal(spawn_block(world, 50, 6, 5, 8, RED), RED);
    assert_int_equal(spawn_block(world, 18, 6, 4, 6, IDLE), IDLE);
    fr_command congestion = {.kind = FR_COMMAND_SET_CONGESTION, .is_on = true};
    assert_int_equal(fr_world_submit(world, &congestion), FR_OK);
    order_range(world, FR_COMMAND_MOVE, 0, BLUE, 50.5, 9.5);
    order_range(world, FR_COMMAND_MOVE, BLUE, RED, 6.5, 9.5);
    return world;
}

static fr_map *two_gap_map(void)
{
    fr_map *map = open_map(60, 32);
    for (int32_t y = 0; y < 32; y++) {
        if (y != 9 && (y < 18 || y > 21)) {
            map->costs[FR_CLASS_FOOT][y * 60 + 28] = FR_COST_WALL;
        }
    }
    return map;
}

/* Of the positions alone: the world's own hash knows the switches. */
static uint64_t run_for_positions(const fr_map *map, uint32_t without)
{
    fr_world *world = begin(map, fr_executor_inline(), FR_MOVER_FRESHET, without);
    run(world, 600);
    const fr_snapshot *now = fr_world_snapshot(world);
    uint64_t hash =
        fr_hash_bytes(FR_HASH_SEED, now->position, (size_t)now->unit_count * sizeof *now->position);
    fr_world_destroy(world);
    return hash;
}

static void test_every_switch_has_an_effect(void **state)
{
    (void)state;
    fr_map *map = two_gap_map();
    uint64_t with_all = run_for_positions(map, 0);
    for (int i = 0; i < FR_MECHANISM_COUNT; i++) {
        if (run_for_positions(map, FR_MECHANISMS[i].bit) == with_all) {
            fail_msg("without %s all goes as with it", FR_MECHANISMS[i].name);
        }
    }
    fr_map_destroy(map);
}

/* The naive mover: nobody in a wall, one hash for every worker count, everybody at the goal in the end. */
static void test_naive(void **state)
{
    (void)state;
    fr_map *map = two_gap_map();
    uint64_t reference = 0;
    for (int workers = 0; workers <= 2; workers += 2) {
        fr_pool *pool = workers > 0 ? fr_pool_create(workers, NULL) : NULL;
        fr_world *world =
            begin(map, pool != NULL ? fr_pool_executor(pool) : fr_executor_inline(), FR_MOVER_NAIVE, 0);
        run(world, 900);
        reference = workers == 0 ? fr_world_hash(world) : reference;
        assert_true(fr_world_hash(world) == reference);
        for (int32_t i = 0; i < BLUE; i++) {
            assert_true(distance_to(world, i, 50.5, 9.5) < 6.0);
        }
        for (int32_t i = BLUE; i < BLUE + RED; i++) {
            assert_true(distance_to(world, i, 6.5, 9.5) < 6.0);
        }
        fr_world_destroy(world);
        if (pool != NULL) {
            fr_pool_destroy(pool);
        }
    }
    fr_map_destroy(map);
}

/* Whatever the world that it is loaded into was meant to be. */
static void test_saved_worlds_keep_their_movement(void **state)
{
    (void)state;
    static const struct {
        fr_mover mover;
        uint32_t without;
    } cases[] = {{FR_MOVER_NAIVE, 0}, {FR_MOVER_FRESHET, FR_MECHANISM_CONFLICT | FR_MECHANISM_GIVEWAY}};
    fr_map *map = two_gap_map();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_world *world = begin(map, fr_executor_inline(), cases[i].mover, cases[i].without);
        run(world, 150);
        fr_buffer saved = {0};
        fr_error error = {{0}};
        fr_world_save(world, &saved);
        fr_world_config config = fr_world_config_default();
        config.map = map;
        config.field_bytes = 4u << 20;
        config.without = FR_MECHANISM_LANES;
        fr_world *twin = fr_world_load(&config, saved.data, saved.size, &error);
        assert_non_null(twin);
        assert_int_equal(fr_world_snapshot(twin)->mover, cases[i].mover);
        assert_int_equal(fr_world_snapshot(twin)->without, cases[i].without);
        run(world, 100);
        run(twin, 100);
        assert_true(fr_world_hash(world) == fr_world_hash(twin));
        fr_buffer_fini(&saved);
        fr_world_destroy(twin);
        fr_world_destroy(world);
    }
    fr_map_destroy(map);
}

/* Switched as it runs, every one and the mover too: nobody in a wall, a world saved in between goes on alike,
 * and all come to rest in the end, nearly all at their goals. Congestion comes back with its mechanism, as it
 * was asked for. */
static void test_switched_as_it_runs(void **state)
{
    (void)state;
    fr_map *map = two_gap_map();
    fr_world *world = begin(map, fr_executor_inline(), FR_MOVER_FRESHET, 0), *twin = NULL;
    for (uint32_t i = 0; i < 4 * (FR_MECHANISM_COUNT + 1); i++) {
        uint32_t row = i % (FR_MECHANISM_COUNT + 1);
        fr_command command = {.kind = FR_COMMAND_SET_MOVEMENT};
        if (row == FR_MECHANISM_COUNT) {
            command.mover = FR_MOVER_NAIVE;
        } else {
            command.without = FR_MECHANISMS[row].bit | FR_MECHANISMS[(i + 4) % FR_MECHANISM_COUNT].bit;
        }
        assert_int_equal(fr_world_submit(world, &command), FR_OK);
        if (i == 14) {
            twin = saved_twin(world, map);
        } else if (twin != NULL) {
            fr_world_submit(twin, &command);
        }
        run(world, 20);
        for (int32_t k = 0; k < BLUE + RED + IDLE; k++) {
            fr_cell cell = fr_cell_at(fr_world_snapshot(world)->position[k]);
            assert_true(fr_cost_walkable(fr_world_snapshot(world)->cost, FR_CLASS_FOOT, cell));
        }
        assert_int_equal(fr_world_snapshot(world)->congestion,
                         (command.without & FR_MECHANISM_CONGESTION) == 0);
        if (twin != NULL) {
            run(twin, 20);
            assert_true(fr_world_hash(world) == fr_world_hash(twin));
        }
    }
    fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_SET_MOVEMENT});
    run(world, 5000); /* who gets nowhere stays where it is after two minutes */
    const fr_snapshot *now = fr_world_snapshot(world);
    int32_t there = 0;
    for (int32_t i = 0; i < BLUE + RED; i++) {
        there += distance_to(world, i, i < BLUE ? 50.5 : 6.5, 9.5) < 7.0;
        assert_int_equal(now->state[i], FR_UNIT_ARRIVED);
    }
    assert_true(there >= BLUE + RED - 2);
    fr_world_destroy(twin);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

static void test_bad_switches_are_refused(void **state)
{
    (void)state;
    fr_map *map = two_gap_map();
    fr_world *world = begin(map, fr_executor_inline(), FR_MOVER_FRESHET, 0);
    fr_command command = {.kind = FR_COMMAND_SET_MOVEMENT, .without = FR_MECHANISMS_ALL + 1};
    assert_int_equal(fr_world_submit(world, &command), FR_BAD_INPUT);
    command = (fr_command){.kind = FR_COMMAND_SET_MOVEMENT, .mover = FR_MOVER_COUNT};
    assert_int_equal(fr_world_submit(world, &command), FR_BAD_INPUT);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_table),
        cmocka_unit_test(test_every_switch_has_an_effect),
        cmocka_unit_test(test_naive),
        cmocka_unit_test(test_saved_worlds_keep_their_movement),
        cmocka_unit_test(test_switched_as_it_runs),
        cmocka_unit_test(test_bad_switches_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
