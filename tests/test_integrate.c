/* Integration and arrows: against the textbook, against an oracle that shares nothing with either, against
 * pictures, and against optimal lengths that others published. */
#include "field_maps.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "field/integrate.h"
#include "field/textbook.h"
#include "files/stdio_io.h"
#include "mapio/mapio.h"

/* A map with what both sides made of it, unpadded. */
typedef struct result {
    fr_grid grid;
    const uint8_t *costs;
    uint32_t *integration;
    uint8_t *directions;
    bool saturated;
} result;

static void fill_costs(fr_scratch *scratch, const uint8_t *costs)
{
    fr_grid grid = fr_scratch_grid(scratch);
    for (int32_t y = 0; y < grid.height; y++) {
        memcpy(fr_scratch_costs(scratch) + y * fr_scratch_stride(scratch), costs + y * grid.width,
               (size_t)grid.width);
    }
}

static result alloc_result(const fr_map *map)
{
    size_t count = (size_t)fr_grid_count(map->grid);
    return (result){.grid = map->grid,
                    .costs = map->costs[FR_CLASS_FOOT],
                    .integration = fr_alloc(count, sizeof(uint32_t)),
                    .directions = fr_alloc(count, 1)};
}

static void free_result(result *r)
{
    fr_free(r->integration);
    fr_free(r->directions);
}

static result integrate_with(fr_scratch *scratch, const fr_map *map, const fr_goal *goals, int goal_count)
{
    result r = alloc_result(map);
    fill_costs(scratch, r.costs);
    r.saturated = fr_integrate(scratch, goals, goal_count);
    fr_integrate_directions(scratch);
    for (int32_t y = 0; y < r.grid.height; y++) {
        int32_t from = y * fr_scratch_stride(scratch), to = y * r.grid.width;
        memcpy(r.integration + to, fr_scratch_integration(scratch) + from,
               (size_t)r.grid.width * sizeof(uint32_t));
        memcpy(r.directions + to, fr_scratch_directions(scratch) + from, (size_t)r.grid.width);
    }
    return r;
}

static result integrate(const fr_map *map, const fr_goal *goals, int goal_count)
{
    fr_scratch *scratch = fr_scratch_create(map->grid);
    result r = integrate_with(scratch, map, goals, goal_count);
    fr_scratch_destroy(scratch);
    return r;
}

static result textbook(const fr_map *map, const fr_goal *goals, int goal_count)
{
    result r = alloc_result(map);
    r.saturated = fr_textbook_field(map->grid, r.costs, goals, goal_count, r.integration, r.directions);
    return r;
}

static uint32_t value_at(const result *r, int32_t x, int32_t y)
{
    return r->integration[fr_grid_index(r->grid, (fr_cell){x, y})];
}

static bool is_open(const result *r, int32_t x, int32_t y)
{
    return fr_grid_contains(r->grid, (fr_cell){x, y}) &&
           r->costs[fr_grid_index(r->grid, (fr_cell){x, y})] != FR_COST_WALL;
}

/* The corner rule once more, in the words of the README: a diagonal needs both orthogonal neighbours. */
static bool may_step(const result *r, fr_cell from, int direction)
{
    int dx = FR_STEPS[direction].dx, dy = FR_STEPS[direction].dy;
    return is_open(r, from.x + dx, from.y + dy) && is_open(r, from.x + dx, from.y) &&
           is_open(r, from.x, from.y + dy);
}

/* Arrows as on a numeric keypad (6 = east, 9 = north east), G goal, # wall, . no way. */
static void assert_arrows(const result *r, const char *const *expected)
{
    static const char keypad[] = "63214789G.";
    bool equal = true;
    char found[64 * 65] = "";
    size_t at = 0;
    for (int32_t y = 0; y < r->grid.height; y++) {
        for (int32_t x = 0; x < r->grid.width; x++) {
            char c = is_open(r, x, y) ? keypad[r->directions[fr_grid_index(r->grid, (fr_cell){x, y})]] : '#';
            equal = equal && c == expected[y][x];
            found[at++] = c;
        }
        found[at++] = '\n';
    }
    if (!equal) {
        print_error("found\n%s", found);
        fail();
    }
}

