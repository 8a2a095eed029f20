/* The overlays of F4 and on: colours of regions, clearance against a search of all walls. */
#include "support.h"

#include <math.h>

#include "base/memory.h"
#include "base/rng.h"
#include "field/field_internal.h"
#include "grid/nav.h"
#include "view/heat.h"
#include "view/overlay_clearance.h"
#include "view/overlay_congestion.h"
#include "view/overlay_regions.h"
#include "view/overlay_sectors.h"
#include "view/overlay_threat.h"

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

/* Threats cover cells whose centres they hold, add up, and are worse the darker. */
static void test_threats_are_the_sum_of_all(void **state)
{
    (void)state;
    fr_map *map = open_map(WIDTH, HEIGHT);
    fr_cost *cost = fr_cost_create(map);
    static const struct {
        double x, y, radius;
        uint8_t cost, team;
    } threats[] = {{20.0, 15.0, 6.5, 10, 0}, {25.5, 16.5, 4.0, 30, FR_TEAM_NONE}, {59.5, 0.5, 3.0, 254, 1}};
    for (int32_t t = 0; t < 3; t++) {
        fr_threat threat = {fr_position_at(threats[t].x, threats[t].y), fr_fixed(threats[t].radius),
                            threats[t].cost, threats[t].team};
        fr_cost_set_threat(cost, t, &threat);
    }
    uint32_t out[WIDTH * HEIGHT], thin[20 * 13];
    fr_threats_read(cost, (fr_rect){0, 0, WIDTH, HEIGHT}, 1, out);
    for (int32_t i = 0; i < WIDTH * HEIGHT; i++) {
        uint32_t sum = 0;
        for (int t = 0; t < 3; t++) {
            double dx = i % WIDTH + 0.5 - threats[t].x, dy = i / WIDTH + 0.5 - threats[t].y;
            sum += dx * dx + dy * dy <= threats[t].radius * threats[t].radius ? threats[t].cost : 0;
        }
        assert_int_equal(out[i], sum == 0 ? 0 : fr_threat_color(sum));
    }
    fr_threats_read(cost, (fr_rect){0, 0, WIDTH, HEIGHT}, 3, thin);
    for (int32_t i = 0; i < 20 * 13; i++) {
        assert_int_equal(thin[i], out[i / 20 * 3 * WIDTH + i % 20 * 3]);
    }
    fr_cost_set_threat(cost, 1, NULL);
    fr_threats_read(cost, (fr_rect){25, 16, 1, 1}, 1, thin);
    assert_int_equal(thin[0], fr_threat_color(10));
    fr_cost_destroy(cost);
    fr_map_destroy(map);
    for (uint32_t extra = 2; extra < 254; extra *= 2) { /* told apart by brightness */
        assert_true((fr_threat_color(extra) >> 8 & 0xff) < (fr_threat_color(extra / 2) >> 8 & 0xff));
    }
    assert_int_equal(fr_threat_color(254), fr_threat_color(1000));
}

/* Of the congestions in use the worst, square by square. */
static void test_congestion_is_the_worst_of_all_orders(void **state)
{
    (void)state;
    fr_map *map = open_map(WIDTH, HEIGHT);
    fr_cost *cost = fr_cost_create(map);
    fr_grid squares = fr_jam_squares(map->grid);
    static const struct {
        int32_t jam, square;
        uint8_t eighths;
    } marks[] = {{0, 0, 4}, {0, 20, 9}, {3, 20, 2}, {3, 21, 7}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (i == 0 || marks[i].jam != marks[i - 1].jam) {
            fr_cost_jam_open(cost, marks[i].jam, (fr_cost_view_def){.movement_class = FR_CLASS_FOOT});
        }
        fr_cost_set_jam(cost, marks[i].jam, marks[i].square, marks[i].eighths);
        fr_cost_jam_compose(cost, marks[i].jam);
    }
    static const uint32_t sets[] = {0, 1u << 0, 1u << 3, 1u << 0 | 1u << 3};
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        uint32_t out[WIDTH * HEIGHT];
        fr_jams_read(cost, sets[s], (fr_rect){0, 0, WIDTH, HEIGHT}, 1, out);
        for (int32_t i = 0; i < WIDTH * HEIGHT; i++) {
            int32_t square = i / WIDTH / FR_JAM_SIDE * squares.width + i % WIDTH / FR_JAM_SIDE;
            uint32_t most = 0;
            for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
                bool counts = marks[m].square == square && (sets[s] >> marks[m].jam & 1u) != 0;
                most = counts && marks[m].eighths > most ? marks[m].eighths : most;
            }
            assert_int_equal(out[i], most == 0 ? 0 : fr_jam_color(most));
        }
    }
    assert_true(fr_jam_color(2) != fr_jam_color(9));
    uint32_t pair[2];
    fr_cost_set_held(cost, (fr_cell){31, 20}, true);
    fr_cost_held_compose(cost);
    fr_jams_read(cost, 1u << 3, (fr_rect){30, 20, 2, 1}, 1, pair);
    assert_true(pair[0] == 0 && pair[1] == fr_jam_color(UINT8_MAX));
    fr_jams_read(cost, 0, (fr_rect){30, 20, 2, 1}, 1, pair);
    assert_true(pair[0] == 0 && pair[1] == 0); /* nobody goes round anything */
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

