/* Fields on cells that are not tiles: how the two grids lie over each other, what a field cell costs, and
 * that nothing else is special about such a field. Everything is compared with what a map drawn by hand in
 * field cells would give. */
#include "repair_site.h"

#include <stdlib.h>

#include "base/memory.h"
#include "field/way_out.h"
#include "grid/nav.h"

static const int32_t SHIFTS[] = {-1, 0, 1, 2};
enum { SHIFT_COUNT = sizeof SHIFTS / sizeof *SHIFTS };

static void test_scales(void **state)
{
    (void)state;
    static const struct {
        double scale;
        bool is_known;
        int32_t shift;
    } cases[] = {{0.5, true, -1}, {1, true, 0},  {2, true, 1},     {4, true, 2},   {0, false, 0},
                 {3, false, 0},   {8, false, 0}, {0.25, false, 0}, {-2, false, 0}, {1.999, false, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int32_t shift;
        assert_int_equal(fr_nav_shift_of(cases[i].scale, &shift), cases[i].is_known);
        if (cases[i].is_known) {
            assert_int_equal(shift, cases[i].shift);
            assert_true(fr_nav_scale(shift) == cases[i].scale);
        }
    }
}

static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        int32_t shift;
        fr_grid tiles, cells;
    } cases[] = {
        {-1, {7, 3}, {14, 6}}, {0, {7, 3}, {7, 3}}, {1, {7, 3}, {4, 2}},
        {1, {8, 4}, {4, 2}},   {2, {7, 3}, {2, 1}}, {2, {9, 16}, {3, 4}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_grid cells = fr_nav_grid(cases[i].tiles, cases[i].shift);
        assert_int_equal(cells.width, cases[i].cells.width);
        assert_int_equal(cells.height, cases[i].cells.height);
    }
    assert_true(fr_nav_fits((fr_grid){2048, 2048}, -1));
    assert_false(fr_nav_fits((fr_grid){2049, 2048}, -1));
    assert_false(fr_nav_fits((fr_grid){8193, 1}, -1));
    assert_true(fr_nav_fits((fr_grid){4096, 4096}, 2));
}

