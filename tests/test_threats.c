/* Ring and threats: extra costs that choose ways, and do nothing else. */
#include "support.h"

#include "base/memory.h"
#include "base/rng.h"
#include "field/field.h"
#include "grid/clearance.h"
#include "memory_io.h"
#include "sim/replay.h"
#include "sim/scenario.h"

enum { WIDTH = 75, HEIGHT = 41, CELLS = WIDTH * HEIGHT };

static fr_threat threat_at(double x, double y, double radius, int cost, int team)
{
    return (fr_threat){.centre = fr_position_at(x, y),
                       .radius = fr_fixed(radius),
                       .cost = (uint8_t)cost,
                       .team = (uint8_t)team};
}

/* What a traveller pays, worked out cell by cell. */
static int expected_cost(const fr_cost *cost, const fr_cost_view_def *def, bool ring, fr_cell cell)
{
    int side = fr_clearance_window(def->clearance), ground = fr_cost_at(cost, def->movement_class, cell);
    fr_cell corner = {cell.x - side / 2, cell.y - side / 2};
    if (ground == FR_COST_WALL ||
        !fr_clearance_fits(fr_cost_wall_window(cost, def->movement_class, corner, side), def->clearance)) {
        return FR_COST_WALL;
    }
    int sum = ground;
    for (int d = 0; d < FR_DIR_COUNT && ring; d++) {
        fr_cell next = {cell.x + FR_STEPS[d].dx, cell.y + FR_STEPS[d].dy};
        corner = (fr_cell){next.x - side / 2, next.y - side / 2};
        if (!fr_cost_walkable(cost, def->movement_class, next) ||
            !fr_clearance_fits(fr_cost_wall_window(cost, def->movement_class, corner, side),
                               def->clearance)) {
            sum = ground + (ground + 1) / 2;
            break;
        }
    }
    sum = sum > 254 ? 254 : sum;
    for (int32_t t = 0; t < FR_THREATS_MAX && def->caution != FR_CAUTION_RUSH; t++) {
        const fr_threat *threat = fr_cost_threat(cost, t);
        if (threat != NULL && threat->team != def->team) {
            double dx = cell.x + 0.5 - fr_cells(threat->centre.x),
                   dy = cell.y + 0.5 - fr_cells(threat->centre.y), reach = fr_cells(threat->radius);
            bool inside = dx * dx + dy * dy <= reach * reach;
            sum += !inside ? 0 : def->caution == FR_CAUTION_SAFE ? 254 : threat->cost;
            sum = sum > 254 ? 254 : sum;
        }
    }
    return sum;
}

/* Edits, threats that come, move and go, and a ring switched on and off, against the sum cell by cell; with
 * snapshots that keep what they saw, and a saved grid that comes back alike. */
