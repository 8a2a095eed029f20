/* Fields as they are kept: the pool, copies, saved fields. */
#include "field_scene.h"

#include <stdlib.h>

#include "base/memory.h"
#include "field/field_internal.h"

static void test_blocks_hold_what_was_integrated(void **state)
{
    (void)state;
    fr_rng rng = {40};
    for (int i = 0; i < 10; i++) {
        fr_goal goal = {{0, 0}, 0};
        fr_map *map = open_map(30 + 9 * i, 70 - 5 * i);
        map->costs[FR_CLASS_FOOT][fr_rng_below(&rng, 1000) + 1] = FR_COST_WALL;
        scene s = open_scene(map, &goal, 1);
        fr_rect rect = {i, 3, map->grid.width - i - 2, 20};
        uint32_t values[120 * 20];
        uint8_t arrows[120 * 20];
        fr_field_copy(s.field, rect, values, arrows);
        uint32_t most = 0;
        for (int32_t y = 0; y < map->grid.height; y++) {
            for (int32_t x = 0; x < map->grid.width; x++) {
                ptrdiff_t flat = (ptrdiff_t)y * fr_scratch_stride(s.scratch) + x;
                uint32_t value = fr_scratch_integration(s.scratch)[flat];
                assert_int_equal(fr_field_value(s.field, (fr_cell){x, y}), value);
                most = value != FR_UNREACHED && value > most ? value : most;
                int32_t rx = x - rect.x, ry = y - rect.y;
                if (rx >= 0 && ry >= 0 && rx < rect.width && ry < rect.height) {
                    assert_int_equal(values[ry * rect.width + rx], value);
                    assert_int_equal(arrows[ry * rect.width + rx], fr_scratch_directions(s.scratch)[flat]);
                }
            }
        }
        assert_int_equal(fr_field_maximum(s.field), most);
        assert_int_equal(fr_field_value(s.field, (fr_cell){-1, 0}), FR_UNREACHED);
        assert_int_equal(fr_field_value(s.field, (fr_cell){map->grid.width, 0}), FR_UNREACHED);
        close_scene(&s);
    }
}

static void test_pool_keeps_to_its_budget_without_allocating(void **state)
{
    (void)state;
    fr_grid grid = {33, 65}; /* 2 x 3 blocks */
    size_t field_bytes = 6 * sizeof(fr_field_block);
    fr_field_pool *pool = fr_field_pool_create(grid, 3 * field_bytes + 17);
    fr_field_pool *other = fr_field_pool_create(grid, field_bytes);
    assert_int_equal(fr_field_pool_budget_bytes(pool), 3 * field_bytes);
    uint64_t before = fr_alloc_count();
    fr_field *fields[3];
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < 3; i++) {
            fields[i] = fr_field_reserve(pool, grid);
            assert_non_null(fields[i]);
            assert_int_equal(fr_field_pool_used_bytes(pool), (size_t)(i + 1) * field_bytes);
        }
        assert_null(fr_field_reserve(pool, grid));
        fr_field_destroy(pool, fields[round % 3]);
        fields[round % 3] = fr_field_reserve(pool, grid);
        assert_non_null(fields[round % 3]);
        for (int i = 0; i < 3; i++) {
            fr_field_destroy(pool, fields[i]);
        }
        assert_int_equal(fr_field_pool_used_bytes(pool), 0);
    }
    assert_int_equal(fr_alloc_count(), before);
    /* What one pool hands out does not touch the other. */
    assert_non_null(fr_field_reserve(other, grid));
    assert_null(fr_field_reserve(other, grid));
    assert_int_equal(fr_field_pool_used_bytes(pool), 0);
    assert_non_null(fr_field_reserve(pool, grid));
    fr_field_destroy(pool, NULL);
    fr_field_pool_destroy(pool);
    fr_field_pool_destroy(other);
}

static void test_a_budget_below_one_field_has_no_room(void **state)
{
    (void)state;
    fr_grid grid = {40, 20};
    fr_field_pool *pool = fr_field_pool_create(grid, 2 * sizeof(fr_field_block) - 1);
    assert_null(fr_field_reserve(pool, grid));
    fr_field_pool_destroy(pool);
}

