/* steering: where each unit wants to go and at what speed, from its order, its field and the units around it.
 * Knows nothing of overlaps and walls as obstacles: collision.c has the last word on positions. */
#include "crowd/crowd_internal.h"

#include "field/line_of_sight.h"

/* A unit looks anew for a free line this often (ticks, staggered by id) and this far (cells). */
#define LINE_TICKS 8
#define LINE_REACH 40.0f

/* Relaxation time of the velocity (s) and the bound of acceleration (top speeds per second). */
#define RELAX_S   0.1f
#define ACCEL_MAX 12.0f

/* Approaching its place a unit slows to distance x this (1/s). */
#define APPROACH_RATE 7.0f

/* Queue: follow the one ahead at QUEUE_GAIN times its speed, plus what closes the gap in QUEUE_S. Nobody
 * crawls below QUEUE_FLOOR of the top speed: somebody can always move. */
#define QUEUE_GAIN  1.5f
#define QUEUE_S     0.2f
#define QUEUE_FLOOR 0.05f
/* Ahead: at least this much nearer to the goal (cells). */
#define QUEUE_AHEAD 0.02f
/* A unit that gives way by more than this is not queueing (tangent of half the angle). */
#define QUEUE_VEER_MAX 0.075f

/* Shares of an overlap: of the one ahead and the one behind in a queue, of settled and idle units against
 * movers. */
#define SHARE_AHEAD   0.35f
#define SHARE_BEHIND  0.65f
#define SHARE_SETTLED 0.15f
#define SHARE_IDLE    0.6f

static float ground_speed(const fr_crowd_input *input, fr_class movement_class, fr_cell cell, float speed)
{
    float cost = (float)fr_cost_at(input->cost, movement_class, cell);
    float factor = (float)input->full_speed_cost / cost;
    factor = factor > 1.0f ? 1.0f : factor < 0.25f ? 0.25f : factor;
    return speed * factor;
}

/* Whether the target is one point that all units of the leg head for. */
static bool target_is_one_point(const fr_orders *orders, const fr_leg *leg)
{
    return !leg->reachable || orders->orders[leg->order].goal_count == 1;
}

