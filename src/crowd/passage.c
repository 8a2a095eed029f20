/* passage: who goes first where two streams meet head-on and the walls leave no room to pass. One of the two
 * is the weaker by an order that all share, and goes back with the other until there is room; those behind it
 * go back before it. Where two lanes fit, whoever keeps right is the stronger, so that the lanes part; in a
 * single lane one stream lets the other through, in good time where it can be seen from afar (lane_turn.c).
 * Knows walls and neighbours, not where a passage ends. */
#include "crowd/crowd_internal.h"

/* Walls are looked for this far to both sides, at such steps (cells). */
#define ROOM_MAX  2.5f
#define ROOM_STEP 0.125f
/* Lanes are counted in widths of the two; more than this many are no passage. */
#define LANES_MAX 3.0f
/* Two who have both waited this long (ticks) are in a passage, however wide. */
#define JAM_TICKS 30
/* Cosines between the aims of two who go the same way, and between an aim and the way to one ahead. */
#define SAME_WAY 0.5f
#define AHEAD    0.3f
/* Nearer than this (cells) those behind one who goes back go back too. */
#define MAKES_ROOM 0.2f
/* How strongly one goes back who meets the others; each behind it by one less, so that nobody goes back for
 * another who does so for it. It fades (per tick) when they are gone. */
#define URGE  48
#define FADES 3

/* Free ground from the unit's middle to that side, at most ROOM_MAX. */
static float room_beside(const fr_crowd_input *input, const body *self, fr_vec2 side)
{
    float room = 0.0f;
    while (room < ROOM_MAX) {
        float next = room + ROOM_STEP;
        fr_position there = fr_position_add(self->start, fr_vec2_scale(side, next));
        if (!fr_cost_walkable(input->cost, (fr_class)self->movement_class, fr_cell_at(there))) {
            break;
        }
        room = next;
    }
    return room;
}

/* Lanes that fit between the walls beside a unit; how much more room is to its left than to its right. */
static float lanes_at(const fr_crowd_input *input, const body *self, float width, float *keeps_right)
{
    fr_vec2 right = {-self->aim.y, self->aim.x};
    float room_right = room_beside(input, self, right);
    float room_left = room_beside(input, self, fr_vec2_scale(right, -1.0f));
    *keeps_right = room_left - room_right;
    return (room_left + room_right + ROOM_STEP) / width;
}

/* Must the unit let the other, who comes against it, through? */
static bool is_weaker(const fr_crowd_input *input, const body *self, const body *other)
{
    float width = self->radius + other->radius;
    float own_side, other_side;
    float own = lanes_at(input, self, width, &own_side);
    float others = lanes_at(input, other, width, &other_side);
    bool is_narrow = own < LANES_MAX || others < LANES_MAX;
    const uint16_t *stalled = input->agents->stall_ticks;
    bool is_jammed = stalled[self->id] >= JAM_TICKS && stalled[other->id] >= JAM_TICKS;
    if (!is_narrow && !is_jammed) {
        return false;
    }
    /* Beside a corner or a mouth nobody can tell which lane is whose. */
    bool in_lanes = own >= 2.0f && others >= 2.0f && own < LANES_MAX && others < LANES_MAX;
    bool keeps_right = own_side > 0.5f * width, other_keeps = other_side > 0.5f * width;
    if (in_lanes && keeps_right != other_keeps) {
        return other_keeps;
    }
    return self->stream > other->stream;
}

/* The way that units of that leg would go from where `at` is. */
static fr_vec2 way_of(const fr_crowd_input *input, uint32_t leg, const body *at)
{
    const fr_leg *theirs = &input->orders->legs[leg];
    if (theirs->order != FR_NO_INDEX && theirs->field != NULL) {
        fr_field_sample sample = fr_field_sample_at(theirs->field, at->start);
        if (sample.kind == FR_SAMPLE_STEP) {
            return sample.direction;
        }
    }
    return (fr_vec2){0.0f, 0.0f};
}

/* Are the two in each other's way? Not if either would go as the other does from where that is: then they
 * merge. */
static bool are_opposed(const fr_crowd_input *input, const body *self, const body *other, fr_vec2 way,
                        float distance)
{
    return fr_vec2_dot(self->aim, other->aim) < SAME_WAY && fr_vec2_dot(way, self->aim) > AHEAD * distance &&
           -fr_vec2_dot(way, other->aim) > AHEAD * distance &&
           !(fr_vec2_dot(way_of(input, other->leg, self), self->aim) > SAME_WAY &&
             fr_vec2_dot(way_of(input, self->leg, other), other->aim) > SAME_WAY);
}

/* Where to go back to from one who comes that way: on before it where its way leads on past the unit, round
 * corners too; else whence the unit came. */
static fr_vec2 way_back(const fr_crowd_input *input, const body *self, uint32_t leg, fr_vec2 way)
{
    fr_vec2 back = way_of(input, leg, self);
    bool leads_away = fr_vec2_dot(back, way) < SAME_WAY * fr_vec2_length(way);
    return fr_vec2_scale(leads_away ? back : self->aim, leads_away ? self->top_speed : -self->top_speed);
}

bool crowd_take_turn(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, fr_vec2 *velocity)
{
    const body *self = &crowd->bodies[k];
    fr_agents *agents = input->agents;
    int32_t urge = self->backs > FADES ? self->backs - FADES : 0;
    *velocity = (fr_vec2){0.0f, 0.0f};
    lane_turn turn = crowd_lane_turn(crowd, input, k, &agents->backs_for[self->id], velocity);
    urge = turn == LANE_CLEARS ? URGE : turn == LANE_WAITS ? BACKS_WAITS : urge;
    for (int n = 0; n < crowd->list_count[k]; n++) {
        uint32_t index = crowd_neighbour(crowd, k, n);
        const body *other = &crowd->bodies[index];
        if (other->part != PART_MOVING) {
            continue;
        }
        fr_vec2 way = crowd_way_to(crowd, self, index);
        float distance = fr_vec2_length(way), gap = distance - self->radius - other->radius;
        uint32_t leg = FR_NO_INDEX;
        if (other->stream != self->stream) {
            if (turn == LANE_FREE && other->backs == 0 && are_opposed(input, self, other, way, distance) &&
                is_weaker(input, self, other)) {
                urge = URGE;
                leg = other->leg;
            }
        } else if (other->backs > urge + 1 && other->backs > BACKS_WAITS + 1 && gap < MAKES_ROOM &&
                   fr_vec2_dot(other->back, way) < -AHEAD * distance * self->top_speed) {
            urge = other->backs - 1;
            leg = other->backs_for;
        }
        if (leg != FR_NO_INDEX) {
            agents->backs_for[self->id] = leg;
            if (!crowd_back_off(crowd, input, self, leg, way, velocity)) {
                *velocity = way_back(input, self, leg, way);
            }
        }
    }
    agents->backs[self->id] = (uint8_t)urge;
    agents->back[self->id] = *velocity;
    return urge > 0;
}
