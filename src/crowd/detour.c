/* detour: how a unit gets past those who stand in its way and do not give way: held ones, or a pack that has
 * settled. Fields know walls only, and giving way is short-sighted: in the corner between two who stand a
 * unit would press for ever. Whoever gets nowhere looks for a way round over the ground near it, walks
 * straight to the farthest point of it that it can, and looks again from there. Who finds none for long has
 * arrived. */
#include "crowd/crowd_internal.h"

#include <string.h>

/* A unit that stands before somebody for this long without progress looks for a way round, and again after as
 * long (ticks). */
#define STALL_TICKS 60
/* On the way to its point it lets others pass, and then gives up, after this long without progress (ticks).
 */
#define YIELD_TICKS 45
#define POINT_TICKS 120
/* Who finds no way round for this long comes to rest where it is, sooner behind friends who have (ticks). */
#define ACCEPT_TICKS 900
#define FOLLOW_TICKS 120
/* Pressing: no farther than this from touching (cells). */
#define PRESS_MARGIN 0.15f
/* A mover is ahead within this cosine of the way. */
#define AHEAD 0.5f
/* Faster than this share of its top speed somebody passes, and is let. */
#define PASSING 0.25f
/* On a detour it looks again for the way to its end this often (ticks). */
#define LOOK_TICKS 15
/* A detour ends nearer to the goal than it began by this much (cells at cost 1). */
#define ENOUGH_CELLS 2
/* At a point of a detour (cells). */
#define POINT_REACHED 0.3f

/* The ground near a unit: nodes half a cell apart, so that a gap that one just fits through has some in it.
 */
#define NODES_A_CELL 2
#define SPACING      (1.0f / NODES_A_CELL)
#define REACH_CELLS  14
#define SIDE         (2 * REACH_CELLS * NODES_A_CELL + 1)
#define NODE_COUNT   (SIDE * SIDE)
/* Who stands may be this much nearer (cells) than a unit could come: between two nodes there is room. */
#define SLACK 0.15f

enum { NODE_UNKNOWN = 0, NODE_FREE, NODE_BLOCKED };
#define NO_PARENT (-1)
#define START     (NODE_COUNT / 2)

typedef struct near_ground {
    const fr_crowd_input *input;
    const body *self;
    fr_position corner; /* of node 0 */
    uint8_t state[NODE_COUNT];
    int16_t parent[NODE_COUNT];
    int16_t queue[NODE_COUNT]; /* [reached] in the order in which they were */
    int reached;
} near_ground;

static fr_position node_position(const near_ground *ground, int node)
{
    const int32_t spacing = FR_POSITION_ONE / NODES_A_CELL;
    return (fr_position){ground->corner.x + node % SIDE * spacing, ground->corner.y + node / SIDE * spacing};
}

static void block_disc(near_ground *ground, fr_position centre, float reach)
{
    fr_vec2 from = fr_position_delta(ground->corner, centre);
    int32_t left = crowd_floor((from.x - reach) / SPACING),
            right = crowd_floor((from.x + reach) / SPACING) + 1;
    int32_t top = crowd_floor((from.y - reach) / SPACING),
            bottom = crowd_floor((from.y + reach) / SPACING) + 1;
    for (int32_t y = top < 0 ? 0 : top; y <= bottom && y < SIDE; y++) {
        for (int32_t x = left < 0 ? 0 : left; x <= right && x < SIDE; x++) {
            fr_vec2 way = {(float)x * SPACING - from.x, (float)y * SPACING - from.y};
            if (fr_vec2_dot(way, way) < reach * reach) {
                ground->state[y * SIDE + x] = NODE_BLOCKED;
            }
        }
    }
}

/* Do two units meet at all? */
static bool meets(const body *a, const body *b)
{
    return fr_classes_collide((fr_class)a->movement_class, (fr_class)b->movement_class);
}

static void block_standing(near_ground *ground, const fr_crowd *crowd)
{
    const body *self = ground->self;
    const float range = REACH_CELLS + 2.0f * FR_RADIUS_MAX;
    for (int32_t k = 0; k < crowd->hash.count; k++) {
        const body *other = &crowd->bodies[k];
        fr_vec2 way = fr_position_delta(self->start, other->start);
        if (crowd_stands(other) && meets(self, other) && way.x < range && way.x > -range && way.y < range &&
            way.y > -range) {
            block_disc(ground, other->start, self->radius + other->radius - SLACK);
        }
    }
}

