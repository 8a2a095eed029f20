/* The scorecard against the best that could be done: ratios, bound, doors and lanes, on hand-made runs whose
 * values were worked out on paper. */
#include "scene.h"
#include "sim/score.h"

/* --- ratios --- */

/* Round the end of a wall: (2.5, 3.5) to (8.5, 3.5) by its corners (5, 1) and (6, 1), 2.5 across and 2.5 up
 * on both sides: 2 sqrt(12.5) + 1, less 0.8. The unit goes straight up, along and down at 1/8 cell a tick, 12
 * cells, and is within 0.8 of the goal after 11.2, so after 90 ticks and 11.25 cells. */
static void test_detour(void **state)
{
    (void)state;
    static const char *const picture[] = {
        "...........", //
        ".....#.....", //
        ".....#.....", //
        ".....#.....", //
        ".....#.....", //
        ".....#.....", NULL,
    };
    scene *s = scene_create(map_from_picture(picture));
    add_unit(s, 2.5, 3.5, 0.4f);
    order_to(s, 0, 0, 8.5, 3.5);
    for (int k = 1; k <= 96; k++) {
        double way = k * 0.125;
        double x = way < 3.0 ? 2.5 : way < 9.0 ? 2.5 + way - 3.0 : 8.5;
        double y = way < 3.0 ? 3.5 - way : way < 9.0 ? 0.5 : 0.5 + way - 9.0;
        place(s, 0, x, y);
        step(s);
    }
    double ideal = 2.0 * sqrt(12.5) + 1.0 - 0.8;
    expect_number(s, "path_ratio.mean", 11.25 / ideal);
    expect_number(s, "path_ratio.p95", 11.25 / ideal);
    expect_number(s, "time_ratio.mean", 3.0 / (ideal / 4.0));
    expect_text(s, "bound", "exact");
    scene_destroy(s);
}

/* Three units with goals of their own, ten cells on: 9.2 cells, 2.3 s. They jump there at ticks 30, 60
 * and 90. A fourth has 1.5 cells to go, too little to judge, and a fifth no order. */
static void test_ratios_of_many(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(20, 20));
    for (int i = 0; i < 5; i++) {
        add_unit(s, 2.5, 2.5 + 3 * i, 0.4f);
    }
    for (int i = 0; i < 4; i++) {
        order_to(s, i, i, i < 3 ? 12.5 : 4.8, 2.5 + 3 * i);
    }
    for (int k = 1; k <= 120; k++) {
        for (int i = 0; i < 4; i++) {
            if (k == 30 * (i + 1)) {
                place(s, i, i < 3 ? 12.5 : 4.8, 2.5 + 3 * i);
            }
        }
        step(s);
        if (k == 119) {
            expect_number(s, "time_ratio.p95", 3.0 / 2.3);
            expect_null(s, "makespan_ratio"); /* the fourth is not there yet */
            expect_bool(s, "resolved", false);
        }
    }
    expect_number(s, "time_ratio.mean", 2.0 / 2.3);
    expect_number(s, "path_ratio.mean", 10.0 / 9.2);
    expect_number(s, "makespan_ratio", 4.0 / 2.3);
    expect_bool(s, "resolved", true);
    scene_destroy(s);
}

/* 2.3 s at best: 9.6 s (288 ticks) are twice that and 5 s. */
static void test_resolved_in_time(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        scene *s = scene_create(open_map(20, 11));
        add_unit(s, 2.5, 5.5, 0.4f);
        order_to(s, 0, 0, 12.5, 5.5);
        steps(s, 286 + 2 * late);
        place(s, 0, 12.5, 5.5);
        step(s);
        expect_bool(s, "resolved", late == 0);
        scene_destroy(s);
    }
}

/* Back and forth: the way counts up to the last entry. In at 10 cells, out by 4, in by 4: 18; what it does
 * inside afterwards is not counted. */
static void test_walked_until_last_entry(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(30, 11));
    static const double at[] = {2.5, 12.5, 16.5, 12.5, 12.75, 12.5};
    add_unit(s, at[0], 5.5, 0.4f);
    order_to(s, 0, 0, 12.5, 5.5);
    for (int k = 1; k < 6; k++) {
        place(s, 0, at[k], 5.5);
        step(s);
    }
    expect_number(s, "path_ratio.mean", 18.0 / 9.2);
    scene_destroy(s);
}

/* A new order begins a new way, from where the unit is then and on the ground of then. Walls that come later
 * don't make the way longer. */
