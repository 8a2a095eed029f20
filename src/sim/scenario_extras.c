/* scenario_extras: what a scenario file says of extra costs: ring, threats, and how orders mind them. */
#include "sim/scenario_parse.h"

#include "base/memory.h"

fr_status fr_parse_caution(const fr_scenario_parser *parser, const fr_json_value *object, fr_caution *caution)
{
    const fr_json_value *value = fr_json_get(object, "caution");
    if (value == NULL) {
        return FR_OK;
    }
    fr_caution found = fr_caution_from_name(fr_json_string_or(value, ""));
    if (found == FR_CAUTION_COUNT) {
        return fr_json_fail(parser->json, value, parser->error,
                            "found \"%.40s\", expected rush, normal or safe",
                            fr_json_string_or(value, "no string"));
    }
    *caution = found;
    return FR_OK;
}

fr_status fr_parse_threat(const fr_scenario_parser *parser, const fr_json_value *object, fr_threat *threat)
{
    const fr_json_value *centre, *radius;
    double point[2] = {0.0, 0.0}, reach = 0.0;
    int64_t cost = 0, team = FR_TEAM_NONE;
    fr_status status = fr_parse_member(parser, object, "centre", "[x, y]", &centre);
    if (status == FR_OK) {
        status = fr_parse_goal(parser, centre, point);
    }
    if (status == FR_OK) {
        status = fr_parse_member(parser, object, "radius", "a number of cells", &radius);
    }
    if (status == FR_OK) {
        status =
            fr_json_number(parser->json, radius, 0.001, (double)FR_MAP_SIDE_MAX / 2, &reach, parser->error);
    }
    if (status == FR_OK) {
        status = fr_json_get_int(parser->json, object, "cost", 1, FR_COST_WALL - 1, &cost, parser->error);
    }
    if (status == FR_OK && fr_json_get(object, "team") != NULL) {
        status = fr_json_get_int(parser->json, object, "team", 0, FR_TEAMS_MAX - 1, &team, parser->error);
    }
    if (status == FR_OK) {
        *threat = (fr_threat){.centre = fr_position_at(point[0], point[1]),
                              .radius = fr_fixed(reach),
                              .cost = (uint8_t)cost,
                              .team = (uint8_t)team};
    }
    return status;
}

static fr_status parse_threats(const fr_scenario_parser *parser, const fr_json_value *root)
{
    static const char *const keys[] = {"centre", "radius", "cost", "team", NULL};
    fr_scenario *scenario = parser->scenario;
    const fr_json_value *threats = fr_json_get(root, "threats");
    if (threats == NULL) {
        return FR_OK;
    }
    if (!fr_json_is_array(threats)) {
        return fr_json_fail(parser->json, threats, parser->error, "expected an array of threats");
    }
    if (fr_json_count(threats) > FR_THREATS_MAX) {
        return fr_json_fail(parser->json, threats, parser->error, "%d threats, expected at most %d",
                            fr_json_count(threats), FR_THREATS_MAX);
    }
    scenario->threats = fr_alloc((size_t)fr_json_count(threats) + 1, sizeof *scenario->threats);
    fr_status status = FR_OK;
    for (const fr_json_value *v = fr_json_first(threats); v != NULL && status == FR_OK; v = fr_json_next(v)) {
        status = fr_json_check_keys(parser->json, v, keys, parser->error);
        if (status == FR_OK) {
            status = fr_parse_threat(parser, v, &scenario->threats[scenario->threat_count++]);
        }
    }
    return status;
}

static fr_status parse_switch(const fr_scenario_parser *parser, const fr_json_value *root, const char *key,
                              bool *is_on)
{
    const fr_json_value *value = fr_json_get(root, key);
    *is_on = fr_json_bool_or(value, false);
    return value == NULL || fr_json_is_bool(value)
               ? FR_OK
               : fr_json_fail(parser->json, value, parser->error, "expected true or false");
}

fr_status fr_parse_extras(const fr_scenario_parser *parser, const fr_json_value *root)
{
    fr_status status = parse_switch(parser, root, "ring", &parser->scenario->ring);
    if (status == FR_OK) {
        status = parse_switch(parser, root, "congestion", &parser->scenario->congestion);
    }
    return status == FR_OK ? parse_threats(parser, root) : status;
}