static void test_places(void **state)
{
    (void)state;
    static const struct {
        int32_t shift;
        double x, y;               /* tiles */
        fr_cell cell;              /* that it lies in */
        double centre_x, centre_y; /* of that, tiles */
    } cases[] = {
        {-1, 3.2, 1.7, {6, 3}, 3.25, 1.75}, {0, 3.2, 1.7, {3, 1}, 3.5, 1.5},
        {1, 3.2, 1.7, {1, 0}, 3.0, 1.0},    {2, 3.2, 1.7, {0, 0}, 2.0, 2.0},
        {2, 4.0, 7.9, {1, 1}, 6.0, 6.0},    {1, -0.1, 2.0, {-1, 1}, -1.0, 3.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_cell cell = fr_nav_cell_at(cases[i].shift, fr_position_at(cases[i].x, cases[i].y));
        fr_position centre = fr_nav_centre(cases[i].shift, cell);
        assert_int_equal(cell.x, cases[i].cell.x);
        assert_int_equal(cell.y, cases[i].cell.y);
        assert_int_equal(centre.x, fr_fixed(cases[i].centre_x));
        assert_int_equal(centre.y, fr_fixed(cases[i].centre_y));
    }
}

/* A rectangle of tiles touches the cells that hold one of them, one of cells the tiles that it holds or that
 * hold it. */
static void test_rectangles(void **state)
{
    (void)state;
    fr_rng rng = {7};
    for (int i = 0; i < 400; i++) {
        int32_t shift = SHIFTS[i % SHIFT_COUNT];
        fr_rect tiles = {(int32_t)fr_rng_below(&rng, 30) - 3, (int32_t)fr_rng_below(&rng, 30),
                         1 + (int32_t)fr_rng_below(&rng, 9), 1 + (int32_t)fr_rng_below(&rng, 9)};
        fr_rect cells = fr_nav_cells(shift, tiles);
        fr_cell low =
            fr_nav_cell_at(shift, (fr_position){tiles.x * FR_POSITION_ONE, tiles.y * FR_POSITION_ONE});
        fr_cell high = fr_nav_cell_at(shift, (fr_position){(tiles.x + tiles.width) * FR_POSITION_ONE - 1,
                                                           (tiles.y + tiles.height) * FR_POSITION_ONE - 1});
        assert_int_equal(cells.x, low.x);
        assert_int_equal(cells.y, low.y);
        assert_int_equal(cells.x + cells.width - 1, high.x);
        assert_int_equal(cells.y + cells.height - 1, high.y);
        fr_rect back = fr_nav_tiles(shift, cells);
        int32_t side = shift > 0 ? 1 << shift : 1;
        assert_true(back.x <= tiles.x && back.x > tiles.x - side);
        assert_true(back.x + back.width >= tiles.x + tiles.width &&
                    back.x + back.width < tiles.x + tiles.width + side);
        assert_int_equal(back.height, shift > 0 ? cells.height << shift : tiles.height);
    }
    assert_int_equal(fr_nav_cells(1, (fr_rect){0, 0, 0, 0}).width, 0);
    assert_int_equal(fr_nav_tiles(1, (fr_rect){0, 0, 0, 0}).width, 0);
}

/* ---- what a field cell costs ---- */

static fr_map *with_shift(fr_map *map, int32_t shift)
{
    map->nav_shift = shift;
    return map;
}

/* The map that one would draw in field cells: the dearest tile, walls and what lies outside dearest of all.
 */
static fr_map *redrawn(const fr_map *map)
{
    fr_grid cells = fr_nav_grid(map->grid, map->nav_shift);
    fr_map *coarse = fr_map_create("redrawn", cells);
    for (int32_t i = 0; i < fr_grid_count(cells); i++) {
        fr_cell cell = fr_grid_cell(cells, i);
        fr_rect tiles = fr_nav_tiles(map->nav_shift, (fr_rect){cell.x, cell.y, 1, 1});
        uint8_t most = 0;
        for (int32_t t = 0; t < tiles.width * tiles.height; t++) {
            fr_cell tile = {tiles.x + t % tiles.width, tiles.y + t / tiles.width};
            uint8_t cost = fr_grid_contains(map->grid, tile)
                               ? map->costs[FR_CLASS_FOOT][fr_grid_index(map->grid, tile)]
                               : FR_COST_WALL;
            most = cost > most ? cost : most;
        }
        coarse->costs[FR_CLASS_FOOT][i] = most;
    }
    return coarse;
}

static void test_dearest_tile_and_any_wall(void **state)
{
    (void)state;
    static const char *const tiles[] = {"1112#..", "1311...", "....9..", "..5....", "....#..", NULL};
    static const struct {
        int32_t shift;
        const char *rows[5];
    } cases[] = {
        {0, {"1112#11", "1311111", "1111911", "1151111", "1111#11"}},
        {1, {"32##", "159#", "####"}}, /* beyond the edge all is wall */
        {2, {"5#", "##"}},
        {-1, {"11111122##1111", "11111122##1111", "11331111111111", "11331111111111", "11111111991111"}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        fr_map *map = with_shift(map_from_picture(tiles), cases[c].shift);
        fr_cost *cost = fr_cost_create(map);
        const fr_cost *nav = fr_cost_nav(cost);
        assert_int_equal(nav == cost, cases[c].shift == 0);
        assert_int_equal(fr_cost_shift(nav), cases[c].shift);
        for (int32_t y = 0; y < 5 && cases[c].rows[y] != NULL; y++) {
            for (int32_t x = 0; cases[c].rows[y][x] != '\0'; x++) {
                char found = (char)('0' + fr_cost_at(nav, FR_CLASS_FOOT, (fr_cell){x, y}));
                found = fr_cost_at(nav, FR_CLASS_FOOT, (fr_cell){x, y}) == FR_COST_WALL ? '#' : found;
                if (found != cases[c].rows[y][x]) {
                    fail_msg("shift %d: at %d,%d found %c, expected %c", cases[c].shift, x, y, found,
                             cases[c].rows[y][x]);
                }
                assert_int_equal(fr_cost_walkable(nav, FR_CLASS_FOOT, (fr_cell){x, y}), found != '#');
            }
        }
        fr_cost_destroy(cost);
        fr_map_destroy(map);
    }
}

static void expect_following(const char *what, const fr_cost *cost, fr_cost_view view)
{
    const fr_cost *nav = fr_cost_nav(cost);
    fr_grid cells = fr_cost_grid(nav);
    for (int32_t i = 0; i < fr_grid_count(cells); i++) {
        fr_cell cell = fr_grid_cell(cells, i);
        fr_rect tiles = fr_nav_tiles(fr_cost_shift(nav), (fr_rect){cell.x, cell.y, 1, 1});
        uint8_t most = 0;
        for (int32_t t = 0; t < tiles.width * tiles.height; t++) {
            uint8_t one =
                fr_cost_at(cost, view, (fr_cell){tiles.x + t % tiles.width, tiles.y + t / tiles.width});
            most = one > most ? one : most;
        }
        if (fr_cost_at(nav, view, cell) != most ||
            fr_cost_walkable(nav, view, cell) != (most != FR_COST_WALL)) {
            fail_msg("%s: view %d at %d,%d: found %d, expected %d", what, view, cell.x, cell.y,
                     fr_cost_at(nav, view, cell), most);
        }
    }
}

/* Edits, paint, ring, threats, congestion and wide discs: field cells follow in every view. */
static void test_every_cause_counts(void **state)
{
    (void)state;
    fr_rng rng = {11};
    for (int s = 0; s < SHIFT_COUNT; s++) {
        fr_map *map = with_shift(random_map_of_size(&rng, MAP_WEIGHTED, (fr_grid){75, 46}), SHIFTS[s]);
        for (int32_t i = 0; i < 2500; i++) { /* mostly open: coarse cells must not all be walls */
            map->costs[FR_CLASS_FOOT][fr_rng_below(&rng, 75 * 46)] = 1;
        }
        site made = open_site(map, &(fr_goal){{0, 0}, 0}, 1);
        fr_cost *cost = made.cost;
        fr_cost_set_ring(cost, true);
        fr_cost_set_threat(cost, 0, &(fr_threat){fr_position_at(30, 20), fr_fixed(7), 9, FR_TEAM_NONE});
        fr_cost_view views[] = {
            FR_CLASS_FOOT,
            FR_CLASS_AIR,
            fr_cost_view_open(cost, (fr_cost_view_def){.movement_class = FR_CLASS_FOOT}),
            fr_cost_view_open(cost, (fr_cost_view_def){.movement_class = FR_CLASS_WHEELS, .clearance = 1}),
            fr_cost_fit(FR_CLASS_WHEELS, 1),
            fr_cost_jam_open(cost, 3, (fr_cost_view_def){.movement_class = FR_CLASS_WHEELS}),
        };
        for (int round = 0; round < 25; round++) {
            edit_at_random(&made, &rng);
            fr_cost_set_jam(cost, 3, (int32_t)fr_rng_below(&rng, 100), (uint8_t)fr_rng_below(&rng, 40));
            fr_cost_jam_compose(cost, 3);
            fr_cost_set_held(cost, (fr_cell){(int32_t)fr_rng_below(&rng, 75), 9}, round % 2 == 0);
            fr_cost_held_compose(cost);
            if (round == 12) { /* handed on to others */
                fr_cost_jam_open(cost, 3,
                                 (fr_cost_view_def){.movement_class = FR_CLASS_FOOT, .clearance = 2});
                fr_cost_set_threat(cost, 0, NULL);
            }
            for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
                expect_following("after an edit", cost, views[v]);
            }
        }
        close_site(&made);
    }
}

/* ---- the field ---- */

/* Bit for bit that of the map drawn in field cells. */
static void test_field_is_that_of_the_redrawn_map(void **state)
{
    (void)state;
    fr_rng rng = {3};
    for (int i = 0; i < 40; i++) {
        fr_map *map =
            with_shift(random_map(&rng, (field_map_kind)(i % MAP_KIND_COUNT)), SHIFTS[i / 2 % SHIFT_COUNT]);
        for (int32_t k = 0; k < fr_grid_count(map->grid); k++) { /* or no coarse cell is open */
            uint8_t *at = &map->costs[FR_CLASS_FOOT][k];
            *at = *at == FR_COST_WALL && fr_rng_below(&rng, 8) != 0 ? 2 : *at;
        }
        fr_map *coarse = redrawn(map);
        fr_cost *cost = fr_cost_create(map), *expected_cost = fr_cost_create(coarse);
        fr_cost *nav = fr_cost_field(cost);
        fr_grid cells = fr_cost_grid(nav);
        fr_scratch *scratch = fr_scratch_create(cells);
        fr_field_pool *pool = fr_field_pool_create_for(nav, 16u << 20);
        fr_goal goal = {random_open_cell(&rng, coarse), 0};
        fr_field *found = fr_field_build(pool, scratch, nav, FR_CLASS_FOOT, &goal, 1);
        fr_field *expected = fr_field_build(pool, scratch, expected_cost, FR_CLASS_FOOT, &goal, 1);
        expect_same_fields("field cells", found, expected);
        /* Outside field/ values are told in steps of a tile. */
        for (int32_t k = 0; k < fr_grid_count(map->grid); k++) {
            fr_cell tile = fr_grid_cell(map->grid, k);
            uint32_t value = fr_field_cell_value(found, fr_nav_cell_of(map->nav_shift, tile));
            double steps = fr_field_steps(found, tile);
            if (value == FR_UNREACHED) {
                assert_true(isinf(steps) && fr_field_value(found, tile) == FR_UNREACHED);
                continue;
            }
            assert_true(fabs(steps - value * fr_nav_scale(map->nav_shift) / FR_STEP_STRAIGHT) < 1e-9);
            assert_true(fabs(fr_field_value(found, tile) - steps * FR_STEP_STRAIGHT) < 1.0);
        }
        fr_field_pool_destroy(pool);
        fr_scratch_destroy(scratch);
        fr_cost_destroy(cost);
        fr_cost_destroy(expected_cost);
        fr_map_destroy(map);
        fr_map_destroy(coarse);
    }
}

/* Edits of tiles repair the right field cells: bit for bit a field made anew. */
static void test_repair_is_rebuild(void **state)
{
    (void)state;
    fr_rng rng = {5};
    for (int s = 0; s < SHIFT_COUNT; s++) {
        fr_map *map = with_shift(random_map_of_size(&rng, MAP_WEIGHTED, (fr_grid){131, 70}), SHIFTS[s]);
        for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
            uint8_t *at = &map->costs[FR_CLASS_FOOT][i];
            *at = *at == FR_COST_WALL && fr_rng_below(&rng, 12) != 0 ? 3 : *at;
        }
        site tiles = {.map = map, .cost = fr_cost_create(map)};
        fr_cost *nav = fr_cost_field(tiles.cost);
        fr_grid cells = fr_cost_grid(nav);
        fr_scratch *scratch = fr_scratch_create(cells);
        fr_field_pool *pool = fr_field_pool_create_for(nav, 32u << 20);
        fr_repair *repair = fr_repair_create(cells, fr_grid_block_count(cells) * FR_BLOCK_CELLS);
        fr_goal goal = {{cells.width / 2, cells.height / 2}, 0};
        fr_field *field = fr_field_build(pool, scratch, nav, FR_CLASS_FOOT, &goal, 1);
        const fr_cost_snapshot *before = fr_cost_acquire(nav);
        for (int round = 0; round < 30; round++) {
            edit_at_random(&tiles, &rng);
            const fr_cost_snapshot *after = fr_cost_acquire(nav);
            fr_field *next = fr_field_clone(pool, field);
            assert_true(fr_field_repair(next, repair, before, after, FR_CLASS_FOOT, &goal, 1));
            fr_field_settle(pool, next);
            fr_field *anew = fr_field_build(pool, scratch, nav, FR_CLASS_FOOT, &goal, 1);
            expect_same_fields("repaired", next, anew);
            fr_field_destroy(pool, anew);
            fr_field_destroy(pool, field);
            fr_cost_release(nav, before);
            field = next;
            before = after;
        }
        fr_cost_release(nav, before);
        fr_repair_destroy(repair);
        fr_field_pool_destroy(pool);
        fr_scratch_destroy(scratch);
        fr_cost_destroy(tiles.cost);
        fr_map_destroy(map);
    }
}

