/* Fields of parts of a map, and parts added to them: against the field of the whole map, cell by cell. */
#include "field_scene.h"

#include "field/field_internal.h"

/* A partial field holds what lies in its extent as the whole one does, and nothing else. */
static void assert_part_of(const fr_field *whole, const fr_field *part)
{
    fr_grid grid = fr_field_grid(whole);
    uint32_t most = 0;
    for (int32_t y = 0; y < grid.height; y++) {
        for (int32_t x = 0; x < grid.width; x++) {
            fr_field_cell a = fr_field_cell_at(whole, (fr_cell){x, y});
            fr_field_cell b = fr_field_cell_at(part, (fr_cell){x, y});
            bool is_built = fr_extent_holds(&part->extent, (fr_cell){x, y}, a.integration);
            if (b.integration != (is_built ? a.integration : FR_UNREACHED) ||
                b.best != (is_built ? a.best : 0) || b.target != (is_built ? a.target : FR_TARGET_NONE)) {
                print_error("%d,%d: found %u with steps %02x to %x, expected %u with %02x to %x below %u\n",
                            x, y, b.integration, b.best, b.target, a.integration, a.best, a.target,
                            fr_extent_end(&part->extent, x, y));
                fail();
            }
            most = is_built && a.integration > most ? a.integration : most;
        }
    }
    assert_int_equal(fr_field_maximum(part), most);
}

/* A map of several blocks, seldom a whole number of them. */
static fr_map *large_map(fr_rng *rng, field_map_kind kind)
{
    int32_t width = 40 + (int32_t)fr_rng_below(rng, 130), height = 33 + (int32_t)fr_rng_below(rng, 110);
    return random_map_of_size(rng, kind, (fr_grid){width, height == width ? height + 1 : height});
}

static int random_goals(fr_rng *rng, const fr_map *map, uint32_t base_price, fr_goal *goals)
{
    int count = 1 + (int)fr_rng_below(rng, 3);
    for (int g = 0; g < count; g++) {
        goals[g].cell = random_open_cell(rng, map);
        goals[g].price = base_price + (fr_rng_below(rng, 2) == 0 ? fr_rng_below(rng, 9000) : 0);
    }
    return count;
}

/* Some cells of the map that have a way to a goal. */
static int32_t random_needs(fr_rng *rng, const scene *s, fr_cell *cells, int32_t most)
{
    int32_t count = 0;
    for (int i = 0; i < most; i++) {
        fr_cell cell = random_open_cell(rng, s->map);
        if (fr_field_value(s->field, cell) != FR_UNREACHED) {
            cells[count++] = cell;
        }
    }
    return count;
}

static int32_t count_blocks(const fr_field *field)
{
    int32_t count = 0;
    for (int32_t number = 0; number < fr_grid_block_count(field->grid); number++) {
        count += field->table[number] != FR_BLOCK_ABSENT;
    }
    return count;
}

static void test_parts_equal_the_whole(void **state)
{
    (void)state;
    fr_rng rng = {60};
    int partial = 0, extended = 0;
    for (int i = 0; i < 40; i++) {
        fr_goal goals[3];
        fr_map *map = large_map(&rng, (field_map_kind)(i % MAP_KIND_COUNT));
        bool at_limit = i % 10 == 9;
        int goal_count = random_goals(&rng, map, at_limit ? FR_INTEGRATION_MAX - 12000 : 0, goals);
        scene s = open_scene(map, goals, goal_count);
        const fr_cost_snapshot *snapshot = fr_cost_acquire(s.cost);
        fr_field *part = fr_field_reserve(s.pool, map->grid);
        for (int step = 0; step < 4; step++) {
            fr_cell cells[3];
            _Atomic int32_t progress = 0;
            fr_field_part need = {.cells = cells, .reach = fr_rng_below(&rng, 500), .progress = &progress};
            need.cell_count = random_needs(&rng, &s, cells, 3);
            if (step > 0) {
                fr_field *next = fr_field_clone(s.pool, part);
                fr_field_destroy(s.pool, part);
                part = next;
                extended += !fr_field_is_complete(part);
            }
            int32_t blocks = count_blocks(part);
            fr_field_extend(part, s.scratch, snapshot, FR_CLASS_FOOT, goals, goal_count, &need);
            fr_field_settle(s.pool, part);
            assert_part_of(s.field, part);
            assert_int_equal(progress, count_blocks(part) - blocks);
            for (int32_t c = 0; c < need.cell_count; c++) {
                assert_true(fr_field_value(part, cells[c]) != FR_UNREACHED);
            }
            partial += !fr_field_is_complete(part);
            if (fr_field_is_complete(part)) {
                assert_int_equal(fr_field_saturated(part), fr_field_saturated(s.field));
            }
        }
        fr_cost_release(s.cost, snapshot);
        close_scene(&s);
    }
    assert_true(partial > 50 && extended > 40);
}

