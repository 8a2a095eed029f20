/* What a person is told of a unit's field: not there yet, being made, up to date, out of date. */
#include "support.h"

#include "sim/world.h"

enum { WIDTH = 70, HEIGHT = 40 };

/* One unit behind a wall with a gap at its lower end, so that it needs a field to get past. */
static fr_world *make_world(fr_map **map)
{
    *map = open_map(WIDTH, HEIGHT);
    for (int32_t y = 0; y < HEIGHT - 3; y++) {
        (*map)->costs[FR_CLASS_FOOT][y * WIDTH + 30] = FR_COST_WALL;
    }
    fr_map_share_costs(*map);
    fr_world_config config = fr_world_config_default();
    config.map = *map;
    config.unit_capacity = 8;
    fr_world *world = fr_world_create(&config);
    fr_world_add_group(world, &(fr_group_def){.name = "blue"});
    for (int i = 0; i < 2; i++) {
        fr_unit_def unit = {.position = fr_position_at(10.5, 10.5 + 2 * i),
                            .radius = FR_RADIUS_DEFAULT,
                            .speed = FR_SPEED_DEFAULT};
        assert_int_equal(fr_world_spawn(world, &unit), i);
    }
    return world;
}

/* Ticks until the standing is another one; returns that. */
static fr_field_standing next_standing(fr_world *world, fr_field_standing now)
{
    for (int tick = 0; tick < 60; tick++) {
        fr_world_tick(world);
        fr_field_standing standing = fr_world_unit_field_standing(world, 0);
        assert_true((standing == FR_STANDING_CURRENT) <= (fr_world_unit_field(world, 0) != NULL));
        if (standing != now) {
            return standing;
        }
    }
    fail_msg("still %d after two seconds", (int)now);
    return now;
}

static void test_a_field_comes_goes_stale_and_is_renewed(void **state)
{
    (void)state;
    fr_map *map;
    fr_world *world = make_world(&map);
    static const uint32_t units[] = {0, 1};
    const fr_position goal = fr_position_at(60.5, 5.5);
    fr_command move = {
        .kind = FR_COMMAND_MOVE, .units = units, .unit_count = 2, .goals = &goal, .goal_count = 1};
    assert_int_equal(fr_world_unit_field_standing(world, 0), FR_STANDING_NONE);
    assert_int_equal(fr_world_unit_field_standing(world, 99), FR_STANDING_NONE);
    assert_int_equal(fr_world_submit(world, &move), FR_OK);
    fr_field_standing standing = next_standing(world, FR_STANDING_NONE);
    assert_int_equal(standing, FR_STANDING_BUILDING);
    assert_int_equal(next_standing(world, standing), FR_STANDING_CURRENT);

    fr_command wall = {.kind = FR_COMMAND_SET_COST, .rect = {40, 2, 3, 8}, .cost = FR_COST_WALL};
    assert_int_equal(fr_world_submit(world, &wall), FR_OK);
    standing = next_standing(world, FR_STANDING_CURRENT);
    assert_true(standing == FR_STANDING_STALE || standing == FR_STANDING_BUILDING);
    while (standing != FR_STANDING_CURRENT) {
        assert_non_null(fr_world_unit_field(world, 0)); /* the old one serves until then */
        standing = next_standing(world, standing);
    }
    fr_world_destroy(world);
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_field_comes_goes_stale_and_is_renewed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
