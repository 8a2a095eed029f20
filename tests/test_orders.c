/* Orders that live on: units that join one under way, and orders to follow a unit. */
#include "world_scene.h"

#include "base/rng.h"
#include "jobs/pool.h"
#include "memory_io.h"
#include "sim/scenario.h"
#include "sim/score.h"

/* --- streams --- */

#define STREAM(more)                                                                                         \
    "{'format': 'freshet-scenario', 'version': 1, 'map': {'rows': ["                                         \
    "'..............................', '..............................', '..............................',"  \
    "'..............................', '..............................', '..............................']," \
    "'legend': {'.': 1}}, 'groups': [{'name': 'blue', 'count': 6, 'every': 20, 'area': [0, 1, 3, 4]},"       \
    "{'name': 'red', 'units': [[12.5, 0.5]]}], 'orders': [" more "]}"

static fr_scenario *load_scenario(const char *text)
{
    memory_file files[] = {{"stream.json", text}, {NULL, NULL}};
    fr_io io = memory_io(files);
    fr_error error = {0};
    fr_scenario *scenario = fr_scenario_load(&io, "stream.json", &error);
    if (scenario == NULL) {
        fail_msg("%s", error.message);
    }
    return scenario;
}

static fr_world *start_scenario(fr_scenario *scenario)
{
    fr_error error = {0};
    fr_world_config config = fr_world_config_default();
    config.map = scenario->map;
    config.unit_capacity = fr_scenario_unit_count(scenario);
    config.field_bytes = 4u << 20;
    fr_world *world = fr_world_create(&config);
    if (fr_scenario_populate(scenario, 3, (fr_vec2){0.0f, 0.0f}, world, &error) != FR_OK) {
        fail_msg("%s", error.message);
    }
    return world;
}

/* The first is there from the start, the others come one every 20 ticks: the step from tick 20 to 21 adds the
 * second. */
static void test_units_come_in_a_stream(void **state)
{
    (void)state;
    fr_scenario *scenario =
        load_scenario(STREAM("{'tick': 5, 'group': 'blue', 'order': 'move', 'goal': [25.5, 3]}"));
    fr_world *world = start_scenario(scenario);
    for (uint32_t tick = 0; tick <= 140; tick++) {
        uint32_t blue = (tick == 0 ? 0 : (tick - 1) / 20) + 1;
        assert_int_equal(fr_world_snapshot(world)->unit_count, 1 + (blue < 6 ? blue : 6));
        fr_scenario_submit(scenario, world);
        run(world, 1);
    }
    assert_int_equal(fr_scenario_unit_count(scenario), 7);
    fr_world_destroy(world);
    fr_scenario_destroy(scenario);
}

/* What the group was told last, whatever it is, holds for those who come later. `x`: where they end up. */
static const struct {
    const char *orders;
    double low, high;
    fr_unit_state state;
} told[] = {
    {"{'tick': 5, 'group': 'blue', 'order': 'move', 'goal': [25.5, 3]}", 23, 28, FR_UNIT_ARRIVED},
    {"{'tick': 5, 'group': 'blue', 'order': 'move', 'goal_area': [20, 1, 6, 4]}", 20, 26, FR_UNIT_ARRIVED},
    {"{'tick': 0, 'group': 'blue', 'order': 'move', 'goals': [[15, 3], [25, 3]]}", 13, 17, FR_UNIT_ARRIVED},
    {"", 0, 3, FR_UNIT_IDLE},
    {"{'tick': 1, 'group': 'blue', 'order': 'move', 'goal': [2.5, 3]},"
     "{'tick': 6, 'group': 'blue', 'order': 'hold'}",
     0, 3, FR_UNIT_HOLDING},
    {"{'tick': 1, 'group': 'blue', 'order': 'follow', 'target': 'red'}", 10, 17, FR_UNIT_ARRIVED},
};

