/* Our own maps and scenarios: they load without a warning and hold what the README and the scenes promise of
 * them (one region, bridges wide enough for a crowd, a gap of seven cells, room at the goals). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "base/memory.h"
#include "files/stdio_io.h"
#include "mapio/mapio.h"
#include "sim/scenario.h"

static fr_map *load_map(const char *path)
{
    fr_io io = fr_stdio_io("test_maps");
    fr_error error = {{0}};
    fr_map *map = fr_map_load(&io, path, &error);
    if (map == NULL) {
        fail_msg("%s", error.message);
    }
    for (int i = 0; i < map->warning_count; i++) {
        fail_msg("%s: warning: %s", path, map->warnings[i]);
    }
    return map;
}

static bool is_open(const fr_map *map, fr_class movement_class, int x, int y)
{
    return fr_grid_contains(map->grid, (fr_cell){x, y}) &&
           map->costs[movement_class][fr_grid_index(map->grid, (fr_cell){x, y})] != FR_COST_WALL;
}

static fr_terrain kind_at(const fr_map *map, int x, int y)
{
    return (fr_terrain)map->terrain[fr_grid_index(map->grid, (fr_cell){x, y})];
}

/* Number of 4-connected patches among the cells where member(map, cell) holds; *smallest: size of the least.
 */
typedef bool (*member_fn)(const fr_map *map, int x, int y);
static int count_patches(const fr_map *map, member_fn member, int *smallest)
{
    int cells = fr_grid_count(map->grid), patches = 0;
    bool *seen = fr_alloc((size_t)cells, sizeof(bool));
    int *stack = fr_alloc((size_t)cells, sizeof(int));
    *smallest = cells;
    for (int start = 0; start < cells; start++) {
        fr_cell first = fr_grid_cell(map->grid, start);
        if (seen[start] || !member(map, first.x, first.y)) {
            continue;
        }
        int top = 0, size = 0;
        stack[top++] = start;
        seen[start] = true;
        patches++;
        while (top > 0) {
            fr_cell cell = fr_grid_cell(map->grid, stack[--top]);
            size++;
            for (int direction = FR_DIR_E; direction < FR_DIR_COUNT; direction += 2) {
                fr_cell next = {cell.x + FR_STEPS[direction].dx, cell.y + FR_STEPS[direction].dy};
                if (!fr_grid_contains(map->grid, next)) {
                    continue;
                }
                int index = fr_grid_index(map->grid, next);
                if (!seen[index] && member(map, next.x, next.y)) {
                    seen[index] = true;
                    stack[top++] = index;
                }
            }
        }
        *smallest = size < *smallest ? size : *smallest;
    }
    fr_free(seen);
    fr_free(stack);
    return patches;
}

static bool open_for_foot(const fr_map *map, int x, int y)
{
    return is_open(map, FR_CLASS_FOOT, x, y);
}

static bool is_water(const fr_map *map, int x, int y)
{
    return kind_at(map, x, y) == FR_TERRAIN_WATER;
}

static bool is_rock(const fr_map *map, int x, int y)
{
    return kind_at(map, x, y) == FR_TERRAIN_ROCK;
}

static bool is_bridge(const fr_map *map, int x, int y)
{
    return kind_at(map, x, y) == FR_TERRAIN_BRIDGE;
}

static bool is_shallow(const fr_map *map, int x, int y)
{
    return kind_at(map, x, y) == FR_TERRAIN_SHALLOW;
}

typedef struct map_fact {
    const char *path;
    int width, height, spawns;
} map_fact;
static const map_fact MAPS[] = {
    {"maps/vale.tmj", 256, 192, 5}, {"maps/pass.tmj", 160, 96, 2}, {"maps/maze.tmj", 64, 64, 1}};

/* Every class finds the costs that the tileset states, and foot one region on every map. */
static void maps_load_and_are_one_region(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof MAPS / sizeof *MAPS; i++) {
        fr_map *map = load_map(MAPS[i].path);
        int smallest;
        assert_int_equal(map->grid.width, MAPS[i].width);
        assert_int_equal(map->grid.height, MAPS[i].height);
        assert_int_equal(map->spawn_count, MAPS[i].spawns);
        assert_int_equal(map->full_speed_cost, 2);
        assert_true(map->has_terrain);
        assert_int_equal(count_patches(map, open_for_foot, &smallest), 1);
        fr_map_destroy(map);
    }
}