static void test_fields_of_one_pool_do_not_mix(void **state)
{
    (void)state;
    fr_goal goal = {{1, 1}, 0}, other_goal = {{60, 30}, 0};
    scene s = open_scene(open_map(70, 40), &goal, 1);
    fr_field *passing = fr_field_build(s.pool, s.scratch, s.cost, FR_CLASS_FOOT, &goal, 1);
    fr_field *second = fr_field_build(s.pool, s.scratch, s.cost, FR_CLASS_FOOT, &other_goal, 1);
    fr_field_destroy(s.pool, passing);
    fr_field *third = fr_field_build(s.pool, s.scratch, s.cost, FR_CLASS_FOOT, &other_goal, 1);
    for (int32_t y = 0; y < 40; y++) {
        for (int32_t x = 0; x < 70; x++) {
            int32_t dx = abs(x - 1), dy = abs(y - 1), least = dx < dy ? dx : dy;
            uint32_t expected = (uint32_t)(70 * (dx + dy) - (140 - 99) * least);
            assert_int_equal(fr_field_value(s.field, (fr_cell){x, y}), expected);
            assert_int_equal(fr_field_value(second, (fr_cell){x, y}), fr_field_value(third, (fr_cell){x, y}));
        }
    }
    close_scene(&s);
}

/* A clone costs nothing until it is written, writes only its own blocks, and both can go in either order. */
static void test_clones_share_what_they_do_not_change(void **state)
{
    (void)state;
    fr_goal goal = {{1, 1}, 0};
    for (int order = 0; order < 2; order++) {
        scene s = open_scene(open_map(70, 40), &goal, 1); /* 3 x 2 blocks */
        size_t field_bytes = fr_field_pool_used_bytes(s.pool);
        fr_field *clone = fr_field_clone(s.pool, s.field);
        assert_int_equal(fr_field_pool_used_bytes(s.pool), 2 * field_bytes);
        uint32_t kept = fr_field_value(s.field, (fr_cell){40, 5});
        fr_field_block *block = fr_field_block_own(clone, 1);
        assert_ptr_equal(block, fr_field_block_own(clone, 1));
        assert_int_equal(fr_field_value(clone, (fr_cell){40, 5}), kept);
        block->integration[fr_block_index((fr_cell){40, 5})] = 7;
        fr_field_settle(s.pool, clone);
        assert_int_equal(fr_field_pool_used_bytes(s.pool), field_bytes + sizeof(fr_field_block));
        assert_int_equal(fr_field_value(clone, (fr_cell){40, 5}), 7);
        assert_int_equal(fr_field_value(s.field, (fr_cell){40, 5}), kept);
        assert_int_equal(fr_field_value(clone, (fr_cell){10, 35}),
                         fr_field_value(s.field, (fr_cell){10, 35}));
        assert_int_equal(fr_field_maximum(clone), fr_field_maximum(s.field));
        assert_true(fr_field_is_complete(clone));
        fr_field_destroy(s.pool, order == 0 ? s.field : clone);
        assert_int_equal(fr_field_pool_used_bytes(s.pool), field_bytes);
        fr_field *left = order == 0 ? clone : s.field;
        assert_int_equal(fr_field_value(left, (fr_cell){40, 5}), order == 0 ? 7 : kept);
        fr_field_destroy(s.pool, left);
        assert_int_equal(fr_field_pool_used_bytes(s.pool), 0);
        close_scene(&s);
    }
}

/* One block of a map of 3 x 2 is written: the others read as unreached and take no memory. */
static void test_absent_blocks_are_unreached_and_free(void **state)
{
    (void)state;
    fr_goal goal = {{1, 1}, 0};
    scene s = open_scene(open_map(70, 40), &goal, 1);
    size_t before = fr_field_pool_used_bytes(s.pool);
    fr_field *field = fr_field_reserve(s.pool, s.map->grid);
    fr_field_block *block = fr_field_block_own(field, 1);
    assert_int_equal(block->integration[5], FR_UNREACHED);
    block->integration[fr_block_index((fr_cell){33, 1})] = 70;
    block->target[fr_block_index((fr_cell){33, 1})] = fr_target_at((fr_cell){33, 1});
    field->extent = (fr_extent){{33, 1, 1, 1}, 71};
    field->maximum = 70;
    fr_field_settle(s.pool, field);
    assert_int_equal(fr_field_pool_used_bytes(s.pool), before + sizeof(fr_field_block));
    assert_false(fr_field_is_complete(field));
    for (int32_t y = 0; y < 40; y++) {
        for (int32_t x = 0; x < 70; x++) {
            bool written = x == 33 && y == 1;
            assert_int_equal(fr_field_value(field, (fr_cell){x, y}), written ? 70 : FR_UNREACHED);
            fr_position centre = fr_cell_centre((fr_cell){x, y});
            assert_int_equal(fr_field_sample_at(field, centre).kind,
                             written ? FR_SAMPLE_GOAL : FR_SAMPLE_NONE);
        }
    }
    fr_buffer bytes = {0};
    fr_field_save(field, &bytes);
    fr_reader reader = {bytes.data, bytes.size, 0};
    fr_field *loaded = fr_field_load(s.pool, &reader);
    assert_non_null(loaded);
    assert_int_equal(reader.at, reader.size);
    assert_int_equal(fr_field_pool_used_bytes(s.pool), before + 2 * sizeof(fr_field_block));
    assert_int_equal(loaded->extent.limit, 71);
    assert_int_equal(fr_field_value(loaded, (fr_cell){33, 1}), 70);
    assert_int_equal(fr_field_value(loaded, (fr_cell){34, 1}), FR_UNREACHED);
    /* A value at the limit or above it was not built. */
    bytes.data[12] = 70;
    reader.at = 0;
    assert_null(fr_field_load(s.pool, &reader));
    fr_buffer_fini(&bytes);
    close_scene(&s);
}

