/* Goals with weights, and areas as goals: which cells belong, what the fields make of them, where units end
 * up, and what the judge says. */
#include "world_scene.h"

#include "base/rng.h"
#include "field_maps.h"
#include "field/field_service.h"
#include "sim/score.h"

/* --- which cells belong --- */

static const struct {
    const char *what;
    fr_area area;
    const char *picture[7];
} areas[] = {
    {"whole cells",
     {FR_AREA_RECT, {65536, 65536}, {4 * 65536, 3 * 65536}},
     {".......", ".ooo...", ".ooo...", ".......", ".......", "......."}},
    {"a cell belongs by its middle; the upper edge is outside",
     {FR_AREA_RECT, {65536 / 2, 65536 / 2 + 1}, {2 * 65536 + 65536 / 2, 3 * 65536}},
     {".......", "oo.....", "oo.....", ".......", ".......", "......."}},
    {"a disc of radius 2 on a middle, its rim inside",
     {FR_AREA_DISC, {65536 + 32768, 32768}, {5 * 65536 + 32768, 4 * 65536 + 32768}},
     {"...o...", "..ooo..", ".ooooo.", "..ooo..", "...o...", "......."}},
    {"a disc of no size",
     {FR_AREA_DISC, {32768, 32768}, {32768, 32768}},
     {"o......", ".......", ".......", ".......", ".......", "......."}},
    {"no area",
     {FR_AREA_NONE, {0, 0}, {7 * 65536, 6 * 65536}},
     {".......", ".......", ".......", ".......", ".......", "......."}},
};

static void test_cells_of_areas(void **state)
{
    (void)state;
    fr_grid grid = {7, 6};
    for (size_t c = 0; c < sizeof areas / sizeof *areas; c++) {
        int32_t count = 0;
        fr_rect bounds = fr_area_bounds(&areas[c].area, grid);
        for (int32_t i = 0; i < fr_grid_count(grid); i++) {
            fr_cell cell = fr_grid_cell(grid, i);
            bool expected = areas[c].picture[cell.y][cell.x] == 'o';
            bool bounded = cell.x >= bounds.x && cell.x < bounds.x + bounds.width && cell.y >= bounds.y &&
                           cell.y < bounds.y + bounds.height;
            if (fr_area_contains(&areas[c].area, cell) != expected || (expected && !bounded)) {
                fail_msg("%s: cell %d,%d", areas[c].what, cell.x, cell.y);
            }
            count += expected;
        }
        assert_int_equal(fr_area_count(&areas[c].area, grid), count);
    }
}

static void test_nearest_point_of_areas(void **state)
{
    (void)state;
    fr_area rect = fr_area_rect(fr_position_at(2, 3), fr_position_at(6, 5));
    fr_area disc = fr_area_disc(fr_position_at(4, 4), fr_fixed(2));
    static const struct {
        double x, y, rect_x, rect_y, disc_x, disc_y;
    } cases[] = {
        {0, 0, 2, 3, 4 - 1.41421, 4 - 1.41421},
        {4, 4, 4, 4, 4, 4},
        {9, 4, 6, 4, 6, 4},
        {3, 9, 3, 5, 4 - 2 * 0.196116, 4 + 2 * 0.980581},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        fr_position from = fr_position_at(cases[c].x, cases[c].y);
        fr_position in_rect = fr_area_nearest(&rect, from), in_disc = fr_area_nearest(&disc, from);
        assert_true(fabs(fr_cells(in_rect.x) - cases[c].rect_x) < 1e-4);
        assert_true(fabs(fr_cells(in_rect.y) - cases[c].rect_y) < 1e-4);
        assert_true(fabs(fr_cells(in_disc.x) - cases[c].disc_x) < 1e-4);
        assert_true(fabs(fr_cells(in_disc.y) - cases[c].disc_y) < 1e-4);
    }
}

/* --- fields --- */

