/* The preview: whose way is shown, and that looking leaves the world alone. */
#include "support.h"

#include "app/preview.h"
#include "sim/world.h"
#include "view/route_line.h"

enum { UNITS = 5 };

/* Open ground with a closed room in the east; five units in a row in the west. */
static fr_world *make_world(fr_map **map)
{
    *map = open_map(60, 30);
    for (int32_t i = 0; i < 10; i++) {
        (*map)->costs[FR_CLASS_FOOT][(10 + i) * 60 + 40] = FR_COST_WALL;
        (*map)->costs[FR_CLASS_FOOT][(10 + i) * 60 + 50] = FR_COST_WALL;
        (*map)->costs[FR_CLASS_FOOT][10 * 60 + 40 + i] = FR_COST_WALL;
        (*map)->costs[FR_CLASS_FOOT][19 * 60 + 40 + i] = FR_COST_WALL;
    }
    fr_map_share_costs(*map);
    fr_world_config config = fr_world_config_default();
    config.map = *map;
    config.unit_capacity = 16;
    fr_world *world = fr_world_create(&config);
    fr_world_add_group(world, &(fr_group_def){.name = "blue"});
    for (int i = 0; i < UNITS; i++) {
        fr_unit_def unit = {.position = fr_position_at(5.5 + 2 * i, 15.5),
                            .radius = FR_RADIUS_DEFAULT,
                            .speed = FR_SPEED_DEFAULT};
        assert_int_equal(fr_world_spawn(world, &unit), i);
    }
    return world;
}

static void test_the_unit_in_the_middle_is_chosen_and_kept(void **state)
{
    (void)state;
    fr_map *map;
    fr_world *world = make_world(&map);
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    fr_selection selection;
    fr_selection_init(&selection, UNITS);
    fr_preview preview = {0};
    uint32_t unit;
    assert_false(fr_preview_choose(&preview, &selection, snapshot, &unit));
    for (uint32_t i = 0; i < UNITS; i++) {
        fr_selection_set(&selection, i, true);
    }
    assert_true(fr_preview_choose(&preview, &selection, snapshot, &unit));
    assert_int_equal(unit, 2);
    fr_selection_set(&selection, 0, false); /* the middle moves, the unit stays */
    fr_selection_set(&selection, 1, false);
    assert_true(fr_preview_choose(&preview, &selection, snapshot, &unit));
    assert_int_equal(unit, 2);
    fr_preview_end(&preview);
    assert_true(fr_preview_choose(&preview, &selection, snapshot, &unit));
    assert_int_equal(unit, 3);
    fr_selection_set(&selection, 3, false); /* it is selected no more */
    assert_true(fr_preview_choose(&preview, &selection, snapshot, &unit));
    assert_int_not_equal(unit, 3);
    fr_preview_fini(&preview);
    fr_selection_fini(&selection);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

static void test_looking_changes_nothing(void **state)
{
    (void)state;
    fr_map *map;
    fr_world *world = make_world(&map);
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    uint64_t before = fr_world_hash(world);
    fr_preview preview = {0};
    assert_true(fr_preview_trace(&preview, snapshot, 0, NULL, fr_position_at(25.5, 15.5)));
    assert_true(preview.route.arrives);
    assert_true(preview.route.length_cells > 19.9 && preview.route.length_cells < 20.1);
    /* Into the closed room: to the nearest place outside it. */
    assert_true(fr_preview_trace(&preview, snapshot, 0, NULL, fr_position_at(42.5, 15.5)));
    assert_true(preview.route.arrives);
    assert_true(preview.route.length_cells > 33.5 && preview.route.length_cells < 34.5);
    assert_true(fr_world_hash(world) == before);
    fr_preview_fini(&preview);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* On a large map the way is shown as well, if it is not too long. */
static void test_ways_on_a_large_map(void **state)
{
    (void)state;
    fr_map *map = open_map(1700, 1400);
    fr_world_config config = fr_world_config_default();
    config.map = map;
    config.unit_capacity = 1;
    fr_world *world = fr_world_create(&config);
    fr_world_add_group(world, &(fr_group_def){.name = "units"});
    fr_unit_def unit = {.position = fr_position_at(100.5, 100.5), .radius = 0.4f, .speed = 4.0f};
    assert_int_equal(fr_world_spawn(world, &unit), 0);
    const fr_snapshot *snapshot = fr_world_snapshot(world);
    fr_preview preview = {0};
    assert_true(fr_preview_trace(&preview, snapshot, 0, NULL, fr_position_at(300.5, 250.5)));
    assert_true(preview.route.length_cells > 249.9 && preview.route.length_cells < 250.1);
    assert_false(fr_preview_trace(&preview, snapshot, 0, NULL, fr_position_at(1300.5, 1300.5)));
    assert_true(fr_preview_trace(&preview, snapshot, 0, NULL, fr_position_at(900.5, 400.5)));
    assert_true(preview.route.arrives && preview.route.length_cells > 854.0);
    uint64_t builds = preview.probe.builds;
    assert_true(fr_preview_trace(&preview, snapshot, 0, NULL, fr_position_at(900.5, 400.5)));
    assert_int_equal(preview.probe.builds, builds); /* it is known by now */
    fr_preview_fini(&preview);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

static void test_what_is_said_of_a_way(void **state)
{
    (void)state;
    static const struct {
        fr_view_route route;
        const char *text;
    } cases[] = {
        {{.arrives = true, .length_cells = 109.4, .eta_s = 27.3}, "109 cells, 27 s"},
        {{.arrives = true, .length_cells = 0.0, .eta_s = 0.0}, "0 cells, 0 s"},
        {{.arrives = true, .length_cells = 600.2, .eta_s = 59.6}, "600 cells, 1:00 min"},
        {{.arrives = true, .length_cells = 3512.0, .eta_s = 878.0}, "3512 cells, 14:38 min"},
        {{.arrives = false, .length_cells = 12.0, .eta_s = 3.0}, "no way there"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        fr_route_text(&cases[i].route, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_unit_in_the_middle_is_chosen_and_kept),
        cmocka_unit_test(test_looking_changes_nothing),
        cmocka_unit_test(test_ways_on_a_large_map),
        cmocka_unit_test(test_what_is_said_of_a_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
