/* giveway: what those who stand do for those who pass. Whoever is in the way of a unit of another order steps
 * aside, if there is room beside it, and not farther from its post than it is wide; when nobody comes any
 * more it goes back. In a pack there is no room: those who come go round (bypass.c). Who holds never gets
 * here. */
#include "crowd/crowd_internal.h"

/* Whoever comes is let by with this much room (share of the reach), stepped aside for within this time (s).
 */
#define ROOM    1.03f
#define ASIDE_S 0.12f
/* Walls are looked for this much beyond its rim (cells). */
#define STEP_AHEAD 0.2f
/* Towards others under way it steps at this share of its top speed. */
#define PUSHING_SPEED 0.3f
/* Nobody steps farther from its post than this many of its radii. */
#define ASIDE_RADII 2.2f
/* It goes back at this share of its top speed, slower near its post (1/s), and is there within this (cells).
 */
#define BACK_SPEED 0.6f
#define BACK_RATE  5.0f
#define BACK_THERE 0.02f
/* Nearer than this (cells) others are in the way. */
#define TOUCH 0.1f
#define AHEAD 0.5f /* cosine */
/* While so much of the ground near it and its post is taken by those who pass (share of a full one), it
 * waits, or only presses. */
#define BUSY           0.14f
#define PRESSING_SPEED 0.1f
/* Farther from its post than this many radii it goes back at all; pushed about less, it stays. */
#define OFF_RADII 0.35f
/* Without this progress (cells) for so long (ticks) with nobody in the way, it stays where it is: there its
 * post is from now on. What it gains by pushing those of another order is no progress. */
#define BACK_PROGRESS       0.1f
#define BACK_PATIENCE_TICKS 12 /* before somebody who stands */
#define BACK_ALONE_TICKS    60

/* Is there no wall a step that way? */
static bool is_ground(const fr_crowd_input *input, const body *self, fr_vec2 heading)
{
    fr_vec2 step = fr_vec2_scale(heading, self->radius + STEP_AHEAD);
    fr_position there = fr_position_add(self->start, step);
    return fr_cost_walkable(input->cost, (fr_class)self->movement_class, fr_cell_at(there));
}

/* Whom a unit may be barred by. */
typedef enum barrier { BY_MOVERS, BY_STANDERS, BY_STRANGERS /* who stand */ } barrier;

/* Is one of them so near on that side that it would be pushed? */
static bool is_barred(const fr_crowd *crowd, uint32_t k, fr_vec2 heading, barrier by)
{
    const body *self = &crowd->bodies[k];
    for (int n = 0; n < crowd->list_count[k]; n++) {
        uint32_t index = crowd_neighbour(crowd, k, n);
        const body *other = &crowd->bodies[index];
        fr_vec2 way = crowd_way_to(crowd, self, index);
        float room = self->radius + crowd->discs.radius[index] + TOUCH;
        if (crowd_stands(other) != (by == BY_MOVERS) && (by != BY_STRANGERS || other->pack != self->pack) &&
            fr_vec2_dot(way, heading) > AHEAD * fr_vec2_length(way) * fr_vec2_length(heading) &&
            fr_vec2_dot(way, way) < room * room) {
            return true;
        }
    }
    return false;
}

/* Velocity out of the way of the one who comes nearest to running into it; false if nobody does, or there is
 * no room. */
