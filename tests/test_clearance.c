/* Clearance: wide discs are led through gaps that they pass, and through no others. */
#include "world_scene.h"

#include "base/rng.h"
#include "field/regions.h"
#include "grid/clearance.h"

static void test_classes_of_width(void **state)
{
    (void)state;
    static const struct {
        float radius;
        int clearance;
    } table[] = {{0.1f, 0}, {0.4f, 0}, {0.49f, 0}, {0.5f, 1}, {0.9f, 1},
                 {1.0f, 2}, {1.4f, 2}, {1.5f, 3},  {1.9f, 3}, {2.0f, 4}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_int_equal(fr_clearance_of(table[i].radius), table[i].clearance);
    }
}

/* Which cells a clearance keeps: `o` of what is open. */
static void expect_fit(const char *const *rows, int clearance, const char *const *expected)
{
    fr_map *map = map_from_picture(rows);
    fr_cost *cost = fr_cost_create(map);
    fr_cost_view fit = fr_cost_view_open(cost, (fr_cost_view_def){.clearance = (uint8_t)clearance});
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        fr_cell cell = fr_grid_cell(map->grid, i);
        bool fits = fr_cost_walkable(cost, fit, cell);
        if (fits != (expected[cell.y][cell.x] == 'o')) {
            fail_msg("clearance %d: cell %d,%d %s", clearance, cell.x, cell.y,
                     fits ? "fits" : "does not fit");
        }
        assert_int_equal(fr_cost_at(cost, fit, cell),
                         fits ? fr_cost_at(cost, FR_CLASS_FOOT, cell) : FR_COST_WALL);
    }
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

static void test_gaps(void **state)
{
    (void)state;
    static const char *const rows[] = {
        ".......#......", ".......#......", "..............", ".......#......",
        "..............", "..............", ".......#......", NULL,
    };
    static const char *const two[] = {
        "ooooooo#oooooo", "ooooooo#oooooo", "ooooooo.oooooo", "ooooooo#oooooo",
        "oooooooooooooo", "oooooooooooooo", "ooooooo#oooooo", NULL,
    };
    static const char *const three[] = {
        "              ", " ooooo   oooo ", " ooooo   oooo ", " ooooo   oooo ",
        " ooooo   oooo ", " ooooo   oooo ", "              ", NULL,
    };
    expect_fit(rows, 0,
               (const char *const[]){"ooooooo#oooooo", "ooooooo#oooooo", "oooooooooooooo", "ooooooo#oooooo",
                                     "oooooooooooooo", "oooooooooooooo", "ooooooo#oooooo", NULL});
    expect_fit(rows, 1, two);
    expect_fit(rows, 2, three);
}

/* Two corridors of two that overlap by one cell only: a square of two can't change over. */
static void test_staggered_corridors_are_apart(void **state)
{
    (void)state;
    static const char *const rows[] = {"######", "...###", "......", "###...", "######", NULL};
    fr_map *map = map_from_picture(rows);
    fr_cost *cost = fr_cost_create(map);
    fr_cost_view fit = fr_cost_view_open(cost, (fr_cost_view_def){.clearance = 1});
    fr_regions *regions = fr_regions_create(cost, fit);
    assert_int_not_equal(fr_regions_at(regions, (fr_cell){0, 1}), FR_REGION_NONE);
    assert_int_not_equal(fr_regions_at(regions, (fr_cell){5, 3}), FR_REGION_NONE);
    assert_int_not_equal(fr_regions_at(regions, (fr_cell){0, 1}), fr_regions_at(regions, (fr_cell){5, 3}));
    fr_regions_destroy(regions);
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

static fr_map *scattered_map(fr_rng *rng, int32_t width, int32_t height)
{
    fr_map *map = open_map(width, height);
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        map->costs[FR_CLASS_FOOT][i] = fr_rng_below(rng, 9) == 0 ? FR_COST_WALL : 1;
    }
    return map;
}

static bool square_is_free(const fr_cost *cost, int32_t x, int32_t y, int32_t width)
{
    for (int32_t i = 0; i < width * width; i++) {
        if (!fr_cost_walkable(cost, FR_CLASS_FOOT, (fr_cell){x + i % width, y + i / width})) {
            return false;
        }
    }
    return true;
}

enum { SIDE_MAX = 48 };

