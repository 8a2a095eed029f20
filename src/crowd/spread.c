/* spread: how a crowd that follows one best line takes the room beside it. Fields lead everybody past the
 * same corner, where all but the first would wait for each other in one file. Whoever is kept waiting by its
 * own queue turns outward, away from the side to which the way bends, by the least angle that gives it room;
 * where the way goes straight on, to either side. It never leaves its place in the queue for one that is
 * worse. Between walls it keeps abreast of those beside it, as water does, instead of making for the edge of
 * the next corner as they do. */
#include "crowd/crowd_internal.h"

#include "field/line_of_sight.h"

/* Room is the speed at which a gap is closed in so many seconds. */
#define CLOSE_S 0.2f
/* Whoever is beside rather than before a unit takes no room: cosine. */
#define BESIDE 0.2f
/* A unit looks aside when it has less room than this share of the speed it would go, and goes where it has at
 * least that much. */
#define WANTS_ROOM 0.9f
#define HAS_ROOM   0.6f
/* Looked at so far ahead of the disc (cells); the place there may be farther from the goal by a step. */
#define LOOK  0.8f
#define WORSE FR_STEP_DIAGONAL
/* From there the way on must be free so far, or as far as it leads straight on (cells). */
#define PAST 8.0f
/* Sine of the bend from which on a way has an outer side. */
#define BEND 0.05f
/* Share of the way to the wanted veer made per look. Back it is less: beside the queue a unit stays so until
 * it is past the corner (the last of 400 is out of the U-trap after 28 s, else after 38 s). Where there are
 * other streams, the lane beside may be theirs. */
#define RATE      0.28f
#define BACK_RATE 0.05f
/* Walls count up to so many cells away. A unit keeps abreast entirely from this share of its speed on,
 * slower ones by its fourth power. */
#define WALLS_NEAR 3
#define FLOWS      0.9f
/* A side is kept while the veer is more than this (tangent of half the angle). */
#define SIDE_KEPT 0.01f

/* Tangents of half of 20, 40 .. 100 degrees; the first few where the way goes straight on. */
static const float half_tangents[] = {0.1763f, 0.364f, 0.5774f, 0.8391f, 1.1918f};
enum { TURNS = sizeof half_tangents / sizeof *half_tangents, TURNS_STRAIGHT = 2 };

/* Do those around, or only those of its own stream, leave the unit that speed (cells/s) in a direction? */
static bool has_room(const fr_crowd *crowd, uint32_t k, fr_vec2 heading, float least, bool own_stream)
{
    const body *self = &crowd->bodies[k];
    const contacts *row = crowd->contacts + crowd->list_start[k];
    for (int n = 0; n < crowd->list_count[k]; n++) {
        int l = n % LANES;
        fr_vec2 way = {row[n / LANES].x[l], row[n / LANES].y[l]};
        float ahead = fr_vec2_dot(way, heading);
        if (ahead <= 0.0f) {
            continue;
        }
        float distance = fr_vec2_length(way);
        uint32_t index = row[n / LANES].index[l];
        const body *other = &crowd->bodies[index];
        if (ahead <= BESIDE * distance ||
            (own_stream && (other->stream != self->stream || other->part != PART_MOVING))) {
            continue;
        }
        float gap = distance - self->radius - crowd->discs.radius[index];
        gap = gap > 0.0f ? gap : 0.0f;
        float pace = fr_vec2_dot(other->velocity, way) / distance;
        if ((pace + gap / CLOSE_S) * distance / ahead < least) {
            return false;
        }
    }
    return true;
}

/* Where one comes to that turns by so much. */
static fr_position place_beside(const body *self, float half_tangent)
{
    float ahead = self->radius + LOOK;
    return fr_position_add(self->start, fr_vec2_scale(crowd_rotate(self->aim, half_tangent), ahead));
}

/* Does the way go on from beside the queue as well? Before a door the room beside is a nook: who leaned out
 * into it stood against the wall, and held up those who had come straight. */
static bool leads_past(const fr_crowd_input *input, const body *self, float half_tangent)
{
    float far = self->straight < PAST ? self->straight : PAST;
    fr_position there = place_beside(self, half_tangent);
    return fr_line_is_free(input->cost, input->orders->legs[self->leg].view, there,
                           fr_position_add(there, fr_vec2_scale(self->aim, far)), 0.0f);
}

