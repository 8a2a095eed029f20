/* places: where the units of a leg may stand at its goal: points of a lattice (ground.c), nearest first by
 * walking distance; in an area round the middle of what can be reached of it. Who gets which is slots.c's
 * business. */
#include "crowd/places.h"

/* Units claim this far before they come to the pack (cells at cost 1). */
#define CLAIM_MARGIN 16

/* How finely the times are told apart at which units will be there. */
#define ORDER_STEPS_PER_S 8.0f

/* Goals as near to one another as this are one (cells, as the README says). */
#define SAME_GOAL_CELLS 1.0f

/* Some places more than units, as long as they count as arrived: whoever is shut out of its own finds one at
 * the rim. */
static int32_t spare_slots(int32_t units)
{
    return units > 1 ? units / 16 + 4 : 0;
}

/* Within this walking distance a place is well within the arrival radius: who stands a little beside it too.
 */
static uint32_t well_within(const ground_search *ground)
{
    return ground->arrival_radius > FR_STEP_STRAIGHT ? ground->arrival_radius - FR_STEP_STRAIGHT : 0;
}

void crowd_append_slot(fr_orders *orders, fr_leg *leg, const fr_slot *slot)
{
    if (orders->slot_limit < orders->slot_capacity) {
        orders->slots[orders->slot_limit++] = *slot;
        leg->slot_count++;
    }
}

/* Puts candidates whose way to the goal lies in from..to into the pool, nearest first, until there are `most`
 * of them; those beyond `wanted` are spare. Returns how many are taken, `taken` included. */
static int32_t take_between(const ground_search *ground, uint32_t from, uint32_t to, int32_t wanted,
                            int32_t most, int32_t taken)
{
    for (int32_t i = 0; i < ground->count && taken < most; i++) {
        fr_slot slot = ground->crowd->candidates[ground->crowd->candidate_order[i]];
        if (slot.depth >= from && slot.depth <= to) {
            slot.spare = taken >= wanted;
            crowd_append_slot(ground->input->orders, ground->pack->legs[0], &slot);
            taken++;
        }
    }
    return taken;
}

/* Puts the best of the candidates into the pool. Those on the rim of the arrival radius come after those well
 * within it, for who stands a little beside its place must not be outside; those beyond it come last. */
static void take_slots(const ground_search *ground, int32_t wanted)
{
    fr_crowd *crowd = ground->crowd;
    for (int32_t i = 0; i < ground->count; i++) {
        float distance = crowd_ground_distance(ground, &crowd->candidates[i]);
        crowd->candidate_key[i] = (uint32_t)(distance * 16.0f);
    }
    crowd_order_by_key(crowd->candidate_key, ground->count, crowd->candidate_order);
    uint32_t rim = ground->arrival_radius, within = well_within(ground);
    int32_t taken = take_between(ground, 0, within, wanted, ground->wanted, 0);
    taken = take_between(ground, within + 1, rim, wanted, ground->wanted, taken);
    if (rim < UINT32_MAX) {
        take_between(ground, rim + 1, UINT32_MAX, wanted, wanted, taken);
    }
}

static int32_t count_within(const ground_search *ground)
{
    int32_t count = 0;
    for (int32_t i = 0; i < ground->count; i++) {
        count += ground->crowd->candidates[i].depth <= well_within(ground);
    }
    return count;
}

static ground_need need_of(const fr_crowd *crowd, const fr_leg *leg, int32_t wanted)
{
    float radius = crowd->members[0].radius;
    return (ground_need){.pitch = leg->slot_pitch,
                         .radius = radius,
                         .wanted = wanted + spare_slots(wanted),
                         .least = wanted,
                         .mass = (float)wanted * radius * radius};
}

