/* Scenarios: what files may say, what they may not and how that reads, and where units end up. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "memory_io.h"
#include "sim/placement.h"
#include "sim/scenario.h"

#define HEAD "'format': 'freshet-scenario', 'version': 1, "
#define MAP                                                                                                  \
    "'map': {'rows': ['........', '........', '..##....', '........'], 'legend': {'.': 1, '#': 255}}, "
#define GROUP            "{'name': 'blue', 'count': 2, 'area': [4, 0, 4, 4]}"
#define GROUPS           "'groups': [" GROUP "], "
#define ORDERS(text)     "{" HEAD MAP GROUPS "'orders': [" text "]}"
#define GROUP_WITH(text) "{" HEAD MAP "'groups': [{'name': 'blue', " text "}]}"

static fr_scenario *load(const char *text, fr_error *error)
{
    memory_file files[] = {
        {"maps/scenarios/test.json", text},
        {"maps/scenarios/../small.map",
         "type octile\nheight 4\nwidth 6\nmap\n......\n..@@..\n......\n......\n"},
        {NULL, NULL},
    };
    fr_io io = memory_io(files);
    return fr_scenario_load(&io, "maps/scenarios/test.json", error);
}

static fr_scenario *load_good(const char *text)
{
    fr_error error = {0};
    fr_scenario *scenario = load(text, &error);
    if (scenario == NULL) {
        fail_msg("%s", error.message);
    }
    return scenario;
}

static fr_world *make_world(const fr_map *map)
{
    fr_world_config config = fr_world_config_default();
    config.map = map;
    config.unit_capacity = 12000;
    config.field_bytes = 4u << 20;
    return fr_world_create(&config);
}

/* --- files --- */

static void test_defaults(void **state)
{
    (void)state;
    fr_scenario *s = load_good("{" HEAD MAP "'groups': [" GROUP "]}");
    assert_string_equal(s->path, "maps/scenarios/test.json");
    assert_string_equal(s->name, "test");
    assert_string_equal(s->map_name, "inline");
    assert_int_equal(s->map->grid.width, 8);
    assert_int_equal(s->seed, 1);
    assert_false(s->has_ticks);
    assert_int_equal(s->order_count + s->door_count, 0);
    assert_false(s->has_lanes);
    const fr_scenario_group *group = &s->groups[0];
    assert_int_equal(group->team, 0);
    assert_int_equal(group->movement_class, FR_CLASS_FOOT);
    assert_true(group->radius == FR_RADIUS_DEFAULT && group->speed == FR_SPEED_DEFAULT);
    assert_false(group->leaves);
    assert_int_equal(fr_scenario_unit_count(s), 2);
    fr_scenario_destroy(s);
}

static void test_everything(void **state)
{
    (void)state;
    fr_scenario *s =
        load_good("{" HEAD "'map': '../small.map', 'seed': 9007199254740991, 'ticks': 3600, 'groups': ["
                  "{'name': 'left', 'team': 7, 'class': 'hover', 'units': [[0.5, 0.5], [1.5, 3.5, 5.75, "
                  "0.25]], 'radius': 0.1,"
                  " 'speed': 12, 'leave': {'line': [5, -1, 5, 9]}},"
                  "{'name': 'right', 'count': 3, 'area': [4.5, 0, 1.5, 4], 'radius': 0.3}],"
                  "'orders': [{'tick': 60, 'group': 'right', 'order': 'hold'},"
                  "{'tick': 30, 'group': 'left', 'order': 'move', 'goals': [[0, 0], [5.99, 3.99]]},"
                  "{'tick': 60, 'order': 'set_cost', 'rect': [0, 1, 6, 3], 'cost': 254},"
                  "{'tick': 0, 'group': 'right', 'order': 'stop'},"
                  "{'tick': 60, 'order': 'restore_cost', 'rect': [2, 2, 1, 1]},"
                  "{'tick': 30, 'group': 'right', 'order': 'move', 'goal': [1, 1]}],"
                  "'doors': [{'name': 'gate', 'line': [3, 0, 3, 4]}],"
                  "'lanes': {'area': [0, 0, 6, 4], 'axis': 'y', 'groups': ['right', 'left']}}");
    assert_string_equal(s->map_name, "../small.map");
    assert_string_equal(s->map->path, "maps/scenarios/../small.map");
    assert_true(s->seed == 9007199254740991u);
    assert_true(s->has_ticks && s->ticks == 3600);
    assert_int_equal(fr_scenario_unit_count(s), 5);
    assert_true(s->groups[0].leaves && s->groups[0].leave[1] == -1.0);
    assert_true(s->groups[0].radius == FR_RADIUS_MIN && s->groups[0].speed == FR_SPEED_MAX);
    assert_int_equal(s->groups[0].movement_class, FR_CLASS_HOVER);
    assert_false(s->groups[0].units[0].has_goal);
    assert_true(s->groups[0].units[1].has_goal && s->groups[0].units[1].goal_x == 5.75);
    /* By tick; of one tick in file order. */
    static const struct {
        uint32_t tick;
        fr_command_kind kind;
        int32_t group;
    } orders[] = {
        {0, FR_COMMAND_STOP, 1},  {30, FR_COMMAND_MOVE, 0},      {30, FR_COMMAND_MOVE, 1},
        {60, FR_COMMAND_HOLD, 1}, {60, FR_COMMAND_SET_COST, -1}, {60, FR_COMMAND_RESTORE_COST, -1},
    };
    assert_int_equal(s->order_count, 6);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(s->orders[i].tick, orders[i].tick);
        assert_int_equal(s->orders[i].kind, orders[i].kind);
        assert_int_equal(s->orders[i].group, orders[i].group);
    }
    assert_int_equal(s->orders[1].goal_count, 2);
    assert_int_equal(s->orders[1].goals[1].x, fr_fixed(5.99));
    assert_int_equal(s->orders[4].cost, 254);
    assert_int_equal(s->orders[4].rect.height, 3);
    assert_int_equal(fr_scenario_first_order(s, 31), 3);
    assert_string_equal(s->doors[0].name, "gate");
    assert_true(s->has_lanes && s->lanes_axis_y && s->lanes_groups[0] == 1 && s->lanes_groups[1] == 0);
    fr_scenario_destroy(s);
}