/* Can the unit stand there? */
static bool is_free(near_ground *ground, int node)
{
    if (ground->state[node] == NODE_UNKNOWN) {
        const body *self = ground->self;
        bool fits = crowd_disc_fits(ground->input, (fr_class)self->movement_class,
                                    node_position(ground, node), self->radius * 0.9f);
        ground->state[node] = fits ? NODE_FREE : NODE_BLOCKED;
    }
    return ground->state[node] == NODE_FREE;
}

/* The way left from there: by the field, or by air to the target. */
static uint32_t value_at(const fr_crowd_input *input, uint32_t id, fr_position place)
{
    const fr_agents *agents = input->agents;
    const fr_leg *leg = &input->orders->legs[agents->leg[id]];
    if (leg->field != NULL && (agents->flags[id] & FR_AGENT_LINE_FREE) == 0) {
        return crowd_value_at(input, leg, place);
    }
    fr_vec2 way = fr_position_delta(place, agents->target[id]);
    return (uint32_t)(fr_vec2_length(way) * FR_STEP_STRAIGHT);
}

/* Spreads over the nodes that can be walked to, breadth first. */
static void spread(near_ground *ground)
{
    memset(ground->parent, 0xff, sizeof ground->parent);
    int head = 0, tail = 0;
    ground->queue[tail++] = START;
    ground->parent[START] = START;
    while (head < tail) {
        int node = ground->queue[head++], x = node % SIDE, y = node / SIDE;
        for (int d = 0; d < FR_DIR_COUNT; d++) {
            int next_x = x + FR_STEPS[d].dx, next_y = y + FR_STEPS[d].dy, next = next_y * SIDE + next_x;
            if (next_x >= 0 && next_y >= 0 && next_x < SIDE && next_y < SIDE &&
                ground->parent[next] == NO_PARENT && is_free(ground, next) &&
                (node == START ||
                 (is_free(ground, y * SIDE + next_x) && is_free(ground, next_y * SIDE + x)))) {
                ground->parent[next] = (int16_t)node;
                ground->queue[tail++] = (int16_t)next;
            }
        }
    }
    ground->reached = tail;
}

/* The first of the nodes that were reached from which less way is left than from here by ENOUGH_CELLS; or -1.
 */
static int find_end(const near_ground *ground)
{
    uint32_t own = value_at(ground->input, ground->self->id, ground->self->start);
    for (int i = 0; i < ground->reached; i++) {
        int node = ground->queue[i];
        uint32_t value = value_at(ground->input, ground->self->id, node_position(ground, node));
        if (value < own && own - value > ENOUGH_CELLS * FR_STEP_STRAIGHT) {
            return node;
        }
    }
    return -1;
}

/* The node at the end of the detour that the unit is on; -1 if it can't be walked to. */
static int find_same_end(const near_ground *ground)
{
    fr_vec2 way = fr_position_delta(ground->corner, ground->input->agents->via[ground->self->id].corner[1]);
    int x = crowd_floor(way.x / SPACING + 0.5f), y = crowd_floor(way.y / SPACING + 0.5f);
    bool is_near = x >= 0 && y >= 0 && x < SIDE && y < SIDE;
    return is_near && ground->parent[y * SIDE + x] != NO_PARENT ? y * SIDE + x : -1;
}

/* Is every node near the straight line free? */
static bool line_is_free(near_ground *ground, int from, int to)
{
    int dx = to % SIDE - from % SIDE, dy = to / SIDE - from / SIDE;
    int steps = 2 * ((dx < 0 ? -dx : dx) > (dy < 0 ? -dy : dy) ? (dx < 0 ? -dx : dx) : (dy < 0 ? -dy : dy));
    for (int i = 1; i < steps; i++) {
        /* Rounded to the nearest node. */
        int x = (2 * (from % SIDE) * steps + 2 * dx * i + steps) / (2 * steps);
        int y = (2 * (from / SIDE) * steps + 2 * dy * i + steps) / (2 * steps);
        if (y * SIDE + x != from && !is_free(ground, y * SIDE + x)) {
            return false;
        }
    }
    return true;
}

/* Sets the point to walk to, on a new detour its end as well. False: there is no way. */
static bool plan(const fr_crowd *crowd, const fr_crowd_input *input, const body *self, bool on_detour)
{
    near_ground ground = {.input = input, .self = self};
    const int32_t reach = REACH_CELLS * FR_POSITION_ONE;
    ground.corner = (fr_position){self->start.x - reach, self->start.y - reach};
    block_standing(&ground, crowd);
    spread(&ground);
    int node = on_detour ? find_same_end(&ground) : find_end(&ground);
    if (node < 0) {
        return false;
    }
    fr_via *via = &input->agents->via[self->id];
    via->corner[1] = on_detour ? via->corner[1] : node_position(&ground, node);
    while (node != START && ground.parent[node] != START && !line_is_free(&ground, START, node)) {
        node = ground.parent[node];
    }
    via->corner[0] = node_position(&ground, node);
    return true;
}

