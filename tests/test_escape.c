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

/* 200 units on the march, on whom a wall comes down in the tick that is next. */
static fr_world *make_walled_up(const fr_map *map)
{
    fr_world *world = make_world(map, fr_executor_inline());
    spawn_columns(world, 200, 14, 5.0, 8.0, 1.6);
    order_all(world, 60.5, 20.5);
    run(world, 60);
    edit(world, (fr_rect){14, 12, 12, 12}, FR_COST_WALL);
    return world;
}

static void test_a_marching_crowd_gets_out(void **state)
{
    (void)state;
    fr_map *map = open_map(70, 40);
    fr_world *world = make_walled_up(map);
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
    spawn_columns(world, 240, 14, 5.0, 10.0, 1.1);
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

/* Wide discs, which no cell's width is enough for: at most a cell a tick until they stand free, and from then
 * on as ever, in the open and where a passage is left that they just fit into. */
static void test_wide_units_get_out(void **state)
{
    (void)state;
    static const struct {
        float radius;
        fr_rect building;
        int32_t passage; /* rows that are open below the building; 0: all */
    } cases[] = {{2.0f, {24, 14, 9, 9}, 0},  {2.0f, {20, 10, 17, 17}, 0}, {1.3f, {24, 14, 9, 9}, 0},
                 {0.9f, {24, 14, 9, 10}, 2}, {1.8f, {24, 14, 9, 10}, 4},  {2.0f, {27, 17, 1, 1}, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        fr_map *map = open_map(60, 40);
        fr_rect building = cases[c].building;
        for (int32_t y = building.y + building.height + cases[c].passage; y < 40 && cases[c].passage > 0;
             y++) {
            memset(map->costs[FR_CLASS_FOOT] + y * 60, FR_COST_WALL, 60);
        }
        fr_map_share_costs(map);
        fr_world *world = make_world(map, fr_executor_inline());
        float apart = 2.2f * cases[c].radius;
        for (int32_t i = 0; i < 9; i++) {
            uint32_t unit = spawn_sized(world, 28.5 + (double)apart * (i % 3 - 1),
                                        18.5 + (double)apart * (i / 3 - 1), cases[c].radius, 4.0f);
            assert_int_not_equal(unit, FR_NO_UNIT);
        }
        run(world, 1);
        edit(world, building, FR_COST_WALL);
        for (int32_t t = 0; t < 60; t++) {
            fr_world_tick(world);
            const fr_snapshot *now = fr_world_snapshot(world);
            for (int32_t i = 0; i < now->unit_count; i++) {
                float moved = fr_vec2_length(fr_position_delta(now->previous[i], now->position[i]));
                if (moved > 1.0f) {
                    fail_msg("case %zu, tick %d: unit %d moves %.2f cells", c, t, i, (double)moved);
                }
            }
        }
        assert_int_equal(count_displaced(world), 0);
        run(world, 1); /* checks where everybody stands */
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
}

/* A building leaves a corridor into which a wide disc does not fit: it walks to where the corridor ends, even
 * if that is far, and stays in its region. */
static void test_wide_units_leave_a_corridor(void **state)
{
    (void)state;
    fr_map *map = open_map(60, 15);
    fr_world *world = make_world(map, fr_executor_inline());
    for (int32_t i = 0; i < 3; i++) {
        uint32_t unit = spawn_sized(world, 26.5 + 2.0 * i, 7.5, 0.9f, 4.0f);
        assert_int_not_equal(unit, FR_NO_UNIT);
    }
    run(world, 1);
    edit(world, (fr_rect){16, 0, 28, 7}, FR_COST_WALL);
    edit(world, (fr_rect){16, 8, 28, 7}, FR_COST_WALL);
    for (int32_t t = 0; t < 60; t++) {
        fr_world_tick(world);
    }
    assert_int_equal(count_displaced(world), 0);
    run(world, 60); /* checks where everybody stands */
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* A wall that is taken away again in the same tick moves nobody. */
static void test_a_wall_taken_back_moves_nobody(void **state)
{
    (void)state;
    fr_map *map = open_map(70, 40);
    fr_world *world = make_walled_up(map);
    edit(world, (fr_rect){14, 12, 12, 12}, 0);
    run(world, 1);
    const fr_snapshot *now = fr_world_snapshot(world);
    for (int32_t i = 0; i < now->unit_count; i++) {
        assert_true(fr_vec2_length(fr_position_delta(now->previous[i], now->position[i])) <= 0.15f);
    }
    assert_int_equal(count_displaced(world), 0);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_marching_crowd_gets_out),
        cmocka_unit_test(test_a_settling_crowd_gets_out),
        cmocka_unit_test(test_wide_units_get_out),
        cmocka_unit_test(test_wide_units_leave_a_corridor),
        cmocka_unit_test(test_a_wall_taken_back_moves_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