static void test_weights_and_areas(void **state)
{
    (void)state;
    fr_scenario *s = load_good(ORDERS(
        "{'tick': 1, 'group': 'blue', 'order': 'move', 'goals': [[1, 1], [2, 1]], 'goal_weights': [0, "
        "2.5], 'goal_capacity': [7, 0]}, {'tick': 2, 'group': 'blue', 'order': 'move', 'goal_area': [4, 1, "
        "3.5, 2]},"
        "{'tick': 3, 'group': 'blue', 'order': 'move', 'goal_area': {'centre': [2, 1.5], 'radius': 1.5}}"));
    assert_int_equal(s->orders[0].goal_prices[0], 0);
    assert_int_equal(s->orders[0].goal_prices[1], 175);
    assert_null(s->orders[1].goal_prices);
    assert_int_equal(s->orders[0].goal_capacities[0], 7);
    assert_int_equal(s->orders[0].goal_capacities[1], 0);
    assert_null(s->orders[1].goal_capacities);
    assert_int_equal(fr_area_count(&s->orders[1].area, s->map->grid), 6); /* 7.5 is no longer inside */
    assert_int_equal(fr_area_count(&s->orders[2].area, s->map->grid), 8);
    fr_world *world = make_world(s->map);
    fr_error error = {0};
    assert_int_equal(fr_scenario_populate(s, 1, (fr_vec2){0.0f, 0.0f}, world, &error), FR_OK);
    for (int t = 0; t < 3; t++) {
        fr_scenario_submit(s, world);
        fr_world_tick(world);
    }
    int32_t count;
    fr_scenario_submit(s, world);
    const fr_command *queue = fr_world_queued(world, &count);
    assert_int_equal(count, 1);
    assert_true(fr_area_equals(&queue[0].area, &s->orders[2].area));
    assert_int_equal(queue[0].goals[0].y, fr_fixed(1.5));
    fr_world_destroy(world);
    fr_scenario_destroy(s);
}

