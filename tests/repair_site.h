/* repair_site: a map under edits, for the tests of repair. */
#ifndef FR_TESTS_REPAIR_SITE_H
#define FR_TESTS_REPAIR_SITE_H

#include "field/repair.h"
#include "field_maps.h"

enum { CLASSES = 2 };
static const fr_class classes[CLASSES] = {FR_CLASS_FOOT, FR_CLASS_WHEELS};

/* A map under edits, with a field per class that is only ever repaired. */
typedef struct site {
    fr_map *map;
    fr_cost *cost;
    fr_scratch *scratch;
    fr_field_pool *pool;
    fr_repair *repair;
    const fr_cost_snapshot *snapshot; /* of the fields */
    fr_field *fields[CLASSES];
    fr_goal goals[4];
    int goal_count;
} site;

static inline fr_field *build(site *s, fr_class movement_class)
{
    fr_field *field = fr_field_build(s->pool, s->scratch, s->cost, movement_class, s->goals, s->goal_count);
    assert_non_null(field);
    return field;
}

static inline void build_all(site *s)
{
    if (s->snapshot != NULL) {
        fr_cost_release(s->cost, s->snapshot);
    }
    s->snapshot = fr_cost_acquire(s->cost);
    for (int c = 0; c < CLASSES; c++) {
        fr_field_destroy(s->pool, s->fields[c]);
        s->fields[c] = build(s, classes[c]);
    }
}

/* Takes over the map. Wheels pay more than feet, and find walls where feet find dear ground. */
static inline site open_site(fr_map *map, const fr_goal *goals, int goal_count)
{
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        uint8_t cost = map->costs[FR_CLASS_FOOT][i];
        bool wall = cost > 100 || i % 97 == 0;
        map->costs[FR_CLASS_WHEELS][i] = (uint8_t)(wall ? FR_COST_WALL : cost + i % 2);
    }
    site s = {.map = map, .cost = fr_cost_create(map), .goal_count = goal_count};
    memcpy(s.goals, goals, (size_t)goal_count * sizeof *goals);
    s.scratch = fr_scratch_create(map->grid);
    s.pool = fr_field_pool_create(map->grid, 16u << 20);
    s.repair = fr_repair_create(map->grid, fr_grid_block_count(map->grid) * FR_BLOCK_CELLS);
    build_all(&s);
    return s;
}

static inline void close_site(site *s)
{
    fr_repair_destroy(s->repair);
    fr_field_pool_destroy(s->pool);
    fr_scratch_destroy(s->scratch);
    fr_cost_release(s->cost, s->snapshot);
    fr_cost_destroy(s->cost);
    fr_map_destroy(s->map);
}

static inline void expect_same_block(const char *what, const fr_field *found, const fr_field *expected,
                                     int32_t number)
{
    const fr_field_block *a = &found->blocks[found->table[number]];
    const fr_field_block *b = &expected->blocks[expected->table[number]];
    fr_rect rect = fr_grid_block_rect(expected->grid, number);
    for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
        int32_t x = rect.x + i % FR_BLOCK_SIDE, y = rect.y + i / FR_BLOCK_SIDE;
        if (a->integration[i] != b->integration[i] || a->best[i] != b->best[i]) {
            fail_msg("%s: at %d,%d found %u by steps %02x, expected %u by steps %02x", what, x, y,
                     a->integration[i], a->best[i], b->integration[i], b->best[i]);
        }
        if (a->target[i] != b->target[i]) {
            fr_cell to = fr_target_cell(a->target[i]), expected_to = fr_target_cell(b->target[i]);
            fail_msg("%s: at %d,%d found target %d,%d, expected %d,%d", what, x, y, to.x, to.y, expected_to.x,
                     expected_to.y);
        }
    }
    if (a->maximum != b->maximum) {
        fail_msg("%s: another maximum in the block at %d,%d", what, rect.x, rect.y);
    }
    if ((found->table[number] == FR_BLOCK_ABSENT) != (expected->table[number] == FR_BLOCK_ABSENT)) {
        fail_msg("%s: the block at %d,%d is there in one field only", what, rect.x, rect.y);
    }
}

static inline void expect_same_fields(const char *what, const fr_field *found, const fr_field *expected)
{
    for (int32_t number = 0; number < fr_grid_block_count(expected->grid); number++) {
        expect_same_block(what, found, expected, number);
    }
    if (found->maximum != expected->maximum || found->saturated != expected->saturated) {
        fail_msg("%s: found maximum %u%s, expected %u%s", what, found->maximum,
                 found->saturated ? ", saturated" : "", expected->maximum,
                 expected->saturated ? ", saturated" : "");
    }
}

typedef struct edit {
    fr_rect rect;
    uint8_t cost; /* 0 razes */
} edit;

/* Walls, dear ground, paint, and razing what stands; mostly small, now and then a large rectangle. */
static inline void edit_at_random(site *s, fr_rng *rng)
{
    uint32_t largest = fr_rng_below(rng, 8) == 0 ? 40 : 5;
    fr_rect rect = {(int32_t)fr_rng_below(rng, (uint32_t)s->map->grid.width) - 1,
                    (int32_t)fr_rng_below(rng, (uint32_t)s->map->grid.height) - 1,
                    1 + (int32_t)fr_rng_below(rng, largest), 1 + (int32_t)fr_rng_below(rng, largest)};
    uint8_t cost = (uint8_t)(1 + fr_rng_below(rng, fr_rng_below(rng, 4) == 0 ? 254 : 6));
    switch (fr_rng_below(rng, 6)) {
    case 0:
    case 1:
        fr_cost_set_edit(s->cost, rect, FR_COST_WALL);
        break;
    case 2:
        fr_cost_set_edit(s->cost, rect, cost);
        break;
    case 3:
        fr_cost_set_terrain(s->cost, rect, FR_TERRAIN_GRASS, cost);
        break;
    case 4:
        fr_cost_set_edit(s->cost, rect, 0);
        break;
    default:
        rect.width *= 4, rect.height *= 4;
        fr_cost_set_edit(s->cost, rect, 0);
    }
}

/* One to four goals, some with a price, one beside the other now and then, in order of their cells. */
static inline void draw_goals(site *s, fr_rng *rng)
{
    s->goal_count = 0;
    int32_t count = 1 + (int32_t)fr_rng_below(rng, 4), index = 0;
    for (int32_t g = 0; g < count; g++) {
        int32_t left = fr_grid_count(s->map->grid) - index - count;
        index += 1 + (int32_t)fr_rng_below(rng, fr_rng_below(rng, 4) == 0 ? 3 : (uint32_t)left);
        uint32_t price = fr_rng_below(rng, 2) == 0 ? 0 : fr_rng_below(rng, 40) * FR_STEP_STRAIGHT;
        s->goals[s->goal_count++] = (fr_goal){fr_grid_cell(s->map->grid, index), price};
    }
}

#endif
