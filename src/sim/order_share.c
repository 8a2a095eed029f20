/* order_share: orders whose goals have capacities, or lie where no field leads to: beyond ways that hold no
 * whole field cell, where a unit has to know which goal it is on its way to (field/way_out.h). A leg of
 * several goals heads for the nearest; meanwhile the fields to each of them are made, and by these its units
 * are shared out to legs of one goal each, once and for good: nobody turns round again because others have
 * come. Units that join, and those for whom walls
 * changed what can be reached, are shared out in the same way, among what is taken by then. */
#include "base/assert.h"
#include "sim/order_goals.h"
#include "sim/order_ground.h"

/* Without memory for all fields, units are shared out by those that are there after this long (ticks). */
#define PATIENCE_TICKS 300

/* ---- the fields by which units are shared out ---- */

void fr_share_drop(fr_order_desk *desk, int32_t goal_set)
{
    fr_goal_share *share = &desk->orders.shares[goal_set];
    for (int32_t g = 0; g < FR_GOALS_MAX && share->leg1 != 0; g++) {
        fr_field_service_release(desk->fields, share->fields[g]);
        share->fields[g] = (fr_field_id){0, 0};
    }
    share->leg1 = 0;
}

/* Takes references to the fields that the leg's units will follow, each to one goal. */
static void begin(fr_order_desk *desk, fr_goal_share *share, uint32_t index)
{
    const fr_orders *orders = &desk->orders;
    fr_leg leg = orders->legs[index];
    const fr_order *order = &orders->orders[leg.order];
    *share = (fr_goal_share){.leg1 = index + 1,
                             .since = desk->tick,
                             .goals_key = leg.goals_key,
                             .view = leg.own_view,
                             .fields = share->fields};
    fr_leg one = leg;
    one.goal_count = 1;
    for (int32_t g = 0; g < order->goal_count; g++) {
        one.goal = fr_order_goals(orders, order)[g];
        share->fields[g] =
            fr_leg_has_goal(&leg, g) ? fr_leg_ask_for_field(desk, &one, leg.own_view) : (fr_field_id){0, 0};
    }
}

static fr_cell cell_of(const fr_order_desk *desk, uint32_t unit)
{
    return fr_grid_cell(fr_cost_grid(desk->cost), desk->agents->open_cell[unit]);
}

/* Do the fields cover a unit's place? What is missing is asked for. */
static bool is_covered(fr_order_desk *desk, const fr_goal_share *share, const fr_leg *leg, uint32_t unit)
{
    fr_cell tile = cell_of(desk, unit);
    bool covered = true;
    for (int32_t g = 0; g < desk->orders.orders[leg->order].goal_count; g++) {
        const fr_field *field = fr_field_service_get(desk->fields, share->fields[g]);
        if (fr_leg_has_goal(leg, g) &&
            (field == NULL || (fr_way_out_value(desk->way_out, leg->ways, field, tile) == FR_UNREACHED &&
                               !fr_field_is_complete(field)))) {
            fr_field_service_need(desk->fields, share->fields[g],
                                  fr_ground_field_cell(desk, leg->ways, fr_cell_centre(tile)));
            covered = false;
        }
    }
    return covered;
}

/* Is there a field to each goal that covers all units of the leg? */
static bool is_ready(fr_order_desk *desk, const fr_goal_share *share)
{
    const fr_leg *leg = &desk->orders.legs[share->leg1 - 1];
    bool ready = true;
    for (int32_t g = 0; g < desk->orders.orders[leg->order].goal_count; g++) {
        ready = ready &&
                (!fr_leg_has_goal(leg, g) || fr_field_service_get(desk->fields, share->fields[g]) != NULL);
    }
    for (uint32_t unit = 0; fr_field_service_is_lazy(desk->fields) && unit < (uint32_t)desk->agents->count;
         unit++) {
        if (desk->agents->leg[unit] == share->leg1 - 1) {
            ready &= is_covered(desk, share, leg, unit);
        }
    }
    return ready;
}

/* ---- who goes where ---- */

typedef struct sharing {
    const fr_order_desk *desk;
    const fr_leg *leg;
    const fr_order *order;
    const uint32_t *prices;
    const fr_field *fields[FR_GOALS_MAX]; /* null: not to be had */
    int64_t room[FR_GOALS_MAX];           /* units that each goal still takes; below 0: too many */
    fr_share_unit *units;
} sharing;

