/* Those who stand in the way and do not give way: units go round them, or come to rest before them. */
#include "world_scene.h"

/* h: one who holds, u: a unit that is to go to the g. */
typedef struct scene {
    fr_map *map;
    fr_world *world;
    double goal_x, goal_y;
    int32_t count; /* of those who go; they come first */
} scene;

/* Units beside one another are 0.8 apart in both directions when there are four in the picture for three
 * cells; here one is in the middle of its cell. */
static scene set_scene(const char *const *rows)
{
    scene s = {.map = map_from_picture(rows)};
    s.world = make_world(s.map, fr_executor_inline());
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t y = 0; rows[y] != NULL; y++) {
            for (int32_t x = 0; rows[y][x] != '\0'; x++) {
                if (rows[y][x] == (pass == 0 ? 'u' : 'h')) {
                    assert_int_not_equal(spawn(s.world, x + 0.5, y + 0.5), FR_NO_UNIT);
                    s.count += pass == 0;
                } else if (rows[y][x] == 'g') {
                    s.goal_x = x + 0.5;
                    s.goal_y = y + 0.5;
                }
            }
        }
    }
    int32_t all = fr_world_snapshot(s.world)->unit_count;
    order_range(s.world, FR_COMMAND_HOLD, (uint32_t)s.count, all - s.count, 0, 0);
    order_range(s.world, FR_COMMAND_MOVE, 0, s.count, s.goal_x, s.goal_y);
    return s;
}

static void close_scene(scene *s)
{
    fr_world_destroy(s->world);
    fr_map_destroy(s->map);
}

static const char *const one_in_a_pocket[] = {"...............................", //
                                              "...............................", //
                                              "...............................", //
                                              "...............................", //
                                              "........hhhhhhhhhh.............", //
                                              ".................h.............", //
                                              ".................h.............", //
                                              "..u..............h..........g..", //
                                              ".................h.............", //
                                              ".................h.............", //
                                              "........hhhhhhhhhh.............", //
                                              "...............................", //
                                              "...............................", //
                                              "...............................", NULL};

/* Round a corner, so that all go by a field. */
static const char *const crowd_in_a_pocket[] = {"....................#..........", //
                                                "....................#..........", //
                                                "....................#..........", //
                                                "..uu......hhhhh.....#..........", //
                                                "..uu..........h.....#..........", //
                                                "..uu..........h.....#..........", //
                                                "..uu..........h.....#.......g..", //
                                                "..uu..........h.....#..........", //
                                                "..uu......hhhhh.....#..........", //
                                                "....................#..........", //
                                                "...............................", //
                                                "...............................", //
                                                "....................#..........", //
                                                "....................#..........", NULL};

static const char *const one_before_a_line[] = {"...............................", //
                                                "...............................", //
                                                "...............h...............", //
                                                "...............h...............", //
                                                "..u............h.............g.", //
                                                "...............h...............", //
                                                "...............h...............", //
                                                "...............................", //
                                                "...............................", NULL};

static const struct {
    const char *what;
    const char *const *rows;
} ways_round[] = {
    {"one before a line", one_before_a_line},
    {"one in a pocket", one_in_a_pocket},
    {"a crowd in a pocket", crowd_in_a_pocket},
};

static void test_units_go_round_those_who_hold(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof ways_round / sizeof *ways_round; c++) {
        scene s = set_scene(ways_round[c].rows);
        run_until_settled(s.world, 1500);
        for (int32_t i = 0; i < s.count; i++) {
            if (fr_world_snapshot(s.world)->state[i] != FR_UNIT_ARRIVED ||
                distance_to(s.world, i, s.goal_x, s.goal_y) > 3.5) {
                fail_msg("%s: unit %d is at %.2f,%.2f after %u ticks", ways_round[c].what, i,
                         fr_cells(fr_world_snapshot(s.world)->position[i].x),
                         fr_cells(fr_world_snapshot(s.world)->position[i].y),
                         fr_world_snapshot(s.world)->tick);
            }
        }
        close_scene(&s);
    }
}

/* Nothing leads past: they come to rest before those who hold, and stay so. */
static void test_a_way_that_is_shut_is_given_up(void **state)
{
    (void)state;
    static const char *const shut[] = {"##############################", //
                                       "..uuu..........h..............", //
                                       "..uuu..........h...........g..", //
                                       "..uuu..........h..............", //
                                       "##############################", NULL};
    scene s = set_scene(shut);
    run_until_settled(s.world, 2700);
    assert_int_equal(count_state(s.world, FR_UNIT_ARRIVED), s.count);
    uint64_t rest = 0;
    run(s.world, 100);
    for (int32_t i = 0; i < s.count; i++) {
        const fr_snapshot *now = fr_world_snapshot(s.world);
        rest += now->velocity[i].x != 0.0f || now->velocity[i].y != 0.0f;
        assert_true(fr_cells(now->position[i].x) > 10.0);
    }
    assert_int_equal(rest, 0);
    close_scene(&s);
}

/* A world that is saved while units go round goes on as it would have. */
static void test_saved_on_the_way_round(void **state)
{
    (void)state;
    scene s = set_scene(crowd_in_a_pocket);
    for (int round = 0; round < 6; round++) {
        run(s.world, 70);
        fr_world *twin = saved_twin(s.world, s.map);
        run(s.world, 30);
        run(twin, 30);
        assert_true(fr_world_hash(twin) == fr_world_hash(s.world));
        fr_world_destroy(twin);
    }
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units_go_round_those_who_hold),
        cmocka_unit_test(test_a_way_that_is_shut_is_given_up),
        cmocka_unit_test(test_saved_on_the_way_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