/* A field to an area is the field to all its cells. */
static void test_field_of_area(void **state)
{
    (void)state;
    fr_rng rng = {11};
    for (int round = 0; round < 30; round++) {
        fr_map *map = random_map(&rng, (field_map_kind)(round % MAP_KIND_COUNT));
        fr_cost *cost = fr_cost_create(map);
        fr_position corner = fr_position_at(fr_rng_below(&rng, (uint32_t)map->grid.width),
                                            fr_rng_below(&rng, (uint32_t)map->grid.height));
        fr_area area =
            round % 2 == 0
                ? fr_area_rect(corner, fr_position_at(fr_cells(corner.x) + 7, fr_cells(corner.y) + 5))
                : fr_area_disc(corner, fr_fixed(3.2));
        fr_goal goals[FR_GOALS_MAX];
        int count = 0;
        for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
            if (fr_area_contains(&area, fr_grid_cell(map->grid, i))) {
                goals[count++] = (fr_goal){fr_grid_cell(map->grid, i), 0};
            }
        }
        fr_field_service *service = fr_field_service_create(cost, fr_executor_inline(), 4u << 20, NULL, NULL);
        fr_field_request request = {.area = area, .view = FR_CLASS_FOOT};
        fr_field_id id = fr_field_service_request(service, &request);
        fr_field_id again = fr_field_service_request(service, &request);
        assert_int_equal(id.index1, again.index1); /* shared */
        for (uint32_t tick = 0; tick <= FR_FIELD_LATENCY_TICKS; tick++) {
            fr_field_service_tick(service, tick);
        }
        const fr_field *found = fr_field_service_get(service, id);
        assert_non_null(found);
        fr_field_pool *pool = fr_field_pool_create(map->grid, 1u << 20);
        fr_scratch *scratch = fr_scratch_create(map->grid);
        fr_field *expected = fr_field_build(pool, scratch, cost, FR_CLASS_FOOT, goals, count);
        fr_rect all = {0, 0, map->grid.width, map->grid.height};
        uint32_t values[2][64 * 64];
        uint8_t arrows[2][64 * 64];
        fr_field_copy(found, all, values[0], arrows[0]);
        fr_field_copy(expected, all, values[1], arrows[1]);
        size_t cells = (size_t)fr_grid_count(map->grid);
        assert_memory_equal(values[0], values[1], cells * sizeof **values);
        assert_memory_equal(arrows[0], arrows[1], cells);
        fr_field_service_release(service, id);
        fr_field_service_release(service, again);
        fr_field_service_destroy(service);
        fr_field_destroy(pool, expected);
        fr_scratch_destroy(scratch);
        fr_field_pool_destroy(pool);
        fr_cost_destroy(cost);
        fr_map_destroy(map);
    }
}

/* --- orders --- */

static void order_units(fr_world *world, fr_command command)
{
    uint32_t units[512];
    command.unit_count = fr_world_snapshot(world)->unit_count;
    for (int32_t i = 0; i < command.unit_count; i++) {
        units[i] = (uint32_t)i;
    }
    command.units = units;
    assert_int_equal(fr_world_submit(world, &command), FR_OK);
}

/* Distance from a unit to the area, in cells. */
static double distance_to_area(const fr_world *world, int32_t unit, const fr_area *area)
{
    fr_position at = fr_world_snapshot(world)->position[unit], nearest = fr_area_nearest(area, at);
    fr_vec2 way = fr_position_delta(at, nearest);
    return (double)fr_vec2_length(way);
}

static const struct {
    const char *what;
    fr_area area;
    int32_t units;
    double most; /* cells beyond the area */
} packs[] = {
    {"a wide rectangle", {FR_AREA_RECT, {50 * 65536, 4 * 65536}, {70 * 65536, 36 * 65536}}, 120, 0.5},
    {"a disc", {FR_AREA_DISC, {50 * 65536, 10 * 65536}, {70 * 65536, 30 * 65536}}, 120, 0.5},
    {"a strip too small for all: the rest stands round it", /* 60 of 120 find room */
     {FR_AREA_RECT, {60 * 65536, 5 * 65536}, {61 * 65536, 35 * 65536}},
     120,
     2.5},
    {"one cell", {FR_AREA_RECT, {60 * 65536, 20 * 65536}, {61 * 65536, 21 * 65536}}, 1, 0.5},
    {"the area in which they stand", {FR_AREA_RECT, {0, 0}, {20 * 65536, 40 * 65536}}, 120, 0.5},
};