static void test_saved_fields_come_back(void **state)
{
    (void)state;
    fr_rng rng = {41};
    for (int i = 0; i < MAP_KIND_COUNT; i++) {
        fr_map *map = random_map(&rng, (field_map_kind)i);
        fr_goal goal = {random_open_cell(&rng, map), i == 0 ? FR_INTEGRATION_MAX - 300 : 0};
        scene s = open_scene(map, &goal, 1);
        fr_buffer bytes = {0};
        fr_field_save(s.field, &bytes);
        fr_reader reader = {bytes.data, bytes.size, 0};
        fr_field *loaded = fr_field_load(s.pool, &reader);
        assert_non_null(loaded);
        assert_int_equal(reader.at, reader.size);
        assert_int_equal(fr_field_maximum(loaded), fr_field_maximum(s.field));
        assert_int_equal(fr_field_saturated(loaded), fr_field_saturated(s.field));
        fr_buffer again = {0};
        fr_field_save(loaded, &again);
        assert_int_equal(again.size, bytes.size);
        assert_memory_equal(again.data, bytes.data, bytes.size);
        fr_buffer_fini(&again);
        fr_buffer_fini(&bytes);
        close_scene(&s);
    }
}

/* Whatever the bytes say: refused, or a field that can be sampled and traced without leaving memory. */
static void test_broken_saved_fields_do_no_harm(void **state)
{
    (void)state;
    const char *const rows[] = {"...#....", "...#.##.", ".....#g.", NULL};
    scene s = open_picture(rows);
    fr_buffer bytes = {0};
    fr_field_save(s.field, &bytes);
    size_t used = fr_field_pool_used_bytes(s.pool);
    for (size_t size = 0; size < bytes.size; size += 1 + size / 7) {
        fr_reader cut = {bytes.data, size, 0};
        assert_null(fr_field_load(s.pool, &cut));
        assert_int_equal(fr_field_pool_used_bytes(s.pool), used);
    }
    fr_rng rng = {42};
    int refused = 0;
    for (int i = 0; i < 300; i++) {
        /* The first rows of the block, where something stands, are the most rewarding place. */
        size_t at =
            i % 2 == 0 ? fr_rng_below(&rng, 18 + 3 * 32 * 5) : fr_rng_below(&rng, (uint32_t)bytes.size);
        uint8_t kept = bytes.data[at];
        bytes.data[at] = (uint8_t)(kept ^ (1u << fr_rng_below(&rng, 8)));
        fr_reader reader = {bytes.data, bytes.size, 0};
        fr_field *loaded = fr_field_load(s.pool, &reader);
        refused += loaded == NULL;
        for (int k = 0; loaded != NULL && k < 50; k++) {
            fr_field_trace(loaded, random_position(&rng, s.map->grid), 50.0, NULL, NULL, 0, NULL);
        }
        fr_field_destroy(s.pool, loaded);
        bytes.data[at] = kept;
    }
    assert_in_range(refused, 150, 299);
    /* Values above the stated maximum. */
    uint8_t maximum[4];
    memcpy(maximum, bytes.data + 8, 4);
    memset(bytes.data + 8, 0, 4);
    fr_reader lowered = {bytes.data, bytes.size, 0};
    assert_null(fr_field_load(s.pool, &lowered));
    memcpy(bytes.data + 8, maximum, 4);
    /* A step that leads out of the map. */
    bytes.data[18 + 4] = 1u << FR_DIR_N;
    fr_reader reader = {bytes.data, bytes.size, 0};
    assert_null(fr_field_load(s.pool, &reader));
    fr_buffer_fini(&bytes);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_hold_what_was_integrated),
        cmocka_unit_test(test_pool_keeps_to_its_budget_without_allocating),
        cmocka_unit_test(test_a_budget_below_one_field_has_no_room),
        cmocka_unit_test(test_fields_of_one_pool_do_not_mix),
        cmocka_unit_test(test_clones_share_what_they_do_not_change),
        cmocka_unit_test(test_absent_blocks_are_unreached_and_free),
        cmocka_unit_test(test_saved_fields_come_back),
        cmocka_unit_test(test_broken_saved_fields_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
