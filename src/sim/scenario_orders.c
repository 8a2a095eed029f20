/* scenario_orders: the "orders" of a scenario file. */
#include "sim/scenario_parse.h"

#include <string.h>

#include "base/memory.h"

/* The orders that a file can give, and the keys that each takes. */
typedef struct order_kind {
    const char *name;
    fr_command_kind kind;
    const char *const *keys;
    bool needs_group;
} order_kind;

static const char *const move_keys[] = {"tick",         "order",         "group",     "goal",    "goals",
                                        "goal_weights", "goal_capacity", "goal_area", "caution", NULL};
static const char *const follow_keys[] = {"tick", "order", "group", "target", NULL};
static const char *const stand_keys[] = {"tick", "order", "group", NULL};
static const char *const set_cost_keys[] = {"tick", "order", "rect", "cost", NULL};
static const char *const restore_cost_keys[] = {"tick", "order", "rect", NULL};

static const char *const set_threat_keys[] = {"tick",   "order", "threat", "centre",
                                              "radius", "cost",  "team",   NULL};
static const char *const remove_threat_keys[] = {"tick", "order", "threat", NULL};

static const order_kind order_kinds[] = {
    {"move", FR_COMMAND_MOVE, move_keys, true},
    {"follow", FR_COMMAND_FOLLOW, follow_keys, true},
    {"stop", FR_COMMAND_STOP, stand_keys, true},
    {"hold", FR_COMMAND_HOLD, stand_keys, true},
    {"set_cost", FR_COMMAND_SET_COST, set_cost_keys, false},
    {"restore_cost", FR_COMMAND_RESTORE_COST, restore_cost_keys, false},
    {"set_threat", FR_COMMAND_SET_THREAT, set_threat_keys, false},
    {"remove_threat", FR_COMMAND_REMOVE_THREAT, remove_threat_keys, false},
};

#define ORDER_KIND_COUNT (sizeof order_kinds / sizeof *order_kinds)

static fr_status parse_kind(const fr_scenario_parser *parser, const fr_json_value *value,
                            const order_kind **out)
{
    const char *name;
    if (!fr_json_is_object(value)) {
        return fr_json_fail(parser->json, value, parser->error, "expected an object");
    }
    fr_status status = fr_json_get_string(parser->json, value, "order", &name, parser->error);
    if (status != FR_OK) {
        return status;
    }
    for (size_t i = 0; i < ORDER_KIND_COUNT; i++) {
        if (strcmp(order_kinds[i].name, name) == 0) {
            *out = &order_kinds[i];
            return FR_OK;
        }
    }
    return fr_json_fail(parser->json, fr_json_get(value, "order"), parser->error,
                        "unknown order \"%.40s\", expected move, follow, stop, hold, set_cost, restore_cost, "
                        "set_threat or remove_threat",
                        name);
}

static fr_status add_goal(const fr_scenario_parser *parser, const fr_json_value *value,
                          fr_scenario_order *order)
{
    double point[2];
    fr_status status = fr_parse_goal(parser, value, point);
    if (status == FR_OK) {
        /* Rounding must not carry a goal over the edge. */
        order->goals[order->goal_count++] =
            fr_grid_clamp_position(parser->scenario->map->grid, fr_position_at(point[0], point[1]));
    }
    return status;
}

/* Does an array hold one number for each of "goals"? */
static fr_status check_count(const fr_scenario_parser *parser, const fr_json_value *numbers,
                             const fr_scenario_order *order)
{
    if (!fr_json_is_array(numbers) || fr_json_count(numbers) != order->goal_count) {
        return fr_json_fail(parser->json, numbers, parser->error, "expected one number for each of %d goals",
                            order->goal_count);
    }
    return FR_OK;
}

/* One number for each of "goals": what entering it costs more, in straight steps of cost 1. */
static fr_status parse_weights(const fr_scenario_parser *parser, const fr_json_value *weights,
                               fr_scenario_order *order)
{
    fr_status status = check_count(parser, weights, order);
    if (status != FR_OK) {
        return status;
    }
    order->goal_prices = fr_alloc((size_t)order->goal_count, sizeof *order->goal_prices);
    const double most = (double)FR_GOAL_PRICE_MAX / FR_STEP_STRAIGHT;
    int32_t g = 0;
    for (const fr_json_value *v = fr_json_first(weights); v != NULL && status == FR_OK;
         v = fr_json_next(v), g++) {
        double weight;
        status = fr_json_number(parser->json, v, 0.0, most, &weight, parser->error);
        order->goal_prices[g] = status == FR_OK ? (uint32_t)(weight * FR_STEP_STRAIGHT + 0.5) : 0;
    }
    return status;
}