/* Every message names the file; `expected` are words that must be in it, separated by |. */
static const struct {
    const char *text, *expected;
} bad_files[] = {
    {"", "empty"},
    {"{" HEAD MAP GROUPS, "not valid JSON"},
    {"[]", "$|format"},
    {"{'version': 1}", "$|\"format\" is missing"},
    {"{'format': 'tiled', 'version': 1}", "$.format|\"tiled\"|freshet-scenario"},
    {"{'format': 'freshet-scenario', 'version': 2}", "$.version|found 2"},
    {"{" HEAD MAP GROUPS "'speed': 1}", "$.speed|unknown key"},
    {"{" HEAD MAP GROUPS "'seed': 1, 'seed': 2}", "$.seed|twice"},
    {"{" HEAD MAP GROUPS "'seed': -1}", "$.seed|found -1"},
    {"{" HEAD MAP GROUPS "'seed': 1.5}", "$.seed|found 1.5"},
    {"{" HEAD MAP GROUPS "'seed': NaN}", "not valid JSON"},
    {"{" HEAD MAP GROUPS "'ticks': 0}", "$.ticks|found 0"},
    {"{" HEAD MAP GROUPS "'ticks': '10'}", "$.ticks|found \"10\""},
    {"{" HEAD GROUPS "'ticks': 10}", "$|\"map\" is missing"},
    {"{" HEAD "'map': 5, " GROUPS "'ticks': 10}", "$.map|a path or an inline grid"},
    {"{" HEAD "'map': 'gone.map', 'groups': [" GROUP "]}", "maps/scenarios/gone.map|no such file"},
    {"{" HEAD MAP "'ticks': 5}", "$|\"groups\" is missing"},
    {"{" HEAD MAP "'groups': []}", "$.groups|at least one"},
    {"{" HEAD MAP "'groups': {}}", "$.groups|array"},
    {"{" HEAD MAP "'groups': [5]}", "$.groups[0]|expected an object"},
    {"{" HEAD MAP "'groups': [" GROUP ", " GROUP "]}", "$.groups[1].name|two groups|blue"},
    {"{" HEAD MAP "'groups': [{'count': 1, 'area': [0, 0, 1, 1]}]}", "$.groups[0]|\"name\" is missing"},
    {"{" HEAD MAP "'groups': [{'name': '', 'count': 1, 'area': [0, 0, 1, 1]}]}", "$.groups[0].name|empty"},
    {"{" HEAD MAP "'groups': [{'name': 'a\\n', 'count': 1, 'area': [0, 0, 1, 1]}]}",
     "$.groups[0].name|control"},
    {GROUP_WITH("'count': 1, 'area': [0, 0, 1, 1], 'colour': 1"), "$.groups[0].colour|unknown key"},
    {GROUP_WITH("'area': [0, 0, 1, 1]"), "$.groups[0]|\"count\" is missing"},
    {GROUP_WITH("'count': 1"), "$.groups[0]|\"area\" is missing"},
    {GROUP_WITH("'count': 0, 'area': [0, 0, 1, 1]"), "$.groups[0].count|found 0"},
    {GROUP_WITH("'count': 131073, 'area': [0, 0, 1, 1]"), "$.groups[0].count|found 131073"},
    {GROUP_WITH("'count': 1, 'area': [0, 0, 1]"), "$.groups[0].area|[x, y, width, height]"},
    {GROUP_WITH("'count': 1, 'area': [0, 0, 0, 1]"), "$.groups[0].area|more than 0"},
    {GROUP_WITH("'count': 1, 'area': [6, 0, 2.5, 1]"), "$.groups[0].area|outside the map of 8x4"},
    {GROUP_WITH("'count': 1, 'area': [-0.5, 0, 1, 1]"), "$.groups[0].area|outside"},
    {GROUP_WITH("'count': 1, 'area': [0, 0, 1, 1e300]"), "$.groups[0].area[3]|found"},
    {GROUP_WITH("'count': 1, 'area': [0, 0, 1, 1], 'team': 8"), "$.groups[0].team|found 8"},
    {GROUP_WITH("'count': 1, 'area': [0, 0, 1, 1], 'class': 'boat'"), "$.groups[0].class|boat|foot, wheels"},
    {GROUP_WITH("'count': 1, 'area': [0, 0, 1, 1], 'radius': 0.09"), "$.groups[0].radius|found 0.09|0.1..2"},
    {GROUP_WITH("'count': 1, 'area': [0, 0, 1, 1], 'radius': 2.01"), "$.groups[0].radius|found 2.01"},
    {GROUP_WITH("'count': 1, 'area': [0, 0, 1, 1], 'radius': 'big'"), "$.groups[0].radius|found \"big\""},
    {GROUP_WITH("'count': 1, 'area': [0, 0, 1, 1], 'speed': 0"), "$.groups[0].speed|found 0"},
    {GROUP_WITH("'count': 1, 'area': [0, 0, 1, 1], 'speed': 13"), "$.groups[0].speed|found 13"},
    {GROUP_WITH("'units': [[1, 1]], 'count': 1"), "$.groups[0].count|beside \"units\""},
    {GROUP_WITH("'units': [[1, 1]], 'area': [0, 0, 1, 1]"), "$.groups[0].area|beside \"units\""},
    {GROUP_WITH("'count': 2, 'area': [0, 0, 1, 1], 'every': 0"), "$.groups[0].every|found 0"},
    {GROUP_WITH("'count': 2, 'area': [0, 0, 1, 1], 'every': 1.5"), "$.groups[0].every|found 1.5"},
    {GROUP_WITH("'units': [[1, 1]], 'every': 5"), "$.groups[0].every|beside \"units\""},
    {GROUP_WITH("'units': [[1, 1]], 'noise': 1.01"), "$.groups[0].noise|found 1.01|0..1"},
    {GROUP_WITH("'count': 2, 'area': [0, 0, 1, 1], 'noise': 0.1"), "$.groups[0].noise|beside \"units\""},
    {GROUP_WITH("'units': []"), "$.groups[0].units|at least one"},
    {GROUP_WITH("'units': [[1]]"), "$.groups[0].units[0]|[x, y]"},
    {GROUP_WITH("'units': [[1, 1], [1, 1, 1]]"), "$.groups[0].units[1]|[x, y]"},
    {GROUP_WITH("'units': [[8, 1]]"), "$.groups[0].units[0]|place (8, 1)|outside the map"},
    {GROUP_WITH("'units': [[-0.01, 1]]"), "$.groups[0].units[0]|outside the map"},
    {GROUP_WITH("'units': [[1, 1, 1, 4]]"), "$.groups[0].units[0]|goal (1, 4)|outside the map"},
    {GROUP_WITH("'units': [[1, 1]], 'leave': {}"), "$.groups[0].leave|\"line\" is missing"},
    {GROUP_WITH("'units': [[1, 1]], 'leave': {'line': [1, 1, 1, 1]}"), "$.groups[0].leave.line|no length"},
    {GROUP_WITH("'units': [[1, 1]], 'leave': {'line': [1, 1, 1, 20000]}"), "$.groups[0].leave.line[3]|found"},
    {GROUP_WITH("'units': [[1, 1]], 'leave': {'rect': [1, 1, 1, 1]}"), "$.groups[0].leave.rect|unknown key"},
    {ORDERS("7"), "$.orders[0]|expected an object"},
    {ORDERS("{'tick': 1, 'group': 'blue'}"), "$.orders[0]|\"order\" is missing"},
    {ORDERS("{'tick': 1, 'group': 'blue', 'order': 'march'}"),
     "$.orders[0].order|\"march\"|set_threat or remove_threat"},
    {ORDERS("{'tick': 1, 'group': 'red', 'order': 'stop'}"), "$.orders[0].group|no group \"red\""},
    {ORDERS("{'tick': 1, 'order': 'stop'}"), "$.orders[0]|\"group\" is missing"},
    {ORDERS("{'tick': 1, 'order': 'stop', 'group': 5}"), "$.orders[0].group|name of a group"},
    {ORDERS("{'group': 'blue', 'order': 'stop'}"), "$.orders[0]|\"tick\" is missing"},
    {ORDERS("{'tick': -1, 'group': 'blue', 'order': 'stop'}"), "$.orders[0].tick|found -1"},
    {ORDERS("{'tick': 1, 'group': 'blue', 'order': 'stop', 'goal': [1, 1]}"), "$.orders[0].goal|unknown key"},
    {ORDERS("{'tick': 1, 'group': 'blue', 'order': 'move'}"), "$.orders[0]|\"goal\", \"goals\""},
    {ORDERS("{'tick': 1, 'group': 'blue', 'order': 'move', 'goal': [1, 1], 'goals': [[1, 1]]}"),
     "$.orders[0]|stands beside"},
    {ORDERS("{'tick': 1, 'group': 'blue', 'order': 'move', 'goal': [1, 4]}"),
     "$.orders[0].goal|outside the map"},
    {ORDERS("{'tick': 1, 'group': 'blue', 'order': 'move', 'goal': [1e9, 1]}"),
     "$.orders[0].goal|outside the map"},
    {ORDERS("{'tick': 1, 'group': 'blue', 'order': 'move', 'goal': [1, null]}"),
     "$.orders[0].goal[1]|found null"},
    {ORDERS("{'tick': 1, 'group': 'blue', 'order': 'move', 'goals': []}"), "$.orders[0].goals|at least one"},
    {ORDERS("{'tick': 1, 'group': 'blue', 'order': 'move', 'goals': [[1, 1], [8, 1]]}"),
     "$.orders[0].goals[1]|outside the map"},
#define MOVE(text)   ORDERS("{'tick': 1, 'group': 'blue', 'order': 'move', " text "}")
#define FOLLOW(text) ORDERS("{'tick': 1, 'group': 'blue', 'order': 'follow'" text "}")
    {FOLLOW(""), "$.orders[0]|\"target\" is missing"},
    {FOLLOW(", 'target': 'red'"), "$.orders[0].target|no group \"red\""},
    {FOLLOW(", 'target': 2"), "$.orders[0].target|found 2"},
    {FOLLOW(", 'target': -1"), "$.orders[0].target|found -1"},
    {FOLLOW(", 'target': [1, 1]"), "$.orders[0].target|found"},
    {FOLLOW(", 'target': 0, 'goal': [1, 1]"), "$.orders[0].goal|unknown key"},
    {MOVE("'goal': [1, 1], 'goal_area': [1, 1, 2, 2]"), "$.orders[0]|stands beside"},
    {MOVE("'goal': [1, 1], 'goal_weights': [1]"), "$.orders[0].goal_weights|\"goals\" only"},
    {MOVE("'goals': [[1, 1], [2, 1]], 'goal_weights': [1]"), "$.orders[0].goal_weights|each of 2 goals"},
    {MOVE("'goals': [[1, 1], [2, 1]], 'goal_weights': [1, -1]"), "$.orders[0].goal_weights[1]|found -1"},
    {MOVE("'goals': [[1, 1], [2, 1]], 'goal_weights': [1, 100001]"), "$.orders[0].goal_weights[1]|found"},
    {MOVE("'goals': [[1, 1], [2, 1]], 'goal_weights': [1, NaN]"), "not valid JSON"},
    {MOVE("'goals': [[1, 1], [2, 1]], 'goal_weights': {}"), "$.orders[0].goal_weights|expected one number"},
    {MOVE("'goal': [1, 1], 'goal_capacity': [1]"), "$.orders[0].goal_capacity|\"goals\" only"},
    {MOVE("'goals': [[1, 1], [2, 1]], 'goal_capacity': [1]"), "$.orders[0].goal_capacity|each of 2 goals"},
    {MOVE("'goals': [[1, 1], [2, 1]], 'goal_capacity': [1, -1]"), "$.orders[0].goal_capacity[1]|found -1"},
    {MOVE("'goals': [[1, 1], [2, 1]], 'goal_capacity': [1, 1.5]"), "$.orders[0].goal_capacity[1]|found 1.5"},
    {MOVE("'goals': [[1, 1], [2, 1]], 'goal_capacity': [1, 131073]"), "$.orders[0].goal_capacity[1]|found"},
    {MOVE("'goals': [[1, 1], [2, 1]], 'goal_capacity': [0, 0]"),
     "$.orders[0].goal_capacity|no goal has room"},
    {MOVE("'goal_area': [1, 1, 2]"), "$.orders[0].goal_area|[x, y, width, height]"},
    {MOVE("'goal_area': [6, 1, 2.5, 2]"), "$.orders[0].goal_area|outside the map"},
    {MOVE("'goal_area': [1.6, 1.6, 0.8, 0.8]"), "$.orders[0].goal_area|0 cells"},
    {MOVE("'goal_area': {'centre': [1, 1]}"), "$.orders[0].goal_area|\"radius\" is missing"},
    {MOVE("'goal_area': {'centre': [1, 1], 'radius': 1.01}"), "$.orders[0].goal_area|outside the map of 8x4"},
    {MOVE("'goal_area': {'centre': [9, 1], 'radius': 0}"), "$.orders[0].goal_area.centre|outside the map"},
    {MOVE("'goal_area': {'centre': [1, 1], 'radius': -1}"), "$.orders[0].goal_area.radius|found -1"},
    {MOVE("'goal_area': {'center': [1, 1], 'radius': 1}"), "$.orders[0].goal_area.center|unknown key"},
    {ORDERS("{'tick': 1, 'order': 'set_cost', 'cost': 5}"), "$.orders[0]|\"rect\" is missing"},
    {ORDERS("{'tick': 1, 'order': 'set_cost', 'rect': [0, 0, 1, 1]}"), "$.orders[0]|\"cost\" is missing"},
    {ORDERS("{'tick': 1, 'order': 'set_cost', 'rect': [0, 0, 1, 1], 'cost': 0}"), "$.orders[0].cost|found 0"},
    {ORDERS("{'tick': 1, 'order': 'set_cost', 'rect': [0, 0, 1, 1], 'cost': 256}"),
     "$.orders[0].cost|found 256"},
    {ORDERS("{'tick': 1, 'order': 'set_cost', 'rect': [0, 0, 1.5, 1], 'cost': 5}"),
     "$.orders[0].rect[2]|found 1.5"},
    {ORDERS("{'tick': 1, 'order': 'set_cost', 'rect': [7, 0, 2, 1], 'cost': 5}"),
     "$.orders[0].rect|outside the map"},
    {ORDERS("{'tick': 1, 'order': 'set_cost', 'rect': [0, 0, 1, 1], 'cost': 5, 'group': 'blue'}"),
     "$.orders[0].group|unknown key"},
    {ORDERS("{'tick': 1, 'order': 'restore_cost', 'rect': [0, 0, 1, 1], 'cost': 5}"),
     "$.orders[0].cost|unknown key"},
    {"{" HEAD MAP GROUPS "'orders': 5}", "$.orders|array of orders"},
    {ORDERS("{'tick': 1, 'group': 'blue', 'order': 'move', 'goal': [1, 1], 'caution': 'brave'}"),
     "$.orders[0].caution|\"brave\"|rush, normal or safe"},
    {ORDERS("{'tick': 1, 'group': 'blue', 'order': 'stop', 'caution': 'safe'}"),
     "$.orders[0].caution|unknown key"},
    {ORDERS("{'tick': 1, 'order': 'set_threat', 'centre': [1, 1], 'radius': 2, 'cost': 9}"),
     "$.orders[0]|\"threat\" is missing"},
    {ORDERS("{'tick': 1, 'order': 'set_threat', 'threat': 256, 'centre': [1, 1], 'radius': 2, 'cost': 9}"),
     "$.orders[0].threat|found 256"},
    {ORDERS("{'tick': 1, 'order': 'remove_threat', 'threat': 0, 'cost': 9}"), "$.orders[0].cost|unknown key"},
    {"{" HEAD MAP GROUPS "'ring': 1}", "$.ring|true or false"},
    {"{" HEAD MAP GROUPS "'congestion': 'on'}", "$.congestion|true or false"},
    {"{" HEAD MAP GROUPS "'threats': {}}", "$.threats|array of threats"},
    {"{" HEAD MAP GROUPS "'threats': [{'radius': 2, 'cost': 9}]}", "$.threats[0]|\"centre\" is missing"},
    {"{" HEAD MAP GROUPS "'threats': [{'centre': [8, 1], 'radius': 2, 'cost': 9}]}",
     "$.threats[0].centre|outside the map"},
    {"{" HEAD MAP GROUPS "'threats': [{'centre': [1, 1], 'cost': 9}]}", "$.threats[0]|\"radius\" is missing"},
    {"{" HEAD MAP GROUPS "'threats': [{'centre': [1, 1], 'radius': 0, 'cost': 9}]}",
     "$.threats[0].radius|found 0"},
    {"{" HEAD MAP GROUPS "'threats': [{'centre': [1, 1], 'radius': 1e999, 'cost': 9}]}", "|"},
    {"{" HEAD MAP GROUPS "'threats': [{'centre': [1, 1], 'radius': 2, 'cost': 255}]}",
     "$.threats[0].cost|found 255"},
    {"{" HEAD MAP GROUPS "'threats': [{'centre': [1, 1], 'radius': 2, 'cost': 9, 'team': 8}]}",
     "$.threats[0].team|found 8"},
    {"{" HEAD MAP GROUPS "'threats': [{'centre': [1, 1], 'radius': 2, 'cost': 9, 'side': 1}]}",
     "$.threats[0].side|unknown key"},
    {"{" HEAD MAP GROUPS "'doors': [{'name': 'a'}]}", "$.doors[0]|\"line\" is missing"},
    {"{" HEAD MAP GROUPS "'doors': [{'line': [1, 1, 2, 2]}]}", "$.doors[0]|\"name\" is missing"},
    {"{" HEAD MAP GROUPS "'doors': [{'name': 'a', 'line': [1, 1, 1, 1]}]}", "$.doors[0].line|no length"},
    {"{" HEAD MAP GROUPS
     "'doors': [{'name': 'a', 'line': [1, 1, 1, 2]}, {'name': 'a', 'line': [1, 1, 1, 2]}]}",
     "$.doors[1].name|two doors"},
    {"{" HEAD MAP GROUPS "'doors': {}}", "$.doors|array of doors"},
    {"{" HEAD MAP GROUPS "'lanes': {'area': [0, 0, 8, 4], 'axis': 'z', 'groups': ['blue', 'blue']}}",
     "$.lanes.axis|\"z\""},
    {"{" HEAD MAP GROUPS "'lanes': {'area': [0, 0, 8, 4], 'axis': 'x', 'groups': ['blue', 'blue']}}",
     "$.lanes.groups|the same group"},
    {"{" HEAD MAP GROUPS "'lanes': {'area': [0, 0, 8, 4], 'axis': 'x', 'groups': ['blue']}}",
     "$.lanes.groups|expected 2"},
    {"{" HEAD MAP GROUPS "'lanes': {'area': [0, 0, 9, 4], 'axis': 'x', 'groups': ['blue', 'blue']}}",
     "$.lanes.area|outside the map"},
};

