/* arrival: how a group comes to rest. Units claim places near the goal, swap them where that shortens both
 * ways, settle, and stay at exact rest. Everything that could go on for ever is bounded: patience, and how
 * often a settled unit may be roused. */
#include "crowd/arrival.h"

/* The places are worked out when the first unit comes this near to its goal by air: pack radii, plus cells.
 */
#define PACK_RADII 1.6f
#define PACK_CELLS 8.0f
/* A pack that others join gets more places this often, when it has none left (ticks). */
#define MORE_SLOTS_TICKS 10
/* Legs with several goals are asked this often (ticks). */
#define CLAIM_TICKS 4
/* Claims dealt with in one tick, over all legs: each may search its way. A door lets in two or three a tick;
 * a crowd that starts inside its pack is spread over some ticks. */
#define CLAIMS_PER_TICK 24
/* Free places looked at by the claims of one tick: each looks at all of its leg's, so that of 100,000 units
 * some twenty claim in a tick instead of all at once. */
#define PLACES_PER_TICK 2000000
/* Ways round others looked for in one tick (detour.c), over all units. */
#define DETOURS_PER_TICK 4

/* Settled within this many radii of the place. */
#define SETTLE_RADII 0.1f
/* Whoever stops while others still move does so this far within: it may be pushed a little yet. */
#define SURE_MARGIN (FR_STEP_STRAIGHT / 2)

/* Progress is this much (cells). */
#define PROGRESS 0.05f
/* Without it for so long, a unit takes another place; or, in an area, that where it is. */
#define RECLAIM_TICKS 90
/* For so long, it settles where it is: late in a pack that others still come to, for it might stand in their
 * way; and short of the pack, if it has a place that it can't get to. */
#define PATIENCE_CROWD_TICKS 400
#define PATIENCE_FAR_TICKS   300
/* For so long, it settles wherever it is. */
#define LOST_TICKS 3600
/* For so long, one that should have left settles like any other. */
#define LEAVING_TICKS 150
/* Who lets others through has patience: it loses it only every so many ticks. */
#define BACKING_TICKS 4
/* When a pack has begun to close, nobody walks on within it for longer than that (s). */
#define CLOSING_WAY_S 0.6f
/* This long after the last one came into it, nobody walks in it any more. */
#define CLOSED_TICKS 9

/* At its place, or, for want of room, where it stands: then its place is free for others. */
static void settle(fr_crowd *crowd, const fr_crowd_input *input, uint32_t id, fr_unit_reason reason)
{
    fr_agents *agents = input->agents;
    fr_leg *leg = &input->orders->legs[agents->leg[id]];
    if (reason == FR_REASON_NO_ROOM && (agents->flags[id] & FR_AGENT_HAS_SLOT) != 0) {
        crowd_return_slot(crowd, input, id);
    }
    if ((agents->flags[id] & FR_AGENT_HAS_SLOT) == 0) {
        leg->unclaimed--;
    }
    agents->flags[id] = FR_AGENT_HAS_SLOT;
    agents->target[id] = agents->position[id];
    agents->via[id] = (fr_via){{agents->position[id], agents->position[id]}};
    agents->velocity[id] = (fr_vec2){0.0f, 0.0f};
    agents->veer[id] = agents->aside[id] = agents->abreast[id] = 0.0f;
    agents->state[id] = FR_UNIT_ARRIVED;
    agents->reason[id] = (uint8_t)reason;
}

/* Is a unit still too far from its goal by air for its leg to need places? */
static bool is_far(const fr_crowd_input *input, const fr_leg *leg, const body *self)
{
    fr_position here = input->agents->position[self->id], goal;
    crowd_nearest_goal(input->orders, leg, here, &goal);
    fr_vec2 way = fr_position_delta(here, goal);
    float ring = PACK_RADII * leg->pack_radius + PACK_CELLS;
    return fr_vec2_dot(way, way) > ring * ring;
}