static void test_units_fill_an_area(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof packs / sizeof *packs; c++) {
        fr_map *map = open_map(80, 40);
        for (int32_t y = 0; y < 40; y++) { /* a wall with a gap on the way, and a pillar in the area */
            map->costs[FR_CLASS_FOOT][y * 80 + 35] = y / 8 == 2 ? 1 : FR_COST_WALL;
            map->costs[FR_CLASS_FOOT][y * 80 + 57] = y / 4 == 4 ? FR_COST_WALL : 1;
        }
        fr_map_share_costs(map);
        fr_world *world = make_world(map, fr_executor_inline());
        assert_int_equal(spawn_block(world, 3, 12, 12, 20, packs[c].units), packs[c].units);
        order_units(world, (fr_command){.kind = FR_COMMAND_MOVE, .area = packs[c].area});
        run_until_settled(world, 2400);
        for (int32_t i = 0; i < packs[c].units; i++) {
            if (fr_world_snapshot(world)->state[i] != FR_UNIT_ARRIVED ||
                distance_to_area(world, i, &packs[c].area) > packs[c].most) {
                fail_msg("%s: unit %d is %.2f beyond it, state %d", packs[c].what, i,
                         distance_to_area(world, i, &packs[c].area), fr_world_snapshot(world)->state[i]);
            }
        }
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
}

/* The far part of the area counts for those who can reach nothing else of it; whoever reaches none goes to
 * the cell nearest to its middle. */
