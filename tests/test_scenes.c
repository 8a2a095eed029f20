/* The scenes that movement is judged by are what the README says of them, from all starts. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "field/textbook.h"
#include "files/stdio_io.h"
#include "sim/scenario.h"

typedef struct scene_fact {
    const char *name;
    int units, groups, orders, doors;
} scene_fact;
static const scene_fact SCENES[] = {
    {"s01-open", 1000, 1, 1, 0},        {"s02-door-1", 300, 1, 1, 1},       {"s02-door-2", 600, 1, 1, 1},
    {"s02-door-4", 1000, 1, 1, 1},      {"s03-u-trap", 400, 1, 1, 0},       {"s04-maze-1", 500, 1, 1, 0},
    {"s04-maze-2", 500, 1, 1, 0},       {"s04-maze-3", 500, 1, 1, 0},       {"s05-circle", 250, 1, 0, 0},
    {"s05-circle-exact", 250, 1, 0, 0}, {"s05-circle-1000", 1000, 1, 0, 0}, {"s06-corridor", 400, 2, 2, 0},
    {"s06-narrow-1", 32, 2, 2, 1},      {"s06-narrow-2", 32, 2, 2, 1},      {"s06-narrow-3", 32, 2, 2, 1},
    {"s06-narrow-6", 32, 2, 2, 1},      {"s07-convoy", 200, 1, 1, 0},       {"s08-building", 1000, 1, 3, 0},
    {"s09-occupied", 400, 2, 2, 0},     {"s09-behind", 400, 2, 2, 0},       {"s09-hold", 400, 2, 3, 0},
    {"s10-five", 500, 5, 5, 0},         {"s11-mixed", 500, 3, 3, 0},        {"s12-10k", 10000, 1, 1, 0},
    {"s12-100k", 100000, 1, 1, 0},
};

static fr_scenario *load_scene(const char *name)
{
    char path[64];
    snprintf(path, sizeof path, "maps/scenarios/%s.json", name);
    fr_io io = fr_stdio_io("test_scenes");
    fr_error error = {{0}};
    fr_scenario *scenario = fr_scenario_load(&io, path, &error);
    if (scenario == NULL) {
        fail_msg("%s", error.message);
        abort();
    }
    if (scenario->map->warning_count > 0) {
        fail_msg("%s: warning: %s", path, scenario->map->warnings[0]);
    }
    return scenario;
}

static bool is_wall(const fr_map *map, int x, int y)
{
    return map->costs[FR_CLASS_FOOT][fr_grid_index(map->grid, (fr_cell){x, y})] == FR_COST_WALL;
}

/* What each is made of; all in a ring of walls. */
static void scenes_are_as_described(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof SCENES / sizeof *SCENES; i++) {
        fr_scenario *scenario = load_scene(SCENES[i].name);
        const fr_map *map = scenario->map;
        assert_int_equal(fr_scenario_unit_count(scenario), SCENES[i].units);
        assert_int_equal(scenario->group_count, SCENES[i].groups);
        assert_int_equal(scenario->order_count, SCENES[i].orders);
        assert_int_equal(scenario->door_count, SCENES[i].doors);
        for (int x = 0; x < map->grid.width; x++) {
            assert_true(is_wall(map, x, 0) && is_wall(map, x, map->grid.height - 1));
        }
        for (int y = 0; y < map->grid.height; y++) {
            assert_true(is_wall(map, 0, y) && is_wall(map, map->grid.width - 1, y));
        }
        fr_scenario_destroy(scenario);
    }
}