static void test_last_order_counts(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(30, 11));
    add_unit(s, 2.5, 5.5, 0.4f);
    order_to(s, 0, 0, 27.5, 5.5);
    step(s);
    place(s, 0, 6.5, 5.5);
    steps(s, 9);
    order_to(s, 0, 0, 16.5, 5.5);
    step(s);
    fr_cost_set_terrain(s->cost, (fr_rect){10, 0, 1, 10}, FR_TERRAIN_WALL, FR_COST_WALL);
    steps(s, 29);
    place(s, 0, 16.5, 5.5);
    step(s);
    expect_number(s, "time_ratio.mean", 31.0 / 30.0 / 2.3);
    expect_number(s, "path_ratio.mean", 10.0 / 9.2);
    scene_destroy(s);
}

/* To an area: the distance to it, here straight along the row; its radius is 0 + 1 (two discs, eight cells).
 */
static void test_area_bound(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(30, 11));
    add_unit(s, 2.25, 5.375, 0.4f);
    add_unit(s, 20.5, 5.5, 0.4f);
    order_to(s, 0, 1, 21.0, 6.0);
    s->orders[0].area = fr_area_rect(fr_position_at(19, 4), fr_position_at(23, 8));
    steps(s, 29);
    place(s, 0, 19.5, 5.375);
    step(s);
    expect_number(s, "time_ratio.mean", 1.0 / ((16.75 - 1.0) / 4.0));
    expect_number(s, "makespan_ratio", 1.0 / ((16.75 - 1.0) / 4.0));
    scene_destroy(s);
}

/* Who leaves has no farther to go than to the line: 10 cells of the 25 to the goal. In the tick in which it
 * goes it is not to be seen any more: the way counts up to its last place, 9.75 cells on. */
static void test_leaving_bound(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(30, 11));
    s->groups[0].leaves = true;
    s->groups[0].leave_from = fr_position_at(12.5, 0.0);
    s->groups[0].leave_to = fr_position_at(12.5, 11.0);
    add_unit(s, 2.5, 5.5, 0.4f);
    order_to(s, 0, 0, 27.5, 5.5);
    place(s, 0, 12.25, 5.5);
    steps(s, 99);
    place(s, 0, 12.75, 5.5);
    s->state[0] = FR_UNIT_GONE;
    step(s);
    expect_number(s, "time_ratio.mean", (100.0 / 30.0) / 2.5);
    expect_number(s, "path_ratio.mean", 0.975);
    scene_destroy(s);
}

/* Five of nineteen cells in a corridor cost 4: they take 5 s at a quarter of the speed, the others 13.2 / 4.
 */
static void test_dear_ground(void **state)
{
    (void)state;
    static const char *const picture[] = {".......44444........", NULL};
    scene *s = scene_create(map_from_picture(picture));
    add_unit(s, 0.5, 0.5, 0.4f);
    order_to(s, 0, 0, 19.5, 0.5);
    steps(s, 299);
    place(s, 0, 19.5, 0.5);
    step(s);
    double seconds = 5.0 + 13.2 / 4.0;
    expect_text(s, "bound", "trace");
    expect_number(s, "path_ratio.mean", 19.0 / 18.2);
    double found = fr_json_number_or(report_value(s, "time_ratio.mean"), 0.0);
    assert_true(fabs(found - 10.0 / seconds) < 0.02); /* borders are found to an eighth of a cell */
    scene_destroy(s);
}

/* With threats or congestion the shortest way is not what units are meant to take. */
static void test_extra_costs(void **state)
{
    (void)state;
    for (int which = 0; which < 2; which++) {
        scene *s = scene_create(open_map(20, 11));
        add_unit(s, 2.5, 5.5, 0.4f);
        order_to(s, 0, 0, 12.5, 5.5);
        s->snapshot.congestion = which == 0;
        if (which == 1) {
            fr_threat threat = {fr_position_at(7.5, 5.5), fr_fixed(3.0), 10, FR_TEAM_NONE};
            fr_cost_set_threat(s->cost, 3, &threat);
        }
        step(s);
        expect_bool(s, "resolved", false);
        s->snapshot.congestion = false;
        fr_cost_set_threat(s->cost, 3, NULL);
        place(s, 0, 12.5, 5.5);
        steps(s, 3);
        expect_null(s, "time_ratio.mean");
        expect_null(s, "path_ratio.p95");
        expect_null(s, "makespan_ratio");
        expect_null(s, "resolved");
        expect_null(s, "bound");
        scene_destroy(s);
    }
}

/* --- doors --- */

static void name_doors(scene *s, fr_scenario *scenario, fr_scenario_door *doors, int count)
{
    scenario->doors = doors;
    scenario->door_count = count;
    s->scenario = scenario;
}

