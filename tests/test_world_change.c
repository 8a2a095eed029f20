/* Worlds whose walls come and go: the fields follow, the units with them. Cases P7 to P9 are faults that
 * other games have been reported for. */
#include "world_scene.h"

#include "base/rng.h"
#include "jobs/pool.h"

/* P7: the nearer of two ways is closed while the units are under way. All take the other, and lose no more
 * than the detour. */
static void test_the_nearer_way_closes(void **state)
{
    (void)state;
    fr_map *map = open_map(70, 40);
    for (int32_t y = 5; y < 39; y++) {
        map->costs[FR_CLASS_FOOT][y * 70 + 35] = y >= 30 && y < 33 ? 1 : FR_COST_WALL;
    }
    fr_world *world = make_world(map, fr_executor_inline());
    int32_t count = spawn_block(world, 3, 28, 8, 5, 40);
    order_all(world, 64.5, 31.5);
    run(world, 100);
    assert_true(distance_to(world, count - 1, 35.5, 31.5) < 16.0);
    edit(world, (fr_rect){35, 30, 1, 3}, FR_COST_WALL);
    edit(world, (fr_rect){35, 39, 1, 1}, FR_COST_WALL);
    /* From the closed gap up to the open one and down again are 75 cells: 563 ticks. */
    int32_t ticks = run_until_settled(world, 900);
    assert_int_equal(count_state(world, FR_UNIT_ARRIVED), count);
    assert_in_range(ticks, 400, 899);
    for (int32_t i = 0; i < count; i++) {
        assert_true(distance_to(world, i, 64.5, 31.5) < 6.0);
    }
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* P8: at the far end of the way, 100 cells from the units and from the goal of another group, a building is
 * placed, given up, placed again and destroyed. After each the way that units walk is the right one. */
static void test_buildings_far_away(void **state)
{
    (void)state;
    static const uint8_t costs[] = {FR_COST_WALL, 0, FR_COST_WALL, 0};
    fr_map *map = open_map(128, 30);
    for (int32_t y = 0; y < 30; y++) {
        if (y != 4 && y != 25) { /* a door in the straight way, and one aside */
            map->costs[FR_CLASS_FOOT][y * 128 + 110] = FR_COST_WALL;
        }
    }
    for (size_t steps = 1; steps <= sizeof costs / sizeof *costs; steps++) {
        fr_world *world = make_world(map, fr_executor_inline());
        spawn(world, 5.5, 4.5);
        spawn(world, 5.5, 5.5);
        order_all(world, 122.5, 4.5);
        for (size_t s = 0; s < steps; s++) {
            run(world, 10);
            edit(world, (fr_rect){110, 4, 1, 1}, costs[s]);
        }
        bool aside = false;
        for (int32_t t = 0; t < 1800 && count_state(world, FR_UNIT_MOVING) > 0; t++) {
            run(world, 1);
            aside = aside || distance_to(world, 0, 110.5, 25.5) < 1.0;
        }
        assert_int_equal(count_state(world, FR_UNIT_ARRIVED), 2);
        assert_int_equal(aside, costs[steps - 1] == FR_COST_WALL);
        fr_world_destroy(world);
    }
    fr_map_destroy(map);
}

/* P9: a ring of walls round a unit; one wall is destroyed; the unit leaves through the breach, in a twin
 * world as well. */
static void test_breach_in_a_ring(void **state)
{
    (void)state;
    fr_map *map = open_map(40, 30);
    fr_world *world = make_world(map, fr_executor_inline());
    spawn(world, 12.5, 12.5);
    static const fr_rect ring[] = {{9, 9, 7, 1}, {9, 15, 7, 1}, {9, 10, 1, 5}, {15, 10, 1, 5}};
    for (size_t r = 0; r < sizeof ring / sizeof *ring; r++) {
        edit(world, ring[r], FR_COST_WALL);
    }
    order_all(world, 30.5, 20.5);
    run_until_settled(world, 600);
    assert_true(distance_to(world, 0, 12.5, 12.5) < 4.0); /* shut in */
    edit(world, (fr_rect){9, 12, 1, 1}, 0);
    run(world, 1);
    fr_world *twin = saved_twin(world, map);
    fr_world *worlds[] = {world, twin};
    for (int w = 0; w < 2; w++) {
        run(worlds[w], 10);
        run_until_settled(worlds[w], 900);
        assert_true(distance_to(worlds[w], 0, 30.5, 20.5) < 0.1);
    }
    assert_true(fr_world_hash(world) == fr_world_hash(twin));
    fr_world_destroy(twin);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* ---- walls that come and go every tick ---- */

enum { CROWD = 500, TOGGLE_TICKS = 150, SHUT_TICKS_MAX = 30 };

static fr_rect toggled_rect(uint32_t tick)
{
    fr_rng rng = {tick};
    int32_t x = 22 + (int32_t)fr_rng_below(&rng, 50), y = (int32_t)fr_rng_below(&rng, 60);
    return (fr_rect){x, y, 1 + (int32_t)fr_rng_below(&rng, 6), 1 + (int32_t)fr_rng_below(&rng, 6)};
}

/* Shuts a rectangle, and opens those whose time is up: each after 6 to 30 ticks. */
static void toggle(fr_world *world, uint32_t tick)
{
    for (uint32_t shut = tick > SHUT_TICKS_MAX ? tick - SHUT_TICKS_MAX : 0; shut < tick; shut++) {
        if (shut < TOGGLE_TICKS && shut + 6 + shut % 25 == tick) {
            edit(world, toggled_rect(shut), 0);
        }
    }
    if (tick < TOGGLE_TICKS) {
        edit(world, toggled_rect(tick), FR_COST_WALL);
    }
}

static void test_a_crowd_among_toggling_walls(void **state)
{
    (void)state;
    uint64_t reference[TOGGLE_TICKS];
    static const int workers[] = {0, 1, 2, 4};
    for (size_t w = 0; w < sizeof workers / sizeof *workers; w++) {
        fr_pool *pool = workers[w] > 0 ? fr_pool_create(workers[w], NULL) : NULL;
        fr_map *map = open_map(96, 64);
        fr_world *world = make_world(map, pool != NULL ? fr_pool_executor(pool) : fr_executor_inline());
        assert_int_equal(spawn_block(world, 6, 12, 13, 40, CROWD), CROWD);
        order_all(world, 84.5, 32.5);
        for (uint32_t t = 0; t < TOGGLE_TICKS; t++) {
            toggle(world, t);
            fr_world_tick(world);
            uint64_t hash = fr_world_hash(world);
            if (w == 0) {
                check_tick(world);
                reference[t] = hash;
            } else if (reference[t] != hash) {
                fail_msg("%d workers: the hash differs at tick %u", workers[w], t);
            }
        }
        if (w == 0) {
            for (uint32_t t = TOGGLE_TICKS; t <= TOGGLE_TICKS + SHUT_TICKS_MAX; t++) {
                toggle(world, t);
                run(world, 1);
            }
            run_until_settled(world, 1500);
            assert_int_equal(count_state(world, FR_UNIT_ARRIVED), CROWD);
            assert_true(fr_world_statistics(world).fields_built > TOGGLE_TICKS / 4);
        }
        fr_world_destroy(world);
        fr_map_destroy(map);
        if (pool != NULL) {
            fr_pool_destroy(pool);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_nearer_way_closes),
        cmocka_unit_test(test_buildings_far_away),
        cmocka_unit_test(test_breach_in_a_ring),
        cmocka_unit_test(test_a_crowd_among_toggling_walls),
    };
    return cmocka_run_group_tests_name("world change", tests, NULL, NULL);
}