static void test_streams_get_the_last_order(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof told / sizeof *told; c++) {
        char text[2048];
        snprintf(text, sizeof text, STREAM("%s"), told[c].orders);
        fr_scenario *scenario = load_scenario(text);
        fr_world *world = start_scenario(scenario);
        fr_scorecard *card = fr_scorecard_create(fr_world_snapshot(world), scenario);
        for (int tick = 0; tick < 700; tick++) {
            fr_scenario_submit(scenario, world);
            run(world, 1);
            fr_scorecard_tick(card, fr_world_snapshot(world));
        }
        const fr_snapshot *now = fr_world_snapshot(world);
        assert_int_equal(now->unit_count, 7);
        for (int32_t i = 0; i < now->unit_count; i++) {
            double x = fr_cells(now->position[i].x);
            if (now->group[i] != 0) {
                continue;
            }
            if (x < told[c].low || x > told[c].high || now->state[i] != told[c].state) {
                fail_msg("%s: unit %d is at x = %.2f in state %d", told[c].orders, i, x, now->state[i]);
            }
            uint32_t tick;
            bool has_arrived = fr_score_arrival(card, i, &tick);
            if (told[c].state == FR_UNIT_ARRIVED && (!has_arrived || tick > 500)) {
                fail_msg("%s: unit %d at (%.2f, %.2f) is not judged as arrived: %d at %u", told[c].orders, i,
                         x, fr_cells(now->position[i].y), has_arrived, tick);
            }
        }
        fr_scorecard_destroy(card);
        fr_world_destroy(world);
        fr_scenario_destroy(scenario);
    }
}

/* Nobody comes where there is no room; those who had to wait come as soon as there is some. */
static void test_a_stream_waits_for_room(void **state)
{
    (void)state;
    fr_scenario *scenario = load_scenario(
        "{'format': 'freshet-scenario', 'version': 1, 'map': {'rows': ['............', '............'],"
        "'legend': {'.': 1}}, 'groups': [{'name': 'a', 'count': 4, 'every': 2, 'area': [0, 0, 1, 1]}],"
        "'orders': [{'tick': 30, 'group': 'a', 'order': 'move', 'goal': [11.5, 1]}]}");
    fr_world *world = start_scenario(scenario);
    for (int tick = 0; tick < 120; tick++) {
        fr_scenario_submit(scenario, world);
        run(world, 1);
        if (tick == 29) {
            assert_int_equal(fr_world_snapshot(world)->unit_count, 1);
        }
    }
    assert_int_equal(fr_world_snapshot(world)->unit_count, 4);
    fr_world_destroy(world);
    fr_scenario_destroy(scenario);
}

/* A long stream packs as one group: everybody comes to rest near the goal, and nobody in a place of
 * another's.
 */
static void test_a_stream_packs(void **state)
{
    (void)state;
    fr_scenario *scenario = load_scenario(
        "{'format': 'freshet-scenario', 'version': 1, 'map': {'rows': ["
        "'..............................', '..............................', "
        "'..............................',"
        "'..............................', '..............................', "
        "'..............................',"
        "'..............................', '..............................', "
        "'..............................',"
        "'..............................', '..............................', "
        "'..............................'],"
        "'legend': {'.': 1}}, 'groups': [{'name': 'a', 'count': 60, 'every': 8, 'area': [0, 1, 4, 10]}],"
        "'orders': [{'tick': 0, 'group': 'a', 'order': 'move', 'goal': [23.5, 6]}]}");
    fr_world *world = start_scenario(scenario);
    for (int tick = 0; tick < 1400; tick++) {
        fr_scenario_submit(scenario, world);
        run(world, 1);
    }
    assert_int_equal(count_state(world, FR_UNIT_ARRIVED), 60);
    double most = arrival_radius(60) + 1.5;
    for (int32_t i = 0; i < 60; i++) {
        if (distance_to(world, i, 23.5, 6) > most) {
            fail_msg("unit %d is %.2f from the goal, more than %.2f", i, distance_to(world, i, 23.5, 6),
                     most);
        }
    }
    fr_world_destroy(world);
    fr_scenario_destroy(scenario);
}

/* --- following --- */

