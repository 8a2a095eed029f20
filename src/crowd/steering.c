/* steering: where each unit wants to go and at what speed, from its order, its field and the units around it.
 * Knows nothing of overlaps and walls as obstacles: collision.c has the last word on positions. */
#include "crowd/crowd_internal.h"
#include "crowd/ground_speed.h"

#include "field/line_of_sight.h"

/* A unit looks anew for a free line this often (ticks, staggered by id) and this far (cells). */
#define LINE_TICKS 8
#define LINE_REACH 40.0f

/* Relaxation time of the velocity (s) and the bound of acceleration (top speeds per second). */
#define RELAX_S   0.1f
#define ACCEL_MAX 12.0f

/* Approaching its place a unit slows to distance x this (1/s). */
#define APPROACH_RATE 7.0f

/* Queue: follow the one ahead at QUEUE_GAIN times its speed (at its speed alone, queues run dry), plus what
 * closes the gap in QUEUE_S. Nobody crawls below QUEUE_FLOOR of the top speed: somebody can always move. */
#define QUEUE_GAIN  1.5f
#define QUEUE_S     0.2f
#define QUEUE_FLOOR 0.05f
/* Who has got nowhere for this long (ticks), or twice as long, presses WAIT_PUSH times as hard and yields
 * less: where two streams merge, both get their turn. */
#define WAIT_TICKS 45
#define WAIT_PUSH  8.0f
/* Ahead: at least this much nearer to the goal (cells). */
#define QUEUE_AHEAD 0.02f
/* Slower than this share of what it would go, a unit counts as waiting. */
#define QUEUE_WAITS 0.3f
/* Only those who go the same way queue: cosine between their aims. */
#define QUEUE_SAME_WAY 0.5f
/* Traffic ahead is looked at this often (ticks, staggered by id). */
#define VEER_TICKS 2
/* A unit that gives way by more than this is not queueing (tangent of half the angle). */
#define QUEUE_VEER_MAX 0.075f

/* Shares of an overlap: of the one ahead and the one behind in a queue, of settled and idle units against
 * movers. */
#define SHARE_AHEAD   0.35f
#define SHARE_BEHIND  0.65f
#define SHARE_SETTLED 0.35f
#define SHARE_IDLE    0.6f

static float ground_speed(const fr_crowd_input *input, fr_class movement_class, fr_cell cell, float speed)
{
    return fr_ground_speed(speed, input->full_speed_cost, fr_cost_at(input->cost, movement_class, cell));
}

enum { LINE_FLAGS = FR_AGENT_LINE_FREE | FR_AGENT_VIA_FREE | FR_AGENT_VIA_FREE << 1 };

/* Which of its place, and the corners on the way there, a unit can walk to straight: the first of them is
 * enough. */
static uint8_t line_to_place(const fr_crowd_input *input, uint32_t id, float distance)
{
    const fr_agents *agents = input->agents;
    fr_class movement_class = (fr_class)agents->movement_class[id];
    fr_position from = agents->position[id], to = agents->target[id];
    float half_width = agents->radius[id] * 0.9f;
    /* Close by, the parallels of a wide disc may brush a wall that the place itself keeps clear of. */
    if (fr_line_is_free(input->cost, movement_class, from, to, distance < 1.5f ? 0.0f : half_width)) {
        return FR_AGENT_LINE_FREE;
    }
    for (int i = 0; i < FR_VIAS; i++) {
        fr_position corner = agents->via[id].corner[i];
        if (fr_line_is_free(input->cost, movement_class, from, corner, half_width)) {
            return (uint8_t)(FR_AGENT_VIA_FREE << i);
        }
    }
    return 0;
}

/* Keeps the flags that say which straight line is free. */
static void look_for_line(const fr_crowd_input *input, uint32_t id, const fr_leg *leg, float distance)
{
    fr_agents *agents = input->agents;
    bool recheck = (agents->flags[id] & FR_AGENT_RECHECK) != 0;
    if (!recheck && (input->tick + id) % LINE_TICKS != 0) {
        return;
    }
    agents->flags[id] &= (uint8_t) ~(FR_AGENT_RECHECK | LINE_FLAGS);
    if ((agents->flags[id] & FR_AGENT_HAS_SLOT) != 0) {
        agents->flags[id] |= line_to_place(input, id, distance);
        return;
    }
    /* Which of several goals is nearest is the field's business. */
    if ((leg->field != NULL && distance > LINE_REACH) || !fr_leg_has_one_point(input->orders, leg)) {
        return;
    }
    if (fr_leg_line_is_even(leg, input->cost, agents->position[id], agents->target[id],
                            agents->radius[id] * 0.95f)) {
        agents->flags[id] |= FR_AGENT_LINE_FREE;
    }
}

