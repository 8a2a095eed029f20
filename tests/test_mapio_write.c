/* Maps that were written come back as they were: costs, kinds, spawns. And base64 as in RFC 4648. */
#include "support.h"

#include "base/memory.h"
#include "mapio/codec.h"
#include "mapio/map_writer.h"
#include "mapio/mapio.h"

static fr_status no_files(void *self, const char *path, fr_buffer *out, fr_error *error)
{
    (void)self, (void)out;
    return fr_fail(error, FR_IO_FAILED, "%s: no such file", path);
}

static fr_map *load(const char *path, const fr_buffer *text)
{
    fr_io io = {.read = no_files};
    fr_error error = {0};
    fr_map *map = fr_map_load_bytes(&io, path, text->data, text->size, &error);
    if (map == NULL) {
        fail_msg("%s", error.message);
    }
    return map;
}

static void expect_same_ground(const fr_map *found, const fr_map *expected)
{
    size_t count = (size_t)fr_grid_count(expected->grid);
    assert_int_equal(found->grid.width, expected->grid.width);
    assert_int_equal(found->grid.height, expected->grid.height);
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        assert_memory_equal(found->costs[c], expected->costs[c], count);
    }
    assert_memory_equal(found->terrain, expected->terrain, count);
    assert_int_equal(found->full_speed_cost, expected->full_speed_cost);
    assert_int_equal(found->nav_shift, expected->nav_shift);
}

/* A map of many tiles: every cell has costs of its own for each class. */
static fr_map *motley_map(fr_grid grid)
{
    fr_map *map = fr_map_create("motley", grid);
    for (int32_t i = 0; i < fr_grid_count(grid); i++) {
        map->costs[FR_CLASS_FOOT][i] = (uint8_t)(1 + i % 255);
        map->terrain[i] = (uint8_t)(i % FR_TERRAIN_COUNT);
    }
    fr_map_share_costs(map);
    map->costs[FR_CLASS_HOVER] = fr_alloc((size_t)fr_grid_count(grid), 1);
    for (int32_t i = 0; i < fr_grid_count(grid); i++) {
        map->costs[FR_CLASS_HOVER][i] = (uint8_t)(1 + i / 3 % 255);
    }
    map->full_speed_cost = 3;
    return map;
}

static void test_tiled_comes_back(void **state)
{
    (void)state;
    static const fr_grid sizes[] = {{1, 1}, {7, 3}, {90, 40}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        fr_map *map = motley_map(sizes[s]);
        map->nav_shift = (int32_t)s - 1;
        map->spawns = fr_alloc(2, sizeof *map->spawns);
        map->spawn_count = 2;
        map->spawns[0] = (fr_spawn){0.5f, 0.25f, 0, 0, -1, 0, FR_CLASS_FOOT, 0.4f, 4.0f};
        map->spawns[1] = (fr_spawn){0, 0, 1, 1, 12, 3, FR_CLASS_HOVER, 0.7f, 2.5f};
        fr_buffer text = {0};
        fr_ground_tile *tiles;
        int32_t tile_count;
        fr_map_write_tiled(map, "m-tiles.bmp", &text, &tiles, &tile_count);
        /* Costs of foot come round after 255 cells, kinds after 10, and hover's with the rest after 765. */
        assert_int_equal(tile_count, fr_grid_count(sizes[s]) < 1530 ? fr_grid_count(sizes[s]) : 1530);
        assert_int_equal(tiles[0].costs[FR_CLASS_FOOT], 1);
        fr_map *again = load("m.tmj", &text);
        expect_same_ground(again, map);
        assert_true(again->has_terrain);
        assert_int_equal(again->spawn_count, 2);
        assert_memory_equal(again->spawns, map->spawns, 2 * sizeof *map->spawns);
        assert_string_equal(again->tilesets[0].image, "m-tiles.bmp");
        assert_int_equal(again->warning_count, 1); /* the picture is not there */
        fr_map_destroy(again);
        fr_map_destroy(map);
        fr_free(tiles);
        fr_buffer_fini(&text);
    }
}

static void test_movingai_comes_back(void **state)
{
    (void)state;
    static const char text[] = "type octile\nheight 2\nwidth 5\nmap\n.S@TW\n@..SW\n";
    fr_buffer in = {0}, out = {0};
    fr_buffer_append(&in, text, sizeof text - 1);
    fr_map *map = load("a.map", &in);
    assert_int_equal(fr_map_write_movingai(map, &out), 0);
    fr_buffer_append(&out, "", 1);
    assert_string_equal((const char *)out.data, text);
    fr_map_destroy(map);
    fr_buffer_fini(&in);
    fr_buffer_fini(&out);
}

static void test_movingai_counts_lost_costs(void **state)
{
    (void)state;
    static const char *const rows[] = {"1.2#", "#39.", NULL};
    fr_map *map = map_from_picture(rows);
    fr_buffer out = {0};
    assert_int_equal(fr_map_write_movingai(map, &out), 3);
    fr_buffer_append(&out, "", 1);
    assert_string_equal((const char *)out.data, "type octile\nheight 2\nwidth 4\nmap\n...@\n@...\n");
    fr_map_destroy(map);
    fr_buffer_fini(&out);
}

static void test_base64(void **state)
{
    (void)state;
    static const struct {
        const char *plain, *packed;
    } cases[] = {{"", ""},        {"f", "Zg=="},          {"fo", "Zm8="},
                 {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}, {"\xff\xfe", "//4="}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_buffer packed = {0}, plain = {0};
        fr_base64_encode(cases[i].plain, strlen(cases[i].plain), &packed);
        fr_buffer_append(&packed, "", 1);
        assert_string_equal((const char *)packed.data, cases[i].packed);
        assert_true(fr_base64_decode(cases[i].packed, &plain));
        fr_buffer_append(&plain, "", 1);
        assert_string_equal((const char *)plain.data, cases[i].plain);
        fr_buffer_fini(&packed);
        fr_buffer_fini(&plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiled_comes_back),
        cmocka_unit_test(test_movingai_comes_back),
        cmocka_unit_test(test_movingai_counts_lost_costs),
        cmocka_unit_test(test_base64),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
