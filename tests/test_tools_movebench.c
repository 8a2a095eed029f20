/* movebench: what its tables say and how bars are judged; its runs are the game's own. */
#include "support.h"

#include <math.h>

#include "../tools/bench/movebench.h"
#include "files/stdio_io.h"
#include "memory_io.h"
#include "sim/scorecard.h"

static void test_starts(void **state)
{
    (void)state;
    for (int i = 0; i < FR_STARTS_MAX; i++) {
        fr_start_choice a = fr_start_at(i);
        assert_in_range(a.seed, 1, 3);
        assert_true(fabsf(a.shift.x) <= 0.34f && fabsf(a.shift.y) <= 0.34f);
        for (int j = 0; j < i; j++) {
            fr_start_choice b = fr_start_at(j);
            bool same_shift = a.shift.x == b.shift.x && a.shift.y == b.shift.y;
            assert_false(a.seed == b.seed && same_shift);
            assert_false(i < FR_STARTS_QUICK && (a.seed == b.seed || same_shift));
        }
    }
}

/* Every bar, and every figure of others, is about some scene that is run. */
static void test_tables_know_one_another(void **state)
{
    (void)state;
    int figures = 0;
    for (int b = 0; b < FR_BAR_COUNT; b++) {
        int scenes = 0;
        for (int s = 0; s < FR_MOVE_SCENE_COUNT; s++) {
            bool applies = fr_bar_applies(&FR_BARS[b], FR_MOVE_SCENES[s].name);
            bool is_of_report = FR_METRICS[FR_BARS[b].metric].keys[0] != NULL;
            assert_true(!applies || is_of_report == (FR_MOVE_SCENES[s].manners == NULL));
            scenes += applies;
        }
        if (scenes == 0) {
            fail_msg("no scene for the bar of %s", FR_BARS[b].scene);
        }
    }
    for (int s = 0; s < FR_MOVE_SCENE_COUNT; s++) {
        assert_true((FR_MOVE_SCENES[s].files[0] == NULL) == (FR_MOVE_SCENES[s].manners != NULL));
        for (int m = 0; m < FR_METRIC_COUNT; m++) {
            figures += !isnan(fr_rvo2_figure(FR_MOVE_SCENES[s].name, (fr_metric)m));
        }
    }
    assert_int_equal(figures, 9);
    assert_true(fr_bar_applies(&(fr_bar){.scene = "s05*"}, "s05-circle-exact"));
    assert_false(fr_bar_applies(&(fr_bar){.scene = "s05-circle"}, "s05-circle-exact"));
}

static fr_move_result result_of(const double *values, int count)
{
    fr_move_result result = {.scene = &FR_MOVE_SCENES[0], .runs = count};
    for (int i = 0; i < count; i++) {
        for (int m = 0; m < FR_METRIC_COUNT; m++) {
            result.values[i].of[m] = FR_UNKNOWN;
        }
        result.values[i].of[FR_METRIC_JERK] = values[i];
        result.values[i].units = 7;
    }
    return result;
}

static void test_spread(void **state)
{
    (void)state;
    const double values[] = {3.0, FR_UNKNOWN, 1.0, 8.0, 2.0};
    fr_move_result result = result_of(values, 5);
    fr_spread spread = fr_spread_of(result.values, 5, FR_METRIC_JERK);
    assert_int_equal(spread.known, 4);
    assert_true(spread.min == 1.0 && spread.median == 2.5 && spread.max == 8.0);
    assert_int_equal(fr_spread_of(result.values, 5, FR_METRIC_PATH_P95).known, 0);
}

