/* Replays: a session is recorded, read back and run again; files that were cut or edited are refused. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "memory_io.h"
#include "sim/replay.h"
#include "sim/scenario.h"

#define TICKS 200

/* A session with something of everything: groups, leaving, own goals, walls, paint, standing. */
static const char session[] =
    "{'format': 'freshet-scenario', 'version': 1, 'seed': 3, 'map': {'rows': ["
    "'........................', '........................', '..........##............', "
    "'..........##............',"
    "'............ff..........', '........................', '........................'],"
    "'legend': {'.': 1, '#': 255, 'f': 4}}, 'groups': ["
    "{'name': 'blue', 'count': 20, 'area': [0, 0, 8, 7], 'speed': 3.3, 'leave': {'line': [20, 0, 20, 7]}},"
    "{'name': 'red', 'units': [[20.5, 1.5, 2.5, 1.5], [20.5, 3.5], [20.5, 5.5, 2.5, 5.5]], 'radius': 0.35,"
    " 'class': 'wheels', 'team': 1},"
    "{'name': 'green', 'count': 3, 'every': 20, 'area': [0, 0, 8, 7], 'radius': 0.3}],"
    "'orders': [{'tick': 5, 'group': 'blue', 'order': 'move', 'goals': [[23, 1.5], [23.25, 5.5]], "
    "'goal_weights': [2, "
    "0.5], 'goal_capacity': [9, 30]}, {'tick': 75, 'group': 'red', 'order': 'move', 'goal_area': [1, 1, 3, "
    "4]},"
    "{'tick': 78, 'group': 'red', 'order': 'move', 'goal_area': {'centre': [4, 3], 'radius': 2}},"
    "{'tick': 30, 'order': 'set_cost', 'rect': [9, 4, 2, 3], 'cost': 255},"
    "{'tick': 60, 'order': 'restore_cost', 'rect': [9, 4, 2, 3]},"
    "{'tick': 70, 'group': 'red', 'order': 'hold'}, {'tick': 90, 'group': 'green', 'order': 'follow', "
    "'target': 'red'}, {'tick': 190, 'group': 'blue', 'order': 'follow', 'target': 25},"
    "{'tick': 110, 'group': 'red', 'order': 'stop'}]}";

/* What is not about the run itself is filled in. */
static fr_world *make_world(fr_world_config config, int32_t units)
{
    config.executor = fr_executor_inline();
    config.unit_capacity = units;
    config.field_bytes = 4u << 20;
    return fr_world_create(&config);
}

/* Runs the session and returns its recording. */
static fr_buffer record_with(fr_mover mover, uint32_t without, int32_t nav_shift)
{
    memory_file files[] = {{"session.json", session}, {NULL, NULL}};
    fr_io io = memory_io(files);
    fr_error error = {0};
    fr_scenario *scenario = fr_scenario_load(&io, "session.json", &error);
    if (scenario == NULL) {
        fail_msg("%s", error.message);
    }
    scenario->map->nav_shift = nav_shift;
    fr_world_config config = {
        .map = scenario->map, .seed = scenario->seed, .mover = mover, .without = without};
    fr_world *world = make_world(config, fr_scenario_unit_count(scenario));
    assert_int_equal(fr_scenario_populate(scenario, scenario->seed, (fr_vec2){0.0f, 0.0f}, world, &error),
                     FR_OK);
    fr_recorder *recorder = fr_recorder_create(world, scenario->map, "session.json", scenario->seed);
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        fr_scenario_submit(scenario, world);
        if (tick == 40) {
            /* A brush may reach beyond the map. */
            fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_SET_TERRAIN,
                                                 .rect = {-3, 5, 6, 6},
                                                 .cost = 3,
                                                 .terrain = FR_TERRAIN_SWAMP});
        }
        if (tick == 50 || tick == 100) {
            fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_SET_MOVEMENT,
                                                 .mover = tick == 50 ? FR_MOVER_FRESHET : FR_MOVER_NAIVE,
                                                 .without = FR_MECHANISM_LANES | FR_MECHANISM_QUEUE});
        }
        fr_recorder_before_tick(recorder, world);
        fr_world_tick(world);
        fr_recorder_after_tick(recorder, world);
    }
    assert_int_equal(fr_world_snapshot(world)->mover, FR_MOVER_NAIVE);
    fr_buffer out = {0};
    fr_recorder_write(recorder, &out);
    fr_recorder_destroy(recorder);
    fr_world_destroy(world);
    fr_scenario_destroy(scenario);
    return out;
}