/* Way left in cells of even ground: the field's potential, carried on inside the cell along the direction. */
static float way_left(const fr_field_sample *sample, fr_position position, float cost)
{
    fr_position centre = fr_cell_centre(fr_cell_at(position));
    fr_vec2 from_centre = fr_position_delta(centre, position);
    return (float)sample->potential * (1.0f / FR_STEP_STRAIGHT) -
           fr_vec2_dot(from_centre, sample->direction) * cost;
}

/* Length of the way to a unit's place from here over the corners that it still has to round, and where to
 * aim. */
static float way_to_place(const fr_agents *agents, uint32_t id, fr_position *aim_at)
{
    const fr_via *via = &agents->via[id];
    fr_position from = agents->position[id];
    float length = 0.0f;
    *aim_at = agents->target[id];
    for (int i = FR_VIAS - 1; i >= 0; i--) {
        if ((agents->flags[id] & FR_AGENT_VIA_FREE << i) == 0 && length == 0.0f) {
            continue;
        }
        *aim_at = length == 0.0f ? via->corner[i] : *aim_at;
        length += fr_vec2_length(fr_position_delta(from, via->corner[i])) + 1e-3f;
        from = via->corner[i];
    }
    return length + fr_vec2_length(fr_position_delta(from, agents->target[id]));
}

static void look_moving(const fr_crowd_input *input, body *self)
{
    fr_agents *agents = input->agents;
    uint32_t id = self->id;
    const fr_leg *leg = &input->orders->legs[agents->leg[id]];
    look_for_line(input, id, leg, fr_vec2_length(fr_position_delta(self->start, agents->target[id])));
    fr_position aim_at = agents->target[id];
    bool has_slot = (agents->flags[id] & FR_AGENT_HAS_SLOT) != 0;
    float way =
        has_slot ? way_to_place(agents, id, &aim_at) : fr_vec2_length(fr_position_delta(self->start, aim_at));
    fr_vec2 to_aim = fr_position_delta(self->start, aim_at);
    float distance = fr_vec2_length(to_aim);

    fr_field_sample sample = {.kind = FR_SAMPLE_NONE, .potential = FR_UNREACHED};
    if (leg->field != NULL) {
        sample = fr_field_sample_at(leg->field, self->start);
    }
    if (sample.kind == FR_SAMPLE_NONE && leg->fit >= FR_CLASS_COUNT) {
        crowd_squeeze_out(input, leg, self->start, &sample);
    }
    self->cell_potential = sample.potential;
    float cost = (float)fr_cost_at(input->cost, leg->view, fr_cell_at(self->start));
    self->potential = sample.kind == FR_SAMPLE_STEP ? way_left(&sample, self->start, cost) : way;
    self->wish = self->top_speed;
    self->way = way;
    if (!has_slot) { /* in the pack, pressing would only rouse those who rest */
        self->waits =
            (uint8_t)(agents->stall_ticks[id] < 2 * WAIT_TICKS ? agents->stall_ticks[id] / WAIT_TICKS : 2);
    }
    if ((agents->flags[id] & LINE_FLAGS) != 0 || (sample.kind == FR_SAMPLE_GOAL && distance > 0.0f)) {
        self->aim = distance > 1e-6f ? fr_vec2_scale(to_aim, 1.0f / distance) : (fr_vec2){0.0f, 0.0f};
        agents->reason[id] = has_slot ? FR_REASON_SLOT : FR_REASON_STRAIGHT;
    } else if (sample.kind == FR_SAMPLE_STEP || sample.kind == FR_SAMPLE_ROUGH) {
        self->aim = sample.direction;
        self->follows_field = true;
        self->way = FIELD_WAY + self->potential;
        agents->reason[id] = leg->reachable ? FR_REASON_FIELD : FR_REASON_NO_WAY;
    } else {
        self->way = 2.0f * FIELD_WAY;
        self->aim = (fr_vec2){0.0f, 0.0f};
        self->wish = 0.0f;
        agents->reason[id] = leg->field == NULL ? FR_REASON_WAITING_FIELD : FR_REASON_NO_WAY;
    }
    if (has_slot || fr_leg_has_one_point(input->orders, leg)) {
        float approach = way * APPROACH_RATE;
        self->wish = approach < self->wish ? approach : self->wish;
    }
}

