/* map_populate: units for a map that comes without a scenario: at its spawns, else in its largest region. */
#include "sim/scenario.h"

#include <stdio.h>

#include "base/assert.h"
#include "base/memory.h"
#include "sim/placement.h"

/* One spawn with its count worked out. */
typedef struct party {
    fr_spawn spawn;
    int32_t count;
    bool is_stated; /* the map states the count: fewer are an error */
    char name[32];
} party;

int32_t fr_map_unit_count(const fr_map *map, int32_t units)
{
    if (map->spawn_count == 0) {
        return units;
    }
    int64_t total = 0;
    bool shares = false;
    for (int32_t i = 0; i < map->spawn_count; i++) {
        total += map->spawns[i].count >= 0 ? map->spawns[i].count : 0;
        shares |= map->spawns[i].count < 0;
    }
    total += shares ? units : 0;
    return total > INT32_MAX ? INT32_MAX : (int32_t)total;
}

/* What a spawn gets: its own count, or its share of `units` (the first ones get what is left over). */
static int32_t spawn_share(const fr_map *map, int32_t spawn, int32_t units)
{
    if (map->spawns[spawn].count >= 0) {
        return map->spawns[spawn].count;
    }
    int32_t sharers = 0, rank = 0;
    for (int32_t i = 0; i < map->spawn_count; i++) {
        if (map->spawns[i].count < 0) {
            rank += i < spawn ? 1 : 0;
            sharers++;
        }
    }
    return units / sharers + (rank < units % sharers ? 1 : 0);
}

static fr_status spawn_unit(fr_world *world, const fr_map *map, const party *side, int32_t group,
                            fr_position place, fr_error *error)
{
    fr_unit_def unit = {
        .position = place,
        .radius = side->spawn.radius,
        .speed = side->spawn.speed,
        .team = (uint8_t)side->spawn.team,
        .movement_class = side->spawn.movement_class,
        .group = (uint16_t)group,
    };
    if (fr_world_spawn(world, &unit) == FR_NO_UNIT) {
        return fr_fail(error, FR_LIMIT, "%s: %s: no unit could be added at (%.2f, %.2f)", map->path,
                       side->name, fr_cells(place.x), fr_cells(place.y));
    }
    return FR_OK;
}

/* Random places while there are any (rectangles), then packed outward from the middle. */
static fr_status place_party(fr_placement *placement, fr_rng *rng, const party *side, const fr_map *map,
                             fr_world *world, fr_error *error)
{
    const fr_spawn *spawn = &side->spawn;
    int32_t group = fr_world_add_group(world, &(fr_group_def){.name = side->name});
    const double area[4] = {(double)spawn->x, (double)spawn->y, (double)spawn->width, (double)spawn->height};
    bool is_rectangle = spawn->width > 0.0f && spawn->height > 0.0f;
    fr_position middle = fr_position_at(area[0] + area[2] / 2.0, area[1] + area[3] / 2.0);
    fr_packing *packing = NULL;
    fr_status status = FR_OK;
    int32_t placed = 0;
    while (status == FR_OK && placed < side->count) {
        fr_position place;
        bool has_place =
            is_rectangle && packing == NULL &&
            fr_placement_random(placement, rng, area, spawn->movement_class, (double)spawn->radius, &place);
        if (!has_place) {
            if (packing == NULL) {
                packing = fr_packing_create(placement, spawn->movement_class, middle, (double)spawn->radius);
            }
            has_place = packing != NULL && fr_packing_next(packing, &place);
        }
        if (!has_place) {
            break;
        }
        status = spawn_unit(world, map, side, group, place, error);
        placed += status == FR_OK ? 1 : 0;
    }
    fr_packing_destroy(packing);
    if (status == FR_OK && placed < side->count && (side->is_stated || placed == 0)) {
        status = fr_fail(error, FR_BAD_INPUT, "%s: %s: room for %d of %d units of radius %.3g", map->path,
                         side->name, placed, side->count, (double)spawn->radius);
    }
    return status;
}

/* Index of the cell of the largest foot region that is nearest to the map's centre; false without open
 * ground. */
static bool find_start(fr_placement *placement, const fr_map *map, fr_position *start)
{
    const fr_walls *walls = fr_placement_walls(placement, FR_CLASS_FOOT);
    int32_t count = fr_grid_count(map->grid);
    int32_t *cells = fr_alloc((size_t)walls->region_count + 1, sizeof *cells);
    uint32_t largest = FR_WALL_REGION;
    for (int32_t i = 0; i < count; i++) {
        cells[walls->region[i]]++;
    }
    for (uint32_t region = 1; region <= walls->region_count; region++) {
        if (largest == FR_WALL_REGION || cells[region] > cells[largest]) {
            largest = region;
        }
    }
    fr_free(cells);
    fr_position centre = fr_position_at(map->grid.width / 2.0, map->grid.height / 2.0);
    fr_cell nearest;
    if (largest == FR_WALL_REGION || !fr_walls_nearest(walls, centre, largest, 0, &nearest)) {
        return false;
    }
    *start = fr_cell_centre(nearest);
    return true;
}

static double largest_radius(const fr_map *map)
{
    double radius = (double)FR_RADIUS_DEFAULT;
    for (int32_t i = 0; i < map->spawn_count; i++) {
        radius = (double)map->spawns[i].radius > radius ? (double)map->spawns[i].radius : radius;
    }
    return radius;
}

/* `start` moved by the shift; a shift beyond the map ends at its edge. */
static void shift_spawn(fr_spawn *spawn, fr_vec2 shift, fr_grid grid)
{
    spawn->x = fminf(fmaxf(spawn->x + shift.x, 0.0f), (float)grid.width - spawn->width);
    spawn->y = fminf(fmaxf(spawn->y + shift.y, 0.0f), (float)grid.height - spawn->height);
}

fr_status fr_map_populate(const fr_map *map, int32_t units, uint64_t seed, fr_vec2 shift, fr_world *world,
                          fr_error *error)
{
    int32_t total = fr_map_unit_count(map, units);
    if (total > FR_UNITS_MAX) {
        return fr_fail(error, FR_BAD_INPUT, "%s: spawns ask for %d units, expected at most %d", map->path,
                       total, FR_UNITS_MAX);
    }
    fr_placement *placement = fr_placement_create(map, largest_radius(map));
    fr_rng rng = {seed};
    fr_status status = FR_OK;
    for (int32_t i = 0; i < map->spawn_count && status == FR_OK; i++) {
        party side = {.spawn = map->spawns[i], .count = spawn_share(map, i, units)};
        side.is_stated = side.spawn.count >= 0;
        snprintf(side.name, sizeof side.name, "spawn %d", i + 1);
        shift_spawn(&side.spawn, shift, map->grid);
        status = place_party(placement, &rng, &side, map, world, error);
    }
    if (map->spawn_count == 0) {
        party side = {.spawn = {.radius = FR_RADIUS_DEFAULT, .speed = FR_SPEED_DEFAULT}, .count = units};
        snprintf(side.name, sizeof side.name, "units");
        fr_position start;
        if (!find_start(placement, map, &start)) {
            status = fr_fail(error, FR_BAD_INPUT, "%s: no open ground for units", map->path);
        } else {
            side.spawn.x = (float)fr_cells(start.x);
            side.spawn.y = (float)fr_cells(start.y);
            shift_spawn(&side.spawn, shift, map->grid);
            status = place_party(placement, &rng, &side, map, world, error);
        }
    }
    fr_placement_destroy(placement);
    return status;
}