static void test_bad_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; i++) {
        fr_error error = {0};
        fr_scenario *scenario = load(bad_files[i].text, &error);
        if (scenario != NULL) {
            fail_msg("loaded: %s", bad_files[i].text);
        }
        char expected[256];
        snprintf(expected, sizeof expected, "maps/scenarios/|%s", bad_files[i].expected);
        for (char *word = strtok(expected, "|"); word != NULL; word = strtok(NULL, "|")) {
            if (strstr(error.message, word) == NULL) {
                fail_msg("no \"%s\" in \"%s\" for %s", word, error.message, bad_files[i].text);
            }
        }
        assert_null(strchr(error.message, '\n'));
    }
}

/* --- placing --- */

static void expect_apart(const fr_snapshot *s)
{
    for (int32_t i = 0; i < s->unit_count; i++) {
        for (int32_t j = 0; j < i; j++) {
            double dx = fr_cells(s->position[i].x - s->position[j].x);
            double dy = fr_cells(s->position[i].y - s->position[j].y);
            double least = 1.05 * ((double)s->radius[i] + (double)s->radius[j]);
            if (dx * dx + dy * dy < least * least) {
                fail_msg("units %d and %d are %.6f apart, expected %.6f", i, j, sqrt(dx * dx + dy * dy),
                         least);
            }
        }
    }
}