/* Who stands in a unit's way; nobody does while it waits its turn behind others who move. */
typedef struct obstacle {
    bool stands, holds;
    bool has_given_up; /* one of the same leg, who has come to rest */
} obstacle;

static obstacle what_stops(const fr_crowd *crowd, const fr_agents *agents, uint32_t k)
{
    const body *self = &crowd->bodies[k];
    obstacle found = {false, false, false};
    for (int n = 0; n < crowd->list_count[k]; n++) {
        uint32_t index = crowd_neighbour(crowd, k, n);
        const body *other = &crowd->bodies[index];
        fr_vec2 way = crowd_way_to(crowd, self, index);
        float near = self->radius + other->radius + PRESS_MARGIN;
        float ahead = fr_vec2_dot(way, self->aim);
        if (fr_vec2_dot(way, way) > near * near || ahead <= 0.0f) {
            continue;
        }
        if (other->part == PART_MOVING && ahead > AHEAD * near) {
            return (obstacle){false, false, false};
        }
        found.stands |= crowd_stands(other);
        found.holds |= other->part == PART_FIXED;
        found.has_given_up |= other->arrived && agents->leg[other->id] == agents->leg[self->id];
    }
    return found;
}

bool crowd_must_yield(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k)
{
    const body *self = &crowd->bodies[k];
    bool is_patient = input->agents->stall_ticks[self->id] < YIELD_TICKS;
    for (int n = 0; n < crowd->list_count[k] && is_patient; n++) {
        uint32_t index = crowd_neighbour(crowd, k, n);
        const body *other = &crowd->bodies[index];
        fr_vec2 way = crowd_way_to(crowd, self, index);
        float ahead = fr_vec2_dot(way, self->aim);
        float passing = PASSING * other->top_speed;
        if (other->part == PART_MOVING && ahead > AHEAD * (self->radius + other->radius) &&
            fr_vec2_dot(other->velocity, other->velocity) > passing * passing) {
            return true;
        }
    }
    return false;
}

static bool is_at(const fr_agents *agents, uint32_t id, fr_position place)
{
    fr_vec2 way = fr_position_delta(agents->position[id], place);
    return fr_vec2_dot(way, way) < POINT_REACHED * POINT_REACHED;
}

/* Goes on with a detour: ends it at its end or for want of progress, and looks again for the way there. */
static void go_on(fr_crowd *crowd, const fr_crowd_input *input, const body *self)
{
    fr_agents *agents = input->agents;
    uint32_t id = self->id;
    const fr_via *via = &agents->via[id];
    bool is_over = is_at(agents, id, via->corner[1]) || agents->stall_ticks[id] >= POINT_TICKS ||
                   value_at(input, id, agents->position[id]) <= value_at(input, id, via->corner[1]);
    bool looks = is_at(agents, id, via->corner[0]) || (input->tick + id) % LOOK_TICKS == 0;
    if (!is_over && looks && crowd->detours_left > 0) {
        crowd->detours_left--;
        fr_position before = via->corner[0];
        is_over = !plan(crowd, input, self, true);
        if (before.x != via->corner[0].x || before.y != via->corner[0].y) {
            agents->best[id] = INFINITY; /* of the way to the point */
        }
    }
    if (is_over) {
        agents->flags[id] &= (uint8_t)~FR_AGENT_DETOUR;
        fr_agents_restart(agents, id);
    }
}

uint16_t crowd_go_round(fr_crowd *crowd, const fr_crowd_input *input, uint32_t k)
{
    fr_agents *agents = input->agents;
    const body *self = &crowd->bodies[k];
    uint32_t id = self->id;
    if ((agents->flags[id] & FR_AGENT_DETOUR) != 0) {
        go_on(crowd, input, self);
        return UINT16_MAX;
    }
    if (agents->stall_ticks[id] == 0 || agents->stall_ticks[id] % STALL_TICKS != 0) {
        return UINT16_MAX;
    }
    obstacle before = what_stops(crowd, agents, k);
    if (before.holds) {
        input->orders->legs[agents->leg[id]].held_up = input->tick + 1;
    }
    if (!before.stands || crowd->detours_left == 0) {
        return UINT16_MAX;
    }
    crowd->detours_left--;
    if (!plan(crowd, input, self, false)) {
        return before.has_given_up ? FOLLOW_TICKS : ACCEPT_TICKS;
    }
    agents->flags[id] |= FR_AGENT_DETOUR;
    fr_agents_restart(agents, id);
    return UINT16_MAX;
}
