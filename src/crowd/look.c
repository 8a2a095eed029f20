/* look: what each unit knows at the start of a tick before it looks at others: where it wants to go, by its
 * field or straight, how far it has to go, and its place in the queue. */
#include "crowd/crowd_internal.h"
#include "crowd/ground_speed.h"

#include "field/line_of_sight.h"

/* A unit looks anew for a free line this often (ticks, staggered by id) and this far (cells). */
#define LINE_TICKS 8
#define LINE_REACH 40.0f
/* With more to do than one tick has time for, this often: by then most have a field to go by. */
#define RUSH_TICKS 32

/* Whoever is farther from the goal than its place is, by this much, goes by the field (70ths of a cell). */
#define ON_THE_WAY (2 * FR_STEP_STRAIGHT)

/* Approaching its place a unit slows to distance x this (1/s). */
#define APPROACH_RATE 7.0f

/* Who has got nowhere for this long (ticks), or twice as long, waits: it yields less. */
#define WAIT_TICKS 45
/* Those who move count as farther back in their queue by what they go in this time (s), so that whoever
 * stands where two streams meet gets in between two of the one that flows. */
#define MOVES_BEHIND_S 0.05f
/* Who has not come on by this much (cells) for so long (ticks) counts as nearer, by so much a tick (cells),
 * up to a bound (cells): in the midst of a queue, others must not pass by on both sides for ever. */
#define STRIDE       0.2f
#define STRIDE_TICKS 60
#define CLAIM_RATE   (0.3f / FR_TICK_HZ)
#define CLAIM_MAX    1.0f

enum { LINE_FLAGS = FR_AGENT_LINE_FREE | FR_AGENT_VIA_FREE | FR_AGENT_VIA_FREE << 1 };

/* Does a corner on the way to a place lie behind a unit, farther both from the goal and from the place? Who
 * got the place by an exchange may have been past its corner. Larger field cells than tiles can't tell. */
static bool is_behind(const fr_crowd_input *input, const fr_leg *leg, fr_position from, fr_position corner,
                      fr_position place)
{
    fr_vec2 there = fr_position_delta(corner, place), here = fr_position_delta(from, place);
    return leg->field != NULL && input->way_out == NULL &&
           fr_vec2_dot(there, there) > fr_vec2_dot(here, here) &&
           crowd_value_at(input, leg, corner) > crowd_value_at(input, leg, from);
}

/* Which of its place, and the corners on the way there, a unit can walk to straight: the first of them is
 * enough. */
static uint8_t line_to_place(const fr_crowd_input *input, uint32_t id, const fr_leg *leg, float distance)
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
        if (!is_behind(input, leg, from, corner, to) &&
            fr_line_is_free(input->cost, movement_class, from, corner, half_width)) {
            return (uint8_t)(FR_AGENT_VIA_FREE << i);
        }
    }
    return 0;
}

