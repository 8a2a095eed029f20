/* swaps: those who have places of one pack exchange them where that shortens both ways, so that ways do not
 * cross, and a place on the far side is filled by a relay rather than by a walk round. */
#include "crowd/arrival.h"

/* A swap must shorten the squared ways by this many squared radii. */
#define SWAP_GAIN 0.05f

/* Has the other a place that would do for this one? */
static bool may_swap(const fr_agents *agents, uint32_t i, uint32_t j)
{
    return agents->leg[j] == agents->leg[i] &&
           (agents->flags[j] & (FR_AGENT_HAS_SLOT | FR_AGENT_DISPLACED)) == FR_AGENT_HAS_SLOT &&
           crowd_size_class(agents->radius[j]) == crowd_size_class(agents->radius[i]);
}

/* By how much a swap shortens the squared ways. */
static float swap_gain(const fr_agents *agents, uint32_t i, uint32_t j)
{
    fr_vec2 ii = fr_position_delta(agents->position[i], agents->target[i]);
    fr_vec2 jj = fr_position_delta(agents->position[j], agents->target[j]);
    fr_vec2 ij = fr_position_delta(agents->position[i], agents->target[j]);
    fr_vec2 ji = fr_position_delta(agents->position[j], agents->target[i]);
    return fr_vec2_dot(ii, ii) + fr_vec2_dot(jj, jj) - fr_vec2_dot(ij, ij) - fr_vec2_dot(ji, ji);
}

/* Does one come upon the other on its way? */
static bool is_ahead(const fr_crowd *crowd, uint32_t k, uint32_t other)
{
    return fr_vec2_dot(crowd_way_to(crowd, &crowd->bodies[k], other), crowd->bodies[k].aim) > 0.0f;
}

/* Do two who are on their way stand in each other's? */
static bool is_head_on(const fr_crowd *crowd, uint32_t k, uint32_t other)
{
    return crowd->bodies[other].part == PART_MOVING && is_ahead(crowd, k, other) &&
           is_ahead(crowd, other, k) && fr_vec2_dot(crowd->bodies[k].aim, crowd->bodies[other].aim) < 0.0f;
}

static void swap(fr_agents *agents, uint32_t i, uint32_t j)
{
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
}

void crowd_swap_places(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k)
{
    const body *self = &crowd->bodies[k];
    fr_agents *agents = input->agents;
    uint32_t i = self->id;
    bool closing = crowd_pack_is_full_for(input, &input->orders->legs[agents->leg[i]], CLOSING_TICKS);
    bool may_resort = agents->stall_ticks[i] >= PATIENCE_TICKS && agents->resorts[i] < FR_RESORTS_MAX;
    bool is_shut_out = may_resort && !crowd_is_in_pack(input, self, 0);
    for (int n = 0; n < crowd->list_count[k]; n++) {
        uint32_t other = crowd_neighbour(crowd, k, n), j = crowd->bodies[other].id;
        bool is_settled = agents->state[j] == FR_UNIT_ARRIVED;
        if (!may_swap(agents, i, j) || (is_settled && closing)) {
            continue;
        }
        /* By air two on their way may both be nearer to the other's place for ever, with a wall between: only
         * who sees its place can tell. But in single file the one in front may have the place that lies
         * farther back, and of two who meet at a dead end, both have to turn round. */
        bool sees = is_settled || (agents->flags[i] & agents->flags[j] & FR_AGENT_LINE_FREE) != 0;
        /* Whoever is kept out of the pack by those at its rim may rouse even those who have had enough. */
        bool is_resort = is_settled ? agents->rouses[j] == FR_ROUSES_MAX : !sees;
        bool is_allowed =
            (!is_resort || (is_settled ? is_shut_out : may_resort)) && (sees || is_ahead(crowd, k, other));
        bool shortens = swap_gain(agents, i, j) > SWAP_GAIN * crowd_mass(self) &&
                        (sees || (agents->flags[j] & FR_AGENT_LINE_FREE) != 0);
        if (!is_allowed || (!shortens && (sees || !is_head_on(crowd, k, other)))) {
            continue;
        }
        swap(agents, i, j);
        agents->resorts[i] += is_resort;
        may_resort = is_shut_out = false; /* this was progress */
        if (is_settled) {
            crowd_rouse(agents, j);
        }
    }
}
