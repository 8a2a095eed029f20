/* Worlds whose field cells are not tiles: everybody arrives all the same, from tiles and at goals of which
 * the field knows nothing, keeps off walls of tiles, and does so alike with any number of workers. */
#include "world_scene.h"

#include "field/line_of_sight.h"
#include "grid/nav.h"
#include "jobs/pool.h"
#include "sim/route.h"

enum { WIDTH = 91, HEIGHT = 61 }; /* neither is a multiple of a field cell */

/* Blocks that keep to no grid, with ways for cells of four tiles between them; niches of two tiles in the
 * last one, and a strip along the edges that such cells do not cover. */
static fr_map *town(int32_t shift)
{
    static const fr_rect blocks[] = {{13, 9, 7, 11}, {33, 3, 9, 6},   {30, 22, 5, 17}, {9, 35, 11, 5},
                                     {48, 17, 3, 9}, {50, 38, 13, 3}, {66, 9, 6, 15},  {73, 36, 9, 14}};
    static const fr_rect niches[] = {{73, 41, 5, 2}, {66, 15, 2, 2}, {78, 48, 2, 2}};
    fr_map *map = open_map(WIDTH, HEIGHT);
    map->nav_shift = shift;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks + sizeof niches / sizeof *niches; i++) {
        bool is_block = i < sizeof blocks / sizeof *blocks;
        fr_rect rect = is_block ? blocks[i] : niches[i - sizeof blocks / sizeof *blocks];
        for (int32_t k = 0; k < rect.width * rect.height; k++) {
            map->costs[FR_CLASS_FOOT][(rect.y + k / rect.width) * WIDTH + rect.x + k % rect.width] =
                is_block ? FR_COST_WALL : 1;
        }
    }
    for (int32_t k = 0; k < 8 * 6; k++) { /* dear ground on the way */
        map->costs[FR_CLASS_FOOT][(27 + k / 8) * WIDTH + 54 + k % 8] = 3;
    }
    return map;
}

/* Goals of single units: in the niches, beside walls, on the last row and column. */
static const struct {
    double from_x, from_y, x, y;
} singles[] = {
    {88.5, 58.5, 77.5, 42.5}, {2.5, 2.5, 67.5, 15.5},  {79.5, 48.5, 4.5, 4.5},   {77.5, 41.5, 29.5, 30.5},
    {90.5, 60.5, 12.5, 34.5}, {12.5, 14.5, 90.5, 0.5}, {47.5, 22.5, 51.5, 22.5}, {5.5, 60.5, 90.5, 58.5},
};
enum { SINGLES = sizeof singles / sizeof *singles, GROUP = 60 };

static void populate(fr_world *world)
{
    for (int32_t i = 0; i < SINGLES; i++) {
        assert_int_equal(spawn(world, singles[i].from_x, singles[i].from_y), i);
    }
    assert_int_equal(spawn_block(world, 1, 22, 12, 5, GROUP), GROUP);
}

static void give_orders(fr_world *world)
{
    for (int32_t i = 0; i < SINGLES; i++) {
        order_range(world, FR_COMMAND_MOVE, (uint32_t)i, 1, singles[i].x, singles[i].y);
    }
    order_range(world, FR_COMMAND_MOVE, SINGLES, GROUP, 70.5, 30.5);
}

static void expect_all_at_their_goals(const char *what, int32_t shift, const fr_world *world)
{
    for (int32_t i = 0; i < SINGLES + GROUP; i++) {
        bool is_single = i < SINGLES;
        double distance =
            distance_to(world, i, is_single ? singles[i].x : 70.5, is_single ? singles[i].y : 30.5);
        /* Hexagonal packing of 60 discs, and a quarter more. */
        if (fr_world_snapshot(world)->state[i] != FR_UNIT_ARRIVED || distance > (is_single ? 0.8 : 5.0)) {
            fail_msg("%s, shift %d: unit %d rests %.2f cells from its goal", what, shift, i, distance);
        }
    }
}