/* What is left from the unit to a goal by the field to it, with what entering the goal costs. */
static uint64_t cost_of(const sharing *s, uint32_t unit, int32_t goal)
{
    fr_cell place = fr_cell_at(fr_order_goals(&s->desk->orders, s->order)[goal]);
    uint32_t way =
        fr_way_out_left(s->desk->way_out, s->leg->ways, s->fields[goal], place, cell_of(s->desk, unit));
    return way == FR_UNREACHED ? UINT64_MAX : (uint64_t)way + s->prices[goal];
}

/* The goal that costs a unit least, of all or of those with room: -1 if it can reach none. */
static int32_t cheapest_goal(const sharing *s, uint32_t unit, bool with_room, uint64_t *cost)
{
    int32_t best = -1;
    *cost = UINT64_MAX;
    for (int32_t g = 0; g < s->order->goal_count; g++) {
        if (s->fields[g] == NULL || (with_room && s->room[g] <= 0)) {
            continue;
        }
        uint64_t own = cost_of(s, unit, g);
        if (own < *cost) {
            *cost = own;
            best = g;
        }
    }
    return best;
}

static void look_elsewhere(const sharing *s, fr_share_unit *self)
{
    uint64_t cost;
    self->other = cheapest_goal(s, self->unit, true, &cost);
    if (self->other >= 0) {
        self->extra = cost - cost_of(s, self->unit, self->goal);
    }
}

/* ---- a heap: whom it matters least is first ---- */

static bool is_before(const fr_share_unit *a, const fr_share_unit *b)
{
    return a->extra != b->extra ? a->extra < b->extra : a->unit < b->unit;
}

static void sift_down(fr_share_unit *heap, int32_t count, int32_t at)
{
    fr_share_unit moved = heap[at];
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= count) {
            break;
        }
        child += child + 1 < count && is_before(&heap[child + 1], &heap[child]);
        if (!is_before(&heap[child], &moved)) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

/* Removes the first, keeping it behind the end. */
static int32_t take_first(fr_share_unit *heap, int32_t count)
{
    fr_share_unit first = heap[0];
    heap[0] = heap[--count];
    heap[count] = first;
    sift_down(heap, count, 0);
    return count;
}

/* Where everybody can't be taken, each goal takes more in proportion. */
static void measure_rooms(sharing *s, int32_t unit_count)
{
    const fr_orders *orders = &s->desk->orders;
    if (!s->order->has_capacity) {
        for (int32_t g = 0; g < s->order->goal_count; g++) {
            s->room[g] = INT64_MAX;
        }
        return;
    }
    const uint32_t *capacities = fr_order_capacities(orders, s->order);
    int64_t taken[FR_GOALS_MAX] = {0}, total = unit_count, sum = 0;
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        const fr_leg *leg = &orders->legs[l];
        for (int32_t g = 0; leg->order == s->leg->order && leg->goal_count == 1 && g < s->order->goal_count;
             g++) {
            taken[g] += fr_leg_has_goal(leg, g) ? leg->units : 0;
        }
    }
    for (int32_t g = 0; g < s->order->goal_count; g++) {
        total += s->fields[g] != NULL ? taken[g] : 0;
        sum += s->fields[g] != NULL ? capacities[g] : 0;
    }
    for (int32_t g = 0; g < s->order->goal_count; g++) {
        int64_t most = total > sum && sum > 0 ? (capacities[g] * total + sum - 1) / sum : capacities[g];
        s->room[g] = most - taken[g];
    }
}

/* Decides for every unit of the leg that can reach a goal; returns their number. */
static int32_t decide(sharing *s)
{
    const fr_agents *agents = s->desk->agents;
    uint32_t index = (uint32_t)(s->leg - s->desk->orders.legs);
    uint64_t cost;
    int32_t count = 0, waiting = 0;
    for (int32_t i = 0; i < agents->count; i++) {
        int32_t goal = agents->leg[i] == index ? cheapest_goal(s, (uint32_t)i, false, &cost) : -1;
        if (goal >= 0) {
            s->units[count++] = (fr_share_unit){.unit = (uint32_t)i, .goal = goal};
        }
    }
    measure_rooms(s, count);
    for (int32_t i = 0; i < count; i++) {
        s->room[s->units[i].goal]--;
    }
    /* Those at goals that get too many come first, as a heap. */
    for (int32_t i = 0; i < count; i++) {
        fr_share_unit self = s->units[i];
        if (s->room[self.goal] < 0) {
            look_elsewhere(s, &self);
            s->units[i] = s->units[waiting];
            s->units[waiting] = self;
            waiting += self.other >= 0;
        }
    }
    for (int32_t i = waiting / 2 - 1; i >= 0; i--) {
        sift_down(s->units, waiting, i);
    }
    while (waiting > 0) {
        fr_share_unit *first = &s->units[0];
        if (s->room[first->goal] < 0 && s->room[first->other] <= 0) { /* has filled up meanwhile */
            look_elsewhere(s, first);
            if (first->other >= 0) {
                sift_down(s->units, waiting, 0);
                continue;
            }
        } else if (s->room[first->goal] < 0) {
            s->room[first->goal]++;
            s->room[first->other]--;
            first->goal = first->other;
        }
        waiting = take_first(s->units, waiting);
    }
    return count;
}

