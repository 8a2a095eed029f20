/* world_scene: units, orders and walls for tests of whole worlds, and what must hold after every tick. */
#ifndef FR_TESTS_WORLD_SCENE_H
#define FR_TESTS_WORLD_SCENE_H

#include "support.h"

#include "base/memory.h"
#include "sim/world.h"

static inline fr_world_config world_config(const fr_map *map)
{
    fr_world_config config = fr_world_config_default();
    config.map = map;
    config.unit_capacity = 2048;
    config.field_bytes = 16u << 20;
    return config;
}

static inline fr_world *make_world(const fr_map *map, fr_executor executor)
{
    fr_world_config config = world_config(map);
    config.executor = executor;
    fr_world *world = fr_world_create(&config);
    fr_world_add_group(world, &(fr_group_def){.name = "units"});
    return world;
}

/* The world as it is once it has been saved and loaded. */
static inline fr_world *saved_twin(const fr_world *world, const fr_map *map)
{
    fr_world_config config = world_config(map);
    fr_buffer saved = {0};
    fr_error error = {{0}};
    fr_world_save(world, &saved);
    fr_world *twin = fr_world_load(&config, saved.data, saved.size, &error);
    fr_buffer_fini(&saved);
    if (twin == NULL) {
        fail_msg("%s", error.message);
    }
    return twin;
}

static inline uint32_t spawn_sized(fr_world *world, double x, double y, float radius, float speed)
{
    fr_unit_def unit = {.position = fr_position_at(x, y), .radius = radius, .speed = speed};
    return fr_world_spawn(world, &unit);
}

static inline uint32_t spawn(fr_world *world, double x, double y)
{
    return spawn_sized(world, x, y, 0.4f, 4.0f);
}

/* Units 0.9 cells apart over a rectangle of cells, where the ground is open around. */
static inline int32_t spawn_block(fr_world *world, int32_t x, int32_t y, int32_t width, int32_t height,
                                  int32_t most)
{
    int32_t count = 0;
    for (int32_t row = 0; row < height; row++) {
        for (int32_t column = 0; column < width && count < most; column++) {
            if (spawn(world, x + column + 0.5, y + row + 0.5) != FR_NO_UNIT) {
                count++;
            }
        }
    }
    return count;
}

/* Units in columns of so many, from (x, y) on, as far apart both ways (cells). */
static inline void spawn_columns(fr_world *world, int32_t count, int32_t rows, double x, double y,
                                 double apart)
{
    for (int32_t i = 0; i < count; i++) {
        assert_int_not_equal(spawn(world, x + i / rows * apart, y + i % rows * apart), FR_NO_UNIT);
    }
}

static inline void order_range(fr_world *world, fr_command_kind kind, uint32_t first, int32_t count, double x,
                               double y)
{
    uint32_t *units = fr_alloc((size_t)count, sizeof *units);
    for (int32_t i = 0; i < count; i++) {
        units[i] = first + (uint32_t)i;
    }
    fr_position goal = fr_position_at(x, y);
    fr_command command = {.kind = kind, .units = units, .unit_count = count, .goals = &goal, .goal_count = 1};
    assert_int_equal(fr_world_submit(world, &command), FR_OK);
    fr_free(units);
}

static inline void order_all(fr_world *world, double x, double y)
{
    order_range(world, FR_COMMAND_MOVE, 0, fr_world_snapshot(world)->unit_count, x, y);
}

static inline void edit(fr_world *world, fr_rect rect, uint8_t cost)
{
    fr_command command = {
        .kind = cost == 0 ? FR_COMMAND_RESTORE_COST : FR_COMMAND_SET_COST, .rect = rect, .cost = cost};
    assert_int_equal(fr_world_submit(world, &command), FR_OK);
}

/* What must hold after every tick: nobody stands in a wall or touches one (the displaced excepted), nobody
 * jumps. */
static inline void check_tick(const fr_world *world)
{
    const fr_snapshot *now = fr_world_snapshot(world);
    for (int32_t i = 0; i < now->unit_count; i++) {
        if (now->state[i] == FR_UNIT_GONE || now->reason[i] == FR_REASON_DISPLACED) {
            continue;
        }
        fr_cell cell = fr_cell_at(now->position[i]);
        fr_class movement_class = (fr_class)now->movement_class[i];
        if (!fr_cost_walkable(now->cost, movement_class, cell)) {
            fail_msg("tick %u: unit %d stands in the wall at %d,%d", now->tick, i, cell.x, cell.y);
        }
        double x = fr_cells(now->position[i].x), y = fr_cells(now->position[i].y);
        int32_t reach = (int32_t)now->radius[i] + 1;
        for (int32_t cy = cell.y - reach; cy <= cell.y + reach; cy++) {
            for (int32_t cx = cell.x - reach; cx <= cell.x + reach; cx++) {
                if (fr_cost_walkable(now->cost, movement_class, (fr_cell){cx, cy})) {
                    continue;
                }
                double dx = x < cx ? cx - x : x > cx + 1 ? x - cx - 1 : 0.0;
                double dy = y < cy ? cy - y : y > cy + 1 ? y - cy - 1 : 0.0;
                double depth = (double)now->radius[i] - sqrt(dx * dx + dy * dy);
                if (depth > 1e-4) {
                    fail_msg("tick %u: unit %d is %g deep in the wall at %d,%d", now->tick, i, depth, cx, cy);
                }
            }
        }
    }
}

static inline void run(fr_world *world, int32_t ticks)
{
    for (int32_t t = 0; t < ticks; t++) {
        fr_world_tick(world);
        check_tick(world);
    }
}

static inline int32_t count_state(const fr_world *world, fr_unit_state state)
{
    const fr_snapshot *now = fr_world_snapshot(world);
    int32_t count = 0;
    for (int32_t i = 0; i < now->unit_count; i++) {
        count += now->state[i] == state;
    }
    return count;
}

/* Ticks until everybody has settled, or `limit`. */
static inline int32_t run_until_settled(fr_world *world, int32_t limit)
{
    int32_t t = 0;
    for (; t < limit; t++) {
        run(world, 1);
        if (count_state(world, FR_UNIT_MOVING) == 0) {
            break;
        }
    }
    return t;
}

/* Within this of the goal units of radius 0.4 have arrived, by air over open ground, but for the cell that
 * comes on top: 1.25 times the area of so many packed. */
static inline double arrival_radius(int32_t count)
{
    return sqrt(1.25 * count * 0.5543 / 3.14159);
}

static inline double distance_to(const fr_world *world, int32_t unit, double x, double y)
{
    const fr_snapshot *now = fr_world_snapshot(world);
    double dx = fr_cells(now->position[unit].x) - x, dy = fr_cells(now->position[unit].y) - y;
    return sqrt(dx * dx + dy * dy);
}

#endif
