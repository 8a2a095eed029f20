/* field_scene: a map with one field on it, for the tests of field/. */
#ifndef FR_TESTS_FIELD_SCENE_H
#define FR_TESTS_FIELD_SCENE_H

#include "field/field.h"
#include "field_maps.h"

typedef struct scene {
    fr_map *map;
    fr_cost *cost;
    fr_scratch *scratch;
    fr_field_pool *pool;
    fr_field *field;
} scene;

static inline scene open_scene(fr_map *map, const fr_goal *goals, int goal_count)
{
    scene s = {.map = map, .cost = fr_cost_create(map)};
    s.scratch = fr_scratch_create(map->grid);
    s.pool = fr_field_pool_create(map->grid, 16u << 20);
    s.field = fr_field_build(s.pool, s.scratch, s.cost, FR_CLASS_FOOT, goals, goal_count);
    assert_non_null(s.field);
    return s;
}

static inline scene open_picture(const char *const *rows)
{
    fr_goal goal = {picture_cell(rows, 'g'), 0};
    return open_scene(map_from_picture(rows), &goal, 1);
}

static inline void close_scene(scene *s)
{
    fr_field_pool_destroy(s->pool);
    fr_scratch_destroy(s->scratch);
    fr_cost_destroy(s->cost);
    fr_map_destroy(s->map);
}

static inline bool is_open(const scene *s, fr_cell cell)
{
    return fr_cost_walkable(s->cost, FR_CLASS_FOOT, cell);
}

static inline fr_position random_position(fr_rng *rng, fr_grid grid)
{
    return (fr_position){(int32_t)fr_rng_below(rng, (uint32_t)grid.width * FR_POSITION_ONE),
                         (int32_t)fr_rng_below(rng, (uint32_t)grid.height * FR_POSITION_ONE)};
}

#endif
