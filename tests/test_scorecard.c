/* The scorecard: goals, arrival, packing, and the form of what it writes, on hand-made runs whose values were
 * worked out on paper. */
#include "scene.h"

#include <stdlib.h>

#include "sim/score_distance.h"

/* --- arrival --- */

/* One unit, 1/8 cell a tick (15/16 of its top speed) from (2.5, 5.5) towards its own goal ten cells on, where
 * it stops dead after 80 ticks. It is within 0.8 of it after 74. */
static void test_straight_walk(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(20, 11));
    add_unit(s, 2.5, 5.5, 0.4f);
    order_to(s, 0, 0, 12.5, 5.5);
    for (int k = 1; k <= 500; k++) {
        place(s, 0, 2.5 + (k < 80 ? k : 80) * 0.125, 5.5);
        step(s);
        if (k == 73) {
            expect_number(s, "arrived", 0);
            expect_null(s, "arrival_s.p50");
            expect_null(s, "rest_after_s");
        }
    }
    expect_number(s, "units", 1);
    expect_number(s, "arrived", 1);
    expect_number(s, "arrival_s.p50", 74.0 / 30.0);
    expect_number(s, "arrival_s.last", 74.0 / 30.0);
    expect_number(s, "speed_max", 0.9375);
    expect_number(s, "jerk", 0);
    expect_number(s, "reversals_per_s", 0);
    expect_number(s, "stop_go_per_min", 0);
    expect_number(s, "overlap.max", 0);
    expect_number(s, "wall_penetration_max", 0);
    expect_number(s, "rest_speed", 0);
    expect_number(s, "rest_after_s", 6.0 / 30.0);
    expect_number(s, "stuck", 0);
    expect_null(s, "moving_share"); /* it arrived before tick 100 */
    expect_null(s, "compactness");
    /* Ten cells less 0.8 take 2.3 s at best. */
    expect_number(s, "time_ratio.mean", 74.0 / 30.0 / 2.3);
    expect_number(s, "time_ratio.p95", 74.0 / 30.0 / 2.3);
    expect_number(s, "path_ratio.mean", 74 * 0.125 / 9.2);
    expect_number(s, "makespan_ratio", 74.0 / 30.0 / 2.3);
    expect_bool(s, "resolved", true);
    expect_text(s, "bound", "exact");
    expect_null(s, "time_ms.tick_p50");
    expect_null(s, "allocations_per_tick");
    scene_destroy(s);
}

/* The clock starts with the order, and a unit that leaves its radius again has not arrived before it is back.
 */
static void test_last_entry_counts(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(20, 11));
    add_unit(s, 10.5, 5.5, 0.4f);
    steps(s, 50);
    order_to(s, 0, 0, 10.5, 5.5);
    step(s);
    expect_number(s, "arrival_s.last", 0); /* it never was outside */
    place(s, 0, 12.5, 5.5);
    steps(s, 19);
    expect_number(s, "arrived", 0);
    place(s, 0, 10.5, 5.5);
    steps(s, 5);
    expect_number(s, "arrival_s.last", 21.0 / 30.0);
    scene_destroy(s);
}

/* Two discs of radius 0.4 need 1.25 x 2 x 3.4641 x 0.16 = 1.39 cells: the goal's cell is too little, its
 * neighbours make five, so the radius is 1 + 1. */
static void test_arrival_radius(void **state)
{
    (void)state;
    static const struct {
        double dx, dy;
        int arrived;
    } cases[] = {
        {2.0, 0.0, 1}, {1.0, 1.0, 1}, {-1.0, -1.0, 1}, {0.0, -2.0, 1},
        {2.0, 1.0, 0}, {3.0, 0.0, 0}, {2.49, 0.49, 1},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        scene *s = scene_create(open_map(21, 15));
        add_unit(s, 10.5 + cases[c].dx, 7.5 + cases[c].dy, 0.4f);
        add_unit(s, 1.5, 1.5, 0.4f);
        order_to(s, 0, 1, 10.5, 7.5);
        steps(s, 2);
        expect_number(s, "arrived", cases[c].arrived);
        scene_destroy(s);
    }
}

/* Walls count: behind one, a cell and a half away is far. */
static void test_detour_is_walked(void **state)
{
    (void)state;
    static const char *const picture[] = {
        ".............", //
        ".....#.......", //
        "....a#G......", //
        ".....#...b...", //
        ".............", NULL,
    };
    scene *s = scene_create(map_from_picture(picture));
    fr_cell goal = picture_cell(picture, 'G');
    add_unit(s, 4.5, 2.5, 0.4f);
    add_unit(s, goal.x + 2.5, goal.y + 0.5, 0.4f);
    order_to(s, 0, 1, goal.x + 0.5, goal.y + 0.5);
    steps(s, 3);
    expect_number(s, "arrived", 1);
    /* The wall goes: now both are within two cells. */
    fr_cost_set_terrain(s->cost, (fr_rect){5, 1, 1, 3}, FR_TERRAIN_GRASS, 1);
    step(s);
    expect_number(s, "arrived", 2);
    scene_destroy(s);
}