static fr_buffer record(void)
{
    return record_with(FR_MOVER_FRESHET, 0, 0);
}

/* A recording as a file; others may stand beside it. */
typedef struct disk {
    const char *path;
    fr_buffer bytes;
    const memory_file *files;
} disk;

static fr_status disk_read(void *self, const char *path, fr_buffer *out, fr_error *error)
{
    disk *d = self;
    if (strcmp(path, d->path) == 0) {
        fr_buffer_append(out, d->bytes.data, d->bytes.size);
        return FR_OK;
    }
    return memory_read((void *)(uintptr_t)d->files, path, out, error);
}

static fr_replay *load(fr_buffer bytes, const char *path, const memory_file *files, fr_error *error)
{
    disk d = {path, bytes, files};
    fr_io io = {.self = &d, .read = disk_read};
    return fr_replay_load(&io, path, error);
}

static fr_replay *load_good(fr_buffer bytes, const char *path, const memory_file *files)
{
    fr_error error = {0};
    fr_replay *replay = load(bytes, path, files, &error);
    if (replay == NULL) {
        fail_msg("%s", error.message);
    }
    return replay;
}

static fr_world *start(const fr_replay *replay)
{
    fr_error error = {0};
    fr_world_config config = fr_world_config_default();
    fr_replay_configure(replay, &config);
    fr_world *world = make_world(config, fr_replay_unit_count(replay));
    if (fr_replay_populate(replay, world, &error) != FR_OK) {
        fail_msg("%s", error.message);
    }
    return world;
}

static void test_round_trip(void **state)
{
    (void)state;
    fr_buffer bytes = record();
    fr_replay *replay = load_good(bytes, "a/b.replay", NULL);
    assert_int_equal(fr_replay_ticks(replay), TICKS);
    assert_int_equal(fr_replay_unit_count(replay), 26);
    assert_true(fr_replay_seed(replay) == 3);
    fr_world *world = start(replay);
    assert_true(fr_replay_check(replay, world));
    int32_t gone = 0;
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        fr_replay_submit(replay, world);
        fr_world_tick(world);
        if (!fr_replay_check(replay, world)) {
            fail_msg("differs after tick %u", tick + 1);
        }
    }
    const fr_snapshot *s = fr_world_snapshot(world);
    for (int32_t i = 0; i < s->unit_count; i++) {
        gone += s->state[i] == FR_UNIT_GONE;
    }
    assert_true(gone > 0); /* else the leaving line was not put to the test */
    fr_world_tick(world);
    assert_true(fr_replay_check(replay, world)); /* beyond the recording */
    fr_world_destroy(world);
    fr_replay_destroy(replay);
    fr_buffer_fini(&bytes);
}