typedef struct cost_fact {
    fr_terrain kind;
    int foot, wheels, hover;
} cost_fact;
static const cost_fact COSTS[] = {
    {FR_TERRAIN_GRASS, 2, 2, 2}, {FR_TERRAIN_WATER, 255, 255, 2}, {FR_TERRAIN_SHALLOW, 5, 8, 2},
    {FR_TERRAIN_SAND, 3, 3, 2},  {FR_TERRAIN_FOREST, 6, 255, 6},  {FR_TERRAIN_ROCK, 255, 255, 255},
    {FR_TERRAIN_ROAD, 1, 1, 1},  {FR_TERRAIN_BRIDGE, 1, 1, 1},    {FR_TERRAIN_SWAMP, 6, 12, 3},
};

static void vale_has_every_ground_at_its_cost(void **state)
{
    (void)state;
    fr_map *map = load_map("maps/vale.tmj");
    for (size_t i = 0; i < sizeof COSTS / sizeof *COSTS; i++) {
        int cells = 0;
        for (int index = 0; index < fr_grid_count(map->grid); index++) {
            if (map->terrain[index] == COSTS[i].kind) {
                assert_int_equal(map->costs[FR_CLASS_FOOT][index], COSTS[i].foot);
                assert_int_equal(map->costs[FR_CLASS_WHEELS][index], COSTS[i].wheels);
                assert_int_equal(map->costs[FR_CLASS_HOVER][index], COSTS[i].hover);
                assert_int_equal(map->costs[FR_CLASS_AIR][index], 1);
                cells++;
            }
        }
        if (cells == 0) {
            fail_msg("no cell of %s", fr_terrain_name(COSTS[i].kind));
        }
    }
    fr_map_destroy(map);
}

/* Two bridges, each at least eight cells wide all along, and one ford; no speckle of water or rock. */
static void vale_has_two_wide_bridges_and_a_ford(void **state)
{
    (void)state;
    fr_map *map = load_map("maps/vale.tmj");
    int smallest;
    assert_int_equal(count_patches(map, is_bridge, &smallest), 2);
    assert_int_equal(count_patches(map, is_shallow, &smallest), 1);
    assert_true(smallest >= 60);
    count_patches(map, is_water, &smallest);
    assert_true(smallest >= 20);
    count_patches(map, is_rock, &smallest);
    assert_true(smallest >= 4);
    for (int x = 0; x < map->grid.width; x++) {
        for (int y = 0, run = 0; y < map->grid.height; y++) {
            bool bridge = is_bridge(map, x, y);
            if (!bridge && run > 0) {
                assert_in_range(run, 8, 12);
            }
            run = bridge ? run + 1 : 0;
        }
    }
    fr_map_destroy(map);
}

/* Blue starts in the west and orange in the east, with room for ten times the units that the game brings. */
static void vale_starts_have_room(void **state)
{
    (void)state;
    fr_map *map = load_map("maps/vale.tmj");
    for (int i = 0; i < map->spawn_count; i++) {
        const fr_spawn *spawn = &map->spawns[i];
        int open = 0;
        for (int y = (int)spawn->y; y < (int)(spawn->y + spawn->height); y++) {
            for (int x = (int)spawn->x; x < (int)(spawn->x + spawn->width); x++) {
                open += open_for_foot(map, x, y);
            }
        }
        assert_int_equal(spawn->count, -1);
        assert_int_equal(spawn->team, spawn->x < 128.0f ? 0 : 1);
        assert_true(open >= 500);
    }
    fr_map_destroy(map);
}

/* One cost everywhere, and at the narrowest seven open cells from north to south, in one piece. */
static void pass_is_two_basins_and_a_gap(void **state)
{
    (void)state;
    fr_map *map = load_map("maps/pass.tmj");
    int narrowest = map->grid.height;
    for (int x = 40; x < 120; x++) {
        int open = 0, first = -1, last = -1;
        for (int y = 0; y < map->grid.height; y++) {
            if (open_for_foot(map, x, y)) {
                assert_int_equal(map->costs[FR_CLASS_FOOT][fr_grid_index(map->grid, (fr_cell){x, y})], 2);
                first = first < 0 ? y : first;
                last = y;
                open++;
            }
        }
        if (open <= 7) {
            assert_int_equal(last - first + 1, open);
        }
        narrowest = open < narrowest ? open : narrowest;
    }
    assert_int_equal(narrowest, 7);
    fr_map_destroy(map);
}

