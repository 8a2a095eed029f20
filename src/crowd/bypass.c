/* bypass: the way round a crowd that stands. Units in a pack can't all step aside, so whoever is not of them
 * goes round: by the least turn after which the next few cells are open, on one side until it is past. Those
 * who stand alone are no crowd; they give way (giveway.c). */
#include "crowd/crowd_internal.h"

/* Packed more densely than this, those who stand can't make way. */
#define SOLID 0.36f
/* Looked at so far ahead (cells), up to this much before the place one goes to. */
static const float reaches[] = {1.5f, 3.0f, 5.0f};
#define REACHES      (sizeof reaches / sizeof *reaches)
#define PLACE_MARGIN 1.2f
/* Nearer than this (cells) one who stands bars the way, if its middle lies within this share of the reach
 * from the line of march. */
#define TOUCH 0.06f
#define BARS  0.7f
/* A side is kept while the veer is more than this (tangent of half the angle). */
#define SIDE_KEPT 0.1f
/* Share of the way to the wanted veer made per look. */
#define VEER_RATE 0.4f

/* Tangents of half of 22.5, 45 .. 157.5 degrees. */
static const float half_tangents[] = {0.1989f, 0.4142f, 0.6682f, 1.0f, 1.4966f, 2.4142f, 5.0273f};
enum { TURNS = sizeof half_tangents / sizeof *half_tangents };

/* Does one who stands, is of another order and can't make way touch the unit and bar that direction? */
static bool is_barred(const fr_crowd *crowd, uint32_t k, fr_vec2 heading)
{
    const body *self = &crowd->bodies[k];
    for (int n = 0; n < crowd->list_count[k]; n++) {
        uint32_t index = crowd_neighbour(crowd, k, n);
        if (!crowd_stands(&crowd->bodies[index]) || crowd->bodies[index].pack == self->pack) {
            continue;
        }
        fr_vec2 way = crowd_way_to(crowd, self, index);
        float reach = self->radius + crowd->discs.radius[index], near = reach + TOUCH;
        float ahead = fr_vec2_dot(way, heading), side = way.x * heading.y - way.y * heading.x;
        if (ahead > 0.0f && fr_vec2_dot(way, way) < near * near && side < BARS * reach &&
            side > -BARS * reach &&
            (crowd->bodies[index].part == PART_FIXED || crowd_is_crowded(crowd, self, way))) {
            return true;
        }
    }
    return false;
}

/* May a unit turn that way: no wall just there, and for those who follow a field a place nearer to the goal?
 * Beside walls the field knows the one way through, however narrow those who stand make it. */
static bool may_turn(const fr_crowd_input *input, const body *self, fr_vec2 heading)
{
    fr_vec2 near = fr_vec2_scale(heading, reaches[0]), far = fr_vec2_scale(heading, reaches[1]);
    fr_position there = fr_position_add(self->start, near);
    if (!fr_cost_walkable(input->cost, (fr_class)self->movement_class, fr_cell_at(there))) {
        return false;
    }
    there = fr_position_add(self->start, far);
    return !self->follows_field ||
           crowd_value_at(input, &input->orders->legs[self->leg], there) < self->cell_potential;
}

static float barred_at(const fr_crowd *crowd, const fr_crowd_input *input, const body *self, fr_vec2 at)
{
    return crowd_standing_at(crowd, self, at) + crowd_promised_at(crowd, input, self, at);
}

/* Is the way free of crowds for some cells in that direction? */
static bool is_open(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, fr_vec2 heading)
{
    const body *self = &crowd->bodies[k];
    for (size_t i = 0; i < REACHES && reaches[i] < self->way - PLACE_MARGIN; i++) {
        if (barred_at(crowd, input, self, fr_vec2_scale(heading, reaches[i])) > SOLID) {
            return false;
        }
    }
    return self->way < PLACE_MARGIN || !is_barred(crowd, k, heading);
}

/* On which side is less of the crowd ahead? */
static bool is_lighter_left(const fr_crowd *crowd, const fr_crowd_input *input, const body *self)
{
    float right = 0.0f, left = 0.0f;
    for (int turn = 0; turn < TURNS; turn++) {
        fr_vec2 to_right = crowd_rotate(self->aim, half_tangents[turn]);
        fr_vec2 to_left = crowd_rotate(self->aim, -half_tangents[turn]);
        for (size_t i = 0; i < REACHES && reaches[i] < self->way - PLACE_MARGIN; i++) {
            right += barred_at(crowd, input, self, fr_vec2_scale(to_right, reaches[i]));
            left += barred_at(crowd, input, self, fr_vec2_scale(to_left, reaches[i]));
        }
    }
    return left < right;
}

bool crowd_bypass_veer(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, float *veer)
{
    const body *self = &crowd->bodies[k];
    if (self->leg != FR_NO_INDEX && input->orders->legs[self->leg].view >= FR_COST_FIRST_JAM) {
        return false; /* its field leads round those who stand, and knows the lane between them */
    }
    if (!crowd->has_conflict || crowd_is_enclosed(crowd, self) || is_open(crowd, input, k, self->aim)) {
        return false;
    }
    bool keeps = *veer > SIDE_KEPT || *veer < -SIDE_KEPT;
    float first = (keeps ? *veer < 0.0f : is_lighter_left(crowd, input, self)) ? -1.0f : 1.0f;
    for (int i = 0; i < 2 * TURNS; i++) {
        float wanted = half_tangents[i % TURNS] * (i < TURNS ? first : -first);
        fr_vec2 heading = crowd_rotate(self->aim, wanted);
        if (may_turn(input, self, heading) && is_open(crowd, input, k, heading)) {
            *veer += VEER_RATE * (wanted - *veer);
            return true;
        }
    }
    return false;
}
