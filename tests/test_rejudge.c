/* Judging from a positions file: the same figures as in the run, for every kind of scenario; and what such
 * files may not say. */
#include "memory_io.h"
#include "support.h"

#include "base/json.h"
#include "base/memory.h"
#include "sim/rejudge.h"

#define MAP                                                                                                  \
    "'map': {'rows': ['........................', '........................', '.............#..........', "  \
    "'.............#..........', '.............#..........', '........................', "                   \
    "'.............#..........', '........................', '........................'], "                  \
    "'legend': {'.': 1, '#': 255}}"
#define HEAD "{'format': 'freshet-scenario', 'version': 1, 'seed': 3, " MAP ", "

typedef struct case_ {
    const char *name, *text;
} case_;

static const case_ cases[] = {
    {"a move", HEAD "'ticks': 900, 'groups': [{'name': 'a, \\'b\\'', 'count': 20, 'area': [1, 1, 8, 7], "
                    "'radius': 0.333333}],"
                    "'orders': [{'tick': 7, 'group': 'a, \\'b\\'', 'order': 'move', 'goal': [20.3, 4.7]}]}"},
    {"all leave, and the run goes on",
     HEAD "'ticks': 900, 'groups': [{'name': 'a', 'count': 12, 'area': [1, 1, 8, 7],"
          "'leave': {'line': [18, 0, 18, 9]}}],"
          "'orders': [{'tick': 0, 'group': 'a', 'order': 'move', 'goals': [[22.5, 2.5], [22.5, 6.5]]}]}"},
    {"goals with room, weights, lanes and doors",
     HEAD "'ticks': 700, 'groups': [{'name': 'a', 'count': 12, 'area': [1, 1, 8, 7]},"
          "{'name': 'b', 'count': 12, 'area': [15, 1, 8, 7], 'speed': 3.3}],"
          "'orders': [{'tick': 0, 'group': 'a', 'order': 'move', 'goals': [[22.5, 2.5], [20.5, 7.5]],"
          "'goal_capacity': [4, 20]}, {'tick': 3, 'group': 'b', 'order': 'move', 'goals': [[1.5, 1.5], [1.5, "
          "7.5]],"
          "'goal_weights': [3, 0]}],"
          "'doors': [{'name': 'gap', 'line': [13.5, 5, 13.5, 6]}],"
          "'lanes': {'area': [4, 0, 16, 9], 'axis': 'x', 'groups': ['a', 'b']}}"},
    {"walls that come down on units, and go",
     HEAD "'ticks': 800, 'groups': [{'name': 'a', 'count': 20, 'area': [1, 1, 8, 7]}],"
          "'orders': [{'tick': 0, 'group': 'a', 'order': 'move', 'goal': [20.5, 4.5]},"
          "{'tick': 40, 'order': 'set_cost', 'rect': [5, 2, 4, 4], 'cost': 255},"
          "{'tick': 40, 'group': 'a', 'order': 'move', 'goal': [20.5, 2.5]},"
          "{'tick': 200, 'order': 'restore_cost', 'rect': [5, 2, 4, 4]},"
          "{'tick': 210, 'order': 'set_cost', 'rect': [15, 0, 2, 9], 'cost': 3},"
          "{'tick': 220, 'group': 'a', 'order': 'move', 'goal': [2.5, 2.5]}]}"},
    {"a stream, one that follows, goals of their own, a stop",
     HEAD "'ticks': 600, 'groups': [{'name': 's', 'count': 6, 'area': [1, 1, 4, 4], 'every': 20},"
          "{'name': 'own', 'units': [[2.5, 7.5, 20.5, 7.5], [4.5, 7.5], [6.5, 7.5, 18.5, 7.5]]},"
          "{'name': 'f', 'count': 3, 'area': [8, 1, 4, 4]}],"
          "'orders': [{'tick': 5, 'group': 's', 'order': 'move', 'goal': [20.5, 2.5]},"
          "{'tick': 9, 'group': 'f', 'order': 'follow', 'target': 'own'},"
          "{'tick': 150, 'group': 'own', 'order': 'stop'}, {'tick': 160, 'group': 'f', 'order': 'hold'}]}"},
    {"areas, and threats",
     HEAD "'ticks': 500, 'groups': [{'name': 'a', 'count': 10, 'area': [1, 1, 8, 7]}],"
          "'threats': [{'centre': [12, 3], 'radius': 2, 'cost': 9, 'team': 1}],"
          "'orders': [{'tick': 0, 'group': 'a', 'order': 'move', 'goal_area': [18, 2, 4, 3]}]}"},
    {"fliers",
     HEAD "'ticks': 500, 'groups': [{'name': 'a', 'class': 'air', 'count': 10, 'area': [1, 1, 8, 7]}],"
          "'orders': [{'tick': 0, 'group': 'a', 'order': 'move', 'goal': [20.5, 3.5]}]}"},
};

