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
        uint32_t j = crowd->bodies[crowd_neighbour(crowd, k, n)].id;
        bool is_settled = agents->state[j] == FR_UNIT_ARRIVED;
        if (!may_swap(agents, i, j) || (is_settled && closing)) {
            continue;
        }
        /* Whoever is kept out of the pack by those at its rim may rouse even those who have had enough. By
         * air two on their way may both be nearer to the other's place for ever, with a wall between; but in
         * single file the one in front may have the place that lies farther back. */
        bool is_resort = is_settled ? agents->rouses[j] == FR_ROUSES_MAX
                                    : (agents->flags[i] & agents->flags[j] & FR_AGENT_LINE_FREE) == 0;
        bool is_allowed = !is_resort || (is_settled ? is_shut_out : may_resort);
        if (!is_allowed || swap_gain(agents, i, j) <= SWAP_GAIN * crowd_mass(self)) {
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