static double door_value(scene *s, int index, const char *key)
{
    const fr_json_value *door = fr_json_first(report_value(s, "doors"));
    for (int i = 0; i < index; i++) {
        door = fr_json_next(door);
    }
    return fr_json_number_or(fr_json_get(door, key), -1.0);
}

static void expect_door(scene *s, int index, double per_s, double eta)
{
    double found = door_value(s, index, "per_s"), share = door_value(s, index, "eta");
    if (fabs(found - per_s) > 1e-6 || fabs(share - eta) > 1e-6) {
        fail_msg("door %d: %.9g a second, eta %.9g, expected %.9g and %.9g", index, found, share, per_s, eta);
    }
}

/* Capacity of a door of 2 cells for discs of 0.8 at 4 cells/s: 4 (2 x 1.2 / (sqrt 3 x 0.64) + 1 / 0.8). */
static double capacity_of_two(void)
{
    return 4.0 * (2.4 / (sqrt(3.0) * 0.64) + 1.25);
}

/* Ten units, one every three ticks from 3 on, half of them from the other side: from the first (10 %) at 3 to
 * the ninth (90 %) at 27 eight more pass in 0.8 s. A second door sees nobody, a third is too narrow. */
static void test_door_rate(void **state)
{
    (void)state;
    fr_scenario_door doors[3] = {{(char[]){"gap"}, {10, 3, 10, 5}},
                                 {(char[]){"other"}, {15, 3, 15, 5}},
                                 {(char[]){"slit"}, {10, 3.75, 10, 4.25}}};
    fr_scenario scenario = {0};
    scene *s = scene_create(open_map(20, 9));
    name_doors(s, &scenario, doors, 3);
    for (int i = 0; i < 10; i++) {
        add_unit(s, i % 2 == 0 ? 8.5 : 11.5, 4.0, 0.4f);
    }
    for (int k = 1; k <= 40; k++) {
        if (k % 3 == 0 && k <= 30) {
            place(s, k / 3 - 1, k / 3 % 2 == 1 ? 11.5 : 8.5, 4.0);
        }
        step(s);
    }
    expect_door(s, 0, 10.0, 10.0 / capacity_of_two());
    expect_door(s, 1, -1.0, -1.0);
    expect_door(s, 2, 10.0, -1.0);
    scene_destroy(s);
}

/* Who goes back has not passed; who stops on the line has, and passes no second time when it goes on; who is
 * sent back by a new order has passed twice. */
static void test_door_passages(void **state)
{
    (void)state;
    fr_scenario_door doors[1] = {{(char[]){"gap"}, {10, 0, 10, 9}}};
    fr_scenario scenario = {0};
    scene *s = scene_create(open_map(20, 9));
    name_doors(s, &scenario, doors, 1);
    for (int i = 0; i < 3; i++) {
        add_unit(s, 8.5, 1.5 + 2 * i, 0.4f);
    }
    order_to(s, 0, 2, 15.5, 4.5);
    static const double ways[][3] = {
        /* dithers, stops, obeys */
        {10.5, 10.0, 9.0}, {9.5, 10.5, 10.5}, {10.5, 11.5, 11.5}, {11.5, 12.5, 12.5}, {11.5, 12.5, 12.5},
    };
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < 3; i++) {
            place(s, i, ways[k][i], 1.5 + 2 * i);
        }
        step(s);
    }
    /* At 3, 1 and 2: from the first (10 %) to the last (90 %) two in two ticks. */
    expect_door(s, 0, 30.0, 30.0 / (4.0 * (2.0 * 8.2 / (sqrt(3.0) * 0.64) + 1.25)));
    order_to(s, 2, 2, 2.5, 4.5);
    place(s, 2, 9.5, 5.5);
    step(s);
    /* At 1, 2, 3 and 6. */
    expect_door(s, 0, 3.0 / (5.0 / 30.0), 18.0 / (4.0 * (2.0 * 8.2 / (sqrt(3.0) * 0.64) + 1.25)));
    scene_destroy(s);
}

/* Twenty units at two places left of a door of two cells in a wall, and one right of it, in a corridor two
 * high: the goal is 20 cells behind the nearest. To the line at x = 10: 4 cells (1 s) from the nearer place.
 * All share one goal: 1.25 x 20 x 3.4641 x 0.16 = 13.9 cells; the corridor has 2 a column: 14 within 3 cells
 * and a diagonal, 3 + 29/70 from the goal's cell, and 1 is added. */
