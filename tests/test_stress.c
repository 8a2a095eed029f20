/* Random play with worker threads, for the sanitizers: orders of all kinds, orders taken back, walls, paint,
 * units that come. The same play without threads must come to the same state. FRESHET_STRESS_TICKS=1800 makes
 * it a minute of play. */
#include "world_scene.h"

#include <stdlib.h>

#include "base/rng.h"
#include "field_maps.h"
#include "jobs/pool.h"

#define WIDTH       90
#define HEIGHT      60
#define UNITS       90
#define SHORT_TICKS 120

typedef struct play_count {
    int32_t orders, edits, cancels;
} play_count;

static fr_position somewhere(fr_rng *rng)
{
    return (fr_position){(int32_t)fr_rng_below(rng, WIDTH * FR_POSITION_ONE),
                         (int32_t)fr_rng_below(rng, HEIGHT * FR_POSITION_ONE)};
}

/* One of all kinds of orders, to a run of units. */
static void give_order(fr_world *world, fr_rng *rng, uint32_t first, int32_t count)
{
    uint32_t units[UNITS], prices[3] = {0, 700, 2100}, capacities[3] = {5, 0, 20};
    fr_position goals[3] = {somewhere(rng), somewhere(rng), somewhere(rng)};
    for (int32_t i = 0; i < count; i++) {
        units[i] = first + (uint32_t)i;
    }
    fr_command command = {
        .kind = FR_COMMAND_MOVE, .units = units, .unit_count = count, .goals = goals, .goal_count = 1};
    switch (fr_rng_below(rng, 8)) {
    case 0:
        command.goal_count = 3;
        command.goal_prices = prices;
        command.goal_capacities = fr_rng_below(rng, 2) == 0 ? capacities : NULL;
        break;
    case 1:
        command.area = fr_area_disc(goals[0], fr_fixed(1 + fr_rng_below(rng, 9)));
        break;
    case 2:
        command.area =
            fr_area_rect(goals[0], (fr_position){goals[0].x + fr_fixed(30), goals[0].y + fr_fixed(4)});
        break;
    case 3:
        command.kind = FR_COMMAND_FOLLOW;
        command.target = fr_rng_below(rng, UNITS);
        break;
    case 4:
        command.kind = FR_COMMAND_HOLD;
        command.unit_count = count / 4;
        break;
    default:
        break;
    }
    /* An area of which the map's edge leaves nothing is refused. */
    fr_status status = fr_world_submit(world, &command);
    assert_true(status == FR_OK || command.area.kind != FR_AREA_NONE);
}

static void play(fr_world *world, play_count *count)
{
    uint32_t tick = fr_world_snapshot(world)->tick;
    fr_rng rng = {tick * 2654435761u + 99u};
    if (tick % 5 == 0) {
        int32_t units = 1 + (int32_t)fr_rng_below(&rng, UNITS / 2);
        give_order(world, &rng, fr_rng_below(&rng, (uint32_t)(UNITS - units)), units);
        count->orders++;
    }
    if (tick % 60 < 8) { /* a burst of clicks */
        order_range(world, FR_COMMAND_MOVE, 10, 30, 50.5 + tick % 2, 30.5 + tick % 3);
        count->orders++;
    }
    if (tick % 11 == 4) {
        edit(world,
             (fr_rect){(int32_t)fr_rng_below(&rng, WIDTH), (int32_t)fr_rng_below(&rng, HEIGHT),
                       1 + (int32_t)fr_rng_below(&rng, 9), 1 + (int32_t)fr_rng_below(&rng, 9)},
             fr_rng_below(&rng, 2) == 0 ? 0 : (uint8_t)(1 + fr_rng_below(&rng, 255)));
        count->edits++;
    }
    if (tick % 40 == 21) { /* taken back before the field can be there */
        order_range(world, FR_COMMAND_MOVE, 30, 50, fr_rng_below(&rng, WIDTH), fr_rng_below(&rng, HEIGHT));
    } else if (tick % 40 == 22) {
        order_range(world, FR_COMMAND_STOP, 30, 50, 0, 0);
        count->cancels++;
    }
    if (tick % 200 == 100) {
        fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_SET_CONGESTION, .is_on = tick % 400 < 200});
    }
    if (tick % 90 == 50) {
        fr_world_submit(world,
                        &(fr_command){.kind = FR_COMMAND_SPAWN,
                                      .unit = {.position = somewhere(&rng), .radius = 0.3f, .speed = 5.0f}});
    }
}

static fr_map *make_map(void)
{
    fr_rng rng = {7};
    fr_map *map = open_map(WIDTH, HEIGHT);
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        bool wall = fr_rng_below(&rng, 100) < 12;
        map->costs[FR_CLASS_FOOT][i] = wall ? FR_COST_WALL : (uint8_t)(1 + (i / 540) % 3);
    }
    fr_map_share_costs(map);
    return map;
}

static fr_world *start(const fr_map *map, fr_executor executor)
{
    fr_world_config config = fr_world_config_default();
    config.map = map;
    config.executor = executor;
    config.unit_capacity = 1024;
    config.field_bytes = 1u << 20; /* a few fields: evictions and refusals are part of the play */
    fr_world *world = fr_world_create(&config);
    fr_world_add_group(world, &(fr_group_def){.name = "units"});
    fr_rng rng = {3};
    while (fr_world_snapshot(world)->unit_count < UNITS) {
        spawn(world, 1 + fr_rng_below(&rng, WIDTH - 2) + 0.5, 1 + fr_rng_below(&rng, HEIGHT - 2) + 0.5);
    }
    return world;
}

static void play_at_scale(int32_t nav_shift, int32_t ticks)
{
    fr_map *map = make_map();
    map->nav_shift = nav_shift;
    fr_error error = {0};
    fr_pool *pool = fr_pool_create(4, &error);
    assert_non_null(pool);
    fr_world *threaded = start(map, fr_pool_executor(pool)), *plain = start(map, fr_executor_inline());
    play_count count = {0}, same = {0};
    for (int32_t t = 0; t < ticks; t++) {
        play(threaded, &count);
        play(plain, &same);
        fr_world_tick(threaded);
        fr_world_tick(plain);
        if (t % 20 == 0 && fr_world_hash(threaded) != fr_world_hash(plain)) {
            fail_msg("scale %d: the states differ after tick %d", nav_shift, t + 1);
        }
    }
    fr_world_stats stats = fr_world_statistics(threaded);
    double minutes = ticks / (60.0 * FR_TICK_HZ);
    assert_true(count.orders >= 200 * minutes && count.edits >= 100 * minutes &&
                count.cancels >= 20 * minutes);
    assert_true(stats.fields_built > 0 && stats.fields_cancelled > 0 && stats.field_cache_hits > 0);
    assert_true(stats.orders_merged > 0);
    fr_world_destroy(threaded);
    fr_world_destroy(plain);
    fr_pool_destroy(pool);
    fr_map_destroy(map);
}

static int32_t asked_ticks(void)
{
    const char *asked = getenv("FRESHET_STRESS_TICKS");
    return asked != NULL && atoi(asked) > 0 ? atoi(asked) : SHORT_TICKS;
}

static void test_random_play(void **state)
{
    (void)state;
    play_at_scale(0, asked_ticks());
}

/* With field cells of half, two and four tiles: of these most are walls here. */
static void test_random_play_at_other_scales(void **state)
{
    (void)state;
    static const int32_t shifts[] = {-1, 1, 2};
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
        play_at_scale(shifts[i], asked_ticks() / 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_play),
        cmocka_unit_test(test_random_play_at_other_scales),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