static void test_all_arrive_at_every_scale(void **state)
{
    (void)state;
    for (int32_t shift = FR_NAV_SHIFT_MIN; shift <= FR_NAV_SHIFT_MAX; shift++) {
        fr_map *map = town(shift);
        fr_world *world = make_world(map, fr_executor_inline());
        populate(world);
        give_orders(world);
        /* The longest way, 95 cells, takes 24 s; a crowd needs longer. */
        int32_t ticks = run_until_settled(world, 1800);
        assert_true(ticks < 1800);
        expect_all_at_their_goals("at once", shift, world);
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
}

/* Walls and dear ground come and go, no rectangle on the grid of the field. */
static void change_walls(fr_world *world, uint32_t tick)
{
    static const fr_rect rects[] = {{41, 11, 3, 21}, {57, 1, 5, 29}, {21, 41, 7, 19}, {41, 30, 5, 9}};
    if (tick % 40 == 20) {
        edit(world, rects[tick / 40 % 4], tick / 40 % 3 == 2 ? 5 : FR_COST_WALL);
    }
    if (tick % 40 == 39) {
        edit(world, rects[tick / 40 % 4], 0);
    }
}

enum { CHANGE_TICKS = 240 };

static void test_one_hash_while_walls_come_and_go(void **state)
{
    (void)state;
    uint64_t reference[CHANGE_TICKS];
    for (int32_t shift = FR_NAV_SHIFT_MIN; shift <= FR_NAV_SHIFT_MAX; shift++) {
        for (int workers = 0; workers <= 2; workers++) {
            fr_pool *pool = workers > 0 ? fr_pool_create(workers, NULL) : NULL;
            fr_map *map = town(shift);
            fr_world *world = make_world(map, pool != NULL ? fr_pool_executor(pool) : fr_executor_inline());
            populate(world);
            give_orders(world);
            for (uint32_t tick = 0; tick < CHANGE_TICKS; tick++) {
                change_walls(world, tick);
                run(world, 1);
                uint64_t hash = fr_world_hash(world);
                if (workers > 0 && hash != reference[tick]) {
                    fail_msg("shift %d, %d workers: the hash differs at tick %u", shift, workers, tick);
                }
                reference[tick] = hash;
            }
            if (workers == 0) {
                run_until_settled(world, 1800);
                expect_all_at_their_goals("after walls", shift, world);
            }
            fr_world_destroy(world);
            fr_map_destroy(map);
            if (pool != NULL) {
                fr_pool_destroy(pool);
            }
        }
    }
}

/* The scale belongs to the map: what was saved goes on alike on it, and not on a map of another scale. */
static void test_save_and_load(void **state)
{
    (void)state;
    for (int32_t shift = FR_NAV_SHIFT_MIN; shift <= FR_NAV_SHIFT_MAX; shift++) {
        fr_map *map = town(shift), *other = town(shift == 1 ? 2 : 1);
        fr_world *world = make_world(map, fr_executor_inline());
        populate(world);
        give_orders(world);
        for (uint32_t tick = 0; tick < 62; tick++) { /* a repair is under way */
            change_walls(world, tick);
            run(world, 1);
        }
        fr_buffer saved = {0};
        fr_error error = {0};
        fr_world_save(world, &saved);
        fr_world *twin = saved_twin(world, map);
        for (uint32_t tick = 62; tick < 140; tick++) {
            change_walls(world, tick);
            change_walls(twin, tick);
            run(world, 1);
            run(twin, 1);
            assert_true(fr_world_hash(world) == fr_world_hash(twin));
        }
        fr_world_config config = world_config(other);
        assert_null(fr_world_load(&config, saved.data, saved.size, &error));
        expect_message("another scale", &error, "saved on another map");
        fr_buffer_fini(&saved);
        fr_world_destroy(world);
        fr_world_destroy(twin);
        fr_map_destroy(map);
        fr_map_destroy(other);
    }
}

/* Where ways are too narrow for field cells of four tiles throughout, units find from tile to tile. */
static void test_no_field_cell_is_open(void **state)
{
    (void)state;
    static const char *const rows[] = {"#########", "#.......#", "#.#####.#", "#.#####.#",
                                       "#.#####.#", "#########", NULL};
    static const double goals[][2] = {{6.5, 1.5}, {1.5, 4.5}, {7.5, 1.5}};
    for (size_t g = 0; g < sizeof goals / sizeof *goals; g++) {
        fr_map *map = map_from_picture(rows);
        map->nav_shift = 2;
        fr_world *world = make_world(map, fr_executor_inline());
        spawn(world, 7.5, 4.5);
        order_all(world, goals[g][0], goals[g][1]);
        run_until_settled(world, 300);
        assert_true(distance_to(world, 0, goals[g][0], goals[g][1]) < 0.1);
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
}

/* Halls between which lie ways of three tiles, wide enough for units but not for a field cell of four: two
 * large ones, and two small ones of which one has a wall in it and the other no whole field cell. */
static fr_map *halls(int32_t shift)
{
    static const char *const rows[] = {"#######################################",
                                       "#.......................#.............#",
                                       "#.......................#.............#",
                                       "#.....................................#",
                                       "#.....................................#",
                                       "#.....................................#",
                                       "#.......................#.............#",
                                       "#.......................#.............#",
                                       "#.......................#.............#",
                                       "#.......................#.............#",
                                       "#.......................#.............#",
                                       "#.......................#######...#####",
                                       "#.......................#######...#####",
                                       "#.......................#....##...#...#",
                                       "#.......................#....##...#...#",
                                       "#.......................#....##...#...#",
                                       "#.......................#.............#",
                                       "#.......................#.............#",
                                       "#.......................#.............#",
                                       "#.......................#....##.#######",
                                       "#.......................#....##...#####",
                                       "#########################.....#########",
                                       "#########################.....#########",
                                       "#######################################",
                                       NULL};
    fr_map *map = map_from_picture(rows);
    map->nav_shift = shift;
    return map;
}

static void test_between_parted_field_cells(void **state)
{
    (void)state;
    static const struct {
        double from_x, from_y, x, y;
    } ways[] = {{5, 5, 31.5, 8.5},
                {27, 2, 10.5, 17.5},
                {26, 14, 10.5, 5.5},
                {5, 12, 36.5, 14.5},
                {35, 14, 27.5, 21.5}};
    for (int32_t shift = FR_NAV_SHIFT_MIN; shift <= FR_NAV_SHIFT_MAX; shift++) {
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            fr_map *map = halls(shift);
            fr_world *world = make_world(map, fr_executor_inline());
            int32_t count = spawn_block(world, (int32_t)ways[w].from_x, (int32_t)ways[w].from_y, 3, 3, 8);
            order_all(world, ways[w].x, ways[w].y);
            run_until_settled(world, 900);
            for (int32_t i = 0; i < count; i++) {
                double distance = distance_to(world, i, ways[w].x, ways[w].y);
                if (fr_world_snapshot(world)->state[i] != FR_UNIT_ARRIVED || distance > 2.9) {
                    fail_msg("shift %d, way %zu: unit %d rests %.2f cells from its goal", shift, w, i,
                             distance);
                }
            }
            fr_world_destroy(world);
            fr_map_destroy(map);
        }
    }
}

/* Two rooms, and between them a way one tile wide, through which no field cell of several tiles leads. */
static fr_map *two_rooms(int32_t shift, bool is_near_large)
{
    fr_map *map = open_map(48, 20);
    int32_t wall = is_near_large ? 28 : 18;
    for (int32_t y = 0; y < 20; y++) {
        for (int32_t x = wall; x < wall + 5 && y != 9; x++) {
            map->costs[FR_CLASS_FOOT][y * 48 + x] = FR_COST_WALL;
        }
    }
    fr_map_share_costs(map);
    map->nav_shift = shift;
    return map;
}

/* Of several goals on the other side each unit comes to the nearest, or to one that has room. */
static void test_several_goals_beyond_a_narrow_way(void **state)
{
    (void)state;
    enum { COUNT = 12 };
    const fr_position goals[] = {fr_position_at(37.5, 15.5), fr_position_at(43.5, 3.5),
                                 fr_position_at(40.5, 18.5)};
    const uint32_t prices[] = {0, 0, 20 * FR_STEP_STRAIGHT}, capacities[] = {4, 8, 0};
    for (int32_t shift = FR_NAV_SHIFT_MIN; shift <= FR_NAV_SHIFT_MAX; shift++) {
        for (int c = 0; c < 6; c++) {
            fr_map *map = two_rooms(shift, c % 2 == 0);
            fr_world *world = make_world(map, fr_executor_inline());
            uint32_t units[COUNT];
            assert_int_equal(spawn_block(world, 3, 3, 4, 4, COUNT), COUNT);
            for (uint32_t i = 0; i < COUNT; i++) {
                units[i] = i;
            }
            fr_command command = {.kind = FR_COMMAND_MOVE,
                                  .units = units,
                                  .unit_count = COUNT,
                                  .goals = goals,
                                  .goal_count = c < 2 ? 2 : 3,
                                  .goal_prices = c >= 2 ? prices : NULL,
                                  .goal_capacities = c >= 4 ? capacities : NULL};
            assert_int_equal(fr_world_submit(world, &command), FR_OK);
            run_until_settled(world, 1500);
            int32_t at_first = 0;
            for (int32_t i = 0; i < COUNT; i++) {
                bool first = distance_to(world, i, 37.5, 15.5) < 3.0,
                     second = distance_to(world, i, 43.5, 3.5) < 3.0;
                at_first += first;
                if (!(first || second) || fr_world_snapshot(world)->state[i] != FR_UNIT_ARRIVED) {
                    fail_msg("shift %d, case %d: unit %d is at %.1f, %.1f", shift, c, i,
                             fr_cells(fr_world_snapshot(world)->position[i].x),
                             fr_cells(fr_world_snapshot(world)->position[i].y));
                }
            }
            if (at_first != (c >= 4 ? 4 : COUNT)) {
                fail_msg("shift %d, case %d: %d at the nearer goal", shift, c, at_first);
            }
            fr_world_destroy(world);
            fr_map_destroy(map);
        }
    }
}

/* The same while the way between the two large halls is closed and opened: saved and loaded at any time. */
static void test_parted_cells_are_saved(void **state)
{
    (void)state;
    for (int32_t shift = 1; shift <= FR_NAV_SHIFT_MAX; shift++) {
        fr_map *map = halls(shift);
        fr_world *world = make_world(map, fr_executor_inline()), *twin = NULL;
        int32_t count = spawn_block(world, 5, 4, 5, 5, 20);
        for (uint32_t tick = 0; tick < 240; tick++) {
            if (tick % 80 == 0) {
                order_range(world, FR_COMMAND_MOVE, tick % 7, count - 7, 31.5, tick == 160 ? 14.5 : 8.5);
                if (twin != NULL) {
                    order_range(twin, FR_COMMAND_MOVE, tick % 7, count - 7, 31.5, tick == 160 ? 14.5 : 8.5);
                }
            }
            if (tick % 30 == 20) {
                edit(world, (fr_rect){24, 3, 1, 2}, tick % 60 == 20 ? FR_COST_WALL : 0);
                if (twin != NULL) {
                    edit(twin, (fr_rect){24, 3, 1, 2}, tick % 60 == 20 ? FR_COST_WALL : 0);
                }
            }
            if (tick % 50 == 25) {
                fr_world_destroy(twin);
                twin = saved_twin(world, map);
            }
            run(world, 1);
            if (twin != NULL) {
                run(twin, 1);
                assert_true(fr_world_hash(world) == fr_world_hash(twin));
            }
        }
        fr_world_destroy(world);
        fr_world_destroy(twin);
        fr_map_destroy(map);
    }
}

/* Areas in which no field cell has its middle, and larger ones, are filled. */
static void test_areas(void **state)
{
    (void)state;
    static const struct {
        double x0, y0, x1, y1;
        int32_t units;
    } cases[] = {{73, 41, 78, 43, 6}, {40, 44, 49, 55, 60}, {23.2, 12.2, 24.8, 13.6, 1}};
    for (int32_t shift = FR_NAV_SHIFT_MIN; shift <= FR_NAV_SHIFT_MAX; shift++) {
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            fr_map *map = town(shift);
            fr_world *world = make_world(map, fr_executor_inline());
            int32_t count = spawn_block(world, 58, 44, 12, 6, cases[c].units);
            uint32_t units[GROUP];
            for (int32_t i = 0; i < count; i++) {
                units[i] = (uint32_t)i;
            }
            fr_position low = fr_position_at(cases[c].x0, cases[c].y0),
                        high = fr_position_at(cases[c].x1, cases[c].y1);
            fr_area area = fr_area_rect(low, high);
            fr_position middle = fr_area_centre(&area);
            assert_int_equal(fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_MOVE,
                                                                  .units = units,
                                                                  .unit_count = count,
                                                                  .goals = &middle,
                                                                  .goal_count = 1,
                                                                  .area = area}),
                             FR_OK);
            run_until_settled(world, 900);
            for (int32_t i = 0; i < count; i++) {
                fr_position at = fr_world_snapshot(world)->position[i], in = fr_area_nearest(&area, at);
                double off = (double)fr_vec2_length(fr_position_delta(at, in));
                if (fr_world_snapshot(world)->state[i] != FR_UNIT_ARRIVED || off > 1.0) {
                    fail_msg("shift %d, area %zu: unit %d rests %.2f cells outside", shift, c, i, off);
                }
            }
            fr_world_destroy(world);
            fr_map_destroy(map);
        }
    }
}