static void test_area_across_a_wall(void **state)
{
    (void)state;
    static const char *const picture[] = {
        "...........#........", //
        "...........#........", //
        "...........#........", //
        "...........#........", //
        "...........#........", NULL,
    };
    static const struct {
        double x, width, goal_x;
    } cases[] = {{9, 9, 10.5}, {15, 4, 10.5}, {2, 3, 3.5}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        fr_map *map = map_from_picture(picture);
        fr_world *world = make_world(map, fr_executor_inline());
        spawn(world, 6.5, 2.5);
        fr_area area =
            fr_area_rect(fr_position_at(cases[c].x, 1), fr_position_at(cases[c].x + cases[c].width, 4));
        order_units(world, (fr_command){.kind = FR_COMMAND_MOVE, .area = area});
        run_until_settled(world, 300);
        assert_int_equal(fr_world_snapshot(world)->state[0], FR_UNIT_ARRIVED);
        if (distance_to(world, 0, cases[c].goal_x, 2.5) > 0.5) {
            fail_msg("case %zu: stopped %.2f from %.1f,2.5", c, distance_to(world, 0, cases[c].goal_x, 2.5),
                     cases[c].goal_x);
        }
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
}

static const struct {
    double left, right; /* entry prices in straight steps */
    int32_t at_left;    /* of 2 units, one 8 cells left of the middle and one 8 cells right of it */
} weights[] = {{0, 0, 1}, {15.9, 0, 1}, {16.1, 0, 0}, {0, 16.1, 2}, {5000, 5000, 1}, {100000, 0, 0}};

static void test_weights_shift_the_divide(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof weights / sizeof *weights; c++) {
        fr_map *map = open_map(61, 9);
        fr_world *world = make_world(map, fr_executor_inline());
        spawn(world, 22.5, 4.5);
        spawn(world, 38.5, 4.5);
        fr_position goals[] = {fr_position_at(5.5, 4.5), fr_position_at(55.5, 4.5)};
        uint32_t prices[] = {(uint32_t)(weights[c].left * 70 + 0.5), (uint32_t)(weights[c].right * 70 + 0.5)};
        order_units(
            world,
            (fr_command){.kind = FR_COMMAND_MOVE, .goals = goals, .goal_count = 2, .goal_prices = prices});
        fr_scorecard *card = fr_scorecard_create(fr_world_snapshot(world), NULL);
        for (int t = 0; t < 500; t++) {
            fr_world_tick(world);
            fr_scorecard_tick(card, fr_world_snapshot(world));
        }
        int32_t at_left = (distance_to(world, 0, 5.5, 4.5) < 2.0) + (distance_to(world, 1, 5.5, 4.5) < 2.0);
        int32_t at_right =
            (distance_to(world, 0, 55.5, 4.5) < 2.0) + (distance_to(world, 1, 55.5, 4.5) < 2.0);
        uint32_t tick;
        bool judged = fr_score_arrival(card, 0, &tick) && fr_score_arrival(card, 1, &tick);
        if (at_left != weights[c].at_left || at_left + at_right != 2 || !judged) {
            fail_msg("weights %g and %g: %d went left, %d right, judged as arrived: %d", weights[c].left,
                     weights[c].right, at_left, at_right, judged);
        }
        fr_scorecard_destroy(card);
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
}

/* The goal that costs least from a place, entering it included. */
static int cheapest_goal(const fr_field *const *fields, const uint32_t *prices, int count, fr_position from)
{
    int best = 0;
    for (int g = 1; g < count; g++) {
        if (fr_field_value_at(fields[g], from) + prices[g] <
            fr_field_value_at(fields[best], from) + prices[best]) {
            best = g;
        }
    }
    return best;
}

static int nearest_goal(const fr_position *goals, int count, fr_position from)
{
    int best = 0;
    for (int g = 1; g < count; g++) {
        if (fr_vec2_length(fr_position_delta(from, goals[g])) <
            fr_vec2_length(fr_position_delta(from, goals[best]))) {
            best = g;
        }
    }
    return best;
}

/* On dear ground the nearest goal on foot is not the one that the field leads to: units stay where it leads
 * them, instead of setting out from there for places at the other. */
static void test_places_lie_where_the_field_leads(void **state)
{
    (void)state;
    enum { GOALS = 3, UNITS = 120, SIDE = 12 };
    for (uint64_t seed = 1; seed <= 6; seed++) {
        fr_rng rng = {seed};
        fr_map *map = open_map(110, 60);
        for (int patch = 0; patch < 60; patch++) {
            fr_rect rect = {(int32_t)fr_rng_below(&rng, 98), (int32_t)fr_rng_below(&rng, 48), SIDE, SIDE};
            uint8_t cost = (uint8_t)(1 + fr_rng_below(&rng, 8));
            for (int i = 0; i < SIDE * SIDE; i++) {
                map->costs[FR_CLASS_FOOT][(rect.y + i / SIDE) * 110 + rect.x + i % SIDE] = cost;
            }
        }
        fr_world *world = make_world(map, fr_executor_inline());
        int32_t x = 5 + (int32_t)fr_rng_below(&rng, 88), y = 5 + (int32_t)fr_rng_below(&rng, 38);
        assert_int_equal(spawn_block(world, x, y, SIDE, SIDE, UNITS), UNITS);
        fr_position goals[GOALS];
        uint32_t prices[GOALS];
        const fr_field *fields[GOALS];
        const fr_cost *cost = fr_world_snapshot(world)->cost;
        fr_field_pool *pool = fr_field_pool_create_for(cost, 8u << 20);
        fr_scratch *scratch = fr_scratch_create(map->grid);
        for (int g = 0; g < GOALS; g++) {
            goals[g] = fr_position_at(8.5 + fr_rng_below(&rng, 94), 8.5 + fr_rng_below(&rng, 44));
            prices[g] = FR_STEP_STRAIGHT * fr_rng_below(&rng, 40);
            fr_goal goal = {fr_cell_at(goals[g]), 0};
            fields[g] = fr_field_build(pool, scratch, cost, FR_CLASS_FOOT, &goal, 1);
        }
        int meant[UNITS];
        for (int i = 0; i < UNITS; i++) {
            meant[i] = cheapest_goal(fields, prices, GOALS, fr_world_snapshot(world)->position[i]);
        }
        order_units(world,
                    (fr_command){
                        .kind = FR_COMMAND_MOVE, .goals = goals, .goal_count = GOALS, .goal_prices = prices});
        run_until_settled(world, 4000);
        int elsewhere = 0;
        for (int i = 0; i < UNITS; i++) {
            elsewhere += nearest_goal(goals, GOALS, fr_world_snapshot(world)->position[i]) != meant[i];
        }
        if (elsewhere > UNITS / 20) { /* those on the divide may be pushed across it */
            fail_msg("seed %d: %d of %d are not at the goal that they were led to", (int)seed, elsewhere,
                     UNITS);
        }
        fr_scratch_destroy(scratch);
        fr_field_pool_destroy(pool);
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
}

/* Walls in and beside an area of more cells than a repair takes goals: the field is that of a fresh build. */
static void test_area_among_changing_walls(void **state)
{
    (void)state;
    fr_map *map = open_map(70, 50);
    fr_cost *cost = fr_cost_create(map);
    fr_field_service *service = fr_field_service_create(cost, fr_executor_inline(), 4u << 20, NULL, NULL);
    fr_field_request request = {.area = fr_area_rect(fr_position_at(20, 10), fr_position_at(50, 40)),
                                .view = FR_CLASS_FOOT};
    fr_field_id id = fr_field_service_request(service, &request);
    fr_rng rng = {4};
    for (uint32_t tick = 0; tick < 60; tick++) {
        if (tick % 6 == 3) {
            fr_rect rect = {(int32_t)fr_rng_below(&rng, 60), (int32_t)fr_rng_below(&rng, 40), 7, 9};
            uint8_t edit_cost = fr_rng_below(&rng, 3) == 0 ? 0 : FR_COST_WALL;
            fr_field_service_cost_changed(service, fr_cost_set_edit(cost, rect, edit_cost));
        }
        fr_field_service_tick(service, tick);
    }
    const fr_field *found = fr_field_service_get(service, id);
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        fr_cell cell = fr_grid_cell(map->grid, i);
        bool is_goal = fr_area_contains(&request.area, cell) && fr_cost_walkable(cost, FR_CLASS_FOOT, cell);
        assert_true((fr_field_value(found, cell) == 0) == is_goal);
    }
    fr_field_service_release(service, id);
    fr_field_service_destroy(service);
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

static void test_bad_goals_are_refused(void **state)
{
    (void)state;
    fr_map *map = open_map(600, 500);
    fr_world *world = make_world(map, fr_executor_inline());
    uint32_t unit = spawn(world, 5.5, 5.5), price = FR_GOAL_PRICE_MAX + 1;
    fr_position goal = fr_position_at(9.5, 9.5);
    fr_command dear = {.kind = FR_COMMAND_MOVE,
                       .units = &unit,
                       .unit_count = 1,
                       .goals = &goal,
                       .goal_count = 1,
                       .goal_prices = &price};
    assert_int_equal(fr_world_submit(world, &dear), FR_BAD_INPUT);
    fr_command area = {.kind = FR_COMMAND_MOVE, .units = &unit, .unit_count = 1};
    area.area = fr_area_rect(fr_position_at(0, 0), fr_position_at(600, 500)); /* 300,000 cells */
    assert_int_equal(fr_world_submit(world, &area), FR_BAD_INPUT);
    area.area = fr_area_rect(fr_position_at(1.6, 1.6), fr_position_at(2.4, 2.4)); /* no middle of a cell */
    assert_int_equal(fr_world_submit(world, &area), FR_BAD_INPUT);
    area.area = fr_area_rect(fr_position_at(-10, -10), fr_position_at(20, 20)); /* clamped */
    assert_int_equal(fr_world_submit(world, &area), FR_OK);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* A saved world with such orders under way and queued goes on as the one it was saved from. */
static void test_saved_goals(void **state)
{
    (void)state;
    fr_map *map = open_map(70, 30);
    fr_world *world = make_world(map, fr_executor_inline());
    spawn_block(world, 2, 2, 8, 8, 64);
    fr_position goals[] = {fr_position_at(60.5, 5.5), fr_position_at(60.5, 25.5)};
    uint32_t prices[] = {0, 700};
    fr_command weighted = {.kind = FR_COMMAND_MOVE, .goals = goals, .goal_count = 2, .goal_prices = prices};
    fr_command area = {.kind = FR_COMMAND_MOVE, .area = fr_area_disc(fr_position_at(40, 15), fr_fixed(6))};
    order_units(world, weighted);
    run(world, 40);
    for (int round = 0; round < 2; round++) {
        order_units(world, round == 0 ? area : weighted);
        fr_world *twin = saved_twin(world, map);
        run(world, 150);
        run(twin, 150);
        assert_true(fr_world_hash(world) == fr_world_hash(twin));
        fr_world_destroy(twin);
    }
    fr_world_destroy(world);
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_of_areas),        cmocka_unit_test(test_nearest_point_of_areas),
        cmocka_unit_test(test_field_of_area),         cmocka_unit_test(test_units_fill_an_area),
        cmocka_unit_test(test_area_across_a_wall),    cmocka_unit_test(test_weights_shift_the_divide),
        cmocka_unit_test(test_bad_goals_are_refused), cmocka_unit_test(test_area_among_changing_walls),
        cmocka_unit_test(test_saved_goals),           cmocka_unit_test(test_places_lie_where_the_field_leads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
