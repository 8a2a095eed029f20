/* posts: those who have settled, and what makes one of them walk again: it gives its place to another, was
 * pushed out of sight of it, or out of the pack. */
#include "crowd/arrival.h"

#include "field/line_of_sight.h"

/* One off its post looks whether it can see it this often (ticks, staggered by id). */
#define BACK_LOOK_TICKS 8

void crowd_rouse(fr_agents *agents, uint32_t id)
{
    agents->state[id] = FR_UNIT_MOVING;
    agents->reason[id] = FR_REASON_SLOT;
    agents->flags[id] = FR_AGENT_HAS_SLOT | FR_AGENT_RECHECK;
    fr_agents_restart(agents, id);
    if (agents->rouses[id] < FR_ROUSES_MAX) {
        agents->rouses[id]++;
    }
}

void crowd_set_out_again(const fr_crowd_input *input, const body *self)
{
    fr_agents *agents = input->agents;
    uint32_t id = self->id;
    if (agents->rouses[id] == FR_ROUSES_MAX || (input->tick + id) % BACK_LOOK_TICKS != 0 ||
        fr_line_is_free(input->cost, (fr_class)self->movement_class, self->start, agents->target[id], 0.0f)) {
        return;
    }
    crowd_rouse(agents, id);
    agents->flags[id] = FR_AGENT_RECHECK;
    agents->target[id] = input->orders->legs[self->leg].goal;
    input->orders->legs[self->leg].unclaimed++;
}

bool crowd_end_filling(const fr_crowd_input *input, const body *self)
{
    fr_agents *agents = input->agents;
    const fr_leg *leg = &input->orders->legs[self->leg];
    if (!crowd_all_have_come(leg) || input->tick - leg->inside_since != RIM_TICKS) {
        return false;
    }
    body seen = *self; /* only those under way have looked at their field */
    seen.cell_potential =
        leg->field != NULL ? crowd_value(input, leg, fr_cell_at(agents->position[self->id])) : FR_UNREACHED;
    if (crowd_is_in_pack(input, &seen, 0)) {
        agents->target[self->id] = agents->position[self->id];
        agents->flags[self->id] &= (uint8_t)~FR_AGENT_OFF_POST;
    } else if (leg->is_mixed && agents->rouses[self->id] < FR_ROUSES_MAX) {
        crowd_rouse(agents, self->id);
        agents->target[self->id] = leg->goal;
    }
    return true;
}