/* From every tile of which the field knows, the sampler's way arrives and touches no wall, of tiles or cells.
 */
static void test_ways_arrive(void **state)
{
    (void)state;
    fr_rng rng = {17};
    for (int i = 0; i < 24; i++) {
        fr_map *map =
            with_shift(random_map_of_size(&rng, i % 2 == 0 ? MAP_WEIGHTED : MAP_NOISE, (fr_grid){41 + i, 30}),
                       SHIFTS[i % SHIFT_COUNT]);
        for (int32_t k = 0; k < fr_grid_count(map->grid); k++) {
            uint8_t *at = &map->costs[FR_CLASS_FOOT][k];
            *at = *at == FR_COST_WALL && map->nav_shift > 0 && fr_rng_below(&rng, 10) != 0 ? 1 : *at;
        }
        fr_cost *cost = fr_cost_create(map);
        fr_cost *nav = fr_cost_field(cost);
        fr_scratch *scratch = fr_scratch_create(fr_cost_grid(nav));
        fr_field_pool *pool = fr_field_pool_create_for(nav, 16u << 20);
        fr_way_out *way_out = fr_way_out_create(cost);
        fr_way_out_admit(way_out, FR_CLASS_FOOT);
        fr_position place = fr_cell_centre(random_open_cell(&rng, map));
        fr_goal goal = {fr_way_out_cell(way_out, map->nav_shift, FR_CLASS_FOOT, place), 0};
        fr_field *field = fr_field_build(pool, scratch, nav, FR_CLASS_FOOT, &goal, 1);
        for (int32_t k = 0; k < fr_grid_count(map->grid); k++) {
            fr_cell tile = fr_grid_cell(map->grid, k);
            bool is_led = fr_way_out_value(way_out, FR_CLASS_FOOT, field, tile) != FR_UNREACHED;
            bool met_wall;
            double length =
                fr_way_out_trace(way_out, FR_CLASS_FOOT, field, fr_cell_centre(tile), 2000.0, &met_wall);
            if (is_led != (length >= 0.0)) {
                fail_msg("map %d, shift %d: from %d,%d %s", i, map->nav_shift, tile.x, tile.y,
                         met_wall ? "a wall is met" : "nobody arrives");
            }
        }
        fr_way_out_destroy(way_out);
        fr_field_pool_destroy(pool);
        fr_scratch_destroy(scratch);
        fr_cost_destroy(cost);
        fr_map_destroy(map);
    }
}