/* The mover and the mechanisms left out are part of a recording. */
static void test_movement_is_recorded(void **state)
{
    (void)state;
    static const struct {
        fr_mover mover;
        uint32_t without;
        int32_t nav_shift;
    } cases[] = {{FR_MOVER_NAIVE, 0, 0},
                 {FR_MOVER_FRESHET, FR_MECHANISM_QUEUE | FR_MECHANISM_SWAPS, 0},
                 {FR_MOVER_FRESHET, 0, -1},
                 {FR_MOVER_NAIVE, 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_buffer bytes = record_with(cases[i].mover, cases[i].without, cases[i].nav_shift);
        fr_replay *replay = load_good(bytes, "b.replay", NULL);
        fr_world *world = start(replay);
        assert_int_equal(fr_world_snapshot(world)->mover, cases[i].mover);
        assert_int_equal(fr_world_snapshot(world)->without, cases[i].without);
        assert_int_equal(fr_replay_map(replay)->nav_shift, cases[i].nav_shift);
        for (uint32_t tick = 0; tick < TICKS; tick++) {
            fr_replay_submit(replay, world);
            fr_world_tick(world);
            assert_true(fr_replay_check(replay, world));
        }
        fr_world_destroy(world);
        fr_replay_destroy(replay);
        fr_buffer_fini(&bytes);
    }
}

/* Recording the replay gives the same bytes. */
static void test_recording_a_replay(void **state)
{
    (void)state;
    fr_buffer bytes = record(), again = {0};
    fr_replay *replay = load_good(bytes, "b.replay", NULL);
    fr_world *world = start(replay);
    fr_recorder *recorder =
        fr_recorder_create(world, fr_replay_map(replay), "session.json", fr_replay_seed(replay));
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        fr_replay_submit(replay, world);
        fr_recorder_before_tick(recorder, world);
        fr_world_tick(world);
        fr_recorder_after_tick(recorder, world);
    }
    fr_recorder_write(recorder, &again);
    assert_int_equal(bytes.size, again.size);
    assert_memory_equal(bytes.data, again.data, bytes.size);
    fr_recorder_destroy(recorder);
    fr_world_destroy(world);
    fr_replay_destroy(replay);
    fr_buffer_fini(&bytes);
    fr_buffer_fini(&again);
}

/* One command less, and the check says from where on it differs. */
static void test_divergence_is_seen(void **state)
{
    (void)state;
    fr_buffer bytes = record();
    fr_replay *replay = load_good(bytes, "b.replay", NULL);
    fr_world *world = start(replay);
    uint32_t differs = 0;
    for (uint32_t tick = 0; tick < TICKS && differs == 0; tick++) {
        if (tick != 5) {
            fr_replay_submit(replay, world);
        }
        fr_world_tick(world);
        differs = fr_replay_check(replay, world) ? 0 : tick + 1;
    }
    assert_int_equal(differs, 6);
    fr_world_destroy(world);
    fr_replay_destroy(replay);
    fr_buffer_fini(&bytes);
}

static const char tiny_map[] = "type octile\nheight 2\nwidth 3\nmap\n...\n.@.\n";

static fr_buffer record_map(const char *map_path)
{
    fr_error error = {0};
    fr_io io = memory_io(NULL);
    fr_map *map = fr_map_load_bytes(&io, "tiny.map", tiny_map, strlen(tiny_map), &error);
    assert_non_null(map);
    fr_world *world = make_world((fr_world_config){.map = map, .seed = UINT64_MAX}, 4);
    assert_int_equal(fr_map_populate(map, 1, 1, (fr_vec2){0.0f, 0.0f}, world, &error), FR_OK);
    fr_recorder *recorder = fr_recorder_create(world, map, map_path, UINT64_MAX);
    fr_buffer out = {0};
    fr_recorder_write(recorder, &out);
    fr_recorder_destroy(recorder);
    fr_world_destroy(world);
    fr_map_destroy(map);
    return out;
}

