/* naive: the recipe of the usual tutorials, to compare with: the arrow of the cell one stands in, one of
 * eight directions, plus a push of 1/d from everybody near; who stands in the goal cell has arrived. Walls
 * are kept as our own mover keeps them, or units would leave the map. Nothing else: no places at the goal, no
 * queue, no correction of overlaps, and so no rest. */
#include "crowd/crowd_internal.h"
#include "crowd/ground_speed.h"
#include "grid/nav.h"

/* Pushes reach this far beyond touching (cells), and are worth this many cells/s at a distance of 1: little
 * beside the flow, as in tutorials. */
#define PUSH_REACH QUEUE_REACH
#define PUSH       0.25f
/* Steering force: share of the wanted change of velocity made in a tick. */
#define AGILITY 0.5f
/* Nearer than this (cells) there is no direction to push in. */
#define ONE_SPOT 1e-4f

static int32_t sign(int32_t value)
{
    return (value > 0) - (value < 0);
}

/* Towards the neighbour cell from which the rest of the way is cheapest; zero in a goal cell. */
static fr_vec2 arrow_of(const fr_field *field, const fr_crowd_input *input, const fr_leg *leg, fr_cell cell)
{
    uint32_t least = FR_UNREACHED, cost = fr_cost_at(input->cost, leg->view, cell);
    fr_vec2 arrow = {0.0f, 0.0f};
    for (int d = 0; d < FR_DIR_COUNT && fr_field_value(field, cell) != 0; d++) {
        fr_cell next = {cell.x + FR_STEPS[d].dx, cell.y + FR_STEPS[d].dy};
        uint32_t rest = fr_field_value(field, next);
        if (rest != FR_UNREACHED && fr_cost_step_allowed(input->cost, leg->movement_class, cell, d) &&
            rest + cost * FR_STEPS[d].price < least) {
            least = rest + cost * FR_STEPS[d].price;
            arrow = FR_STEPS[d].unit;
        }
    }
    return arrow;
}

/* The same where a field cell is not a tile. */
static fr_vec2 arrow_of_cell(const fr_field *field, fr_position position)
{
    fr_cell cell = fr_nav_cell_at(fr_field_shift(field), position);
    uint8_t direction;
    fr_field_copy(field, (fr_rect){cell.x, cell.y, 1, 1}, NULL, &direction);
    return direction < FR_DIR_COUNT ? FR_STEPS[direction].unit : (fr_vec2){0.0f, 0.0f};
}

/* One of the eight directions, or zero where the unit has arrived. */
static fr_vec2 flow(const fr_crowd_input *input, uint32_t id)
{
    const fr_agents *agents = input->agents;
    const fr_leg *leg = &input->orders->legs[agents->leg[id]];
    fr_cell cell = fr_cell_at(agents->position[id]);
    const fr_field *fields[] = {leg->field, leg->rough};
    for (int i = 0; i < 2; i++) {
        if (fields[i] != NULL && fr_field_value(fields[i], cell) != FR_UNREACHED) {
            return fr_field_shift(fields[i]) == 0 ? arrow_of(fields[i], input, leg, cell)
                                                  : arrow_of_cell(fields[i], agents->position[id]);
        }
    }
    /* No field yet, or none asked for: as it would lead over open ground. */
    fr_cell goal = fr_cell_at(leg->goal);
    fr_vec2 way = {(float)sign(goal.x - cell.x), (float)sign(goal.y - cell.y)};
    return fr_vec2_normalize(way);
}

static fr_vec2 push_of(const fr_crowd *crowd, const fr_crowd_input *input, const body *self)
{
    const fr_agents *agents = input->agents;
    fr_vec2 push = {0.0f, 0.0f};
    fr_cell bucket = fr_spatial_hash_bucket(&crowd->hash, self->start);
    for (int32_t row = bucket.y - 1; row <= bucket.y + 1; row++) {
        uint32_t begin, end;
        fr_spatial_hash_row(&crowd->hash, bucket.x, row, &begin, &end);
        for (uint32_t k = begin; k < end; k++) {
            uint32_t other = crowd->hash.ids[k];
            fr_vec2 away = fr_position_delta(agents->position[other], self->start);
            float reach = self->radius + agents->radius[other] + PUSH_REACH;
            float squared = fr_vec2_dot(away, away);
            if (other != self->id && squared < reach * reach && squared > ONE_SPOT * ONE_SPOT &&
                fr_classes_collide((fr_class)self->movement_class, (fr_class)agents->movement_class[other])) {
                push = fr_vec2_add(push, fr_vec2_scale(away, 1.0f / squared));
            }
        }
    }
    return fr_vec2_scale(push, PUSH);
}

static void look(const stage *now, int k, body *self)
{
    fr_crowd *crowd = now->crowd;
    const fr_crowd_input *input = now->input;
    fr_agents *agents = input->agents;
    uint32_t id = crowd->hash.ids[k];
    fr_cell cell = fr_cell_at(agents->position[id]);
    *self = (body){
        .start = agents->position[id],
        .velocity = agents->velocity[id],
        .radius = agents->radius[id],
        .own_speed = agents->speed[id],
        .id = id,
        .movement_class = agents->movement_class[id],
        .near_wall = 1,
    };
    self->top_speed = fr_ground_speed(agents->speed[id], input->full_speed_cost,
                                      fr_cost_at(input->cost, (fr_class)self->movement_class, cell));
    if ((agents->flags[id] & FR_AGENT_DISPLACED) != 0) {
        self->part = PART_DISPLACED;
    } else if (agents->state[id] == FR_UNIT_HOLDING) {
        self->part = PART_FIXED;
    } else if (agents->leg[id] == FR_NO_INDEX) {
        self->part = PART_PARKED;
    } else {
        self->part = PART_MOVING;
        self->aim = flow(input, id);
        bool arrived = self->aim.x == 0.0f && self->aim.y == 0.0f;
        agents->state[id] = arrived ? FR_UNIT_ARRIVED : FR_UNIT_MOVING;
        agents->reason[id] = arrived ? FR_REASON_SETTLED : FR_REASON_FIELD;
    }
}

void crowd_steer_naively(void *context, int begin, int end, int lane)
{
    (void)lane;
    const stage *now = context;
    for (int k = begin; k < end; k++) {
        body *self = &now->crowd->bodies[k];
        look(now, k, self);
        fr_vec2 wish =
            fr_vec2_add(fr_vec2_scale(self->aim, self->top_speed), push_of(now->crowd, now->input, self));
        fr_vec2 change = {wish.x - self->velocity.x, wish.y - self->velocity.y};
        fr_vec2 velocity = fr_vec2_add(self->velocity, fr_vec2_scale(change, AGILITY));
        float speed = fr_vec2_length(velocity);
        if (speed > self->top_speed) {
            velocity = fr_vec2_scale(velocity, self->top_speed / speed);
        }
        now->crowd->offset[0][k] = crowd_clear_walls(now->input, self, fr_vec2_scale(velocity, DT));
    }
}
