/* movebench_run: one scene from one start, judged by the scorecard. What it says is read from the report
 * itself, so that a figure of the table is that of the report. */
#include "movebench.h"

#include <stdio.h>
#include <string.h>

#include "sim/scorecard.h"

/* A world in which nothing has moved for this long (ticks), and nobody means to, will not change any more:
 * longer than anything that the scorecard waits for. */
#define QUIET_TICKS 400

static bool is_quiet(const fr_snapshot *now)
{
    for (int32_t i = 0; i < now->unit_count; i++) {
        bool moved = now->position[i].x != now->previous[i].x || now->position[i].y != now->previous[i].y;
        if (now->state[i] != FR_UNIT_GONE && (moved || now->state[i] == FR_UNIT_MOVING)) {
            return false;
        }
    }
    return true;
}

static uint32_t last_order_tick(const fr_scenario *scenario)
{
    return scenario->order_count > 0 ? scenario->orders[scenario->order_count - 1].tick : 0;
}

/* To the end of the scenario, or until nothing more can happen. */
static void play(const fr_scenario *scenario, fr_world *world, fr_scorecard *card)
{
    int quiet_ticks = 0;
    for (uint32_t tick = 0; tick < scenario->ticks && quiet_ticks < QUIET_TICKS; tick++) {
        fr_scenario_submit(scenario, world);
        fr_world_tick(world);
        fr_scorecard_tick(card, fr_world_snapshot(world));
        bool is_over = tick > last_order_tick(scenario) && is_quiet(fr_world_snapshot(world));
        quiet_ticks = is_over ? quiet_ticks + 1 : 0;
    }
}

static double value_of(const fr_json_value *report, const char *const keys[2])
{
    const fr_json_value *value = fr_json_get(report, keys[0]);
    if (fr_json_is_array(value)) {
        value = fr_json_first(value); /* the first door */
    }
    if (keys[1] != NULL) {
        value = fr_json_get(value, keys[1]);
    }
    if (fr_json_is_bool(value)) {
        return fr_json_bool_or(value, false) ? 1.0 : 0.0;
    }
    return fr_json_number_or(value, FR_UNKNOWN);
}

static bool read_report(const char *name, const fr_buffer *bytes, fr_move_values *values, fr_error *error)
{
    fr_json *json = fr_json_parse(name, bytes->data, bytes->size, error);
    if (json == NULL) {
        return false;
    }
    const fr_json_value *root = fr_json_root(json);
    for (int m = 0; m < FR_METRIC_COUNT; m++) {
        values->of[m] = FR_METRICS[m].keys[0] != NULL ? value_of(root, FR_METRICS[m].keys) : FR_UNKNOWN;
    }
    values->units = (int32_t)fr_json_number_or(fr_json_get(root, "units"), 0.0);
    values->of[FR_METRIC_ARRIVED] /= values->units;
    fr_json_destroy(json);
    return true;
}

static bool run_scenario(fr_scenario *scenario, const fr_move_setup *setup, fr_move_values *values,
                         fr_error *error)
{
    uint64_t seed = (uint64_t)setup->start.seed;
    fr_world_config config = fr_world_config_default();
    config.map = scenario->map;
    config.seed = seed;
    config.unit_capacity = fr_scenario_unit_count(scenario);
    config.mover = setup->mover;
    config.without = setup->without;
    fr_world *world = fr_world_create(&config);
    bool good = fr_scenario_populate(scenario, seed, setup->start.shift, world, error) == FR_OK;
    if (good) {
        fr_scorecard *card = fr_scorecard_create(fr_world_snapshot(world), scenario);
        play(scenario, world, card);
        const fr_report_info info = {.scenario = scenario->name,
                                     .map = scenario->map_name,
                                     .mover = fr_mover_name(setup->mover),
                                     .seed = seed,
                                     .state_hash = fr_world_hash(world)};
        fr_buffer report = {0};
        fr_report_write(card, fr_world_snapshot(world), &info, &report);
        good = read_report(scenario->name, &report, values, error);
        fr_buffer_fini(&report);
        fr_scorecard_destroy(card);
    }
    fr_world_destroy(world);
    return good;
}

bool fr_move_run(const fr_move_scene *scene, const fr_move_setup *setup, fr_move_values *values,
                 fr_error *error)
{
    if (scene->manners != NULL) {
        for (int m = 0; m < FR_METRIC_COUNT; m++) {
            values->of[m] = FR_UNKNOWN;
        }
        scene->manners(setup, values);
        return true;
    }
    const char *file = scene->files[setup->start.seed - 1];
    fr_buffer path = {0};
    fr_buffer_printf(&path, "%s/%s.json", setup->folder, file != NULL ? file : scene->files[0]);
    fr_buffer_append(&path, "", 1);
    fr_scenario *scenario = fr_scenario_load(setup->io, (const char *)path.data, error);
    fr_buffer_fini(&path);
    if (scenario == NULL) {
        return false;
    }
    bool good = run_scenario(scenario, setup, values, error);
    fr_scenario_destroy(scenario);
    return good;
}