static void test_door_bound(void **state)
{
    (void)state;
    fr_scenario_door doors[1] = {{(char[]){"gap"}, {10, 0, 10, 2}}};
    for (int both = 0; both < 2; both++) {
        fr_scenario scenario = {0};
        scene *s = scene_create(open_map(40, 2));
        name_doors(s, &scenario, doors, 1);
        for (int i = 0; i < 20; i++) {
            add_unit(s, i < 10 ? 6.0 : 4.0, 0.5, 0.4f);
        }
        order_to(s, 0, 19, 26.5, 0.5);
        if (both) {
            add_unit(s, 12.0, 0.5, 0.4f);
            order_to(s, 20, 20, 2.5, 0.5); /* 9.5 - 0.8 cells, and alone: no queue is longer than its way */
        }
        step(s);
        for (int i = 0; i < 20; i++) {
            place(s, i, 26.5, 0.5);
        }
        place(s, 20, 2.5, 0.5);
        steps(s, 29);
        double radius = 1.0 + 3.0 + 29.0 / 70.0;
        double one_way = 1.0 + 19.0 / capacity_of_two() + (16.5 - radius) / 4.0;
        double bound = one_way + (both ? 8.7 / 4.0 : 0.0);
        expect_number(s, "makespan_ratio", 2.0 / 30.0 / bound);
        scene_destroy(s);
    }
}

/* A door within the arrival radius is in nobody's way: the bound is that of the longest way alone. */
static void test_door_at_goal(void **state)
{
    (void)state;
    fr_scenario_door doors[1] = {{(char[]){"gate"}, {12.25, 0, 12.25, 11}}};
    fr_scenario scenario = {0};
    scene *s = scene_create(open_map(20, 11));
    name_doors(s, &scenario, doors, 1);
    add_unit(s, 2.5, 5.5, 0.4f);
    order_to(s, 0, 0, 12.5, 5.5);
    steps(s, 68);
    place(s, 0, 12.5, 5.5);
    step(s);
    expect_number(s, "makespan_ratio", 1.0);
    scene_destroy(s);
}

/* --- lanes --- */

static void name_lanes(scene *s, fr_scenario *scenario)
{
    scenario->has_lanes = true;
    scenario->lanes_area[0] = 5.0;
    scenario->lanes_area[1] = 1.0;
    scenario->lanes_area[2] = 20.0;
    scenario->lanes_area[3] = 3.0;
    scenario->lanes_groups[0] = 0;
    scenario->lanes_groups[1] = 1;
    s->scenario = scenario;
}

/* Rows of 3 + 1, 0 + 2 and 1 + 1 units: (4 - 4) + (4 - 2) + (0 - 2) over 12 + 2 + 2 pairs; then all in rows
 * of their own: 12 + 2 + 2 over 16... The first five seconds don't count, nor ticks in which the streams
 * don't overlap. */
static void test_lanes(void **state)
{
    (void)state;
    static const struct {
        double x, y;
        uint16_t group;
    } units[] = {
        {10.5, 1.5, 0}, {12.5, 1.5, 0}, {14.5, 1.5, 0}, {13.5, 1.25, 1}, {11.5, 2.5, 1},
        {13.5, 2.5, 1}, {12.5, 3.5, 0}, {14.5, 3.5, 1}, {12.5, 4.5, 1},  {2.5, 2.5, 0},
    };
    scene *s = scene_create(open_map(30, 6));
    fr_scenario scenario = {0};
    name_lanes(s, &scenario);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        s->group[add_unit(s, units[i].x, units[i].y, 0.4f)] = units[i].group;
    }
    steps(s, 150);
    expect_null(s, "lane_order");
    step(s);
    expect_number(s, "lane_order", 0.0);
    /* Three of four sort themselves out: rows of 3 + 0, 0 + 3, 1 + 1. */
    place(s, 3, 9.5, 2.5);
    step(s);
    expect_number(s, "lane_order", (0.0 + 6.0 + 6.0 - 2.0) / (16.0 + 6.0 + 6.0 + 2.0));
    /* One stream has passed the other: it all stays as it was. */
    for (int i = 0; i < 9; i++) {
        place(s, i, units[i].group == 0 ? 16.5 : 8.5, 1.5);
    }
    steps(s, 10);
    expect_number(s, "lane_order", 10.0 / 30.0);
    scene_destroy(s);
}

/* --- memory --- */

