/* The scorecard: hand-made runs whose values were worked out on paper. No world and no mover takes part. */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/memory.h"
#include "sim/score_distance.h"
#include "sim/scorecard.h"

#define UNITS_MAX  32
#define ORDERS_MAX 16

/* A run in the making: the test writes positions, `step` shows them to the scorecard. */
typedef struct scene {
    fr_map *map;
    fr_cost *cost;
    fr_position position[UNITS_MAX], previous[UNITS_MAX];
    float radius[UNITS_MAX], speed[UNITS_MAX];
    uint8_t movement_class[UNITS_MAX], state[UNITS_MAX];
    uint16_t group[UNITS_MAX];
    uint32_t order[UNITS_MAX];
    fr_position goals[ORDERS_MAX][4];
    fr_order_view orders[ORDERS_MAX];
    fr_group_view groups[2];
    fr_snapshot snapshot;
    fr_scorecard *card;
    fr_scenario *scenario; /* borrowed, may be null */
    fr_json *report;
} scene;

static scene *scene_create(fr_map *map)
{
    scene *s = fr_alloc(1, sizeof *s);
    s->map = map;
    s->cost = fr_cost_create(map);
    s->groups[0].name = "blue";
    s->groups[1].name = "red";
    s->snapshot = (fr_snapshot){
        .grid = map->grid,
        .full_speed_cost = 1,
        .position = s->position,
        .previous = s->previous,
        .radius = s->radius,
        .speed = s->speed,
        .movement_class = s->movement_class,
        .state = s->state,
        .group = s->group,
        .order = s->order,
        .orders = s->orders,
        .groups = s->groups,
        .group_count = 2,
        .cost = s->cost,
    };
    return s;
}

static void scene_destroy(scene *s)
{
    fr_json_destroy(s->report);
    fr_scorecard_destroy(s->card);
    fr_cost_destroy(s->cost);
    fr_map_destroy(s->map);
    fr_free(s);
}

static int add_unit(scene *s, double x, double y, float radius)
{
    int i = s->snapshot.unit_count++;
    s->position[i] = s->previous[i] = fr_position_at(x, y);
    s->radius[i] = radius;
    s->speed[i] = 4.0f;
    s->order[i] = FR_NO_ORDER;
    return i;
}

/* An order for units first..last, applied by the next step. */
static void give_order(scene *s, int first, int last, int goal_count, const double (*goals)[2])
{
    int o = s->snapshot.order_count++;
    for (int g = 0; g < goal_count; g++) {
        s->goals[o][g] = fr_position_at(goals[g][0], goals[g][1]);
    }
    s->orders[o] = (fr_order_view){s->snapshot.tick, s->goals[o], goal_count, last - first + 1};
    for (int i = first; i <= last; i++) {
        s->order[i] = (uint32_t)o;
    }
}

static void order_to(scene *s, int first, int last, double x, double y)
{
    const double goal[1][2] = {{x, y}};
    give_order(s, first, last, 1, goal);
}

static void place(scene *s, int unit, double x, double y)
{
    s->position[unit] = fr_position_at(x, y);
}

static void step(scene *s)
{
    if (s->card == NULL) {
        /* The first look is at the places before the first step. */
        fr_snapshot first = s->snapshot;
        first.position = s->previous;
        s->card = fr_scorecard_create(&first, s->scenario);
    }
    s->snapshot.tick++;
    fr_scorecard_tick(s->card, &s->snapshot);
    memcpy(s->previous, s->position, sizeof s->position);
}

static void steps(scene *s, int count)
{
    for (int i = 0; i < count; i++) {
        step(s);
    }
}

/* --- reading the report --- */

static void write_report(scene *s, fr_buffer *out)
{
    fr_report_info info = {
        .map = "test", .mover = "hand", .seed = 7, .tick_p50_ms = -1.0, .allocations_per_tick = -1};
    fr_report_write(s->card, &s->snapshot, &info, out);
}

/* Value at a path such as "arrival_s.p50". */
static const fr_json_value *report_value(scene *s, const char *path)
{
    fr_buffer out = {0};
    fr_error error = {0};
    write_report(s, &out);
    fr_json_destroy(s->report);
    s->report = fr_json_parse("report", out.data, out.size, &error);
    if (s->report == NULL) {
        fail_msg("%s", error.message);
    }
    fr_buffer_fini(&out);
    const fr_json_value *value = fr_json_root(s->report);
    char copy[64];
    snprintf(copy, sizeof copy, "%s", path);
    char *rest = copy;
    for (char *dot; (dot = strchr(rest, '.')) != NULL; rest = dot + 1) {
        *dot = '\0';
        value = fr_json_get(value, rest);
    }
    value = fr_json_get(value, rest);
    if (value == NULL) {
        fail_msg("the report has no %s", path);
    }
    return value;
}

static void expect_number(scene *s, const char *path, double expected)
{
    const fr_json_value *value = report_value(s, path);
    double found = fr_json_number_or(value, -1e9);
    if (fabs(found - expected) > 1e-6 + 1e-6 * fabs(expected)) {
        fail_msg("%s is %.9g, expected %.9g", path, found, expected);
    }
}

static void expect_null(scene *s, const char *path)
{
    const fr_json_value *value = report_value(s, path);
    if (fr_json_is_number(value) || fr_json_is_object(value)) {
        fail_msg("%s is %.9g, expected null", path, fr_json_number_or(value, -1.0));
    }
}

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
    expect_null(s, "time_ratio.mean");
    expect_null(s, "resolved");
    expect_null(s, "bound");
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
    fr_distance_from(&search, &walls, &goal, 1, found, NULL);
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
        cmocka_unit_test(test_arrival_radius),
        cmocka_unit_test(test_detour_is_walked),
        cmocka_unit_test(test_room_is_shared),
        cmocka_unit_test(test_two_goals),
        cmocka_unit_test(test_unreachable_goal),
        cmocka_unit_test(test_leaving_is_arriving),
        cmocka_unit_test(test_percentiles),
        cmocka_unit_test(test_zigzag),
        cmocka_unit_test(test_stop_and_go),
        cmocka_unit_test(test_restless),
        cmocka_unit_test(test_moving_share),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_walls_and_speed),
        cmocka_unit_test(test_displaced),
        cmocka_unit_test(test_displaced_for_too_long),
        cmocka_unit_test(test_stuck_alone),
        cmocka_unit_test(test_stuck_needs_one_disc),
        cmocka_unit_test(test_queue_is_excused),
        cmocka_unit_test(test_crossing_stream),
        cmocka_unit_test(test_excuse_spreads),
        cmocka_unit_test(test_halted_is_not_stuck),
        cmocka_unit_test(test_pack),
        cmocka_unit_test(test_form),
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_positions_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