/* Labels squares by their top left cells: those of one label can slide to one another. */
static void slide(const fr_cost *cost, fr_grid grid, int32_t width, int32_t label[SIDE_MAX][SIDE_MAX])
{
    int32_t next = 0;
    for (int32_t i = 0; i < fr_grid_count(grid); i++) {
        fr_cell cell = fr_grid_cell(grid, i);
        label[cell.y][cell.x] = square_is_free(cost, cell.x, cell.y, width) ? ++next : 0;
    }
    for (bool again = true; again;) {
        again = false;
        for (int32_t i = 0; i < fr_grid_count(grid); i++) {
            fr_cell a = fr_grid_cell(grid, i);
            for (int d = 0; d < 4; d += 2) {
                fr_cell b = {a.x + FR_STEPS[d].dx, a.y + FR_STEPS[d].dy};
                if (!fr_grid_contains(grid, b)) {
                    continue;
                }
                int32_t *la = &label[a.y][a.x], *lb = &label[b.y][b.x];
                if (*la != 0 && *lb != 0 && *la != *lb) {
                    *la = *lb = *la < *lb ? *la : *lb;
                    again = true;
                }
            }
        }
    }
}

/* Against squares slid about one cell at a time: cells that count as connected truly are. */
static void test_connected_cells_are_connected(void **state)
{
    (void)state;
    fr_rng rng = {11};
    static int32_t label[SIDE_MAX][SIDE_MAX];
    int32_t compared = 0;
    for (int round = 0; round < 24; round++) {
        fr_map *map = scattered_map(&rng, 33, 21);
        fr_cost *cost = fr_cost_create(map);
        int clearance = 1 + round % 4, width = clearance + 1;
        fr_cost_view fit = fr_cost_view_open(cost, (fr_cost_view_def){.clearance = (uint8_t)clearance});
        fr_regions *regions = fr_regions_create(cost, fit);
        slide(cost, map->grid, width, label);
        int32_t label_of_region[33 * 21] = {0};
        for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
            fr_cell cell = fr_grid_cell(map->grid, i);
            uint32_t region = fr_regions_at(regions, cell);
            if (region == FR_REGION_NONE) {
                continue;
            }
            /* Squares that hold the cell in their middle: one of odd width, up to four of even width. */
            int32_t seen = 0;
            for (int k = 0; k < (width % 2 == 0 ? 4 : 1); k++) {
                int32_t x = cell.x - width / 2 + k % 2, y = cell.y - width / 2 + k / 2;
                int32_t own = x >= 0 && y >= 0 ? label[y][x] : 0;
                assert_true(own == 0 || seen == 0 || own == seen);
                seen = own != 0 ? own : seen;
            }
            assert_int_not_equal(seen, 0);
            assert_true(region < 33 * 21);
            if (label_of_region[region] != 0 && label_of_region[region] != seen) {
                fail_msg("width %d: no way for a square at %d,%d to the rest of its region", width, cell.x,
                         cell.y);
            }
            label_of_region[region] = seen;
            compared++;
        }
        fr_regions_destroy(regions);
        fr_cost_destroy(cost);
        fr_map_destroy(map);
    }
    assert_true(compared > 500);
}