/* Once orders are given the judge allocates nothing in a tick (but for its book of ticks, now and then). */
static void test_ticks_allocate_nothing(void **state)
{
    (void)state;
    fr_scenario_door doors[1] = {{(char[]){"gap"}, {10, 0, 10, 6}}};
    fr_scenario scenario = {0};
    scene *s = scene_create(open_map(30, 6));
    name_doors(s, &scenario, doors, 1);
    name_lanes(s, &scenario);
    for (int i = 0; i < 8; i++) {
        s->group[add_unit(s, 4.5 + i, 1.0 + i % 4, 0.4f)] = (uint16_t)(i % 2);
    }
    order_to(s, 0, 7, 25.5, 3.5);
    steps(s, 2);
    uint64_t before = fr_alloc_count();
    for (int k = 0; k < 160; k++) {
        for (int i = 0; i < 8; i++) {
            place(s, i, 4.5 + i + (k < 120 ? k : 120) * 0.1, 1.0 + i % 4);
        }
        step(s);
    }
    assert_int_equal(fr_alloc_count() - before, 0);
    assert_true(door_value(s, 0, "per_s") > 0.0);
    scene_destroy(s);
}

/* Ground is kept only while somebody's last order came on it: walls and orders for ever need no more memory.
 */
static void test_ground_is_given_back(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(30, 11));
    add_unit(s, 2.5, 2.5, 0.4f);
    add_unit(s, 2.5, 5.5, 0.4f);
    order_to(s, 1, 1, 20.5, 5.5);
    step(s);
    for (int k = 0; k < 12; k++) {
        fr_cost_set_terrain(s->cost, (fr_rect){10 + k, 0, 1, 3}, FR_TERRAIN_WALL, FR_COST_WALL);
        order_to(s, 0, 0, 20.5, 2.5 + k % 2);
        step(s);
        assert_int_equal(s->card->courses.ground_bytes, 2 * 30 * 11);
        assert_int_equal(s->card->courses.ground_count, 2);
    }
    scene_destroy(s);
}

/* --- crossing --- */

static void test_crossing(void **state)
{
    (void)state;
    static const struct {
        int32_t ax, ay, bx, by;
        bool crosses;
    } cases[] = {
        {4, 5, 6, 5, true},  {6, 5, 4, 5, true},  {4, 5, 5, 5, true},  {6, 5, 5, 5, true},
        {5, 5, 6, 5, false}, {5, 5, 4, 5, false}, {5, 4, 5, 6, false}, {4, 1, 6, 1, false},
        {4, 3, 6, 3, true},  {4, 9, 6, 9, false}, {3, 5, 4, 5, false}, {4, 8, 6, 6, true},
        {4, 5, 4, 5, false}, {5, 5, 5, 5, false},
    };
    fr_position from = {5, 3}, to = {5, 7};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        fr_position a = {cases[c].ax, cases[c].ay}, b = {cases[c].bx, cases[c].by};
        if (fr_path_crosses(a, b, from, to) != cases[c].crosses ||
            fr_path_crosses(a, b, to, from) != cases[c].crosses) {
            fail_msg("case %zu", c);
        }
    }
}

/* The longest lines and steps that files may have: no product overflows (the sanitizers watch). */
static void test_crossing_far(void **state)
{
    (void)state;
    const double low = -1024.0, high = FR_MAP_SIDE_MAX + 1024.0;
    fr_position corners[] = {fr_position_at(low, low), fr_position_at(high, low), fr_position_at(high, high),
                             fr_position_at(low, high)};
    for (int turn = 0; turn < 4; turn++) {
        fr_position a = corners[turn], b = corners[(turn + 1) % 4], c = corners[(turn + 2) % 4],
                    d = corners[(turn + 3) % 4];
        assert_true(fr_path_crosses(a, c, b, d));
        assert_false(fr_path_crosses(a, b, c, d));
        assert_true((fr_cross(a, b, c) > 0) == (fr_cross(b, a, c) < 0));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_detour),
        cmocka_unit_test(test_ratios_of_many),
        cmocka_unit_test(test_resolved_in_time),
        cmocka_unit_test(test_walked_until_last_entry),
        cmocka_unit_test(test_last_order_counts),
        cmocka_unit_test(test_area_bound),
        cmocka_unit_test(test_leaving_bound),
        cmocka_unit_test(test_dear_ground),
        cmocka_unit_test(test_extra_costs),
        cmocka_unit_test(test_door_rate),
        cmocka_unit_test(test_door_passages),
        cmocka_unit_test(test_door_bound),
        cmocka_unit_test(test_door_at_goal),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_ticks_allocate_nothing),
        cmocka_unit_test(test_ground_is_given_back),
        cmocka_unit_test(test_crossing),
        cmocka_unit_test(test_crossing_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
