/* pack: where a unit has arrived, and since when everybody has. */
#include "crowd/arrival.h"

#include "field/line_of_sight.h"

/* A disc of this size round the goal counts as arrived for sure: pack radii, plus cells. */
#define PACK_SURE_RADII 1.08f
#define PACK_SURE_CELLS 0.5f
/* On foot, from cell to cell, the arrival radius of a pack in the open is 1.178 of its radii and a cell. */
#define OCTILE_RADII 1.17f
#define OCTILE_CELLS 0.4f
/* One with a goal of its own must come as near as this (radii). */
#define ALONE_RADII 1.8f

bool crowd_is_in_area(const fr_crowd_input *input, const body *self)
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

bool crowd_is_in_pack(const fr_crowd_input *input, const body *self, uint32_t margin)
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
        return fr_vec2_length(fr_position_delta(here, leg->goal)) <= most && crowd_is_in_area(input, self);
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

bool crowd_all_have_come(const fr_leg *leg)
{
    return leg->order != FR_NO_INDEX && leg->slots_made && (leg->unclaimed == 0 || leg->slot_count == 0);
}

bool crowd_pack_is_full_for(const fr_crowd_input *input, const fr_leg *leg, uint32_t ticks)
{
    return crowd_all_have_come(leg) && input->tick - leg->inside_since >= ticks;
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

void crowd_watch_packs(const fr_crowd *crowd, const fr_crowd_input *input)
{
    fr_orders *orders = input->orders;
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        /* Until all have come everybody counts, and few are near enough to be asked. */
        orders->legs[l].outside = crowd_all_have_come(&orders->legs[l]) ? 0 : orders->legs[l].movers;
    }
    int32_t count = crowd->hash.count;
    for (int32_t k = crowd_next_arriving(crowd, 0); k < count; k = crowd_next_arriving(crowd, k + 1)) {
        const body *self = &crowd->bodies[k];
        if (self->part == PART_MOVING) {
            fr_leg *leg = &orders->legs[self->leg];
            leg->outside += crowd_all_have_come(leg) && !crowd_is_in_pack(input, self, 0);
        }
    }
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        if (is_anyone_outside(orders, &orders->legs[l])) {
            orders->legs[l].inside_since = input->tick;
        }
    }
}