/* Cuts a buffer of lines up, as a file is read. */
static fr_status read_lines(fr_rejudge *rejudge, fr_buffer *lines, fr_error *error)
{
    fr_buffer_append(lines, "", 1);
    char *line = (char *)lines->data;
    fr_status status = FR_OK;
    while (*line != '\0' && status == FR_OK) {
        fr_positions_row row;
        char *end = line + strcspn(line, "\n");
        bool is_last = *end == '\0';
        *end = '\0';
        status = fr_positions_read(line, &row, error);
        if (status == FR_OK) {
            status = fr_rejudge_add(rejudge, &row, error);
        }
        line = is_last ? end : end + 1;
    }
    lines->size = 0;
    return status;
}

static fr_scenario *load(const char *text)
{
    fr_error error = {0};
    const memory_file files[] = {{"s.json", text}, {NULL, NULL}};
    fr_io io = memory_io(files);
    fr_scenario *scenario = fr_scenario_load(&io, "s.json", &error);
    if (scenario == NULL) {
        fail_msg("%s", error.message);
    }
    return scenario;
}

static fr_json *parse(fr_buffer *report)
{
    fr_json *json = fr_json_parse("report", report->data, report->size, NULL);
    assert_non_null(json);
    fr_buffer_fini(report);
    return json;
}

/* What the program that runs knows, and no file tells. */
static bool is_of_program(const char *key)
{
    static const char *const keys[] = {"seed",        "threads",          "mover",
                                       "state_hash",  "time_ms",          "field_worker_ms",
                                       "field_bytes", "handover_deg_p50", "allocations_per_tick"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        if (key != NULL && strcmp(key, keys[k]) == 0) {
            return true;
        }
    }
    return false;
}

static void expect_same(const char *name, const fr_json_value *run, const fr_json_value *file)
{
    const char *key = fr_json_key(run) != NULL ? fr_json_key(run) : "item";
    const char *kind = fr_json_kind_name(run);
    if (strcmp(kind, fr_json_kind_name(file)) != 0 || fr_json_count(run) != fr_json_count(file) ||
        fr_json_number_or(run, 0.0) != fr_json_number_or(file, 0.0) ||
        fr_json_bool_or(run, false) != fr_json_bool_or(file, false) ||
        strcmp(fr_json_string_or(run, ""), fr_json_string_or(file, "")) != 0) {
        fail_msg("%s: %s is %s %.17g in the run, %s %.17g from the file", name, key, kind,
                 fr_json_number_or(run, 0.0), fr_json_kind_name(file), fr_json_number_or(file, 0.0));
    }
    const fr_json_value *b = fr_json_first(file);
    for (const fr_json_value *a = fr_json_first(run); a != NULL; a = fr_json_next(a), b = fr_json_next(b)) {
        if (is_of_program(fr_json_key(a))) {
            assert_string_equal(fr_json_key(a), fr_json_key(b));
            assert_false(fr_json_is_number(b));
        } else {
            expect_same(name, a, b);
        }
    }
}

static void compare_run(const case_ *c)
{
    fr_error error = {0};
    fr_scenario *scenario = load(c->text);
    fr_world_config config = fr_world_config_default();
    config.map = scenario->map;
    config.unit_capacity = fr_scenario_unit_count(scenario);
    fr_world *world = fr_world_create(&config);
    assert_int_equal(fr_scenario_populate(scenario, 3, (fr_vec2){0.0f, 0.0f}, world, &error), FR_OK);
    fr_scorecard *card = fr_scorecard_create(fr_world_snapshot(world), scenario);
    fr_rejudge *rejudge = fr_rejudge_create(scenario);
    fr_buffer lines = {0}, run = {0}, file = {0};
    fr_positions_write(fr_world_snapshot(world), &lines);
    for (uint32_t tick = 0; tick < scenario->ticks; tick++) {
        assert_int_equal(read_lines(rejudge, &lines, &error), FR_OK);
        fr_scenario_submit(scenario, world);
        fr_world_tick(world);
        fr_scorecard_tick(card, fr_world_snapshot(world));
        fr_positions_write(fr_world_snapshot(world), &lines);
    }
    assert_int_equal(read_lines(rejudge, &lines, &error), FR_OK);
    fr_report_info info = {.scenario = "s", .map = "inline", .mover = "freshet"};
    fr_report_write(card, fr_world_snapshot(world), &info, &run);
    fr_rejudge_report(rejudge, &file);
    fr_json *of_run = parse(&run), *of_file = parse(&file);
    expect_same(c->name, fr_json_root(of_run), fr_json_root(of_file));
    fr_json_destroy(of_run);
    fr_json_destroy(of_file);
    fr_buffer_fini(&lines);
    fr_rejudge_destroy(rejudge);
    fr_scorecard_destroy(card);
    fr_world_destroy(world);
    fr_scenario_destroy(scenario);
}

