/* The scorecard: how units move, overlap, are pushed about and get stuck, on hand-made runs whose values were
 * worked out on paper. */
#include "scene.h"
#include "sim/walls.h"

/* --- motion --- */

/* Zigzag by 45 degrees up and down: every tick from 8 on turns by 90 degrees, and from 9 on the other way. 30
 * ticks are one second; each velocity step is 3.75 cells/s, over a top speed of 4: 0.87890625. */
static void test_zigzag(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(40, 11));
    add_unit(s, 2.5, 5.5, 0.4f);
    order_to(s, 0, 0, 38.5, 5.5);
    for (int k = 1; k <= 37; k++) {
        place(s, 0, 2.5 + k * 0.0625, 5.5 + (k % 2) * 0.0625);
        step(s);
    }
    expect_number(s, "reversals_per_s", 29);
    expect_number(s, "jerk", 30 * 0.87890625);
    expect_number(s, "speed_max", sqrt(2.0) * 0.0625 * 30.0 / 4.0);
    expect_number(s, "speed_p999", sqrt(2.0) * 0.0625 * 30.0 / 4.0);
    scene_destroy(s);
}

/* Full speed for 15 ticks, standing for 15: over the 60 ticks from 8 on it stops twice (at 16 and 46). */
static void test_stop_and_go(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(40, 11));
    double x = 2.5;
    add_unit(s, x, 5.5, 0.4f);
    order_to(s, 0, 0, 38.5, 5.5);
    for (int k = 1; k <= 67; k++) {
        x += (k - 1) / 15 % 2 == 0 ? 0.125 : 0.0;
        place(s, 0, x, 5.5);
        step(s);
    }
    expect_number(s, "stop_go_per_min", 2.0 * 30.0);
    scene_destroy(s);
}

/* Restless: a 64th of a cell to and fro for ever is 0.46875 cells/s, over 4. */
static void test_restless(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(20, 11));
    add_unit(s, 10.5, 5.5, 0.4f);
    order_to(s, 0, 0, 10.5, 5.5);
    for (int k = 1; k <= 360; k++) {
        place(s, 0, 10.5 + (k % 2) / 64.0, 5.5);
        step(s);
        if (k == 359) {
            expect_null(s, "rest_speed");
        }
    }
    expect_number(s, "rest_speed", 0.1171875);
    expect_number(s, "rest_after_s", 12.0);
    scene_destroy(s);
}

/* Rest is judged from the 61st tick after the last arrival to the 360th. */
static void test_rest_window(void **state)
{
    (void)state;
    static const struct {
        int last_moving;
        double squares; /* of 300 */
    } cases[] = {{60, 0.0}, {61, 1.0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        scene *s = scene_create(open_map(20, 11));
        add_unit(s, 10.5, 5.5, 0.4f);
        order_to(s, 0, 0, 10.5, 5.5);
        for (int k = 1; k <= 400; k++) {
            place(s, 0, 10.5 + (k <= cases[c].last_moving ? k % 2 : cases[c].last_moving % 2) / 64.0, 5.5);
            step(s);
        }
        expect_number(s, "rest_speed", 0.1171875 * sqrt(cases[c].squares / 300.0));
        scene_destroy(s);
    }
}

/* Nobody arrives: of the ticks from 100 to 200 two units in three move. */
static void test_moving_share(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(200, 11));
    for (int i = 0; i < 3; i++) {
        add_unit(s, 2.5, 2.5 + 3 * i, 0.4f);
    }
    order_to(s, 0, 2, 190.5, 5.5);
    for (int k = 1; k <= 200; k++) {
        place(s, 0, 2.5 + k * 0.125, 2.5);
        place(s, 1, 2.5 + k * 0.0625, 5.5);
        step(s);
    }
    expect_number(s, "moving_share", 2.0 / 3.0);
    expect_null(s, "rest_speed");
    scene_destroy(s);
}