static void test_arrows_of_small_maps(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const char *map[6], *arrows[6];
    } cases[] = {
        {"open ground: ties go to the straight step that the table names first",
         {".....", "..g..", "....."},
         {"63211", "66G44", "69874"}},
        {"round a wall, and not past its corners",
         {"...#.", ".#.#.", ".#g#.", ".#..."},
         {"662#2", "8#2#2", "8#G#2", "8#844"}},
        {"P1: walls that touch at a corner don't leak", {"s#", "#g", "##"}, {".#", "#G", "##"}},
        {"P1, mirrored", {"#s", "g#", "##"}, {"#.", "G#", "##"}},
        {"a dear cell is walked round, the cell being left pays",
         {".....", "..9..", "g...."},
         {"22141", "21411", "G4444"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        print_message("    %s\n", cases[i].name);
        fr_map *map = map_from_picture(cases[i].map);
        fr_goal goal = {picture_cell(cases[i].map, 'g'), 0};
        result r = integrate(map, &goal, 1), oracle = textbook(map, &goal, 1);
        assert_arrows(&oracle, cases[i].arrows);
        assert_arrows(&r, cases[i].arrows);
        free_result(&r);
        free_result(&oracle);
        fr_map_destroy(map);
    }
}

static void test_the_cell_being_left_pays(void **state)
{
    (void)state;
    const char *const rows[] = {"g25", "#73", NULL};
    fr_map *map = map_from_picture(rows);
    fr_goal goal = {picture_cell(rows, 'g'), 0};
    result r = integrate(map, &goal, 1);
    assert_int_equal(value_at(&r, 0, 0), 0);
    assert_int_equal(value_at(&r, 1, 0), 2 * 70);
    assert_int_equal(value_at(&r, 2, 0), 2 * 70 + 5 * 70);
    assert_int_equal(value_at(&r, 1, 1), 2 * 70 + 7 * 70);
    assert_int_equal(value_at(&r, 2, 1), 2 * 70 + 3 * 99);
    assert_int_equal(value_at(&r, 0, 1), FR_UNREACHED);
    free_result(&r);
    fr_map_destroy(map);
}

/* Relaxes every step of every cell, to and fro over the map, until nothing changes. */
static void bellman_ford(result *r, const fr_goal *goals, int goal_count)
{
    for (int32_t i = 0; i < fr_grid_count(r->grid); i++) {
        r->integration[i] = FR_UNREACHED;
    }
    for (int g = 0; g < goal_count; g++) {
        uint32_t *value = &r->integration[fr_grid_index(r->grid, goals[g].cell)];
        if (is_open(r, goals[g].cell.x, goals[g].cell.y) && goals[g].price < *value) {
            *value = goals[g].price;
        }
    }
    bool changed = true;
    for (int sweep = 0; changed; sweep++) {
        changed = false;
        for (int32_t n = 0; n < fr_grid_count(r->grid); n++) {
            int32_t i = sweep % 2 == 0 ? n : fr_grid_count(r->grid) - 1 - n;
            fr_cell cell = fr_grid_cell(r->grid, i);
            for (int d = 0; d < FR_DIR_COUNT && is_open(r, cell.x, cell.y); d++) {
                fr_cell next = {cell.x + FR_STEPS[d].dx, cell.y + FR_STEPS[d].dy};
                if (!may_step(r, cell, d) || value_at(r, next.x, next.y) == FR_UNREACHED) {
                    continue;
                }
                uint64_t price = (uint64_t)r->costs[i] * (d % 2 == 0 ? 70 : 99);
                uint64_t value = value_at(r, next.x, next.y) + price;
                if (value < r->integration[i] && value <= FR_INTEGRATION_MAX) {
                    r->integration[i] = (uint32_t)value;
                    changed = true;
                }
            }
        }
    }
}

/* Following the arrows from any reached cell must cost exactly what the integration says. */
static void assert_walks_cost_what_is_promised(const result *r)
{
    for (int32_t i = 0; i < fr_grid_count(r->grid); i++) {
        if (r->integration[i] == FR_UNREACHED) {
            assert_int_equal(r->directions[i], FR_DIR_NONE);
            continue;
        }
        if (r->directions[i] == FR_DIR_GOAL) {
            continue;
        }
        /* One step is enough: what is true of each step is true of the walk, and values fall, so it ends. */
        fr_cell cell = fr_grid_cell(r->grid, i);
        int d = r->directions[i];
        assert_in_range(d, 0, FR_DIR_COUNT - 1);
        assert_true(may_step(r, cell, d));
        uint32_t price = (uint32_t)r->costs[i] * (d % 2 == 0 ? 70 : 99);
        uint32_t next = value_at(r, cell.x + FR_STEPS[d].dx, cell.y + FR_STEPS[d].dy);
        assert_int_equal(next + price, r->integration[i]);
    }
}

static void assert_same(const result *a, const result *b, bool with_arrows)
{
    size_t count = (size_t)fr_grid_count(a->grid);
    assert_memory_equal(a->integration, b->integration, count * sizeof(uint32_t));
    if (with_arrows) {
        assert_memory_equal(a->directions, b->directions, count);
        assert_int_equal(a->saturated, b->saturated);
    }
}

/* Some goals in open ground, some wherever, some with an entry price, some twice. */
static int random_goals(fr_rng *rng, const fr_map *map, uint32_t dearest, fr_goal *goals)
{
    int count = 1 + (int)fr_rng_below(rng, 4);
    for (int g = 0; g < count; g++) {
        fr_cell any = fr_grid_cell(map->grid, (int32_t)fr_rng_below(rng, (uint32_t)fr_grid_count(map->grid)));
        goals[g].cell = fr_rng_below(rng, 4) == 0 ? any : random_open_cell(rng, map);
        goals[g].price = fr_rng_below(rng, 3) == 0 ? fr_rng_below(rng, dearest) : 0;
    }
    if (fr_rng_below(rng, 4) == 0) {
        goals[count - 1].cell = goals[0].cell;
    }
    return count;
}

static void test_random_maps_equal_both_oracles(void **state)
{
    (void)state;
    fr_rng rng = {20};
    int reached = 0;
    for (int i = 0; i < 200; i++) {
        fr_map *map = random_map(&rng, (field_map_kind)(i % MAP_KIND_COUNT));
        fr_goal goals[4];
        int goal_count = random_goals(&rng, map, 70000, goals);
        result ours = integrate(map, goals, goal_count), book = textbook(map, goals, goal_count);
        result oracle = alloc_result(map);
        bellman_ford(&oracle, goals, goal_count);
        assert_same(&oracle, &ours, false);
        assert_same(&book, &ours, true);
        assert_walks_cost_what_is_promised(&ours);
        for (int32_t c = 0; c < fr_grid_count(map->grid); c++) {
            reached += ours.integration[c] != FR_UNREACHED;
        }
        free_result(&ours);
        free_result(&book);
        free_result(&oracle);
        fr_map_destroy(map);
    }
    assert_true(reached > 30000); /* the maps were not all walls */
}

static void test_several_goals_are_the_least_of_single_ones(void **state)
{
    (void)state;
    fr_rng rng = {21};
    for (int i = 0; i < 20; i++) {
        fr_map *map = random_map(&rng, (field_map_kind)(i % MAP_KIND_COUNT));
        fr_goal goals[4];
        int goal_count = random_goals(&rng, map, 5000, goals);
        result together = integrate(map, goals, goal_count);
        result least = alloc_result(map);
        memset(least.integration, 0xff, (size_t)fr_grid_count(map->grid) * sizeof(uint32_t));
        for (int g = 0; g < goal_count; g++) {
            result single = integrate(map, &goals[g], 1);
            for (int32_t c = 0; c < fr_grid_count(map->grid); c++) {
                if (single.integration[c] < least.integration[c]) {
                    least.integration[c] = single.integration[c];
                }
            }
            free_result(&single);
        }
        assert_same(&least, &together, false);
        free_result(&together);
        free_result(&least);
        fr_map_destroy(map);
    }
}

static void test_goals_in_walls_and_no_goals_reach_nothing(void **state)
{
    (void)state;
    const char *const rows[] = {"....", ".#..", NULL};
    fr_map *map = map_from_picture(rows);
    fr_goal goal = {{1, 1}, 0};
    for (int goal_count = 0; goal_count <= 1; goal_count++) {
        result r = integrate(map, &goal, goal_count);
        for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
            assert_int_equal(r.integration[i], FR_UNREACHED);
            assert_int_equal(r.directions[i], FR_DIR_NONE);
        }
        assert_false(r.saturated);
        free_result(&r);
    }
    fr_map_destroy(map);
}

