/* Goals with capacities: units are shared out so that no goal takes far more than it is meant for while
 * another has room, and those go elsewhere to whom it matters least. */
#include "world_scene.h"

#include "jobs/pool.h"
#include "sim/score.h"

#define GOALS_MAX 4

typedef struct share_case {
    const char *what;
    int32_t count;
    double goals[GOALS_MAX][2];
    uint32_t prices[GOALS_MAX]; /* cells */
    uint32_t capacities[GOALS_MAX];
    int32_t shares[GOALS_MAX];
} share_case;

/* 120 units stand at 30..42, 14..24 of 120 x 40 cells; a wall at x = 90 shuts the right end off. */
static const share_case cases[] = {
    {"room for all at the nearest", 2, {{20, 20}, {70, 20}}, {0, 0}, {120, 120}, {120, 0}},
    {"to both sides", 2, {{20, 20}, {70, 20}}, {0, 0}, {60, 120}, {60, 60}},
    {"one behind the other", 2, {{60, 30}, {80, 10}}, {0, 0}, {50, 100}, {50, 70}},
    {"one much nearer", 2, {{36, 30}, {85, 3}}, {0, 0}, {30, 90}, {30, 90}},
    {"not enough room: in proportion", 2, {{20, 20}, {70, 20}}, {0, 0}, {20, 40}, {40, 80}},
    {"no room at the nearest", 3, {{36, 32}, {10, 10}, {80, 10}}, {0, 0, 0}, {0, 60, 120}, {0, 60, 60}},
    {"one within reach, and no room there: nothing to share out",
     2,
     {{20, 20}, {110, 20}},
     {0, 0},
     {0, 50},
     {0, 0}},
    {"the far one can't be reached", 3, {{20, 20}, {110, 20}, {70, 20}}, {0}, {50, 90, 50}, {60, 0, 60}},
    {"dear to enter", 2, {{20, 20}, {70, 20}}, {1000, 0}, {60, 90}, {30, 90}},
    {"two in one place", 2, {{60, 20}, {60, 20}}, {0, 0}, {40, 90}, {40, 80}},
};

static fr_map *share_map(void)
{
    fr_map *map = open_map(120, 40);
    for (int32_t y = 0; y < 40; y++) {
        map->costs[FR_CLASS_FOOT][y * 120 + 90] = FR_COST_WALL;
    }
    fr_map_share_costs(map);
    return map;
}

static void order_shares(fr_world *world, const share_case *c)
{
    static uint32_t units[512];
    uint32_t prices[GOALS_MAX];
    fr_position goals[GOALS_MAX];
    fr_command command = {.kind = FR_COMMAND_MOVE,
                          .units = units,
                          .unit_count = fr_world_snapshot(world)->unit_count,
                          .goals = goals,
                          .goal_count = c->count,
                          .goal_prices = prices,
                          .goal_capacities = c->capacities};
    for (int32_t i = 0; i < command.unit_count; i++) {
        units[i] = (uint32_t)i;
    }
    for (int32_t g = 0; g < c->count; g++) {
        goals[g] = fr_position_at(c->goals[g][0] + 0.5, c->goals[g][1] + 0.5);
        prices[g] = c->prices[g] * FR_STEP_STRAIGHT;
    }
    assert_int_equal(fr_world_submit(world, &command), FR_OK);
}

/* How many were sent to a goal; of those that stand, all must be near it. */
static int32_t count_sent(const fr_world *world, const share_case *c, int32_t goal)
{
    const fr_snapshot *now = fr_world_snapshot(world);
    int32_t count = 0;
    for (int32_t i = 0; i < now->unit_count; i++) {
        if (fr_snapshot_sent_to(now, i) == goal) {
            count++;
            if (now->state[i] == FR_UNIT_ARRIVED &&
                distance_to(world, i, c->goals[goal][0] + 0.5, c->goals[goal][1] + 0.5) > 8.5) {
                fail_msg("%s: unit %d was sent to goal %d and stands at %.1f,%.1f", c->what, i, goal,
                         fr_cells(now->position[i].x), fr_cells(now->position[i].y));
            }
        }
    }
    return count;
}

static void assert_shares(const fr_world *world, const share_case *c)
{
    for (int32_t g = 0; g < c->count; g++) {
        int32_t count = count_sent(world, c, g);
        if (count != c->shares[g]) {
            fail_msg("%s: %d units were sent to goal %d, expected %d", c->what, count, g, c->shares[g]);
        }
    }
}

