/* movebench_scenes: tables of what is run, what is read from a report, what is asked, and what others
 * reached. */
#include "movebench.h"

#include <string.h>

const fr_metric_row FR_METRICS[FR_METRIC_COUNT] = {
    [FR_METRIC_RESOLVED] = {"resolved", {"resolved", NULL}},
    [FR_METRIC_ARRIVED] = {"arrived", {"arrived", NULL}},
    [FR_METRIC_STUCK] = {"stuck", {"stuck", NULL}},
    [FR_METRIC_WALL] = {"wall_penetration_max", {"wall_penetration_max", NULL}},
    [FR_METRIC_REST] = {"rest_speed", {"rest_speed", NULL}},
    [FR_METRIC_REST_AFTER] = {"rest_after_s", {"rest_after_s", NULL}},
    [FR_METRIC_SPEED_MAX] = {"speed_max", {"speed_max", NULL}},
    [FR_METRIC_SPEED_P999] = {"speed_p999", {"speed_p999", NULL}},
    [FR_METRIC_TIME_MEAN] = {"time_ratio_mean", {"time_ratio", "mean"}},
    [FR_METRIC_TIME_P95] = {"time_ratio_p95", {"time_ratio", "p95"}},
    [FR_METRIC_MAKESPAN] = {"makespan_ratio", {"makespan_ratio", NULL}},
    [FR_METRIC_PATH_MEAN] = {"path_ratio_mean", {"path_ratio", "mean"}},
    [FR_METRIC_PATH_P95] = {"path_ratio_p95", {"path_ratio", "p95"}},
    [FR_METRIC_LAST] = {"arrival_last_s", {"arrival_s", "last"}},
    [FR_METRIC_OVERLAP_MEAN] = {"overlap_mean", {"overlap", "mean"}},
    [FR_METRIC_OVERLAP_MAX] = {"overlap_max", {"overlap", "max"}},
    [FR_METRIC_OVERLAP_PAIRS] = {"overlap_pairs", {"overlap", "pairs"}},
    [FR_METRIC_JERK] = {"jerk", {"jerk", NULL}},
    [FR_METRIC_REVERSALS] = {"reversals_per_s", {"reversals_per_s", NULL}},
    [FR_METRIC_STOPS] = {"stop_go_per_min", {"stop_go_per_min", NULL}},
    [FR_METRIC_COMPACTNESS] = {"compactness", {"compactness", NULL}},
    [FR_METRIC_ASPECT] = {"aspect", {"aspect", NULL}},
    [FR_METRIC_LANES] = {"lane_order", {"lane_order", NULL}},
    [FR_METRIC_DOOR_RATE] = {"door_per_s", {"doors", "per_s"}},
    [FR_METRIC_DOOR_ETA] = {"door_eta", {"doors", "eta"}},
    [FR_METRIC_RESPONSE] = {"response_s", {NULL, NULL}},
    [FR_METRIC_SPAM] = {"spam_speed_min", {NULL, NULL}},
    [FR_METRIC_POST] = {"off_post_max_d", {NULL, NULL}},
    [FR_METRIC_LOSS] = {"mover_loss", {NULL, NULL}},
};

const fr_move_scene FR_MOVE_SCENES[] = {
    {"s01-open", {"s01-open"}, NULL},
    {"s02-door-1", {"s02-door-1"}, NULL},
    {"s02-door-2", {"s02-door-2"}, NULL},
    {"s02-door-4", {"s02-door-4"}, NULL},
    {"s03-u-trap", {"s03-u-trap"}, NULL},
    {"s04-maze", {"s04-maze-1", "s04-maze-2", "s04-maze-3"}, NULL},
    {"s05-circle", {"s05-circle"}, NULL},
    {"s05-circle-exact", {"s05-circle-exact"}, NULL},
    {"s05-circle-1000", {"s05-circle-1000"}, NULL},
    {"s06-corridor", {"s06-corridor"}, NULL},
    {"s06-narrow-1", {"s06-narrow-1"}, NULL},
    {"s06-narrow-2", {"s06-narrow-2"}, NULL},
    {"s06-narrow-3", {"s06-narrow-3"}, NULL},
    {"s06-narrow-6", {"s06-narrow-6"}, NULL},
    {"s07-convoy", {"s07-convoy"}, NULL},
    {"s08-building", {"s08-building"}, NULL},
    {"s09-occupied", {"s09-occupied"}, NULL},
    {"s09-behind", {"s09-behind"}, NULL},
    {"s09-hold", {"s09-hold"}, NULL},
    {"s10-five", {"s10-five"}, NULL},
    {"s11-mixed", {"s11-mixed"}, NULL},
    {"response", {NULL}, fr_manners_response},
    {"response-packed", {NULL}, fr_manners_response_packed},
    {"clicks", {NULL}, fr_manners_spam},
    {"give-way-one", {NULL}, fr_manners_give_way_one},
    {"give-way-twenty", {NULL}, fr_manners_give_way_many},
};
const int FR_MOVE_SCENE_COUNT = sizeof FR_MOVE_SCENES / sizeof *FR_MOVE_SCENES;