static void test_verdicts(void **state)
{
    (void)state;
    static const struct {
        fr_bar_kind kind;
        double limit, values[3];
        fr_verdict verdict;
    } cases[] = {
        {FR_BAR_ALWAYS, 1.0, {0.0, 1.0, 1.0}, FR_VERDICT_HELD},
        {FR_BAR_ALWAYS, 1.0, {0.0, 1.0, 1.01}, FR_VERDICT_MISSED},
        {FR_BAR_ALWAYS_AT_LEAST, 1.0, {1.0, 1.0, 0.0}, FR_VERDICT_MISSED},
        {FR_BAR_AT_MOST, 1.0, {0.5, 1.0, 1.14}, FR_VERDICT_HELD},
        {FR_BAR_AT_MOST, 1.0, {0.5, 1.0, 1.16}, FR_VERDICT_MISSED},
        {FR_BAR_AT_MOST, 1.0, {0.5, 1.01, 1.02}, FR_VERDICT_MISSED},
        {FR_BAR_AT_LEAST, 1.0, {0.88, 1.0, 4.0}, FR_VERDICT_HELD},
        {FR_BAR_AT_LEAST, 1.0, {0.86, 1.0, 4.0}, FR_VERDICT_MISSED},
        {FR_BAR_AT_MOST, 1.0, {0.5, FR_UNKNOWN, 0.5}, FR_VERDICT_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_move_result result = result_of(cases[i].values, 3);
        fr_bar bar = {"s*", FR_METRIC_JERK, cases[i].kind, cases[i].limit};
        fr_verdict verdict = fr_bar_verdict(&bar, &result);
        if (verdict != cases[i].verdict) {
            fail_msg("case %zu: %s, expected %s", i, fr_verdict_name(verdict),
                     fr_verdict_name(cases[i].verdict));
        }
    }
}

/* The table has a line for what is known; the JSON has every figure, null for what is not. */
static void test_outputs(void **state)
{
    (void)state;
    const double values[] = {0.25, 0.5, 0.75};
    fr_move_result result = result_of(values, 3);
    int counts[FR_VERDICT_COUNT] = {0};
    fr_buffer text = {0}, bytes = {0};
    fr_move_print(&result, counts, &text);
    fr_buffer_append(&text, "", 1);
    assert_non_null(strstr((const char *)text.data, "s01-open: 7 units, 3 runs, resolved 0/3; naive 0 runs"));
    assert_non_null(strstr((const char *)text.data, "jerk                     0.2500     0.5000     0.7500"));
    assert_null(strstr((const char *)text.data, "path_ratio_p95"));
    assert_true(counts[FR_VERDICT_UNKNOWN] > 0 && counts[FR_VERDICT_HELD] == 0);
    /* The naive mover alone is asked nothing. */
    fr_move_result naive = {.scene = result.scene, .naive_runs = 3};
    int none[FR_VERDICT_COUNT] = {0};
    text.size = 0;
    fr_move_print(&naive, none, &text);
    assert_int_equal(none[FR_VERDICT_UNKNOWN] + none[FR_VERDICT_HELD] + none[FR_VERDICT_MISSED], 0);

    fr_json_writer writer = fr_json_writer_begin(&bytes, true);
    fr_move_write(&result, &writer);
    fr_json *json = fr_json_parse("movebench", bytes.data, bytes.size, NULL);
    assert_non_null(json);
    const fr_json_value *metrics = fr_json_get(fr_json_root(json), "metrics");
    assert_int_equal(fr_json_count(metrics), FR_METRIC_COUNT);
    const fr_json_value *jerk = fr_json_get(fr_json_get(metrics, "jerk"), "freshet");
    assert_true(fr_json_number_or(fr_json_get(jerk, "median"), 0.0) == 0.5);
    const fr_json_value *path = fr_json_get(fr_json_get(metrics, "path_ratio_mean"), "freshet");
    assert_false(fr_json_is_number(fr_json_get(path, "median")));
    fr_json_destroy(json);
    fr_buffer_fini(&bytes);
    fr_buffer_fini(&text);
}

/* One short scene, and one that the scorecard does not judge, really run: every figure is there. */
static void test_runs(void **state)
{
    (void)state;
    static const struct {
        const char *scene;
        fr_metric known[3];
    } cases[] = {{"s06-narrow-6", {FR_METRIC_ARRIVED, FR_METRIC_OVERLAP_MAX, FR_METRIC_JERK}},
                 {"give-way-one", {FR_METRIC_POST, FR_METRIC_LOSS, FR_METRIC_LOSS}}};
    fr_io io = fr_stdio_io("test_tools_movebench");
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int s = 0;
        while (strcmp(FR_MOVE_SCENES[s].name, cases[c].scene) != 0) {
            s++;
        }
        fr_move_setup setup = {.io = &io, .folder = "maps/scenarios", .start = fr_start_at(0)};
        fr_move_values values = {0};
        fr_error error = {{0}};
        assert_true(fr_move_run(&FR_MOVE_SCENES[s], &setup, &values, &error));
        assert_true(values.units > 0);
        for (int k = 0; k < 3; k++) {
            assert_true(!isnan(values.of[cases[c].known[k]]));
        }
    }
}