static void claim(fr_crowd *crowd, const fr_crowd_input *input, const body *self)
{
    const fr_agents *agents = input->agents;
    uint32_t index = agents->leg[self->id];
    fr_leg *leg = &input->orders->legs[index];
    if (agents->leaves[self->id] && agents->stall_ticks[self->id] < LEAVING_TICKS) {
        return; /* it is gone before it needs one */
    }
    if (leg->goal_count > 1 && (leg->field == NULL || (input->tick + self->id) % CLAIM_TICKS != 0)) {
        return; /* without its field nobody knows which goal is whose */
    }
    bool ran_out = leg->grows && leg->slots_made && leg->slot_count == 0 &&
                   input->tick - leg->slots_tick >= MORE_SLOTS_TICKS;
    if (!leg->slots_made || ran_out) {
        if (is_far(input, leg, self)) {
            return;
        }
        crowd_make_slots(crowd, input, index);
    }
    if (leg->field != NULL && leg->claim_potential == 0) {
        crowd_price_slots(input, leg);
    }
    /* Near by air may be far on foot: whoever claimed too early would take the deep places from those in
     * front of it. */
    if (crowd->claims_left > 0 && crowd->places_left > 0 &&
        (leg->field == NULL || self->cell_potential <= leg->claim_potential)) {
        crowd_claim_slot(crowd, input, self, false);
    }
}

/* Does it stand clear of everybody who stands? */
static bool is_clear(const fr_crowd *crowd, const fr_agents *agents, uint32_t k)
{
    const body *self = &crowd->bodies[k];
    for (int n = 0; n < crowd->list_count[k]; n++) {
        uint32_t other = crowd->bodies[crowd_neighbour(crowd, k, n)].id;
        fr_vec2 way = fr_position_delta(agents->position[self->id], agents->position[other]);
        if (fr_vec2_length(way) < (self->radius + agents->radius[other]) * 0.98f) {
            return false;
        }
    }
    return true;
}

/* A unit that makes no progress, or has far to go when everybody else is there. */
static void lose_patience(fr_crowd *crowd, const fr_crowd_input *input, uint32_t k)
{
    const body *self = &crowd->bodies[k];
    fr_agents *agents = input->agents;
    uint32_t id = self->id;
    const fr_leg *leg = &input->orders->legs[agents->leg[id]];
    bool has_slot = (agents->flags[id] & FR_AGENT_HAS_SLOT) != 0;
    uint16_t stalled = agents->stall_ticks[id];
    if (stalled >= LOST_TICKS) {
        settle(crowd, input, id, FR_REASON_NO_ROOM); /* whatever keeps it, this ends */
        return;
    }
    if (!leg->slots_made) {
        if (has_slot && stalled >= RECLAIM_TICKS) {
            settle(crowd, input, id, FR_REASON_NO_ROOM); /* had given up (detour.c), and was pushed away */
        }
        return; /* before the pack forms it queues, however long */
    }
    if (crowd_pack_is_full_for(input, leg, CLOSING_TICKS)) {
        /* The last ones: a hole on the far side is not worth the walk round, or through, those who rest. */
        bool far_to_go = self->way > CLOSING_WAY_S * self->top_speed;
        bool is_closed = crowd_pack_is_full_for(input, leg, CLOSED_TICKS);
        if (crowd_is_in_pack(input, self, crowd_pack_is_full_for(input, leg, RIM_TICKS) ? 0 : SURE_MARGIN) &&
            ((far_to_go && is_clear(crowd, agents, k)) || stalled >= PATIENCE_TICKS || is_closed)) {
            settle(crowd, input, id, FR_REASON_NO_ROOM);
            return;
        }
    }
    /* Shut out of its place by those who have settled: it takes another. In an area any place will do. */
    if (has_slot && stalled >= RECLAIM_TICKS && crowd_is_in_area(input, self)) {
        settle(crowd, input, id, FR_REASON_NO_ROOM);
    } else if (has_slot && stalled >= RECLAIM_TICKS && leg->slot_count > 0 && crowd->places_left > 0 &&
               agents->resorts[id] < FR_RESORTS_MAX) {
        agents->resorts[id]++;
        crowd_return_slot(crowd, input, id);
        crowd_claim_slot(crowd, input, self, true);
    } else if (stalled % PATIENCE_TICKS == 0 &&
               ((stalled >= PATIENCE_CROWD_TICKS && crowd_is_in_pack(input, self, SURE_MARGIN)) ||
                (has_slot && stalled >= PATIENCE_FAR_TICKS))) {
        settle(crowd, input, id, FR_REASON_NO_ROOM);
    }
}

/* Notes how far a unit has come: as it was at the start of the tick, which is as good. */
static bool makes_progress(fr_agents *agents, const body *self)
{
    float *best = &agents->best[self->id];
    bool lost_sight = self->way > *best + 0.5f * FIELD_WAY;
    if (self->way >= *best - PROGRESS && !lost_sight) {
        return false;
    }
    *best = self->way;
    agents->stall_ticks[self->id] = 0;
    return true;
}

