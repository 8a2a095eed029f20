/* Congestion: crowds in the way turn orders aside, within bounds, and alike for any number of workers. */
#include "support.h"

#include "base/memory.h"
#include "jobs/pool.h"
#include "sim/world.h"

enum { WALL_X = 30, GAP = 4 };

/* A wall across the map at WALL_X with two gaps of four cells, so many cells apart. Before the near one, real
 * walls lead to it like a funnel, so that nobody is caught behind those who hold there. */
static fr_map *gap_map(int near, int far, bool funnel)
{
    fr_map *map = open_map(2 * WALL_X + 1, far + GAP + 8);
    for (int y = 0; y < map->grid.height; y++) {
        bool open = (y >= near && y < near + GAP) || (y >= far && y < far + GAP);
        map->costs[FR_CLASS_FOOT][y * map->grid.width + WALL_X] = open ? 1 : FR_COST_WALL;
    }
    for (int x = WALL_X - 9; x < WALL_X && funnel; x++) {
        map->costs[FR_CLASS_FOOT][(near - 5) * map->grid.width + x] = FR_COST_WALL;
        map->costs[FR_CLASS_FOOT][(near + 7) * map->grid.width + x] = FR_COST_WALL;
    }
    fr_map_share_costs(map);
    return map;
}

typedef struct scene {
    fr_map *map;
    fr_world *world;
    fr_executor executor;
    int far;
    int32_t holders, walkers;
    int32_t crossed_near, crossed_far;
} scene;

static uint32_t spawn(scene *s, double x, double y, int team)
{
    fr_unit_def unit = {
        .position = fr_position_at(x, y), .radius = 0.4f, .speed = 8.0f, .team = (uint8_t)team};
    uint32_t id = fr_world_spawn(s->world, &unit);
    assert_int_not_equal(id, FR_NO_UNIT);
    return id;
}

static void order(scene *s, fr_command_kind kind, uint32_t first, int32_t count, double x, double y)
{
    uint32_t units[512];
    for (int32_t i = 0; i < count; i++) {
        units[i] = first + (uint32_t)i;
    }
    fr_position goal = fr_position_at(x, y);
    fr_command command = {.kind = kind, .units = units, .unit_count = count, .goals = &goal, .goal_count = 1};
    assert_int_equal(fr_world_submit(s->world, &command), FR_OK);
}

static void switch_congestion(scene *s, bool is_on)
{
    fr_world_submit(s->world, &(fr_command){.kind = FR_COMMAND_SET_CONGESTION, .is_on = is_on});
}

static fr_world_config config_of(const scene *s)
{
    fr_world_config config = fr_world_config_default();
    config.map = s->map;
    config.executor = s->executor;
    config.unit_capacity = 256;
    config.field_bytes = 8u << 20;
    return config;
}

/* Walkers of one team, in rows from the left edge on, are to go through the wall to the other side. */
static scene open_scene(int near, int far, bool funnel, fr_executor executor)
{
    scene s = {.map = gap_map(near, far, funnel), .executor = executor, .far = far};
    fr_world_config config = config_of(&s);
    s.world = fr_world_create(&config);
    fr_world_add_group(s.world, &(fr_group_def){.name = "units"});
    return s;
}

static void start_walkers(scene *s, int near, int count)
{
    for (int i = 0; i < count; i++) {
        spawn(s, 2.5 + i / 12, near - 3.5 + i % 12, 0);
    }
    s->walkers = count;
    order(s, FR_COMMAND_MOVE, (uint32_t)s->holders, count, 2 * WALL_X - 6.5, near + 2.0);
}

static void close_scene(scene *s)
{
    fr_world_destroy(s->world);
    fr_map_destroy(s->map);
}

static void step(scene *s)
{
    fr_world_tick(s->world);
    const fr_snapshot *now = fr_world_snapshot(s->world);
    for (int32_t i = s->holders; i < now->unit_count; i++) {
        fr_cell before = fr_cell_at(now->previous[i]), after = fr_cell_at(now->position[i]);
        if (before.x < WALL_X && after.x >= WALL_X) {
            *(after.y >= s->far ? &s->crossed_far : &s->crossed_near) += 1;
        }
    }
}

static int32_t still_moving(const scene *s)
{
    const fr_snapshot *now = fr_world_snapshot(s->world);
    int32_t count = 0;
    for (int32_t i = 0; i < now->unit_count; i++) {
        count += now->state[i] == FR_UNIT_MOVING;
    }
    return count;
}