/* ---- out of field cells that are walls ---- */

/* Relaxed until nothing changes: the length of the way in fifths of a tile, or a large number. */
static void find_lengths(const fr_cost *cost, int32_t *lengths)
{
    const fr_cost *nav = fr_cost_nav(cost);
    fr_grid grid = fr_cost_grid(cost);
    for (int32_t i = 0; i < fr_grid_count(grid); i++) {
        fr_cell cell = fr_nav_cell_of(fr_cost_shift(nav), fr_grid_cell(grid, i));
        lengths[i] = fr_cost_walkable(nav, FR_CLASS_FOOT, cell) ? 0 : 1 << 20;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t i = 0; i < fr_grid_count(grid); i++) {
            fr_cell tile = fr_grid_cell(grid, i);
            for (int d = 0; d < FR_DIR_COUNT && fr_cost_walkable(cost, FR_CLASS_FOOT, tile); d++) {
                fr_cell next = {tile.x + FR_STEPS[d].dx, tile.y + FR_STEPS[d].dy};
                if (fr_cost_step_allowed(cost, FR_CLASS_FOOT, tile, d) &&
                    lengths[fr_grid_index(grid, next)] + (d % 2 == 0 ? 5 : 7) < lengths[i]) {
                    lengths[i] = lengths[fr_grid_index(grid, next)] + (d % 2 == 0 ? 5 : 7);
                    changed = true;
                }
            }
        }
    }
}

