/* arrival: how a group comes to rest. Units claim places near the goal, swap them where that shortens both
 * ways, settle, and stay at exact rest. Everything that could go on for ever is bounded: patience, and how
 * often a settled unit may be roused. */
#include "crowd/crowd_internal.h"

#include "field/line_of_sight.h"

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

/* Settled within this many radii of the place. */
#define SETTLE_RADII 0.1f
#define ROUSES_MAX   6
#define RECLAIMS_MAX 24
/* One off its post looks whether it can see it this often (ticks, staggered by id). */
#define BACK_LOOK_TICKS 8

/* A swap must shorten the squared ways by this many squared radii. */
#define SWAP_GAIN 0.05f

/* A disc of this size round the goal counts as arrived for sure: pack radii, plus cells. */
#define PACK_SURE_RADII 1.08f
#define PACK_SURE_CELLS 0.5f
/* On foot, from cell to cell, the arrival radius of a pack in the open is 1.178 of its radii and a cell. */
#define OCTILE_RADII 1.17f
#define OCTILE_CELLS 0.4f
/* Whoever stops while others still move does so this far within: it may be pushed a little yet. */
#define SURE_MARGIN (FR_STEP_STRAIGHT / 2)
/* One with a goal of its own must come as near as this (radii). */
#define ALONE_RADII 1.8f

/* Progress is this much (cells). Without it a unit takes another place after a while, and at last settles
 * where it is: soon when everybody else is there, later while others come, whom it might stand in the way of.
 */
#define PROGRESS       0.05f
#define PATIENCE_TICKS 18
/* Without progress for so long, one that should have left settles like any other. */
#define LEAVING_TICKS        150
#define RECLAIM_TICKS        90
#define PATIENCE_CROWD_TICKS 400
#define PATIENCE_FAR_TICKS   300
/* Who has come no nearer for so long stays where it is, wherever that is. */
#define LOST_TICKS 3600
/* Who lets others through has patience: it loses it only every so many ticks. */
#define BACKING_TICKS 4
/* This long after the last one came into the pack, nobody walks on within it for longer than that (ticks, s).
 */
#define CLOSING_TICKS 6
#define CLOSING_WAY_S 0.6f
/* This long after, nobody walks in it any more. */
#define CLOSED_TICKS 9
/* Those at its very rim have this long. */
#define RIM_TICKS 40

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

static void rouse(fr_agents *agents, uint32_t id)
{
    agents->state[id] = FR_UNIT_MOVING;
    agents->reason[id] = FR_REASON_SLOT;
    agents->flags[id] = FR_AGENT_HAS_SLOT | FR_AGENT_RECHECK;
    fr_agents_restart(agents, id);
    agents->wakes[id]++;
}