/* The map is looked for from the working directory, then beside the recording; another map is refused. */
static void test_map_by_name(void **state)
{
    (void)state;
    fr_buffer bytes = record_map("maps/tiny.map");
    const memory_file here[] = {{"maps/tiny.map", tiny_map}, {NULL, NULL}};
    const memory_file beside[] = {{"old/maps/tiny.map", tiny_map}, {NULL, NULL}};
    const memory_file other[] = {{"maps/tiny.map", "type octile\nheight 2\nwidth 3\nmap\n...\n...\n"},
                                 {NULL, NULL}};
    fr_replay *replay = load_good(bytes, "old/a.replay", here);
    assert_true(fr_replay_seed(replay) == UINT64_MAX);
    assert_int_equal(fr_replay_ticks(replay), 0);
    fr_replay_destroy(replay);
    fr_replay_destroy(load_good(bytes, "old/a.replay", beside));
    fr_error error = {0};
    assert_null(load(bytes, "old/a.replay", other, &error));
    assert_non_null(strstr(error.message, "line 1: $.cost_hashes[0]: map \"maps/tiny.map\" has changed"));
    assert_null(load(bytes, "old/a.replay", NULL, &error));
    assert_non_null(strstr(error.message, "maps/tiny.map: no such file"));
    fr_buffer_fini(&bytes);
}

/* --- bad files --- */

/* The recording with the first occurrence of a text replaced; the file ends in NUL. */
static fr_buffer edit(fr_buffer bytes, const char *from, const char *to)
{
    fr_buffer text = {0}, out = {0};
    fr_buffer_append(&text, bytes.data, bytes.size);
    fr_buffer_append(&text, "", 1);
    const char *at = strstr((const char *)text.data, from);
    if (at == NULL) {
        fail_msg("the recording has no %s", from);
    }
    size_t before = (size_t)(at - (const char *)text.data), after = before + strlen(from);
    fr_buffer_append(&out, text.data, before);
    fr_buffer_append(&out, to, strlen(to));
    fr_buffer_append(&out, text.data + after, bytes.size - after);
    fr_buffer_fini(&text);
    return out;
}

static void expect_refused(fr_buffer bytes, const char *words)
{
    fr_error error = {0};
    fr_replay *replay = load(bytes, "b.replay", NULL, &error);
    if (replay != NULL) {
        fail_msg("loaded, expected \"%s\"", words);
    }
    if (strstr(error.message, words) == NULL || strncmp(error.message, "b.replay: ", 10) != 0) {
        fail_msg("no \"%s\" in \"%s\"", words, error.message);
    }
}