/* Two orders to one place share the room: 1.25 x 4 x 3.4641 x 0.16 = 2.77 cells still fit the radius of 2,
 * but with radius 0.9 it is 14.0 cells: 13 within 2, 21 within 1 + sqrt 2, so 2 + sqrt 2 with the margin. */
static void test_room_is_shared(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(31, 15));
    add_unit(s, 10.5 + 3.0, 7.5 + 1.0, 0.9f); /* 3.414 away */
    add_unit(s, 2.5, 2.5, 0.9f);
    add_unit(s, 25.5, 2.5, 0.9f);
    add_unit(s, 25.5, 12.5, 0.9f);
    order_to(s, 0, 1, 10.5, 7.5);
    steps(s, 2);
    expect_number(s, "arrived", 0); /* 7.0 cells are 9 within sqrt 2: radius 2.414 */
    order_to(s, 2, 3, 11.0, 7.5);
    step(s);
    expect_number(s, "arrived", 1);
    order_to(s, 2, 3, 20.5, 7.5);
    step(s);
    expect_number(s, "arrived", 0);
    scene_destroy(s);
}

/* Two goals: each unit counts for the one that is nearest on foot, not as the crow flies. */
static void test_two_goals(void **state)
{
    (void)state;
    static const char *const picture[] = {
        "...........", //
        ".....#.....", //
        "....a#G....", //
        ".....#.....", //
        ".....#.....", //
        ".H...#.....", NULL,
    };
    const double goals[2][2] = {{6.5, 2.5}, {1.5, 5.5}};
    scene *s = scene_create(map_from_picture(picture));
    add_unit(s, 4.5, 2.5, 0.4f); /* to G: 2.8 + 2 x 1 over the top or more; to H: 3 diagonals = 4.24 */
    add_unit(s, 9.5, 2.5, 0.4f);
    give_order(s, 0, 1, 2, goals);
    step(s);
    place(s, 0, 6.5, 2.5);
    place(s, 1, 6.5, 3.5);
    steps(s, 3);
    expect_number(s, "arrived", 1);
    place(s, 0, 1.5, 5.5);
    steps(s, 3);
    expect_number(s, "arrived", 2);
    scene_destroy(s);
}

/* A goal that can't be reached: the nearest cell of the unit's own region, ties to the smaller y, then x. */
static void test_unreachable_goal(void **state)
{
    (void)state;
    static const char *const picture[] = {
        "....#......", //
        "....#......", //
        "....#..###.", //
        "....#..#G#.", //
        "....#..###.", //
        "....#......", NULL,
    };
    scene *s = scene_create(map_from_picture(picture));
    add_unit(s, 0.5, 0.5, 0.4f);
    add_unit(s, 10.5, 5.5, 0.4f);
    const double goal[1][2] = {{8.5, 3.5}};
    give_order(s, 0, 0, 1, goal);
    give_order(s, 1, 1, 1, goal);
    steps(s, 2);
    expect_number(s, "arrived", 0);
    place(s, 0, 3.5, 3.5); /* its region's nearest cell */
    place(s, 1, 8.5, 1.5); /* two cells up; the cells left, right and below are as near */
    steps(s, 2);
    expect_number(s, "arrived", 2);
    place(s, 1, 6.5, 3.5);
    step(s);
    expect_number(s, "arrived", 1);
    /* A door opens: from now on the goal itself counts. */
    fr_cost_set_terrain(s->cost, (fr_rect){8, 2, 1, 1}, FR_TERRAIN_GRASS, 1);
    place(s, 1, 8.5, 3.5);
    step(s);
    expect_number(s, "arrived", 2);
    scene_destroy(s);
}

static void test_leaving_is_arriving(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(30, 9));
    add_unit(s, 2.5, 2.5, 0.4f);
    add_unit(s, 2.5, 5.5, 0.4f);
    s->group[1] = 1;
    order_to(s, 0, 1, 28.5, 4.5);
    steps(s, 40);
    s->state[1] = FR_UNIT_GONE;
    steps(s, 20);
    expect_number(s, "units", 2);
    expect_number(s, "arrived", 1);
    expect_number(s, "arrival_s.last", 41.0 / 30.0);
    const fr_json_value *blue = fr_json_first(report_value(s, "groups"));
    const fr_json_value *red = fr_json_next(blue);
    assert_string_equal(fr_json_string_or(fr_json_get(red, "name"), ""), "red");
    assert_true(fr_json_number_or(fr_json_get(blue, "arrived"), -1.0) == 0.0);
    assert_true(fr_json_number_or(fr_json_get(red, "arrived"), -1.0) == 1.0);
    assert_true(fr_json_number_or(fr_json_get(red, "units"), -1.0) == 1.0);
    scene_destroy(s);
}