/* Keeps the flag that the straight line to the target is free. */
static void look_for_line(const fr_crowd_input *input, uint32_t id, const fr_leg *leg, float distance)
{
    fr_agents *agents = input->agents;
    bool recheck = (agents->flags[id] & FR_AGENT_RECHECK) != 0;
    if (!recheck && (input->tick + id) % LINE_TICKS != 0) {
        return;
    }
    agents->flags[id] &= (uint8_t) ~(FR_AGENT_RECHECK | FR_AGENT_LINE_FREE);
    bool has_slot = (agents->flags[id] & FR_AGENT_HAS_SLOT) != 0;
    if (leg->field != NULL && distance > LINE_REACH) {
        return;
    }
    if (!has_slot && !target_is_one_point(input->orders, leg)) {
        return; /* which of several goals is nearest is the field's business */
    }
    fr_class movement_class = (fr_class)agents->movement_class[id];
    float half_width = agents->radius[id] * 0.95f;
    fr_position from = agents->position[id], to = agents->target[id];
    bool is_free = has_slot ? fr_line_is_free(input->cost, movement_class, from, to, half_width)
                            : fr_line_is_even(input->cost, movement_class, from, to, half_width);
    /* Close by, the parallels of a wide disc may brush a wall that the place itself keeps clear of. */
    if (!is_free && distance < 1.5f) {
        is_free = fr_line_is_free(input->cost, movement_class, from, to, 0.0f);
    }
    if (is_free) {
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

static void look_moving(const fr_crowd_input *input, body *self)
{
    fr_agents *agents = input->agents;
    uint32_t id = self->id;
    const fr_leg *leg = &input->orders->legs[agents->leg[id]];
    fr_class movement_class = (fr_class)self->movement_class;
    fr_vec2 to_target = fr_position_delta(self->start, agents->target[id]);
    float distance = fr_vec2_length(to_target);
    look_for_line(input, id, leg, distance);

    fr_cell cell = fr_cell_at(self->start);
    float cost = (float)fr_cost_at(input->cost, movement_class, cell);
    fr_field_sample sample = {.kind = FR_SAMPLE_NONE};
    if (leg->field != NULL) {
        sample = fr_field_sample_at(leg->field, self->start);
    }
    bool has_slot = (agents->flags[id] & FR_AGENT_HAS_SLOT) != 0;
    bool line_free = (agents->flags[id] & FR_AGENT_LINE_FREE) != 0;
    self->potential = sample.kind == FR_SAMPLE_STEP ? way_left(&sample, self->start, cost) : distance;
    self->wish = self->top_speed;
    if (line_free || (sample.kind == FR_SAMPLE_GOAL && distance > 0.0f)) {
        self->aim = distance > 1e-6f ? fr_vec2_scale(to_target, 1.0f / distance) : (fr_vec2){0.0f, 0.0f};
        agents->reason[id] = has_slot ? FR_REASON_SLOT : FR_REASON_STRAIGHT;
    } else if (sample.kind == FR_SAMPLE_STEP || sample.kind == FR_SAMPLE_ROUGH) {
        self->aim = sample.direction;
        agents->reason[id] = leg->reachable ? FR_REASON_FIELD : FR_REASON_NO_WAY;
    } else {
        self->aim = (fr_vec2){0.0f, 0.0f};
        self->wish = 0.0f;
        agents->reason[id] = leg->field == NULL ? FR_REASON_WAITING_FIELD : FR_REASON_NO_WAY;
    }
    if (has_slot || target_is_one_point(input->orders, leg)) {
        float approach = distance * APPROACH_RATE;
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
    neighbour *list = crowd->neighbours + (size_t)k * NEIGHBOURS_MAX;
    int count = 0;
    bool queues = self->part == PART_MOVING && veer < QUEUE_VEER_MAX && veer > -QUEUE_VEER_MAX;
    fr_cell bucket = fr_spatial_hash_bucket(hash, self->start);
    for (int32_t row = bucket.y - 1; row <= bucket.y + 1; row++) {
        uint32_t begin, end;
        fr_spatial_hash_row(hash, bucket.x, row, &begin, &end);
        for (uint32_t j = begin; j < end; j++) {
            const body *other = &crowd->bodies[j];
            fr_vec2 way = fr_position_delta(self->start, other->start);
            float reach = self->radius + other->radius;
            float squared = fr_vec2_dot(way, way);
            float look = reach + QUEUE_REACH;
            if (squared >= look * look || j == k || other->part == PART_DISPLACED) {
                continue;
            }
            if (queues && other->part == PART_MOVING && other->order == self->order &&
                other->potential < self->potential - QUEUE_AHEAD) {
                float ahead = fr_vec2_dot(way, self->aim);
                float side = way.x * self->aim.y - way.y * self->aim.x;
                if (ahead > 0.0f && side < 0.9f * reach && side > -0.9f * reach) {
                    float gap = sqrtf(squared) - reach;
                    float pace = fr_vec2_dot(other->velocity, self->aim);
                    float limit =
                        QUEUE_GAIN * (pace > 0.0f ? pace : 0.0f) + (gap > 0.0f ? gap : 0.0f) / QUEUE_S;
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
            list[count++] = (neighbour){
                .index = j, .x = way.x, .y = way.y, .reach = reach, .weight = share_of(self, other)};
        }
    }
    crowd->neighbour_count[k] = (uint8_t)count;
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
    for (int k = begin; k < end; k++) {
        body *self = &crowd->bodies[k];
        crowd->offset[0][k] = (fr_vec2){0.0f, 0.0f};
        crowd->neighbour_count[k] = 0;
        if (self->part == PART_ASLEEP || self->part == PART_DISPLACED || self->part == PART_FIXED) {
            continue;
        }
        float *veer = &input->agents->veer[self->id];
        float cap = self->wish;
        find_neighbours(crowd, (uint32_t)k, *veer, &cap);
        /* A window of 5x5 cells holds all that a disc of up to one cell can touch this tick; wider ones
         * always look. */
        fr_cell cell = fr_cell_at(self->start);
        self->near_wall =
            self->radius > 1.0f || fr_cost_wall_window(input->cost, (fr_class)self->movement_class,
                                                       (fr_cell){cell.x - 2, cell.y - 2}, 5) != 0;
        if (self->part != PART_MOVING) {
            continue; /* whoever stands has no push of its own: only others move it */
        }
        *veer = crowd_conflict_veer(crowd, self, *veer);
        float floor_speed = QUEUE_FLOOR * self->top_speed;
        if (cap < floor_speed && cap < self->wish) {
            cap = floor_speed < self->wish ? floor_speed : self->wish;
        }
        if (cap < 0.3f * self->wish) {
            input->agents->reason[self->id] = FR_REASON_QUEUE;
        }
        fr_vec2 velocity = relax(self, veered_aim(input, self, *veer), cap);
        crowd->offset[0][k] = fr_vec2_scale(velocity, DT);
    }
}
