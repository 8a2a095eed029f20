/* Two streams that meet head-on where they can't pass each other: one lets the other through, and both
 * arrive.
 */
#include "world_scene.h"

#include "files/stdio_io.h"
#include "sim/scenario.h"

/* The first `each` units stand in the west room, as many in the east one; they change rooms. */
static void change_rooms(const char *const *rows, int32_t each, fr_cell west, fr_cell east, int32_t limit)
{
    fr_map *map = map_from_picture(rows);
    fr_world *world = make_world(map, fr_executor_inline());
    assert_int_equal(spawn_block(world, west.x, west.y, 5, 5, each), each);
    assert_int_equal(spawn_block(world, east.x, east.y, 5, 5, each), each);
    order_range(world, FR_COMMAND_MOVE, 0, each, east.x + 2.5, east.y + 2.5);
    order_range(world, FR_COMMAND_MOVE, (uint32_t)each, each, west.x + 2.5, west.y + 2.5);
    int32_t ticks = run_until_settled(world, limit);
    if (ticks >= limit) {
        fail_msg("%d of %d have settled after %d ticks", count_state(world, FR_UNIT_ARRIVED), 2 * each,
                 limit);
    }
    for (int32_t i = 0; i < 2 * each; i++) {
        fr_cell goal = i < each ? east : west;
        assert_true(distance_to(world, i, goal.x + 2.5, goal.y + 2.5) < 6.0);
    }
    fr_world_destroy(world);
    fr_map_destroy(map);
}

static void test_one_lane(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "..........##########..........", "..........##########..........",
        "..........##########..........", "..........##########..........",
        "..............................", "..........##########..........",
        "..........##########..........", "..........##########..........",
        "..........##########..........", NULL,
    };
    change_rooms(rows, 12, (fr_cell){2, 2}, (fr_cell){23, 2}, 900);
}

/* Whoever comes later waits outside: there are never units of both sides in the lane, and those who come out
 * find the mouth free. */
static void test_no_meeting_within(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "..............####################..............",
        "..............####################..............",
        "..............####################..............",
        "..............####################..............",
        "..............####################..............",
        "................................................",
        "..............####################..............",
        "..............####################..............",
        "..............####################..............",
        "..............####################..............",
        NULL,
    };
    const int32_t each = 16, limit = 800;
    fr_map *map = map_from_picture(rows);
    fr_world *world = make_world(map, fr_executor_inline());
    assert_int_equal(spawn_block(world, 8, 3, 5, 5, each), each);
    assert_int_equal(spawn_block(world, 42, 3, 5, 5, each), each);
    order_range(world, FR_COMMAND_MOVE, 0, each, 44.5, 5.5);
    order_range(world, FR_COMMAND_MOVE, (uint32_t)each, each, 4.5, 5.5);
    int32_t t = 0;
    for (; t < limit && count_state(world, FR_UNIT_ARRIVED) < 2 * each; t++) {
        fr_world_tick(world);
        const fr_snapshot *snapshot = fr_world_snapshot(world);
        int32_t within[2] = {0, 0};
        for (int32_t i = 0; i < 2 * each; i++) {
            double x = fr_cells(snapshot->position[i].x);
            within[i / each] += x > 15.0 && x < 33.0;
        }
        if (within[0] > 0 && within[1] > 0) {
            fail_msg("%d and %d are in the lane after %d ticks", within[0], within[1], t);
        }
    }
    if (t == limit) {
        fail_msg("%d of %d have settled after %d ticks", count_state(world, FR_UNIT_ARRIVED), 2 * each,
                 limit);
    }
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* A lane without rooms: those who go back find a blind alley deep enough for all of them, whichever side it
 * is on, and stand in it until the others are past. */
static void test_blind_alley(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "##################################",
        "###########################.######",
        "###########################.######",
        "###########################.######",
        "###########################.######",
        "###########################.######",
        "#................................#",
        "##################################",
        NULL,
    };
    const uint32_t each = 4;
    fr_map *map = map_from_picture(rows);
    fr_world *world = make_world(map, fr_executor_inline());
    for (uint32_t i = 0; i < 2 * each; i++) {
        assert_int_equal(spawn(world, i < each ? 1.5 + i : 32.5 - (i - each), 6.5), i);
    }
    order_range(world, FR_COMMAND_MOVE, 0, each, 32.5, 6.5);
    order_range(world, FR_COMMAND_MOVE, each, each, 1.5, 6.5);
    run_until_settled(world, 1500);
    for (int32_t i = 0; i < (int32_t)(2 * each); i++) {
        double distance = distance_to(world, i, i < (int32_t)each ? 32.5 : 1.5, 6.5);
        if (distance > 6.0) {
            fail_msg("unit %d rests %.1f cells from its goal", i, distance);
        }
    }
    fr_world_destroy(world);
    fr_map_destroy(map);
}