/* Keeps the flags that say which straight line is free. */
static void look_for_line(const stage *now, uint32_t id, const fr_leg *leg, float distance)
{
    const fr_crowd_input *input = now->input;
    fr_agents *agents = input->agents;
    bool recheck = (agents->flags[id] & FR_AGENT_RECHECK) != 0 && !now->is_rush;
    if (!recheck && (input->tick + id) % (now->is_rush ? RUSH_TICKS : LINE_TICKS) != 0) {
        return;
    }
    agents->flags[id] &= (uint8_t) ~(FR_AGENT_RECHECK | LINE_FLAGS);
    if ((agents->flags[id] & FR_AGENT_HAS_SLOT) != 0) {
        agents->flags[id] |= line_to_place(input, id, leg, distance);
        return;
    }
    /* Which of several goals is nearest is the field's business. */
    if ((leg->field != NULL && distance > LINE_REACH) || !fr_leg_has_one_point(leg)) {
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
    fr_vec2 from_centre = fr_position_delta(sample->centre, position);
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

/* The end of a rough field is no goal. */
static fr_field_sample sample_roughly(const fr_crowd_input *input, const fr_leg *leg, fr_position position)
{
    fr_field_sample sample = fr_way_out_sample(input->way_out, leg->ways, leg->rough, position);
    bool leads = sample.kind == FR_SAMPLE_STEP || sample.kind == FR_SAMPLE_ROUGH;
    sample.kind = leads ? FR_SAMPLE_ROUGH : FR_SAMPLE_NONE;
    return sample;
}

static void head_for_detour(const fr_agents *agents, body *self)
{
    fr_vec2 way = fr_position_delta(self->start, agents->via[self->id].corner[0]);
    self->way = fr_vec2_length(way);
    self->aim = fr_vec2_normalize(way);
    self->wish = self->top_speed;
    self->follows_field = 0;
    self->on_detour = 1;
    self->waits = 2;
}

/* Does the field still lead a unit towards the place that it can't see? Then it goes on in its stream: those
 * who all make straight for one corner pass it in one file. Larger field cells than tiles can't tell. */
static bool is_on_the_way(const fr_crowd_input *input, const fr_leg *leg, const body *self,
                          const fr_field_sample *sample)
{
    if (sample->kind != FR_SAMPLE_STEP || input->way_out != NULL ||
        (input->agents->flags[self->id] & FR_AGENT_LINE_FREE) != 0) {
        return false;
    }
    uint32_t there = crowd_value_at(input, leg, input->agents->target[self->id]);
    return there < self->cell_potential && self->cell_potential - there > ON_THE_WAY;
}

/* What orders the queue: the way left (cells), and what the unit counts as farther back, or as nearer, by. */
static float place_in_queue(fr_agents *agents, const body *self, float left)
{
    float *from = &agents->stride_from[self->id], come = *from - left;
    uint16_t *ticks = &agents->stride_ticks[self->id];
    if (come > STRIDE || come < -STRIDE) {
        *from = left;
        *ticks = 0;
    } else if (*ticks < UINT16_MAX) {
        ++*ticks;
    }
    float claim = *ticks > STRIDE_TICKS ? (float)(*ticks - STRIDE_TICKS) * CLAIM_RATE : 0.0f;
    claim = claim < CLAIM_MAX ? claim : CLAIM_MAX;
    return left + MOVES_BEHIND_S * fr_vec2_length(self->velocity) - claim;
}

/* `ground`: the cost of its cell for its class. */
static void look_moving(const stage *now, body *self, uint8_t ground)
{
    const fr_crowd_input *input = now->input;
    fr_agents *agents = input->agents;
    uint32_t id = self->id;
    const fr_leg *leg = &input->orders->legs[self->leg];
    look_for_line(now, id, leg, fr_vec2_length(fr_position_delta(self->start, agents->target[id])));
    fr_position aim_at = agents->target[id];
    bool has_slot = self->has_place != 0;
    float way =
        has_slot ? way_to_place(agents, id, &aim_at) : fr_vec2_length(fr_position_delta(self->start, aim_at));
    fr_vec2 to_aim = fr_position_delta(self->start, aim_at);
    float distance = fr_vec2_length(to_aim);

    fr_field_sample sample = {.kind = FR_SAMPLE_NONE, .potential = FR_UNREACHED};
    if (leg->field != NULL) {
        sample = fr_way_out_sample(input->way_out, leg->ways, leg->field, self->start);
    }
    if (sample.kind == FR_SAMPLE_NONE && leg->rough != NULL) {
        sample = sample_roughly(input, leg, self->start);
    }
    if (sample.kind == FR_SAMPLE_NONE && leg->fit >= FR_CLASS_COUNT) {
        crowd_squeeze_out(input, leg, self->start, &sample);
    }
    self->cell_potential = sample.potential;
    float inner = 0.0f; /* way from where the field ends */
    if (input->way_out != NULL && (has_slot || fr_leg_has_one_point(leg))) {
        fr_cell target = fr_cell_at(agents->target[id]);
        if (leg->field != NULL) {
            self->cell_potential = crowd_value(input, leg, fr_cell_at(self->start));
        }
        if ((agents->flags[id] & LINE_FLAGS) == 0 &&
            !fr_way_out_back(input->way_out, leg->ways, target, self->start, &sample)) {
            inner = (float)fr_way_out_length(input->way_out, leg->ways, target) * (1.0f / FR_STEP_STRAIGHT);
        }
    }
    bool is_own_view = leg->view == (fr_cost_view)self->movement_class;
    float cost = (float)(is_own_view ? ground : fr_cost_at(input->cost, leg->view, fr_cell_at(self->start)));
    bool is_led = sample.kind == FR_SAMPLE_STEP || sample.kind == FR_SAMPLE_ROUGH;
    float left =
        is_led && sample.potential != FR_UNREACHED ? way_left(&sample, self->start, cost) + inner : way;
    self->potential = place_in_queue(agents, self, left);
    self->wish = self->top_speed;
    self->way = way;
    float veer = agents->veer[id];
    bool goes_round = veer > 0.3f || veer < -0.3f;
    if (!has_slot && !goes_round) { /* in the pack, pressing would only rouse those who rest */
        self->waits = agents->stall_ticks[id] < 2 * WAIT_TICKS ? agents->stall_ticks[id] / WAIT_TICKS : 2;
    }
    bool sees = (agents->flags[id] & LINE_FLAGS) != 0 && !is_on_the_way(input, leg, self, &sample);
    if (sees || (sample.kind == FR_SAMPLE_GOAL && distance > 0.0f)) {
        self->aim = distance > 1e-6f ? fr_vec2_scale(to_aim, 1.0f / distance) : (fr_vec2){0.0f, 0.0f};
        self->straight = distance;
        agents->reason[id] = has_slot ? FR_REASON_SLOT : FR_REASON_STRAIGHT;
    } else if (is_led) {
        self->aim = crowd_rotate(sample.direction, agents->abreast[id]);
        self->straight = sample.reach;
        self->follows_field = sample.kind == FR_SAMPLE_STEP;
        self->way = FIELD_WAY + left;
        agents->reason[id] = leg->reachable ? FR_REASON_FIELD : FR_REASON_NO_WAY;
    } else {
        self->way = 2.0f * FIELD_WAY;
        self->aim = (fr_vec2){0.0f, 0.0f};
        self->wish = 0.0f;
        agents->reason[id] = leg->field == NULL ? FR_REASON_WAITING_FIELD : FR_REASON_NO_WAY;
    }
    if ((agents->flags[id] & FR_AGENT_DETOUR) != 0) {
        head_for_detour(agents, self);
        return;
    }
    if (has_slot || fr_leg_has_one_point(leg)) {
        float approach = way * APPROACH_RATE;
        self->wish = approach < self->wish ? approach : self->wish;
    }
}

uint32_t crowd_stream_of(const fr_leg *leg)
{
    return leg->field_id.index1 != 0 ? leg->field_id.index1 : UINT16_MAX + 1u + leg->order;
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

static part part_standing(const fr_crowd *crowd, const fr_agents *agents, const body *self)
{
    if (agents->state[self->id] == FR_UNIT_HOLDING) {
        return PART_FIXED;
    }
    if ((agents->flags[self->id] & FR_AGENT_OFF_POST) != 0) {
        return PART_OFF_POST;
    }
    bool rests = self->velocity.x == 0.0f && self->velocity.y == 0.0f;
    return rests && neighbourhood_is_quiet(&crowd->hash, self->start) ? PART_ASLEEP : PART_PARKED;
}

/* A unit as others have left it, before it looks at anything. Member by member: filling it as a whole with
 * zeros is done by a string instruction, which takes longer. */
static void begin_body(const fr_agents *agents, uint32_t id, body *self)
{
    self->velocity = agents->velocity[id];
    self->aim = (fr_vec2){0.0f, 0.0f};
    self->potential = 0.0f;
    self->stream = self->pack = FR_NO_INDEX;
    self->backs = agents->backs[id];
    self->waits = 0;
    self->has_place = (agents->flags[id] & FR_AGENT_HAS_SLOT) != 0;
    self->movement_class = agents->movement_class[id];
    self->id = id;
    self->start = agents->position[id];
    self->radius = agents->radius[id];
    self->own_speed = agents->speed[id];
    self->wish = self->straight = self->way = 0.0f;
    self->leg = agents->leg[id];
    self->cell_potential = 0;
    self->backs_for = self->backs > 0 ? agents->backs_for[id] : FR_NO_INDEX;
    self->back = self->backs > 0 ? agents->back[id] : (fr_vec2){0.0f, 0.0f};
    self->arrived = self->near_wall = self->follows_field = self->on_detour = 0;
}

/* Asks for what crowd_look() reads of a unit by its id (FR_AGENTS_AHEAD). */
static void expect(const fr_agents *agents, uint32_t id)
{
    __builtin_prefetch(&agents->position[id]);
    __builtin_prefetch(&agents->velocity[id]);
    __builtin_prefetch(&agents->target[id]);
    __builtin_prefetch(&agents->radius[id]);
    __builtin_prefetch(&agents->speed[id]);
    __builtin_prefetch(&agents->leg[id]);
    __builtin_prefetch(&agents->veer[id]);
    __builtin_prefetch(&agents->abreast[id]);
    __builtin_prefetch(&agents->stall_ticks[id]);
    __builtin_prefetch(&agents->stride_from[id], 1);
    __builtin_prefetch(&agents->stride_ticks[id], 1);
    __builtin_prefetch(&agents->movement_class[id]);
    __builtin_prefetch(&agents->state[id]);
    __builtin_prefetch(&agents->flags[id], 1);
    __builtin_prefetch(&agents->reason[id], 1);
    __builtin_prefetch(&agents->backs[id]);
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
        if (k + FR_AGENTS_AHEAD < end) {
            expect(agents, crowd->hash.ids[k + FR_AGENTS_AHEAD]);
        }
        begin_body(agents, id, self);
        crowd->discs.x[k] = self->start.x;
        crowd->discs.y[k] = self->start.y;
        crowd->discs.radius[k] = self->radius;
        uint8_t cost = fr_cost_at(input->cost, (fr_class)self->movement_class, fr_cell_at(self->start));
        self->top_speed = fr_ground_speed(self->own_speed, input->full_speed_cost, cost);
        if (self->leg != FR_NO_INDEX) {
            self->stream = crowd_stream_of(&input->orders->legs[self->leg]);
            self->pack = fr_leg_pack(input->orders, self->leg);
            /* Within a shared pack they are one stream; until then the fast ones pass the slow. */
            if (self->pack != self->leg && self->has_place) {
                self->stream = self->pack;
            }
        }
        if ((agents->flags[id] & FR_AGENT_DISPLACED) != 0) {
            crowd_begin_escape(agents, self);
        } else if (agents->state[id] == FR_UNIT_MOVING) {
            self->part = PART_MOVING;
            look_moving(now, self, cost);
        } else {
            self->arrived = agents->state[id] == FR_UNIT_ARRIVED;
            self->part = (int32_t)part_standing(crowd, agents, self);
        }
    }
}