/* Parked units sleep where nothing near them moves: their buckets all around are quiet. */
static bool neighbourhood_is_quiet(const fr_spatial_hash *hash, fr_position position)
{
    fr_cell bucket = fr_spatial_hash_bucket(hash, position);
    for (int32_t y = bucket.y - 1; y <= bucket.y + 1; y++) {
        for (int32_t x = bucket.x - 1; x <= bucket.x + 1; x++) {
            if (x >= 0 && y >= 0 && x < hash->columns && y < hash->rows &&
                hash->active[y * hash->columns + x]) {
                return false;
            }
        }
    }
    return true;
}

void crowd_look(void *context, int begin, int end, int lane)
{
    (void)lane;
    const stage *now = context;
    fr_crowd *crowd = now->crowd;
    const fr_crowd_input *input = now->input;
    fr_agents *agents = input->agents;
    for (int k = begin; k < end; k++) {
        uint32_t id = crowd->hash.ids[k];
        body *self = &crowd->bodies[k];
        *self = (body){
            .start = agents->position[id],
            .velocity = agents->velocity[id],
            .radius = agents->radius[id],
            .mass = agents->radius[id] * agents->radius[id],
            .id = id,
            .order = FR_NO_INDEX,
            .movement_class = agents->movement_class[id],
        };
        crowd->discs[k] = (disc){.start = self->start, .radius = self->radius};
        fr_cell cell = fr_cell_at(self->start);
        self->top_speed = ground_speed(input, (fr_class)self->movement_class, cell, agents->speed[id]);
        if (agents->leg[id] != FR_NO_INDEX) {
            self->order = agents->order[id];
        }
        if ((agents->flags[id] & FR_AGENT_DISPLACED) != 0) {
            self->part = PART_DISPLACED;
        } else if (agents->state[id] == FR_UNIT_MOVING) {
            self->part = PART_MOVING;
            look_moving(input, self);
        } else {
            bool holds = agents->state[id] == FR_UNIT_HOLDING;
            self->arrived = agents->state[id] == FR_UNIT_ARRIVED;
            bool rests = self->velocity.x == 0.0f && self->velocity.y == 0.0f;
            self->part = holds                                                        ? PART_FIXED
                         : rests && neighbourhood_is_quiet(&crowd->hash, self->start) ? PART_ASLEEP
                                                                                      : PART_PARKED;
        }
    }
}

/* How much of an overlap with `other` this unit takes upon itself; both shares add up to 1. */
static float share_of(const body *self, const body *other)
{
    bool self_stands = self->part != PART_MOVING, other_stands = other->part != PART_MOVING;
    if (self->part == PART_FIXED) {
        return 0.0f;
    }
    if (other->part == PART_FIXED) {
        return 1.0f;
    }
    float share = 0.5f;
    if (self_stands != other_stands) {
        const body *stander = self_stands ? self : other;
        float standing = stander->arrived ? SHARE_SETTLED : SHARE_IDLE;
        share = self_stands ? standing : 1.0f - standing;
    } else if (self->waits != other->waits) {
        share = self->waits > other->waits ? SHARE_AHEAD : SHARE_BEHIND;
    } else if (!self_stands && self->order == other->order && self->potential != other->potential) {
        share = self->potential < other->potential ? SHARE_AHEAD : SHARE_BEHIND;
    }
    /* The heavier one yields less; at equal masses the share stays as it is. */
    float mine = share * other->mass, theirs = (1.0f - share) * self->mass;
    return mine / (mine + theirs);
}

