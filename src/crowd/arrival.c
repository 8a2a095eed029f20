/* arrival: how a group comes to rest. Units claim places near the goal, swap them where that shortens both
 * ways, settle, and stay at exact rest. Everything that could go on for ever is bounded: patience, and how
 * often a settled unit may be roused. */
#include "crowd/crowd_internal.h"

#include "field/line_of_sight.h"

/* Units claim a place this near to their goal: pack radii, plus cells. */
#define CLAIM_RADII 1.6f
#define CLAIM_CELLS 3.0f
/* Legs with several goals are asked this often (ticks). */
#define CLAIM_TICKS 4

/* Settled within this many radii of the place; roused when pushed farther than that. */
#define SETTLE_RADII 0.15f
#define ROUSE_RADII  0.6f
#define ROUSES_MAX   6

/* A swap must shorten the squared ways by this many squared radii. */
#define SWAP_GAIN 0.05f

/* Progress is this much (cells); without it a unit settles where it is: inside the pack soon, outside late.
 */
#define PROGRESS           0.05f
#define PATIENCE_TICKS     18
#define PATIENCE_FAR_TICKS 300

static void settle(const fr_crowd_input *input, uint32_t id, fr_unit_reason reason)
{
    fr_agents *agents = input->agents;
    fr_leg *leg = &input->orders->legs[agents->leg[id]];
    if ((agents->flags[id] & FR_AGENT_HAS_SLOT) == 0) {
        /* One place fewer is needed: the farthest. */
        leg->unclaimed--;
        if (leg->slots_made && leg->slot_count > leg->unclaimed) {
            leg->slot_count = leg->unclaimed;
        }
    }
    agents->flags[id] = FR_AGENT_HAS_SLOT;
    agents->target[id] = agents->position[id];
    agents->velocity[id] = (fr_vec2){0.0f, 0.0f};
    agents->veer[id] = 0.0f;
    agents->state[id] = FR_UNIT_ARRIVED;
    agents->reason[id] = (uint8_t)reason;
}

static void rouse(fr_agents *agents, uint32_t id)
{
    agents->state[id] = FR_UNIT_MOVING;
    agents->reason[id] = FR_REASON_SLOT;
    agents->flags[id] |= FR_AGENT_RECHECK;
    agents->best[id] = INFINITY;
    agents->stall_ticks[id] = 0;
    agents->wakes[id]++;
}

static void claim(fr_crowd *crowd, const fr_crowd_input *input, const body *self)
{
    const fr_agents *agents = input->agents;
    uint32_t index = agents->leg[self->id];
    fr_leg *leg = &input->orders->legs[index];
    if (leg->reachable && input->orders->orders[leg->order].goal_count > 1 &&
        (input->tick + self->id) % CLAIM_TICKS != 0) {
        return;
    }
    fr_position goal;
    crowd_nearest_goal(input->orders, leg, agents->position[self->id], &goal);
    fr_vec2 way = fr_position_delta(agents->position[self->id], goal);
    float ring = CLAIM_RADII * leg->pack_radius + CLAIM_CELLS;
    if (fr_vec2_dot(way, way) > ring * ring) {
        return;
    }
    if (!leg->slots_made) {
        crowd_make_slots(crowd, input, index);
    }
    crowd_claim_slot(input, self);
}

/* Where a stuck unit may stop: within the disc that the pack needs, in sight of the goal. */
static bool is_in_pack(const fr_crowd_input *input, const body *self)
{
    const fr_agents *agents = input->agents;
    const fr_leg *leg = &input->orders->legs[agents->leg[self->id]];
    fr_position here = agents->position[self->id], goal;
    crowd_nearest_goal(input->orders, leg, here, &goal);
    fr_vec2 way = fr_position_delta(here, goal);
    float most = 1.08f * leg->pack_radius + 0.5f;
    return fr_vec2_dot(way, way) <= most * most &&
           fr_line_is_free(input->cost, leg->movement_class, here, goal, 0.0f);
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
        settle(input, id, FR_REASON_SETTLED);
        return;
    }
    /* Without a place the way left counts: as it was at the start of the tick, which is as good. */
    float left = has_slot ? distance : self->potential;
    if (left < agents->best[id] - PROGRESS) {
        agents->best[id] = left;
        agents->stall_ticks[id] = 0;
        return;
    }
    if (agents->reason[id] == FR_REASON_WAITING_FIELD || agents->stall_ticks[id] == UINT16_MAX) {
        return;
    }
    uint16_t stalled = ++agents->stall_ticks[id];
    const fr_leg *leg = &input->orders->legs[agents->leg[id]];
    /* Only where the pack forms may a unit give up: before that it queues, however long. */
    if (stalled >= PATIENCE_TICKS && leg->slots_made && stalled % PATIENCE_TICKS == 0 &&
        (is_in_pack(input, self) || (has_slot && stalled >= PATIENCE_FAR_TICKS))) {
        settle(input, id, FR_REASON_NO_ROOM);
    }
}

/* Exchanges places with a neighbour of the same leg where both together get shorter ways. */
static void swap_places(fr_crowd *crowd, const fr_crowd_input *input, uint32_t k)
{
    const body *self = &crowd->bodies[k];
    fr_agents *agents = input->agents;
    uint32_t i = self->id;
    const neighbour *list = crowd->neighbours + (size_t)k * NEIGHBOURS_MAX;
    for (int n = 0; n < crowd->neighbour_count[k]; n++) {
        uint32_t j = crowd->bodies[list[n].index].id;
        if (agents->leg[j] != agents->leg[i] || (agents->flags[j] & FR_AGENT_HAS_SLOT) == 0 ||
            agents->radius[j] != agents->radius[i]) {
            continue;
        }
        bool settled = agents->state[j] == FR_UNIT_ARRIVED;
        if (settled && agents->wakes[j] >= ROUSES_MAX) {
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
        agents->target[i] = agents->target[j];
        agents->target[j] = place;
        agents->best[i] = agents->best[j] = INFINITY;
        agents->stall_ticks[i] = agents->stall_ticks[j] = 0;
        agents->flags[i] |= FR_AGENT_RECHECK;
        agents->flags[j] |= FR_AGENT_RECHECK;
        if (settled) {
            rouse(agents, j);
        }
    }
}

void crowd_arrive(fr_crowd *crowd, const fr_crowd_input *input)
{
    fr_agents *agents = input->agents;
    for (int32_t k = 0; k < crowd->hash.count; k++) {
        const body *self = &crowd->bodies[k];
        uint32_t id = self->id;
        if (self->part == PART_MOVING && agents->state[id] == FR_UNIT_MOVING) {
            arrive_moving(crowd, input, (uint32_t)k);
        } else if (self->part == PART_PARKED && self->arrived && agents->state[id] == FR_UNIT_ARRIVED) {
            fr_vec2 way = fr_position_delta(agents->position[id], agents->target[id]);
            float most = ROUSE_RADII * self->radius;
            if (fr_vec2_dot(way, way) > most * most) {
                if (agents->wakes[id] < ROUSES_MAX) {
                    rouse(agents, id);
                } else {
                    agents->target[id] = agents->position[id];
                }
            }
        }
    }
    for (int32_t k = 0; k < crowd->hash.count; k++) {
        const body *self = &crowd->bodies[k];
        if (self->part == PART_MOVING && agents->state[self->id] == FR_UNIT_MOVING &&
            (agents->flags[self->id] & FR_AGENT_HAS_SLOT) != 0) {
            swap_places(crowd, input, (uint32_t)k);
        }
    }
}
