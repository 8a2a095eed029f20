/* What the sampler promises: no wall, no corner, no flipping, and every walk arrives. */
#include "field_scene.h"

#include <math.h>
#include <stdlib.h>

static void test_kinds_of_samples(void **state)
{
    (void)state;
    const char *const rows[] = {"..#.", ".g#.", "..#.", NULL};
    scene s = open_picture(rows);
    static const struct {
        double x, y;
        fr_sample_kind kind;
    } cases[] = {
        {1.5, 1.5, FR_SAMPLE_GOAL},          {1.0, 1.999, FR_SAMPLE_GOAL}, {0.5, 0.5, FR_SAMPLE_STEP},
        {2.5, 1.5, FR_SAMPLE_NONE},          {3.5, 1.5, FR_SAMPLE_NONE},   {-0.01, 1.5, FR_SAMPLE_NONE},
        {1.5, -0.01, FR_SAMPLE_NONE},        {4.0, 1.5, FR_SAMPLE_NONE},   {1.5, 3.0, FR_SAMPLE_NONE},
        {-30000.0, 30000.0, FR_SAMPLE_NONE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_field_sample sample = fr_field_sample_at(s.field, fr_position_at(cases[i].x, cases[i].y));
        assert_int_equal(sample.kind, cases[i].kind);
        double length = (double)fr_vec2_length(sample.direction);
        assert_true(sample.kind == FR_SAMPLE_STEP ? fabs(length - 1.0) < 1e-5 : length == 0.0);
        assert_int_equal(sample.potential == FR_UNREACHED, sample.kind == FR_SAMPLE_NONE);
    }
    close_scene(&s);
}

/* A step from one cell to a touching one, by the rule. */
static bool is_legal_move(const scene *s, fr_cell from, fr_cell to)
{
    return is_open(s, to) && abs(to.x - from.x) <= 1 && abs(to.y - from.y) <= 1 &&
           is_open(s, (fr_cell){to.x, from.y}) && is_open(s, (fr_cell){from.x, to.y});
}

/* Follows the sampler in steps of `step` cells; every step must be legal, and the way must end in a goal. */
static void assert_walk_arrives(const scene *s, fr_position at, double step)
{
    int64_t steps_left = (int64_t)(8.0 * fr_grid_count(s->map->grid) / step);
    fr_field_sample sample = fr_field_sample_at(s->field, at);
    while (sample.kind == FR_SAMPLE_STEP) {
        fr_position next = {at.x + fr_fixed(step * (double)sample.direction.x),
                            at.y + fr_fixed(step * (double)sample.direction.y)};
        if (!is_legal_move(s, fr_cell_at(at), fr_cell_at(next)) || steps_left-- == 0) {
            fail_msg("at %.4f,%.4f of %dx%d heading %.3f,%.3f: %s", fr_cells(at.x), fr_cells(at.y),
                     s->map->grid.width, s->map->grid.height, (double)sample.direction.x,
                     (double)sample.direction.y, steps_left > 0 ? "meets a wall" : "does not arrive");
        }
        at = next;
        sample = fr_field_sample_at(s->field, at);
    }
    assert_int_equal(sample.kind, FR_SAMPLE_GOAL);
}

static void test_every_walk_arrives_and_meets_no_wall(void **state)
{
    (void)state;
    static const double steps[] = {0.03, 0.1, 0.4}; /* the last is the fastest unit's tick */
    fr_rng rng = {43};
    int walks = 0;
    for (int i = 0; i < 120; i++) {
        fr_map *map = random_map(&rng, (field_map_kind)(i % MAP_KIND_COUNT));
        fr_goal goals[2] = {{random_open_cell(&rng, map), 0},
                            {random_open_cell(&rng, map), fr_rng_below(&rng, 900)}};
        scene s = open_scene(map, goals, 1 + i % 2);
        for (int k = 0; k < 40; k++) {
            fr_position start = random_position(&rng, map->grid);
            if (fr_field_value(s.field, fr_cell_at(start)) != FR_UNREACHED) {
                assert_walk_arrives(&s, start, steps[k % 3]);
                walks++;
            }
        }
        close_scene(&s);
    }
    assert_true(walks > 1500);
}

static void test_traces_arrive_from_every_cell(void **state)
{
    (void)state;
    fr_rng rng = {44};
    double ratio_sum = 0.0, worst = 0.0;
    int count = 0;
    for (int i = 0; i < 20; i++) {
        fr_map *map = random_map(&rng, (field_map_kind)(i % MAP_KIND_COUNT));
        bool uniform = i % MAP_KIND_COUNT != MAP_WEIGHTED && i % MAP_KIND_COUNT != MAP_EXTREME;
        fr_goal goal = {random_open_cell(&rng, map), 0};
        scene s = open_scene(map, &goal, 1);
        for (int32_t c = 0; c < fr_grid_count(map->grid); c++) {
            fr_cell cell = fr_grid_cell(map->grid, c);
            uint32_t value = fr_field_value(s.field, cell);
            bool met_wall = false;
            double length = fr_field_trace(s.field, fr_cell_centre(cell), 4.0 * fr_grid_count(map->grid),
                                           &met_wall, NULL, 0, NULL);
            if (value == FR_UNREACHED) {
                assert_true(length < 0.0 && met_wall);
                continue;
            }
            assert_true(length >= 0.0 && !met_wall);
            double air = hypot(cell.x - goal.cell.x, cell.y - goal.cell.y);
            assert_true(length > air - 0.01 * air - 0.07);
            if (uniform && value > 10 * 70) {
                double ratio = length / (value / 70.0);
                ratio_sum += ratio;
                worst = ratio > worst ? ratio : worst;
                count++;
            }
        }
        close_scene(&s);
    }
    /* Shorter than along the eight directions, on the whole; where longer, by little. */
    assert_true(count > 500);
    assert_true(ratio_sum / count < 0.98);
    assert_true(worst < 1.03);
}

static void test_a_trace_gives_its_points_and_keeps_its_limit(void **state)
{
    (void)state;
    fr_goal goal = {{39, 5}, 0};
    scene s = open_scene(open_map(50, 20), &goal, 1);
    fr_position points[200], start = fr_position_at(2.5, 5.5);
    int count = 0;
    double length = fr_field_trace(s.field, start, 1000.0, NULL, points, 200, &count);
    assert_true(fabs(length - 37.0) < 0.07);
    assert_in_range(count, 20, 200);
    assert_memory_equal(&points[0], &start, sizeof start);
    fr_position end = fr_cell_centre(goal.cell);
    assert_memory_equal(&points[count - 1], &end, sizeof end);
    bool met_wall = true;
    assert_true(fr_field_trace(s.field, start, 30.0, &met_wall, points, 3, &count) < 0.0);
    assert_false(met_wall);
    assert_int_equal(count, 3);
    close_scene(&s);
}

static void test_open_ground_is_crossed_nearly_straight(void **state)
{
    (void)state;
    /* 22.5 degrees off an axis the eight directions are at their worst: 8 % longer than the straight line. */
    fr_goal goal = {{3, 3}, 0};
    scene s = open_scene(open_map(100, 50), &goal, 1);
    double length = fr_field_trace(s.field, fr_position_at(93.5, 40.5), 1000.0, NULL, NULL, 0, NULL);
    assert_true(length < 1.021 * hypot(90.0, 37.0));
    close_scene(&s);
}

static float turn_between(fr_vec2 a, fr_vec2 b)
{
    return 1.0f - fr_vec2_dot(a, b); /* 0 alike, 1 at right angles, 2 opposite */
}

/* Across every border between cells the direction goes on nearly unchanged, on open ground and round an
 * obstacle; only where two ways round it part may it jump, and there it must lead away from the border. */
static void test_crossing_a_border_does_not_flip(void **state)
{
    (void)state;
    fr_rng rng = {45};
    fr_map *map = open_map(60, 41);
    for (int32_t y = 15; y < 25; y++) {
        memset(map->costs[FR_CLASS_FOOT] + y * 60 + 25, FR_COST_WALL, 6);
    }
    fr_goal goal = {{50, 19}, 0};
    scene s = open_scene(map, &goal, 1);
    int jumps = 0, borders = 0;
    for (int i = 0; i < 20000; i++) {
        fr_position here = random_position(&rng, map->grid), there = here;
        int32_t *along = i % 2 == 0 ? &here.x : &here.y, *other = i % 2 == 0 ? &there.x : &there.y;
        *along = (*along / FR_POSITION_ONE) * FR_POSITION_ONE;
        *other = *along - 1;
        fr_field_sample a = fr_field_sample_at(s.field, here), b = fr_field_sample_at(s.field, there);
        if (a.kind != FR_SAMPLE_STEP || b.kind != FR_SAMPLE_STEP) {
            continue;
        }
        borders++;
        if (turn_between(a.direction, b.direction) > 0.08f) { /* 23 degrees */
            jumps++;
            float across_a = i % 2 == 0 ? a.direction.x : a.direction.y;
            float across_b = i % 2 == 0 ? b.direction.x : b.direction.y;
            /* Not towards each other: `here` lies on the positive side. */
            assert_false(across_a < -0.3f && across_b > 0.3f);
        }
    }
    assert_true(borders > 15000);
    assert_true(jumps < borders / 50);
    close_scene(&s);
}

/* Within a cell and from cell to cell a small move turns the direction little. */
static void test_directions_change_smoothly_on_open_ground(void **state)
{
    (void)state;
    fr_rng rng = {46};
    fr_goal goal = {{20, 11}, 0};
    scene s = open_scene(open_map(64, 40), &goal, 1);
    for (int i = 0; i < 20000; i++) {
        fr_position here = random_position(&rng, s.map->grid);
        fr_position there = {here.x + 655, here.y + 655}; /* a hundredth of a cell */
        fr_cell cell = fr_cell_at(here);
        bool near_goal = abs(cell.x - goal.cell.x) <= 2 && abs(cell.y - goal.cell.y) <= 2;
        fr_field_sample a = fr_field_sample_at(s.field, here), b = fr_field_sample_at(s.field, there);
        if (near_goal || a.kind != FR_SAMPLE_STEP || b.kind != FR_SAMPLE_STEP) {
            continue;
        }
        assert_true(turn_between(a.direction, b.direction) < 0.005f); /* 6 degrees */
    }
    close_scene(&s);
}

static void test_ways_round_a_pillar_do_not_average_into_it(void **state)
{
    (void)state;
    const char *const rows[] = {"........", "...#....", ".......g", "...#....", "........", NULL};
    scene s = open_picture(rows);
    const char *const pillar[] = {".......", "...#...", "...#..g", "...#...", ".......", NULL};
    scene p = open_picture(pillar);
    /* West of the pillar: up or down, never into it, wherever one stands. */
    for (int32_t k = 1; k < 100; k++) {
        fr_field_sample sample = fr_field_sample_at(p.field, fr_position_at(2.995, 1.0 + 3.0 * k / 100.0));
        assert_int_equal(sample.kind, FR_SAMPLE_STEP);
        assert_true(sample.direction.x < 0.05f);
        assert_true(sample.direction.y < -0.5f || sample.direction.y > 0.5f);
    }
    close_scene(&p);
    /* In the gap between two pillars: straight through. */
    for (int32_t k = 1; k < 100; k++) {
        fr_position at = fr_position_at(3.5, 2.0 + k / 100.0);
        fr_field_sample sample = fr_field_sample_at(s.field, at);
        assert_true(sample.direction.x > 0.8f);
    }
    close_scene(&s);
}

static void test_neighbours_lead_into_the_goal_cell(void **state)
{
    (void)state;
    fr_rng rng = {47};
    fr_goal goal = {{10, 7}, 0};
    scene s = open_scene(open_map(21, 16), &goal, 1);
    fr_position centre = fr_cell_centre(goal.cell);
    for (int i = 0; i < 2000; i++) {
        fr_position at = {
            centre.x + (int32_t)fr_rng_below(&rng, 3 * FR_POSITION_ONE) - 3 * FR_POSITION_ONE / 2,
            centre.y + (int32_t)fr_rng_below(&rng, 3 * FR_POSITION_ONE) - 3 * FR_POSITION_ONE / 2};
        fr_field_sample sample = fr_field_sample_at(s.field, at);
        if (sample.kind == FR_SAMPLE_STEP) {
            fr_vec2 to_goal = fr_vec2_normalize(fr_position_delta(at, centre));
            assert_true(fr_vec2_dot(sample.direction, to_goal) > 0.7f);
            double length = fr_field_trace(s.field, at, 10.0, NULL, NULL, 0, NULL);
            assert_true(length >= 0.0 && length < 2.6);
        } else {
            assert_int_equal(sample.kind, FR_SAMPLE_GOAL);
        }
    }
    close_scene(&s);
}

/* In a way three wide, before a corner: the shortest way of all leads to its edge, across the way; a stream
 * keeps along it. */
static void test_a_stream_keeps_along_its_way(void **state)
{
    (void)state;
    const char *const rows[] = {
        "##############",
        "#............#",
        "#............#",
        "#............#",
        "#...##########",
        "#...##########",
        "#...##########",
        "#...##########",
        "#...........g#",
        "##############",
        NULL,
    };
    scene s = open_picture(rows);
    for (double y = 1.25; y < 3.0; y += 0.25) {
        fr_position at = fr_position_at(7.5, y);
        fr_vec2 shortest = fr_field_sample_at(s.field, at).direction, parallel;
        assert_true(fr_field_parallel_at(s.field, at, &parallel));
        double lean = fabs((double)shortest.y), left = fabs((double)parallel.y);
        assert_true((double)parallel.x < -0.9);
        if (left > 0.6 * lean + 0.01) {
            fail_msg("at y %.2f: leans by %.3f, of %.3f", y, left, lean);
        }
    }
    fr_vec2 kept = {7.0f, 7.0f};
    assert_false(fr_field_parallel_at(s.field, fr_position_at(8.5, 5.5), &kept));
    assert_false(fr_field_parallel_at(s.field, fr_position_at(-3.0, 5.5), &kept));
    assert_true(kept.x == 7.0f && kept.y == 7.0f);
    close_scene(&s);
}

static void test_a_stream_is_not_led_into_a_wall(void **state)
{
    (void)state;
    const double step = 0.01;
    fr_rng rng = {47};
    int steps = 0;
    for (int i = 0; i < 60; i++) {
        fr_map *map = random_map(&rng, (field_map_kind)(i % MAP_KIND_COUNT));
        fr_goal goal = {random_open_cell(&rng, map), 0};
        scene s = open_scene(map, &goal, 1);
        for (int k = 0; k < 200; k++) {
            fr_position at = random_position(&rng, map->grid);
            fr_vec2 way;
            if (fr_field_parallel_at(s.field, at, &way)) {
                assert_true(fabs((double)fr_vec2_length(way) - 1.0) < 1e-5);
                fr_position next = {at.x + fr_fixed(step * (double)way.x),
                                    at.y + fr_fixed(step * (double)way.y)};
                /* Beside a wall it leads towards it ever less. */
                assert_true(is_open(&s, fr_cell_at(next)) || fr_field_value(s.field, fr_cell_at(at)) == 0);
                steps++;
            }
        }
        close_scene(&s);
    }
    assert_true(steps > 2000);
}

static void test_a_goal_in_a_wall_leads_nowhere(void **state)
{
    (void)state;
    fr_map *map = open_map(12, 9);
    fr_goal goal = {{4, 4}, 0};
    map->costs[FR_CLASS_FOOT][4 * 12 + 4] = FR_COST_WALL;
    scene s = open_scene(map, &goal, 1);
    assert_int_equal(fr_field_maximum(s.field), 0);
    assert_int_equal(fr_field_sample_at(s.field, fr_position_at(4.5, 4.5)).kind, FR_SAMPLE_NONE);
    assert_int_equal(fr_field_sample_at(s.field, fr_position_at(2.5, 4.5)).kind, FR_SAMPLE_NONE);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds_of_samples),
        cmocka_unit_test(test_every_walk_arrives_and_meets_no_wall),
        cmocka_unit_test(test_traces_arrive_from_every_cell),
        cmocka_unit_test(test_a_trace_gives_its_points_and_keeps_its_limit),
        cmocka_unit_test(test_open_ground_is_crossed_nearly_straight),
        cmocka_unit_test(test_crossing_a_border_does_not_flip),
        cmocka_unit_test(test_directions_change_smoothly_on_open_ground),
        cmocka_unit_test(test_ways_round_a_pillar_do_not_average_into_it),
        cmocka_unit_test(test_neighbours_lead_into_the_goal_cell),
        cmocka_unit_test(test_a_stream_keeps_along_its_way),
        cmocka_unit_test(test_a_stream_is_not_led_into_a_wall),
        cmocka_unit_test(test_a_goal_in_a_wall_leads_nowhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