static void test_extra_costs_add_up(void **state)
{
    (void)state;
    fr_rng rng = {3};
    fr_map *map = open_map(WIDTH, HEIGHT);
    for (int32_t i = 0; i < CELLS; i++) {
        uint32_t kind = fr_rng_below(&rng, 12);
        map->costs[FR_CLASS_FOOT][i] = kind == 0   ? FR_COST_WALL
                                       : kind == 1 ? 254
                                                   : (uint8_t)(1 + fr_rng_below(&rng, 9));
    }
    fr_cost *cost = fr_cost_create(map);
    static const fr_cost_view_def defs[] = {
        {.caution = FR_CAUTION_NORMAL, .team = 0},
        {.caution = FR_CAUTION_SAFE, .team = 0},
        {.caution = FR_CAUTION_RUSH, .team = 0},
        {.movement_class = FR_CLASS_WHEELS, .clearance = 1, .caution = FR_CAUTION_NORMAL, .team = 1},
        {.movement_class = FR_CLASS_AIR, .caution = FR_CAUTION_SAFE, .team = 2},
    };
    enum { DEFS = sizeof defs / sizeof *defs };
    static uint8_t now[CELLS], before[DEFS][CELLS], seen[CELLS];
    fr_cost_set_ring(cost, true);
    fr_threat first = threat_at(20.0, 20.0, 4.0, 10, 1);
    fr_cost_set_threat(cost, 7, &first);
    fr_cost_view views[DEFS];
    for (int v = 0; v < DEFS; v++) {
        views[v] = fr_cost_view_open(cost, defs[v]);
        fr_cost_copy(cost, views[v], (fr_rect){0, 0, WIDTH, HEIGHT}, before[v]);
    }
    fr_cost_take_changed(cost);
    const fr_cost_snapshot *held = fr_cost_acquire(cost);
    fr_cost_snapshot_copy(held, views[1], seen, WIDTH);
    bool ring = true;
    for (int round = 0; round < 28; round++) {
        fr_cell at = {(int32_t)fr_rng_below(&rng, WIDTH), (int32_t)fr_rng_below(&rng, HEIGHT)};
        if (round % 4 == 0) {
            fr_cost_set_edit(cost, (fr_rect){at.x, at.y, 4, 3}, (uint8_t)(round % 8 == 0 ? 255 : 3));
        } else if (round == 11 || round == 17) {
            ring = !ring;
            fr_cost_set_ring(cost, ring);
        } else if (round % 4 == 3) {
            fr_cost_set_threat(cost, round % 5, NULL);
        } else {
            fr_threat threat = threat_at(at.x + 0.25, at.y + 0.5, 1.0 + 0.1 * round,
                                         1 + (int)fr_rng_below(&rng, 254), round % 3 == 0 ? FR_TEAM_NONE : 0);
            fr_cost_set_threat(cost, round % 5, &threat);
        }
        fr_rect changed = fr_cost_take_changed(cost);
        for (int v = 0; v < DEFS; v++) {
            fr_cost_copy(cost, views[v], (fr_rect){0, 0, WIDTH, HEIGHT}, now);
            for (int32_t i = 0; i < CELLS; i++) {
                fr_cell cell = fr_grid_cell(map->grid, i);
                int expected = expected_cost(cost, &defs[v], ring, cell);
                bool inside = cell.x >= changed.x && cell.y >= changed.y &&
                              cell.x < changed.x + changed.width && cell.y < changed.y + changed.height;
                if (now[i] != expected || (now[i] != before[v][i] && !inside)) {
                    fail_msg("round %d, view %d: %d,%d costs %d after %d, expected %d", round, v, cell.x,
                             cell.y, now[i], before[v][i], expected);
                }
                assert_int_equal(fr_cost_walkable(cost, views[v], cell), expected != FR_COST_WALL);
            }
            memcpy(before[v], now, sizeof now);
        }
    }
    fr_cost_snapshot_copy(held, views[1], now, WIDTH);
    assert_memory_equal(now, seen, sizeof now);
    fr_cost_release(cost, held);

    fr_buffer saved = {0};
    fr_cost_save(cost, &saved);
    fr_cost *twin = fr_cost_create(map);
    fr_reader reader = {saved.data, saved.size, 0};
    assert_true(fr_cost_load(twin, &reader));
    assert_true(fr_cost_hash(twin) == fr_cost_hash(cost));
    for (int v = 0; v < DEFS; v++) {
        assert_true(fr_cost_view_is_open(twin, views[v]));
        fr_cost_copy(twin, views[v], (fr_rect){0, 0, WIDTH, HEIGHT}, now);
        assert_memory_equal(now, before[v], sizeof now);
    }
    fr_cost_destroy(twin);
    fr_buffer_fini(&saved);
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

static void test_views_are_shared_and_bounded(void **state)
{
    (void)state;
    fr_map *map = open_map(20, 10);
    fr_cost *cost = fr_cost_create(map);
    fr_cost_view_def safe = {.caution = FR_CAUTION_SAFE, .team = 1}, rush = {.caution = FR_CAUTION_RUSH};
    assert_int_equal(fr_cost_view_open(cost, safe), FR_CLASS_FOOT); /* nothing to mind yet */
    fr_threat threat = threat_at(5.0, 5.0, 2.0, 10, FR_TEAM_NONE);
    uint64_t hash = fr_cost_hash(cost);
    fr_cost_set_threat(cost, 0, &threat);
    assert_true(fr_cost_hash(cost) != hash);
    fr_cost_view view = fr_cost_view_open(cost, safe);
    assert_int_not_equal(view, FR_CLASS_FOOT);
    safe.team = 3; /* nobody's threat is everybody's */
    assert_int_equal(fr_cost_view_open(cost, safe), view);
    assert_int_equal(fr_cost_view_open(cost, rush), FR_CLASS_FOOT);
    fr_cost_set_threat(cost, 0, NULL);
    assert_true(fr_cost_hash(cost) == hash);
    /* More kinds of travellers than there is room for: the last ones do without. */
    threat.team = 2;
    fr_cost_set_threat(cost, 0, &threat);
    for (int i = 0; i < 4 * 4 * 8; i++) {
        fr_cost_view_def def = {.movement_class = (fr_class)(i % 4),
                                .clearance = (uint8_t)(i / 4 % 4),
                                .caution = FR_CAUTION_NORMAL,
                                .team = (uint8_t)(i / 16)};
        assert_true(fr_cost_view_is_open(cost, fr_cost_view_open(cost, def)));
    }
    assert_true(fr_cost_views_denied(cost) > 0);
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

/* ---- units ---- */

/* Runs a scenario on a map 60x40 with a wall at x = 30 that is open from 4 to 9 and, if `far`, from 30 to 35;
 * a threat covers the near gap. Ten units cross. Returns how many went through the near one. */
static int run_gaps(const char *caution, bool far, const char *extra, bool *all_arrived)
{
    char rows[40 * 64], text[4096];
    size_t at = 0;
    for (int y = 0; y < 40; y++) {
        bool open = (y >= 4 && y < 10) || (far && y >= 30 && y < 36);
        rows[at++] = '"';
        for (int x = 0; x < 60; x++) {
            rows[at++] = x == 30 && !open ? '#' : '.';
        }
        at += (size_t)snprintf(rows + at, sizeof rows - at, "\"%s", y < 39 ? "," : "");
    }
    snprintf(text, sizeof text,
             "{'format': 'freshet-scenario', 'version': 1, 'map': {'rows': [%s], 'legend': {'.': 1, '#': "
             "255}}, %s 'groups': [{'name': 'a', 'count': 10, 'area': [4, 2, 10, 10]}], 'orders': [{'tick': "
             "0, 'group': 'a', 'order': 'move', 'goal': [50, 7] %s}]}",
             rows, extra, caution);
    memory_file files[] = {{"gaps.json", text}, {NULL, NULL}};
    fr_io io = memory_io(files);
    fr_error error = {0};
    fr_scenario *scenario = fr_scenario_load(&io, "gaps.json", &error);
    if (scenario == NULL) {
        fail_msg("%s", error.message);
    }
    fr_world_config config = fr_world_config_default();
    config.map = scenario->map;
    config.unit_capacity = 16;
    config.field_bytes = 4u << 20;
    fr_world *world = fr_world_create(&config);
    assert_int_equal(fr_scenario_populate(scenario, 1, (fr_vec2){0.0f, 0.0f}, world, &error), FR_OK);
    int near = 0, arrived = 0;
    for (int t = 0; t < 900 && arrived < 10; t++) {
        fr_scenario_submit(scenario, world);
        fr_world_tick(world);
        arrived = 0;
        const fr_snapshot *snapshot = fr_world_snapshot(world);
        for (int i = 0; i < 10; i++) {
            bool crossed =
                fr_cell_at(snapshot->previous[i]).x < 30 && fr_cell_at(snapshot->position[i]).x >= 30;
            near += crossed && fr_cell_at(snapshot->position[i]).y < 20;
            arrived += snapshot->state[i] == FR_UNIT_ARRIVED;
        }
    }
    *all_arrived = arrived == 10;
    fr_world_destroy(world);
    fr_scenario_destroy(scenario);
    return near;
}

static void test_caution_chooses_the_way(void **state)
{
    (void)state;
    static const struct {
        const char *what, *extra, *caution;
        bool far;
        int near; /* of ten */
    } table[] = {
        {"no threat", "", "", true, 10},
        {"normal, cheap", "'threats': [{'centre': [30, 7], 'radius': 8, 'cost': 1}],", "", true, 10},
        {"normal, dear", "'threats': [{'centre': [30, 7], 'radius': 8, 'cost': 20}],", "", true, 0},
        {"rush", "'threats': [{'centre': [30, 7], 'radius': 8, 'cost': 254}],", ", 'caution': 'rush'", true,
         10},
        {"safe", "'threats': [{'centre': [30, 7], 'radius': 8, 'cost': 1}],", ", 'caution': 'safe'", true, 0},
        {"safe, no other way", "'threats': [{'centre': [30, 7], 'radius': 8, 'cost': 1}],",
         ", 'caution': 'safe'", false, 10},
        {"own threat", "'threats': [{'centre': [30, 7], 'radius': 8, 'cost': 99, 'team': 0}],", "", true, 10},
        {"other's threat", "'threats': [{'centre': [30, 7], 'radius': 8, 'cost': 99, 'team': 1}],", "", true,
         0},
        {"ring", "'ring': true,", "", true, 10},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        bool all_arrived;
        int near = run_gaps(table[i].caution, table[i].far, table[i].extra, &all_arrived);
        if (near != table[i].near || !all_arrived) {
            fail_msg("%s: %d of 10 took the near gap, expected %d; %s", table[i].what, near, table[i].near,
                     all_arrived ? "all arrived" : "not all arrived");
        }
    }
}

/* Of units of two teams under one order those go through the near gap whose threat it is, the others round by
 * the far one, whether the threat was there or comes while they are on their way. */
static void test_teams_of_one_order(void **state)
{
    (void)state;
    for (int comes_at = 0; comes_at <= 40; comes_at += 40) {
        fr_map *map = open_map(60, 40);
        for (int y = 0; y < 40; y++) {
            bool open = (y >= 4 && y < 10) || (y >= 30 && y < 36);
            map->costs[FR_CLASS_FOOT][y * 60 + 30] = open ? 1 : FR_COST_WALL;
        }
        fr_map_share_costs(map);
        fr_world_config config = fr_world_config_default();
        config.map = map;
        config.unit_capacity = 8;
        fr_world *world = fr_world_create(&config);
        fr_world_add_group(world, &(fr_group_def){.name = "units"});
        uint32_t ids[8];
        for (int i = 0; i < 8; i++) {
            ids[i] = fr_world_spawn(world, &(fr_unit_def){.position = fr_position_at(4.5, 4.5 + i),
                                                          .radius = 0.4f,
                                                          .speed = 4.0f,
                                                          .team = (uint8_t)(i % 2)});
        }
        fr_position goal = fr_position_at(55.5, 7.5);
        fr_world_submit(
            world,
            &(fr_command){
                .kind = FR_COMMAND_MOVE, .units = ids, .unit_count = 8, .goals = &goal, .goal_count = 1});
        int through_near[2] = {0, 0};
        for (int t = 0; t < 800; t++) {
            if (t == comes_at) {
                fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_SET_THREAT,
                                                     .threat = threat_at(30.5, 7.0, 6.0, 100, 1)});
            }
            fr_world_tick(world);
            const fr_snapshot *now = fr_world_snapshot(world);
            for (int i = 0; i < 8; i++) {
                fr_cell before = fr_cell_at(now->previous[i]), after = fr_cell_at(now->position[i]);
                through_near[i % 2] += before.x < 30 && after.x >= 30 && after.y < 20;
            }
        }
        for (int i = 0; i < 8; i++) {
            assert_int_equal(fr_world_snapshot(world)->state[i], FR_UNIT_ARRIVED);
        }
        if (through_near[0] != 0 || through_near[1] != 4) {
            fail_msg("threat at tick %d: %d of the other team and %d of its own took the near gap", comes_at,
                     through_near[0], through_near[1]);
        }
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
}

/* A threat that comes while units are on their way turns them; the run is recorded, saved and replayed. */
static void test_threats_come_and_go(void **state)
{
    (void)state;
    fr_map *map = open_map(60, 40);
    for (int y = 0; y < 40; y++) {
        bool open = (y >= 4 && y < 10) || (y >= 30 && y < 36);
        map->costs[FR_CLASS_FOOT][y * 60 + 30] = open ? 1 : FR_COST_WALL;
    }
    fr_map_share_costs(map);
    map->format = FR_MAP_INLINE;
    fr_world_config config = fr_world_config_default();
    config.map = map;
    config.unit_capacity = 16;
    config.field_bytes = 4u << 20;
    fr_world *world = fr_world_create(&config);
    fr_world_add_group(world, &(fr_group_def){.name = "units"});
    uint32_t ids[6];
    for (int i = 0; i < 6; i++) {
        fr_unit_def unit = {.position = fr_position_at(4.5, 4.5 + i), .radius = 0.4f, .speed = 4.0f};
        ids[i] = fr_world_spawn(world, &unit);
    }
    fr_recorder *recorder = fr_recorder_create(world, map, "inline", 1);
    fr_position goal = fr_position_at(55.5, 7.5);
    fr_threat threat = threat_at(30.5, 7.0, 6.0, 100, 3);
    fr_buffer saved = {0};
    for (int t = 0; t < 640; t++) {
        if (t == 0) {
            fr_command move = {
                .kind = FR_COMMAND_MOVE, .units = ids, .unit_count = 6, .goals = &goal, .goal_count = 1};
            fr_world_submit(world, &move);
        } else if (t == 45) {
            fr_world_submit(
                world, &(fr_command){.kind = FR_COMMAND_SET_THREAT, .threat_index = 9, .threat = threat});
        } else if (t == 60) {
            fr_world_save(world, &saved);
        } else if (t == 560) {
            fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_REMOVE_THREAT, .threat_index = 9});
        }
        fr_recorder_before_tick(recorder, world);
        fr_world_tick(world);
        fr_recorder_after_tick(recorder, world);
        const fr_snapshot *now = fr_world_snapshot(world);
        for (int i = 0; i < 6; i++) {
            assert_false(fr_cell_at(now->position[i]).x == 30 && fr_cell_at(now->position[i]).y < 20);
            assert_true(now->reason[i] != FR_REASON_WAITING_FIELD || t < 4);
        }
    }
    for (int i = 0; i < 6; i++) {
        assert_int_equal(fr_world_snapshot(world)->state[i], FR_UNIT_ARRIVED);
    }
    /* Saved in the middle. */
    fr_error error = {0};
    fr_world *twin = fr_world_load(&config, saved.data, saved.size, &error);
    assert_non_null(twin);
    while (fr_world_snapshot(twin)->tick < 560) {
        fr_world_tick(twin);
    }
    fr_world_submit(twin, &(fr_command){.kind = FR_COMMAND_REMOVE_THREAT, .threat_index = 9});
    while (fr_world_snapshot(twin)->tick < 640) {
        fr_world_tick(twin);
    }
    assert_true(fr_world_hash(twin) == fr_world_hash(world));
    fr_world_destroy(twin);
    fr_buffer_fini(&saved);
    /* Replayed. */
    fr_buffer file = {0};
    fr_recorder_write(recorder, &file);
    fr_buffer_append(&file, "", 1);
    memory_file files[] = {{"run.frr", (const char *)file.data}, {NULL, NULL}};
    fr_io io = memory_io(files);
    fr_replay *replay = fr_replay_load(&io, "run.frr", &error);
    if (replay == NULL) {
        fail_msg("%s", error.message);
    }
    config.map = fr_replay_map(replay);
    fr_world *again = fr_world_create(&config);
    assert_int_equal(fr_replay_populate(replay, again, &error), FR_OK);
    for (int t = 0; t < 640; t++) {
        fr_replay_submit(replay, again);
        fr_world_tick(again);
        assert_true(fr_replay_check(replay, again));
    }
    fr_world_destroy(again);
    fr_replay_destroy(replay);
    fr_buffer_fini(&file);
    fr_recorder_destroy(recorder);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* Extra cost is nobody's ground: in the thick of a threat units are as fast as outside. */