static void test_edited(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *expected;
    } edits[] = {
        {"\"freshet-replay\"", "\"freshet-scenario\"", "line 1: $.format: found \"freshet-scenario\""},
        {"\"version\": 1", "\"version\": 2", "line 1: $.version: found 2"},
        {"\"field_rule\": 6", "\"field_rule\": 99", "line 1: $.field_rule: recorded by version"},
        {"\"program\"", "\"programme\"", "line 1: $.programme: unknown key"},
        {"\"0101", "\"010101", "line 1: $.map.costs[1]: expected 50 hex digits"},
        {"\"0101", "\"0001", "line 1: $.map.costs[0]: cell 0: \"00\""},
        {"\"0101", "\"01f0", "line 1: $.cost_hashes[0]: map"},
        {"\"full_speed_cost\": 1", "\"full_speed_cost\": 2", "line 1: $.full_speed_cost: map"},
        {"\"full_speed_cost\": 1", "\"full_speed_cost\": 1, \"nav_scale\": 3",
         "line 1: $.nav_scale: expected 0.5, 1, 2 or 4"},
        {"\"seed\": \"0", "\"seed\": \"X", "line 1: $.seed: expected 16 hex digits"},
        {"\"mover\": \"freshet\"", "\"mover\": \"boids\"", "line 1: $.mover: expected the name of a mover"},
        {"\"without\": [", "\"without\": [\"wings\"", "line 1: $.without[0]: expected the name"},
        {"\"set_movement\", \"mover\": \"freshet\"", "\"set_movement\", \"mover\": \"boids\"",
         "$.commands[0].mover: expected the name of a mover"},
        {"\"set_movement\", \"mover\": \"freshet\", \"without\": [", "\"set_movement\", \"without\": [7, ",
         "$.commands[0].without[0]: expected the name"},
        {"\"leave\": [", "\"leave\": [[1,1],", "line 1: $.groups[0].leave: expected two positions"},
        {"\"units\": [[", "\"units\": [[-1,1,0.5,1,0,0,0],[", "line 1: $.units[0][0]: found -1"},
        {"\"units\": [[", "\"units\": [[1,1,0.5,1,0,0,3],[", "line 1: $.units[0][6]: found 3"},
        {"\"units\": [[", "\"units\": [[1,1,0.5,1,0,9,0],[", "line 1: $.units[0][5]: found 9"},
        {"\"units\": [[", "\"units\": [[1,1,9,1,0,0,0],[", "line 1: $.units[0][2]: found 9"},
        {"\"units\": [[", "\"units\": [[720000,150000,0.5,1,0,0,0],[",
         "line 1: $.units[0]: the unit stands in a wall"},
        {"\"units\": [[", "\"units\": [[1,1],[", "line 1: $.units[0]: expected [x, y, radius"},
        {"{\"tick\": 0,", "{\"tick\": 7,", "line 3: $.tick: found 5"},
        {"\"kind\": \"move\"", "\"kind\": \"march\"",
         "line 2: $.commands[0].kind: unknown command \"march\""},
        {"\"units\": [[20, 1]]", "\"units\": [[20,5]]", "line 2: $.commands[0].units[0]: names units beyond"},
        {"\"units\": [[20, 1]]", "\"units\": [[0,20],[0,20]]",
         "line 2: $.commands[0].units[1]: names units beyond"},
        {"\"goals\": [[", "\"goals\": [],\"x\": [[", "line 2: $.commands[0].x: unknown key"},
        {"\"goals\": [[", "\"goals\": [[1,2.5],[", "line 2: $.commands[0].goals[0][1]: found 2.5"},
        {"\"cost\": 255", "\"cost\": 0", "$.commands[0].cost: found 0"},
        {"\"terrain\": \"swamp\"", "\"terrain\": \"lava\"", "$.commands[1].terrain: unknown kind"},
        {"{\"from\": 0", "{\"from\": 1", "$.from: found 1"},
        {"{\"from\": 60", "{\"from\": 61", "$.from: found 61"},
        {"{\"end\": 200}", "{\"end\": 199}", "$.end: found 199"},
        {"{\"end\": 200}", "{\"last\": 200}", "expected commands, hashes or the end"},
        {"{\"end\": 200}\n", "{\"end\": 200}\n{}", "a line after the end"},
        {"{\"end\": 200}\n", "", "the recording is cut"},
    };
    fr_buffer bytes = record();
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        fr_buffer edited = edit(bytes, edits[i].from, edits[i].to);
        expect_refused(edited, edits[i].expected);
        fr_buffer_fini(&edited);
    }
    fr_buffer_fini(&bytes);
}

/* Wherever a file is cut, it is refused; wherever a byte is damaged, nothing crashes. */
static void test_cut_and_damaged(void **state)
{
    (void)state;
    fr_buffer bytes = record();
    for (size_t size = 0; size + 1 < bytes.size; size += 97) {
        fr_error error = {0};
        fr_buffer cut = {.data = bytes.data, .size = size};
        assert_null(load(cut, "b.replay", NULL, &error));
        assert_true(strncmp(error.message, "b.replay: ", 10) == 0);
    }
    for (size_t at = 0; at < bytes.size; at += 101) {
        fr_error error = {0};
        uint8_t kept = bytes.data[at];
        bytes.data[at] = (uint8_t)(kept ^ (1u << at % 7));
        fr_replay_destroy(load(bytes, "b.replay", NULL, &error));
        bytes.data[at] = kept;
    }
    fr_buffer_fini(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),         cmocka_unit_test(test_movement_is_recorded),
        cmocka_unit_test(test_recording_a_replay), cmocka_unit_test(test_divergence_is_seen),
        cmocka_unit_test(test_map_by_name),        cmocka_unit_test(test_edited),
        cmocka_unit_test(test_cut_and_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
