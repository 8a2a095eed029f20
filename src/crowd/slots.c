/* slots: the places of a pack. A hexagonal lattice round the goal, nearest first by walking distance, without
 * the points that lie in walls or under somebody who stands. Units claim late, the far side first, so that
 * nobody has to squeeze past those who are there. */
#include "crowd/crowd_internal.h"

#include <string.h>

#define ROW_RATIO 0.8660254f /* height of a lattice row per pitch */

/* Deep bands of the pack fill first; a band is this many pitches. */
#define BAND_PITCHES 1.5f

typedef struct slot_maker {
    fr_crowd *crowd;
    const fr_crowd_input *input;
    const fr_leg *leg;
    fr_position anchor;
    float radius;
    int32_t goal, first, wanted, count;
    uint32_t stop_distance; /* enough were found: the search goes on to here for roundness */
} slot_maker;

static bool is_occupied(const slot_maker *maker, fr_position place)
{
    const fr_spatial_hash *hash = &maker->crowd->hash;
    fr_cell bucket = fr_spatial_hash_bucket(hash, place);
    for (int32_t row = bucket.y - 1; row <= bucket.y + 1; row++) {
        uint32_t begin, end;
        fr_spatial_hash_row(hash, bucket.x, row, &begin, &end);
        for (uint32_t k = begin; k < end; k++) {
            const body *other = &maker->crowd->bodies[k];
            fr_vec2 way = fr_position_delta(place, other->start);
            float reach = maker->radius + other->radius;
            if (other->part != PART_MOVING && fr_vec2_dot(way, way) < reach * reach) {
                return true;
            }
        }
    }
    return false;
}

/* Takes a lattice point as a candidate if a unit can stand there. The key orders by distance from the goal:
 * by air in the open, so that packs are round, and by the way walked behind corners (octile is at most 8.24 %
 * too long). */
static void consider(slot_maker *maker, fr_vec2 from_anchor, fr_cell cell, uint32_t distance)
{
    fr_crowd *crowd = maker->crowd;
    fr_position place = {maker->anchor.x + fr_fixed((double)from_anchor.x),
                         maker->anchor.y + fr_fixed((double)from_anchor.y)};
    fr_cell in = fr_cell_at(place);
    if (in.x != cell.x || in.y != cell.y || crowd->candidate_capacity <= maker->count ||
        !crowd_disc_fits(maker->input, maker->leg->movement_class, place, maker->radius) ||
        is_occupied(maker, place)) {
        return;
    }
    float air = fr_vec2_length(from_anchor), walked = (float)distance * (0.92f / FR_STEP_STRAIGHT) - 0.7f;
    float key = air > walked ? air : walked;
    crowd->candidates[maker->count] = (fr_slot){place, maker->goal};
    crowd->candidate_key[maker->count] = (uint32_t)(key * 16.0f);
    maker->count++;
}

static bool visit_cell(void *context, fr_cell cell, uint32_t distance, int32_t source)
{
    (void)source;
    slot_maker *maker = context;
    if (distance > maker->stop_distance) {
        return false;
    }
    fr_position corner = {cell.x * FR_POSITION_ONE, cell.y * FR_POSITION_ONE};
    fr_vec2 low = fr_position_delta(maker->anchor, corner);
    float pitch = maker->leg->slot_pitch, row_height = pitch * ROW_RATIO;
    for (int32_t row = crowd_floor(low.y / row_height); (float)row * row_height < low.y + 1.0f; row++) {
        float shift = (row & 1) != 0 ? 0.5f * pitch : 0.0f;
        for (int32_t column = crowd_floor((low.x - shift) / pitch);
             (float)column * pitch + shift < low.x + 1.0f; column++) {
            consider(maker, (fr_vec2){(float)column * pitch + shift, (float)row * row_height}, cell,
                     distance);
        }
    }
    if (maker->count >= maker->wanted && maker->stop_distance == UINT32_MAX) {
        /* The octagon that has been searched holds the disc that is wanted only if it is a little larger. */
        maker->stop_distance = distance + distance / 11 + FR_STEP_STRAIGHT;
    }
    return true;
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

/* Moves all legs' free places to the front of the pool. */
static void compact_slots(fr_crowd *crowd, fr_orders *orders)
{
    int32_t count = 0;
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        fr_leg *leg = &orders->legs[l];
        if (leg->order == FR_NO_INDEX || leg->slot_count == 0) {
            continue;
        }
        memcpy(crowd->candidates + count, orders->slots + leg->slot_first,
               (size_t)leg->slot_count * sizeof(fr_slot));
        leg->slot_first = count;
        count += leg->slot_count;
    }
    memcpy(orders->slots, crowd->candidates, (size_t)count * sizeof(fr_slot));
    orders->slot_limit = count;
}

