/* places: where the units of a leg may stand at its goal. A hexagonal lattice round the goal, nearest first
 * by walking distance, without the points that lie in walls or under somebody who stands; in an area round
 * the middle of what can be reached of it. Who gets which is slots.c's business. */
#include "crowd/crowd_internal.h"

#include <string.h>

#define ROW_RATIO 0.8660254f /* height of a lattice row per pitch */

/* Units claim this far before they come to the pack (cells at cost 1). */
#define CLAIM_MARGIN 16

/* Cells in which a pack counts as arrived, per squared radius of its units. */
#define ROOM_PER_SQUARE ((float)(FR_PACK_ROOM * FR_PACKED_CELLS))

/* Parts of an area that are farther from its middle than this many times its sides are left out. */
#define AREA_DETOUR 4

typedef struct slot_maker {
    fr_crowd *crowd;
    const fr_crowd_input *input;
    const fr_leg *leg;
    fr_position centre; /* round which the places lie */
    fr_position anchor; /* one of them */
    bool is_turned;     /* rows go down instead of across */
    float radius;
    int32_t goal, wanted, count;
    uint32_t stop_distance;  /* enough were found: the search goes on to here for roundness */
    uint32_t arrival_radius; /* UINT32_MAX until known */
    uint32_t sure_potential; /* least potential of a cell beyond the arrival radius */
    float cells_left;        /* cells within the arrival radius that have not been met */
    const fr_area *area;     /* places lie in it only, or null */
    uint32_t reach;          /* how far it is searched */
    float others_mass;       /* squared radii of those who have taken ground within the pack */
    int32_t area_cells_left; /* cells of it that have not been met */
    bool by_walk;            /* order by the way walked alone: there is no one point to be round about */
} slot_maker;

/* Takes a lattice point as a candidate if a unit can stand there. The key orders by distance from the goal:
 * by air in the open, so that packs are round, and by the way walked behind corners (octile is at most 8.24 %
 * too long). */
static void consider(slot_maker *maker, fr_vec2 from_anchor, fr_cell cell, uint32_t distance)
{
    fr_crowd *crowd = maker->crowd;
    fr_position place = fr_position_add(maker->anchor, from_anchor);
    fr_cell in = fr_cell_at(place);
    if (in.x != cell.x || in.y != cell.y || crowd->candidate_capacity <= maker->count ||
        !crowd_disc_fits(maker->input, maker->leg->movement_class, place, maker->radius) ||
        crowd_is_taken(crowd, place, maker->radius)) {
        return;
    }
    float air = fr_vec2_length(fr_position_delta(maker->centre, place)),
          walked = (float)distance * (0.92f / FR_STEP_STRAIGHT) - 0.7f;
    float key = air > walked && !maker->by_walk ? air : walked > 0.0f ? walked : 0.0f;
    crowd->candidates[maker->count] = (fr_slot){.position = place, .goal = maker->goal, .depth = distance};
    crowd->candidate_key[maker->count] = (uint32_t)(key * 16.0f);
    maker->count++;
}

static fr_vec2 turned(const slot_maker *maker, fr_vec2 v)
{
    return maker->is_turned ? (fr_vec2){v.y, v.x} : v;
}

/* Takes the points of the lattice that lie in a cell. */
static void offer_cell(slot_maker *maker, fr_cell cell, uint32_t distance)
{
    fr_position corner = {cell.x * FR_POSITION_ONE, cell.y * FR_POSITION_ONE};
    fr_vec2 low = turned(maker, fr_position_delta(maker->anchor, corner));
    float pitch = maker->leg->slot_pitch, row_height = pitch * ROW_RATIO;
    for (int32_t row = crowd_floor(low.y / row_height); (float)row * row_height < low.y + 1.0f; row++) {
        float shift = (row & 1) != 0 ? 0.5f * pitch : 0.0f;
        for (int32_t column = crowd_floor((low.x - shift) / pitch);
             (float)column * pitch + shift < low.x + 1.0f; column++) {
            fr_vec2 point = {(float)column * pitch + shift, (float)row * row_height};
            consider(maker, turned(maker, point), cell, distance);
        }
    }
}

/* Enough are found: how far the search goes on. */
static void note_enough(slot_maker *maker, uint32_t distance)
{
    if (maker->count >= maker->wanted && maker->stop_distance == UINT32_MAX) {
        /* The octagon that has been searched holds the disc that is wanted only if it is a little larger. */
        maker->stop_distance = distance + distance / 11 + FR_STEP_STRAIGHT;
    }
}

