/* Crowds of several sizes and speeds: one pack, in which everybody finds a place of its size. */
#include "world_scene.h"

#include <stdlib.h>
#include <time.h>

typedef struct kind {
    int32_t count;
    float radius, speed;
} kind;

static const kind kinds[] = {{20, 0.9f, 2.5f}, {50, 0.55f, 3.2f}, {100, 0.35f, 4.5f}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* All kinds side by side, in columns two cells apart; returns how many units there are. */
static int32_t spawn_kinds(fr_world *world, double x, double y)
{
    int32_t count = 0;
    for (int k = 0; k < KINDS; k++) {
        for (int32_t i = 0; i < kinds[k].count; i++, count++) {
            uint32_t unit = spawn_sized(world, x + 2.0 * (count / 17), y + 2.0 * (count % 17),
                                        kinds[k].radius, kinds[k].speed);
            assert_int_equal(unit, count);
        }
    }
    return count;
}

/* 1 is a perfect disc of hexagonally packed units (weighted by their area). */
static double compactness(const fr_snapshot *now)
{
    double mass = 0.0, x = 0.0, y = 0.0, spread = 0.0;
    for (int32_t i = 0; i < now->unit_count; i++) {
        double own = (double)now->radius[i] * (double)now->radius[i];
        mass += own;
        x += own * fr_cells(now->position[i].x);
        y += own * fr_cells(now->position[i].y);
    }
    for (int32_t i = 0; i < now->unit_count; i++) {
        double own = (double)now->radius[i] * (double)now->radius[i];
        double dx = fr_cells(now->position[i].x) - x / mass, dy = fr_cells(now->position[i].y) - y / mass;
        spread += own * (dx * dx + dy * dy);
    }
    return 0.5 * mass / FR_PACKED_SHARE / (spread / mass);
}

static int32_t count_moving(const fr_snapshot *now)
{
    int32_t count = 0;
    for (int32_t i = 0; i < now->unit_count; i++) {
        count += now->state[i] == FR_UNIT_MOVING || now->position[i].x != now->previous[i].x ||
                 now->position[i].y != now->previous[i].y;
    }
    return count;
}

static void run_to_rest(fr_world *world, int ticks)
{
    for (int tick = 0; tick < ticks; tick++) {
        fr_world_tick(world);
        check_tick(world);
    }
    assert_int_equal(count_moving(fr_world_snapshot(world)), 0);
}

/* By one order, and by one for each kind: either way they stand together. */
static void test_sizes_share_a_pack(void **state)
{
    (void)state;
    for (int orders = 1; orders <= KINDS; orders += KINDS - 1) {
        fr_map *map = open_map(130, 70);
        fr_world *world = make_world(map, fr_executor_inline());
        int32_t count = spawn_kinds(world, 10.5, 18.5), first = 0;
        for (int k = 0; k < KINDS && orders > 1; k++) {
            order_range(world, FR_COMMAND_MOVE, (uint32_t)first, kinds[k].count, 95.5, 35.5);
            first += kinds[k].count;
        }
        if (orders == 1) {
            order_range(world, FR_COMMAND_MOVE, 0, count, 95.5, 35.5);
        }
        run_to_rest(world, 1500);
        const fr_snapshot *now = fr_world_snapshot(world);
        assert_true(compactness(now) > 0.74);
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
}

/* Those of one kind come from the left and the others from the right; a unit of a kind of its own among them.
 */
static void test_two_groups_meet_in_one_pack(void **state)
{
    (void)state;
    fr_map *map = open_map(130, 70);
    fr_world *world = make_world(map, fr_executor_inline());
    for (int i = 0; i < 41; i++) {
        bool is_large = i % 2 == 0;
        double x = (is_large ? 20.5 : 105.5) + 2.0 * (i % 5), y = 20.5 + i / 2 * 1.5;
        float radius = i == 40 ? 1.5f : is_large ? 0.7f : 0.3f;
        assert_int_equal(spawn_sized(world, x, y, radius, 3.5f), i);
    }
    order_all(world, 65.5, 35.5);
    run_to_rest(world, 900);
    assert_true(compactness(fr_world_snapshot(world)) > 0.7);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

/* One large and one small unit, ordered apart to one point: both come within reach of it. */
static void test_one_of_each(void **state)
{
    (void)state;
    fr_map *map = open_map(100, 60);
    fr_world *world = make_world(map, fr_executor_inline());
    for (int i = 0; i < 2; i++) {
        uint32_t unit =
            i == 0 ? spawn_sized(world, 20.5, 25.5, 1.5f, 2.5f) : spawn_sized(world, 20.5, 30.5, 0.3f, 4.5f);
        assert_int_equal(unit, i);
        order_range(world, FR_COMMAND_MOVE, (uint32_t)i, 1, 70.5, 30.5);
    }
    run_to_rest(world, 900);
    const fr_snapshot *now = fr_world_snapshot(world);
    fr_vec2 off = fr_position_delta(now->position[0], fr_position_at(70.5, 30.5));
    assert_true(fr_vec2_length(off) < 2.1f);
    fr_world_destroy(world);
    fr_map_destroy(map);
}

static int compare_times(const void *a, const void *b)
{
    double first, second;
    memcpy(&first, a, sizeof first);
    memcpy(&second, b, sizeof second);
    return (first > second) - (first < second);
}

/* 1,600 units of as many radii get their places within one tick: it must not stand out. Measured in ticks of
 * the same crowd, so that it does not matter how fast the machine is. */
static void test_places_of_many_sizes_are_cheap(void **state)
{
    (void)state;
    enum { UNITS = 1600, COLUMNS = 40, TICKS = 120 };
    fr_map *map = open_map(180, 110);
    fr_world *world = make_world(map, fr_executor_inline());
    for (int32_t i = 0; i < UNITS; i++) {
        fr_unit_def unit = {.position = fr_position_at(4.0 + 2.0 * (i % COLUMNS), 4.0 + 2.0 * (i / COLUMNS)),
                            .radius = 0.3f + 0.6f / UNITS * (float)(i * 787 % UNITS),
                            .speed = 4.0f};
        assert_int_equal(fr_world_spawn(world, &unit), i);
    }
    order_all(world, 140.5, 50.5);
    double ticks[TICKS];
    for (int t = 0; t < TICKS; t++) {
        clock_t before = clock();
        fr_world_tick(world);
        ticks[t] = (double)(clock() - before);
    }
    qsort(ticks, TICKS, sizeof *ticks, compare_times);
    double share = ticks[TICKS - 1] / (ticks[TICKS / 2] + 1.0);
    if (share > 100.0) {
        fail_msg("the longest tick took as long as %.0f others", share);
    }
    fr_world_destroy(world);
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_share_a_pack),
        cmocka_unit_test(test_two_groups_meet_in_one_pack),
        cmocka_unit_test(test_one_of_each),
        cmocka_unit_test(test_places_of_many_sizes_are_cheap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