/* Edits keep open views up to date, and the rectangle of changes holds them all. */
static void test_edits_reach_wider_discs(void **state)
{
    (void)state;
    fr_rng rng = {5};
    fr_map *map = scattered_map(&rng, 75, 41);
    fr_cost *cost = fr_cost_create(map);
    static uint8_t before[FR_CLEARANCE_COUNT][75 * 41];
    fr_cost_view fits[FR_CLEARANCE_COUNT];
    fr_rect whole = {0, 0, 75, 41};
    for (int k = 0; k < FR_CLEARANCE_COUNT; k++) {
        fits[k] = fr_cost_view_open(
            cost, (fr_cost_view_def){.movement_class = FR_CLASS_WHEELS, .clearance = (uint8_t)k});
        fr_cost_copy(cost, fits[k], whole, before[k]);
    }
    const fr_cost_snapshot *held = fr_cost_acquire(cost);
    static uint8_t seen[75 * 41], copy[75 * 41];
    fr_cost_snapshot_copy(held, fits[1], seen, 75);
    fr_cost_take_changed(cost);
    for (int round = 0; round < 60; round++) {
        fr_rect rect = {(int32_t)fr_rng_below(&rng, 80) - 3, (int32_t)fr_rng_below(&rng, 45) - 3,
                        1 + (int32_t)fr_rng_below(&rng, 6), 1 + (int32_t)fr_rng_below(&rng, 6)};
        fr_cost_set_edit(cost, rect, (uint8_t)(round % 3 == 0 ? 255 : round % 3 == 1 ? 0 : 1));
        fr_rect changed = fr_cost_take_changed(cost);
        for (int k = 0; k < FR_CLEARANCE_COUNT; k++) {
            int side = fr_clearance_window(k);
            fr_cost_copy(cost, fits[k], whole, copy);
            for (int32_t i = 0; i < 75 * 41; i++) {
                fr_cell cell = fr_grid_cell(map->grid, i);
                fr_cell corner = {cell.x - side / 2, cell.y - side / 2};
                bool fits_in = fr_clearance_fits(fr_cost_wall_window(cost, FR_CLASS_WHEELS, corner, side), k);
                bool open = fits_in && fr_cost_walkable(cost, FR_CLASS_WHEELS, cell);
                assert_int_equal(fr_cost_walkable(cost, fits[k], cell), open);
                assert_int_equal(copy[i], open ? fr_cost_at(cost, FR_CLASS_WHEELS, cell) : FR_COST_WALL);
                bool inside = cell.x >= changed.x && cell.y >= changed.y &&
                              cell.x < changed.x + changed.width && cell.y < changed.y + changed.height;
                assert_true(copy[i] == before[k][i] || inside);
            }
            memcpy(before[k], copy, sizeof copy);
        }
    }
    fr_cost_snapshot_copy(held, fits[1], copy, 75);
    assert_memory_equal(copy, seen, sizeof copy);
    fr_cost_release(cost, held);
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

/* ---- units ---- */

static uint32_t spawn_wide(fr_world *world, double x, double y, float radius, fr_class movement_class)
{
    fr_unit_def unit = {
        .position = fr_position_at(x, y), .radius = radius, .speed = 4.0f, .movement_class = movement_class};
    return fr_world_spawn(world, &unit);
}

static void move(fr_world *world, const uint32_t *units, int32_t count, double x, double y)
{
    fr_position goal = fr_position_at(x, y);
    fr_command command = {
        .kind = FR_COMMAND_MOVE, .units = units, .unit_count = count, .goals = &goal, .goal_count = 1};
    assert_int_equal(fr_world_submit(world, &command), FR_OK);
}

/* A wall across the map at x = 20 with gaps from `top` on, each of so many rows. */
static fr_map *gap_map(const int (*gaps)[2], int gap_count)
{
    fr_map *map = open_map(40, 30);
    for (int y = 0; y < 30; y++) {
        bool open = false;
        for (int g = 0; g < gap_count; g++) {
            open |= y >= gaps[g][0] && y < gaps[g][0] + gaps[g][1];
        }
        map->costs[FR_CLASS_FOOT][fr_grid_index(map->grid, (fr_cell){20, y})] = open ? 1 : FR_COST_WALL;
    }
    fr_map_share_costs(map);
    return map;
}

/* Runs until all have settled; nobody may have its centre in the rows `top`.. of the wall's column. */
static int32_t run_past_gap(fr_world *world, int32_t limit, int top, int rows)
{
    int32_t t = 0;
    for (bool moving = true; moving && t < limit; t++) {
        fr_world_tick(world);
        const fr_snapshot *now = fr_world_snapshot(world);
        moving = false;
        for (int32_t i = 0; i < now->unit_count; i++) {
            fr_cell cell = fr_cell_at(now->position[i]);
            moving |= now->state[i] == FR_UNIT_MOVING;
            if (cell.x == 20 && cell.y >= top && cell.y < top + rows) {
                fail_msg("tick %u: unit %d is in the gap at %d,%d", now->tick, i, cell.x, cell.y);
            }
        }
    }
    return t;
}

static void test_wheels_take_the_gap_that_they_pass(void **state)
{
    (void)state;
    static const struct {
        float radius;
        int wide; /* rows of the farther gap */
    } table[] = {{0.9f, 2}, {1.4f, 3}, {1.9f, 4}, {2.0f, 5}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const int gaps[2][2] = {{7, table[i].wide - 1}, {22, table[i].wide}};
        fr_map *map = gap_map(gaps, 2);
        fr_world *world = make_world(map, fr_executor_inline());
        uint32_t units[3];
        for (int u = 0; u < 3; u++) {
            units[u] = spawn_wide(world, 4.0, 3.0 + 5.0 * u, table[i].radius, FR_CLASS_WHEELS);
        }
        move(world, units, 3, 34.5, 8.5);
        int32_t ticks = run_past_gap(world, 1200, 7, table[i].wide - 1);
        const fr_snapshot *now = fr_world_snapshot(world);
        for (int u = 0; u < 3; u++) {
            if (now->state[u] != FR_UNIT_ARRIVED || now->position[u].x < 25 * FR_POSITION_ONE) {
                fail_msg("radius %g: unit %d is at %.2f,%.2f after %d ticks", (double)table[i].radius, u,
                         fr_cells(now->position[u].x), fr_cells(now->position[u].y), ticks);
            }
        }
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
}

static void test_wheels_stop_before_a_gap_of_one(void **state)
{
    (void)state;
    const int gaps[1][2] = {{14, 1}};
    fr_map *map = gap_map(gaps, 1);
    fr_world *world = make_world(map, fr_executor_inline());
    uint32_t wheels = spawn_wide(world, 4.0, 8.0, 0.9f, FR_CLASS_WHEELS);
    uint32_t foot = spawn_wide(world, 4.0, 4.0, 0.4f, FR_CLASS_FOOT);
    move(world, &wheels, 1, 34.5, 14.5);
    assert_true(run_past_gap(world, 900, 14, 1) < 900);
    const fr_snapshot *now = fr_world_snapshot(world);
    assert_true(now->position[wheels].x < 20 * FR_POSITION_ONE);
    assert_true(now->position[wheels].x > 16 * FR_POSITION_ONE);
    move(world, &foot, 1, 34.5, 20.5);
    for (int t = 0; t < 900; t++) {
        fr_world_tick(world);
    }
    now = fr_world_snapshot(world);
    assert_true(now->position[foot].x > 30 * FR_POSITION_ONE);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* A goal beside a wall, and a start beside a corner: too tight by the rule, and no trouble. */
static void test_tight_starts_and_goals(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "....................",
        "....................",
        "....................",
        ".....#..............",
        "....................",
        "....................",
        "....................",
        "..............##....",
        "..............##....",
        "....................",
        "....................",
        "....................",
        NULL,
    };
    fr_map *map = map_from_picture(rows);
    fr_map_share_costs(map);
    fr_world *world = make_world(map, fr_executor_inline());
    /* The disc stands clear of the pillar's corner, in a cell diagonal to it. */
    uint32_t unit = spawn_wide(world, 4.05, 4.95, 1.3f, FR_CLASS_WHEELS);
    move(world, &unit, 1, 13.5, 7.5);
    for (int t = 0; t < 600; t++) {
        fr_world_tick(world);
    }
    const fr_snapshot *now = fr_world_snapshot(world);
    assert_int_equal(now->state[unit], FR_UNIT_ARRIVED);
    double dx = fr_cells(now->position[unit].x) - 13.5, dy = fr_cells(now->position[unit].y) - 7.5;
    assert_true(dx * dx + dy * dy < 2.6 * 2.6);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* Walls that narrow the gap while units are on their way send them round, in a saved world too. */
static void test_a_gap_that_narrows(void **state)
{
    (void)state;
    const int gaps[2][2] = {{7, 2}, {22, 2}};
    fr_map *map = gap_map(gaps, 2);
    fr_world *world = make_world(map, fr_executor_inline());
    uint32_t unit = spawn_wide(world, 4.0, 8.0, 0.9f, FR_CLASS_WHEELS);
    move(world, &unit, 1, 34.5, 8.5);
    for (int t = 0; t < 60; t++) {
        fr_world_tick(world);
    }
    edit(world, (fr_rect){20, 8, 1, 1}, FR_COST_WALL);
    fr_world_tick(world);
    fr_world *twin = saved_twin(world, map);
    assert_true(run_past_gap(world, 1200, 7, 2) < 1200);
    assert_true(fr_world_snapshot(world)->position[unit].x > 30 * FR_POSITION_ONE);
    while (fr_world_snapshot(twin)->tick < fr_world_snapshot(world)->tick) {
        fr_world_tick(twin);
    }
    assert_true(fr_world_hash(twin) == fr_world_hash(world));
    fr_world_destroy(twin);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* One order for wide and narrow: each kind has fields of its own, and all stand in one pack. */
static void test_wide_and_narrow_share_a_pack(void **state)
{
    (void)state;
    fr_map *map = open_map(50, 30);
    fr_map_share_costs(map);
    fr_world *world = make_world(map, fr_executor_inline());
    uint32_t units[48];
    int count = 0;
    for (int i = 0; i < 36; i++) {
        units[count++] = spawn_wide(world, 3.5 + i / 6, 4.5 + i % 6, 0.4f, FR_CLASS_FOOT);
    }
    for (int i = 0; i < 12; i++) {
        units[count++] = spawn_wide(world, 4.0 + 2.0 * (i / 4), 14.0 + 2.0 * (i % 4), 0.9f, FR_CLASS_FOOT);
    }
    move(world, units, count, 36.5, 14.5);
    int t = 0;
    bool moving = true;
    for (; moving && t < 900; t++) {
        fr_world_tick(world);
        moving = false;
        for (int i = 0; i < count; i++) {
            moving |= fr_world_snapshot(world)->state[i] == FR_UNIT_MOVING;
        }
    }
    assert_false(moving);
    const fr_snapshot *now = fr_world_snapshot(world);
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            double dx = fr_cells(now->position[i].x - now->position[j].x);
            double dy = fr_cells(now->position[i].y - now->position[j].y);
            double reach = (double)(now->radius[i] + now->radius[j]);
            assert_true(dx * dx + dy * dy > 0.9 * reach * reach);
        }
    }
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* Fliers go straight over walls and those who hold, and meet fliers alone. */
static void test_fliers_have_the_air_to_themselves(void **state)
{
    (void)state;
    fr_map *map = gap_map(NULL, 0);
    fr_world *world = make_world(map, fr_executor_inline());
    uint32_t holders[5], fliers[2];
    for (int i = 0; i < 5; i++) {
        holders[i] = spawn_wide(world, 10.5, 12.5 + i, 0.49f, FR_CLASS_FOOT);
    }
    fliers[0] = spawn_wide(world, 5.5, 14.5, 0.4f, FR_CLASS_AIR);
    fliers[1] = spawn_wide(world, 35.5, 14.5, 0.4f, FR_CLASS_AIR);
    assert_int_equal(
        fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_HOLD, .units = holders, .unit_count = 5}),
        FR_OK);
    move(world, &fliers[0], 1, 35.5, 14.5);
    move(world, &fliers[1], 1, 5.5, 14.5);
    double nearest = 100.0;
    int t = 0;
    for (; t < 300; t++) {
        fr_world_tick(world);
        const fr_snapshot *now = fr_world_snapshot(world);
        double dx = fr_cells(now->position[fliers[0]].x - now->position[fliers[1]].x);
        double dy = fr_cells(now->position[fliers[0]].y - now->position[fliers[1]].y);
        double apart = sqrt(dx * dx + dy * dy);
        nearest = apart < nearest ? apart : nearest;
        assert_int_equal(now->position[holders[2]].x, fr_position_at(10.5, 14.5).x);
        if (now->state[fliers[0]] == FR_UNIT_ARRIVED && now->state[fliers[1]] == FR_UNIT_ARRIVED) {
            break;
        }
    }
    assert_true(t < 270); /* 30 cells at 4 a second take 225 ticks */
    assert_true(nearest > 0.7);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes_of_width),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_staggered_corridors_are_apart),
        cmocka_unit_test(test_connected_cells_are_connected),
        cmocka_unit_test(test_edits_reach_wider_discs),
        cmocka_unit_test(test_wheels_take_the_gap_that_they_pass),
        cmocka_unit_test(test_wheels_stop_before_a_gap_of_one),
        cmocka_unit_test(test_tight_starts_and_goals),
        cmocka_unit_test(test_a_gap_that_narrows),
        cmocka_unit_test(test_fliers_have_the_air_to_themselves),
        cmocka_unit_test(test_wide_and_narrow_share_a_pack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