/* Of four times the second is the median, and the last the 95th percentile (nearest rank). */
static void test_percentiles(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(40, 40));
    for (int i = 0; i < 4; i++) {
        add_unit(s, 2.5, 2.5 + 8 * i, 0.4f);
    }
    for (int i = 0; i < 4; i++) {
        order_to(s, i, i, 30.5, 2.5 + 8 * i);
    }
    for (int k = 1; k <= 120; k++) {
        for (int i = 0; i < 4; i++) {
            if (k == 30 * (4 - i)) {
                place(s, i, 30.5, 2.5 + 8 * i);
            }
        }
        step(s);
    }
    expect_number(s, "arrival_s.p50", 2.0);
    expect_number(s, "arrival_s.p95", 4.0);
    expect_number(s, "arrival_s.last", 4.0);
    scene_destroy(s);
}

/* --- packing, form --- */

/* Five by four units a cell apart: variances 2 and 1.25. Radius 1/2: R_h^2 / 2 = 20 x 0.25 / 0.9069 / 2
 * = 2.75664. */
static void test_pack(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(30, 21));
    for (int i = 0; i < 20; i++) {
        add_unit(s, 13.5 + i % 5, 8.5 + (double)(i / 5), 0.5f);
    }
    order_to(s, 0, 19, 15.5, 10.5);
    steps(s, 2);
    expect_number(s, "arrived", 20);
    expect_number(s, "compactness", 20 * 0.25 / 0.9069 / 2.0 / 3.25);
    expect_number(s, "aspect", sqrt(1.25 / 2.0));
    scene_destroy(s);
}

/* The keys, in this order. */
static void test_form(void **state)
{
    (void)state;
    static const char *const keys[] = {
        "scenario",
        "map",
        "seed",
        "ticks",
        "tick_hz",
        "threads",
        "mover",
        "state_hash",
        "units",
        "arrived",
        "stuck",
        "displaced",
        "moving_share",
        "arrival_s",
        "time_ratio",
        "path_ratio",
        "makespan_ratio",
        "resolved",
        "bound",
        "overlap",
        "wall_penetration_max",
        "speed_max",
        "speed_p999",
        "jerk",
        "reversals_per_s",
        "stop_go_per_min",
        "rest_speed",
        "rest_after_s",
        "compactness",
        "aspect",
        "lane_order",
        "doors",
        "groups",
        "time_ms",
        "field_worker_ms",
        "field_bytes",
        "handover_deg_p50",
        "allocations_per_tick",
    };
    scene *s = scene_create(open_map(9, 7));
    step(s);
    report_value(s, "units");
    const fr_json_value *value = fr_json_first(fr_json_root(s->report));
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        assert_non_null(value);
        assert_string_equal(fr_json_key(value), keys[i]);
        value = fr_json_next(value);
    }
    assert_null(value);
    /* A run without units has nothing to judge. */
    expect_number(s, "units", 0);
    expect_null(s, "overlap.mean");
    expect_null(s, "speed_max");
    expect_null(s, "jerk");
    expect_null(s, "arrival_s.p95");
    scene_destroy(s);
}

/* The judge's distances against Bellman-Ford, which has no queue to get wrong. */
static void test_distances(void **state)
{
    (void)state;
    static const char *const picture[] = {
        "..#.......", //
        "..#.####..", //
        "....#..#..", //
        "###.#.##..", //
        "....#.....", //
        ".##...#.##", NULL,
    };
    fr_map *map = map_from_picture(picture);
    fr_walls walls;
    fr_distance_search search;
    fr_walls_init(&walls, map->grid);
    fr_walls_update(&walls, map->costs[FR_CLASS_FOOT]);
    fr_distance_search_init(&search, map->grid);
    int32_t count = fr_grid_count(map->grid);
    uint32_t *found = fr_alloc((size_t)count, sizeof *found),
             *expected = fr_alloc((size_t)count, sizeof *expected);
    fr_cell goal = {5, 4};
    fr_distance_from(&search, &walls, &goal, 1, NULL, found, NULL);
    fr_cost *cost = fr_cost_create(map);
    memset(expected, 0xff, (size_t)count * sizeof *expected);
    expected[fr_grid_index(map->grid, goal)] = 0;
    for (int32_t pass = 0; pass < count; pass++) {
        for (int32_t i = 0; i < count; i++) {
            fr_cell cell = fr_grid_cell(map->grid, i);
            for (int d = 0; d < FR_DIR_COUNT && expected[i] != FR_DISTANCE_NONE; d++) {
                if (fr_cost_step_allowed(cost, FR_CLASS_FOOT, cell, d)) {
                    int32_t next = i + FR_STEPS[d].dy * map->grid.width + FR_STEPS[d].dx;
                    uint32_t way = expected[i] + FR_STEPS[d].price;
                    expected[next] = way < expected[next] ? way : expected[next];
                }
            }
        }
    }
    assert_memory_equal(found, expected, (size_t)count * sizeof *found);
    fr_cost_destroy(cost);
    fr_free(found);
    fr_free(expected);
    fr_distance_search_fini(&search);
    fr_walls_fini(&walls);
    fr_map_destroy(map);
}