/* Every open cell of the maze has another beside it across its corridor, and walls stand on every third line.
 */
static void maze_corridors_are_two_wide(void **state)
{
    (void)state;
    fr_map *map = load_map("maps/maze.tmj");
    for (int y = 0; y < map->grid.height; y++) {
        for (int x = 0; x < map->grid.width; x++) {
            if (x % 3 != 0 && y % 3 != 0) {
                assert_true(open_for_foot(map, x, y));
            } else if (open_for_foot(map, x, y) && (x % 3 == 0) != (y % 3 == 0)) {
                int dx = y % 3 == 0, dy = x % 3 == 0;
                assert_true(open_for_foot(map, x - dx, y - dy) || open_for_foot(map, x + dx, y + dy));
            }
        }
    }
    fr_map_destroy(map);
}

typedef struct scenario_fact {
    const char *path;
    int units, ticks;
    double nearest; /* least distance in cells from a place to start at to the group's goal */
} scenario_fact;
static const scenario_fact SCENARIOS[] = {
    {"maps/scenarios/vale.json", 2000, 6000, 160}, {"maps/scenarios/vale-west.json", 10000, 1000, 60},
    {"maps/scenarios/pass.json", 400, 3600, 80},   {"maps/scenarios/pass-two-way.json", 400, 4500, 80},
    {"maps/scenarios/maze.json", 200, 5400, 40},
};

static double gap(double at, double low, double high)
{
    return at < low ? low - at : at > high ? at - high : 0.0;
}

/* Open ground, 90 of 100 cells, within `reach` cells of a goal. */
static void assert_room(const fr_map *map, fr_cell goal, int reach, const char *path)
{
    int open = 0, all = 0;
    for (int y = goal.y - reach; y <= goal.y + reach; y++) {
        for (int x = goal.x - reach; x <= goal.x + reach; x++) {
            open += open_for_foot(map, x, y);
            all++;
        }
    }
    if (open * 10 < all * 9) {
        fail_msg("%s: %d of %d cells are open near the goal %d,%d", path, open, all, goal.x, goal.y);
    }
}

static void scenarios_load_and_lead_somewhere(void **state)
{
    (void)state;
    fr_io io = fr_stdio_io("test_maps");
    for (size_t i = 0; i < sizeof SCENARIOS / sizeof *SCENARIOS; i++) {
        fr_error error = {{0}};
        fr_scenario *scenario = fr_scenario_load(&io, SCENARIOS[i].path, &error);
        if (scenario == NULL) {
            fail_msg("%s", error.message);
            return;
        }
        assert_int_equal(fr_scenario_unit_count(scenario), SCENARIOS[i].units);
        assert_int_equal(scenario->ticks, SCENARIOS[i].ticks);
        assert_int_equal(scenario->order_count, scenario->group_count);
        for (int j = 0; j < scenario->order_count; j++) {
            const fr_scenario_order *order = &scenario->orders[j];
            const fr_scenario_group *group = &scenario->groups[order->group];
            const double *area = group->area;
            double dx = gap(fr_cells(order->goals[0].x), area[0], area[0] + area[2]);
            double dy = gap(fr_cells(order->goals[0].y), area[1], area[1] + area[3]);
            assert_true(dx * dx + dy * dy >= SCENARIOS[i].nearest * SCENARIOS[i].nearest);
            assert_room(scenario->map, fr_cell_at(order->goals[0]), 6, SCENARIOS[i].path);
        }
        fr_scenario_destroy(scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_load_and_are_one_region),
        cmocka_unit_test(vale_has_every_ground_at_its_cost),
        cmocka_unit_test(vale_has_two_wide_bridges_and_a_ford),
        cmocka_unit_test(vale_starts_have_room),
        cmocka_unit_test(pass_is_two_basins_and_a_gap),
        cmocka_unit_test(maze_corridors_are_two_wide),
        cmocka_unit_test(scenarios_load_and_lead_somewhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