static void arrive_moving(fr_crowd *crowd, const fr_crowd_input *input, uint32_t k)
{
    const body *self = &crowd->bodies[k];
    fr_agents *agents = input->agents;
    uint32_t id = self->id;
    if ((agents->flags[id] & FR_AGENT_HAS_SLOT) == 0) {
        claim(crowd, input, self);
    }
    bool has_slot = (agents->flags[id] & FR_AGENT_HAS_SLOT) != 0;
    float distance = fr_vec2_length(fr_position_delta(agents->position[id], agents->target[id]));
    if (has_slot && distance <= SETTLE_RADII * self->radius) {
        settle(crowd, input, id, FR_REASON_SETTLED);
        return;
    }
    if (!makes_progress(agents, self) && agents->reason[id] != FR_REASON_WAITING_FIELD &&
        agents->stall_ticks[id] < UINT16_MAX &&
        (agents->backs[id] == 0 || input->tick % BACKING_TICKS == 0)) {
        agents->stall_ticks[id]++;
    }
    if (!has_slot && agents->stall_ticks[id] >= crowd_go_round(crowd, input, k)) {
        settle(crowd, input, id, FR_REASON_NO_ROOM);
        return;
    }
    lose_patience(crowd, input, k);
}

/* Is there nothing for a mover to do yet but to go on? Its leg has no places, or none that it may claim. */
static bool is_under_way(const fr_crowd_input *input, const fr_leg *leg, const body *self)
{
    const fr_agents *agents = input->agents;
    if (leg->goal_count > 1 || agents->leaves[self->id] ||
        (agents->flags[self->id] & (FR_AGENT_HAS_SLOT | FR_AGENT_DETOUR)) != 0) {
        return false;
    }
    return leg->slots_made ? leg->slot_count > 0 && leg->field != NULL && leg->claim_potential > 0 &&
                                 self->cell_potential > leg->claim_potential
                           : is_far(input, leg, self);
}

bool crowd_approach(const fr_crowd_input *input, const body *self)
{
    if (self->leg == FR_NO_INDEX) {
        return false;
    }
    const fr_leg *leg = &input->orders->legs[self->leg];
    if (self->part == PART_MOVING) {
        return !is_under_way(input, leg, self) || !makes_progress(input->agents, self);
    }
    return crowd_stands(self) && self->arrived &&
           (self->part == PART_OFF_POST || input->tick - leg->inside_since == RIM_TICKS);
}

int32_t crowd_next_arriving(const fr_crowd *crowd, int32_t from)
{
    int32_t count = crowd->hash.count;
    const bool *next = from < count ? memchr(crowd->is_arriving + from, true, (size_t)(count - from)) : NULL;
    return next != NULL ? (int32_t)(next - crowd->is_arriving) : count;
}

void crowd_arrive(fr_crowd *crowd, const fr_crowd_input *input)
{
    fr_agents *agents = input->agents;
    int32_t count = crowd->hash.count;
    crowd_watch_packs(crowd, input);
    crowd->claims_left = CLAIMS_PER_TICK;
    crowd->places_left = PLACES_PER_TICK;
    crowd->detours_left = DETOURS_PER_TICK;
    bool any_place = false;
    for (int32_t k = crowd_next_arriving(crowd, 0); k < count; k = crowd_next_arriving(crowd, k + 1)) {
        const body *self = &crowd->bodies[k];
        uint32_t id = self->id;
        if (self->part == PART_MOVING && agents->state[id] == FR_UNIT_MOVING) {
            arrive_moving(crowd, input, (uint32_t)k);
            any_place |= (agents->flags[id] & FR_AGENT_HAS_SLOT) != 0;
        } else if (crowd_stands(self) && !crowd_end_filling(input, self) && self->part == PART_OFF_POST) {
            crowd_set_out_again(input, self);
        }
    }
    if (!any_place || !crowd_has(input, FR_MECHANISM_SWAPS)) {
        return;
    }
    for (int32_t k = crowd_next_arriving(crowd, 0); k < count; k = crowd_next_arriving(crowd, k + 1)) {
        const body *self = &crowd->bodies[k];
        if (self->part == PART_MOVING && agents->state[self->id] == FR_UNIT_MOVING &&
            (agents->flags[self->id] & FR_AGENT_HAS_SLOT) != 0) {
            crowd_swap_places(crowd, input, (uint32_t)k);
        }
    }
}