/* Distance from every blocked cell and from the map's edge, the slow way. */
static void expect_room(const fr_snapshot *s)
{
    for (int32_t i = 0; i < s->unit_count; i++) {
        double x = fr_cells(s->position[i].x), y = fr_cells(s->position[i].y), r = (double)s->radius[i];
        for (int32_t cy = -1; cy <= s->grid.height; cy++) {
            for (int32_t cx = -1; cx <= s->grid.width; cx++) {
                if (fr_cost_walkable(s->cost, (fr_class)s->movement_class[i], (fr_cell){cx, cy})) {
                    continue;
                }
                double dx = x < cx ? cx - x : x > cx + 1 ? x - cx - 1 : 0.0;
                double dy = y < cy ? cy - y : y > cy + 1 ? y - cy - 1 : 0.0;
                if (dx * dx + dy * dy < r * r - 1e-9) {
                    fail_msg("unit %d at (%.5f, %.5f) reaches into cell (%d, %d)", i, x, y, cx, cy);
                }
            }
        }
    }
}

#define TWO_GROUPS                                                                                           \
    "{" HEAD "'map': {'rows': ['....................', '....................', '.....#....#.........',"      \
    "'.....#....#.........', '..........#.........', '....................', '....................',"        \
    "'....................', '....................'], 'legend': {'.': 1, '#': 255}}, 'groups': ["            \
    "{'name': 'big', 'count': 12, 'area': [0, 0, 20, 9], 'radius': 0.7},"                                    \
    "{'name': 'small', 'count': 100, 'area': [2.5, 0, 15, 9], 'radius': 0.2, 'team': 3, 'speed': 2}]}"

