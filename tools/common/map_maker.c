#include "map_maker.h"

#include <string.h>

#include "base/memory.h"
#include "base/rng.h"
#include "map_maker_land.h"
#include "maze.h"

#define NOISE_WALL_PERCENT 20
#define CAVE_WALL_PERCENT  45
#define CAVE_ROUNDS        4
#define MAZE_PITCH         5  /* corridor and wall */
#define ROOM_PITCH         16 /* room and wall */

const char *fr_map_kind_name(fr_map_kind kind)
{
    static const char *const names[FR_MAP_KIND_COUNT] = {"open",  "noise",   "cave",  "maze",
                                                         "rooms", "islands", "passes"};
    return (unsigned)kind < FR_MAP_KIND_COUNT ? names[kind] : NULL;
}

static void scatter_walls(fr_grid grid, fr_rng *rng, uint32_t percent, uint8_t *costs)
{
    for (int32_t i = 0; i < fr_grid_count(grid); i++) {
        costs[i] = fr_rng_below(rng, 100) < percent ? FR_COST_WALL : 1;
    }
}

/* Walls among the three cells around each cell of a row; outside the map is wall. sums [width]. */
static void sum_row(fr_grid grid, const uint8_t *costs, int32_t y, uint8_t *sums)
{
    if (y < 0 || y >= grid.height) {
        memset(sums, 3, (size_t)grid.width);
        return;
    }
    const uint8_t *row = costs + (ptrdiff_t)y * grid.width;
    for (int32_t x = 0; x < grid.width; x++) {
        bool west = x == 0 || row[x - 1] == FR_COST_WALL;
        bool east = x + 1 == grid.width || row[x + 1] == FR_COST_WALL;
        sums[x] = (uint8_t)(west + (row[x] == FR_COST_WALL) + east);
    }
}

/* A cell becomes what most of the 3x3 cells around it are. sums [3 * width]. */
static void smooth(fr_grid grid, const uint8_t *before, uint8_t *sums, uint8_t *after)
{
    uint8_t *above = sums, *here = sums + grid.width, *below = sums + 2 * (ptrdiff_t)grid.width;
    sum_row(grid, before, -1, above);
    sum_row(grid, before, 0, here);
    for (int32_t y = 0; y < grid.height; y++) {
        sum_row(grid, before, y + 1, below);
        uint8_t *row = after + (ptrdiff_t)y * grid.width;
        for (int32_t x = 0; x < grid.width; x++) {
            row[x] = above[x] + here[x] + below[x] >= 5 ? FR_COST_WALL : 1;
        }
        uint8_t *done = above;
        above = here;
        here = below;
        below = done;
    }
}

static void make_cave(fr_grid grid, fr_rng *rng, uint8_t *costs)
{
    size_t count = (size_t)fr_grid_count(grid);
    uint8_t *before = fr_alloc_raw(count, 1);
    uint8_t *sums = fr_alloc_raw(3 * (size_t)grid.width, 1);
    scatter_walls(grid, rng, CAVE_WALL_PERCENT, costs);
    for (int round = 0; round < CAVE_ROUNDS; round++) {
        memcpy(before, costs, count);
        smooth(grid, before, sums, costs);
    }
    fr_free(sums);
    fr_free(before);
}

static void fill_rect(fr_grid grid, fr_rect rect, uint8_t cost, uint8_t *costs)
{
    rect = fr_grid_clip(grid, rect);
    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        memset(costs + fr_grid_index(grid, (fr_cell){rect.x, y}), cost, (size_t)rect.width);
    }
}

typedef struct corridors {
    fr_grid grid;
    uint8_t *costs;
} corridors;

/* Opens a corridor cell and the wall between it and the one it was reached from. The first one's goes east,
 * into whatever is there: the only loop that such a maze may have. */