static bool visit_cell(void *context, fr_cell cell, uint32_t distance, int32_t source)
{
    (void)source;
    slot_maker *maker = context;
    /* Others who are there need their room too. */
    float others = crowd_taken_mass(maker->crowd, cell);
    maker->others_mass += others;
    maker->cells_left += ROOM_PER_SQUARE * others - 1.0f;
    if (maker->cells_left <= 0.0f && maker->arrival_radius == UINT32_MAX) {
        maker->arrival_radius = distance + FR_STEP_STRAIGHT;
    }
    if (distance > maker->arrival_radius && maker->leg->field != NULL) {
        uint32_t potential = crowd_value(maker->input, maker->leg, cell);
        maker->sure_potential = potential < maker->sure_potential ? potential : maker->sure_potential;
    }
    if (distance > maker->stop_distance) {
        return maker->arrival_radius == UINT32_MAX ||
               distance <= maker->arrival_radius + 2 * FR_STEP_STRAIGHT;
    }
    offer_cell(maker, cell, distance);
    note_enough(maker, distance);
    return true;
}

/* The same where places lie in an area only. Ends where there is none of it left to meet, or with what can
 * only be reached by a long way round outside it. */
static bool visit_area_cell(void *context, fr_cell cell, uint32_t distance, int32_t source)
{
    (void)source;
    slot_maker *maker = context;
    if (distance > maker->stop_distance || distance > maker->reach) {
        return false;
    }
    if (fr_area_contains(maker->area, cell)) {
        maker->area_cells_left--;
        offer_cell(maker, cell, distance);
        note_enough(maker, distance);
    }
    return maker->area_cells_left > 0;
}

/* Sorts candidates by key (counting sort, stable) into crowd->sorted_candidates. */
static void sort_candidates(fr_crowd *crowd, int32_t count)
{
    enum { KEYS = 1 << 12 };
    uint32_t start[KEYS + 1];
    memset(start, 0, sizeof start);
    for (int32_t i = 0; i < count; i++) {
        uint32_t key = crowd->candidate_key[i] < KEYS - 1 ? crowd->candidate_key[i] : KEYS - 1;
        crowd->candidate_key[i] = key;
        start[key + 1]++;
    }
    for (int32_t k = 1; k <= KEYS; k++) {
        start[k] += start[k - 1];
    }
    for (int32_t i = 0; i < count; i++) {
        crowd->sorted_candidates[start[crowd->candidate_key[i]]++] = crowd->candidates[i];
    }
}

/* Some places more than units, as long as they count as arrived: whoever is shut out of its own finds one at
 * the rim. */
static int32_t spare_slots(int32_t units)
{
    return units > 1 ? units / 16 + 4 : 0;
}

static slot_maker begin_slots(fr_crowd *crowd, const fr_crowd_input *input, const fr_leg *leg, int32_t goal,
                              fr_position anchor, int32_t wanted)
{
    float radius = crowd_unit_radius(leg);
    slot_maker maker = {
        .crowd = crowd,
        .input = input,
        .leg = leg,
        .anchor = anchor,
        .radius = radius,
        .goal = goal,
        .wanted = wanted + spare_slots(wanted),
        .stop_distance = UINT32_MAX,
        .arrival_radius = UINT32_MAX,
        .sure_potential = UINT32_MAX,
        /* A group counts as arrived within the cells that hold 1.25 times its hexagonal packing. */
        .cells_left = ROOM_PER_SQUARE * (float)wanted * radius * radius,
    };
    if (!crowd_disc_fits(input, leg->movement_class, anchor, maker.radius)) {
        maker.anchor = fr_cell_centre(fr_cell_at(anchor));
    }
    maker.centre = maker.anchor;
    return maker;
}

/* Within this walking distance a place is well within the arrival radius: who stands a little beside it too.
 */
static uint32_t well_within(const slot_maker *maker)
{
    return maker->arrival_radius > FR_STEP_STRAIGHT ? maker->arrival_radius - FR_STEP_STRAIGHT : 0;
}

/* Puts candidates whose way to the goal lies in from..to into the pool, nearest first, until there are `most`
 * of them; those beyond `wanted` are spare. Returns how many are taken, `taken` included. */