/* One number for each of "goals": the units that it is meant for. */
static fr_status parse_capacities(const fr_scenario_parser *parser, const fr_json_value *capacities,
                                  fr_scenario_order *order)
{
    fr_status status = check_count(parser, capacities, order);
    if (status != FR_OK) {
        return status;
    }
    order->goal_capacities = fr_alloc((size_t)order->goal_count, sizeof *order->goal_capacities);
    int64_t units, sum = 0;
    int32_t g = 0;
    for (const fr_json_value *v = fr_json_first(capacities); v != NULL && status == FR_OK;
         v = fr_json_next(v), g++) {
        status = fr_json_int(parser->json, v, 0, FR_UNITS_MAX, &units, parser->error);
        order->goal_capacities[g] = status == FR_OK ? (uint32_t)units : 0;
        sum += order->goal_capacities[g];
    }
    return status == FR_OK && sum == 0
               ? fr_json_fail(parser->json, capacities, parser->error, "no goal has room for a unit")
               : status;
}

static fr_status parse_disc(const fr_scenario_parser *parser, const fr_json_value *value, fr_area *area)
{
    static const char *const keys[] = {"centre", "radius", NULL};
    fr_grid grid = parser->scenario->map->grid;
    const fr_json_value *centre, *radius;
    double point[2], cells;
    fr_status status = fr_json_check_keys(parser->json, value, keys, parser->error);
    if (status == FR_OK) {
        status = fr_parse_member(parser, value, "centre", "[x, y]", &centre);
    }
    if (status == FR_OK) {
        status = fr_parse_goal(parser, centre, point);
    }
    if (status == FR_OK) {
        status = fr_parse_member(parser, value, "radius", "a number of cells", &radius);
    }
    if (status == FR_OK) {
        status = fr_json_number(parser->json, radius, 0.0, FR_MAP_SIDE_MAX, &cells, parser->error);
    }
    if (status == FR_OK && (point[0] - cells < 0.0 || point[1] - cells < 0.0 ||
                            point[0] + cells > grid.width || point[1] + cells > grid.height)) {
        status = fr_json_fail(parser->json, value, parser->error,
                              "the disc reaches outside the map of %dx%d cells", grid.width, grid.height);
    }
    if (status == FR_OK) {
        *area = fr_area_disc(fr_position_at(point[0], point[1]), fr_fixed(cells));
    }
    return status;
}

/* [x, y, width, height] or {"centre": [x, y], "radius": r}. */
static fr_status parse_goal_area(const fr_scenario_parser *parser, const fr_json_value *value,
                                 fr_scenario_order *order)
{
    fr_status status;
    if (fr_json_is_object(value)) {
        status = parse_disc(parser, value, &order->area);
    } else {
        double rect[4];
        status = fr_parse_area(parser, value, rect);
        if (status == FR_OK) {
            order->area = fr_area_rect(fr_position_at(rect[0], rect[1]),
                                       fr_position_at(rect[0] + rect[2], rect[1] + rect[3]));
        }
    }
    if (status != FR_OK) {
        return status;
    }
    int32_t cells = fr_area_count(&order->area, parser->scenario->map->grid);
    if (cells < 1 || cells > FR_FIELD_GOALS_MAX) {
        return fr_json_fail(parser->json, value, parser->error,
                            "the middles of %d cells lie in it, expected 1..%d", cells, FR_FIELD_GOALS_MAX);
    }
    return FR_OK;
}

/* One of "goal", "goals" and "goal_area". */
static fr_status parse_goals(const fr_scenario_parser *parser, const fr_json_value *value,
                             fr_scenario_order *order)
{
    const fr_json_value *goal = fr_json_get(value, "goal"), *goals = fr_json_get(value, "goals");
    const fr_json_value *area = fr_json_get(value, "goal_area");
    const fr_json_value *weights = fr_json_get(value, "goal_weights");
    const fr_json_value *capacities = fr_json_get(value, "goal_capacity");
    int given = (goal != NULL) + (goals != NULL) + (area != NULL);
    if (given != 1) {
        return fr_json_fail(parser->json, value, parser->error,
                            "%s, expected one of \"goal\", \"goals\" and \"goal_area\"",
                            given == 0     ? "no goal"
                            : area == NULL ? "\"goal\" stands beside \"goals\""
                                           : "\"goal_area\" stands beside goals");
    }
    if (weights != NULL && goals == NULL) {
        return fr_json_fail(parser->json, weights, parser->error, "expected beside \"goals\" only");
    }
    if (capacities != NULL && goals == NULL) {
        return fr_json_fail(parser->json, capacities, parser->error, "expected beside \"goals\" only");
    }
    if (area != NULL) {
        return parse_goal_area(parser, area, order);
    }
    if (goal != NULL) {
        order->goals = fr_alloc(1, sizeof *order->goals);
        return add_goal(parser, goal, order);
    }
    int32_t count;
    fr_status status = fr_parse_array(parser, value, "goals", &goals, &count);
    if (status == FR_OK && count > FR_GOALS_MAX) {
        status = fr_json_fail(parser->json, goals, parser->error, "%d goals, expected at most %d", count,
                              FR_GOALS_MAX);
    }
    if (status != FR_OK) {
        return status;
    }
    order->goals = fr_alloc((size_t)count, sizeof *order->goals);
    for (const fr_json_value *v = fr_json_first(goals); v != NULL && status == FR_OK; v = fr_json_next(v)) {
        status = add_goal(parser, v, order);
    }
    if (status == FR_OK && weights != NULL) {
        status = parse_weights(parser, weights, order);
    }
    return status == FR_OK && capacities != NULL ? parse_capacities(parser, capacities, order) : status;
}