const fr_bar FR_BARS[] = {
    {"s*", FR_METRIC_RESOLVED, FR_BAR_ALWAYS_AT_LEAST, 1.0},
    {"s*", FR_METRIC_STUCK, FR_BAR_ALWAYS, 0.0},
    {"s*", FR_METRIC_WALL, FR_BAR_ALWAYS, 1e-4},
    {"s*", FR_METRIC_SPEED_MAX, FR_BAR_ALWAYS, 2.0},
    {"s*", FR_METRIC_SPEED_P999, FR_BAR_ALWAYS, 1.05},
    /* Not of the corridor, where in the end there is nobody left. */
    {"s01*", FR_METRIC_REST, FR_BAR_ALWAYS, 0.0},
    {"s02*", FR_METRIC_REST, FR_BAR_ALWAYS, 0.0},
    {"s03*", FR_METRIC_REST, FR_BAR_ALWAYS, 0.0},
    {"s04*", FR_METRIC_REST, FR_BAR_ALWAYS, 0.0},
    {"s05*", FR_METRIC_REST, FR_BAR_ALWAYS, 0.0},
    {"s06-narrow*", FR_METRIC_REST, FR_BAR_ALWAYS, 0.0},
    {"s07*", FR_METRIC_REST, FR_BAR_ALWAYS, 0.0},
    {"s08*", FR_METRIC_REST, FR_BAR_ALWAYS, 0.0},
    {"s09*", FR_METRIC_REST, FR_BAR_ALWAYS, 0.0},
    {"s1*", FR_METRIC_REST, FR_BAR_ALWAYS, 0.0},

    {"s01*", FR_METRIC_OVERLAP_MEAN, FR_BAR_AT_MOST, 0.0005},
    {"s02*", FR_METRIC_OVERLAP_MEAN, FR_BAR_AT_MOST, 0.0005},
    {"s03*", FR_METRIC_OVERLAP_MEAN, FR_BAR_AT_MOST, 0.0005},
    {"s04*", FR_METRIC_OVERLAP_MEAN, FR_BAR_AT_MOST, 0.0005},
    {"s07*", FR_METRIC_OVERLAP_MEAN, FR_BAR_AT_MOST, 0.0005},
    {"s08*", FR_METRIC_OVERLAP_MEAN, FR_BAR_AT_MOST, 0.0005},
    {"s09*", FR_METRIC_OVERLAP_MEAN, FR_BAR_AT_MOST, 0.0005},
    {"s11*", FR_METRIC_OVERLAP_MEAN, FR_BAR_AT_MOST, 0.0005},
    {"s01*", FR_METRIC_OVERLAP_MAX, FR_BAR_AT_MOST, 0.05},
    {"s02*", FR_METRIC_OVERLAP_MAX, FR_BAR_AT_MOST, 0.05},
    {"s03*", FR_METRIC_OVERLAP_MAX, FR_BAR_AT_MOST, 0.05},
    {"s04*", FR_METRIC_OVERLAP_MAX, FR_BAR_AT_MOST, 0.05},
    {"s07*", FR_METRIC_OVERLAP_MAX, FR_BAR_AT_MOST, 0.05},
    {"s08*", FR_METRIC_OVERLAP_MAX, FR_BAR_AT_MOST, 0.05},
    {"s09*", FR_METRIC_OVERLAP_MAX, FR_BAR_AT_MOST, 0.05},
    {"s11*", FR_METRIC_OVERLAP_MAX, FR_BAR_AT_MOST, 0.05},
    {"s05*", FR_METRIC_OVERLAP_MEAN, FR_BAR_AT_MOST, 0.003},
    {"s06-corridor", FR_METRIC_OVERLAP_MEAN, FR_BAR_AT_MOST, 0.003},
    {"s10*", FR_METRIC_OVERLAP_MEAN, FR_BAR_AT_MOST, 0.003},
    {"s05*", FR_METRIC_OVERLAP_MAX, FR_BAR_AT_MOST, 0.10},
    {"s06-corridor", FR_METRIC_OVERLAP_MAX, FR_BAR_AT_MOST, 0.10},
    {"s10*", FR_METRIC_OVERLAP_MAX, FR_BAR_AT_MOST, 0.10},

    {"s01*", FR_METRIC_TIME_MEAN, FR_BAR_AT_MOST, 1.030},
    {"s01*", FR_METRIC_TIME_P95, FR_BAR_AT_MOST, 1.06},
    {"s05-circle", FR_METRIC_TIME_MEAN, FR_BAR_AT_MOST, 1.17},
    {"s05-circle-exact", FR_METRIC_TIME_MEAN, FR_BAR_AT_MOST, 1.17},
    {"s06-corridor", FR_METRIC_TIME_MEAN, FR_BAR_AT_MOST, 1.14},
    {"s03*", FR_METRIC_TIME_P95, FR_BAR_AT_MOST, 1.25},
    {"s04*", FR_METRIC_TIME_P95, FR_BAR_AT_MOST, 1.25},
    {"s10*", FR_METRIC_TIME_P95, FR_BAR_AT_MOST, 1.25},
    {"s02-door-1", FR_METRIC_DOOR_ETA, FR_BAR_AT_LEAST, 0.50},
    {"s02-door-4", FR_METRIC_DOOR_ETA, FR_BAR_AT_LEAST, 0.58},
    {"s02-door-1", FR_METRIC_JERK, FR_BAR_AT_MOST, 0.03},
    {"s02-door-1", FR_METRIC_REVERSALS, FR_BAR_AT_MOST, 0.3},
    {"s01*", FR_METRIC_COMPACTNESS, FR_BAR_AT_LEAST, 0.88},
    {"s01*", FR_METRIC_ASPECT, FR_BAR_AT_LEAST, 0.98},
    {"s06-corridor", FR_METRIC_LANES, FR_BAR_AT_LEAST, 0.6},
    /* Ahead of what others reached; see fr_rvo2_figure. */
    {"s05-circle", FR_METRIC_LAST, FR_BAR_AT_MOST, 44.1},
    {"s06-corridor", FR_METRIC_LAST, FR_BAR_AT_MOST, 94.3},
    {"s02-door-1", FR_METRIC_DOOR_RATE, FR_BAR_AT_LEAST, 1.68},
    {"s02-door-4", FR_METRIC_DOOR_RATE, FR_BAR_AT_LEAST, 16.7},
    {"response", FR_METRIC_RESPONSE, FR_BAR_AT_MOST, 0.35},
    {"give-way*", FR_METRIC_POST, FR_BAR_AT_MOST, 0.25},
    {"give-way*", FR_METRIC_LOSS, FR_BAR_AT_MOST, 0.10},
};
const int FR_BAR_COUNT = sizeof FR_BARS / sizeof *FR_BARS;

