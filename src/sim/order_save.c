/* order_save: orders, legs and free places as bytes, and back. Nothing in the bytes is trusted: what is not
 * as the orders keep it is refused here, or by world_check.c where units have a part in it. */
#include "sim/orders.h"

#include <stddef.h>

/* Beyond what all units of a world come to (squared cells; cells). */
#define MASS_MAX  1e6f
#define PITCH_MAX 10.0f

/* Capacities, and what is under way to share the units out. */
static void save_share(const fr_orders *orders, const fr_order *order, fr_buffer *out)
{
    size_t count = (size_t)order->goal_count;
    const fr_goal_share *share = &orders->shares[order->goal_set];
    if (order->has_capacity) {
        fr_buffer_append(out, fr_order_capacities(orders, order), count * sizeof(uint32_t));
    }
    fr_buffer_append(out, share, offsetof(fr_goal_share, fields));
    fr_buffer_append(out, share->fields, count * sizeof *share->fields);
}

static bool load_share(fr_orders *orders, const fr_order *order, fr_reader *reader)
{
    size_t count = (size_t)order->goal_count;
    fr_goal_share *share = &orders->shares[order->goal_set];
    size_t limits = order->has_capacity ? count * sizeof(uint32_t) : 0;
    return fr_reader_take(reader, orders->goal_capacities + (ptrdiff_t)order->goal_set * FR_GOALS_MAX,
                          limits) &&
           fr_reader_take(reader, share, offsetof(fr_goal_share, fields)) &&
           fr_reader_take(reader, share->fields, count * sizeof *share->fields);
}

void fr_orders_save(const fr_orders *orders, fr_buffer *out)
{
    fr_buffer_append(out, &orders->order_limit, sizeof orders->order_limit);
    fr_buffer_append(out, orders->orders, (size_t)orders->order_limit * sizeof *orders->orders);
    for (int32_t i = 0; i < orders->order_limit; i++) {
        const fr_order *order = &orders->orders[i];
        if (order->goal_count > 0 && order->goal_set >= 0) {
            fr_buffer_append(out, fr_order_goals(orders, order),
                             (size_t)order->goal_count * sizeof(fr_position));
            fr_buffer_append(out, fr_order_prices(orders, order),
                             (size_t)order->goal_count * sizeof(uint32_t));
            save_share(orders, order, out);
        }
    }
    fr_buffer_append(out, &orders->leg_limit, sizeof orders->leg_limit);
    fr_buffer_append(out, orders->legs, (size_t)orders->leg_limit * sizeof *orders->legs);
    fr_buffer_append(out, &orders->slot_limit, sizeof orders->slot_limit);
    fr_buffer_append(out, orders->slots, (size_t)orders->slot_limit * sizeof *orders->slots);
}

static bool take_count(fr_reader *reader, int32_t most, int32_t *count)
{
    return fr_reader_take(reader, count, sizeof *count) && *count >= 0 && *count <= most;
}

static bool position_is_inside(fr_grid grid, fr_position position)
{
    return fr_grid_contains(grid, fr_cell_at(position));
}

static bool load_order_goals(fr_orders *orders, fr_grid grid, fr_order *order, fr_reader *reader)
{
    if (order->goal_count < 0 || order->goal_count > FR_GOALS_MAX || order->holders < 0 ||
        order->followers < 0 || order->unit_count < 0 || !FR_BOOL_IS_SANE(order->has_capacity) ||
        !FR_BOOL_IS_SANE(order->was_moving) || (unsigned)order->caution >= FR_CAUTION_COUNT) {
        return false;
    }
    if (order->goal_count == 0) {
        return true;
    }
    if (order->goal_set >= 0) {
        if (order->goal_set >= orders->goal_set_capacity || orders->goal_set_used[order->goal_set] ||
            !fr_reader_take(reader, orders->goal_sets + (ptrdiff_t)order->goal_set * FR_GOALS_MAX,
                            (size_t)order->goal_count * sizeof(fr_position)) ||
            !fr_reader_take(reader, orders->goal_prices + (ptrdiff_t)order->goal_set * FR_GOALS_MAX,
                            (size_t)order->goal_count * sizeof(uint32_t))) {
            return false;
        }
        orders->goal_set_used[order->goal_set] = 1;
        if (!load_share(orders, order, reader)) {
            return false;
        }
    } else if (order->goal_count != 1 || order->has_capacity) {
        return false;
    }
    const fr_position *goals = fr_order_goals(orders, order);
    for (int32_t g = 0; g < order->goal_count; g++) {
        if (!position_is_inside(grid, goals[g]) ||
            (order->goal_set >= 0 && fr_order_prices(orders, order)[g] > FR_GOAL_PRICE_MAX) ||
            (order->has_capacity && fr_order_capacities(orders, order)[g] > FR_UNITS_MAX)) {
            return false;
        }
    }
    return fr_area_is_sane(&order->area) && (order->area.kind == FR_AREA_NONE || order->goal_count == 1);
}

