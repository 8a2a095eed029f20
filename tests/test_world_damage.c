/* Saved worlds that were damaged: a byte that changed is noticed; and a buffer that was forged, its seal put
 * right, is refused or loaded, and what is loaded runs: never a crash. Meant for the sanitizers.
 * FRESHET_FORGED=10000 tries that many forgeries of each scene. */
#include "world_scene.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/rng.h"

enum { UNITS = 60, FORGERIES = 25, TICKS_AFTER = 20 };

typedef struct damage_scene {
    const char *name;
    int32_t width, height, nav_shift;
    uint32_t ticks; /* of play before it is saved */
} damage_scene;

static const damage_scene SCENES[] = {
    {"orders just given", 40, 30, 0, 1},
    {"fields pending", 40, 30, 0, 9},
    {"places and congestion", 40, 30, 0, 90},
    {"at rest", 40, 30, 0, 900},
    {"nav scale 2", 40, 30, 1, 60},
    {"nav scale 0.5", 40, 30, -1, 60},
    {"large", 600, 600, 0, 12},
};
enum { SCENE_COUNT = sizeof SCENES / sizeof *SCENES };

static fr_map *make_map(const damage_scene *scene)
{
    fr_rng rng = {5};
    fr_map *map = open_map(scene->width, scene->height);
    map->nav_shift = scene->nav_shift;
    for (int i = 0; i < 14; i++) {
        int32_t x = (int32_t)fr_rng_below(&rng, 34), y = 3 + (int32_t)fr_rng_below(&rng, 22);
        for (int32_t k = 0; k < 8; k++) {
            map->costs[FR_CLASS_FOOT][(y + k / 4) * scene->width + x + k % 4] = i % 3 == 0 ? 4 : FR_COST_WALL;
        }
    }
    fr_map_share_costs(map);
    return map;
}

static fr_world_config config_of(const fr_map *map)
{
    fr_world_config config = fr_world_config_default();
    config.map = map;
    config.unit_capacity = 128;
    config.field_bytes = 4u << 20;
    return config;
}

static void send(fr_world *world, fr_command command, uint32_t first, int32_t count)
{
    uint32_t units[UNITS];
    for (int32_t i = 0; i < count; i++) {
        units[i] = first + (uint32_t)i;
    }
    command.units = units;
    command.unit_count = count;
    assert_int_equal(fr_world_submit(world, &command), FR_OK);
}

/* Something of everything, so that every part of a saved world has something in it. */
static void give_orders(fr_world *world)
{
    const fr_position goals[3] = {fr_position_at(30.5, 5.5), fr_position_at(35.5, 25.5),
                                  fr_position_at(3.5, 27.5)};
    const uint32_t prices[3] = {0, 700, 70}, capacities[3] = {5, 9, 20};
    send(world, (fr_command){.kind = FR_COMMAND_MOVE, .goals = goals, .goal_count = 1}, 0, 15);
    send(world,
         (fr_command){.kind = FR_COMMAND_MOVE,
                      .goals = goals,
                      .goal_count = 3,
                      .goal_prices = prices,
                      .goal_capacities = capacities},
         15, 20);
    send(world,
         (fr_command){.kind = FR_COMMAND_MOVE,
                      .area = fr_area_disc(fr_position_at(20, 15), fr_fixed(4)),
                      .caution = FR_CAUTION_SAFE},
         35, 10);
    send(world, (fr_command){.kind = FR_COMMAND_FOLLOW, .target = 3}, 45, 5);
    send(world, (fr_command){.kind = FR_COMMAND_HOLD}, 50, 4);
}

static fr_world *play(const damage_scene *scene, const fr_map *map)
{
    fr_world_config config = config_of(map);
    fr_world *world = fr_world_create(&config);
    fr_world_add_group(world, &(fr_group_def){.name = "blue"});
    fr_world_add_group(world, &(fr_group_def){.name = "leavers",
                                              .leaves = true,
                                              .leave_from = fr_position_at(38, 0),
                                              .leave_to = fr_position_at(38, 30)});
    for (int32_t i = 0; i < UNITS; i++) {
        fr_world_spawn(world, &(fr_unit_def){.position = fr_position_at(1.5 + i % 12, 1.5 + i / 12),
                                             .radius = i % 9 == 0 ? 0.7f : 0.4f,
                                             .speed = 4.0f,
                                             .team = (uint8_t)(i % 2),
                                             .movement_class = i % 13 == 0 ? FR_CLASS_AIR : FR_CLASS_FOOT,
                                             .group = i % 20 == 0});
    }
    fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_SET_CONGESTION, .is_on = true});
    fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_SET_RING, .is_on = true});
    fr_world_submit(world, &(fr_command){.kind = FR_COMMAND_SET_THREAT,
                                         .threat = {fr_position_at(20, 10), fr_fixed(5), 9, FR_TEAM_NONE}});
    give_orders(world);
    for (uint32_t t = 0; t < scene->ticks; t++) {
        if (t % 30 == 20) {
            edit(world, (fr_rect){12 + (int32_t)t % 9, 2, 3, 5}, t % 60 == 20 ? FR_COST_WALL : 0);
        }
        fr_world_tick(world);
    }
    give_orders(world); /* these wait */
    return world;
}

