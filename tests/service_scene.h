/* service_scene: a map with a field service on it, for the tests of the service. */
#ifndef FR_TESTS_SERVICE_SCENE_H
#define FR_TESTS_SERVICE_SCENE_H

#include "support.h"

#include "field/field_service.h"

typedef struct bench {
    fr_map *map;
    fr_cost *cost;
    fr_field_service *service;
    fr_field_id id; /* for tests that look at one field */
    uint32_t tick;
} bench;

/* Takes the map. */
static inline bench make_bench(fr_map *map, fr_executor executor, size_t budget_bytes)
{
    bench b = {.map = map, .cost = fr_cost_create(map)};
    b.service = fr_field_service_create(b.cost, executor, budget_bytes, NULL, NULL);
    return b;
}

static inline void close_bench(bench *b)
{
    fr_field_service_destroy(b->service);
    fr_cost_destroy(b->cost);
    fr_map_destroy(b->map);
}

static inline fr_field_id request(bench *b, int32_t x, int32_t y)
{
    fr_goal goal = {{x, y}, 0};
    fr_field_request asked = {.goals = &goal, .goal_count = 1, .view = FR_CLASS_FOOT};
    return fr_field_service_request(b->service, &asked);
}

static inline bool tick(bench *b)
{
    return fr_field_service_tick(b->service, b->tick++);
}

static inline void edit(bench *b, fr_rect rect, uint8_t cost)
{
    fr_cost_set_edit(b->cost, rect, cost);
    fr_rect changed = fr_cost_take_changed(b->cost);
    if (changed.width > 0) {
        fr_field_service_cost_changed(b->service, changed);
    }
}

#endif