/* Starts a third of a cell away in any direction are starts as well. */
static void scenes_can_be_shifted(void **state)
{
    (void)state;
    static const fr_vec2 shifts[] = {{1.0f / 3.0f, -1.0f / 3.0f}, {-1.0f / 3.0f, 1.0f / 3.0f}};
    for (size_t i = 0; i < sizeof SCENES / sizeof *SCENES; i++) {
        if (SCENES[i].units > 1000) {
            continue;
        }
        fr_scenario *scenario = load_scene(SCENES[i].name);
        for (int s = 0; s < 2; s++) {
            fr_world_config config = fr_world_config_default();
            config.map = scenario->map;
            config.unit_capacity = SCENES[i].units;
            fr_world *world = fr_world_create(&config);
            fr_error error = {{0}};
            if (fr_scenario_populate(scenario, 3, shifts[s], world, &error) != FR_OK) {
                fail_msg("%s", error.message);
            }
            assert_int_equal(fr_world_snapshot(world)->unit_count, SCENES[i].units);
            fr_world_destroy(world);
        }
        fr_scenario_destroy(scenario);
    }
}

/* From anywhere in one hall to the goal in the other there are 700 to 900 cells, along eight directions. */
static void mazes_are_long(void **state)
{
    (void)state;
    static const char *const names[] = {"s04-maze-1", "s04-maze-2", "s04-maze-3"};
    for (int i = 0; i < 3; i++) {
        fr_scenario *scenario = load_scene(names[i]);
        fr_grid grid = scenario->map->grid;
        const uint8_t *costs = scenario->map->costs[FR_CLASS_FOOT];
        uint32_t *integration = fr_alloc((size_t)fr_grid_count(grid), sizeof *integration);
        uint8_t *directions = fr_alloc((size_t)fr_grid_count(grid), sizeof *directions);
        fr_goal goal = {fr_cell_at(scenario->orders[0].goals[0]), 0};
        fr_textbook_field(grid, costs, &goal, 1, integration, directions);
        for (int y = 98; y < 128; y++) {
            for (int x = 1; x < 31; x++) {
                uint32_t way = integration[fr_grid_index(grid, (fr_cell){x, y})];
                assert_in_range(way, 700 * FR_STEP_STRAIGHT, 900 * FR_STEP_STRAIGHT);
            }
        }
        fr_free(directions);
        fr_free(integration);
        fr_scenario_destroy(scenario);
    }
}

/* Places are discs by air, arrival is a distance on foot from cell to cell: nobody may settle between the
 * two.
 */
static void nobody_settles_outside(void **state)
{
    (void)state;
    fr_scenario *scenario = load_scene("s02-door-1");
    fr_world_config config = fr_world_config_default();
    config.map = scenario->map;
    config.unit_capacity = fr_scenario_unit_count(scenario);
    config.field_bytes = 16u << 20;
    fr_world *world = fr_world_create(&config);
    fr_error error = {{0}};
    assert_int_equal(fr_scenario_populate(scenario, 1, (fr_vec2){0.0f, 0.0f}, world, &error), FR_OK);
    const fr_snapshot *now = fr_world_snapshot(world);
    for (int32_t settled = 0; settled < now->unit_count && now->tick < 4000;) {
        fr_scenario_submit(scenario, world);
        fr_world_tick(world);
        now = fr_world_snapshot(world);
        settled = 0;
        for (int32_t i = 0; i < now->unit_count; i++) {
            settled += now->state[i] == FR_UNIT_ARRIVED;
        }
    }
    fr_cell goal = fr_cell_at(scenario->orders[0].goals[0]);
    for (int32_t i = 0; i < now->unit_count; i++) {
        fr_cell cell = fr_cell_at(now->position[i]);
        int dx = abs(cell.x - goal.x), dy = abs(cell.y - goal.y), slant = dx < dy ? dx : dy;
        double way = dx + dy - 2 * slant + slant * 99.0 / 70.0;
        if (now->state[i] != FR_UNIT_ARRIVED || way > 9.5) {
            fail_msg("unit %d has %.2f cells to go, state %d", i, way, now->state[i]);
        }
    }
    fr_world_destroy(world);
    fr_scenario_destroy(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_are_as_described),
        cmocka_unit_test(scenes_can_be_shifted),
        cmocka_unit_test(mazes_are_long),
        cmocka_unit_test(nobody_settles_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