/* A field to one goal on open ground of 3 x 2 blocks. */
typedef struct sector_scene {
    fr_map *map;
    fr_cost *cost;
    fr_field_pool *pool;
    fr_scratch *scratch;
    fr_field *field;
} sector_scene;

static void build_field(sector_scene *s)
{
    const fr_goal goal = {{5, 5}, 0};
    fr_field *old = s->field;
    s->field = fr_field_build(s->pool, s->scratch, s->cost, FR_CLASS_FOOT, &goal, 1);
    assert_non_null(s->field);
    fr_field_destroy(s->pool, old); /* afterwards, so that its blocks are not taken again */
}

static void look(fr_sectors *sectors, const sector_scene *s, uint64_t name, fr_field_standing standing,
                 uint32_t tick, uint32_t colors[6])
{
    fr_sectors_look(sectors, s->field, name, standing, s->cost, tick);
    uint32_t out[96 * 64];
    fr_sectors_read(sectors, s->cost, (fr_rect){0, 0, 96, 64}, 1, out);
    for (int block = 0; block < 6; block++) {
        colors[block] = out[block / 3 * 32 * 96 + block % 3 * 32];
        for (int i = 0; i < 32 * 32; i++) { /* one colour a block */
            int x = block % 3 * 32 + i % 32, y = block / 3 * 32 + i / 32;
            assert_int_equal(out[y * 96 + x], colors[block]);
        }
    }
}

static void test_sectors_tell_built_fresh_and_stale(void **state)
{
    (void)state;
    sector_scene s = {.map = open_map(96, 64)};
    s.cost = fr_cost_create(s.map);
    s.pool = fr_field_pool_create(s.map->grid, 1u << 20);
    s.scratch = fr_scratch_create(s.map->grid);
    build_field(&s);
    fr_sectors sectors = {0};
    uint32_t first[6], now[6];
    look(&sectors, &s, 1, FR_STANDING_CURRENT, 100, first); /* what is seen first is no news */
    for (int block = 0; block < 6; block++) {
        assert_int_equal(first[block], first[0]);
    }
    assert_int_equal(first[0] >> 24, 255);

    fr_cost_set_edit(s.cost, (fr_rect){40, 10, 2, 2}, FR_COST_WALL);
    look(&sectors, &s, 1, FR_STANDING_STALE, 101, now);
    uint32_t stale = now[1];
    assert_true(stale != first[1] && now[0] == first[0] && now[2] == first[2] && now[5] == first[5]);
    assert_true(fr_sectors_look(&sectors, s.field, 1, FR_STANDING_BUILDING, s.cost, 102) !=
                fr_sectors_look(&sectors, s.field, 1, FR_STANDING_STALE, s.cost, 102));

    build_field(&s);
    look(&sectors, &s, 1, FR_STANDING_CURRENT, 103, now);
    uint32_t fresh = now[1];
    assert_true(fresh != first[1] && fresh != stale);
    assert_true(sectors.is_fading);
    look(&sectors, &s, 1, FR_STANDING_CURRENT, 103 + FR_SECTOR_FRESH_TICKS / 2, now);
    assert_true(now[1] != fresh && now[1] != first[1]);
    look(&sectors, &s, 1, FR_STANDING_CURRENT, 103 + FR_SECTOR_FRESH_TICKS, now);
    assert_memory_equal(now, first, sizeof now);
    assert_false(sectors.is_fading);

    build_field(&s); /* of another order: no news either */
    look(&sectors, &s, 2, FR_STANDING_CURRENT, 200, now);
    assert_memory_equal(now, first, sizeof now);

    /* One of which nothing is built yet. */
    fr_field_destroy(s.pool, s.field);
    s.field = fr_field_reserve(s.pool, s.map->grid);
    fr_field_settle(s.pool, s.field);
    look(&sectors, &s, 3, FR_STANDING_BUILDING, 201, now);
    for (int block = 0; block < 6; block++) {
        assert_int_equal(now[block], 0);
    }
    fr_sectors_fini(&sectors);
    fr_field_destroy(s.pool, s.field);
    fr_scratch_destroy(s.scratch);
    fr_field_pool_destroy(s.pool);
    fr_cost_destroy(s.cost);
    fr_map_destroy(s.map);
}