static void follow(fr_world *world, uint32_t first, int32_t count, uint32_t target)
{
    uint32_t units[64];
    for (int32_t i = 0; i < count; i++) {
        units[i] = first + (uint32_t)i;
    }
    fr_command command = {.kind = FR_COMMAND_FOLLOW, .units = units, .unit_count = count, .target = target};
    assert_int_equal(fr_world_submit(world, &command), FR_OK);
}

static double apart(const fr_world *world, int32_t a, int32_t b)
{
    fr_position other = fr_world_snapshot(world)->position[b];
    return distance_to(world, a, fr_cells(other.x), fr_cells(other.y));
}

/* A wall with a gap between the two: the followers come through it after their leader, and stay with it. */
static void test_units_follow_a_unit(void **state)
{
    (void)state;
    fr_map *map = open_map(60, 30);
    for (int32_t y = 0; y < 30; y++) {
        map->costs[FR_CLASS_FOOT][y * 60 + 30] = y > 20 && y < 25 ? 1 : FR_COST_WALL;
    }
    fr_map_share_costs(map);
    fr_world *world = make_world(map, fr_executor_inline());
    uint32_t leader = spawn(world, 50.5, 5.5);
    spawn_block(world, 3, 3, 4, 5, 20);
    follow(world, 0, 21, leader); /* nobody follows itself */
    run(world, 1);
    assert_int_equal(fr_world_snapshot(world)->state[leader], FR_UNIT_IDLE);
    run(world, 700);
    for (int32_t i = 1; i <= 20; i++) {
        assert_true(apart(world, i, (int32_t)leader) < 4.5);
    }
    /* It goes on, back through the gap; they do too. */
    order_range(world, FR_COMMAND_MOVE, leader, 1, 10.5, 5.5);
    run(world, 700);
    for (int32_t i = 1; i <= 20; i++) {
        if (apart(world, i, (int32_t)leader) > 4.5 || distance_to(world, i, 10.5, 5.5) > 4.5) {
            fail_msg("unit %d is %.2f from its leader", i, apart(world, i, (int32_t)leader));
        }
    }
    assert_int_equal(count_state(world, FR_UNIT_MOVING), 0); /* the leader stands: they rest */
    /* Any other order ends it. */
    order_range(world, FR_COMMAND_MOVE, 1, 20, 20.5, 15.5);
    run(world, 300);
    order_range(world, FR_COMMAND_MOVE, leader, 1, 3.5, 25.5);
    run(world, 300);
    for (int32_t i = 1; i <= 20; i++) {
        assert_true(distance_to(world, i, 20.5, 15.5) < 4.5);
    }
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* The goal moves every FR_FOLLOW_TICKS, and no field is asked for while the leader stands. */
static void test_following_is_bounded(void **state)
{
    (void)state;
    fr_map *map = open_map(60, 30);
    fr_world *world = make_world(map, fr_executor_inline());
    uint32_t leader = spawn(world, 5.5, 5.5);
    spawn_block(world, 3, 12, 4, 5, 20);
    order_range(world, FR_COMMAND_MOVE, leader, 1, 55.5, 5.5);
    follow(world, 1, 20, leader);
    run(world, 300);
    fr_world_stats walking = fr_world_statistics(world);
    assert_in_range(walking.fields_built, 10, 300 / FR_FOLLOW_TICKS + 2);
    run(world, 400);
    assert_int_equal(fr_world_snapshot(world)->state[leader], FR_UNIT_ARRIVED);
    uint32_t then = fr_world_statistics(world).fields_built;
    run(world, 200);
    assert_int_equal(fr_world_statistics(world).fields_built, then);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* A leader who is gone: its followers go to where it was seen last. So do those who are told to follow one
 * that is gone already: nothing. */
static void test_the_leader_is_gone(void **state)
{
    (void)state;
    fr_map *map = open_map(60, 20);
    fr_world *world = make_world(map, fr_executor_inline());
    fr_world_add_group(world, &(fr_group_def){.name = "leaving",
                                              .leaves = true,
                                              .leave_from = fr_position_at(40, 0),
                                              .leave_to = fr_position_at(40, 20)});
    fr_unit_def def = {.position = fr_position_at(20.5, 10.5), .radius = 0.4f, .speed = 4.0f, .group = 1};
    uint32_t leader = fr_world_spawn(world, &def);
    spawn_block(world, 3, 8, 3, 4, 12);
    order_range(world, FR_COMMAND_MOVE, leader, 1, 55.5, 10.5);
    follow(world, 1, 12, leader);
    run(world, 900);
    assert_int_equal(fr_world_snapshot(world)->state[leader], FR_UNIT_GONE);
    assert_int_equal(count_state(world, FR_UNIT_ARRIVED), 12);
    for (int32_t i = 1; i <= 12; i++) {
        assert_true(distance_to(world, i, 40.0, 10.5) < 4.0);
    }
    uint64_t before = fr_world_hash(world);
    follow(world, 1, 12, leader);
    follow(world, 1, 12, 5000); /* no such unit */
    run(world, 1);
    assert_true(before != 0 && count_state(world, FR_UNIT_ARRIVED) == 12);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* A crowd that is to leave a little before its goal does not settle on this side of the line. */
static void test_a_crowd_leaves(void **state)
{
    (void)state;
    enum { COUNT = 80 };
    fr_map *map = open_map(60, 14);
    fr_world *world = make_world(map, fr_executor_inline());
    fr_world_add_group(world, &(fr_group_def){.name = "leaving",
                                              .leaves = true,
                                              .leave_from = fr_position_at(50, 0),
                                              .leave_to = fr_position_at(50, 14)});
    for (int32_t i = 0; i < COUNT; i++) {
        fr_world_spawn(world, &(fr_unit_def){.position = fr_position_at(5.5 + i % 8, 2.5 + i / 8),
                                             .radius = 0.4f,
                                             .speed = 4.0f,
                                             .group = 1});
    }
    order_all(world, 52.5, 7.5);
    run(world, 600);
    assert_int_equal(count_state(world, FR_UNIT_GONE), COUNT);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* Two that follow each other meet; a leader on an island is followed to the shore. */
static void test_odd_leaders(void **state)
{
    (void)state;
    static const char *const picture[] = {
        "....................", //
        "............#####...", //
        "............#...#...", //
        "............#####...", //
        "....................", NULL,
    };
    fr_map *map = map_from_picture(picture);
    fr_world *world = make_world(map, fr_executor_inline());
    spawn(world, 1.5, 0.5);
    spawn(world, 9.5, 4.5);
    spawn(world, 14.5, 2.5);
    spawn(world, 1.5, 4.5);
    follow(world, 0, 1, 1);
    follow(world, 1, 1, 0);
    follow(world, 3, 1, 2);
    run(world, 400);
    assert_true(apart(world, 0, 1) < 2.0);
    assert_int_equal(fr_world_snapshot(world)->state[3], FR_UNIT_ARRIVED);
    assert_true(distance_to(world, 3, 14.5, 0.5) < 1.0); /* the rule of unreachable goals: smaller y */
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* Leaders walk about, walls come and go, followers are saved, loaded and run with workers: one hash. */
static void play(fr_world *world)
{
    uint32_t tick = fr_world_snapshot(world)->tick;
    fr_rng rng = {tick * 31u + 7u};
    if (tick % 50 == 0) {
        order_range(world, FR_COMMAND_MOVE, fr_rng_below(&rng, 2), 1, 2 + fr_rng_below(&rng, 90),
                    2 + fr_rng_below(&rng, 40));
    }
    if (tick % 70 == 10) {
        follow(world, 2 + fr_rng_below(&rng, 20), 30, fr_rng_below(&rng, 2));
    }
    if (tick % 23 == 5) {
        edit(world,
             (fr_rect){(int32_t)fr_rng_below(&rng, 90), (int32_t)fr_rng_below(&rng, 40), 3,
                       (int32_t)fr_rng_below(&rng, 9)},
             fr_rng_below(&rng, 3) == 0 ? 0 : FR_COST_WALL);
    }
}

static void test_following_has_one_hash(void **state)
{
    (void)state;
    fr_map *map = open_map(94, 45);
    uint64_t expected = 0;
    fr_error error = {0};
    for (int workers = 0; workers <= 2; workers++) {
        fr_pool *pool = workers > 0 ? fr_pool_create(workers, &error) : NULL;
        fr_world *world = make_world(map, pool != NULL ? fr_pool_executor(pool) : fr_executor_inline());
        spawn_block(world, 4, 4, 10, 5, 50);
        for (int tick = 0; tick < 400; tick++) {
            play(world);
            fr_world_tick(world);
            if (workers == 0 && tick == 190) {
                fr_world *twin = saved_twin(world, map);
                assert_true(fr_world_hash(twin) == fr_world_hash(world));
                fr_world_destroy(world);
                world = twin;
            }
        }
        expected = workers == 0 ? fr_world_hash(world) : expected;
        assert_true(fr_world_hash(world) == expected);
        fr_world_destroy(world);
        fr_pool_destroy(pool);
    }
    fr_map_destroy(map);
}

/* --- bursts --- */

/* Thirty clicks within two cells of the first, one a tick: units turn to each at once, and one field serves
 * until the hand rests. The last one wins. */
static void test_a_burst_of_orders(void **state)
{
    (void)state;
    fr_map *map = open_map(90, 40);
    for (int32_t y = 0; y < 30; y++) {
        map->costs[FR_CLASS_FOOT][y * 90 + 40] = FR_COST_WALL;
    }
    fr_map_share_costs(map);
    fr_world *world = make_world(map, fr_executor_inline());
    spawn_block(world, 5, 5, 6, 5, 30);
    fr_rng rng = {8};
    for (int click = 0; click < 30; click++) {
        double x = 70.5 + (double)fr_rng_below(&rng, 280) / 100 - 1.4;
        double y = 10.5 + (double)fr_rng_below(&rng, 280) / 100 - 1.4;
        x = click == 0 ? 70.5 : click == 29 ? 71.5 : x;
        y = click == 0 ? 10.5 : click == 29 ? 11.5 : y;
        order_range(world, FR_COMMAND_MOVE, 0, 30, x, y);
        run(world, 1);
        const fr_snapshot *now = fr_world_snapshot(world);
        assert_int_equal(now->target[0].x, fr_fixed(x));
        assert_int_equal(now->orders[now->order[0]].goals[0].y, fr_fixed(y));
        assert_int_equal(count_state(world, FR_UNIT_MOVING), 30);
    }
    assert_int_equal(fr_world_statistics(world).orders_merged, 29);
    run(world, 60);
    assert_int_equal(fr_world_statistics(world).fields_built, 2); /* the first, and the last */
    run_until_settled(world, 1500);
    double most = arrival_radius(30) + 1.5;
    for (int32_t i = 0; i < 30; i++) {
        assert_true(distance_to(world, i, 71.5, 11.5) < most);
    }
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* Which second order goes on with the first one's field. */
static const struct {
    const char *what;
    double x, y;
    int32_t ticks;
    uint32_t merged;
} seconds[] = {
    {"the same place", 20.5, 2.5, 3, 1},       {"two cells apart", 18.5, 2.5, 3, 1},
    {"farther apart", 18.3, 2.5, 3, 0},        {"on the other side of a wall", 20.5, 4.5, 3, 0},
    {"half a second later", 19.5, 2.5, 15, 1}, {"later", 19.5, 2.5, 16, 0},
};

static void test_what_makes_a_burst(void **state)
{
    (void)state;
    static const char *const picture[] = {
        "..........#..............", //
        "..........#..............", //
        ".........................", //
        "...............##########", //
        ".........................", //
        "..........#..............", NULL,
    };
    for (size_t c = 0; c < sizeof seconds / sizeof *seconds; c++) {
        fr_map *map = map_from_picture(picture);
        fr_world *world = make_world(map, fr_executor_inline());
        spawn(world, 1.5, 0.5);
        spawn(world, 1.5, 5.5);
        order_all(world, 20.5, 2.5);
        run(world, seconds[c].ticks);
        order_all(world, seconds[c].x, seconds[c].y);
        run(world, 1);
        if (fr_world_statistics(world).orders_merged != seconds[c].merged) {
            fail_msg("%s: %u merged", seconds[c].what, fr_world_statistics(world).orders_merged);
        }
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
}

/* --- the budget --- */

/* A thousand orders with a goal each, and room for a dozen fields: all are taken, what does not fit is
 * counted, and nobody waits for ever, for those who have come hold no field. */
static void test_more_orders_than_fields(void **state)
{
    (void)state;
    static const struct {
        int32_t units, ticks;
        bool must_arrive;
    } cases[] = {{1000, 40, false}, {36, 5000, true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        fr_map *map = open_map(96, 64);
        for (int32_t y = 0; y < 64; y++) {
            map->costs[FR_CLASS_FOOT][y * 96 + 48] = y % 8 == 4 ? 1 : FR_COST_WALL;
        }
        fr_map_share_costs(map);
        fr_world_config config = fr_world_config_default();
        config.map = map;
        config.unit_capacity = 1024;
        config.field_bytes = 500u << 10; /* a field takes 30 KiB */
        fr_world *world = fr_world_create(&config);
        fr_world_add_group(world, &(fr_group_def){.name = "units"});
        assert_int_equal(spawn_block(world, 1, 1, 45, 60, cases[c].units), cases[c].units);
        for (int32_t i = 0; i < cases[c].units; i++) {
            order_range(world, FR_COMMAND_MOVE, (uint32_t)i, 1, 50.5 + i % 44, 1.5 + i * 7 % 61);
        }
        for (int32_t t = 0; t < cases[c].ticks; t++) {
            run(world, 1);
            assert_true(fr_world_statistics(world).field_bytes <= config.field_bytes);
            if (count_state(world, FR_UNIT_ARRIVED) == cases[c].units) {
                break;
            }
        }
        fr_world_stats stats = fr_world_statistics(world);
        assert_true(stats.fields_denied > 0 && stats.fields_built > 0);
        assert_int_equal(stats.commands_dropped, 0);
        if (cases[c].must_arrive) {
            assert_int_equal(count_state(world, FR_UNIT_ARRIVED), cases[c].units);
            assert_true(stats.field_evictions > 0);
        }
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
}

/* Of a very large order so many units look for a line to the goal as a tick has time for, and the others in
 * turn. */
static void test_a_very_large_order_sets_out_in_turn(void **state)
{
    (void)state;
    enum { SIDE = 132, UNITS = SIDE * SIDE };
    fr_map *map = open_map(SIDE + 40, SIDE);
    fr_world_config config = fr_world_config_default();
    config.map = map;
    config.unit_capacity = UNITS;
    fr_world *world = fr_world_create(&config);
    fr_world_add_group(world, &(fr_group_def){.name = "blue"});
    assert_int_equal(spawn_block(world, 0, 0, SIDE, SIDE, UNITS), UNITS);
    order_all(world, SIDE + 30.5, 60.5);
    int32_t waiting[2];
    for (int i = 0; i < 2; i++) {
        run(world, i == 0 ? 1 : 40);
        const fr_snapshot *now = fr_world_snapshot(world);
        waiting[i] = 0;
        for (int32_t unit = 0; unit < UNITS; unit++) {
            waiting[i] += now->reason[unit] == FR_REASON_WAITING_FIELD;
        }
    }
    assert_in_range(waiting[0], UNITS / 2, UNITS);
    assert_int_equal(waiting[1], 0);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units_come_in_a_stream),
        cmocka_unit_test(test_streams_get_the_last_order),
        cmocka_unit_test(test_a_stream_waits_for_room),
        cmocka_unit_test(test_a_stream_packs),
        cmocka_unit_test(test_units_follow_a_unit),
        cmocka_unit_test(test_following_is_bounded),
        cmocka_unit_test(test_a_crowd_leaves),
        cmocka_unit_test(test_the_leader_is_gone),
        cmocka_unit_test(test_odd_leaders),
        cmocka_unit_test(test_following_has_one_hash),
        cmocka_unit_test(test_a_burst_of_orders),
        cmocka_unit_test(test_what_makes_a_burst),
        cmocka_unit_test(test_more_orders_than_fields),
        cmocka_unit_test(test_a_very_large_order_sets_out_in_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