/* An area of three cells beside a wall holds two discs: its radius is 0 + 1 round all of it, on foot. */
static void test_area_arrival(void **state)
{
    (void)state;
    static const char *const picture[] = {
        "...........", //
        "...ooo#....", //
        "...........",
        NULL,
    };
    static const struct {
        double x, y;
        int arrived;
    } cases[] = {{3.5, 1.5, 1}, {2.5, 1.5, 1}, {5.5, 0.5, 1}, {1.5, 1.5, 0}, {2.5, 0.5, 0}, {7.5, 1.5, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        scene *s = scene_create(map_from_picture(picture));
        add_unit(s, cases[c].x, cases[c].y, 0.4f);
        add_unit(s, 10.5, 2.5, 0.4f);
        order_to(s, 0, 1, 5, 1.5);
        s->orders[0].area = fr_area_rect(fr_position_at(3, 1), fr_position_at(7, 2));
        steps(s, 2);
        expect_number(s, "arrived", cases[c].arrived);
        scene_destroy(s);
    }
}

/* --- positions --- */

static void test_positions(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(20, 11));
    s->groups[0].name = "blue, \"old\"";
    add_unit(s, 1.5, 2.25, 0.35f);
    add_unit(s, 10.0 + 1.0 / 65536.0, 5.0, 0.4f);
    add_unit(s, 3.5, 3.5, 0.4f);
    s->group[1] = 1;
    s->state[1] = FR_UNIT_MOVING;
    s->state[2] = FR_UNIT_GONE;
    const double goals[2][2] = {{1.5, 1.5}, {18.25, 5.5}};
    give_order(s, 1, 1, 2, goals);
    s->snapshot.tick = 12;
    fr_buffer out = {0};
    fr_positions_write(NULL, &out);
    fr_positions_write(&s->snapshot, &out);
    fr_buffer_append(&out, "", 1);
    assert_string_equal((const char *)out.data, "tick,id,group,x,y,radius,speed,goal_x,goal_y,state\n"
                                                "12,0,\"blue, \"\"old\"\"\",1.5,2.25,0.35,4,,,idle\n"
                                                "12,1,red,10.00002,5,0.4,4,18.25,5.5,moving\n");
    fr_buffer_fini(&out);
    scene_destroy(s);
}

/* Every 1/65536 is found again from its decimals. */
static void test_positions_are_exact(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(20, 11));
    add_unit(s, 7.0, 3.0, 0.4f);
    for (int k = 0; k < 65536; k += 7) {
        s->position[0] = (fr_position){7 * FR_POSITION_ONE + k, 3 * FR_POSITION_ONE + 65535 - k};
        fr_buffer out = {0};
        fr_positions_write(&s->snapshot, &out);
        fr_buffer_append(&out, "", 1);
        char *end;
        double x = strtod((const char *)out.data + strlen("0,0,blue,"), &end);
        double y = strtod(end + 1, NULL);
        assert_int_equal(fr_fixed(x), s->position[0].x);
        assert_int_equal(fr_fixed(y), s->position[0].y);
        fr_buffer_fini(&out);
    }
    scene_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight_walk),
        cmocka_unit_test(test_last_entry_counts),
        cmocka_unit_test(test_area_arrival),
        cmocka_unit_test(test_arrival_radius),
        cmocka_unit_test(test_detour_is_walked),
        cmocka_unit_test(test_room_is_shared),
        cmocka_unit_test(test_two_goals),
        cmocka_unit_test(test_unreachable_goal),
        cmocka_unit_test(test_leaving_is_arriving),
        cmocka_unit_test(test_percentiles),
        cmocka_unit_test(test_pack),
        cmocka_unit_test(test_form),
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_positions_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