/* Returns the squared radius of the disc that the pack needs, with all who have taken ground in it. */
static float append_slots(fr_crowd *crowd, const fr_crowd_input *input, const pack_legs *pack, int32_t goal,
                          fr_position anchor, int32_t wanted)
{
    ground_need need = need_of(crowd, pack->legs[0], wanted);
    ground_search ground = crowd_find_ground(crowd, input, pack, &need, goal, anchor, 0);
    if (ground.others_mass > 0.0f && count_within(&ground) < wanted) {
        /* Round others of another size it depends on where the lattice lies how many find room. */
        int best = 0;
        int32_t most = count_within(&ground);
        for (int phase = 1; phase < LATTICE_PHASES; phase++) {
            ground = crowd_find_ground(crowd, input, pack, &need, goal, anchor, phase);
            int32_t count = count_within(&ground);
            best = count > most ? phase : best;
            most = count > most ? count : most;
        }
        ground = crowd_find_ground(crowd, input, pack, &need, goal, anchor, best);
    }
    take_slots(&ground, wanted);
    return (need.mass + ground.others_mass) / (float)FR_PACKED_SHARE;
}

/* Puts the members in order, those who will be there first before the others. */
static void order_members(fr_crowd *crowd, const fr_crowd_input *input)
{
    const fr_agents *agents = input->agents;
    for (int32_t m = 0; m < crowd->member_count; m++) {
        uint32_t unit = crowd->members[m].unit;
        const fr_leg *leg = &input->orders->legs[agents->leg[unit]];
        uint32_t left =
            leg->field != NULL ? crowd_value_at(input, leg, agents->position[unit]) : FR_UNREACHED;
        float way = left == FR_UNREACHED
                        ? fr_vec2_length(fr_position_delta(agents->position[unit], leg->goal))
                        : (float)left * (1.0f / FR_STEP_STRAIGHT);
        float steps = way / agents->speed[unit] * ORDER_STEPS_PER_S;
        crowd->candidate_key[m] = steps < (float)(UINT32_MAX / 2) ? (uint32_t)steps : UINT32_MAX / 2;
    }
    crowd_order_by_key(crowd->candidate_key, crowd->member_count, crowd->member_order);
}

/* Lists the units of the legs that have no place yet; gives those of about one size one radius. Returns
 * whether there are several sizes. */
static bool gather_members(fr_crowd *crowd, const fr_crowd_input *input, const pack_legs *pack)
{
    const fr_agents *agents = input->agents;
    const fr_leg *legs = input->orders->legs;
    float sum[SIZE_CLASSES] = {0.0f}, least[SIZE_CLASSES];
    int32_t units[SIZE_CLASSES] = {0}, sizes = 0;
    crowd->member_count = 0;
    for (uint32_t i = 0; i < (uint32_t)agents->count; i++) {
        bool is_member = false;
        for (int32_t l = 0; l < pack->count && agents->leg[i] != FR_NO_INDEX; l++) {
            is_member |= &legs[agents->leg[i]] == pack->legs[l];
        }
        if (!is_member || (agents->flags[i] & FR_AGENT_HAS_SLOT) != 0) {
            continue;
        }
        float radius = agents->radius[i];
        int size = crowd_size_class(radius);
        sizes += units[size] == 0;
        sum[size] += radius;
        least[size] = units[size] == 0 || radius < least[size] ? radius : least[size];
        units[size]++;
        crowd->members[crowd->member_count++] = (pack_member){.unit = i, .radius = radius};
    }
    for (int32_t m = 0; m < crowd->member_count; m++) {
        pack_member *member = &crowd->members[m];
        int size = crowd_size_class(member->radius);
        float mean = sum[size] / (float)units[size];
        member->radius = mean > least[size] ? mean : least[size]; /* rounding must not change the class */
    }
    order_members(crowd, input);
    return sizes > 1;
}

/* Legs that will come to the same point and have no places yet are one pack. */
static pack_legs gather_legs(const fr_crowd_input *input, fr_leg *leg)
{
    fr_orders *orders = input->orders;
    pack_legs pack = {{leg}, 1};
    for (int32_t l = 0; l < orders->leg_limit && fr_leg_has_one_point(leg); l++) {
        fr_leg *other = &orders->legs[l];
        if (other == leg || other->order == FR_NO_INDEX || other->slots_made ||
            !fr_leg_has_one_point(other) || fr_leg_has_area(orders, other) ||
            !fr_classes_collide(other->movement_class, leg->movement_class) || pack.count == PACK_LEGS_MAX ||
            fr_vec2_length(fr_position_delta(leg->goal, other->goal)) > SAME_GOAL_CELLS) {
            continue;
        }
        pack.legs[pack.count] = other;
        if (other->fit / FR_CLASS_COUNT < pack.legs[0]->fit / FR_CLASS_COUNT) {
            pack.legs[pack.count] = pack.legs[0];
            pack.legs[0] = other;
        }
        pack.count++;
    }
    return pack;
}