/* Fills the unit's list of neighbours and lowers `cap` (cells/s) to what the one ahead allows. */
static void find_neighbours(fr_crowd *crowd, uint32_t k, float veer, float *cap)
{
    const fr_spatial_hash *hash = &crowd->hash;
    const body *self = &crowd->bodies[k];
    neighbour *list = crowd->neighbours + crowd->list_start[k];
    int count = 0;
    bool queues = self->part == PART_MOVING && veer < QUEUE_VEER_MAX && veer > -QUEUE_VEER_MAX;
    fr_cell bucket = fr_spatial_hash_bucket(hash, self->start);
    for (int32_t row = bucket.y - 1; row <= bucket.y + 1; row++) {
        uint32_t begin, end;
        fr_spatial_hash_row(hash, bucket.x, row, &begin, &end);
        for (uint32_t j = begin; j < end; j++) {
            fr_vec2 way = fr_position_delta(self->start, crowd->discs[j].start);
            float reach = self->radius + crowd->discs[j].radius;
            float squared = fr_vec2_dot(way, way);
            float look = reach + QUEUE_REACH;
            if (squared >= look * look || j == k) {
                continue;
            }
            const body *other = &crowd->bodies[j];
            if (other->part == PART_DISPLACED) {
                continue;
            }
            if (queues && other->part == PART_MOVING && other->order == self->order &&
                other->potential < self->potential - QUEUE_AHEAD &&
                fr_vec2_dot(self->aim, other->aim) > QUEUE_SAME_WAY) {
                float ahead = fr_vec2_dot(way, self->aim);
                float side = way.x * self->aim.y - way.y * self->aim.x;
                if (ahead > 0.0f && side < 0.9f * reach && side > -0.9f * reach) {
                    float gap = sqrtf(squared) - reach;
                    float pace = fr_vec2_dot(other->velocity, self->aim);
                    pace = pace > 0.0f ? pace : 0.0f;
                    gap = gap > 0.0f ? gap : 0.0f;
                    float limit = QUEUE_GAIN * pace + gap / QUEUE_S;
                    *cap = limit < *cap ? limit : *cap;
                }
            }
            float keep = reach + NEIGHBOUR_MARGIN;
            if (squared >= keep * keep) {
                continue;
            }
            if (count == NEIGHBOURS_MAX) {
                atomic_fetch_add_explicit(&crowd->neighbours_dropped, 1, memory_order_relaxed);
                continue;
            }
            bool both_stand = self->part != PART_MOVING && other->part != PART_MOVING;
            list[count++] =
                (neighbour){.index = j,
                            .x = way.x,
                            .y = way.y,
                            .weight = both_stand ? -share_of(self, other) : share_of(self, other)};
        }
    }
    crowd->list_count[k] = (uint8_t)count;
}

/* Rotates by the angle whose half has this tangent: rational, so that no trigonometry is needed. */
static fr_vec2 rotate(fr_vec2 v, float half_tangent)
{
    float scale = 1.0f / (1.0f + half_tangent * half_tangent);
    float c = (1.0f - half_tangent * half_tangent) * scale, s = 2.0f * half_tangent * scale;
    return (fr_vec2){v.x * c - v.y * s, v.x * s + v.y * c};
}

/* Giving way must not lead into a wall: turns by less until the place one radius and a half ahead is open. */
static fr_vec2 veered_aim(const fr_crowd_input *input, const body *self, float veer)
{
    for (int attempt = 0; attempt < 2; attempt++, veer *= 0.5f) {
        fr_vec2 aim = rotate(self->aim, veer);
        float ahead = self->radius + 0.6f;
        fr_position there = {self->start.x + fr_fixed((double)(aim.x * ahead)),
                             self->start.y + fr_fixed((double)(aim.y * ahead))};
        if (fr_cost_walkable(input->cost, (fr_class)self->movement_class, fr_cell_at(there))) {
            return aim;
        }
    }
    return self->aim;
}

/* Is there room to go that way at once? Whoever goes that way too is no hindrance. */
static bool way_is_clear(const fr_crowd *crowd, uint32_t k, fr_vec2 heading)
{
    const body *self = &crowd->bodies[k];
    const neighbour *list = crowd->neighbours + crowd->list_start[k];
    for (int n = 0; n < crowd->list_count[k]; n++) {
        float ahead = list[n].x * heading.x + list[n].y * heading.y;
        float side = list[n].x * heading.y - list[n].y * heading.x;
        float width = 0.9f * (self->radius + crowd->discs[list[n].index].radius);
        if (ahead > 0.0f && side < width && side > -width &&
            fr_vec2_dot(crowd->bodies[list[n].index].velocity, heading) < 0.5f * self->wish) {
            return false;
        }
    }
    return true;
}