/* A corridor that winds down the map, its ways one cell wide. Returns its number of cells. */
static int32_t wind_corridor(fr_map *map, uint8_t cost)
{
    uint8_t *costs = map->costs[FR_CLASS_FOOT];
    int32_t cells = 0;
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        fr_cell cell = fr_grid_cell(map->grid, i);
        int32_t turn = cell.y % 4 == 1 ? map->grid.width - 1 : 0;
        bool open = cell.y % 2 == 0 || cell.x == turn;
        costs[i] = open ? cost : FR_COST_WALL;
        cells += open;
    }
    return cells;
}

static void test_long_ways_do_not_wrap(void **state)
{
    (void)state;
    /* P6: past 65,535 in steps of ten, and past 2^24, where a float would lose the last bits. */
    fr_map *map = open_map(257, 141);
    int32_t cells = wind_corridor(map, 21);
    fr_goal goal = {{0, 0}, 0};
    result r = integrate(map, &goal, 1);
    assert_int_equal(value_at(&r, 256, 140), (cells - 1) * 21 * 70);
    assert_true((cells - 1) * 21 * 70 > 1 << 24);
    assert_false(r.saturated);
    assert_walks_cost_what_is_promised(&r);
    free_result(&r);
    fr_map_destroy(map);
}

static void test_values_saturate_instead_of_wrapping(void **state)
{
    (void)state;
    fr_map *map = open_map(9, 1);
    memset(map->costs[FR_CLASS_FOOT], 254, 9);
    /* The goal leaves room for three steps, and for one unit less than a fourth. */
    uint32_t step = 254 * 70;
    fr_goal goal = {{0, 0}, FR_INTEGRATION_MAX - 4 * step + 1};
    result r = integrate(map, &goal, 1), book = textbook(map, &goal, 1);
    assert_int_equal(value_at(&r, 3, 0), FR_INTEGRATION_MAX - step + 1);
    assert_int_equal(value_at(&r, 4, 0), FR_UNREACHED);
    assert_true(r.saturated);
    assert_same(&book, &r, true);
    free_result(&r);
    free_result(&book);
    /* With room for all of them nothing is lost, up to the very limit. */
    goal.price = FR_INTEGRATION_MAX - 8 * step;
    r = integrate(map, &goal, 1);
    assert_int_equal(value_at(&r, 8, 0), FR_INTEGRATION_MAX);
    assert_false(r.saturated);
    free_result(&r);
    fr_map_destroy(map);
}