/* The unit leaves the leg of several goals for that of one. */
static void send(fr_order_desk *desk, uint32_t unit, const fr_leg *from, int32_t goal)
{
    fr_resolution result = fr_order_resolve_one(desk, from, goal);
    uint32_t index = fr_orders_present_leg(desk, from->order, from->fit, unit, result.key);
    bool sets_out = index == FR_NO_INDEX;
    for (int32_t i = 0; i < desk->leg_scratch_count; i++) {
        sets_out |= desk->leg_scratch[i] == index;
    }
    if (index == FR_NO_INDEX) {
        index = fr_orders_find_leg(desk, from->order, from->fit, unit, &result);
    }
    fr_orders_leave(desk, unit);
    if (sets_out) {
        fr_leg_add_unit(desk, unit, index);
    } else {
        fr_leg_grow(desk, unit, index);
    }
    if (desk->orders.orders[from->order].has_capacity) { /* else the nearest is meant, as for everybody */
        desk->agents->goal1[unit] = (uint16_t)(goal + 1);
    }
}

static void share_out(fr_order_desk *desk, const fr_goal_share *share)
{
    fr_leg from = desk->orders.legs[share->leg1 - 1];
    sharing s = {.desk = desk,
                 .leg = &desk->orders.legs[share->leg1 - 1],
                 .order = &desk->orders.orders[from.order],
                 .prices = fr_order_prices(&desk->orders, &desk->orders.orders[from.order]),
                 .units = desk->share_scratch};
    for (int32_t g = 0; g < s.order->goal_count; g++) {
        s.fields[g] = fr_field_service_get(desk->fields, share->fields[g]);
    }
    int32_t count = decide(&s);
    desk->leg_scratch_count = 0;
    desk->orders.orders[from.order].followers++; /* the order must outlive the change of legs */
    for (int32_t i = 0; i < count; i++) {
        send(desk, s.units[i].unit, &from, s.units[i].goal);
    }
    desk->orders.orders[from.order].followers--;
    fr_orders_complete_legs(desk);
}

static bool is_to_be_shared(const fr_orders *orders, const fr_leg *leg)
{
    return leg->order != FR_NO_INDEX && leg->goal_count >= 2 &&
           (orders->orders[leg->order].has_capacity || leg->ways != leg->fit);
}

void fr_orders_share(fr_order_desk *desk)
{
    fr_orders *orders = &desk->orders;
    for (uint32_t l = 0; l < (uint32_t)orders->leg_limit; l++) {
        const fr_leg *leg = &orders->legs[l];
        if (!is_to_be_shared(orders, leg)) {
            continue;
        }
        int32_t goal_set = orders->orders[leg->order].goal_set;
        fr_goal_share *share = &orders->shares[goal_set];
        const fr_leg *other = share->leg1 != 0 ? &orders->legs[share->leg1 - 1] : NULL;
        if (other != NULL && (other->order != leg->order || other->goals_key != share->goals_key ||
                              other->own_view != share->view)) {
            fr_share_drop(desk, goal_set);
        } else if (other != NULL && other != leg) {
            continue; /* one leg after the other */
        }
        bool due = (desk->tick - orders->orders[leg->order].tick) % FR_FOLLOW_TICKS == 0;
        if (share->leg1 == 0 && due) {
            begin(desk, share, l);
        }
        if (share->leg1 != 0 && (is_ready(desk, share) || desk->tick - share->since >= PATIENCE_TICKS)) {
            share_out(desk, share);
            fr_share_drop(desk, goal_set);
        }
    }
}