static void assert_settled(const scene *s)
{
    const fr_snapshot *now = fr_world_snapshot(s->world);
    for (int32_t i = 0; i < now->unit_count; i++) {
        if (now->state[i] == FR_UNIT_MOVING) {
            fail_msg("tick %u: unit %d is still at %.2f,%.2f (%d near, %d far)", now->tick, i,
                     fr_cells(now->position[i].x), fr_cells(now->position[i].y), s->crossed_near,
                     s->crossed_far);
        }
    }
}

/* Ticks until everybody has settled, or the limit. */
static int run(scene *s, int limit)
{
    int t = 0;
    do {
        step(s);
        t++;
    } while (t < limit && (t < 3 || still_moving(s) > 0));
    return t;
}

/* Those who hold fill a funnel before the near gap; its tip, and so the way through, is one cell wide. */
static void fill_funnel(scene *s, int near)
{
    for (int k = 0; k < 5; k++) {
        for (int c = 0; c < 3 + k; c++) {
            for (int side = 0; side < 2; side++) {
                double y = side == 0 ? near + 0.55 - 0.9 * k : near + 2.45 + 0.9 * k;
                spawn(s, WALL_X - 0.45 - 0.85 * c, y, 1);
                s->holders++;
            }
        }
    }
    order(s, FR_COMMAND_HOLD, 0, s->holders, 0.0, 0.0);
}

static scene lane_scene(bool congestion, fr_executor executor)
{
    scene s = open_scene(12, 36, true, executor);
    if (congestion) {
        switch_congestion(&s, true);
    }
    fill_funnel(&s, 12);
    start_walkers(&s, 12, 180);
    return s;
}

/* The near gap lets one by one through: with congestion part of the crowd takes the far one, and all are
 * there sooner (in maps/scenarios/two-gaps.json, four times as large, in less than half of the time).
 * Without it too all get past those who hold. */
static void test_a_crowd_goes_round_a_jam(void **state)
{
    (void)state;
    scene with = lane_scene(true, fr_executor_inline());
    int ticks = run(&with, 1200);
    assert_settled(&with);
    assert_true(with.crossed_far >= 10);
    assert_true(with.crossed_near >= 15);
    close_scene(&with);
    scene without = lane_scene(false, fr_executor_inline());
    int longer = run(&without, 2400);
    assert_settled(&without);
    if (ticks * 10 > longer * 9) {
        fail_msg("%d ticks, %d without congestion, expected a tenth less at least", ticks, longer);
    }
    assert_int_equal(without.crossed_far, 0);
    close_scene(&without);
}

/* Half the gap is left free, and the other one is far away: nobody goes there, whatever the queue. */
static void test_nobody_goes_far_round(void **state)
{
    (void)state;
    scene s = open_scene(12, 112, false, fr_executor_inline());
    switch_congestion(&s, true);
    for (int c = 0; c < 6; c++) {
        spawn(&s, WALL_X - 0.45 - 0.85 * c, 14.45, 1);
        spawn(&s, WALL_X - 0.45 - 0.85 * c, 15.3, 1);
        s.holders += 2;
    }
    order(&s, FR_COMMAND_HOLD, 0, s.holders, 0.0, 0.0);
    start_walkers(&s, 12, 60);
    run(&s, 1200);
    assert_settled(&s);
    assert_int_equal(s.crossed_far, 0);
    close_scene(&s);
}

/* A column of one's own, on open ground, is no jam: no other field is asked for. */
static void test_a_marching_column_is_no_jam(void **state)
{
    (void)state;
    fr_map *map = open_map(90, 20);
    scene s = {.map = map, .executor = fr_executor_inline(), .far = 1000};
    fr_world_config config = config_of(&s);
    s.world = fr_world_create(&config);
    fr_world_add_group(s.world, &(fr_group_def){.name = "units"});
    switch_congestion(&s, true);
    for (int i = 0; i < 100; i++) {
        spawn(&s, 2.5 + i / 5, 7.5 + i % 5, 0);
    }
    order(&s, FR_COMMAND_MOVE, 0, 100, 80.0, 10.0);
    uint32_t built_before = 0;
    for (int t = 0; t < 400; t++) {
        step(&s);
        built_before = t == 5 ? fr_world_statistics(s.world).fields_built : built_before;
    }
    assert_int_equal(fr_world_statistics(s.world).fields_built, built_before);
    close_scene(&s);
}