static void test_random_maps_at_the_limit_equal_the_textbook(void **state)
{
    (void)state;
    fr_rng rng = {22};
    int saturated = 0;
    for (int i = 0; i < 100; i++) {
        fr_map *map = random_map(&rng, (field_map_kind)(i % MAP_KIND_COUNT));
        fr_goal goal = {random_open_cell(&rng, map), FR_INTEGRATION_MAX - fr_rng_below(&rng, 200000)};
        result ours = integrate(map, &goal, 1), book = textbook(map, &goal, 1);
        assert_same(&book, &ours, true);
        assert_walks_cost_what_is_promised(&ours);
        saturated += ours.saturated;
        free_result(&ours);
        free_result(&book);
        fr_map_destroy(map);
    }
    assert_in_range(saturated, 10, 90);
}

static void test_scratch_is_reused_without_allocating(void **state)
{
    (void)state;
    fr_rng rng = {23};
    fr_map *map = open_map(70, 45);
    fr_scratch *scratch = fr_scratch_create(map->grid);
    for (int i = 0; i < 10; i++) {
        for (int32_t c = 0; c < fr_grid_count(map->grid); c++) {
            bool wall = fr_rng_below(&rng, 10) < 3;
            map->costs[FR_CLASS_FOOT][c] = wall ? FR_COST_WALL : (uint8_t)(1 + fr_rng_below(&rng, 254));
        }
        fr_goal goals[4];
        int goal_count = random_goals(&rng, map, 1000, goals);
        fill_costs(scratch, map->costs[FR_CLASS_FOOT]);
        uint64_t before = fr_alloc_count();
        fr_integrate(scratch, goals, goal_count);
        fr_integrate_directions(scratch);
        assert_int_equal(fr_alloc_count(), before);
        result again = integrate_with(scratch, map, goals, goal_count);
        result book = textbook(map, goals, goal_count);
        assert_same(&book, &again, true);
        free_result(&again);
        free_result(&book);
    }
    fr_scratch_destroy(scratch);
    fr_map_destroy(map);
}

