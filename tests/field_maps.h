/* field_maps: random maps on which fields are tried: never square, with walls, weights, caves and mazes. */
#ifndef FR_TESTS_FIELD_MAPS_H
#define FR_TESTS_FIELD_MAPS_H

#include "base/rng.h"
#include "support.h"

typedef enum field_map_kind {
    MAP_NOISE = 0, /* a quarter walls, cost 1 */
    MAP_WEIGHTED,  /* a quarter walls, costs 1..8 */
    MAP_EXTREME,   /* few walls, costs 1..254 */
    MAP_CAVE,      /* dug by a random walk */
    MAP_MAZE,      /* corridors one cell wide */
    MAP_KIND_COUNT
} field_map_kind;

static inline void dig_cave(fr_map *map, fr_rng *rng)
{
    uint8_t *costs = map->costs[FR_CLASS_FOOT];
    memset(costs, FR_COST_WALL, (size_t)fr_grid_count(map->grid));
    fr_cell at = {map->grid.width / 2, map->grid.height / 2};
    for (int32_t i = 0; i < 3 * fr_grid_count(map->grid); i++) {
        costs[fr_grid_index(map->grid, at)] = 1;
        const fr_step *step = &FR_STEPS[2 * fr_rng_below(rng, 4)];
        at = fr_grid_clamp_cell(map->grid, (fr_cell){at.x + step->dx, at.y + step->dy});
    }
}

/* Rooms at odd cells; each but the first is opened to the one above or to the left of it. */
static inline void dig_maze(fr_map *map, fr_rng *rng)
{
    uint8_t *costs = map->costs[FR_CLASS_FOOT];
    memset(costs, FR_COST_WALL, (size_t)fr_grid_count(map->grid));
    for (int32_t y = 1; y < map->grid.height; y += 2) {
        for (int32_t x = 1; x < map->grid.width; x += 2) {
            costs[fr_grid_index(map->grid, (fr_cell){x, y})] = 1;
            bool up = y > 1 && (x == 1 || fr_rng_below(rng, 2) == 0);
            if (up || x > 1) {
                costs[fr_grid_index(map->grid, (fr_cell){x - !up, y - up})] = 1;
            }
        }
    }
}

static inline fr_map *random_map_of_size(fr_rng *rng, field_map_kind kind, fr_grid grid)
{
    fr_map *map = open_map(grid.width, grid.height);
    if (kind == MAP_CAVE) {
        dig_cave(map, rng);
    } else if (kind == MAP_MAZE) {
        dig_maze(map, rng);
    } else {
        uint32_t dearest = kind == MAP_NOISE ? 1 : kind == MAP_WEIGHTED ? 8 : 254;
        uint32_t walls_percent = kind == MAP_EXTREME ? 5 : 25;
        for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
            bool wall = fr_rng_below(rng, 100) < walls_percent;
            map->costs[FR_CLASS_FOOT][i] = wall ? FR_COST_WALL : (uint8_t)(1 + fr_rng_below(rng, dearest));
        }
    }
    return map;
}

static inline fr_map *random_map(fr_rng *rng, field_map_kind kind)
{
    int32_t width = 2 + (int32_t)fr_rng_below(rng, 40), height = 2 + (int32_t)fr_rng_below(rng, 40);
    return random_map_of_size(rng, kind, (fr_grid){width, width == height ? height + 1 : height});
}

/* A cell of which the costs say that one can stand on it; at least one exists in what random_map makes (or
 * the search ends on a wall, which is a goal too). */
static inline fr_cell random_open_cell(fr_rng *rng, const fr_map *map)
{
    int32_t index = 0;
    for (int i = 0; i < 1000; i++) {
        index = (int32_t)fr_rng_below(rng, (uint32_t)fr_grid_count(map->grid));
        if (map->costs[FR_CLASS_FOOT][index] != FR_COST_WALL) {
            break;
        }
    }
    return fr_grid_cell(map->grid, index);
}

#endif