static void test_two_lanes(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "..........##########..........", "..........##########..........",
        "..........##########..........", "..........##########..........",
        "..............................", "..............................",
        "..........##########..........", "..........##########..........",
        "..........##########..........", NULL,
    };
    change_rooms(rows, 12, (fr_cell){2, 2}, (fr_cell){23, 2}, 900);
}

/* Round corners, with dead ends in which some of those who go back find themselves. */
static void test_corners_and_dead_ends(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "........###############........",
        "........#...........###........",
        "........#.#########.###........",
        "............#####.#.###........",
        "........###.#.......###........",
        "........###.#.#####............",
        "........###...###...###........",
        "........#################......",
        NULL,
    };
    change_rooms(rows, 16, (fr_cell){1, 1}, (fr_cell){24, 1}, 1500);
}

/* A pass wide enough for lanes, that two crowds fill from both ends before there are any. */
static void test_wide_jam(void **state)
{
    (void)state;
    fr_io io = fr_stdio_io("test_passage");
    fr_error error = {{0}};
    fr_scenario *scenario = fr_scenario_load(&io, "maps/scenarios/pass-two-way.json", &error);
    if (scenario == NULL) {
        fail_msg("%s", error.message);
        return;
    }
    fr_world_config config = fr_world_config_default();
    config.map = scenario->map;
    config.unit_capacity = fr_scenario_unit_count(scenario);
    config.field_bytes = 16u << 20;
    fr_world *world = fr_world_create(&config);
    assert_int_equal(fr_scenario_populate(scenario, 1, (fr_vec2){0.0f, 0.0f}, world, &error), FR_OK);
    int32_t limit = 3000, units = fr_world_snapshot(world)->unit_count, t = 0;
    for (; t < limit && count_state(world, FR_UNIT_ARRIVED) < units; t++) {
        fr_scenario_submit(scenario, world);
        fr_world_tick(world);
    }
    if (t == limit) {
        fail_msg("%d of %d have settled after %d ticks", count_state(world, FR_UNIT_ARRIVED), units, limit);
    }
    fr_world_destroy(world);
    fr_scenario_destroy(scenario);
}

/* Four groups that change corners in a maze of single lanes may fail to pass each other, but not for ever:
 * whoever gets nowhere for two minutes stays where it is. */
static void test_a_hopeless_jam_ends(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "###########", "#.#.......#", "#.#######.#", "#.....#...#", "#####.#.#.#", "#...#.#.#.#",
        "#.#.#.#.#.#", "#.#...#.#.#", "#.#####.#.#", "#...#...#.#", "###.#.###.#", "#.#.#.#.#.#",
        "#.#.#.#.#.#", "#.#...#...#", "#.#####.###", "#.....#...#", "###.#####.#", "#...#.....#",
        "#.#.#.#####", "#.#.#.....#", "#.#######.#", "#.........#", "###########", NULL,
    };
    static const double places[24][2] = {
        {3.408, 5.418},  {1.462, 1.551},  {3.565, 1.437},  {1.588, 2.804},  {1.897, 5.541},  {1.495, 9.574},
        {6.284, 21.506}, {8.197, 15.595}, {7.277, 21.465}, {9.508, 19.479}, {7.402, 14.498}, {6.636, 17.514},
        {8.953, 1.466},  {7.529, 4.626},  {9.460, 7.181},  {7.511, 5.937},  {9.514, 2.333},  {9.528, 3.935},
        {3.707, 15.574}, {3.006, 21.569}, {3.474, 18.830}, {1.929, 21.497}, {1.476, 20.501}, {3.220, 17.496}};
    static const double goals[4][2] = {{9.5, 21.5}, {1.5, 1.5}, {1.5, 21.5}, {9.5, 1.5}};
    fr_map *map = map_from_picture(rows);
    fr_world *world = make_world(map, fr_executor_inline());
    for (uint32_t i = 0; i < 24; i++) {
        float radius = i / 6 == 2 ? 0.45f : 0.4f;
        assert_int_equal(spawn_sized(world, places[i][0], places[i][1], radius, 4.0f), i);
    }
    for (uint32_t g = 0; g < 4; g++) {
        order_range(world, FR_COMMAND_MOVE, g * 6, 6, goals[g][0], goals[g][1]);
    }
    assert_true(run_until_settled(world, 9000) < 9000);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_lane),
        cmocka_unit_test(test_no_meeting_within),
        cmocka_unit_test(test_blind_alley),
        cmocka_unit_test(test_two_lanes),
        cmocka_unit_test(test_corners_and_dead_ends),
        cmocka_unit_test(test_wide_jam),
        cmocka_unit_test(test_a_hopeless_jam_ends),
    };
    return cmocka_run_group_tests_name("passage", tests, NULL, NULL);
}