static void claim(fr_crowd *crowd, const fr_crowd_input *input, const body *self)
{
    const fr_agents *agents = input->agents;
    uint32_t index = agents->leg[self->id];
    fr_leg *leg = &input->orders->legs[index];
    if (agents->leaves[self->id] && agents->stall_ticks[self->id] < LEAVING_TICKS) {
        return; /* it is gone before it needs one */
    }
    if (leg->goal_count > 1 && (input->tick + self->id) % CLAIM_TICKS != 0) {
        return;
    }
    bool ran_out = leg->grows && leg->slots_made && leg->slot_count == 0 &&
                   input->tick - leg->slots_tick >= MORE_SLOTS_TICKS;
    if (!leg->slots_made || ran_out) {
        fr_position goal;
        crowd_nearest_goal(input->orders, leg, agents->position[self->id], &goal);
        fr_vec2 way = fr_position_delta(agents->position[self->id], goal);
        float ring = PACK_RADII * leg->pack_radius + PACK_CELLS;
        if (fr_vec2_dot(way, way) > ring * ring) {
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

/* Has it been sent to an area, and stands in it? */
static bool is_in_area(const fr_crowd_input *input, const body *self)
{
    const fr_leg *leg = &input->orders->legs[input->agents->leg[self->id]];
    return fr_leg_has_area(input->orders, leg) &&
           fr_area_contains(&input->orders->orders[leg->order].area,
                            fr_cell_at(input->agents->position[self->id]));
}

/* Over open ground from cell to cell: who has arrived is told by that, not by air. */
static float octile_way(fr_cell a, fr_cell b)
{
    return (float)fr_octile_price(b.x - a.x, b.y - a.y) / FR_STEP_STRAIGHT;
}

/* Where a unit may stop without its place, and has arrived all the same: near enough by its field, or within
 * the disc that the pack needs and in sight of the goal. */
static bool is_within_pack(const fr_crowd_input *input, const body *self, uint32_t margin)
{
    const fr_agents *agents = input->agents;
    const fr_leg *leg = &input->orders->legs[agents->leg[self->id]];
    if (leg->field != NULL && leg->units > 1 && self->cell_potential < leg->pack_potential &&
        self->cell_potential + margin < leg->pack_potential) {
        return true;
    }
    fr_position here = agents->position[self->id], goal;
    float most = PACK_SURE_RADII * leg->pack_radius + PACK_SURE_CELLS;
    if (fr_leg_has_area(input->orders, leg)) { /* its pack lies round its middle */
        return fr_vec2_length(fr_position_delta(here, leg->goal)) <= most && is_in_area(input, self);
    }
    crowd_nearest_goal(input->orders, leg, here, &goal);
    if (leg->units == 1 &&
        leg->pack == 0) { /* one of its own: two who stand in each other's place have not arrived */
        most = self->radius * ALONE_RADII;
    } else if (octile_way(fr_cell_at(here), fr_cell_at(goal)) >
               OCTILE_RADII * leg->pack_radius + OCTILE_CELLS) {
        return false;
    }
    return fr_vec2_length(fr_position_delta(here, goal)) <= most &&
           fr_line_is_free(input->cost, leg->movement_class, here, goal, 0.0f);
}

static bool is_in_pack(const fr_crowd_input *input, const body *self)
{
    return is_within_pack(input, self, 0);
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

/* Every unit has come to the places, or there are none left to come to. */
static bool all_have_come(const fr_leg *leg)
{
    return leg->order != FR_NO_INDEX && leg->slots_made && (leg->unclaimed == 0 || leg->slot_count == 0);
}

/* Everybody has been in the pack for so long. */
static bool pack_is_full_for(const fr_crowd_input *input, const fr_leg *leg, uint32_t ticks)
{
    return all_have_come(leg) && input->tick - leg->inside_since >= ticks;
}

/* Of the leg, or of others that share its pack. */
static bool is_anyone_outside(const fr_orders *orders, const fr_leg *leg)
{
    bool is_anyone = leg->outside > 0;
    for (int32_t l = 0; l < orders->leg_limit && leg->pack != 0 && !is_anyone; l++) {
        is_anyone = orders->legs[l].pack == leg->pack && orders->legs[l].outside > 0;
    }
    return is_anyone;
}

/* Keeps, for every leg, since when nobody is outside the pack any more. */
static void watch_packs(const fr_crowd *crowd, const fr_crowd_input *input)
{
    fr_orders *orders = input->orders;
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        orders->legs[l].outside = 0;
    }
    for (int32_t k = 0; k < crowd->hash.count; k++) {
        const body *self = &crowd->bodies[k];
        if (self->part == PART_MOVING) {
            fr_leg *leg = &orders->legs[self->leg];
            leg->outside += !all_have_come(leg) || !is_in_pack(input, self);
        }
    }
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        if (is_anyone_outside(orders, &orders->legs[l])) {
            orders->legs[l].inside_since = input->tick;
        }
    }
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
    if (pack_is_full_for(input, leg, CLOSING_TICKS)) {
        /* The last ones: a hole on the far side is not worth the walk round, or through, those who rest. */
        bool far_to_go = self->way > CLOSING_WAY_S * self->top_speed;
        bool is_closed = pack_is_full_for(input, leg, CLOSED_TICKS);
        if (is_within_pack(input, self, pack_is_full_for(input, leg, RIM_TICKS) ? 0 : SURE_MARGIN) &&
            ((far_to_go && is_clear(crowd, agents, k)) || stalled >= PATIENCE_TICKS || is_closed)) {
            settle(crowd, input, id, FR_REASON_NO_ROOM);
            return;
        }
    }
    /* Shut out of its place by those who have settled: it takes another. In an area any place will do. */
    if (has_slot && stalled >= RECLAIM_TICKS && is_in_area(input, self)) {
        settle(crowd, input, id, FR_REASON_NO_ROOM);
    } else if (has_slot && stalled >= RECLAIM_TICKS && leg->slot_count > 0 && crowd->places_left > 0 &&
               agents->wakes[id] < RECLAIMS_MAX) {
        agents->wakes[id]++;
        crowd_return_slot(crowd, input, id);
        crowd_claim_slot(crowd, input, self, true);
    } else if (stalled % PATIENCE_TICKS == 0 &&
               ((stalled >= PATIENCE_CROWD_TICKS && is_within_pack(input, self, SURE_MARGIN)) ||
                (has_slot && stalled >= PATIENCE_FAR_TICKS))) {
        settle(crowd, input, id, FR_REASON_NO_ROOM);
    }
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
    /* As it was at the start of the tick, which is as good. */
    bool lost_sight = self->way > agents->best[id] + 0.5f * FIELD_WAY;
    if (self->way < agents->best[id] - PROGRESS || lost_sight) {
        agents->best[id] = self->way;
        agents->stall_ticks[id] = 0;
    } else if (agents->reason[id] != FR_REASON_WAITING_FIELD && agents->stall_ticks[id] < UINT16_MAX &&
               (agents->backs[id] == 0 || input->tick % BACKING_TICKS == 0)) {
        agents->stall_ticks[id]++;
    }
    if (!has_slot && agents->stall_ticks[id] >= crowd_go_round(crowd, input, k)) {
        settle(crowd, input, id, FR_REASON_NO_ROOM);
        return;
    }
    lose_patience(crowd, input, k);
}

/* Exchanges places with a neighbour of the same leg where both together get shorter ways. */
static void swap_places(fr_crowd *crowd, const fr_crowd_input *input, uint32_t k)
{
    const body *self = &crowd->bodies[k];
    fr_agents *agents = input->agents;
    uint32_t i = self->id;
    bool closing = pack_is_full_for(input, &input->orders->legs[agents->leg[i]], CLOSING_TICKS);
    /* Whoever is kept out of the pack by those at its rim may rouse even those who have had enough. */
    bool shut_out = agents->stall_ticks[i] >= PATIENCE_TICKS && agents->wakes[i] < RECLAIMS_MAX &&
                    !is_in_pack(input, self);
    for (int n = 0; n < crowd->list_count[k]; n++) {
        uint32_t j = crowd->bodies[crowd_neighbour(crowd, k, n)].id;
        if (agents->leg[j] != agents->leg[i] ||
            (agents->flags[j] & (FR_AGENT_HAS_SLOT | FR_AGENT_DISPLACED)) != FR_AGENT_HAS_SLOT ||
            crowd_size_class(agents->radius[j]) != crowd_size_class(agents->radius[i])) {
            continue;
        }
        bool settled = agents->state[j] == FR_UNIT_ARRIVED;
        bool weary = agents->wakes[j] >= ROUSES_MAX;
        if (settled && (closing || (weary && !shut_out))) {
            continue;
        }
        /* By air two may both be nearer to the other's place for ever, with a wall between; but in single
         * file the one in front may have the place that lies farther back. */
        bool is_blind = !settled && (agents->flags[i] & agents->flags[j] & FR_AGENT_LINE_FREE) == 0;
        if (is_blind && (agents->stall_ticks[i] < PATIENCE_TICKS || agents->wakes[i] >= RECLAIMS_MAX)) {
            continue;
        }
        fr_vec2 ii = fr_position_delta(agents->position[i], agents->target[i]);
        fr_vec2 jj = fr_position_delta(agents->position[j], agents->target[j]);
        fr_vec2 ij = fr_position_delta(agents->position[i], agents->target[j]);
        fr_vec2 ji = fr_position_delta(agents->position[j], agents->target[i]);
        float gain = fr_vec2_dot(ii, ii) + fr_vec2_dot(jj, jj) - fr_vec2_dot(ij, ij) - fr_vec2_dot(ji, ji);
        if (gain <= SWAP_GAIN * self->mass) {
            continue;
        }
        fr_position place = agents->target[i];
        fr_via via = agents->via[i];
        agents->target[i] = agents->target[j];
        agents->via[i] = agents->via[j];
        agents->target[j] = place;
        agents->via[j] = via;
        fr_agents_restart(agents, i);
        fr_agents_restart(agents, j);
        agents->flags[i] |= FR_AGENT_RECHECK;
        agents->flags[j] |= FR_AGENT_RECHECK;
        agents->wakes[i] += is_blind;
        if (settled) {
            rouse(agents, j);
            agents->wakes[i] += weary;
            shut_out = false;
        }
    }
}

/* One that was pushed from its post round a corner can't go straight back: it sets out again, by its field.
 */
static void set_out_again(const fr_crowd_input *input, const body *self)
{
    fr_agents *agents = input->agents;
    uint32_t id = self->id;
    if (agents->wakes[id] >= ROUSES_MAX || (input->tick + id) % BACK_LOOK_TICKS != 0 ||
        fr_line_is_free(input->cost, (fr_class)self->movement_class, self->start, agents->target[id], 0.0f)) {
        return;
    }
    rouse(agents, id);
    agents->flags[id] = FR_AGENT_RECHECK;
    agents->target[id] = input->orders->legs[self->leg].goal;
    input->orders->legs[self->leg].unclaimed++;
}

/* When nobody walks in a pack any more, those who have been moved from their posts stay where they are: once,
 * for later they will be moved by others, who pass. Whoever was pushed out of a tight pack comes back in. */
static bool ends_filling(const fr_crowd_input *input, const body *self)
{
    fr_agents *agents = input->agents;
    const fr_leg *leg = &input->orders->legs[self->leg];
    if (!all_have_come(leg) || input->tick - leg->inside_since != RIM_TICKS) {
        return false;
    }
    body seen = *self; /* only those under way have looked at their field */
    seen.cell_potential =
        leg->field != NULL ? crowd_value(input, leg, fr_cell_at(agents->position[self->id])) : FR_UNREACHED;
    if (is_in_pack(input, &seen)) {
        agents->target[self->id] = agents->position[self->id];
        agents->flags[self->id] &= (uint8_t)~FR_AGENT_OFF_POST;
    } else if (leg->is_mixed && agents->wakes[self->id] < ROUSES_MAX) {
        rouse(agents, self->id);
        agents->target[self->id] = leg->goal;
    }
    return true;
}

void crowd_arrive(fr_crowd *crowd, const fr_crowd_input *input)
{
    fr_agents *agents = input->agents;
    watch_packs(crowd, input);
    crowd->claims_left = CLAIMS_PER_TICK;
    crowd->places_left = PLACES_PER_TICK;
    crowd->detours_left = DETOURS_PER_TICK;
    bool any_place = false;
    for (int32_t k = 0; k < crowd->hash.count; k++) {
        const body *self = &crowd->bodies[k];
        uint32_t id = self->id;
        if (self->part == PART_MOVING && agents->state[id] == FR_UNIT_MOVING) {
            arrive_moving(crowd, input, (uint32_t)k);
            any_place |= (agents->flags[id] & FR_AGENT_HAS_SLOT) != 0;
        } else if (crowd_stands(self) && self->arrived && self->leg != FR_NO_INDEX &&
                   !ends_filling(input, self) && self->part == PART_OFF_POST) {
            set_out_again(input, self);
        }
    }
    bool swaps = any_place && crowd_has(input, FR_MECHANISM_SWAPS);
    for (int32_t k = 0; k < crowd->hash.count && swaps; k++) {
        const body *self = &crowd->bodies[k];
        if (self->part == PART_MOVING && agents->state[self->id] == FR_UNIT_MOVING &&
            (agents->flags[self->id] & FR_AGENT_HAS_SLOT) != 0) {
            swap_places(crowd, input, (uint32_t)k);
        }
    }
}
