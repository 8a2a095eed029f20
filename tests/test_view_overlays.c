/* The overlays of F4 and on: colours of regions, clearance against a search of all walls. */
#include "support.h"

#include <math.h>

#include "base/rng.h"
#include "view/overlay_clearance.h"
#include "view/overlay_regions.h"

enum { WIDTH = 60, HEIGHT = 37 };

static fr_map *noisy_map(uint64_t seed, uint32_t percent)
{
    fr_map *map = open_map(WIDTH, HEIGHT);
    fr_rng rng = {seed};
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        map->costs[FR_CLASS_FOOT][i] = fr_rng_below(&rng, 100) < percent ? FR_COST_WALL : 1;
    }
    return map;
}

/* Tenths of a cell from the centre of a cell to the nearest wall, half a cell before its centre. */
static double tenths_by_search(const fr_cost *cost, fr_cell cell)
{
    double nearest = 1e9;
    for (int32_t y = -1; y <= HEIGHT; y++) {
        for (int32_t x = -1; x <= WIDTH; x++) {
            if (fr_cost_at(cost, FR_CLASS_FOOT, (fr_cell){x, y}) == FR_COST_WALL) {
                double dx = x - cell.x, dy = y - cell.y, distance = sqrt(dx * dx + dy * dy);
                nearest = distance < nearest ? distance : nearest;
            }
        }
    }
    double tenths = 10.0 * (nearest - 0.5);
    return tenths < 0.0 ? 0.0 : tenths > 10.0 * FR_CLEARANCE_MAX ? 10.0 * FR_CLEARANCE_MAX : tenths;
}

static void test_clearance_is_the_distance_to_the_nearest_wall(void **state)
{
    (void)state;
    static const uint32_t percents[] = {0, 1, 4, 30};
    fr_clearance clearance = {0};
    for (size_t p = 0; p < sizeof percents / sizeof *percents; p++) {
        fr_map *map = noisy_map(p + 1, percents[p]);
        fr_cost *cost = fr_cost_create(map);
        fr_clearance_read(&clearance, cost, FR_CLASS_FOOT, (fr_rect){0, 0, WIDTH, HEIGHT}, 1);
        for (int32_t i = 0; i < WIDTH * HEIGHT; i++) {
            double expected = tenths_by_search(cost, fr_grid_cell(map->grid, i));
            double found = clearance.tenths[i];
            /* Cut to tenths, and steps of 5 and 7 fifths: 2 % short to 8 % long of centre to centre. */
            if (found < 0.98 * (expected + 5.0) - 6.0 || found > 1.08 * (expected + 5.0) - 5.0) {
                fail_msg("%u %% walls, cell %d,%d: found %g, expected %g tenths", (unsigned)percents[p],
                         i % WIDTH, i / WIDTH, found, expected);
            }
        }
        fr_cost_destroy(cost);
        fr_map_destroy(map);
    }
    fr_clearance_fini(&clearance);
}

/* What lies outside the window counts: moving the map must not change what is shown of it. */
static void test_clearance_does_not_depend_on_the_window(void **state)
{
    (void)state;
    static const fr_rect windows[] = {{0, 0, 1, 1},   {20, 10, 15, 9}, {59, 36, 1, 1},
                                      {7, 30, 53, 7}, {40, 0, 20, 37}, {12, 12, 1, 20}};
    fr_map *map = noisy_map(9, 2);
    fr_cost *cost = fr_cost_create(map);
    fr_clearance whole = {0}, part = {0};
    fr_clearance_read(&whole, cost, FR_CLASS_FOOT, (fr_rect){0, 0, WIDTH, HEIGHT}, 1);
    for (size_t w = 0; w < sizeof windows / sizeof *windows; w++) {
        fr_rect r = windows[w];
        fr_clearance_read(&part, cost, FR_CLASS_FOOT, r, 1);
        for (int32_t i = 0; i < r.width * r.height; i++) {
            int32_t at = (r.y + i / r.width) * WIDTH + r.x + i % r.width;
            assert_int_equal(part.tenths[i], whole.tenths[at]);
        }
    }
    /* Thinned out: in steps of the stride, and never more than is known to be free along the row. */
    fr_clearance_read(&part, cost, FR_CLASS_FOOT, (fr_rect){6, 9, 54, 28}, 3);
    for (int32_t i = 0; i < 18 * 10; i++) {
        fr_cell cell = {6 + i % 18 * 3, 9 + i / 18 * 3};
        bool is_wall = fr_cost_at(cost, FR_CLASS_FOOT, cell) == FR_COST_WALL;
        assert_int_equal(part.tenths[i] == 0, is_wall);
    }
    fr_clearance_fini(&whole);
    fr_clearance_fini(&part);
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

static void test_regions_have_colors_of_their_own(void **state)
{
    (void)state;
    static const char *const rows[] = {"..........#..#.", "..........#..#.", "..........####.",
                                       "..........#....", "..........#....", NULL};
    fr_map *map = map_from_picture(rows);
    fr_cost *cost = fr_cost_create(map);
    fr_regions *regions = fr_regions_create(cost, FR_CLASS_FOOT);
    fr_region_colors colors = {0};
    uint32_t out[15 * 5];
    fr_rect all = {0, 0, 15, 5};
    fr_region_colors_read(&colors, regions, fr_cost_version(cost), map->grid, all, 1, out);
    uint32_t large = out[0], pocket = out[11], corner = out[14];
    for (int32_t i = 0; i < 15 * 5; i++) {
        fr_cell cell = fr_grid_cell(map->grid, i);
        uint32_t expected = rows[cell.y][cell.x] == '#' ? 0
                            : cell.x < 10               ? large
                            : cell.x < 13 && cell.y < 2 ? pocket
                                                        : corner;
        assert_int_equal(out[i], expected);
    }
    assert_true(large >> 24 == 255 && large != pocket && large != corner);

    /* A wall elsewhere gives the areas other numbers, but not other colours. */
    fr_rect changed = fr_cost_set_edit(cost, (fr_rect){1, 0, 1, 1}, FR_COST_WALL);
    changed = fr_cost_set_edit(cost, (fr_rect){0, 1, 2, 1}, FR_COST_WALL);
    fr_regions_update(regions, (fr_rect){0, 0, 15, 5});
    fr_region_colors_read(&colors, regions, fr_cost_version(cost), map->grid, all, 1, out);
    assert_int_equal(changed.width, 2);
    assert_int_equal(out[2], large);
    assert_int_equal(out[11], pocket);
    assert_int_equal(out[14], corner);
    assert_true(out[0] != large); /* cut off */

    /* Every third cell of the same. */
    uint32_t thin[5 * 2];
    fr_region_colors_read(&colors, regions, fr_cost_version(cost), map->grid, all, 3, thin);
    for (int32_t i = 0; i < 5 * 2; i++) {
        assert_int_equal(thin[i], out[i / 5 * 3 * 15 + i % 5 * 3]);
    }
    fr_region_colors_fini(&colors);
    fr_regions_destroy(regions);
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clearance_is_the_distance_to_the_nearest_wall),
        cmocka_unit_test(test_clearance_does_not_depend_on_the_window),
        cmocka_unit_test(test_regions_have_colors_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