/* One leaves after two seconds, others walk for half a minute. */
#define THIRD "...................................."
#define ROW   "'" THIRD THIRD THIRD "'"
static const char leavers[] =
    "{'format': 'freshet-scenario', 'version': 1, 'ticks': 1800,"
    "'map': {'legend': {'.': 1}, 'rows': [" ROW "," ROW "," ROW "," ROW "]},"
    "'groups': [{'name': 'short', 'units': [[3, 1]], 'leave': {'line': [8, 0, 8, 4]}},"
    "{'name': 'long', 'units': [[1, 2], [2, 3]]}],"
    "'orders': [{'tick': 0, 'group': 'short', 'order': 'move', 'goal': [20, 1]},"
    "{'tick': 0, 'group': 'long', 'order': 'move', 'goal': [104, 2]}]}";

/* A run that ends when nothing moves any more says what the whole scenario says. */
static void test_an_early_end_changes_nothing(void **state)
{
    (void)state;
    memory_file files[] = {{"maps/scenarios/leavers.json", leavers}, {NULL, NULL}};
    fr_io io = memory_io(files);
    fr_move_scene scene = {"leavers", {"leavers"}, NULL};
    fr_move_setup setup = {.io = &io, .folder = "maps/scenarios", .start = fr_start_at(0)};
    fr_move_values values = {0};
    fr_error error = {{0}};
    assert_true(fr_move_run(&scene, &setup, &values, &error));

    fr_scenario *scenario = fr_scenario_load(&io, files[0].path, &error);
    fr_world_config config = fr_world_config_default();
    config.map = scenario->map;
    config.unit_capacity = fr_scenario_unit_count(scenario);
    fr_world *world = fr_world_create(&config);
    assert_int_equal(fr_scenario_populate(scenario, 1, setup.start.shift, world, &error), FR_OK);
    fr_scorecard *card = fr_scorecard_create(fr_world_snapshot(world), scenario);
    for (uint32_t tick = 0; tick < scenario->ticks; tick++) {
        fr_scenario_submit(scenario, world);
        fr_world_tick(world);
        fr_scorecard_tick(card, fr_world_snapshot(world));
    }
    fr_buffer bytes = {0};
    fr_report_write(card, fr_world_snapshot(world),
                    &(fr_report_info){.map = "", .mover = "", .scenario = "leavers"}, &bytes);
    fr_json *json = fr_json_parse("report", bytes.data, bytes.size, &error);
    const fr_json_value *report = fr_json_root(json);
    assert_true(values.of[FR_METRIC_JERK] == fr_json_number_or(fr_json_get(report, "jerk"), -1.0));
    assert_true(values.of[FR_METRIC_LAST] ==
                fr_json_number_or(fr_json_get(fr_json_get(report, "arrival_s"), "last"), -1.0));
    assert_true(values.of[FR_METRIC_ARRIVED] * values.units ==
                fr_json_number_or(fr_json_get(report, "arrived"), -1.0));
    fr_json_destroy(json);
    fr_buffer_fini(&bytes);
    fr_scorecard_destroy(card);
    fr_world_destroy(world);
    fr_scenario_destroy(scenario);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starts),
        cmocka_unit_test(test_tables_know_one_another),
        cmocka_unit_test(test_spread),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_an_early_end_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