static uint32_t free_pack_number(const fr_orders *orders)
{
    uint32_t number = 1u << 31;
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        const fr_leg *leg = &orders->legs[l];
        number = leg->order != FR_NO_INDEX && leg->pack >= number ? leg->pack + 1 : number;
    }
    return number;
}

/* Places round each of several goals: as many as there are units that the field leads there. */
static void make_slots_of_goals(fr_crowd *crowd, const fr_crowd_input *input, const pack_legs *pack,
                                bool is_mixed)
{
    fr_orders *orders = input->orders;
    const fr_leg *leg = pack->legs[0];
    const fr_order *order = &orders->orders[leg->order];
    int32_t wanted[FR_GOALS_MAX] = {0};
    const fr_position *goals = fr_order_goals(orders, order);
    crowd_find_goals(crowd, input, leg);
    for (int32_t m = 0; m < crowd->member_count; m++) {
        wanted[crowd->members[m].goal]++;
    }
    for (int32_t g = 0; g < order->goal_count; g++) {
        if (wanted[g] > 0 && is_mixed) {
            crowd_append_mixed(crowd, input, pack, g, goals[g]);
        } else if (wanted[g] > 0) {
            append_slots(crowd, input, pack, g, goals[g], wanted[g]);
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

/* Puts the places of the pack's units into the pool. */
static void append_all(fr_crowd *crowd, const fr_crowd_input *input, const pack_legs *pack, bool is_mixed)
{
    fr_leg *leg = pack->legs[0];
    if (fr_leg_has_area(input->orders, leg) && !is_mixed) {
        ground_need need = need_of(crowd, leg, leg->unclaimed);
        ground_search ground = crowd_find_ground_of_area(crowd, input, pack, &need);
        take_slots(&ground, leg->unclaimed);
    } else if (fr_leg_has_area(input->orders, leg)) {
        crowd_append_mixed(crowd, input, pack, 0, leg->goal);
    } else if (fr_leg_has_one_point(leg)) {
        float squared = is_mixed ? crowd_append_mixed(crowd, input, pack, 0, leg->goal)
                                 : append_slots(crowd, input, pack, 0, leg->goal, leg->unclaimed);
        for (int32_t l = 0; l < pack->count; l++) {
            pack->legs[l]->pack_radius = sqrtf(squared);
        }
    } else {
        make_slots_of_goals(crowd, input, pack, is_mixed);
    }
}

void crowd_make_slots(fr_crowd *crowd, const fr_crowd_input *input, uint32_t index)
{
    fr_orders *orders = input->orders;
    fr_leg *first = &orders->legs[index];
    pack_legs pack = gather_legs(input, first);
    bool is_mixed = gather_members(crowd, input, &pack);
    if (!is_mixed && pack.count > 1) {
        pack = (pack_legs){{first}, 1};
        gather_members(crowd, input, &pack);
    }
    int32_t wanted = 0;
    uint32_t number = pack.count > 1 ? free_pack_number(orders) : 0;
    for (int32_t l = 0; l < pack.count; l++) {
        fr_leg *leg = pack.legs[l];
        leg->slots_made = true;
        leg->slots_tick = input->tick;
        leg->depths_tick = input->tick - DEPTHS_TICKS;
        leg->slot_count = 0;
        leg->pack_potential = UINT32_MAX;
        leg->pack = number;
        leg->is_mixed = is_mixed;
        wanted += leg->unclaimed;
    }
    crowd_note_taken(crowd, input, first);
    if (orders->slot_limit + wanted + spare_slots(wanted) > orders->slot_capacity) {
        crowd_compact_slots(crowd, orders);
    }
    first->slot_first = orders->slot_limit;
    append_all(crowd, input, &pack, is_mixed);
    for (int32_t l = 0; l < pack.count; l++) {
        fr_leg *leg = pack.legs[l];
        /* Without a field yet, only the disc that the pack needs is sure. */
        if (leg->field == NULL) {
            leg->pack_potential = 0;
        }
        crowd_price_slots(input, leg);
    }
}
