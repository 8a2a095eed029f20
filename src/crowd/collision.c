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
/* Passes of a crush begin with those who overlap deeply, and with those who are left of them after so many:
 * in each, those whom the last one moved and their neighbours take part. */
#define CRUSH_ROUNDS 12
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

/* What a unit's neighbours do to it. */
typedef struct pressure {
    fr_vec2 push; /* sum of what they push it by */
    int touches;  /* how many touch it */
    bool is_deep; /* one does so deeply */
} pressure;

/* Adds what those push the unit by who stand on the same spot. */
static fr_vec2 push_off_spot(const stage *now, int k, const fr_vec2 *offset, fr_vec2 push)
{
    const fr_crowd *crowd = now->crowd;
    const contacts *row = crowd->contacts + crowd->list_start[k];
    for (int n = 0; n < crowd->list_count[k]; n++) {
        int l = n % LANES;
        uint32_t other = row[n / LANES].index[l];
        fr_vec2 way = {row[n / LANES].x[l] + offset[other].x - offset[k].x,
                       row[n / LANES].y[l] + offset[other].y - offset[k].y};
        float distance = fr_vec2_length(way);
        if (distance <= ONE_SPOT) {
            fr_vec2 out = symmetry_breaker(now->input, crowd->bodies[k].id, crowd->bodies[other].id);
            float force = (row[n / LANES].reach[l] - distance) * row[n / LANES].weight[l];
            push = fr_vec2_add(push, fr_vec2_scale(out, force));
        }
    }
    return push;
}

/* Without branches and a row at a time: who touches whom can't be predicted. */
static pressure pressure_on(const stage *now, int k, const fr_vec2 *offset)
{
    const fr_crowd *crowd = now->crowd;
    const contacts *row = crowd->contacts + crowd->list_start[k];
    const lanes none = {0}, one_spot = none + ONE_SPOT;
    fr_vec2 place = offset[k];
    lanes push_x = {0}, push_y = {0};
    lanes_mask touching = {0}, deep = {0}, on_spot = {0};
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
        push_x -= x * share;
        push_y -= y * share;
        touching -= touch;
        on_spot |= ~apart;
        deep |= distance < row->reach * (1.0f - DEEP);
    }
    if (!lanes_any(touching | on_spot)) {
        return (pressure){.touches = 0};
    }
    fr_vec2 push = {lanes_sum(push_x), lanes_sum(push_y)};
    return (pressure){
        .push = lanes_any(on_spot) ? push_off_spot(now, k, offset, push) : push,
        .touches = touching[0] + touching[1] + touching[2] + touching[3],
        .is_deep = lanes_any(deep),
    };
}

