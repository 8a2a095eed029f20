/* Maps made by lot: the same everywhere and for ever, because benchmarks and players name them by their seed.
 */
#include "support.h"

#include "../tools/common/map_maker.h"
#include "../tools/common/options.h"

static void test_maps_stay_the_same(void **state)
{
    (void)state;
    static const struct {
        fr_map_kind kind;
        fr_grid grid;
        uint8_t dearest;
        uint64_t hash;
    } cases[] = {
        {FR_MAP_OPEN, {96, 64}, 1, 0x8ad8453d6bff9a25u},
        {FR_MAP_OPEN, {512, 512}, 1, 0xbfdcdacb2f169165u},
        {FR_MAP_OPEN, {96, 64}, 8, 0x3340d06197caa11eu},
        {FR_MAP_OPEN, {512, 512}, 8, 0xad2880cd5c1187e8u},
        {FR_MAP_NOISE, {96, 64}, 1, 0x5911c8b757a62b03u},
        {FR_MAP_NOISE, {512, 512}, 1, 0x8ddd1775ebcc2fbdu},
        {FR_MAP_NOISE, {96, 64}, 8, 0x94c1d711a4f73c0eu},
        {FR_MAP_NOISE, {512, 512}, 8, 0x5bad15ff1fb906d9u},
        {FR_MAP_CAVE, {96, 64}, 1, 0x9e7a061fcbcd172fu},
        {FR_MAP_CAVE, {512, 512}, 1, 0x01a6e78b006ceddbu},
        {FR_MAP_CAVE, {96, 64}, 8, 0xbe0f071f87406b26u},
        {FR_MAP_CAVE, {512, 512}, 8, 0xdd1908b5db570bdfu},
        {FR_MAP_MAZE, {96, 64}, 1, 0x675639739fddfd1du},
        {FR_MAP_MAZE, {512, 512}, 1, 0x2d37df2e8fd0f855u},
        {FR_MAP_MAZE, {96, 64}, 8, 0xef832d70f0867054u},
        {FR_MAP_MAZE, {512, 512}, 8, 0xf024797b8250c31du},
        {FR_MAP_ROOMS, {96, 64}, 1, 0x650cb83a1012b391u},
        {FR_MAP_ROOMS, {512, 512}, 1, 0xbf2f5b74f6f4ae85u},
        {FR_MAP_ROOMS, {96, 64}, 8, 0xdbdc35e9e32cdc25u},
        {FR_MAP_ROOMS, {512, 512}, 8, 0x1d82557340c102aeu},
        {FR_MAP_ISLANDS, {96, 64}, 1, 0x49ba660a2ca1343du},
        {FR_MAP_ISLANDS, {512, 512}, 1, 0x71f23d3f68a8b747u},
        {FR_MAP_PASSES, {96, 64}, 1, 0xa49a1d99dedac5ddu},
        {FR_MAP_PASSES, {512, 512}, 1, 0x2253147a13e06873u},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_map *map = fr_make_map(cases[i].kind, cases[i].grid, 1, cases[i].dearest);
        uint64_t hash = fr_map_cost_hash(map, FR_CLASS_FOOT);
        if (hash != cases[i].hash) {
            fail_msg("%s %dx%d, costs to %d: found %016llx, expected %016llx: benchmarks and the maps that "
                     "people made would no longer be what they were",
                     fr_map_kind_name(cases[i].kind), cases[i].grid.width, cases[i].grid.height,
                     cases[i].dearest, (unsigned long long)hash, (unsigned long long)cases[i].hash);
        }
        fr_map_destroy(map);
    }
}

static void test_seeds_differ(void **state)
{
    (void)state;
    for (int kind = FR_MAP_NOISE; kind < FR_MAP_KIND_COUNT; kind++) {
        fr_map *one = fr_make_map((fr_map_kind)kind, (fr_grid){80, 60}, 1, 1);
        fr_map *two = fr_make_map((fr_map_kind)kind, (fr_grid){80, 60}, 2, 1);
        assert_true(fr_map_cost_hash(one, FR_CLASS_FOOT) != fr_map_cost_hash(two, FR_CLASS_FOOT));
        fr_map_destroy(one);
        fr_map_destroy(two);
    }
}

/* Smallest and thinnest maps: nothing may be written beside them (the sanitizers watch). */
static void test_any_size(void **state)
{
    (void)state;
    static const fr_grid sizes[] = {{1, 1}, {1, 200}, {200, 1}, {2, 3}, {17, 16}, {5, 6}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        for (int kind = 0; kind < FR_MAP_KIND_COUNT; kind++) {
            fr_map *map = fr_make_map((fr_map_kind)kind, sizes[s], 7, 1);
            for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
                bool looks_closed = map->terrain[i] == FR_TERRAIN_ROCK ||
                                    map->terrain[i] == FR_TERRAIN_WALL || map->terrain[i] == FR_TERRAIN_WATER;
                assert_int_equal(looks_closed, map->costs[FR_CLASS_FOOT][i] == FR_COST_WALL);
            }
            fr_map_destroy(map);
        }
    }
}

/* What each kind promises by its name. */
static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        fr_map_kind kind;
        int least_percent, most_percent; /* of open cells */
    } cases[] = {
        {FR_MAP_OPEN, 100, 100}, {FR_MAP_NOISE, 76, 84},   {FR_MAP_CAVE, 55, 80},   {FR_MAP_MAZE, 60, 90},
        {FR_MAP_ROOMS, 80, 95},  {FR_MAP_ISLANDS, 15, 60}, {FR_MAP_PASSES, 75, 95},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (uint64_t seed = 1; seed <= 5; seed++) {
            fr_map *map = fr_make_map(cases[i].kind, (fr_grid){320, 200}, seed, 1);
            int open = 0;
            for (int32_t c = 0; c < fr_grid_count(map->grid); c++) {
                open += map->costs[FR_CLASS_FOOT][c] != FR_COST_WALL;
            }
            int percent = 100 * open / fr_grid_count(map->grid);
            if (percent < cases[i].least_percent || percent > cases[i].most_percent) {
                fail_msg("%s, seed %d: %d %% open, expected %d..%d", fr_map_kind_name(cases[i].kind),
                         (int)seed, percent, cases[i].least_percent, cases[i].most_percent);
            }
            fr_map_destroy(map);
        }
    }
}

static void test_sizes_are_parsed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int32_t width, height; /* 0: refused */
    } cases[] = {
        {"300x200", 300, 200},
        {"1x1", 1, 1},
        {"16384x2", 16384, 2},
        {"16385x2", 0, 0},
        {"0x5", 0, 0},
        {"-3x5", 0, 0},
        {"3x", 0, 0},
        {"x3", 0, 0},
        {"3X5", 0, 0},
        {"3x5 ", 0, 0},
        {" 3x5", 0, 0},
        {"3x5x7", 0, 0},
        {"", 0, 0},
        {"99999999999999999999x1", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_grid size = {0, 0};
        assert_int_equal(fr_parse_size(cases[i].text, FR_MAP_SIDE_MAX, &size), cases[i].width != 0);
        assert_int_equal(size.width, cases[i].width);
        assert_int_equal(size.height, cases[i].height);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_maps_stay_the_same), cmocka_unit_test(test_seeds_differ),
        cmocka_unit_test(test_any_size),           cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_sizes_are_parsed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