/* All are sent somewhere, and nowhere too many. */
static void assert_room(const fr_world *world, const share_case *c)
{
    int32_t total = 0;
    for (int32_t g = 0; g < c->count; g++) {
        int32_t count = count_sent(world, c, g);
        assert_true(count <= (int32_t)c->capacities[g]);
        total += count;
    }
    assert_int_equal(total, fr_world_snapshot(world)->unit_count);
}

static void test_units_are_shared_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const share_case *c = &cases[i];
        fr_map *map = share_map();
        fr_world *world = make_world(map, fr_executor_inline());
        spawn_block(world, 30, 14, 12, 10, 120);
        order_shares(world, c);
        fr_scorecard *card = fr_scorecard_create(fr_world_snapshot(world), NULL);
        int32_t ticks = 0;
        do {
            run(world, 1);
            fr_scorecard_tick(card, fr_world_snapshot(world));
        } while (++ticks < 1500 && count_state(world, FR_UNIT_MOVING) > 0);
        assert_shares(world, c);
        /* The packs of two goals in one place don't interlock: together they may be a little too wide for the
         * arrival radius of one. */
        bool is_one_place = c->goals[0][0] == c->goals[1][0] && c->goals[0][1] == c->goals[1][1];
        for (int32_t unit = 0; unit < 120; unit++) {
            uint32_t tick;
            if (fr_world_snapshot(world)->state[unit] != FR_UNIT_ARRIVED ||
                (!fr_score_arrival(card, unit, &tick) &&
                 !(is_one_place && distance_to(world, unit, c->goals[0][0], c->goals[0][1]) < 7.0))) {
                fail_msg("%s: unit %d did not arrive: state %d after %d ticks, at %.1f,%.1f", c->what, unit,
                         fr_world_snapshot(world)->state[unit], ticks,
                         fr_cells(fr_world_snapshot(world)->position[unit].x),
                         fr_cells(fr_world_snapshot(world)->position[unit].y));
            }
        }
        fr_scorecard_destroy(card);
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
}

/* Those go on to whom it matters least: never one that is nearer to the full goal, and farther from the
 * other, than one that stays. */
