/* Maps and scenarios of the grid benchmark, grids inside scenarios, and the summary of a map. */
#include "support.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/rng.h"
#include "memory_io.h"

static fr_map *load_map(const char *text, fr_error *error)
{
    return fr_map_load_bytes(NULL, "some/folder/small.map", text, strlen(text), error);
}

static void test_movingai_letters(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "type octile\nheight 2\nwidth 4\nmap\n.GS@\nOTW.\n",
        "type octile\r\nwidth 4\r\nheight 2\r\nmap\r\n.GS@\r\nOTW.",
        "type octile\nheight 2\nwidth 4\nmap\n.GS@\nOTW.\n\n\n",
    };
    static const uint8_t kinds[] = {FR_TERRAIN_GRASS, FR_TERRAIN_GRASS,  FR_TERRAIN_SWAMP, FR_TERRAIN_ROCK,
                                    FR_TERRAIN_ROCK,  FR_TERRAIN_FOREST, FR_TERRAIN_WATER, FR_TERRAIN_GRASS};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fr_error error = {0};
        fr_map *map = load_map(texts[i], &error);
        assert_string_equal(error.message, "");
        assert_true(costs_are(map, FR_CLASS_FOOT, "111#\n###1\n"));
        assert_true(costs_are(map, FR_CLASS_HOVER, "111#\n###1\n"));
        assert_true(costs_are(map, FR_CLASS_AIR, "1111\n1111\n"));
        assert_memory_equal(map->terrain, kinds, sizeof kinds);
        assert_true(map->has_terrain);
        assert_int_equal(map->format, FR_MAP_MOVINGAI);
        assert_string_equal(map->name, "small");
        fr_map_destroy(map);
    }
}

static void test_bad_movingai_maps(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "some/folder/small.map: 1:1: the file ends too early"},
        {"octile\n", "1:1: found \"octile\", expected type octile"},
        {"type tile\n", "1:1: found \"type tile\""},
        {"type octile\nheight 2\n", "3:1: the file ends too early"},
        {"type octile\nheight 2\nmap\n", "3:1: found \"map\", expected height, width, then map"},
        {"type octile\nheight 2\nheight 2\n", "3:1: found \"height 2\", expected each side once"},
        {"type octile\nheight 0\n", "2:1: found \"height 0\", expected a side of 1..16384"},
        {"type octile\nheight -1\n", "2:1: found \"height -1\""},
        {"type octile\nheight 99999999999\n", "2:1: found \"height 99999999999\""},
        {"type octile\nheight 2x\n", "2:1: found \"height 2x\""},
        {"type octile\nheight 16384\nwidth 16384\nmap\n", "the map is too large"},
        {"type octile\nheight 4096\nwidth 4096\nmap\n...\n", "5:1: found fewer cells than 4096 x 4096"},
        {"type octile\nheight 2\nwidth 3\nmap\n...\n..", "6:3: found a row of 2 cells, expected 3"},
        {"type octile\nheight 2\nwidth 3\nmap\n...\n..   \n", "6:3: found '?'"},
        {"type octile\nheight 2\nwidth 3\nmap\n......\n", "5:4: found a row of 6 cells, expected 3"},
        {"type octile\nheight 2\nwidth 3\nmap\n...\n...\n...\n", "7:1: text after the last row"},
        {"type octile\nheight 1\nwidth 3\nmap\n.\xc3\xa9.\n", "5:2: found '?', expected one of"},
        {"type oct\xff\x80\033[1m\n", "1:1: found \"type oct???[1m\", expected"},
        {"type octile\nh\xc3\xb6he 3\n", "2:1: found \"h\xc3\xb6he 3\", expected"},
        {"type abcdefghijklmnopqrstuvwxyz01234567\xc3\xa9\n", "01234567?\", expected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_error error = {0};
        assert_null(load_map(cases[i].text, &error));
        expect_message(cases[i].text, &error, cases[i].message);
    }
}

static void test_scenario_lines(void **state)
{
    (void)state;
    static const memory_file files[] = {{"a.scen", "version 1.0\r\n"
                                                   "0\tmaps/a b.map\t49\t48\t1\t11\t2\t12\t1.41421356\r\n"
                                                   "3 a.map 49 48 5 6 5 6 0\n"
                                                   "9\ta.map\t49\t48\t1\t1\t9\t9\t12.5\t\n"
                                                   "\n"},
                                        {NULL, NULL}};
    fr_io io = memory_io(files);
    fr_error error = {0};
    fr_scen_line *lines = NULL;
    int32_t count = 0;
    assert_int_equal(fr_scen_load(&io, "a.scen", &lines, &count, &error), FR_OK);
    assert_int_equal(count, 3);
    assert_int_equal(lines[0].width, 49);
    assert_int_equal(lines[0].height, 48);
    assert_int_equal(lines[0].start.y, 11);
    assert_int_equal(lines[0].goal.x, 2);
    assert_true(lines[0].length == 1.41421356);
    assert_true(lines[0].tolerance > 4.9e-9 && lines[0].tolerance < 5.1e-9);
    assert_true(lines[1].tolerance == 0.5 && lines[1].length == 0.0);
    assert_true(lines[2].tolerance == 0.05 && lines[2].length == 12.5);
    assert_int_equal(lines[2].line, 4);
    fr_free(lines);
}