/* The way that is shown begins with the way out of the field cell that is a wall, and keeps off walls. */
static void test_route_from_a_niche(void **state)
{
    (void)state;
    for (int32_t shift = FR_NAV_SHIFT_MIN; shift <= FR_NAV_SHIFT_MAX; shift++) {
        fr_map *map = town(shift);
        fr_world *world = make_world(map, fr_executor_inline());
        spawn(world, 77.5, 41.5);
        order_all(world, 60.5, 55.5);
        run(world, 4);
        const fr_field *field = fr_world_unit_field(world, 0);
        assert_non_null(field);
        fr_position points[256];
        fr_route route = fr_route_trace(fr_world_snapshot(world), field, 0, points, 256);
        assert_true(route.arrives);
        assert_in_range(route.point_count, 10, 255);
        assert_true(route.length_cells > 20.0 && route.length_cells < 26.0);
        assert_true(fabs(route.eta_s - route.length_cells / 4.0) < 0.2); /* 4 cells/s on even ground */
        for (int32_t i = 1; i < route.point_count; i++) {
            assert_true(fr_line_is_free(fr_world_snapshot(world)->cost, FR_CLASS_FOOT, points[i - 1],
                                        points[i], 0.0f));
        }
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
}

/* Wide discs too, from the walls on and to goals beside walls. */
static void test_wide_units(void **state)
{
    (void)state;
    static const struct {
        float radius;
        double from_x, from_y, x, y; /* of several: where one has room */
    } cases[] = {
        {0.9f, 89.5, 59.5, 4.5, 4.5},   {0.9f, 21.0, 14.5, 64.9, 20.5}, {1.4f, 43.5, 5.5, 66.5, 50.5},
        {1.4f, 86.5, 30.5, 28.5, 37.5}, {1.9f, 50.5, 52.5, 60.5, 12.5}, {1.9f, 4.5, 42.5, 86.5, 4.5},
    };
    for (int32_t shift = FR_NAV_SHIFT_MIN; shift <= FR_NAV_SHIFT_MAX; shift++) {
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            fr_map *map = town(shift);
            fr_world *world = make_world(map, fr_executor_inline());
            assert_int_equal(spawn_sized(world, cases[c].from_x, cases[c].from_y, cases[c].radius, 6.0f), 0);
            order_all(world, cases[c].x, cases[c].y);
            run_until_settled(world, 900);
            double distance = distance_to(world, 0, cases[c].x, cases[c].y);
            if (count_state(world, FR_UNIT_ARRIVED) == 0 || distance > 2.0 * (double)cases[c].radius) {
                fail_msg("shift %d: unit %zu rests %.2f cells from its goal", shift, c, distance);
            }
            fr_world_destroy(world);
            fr_map_destroy(map);
        }
    }
}