static bool step_aside(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, fr_vec2 from_post,
                       fr_vec2 *velocity)
{
    const body *self = &crowd->bodies[k];
    float most = 0.0f;
    fr_vec2 aside = {0.0f, 0.0f}, along = {0.0f, 0.0f};
    bool is_held_up = false;
    for (int n = 0; n < crowd->list_count[k]; n++) {
        uint32_t index = crowd_neighbour(crowd, k, n);
        const body *other = &crowd->bodies[index];
        if (other->part != PART_MOVING || (other->pack == self->pack && self->arrived) ||
            crowd_follows(input, other->leg, self)) {
            continue; /* who follows it won't go past it */
        }
        fr_vec2 way = crowd_way_to(crowd, self, index);
        float ahead = -fr_vec2_dot(way, other->aim);
        float right = way.x * other->aim.y - way.y * other->aim.x; /* how far to the right of its line */
        float room = ROOM * (self->radius + crowd->discs.radius[index]);
        float lacking = room - (right < 0.0f ? -right : right);
        if (ahead > 0.0f && ahead < other->way && lacking > most) {
            most = lacking;
            along = other->aim;
            is_held_up = other->waits > 0;
            bool to_right = right != 0.0f ? right > 0.0f : self->id < other->id;
            aside = to_right ? (fr_vec2){-along.y, along.x} : (fr_vec2){along.y, -along.x};
        }
    }
    *velocity = (fr_vec2){0.0f, 0.0f};
    if (most == 0.0f || (!is_held_up && crowd_is_crowded(crowd, self, (fr_vec2){0.0f, 0.0f}))) {
        return false;
    }
    float speed = most / ASIDE_S;
    /* Between walls, and between those whom it holds up, it goes on before the other until there is room. */
    if (!is_ground(input, self, aside) || (is_held_up && is_barred(crowd, k, aside, BY_MOVERS))) {
        if (!is_ground(input, self, along)) {
            return false;
        }
        aside = along;
        speed = self->top_speed;
    } else if (fr_vec2_dot(from_post, aside) > ASIDE_RADII * self->radius) {
        return false;
    }
    float fastest = self->top_speed * (is_barred(crowd, k, aside, BY_MOVERS) ? PUSHING_SPEED : 1.0f);
    *velocity = fr_vec2_scale(aside, speed < fastest ? speed : fastest);
    return true;
}

/* Has a unit that has arrived a goal of its own? Nowhere else would it have arrived. */
static bool has_own_goal(const fr_crowd_input *input, const body *self)
{
    const fr_leg *leg = self->leg != FR_NO_INDEX ? &input->orders->legs[self->leg] : NULL;
    return self->arrived && leg != NULL && leg->units == 1 && leg->pack == 0;
}

/* Velocity back to the post. */
static fr_vec2 go_back(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, fr_vec2 to_post,
                       bool is_busy)
{
    const body *self = &crowd->bodies[k];
    fr_agents *agents = input->agents;
    float distance = fr_vec2_length(to_post);
    bool insists = has_own_goal(input, self);
    bool gains = distance < agents->best[self->id] - BACK_PROGRESS;
    /* With a stranger both would push, and neither would get far. */
    if (is_busy || (gains && (insists || !is_barred(crowd, k, to_post, BY_STRANGERS)))) {
        agents->best[self->id] = distance;
        agents->stall_ticks[self->id] = 0;
    } else {
        agents->stall_ticks[self->id]++;
    }
    /* Wedged, whoever it is between. */
    bool is_held = !insists && self->velocity.x == 0.0f && self->velocity.y == 0.0f;
    int patience =
        is_held || is_barred(crowd, k, to_post, BY_STANDERS) ? BACK_PATIENCE_TICKS : BACK_ALONE_TICKS;
    if (distance <= BACK_THERE || agents->stall_ticks[self->id] >= patience) {
        agents->target[self->id] = self->start;
        agents->flags[self->id] &= (uint8_t)~FR_AGENT_OFF_POST;
        return (fr_vec2){0.0f, 0.0f};
    }
    if (is_busy && distance <= ASIDE_RADII * self->radius) {
        return (fr_vec2){0.0f, 0.0f};
    }
    float speed = distance * BACK_RATE, most = (is_busy ? PRESSING_SPEED : BACK_SPEED) * self->top_speed;
    return fr_vec2_scale(to_post, (speed < most ? speed : most) / distance);
}

fr_vec2 crowd_give_way(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k)
{
    const body *self = &crowd->bodies[k];
    fr_agents *agents = input->agents;
    fr_vec2 to_post = fr_position_delta(self->start, agents->target[self->id]);
    bool is_off = (agents->flags[self->id] & FR_AGENT_OFF_POST) != 0;
    if (!is_off && fr_vec2_length(to_post) > OFF_RADII * self->radius) {
        agents->flags[self->id] |= FR_AGENT_OFF_POST;
        fr_agents_restart(agents, self->id);
        is_off = true;
    }
    fr_vec2 velocity;
    bool steps = step_aside(crowd, input, k, fr_vec2_scale(to_post, -1.0f), &velocity);
    bool is_busy =
        is_barred(crowd, k, to_post, BY_MOVERS) ||
        crowd_moving_at(crowd, self, (fr_vec2){0.0f, 0.0f}) + crowd_moving_at(crowd, self, to_post) > BUSY;
    return steps || !is_off ? velocity : go_back(crowd, input, k, to_post, is_busy);
}