/* One future: with workers, from a saved world, and after a switch. */
static void test_one_future(void **state)
{
    (void)state;
    fr_error error = {0};
    fr_pool *pool = fr_pool_create(2, &error);
    assert_non_null(pool);
    scene inline_scene = lane_scene(true, fr_executor_inline());
    scene pooled = lane_scene(true, fr_pool_executor(pool));
    fr_buffer saved = {0};
    for (int t = 0; t < 240; t++) {
        if (t == 220) {
            switch_congestion(&inline_scene, false);
            switch_congestion(&pooled, false);
        }
        step(&inline_scene);
        step(&pooled);
        if (t == 169) {
            fr_world_save(inline_scene.world, &saved);
        }
        if (t % 20 == 0) {
            assert_true(fr_world_hash(inline_scene.world) == fr_world_hash(pooled.world));
        }
    }
    assert_true(inline_scene.crossed_far > 0);
    uint64_t last = fr_world_hash(inline_scene.world);
    assert_true(last == fr_world_hash(pooled.world));
    close_scene(&pooled);
    fr_pool_destroy(pool);
    fr_world_config config = config_of(&inline_scene);
    fr_world *twin = fr_world_load(&config, saved.data, saved.size, &error);
    if (twin == NULL) {
        fail_msg("%s", error.message);
    }
    for (int t = 170; t < 240; t++) {
        if (t == 220) {
            fr_world_submit(twin, &(fr_command){.kind = FR_COMMAND_SET_CONGESTION, .is_on = false});
        }
        fr_world_tick(twin);
    }
    assert_true(fr_world_hash(twin) == last);
    fr_world_destroy(twin);
    /* A cut or spoilt world is refused, or at least no danger. */
    for (size_t cut = 1; cut < saved.size; cut = cut * 3 / 2 + 1) {
        assert_null(fr_world_load(&config, saved.data, saved.size - cut, &error));
    }
    fr_buffer_fini(&saved);
    close_scene(&inline_scene);
}

/* What a jam costs: eighths of the ground, never a wall, for its own view alone; held cells for all jams. */
static void test_costs_of_a_jam(void **state)
{
    (void)state;
    static const char *const rows[] = {"..........", "..9#......", "....3.....",
                                       "..........", "..........", NULL};
    fr_map *map = map_from_picture(rows);
    fr_cost *cost = fr_cost_create(map);
    fr_cost_view one = fr_cost_jam_open(cost, 0, (fr_cost_view_def){.caution = FR_CAUTION_RUSH});
    fr_cost_view two = fr_cost_jam_open(cost, 1, (fr_cost_view_def){.caution = FR_CAUTION_RUSH});
    assert_int_equal(fr_cost_at(cost, one, (fr_cell){2, 1}), 9);
    fr_cost_set_jam(cost, 0, 0, 12); /* half as much again, and as much once more */
    fr_rect changed = fr_cost_jam_compose(cost, 0);
    assert_true(changed.x == 0 && changed.y == 0 && changed.width == 4 && changed.height == 4);
    assert_int_equal(fr_cost_at(cost, one, (fr_cell){2, 1}), 9 + 14);
    assert_int_equal(fr_cost_at(cost, one, (fr_cell){0, 0}), 1 + 2);
    assert_int_equal(fr_cost_at(cost, one, (fr_cell){4, 2}), 3);
    assert_int_equal(fr_cost_at(cost, one, (fr_cell){3, 1}), FR_COST_WALL);
    assert_int_equal(fr_cost_at(cost, two, (fr_cell){2, 1}), 9);
    assert_int_equal(fr_cost_at(cost, FR_CLASS_FOOT, (fr_cell){2, 1}), 9);
    fr_cost_set_held(cost, (fr_cell){2, 1}, true);
    fr_cost_set_held(cost, (fr_cell){9, 4}, true);
    fr_cost_held_compose(cost);
    assert_int_equal(fr_cost_at(cost, one, (fr_cell){2, 1}), 254);
    assert_int_equal(fr_cost_at(cost, two, (fr_cell){2, 1}), 254);
    assert_int_equal(fr_cost_at(cost, two, (fr_cell){9, 4}), 1 + FR_HELD_EIGHTHS / 8);
    assert_int_equal(fr_cost_at(cost, FR_CLASS_FOOT, (fr_cell){9, 4}), 1);
    fr_cost_set_held(cost, (fr_cell){2, 1}, false);
    fr_cost_held_compose(cost);
    assert_int_equal(fr_cost_at(cost, one, (fr_cell){2, 1}), 9 + 14);
    /* Turned over to others, it begins anew. */
    assert_int_equal(fr_cost_jam_open(cost, 0, (fr_cost_view_def){.caution = FR_CAUTION_RUSH}), one);
    assert_int_equal(fr_cost_at(cost, one, (fr_cell){2, 1}), 9);
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs_of_a_jam),
        cmocka_unit_test(test_a_crowd_goes_round_a_jam),
        cmocka_unit_test(test_nobody_goes_far_round),
        cmocka_unit_test(test_a_marching_column_is_no_jam),
        cmocka_unit_test(test_one_future),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