static fr_world *populate(fr_scenario *scenario, uint64_t seed, fr_vec2 shift)
{
    fr_error error = {0};
    fr_world *world = make_world(scenario->map);
    if (fr_scenario_populate(scenario, seed, shift, world, &error) != FR_OK) {
        fail_msg("%s", error.message);
    }
    return world;
}

static void test_area_placement(void **state)
{
    (void)state;
    fr_scenario *scenario = load_good(TWO_GROUPS);
    const fr_vec2 none = {0.0f, 0.0f};
    fr_world *world = populate(scenario, 5, none);
    const fr_snapshot *s = fr_world_snapshot(world);
    assert_int_equal(s->unit_count, 112);
    assert_int_equal(scenario->groups[1].first_unit, 12);
    assert_int_equal(scenario->groups[1].placed, 100);
    expect_apart(s);
    expect_room(s);
    for (int32_t i = 12; i < 112; i++) {
        double x = fr_cells(s->position[i].x);
        assert_true(x >= 2.5 && x <= 17.5);
        assert_int_equal(s->team[i], 3);
        assert_true(s->speed[i] == 2.0f);
        assert_string_equal(s->groups[s->group[i]].name, "small");
    }
    /* The same seed gives the same places, another seed others; a shift moves the area. */
    fr_world *same = populate(scenario, 5, none), *other = populate(scenario, 6, none);
    fr_world *shifted = populate(scenario, 5, (fr_vec2){1.0f, -0.25f});
    size_t bytes = 112 * sizeof(fr_position);
    assert_memory_equal(s->position, fr_world_snapshot(same)->position, bytes);
    assert_memory_not_equal(s->position, fr_world_snapshot(other)->position, bytes);
    expect_room(fr_world_snapshot(shifted));
    for (int32_t i = 12; i < 112; i++) {
        double x = fr_cells(fr_world_snapshot(shifted)->position[i].x);
        assert_true(x >= 3.5 && x <= 18.5);
    }
    fr_world_destroy(world);
    fr_world_destroy(same);
    fr_world_destroy(other);
    fr_world_destroy(shifted);
    fr_scenario_destroy(scenario);
}