static void expect_ways_out(const fr_way_out *way_out, const fr_cost *cost)
{
    fr_grid grid = fr_cost_grid(cost);
    int32_t *lengths = fr_alloc((size_t)fr_grid_count(grid), sizeof *lengths);
    find_lengths(cost, lengths);
    for (int32_t i = 0; i < fr_grid_count(grid); i++) {
        fr_cell tile = fr_grid_cell(grid, i), end, next;
        bool is_open = fr_cost_walkable(cost, FR_CLASS_FOOT, tile);
        bool has_way = is_open && lengths[i] < 1 << 20;
        assert_int_equal(fr_way_out_end(way_out, FR_CLASS_FOOT, tile, &end), has_way);
        assert_int_equal(fr_way_out_next(way_out, FR_CLASS_FOOT, tile, &next), has_way && lengths[i] > 0);
        if (has_way) {
            assert_int_equal(lengths[fr_grid_index(grid, end)], 0);
        }
        if (has_way && lengths[i] > 0) {
            int32_t step = abs(next.x - tile.x) + abs(next.y - tile.y) == 2 ? 7 : 5;
            assert_int_equal(lengths[fr_grid_index(grid, next)] + step, lengths[i]);
        }
    }
    fr_free(lengths);
}

static void test_ways_out_under_edits(void **state)
{
    (void)state;
    fr_rng rng = {23};
    for (int i = 0; i < 6; i++) {
        fr_map *map = with_shift(random_map_of_size(&rng,
                                                    i % 3 == 0   ? MAP_NOISE
                                                    : i % 3 == 1 ? MAP_CAVE
                                                                 : MAP_MAZE,
                                                    (fr_grid){50, 37 + i}),
                                 1 + i % 2);
        if (i % 3 == 2) { /* a hall at the end of the corridors */
            for (int32_t k = 0; k < 12 * 50; k++) {
                map->costs[FR_CLASS_FOOT][k] = k % 50 < 12 ? 1 : map->costs[FR_CLASS_FOOT][k];
            }
        }
        site made = {.map = map, .cost = fr_cost_create(map)};
        fr_way_out *way_out = fr_way_out_create(made.cost);
        fr_way_out_admit(way_out, FR_CLASS_FOOT);
        expect_ways_out(way_out, made.cost);
        for (int round = 0; round < 25; round++) {
            edit_at_random(&made, &rng);
            fr_way_out_update(way_out, fr_cost_take_changed(made.cost));
            expect_ways_out(way_out, made.cost);
        }
        fr_way_out_destroy(way_out);
        fr_cost_destroy(made.cost);
        fr_map_destroy(map);
    }
}

