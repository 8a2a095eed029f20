/* Grid, costs, regions and lines of sight: the rules on which everything above stands. */
#include "support.h"

#include <math.h>

#include "base/memory.h"
#include "base/rng.h"
#include "field/line_of_sight.h"
#include "field/regions.h"
#include "grid/cost.h"

static void test_world_to_cell_is_floor(void **state)
{
    (void)state;
    static const struct {
        double x;
        int32_t cell;
    } table[] = {{0.0, 0}, {0.99999, 0}, {1.0, 1}, {-0.01, -1}, {-1.0, -1}, {-1.00002, -2}, {300.5, 300}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_int_equal(fr_cell_at(fr_position_at(table[i].x, 0.0)).x, table[i].cell);
    }
}

static void test_directions_oppose_and_price(void **state)
{
    (void)state;
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        const fr_step *step = &FR_STEPS[d], *back = &FR_STEPS[d ^ 4];
        assert_int_equal(step->dx, -back->dx);
        assert_int_equal(step->dy, -back->dy);
        assert_int_equal(step->price, step->dx != 0 && step->dy != 0 ? FR_STEP_DIAGONAL : FR_STEP_STRAIGHT);
    }
}

static void test_a_warning_is_one_line(void **state)
{
    (void)state;
    fr_map *map = open_map(3, 2);
    fr_map_warn(map, "layer \"%s\": %d tiles", "a\nb\x7f\tc\x1b", 4);
    assert_int_equal(map->warning_count, 1);
    assert_string_equal(map->warnings[0], "layer \"a?b??c?\": 4 tiles");
    fr_map_destroy(map);
}

