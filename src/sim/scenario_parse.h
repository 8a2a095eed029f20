/* scenario_parse: what the parts of the scenario reader share. Internal to the reader. */
#ifndef FR_SIM_SCENARIO_PARSE_H
#define FR_SIM_SCENARIO_PARSE_H

#include "base/json.h"
#include "sim/scenario.h"

/* One scenario being read: its map is there already, all else is filled in file order. */
typedef struct fr_scenario_parser {
    const fr_json *json;
    fr_scenario *scenario;
    fr_error *error;
} fr_scenario_parser;

/* Ticks of a run and of orders (34 days at 30 Hz). */
#define FR_SCENARIO_TICKS_MAX 100000000

/* An array of exactly `count` numbers in min..max. `what` is what was expected, for the message. */
fr_status fr_parse_numbers(const fr_scenario_parser *parser, const fr_json_value *value, int count,
                           double min, double max, const char *what, double *out);

/* The member `line` of `object`: [x0, y0, x1, y1] of some length. It may end beyond the map. */
fr_status fr_parse_line(const fr_scenario_parser *parser, const fr_json_value *object, double out[4]);

/* [x, y] inside the map. */
fr_status fr_parse_goal(const fr_scenario_parser *parser, const fr_json_value *value, double out[2]);

/* [x, y, width, height] inside the map, with an area. */
fr_status fr_parse_area(const fr_scenario_parser *parser, const fr_json_value *value, double out[4]);

/* Member `key` of `object`, or FR_BAD_INPUT that names it and what was expected. */
fr_status fr_parse_member(const fr_scenario_parser *parser, const fr_json_value *object, const char *key,
                          const char *expected, const fr_json_value **out);

/* The same, and it must be an array with at least one element. */
fr_status fr_parse_array(const fr_scenario_parser *parser, const fr_json_value *object, const char *key,
                         const fr_json_value **out, int32_t *count);

/* Number of the group that member `key` of `object` names. */
fr_status fr_parse_group_name(const fr_scenario_parser *parser, const fr_json_value *value, int32_t *group);

/* A threat's members of `object`: centre, radius, cost, team. */
fr_status fr_parse_threat(const fr_scenario_parser *parser, const fr_json_value *object, fr_threat *threat);

/* The optional member "caution" of `object`. */
fr_status fr_parse_caution(const fr_scenario_parser *parser, const fr_json_value *object,
                           fr_caution *caution);

/* The members "ring", "congestion" and "threats" of the root. */
fr_status fr_parse_extras(const fr_scenario_parser *parser, const fr_json_value *root);

/* The members "groups" and "orders" of the root. */
fr_status fr_parse_groups(const fr_scenario_parser *parser, const fr_json_value *root);
fr_status fr_parse_orders(const fr_scenario_parser *parser, const fr_json_value *root);

#endif