/* Numbers that floats are made of, or that become whole numbers. */
static bool leg_numbers_are_sane(const fr_leg *leg)
{
    return leg->mass >= 0.0f && leg->mass <= MASS_MAX && leg->slot_pitch > 0.05f &&
           leg->slot_pitch <= PITCH_MAX && leg->pack_radius > 0.0f && leg->pack_radius <= MASS_MAX &&
           leg->units > 0 && leg->unclaimed >= 0 && leg->unclaimed <= leg->units &&
           leg->claims_left > INT32_MIN / 2;
}

/* As many as it says, all of them of the order. */
static bool leg_goals_are_sane(const fr_orders *orders, const fr_leg *leg)
{
    int32_t count = 0;
    for (int32_t g = 0; g < FR_GOALS_MAX; g++) {
        bool has = fr_leg_has_goal(leg, g);
        if (has && g >= orders->orders[leg->order].goal_count) {
            return false;
        }
        count += has;
    }
    return count == leg->goal_count;
}

static bool leg_slots_are_sane(const fr_orders *orders, const fr_leg *leg)
{
    if (leg->slot_first < 0 || leg->slot_count < 0 ||
        leg->slot_first > orders->slot_limit - leg->slot_count) {
        return false;
    }
    for (int32_t s = leg->slot_first; s < leg->slot_first + leg->slot_count; s++) {
        if (orders->slots[s].goal >= orders->orders[leg->order].goal_count) {
            return false;
        }
    }
    return true;
}

static bool leg_is_sane(const fr_orders *orders, const fr_cost *cost, const fr_leg *leg)
{
    if (leg->order == FR_NO_INDEX) {
        return true;
    }
    return FR_BOOL_IS_SANE(leg->reachable) && FR_BOOL_IS_SANE(leg->wants_field) &&
           FR_BOOL_IS_SANE(leg->grows) && FR_BOOL_IS_SANE(leg->is_mixed) &&
           FR_BOOL_IS_SANE(leg->slots_made) && leg->order < (uint32_t)orders->order_limit &&
           orders->orders[leg->order].goal_count > 0 && (unsigned)leg->movement_class < FR_CLASS_COUNT &&
           leg->fit >= 0 && leg->fit < FR_COST_FITS &&
           (leg->ways == leg->fit || leg->ways == FR_WAYS_TO_MAIN(leg->fit)) && leg->team < FR_TEAMS_MAX &&
           fr_cost_view_is_open(cost, leg->fit) && fr_cost_view_is_open(cost, leg->view) &&
           fr_cost_view_is_open(cost, leg->own_view) && position_is_inside(fr_cost_grid(cost), leg->goal) &&
           position_is_inside(fr_cost_grid(cost), leg->field_goal) && leg_numbers_are_sane(leg) &&
           leg_goals_are_sane(orders, leg) && leg_slots_are_sane(orders, leg);
}

static bool share_is_sane(const fr_orders *orders, const fr_order *order)
{
    return order->goal_count == 0 || order->goal_set < 0 ||
           orders->shares[order->goal_set].leg1 <= (uint32_t)orders->leg_limit;
}

bool fr_orders_load(fr_orders *orders, const fr_cost *cost, fr_reader *reader)
{
    if (!take_count(reader, orders->order_capacity, &orders->order_limit) ||
        !fr_reader_take(reader, orders->orders, (size_t)orders->order_limit * sizeof *orders->orders)) {
        return false;
    }
    for (int32_t i = 0; i < orders->order_limit; i++) {
        if (!load_order_goals(orders, fr_cost_grid(cost), &orders->orders[i], reader)) {
            return false;
        }
    }
    if (!take_count(reader, orders->leg_capacity, &orders->leg_limit) ||
        !fr_reader_take(reader, orders->legs, (size_t)orders->leg_limit * sizeof *orders->legs) ||
        !take_count(reader, orders->slot_capacity, &orders->slot_limit) ||
        !fr_reader_take(reader, orders->slots, (size_t)orders->slot_limit * sizeof *orders->slots)) {
        return false;
    }
    for (int32_t s = 0; s < orders->slot_limit; s++) {
        if (!position_is_inside(fr_cost_grid(cost), orders->slots[s].position) || orders->slots[s].goal < 0 ||
            !FR_BOOL_IS_SANE(orders->slots[s].spare) || !(orders->slots[s].radius >= FR_RADIUS_MIN) ||
            orders->slots[s].radius > FR_RADIUS_MAX) {
            return false;
        }
    }
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        orders->legs[l].field = orders->legs[l].rough = NULL;
        if (!leg_is_sane(orders, cost, &orders->legs[l])) {
            return false;
        }
    }
    for (int32_t i = 0; i < orders->order_limit; i++) {
        if (!share_is_sane(orders, &orders->orders[i])) {
            return false;
        }
    }
    return true;
}