/* From every open tile to the largest region of field cells that its region of tiles holds. */
static void expect_main_ways(const fr_way_out *way_out, const fr_cost *cost, const fr_regions *tiles,
                             const fr_regions *cells)
{
    const fr_cost *nav = fr_cost_nav(cost);
    fr_grid grid = fr_cost_grid(cost);
    const int32_t ways = FR_WAYS_TO_MAIN(FR_CLASS_FOOT), count = fr_grid_count(grid);
    int32_t *size = fr_alloc((size_t)count, sizeof *size);         /* tiles of a region of field cells */
    int32_t *end_of = fr_alloc_raw((size_t)count, sizeof *end_of); /* an end of a region of tiles, or -1 */
    for (int32_t i = 0; i < count; i++) {
        uint32_t region = fr_regions_at(cells, fr_nav_cell_of(fr_cost_shift(nav), fr_grid_cell(grid, i)));
        size[region == FR_REGION_NONE ? 0 : region] += region != FR_REGION_NONE;
        end_of[i] = -1;
    }
    for (int32_t i = 0; i < count; i++) {
        fr_cell tile = fr_grid_cell(grid, i), end, next;
        uint32_t region = fr_regions_at(tiles, tile);
        assert_int_equal(fr_way_out_end(way_out, ways, tile, &end), region != FR_REGION_NONE);
        if (region == FR_REGION_NONE) {
            continue;
        }
        assert_int_equal(fr_regions_at(tiles, end), region);
        uint32_t own = fr_regions_at(cells, fr_nav_cell_of(fr_cost_shift(nav), tile));
        uint32_t main = fr_regions_at(cells, fr_nav_cell_of(fr_cost_shift(nav), end));
        int32_t at = fr_grid_index(grid, end);
        if (main == FR_REGION_NONE) { /* no field cell is open: one tile is the end of all */
            assert_true(own == FR_REGION_NONE && (end_of[region] < 0 || end_of[region] == at));
        } else {
            assert_true(own == FR_REGION_NONE || size[own] <= size[main]);
            assert_true(end_of[region] < 0 ||
                        fr_regions_at(cells, fr_nav_cell_of(fr_cost_shift(nav),
                                                            fr_grid_cell(grid, end_of[region]))) == main);
            assert_int_equal(fr_way_out_next(way_out, ways, tile, &next), own != main);
        }
        end_of[region] = at;
    }
    fr_free(size);
    fr_free(end_of);
}