static int32_t take_between(const slot_maker *maker, uint32_t from, uint32_t to, int32_t wanted, int32_t most,
                            int32_t taken)
{
    fr_orders *orders = maker->input->orders;
    for (int32_t i = 0; i < maker->count && taken < most && orders->slot_limit < orders->slot_capacity; i++) {
        const fr_slot *slot = &maker->crowd->sorted_candidates[i];
        if (slot->depth >= from && slot->depth <= to) {
            orders->slots[orders->slot_limit] = *slot;
            orders->slots[orders->slot_limit++].spare = taken >= wanted;
            taken++;
        }
    }
    return taken;
}

/* Puts the best of the candidates into the pool. Those on the rim of the arrival radius come after those well
 * within it, for who stands a little beside its place must not be outside; those beyond it come last. */
static void take_slots(slot_maker *maker, fr_leg *leg, int32_t wanted)
{
    sort_candidates(maker->crowd, maker->count);
    uint32_t rim = maker->arrival_radius, within = well_within(maker);
    int32_t taken = take_between(maker, 0, within, wanted, maker->wanted, 0);
    taken = take_between(maker, within + 1, rim, wanted, maker->wanted, taken);
    if (rim < UINT32_MAX) {
        taken = take_between(maker, rim + 1, UINT32_MAX, wanted, wanted, taken);
    }
    leg->slot_count += taken;
    leg->pack_potential =
        maker->sure_potential < leg->pack_potential ? maker->sure_potential : leg->pack_potential;
}

/* Ways to lay the lattice round the goal: a point, the middle of an edge, of a triangle or something between
 * them on it, and rows across or down. */
enum { PHASES = 8 };

static slot_maker find_slots(fr_crowd *crowd, const fr_crowd_input *input, const fr_leg *leg, int32_t goal,
                             fr_position anchor, int32_t wanted, int phase)
{
    static const fr_vec2 shifts[PHASES / 2] = {
        {0.0f, 0.0f}, {0.5f, 0.0f}, {0.5f, ROW_RATIO / 3.0f}, {0.25f, ROW_RATIO / 6.0f}};
    slot_maker maker = begin_slots(crowd, input, leg, goal, anchor, wanted);
    maker.is_turned = phase >= PHASES / 2;
    fr_vec2 shift = turned(&maker, fr_vec2_scale(shifts[phase % (PHASES / 2)], leg->slot_pitch));
    maker.anchor.x += fr_fixed((double)shift.x);
    maker.anchor.y += fr_fixed((double)shift.y);
    fr_cell cell = fr_cell_at(anchor);
    fr_octile_search_run(&crowd->search, input->cost, leg->fit, &cell, 1, NULL, visit_cell, &maker);
    return maker;
}

static int32_t count_within(const slot_maker *maker)
{
    int32_t count = 0;
    for (int32_t i = 0; i < maker->count; i++) {
        count += maker->crowd->candidates[i].depth <= well_within(maker);
    }
    return count;
}

/* Returns the squared radius of the disc that the pack needs, with all who have taken ground in it. */
static float append_slots(fr_crowd *crowd, const fr_crowd_input *input, fr_leg *leg, int32_t goal,
                          fr_position anchor, int32_t wanted)
{
    slot_maker maker = find_slots(crowd, input, leg, goal, anchor, wanted, 0);
    if (maker.others_mass > 0.0f && count_within(&maker) < wanted) {
        /* Round others of another size it depends on where the lattice lies how many find room. */
        int best = 0;
        int32_t most = count_within(&maker);
        for (int phase = 1; phase < PHASES; phase++) {
            maker = find_slots(crowd, input, leg, goal, anchor, wanted, phase);
            int32_t count = count_within(&maker);
            best = count > most ? phase : best;
            most = count > most ? count : most;
        }
        maker = find_slots(crowd, input, leg, goal, anchor, wanted, best);
    }
    take_slots(&maker, leg, wanted);
    return ((float)wanted * maker.radius * maker.radius + maker.others_mass) / (float)FR_PACKED_SHARE;
}

/* Places in an area, round the middle; or, where there are more units than fit, all of it and what lies
 * nearest to it on foot. */