bool fr_bar_applies(const fr_bar *bar, const char *scene)
{
    size_t length = strlen(bar->scene);
    return bar->scene[length - 1] == '*' ? strncmp(bar->scene, scene, length - 1) == 0
                                         : strcmp(bar->scene, scene) == 0;
}

double fr_rvo2_figure(const char *scene, fr_metric metric)
{
    static const struct {
        const char *scene;
        fr_metric metric;
        double value;
    } figures[] = {
        {"s05-circle", FR_METRIC_LAST, 44.1},          {"s05-circle", FR_METRIC_OVERLAP_MAX, 0.27},
        {"s05-circle", FR_METRIC_JERK, 0.029},         {"s06-corridor", FR_METRIC_LAST, 94.3},
        {"s02-door-1", FR_METRIC_DOOR_RATE, 1.68},     {"s02-door-1", FR_METRIC_JERK, 0.027},
        {"s02-door-4", FR_METRIC_DOOR_RATE, 16.7},     {"s02-door-4", FR_METRIC_JERK, 0.093},
        {"s02-door-4", FR_METRIC_OVERLAP_PAIRS, 0.30},
    };
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        if (figures[i].metric == metric && strcmp(figures[i].scene, scene) == 0) {
            return figures[i].value;
        }
    }
    return FR_UNKNOWN;
}

fr_start_choice fr_start_at(int number)
{
    /* Seeds go round first; the first three starts have another shift each. */
    static const int order[9] = {4, 2, 6, 0, 8, 1, 3, 5, 7};
    int shift = order[(number / 3 + number % 3) % 9];
    return (fr_start_choice){.seed = number % 3 + 1,
                             .shift = {(float)(shift % 3 - 1) / 3.0f, (float)(shift / 3 - 1) / 3.0f}};
}