static void test_same_as_in_the_run(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        compare_run(&cases[c]);
    }
}

/* --- bad files --- */

static void test_header(void **state)
{
    (void)state;
    assert_true(fr_positions_is_header("tick,id,group,x,y,radius,speed,goal_x,goal_y,state"));
    assert_false(fr_positions_is_header("tick,id,group,x,y,radius,speed,goal_x,goal_y"));
    assert_false(fr_positions_is_header("tick,id,group,x,y,radius,speed,goal_x,goal_y,state,more"));
    assert_false(fr_positions_is_header(""));
}

static void test_bad_rows(void **state)
{
    (void)state;
    static const struct {
        const char *lines, *message; /* null: good */
    } rows[] = {
        {"0,0,a,1.5,1.5,0.4,4,,,idle\n0,1,a,3.5,1.5,0.4,4,2,2,moving", NULL},
        {"0,0,a,1.5,1.5,0.4,4,,,idle\n5,0,a,1.5,1.5,0.4,4,,,idle", "again after it had left"},
        {"0,0,\"a\",1.5,1.5,0.4,4,,,idle", NULL},
        {"0,0,a,1.5,1.5,0.4,4,,", "found 9 columns, expected 10"},
        {"0,0,a,1.5,1.5,0.4,4,,,idle,7", "more than 10 columns"},
        {"0,0,a,one,1.5,0.4,4,,,idle", "x: found \"one\""},
        {"0,0,a,1.5,nan,0.4,4,,,idle", "y: found \"nan\""},
        {"0,0,a,1.5,1.5,0,4,,,idle", "radius: found \"0\""},
        {"0,0,a,1.5,1.5,0.4,inf,,,idle", "speed: found \"inf\""},
        {"0,0,a,1.5,1.5,0.4,4,2,,idle", "goal_y: found \"\""},
        {"0.5,0,a,1.5,1.5,0.4,4,,,idle", "tick: found 0.5, expected a whole number"},
        {"0,-1,a,1.5,1.5,0.4,4,,,idle", "id: found \"-1\""},
        {"0,0,b,1.5,1.5,0.4,4,,,idle", "group: found \"b\""},
        {"0,1,a,1.5,1.5,0.4,4,,,idle", "id: found 1, expected 0"},
        {"1,0,a,1.5,1.5,0.4,4,,,idle", "tick: found 1, expected 0"},
        {"0,0,a,1.5,1.5,0.4,4,,,idle\n4294967295,1,a,1.5,1.5,0.4,4,,,idle",
         "tick: found 4294967295, expected at most 108000"},
        {"0,0,a,1.5,1.5,0.4,4,,,idle\n0,0,a,1.5,1.5,0.4,4,,,idle", "twice in one tick"},
        {"0,0,a,1.5,1.5,0.4,4,,,idle\n1,0,a,1.5,1.5,0.4,4,,,idle\n0,0,a,1.5,1.5,0.4,4,,,idle",
         "tick: found 0, expected at least 1"},
    };
    fr_scenario *scenario = load(HEAD "'groups': [{'name': 'a', 'count': 2, 'area': [1, 1, 8, 7]}]}");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fr_rejudge *rejudge = fr_rejudge_create(scenario);
        fr_buffer lines = {0};
        fr_error error = {0};
        fr_buffer_append(&lines, rows[i].lines, strlen(rows[i].lines));
        fr_status status = read_lines(rejudge, &lines, &error);
        if (rows[i].message == NULL && status != FR_OK) {
            fail_msg("case %zu: %s", i, error.message);
        } else if (rows[i].message != NULL) {
            assert_int_equal(status, FR_BAD_INPUT);
            expect_message(rows[i].lines, &error, rows[i].message);
        }
        fr_buffer_fini(&lines);
        fr_rejudge_destroy(rejudge);
    }
    fr_scenario_destroy(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_in_the_run),
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_bad_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