static void dig_corridor(void *context, fr_cell place, int came_from)
{
    const corridors *c = context;
    const fr_step *step = &FR_STEPS[came_from == FR_DIR_NONE ? FR_DIR_E : came_from];
    fr_rect rect = {1 + place.x * MAZE_PITCH, 1 + place.y * MAZE_PITCH, MAZE_PITCH - 1, MAZE_PITCH - 1};
    fill_rect(c->grid, rect, 1, c->costs);
    fill_rect(c->grid, (fr_rect){rect.x + step->dx, rect.y + step->dy, rect.width, rect.height}, 1, c->costs);
}

static void make_maze(fr_grid grid, fr_rng *rng, uint8_t *costs)
{
    memset(costs, FR_COST_WALL, (size_t)fr_grid_count(grid));
    fr_grid plan = {(grid.width - 1) / MAZE_PITCH, (grid.height - 1) / MAZE_PITCH};
    if (plan.width >= 1 && plan.height >= 1) {
        fr_make_maze(plan, rng, dig_corridor, &(corridors){grid, costs});
    }
}

/* A wall at every 16th row and column, a door at a random place in each piece of it. */
static void make_rooms(fr_grid grid, fr_rng *rng, uint8_t *costs)
{
    for (int32_t i = 0; i < fr_grid_count(grid); i++) {
        fr_cell cell = fr_grid_cell(grid, i);
        costs[i] = cell.x % ROOM_PITCH == 0 || cell.y % ROOM_PITCH == 0 ? FR_COST_WALL : 1;
    }
    for (int32_t y = 0; y < grid.height; y += ROOM_PITCH) {
        for (int32_t x = 0; x < grid.width; x += ROOM_PITCH) {
            int32_t east = x + 1 + (int32_t)fr_rng_below(rng, ROOM_PITCH - 3);
            int32_t south = y + 1 + (int32_t)fr_rng_below(rng, ROOM_PITCH - 3);
            fill_rect(grid, (fr_rect){east, y, 2, 1}, 1, costs);
            fill_rect(grid, (fr_rect){x, south, 1, 2}, 1, costs);
        }
    }
}

fr_map *fr_make_map(fr_map_kind kind, fr_grid grid, uint64_t seed, uint8_t dearest)
{
    fr_map *map = fr_map_create(fr_map_kind_name(kind), grid);
    uint8_t *costs = map->costs[FR_CLASS_FOOT];
    fr_rng rng = {seed};
    switch (kind) {
    case FR_MAP_NOISE:
        scatter_walls(grid, &rng, NOISE_WALL_PERCENT, costs);
        break;
    case FR_MAP_CAVE:
        make_cave(grid, &rng, costs);
        break;
    case FR_MAP_MAZE:
        make_maze(grid, &rng, costs);
        break;
    case FR_MAP_ROOMS:
        make_rooms(grid, &rng, costs);
        break;
    case FR_MAP_ISLANDS:
        fr_make_islands(map, &rng);
        break;
    case FR_MAP_PASSES:
        fr_make_passes(map, &rng);
        break;
    case FR_MAP_OPEN:
    case FR_MAP_KIND_COUNT:
        break;
    }
    fr_terrain wall = kind == FR_MAP_MAZE || kind == FR_MAP_ROOMS ? FR_TERRAIN_WALL : FR_TERRAIN_ROCK;
    for (int32_t i = 0; i < fr_grid_count(grid); i++) {
        bool is_bare_wall = costs[i] == FR_COST_WALL && map->terrain[i] == FR_TERRAIN_GRASS;
        map->terrain[i] = is_bare_wall ? (uint8_t)wall : map->terrain[i];
    }
    for (int32_t i = 0; i < fr_grid_count(grid) && dearest > 1; i++) {
        costs[i] = costs[i] == FR_COST_WALL ? FR_COST_WALL : (uint8_t)(1 + fr_rng_below(&rng, dearest));
    }
    map->has_terrain = true;
    fr_map_share_costs(map);
    return map;
}

fr_map_kind fr_map_kind_from_name(const char *name)
{
    int kind = 0;
    while (kind < FR_MAP_KIND_COUNT && strcmp(name, fr_map_kind_name((fr_map_kind)kind)) != 0) {
        kind++;
    }
    return (fr_map_kind)kind;
}
