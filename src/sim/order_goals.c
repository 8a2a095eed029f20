#include "sim/order_goals.h"

#include "base/hash.h"
#include "sim/order_ground.h"

static int64_t squared_distance(fr_position a, fr_position b)
{
    int64_t dx = (int64_t)a.x - b.x, dy = (int64_t)a.y - b.y;
    return dx * dx + dy * dy;
}

/* The cell of the region within the area that lies nearest to its middle, ties by y, then x. */
static bool nearest_in_area(const fr_regions *regions, uint32_t region, fr_grid grid, const fr_area *area,
                            fr_cell *nearest)
{
    fr_position middle = fr_area_centre(area);
    if (!fr_regions_nearest(regions, region, middle, nearest)) {
        return false;
    }
    if (fr_area_contains(area, *nearest)) {
        return true;
    }
    if (area->kind == FR_AREA_DISC) {
        return false; /* what lies farther from the middle lies outside too */
    }
    int64_t best = INT64_MAX;
    fr_rect bounds = fr_area_bounds(area, grid);
    for (int32_t y = bounds.y; y < bounds.y + bounds.height; y++) {
        for (int32_t x = bounds.x; x < bounds.x + bounds.width; x++) {
            fr_cell cell = {x, y};
            int64_t squared = squared_distance(middle, fr_cell_centre(cell));
            if (squared < best && fr_area_contains(area, cell) && fr_regions_at(regions, cell) == region) {
                best = squared;
                *nearest = cell;
            }
        }
    }
    return best < INT64_MAX;
}

/* The nearest cell to any of the goals. */
static void resolve_substitute(const fr_order_desk *desk, const fr_order *order, const fr_regions *regions,
                               uint32_t region, fr_resolution *result)
{
    const fr_position *goals = fr_order_goals(&desk->orders, order);
    int64_t best = INT64_MAX;
    result->goal = goals[0];
    for (int32_t g = 0; g < order->goal_count; g++) {
        fr_cell cell;
        if (fr_regions_nearest(regions, region, goals[g], &cell) &&
            squared_distance(goals[g], fr_cell_centre(cell)) < best) {
            best = squared_distance(goals[g], fr_cell_centre(cell));
            result->goal = fr_cell_centre(cell);
        }
    }
    result->key = fr_hash_u32(fr_hash_u32(~result->key, (uint32_t)result->goal.x), (uint32_t)result->goal.y);
}

static void take_goal(fr_resolution *result, int32_t goal)
{
    result->mask[goal / 8] = (uint8_t)(result->mask[goal / 8] | 1u << (goal % 8));
    result->key = fr_hash_u32(result->key, (uint32_t)goal);
    result->goal_count++;
}

/* Takes the goals that lie in the region: those that the fields of its cells lead to, or, where `by_main`,
 * all of them. */
static void take_goals(const fr_order_desk *desk, const fr_order *order, fr_cost_view fit, fr_ground region,
                       bool by_main, fr_resolution *result)
{
    const fr_position *goals = fr_order_goals(&desk->orders, order);
    for (int32_t g = 0; g < order->goal_count && region.tiles != FR_REGION_NONE; g++) {
        fr_ground goal = fr_ground_at(desk, fit, fr_cell_at(goals[g]));
        if (goal.tiles == region.tiles && (by_main || goal.cells == region.cells)) {
            result->goal = result->reachable ? result->goal : goals[g];
            result->reachable = true;
            take_goal(result, g);
        }
    }
}

/* The ways between tiles and field cells by which the goal is come to. */
static void choose_ways(fr_order_desk *desk, fr_cost_view fit, fr_ground region, fr_resolution *result)
{
    bool by_main =
        desk->way_out != NULL && (region.cells == FR_REGION_NONE ||
                                  fr_ground_at(desk, fit, fr_cell_at(result->goal)).cells != region.cells);
    result->ways = fit;
    if (by_main) {
        result->ways = fr_ground_main_ways(desk, fit);
        result->key = fr_hash_u32(result->key, (uint32_t)result->ways);
    }
    result->ground_key = result->key;
}

fr_resolution fr_order_resolve(fr_order_desk *desk, const fr_order *order, fr_cost_view fit, fr_ground region)
{
    const fr_regions *regions = desk->regions[fit];
    fr_resolution result = {.key = FR_HASH_SEED};
    fr_cell cell;
    if (order->area.kind == FR_AREA_NONE) {
        take_goals(desk, order, fit, region, false, &result);
        if (!result.reachable && desk->way_out != NULL) {
            take_goals(desk, order, fit, region, true, &result);
        }
    } else if (region.tiles != FR_REGION_NONE &&
               nearest_in_area(regions, region.tiles, fr_cost_grid(desk->cost), &order->area, &cell)) {
        result.reachable = true;
        result.goal = fr_cell_centre(cell);
        result.key = fr_hash_u32(fr_hash_u32(result.key, (uint32_t)cell.x), (uint32_t)cell.y);
    }
    if (!result.reachable) {
        resolve_substitute(desk, order, regions, region.tiles, &result);
    }
    choose_ways(desk, fit, region, &result);
    return result;
}

fr_resolution fr_order_resolve_one(const fr_order_desk *desk, const fr_leg *leg, int32_t goal)
{
    const fr_order *order = &desk->orders.orders[leg->order];
    fr_resolution result = {.key = FR_HASH_SEED,
                            .ground_key = leg->ground_key,
                            .ways = leg->ways,
                            .goal = fr_order_goals(&desk->orders, order)[goal],
                            .reachable = true};
    take_goal(&result, goal);
    if (leg->ways != leg->fit) {
        result.key = fr_hash_u32(result.key, (uint32_t)leg->ways);
    }
    return result;
}