/* A gap of one tile right ahead, and one of twelve farther off: wide discs keep to the wide one at every
 * scale, narrow ones take the near one where field cells are no larger than it. */
static void test_narrow_gap(void **state)
{
    (void)state;
    static const float radii[] = {0.4f, 0.9f};
    for (int32_t shift = FR_NAV_SHIFT_MIN; shift <= FR_NAV_SHIFT_MAX; shift++) {
        for (int wide = 0; wide < 2; wide++) {
            fr_map *map = open_map(41, 33);
            map->nav_shift = shift;
            for (int32_t y = 0; y < 33; y++) {
                bool is_gap = y == 4 || (y >= 16 && y < 28);
                map->costs[FR_CLASS_FOOT][y * 41 + 20] = is_gap ? 1 : FR_COST_WALL;
            }
            fr_world *world = make_world(map, fr_executor_inline());
            assert_int_equal(spawn_sized(world, 8.5, 4.5, radii[wide], 6.0f), 0);
            order_all(world, 33.5, 6.5);
            bool was_near = false, was_far = false;
            for (int t = 0; t < 400 && count_state(world, FR_UNIT_ARRIVED) == 0; t++) {
                run(world, 1);
                was_near = was_near || distance_to(world, 0, 20.5, 4.5) < 1.0;
                was_far = was_far || distance_to(world, 0, 20.5, 16.5) < 2.5;
            }
            assert_true(distance_to(world, 0, 33.5, 6.5) < 0.8);
            bool takes_near = wide == 0 && shift <= 0;
            if (was_near != takes_near || was_far == takes_near) {
                fail_msg("shift %d, radius %.1f: the wrong gap", shift, (double)radii[wide]);
            }
            fr_world_destroy(world);
            fr_map_destroy(map);
        }
    }
}