/* Where field cells are not tiles: costs by tile, values by field cell, each at its place, sectors by blocks
 * of field cells; a tile whose field cell is a wall has no way. */
static void test_field_cells_that_are_not_tiles(void **state)
{
    (void)state;
    for (int32_t shift = FR_NAV_SHIFT_MIN; shift <= FR_NAV_SHIFT_MAX; shift++) {
        sector_scene s = {.map = open_map(131, 61)};
        s.map->nav_shift = shift;
        s.map->costs[FR_CLASS_FOOT][41 * 131 + 90] = FR_COST_WALL;
        s.cost = fr_cost_create(s.map);
        const fr_cost *nav = fr_cost_nav(s.cost);
        s.pool = fr_field_pool_create_for(nav, 8u << 20);
        s.scratch = fr_scratch_create(fr_cost_grid(nav));
        const fr_goal goal = {{5, 5}, 0};
        s.field = fr_field_build(s.pool, s.scratch, nav, FR_CLASS_FOOT, &goal, 1);
        fr_sectors sectors = {0};
        fr_sectors_look(&sectors, s.field, 1, FR_STANDING_CURRENT, nav, 100);
        fr_cost_set_edit(s.cost, (fr_rect){70, 5, 1, 1}, 9);
        fr_sectors_look(&sectors, s.field, 1, FR_STANDING_STALE, nav, 101);
        for (int stride = 1; stride <= 3; stride += 2) {
            fr_rect cells = {3, 0, 126, 60};
            fr_heat_grid grid = {0};
            fr_heat_grid_read(&grid, s.cost, FR_CLASS_FOOT, s.field, cells, stride);
            uint32_t *colors = fr_alloc((size_t)(grid.columns * grid.rows), sizeof *colors);
            fr_sectors_read(&sectors, nav, cells, stride, colors);
            uint32_t stale = colors[(5 / stride) * grid.columns + 67 / stride];
            for (int32_t i = 0; i < grid.columns * grid.rows; i++) {
                fr_cell tile = {cells.x + i % grid.columns * stride, cells.y + i / grid.columns * stride};
                assert_int_equal(grid.costs[i], fr_cost_at(s.cost, FR_CLASS_FOOT, tile));
                assert_int_equal(grid.integration[i], fr_field_value(s.field, tile));
                fr_cell cell = fr_nav_cell_of(shift, tile), changed = fr_nav_cell_of(shift, (fr_cell){70, 5});
                bool is_stale = cell.x / 32 == changed.x / 32 && cell.y / 32 == changed.y / 32;
                assert_int_equal(colors[i] == stale, is_stale);
            }
            fr_free(colors);
            fr_heat_grid_fini(&grid);
        }
        assert_int_equal(fr_field_value(s.field, (fr_cell){91, 41}) == FR_UNREACHED, shift > 0);
        fr_sectors_fini(&sectors);
        fr_field_pool_destroy(s.pool);
        fr_scratch_destroy(s.scratch);
        fr_cost_destroy(s.cost);
        fr_map_destroy(s.map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clearance_is_the_distance_to_the_nearest_wall),
        cmocka_unit_test(test_clearance_does_not_depend_on_the_window),
        cmocka_unit_test(test_regions_have_colors_of_their_own),
        cmocka_unit_test(test_sectors_tell_built_fresh_and_stale),
        cmocka_unit_test(test_field_cells_that_are_not_tiles),
        cmocka_unit_test(test_threats_are_the_sum_of_all),
        cmocka_unit_test(test_congestion_is_the_worst_of_all_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