/* Whoever stands on a cell that was wanted goes as in the whole field, however dear the ground. */
static void test_ways_are_those_of_the_whole(void **state)
{
    (void)state;
    fr_rng rng = {63};
    int partial = 0;
    for (int i = 0; i < 60; i++) {
        fr_map *map = large_map(&rng, (field_map_kind)(i % MAP_KIND_COUNT));
        int32_t patch = 3 + (int32_t)fr_rng_below(&rng, 9);
        for (int32_t c = 0; c < fr_grid_count(map->grid) && i % 2 == 0; c++) {
            fr_cell cell = fr_grid_cell(map->grid, c);
            int32_t kind = cell.x / patch * 7 + cell.y / patch * 5 + i;
            map->costs[FR_CLASS_FOOT][c] = (uint8_t)(kind % 3 == 0 ? 254 : 1 + kind % 4 * 20);
        }
        fr_goal goal = {random_open_cell(&rng, map), 0};
        scene s = open_scene(map, &goal, 1);
        fr_cell cell;
        fr_field *part = NULL;
        if (random_needs(&rng, &s, &cell, 1) == 1) {
            part = fr_field_widen(s.pool, s.scratch, s.cost, FR_CLASS_FOOT, &goal, 1, NULL, &cell, 1);
            bool met_wall;
            double way = fr_field_trace(s.field, fr_cell_centre(cell), 1e6, &met_wall, NULL, 0, NULL);
            double same = fr_field_trace(part, fr_cell_centre(cell), 1e6, &met_wall, NULL, 0, NULL);
            assert_true(way >= 0.0 && way <= same && same <= way);
            partial += !fr_field_is_complete(part);
        }
        fr_field_destroy(s.pool, part);
        close_scene(&s);
    }
    assert_true(partial > 30);
}

/* A scratch serves whole and partial builds in any order: neither leaves anything behind for the other. */
static void test_whole_and_partial_builds_alternate(void **state)
{
    (void)state;
    fr_rng rng = {61};
    fr_map *map = large_map(&rng, MAP_NOISE);
    fr_goal goal = {random_open_cell(&rng, map), 0};
    scene s = open_scene(map, &goal, 1);
    for (int i = 0; i < 12; i++) {
        fr_cell cells[2];
        fr_rect rect = {(int32_t)fr_rng_below(&rng, 40), (int32_t)fr_rng_below(&rng, 30), 6, 4};
        fr_cost_set_edit(s.cost, rect, (uint8_t)(1 + fr_rng_below(&rng, 255)));
        fr_field_destroy(s.pool, s.field);
        s.field = fr_field_build(s.pool, s.scratch, s.cost, FR_CLASS_FOOT, &goal, 1);
        const fr_cost_snapshot *snapshot = fr_cost_acquire(s.cost);
        fr_field_part need = {.cells = cells, .cell_count = random_needs(&rng, &s, cells, 2)};
        fr_field *part = fr_field_reserve(s.pool, map->grid);
        fr_field_extend(part, s.scratch, snapshot, FR_CLASS_FOOT, &goal, 1, &need);
        fr_field_settle(s.pool, part);
        assert_part_of(s.field, part);
        fr_field_destroy(s.pool, part);
        fr_cost_release(s.cost, snapshot);
    }
    close_scene(&s);
}

/* What lies far from the ways takes no memory and no time; a cell without a way takes the front through all
 * it can reach. */
static void test_a_part_takes_the_blocks_it_needs(void **state)
{
    (void)state;
    fr_goal goal = {{40, 40}, 0};
    fr_map *map = open_map(320, 200); /* 10 x 7 blocks */
    for (int32_t x = 300; x < 320; x++) {
        map->costs[FR_CLASS_FOOT][fr_grid_index(map->grid, (fr_cell){x, 180})] = FR_COST_WALL;
    }
    for (int32_t y = 180; y < 200; y++) {
        map->costs[FR_CLASS_FOOT][fr_grid_index(map->grid, (fr_cell){300, y})] = FR_COST_WALL;
    }
    scene s = open_scene(map, &goal, 1);
    size_t before = fr_field_pool_used_bytes(s.pool);
    const fr_cost_snapshot *snapshot = fr_cost_acquire(s.cost);
    const struct {
        fr_cell cell;
        size_t blocks;
        bool complete;
    } cases[] = {
        {{44, 45}, 1, false},   {{66, 40}, 4, false},
        {{63, 40}, 6, false}, /* of its block any cell may be meant */
        {{250, 40}, 23, false}, {{310, 190}, 70, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_field *part = fr_field_reserve(s.pool, map->grid);
        fr_field_part need = {.cells = &cases[i].cell, .cell_count = 1};
        fr_field_extend(part, s.scratch, snapshot, FR_CLASS_FOOT, &goal, 1, &need);
        fr_field_settle(s.pool, part);
        assert_int_equal((fr_field_pool_used_bytes(s.pool) - before) / sizeof(fr_field_block),
                         cases[i].blocks);
        assert_int_equal(fr_field_is_complete(part), cases[i].complete);
        fr_field_destroy(s.pool, part);
    }
    fr_cost_release(s.cost, snapshot);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_equal_the_whole),
        cmocka_unit_test(test_ways_are_those_of_the_whole),
        cmocka_unit_test(test_whole_and_partial_builds_alternate),
        cmocka_unit_test(test_a_part_takes_the_blocks_it_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
