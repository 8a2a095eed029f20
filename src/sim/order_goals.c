#include "sim/order_goals.h"

#include <string.h>

#include "base/hash.h"

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

fr_resolution fr_order_resolve(const fr_order_desk *desk, const fr_order *order, fr_cost_view fit,
                               uint32_t region)
{
    const fr_regions *regions = desk->regions[fit];
    fr_resolution result = {.key = FR_HASH_SEED};
    fr_cell cell;
    if (order->area.kind != FR_AREA_NONE) {
        if (region != FR_REGION_NONE &&
            nearest_in_area(regions, region, fr_cost_grid(desk->cost), &order->area, &cell)) {
            result.reachable = true;
            result.goal = fr_cell_centre(cell);
            result.key = fr_hash_u32(fr_hash_u32(result.key, (uint32_t)cell.x), (uint32_t)cell.y);
            result.ground_key = result.key;
            return result;
        }
    }
    const fr_position *goals = fr_order_goals(&desk->orders, order);
    for (int32_t g = 0; order->area.kind == FR_AREA_NONE && g < order->goal_count; g++) {
        if (region != FR_REGION_NONE && fr_regions_at(regions, fr_cell_at(goals[g])) == region) {
            result.goal = result.reachable ? result.goal : goals[g];
            result.reachable = true;
            take_goal(&result, g);
        }
    }
    if (!result.reachable) {
        resolve_substitute(desk, order, regions, region, &result);
    }
    result.ground_key = result.key;
    return result;
}

fr_resolution fr_order_resolve_one(const fr_order_desk *desk, const fr_leg *leg, int32_t goal)
{
    const fr_order *order = &desk->orders.orders[leg->order];
    fr_resolution result = {.key = FR_HASH_SEED,
                            .ground_key = leg->ground_key,
                            .goal = fr_order_goals(&desk->orders, order)[goal],
                            .reachable = true};
    take_goal(&result, goal);
    return result;
}

/* Sorts a goal in by its cell; of two in one cell the cheaper one counts. Equal sets of goals make equal
 * requests. */
static int32_t add_goal(fr_grid grid, fr_goal *goals, int32_t count, fr_goal goal)
{
    int32_t index = fr_grid_index(grid, goal.cell), at = count;
    while (at > 0 && fr_grid_index(grid, goals[at - 1].cell) > index) {
        at--;
    }
    if (at > 0 && fr_grid_index(grid, goals[at - 1].cell) == index) {
        goals[at - 1].price = goal.price < goals[at - 1].price ? goal.price : goals[at - 1].price;
        return count;
    }
    memmove(goals + at + 1, goals + at, (size_t)(count - at) * sizeof *goals);
    goals[at] = goal;
    return count + 1;
}

fr_field_id fr_leg_ask_for_field(fr_order_desk *desk, const fr_leg *leg, fr_cost_view view)
{
    const fr_order *order = &desk->orders.orders[leg->order];
    fr_goal goals[FR_GOALS_MAX];
    fr_field_request wanted = {
        .goals = goals,
        .view = view,
    };
    if (fr_leg_has_area(&desk->orders, leg)) {
        wanted.area = order->area;
    } else if (fr_leg_has_one_point(leg)) {
        goals[wanted.goal_count++] = (fr_goal){fr_cell_at(leg->goal), 0};
    } else {
        const fr_position *asked = fr_order_goals(&desk->orders, order);
        const uint32_t *prices = fr_order_prices(&desk->orders, order);
        for (int32_t g = 0; g < order->goal_count; g++) {
            if (fr_leg_has_goal(leg, g)) {
                wanted.goal_count = add_goal(fr_cost_grid(desk->cost), goals, wanted.goal_count,
                                             (fr_goal){fr_cell_at(asked[g]), prices[g]});
            }
        }
    }
    return fr_field_service_request(desk->fields, &wanted);
}

void fr_leg_request_field(fr_order_desk *desk, fr_leg *leg)
{
    leg->field_id = fr_leg_ask_for_field(desk, leg, leg->own_view);
    leg->wants_field = true;
}