/* By lot, but the same for the same seed; moved with the shift, and never farther than said. */
static void test_noise(void **state)
{
    (void)state;
    fr_scenario *scenario = load_good(
        "{" HEAD "'map': {'rows': ['........', '........', '........', '........'], 'legend': {'.': 1}},"
        "'groups': [{'name': 'blue', 'units': [[2, 2], [4, 2]], 'noise': 0.25}]}");
    fr_world *world = populate(scenario, 5, (fr_vec2){0.5f, 0.0f});
    fr_world *same = populate(scenario, 5, (fr_vec2){0.5f, 0.0f});
    fr_world *other = populate(scenario, 6, (fr_vec2){0.5f, 0.0f});
    const fr_snapshot *s = fr_world_snapshot(world);
    for (int32_t i = 0; i < 2; i++) {
        double x = fr_cells(s->position[i].x) - (i == 0 ? 2.5 : 4.5), y = fr_cells(s->position[i].y) - 2.0;
        assert_true(fabs(x) <= 0.25001 && fabs(y) <= 0.25001 && fabs(x) + fabs(y) > 0.001);
        assert_int_equal(fr_world_snapshot(same)->position[i].x, s->position[i].x);
        assert_int_not_equal(fr_world_snapshot(other)->position[i].x, s->position[i].x);
    }
    fr_world_destroy(world);
    fr_world_destroy(same);
    fr_world_destroy(other);
    fr_scenario_destroy(scenario);
}

static void expect_populate_error(const char *text, fr_vec2 shift, const char *const *words)
{
    fr_error error = {0};
    fr_scenario *scenario = load_good(text);
    fr_world *world = make_world(scenario->map);
    assert_int_equal(fr_scenario_populate(scenario, 1, shift, world, &error), FR_BAD_INPUT);
    for (; *words != NULL; words++) {
        if (strstr(error.message, *words) == NULL) {
            fail_msg("no \"%s\" in \"%s\"", *words, error.message);
        }
    }
    fr_world_destroy(world);
    fr_scenario_destroy(scenario);
}

static void test_no_room(void **state)
{
    (void)state;
    const fr_vec2 none = {0.0f, 0.0f};
    /* One unit of radius 0.4 fits into a cell, and no second one. */
    expect_populate_error("{" HEAD MAP "'groups': [{'name': 'blue', 'count': 7, 'area': [0, 0, 1, 1]}]}",
                          none,
                          (const char *const[]){"test.json: $.groups[0].area", "\"blue\"", "placed 1 of 7",
                                                "1000 tries", NULL});
    expect_populate_error(GROUP_WITH("'units': [[0.5, 0.5], [2.5, 2.5]]"), none,
                          (const char *const[]){"$.groups[0].units[1]", "(2.5, 2.5)", "passable", NULL});
    expect_populate_error(GROUP_WITH("'units': [[1.7, 2.5]]"), none,
                          (const char *const[]){"$.groups[0].units[0]", "no room for radius 0.4", NULL});
    expect_populate_error(GROUP_WITH("'units': [[0.3, 1.5]]"), none, (const char *const[]){"no room", NULL});
    expect_populate_error(GROUP_WITH("'units': [[7.5, 0.5]]"), (fr_vec2){0.5f, 0.0f},
                          (const char *const[]){"no room", "(8, 0.5)", NULL});
}

/* Touching a wall is room: rounding to fixed point must not take it away. */
static void test_touching_is_room(void **state)
{
    (void)state;
    fr_scenario *scenario =
        load_good(GROUP_WITH("'units': [[0.4, 0.4], [1.6, 2.5], [4.4, 2.5], [7.6, 3.6]]"));
    fr_world *world = populate(scenario, 1, (fr_vec2){0.0f, 0.0f});
    assert_int_equal(fr_world_snapshot(world)->unit_count, 4);
    fr_world_destroy(world);
    fr_scenario_destroy(scenario);
}

/* The search grid keeps this fast: ten thousand units. */
static void test_ten_thousand(void **state)
{
    (void)state;
    fr_map *map = open_map(200, 100);
    fr_placement *placement = fr_placement_create(map, 0.4);
    fr_rng rng = {1};
    const double area[4] = {0.0, 0.0, 200.0, 100.0};
    for (int i = 0; i < 10000; i++) {
        fr_position at;
        assert_true(fr_placement_random(placement, &rng, area, FR_CLASS_FOOT, 0.4, &at));
    }
    fr_placement_destroy(placement);
    fr_map_destroy(map);
}

/* --- orders --- */

static void test_orders_reach_the_world(void **state)
{
    (void)state;
    fr_scenario *scenario = load_good(
        "{" HEAD MAP
        "'groups': [{'name': 'a', 'units': [[0.5, 0.5, 7.5, 0.5], [0.5, 3.5], [1.5, 3.5, 7.5, 3.5]]},"
        "{'name': 'b', 'count': 3, 'area': [4, 0, 4, 4]}],"
        "'orders': [{'tick': 2, 'group': 'b', 'order': 'hold'}, {'tick': 2, 'order': 'set_cost', 'rect': [0, "
        "1, 2, 1],"
        " 'cost': 7}, {'tick': 0, 'group': 'a', 'order': 'move', 'goals': [[3.5, 0.5], [3.5, 3.5]]}]}");
    fr_world *world = populate(scenario, 1, (fr_vec2){0.0f, 0.0f});
    int32_t count;
    const fr_command *queue;
    fr_scenario_submit(scenario, world);
    queue = fr_world_queued(world, &count);
    /* Own goals first, then the file's orders. */
    assert_int_equal(count, 3);
    assert_int_equal(queue[0].unit_count, 1);
    assert_int_equal(queue[0].units[0], 0);
    assert_int_equal(queue[0].goals[0].x, fr_fixed(7.5));
    assert_int_equal(queue[1].units[0], 2);
    assert_int_equal(queue[2].kind, FR_COMMAND_MOVE);
    assert_int_equal(queue[2].unit_count, 3);
    assert_int_equal(queue[2].goal_count, 2);
    fr_world_tick(world);
    fr_scenario_submit(scenario, world);
    fr_world_queued(world, &count);
    assert_int_equal(count, 0);
    fr_world_tick(world);
    fr_scenario_submit(scenario, world);
    queue = fr_world_queued(world, &count);
    assert_int_equal(count, 2);
    assert_int_equal(queue[0].kind, FR_COMMAND_HOLD);
    assert_int_equal(queue[0].units[0], 3);
    assert_int_equal(queue[0].unit_count, 3);
    assert_int_equal(queue[1].cost, 7);
    fr_world_tick(world);
    assert_int_equal(fr_cost_edit(fr_world_snapshot(world)->cost, (fr_cell){1, 1}), 7);
    assert_int_equal(fr_world_snapshot(world)->state[4], FR_UNIT_HOLDING);
    fr_world_destroy(world);
    fr_scenario_destroy(scenario);
}

