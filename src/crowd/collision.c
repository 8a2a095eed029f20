/* collision: position correction (Weiss et al., "Fast position-based multi-agent group dynamics", 2019, in
 * Jacobi form) and the end of a unit's tick. Discs are pushed apart, walls come last: a centre is never in a
 * wall. */
#include "crowd/crowd_internal.h"

#include "base/rng.h"

/* Over-relaxation for units with several touches. */
#define OMEGA 1.6f
/* A correction per pass is at most this share of the radius. */
#define CORRECTION_MAX 0.5f
/* Two standing units bear this much overlap (share of the reach) without moving: packs come to rest. */
#define REST_OVERLAP 0.01f
/* A standing unit that would move less than this (cells) does not. */
#define REST_MOVE 1e-3f
/* Nobody is moved by more than this many top speeds in a tick. */
#define SPEED_CAP 1.99f
/* Cells a displaced unit moves in a tick. */
#define DISPLACED_STEP 0.9f

/* Direction for two units on one spot: opposite for the two, and other at other ticks. */
static fr_vec2 symmetry_breaker(const fr_crowd_input *input, uint32_t self, uint32_t other)
{
    uint32_t low = self < other ? self : other, high = self < other ? other : self;
    uint64_t bits = fr_mix64(input->salt ^ ((uint64_t)low << 32 | high));
    fr_vec2 out = {(float)(int32_t)(bits & 0xffff) - 32767.5f,
                   (float)(int32_t)(bits >> 16 & 0xffff) - 32767.5f};
    out = fr_vec2_normalize(out);
    return self < other ? out : (fr_vec2){-out.x, -out.y};
}

void crowd_correct(void *context, int begin, int end, int lane)
{
    (void)lane;
    const stage *now = context;
    fr_crowd *crowd = now->crowd;
    const moved *from = crowd->moved[now->pass & 1];
    moved *to = crowd->moved[(now->pass + 1) & 1];
    for (int k = begin; k < end; k++) {
        const body *self = &crowd->bodies[k];
        fr_vec2 place = from[k].offset, push = {0.0f, 0.0f};
        const neighbour *list = crowd->neighbours + crowd->list_start[k];
        int touches = 0;
        for (int n = 0; n < crowd->list_count[k]; n++) {
            const moved *other = &from[list[n].index];
            float x = list[n].x + other->offset.x - place.x;
            float y = list[n].y + other->offset.y - place.y;
            float squared = x * x + y * y;
            float reach = from[k].radius + other->radius, weight = list[n].weight;
            if (weight < 0.0f) {
                reach *= 1.0f - REST_OVERLAP;
                weight = -weight;
            }
            if (squared >= reach * reach) {
                continue;
            }
            float distance = sqrtf(squared);
            fr_vec2 out;
            if (distance > 1e-5f) {
                out = (fr_vec2){-x / distance, -y / distance};
            } else {
                out = symmetry_breaker(now->input, self->id, crowd->bodies[list[n].index].id);
            }
            push = fr_vec2_add(push, fr_vec2_scale(out, (reach - distance) * weight));
            touches++;
        }
        if (touches > 1) {
            push = fr_vec2_scale(push, OMEGA / (1.0f + 0.5f * (float)(touches - 1)));
        }
        float length = fr_vec2_length(push), most = CORRECTION_MAX * self->radius;
        if (length > most) {
            push = fr_vec2_scale(push, most / length);
        }
        place = fr_vec2_add(place, push);
        if (self->near_wall && (touches > 0 || now->pass == 0)) {
            place = crowd_clear_walls(now->input, self, place);
        }
        to[k].offset = place;
    }
}

/* Straight towards its way out, through walls and others, at most one cell a tick. */
static void move_displaced(const fr_crowd_input *input, uint32_t id)
{
    fr_agents *agents = input->agents;
    fr_vec2 way = fr_position_delta(agents->position[id], agents->target[id]);
    float distance = fr_vec2_length(way);
    if (distance <= DISPLACED_STEP) {
        agents->position[id] = agents->target[id];
    } else {
        way = fr_vec2_scale(way, DISPLACED_STEP / distance);
        agents->position[id].x += fr_fixed((double)way.x);
        agents->position[id].y += fr_fixed((double)way.y);
    }
    agents->velocity[id] = (fr_vec2){0.0f, 0.0f};
}

void crowd_commit(void *context, int begin, int end, int lane)
{
    (void)lane;
    const stage *now = context;
    fr_crowd *crowd = now->crowd;
    const fr_crowd_input *input = now->input;
    fr_agents *agents = input->agents;
    for (int k = begin; k < end; k++) {
        const body *self = &crowd->bodies[k];
        uint32_t id = self->id;
        agents->previous[id] = self->start;
        if (self->part == PART_ASLEEP || self->part == PART_FIXED) {
            agents->velocity[id] = (fr_vec2){0.0f, 0.0f};
            continue;
        }
        if (self->part == PART_DISPLACED) {
            move_displaced(input, id);
            continue;
        }
        fr_vec2 offset = crowd->moved[now->pass & 1][k].offset;
        float length = fr_vec2_length(offset);
        if (self->part == PART_PARKED && length < REST_MOVE) {
            agents->velocity[id] = (fr_vec2){0.0f, 0.0f};
            continue;
        }
        float most = SPEED_CAP * agents->speed[id] * DT;
        if (length > most) {
            offset = fr_vec2_scale(offset, most / length);
            if (self->near_wall) {
                offset = crowd_clear_walls(input, self, offset);
            }
        }
        fr_position place = {self->start.x + fr_fixed((double)offset.x),
                             self->start.y + fr_fixed((double)offset.y)};
        agents->position[id] = place;
        fr_vec2 velocity = fr_vec2_scale(fr_position_delta(self->start, place), FR_TICK_HZ);
        float along = fr_vec2_dot(velocity, self->aim);
        if (self->part == PART_MOVING && along < 0.0f) {
            /* Pushed back is not bounced back: a column that is stopped must not ring like a spring. */
            velocity = fr_vec2_add(velocity, fr_vec2_scale(self->aim, -along));
        }
        agents->velocity[id] = velocity;
        fr_cell cell = fr_cell_at(place);
        agents->open_cell[id] = fr_grid_index(crowd->map, cell);
        fr_vec2 heading = agents->velocity[id];
        float speed = fr_vec2_length(heading);
        if (self->part == PART_MOVING && speed > 0.1f * self->top_speed) {
            /* A low-pass for the eye: jostling must not make the figures spin. */
            fr_vec2 facing =
                fr_vec2_add(fr_vec2_scale(agents->facing[id], 4.0f), fr_vec2_scale(heading, 1.0f / speed));
            facing = fr_vec2_normalize(facing);
            if (facing.x != 0.0f || facing.y != 0.0f) {
                agents->facing[id] = facing;
            }
        }
    }
}
