/* The world: orders, arrival, walls that come and go, one hash for all. Cases P1..P17 are faults that other
 * games have been reported for. */
#include "world_scene.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/rng.h"
#include "jobs/pool.h"
#include "sim/world.h"

static void assert_all_within(const fr_world *world, double x, double y, double radius)
{
    const fr_snapshot *now = fr_world_snapshot(world);
    for (int32_t i = 0; i < now->unit_count; i++) {
        if (distance_to(world, i, x, y) > radius) {
            fail_msg("unit %d is %.2f from the goal, more than %.2f (state %d, reason %d)", i,
                     distance_to(world, i, x, y), radius, now->state[i], now->reason[i]);
        }
    }
}

static void assert_exact_rest(fr_world *world, int32_t ticks)
{
    for (int32_t t = 0; t < ticks; t++) {
        fr_world_tick(world);
        const fr_snapshot *now = fr_world_snapshot(world);
        assert_memory_equal(now->position, now->previous, (size_t)now->unit_count * sizeof *now->position);
    }
}

static void test_one_unit_walks_straight_without_a_field(void **state)
{
    (void)state;
    fr_map *map = open_map(60, 40);
    fr_world *world = make_world(map, fr_executor_inline());
    spawn(world, 5.5, 5.5);
    order_all(world, 45.5, 35.5);
    fr_world_tick(world);
    assert_true(fr_world_snapshot(world)->velocity[0].x > 0.0f); /* in the very tick of the order */
    int32_t ticks = run_until_settled(world, 2000) + 1;
    assert_true(distance_to(world, 0, 45.5, 35.5) < 0.1);
    assert_int_equal(fr_world_statistics(world).fields_built, 0);
    /* 50 cells at 4 cells/s are 375 ticks. */
    assert_in_range(ticks, 370, 405);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* Diagonal as fast as straight: 30 units each way, same distance, arrive within a few ticks of one another.
 */
static void test_diagonal_is_as_fast_as_straight(void **state)
{
    (void)state;
    int32_t ticks[2];
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        fr_map *map = open_map(90, 90);
        map->costs[FR_CLASS_FOOT][45] = FR_COST_WALL; /* far away: keeps the field in use honest */
        fr_world *world = make_world(map, fr_executor_inline());
        spawn_block(world, 5, 5, 2, 1, 2);
        /* Two units share a field; the straight line would be free, so look at the field's own speed through
         * cells. */
        order_all(world, diagonal ? 45.0 : 61.6, diagonal ? 45.0 : 5.5);
        ticks[diagonal] = run_until_settled(world, 3000);
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
    assert_true(abs(ticks[0] - ticks[1]) <= 12);
}

static void test_dear_ground_slows(void **state)
{
    (void)state;
    for (int cost = 1; cost <= 8; cost *= 2) {
        fr_map *map = open_map(60, 9);
        memset(map->costs[FR_CLASS_FOOT], cost, (size_t)fr_grid_count(map->grid));
        fr_world *world = make_world(map, fr_executor_inline());
        spawn(world, 5.5, 4.5);
        order_all(world, 55.5, 4.5);
        run(world, 30);
        double factor = cost <= 4 ? 1.0 / cost : 0.25;
        double speed = (double)fr_world_snapshot(world)->velocity[0].x;
        assert_true(fabs(speed - 4.0 * factor) < 0.02);
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
}

/* P11: everybody wants one cell. All come to exact rest within the disc that they need. */
static void test_groups_settle(void **state)
{
    (void)state;
    static const int32_t sizes[] = {2, 50, 300};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        fr_map *map = open_map(120, 80);
        fr_world *world = make_world(map, fr_executor_inline());
        int32_t count = spawn_block(world, 5, 20, 30, 40, sizes[s]);
        order_all(world, 80.5, 40.5);
        run_until_settled(world, 3000);
        assert_int_equal(count_state(world, FR_UNIT_ARRIVED), count);
        assert_all_within(world, 80.5, 40.5, arrival_radius(count) + 1.0);
        run(world, 60);
        assert_exact_rest(world, 100);
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
}

/* A crowd that is ordered into its own middle takes its places before its field is there; those at its ends
 * must not be told by the field, when it comes, that they stand near enough. */
static void test_crowd_into_its_own_middle(void **state)
{
    (void)state;
    fr_map *map = open_map(120, 80);
    fr_world *world = make_world(map, fr_executor_inline());
    int32_t count = spawn_block(world, 20, 20, 70, 5, 300);
    order_all(world, 55.5, 22.5);
    run_until_settled(world, 3000);
    assert_int_equal(count_state(world, FR_UNIT_ARRIVED), count);
    assert_all_within(world, 55.5, 22.5, arrival_radius(count) + 1.0);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* The same, packed to a square: everybody's way crosses others', and nobody may wait for those with less way
 * left.
 */
static void test_square_into_its_own_middle(void **state)
{
    (void)state;
    fr_map *map = open_map(90, 85);
    fr_world *world = make_world(map, fr_executor_inline());
    int32_t count = spawn_block(world, 20, 20, 44, 44, 1936);
    order_all(world, 42.5, 42.5);
    assert_true(run_until_settled(world, 300) < 300);
    assert_int_equal(count_state(world, FR_UNIT_ARRIVED), count);
    assert_all_within(world, 42.5, 42.5, arrival_radius(count) + 1.0);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* P12: a column through a door, goal beyond it: none gives up in front of it. */
static void test_column_through_a_door(void **state)
{
    (void)state;
    fr_map *map = open_map(100, 41);
    for (int32_t y = 0; y < 41; y++) {
        map->costs[FR_CLASS_FOOT][y * 100 + 40] = y >= 18 && y < 23 ? 1 : FR_COST_WALL;
    }
    fr_world *world = make_world(map, fr_executor_inline());
    int32_t count = spawn_block(world, 5, 18, 25, 4, 100);
    order_all(world, 80.5, 20.5);
    run_until_settled(world, 3000);
    assert_int_equal(count_state(world, FR_UNIT_ARRIVED), count);
    assert_all_within(world, 80.5, 20.5, sqrt(100 / 3.14159) + 2.0);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* P2: a slash of walls with a gap beyond its end. */
static void test_notch_of_a_slash(void **state)
{
    (void)state;
    fr_map *map = open_map(24, 20);
    for (int32_t i = 0; i < 12; i++) {
        map->costs[FR_CLASS_FOOT][(3 + i) * 24 + 6 + i] = FR_COST_WALL;
    }
    for (int32_t y = 17; y < 20; y++) {
        map->costs[FR_CLASS_FOOT][y * 24 + 20] = FR_COST_WALL;
    }
    fr_world *world = make_world(map, fr_executor_inline());
    int32_t count = spawn_block(world, 1, 8, 6, 10, 40);
    order_all(world, 17.5, 5.5);
    run_until_settled(world, 2000);
    assert_int_equal(count_state(world, FR_UNIT_ARRIVED), count);
    assert_all_within(world, 17.5, 5.5, arrival_radius(count) + 1.5);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* P1, P4, P5: goals that can't be reached; the nearest reachable cell takes their place, and the unit obeys
 * on. */
static void test_unreachable_goals(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "..........#####", "..........#...#", "..........#...#",
        "..........#####", "...###.........", "...###.........",
        "...###.........", "...............", NULL,
    };
    fr_map *map = map_from_picture(rows);
    fr_world *world = make_world(map, fr_executor_inline());
    spawn(world, 1.5, 1.5);
    order_all(world, 12.5, 1.5); /* a room without a door */
    run_until_settled(world, 900);
    assert_true(distance_to(world, 0, 9.5, 1.5) < 0.1);
    order_all(world, 4.5, 5.5); /* the middle of a block: the side with smaller y */
    run_until_settled(world, 900);
    assert_true(distance_to(world, 0, 4.5, 3.5) < 0.1);
    order_all(world, 14.5, 7.5);
    run_until_settled(world, 900);
    assert_true(distance_to(world, 0, 14.5, 7.5) < 0.1);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* P5, P9: a door closed after the order ends like a door closed before; opened again, the unit goes on. */
static void test_door_closes_and_opens(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "......#......", "......#......", ".............", "......#......", "......#......", NULL,
    };
    fr_position end[2];
    for (int order_first = 0; order_first < 2; order_first++) {
        fr_map *map = map_from_picture(rows);
        fr_world *world = make_world(map, fr_executor_inline());
        spawn(world, 1.5, 2.5);
        spawn(world, 1.5, 3.5);
        if (order_first) {
            order_all(world, 11.5, 2.5);
            run(world, 1);
        }
        edit(world, (fr_rect){6, 2, 1, 1}, FR_COST_WALL);
        if (!order_first) {
            order_all(world, 11.5, 2.5);
        }
        run_until_settled(world, 900);
        end[order_first] = fr_world_snapshot(world)->position[0];
        assert_true(fr_cells(end[order_first].x) < 6.0);
        run(world, 60);
        edit(world, (fr_rect){6, 2, 1, 1}, 0);
        run(world, 2);
        run_until_settled(world, 900);
        assert_all_within(world, 11.5, 2.5, 2.5);
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
    fr_vec2 apart = fr_position_delta(end[0], end[1]);
    assert_true(fr_vec2_length(apart) < 1.0f);
}

/* P14: a building is dropped on a settled crowd: pushed out a cell a tick at most, never lost. */
static void test_building_dropped_on_a_crowd(void **state)
{
    (void)state;
    fr_map *map = open_map(60, 50);
    fr_world *world = make_world(map, fr_executor_inline());
    int32_t count = spawn_block(world, 10, 10, 15, 12, 180);
    order_all(world, 30.5, 25.5);
    run_until_settled(world, 1500);
    edit(world, (fr_rect){26, 20, 9, 9}, FR_COST_WALL);
    for (int t = 0; t < 30; t++) {
        run(world, 1);
        const fr_snapshot *now = fr_world_snapshot(world);
        for (int32_t i = 0; i < count; i++) {
            assert_true(fr_vec2_length(fr_position_delta(now->previous[i], now->position[i])) <= 1.0f);
        }
    }
    const fr_snapshot *now = fr_world_snapshot(world);
    for (int32_t i = 0; i < count; i++) {
        assert_true(now->reason[i] != FR_REASON_DISPLACED);
    }
    order_all(world, 50.5, 40.5);
    run_until_settled(world, 2500);
    assert_int_equal(count_state(world, FR_UNIT_ARRIVED), count);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* P15: goals from outside are clamped, nothing reads beyond the map. */
static void test_goals_from_outside(void **state)
{
    (void)state;
    fr_map *map = open_map(30, 20);
    fr_world *world = make_world(map, fr_executor_inline());
    spawn(world, 15.5, 10.5);
    static const double goals[][2] = {{-0.01, 5}, {30, 5}, {30 - 1e-6, 5}, {30000, 30000}, {-30000, 4}};
    for (size_t g = 0; g < sizeof goals / sizeof *goals; g++) {
        order_all(world, goals[g][0], goals[g][1]);
        run_until_settled(world, 900);
        fr_position at = fr_world_snapshot(world)->position[0];
        double x = goals[g][0] < 0.4 ? 0.4 : goals[g][0] > 29.6 ? 29.6 : goals[g][0];
        double y = goals[g][1] > 19.6 ? 19.6 : goals[g][1];
        assert_true(fabs(fr_cells(at.x) - x) < 0.6);
        assert_true(fabs(fr_cells(at.y) - y) < 0.6);
    }
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* P17: two streams in a narrow passage both get through. */
static void test_two_streams_pass(void **state)
{
    (void)state;
    fr_map *map = open_map(70, 20);
    for (int32_t y = 0; y < 20; y++) {
        for (int32_t x = 25; x < 45; x++) {
            map->costs[FR_CLASS_FOOT][y * 70 + x] = y >= 8 && y < 12 ? 1 : FR_COST_WALL;
        }
    }
    fr_world *world = make_world(map, fr_executor_inline());
    int32_t left = spawn_block(world, 3, 6, 8, 8, 50);
    int32_t right = spawn_block(world, 58, 6, 8, 8, 50);
    order_range(world, FR_COMMAND_MOVE, 0, left, 60.5, 10.0);
    order_range(world, FR_COMMAND_MOVE, (uint32_t)left, right, 9.5, 10.0);
    run_until_settled(world, 6000);
    const fr_snapshot *now = fr_world_snapshot(world);
    for (int32_t i = 0; i < now->unit_count; i++) {
        assert_true(i < left ? fr_cells(now->position[i].x) > 45 : fr_cells(now->position[i].x) < 25);
    }
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* A unit on the border of two cells must not turn its heading from tick to tick. */
static void test_no_flip_on_a_border(void **state)
{
    (void)state;
    fr_map *map = open_map(64, 40);
    for (int32_t y = 5; y < 40; y++) {
        map->costs[FR_CLASS_FOOT][y * 64 + 40] = FR_COST_WALL;
    }
    fr_world *world = make_world(map, fr_executor_inline());
    spawn(world, 10.0, 20.0);
    spawn(world, 12.0, 22.0);
    order_all(world, 60.0, 30.0);
    run(world, 15);
    fr_vec2 last = {0, 0};
    int flips = 0;
    for (int t = 0; t < 200; t++) {
        run(world, 1);
        fr_vec2 heading = fr_vec2_normalize(fr_world_snapshot(world)->velocity[0]);
        flips += t > 0 && fr_vec2_dot(heading, last) < 0.9f;
        last = heading;
    }
    assert_int_equal(flips, 0);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

static void test_stop_and_hold(void **state)
{
    (void)state;
    fr_map *map = open_map(60, 30);
    fr_world *world = make_world(map, fr_executor_inline());
    spawn(world, 10.5, 15.5);
    spawn(world, 20.5, 15.5);
    spawn(world, 5.5, 15.4);
    order_range(world, FR_COMMAND_MOVE, 0, 1, 50.5, 5.5);
    order_range(world, FR_COMMAND_HOLD, 1, 1, 0, 0);
    run(world, 30);
    order_range(world, FR_COMMAND_STOP, 0, 1, 0, 0);
    run(world, 5);
    fr_position stopped = fr_world_snapshot(world)->position[0], held = fr_world_snapshot(world)->position[1];
    assert_int_equal(fr_world_snapshot(world)->state[0], FR_UNIT_IDLE);
    order_range(world, FR_COMMAND_MOVE, 2, 1, 40.5, 15.5);
    run_until_settled(world, 900);
    assert_memory_equal(&fr_world_snapshot(world)->position[1], &held, sizeof held);
    assert_memory_equal(&fr_world_snapshot(world)->position[0], &stopped, sizeof stopped);
    assert_true(distance_to(world, 2, 40.5, 15.5) < 0.2); /* it got round the one on hold */
    fr_world_destroy(world);
    fr_map_destroy(map);
}

static void test_several_goals(void **state)
{
    (void)state;
    fr_map *map = open_map(80, 40);
    fr_world *world = make_world(map, fr_executor_inline());
    spawn_block(world, 30, 5, 10, 5, 50);
    spawn_block(world, 42, 5, 10, 5, 50);
    uint32_t units[100];
    for (uint32_t i = 0; i < 100; i++) {
        units[i] = i;
    }
    fr_position goals[] = {fr_position_at(10.5, 30.5), fr_position_at(70.5, 30.5)};
    fr_command command = {
        .kind = FR_COMMAND_MOVE, .units = units, .unit_count = 100, .goals = goals, .goal_count = 2};
    assert_int_equal(fr_world_submit(world, &command), FR_OK);
    run_until_settled(world, 2000);
    assert_int_equal(count_state(world, FR_UNIT_ARRIVED), 100);
    double most = arrival_radius(50) + 1.0;
    for (int32_t i = 0; i < 100; i++) {
        double distance = distance_to(world, i, i < 50 ? 10.5 : 70.5, 30.5);
        if (distance > most) {
            fail_msg("unit %d is %.2f from its goal, more than %.2f", i, distance, most);
        }
    }
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* Random play on a cave-like map: orders, walls, stops. One hash for every worker count, and after save and
 * load. */
static void play(fr_world *world, uint32_t tick)
{
    fr_rng rng = {tick * 77u + 5u};
    if (tick % 40 == 0) {
        order_range(world, FR_COMMAND_MOVE, fr_rng_below(&rng, 150), 100, fr_rng_below(&rng, 96),
                    fr_rng_below(&rng, 64));
    }
    if (tick % 17 == 3) {
        edit(world,
             (fr_rect){(int32_t)fr_rng_below(&rng, 90), (int32_t)fr_rng_below(&rng, 60),
                       (int32_t)fr_rng_below(&rng, 8), (int32_t)fr_rng_below(&rng, 8)},
             fr_rng_below(&rng, 2) == 0 ? FR_COST_WALL : 0);
    }
    if (tick % 90 == 50) {
        order_range(world, FR_COMMAND_STOP, fr_rng_below(&rng, 200), 30, 0, 0);
        order_range(world, FR_COMMAND_HOLD, fr_rng_below(&rng, 200), 10, 0, 0);
    }
}

static fr_map *play_map(void)
{
    fr_map *map = open_map(96, 64);
    fr_rng rng = {99};
    for (int i = 0; i < 60; i++) {
        int32_t x = (int32_t)fr_rng_below(&rng, 90), y = (int32_t)fr_rng_below(&rng, 60);
        uint8_t cost = i % 3 == 0 ? 4 : FR_COST_WALL;
        for (int32_t k = 0; k < 12; k++) {
            map->costs[FR_CLASS_FOOT][(y + k / 4) * 96 + x + k % 4] = cost;
        }
    }
    return map;
}

enum { PLAY_TICKS = 220, PLAY_UNITS = 200 };

static void populate_play(fr_world *world)
{
    spawn_block(world, 1, 1, 94, 62, PLAY_UNITS);
}

static void test_one_hash_for_all_worker_counts(void **state)
{
    (void)state;
    uint64_t reference[PLAY_TICKS];
    static const int workers[] = {0, 1, 2, 4};
    for (size_t w = 0; w < sizeof workers / sizeof *workers; w++) {
        fr_pool *pool = workers[w] > 0 ? fr_pool_create(workers[w], NULL) : NULL;
        fr_map *map = play_map();
        fr_world *world = make_world(map, pool != NULL ? fr_pool_executor(pool) : fr_executor_inline());
        populate_play(world);
        for (uint32_t t = 0; t < PLAY_TICKS; t++) {
            play(world, t);
            run(world, 1);
            uint64_t hash = fr_world_hash(world);
            if (w == 0) {
                reference[t] = hash;
            } else if (reference[t] != hash) {
                fail_msg("%d workers: the hash differs at tick %u", workers[w], t);
            }
        }
        fr_world_destroy(world);
        fr_map_destroy(map);
        if (pool != NULL) {
            fr_pool_destroy(pool);
        }
    }
}

/* Walls were made dear to walk along after the units had come: nobody has asked for such costs yet, and who
 * loads the world must not either, for their number is bounded. */
static void test_loading_opens_no_costs(void **state)
{
    (void)state;
    fr_map *map = play_map();
    fr_world *world = make_world(map, fr_executor_inline());
    spawn(world, 2.5, 2.5);
    assert_int_equal(fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_SET_RING, .is_on = true}),
                     FR_OK);
    run(world, 1);
    fr_buffer saved = {0}, again = {0};
    fr_world_save(world, &saved);
    fr_error error = {{0}};
    fr_world_config config = fr_world_config_default();
    config.map = map;
    fr_world *twin = fr_world_load(&config, saved.data, saved.size, &error);
    assert_non_null(twin);
    fr_world_save(twin, &again);
    assert_int_equal(again.size, saved.size);
    assert_memory_equal(again.data, saved.data, saved.size);
    fr_buffer_fini(&saved);
    fr_buffer_fini(&again);
    fr_world_destroy(twin);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

static void test_save_and_load_in_mid_run(void **state)
{
    (void)state;
    fr_map *map = play_map();
    fr_world *world = make_world(map, fr_executor_inline());
    populate_play(world);
    fr_world *twin = NULL;
    fr_world_config config = world_config(map);
    for (uint32_t t = 0; t < PLAY_TICKS; t++) {
        play(world, t);
        if (t == 41 || t == 123 || t == 204) { /* a field is being built, walls have come and gone */
            fr_world_destroy(twin);
            fr_buffer saved = {0};
            fr_world_save(world, &saved);
            fr_error error = {{0}};
            twin = fr_world_load(&config, saved.data, saved.size, &error);
            assert_non_null(twin);
            for (size_t size = 0; size < saved.size; size += saved.size / 37 + 1) {
                assert_null(fr_world_load(&config, saved.data, size, &error));
                assert_true(strlen(error.message) > 0);
            }
            fr_buffer_fini(&saved);
        } else if (twin != NULL) {
            play(twin, t);
        }
        run(world, 1);
        if (twin != NULL) {
            fr_world_tick(twin);
            assert_true(fr_world_hash(world) == fr_world_hash(twin));
        }
    }
    fr_world_destroy(twin);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

static void test_two_worlds_do_not_meet(void **state)
{
    (void)state;
    fr_map *map = play_map(), *other_map = open_map(33, 77);
    fr_world *alone = make_world(map, fr_executor_inline());
    populate_play(alone);
    for (uint32_t t = 0; t < 120; t++) {
        play(alone, t);
        fr_world_tick(alone);
    }
    fr_world *world = make_world(map, fr_executor_inline());
    fr_world *other = make_world(other_map, fr_executor_inline());
    populate_play(world);
    spawn_block(other, 1, 1, 20, 20, 300);
    for (uint32_t t = 0; t < 120; t++) {
        play(world, t);
        play(other, t + 7);
        fr_world_tick(world);
        fr_world_tick(other);
    }
    assert_true(fr_world_hash(world) == fr_world_hash(alone));
    fr_world_destroy(alone);
    fr_world_destroy(world);
    fr_world_destroy(other);
    fr_map_destroy(map);
    fr_map_destroy(other_map);
}

static void test_no_allocation_per_tick(void **state)
{
    (void)state;
    fr_map *map = play_map();
    fr_world *world = make_world(map, fr_executor_inline());
    populate_play(world);
    uint64_t before = 0;
    for (uint32_t t = 0; t < 400; t++) {
        if (t == 1) {
            before = fr_alloc_count();
        }
        if (t % 20 == 0) {
            fr_position goal = fr_position_at(t % 96, t % 64);
            uint32_t units[] = {t % 200, t % 200 + 1, t % 200 + 2};
            fr_command command = {
                .kind = FR_COMMAND_MOVE, .units = units, .unit_count = 3, .goals = &goal, .goal_count = 1};
            fr_world_submit(world, &command);
            edit(world, (fr_rect){(int32_t)t % 90, (int32_t)t % 60, 4, 4}, t % 40 == 0 ? 255 : 0);
        }
        fr_world_tick(world);
    }
    assert_true(fr_alloc_count() == before);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* The first order of wide units of a class that pays what another does. */
static void test_no_allocation_in_a_first_order(void **state)
{
    (void)state;
    fr_map *map = open_map(60, 40);
    fr_world *world = make_world(map, fr_executor_inline());
    for (int i = 0; i < 2; i++) {
        fr_unit_def unit = {.position = fr_position_at(10.5, 10.5 + 4.0 * i),
                            .radius = 0.9f,
                            .speed = 3.0f,
                            .movement_class = FR_CLASS_WHEELS};
        assert_int_equal(fr_world_spawn(world, &unit), i);
    }
    fr_world_tick(world);
    order_all(world, 45.5, 20.5);
    uint64_t before = fr_alloc_count();
    for (int t = 0; t < 60; t++) {
        fr_world_tick(world);
    }
    assert_true(fr_alloc_count() == before);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* Units of as many orders, each in single file along a corridor of its own. */
static void test_no_allocation_in_single_file(void **state)
{
    (void)state;
    enum { CORRIDORS = 40, LENGTH = 70 };
    fr_map *map = open_map(LENGTH, 2 * CORRIDORS + 1);
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        if (i / LENGTH % 2 == 0) {
            map->costs[FR_CLASS_FOOT][i] = FR_COST_WALL;
        }
    }
    fr_world *world = make_world(map, fr_executor_inline());
    for (int i = 0; i < CORRIDORS; i++) {
        assert_int_equal(spawn(world, 2.5, 2 * i + 1.5), i);
        order_range(world, FR_COMMAND_MOVE, (uint32_t)i, 1, LENGTH - 2.5, 2 * i + 1.5);
    }
    fr_world_tick(world);
    edit(world, (fr_rect){40, 0, 3, 2 * CORRIDORS + 1}, 2); /* dear ground: they go by their fields */
    fr_world_tick(world);
    uint64_t before = fr_alloc_count();
    for (int t = 0; t < 200; t++) {
        fr_world_tick(world);
    }
    assert_true(fr_alloc_count() == before);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

static void test_absurd_commands(void **state)
{
    (void)state;
    fr_map *map = open_map(20, 10);
    fr_world *world = make_world(map, fr_executor_inline());
    spawn(world, 5.5, 5.5);
    fr_position goal = {INT32_MAX, INT32_MIN};
    uint32_t units[] = {0, 77, UINT32_MAX, 0};
    fr_command command = {
        .kind = FR_COMMAND_MOVE, .units = units, .unit_count = 4, .goals = &goal, .goal_count = 0};
    assert_int_equal(fr_world_submit(world, &command), FR_BAD_INPUT);
    command.goal_count = FR_GOALS_MAX + 1;
    assert_int_equal(fr_world_submit(world, &command), FR_BAD_INPUT);
    command.goal_count = 1;
    assert_int_equal(fr_world_submit(world, &command), FR_OK);
    fr_command paint = {.kind = FR_COMMAND_SET_COST, .rect = {INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX}};
    assert_int_equal(fr_world_submit(world, &paint), FR_BAD_INPUT);
    paint.cost = 9;
    assert_int_equal(fr_world_submit(world, &paint), FR_OK);
    paint.rect = (fr_rect){-5, -5, INT32_MAX, INT32_MAX};
    paint.cost = FR_COST_WALL; /* the whole map becomes wall, with a unit on it */
    assert_int_equal(fr_world_submit(world, &paint), FR_OK);
    for (int t = 0; t < 10; t++) {
        fr_world_tick(world);
    }
    edit(world, (fr_rect){0, 0, 20, 10}, 0);
    fr_world_submit(world, &command);
    run(world, 300);
    int32_t dropped = 0;
    for (int i = 0; i < 4000; i++) {
        dropped += fr_world_submit(world, &command) == FR_LIMIT;
    }
    assert_true(dropped > 0);
    assert_int_equal(fr_world_statistics(world).commands_dropped, dropped);
    run(world, 3);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* A long map that becomes wall with a crowd on it: nobody searches the square around it for a way out. */
static void test_long_map_walled_up(void **state)
{
    (void)state;
    fr_map *map = open_map(8192, 1);
    fr_world *world = make_world(map, fr_executor_inline());
    spawn_block(world, 100, 0, 400, 1, 300);
    edit(world, (fr_rect){0, 0, 8192, 1}, FR_COST_WALL);
    for (int t = 0; t < 5; t++) {
        fr_world_tick(world);
    }
    edit(world, (fr_rect){0, 0, 8192, 1}, 0);
    order_all(world, 700.5, 0.5);
    run(world, 30);
    assert_int_equal(count_state(world, FR_UNIT_MOVING), 300);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_unit_walks_straight_without_a_field),
        cmocka_unit_test(test_diagonal_is_as_fast_as_straight),
        cmocka_unit_test(test_dear_ground_slows),
        cmocka_unit_test(test_groups_settle),
        cmocka_unit_test(test_crowd_into_its_own_middle),
        cmocka_unit_test(test_square_into_its_own_middle),
        cmocka_unit_test(test_column_through_a_door),
        cmocka_unit_test(test_notch_of_a_slash),
        cmocka_unit_test(test_unreachable_goals),
        cmocka_unit_test(test_door_closes_and_opens),
        cmocka_unit_test(test_building_dropped_on_a_crowd),
        cmocka_unit_test(test_goals_from_outside),
        cmocka_unit_test(test_two_streams_pass),
        cmocka_unit_test(test_no_flip_on_a_border),
        cmocka_unit_test(test_stop_and_hold),
        cmocka_unit_test(test_several_goals),
        cmocka_unit_test(test_one_hash_for_all_worker_counts),
        cmocka_unit_test(test_loading_opens_no_costs),
        cmocka_unit_test(test_save_and_load_in_mid_run),
        cmocka_unit_test(test_two_worlds_do_not_meet),
        cmocka_unit_test(test_no_allocation_in_a_first_order),
        cmocka_unit_test(test_no_allocation_in_single_file),
        cmocka_unit_test(test_no_allocation_per_tick),
        cmocka_unit_test(test_absurd_commands),
        cmocka_unit_test(test_long_map_walled_up),
    };
    return cmocka_run_group_tests_name("world", tests, NULL, NULL);
}
