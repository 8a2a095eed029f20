/* Those who stand make way for those who pass, and are back at their posts soon after; crowds that can't make
 * way are gone round. */
#include "world_scene.h"

#define DIAMETER 0.8

/* Ticks until the first `count` units, ordered to (x, y), have settled. */
static int32_t march(fr_world *world, int32_t count, double x, double y)
{
    order_range(world, FR_COMMAND_MOVE, 0, count, x, y);
    for (int32_t t = 0; t < 1800; t++) {
        run(world, 1);
        int32_t moving = 0;
        for (int32_t i = 0; i < count; i++) {
            moving += fr_world_snapshot(world)->state[i] == FR_UNIT_MOVING;
        }
        if (moving == 0) {
            return t;
        }
    }
    fail_msg("units 0 to %d have not come to (%g, %g)", count - 1, x, y);
    return 0;
}

/* Positions of all from `first` on. */
static fr_position *posts_of(const fr_world *world, int32_t first)
{
    const fr_snapshot *now = fr_world_snapshot(world);
    fr_position *posts = fr_alloc((size_t)(now->unit_count - first), sizeof *posts);
    memcpy(posts, now->position + first, (size_t)(now->unit_count - first) * sizeof *posts);
    return posts;
}

static void expect_at_posts(const fr_world *world, int32_t first, const fr_position *posts, double most)
{
    const fr_snapshot *now = fr_world_snapshot(world);
    for (int32_t i = first; i < now->unit_count; i++) {
        double off = distance_to(world, i, fr_cells(posts[i - first].x), fr_cells(posts[i - first].y));
        if (off > most) {
            fail_msg("unit %d stands %.2f cells from its post, expected at most %.2f", i, off, most);
        }
    }
}

static int32_t count_off_posts(const fr_world *world, int32_t first, const fr_position *posts,
                               double more_than)
{
    const fr_snapshot *now = fr_world_snapshot(world);
    int32_t count = 0;
    for (int32_t i = first; i < now->unit_count; i++) {
        count +=
            distance_to(world, i, fr_cells(posts[i - first].x), fr_cells(posts[i - first].y)) > more_than;
    }
    return count;
}

/* A column of ten walks through idle friends who stand two diameters apart: it loses less than a tenth of its
 * time, and two seconds after it has gone by everybody stands at its post again. */
static void test_idle_friends_step_aside_and_return(void **state)
{
    (void)state;
    enum { COLUMN = 10 };
    fr_map *map = open_map(70, 24);
    int32_t ticks[2];
    for (int with = 0; with < 2; with++) {
        fr_world *world = make_world(map, fr_executor_inline());
        spawn_block(world, 4, 11, 5, 2, COLUMN);
        for (int32_t i = 0; with && i < 12 * 9; i++) {
            spawn(world, 22.0 + i / 9 * 1.6, 5.3 + i % 9 * 1.6 + i / 9 % 2 * 0.8);
        }
        fr_position *posts = posts_of(world, COLUMN);
        order_range(world, FR_COMMAND_MOVE, 0, COLUMN, 62.5, 12.0);
        run(world, 200);
        if (with) {
            assert_true(count_off_posts(world, COLUMN, posts, 0.1 * DIAMETER) > 0);
        }
        ticks[with] = 200 + march(world, COLUMN, 62.5, 12.0);
        run(world, 60);
        expect_at_posts(world, COLUMN, posts, 0.25 * DIAMETER);
        fr_free(posts);
        fr_world_destroy(world);
    }
    assert_in_range(ticks[1], ticks[0] - 5, ticks[0] * 11 / 10);
    fr_map_destroy(map);
}

/* Who holds stays where it is, to the bit; the column finds its way past all the same. */
static void test_holders_stay(void **state)
{
    (void)state;
    fr_map *map = open_map(60, 24);
    fr_world *world = make_world(map, fr_executor_inline());
    spawn_block(world, 4, 11, 5, 2, 10);
    spawn_columns(world, 40, 5, 22.0, 8.0, 2.0);
    order_range(world, FR_COMMAND_HOLD, 10, 40, 0, 0);
    fr_position *posts = posts_of(world, 10);
    march(world, 10, 52.5, 12.0);
    expect_at_posts(world, 10, posts, 0.0);
    fr_free(posts);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* In a passage one wide nobody can step aside: the friend in it is pressed on to its end, lets the other by,
 * and goes back. */
static void test_friend_in_a_narrow_passage(void **state)
{
    (void)state;
    static const char *const rows[] = {
        "##############################", "#............####............#",
        "#............####............#", "#............................#",
        "#............####............#", "#............####............#",
        "##############################", NULL,
    };
    fr_map *map = map_from_picture(rows);
    fr_world *world = make_world(map, fr_executor_inline());
    spawn(world, 3.5, 3.5);
    spawn(world, 14.5, 3.5);
    march(world, 1, 26.5, 3.5);
    run(world, 90);
    assert_true(distance_to(world, 0, 26.5, 3.5) < 0.2);
    assert_true(distance_to(world, 1, 14.5, 3.5) < 0.25 * DIAMETER);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* A settled pack in the way of another group: it is gone round, nobody is carried off. */
static void test_packs_are_gone_round(void **state)
{
    (void)state;
    enum { NEWCOMERS = 80, SETTLERS = 100 };
    fr_map *map = open_map(90, 40);
    fr_world *world = make_world(map, fr_executor_inline());
    spawn_block(world, 4, 16, 10, 8, NEWCOMERS);
    spawn_block(world, 34, 15, 10, 10, SETTLERS);
    order_range(world, FR_COMMAND_MOVE, NEWCOMERS, SETTLERS, 45.0, 20.0);
    run(world, 400);
    assert_int_equal(count_state(world, FR_UNIT_ARRIVED), SETTLERS);
    fr_position *posts = posts_of(world, NEWCOMERS);
    march(world, NEWCOMERS, 65.0, 20.0);
    run(world, 60);
    expect_at_posts(world, NEWCOMERS, posts, 0.25 * DIAMETER);
    for (int32_t i = 0; i < NEWCOMERS; i++) {
        assert_true(distance_to(world, i, 65.0, 20.0) < 6.5);
    }
    fr_free(posts);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_idle_friends_step_aside_and_return),
        cmocka_unit_test(test_holders_stay),
        cmocka_unit_test(test_friend_in_a_narrow_passage),
        cmocka_unit_test(test_packs_are_gone_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