static void correct_unit(const stage *now, int k)
{
    fr_crowd *crowd = now->crowd;
    int before = now->pass & 1, after = before ^ 1;
    const fr_vec2 *from = crowd->offset[before];
    const body *self = &crowd->bodies[k];
    fr_vec2 place = from[k];
    pressure on = pressure_on(now, k, from);
    fr_vec2 push = on.push;
    if (on.touches > 1) {
        push = fr_vec2_scale(push, OMEGA / (1.0f + 0.5f * (float)(on.touches - 1)));
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
    crowd->moved[k] = (uint8_t)((moves ? HAS_MOVED : 0) | (on.is_deep ? WAS_DEEP : 0));
}

/* Whom the last pass has not moved, nor one of its neighbours, this one would leave where it is. Both states
 * have it there already: it was part of neither the last pass nor a later one than that which left it. */
void crowd_correct(void *context, int begin, int end, int lane)
{
    (void)lane;
    const stage *now = context;
    fr_crowd *crowd = now->crowd;
    _Atomic uint8_t *astir = crowd->astir[now->pass & 1], *next = crowd->astir[(now->pass & 1) ^ 1];
    for (int k = begin; k < end; k++) {
        if (atomic_load_explicit(&astir[k], memory_order_relaxed) == 0) {
            continue;
        }
        atomic_store_explicit(&astir[k], 0, memory_order_relaxed);
        correct_unit(now, k);
        if (crowd->moved[k] != 0) {
            atomic_store_explicit(&next[k], 1, memory_order_relaxed);
            for (int n = 0; n < crowd->list_count[k]; n++) {
                atomic_store_explicit(&next[crowd_neighbour(crowd, (uint32_t)k, n)], 1, memory_order_relaxed);
            }
        }
    }
}

void crowd_correct_crush(void *context, int begin, int end, int lane)
{
    (void)lane;
    const stage *now = context;
    for (int i = begin; i < end; i++) {
        correct_unit(now, (int)now->crowd->crush[i]);
    }
}

static void join_crush(fr_crowd *crowd, uint32_t k)
{
    if (!crowd->is_in_crush[k]) {
        crowd->is_in_crush[k] = true;
        crowd->crush[crowd->crush_count++] = k;
    }
}

bool crowd_find_crush(fr_crowd *crowd, int pass, int round)
{
    int before = pass & 1, after = before ^ 1;
    const uint8_t *moved = crowd->moved;
    if (round == 0) {
        crowd->crush_count = crowd->hash.count;
        for (int32_t k = 0; k < crowd->hash.count; k++) {
            crowd->crush[k] = (uint32_t)k;
        }
    }
    uint32_t *last = crowd->crush;
    int32_t last_count = crowd->crush_count;
    unsigned any = 0;
    for (int32_t i = 0; i < last_count; i++) {
        any |= moved[last[i]];
    }
    if ((any & WAS_DEEP) == 0) {
        return false;
    }
    crowd->crush = crowd->last_crush;
    crowd->last_crush = last;
    crowd->crush_count = 0;
    /* Who is not in it any more stays where it is. */
    for (int32_t i = 0; i < last_count; i++) {
        crowd->offset[after][last[i]] = crowd->offset[before][last[i]];
    }
    int wanted = round % CRUSH_ROUNDS == 0 ? WAS_DEEP : WAS_DEEP | HAS_MOVED;
    for (int32_t i = 0; i < last_count; i++) {
        uint32_t k = last[i];
        if ((moved[k] & wanted) == 0) {
            continue;
        }
        join_crush(crowd, k);
        for (int n = 0; n < crowd->list_count[k]; n++) {
            join_crush(crowd, crowd_neighbour(crowd, k, n));
        }
    }
    for (int32_t i = 0; i < crowd->crush_count; i++) {
        crowd->is_in_crush[crowd->crush[i]] = false;
    }
    return true;
}

/* Where a unit ends up, and how fast it is. */
static void end_tick(const stage *now, int k)
{
    const fr_crowd *crowd = now->crowd;
    const fr_crowd_input *input = now->input;
    fr_agents *agents = input->agents;
    const body *self = &crowd->bodies[k];
    uint32_t id = self->id;
    agents->previous[id] = self->start;
    if (self->part == PART_ASLEEP || self->part == PART_FIXED) {
        agents->velocity[id] = (fr_vec2){0.0f, 0.0f};
        return;
    }
    fr_vec2 offset = crowd->offset[now->pass & 1][k];
    if (self->part == PART_DISPLACED || self->part == PART_ESCAPING) {
        crowd_end_escape(agents, self, offset);
        return;
    }
    float length = fr_vec2_length(offset);
    if (crowd_stands(self) && length < REST_MOVE) {
        agents->velocity[id] = (fr_vec2){0.0f, 0.0f};
        return;
    }
    float most = SPEED_CAP * self->own_speed * DT;
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

/* Asks for what crowd_commit() writes of a unit (FR_AGENTS_AHEAD). */
static void expect(const fr_agents *agents, uint32_t id)
{
    __builtin_prefetch(&agents->position[id], 1);
    __builtin_prefetch(&agents->previous[id], 1);
    __builtin_prefetch(&agents->velocity[id], 1);
    __builtin_prefetch(&agents->facing[id], 1);
    __builtin_prefetch(&agents->open_cell[id], 1);
    __builtin_prefetch(&agents->best[id], 1);
    __builtin_prefetch(&agents->stall_ticks[id], 1);
    __builtin_prefetch(&agents->backs[id]);
    __builtin_prefetch(&agents->flags[id]);
    __builtin_prefetch(&agents->leaves[id]);
}

void crowd_commit(void *context, int begin, int end, int lane)
{
    (void)lane;
    const stage *now = context;
    for (int k = begin; k < end; k++) {
        if (k + FR_AGENTS_AHEAD < end) {
            expect(now->input->agents, now->crowd->hash.ids[k + FR_AGENTS_AHEAD]);
        }
        end_tick(now, k);
        now->crowd->is_arriving[k] =
            now->input->mover != FR_MOVER_NAIVE && crowd_approach(now->input, &now->crowd->bodies[k]);
    }
}