static void reseal(fr_buffer *saved)
{
    size_t size = saved->size - sizeof(uint64_t);
    uint64_t seal = fr_hash_bytes(FR_HASH_SEED, saved->data, size);
    memcpy(saved->data + size, &seal, sizeof seal);
}

/* What is saved goes on as it was; any bit that changes is noticed. */
static void test_a_changed_bit_is_noticed(void **state)
{
    (void)state;
    for (int s = 0; s < SCENE_COUNT; s++) {
        fr_map *map = make_map(&SCENES[s]);
        fr_world *world = play(&SCENES[s], map);
        fr_world_config config = config_of(map);
        fr_buffer saved = {0};
        fr_error error = {{0}};
        fr_world_save(world, &saved);
        fr_world *twin = fr_world_load(&config, saved.data, saved.size, &error);
        if (twin == NULL) {
            fail_msg("%s: %s", SCENES[s].name, error.message);
        }
        run(world, TICKS_AFTER);
        run(twin, TICKS_AFTER);
        assert_true(fr_world_hash(world) == fr_world_hash(twin));
        fr_rng rng = {(uint64_t)s + 1};
        for (int i = 0; i < 40; i++) {
            size_t at = i < 20 ? saved.size * (size_t)i / 20 : fr_rng_below(&rng, (uint32_t)saved.size);
            uint8_t bit = (uint8_t)(1u << fr_rng_below(&rng, 8));
            saved.data[at] ^= bit;
            assert_null(fr_world_load(&config, saved.data, saved.size, &error));
            saved.data[at] ^= bit;
        }
        fr_world_destroy(twin);
        fr_buffer_fini(&saved);
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
}

static size_t somewhere(fr_rng *rng, size_t size)
{
    /* Fields are most of the bytes; what leads elsewhere stands before and behind them. */
    uint32_t whole = (uint32_t)size - 8, part = whole < 20000 ? whole : 20000;
    switch (fr_rng_below(rng, 3)) {
    case 0:
        return fr_rng_below(rng, part);
    case 1:
        return whole - 1 - fr_rng_below(rng, part);
    default:
        return fr_rng_below(rng, whole);
    }
}

static void forge(const fr_world_config *config, fr_buffer *saved, uint64_t seed, int *loaded_count)
{
    static const uint8_t VALUES[] = {0, 1, 2, 0x7f, 0x80, 0xff};
    fr_rng rng = {seed * 2654435761u + 1};
    uint8_t old[4];
    size_t at[4];
    uint32_t count = 1 + fr_rng_below(&rng, 4);
    for (uint32_t i = 0; i < count; i++) {
        at[i] = somewhere(&rng, saved->size);
        old[i] = saved->data[at[i]];
        uint8_t flipped = (uint8_t)(old[i] ^ (1u << fr_rng_below(&rng, 8)));
        saved->data[at[i]] = fr_rng_below(&rng, 2) == 0 ? flipped : VALUES[fr_rng_below(&rng, sizeof VALUES)];
    }
    reseal(saved);
    fr_world *world = fr_world_load(config, saved->data, saved->size, NULL);
    *loaded_count += world != NULL;
    for (int t = 0; world != NULL && t < TICKS_AFTER; t++) {
        fr_world_tick(world);
    }
    fr_world_destroy(world);
    while (count-- > 0) {
        saved->data[at[count]] = old[count];
    }
}

static void test_forged_worlds_do_no_harm(void **state)
{
    (void)state;
    const char *wish = getenv("FRESHET_FORGED");
    int forgeries = wish != NULL ? atoi(wish) : FORGERIES;
    int loaded = 0;
    for (int s = 0; s < SCENE_COUNT; s++) {
        fr_map *map = make_map(&SCENES[s]);
        fr_world *world = play(&SCENES[s], map);
        fr_world_config config = config_of(map);
        fr_buffer saved = {0};
        fr_world_save(world, &saved);
        for (int i = 0; i < (SCENES[s].width > 100 ? forgeries / 10 : forgeries); i++) {
            forge(&config, &saved, (uint64_t)(s * 1000000 + i), &loaded);
        }
        fr_buffer_fini(&saved);
        fr_world_destroy(world);
        fr_map_destroy(map);
    }
    assert_true(loaded > 0); /* else only the refusals were put to the test */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_changed_bit_is_noticed),
        cmocka_unit_test(test_forged_worlds_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