/* The name of a group, or the number of a unit. */
static fr_status parse_target(const fr_scenario_parser *parser, const fr_json_value *value,
                              fr_scenario_order *order)
{
    const fr_json_value *target;
    fr_status status =
        fr_parse_member(parser, value, "target", "the name of a group or a unit's number", &target);
    if (status != FR_OK) {
        return status;
    }
    order->target_group = -1;
    if (fr_json_is_string(target)) {
        return fr_parse_group_name(parser, target, &order->target_group);
    }
    int64_t unit = 0;
    int32_t count = fr_scenario_unit_count(parser->scenario);
    status = fr_json_int(parser->json, target, 0, (int64_t)count - 1, &unit, parser->error);
    order->target = (uint32_t)unit;
    return status;
}

static fr_status parse_rect(const fr_scenario_parser *parser, const fr_json_value *value, fr_rect *rect)
{
    const fr_json_value *at;
    double unused[4];
    fr_status status = fr_parse_member(parser, value, "rect", "[x, y, width, height] in whole cells", &at);
    if (status == FR_OK) {
        status = fr_parse_area(parser, at, unused);
    }
    int64_t whole[4];
    int i = 0;
    for (const fr_json_value *v = fr_json_first(at); v != NULL && status == FR_OK; v = fr_json_next(v)) {
        status = fr_json_int(parser->json, v, 0, FR_MAP_SIDE_MAX, &whole[i++], parser->error);
    }
    if (status == FR_OK) {
        *rect = (fr_rect){(int32_t)whole[0], (int32_t)whole[1], (int32_t)whole[2], (int32_t)whole[3]};
    }
    return status;
}

static fr_status parse_threat_order(const fr_scenario_parser *parser, const fr_json_value *value,
                                    fr_scenario_order *order)
{
    int64_t index = 0;
    fr_status status =
        fr_json_get_int(parser->json, value, "threat", 0, FR_THREATS_MAX - 1, &index, parser->error);
    order->threat_index = (int32_t)index;
    return status == FR_OK && order->kind == FR_COMMAND_SET_THREAT
               ? fr_parse_threat(parser, value, &order->threat)
               : status;
}

static fr_status parse_order(const fr_scenario_parser *parser, const fr_json_value *value,
                             fr_scenario_order *order)
{
    const order_kind *kind = NULL;
    int64_t tick, cost;
    fr_status status = parse_kind(parser, value, &kind);
    if (status == FR_OK) {
        status = fr_json_check_keys(parser->json, value, kind->keys, parser->error);
    }
    if (status == FR_OK) {
        status = fr_json_get_int(parser->json, value, "tick", 0, FR_SCENARIO_TICKS_MAX, &tick, parser->error);
    }
    if (status != FR_OK) {
        return status;
    }
    order->kind = kind->kind;
    order->tick = (uint32_t)tick;
    order->group = -1;
    if (kind->needs_group) {
        const fr_json_value *group;
        status = fr_parse_member(parser, value, "group", "the name of a group", &group);
        if (status == FR_OK) {
            status = fr_parse_group_name(parser, group, &order->group);
        }
        if (status == FR_OK) {
            status = fr_parse_caution(parser, value, &order->caution);
        }
        if (status == FR_OK && order->kind == FR_COMMAND_MOVE) {
            status = parse_goals(parser, value, order);
        } else if (status == FR_OK && order->kind == FR_COMMAND_FOLLOW) {
            status = parse_target(parser, value, order);
        }
        return status;
    }
    if (order->kind == FR_COMMAND_SET_THREAT || order->kind == FR_COMMAND_REMOVE_THREAT) {
        return parse_threat_order(parser, value, order);
    }
    status = parse_rect(parser, value, &order->rect);
    if (status == FR_OK && order->kind == FR_COMMAND_SET_COST) {
        status = fr_json_get_int(parser->json, value, "cost", 1, FR_COST_WALL, &cost, parser->error);
        order->cost = status == FR_OK ? (uint8_t)cost : 0;
    }
    return status;
}

fr_status fr_parse_orders(const fr_scenario_parser *parser, const fr_json_value *root)
{
    fr_scenario *scenario = parser->scenario;
    const fr_json_value *orders = fr_json_get(root, "orders");
    if (orders == NULL) {
        return FR_OK;
    }
    if (!fr_json_is_array(orders)) {
        return fr_json_fail(parser->json, orders, parser->error, "expected an array of orders");
    }
    scenario->orders = fr_alloc((size_t)fr_json_count(orders) + 1, sizeof *scenario->orders);
    fr_status status = FR_OK;
    for (const fr_json_value *v = fr_json_first(orders); v != NULL && status == FR_OK; v = fr_json_next(v)) {
        status = parse_order(parser, v, &scenario->orders[scenario->order_count++]);
    }
    return status;
}