static void append_slots(fr_crowd *crowd, const fr_crowd_input *input, fr_leg *leg, int32_t goal,
                         fr_position anchor, int32_t wanted)
{
    slot_maker maker = {
        .crowd = crowd,
        .input = input,
        .leg = leg,
        .anchor = anchor,
        .radius = leg->slot_pitch * (0.5f / FR_SLOT_SPACING),
        .goal = goal,
        .wanted = wanted,
        .stop_distance = UINT32_MAX,
    };
    fr_cell cell = fr_cell_at(anchor);
    if (!crowd_disc_fits(input, leg->movement_class, anchor, maker.radius)) {
        maker.anchor = fr_cell_centre(cell);
    }
    fr_octile_search_run(&crowd->search, input->cost, leg->movement_class, &cell, 1, visit_cell, &maker);
    sort_candidates(crowd, maker.count);
    int32_t taken = maker.count < wanted ? maker.count : wanted;
    fr_orders *orders = input->orders;
    int32_t room = orders->slot_capacity - orders->slot_limit;
    taken = taken < room ? taken : room;
    memcpy(orders->slots + orders->slot_limit, crowd->sorted_candidates, (size_t)taken * sizeof(fr_slot));
    orders->slot_limit += taken;
    leg->slot_count += taken;
}

void crowd_make_slots(fr_crowd *crowd, const fr_crowd_input *input, uint32_t index)
{
    fr_orders *orders = input->orders;
    fr_leg *leg = &orders->legs[index];
    leg->slots_made = true;
    if (orders->slot_limit + leg->unclaimed > orders->slot_capacity) {
        compact_slots(crowd, orders);
    }
    leg->slot_first = orders->slot_limit;
    leg->slot_count = 0;
    const fr_order *order = &orders->orders[leg->order];
    if (!leg->reachable || order->goal_count == 1) {
        append_slots(crowd, input, leg, 0, leg->goal, leg->unclaimed);
        return;
    }
    /* Several goals: each gets as many places as it has units nearest to it on foot. */
    fr_cell cells[FR_GOALS_MAX];
    int32_t wanted[FR_GOALS_MAX] = {0};
    const fr_position *goals = fr_order_goals(orders, order);
    for (int32_t g = 0; g < order->goal_count; g++) {
        cells[g] = fr_leg_has_goal(leg, g) ? fr_cell_at(goals[g]) : (fr_cell){-1, -1};
    }
    fr_octile_search_run(&crowd->search, input->cost, leg->movement_class, cells, order->goal_count, NULL,
                         NULL);
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

int32_t crowd_nearest_goal(const fr_orders *orders, const fr_leg *leg, fr_position position,
                           fr_position *goal)
{
    const fr_order *order = &orders->orders[leg->order];
    if (!leg->reachable || order->goal_count == 1) {
        *goal = leg->goal;
        return 0;
    }
    const fr_position *goals = fr_order_goals(orders, order);
    int32_t nearest = 0;
    float least = INFINITY;
    for (int32_t g = 0; g < order->goal_count; g++) {
        fr_vec2 way = fr_position_delta(position, goals[g]);
        float squared = fr_vec2_dot(way, way);
        if (fr_leg_has_goal(leg, g) && squared < least) {
            least = squared;
            nearest = g;
        }
    }
    *goal = goals[nearest];
    return nearest;
}

bool crowd_claim_slot(const fr_crowd_input *input, const body *self)
{
    fr_agents *agents = input->agents;
    fr_orders *orders = input->orders;
    fr_leg *leg = &orders->legs[agents->leg[self->id]];
    fr_position here = agents->position[self->id], goal;
    int32_t own_goal = crowd_nearest_goal(orders, leg, here, &goal);
    fr_slot *slots = orders->slots + leg->slot_first;
    int32_t best = -1;
    float best_score = -INFINITY;
    for (int32_t s = 0; s < leg->slot_count; s++) {
        fr_vec2 from_goal = fr_position_delta(goal, slots[s].position);
        fr_vec2 from_self = fr_position_delta(here, slots[s].position);
        float band = (float)crowd_floor(fr_vec2_dot(from_goal, self->aim) / (BAND_PITCHES * leg->slot_pitch));
        float lateral = from_self.x * self->aim.y - from_self.y * self->aim.x;
        float score = band * 1024.0f - (lateral < 0.0f ? -lateral : lateral);
        if (slots[s].goal != own_goal) {
            score -= 1048576.0f; /* another goal's place only when one's own has none left */
        }
        if (score > best_score) {
            best_score = score;
            best = s;
        }
    }
    if (best < 0) {
        return false;
    }
    agents->target[self->id] = slots[best].position;
    agents->flags[self->id] |= FR_AGENT_HAS_SLOT | FR_AGENT_RECHECK;
    agents->best[self->id] = INFINITY;
    agents->stall_ticks[self->id] = 0;
    leg->unclaimed--;
    leg->slot_count--;
    memmove(slots + best, slots + best + 1, (size_t)(leg->slot_count - best) * sizeof *slots);
    return true;
}
