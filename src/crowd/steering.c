/* steering: how each unit goes on, from where it wants to go and the units around it: giving way, queueing,
 * the new velocity. Knows nothing of overlaps and walls as obstacles: collision.c has the last word on
 * positions. */
#include "crowd/crowd_internal.h"

/* Relaxation time of the velocity (s), longer for those who are kept waiting: a queue that reacts more slowly
 * is calmer, and carries less. Then the bound of acceleration (top speeds per second). */
#define RELAX_S       0.1f
#define QUEUE_RELAX_S 0.13f
#define ACCEL_MAX     12.0f

/* Where there are other streams, who waits presses on at this share of its top speed: where two merge, both
 * get their turn. */
#define WAIT_SPEED 0.4f
/* Slower than this share of what it would go, a unit counts as waiting. */
#define QUEUE_WAITS 0.3f
/* Traffic ahead is looked at this often (ticks, staggered by id). */
#define VEER_TICKS 2
/* Share of the way to the wanted veer made per look. */
#define VEER_RATE 0.28f
/* Giving way to others by more than this (tangent of half the angle), a unit has no eye for its queue. */
#define VEER_SMALL 0.01f

/* Giving way must not lead into a wall: turns by less until the place one radius and a half ahead is open. */
static fr_vec2 veered_aim(const fr_crowd_input *input, const body *self)
{
    float veer = input->agents->veer[self->id] + input->agents->aside[self->id];
    if (!self->near_wall) {
        return crowd_rotate(self->aim, veer); /* that place is nearer than what was found open */
    }
    for (int attempt = 0; attempt < 2; attempt++, veer *= 0.5f) {
        fr_vec2 aim = crowd_rotate(self->aim, veer);
        float ahead = self->radius + 0.6f;
        fr_position there = fr_position_add(self->start, fr_vec2_scale(aim, ahead));
        if (fr_cost_walkable(input->cost, (fr_class)self->movement_class, fr_cell_at(there))) {
            return aim;
        }
    }
    return self->aim;
}

static fr_vec2 relax(const body *self, fr_vec2 aim, float speed, float seconds)
{
    fr_vec2 change = {(aim.x * speed - self->velocity.x) / seconds,
                      (aim.y * speed - self->velocity.y) / seconds};
    float most = ACCEL_MAX * self->top_speed;
    float length = fr_vec2_length(change);
    if (length > most) {
        change = fr_vec2_scale(change, most / length);
    }
    return fr_vec2_add(self->velocity, fr_vec2_scale(change, DT));
}

/* How far a unit turns aside: for a crowd that stands, for others against it, or beside its own queue. */
static void look_aside(fr_crowd *crowd, const fr_crowd_input *input, uint32_t k)
{
    const body *self = &crowd->bodies[k];
    float *veer = &input->agents->veer[self->id];
    bool spreads = self->follows_field && crowd_has(input, FR_MECHANISM_SPREAD);
    if (crowd_has(input, FR_MECHANISM_BYPASS) && crowd_bypass_veer(crowd, input, k, veer)) {
        spreads = false;
    } else {
        bool sees = crowd_has(input, FR_MECHANISM_CONFLICT) && !crowd_is_in_lane(crowd, self);
        float wanted = sees ? crowd_conflict_veer(crowd, input, self) : 0.0f;
        *veer += VEER_RATE * (wanted - *veer);
        spreads = spreads && wanted < VEER_SMALL && wanted > -VEER_SMALL;
    }
    crowd_spread(crowd, input, k, spreads);
}

/* Where a unit would go if nobody pushed it, as an offset from where it is. Its neighbours are known. */
static fr_vec2 steer(fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, fr_vec2 heading, float cap)
{
    const body *self = &crowd->bodies[k];
    const fr_vec2 none = {0.0f, 0.0f};
    if (self->part == PART_ESCAPING) {
        return crowd_escape(input->agents, self);
    }
    if (self->part != PART_MOVING) {
        fr_vec2 wished = crowd_has(input, FR_MECHANISM_GIVEWAY) ? crowd_give_way(crowd, input, k) : none;
        bool stops = wished.x == 0.0f && wished.y == 0.0f; /* at once */
        return stops ? none : fr_vec2_scale(relax(self, wished, 1.0f, RELAX_S), DT);
    }
    fr_vec2 back;
    if (crowd->has_conflict && crowd_has(input, FR_MECHANISM_TURNS) &&
        crowd_take_turn(crowd, input, k, &back)) {
        return fr_vec2_scale(relax(self, back, 1.0f, RELAX_S), DT);
    }
    if ((input->tick + self->id) % VEER_TICKS == 0) {
        look_aside(crowd, input, k);
        heading = veered_aim(input, self);
    }
    cap = cap < self->wish ? cap : self->wish;
    if (self->waits > 0 && crowd->has_conflict) {
        float pressed = WAIT_SPEED * self->top_speed;
        pressed = pressed < self->wish ? pressed : self->wish;
        cap = cap > pressed ? cap : pressed;
    }
    if (self->on_detour && crowd_must_yield(crowd, input, k)) {
        cap = 0.0f; /* a stream that flows is not to be pushed into from the side */
    }
    if (cap < QUEUE_WAITS * self->wish) {
        input->agents->reason[self->id] = FR_REASON_QUEUE;
    }
    return fr_vec2_scale(relax(self, heading, cap, cap < self->wish ? QUEUE_RELAX_S : RELAX_S), DT);
}

/* Is a wall so near that a unit might touch it this tick? */
static bool is_near_wall(const fr_crowd_input *input, const body *self)
{
    /* A window of 5x5 cells holds all that a disc of up to one cell can touch; wider ones always look. */
    fr_cell cell = fr_cell_at(self->start);
    return self->radius > 1.0f || !fr_cost_window_is_open(input->cost, (fr_class)self->movement_class,
                                                          (fr_cell){cell.x - 2, cell.y - 2}, 5);
}

void crowd_steer(void *context, int begin, int end, int lane)
{
    (void)lane;
    const stage *now = context;
    fr_crowd *crowd = now->crowd;
    const fr_crowd_input *input = now->input;
    uint32_t next = (uint32_t)begin * CONTACT_ROWS;
    for (int k = begin; k < end; k++) {
        body *self = &crowd->bodies[k];
        if (k + FR_AGENTS_AHEAD < end) {
            __builtin_prefetch(&input->agents->aside[crowd->hash.ids[k + FR_AGENTS_AHEAD]]);
            __builtin_prefetch(&input->agents->veer[crowd->hash.ids[k + FR_AGENTS_AHEAD]]);
        }
        bool takes_part =
            self->part != PART_ASLEEP && self->part != PART_DISPLACED && self->part != PART_FIXED;
        fr_vec2 offset = {0.0f, 0.0f};
        crowd->list_start[k] = next;
        crowd->list_count[k] = 0;
        if (takes_part) {
            self->near_wall =
                self->part != PART_ESCAPING && is_near_wall(input, self); /* else it is in one */
            fr_vec2 heading = self->part == PART_MOVING ? veered_aim(input, self) : self->aim;
            float cap = crowd_find_neighbours(crowd, input, (uint32_t)k, heading);
            next += (crowd->list_count[k] + LANES - 1u) / LANES;
            offset = steer(crowd, input, (uint32_t)k, heading, cap);
        }
        crowd->offset[0][k] = crowd->offset[1][k] = offset;
        crowd->moved[k] = 0;
        atomic_store_explicit(&crowd->astir[0][k], takes_part, memory_order_relaxed);
        atomic_store_explicit(&crowd->astir[1][k], 0, memory_order_relaxed);
    }
}