/* --- maps without a scenario --- */

static const char *const islands[] = {
    "..........#.....................", //
    "..........#.....................", //
    "..........#.....................", //
    "..........#...........##........", //
    "..........#...........##........", //
    "..........#.....................", //
    "..........#.....................", //
    "..........#.....................", NULL,
};

static fr_status populate_map(fr_map *map, int32_t units, fr_world **world, fr_error *error)
{
    *world = make_world(map);
    return fr_map_populate(map, units, 1, (fr_vec2){0.0f, 0.0f}, *world, error);
}

static void test_largest_region(void **state)
{
    (void)state;
    fr_map *map = map_from_picture(islands);
    fr_error error = {0};
    fr_world *world;
    assert_int_equal(populate_map(map, 100, &world, &error), FR_OK);
    const fr_snapshot *s = fr_world_snapshot(world);
    assert_int_equal(s->unit_count, 100);
    /* The map's centre is the corner of four open cells: ties go up and left. */
    assert_int_equal(s->position[0].x, fr_fixed(15.5));
    assert_int_equal(s->position[0].y, fr_fixed(3.5));
    expect_apart(s);
    expect_room(s);
    for (int32_t i = 0; i < s->unit_count; i++) {
        assert_true(fr_cells(s->position[i].x) > 11.0);
    }
    fr_world_destroy(world);
    /* More than the region holds: as many as fit. */
    assert_int_equal(populate_map(map, 5000, &world, &error), FR_OK);
    assert_in_range(fr_world_snapshot(world)->unit_count, 150, 300);
    expect_apart(fr_world_snapshot(world));
    fr_world_destroy(world);
    memset(map->costs[FR_CLASS_FOOT], FR_COST_WALL, (size_t)fr_grid_count(map->grid));
    assert_int_equal(populate_map(map, 10, &world, &error), FR_BAD_INPUT);
    assert_non_null(strstr(error.message, "no open ground"));
    fr_world_destroy(world);
    fr_map_destroy(map);
}

static void test_spawns(void **state)
{
    (void)state;
    fr_map *map = map_from_picture(islands);
    map->spawn_count = 3;
    map->spawns = fr_alloc(3, sizeof *map->spawns);
    map->spawns[0] = (fr_spawn){.x = 3.5f, .y = 2.5f, .count = -1, .team = 1, .radius = 0.4f, .speed = 4.0f};
    map->spawns[1] = (fr_spawn){.x = 12.0f,
                                .y = 1.0f,
                                .width = 4.0f,
                                .height = 3.0f,
                                .count = 30,
                                .team = 2,
                                .radius = 0.3f,
                                .speed = 2.0f};
    map->spawns[2] = (fr_spawn){.x = 29.5f, .y = 6.5f, .count = -1, .team = 3, .radius = 0.4f, .speed = 4.0f};
    fr_error error = {0};
    fr_world *world;
    assert_int_equal(fr_map_unit_count(map, 51), 81);
    assert_int_equal(populate_map(map, 51, &world, &error), FR_OK);
    const fr_snapshot *s = fr_world_snapshot(world);
    assert_int_equal(s->unit_count, 81);
    assert_int_equal(s->group_count, 3);
    int32_t teams[FR_TEAMS_MAX] = {0};
    for (int32_t i = 0; i < s->unit_count; i++) {
        double x = fr_cells(s->position[i].x);
        teams[s->team[i]]++;
        assert_true(s->team[i] != 1 || x < 10.0); /* the first spawn stays on its island */
        assert_true(s->team[i] != 2 || x > 11.0);
    }
    /* 51 shared by two: the first gets the odd one. The rectangle holds fewer than 30 at random, the rest is
     * packed round it. */
    assert_int_equal(teams[1], 26);
    assert_int_equal(teams[2], 30);
    assert_int_equal(teams[3], 25);
    assert_int_equal(s->position[0].x, fr_fixed(3.5));
    expect_apart(s);
    expect_room(s);
    fr_world_destroy(world);
    map->spawns[0].count = 500; /* its island has no room for them */
    assert_int_equal(populate_map(map, 10, &world, &error), FR_BAD_INPUT);
    assert_non_null(strstr(error.message, "spawn 1"));
    assert_non_null(strstr(error.message, "of 500"));
    fr_world_destroy(world);
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),       cmocka_unit_test(test_weights_and_areas),
        cmocka_unit_test(test_everything),     cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_area_placement), cmocka_unit_test(test_noise),
        cmocka_unit_test(test_no_room),        cmocka_unit_test(test_touching_is_room),
        cmocka_unit_test(test_ten_thousand),   cmocka_unit_test(test_orders_reach_the_world),
        cmocka_unit_test(test_largest_region), cmocka_unit_test(test_spawns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
