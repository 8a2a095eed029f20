/* scene: hand-made runs for the scorecard. The test writes positions and orders; no world and no mover takes
 * part. */
#ifndef FR_TESTS_SCENE_H
#define FR_TESTS_SCENE_H

#include "support.h"

#include <math.h>
#include <stdio.h>

#include "base/json.h"
#include "base/memory.h"
#include "sim/scorecard.h"

#define UNITS_MAX  32
#define ORDERS_MAX 16

/* A run in the making: the test writes positions, `step` shows them to the scorecard. */
typedef struct scene {
    fr_map *map;
    fr_cost *cost;
    fr_position position[UNITS_MAX], previous[UNITS_MAX];
    float radius[UNITS_MAX], speed[UNITS_MAX];
    uint8_t movement_class[UNITS_MAX], state[UNITS_MAX];
    uint16_t group[UNITS_MAX];
    uint32_t order[UNITS_MAX];
    fr_position goals[ORDERS_MAX][4];
    fr_order_view orders[ORDERS_MAX];
    fr_group_view groups[2];
    fr_snapshot snapshot;
    fr_scorecard *card;
    fr_scenario *scenario; /* borrowed, may be null */
    fr_json *report;
} scene;

static inline scene *scene_create(fr_map *map)
{
    scene *s = fr_alloc(1, sizeof *s);
    s->map = map;
    s->cost = fr_cost_create(map);
    s->groups[0].name = "blue";
    s->groups[1].name = "red";
    s->snapshot = (fr_snapshot){
        .grid = map->grid,
        .full_speed_cost = 1,
        .position = s->position,
        .previous = s->previous,
        .radius = s->radius,
        .speed = s->speed,
        .movement_class = s->movement_class,
        .state = s->state,
        .group = s->group,
        .order = s->order,
        .orders = s->orders,
        .groups = s->groups,
        .group_count = 2,
        .cost = s->cost,
    };
    return s;
}

static inline void scene_destroy(scene *s)
{
    fr_json_destroy(s->report);
    fr_scorecard_destroy(s->card);
    fr_cost_destroy(s->cost);
    fr_map_destroy(s->map);
    fr_free(s);
}

static inline int add_unit(scene *s, double x, double y, float radius)
{
    int i = s->snapshot.unit_count++;
    s->position[i] = s->previous[i] = fr_position_at(x, y);
    s->radius[i] = radius;
    s->speed[i] = 4.0f;
    s->order[i] = FR_NO_ORDER;
    return i;
}

/* An order for units first..last, applied by the next step. */
static inline void give_order(scene *s, int first, int last, int goal_count, const double (*goals)[2])
{
    int o = s->snapshot.order_count++;
    for (int g = 0; g < goal_count; g++) {
        s->goals[o][g] = fr_position_at(goals[g][0], goals[g][1]);
    }
    s->orders[o] = (fr_order_view){.tick = s->snapshot.tick,
                                   .goals = s->goals[o],
                                   .goal_count = goal_count,
                                   .unit_count = last - first + 1};
    for (int i = first; i <= last; i++) {
        s->order[i] = (uint32_t)o;
    }
}

static inline void order_to(scene *s, int first, int last, double x, double y)
{
    const double goal[1][2] = {{x, y}};
    give_order(s, first, last, 1, goal);
}

static inline void place(scene *s, int unit, double x, double y)
{
    s->position[unit] = fr_position_at(x, y);
}

static inline void step(scene *s)
{
    if (s->card == NULL) {
        /* The first look is at the places before the first step. */
        fr_snapshot first = s->snapshot;
        first.position = s->previous;
        s->card = fr_scorecard_create(&first, s->scenario);
    }
    s->snapshot.tick++;
    fr_scorecard_tick(s->card, &s->snapshot);
    memcpy(s->previous, s->position, sizeof s->position);
}

static inline void steps(scene *s, int count)
{
    for (int i = 0; i < count; i++) {
        step(s);
    }
}

/* --- reading the report --- */

static inline void write_report(scene *s, fr_buffer *out)
{
    fr_report_info info = {
        .map = "test", .mover = "hand", .seed = 7, .tick_p50_ms = -1.0, .allocations_per_tick = -1};
    fr_report_write(s->card, &s->snapshot, &info, out);
}

/* Value at a path such as "arrival_s.p50". */
static inline const fr_json_value *report_value(scene *s, const char *path)
{
    fr_buffer out = {0};
    fr_error error = {0};
    write_report(s, &out);
    fr_json_destroy(s->report);
    s->report = fr_json_parse("report", out.data, out.size, &error);
    if (s->report == NULL) {
        fail_msg("%s", error.message);
    }
    fr_buffer_fini(&out);
    const fr_json_value *value = fr_json_root(s->report);
    char copy[64];
    snprintf(copy, sizeof copy, "%s", path);
    char *rest = copy;
    for (char *dot; (dot = strchr(rest, '.')) != NULL; rest = dot + 1) {
        *dot = '\0';
        value = fr_json_get(value, rest);
    }
    value = fr_json_get(value, rest);
    if (value == NULL) {
        fail_msg("the report has no %s", path);
    }
    return value;
}

static inline void expect_number(scene *s, const char *path, double expected)
{
    const fr_json_value *value = report_value(s, path);
    double found = fr_json_number_or(value, -1e9);
    if (fabs(found - expected) > 1e-6 + 1e-6 * fabs(expected)) {
        fail_msg("%s is %.9g, expected %.9g", path, found, expected);
    }
}

static inline void expect_bool(scene *s, const char *path, bool expected)
{
    const fr_json_value *value = report_value(s, path);
    if (!fr_json_is_bool(value) || fr_json_bool_or(value, false) != expected) {
        fail_msg("%s is not %s", path, expected ? "true" : "false");
    }
}

static inline void expect_text(scene *s, const char *path, const char *expected)
{
    assert_string_equal(fr_json_string_or(report_value(s, path), "no string"), expected);
}

static inline void expect_null(scene *s, const char *path)
{
    const fr_json_value *value = report_value(s, path);
    if (strcmp(fr_json_kind_name(value), "null") != 0) {
        fail_msg("%s is %s (%.9g), expected null", path, fr_json_kind_name(value),
                 fr_json_number_or(value, -1.0));
    }
}

#endif