static void test_bad_scenario_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "a.scen: 1:1: expected \"version 1\""},
        {"version 2\n", "a.scen: 1:1: expected \"version 1\""},
        {"version 1\n0\ta.map\t3\t2\t0\t0\t1\t0\n", "a.scen: 2:1: expected bucket"},
        {"version 1\n0\ta.map\t3\t2\t0\t0\t1\t0\t1\t1\n", "a.scen: 2:1: expected bucket"},
        {"version 1\n0\ta.map\t3\t2\t0\t-1\t1\t0\t1\n", "a.scen: 2:1: expected bucket"},
        {"version 1\n0\ta.map\t3\t2\t0\t0\t1\t0\t1e3\n", "a.scen: 2:1: expected bucket"},
        {"version 1\n0\ta.map\t3\t2\t0\t0\t1\t0\t.\n", "a.scen: 2:1: expected bucket"},
        {"version 1\n\n0\ta.map\t3\t2\t0\t0\t1\t0\t1.2.3\n", "a.scen: 3:1: expected bucket"},
        {"version 1\n0\ta.map\t3\t2\t0\t0\t1\t\t1\n", "a.scen: 2:1: expected bucket"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const memory_file files[] = {{"a.scen", cases[i].text}, {NULL, NULL}};
        fr_io io = memory_io(files);
        fr_error error = {0};
        fr_scen_line *lines = NULL;
        int32_t count = 7;
        assert_int_not_equal(fr_scen_load(&io, "a.scen", &lines, &count, &error), FR_OK);
        expect_message(cases[i].text, &error, cases[i].message);
        assert_null(lines);
        assert_int_equal(count, 7);
    }
}

static fr_map *load_rows(const char *text, fr_error *error)
{
    fr_buffer bytes = {0};
    append_quoted(&bytes, text);
    fr_json *json = fr_json_parse("s.json", bytes.data, bytes.size, error);
    fr_map *map = json == NULL ? NULL : fr_map_from_rows("s.json", json, fr_json_root(json), error);
    fr_json_destroy(json);
    fr_buffer_fini(&bytes);
    return map;
}

static void test_rows(void **state)
{
    (void)state;
    fr_error error = {0};
    fr_map *map = load_rows("{'rows':['..##','..f.'],'legend':{'.':1,'#':255,'f':3}}", &error);
    assert_string_equal(error.message, "");
    assert_true(costs_are(map, FR_CLASS_FOOT, "11##\n1131\n"));
    assert_true(costs_are(map, FR_CLASS_AIR, "1111\n1111\n"));
    assert_int_equal(map->format, FR_MAP_INLINE);
    fr_map_destroy(map);
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"{'rows':['..'],'legend':{'.':1},'x':1}", "s.json: $.x: unknown key"},
        {"{'legend':{'.':1}}", "\"rows\" is missing"},
        {"{'rows':['..']}", "\"legend\" is missing"},
        {"{'rows':[],'legend':{'.':1}}", "$.rows: expected rows"},
        {"{'rows':['..','.'],'legend':{'.':1}}", "$.rows[1]: found 1 letters, expected 2"},
        {"{'rows':['..',''],'legend':{'.':1}}", "$.rows[1]: expected a row"},
        {"{'rows':['..',3],'legend':{'.':1}}", "$.rows[1]: expected a row"},
        {"{'rows':['.x'],'legend':{'.':1}}", "$.rows[0]: letter 2 is not in the legend"},
        {"{'rows':['.\xc3\xa9'],'legend':{'.':1}}", "$.rows[0]: letter 2 is not in the legend"},
        {"{'rows':['.'],'legend':{'.':0}}", "$.legend..: found 0, expected a whole number in 1..255"},
        {"{'rows':['.'],'legend':{'..':1}}", "expected one ASCII letter"},
        {"{'rows':['.'],'legend':{'.':1,'.':2}}", "this letter appears twice"},
        {"{'rows':['.'],'legend':[1]}", "$.legend: expected letters"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_null(load_rows(cases[i].text, &error));
        expect_message(cases[i].text, &error, cases[i].message);
    }
}