static void test_extra_costs_do_not_slow(void **state)
{
    (void)state;
    fr_map *map = open_map(60, 3);
    fr_map_share_costs(map);
    int32_t x[2];
    for (int with = 0; with < 2; with++) {
        fr_world_config config = fr_world_config_default();
        config.map = map;
        config.unit_capacity = 4;
        config.field_bytes = 4u << 20;
        fr_world *world = fr_world_create(&config);
        fr_world_add_group(world, &(fr_group_def){.name = "units"});
        fr_unit_def unit = {.position = fr_position_at(2.5, 1.5), .radius = 0.4f, .speed = 4.0f};
        uint32_t id = fr_world_spawn(world, &unit);
        if (with) {
            fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_SET_RING, .is_on = true});
            fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_SET_THREAT,
                                                 .threat = threat_at(30.0, 1.5, 50.0, 200, FR_TEAM_NONE)});
        }
        fr_position goal = fr_position_at(57.5, 1.5);
        fr_world_submit(
            world,
            &(fr_command){
                .kind = FR_COMMAND_MOVE, .units = &id, .unit_count = 1, .goals = &goal, .goal_count = 1});
        for (int t = 0; t < 200; t++) {
            fr_world_tick(world);
        }
        x[with] = fr_world_snapshot(world)->position[id].x;
        fr_world_destroy(world);
    }
    assert_true(x[0] > 25 * FR_POSITION_ONE && x[1] >= x[0] - FR_POSITION_ONE / 2);
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_extra_costs_add_up),      cmocka_unit_test(test_views_are_shared_and_bounded),
        cmocka_unit_test(test_caution_chooses_the_way), cmocka_unit_test(test_teams_of_one_order),
        cmocka_unit_test(test_threats_come_and_go),     cmocka_unit_test(test_extra_costs_do_not_slow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
