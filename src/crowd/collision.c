/* collision: position correction (Weiss et al., "Fast position-based multi-agent group dynamics", 2019, in
 * Jacobi form) and the end of a unit's tick. Discs are pushed apart, walls come last: a centre is never in a
 * wall. */
#include "crowd/crowd_internal.h"

#include "base/rng.h"

/* Nearer than this (cells) two units are on one spot, and which way is apart must be decided. */
#define ONE_SPOT 1e-5f
/* Over-relaxation for units with several touches. */
#define OMEGA 1.6f
/* A correction per pass is at most this share of the radius. */
#define CORRECTION_MAX 0.5f
/* Nobody gets farther than this many of its top speeds by being pushed: whoever presses has to yield. */
#define PUSHED_MAX 1.04f
/* An overlap (share of the reach) of more than this after the usual passes calls for another. */
#define DEEP 0.02f
/* What a pass did to a unit. */
enum { HAS_MOVED = 1, WAS_DEEP = 2 };
/* A pass that would move a unit by less than this (cells) leaves it where it is, and it is skipped until one
 * of its neighbours moves. Five times as much leaves overlaps standing and packs that won't come to rest. */
#define STILL_MOVE 1e-4f
/* A standing unit that would move less than this (cells) does not. */
#define REST_MOVE 1e-3f
/* Nobody is moved by more than this many top speeds in a tick. */
#define SPEED_CAP 1.99f

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

static lanes lanes_sqrt(lanes v)
{
    for (int l = 0; l < LANES; l++) {
        v[l] = sqrtf(v[l]);
    }
    return v;
}

/* Where `test` holds `yes`, elsewhere `no`. */
static lanes lanes_select(lanes_mask test, lanes yes, lanes no)
{
    return (lanes)((test & (lanes_mask)yes) | (~test & (lanes_mask)no));
}

/* Sum of what the unit's neighbours push it by, how many touch it, and whether one does so deeply. Without
 * branches and a row at a time: who touches whom can't be predicted. The sum is taken in the list's order. */
static fr_vec2 push_of(const stage *now, int k, const fr_vec2 *offset, int *touches, bool *is_deep)
{
    const fr_crowd *crowd = now->crowd;
    const contacts *row = crowd->contacts + crowd->list_start[k];
    const lanes none = {0}, one_spot = none + ONE_SPOT;
    fr_vec2 place = offset[k], push = {0.0f, 0.0f};
    lanes_mask touching = {0}, deep = {0};
    for (int first = 0; first < crowd->list_count[k]; first += LANES, row++) {
        const fr_vec2 *a = &offset[row->index[0]], *b = &offset[row->index[1]];
        const fr_vec2 *c = &offset[row->index[2]], *d = &offset[row->index[3]];
        lanes x = row->x + (lanes){a->x, b->x, c->x, d->x} - place.x;
        lanes y = row->y + (lanes){a->y, b->y, c->y, d->y} - place.y;
        lanes distance = lanes_sqrt(x * x + y * y);
        lanes_mask touch = distance < row->reach;
        lanes_mask apart = distance > one_spot;
        lanes force = lanes_select(touch, (row->reach - distance) * row->weight, none);
        lanes share = force / lanes_select(apart, distance, one_spot);
        lanes push_x = x * share, push_y = y * share;
        touching -= touch;
        deep |= distance < row->reach * (1.0f - DEEP);
        for (int l = 0; l < LANES; l++) {
            push.x -= push_x[l];
            push.y -= push_y[l];
        }
        for (int l = 0; l < LANES; l++) {
            if (!apart[l]) {
                fr_vec2 out =
                    symmetry_breaker(now->input, crowd->bodies[k].id, crowd->bodies[row->index[l]].id);
                push = fr_vec2_add(push, fr_vec2_scale(out, force[l]));
            }
        }
    }
    *is_deep = (deep[0] | deep[1] | deep[2] | deep[3]) != 0;
    *touches = touching[0] + touching[1] + touching[2] + touching[3];
    return push;
}

bool crowd_is_deep(const fr_crowd *crowd, int pass)
{
    unsigned any = 0;
    for (int32_t k = 0; k < crowd->hash.count; k++) {
        any |= crowd->moved[pass & 1][k];
    }
    return (any & WAS_DEEP) != 0;
}

/* Whether the last pass moved the unit or one of its neighbours: if not, this one finds what that one found.
 */
static bool is_astir(const fr_crowd *crowd, int k, const uint8_t *moved)
{
    unsigned any = moved[k];
    const contacts *row = crowd->contacts + crowd->list_start[k];
    for (int first = 0; first < crowd->list_count[k] && any == 0; first += LANES, row++) {
        for (int l = 0; l < LANES; l++) {
            any |= moved[row->index[l]];
        }
    }
    return any != 0;
}

void crowd_correct(void *context, int begin, int end, int lane)
{
    (void)lane;
    const stage *now = context;
    fr_crowd *crowd = now->crowd;
    int before = now->pass & 1, after = before ^ 1;
    const fr_vec2 *from = crowd->offset[before];
    for (int k = begin; k < end; k++) {
        fr_vec2 place = from[k];
        crowd->offset[after][k] = place;
        crowd->moved[after][k] = 0;
        if (!is_astir(crowd, k, crowd->moved[before])) {
            continue;
        }
        const body *self = &crowd->bodies[k];
        int touches;
        bool is_deep;
        fr_vec2 push = push_of(now, k, from, &touches, &is_deep);
        if (touches > 1) {
            push = fr_vec2_scale(push, OMEGA / (1.0f + 0.5f * (float)(touches - 1)));
        }
        float squared = fr_vec2_dot(push, push), most = CORRECTION_MAX * self->radius;
        if (squared > most * most) {
            push = fr_vec2_scale(push, most / sqrtf(squared));
        }
        bool moves = squared > STILL_MOVE * STILL_MOVE;
        if (moves) {
            place = fr_vec2_add(place, push);
            float far = PUSHED_MAX * self->own_speed * DT, length = fr_vec2_dot(place, place);
            if (length > far * far) {
                place = fr_vec2_scale(place, far / sqrtf(length));
            }
        }
        if (self->near_wall && (moves || now->pass == 0)) {
            place = crowd_clear_walls(now->input, self, place);
            moves = true;
        }
        crowd->offset[after][k] = place;
        crowd->moved[after][k] = (uint8_t)((moves ? HAS_MOVED : 0) | (is_deep ? WAS_DEEP : 0));
    }
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
        fr_vec2 offset = crowd->offset[now->pass & 1][k];
        if (self->part == PART_DISPLACED || self->part == PART_ESCAPING) {
            crowd_end_escape(agents, self, offset);
            continue;
        }
        float length = fr_vec2_length(offset);
        if (crowd_stands(self) && length < REST_MOVE) {
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
        fr_position place = fr_position_add(self->start, offset);
        agents->position[id] = place;
        fr_vec2 velocity = fr_vec2_scale(fr_position_delta(self->start, place), FR_TICK_HZ);
        float along = fr_vec2_dot(velocity, self->aim);
        if (self->part == PART_MOVING && along < 0.0f && agents->backs[id] == 0) {
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
