#include "sim/order_goals.h"

#include <string.h>

#include "base/hash.h"
#include "grid/nav.h"
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

/* An area in field cells; if at least one that leads to the leg's goal has its middle there, and not too
 * many.
 */
static bool ask_for_area(const fr_order_desk *desk, const fr_leg *leg, fr_field_request *wanted)
{
    const fr_cost *nav = fr_cost_nav(desk->cost);
    const fr_regions *regions = desk->nav_regions[leg->fit];
    uint32_t region = fr_ground_at(desk, leg->fit, fr_cell_at(leg->goal)).cells;
    fr_area area = fr_nav_area(fr_cost_shift(nav), &desk->orders.orders[leg->order].area);
    if (fr_cost_shift(nav) == 0) {
        wanted->area = area;
        return true;
    }
    fr_rect bounds = fr_area_bounds(&area, fr_cost_grid(nav));
    bool is_met = false;
    for (int32_t i = 0; i < bounds.width * bounds.height && !is_met && leg->ways == leg->fit; i++) {
        fr_cell cell = {bounds.x + i % bounds.width, bounds.y + i / bounds.width};
        is_met = fr_area_contains(&area, cell) && fr_regions_at(regions, cell) == region;
    }
    if (!is_met || fr_area_count(&area, fr_cost_grid(nav)) > FR_FIELD_GOALS_MAX) {
        return false;
    }
    wanted->area = area;
    return true;
}

fr_field_id fr_leg_ask_for_field(fr_order_desk *desk, const fr_leg *leg, fr_cost_view view)
{
    const fr_order *order = &desk->orders.orders[leg->order];
    fr_goal goals[FR_GOALS_MAX];
    fr_field_request wanted = {
        .goals = goals,
        .view = view,
    };
    if (fr_leg_has_area(&desk->orders, leg) && ask_for_area(desk, leg, &wanted)) {
        return fr_field_service_request(desk->fields, &wanted);
    }
    if (fr_leg_has_area(&desk->orders, leg) || fr_leg_has_one_point(leg)) {
        goals[wanted.goal_count++] = (fr_goal){fr_ground_field_cell(desk, leg->ways, leg->goal), 0};
        return fr_field_service_request(desk->fields, &wanted);
    }
    const fr_position *asked = fr_order_goals(&desk->orders, order);
    const uint32_t *prices = fr_order_prices(&desk->orders, order);
    const fr_cost *nav = fr_cost_nav(desk->cost);
    for (int32_t g = 0; g < order->goal_count; g++) {
        if (fr_leg_has_goal(leg, g)) {
            fr_goal goal = {fr_ground_field_cell(desk, leg->ways, asked[g]),
                            (uint32_t)fr_nav_scale_down(fr_cost_shift(nav), (int32_t)prices[g])};
            wanted.goal_count = add_goal(fr_cost_grid(nav), goals, wanted.goal_count, goal);
        }
    }
    return fr_field_service_request(desk->fields, &wanted);
}

void fr_leg_request_field(fr_order_desk *desk, fr_leg *leg)
{
    leg->field_id = fr_leg_ask_for_field(desk, leg, leg->own_view);
    leg->wants_field = true;
}