/* Radius 1/2: two units half a cell apart overlap by half; a third is close to one of them, and free. */
static void test_overlap(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(20, 11));
    add_unit(s, 5.0, 5.0, 0.5f);
    add_unit(s, 5.5, 5.0, 0.5f);
    add_unit(s, 6.625, 5.0, 0.5f); /* 1.125 from the second */
    add_unit(s, 15.0, 9.0, 0.5f);
    steps(s, 10);
    expect_number(s, "overlap.mean", 0.25);
    expect_number(s, "overlap.max", 0.5);
    expect_number(s, "overlap.pairs", 0.5);
    scene_destroy(s);
}

static void test_walls_and_speed(void **state)
{
    (void)state;
    static const char *const picture[] = {"......", "......", "...#..", "......", NULL};
    scene *s = scene_create(map_from_picture(picture));
    add_unit(s, 2.75, 2.5, 0.5f); /* a quarter into the wall at x = 3 */
    step(s);
    expect_number(s, "wall_penetration_max", 0.25);
    place(s, 0, 0.25,
          2.5); /* a quarter over the edge of the map, and 2.5 cells in a tick: 18.75 of its speed */
    step(s);
    expect_number(s, "wall_penetration_max", 0.25);
    expect_number(s, "speed_max", 18.75);
    place(s, 0, 2.75, 1.75); /* corner: 0.25 away in both directions */
    step(s);
    expect_number(s, "wall_penetration_max", 0.25);
    place(s, 0, 3.5, 2.5); /* inside */
    step(s);
    expect_number(s, "wall_penetration_max", 0.5);
    scene_destroy(s);
}

/* A wall comes down on two units, once on the centre and once on the rim. Getting out fast is not held
 * against them; what they do later is. */
static void test_displaced(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(20, 11));
    add_unit(s, 5.5, 5.5, 0.4f);
    add_unit(s, 7.25, 5.5, 0.4f);
    add_unit(s, 15.5, 5.5, 0.4f);
    order_to(s, 0, 2, 18.5, 9.5);
    steps(s, 20);
    fr_cost_set_edit(s->cost, (fr_rect){5, 5, 2, 1}, FR_COST_WALL);
    place(s, 0, 4.75, 5.5); /* three quarters of a cell in a tick, and not yet out */
    step(s);
    place(s, 0, 4.5, 5.5);
    place(s, 1, 7.5, 5.5);
    steps(s, 5);
    expect_number(s, "displaced", 2);
    expect_number(s, "speed_max", 0);
    expect_number(s, "wall_penetration_max", 0);
    expect_number(s, "jerk", 0);
    place(s, 0, 4.75, 5.5); /* back into it, 0.15 deep */
    step(s);
    expect_number(s, "displaced", 2);
    expect_number(s, "wall_penetration_max", (double)0.4f - 0.25);
    expect_number(s, "speed_max", 0.25 * 30.0 / 4.0);
    scene_destroy(s);
}

/* Half a minute in a wall is too long, and so is more than a cell a tick. */
static void test_displaced_for_too_long(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(20, 11));
    add_unit(s, 5.5, 5.5, 0.4f);
    add_unit(s, 15.5, 5.5, 0.4f);
    step(s);
    fr_cost_set_edit(s->cost, (fr_rect){5, 5, 1, 1}, FR_COST_WALL);
    fr_cost_set_edit(s->cost, (fr_rect){15, 5, 1, 1}, FR_COST_WALL);
    place(s, 1, 17.0, 5.5);
    steps(s, 30);
    expect_number(s, "displaced", 2);
    expect_number(s, "wall_penetration_max", 0);
    expect_number(s, "speed_max", 1.5 * 30.0 / 4.0);
    step(s);
    expect_number(s, "wall_penetration_max", (double)0.4f);
    scene_destroy(s);
}

/* --- stuck --- */

