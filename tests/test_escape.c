/* A wall that comes down on a crowd: those under it get out within a second, at most a cell a tick, without
 * running into each other. */
#include "world_scene.h"

#include "base/rng.h"

/* Deepest overlap of any two, as a share of the sum of their radii. */
static double deepest_overlap(const fr_world *world)
{
    const fr_snapshot *now = fr_world_snapshot(world);
    double deepest = 0.0;
    for (int32_t i = 0; i < now->unit_count; i++) {
        for (int32_t j = 0; j < i; j++) {
            double reach = (double)(now->radius[i] + now->radius[j]);
            double apart = (double)fr_vec2_length(fr_position_delta(now->position[i], now->position[j]));
            double depth = (reach - apart) / reach;
            deepest = depth > deepest ? depth : deepest;
        }
    }
    return deepest;
}

static int32_t count_displaced(const fr_world *world)
{
    const fr_snapshot *now = fr_world_snapshot(world);
    int32_t count = 0;
    for (int32_t i = 0; i < now->unit_count; i++) {
        count += now->reason[i] == FR_REASON_DISPLACED;
    }
    return count;
}

static void test_a_marching_crowd_gets_out(void **state)
{
    (void)state;
    fr_map *map = open_map(70, 40);
    fr_world *world = make_world(map, fr_executor_inline());
    for (int32_t i = 0; i < 200; i++) {
        spawn(world, 5.0 + i / 14 * 1.6, 8.0 + i % 14 * 1.6);
    }
    order_all(world, 60.5, 20.5);
    run(world, 60);
    edit(world, (fr_rect){14, 12, 12, 12}, FR_COST_WALL);
    run(world, 1);
    assert_in_range(count_displaced(world), 40, 120);
    for (int32_t t = 1; t < 30; t++) {
        const fr_snapshot *now = fr_world_snapshot(world);
        for (int32_t i = 0; i < now->unit_count; i++) {
            assert_true(fr_vec2_length(fr_position_delta(now->previous[i], now->position[i])) <= 1.0f);
        }
        double depth = deepest_overlap(world);
        if (depth > 0.1) {
            fail_msg("tick %d: two overlap by %.2f", t, depth);
        }
        run(world, 1);
    }
    assert_int_equal(count_displaced(world), 0);
    run_until_settled(world, 1500);
    assert_int_equal(count_state(world, FR_UNIT_ARRIVED), 200);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* Walls come and go over a crowd that is settling: whoever is on its way out exchanges its place with nobody,
 * and nobody is left in a wall. */
static void test_a_settling_crowd_gets_out(void **state)
{
    (void)state;
    fr_map *map = open_map(70, 40);
    fr_world *world = make_world(map, fr_executor_inline());
    for (int32_t i = 0; i < 240; i++) {
        spawn(world, 5.0 + i / 14 * 1.1, 10.0 + i % 14 * 1.1);
    }
    order_all(world, 45.5, 20.5);
    fr_rng rng = {4};
    for (int32_t t = 0; t < 700; t++) {
        fr_rect rect = {30 + (int32_t)fr_rng_below(&rng, 30), 8 + (int32_t)fr_rng_below(&rng, 24),
                        2 + (int32_t)fr_rng_below(&rng, 4), 2 + (int32_t)fr_rng_below(&rng, 4)};
        edit(world, rect, t % 2 == 0 ? FR_COST_WALL : 0);
        fr_world_tick(world);
    }
    for (int32_t t = 0; t < 60; t++) {
        fr_world_tick(world);
    }
    run(world, 1); /* checks where everybody stands */
    assert_int_equal(count_displaced(world), 0);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_marching_crowd_gets_out),
        cmocka_unit_test(test_a_settling_crowd_gets_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