/* A queue must not form where there is room beside it: whoever would have to wait goes round, as long as that
 * leads downhill too. Crowds that follow one best line spread out by this. Zero if waiting is all that is
 * left. */
static fr_vec2 sidestep(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k)
{
    static const float half_tangents[] = {0.268f, 0.577f}; /* 30 and 60 degrees */
    const body *self = &crowd->bodies[k];
    const fr_leg *leg = &input->orders->legs[input->agents->leg[self->id]];
    float first = (self->id & 1) != 0 ? 1.0f : -1.0f;
    for (int i = 0; i < 4; i++) {
        fr_vec2 heading = rotate(self->aim, half_tangents[i / 2] * (i % 2 == 0 ? first : -first));
        float ahead = self->radius + 0.8f;
        fr_position there = {self->start.x + fr_fixed((double)(heading.x * ahead)),
                             self->start.y + fr_fixed((double)(heading.y * ahead))};
        if (fr_field_value(leg->field, fr_cell_at(there)) < self->cell_potential &&
            way_is_clear(crowd, k, heading)) {
            return heading;
        }
    }
    return (fr_vec2){0.0f, 0.0f};
}

static fr_vec2 relax(const body *self, fr_vec2 aim, float speed)
{
    fr_vec2 change = {(aim.x * speed - self->velocity.x) / RELAX_S,
                      (aim.y * speed - self->velocity.y) / RELAX_S};
    float most = ACCEL_MAX * self->top_speed;
    float length = fr_vec2_length(change);
    if (length > most) {
        change = fr_vec2_scale(change, most / length);
    }
    return fr_vec2_add(self->velocity, fr_vec2_scale(change, DT));
}

void crowd_steer(void *context, int begin, int end, int lane)
{
    (void)lane;
    const stage *now = context;
    fr_crowd *crowd = now->crowd;
    const fr_crowd_input *input = now->input;
    uint32_t next = (uint32_t)begin * NEIGHBOURS_MAX;
    for (int k = begin; k < end; k++) {
        body *self = &crowd->bodies[k];
        crowd->moved[0][k] = crowd->moved[1][k] = (moved){.radius = self->radius};
        crowd->list_start[k] = next;
        crowd->list_count[k] = 0;
        if (self->part == PART_ASLEEP || self->part == PART_DISPLACED || self->part == PART_FIXED) {
            continue;
        }
        float *veer = &input->agents->veer[self->id];
        float cap = self->wish;
        find_neighbours(crowd, (uint32_t)k, *veer, &cap);
        next += crowd->list_count[k];
        /* A window of 5x5 cells holds all that a disc of up to one cell can touch this tick; wider ones
         * always look. */
        fr_cell cell = fr_cell_at(self->start);
        self->near_wall =
            self->radius > 1.0f || fr_cost_wall_window(input->cost, (fr_class)self->movement_class,
                                                       (fr_cell){cell.x - 2, cell.y - 2}, 5) != 0;
        if (self->part != PART_MOVING) {
            continue; /* whoever stands has no push of its own: only others move it */
        }
        if ((input->tick + self->id) % VEER_TICKS == 0) {
            *veer = crowd_conflict_veer(crowd, self, *veer);
        }
        float floor_speed = QUEUE_FLOOR * self->top_speed;
        if (self->waits > 0) {
            floor_speed *= WAIT_PUSH;
        }
        if (cap < floor_speed && cap < self->wish) {
            cap = floor_speed < self->wish ? floor_speed : self->wish;
        }
        fr_vec2 aim = veered_aim(input, self, *veer);
        if (cap < QUEUE_WAITS * self->wish) {
            fr_vec2 aside = self->follows_field ? sidestep(crowd, input, (uint32_t)k) : (fr_vec2){0.0f, 0.0f};
            if (aside.x != 0.0f || aside.y != 0.0f) {
                aim = aside;
                cap = self->wish;
            } else {
                input->agents->reason[self->id] = FR_REASON_QUEUE;
            }
        }
        fr_vec2 velocity = relax(self, aim, cap);
        crowd->moved[0][k].offset = fr_vec2_scale(velocity, DT);
    }
}