static void append_slots_of_area(fr_crowd *crowd, const fr_crowd_input *input, fr_leg *leg, int32_t wanted)
{
    const fr_area *area = &input->orders->orders[leg->order].area;
    fr_rect bounds = fr_area_bounds(area, crowd->map);
    slot_maker maker = begin_slots(crowd, input, leg, 0, leg->goal, wanted);
    maker.area = area;
    maker.area_cells_left = fr_area_count(area, crowd->map);
    maker.reach = (uint32_t)(AREA_DETOUR * (bounds.width + bounds.height)) * FR_STEP_STRAIGHT;
    maker.sure_potential = 0; /* the field has no value to tell the pack from the rest of the area */
    fr_cell cell = fr_cell_at(leg->goal);
    fr_octile_search_run(&crowd->search, input->cost, leg->fit, &cell, 1, NULL, visit_area_cell, &maker);
    if (maker.count < wanted) {
        maker = begin_slots(crowd, input, leg, 0, leg->goal, wanted);
        maker.by_walk = true;
        fr_octile_search_widen(&crowd->search, input->cost, leg->fit, area, visit_cell, &maker);
    }
    take_slots(&maker, leg, wanted);
}

/* Places round each of several goals: as many as there are units nearest to it on foot. */
static void make_slots_of_goals(fr_crowd *crowd, const fr_crowd_input *input, uint32_t index)
{
    fr_orders *orders = input->orders;
    fr_leg *leg = &orders->legs[index];
    const fr_order *order = &orders->orders[leg->order];
    fr_cell cells[FR_GOALS_MAX];
    int32_t wanted[FR_GOALS_MAX] = {0};
    const fr_position *goals = fr_order_goals(orders, order);
    for (int32_t g = 0; g < order->goal_count; g++) {
        cells[g] = fr_leg_has_goal(leg, g) ? fr_cell_at(goals[g]) : (fr_cell){-1, -1};
    }
    fr_octile_search_run(&crowd->search, input->cost, leg->fit, cells, order->goal_count,
                         fr_order_prices(orders, order), NULL, NULL);
    const fr_agents *agents = input->agents;
    for (int32_t i = 0; i < agents->count; i++) {
        if (agents->leg[i] == index && agents->state[i] == FR_UNIT_MOVING &&
            (agents->flags[i] & FR_AGENT_HAS_SLOT) == 0) {
            int32_t goal = fr_octile_search_source(&crowd->search, fr_cell_at(agents->position[i]));
            if (goal >= 0) {
                wanted[goal]++;
            }
        }
    }
    for (int32_t g = 0; g < order->goal_count; g++) {
        if (wanted[g] > 0) {
            append_slots(crowd, input, leg, g, goals[g], wanted[g]);
        }
    }
}

void crowd_price_slots(const fr_crowd_input *input, fr_leg *leg)
{
    const fr_orders *orders = input->orders;
    leg->claim_potential = 0;
    for (int32_t s = 0; leg->field != NULL && s < leg->slot_count; s++) {
        fr_cell cell = fr_cell_at(orders->slots[leg->slot_first + s].position);
        uint32_t potential = crowd_value(input, leg, cell);
        uint32_t margin =
            CLAIM_MARGIN * FR_STEP_STRAIGHT * (uint32_t)fr_cost_at(input->cost, leg->view, cell);
        if (potential < FR_INTEGRATION_MAX - margin && potential + margin > leg->claim_potential) {
            leg->claim_potential = potential + margin;
        }
    }
}

void crowd_make_slots(fr_crowd *crowd, const fr_crowd_input *input, uint32_t index)
{
    fr_orders *orders = input->orders;
    fr_leg *leg = &orders->legs[index];
    leg->slots_made = true;
    leg->slots_tick = input->tick;
    int32_t wanted = leg->unclaimed;
    crowd_note_taken(crowd, input, leg);
    leg->depths_tick = input->tick - DEPTHS_TICKS;
    if (orders->slot_limit + wanted + spare_slots(wanted) > orders->slot_capacity) {
        crowd_compact_slots(crowd, orders);
    }
    leg->slot_first = orders->slot_limit;
    leg->slot_count = 0;
    leg->pack_potential = UINT32_MAX;
    if (fr_leg_has_area(orders, leg)) {
        append_slots_of_area(crowd, input, leg, wanted);
    } else if (fr_leg_has_one_point(leg)) {
        leg->pack_radius = sqrtf(append_slots(crowd, input, leg, 0, leg->goal, wanted));
    } else {
        make_slots_of_goals(crowd, input, index);
    }
    /* Without a field yet, only the disc that the pack needs is sure. */
    if (leg->field == NULL) {
        leg->pack_potential = 0;
    }
    crowd_price_slots(input, leg);
}
