/* Routes for the preview: length and time of the way that a field would lead a unit. */
#include "support.h"

#include <math.h>

#include "field_scene.h"
#include "sim/route.h"

/* One unit on a scene's map. */
typedef struct lone {
    fr_position position;
    float speed;
    uint8_t movement_class;
    fr_snapshot snapshot;
} lone;

static void place(lone *unit, const scene *s, double x, double y, int32_t full_speed_cost)
{
    *unit = (lone){.position = fr_position_at(x, y), .speed = 4.0f, .movement_class = FR_CLASS_FOOT};
    unit->snapshot = (fr_snapshot){.grid = s->map->grid,
                                   .full_speed_cost = full_speed_cost,
                                   .unit_count = 1,
                                   .position = &unit->position,
                                   .speed = &unit->speed,
                                   .movement_class = &unit->movement_class,
                                   .cost = s->cost};
}

static bool is_near(double found, double expected, double share)
{
    return fabs(found - expected) <= share * expected;
}

static void test_time_follows_the_speed_rule(void **state)
{
    (void)state;
    static const struct {
        const char *rows[4];
        int32_t full_speed_cost;
        double length, seconds; /* from the left end to the goal at 4 cells a second */
    } cases[] = {
        {{".........g", "##########", NULL}, 1, 9.0, 9.0 / 4.0},
        {{"222222222g", "##########", NULL}, 1, 9.0, 9.0 / 2.0},
        {{"222222222g", "##########", NULL}, 2, 9.0, 9.0 / 4.0},
        {{".........g", "##########", NULL}, 2, 9.0, 9.0 / 4.0}, /* never faster than the top speed */
        {{"999999999g", "##########", NULL}, 1, 9.0, 9.0 / 1.0}, /* nor slower than a quarter */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scene s = open_picture(cases[i].rows);
        lone unit;
        place(&unit, &s, 0.5, 0.5, cases[i].full_speed_cost);
        fr_position points[64];
        fr_route route = fr_route_trace(&unit.snapshot, s.field, 0, points, 64);
        assert_true(route.arrives);
        /* The goal's own cell costs 1: the last half cell may be faster. */
        if (!is_near(route.length_cells, cases[i].length, 0.01) ||
            !is_near(route.eta_s, cases[i].seconds, 0.06)) {
            fail_msg("%s: found %g cells, %g s, expected %g, %g", cases[i].rows[0], route.length_cells,
                     route.eta_s, cases[i].length, cases[i].seconds);
        }
        assert_in_range(route.point_count, 2, 63);
        assert_true(points[0].x == unit.position.x && points[0].y == unit.position.y);
        fr_position last = points[route.point_count - 1];
        assert_true(last.x == fr_position_at(9.5, 0.5).x && last.y == fr_position_at(9.5, 0.5).y);
        close_scene(&s);
    }
}

/* The way is followed in legs: put together they are what the field's own trace says. */
static void test_long_ways_are_whole(void **state)
{
    (void)state;
    fr_map *map = open_map(300, 70);
    for (int32_t y = 0; y < 60; y++) {
        map->costs[FR_CLASS_FOOT][y * 300 + 150] = FR_COST_WALL;
    }
    const fr_goal goal = {{290, 5}, 0};
    scene s = open_scene(map, &goal, 1);
    lone unit;
    place(&unit, &s, 10.25, 8.75, 1);
    double expected = fr_field_trace(s.field, unit.position, 1000.0, NULL, NULL, 0, NULL);
    fr_route route = fr_route_trace(&unit.snapshot, s.field, 0, NULL, 0);
    assert_true(route.arrives && expected > 290.0);
    assert_true(is_near(route.length_cells, expected, 0.005));
    assert_true(is_near(route.eta_s, expected / 4.0, 0.005));
    /* Few points: the first ones, and the same answer. */
    fr_position points[10];
    fr_route cut = fr_route_trace(&unit.snapshot, s.field, 0, points, 10);
    assert_int_equal(cut.point_count, 10);
    assert_true(cut.arrives && cut.length_cells == route.length_cells);
    close_scene(&s);
}

static void test_no_way(void **state)
{
    (void)state;
    static const char *const rows[] = {"..#..g", "..#...", NULL};
    scene s = open_picture(rows);
    lone unit;
    place(&unit, &s, 1.5, 0.5, 1);
    fr_position points[8];
    fr_route route = fr_route_trace(&unit.snapshot, s.field, 0, points, 8);
    assert_false(route.arrives);
    assert_true(route.length_cells == 0.0 && route.eta_s == 0.0);
    assert_int_equal(route.point_count, 1);
    place(&unit, &s, 5.5, 0.5, 1); /* there already */
    route = fr_route_trace(&unit.snapshot, s.field, 0, NULL, 0);
    assert_true(route.arrives && route.length_cells == 0.0);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time_follows_the_speed_rule),
        cmocka_unit_test(test_long_ways_are_whole),
        cmocka_unit_test(test_no_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
