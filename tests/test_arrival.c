/* Coming to rest: what bounds it. Looks into the world, for from outside one bound looks like another. */
#include "sim/world_internal.h"
#include "world_scene.h"

enum { COUNT = 150, LIMIT = 1500 };

/* Ticks of a crowd that fills a pack, with these counts put right before each of them; returns how often one
 * that had settled walked on. */
static int32_t count_rouses(int rouses, int resorts)
{
    fr_map *map = open_map(70, 40);
    fr_world *world = make_world(map, fr_executor_inline());
    fr_agents *agents = &world->agents;
    assert_int_equal(spawn_block(world, 4, 10, 15, 10, COUNT), COUNT);
    order_all(world, 50.5, 20.5);
    bool was_settled[COUNT] = {false};
    int32_t count = 0, t = 0;
    for (; t < LIMIT && (t == 0 || count_state(world, FR_UNIT_MOVING) > 0); t++) {
        for (int32_t i = 0; i < COUNT; i++) {
            agents->rouses[i] = rouses >= 0 ? (uint8_t)rouses : agents->rouses[i];
            agents->resorts[i] = resorts >= 0 ? (uint8_t)resorts : agents->resorts[i];
        }
        run(world, 1);
        for (int32_t i = 0; i < COUNT; i++) {
            bool is_settled = agents->state[i] == FR_UNIT_ARRIVED;
            count += was_settled[i] && !is_settled;
            was_settled[i] = is_settled;
            assert_true(agents->rouses[i] <= FR_ROUSES_MAX && agents->resorts[i] <= FR_RESORTS_MAX);
        }
    }
    assert_true(t < LIMIT);
    fr_world_destroy(world);
    fr_map_destroy(map);
    return count;
}

/* Whoever has settled walks on for others until it has had enough of that; what it did itself before, while
 * it got nowhere, doesn't count. */
static void test_who_has_had_enough(void **state)
{
    (void)state;
    assert_true(count_rouses(-1, -1) > 0);
    assert_true(count_rouses(-1, FR_RESORTS_MAX) > 0);
    assert_int_equal(count_rouses(FR_ROUSES_MAX, FR_RESORTS_MAX), 0);
}

/* No world comes to more than that by itself: one that says so is forged. */
static void test_counts_beyond_their_bounds(void **state)
{
    (void)state;
    fr_map *map = open_map(30, 20);
    fr_world *world = make_world(map, fr_executor_inline());
    spawn(world, 5.5, 5.5);
    fr_world_config config = world_config(map);
    for (int with = 0; with < 3; with++) {
        world->agents.rouses[0] = FR_ROUSES_MAX + (with == 1);
        world->agents.resorts[0] = FR_RESORTS_MAX + (with == 2);
        fr_buffer saved = {0};
        fr_world_save(world, &saved);
        fr_world *twin = fr_world_load(&config, saved.data, saved.size, NULL);
        assert_int_equal(twin != NULL, with == 0);
        fr_world_destroy(twin);
        fr_buffer_fini(&saved);
    }
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* A world of units that have settled, each under an order of its own, the first with a companion unless it is
 * alone, and then stand elsewhere. */
static fr_world *make_settlers(const fr_map *map, const double (*places)[2], uint32_t count, bool alone)
{
    fr_world *world = make_world(map, fr_executor_inline());
    for (uint32_t i = 0; i <= count; i++) {
        spawn(world, 8.5 + 4.0 * i, 8.5);
    }
    order_range(world, FR_COMMAND_MOVE, 0, (int32_t)count + 1, 8.5, 8.5);
    for (uint32_t i = alone ? 0 : 1; i < count; i++) {
        order_range(world, FR_COMMAND_MOVE, i, 1, 8.5 + 4.0 * i, 8.5);
    }
    run(world, 200);
    assert_int_equal(count_state(world, FR_UNIT_ARRIVED), count + 1);
    for (uint32_t i = 0; i < count; i++) {
        world->agents.position[i] = world->agents.target[i] = fr_position_at(places[i][0], places[i][1]);
    }
    return world;
}

/* Has unit 0 go back to a post from where it stands; returns for how many ticks anybody was astir. */
static int32_t send_back(fr_world *world, double x, double y)
{
    fr_agents *agents = &world->agents;
    agents->target[0] = fr_position_at(x, y);
    agents->flags[0] |= FR_AGENT_OFF_POST;
    fr_agents_restart(agents, 0);
    int32_t last = 0;
    for (int32_t t = 1; t <= 300; t++) {
        run(world, 1);
        for (uint32_t i = 0; i < (uint32_t)agents->count; i++) {
            last = fr_agents_is_astir(agents, i) ? t : last;
        }
    }
    return last;
}

/* Who finds its post taken by a stranger that has come to rest does not push that one about for long. */
static void test_post_taken_by_a_stranger(void **state)
{
    (void)state;
    fr_map *map = open_map(40, 30);
    for (int side = -3; side <= 3; side++) {
        const double places[2][2] = {{20.5, 17.0}, {20.5 + 0.05 * side, 15.8}};
        fr_world *world = make_settlers(map, places, 2, false);
        assert_in_range(send_back(world, 20.5, 15.5), 1, 30);
        fr_world_destroy(world);
    }
    fr_map_destroy(map);
}

/* Who is wedged between two, neither of whom is straight ahead, does not press for long. */
static void test_post_behind_a_gap_too_narrow(void **state)
{
    (void)state;
    fr_map *map = open_map(40, 30);
    for (int side = -3; side <= 3; side++) {
        const double places[3][2] = {{20.5, 17.0}, {19.75, 16.4}, {21.2, 16.4}};
        fr_world *world = make_settlers(map, places, 3, false);
        order_range(world, FR_COMMAND_HOLD, 1, 2, 0.0, 0.0);
        assert_in_range(send_back(world, 20.5 + 0.05 * side, 15.0), 1, 30);
        fr_world_destroy(world);
    }
    fr_map_destroy(map);
}

/* But who has a goal of its own has arrived nowhere else, and gets there. */
static void test_own_goal_taken_by_a_stranger(void **state)
{
    (void)state;
    fr_map *map = open_map(40, 30);
    for (int side = -3; side <= 3; side++) {
        const double places[2][2] = {{20.5, 17.0}, {20.5 + 0.05 * side, 15.8}};
        fr_world *world = make_settlers(map, places, 2, true);
        send_back(world, 20.5, 15.5);
        assert_true(distance_to(world, 0, 20.5, 15.5) < 0.8);
        fr_world_destroy(world);
    }
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_has_had_enough),
        cmocka_unit_test(test_counts_beyond_their_bounds),
        cmocka_unit_test(test_post_taken_by_a_stranger),
        cmocka_unit_test(test_post_behind_a_gap_too_narrow),
        cmocka_unit_test(test_own_goal_taken_by_a_stranger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