static void test_summary(void **state)
{
    (void)state;
    fr_error error = {0};
    /* Areas that touch at a corner are two: no unit gets through. */
    fr_map *map = load_map("type octile\nheight 3\nwidth 4\nmap\n..@.\n@@..\n.@@@\n", &error);
    fr_map_warn(map, "odd");
    fr_buffer out = {0};
    fr_map_write_summary(map, &out);
    fr_json *json = fr_json_parse("summary", out.data, out.size, &error);
    assert_non_null(json);
    assert_int_equal(out.data[out.size - 1], '\n');
    const fr_json_value *root = fr_json_root(json);
    static const struct {
        const char *key;
        int value;
    } numbers[] = {{"width", 4},   {"height", 3},         {"passable", 6},
                   {"regions", 3}, {"largest_region", 3}, {"spawns", 0}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        assert_int_equal((int)fr_json_number_or(fr_json_get(root, numbers[i].key), -1), numbers[i].value);
    }
    assert_string_equal(fr_json_string_or(fr_json_get(root, "map"), ""), "some/folder/small.map");
    assert_string_equal(fr_json_string_or(fr_json_get(root, "format"), ""), "movingai");
    assert_string_equal(fr_json_string_or(fr_json_first(fr_json_get(root, "warnings")), ""), "odd");
    static const uint8_t bytes[] = {4, 0, 0, 0, 3, 0, 0, 0, 1, 1, 255, 1, 255, 255, 1, 1, 1, 255, 255, 255};
    char hash[24];
    snprintf(hash, sizeof hash, "%016llx",
             (unsigned long long)fr_hash_bytes(FR_HASH_SEED, bytes, sizeof bytes));
    assert_string_equal(fr_json_string_or(fr_json_get(fr_json_get(root, "cost_hash"), "foot"), ""), hash);
    assert_int_equal(fr_json_count(fr_json_get(root, "cost_hash")), FR_CLASS_COUNT);
    fr_json_destroy(json);
    fr_buffer_fini(&out);
    fr_map_destroy(map);
}

/* Cells of the area around a cell, which are walls afterwards. */
static int fill(uint8_t *costs, fr_grid grid, fr_cell cell)
{
    if (!fr_grid_contains(grid, cell) || costs[fr_grid_index(grid, cell)] == FR_COST_WALL) {
        return 0;
    }
    costs[fr_grid_index(grid, cell)] = FR_COST_WALL;
    int cells = 1;
    for (int d = 0; d < FR_DIR_COUNT; d += 2) {
        cells += fill(costs, grid, (fr_cell){cell.x + FR_STEPS[d].dx, cell.y + FR_STEPS[d].dy});
    }
    return cells;
}

static int summary_number(const fr_map *map, const char *key)
{
    fr_buffer out = {0};
    fr_map_write_summary(map, &out);
    fr_json *json = fr_json_parse("summary", out.data, out.size, NULL);
    int number = (int)fr_json_number_or(fr_json_get(fr_json_root(json), key), -1);
    fr_json_destroy(json);
    fr_buffer_fini(&out);
    return number;
}

/* Areas against a flood fill, on maps from almost open to almost closed. */
static void test_areas(void **state)
{
    (void)state;
    static const fr_grid sizes[] = {{1, 1}, {1, 40}, {40, 1}, {33, 20}, {20, 33}};
    fr_rng rng = {5};
    for (int i = 0; i < 100; i++) {
        fr_map *map = fr_map_create("noise", sizes[i % 5]);
        uint8_t *costs = map->costs[FR_CLASS_FOOT], left[40 * 40];
        int32_t count = fr_grid_count(map->grid);
        for (int32_t c = 0; c < count; c++) {
            costs[c] = fr_rng_below(&rng, 100) < (uint32_t)i ? FR_COST_WALL : 3;
            left[c] = costs[c];
        }
        int regions = 0, largest = 0, passable = 0;
        for (int32_t c = 0; c < count; c++) {
            int cells = fill(left, map->grid, fr_grid_cell(map->grid, c));
            regions += cells > 0;
            passable += cells;
            largest = cells > largest ? cells : largest;
        }
        assert_int_equal(summary_number(map, "regions"), regions);
        assert_int_equal(summary_number(map, "largest_region"), largest);
        assert_int_equal(summary_number(map, "passable"), passable);
        fr_map_destroy(map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_movingai_letters),
        cmocka_unit_test(test_bad_movingai_maps),
        cmocka_unit_test(test_scenario_lines),
        cmocka_unit_test(test_bad_scenario_lines),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_summary),
        cmocka_unit_test(test_areas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