static void test_who_goes_on(void **state)
{
    (void)state;
    const share_case *c = &cases[1];
    fr_map *map = share_map();
    fr_world *world = make_world(map, fr_executor_inline());
    spawn_block(world, 30, 14, 12, 10, 120);
    double extra[120], most_gone = -1e9, least_stayed = 1e9;
    for (int32_t i = 0; i < 120; i++) {
        extra[i] = distance_to(world, i, 70.5, 20.5) - distance_to(world, i, 20.5, 20.5);
    }
    order_shares(world, c);
    run(world, 20);
    for (int32_t i = 0; i < 120; i++) {
        bool stayed = fr_snapshot_sent_to(fr_world_snapshot(world), i) == 0;
        most_gone = !stayed && extra[i] > most_gone ? extra[i] : most_gone;
        least_stayed = stayed && extra[i] < least_stayed ? extra[i] : least_stayed;
    }
    /* They have walked a little by then, and eight directions are not all. */
    if (most_gone > least_stayed + 3.0) {
        fail_msg("one with %.2f cells more to go went on, one with %.2f stayed", most_gone, least_stayed);
    }
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* One goal is walled in on the way: its units go to the others; opened again, all are shared out anew. Those
 * who come later find what room is left. */
static void test_walls_and_latecomers(void **state)
{
    (void)state;
    static const share_case three = {"three goals", 3, {{20, 20}, {60, 8}, {60, 32}}, {0}, {40, 50, 60}, {0}};
    static const share_case walled = {"one walled in", 3,          {{20, 20}, {60, 8}, {60, 32}}, {0},
                                      {40, 50, 60},    {48, 0, 72}};
    fr_map *map = share_map();
    fr_world *world = make_world(map, fr_executor_inline());
    spawn_block(world, 30, 14, 12, 10, 120);
    order_shares(world, &three);
    run(world, 30);
    assert_room(world, &three);
    edit(world, (fr_rect){55, 0, 1, 20}, FR_COST_WALL);
    edit(world, (fr_rect){55, 19, 35, 1}, FR_COST_WALL);
    run(world, 40);
    assert_shares(world, &walled);
    edit(world, (fr_rect){55, 0, 35, 20}, 0);
    run(world, 40);
    assert_room(world, &three);
    for (int i = 0; i < 10; i++) {
        fr_command come = {
            .kind = FR_COMMAND_SPAWN,
            .unit = {.position = fr_position_at(5.5, 3.5 + 3 * i), .radius = 0.4f, .speed = 4.0f}};
        assert_int_equal(fr_world_submit(world, &come), FR_OK);
        run(world, 5);
    }
    run_until_settled(world, 900);
    assert_int_equal(count_state(world, FR_UNIT_ARRIVED), 130);
    assert_room(world, &three);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* A map on which fields cover only what units need: they are shared out all the same. */
static void test_large_map(void **state)
{
    (void)state;
    static const share_case c = {"large", 2, {{100, 60}, {300, 60}}, {0}, {40, 80}, {40, 80}};
    fr_map *map = open_map(700, 400);
    fr_world *world = make_world(map, fr_executor_inline());
    spawn_block(world, 30, 54, 12, 10, 120);
    order_shares(world, &c);
    run(world, 60);
    assert_shares(world, &c);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* One future: with workers, and from a world that was saved while it waited for the fields. */
static void test_one_future(void **state)
{
    (void)state;
    fr_error error = {0};
    fr_pool *pool = fr_pool_create(2, &error);
    assert_non_null(pool);
    fr_map *map = share_map();
    fr_world *worlds[2] = {make_world(map, fr_executor_inline()), make_world(map, fr_pool_executor(pool))};
    for (uint32_t saved_at = 0; saved_at < 8; saved_at += 2) {
        fr_buffer saved = {0};
        for (int w = 0; w < 2; w++) {
            if (saved_at == 0) {
                spawn_block(worlds[w], 30, 14, 12, 10, 120);
            }
            order_shares(worlds[w], &cases[saved_at % 4 == 0 ? 1 : 7]);
            for (uint32_t t = 0; t < 60; t++) {
                if (w == 0 && t == saved_at) {
                    fr_world_save(worlds[w], &saved);
                }
                fr_world_tick(worlds[w]);
            }
        }
        fr_world_config config = world_config(map);
        fr_world *twin = fr_world_load(&config, saved.data, saved.size, &error);
        if (twin == NULL) {
            fail_msg("%s", error.message);
        }
        run(twin, 60 - (int32_t)saved_at);
        assert_true(fr_world_hash(worlds[0]) == fr_world_hash(worlds[1]));
        assert_true(fr_world_hash(worlds[0]) == fr_world_hash(twin));
        fr_world_destroy(twin);
        for (size_t cut = 1; cut < saved.size; cut = cut * 3 / 2 + 1) {
            assert_null(fr_world_load(&config, saved.data, saved.size - cut, &error));
        }
        fr_buffer_fini(&saved);
    }
    fr_world_destroy(worlds[0]);
    fr_world_destroy(worlds[1]);
    fr_pool_destroy(pool);
    fr_map_destroy(map);
}

/* Orders that follow one another and are dropped while they wait leave no field behind. */
static void test_dropped_orders(void **state)
{
    (void)state;
    fr_map *map = share_map();
    fr_world *world = make_world(map, fr_executor_inline());
    spawn_block(world, 30, 14, 12, 10, 120);
    for (int i = 0; i < 40; i++) {
        order_shares(world, &cases[i % 2 == 0 ? 1 : 2]);
        run(world, i % 4);
    }
    order_range(world, FR_COMMAND_STOP, 0, 120, 0, 0);
    run(world, 30);
    assert_int_equal(fr_world_statistics(world).fields_pending, 0);
    order_shares(world, &cases[2]);
    run(world, 20);
    assert_shares(world, &cases[2]);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

static void test_bad_capacities_are_refused(void **state)
{
    (void)state;
    fr_map *map = share_map();
    fr_world *world = make_world(map, fr_executor_inline());
    uint32_t unit = spawn(world, 5.5, 5.5);
    fr_position goals[] = {fr_position_at(9.5, 9.5), fr_position_at(19.5, 9.5)};
    static const uint32_t bad[][2] = {{0, 0}, {1, FR_UNITS_MAX + 1}};
    for (int i = 0; i < 2; i++) {
        fr_command command = {.kind = FR_COMMAND_MOVE,
                              .units = &unit,
                              .unit_count = 1,
                              .goals = goals,
                              .goal_count = 2,
                              .goal_capacities = bad[i]};
        assert_int_equal(fr_world_submit(world, &command), FR_BAD_INPUT);
    }
    fr_world_destroy(world);
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units_are_shared_out),
        cmocka_unit_test(test_who_goes_on),
        cmocka_unit_test(test_walls_and_latecomers),
        cmocka_unit_test(test_large_map),
        cmocka_unit_test(test_one_future),
        cmocka_unit_test(test_dropped_orders),
        cmocka_unit_test(test_bad_capacities_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