/* May the unit turn by that much: towards the goal still, and with room to go? */
static bool may_turn(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, float half_tangent)
{
    const body *self = &crowd->bodies[k];
    fr_vec2 heading = crowd_rotate(self->aim, half_tangent);
    uint32_t value = crowd_value_at(input, &input->orders->legs[self->leg], place_beside(self, half_tangent));
    return value != FR_UNREACHED && value <= self->cell_potential + WORSE &&
           has_room(crowd, k, heading, HAS_ROOM * self->wish, false) && leads_past(input, self, half_tangent);
}

/* Sine of the bend that the unit's way makes where it no longer leads straight on; 0 for a slight one. */
static float bend_ahead(const fr_crowd_input *input, const body *self)
{
    fr_position end = fr_position_add(self->start, fr_vec2_scale(self->aim, self->straight));
    fr_vec2 beyond = fr_field_sample_at(input->orders->legs[self->leg].field, end).direction;
    float bend = self->aim.x * beyond.y - self->aim.y * beyond.x;
    return bend > BEND || bend < -BEND ? bend : 0.0f;
}

/* Is one that has turned aside to stay so until it is past the corner? */
static bool stays_aside(const fr_crowd_input *input, const body *self, float aside)
{
    return bend_ahead(input, self) != 0.0f && leads_past(input, self, aside);
}

/* Tangent of half the angle by which one without room would turn aside: 0 where it can't. */
static float wanted_aside(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, float aside)
{
    const body *self = &crowd->bodies[k];
    float bend = bend_ahead(input, self);
    bool bends = bend != 0.0f;
    bool is_aside = aside > SIDE_KEPT || aside < -SIDE_KEPT;
    float first = is_aside ? aside : (self->id & 1) != 0 ? 1.0f : -1.0f;
    first = (bends ? bend < 0.0f : first > 0.0f) ? 1.0f : -1.0f;
    for (int i = 0; i < (bends ? TURNS : TURNS_STRAIGHT); i++) {
        if (may_turn(crowd, input, k, first * half_tangents[i])) {
            return first * half_tangents[i];
        }
        if (!bends && may_turn(crowd, input, k, -first * half_tangents[i])) {
            return -first * half_tangents[i];
        }
    }
    return 0.0f;
}

/* The same of keeping abreast of those beside it, where walls are near. The more the faster it goes: whoever
 * stands before a door is to come together. */
static float wanted_abreast(const fr_crowd_input *input, const body *self)
{
    fr_class movement_class = (fr_class)self->movement_class;
    fr_cell cell = fr_cell_at(self->start), corner = {cell.x - WALLS_NEAR, cell.y - WALLS_NEAR};
    const fr_field *field = input->orders->legs[self->leg].field;
    fr_vec2 parallel;
    if (fr_cost_window_is_open(input->cost, movement_class, corner, 2 * WALLS_NEAR + 1) ||
        !fr_field_parallel_at(field, self->start, &parallel)) {
        return 0.0f;
    }
    fr_vec2 shortest = crowd_rotate(self->aim, -input->agents->abreast[self->id]);
    float share = fr_vec2_dot(self->velocity, self->velocity) / (FLOWS * FLOWS * self->wish * self->wish);
    share = share < 1.0f ? share * share : 1.0f;
    fr_vec2 way =
        fr_vec2_normalize(fr_vec2_add(fr_vec2_scale(parallel, share), fr_vec2_scale(shortest, 1.0f - share)));
    float dot = fr_vec2_dot(shortest, way);
    return (shortest.x * way.y - shortest.y * way.x) / (1.0f + (dot > 0.0f ? dot : 0.0f));
}

void crowd_spread(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, bool looks)
{
    const body *self = &crowd->bodies[k];
    float *aside = &input->agents->aside[self->id], *abreast = &input->agents->abreast[self->id];
    bool is_free = !looks || has_room(crowd, k, self->aim, WANTS_ROOM * self->wish, true);
    float wanted = is_free ? 0.0f : wanted_aside(crowd, input, k, *aside);
    bool is_less = wanted * wanted < *aside * *aside && *aside != 0.0f;
    bool keeps = is_less && !crowd->has_conflict && (!looks || stays_aside(input, self, *aside));
    *aside += (keeps ? BACK_RATE : RATE) * (wanted - *aside);
    *abreast += RATE * ((is_free ? 0.0f : wanted_abreast(input, self)) - *abreast);
}
