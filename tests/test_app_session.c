#include "support.h"

#include "app/session.h"

/* Several scenarios share a map, whose name does not tell them apart. */
static void test_the_title_names_the_scenario(void **state)
{
    (void)state;
    char map_name[] = "s01-open", scenario_name[] = "s11-mixed";
    fr_map map = {.name = map_name};
    fr_scenario scenario = {.name = scenario_name, .map = &map};
    fr_session session = {.map = &map};
    assert_string_equal(fr_session_title(&session), "s01-open");
    session.scenario = &scenario;
    assert_string_equal(fr_session_title(&session), "s11-mixed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_title_names_the_scenario),
    };
    return cmocka_run_group_tests_name("app session", tests, NULL, NULL);
}