static void test_corner_rule(void **state)
{
    (void)state;
    static const char *const rows[] = {"a#.", "#..", "...", NULL};
    fr_map *map = map_from_picture(rows);
    fr_cost *cost = fr_cost_create(map);
    assert_false(fr_cost_step_allowed(cost, FR_CLASS_FOOT, (fr_cell){0, 0}, FR_DIR_SE));
    assert_false(fr_cost_step_allowed(cost, FR_CLASS_FOOT, (fr_cell){2, 0}, FR_DIR_W));
    assert_true(fr_cost_step_allowed(cost, FR_CLASS_FOOT, (fr_cell){1, 1}, FR_DIR_SE));
    assert_false(fr_cost_step_allowed(cost, FR_CLASS_FOOT, (fr_cell){1, 1}, FR_DIR_NE));
    assert_false(fr_cost_step_allowed(cost, FR_CLASS_FOOT, (fr_cell){2, 2}, FR_DIR_E));
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

/* Random edits against plain arrays, with snapshots that must keep what they saw. */
static void test_costs_follow_edits(void **state)
{
    (void)state;
    fr_map *map = open_map(75, 41);
    fr_rng rng = {7};
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        map->costs[FR_CLASS_FOOT][i] = (uint8_t)(1 + fr_rng_below(&rng, 9));
    }
    fr_cost *cost = fr_cost_create(map);
    uint8_t edits[75 * 41] = {0}, seen[75 * 41], copy[75 * 41];
    const fr_cost_snapshot *held = NULL;
    for (int round = 0; round < 300; round++) {
        fr_rect rect = {(int32_t)fr_rng_below(&rng, 90) - 8, (int32_t)fr_rng_below(&rng, 55) - 8,
                        (int32_t)fr_rng_below(&rng, 40), (int32_t)fr_rng_below(&rng, 20)};
        uint8_t value = (uint8_t)(round % 3 == 0 ? 0 : round % 3 == 1 ? 255 : 1 + fr_rng_below(&rng, 254));
        fr_cost_set_edit(cost, rect, value);
        for (int32_t i = 0; i < 75 * 41; i++) {
            fr_cell cell = fr_grid_cell(map->grid, i);
            if (cell.x >= rect.x && cell.y >= rect.y && cell.x < rect.x + rect.width &&
                cell.y < rect.y + rect.height) {
                edits[i] = value;
            }
            uint8_t expected = edits[i] != 0 ? edits[i] : map->costs[FR_CLASS_FOOT][i];
            assert_int_equal(fr_cost_at(cost, FR_CLASS_WHEELS, cell), expected);
            assert_int_equal(fr_cost_walkable(cost, FR_CLASS_FOOT, cell), expected != FR_COST_WALL);
            assert_int_equal(fr_cost_at(cost, FR_CLASS_AIR, cell), 1);
        }
        fr_rect part = fr_grid_clip(map->grid, rect);
        fr_cost_copy(cost, FR_CLASS_HOVER, part, copy);
        for (int32_t i = 0; i < part.width * part.height; i++) {
            fr_cell cell = {part.x + i % part.width, part.y + i / part.width};
            assert_int_equal(copy[i], fr_cost_at(cost, FR_CLASS_HOVER, cell));
        }
        if (held != NULL) {
            fr_cost_snapshot_copy(held, FR_CLASS_FOOT, copy, 75);
            assert_memory_equal(copy, seen, sizeof copy);
        }
        if (round % 7 == 0) {
            if (held != NULL) {
                fr_cost_release(cost, held);
            }
            held = fr_cost_acquire(cost);
            fr_cost_snapshot_copy(held, FR_CLASS_FOOT, seen, 75);
        }
    }
    fr_cost_release(cost, held);
    assert_int_equal(fr_cost_canonical_class(cost, FR_CLASS_HOVER), FR_CLASS_FOOT);
    assert_int_equal(fr_cost_canonical_class(cost, FR_CLASS_AIR), FR_CLASS_AIR);
    fr_buffer saved = {0};
    fr_cost_save(cost, &saved);
    fr_cost *twin = fr_cost_create(map);
    fr_reader reader = {saved.data, saved.size, 0};
    assert_true(fr_cost_load(twin, &reader));
    assert_true(fr_cost_hash(twin) == fr_cost_hash(cost));
    for (int32_t i = 0; i < 75 * 41; i++) {
        fr_cell cell = fr_grid_cell(map->grid, i);
        assert_int_equal(fr_cost_at(twin, FR_CLASS_FOOT, cell), fr_cost_at(cost, FR_CLASS_FOOT, cell));
    }
    fr_buffer_fini(&saved);
    fr_cost_destroy(twin);
    fr_cost_set_edit(cost, (fr_rect){0, 0, 75, 41}, 0);
    assert_true(fr_cost_hash(cost) == 0); /* all edits gone: the hash of an untouched grid */
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

static void test_painted_ground(void **state)
{
    (void)state;
    fr_map *map = open_map(40, 10);
    fr_cost *cost = fr_cost_create(map);
    fr_rect changed = fr_cost_set_terrain(cost, (fr_rect){30, 2, 5, 3}, FR_TERRAIN_FOREST, 6);
    assert_int_equal(changed.x, 30);
    assert_int_equal(changed.width, 5);
    assert_int_equal(changed.height, 3);
    assert_int_equal(fr_cost_terrain(cost, (fr_cell){34, 4}), FR_TERRAIN_FOREST);
    assert_int_equal(fr_cost_terrain(cost, (fr_cell){35, 4}), FR_TERRAIN_GRASS);
    fr_cost_set_edit(cost, (fr_rect){30, 2, 1, 1}, 255);
    assert_int_equal(fr_cost_at(cost, FR_CLASS_FOOT, (fr_cell){30, 2}), 255);
    fr_cost_set_edit(cost, (fr_rect){30, 2, 1, 1}, 0);
    assert_int_equal(fr_cost_at(cost, FR_CLASS_FOOT, (fr_cell){30, 2}), 6);
    uint32_t version = fr_cost_version(cost);
    fr_cost_set_edit(cost, (fr_rect){0, 0, 4, 4}, 1); /* costs what it cost: no new version */
    assert_int_equal(fr_cost_version(cost), version);
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

static void test_wall_window_matches_cells(void **state)
{
    (void)state;
    fr_map *map = open_map(70, 9);
    fr_rng rng = {3};
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        map->costs[FR_CLASS_FOOT][i] = fr_rng_below(&rng, 3) == 0 ? FR_COST_WALL : 1;
    }
    fr_cost *cost = fr_cost_create(map);
    for (int32_t y = -9; y < 20; y++) {
        for (int32_t x = -9; x < 80; x++) {
            for (int side = 1; side <= 8; side += 2) {
                uint64_t window = fr_cost_wall_window(cost, FR_CLASS_FOOT, (fr_cell){x, y}, side);
                assert_int_equal(fr_cost_window_is_open(cost, FR_CLASS_FOOT, (fr_cell){x, y}, side),
                                 window == 0);
                for (int bit = 0; bit < side * side; bit++) {
                    fr_cell cell = {x + bit % side, y + bit / side};
                    assert_int_equal(window >> bit & 1, !fr_cost_walkable(cost, FR_CLASS_FOOT, cell));
                }
            }
        }
    }
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

/* Oracle: flood fill of the whole map. */
static void flood(const fr_cost *cost, fr_grid grid, int32_t *label)
{
    int32_t *stack = fr_alloc((size_t)fr_grid_count(grid), sizeof *stack);
    memset(label, 0xff, (size_t)fr_grid_count(grid) * sizeof *label);
    for (int32_t i = 0; i < fr_grid_count(grid); i++) {
        if (label[i] >= 0 || !fr_cost_walkable(cost, FR_CLASS_FOOT, fr_grid_cell(grid, i))) {
            continue;
        }
        int32_t top = 0;
        stack[top++] = i;
        label[i] = i;
        while (top > 0) {
            fr_cell at = fr_grid_cell(grid, stack[--top]);
            for (int d = 0; d < FR_DIR_COUNT; d += 2) {
                fr_cell next = {at.x + FR_STEPS[d].dx, at.y + FR_STEPS[d].dy};
                if (fr_cost_walkable(cost, FR_CLASS_FOOT, next) && label[fr_grid_index(grid, next)] < 0) {
                    label[fr_grid_index(grid, next)] = i;
                    stack[top++] = fr_grid_index(grid, next);
                }
            }
        }
    }
    fr_free(stack);
}

static void test_regions_match_flood_fill_under_edits(void **state)
{
    (void)state;
    fr_map *map = open_map(83, 71);
    fr_rng rng = {11};
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        map->costs[FR_CLASS_FOOT][i] = fr_rng_below(&rng, 100) < 42 ? FR_COST_WALL : 1;
    }
    fr_cost *cost = fr_cost_create(map);
    fr_regions *regions = fr_regions_create(cost, FR_CLASS_FOOT);
    static int32_t label[83 * 71];
    static uint32_t region_of[83 * 71];
    for (int round = 0; round < 60; round++) {
        flood(cost, map->grid, label);
        memset(region_of, 0xff, sizeof region_of);
        for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
            uint32_t region = fr_regions_at(regions, fr_grid_cell(map->grid, i));
            assert_int_equal(region == FR_REGION_NONE, label[i] < 0);
            if (label[i] < 0) {
                continue;
            }
            if (region_of[label[i]] == UINT32_MAX) {
                region_of[label[i]] = region;
            }
            assert_int_equal(region_of[label[i]], region);
        }
        /* And different areas have different regions. */
        for (int pair = 0; pair < 500; pair++) {
            int32_t a = (int32_t)fr_rng_below(&rng, 83 * 71), b = (int32_t)fr_rng_below(&rng, 83 * 71);
            if (label[a] >= 0 && label[b] >= 0) {
                assert_int_equal(label[a] == label[b], region_of[label[a]] == region_of[label[b]]);
            }
        }
        fr_rect rect = {(int32_t)fr_rng_below(&rng, 83), (int32_t)fr_rng_below(&rng, 71),
                        (int32_t)fr_rng_below(&rng, 30), (int32_t)fr_rng_below(&rng, 6)};
        fr_regions_update(regions, fr_cost_set_edit(cost, rect, round % 2 == 0 ? 255 : 1));
    }
    fr_regions_destroy(regions);
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

/* The plain rule: looks at every cell. */
static bool nearest_by_rule(const fr_regions *regions, fr_grid grid, uint32_t region, fr_position goal,
                            fr_cell *best)
{
    int64_t least = INT64_MAX;
    for (int32_t c = 0; c < fr_grid_count(grid); c++) {
        fr_cell at = fr_grid_cell(grid, c);
        fr_position centre = fr_cell_centre(at);
        uint32_t here = fr_regions_at(regions, at);
        int64_t dx = (int64_t)centre.x - goal.x, dy = (int64_t)centre.y - goal.y;
        bool fits = region == FR_REGION_NONE ? here != FR_REGION_NONE : here == region;
        if (fits && dx * dx + dy * dy < least) {
            least = dx * dx + dy * dy;
            *best = at;
        }
    }
    return least < INT64_MAX;
}

static void test_nearest_cell_rule(void **state)
{
    (void)state;
    static const char *const rows[] = {
        ".........", ".........", "...###...", "...###...", "...###...",
        ".........", "#########", "....b....", NULL,
    };
    fr_map *map = map_from_picture(rows);
    fr_cost *cost = fr_cost_create(map);
    fr_regions *regions = fr_regions_create(cost, FR_CLASS_FOOT);
    uint32_t above = fr_regions_at(regions, (fr_cell){0, 0}), below = fr_regions_at(regions, (fr_cell){4, 7});
    assert_true(above != below);
    fr_cell cell;
    /* The middle of the block is as far from all four sides: smaller y wins, then smaller x. */
    assert_true(fr_regions_nearest(regions, above, fr_position_at(4.5, 3.5), &cell));
    assert_int_equal(cell.x, 4);
    assert_int_equal(cell.y, 1);
    assert_true(fr_regions_nearest(regions, below, fr_position_at(4.5, 3.5), &cell));
    assert_int_equal(cell.y, 7);
    assert_int_equal(cell.x, 4);
    /* Against the plain rule for many goals. */
    fr_rng rng = {5};
    for (int i = 0; i < 400; i++) {
        fr_position goal = {(int32_t)fr_rng_below(&rng, 9 * FR_POSITION_ONE),
                            (int32_t)fr_rng_below(&rng, 8 * FR_POSITION_ONE)};
        uint32_t region = i % 2 == 0 ? above : below;
        fr_cell best;
        assert_true(nearest_by_rule(regions, map->grid, region, goal, &best));
        assert_true(fr_regions_nearest(regions, region, goal, &cell));
        assert_int_equal(cell.x, best.x);
        assert_int_equal(cell.y, best.y);
    }
    fr_regions_destroy(regions);
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

/* Over several blocks, with many small regions and some that lie far off; edits in between. */
static void test_nearest_cell_over_blocks(void **state)
{
    (void)state;
    fr_rng rng = {17};
    fr_map *map = open_map(150, 75);
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        bool wall = i % 150 == 60 || fr_rng_below(&rng, 100) < 45;
        map->costs[FR_CLASS_FOOT][i] = wall ? FR_COST_WALL : 1;
    }
    fr_cost *cost = fr_cost_create(map);
    fr_regions *regions = fr_regions_create(cost, FR_CLASS_FOOT);
    int32_t compared = 0;
    for (int round = 0; round < 300; round++) {
        fr_position goal = {(int32_t)fr_rng_below(&rng, 150 * FR_POSITION_ONE),
                            (int32_t)fr_rng_below(&rng, 75 * FR_POSITION_ONE)};
        fr_cell from = {(int32_t)fr_rng_below(&rng, 150), (int32_t)fr_rng_below(&rng, 75)};
        fr_cell found = {-1, -1}, best = {-1, -1};
        uint32_t region = fr_regions_at(regions, from); /* a wall asks for any region */
        assert_true(nearest_by_rule(regions, map->grid, region, goal, &best));
        assert_true(fr_regions_nearest(regions, region, goal, &found));
        if (found.x != best.x || found.y != best.y) {
            fail_msg("round %d: found %d,%d, expected %d,%d", round, found.x, found.y, best.x, best.y);
        }
        compared += region != FR_REGION_NONE;
        if (round % 10 == 9) {
            fr_rect rect = {from.x, from.y, 12, 7};
            fr_regions_update(regions, fr_cost_set_edit(cost, rect, round % 20 == 9 ? 1 : FR_COST_WALL));
        }
    }
    assert_true(compared > 100);
    fr_regions_destroy(regions);
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

static void test_lines(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "......#...", ".#....#...", "......#...", "...55.....",
        "...55.....", "#.........", ".#........", NULL,
    };
    fr_map *map = map_from_picture(rows);
    fr_cost *cost = fr_cost_create(map);
    static const struct {
        double ax, ay, bx, by, half_width;
        bool even, is_free;
        const char *why;
    } table[] = {
        {0.5, 0.5, 5.5, 0.5, 0.0, true, true, "along a row"},
        {0.5, 0.5, 8.5, 0.5, 0.0, false, false, "through a wall"},
        {0.5, 0.5, 2.5, 2.5, 0.0, false, false, "through the pillar"},
        {0.5, 4.5, 8.5, 4.5, 0.0, false, true, "over dear ground"},
        {0.5, 5.5, 1.5, 6.5, 0.0, false, false, "starts in a wall"},
        {1.5, 5.5, 0.5, 6.5, 0.0, false, false, "exactly through the corner of two walls"},
        {5.5, 2.5, 7.5, 3.5, 0.0, false, false, "clips the end of the wall"},
        {5.5, 3.1, 8.5, 3.1, 0.0, true, true, "just below the wall"},
        {5.5, 3.1, 8.5, 3.1, 0.4, false, false, "just below the wall, with a body"},
        {5.5, 5.5, 5.5, 5.5, 0.0, true, true, "no way at all"},
        {5.5, 5.5, 20.0, 5.5, 0.0, false, false, "out of the map"},
        {9.5, 6.5, 5.5, 3.5, 0.0, true, true, "north-west"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        fr_position a = fr_position_at(table[i].ax, table[i].ay),
                    b = fr_position_at(table[i].bx, table[i].by);
        float width = (float)table[i].half_width;
        if (fr_line_is_even(cost, FR_CLASS_FOOT, a, b, width) != table[i].even ||
            fr_line_is_free(cost, FR_CLASS_FOOT, a, b, width) != table[i].is_free) {
            fail_msg("line %zu: %s", i, table[i].why);
        }
    }
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

/* What a line must find, cell by cell: all borders that it crosses, in order, each tested at the crossing. */
static bool line_by_crossings(const fr_cost *cost, fr_position a, fr_position b, bool even)
{
    fr_cell cell = fr_cell_at(a), last = fr_cell_at(b);
    uint8_t ground = fr_cost_at(cost, FR_CLASS_FOOT, cell);
    double dx = (double)b.x - a.x, dy = (double)b.y - a.y;
    bool good = ground != FR_COST_WALL;
    while (good && (cell.x != last.x || cell.y != last.y)) {
        int32_t sx = last.x > cell.x ? 1 : last.x < cell.x ? -1 : 0;
        int32_t sy = last.y > cell.y ? 1 : last.y < cell.y ? -1 : 0;
        /* Products of two numbers below 2^26 are exact. */
        double at_x = fabs((cell.x + (sx > 0)) * (double)FR_POSITION_ONE - a.x) * fabs(dy);
        double at_y = fabs((cell.y + (sy > 0)) * (double)FR_POSITION_ONE - a.y) * fabs(dx);
        bool by_x = sx != 0 && (sy == 0 || at_x <= at_y), by_y = sy != 0 && (sx == 0 || at_y <= at_x);
        if (by_x && by_y) {
            good = fr_cost_walkable(cost, FR_CLASS_FOOT, (fr_cell){cell.x + sx, cell.y}) &&
                   fr_cost_walkable(cost, FR_CLASS_FOOT, (fr_cell){cell.x, cell.y + sy});
        }
        cell.x += by_x ? sx : 0;
        cell.y += by_y ? sy : 0;
        uint8_t here = fr_cost_at(cost, FR_CLASS_FOOT, cell);
        good = good && here != FR_COST_WALL && (!even || here == ground);
    }
    return good;
}

/* Blocks of even ground are crossed in one step, rows without a wall too: nothing may be overlooked by that,
 * among few walls and among many. */
static void test_lines_are_those_cell_by_cell(void **state)
{
    (void)state;
    enum { WIDTH = 200, HEIGHT = 140 };
    fr_map *map = open_map(WIDTH, HEIGHT);
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++) {
        map->costs[FR_CLASS_FOOT][i] = i % WIDTH / 32 == 4 ? 3 : 1;
    }
    fr_cost *cost = fr_cost_create(map);
    fr_rng rng = {5};
    int found[2] = {0, 0};
    for (int round = 0; round < 40; round++) {
        for (int change = 0; change < (round < 25 ? 1 : 100); change++) {
            fr_rect spot = {(int32_t)fr_rng_below(&rng, WIDTH), (int32_t)fr_rng_below(&rng, HEIGHT), 1, 1};
            fr_cost_set_edit(cost, spot, round % 3 == 0 ? 7 : FR_COST_WALL);
        }
        for (int line = 0; line < 500; line++) {
            /* Multiples of a quarter cell: many lines meet corners exactly. */
            fr_position end[2];
            for (int e = 0; e < 2; e++) {
                end[e].x = (int32_t)fr_rng_below(&rng, WIDTH * 4) * (FR_POSITION_ONE / 4);
                end[e].y = (int32_t)fr_rng_below(&rng, HEIGHT * 4) * (FR_POSITION_ONE / 4);
            }
            for (int even = 0; even < 2; even++) {
                bool wanted = line_by_crossings(cost, end[0], end[1], even != 0);
                bool got = even != 0 ? fr_line_is_even(cost, FR_CLASS_FOOT, end[0], end[1], 0.0f)
                                     : fr_line_is_free(cost, FR_CLASS_FOOT, end[0], end[1], 0.0f);
                if (got != wanted) {
                    fail_msg("round %d: (%g, %g) to (%g, %g), even %d: %d, cell by cell %d", round,
                             fr_cells(end[0].x), fr_cells(end[0].y), fr_cells(end[1].x), fr_cells(end[1].y),
                             even, got, wanted);
                }
                found[got]++;
            }
        }
    }
    assert_true(found[0] > 1000 && found[1] > 1000);
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_world_to_cell_is_floor),
        cmocka_unit_test(test_directions_oppose_and_price),
        cmocka_unit_test(test_a_warning_is_one_line),
        cmocka_unit_test(test_corner_rule),
        cmocka_unit_test(test_costs_follow_edits),
        cmocka_unit_test(test_painted_ground),
        cmocka_unit_test(test_wall_window_matches_cells),
        cmocka_unit_test(test_regions_match_flood_fill_under_edits),
        cmocka_unit_test(test_nearest_cell_over_blocks),
        cmocka_unit_test(test_nearest_cell_rule),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_lines_are_those_cell_by_cell),
    };
    return cmocka_run_group_tests_name("grid", tests, NULL, NULL);
}