/* What entering a goal costs is stated in steps of a tile: the same goal is the cheaper one at every scale.
 */
static void test_goal_weights(void **state)
{
    (void)state;
    static const struct {
        uint32_t price; /* steps of the nearer goal: 20 cells off, the other one 40 */
        double x;
    } cases[] = {{0, 20.5}, {12, 20.5}, {28, 80.5}, {60, 80.5}};
    for (int32_t shift = FR_NAV_SHIFT_MIN; shift <= FR_NAV_SHIFT_MAX; shift++) {
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
            fr_map *map = open_map(95, 30);
            map->nav_shift = shift;
            fr_world *world = make_world(map, fr_executor_inline());
            uint32_t unit = spawn(world, 40.5, 14.5), prices[] = {cases[c].price * FR_STEP_STRAIGHT, 0};
            fr_position goals[] = {fr_position_at(20.5, 14.5), fr_position_at(80.5, 14.5)};
            assert_int_equal(fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_MOVE,
                                                                  .units = &unit,
                                                                  .unit_count = 1,
                                                                  .goals = goals,
                                                                  .goal_prices = prices,
                                                                  .goal_count = 2}),
                             FR_OK);
            run_until_settled(world, 500);
            if (distance_to(world, 0, cases[c].x, 14.5) > 0.8) {
                fail_msg("shift %d, price %u: not at %.1f", shift, cases[c].price, cases[c].x);
            }
            fr_world_destroy(world);
            fr_map_destroy(map);
        }
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_arrive_at_every_scale),
        cmocka_unit_test(test_one_hash_while_walls_come_and_go),
        cmocka_unit_test(test_save_and_load),
        cmocka_unit_test(test_no_field_cell_is_open),
        cmocka_unit_test(test_between_parted_field_cells),
        cmocka_unit_test(test_several_goals_beyond_a_narrow_way),
        cmocka_unit_test(test_parted_cells_are_saved),
        cmocka_unit_test(test_areas),
        cmocka_unit_test(test_route_from_a_niche),
        cmocka_unit_test(test_wide_units),
        cmocka_unit_test(test_narrow_gap),
        cmocka_unit_test(test_goal_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