/* Two lines of each benchmark scenario; freshet-field --scen does them all. */
static void test_published_lengths_are_met(void **state)
{
    (void)state;
    const char *cases = getenv("FRESHET_CASES");
    cases = cases != NULL ? cases : "../shared/cases";
    static const char *const names[] = {"den312d", "maze512-1-0", "Paris_1_256", "brc000d"};
    fr_io io = fr_stdio_io("test_integrate");
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        char path[512];
        fr_error error = {0};
        fr_scen_line *lines;
        int32_t count;
        snprintf(path, sizeof path, "%s/movingai/%s.map", cases, names[n]);
        fr_buffer probe = {0};
        if (n == 0 && io.read(io.self, path, &probe, &error) != FR_OK) {
            print_message("    no benchmark maps under %s (FRESHET_CASES)\n", cases);
            skip();
        }
        fr_buffer_fini(&probe);
        fr_map *map = fr_map_load(&io, path, &error);
        assert_non_null(map);
        snprintf(path, sizeof path, "%s/movingai/%s.scen", cases, names[n]);
        assert_int_equal(fr_scen_load(&io, path, &lines, &count, &error), FR_OK);
        for (int32_t i = 0; i < count; i += count / 2 + 1) {
            fr_goal goal = {lines[i].goal, 0};
            result r = integrate(map, &goal, 1);
            uint32_t value = value_at(&r, lines[i].start.x, lines[i].start.y);
            bool no_path = lines[i].length == 0.0 && value != 0;
            double length = value / 70.0, tolerance = lines[i].tolerance + 6e-5 * lines[i].length;
            assert_true(no_path
                            ? value == FR_UNREACHED
                            : length > lines[i].length - tolerance && length < lines[i].length + tolerance);
            free_result(&r);
        }
        fr_free(lines);
        fr_map_destroy(map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrows_of_small_maps),
        cmocka_unit_test(test_the_cell_being_left_pays),
        cmocka_unit_test(test_random_maps_equal_both_oracles),
        cmocka_unit_test(test_several_goals_are_the_least_of_single_ones),
        cmocka_unit_test(test_goals_in_walls_and_no_goals_reach_nothing),
        cmocka_unit_test(test_long_ways_do_not_wrap),
        cmocka_unit_test(test_values_saturate_instead_of_wrapping),
        cmocka_unit_test(test_random_maps_at_the_limit_equal_the_textbook),
        cmocka_unit_test(test_scratch_is_reused_without_allocating),
        cmocka_unit_test(test_published_lengths_are_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