/* To and fro by `swing` cells with radius 0.4: one disc of radius 0.2 must hold all of 300 ticks. */
static void test_stuck_alone(void **state)
{
    (void)state;
    static const struct {
        double swing;
        int ticks, stuck;
    } cases[] = {{0.0, 310, 1}, {0.0, 309, 0}, {0.19, 400, 1}, {0.21, 700, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        scene *s = scene_create(open_map(40, 11));
        add_unit(s, 5.5, 5.5, 0.4f);
        steps(s, 10);
        order_to(s, 0, 0, 35.5, 5.5); /* at tick 10: standing before that does not count */
        for (int k = 11; k <= cases[c].ticks; k++) {
            double swing = k % 40 == 0 ? cases[c].swing : k % 40 == 20 ? -cases[c].swing : 0.0;
            place(s, 0, 5.5 + swing, 5.5);
            step(s);
        }
        expect_number(s, "stuck", cases[c].stuck);
        scene_destroy(s);
    }
}

/* Three places at the corners of a triangle: none is further than 0.4 from another, but they fit no disc of
 * radius 0.2 (theirs is 0.4 / sqrt 3 = 0.231). Shrunk to 0.34 they do (0.196). */
static void test_stuck_needs_one_disc(void **state)
{
    (void)state;
    static const struct {
        double side;
        int stuck;
    } cases[] = {{0.39, 0}, {0.34, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        scene *s = scene_create(open_map(40, 11));
        add_unit(s, 5.5, 5.5, 0.4f);
        order_to(s, 0, 0, 35.5, 5.5);
        for (int k = 1; k <= 700; k++) {
            int corner = k / 50 % 3;
            double dx = corner == 1 ? 1.0 : corner == 2 ? 0.5 : 0.0, dy = corner == 2 ? sqrt(3.0) / 2.0 : 0.0;
            place(s, 0, 5.5 + dx * cases[c].side, 5.5 + dy * cases[c].side);
            step(s);
        }
        expect_number(s, "stuck", cases[c].stuck);
        scene_destroy(s);
    }
}

/* A queue that moves: who stands behind one that is nearer to the same goal is excused. */
static void test_queue_is_excused(void **state)
{
    (void)state;
    scene *s = scene_create(open_map(60, 11));
    for (int i = 0; i < 4; i++) {
        add_unit(s, 8.5 - i, 5.5, 0.4f);
    }
    order_to(s, 0, 3, 55.5, 5.5);
    for (int k = 1; k <= 400; k++) {
        place(s, 0, 8.5 + k / 200.0, 5.5); /* two cells in 400 ticks */
        step(s);
    }
    expect_number(s, "stuck", 0);
    /* The head goes its way, and then nobody is left to blame for the first of those who stand. The others
     * stand behind it, and it stands beside them. */
    place(s, 0, 50.5, 5.5);
    place(s, 2, 20.5, 9.5);
    place(s, 3, 20.5, 1.5);
    steps(s, 320);
    expect_number(s, "stuck", 3 + 1); /* all four stand alone */
    scene_destroy(s);
}

/* A stream to another goal that gets on is an excuse; one that stands is not. */
static void test_crossing_stream(void **state)
{
    (void)state;
    for (int moves = 0; moves < 2; moves++) {
        scene *s = scene_create(open_map(60, 21));
        add_unit(s, 8.5, 5.5, 0.4f);
        add_unit(s, 9.5, 5.5, 0.4f);
        order_to(s, 0, 0, 55.5, 5.5);
        order_to(s, 1, 1, 9.5, 18.5);
        for (int k = 1; k <= 301; k++) {
            place(s, 1, 9.5, 5.5 + (moves ? k / 300.0 : 0.0));
            step(s);
        }
        expect_number(s, "stuck", moves ? 0 : 2);
        scene_destroy(s);
    }
}

/* An excuse is handed on to neighbours that stand as well, within three cells. */
static void test_excuse_spreads(void **state)
{
    (void)state;
    static const struct {
        double gap;
        int stuck;
    } cases[] = {{2.5, 0}, {3.5, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        scene *s = scene_create(open_map(60, 21));
        add_unit(s, 20.5, 10.5, 0.4f);                /* moves on: the excuse of the next */
        add_unit(s, 18.5, 10.5, 0.4f);                /* same goal as the first, behind it */
        add_unit(s, 18.5 - cases[c].gap, 10.5, 0.4f); /* another goal */
        order_to(s, 0, 1, 55.5, 10.5);
        order_to(s, 2, 2, 3.5, 2.5);
        for (int k = 1; k <= 301; k++) {
            place(s, 0, 20.5 + k / 600.0, 10.5);
            step(s);
        }
        expect_number(s, "stuck", cases[c].stuck);
        scene_destroy(s);
    }
}

/* Told to stand is not stuck. */
static void test_halted_is_not_stuck(void **state)
{
    (void)state;
    fr_scenario_group groups[2] = {{.name = "blue"}, {.name = "red"}};
    fr_scenario_order orders[] = {{.tick = 5, .group = 0, .kind = FR_COMMAND_STOP}};
    fr_scenario scenario = {.groups = groups, .group_count = 2, .orders = orders, .order_count = 1};
    scene *s = scene_create(open_map(40, 11));
    s->scenario = &scenario;
    add_unit(s, 5.5, 5.5, 0.4f);
    add_unit(s, 15.5, 5.5, 0.4f);
    s->group[1] = 1;
    order_to(s, 0, 0, 35.5, 5.5);
    order_to(s, 1, 1, 35.5, 9.5);
    steps(s, 320);
    expect_number(s, "stuck", 1);
    scene_destroy(s);
}

/* A map may become wall altogether: that is one change, not one at every look. */
static void test_all_wall_is_one_change(void **state)
{
    (void)state;
    enum { WIDTH = 5, HEIGHT = 3 };
    uint8_t open[WIDTH * HEIGHT], shut[WIDTH * HEIGHT];
    memset(open, 1, sizeof open);
    memset(shut, FR_COST_WALL, sizeof shut);
    fr_position middle = fr_position_at(2.5, 1.5);
    fr_walls walls;
    fr_cell cell;
    fr_walls_init(&walls, (fr_grid){WIDTH, HEIGHT});
    assert_true(fr_walls_update(&walls, open));
    assert_true(fr_walls_nearest(&walls, middle, 0, 0, &cell));
    assert_true(fr_walls_update(&walls, shut));
    assert_false(fr_walls_nearest(&walls, middle, 0, 0, &cell));
    assert_false(fr_walls_update(&walls, shut));
    assert_true(fr_walls_became_wall(&walls, (fr_cell){2, 1}));
    assert_true(fr_walls_update(&walls, open));
    assert_false(fr_walls_became_wall(&walls, (fr_cell){2, 1}));
    fr_walls_fini(&walls);

    /* Nothing but wall from the beginning. */
    fr_walls_init(&walls, (fr_grid){WIDTH, HEIGHT});
    assert_true(fr_walls_update(&walls, shut));
    assert_false(fr_walls_update(&walls, shut));
    fr_walls_fini(&walls);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_zigzag),           cmocka_unit_test(test_stop_and_go),
        cmocka_unit_test(test_restless),         cmocka_unit_test(test_rest_window),
        cmocka_unit_test(test_moving_share),     cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_walls_and_speed),  cmocka_unit_test(test_all_wall_is_one_change),
        cmocka_unit_test(test_displaced),        cmocka_unit_test(test_displaced_for_too_long),
        cmocka_unit_test(test_stuck_alone),      cmocka_unit_test(test_stuck_needs_one_disc),
        cmocka_unit_test(test_queue_is_excused), cmocka_unit_test(test_crossing_stream),
        cmocka_unit_test(test_excuse_spreads),   cmocka_unit_test(test_halted_is_not_stuck),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