static void test_ways_to_the_main_cells(void **state)
{
    (void)state;
    fr_rng rng = {29};
    for (int i = 0; i < 6; i++) {
        field_map_kind kind = i % 3 == 0 ? MAP_NOISE : i % 3 == 1 ? MAP_CAVE : MAP_MAZE;
        fr_map *map = with_shift(random_map_of_size(&rng, kind, (fr_grid){50, 37 + i}), 1 + i % 2);
        site made = {.map = map, .cost = fr_cost_create(map)};
        fr_regions *tiles = fr_regions_create(made.cost, FR_CLASS_FOOT);
        fr_regions *cells = fr_regions_create(fr_cost_nav(made.cost), FR_CLASS_FOOT);
        fr_way_out *way_out = fr_way_out_create(made.cost);
        fr_way_out_admit(way_out, FR_CLASS_FOOT);
        assert_false(fr_way_out_has_main(way_out, FR_CLASS_FOOT));
        for (int round = 0; round < 15; round++) {
            fr_way_out_find_main(way_out, FR_CLASS_FOOT, tiles, cells);
            expect_main_ways(way_out, made.cost, tiles, cells);
            edit_at_random(&made, &rng);
            fr_rect changed = fr_cost_take_changed(made.cost);
            fr_regions_update(tiles, changed);
            fr_regions_update(cells, fr_nav_cells(map->nav_shift, changed));
        }
        fr_way_out_destroy(way_out);
        fr_regions_destroy(tiles);
        fr_regions_destroy(cells);
        fr_cost_destroy(made.cost);
        fr_map_destroy(map);
    }
}

static void test_no_ways_out_of_small_cells(void **state)
{
    (void)state;
    fr_map *map = open_map(9, 7);
    for (int32_t shift = -1; shift <= 0; shift++) {
        fr_cost *cost = fr_cost_create(with_shift(map, shift));
        assert_null(fr_way_out_create(cost));
        fr_cost_destroy(cost);
    }
    fr_cell end;
    assert_true(fr_way_out_end(NULL, FR_CLASS_FOOT, (fr_cell){3, 4}, &end));
    assert_int_equal(end.x, 3);
    assert_false(fr_way_out_next(NULL, FR_CLASS_FOOT, (fr_cell){3, 4}, &end));
    fr_map_destroy(map);
}

/* Out of a niche one tile wide to the hall, and back to its end. */
static void test_way_back(void **state)
{
    (void)state;
    static const char *const rows[] = {"......####", "......#.##", "......#.##", "........##",
                                       "......####", "......####", NULL};
    fr_map *map = with_shift(map_from_picture(rows), 1);
    fr_cost *cost = fr_cost_create(map);
    fr_way_out *way_out = fr_way_out_create(cost);
    fr_way_out_admit(way_out, FR_CLASS_FOOT);
    static const fr_cell way[] = {{7, 1}, {7, 2}, {7, 3}, {6, 3}, {5, 3}};
    enum { COUNT = sizeof way / sizeof *way };
    for (int i = 0; i + 1 < COUNT; i++) {
        fr_cell next;
        fr_field_sample sample;
        assert_true(fr_way_out_next(way_out, FR_CLASS_FOOT, way[i], &next));
        assert_true(next.x == way[i + 1].x && next.y == way[i + 1].y);
        assert_true(fr_way_out_back(way_out, FR_CLASS_FOOT, way[0], fr_cell_centre(way[i + 1]), &sample));
        assert_true(sample.direction.x == (float)(way[i].x - way[i + 1].x));
        assert_true(sample.direction.y == (float)(way[i].y - way[i + 1].y));
        assert_int_equal(sample.potential, (i + 1) * FR_STEP_STRAIGHT);
    }
    /* From elsewhere in the field cell at its end, first to that end; from farther off it is nobody's
     * business. */
    fr_field_sample sample;
    assert_true(fr_way_out_back(way_out, FR_CLASS_FOOT, way[0], fr_position_at(5.5, 2.5), &sample));
    assert_true(sample.direction.x == 0.0f && sample.direction.y == 1.0f);
    assert_false(fr_way_out_back(way_out, FR_CLASS_FOOT, way[0], fr_position_at(3.5, 2.5), &sample));
    assert_false(fr_way_out_back(way_out, FR_CLASS_FOOT, way[0], fr_cell_centre(way[0]), &sample));
    fr_way_out_destroy(way_out);
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_rectangles),
        cmocka_unit_test(test_dearest_tile_and_any_wall),
        cmocka_unit_test(test_every_cause_counts),
        cmocka_unit_test(test_field_is_that_of_the_redrawn_map),
        cmocka_unit_test(test_repair_is_rebuild),
        cmocka_unit_test(test_ways_arrive),
        cmocka_unit_test(test_ways_out_under_edits),
        cmocka_unit_test(test_ways_to_the_main_cells),
        cmocka_unit_test(test_no_ways_out_of_small_cells),
        cmocka_unit_test(test_way_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
