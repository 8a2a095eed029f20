/* lane_turn: what units do by the marks of ways through single file (single_file.c): go on, wait clear of the
 * way of those who come, or get clear of it first: into room beside it, or on before them. */
#include "crowd/single_file.h"

/* From so far outside (cells) a unit looks whether it may go in. */
#define LOOK_CELLS 6
/* Clear of the way it edges forward at this share of its top speed. */
#define EDGE_SPEED 0.02f
/* Room on the way to others is made for if the unit comes there so much (cells) earlier. */
#define HEAD_START_CELLS 4
/* Backing off, no way leads towards those who come: cosine. */
#define TOWARDS 0.5f
/* Off the rim of a way (1/s). */
#define RIM_RATE 5.0f

/* What a unit finds on its way through. */
typedef struct opposition {
    const lane_mark *theirs; /* the mark of those who are nearest against it, or null */
    const lane_mark *ours;   /* that of the foremost of its own before them, or null */
    int32_t cells;           /* to them */
} opposition;

/* The mark in `next` of a stream that comes from there to `cell`: the one of somebody who is there, if there
 * is. */
static const lane_mark *mark_against(const fr_crowd *crowd, const body *self, fr_cell next, int way)
{
    const lane_mark *found = NULL;
    for (int32_t i = crowd->lane_first[fr_grid_index(crowd->map, next)]; i != 0;
         i = crowd->lane_marks[i - 1].next) {
        const lane_mark *mark = &crowd->lane_marks[i - 1];
        if (mark->stream != self->stream && mark->direction == ((way + 4) % FR_DIR_COUNT) &&
            (found == NULL || mark->occupied > found->occupied)) {
            found = mark;
        }
    }
    return found;
}

static opposition look_through(const fr_crowd *crowd, const fr_crowd_input *input, const body *self)
{
    opposition found = {NULL, NULL, 0};
    fr_cell cell = fr_cell_at(self->start);
    bool is_in = false;
    int32_t beyond = 0;
    for (int32_t i = 0; i < LANE_TRACE_CELLS + LOOK_CELLS; i++) {
        bool narrow = crowd_is_narrow(input, self, cell);
        is_in |= narrow;
        beyond = narrow ? 0 : beyond + 1;
        if (is_in ? beyond >= 2 : i >= LOOK_CELLS) {
            break;
        }
        const lane_mark *own = crowd_mark_of(crowd, cell, self->stream);
        found.ours = own != NULL && own->occupied ? own : found.ours;
        int way = crowd_way_on(input, self->leg, cell);
        if (way == FR_DIR_NONE) {
            break;
        }
        cell = lane_step(cell, way);
        const lane_mark *against = mark_against(crowd, self, cell, way);
        found.theirs = against != NULL ? against : found.theirs;
        found.cells = i + 1;
        if (against != NULL && against->occupied) {
            break;
        }
    }
    return found;
}

/* Is there room beside the single file on, which the unit comes to before those against it do? */
static bool reaches_room(const fr_crowd *crowd, const fr_crowd_input *input, const body *self,
                         const opposition *found)
{
    fr_cell cell = fr_cell_at(self->start);
    for (int32_t i = 0; 2 * i + HEAD_START_CELLS < found->cells && crowd_is_narrow(input, self, cell); i++) {
        for (int side = 0; side < LANE_SIDES && i > 0; side++) {
            fr_cell beside = lane_step(cell, 2 * side);
            if (fr_cost_walkable(input->cost, (fr_class)self->movement_class, beside) &&
                crowd_mark_of(crowd, beside, found->theirs->stream) == NULL) {
                return true;
            }
        }
        int way = crowd_way_on(input, self->leg, cell);
        if (way == FR_DIR_NONE) {
            return false;
        }
        cell = lane_step(cell, way);
    }
    return false;
}

/* Of two streams the one nearer to its end; where that can't be seen, an order that all share. */
static bool goes_first(const lane_mark *ours, const lane_mark *theirs)
{
    bool is_told = ours->is_exact && theirs->is_exact && theirs->occupied && ours->left != theirs->left;
    return is_told ? ours->left < theirs->left : ours->stream < theirs->stream;
}

/* Is one of the unit's neighbours in that cell? */
static bool is_occupied(const fr_crowd *crowd, uint32_t k, fr_cell cell)
{
    for (int n = 0; n < crowd->list_count[k]; n++) {
        fr_cell there = fr_cell_at(crowd->bodies[crowd_neighbour(crowd, k, n)].start);
        if (there.x == cell.x && there.y == cell.y) {
            return true;
        }
    }
    return false;
}

/* A cell beside the unit's own that a stream has not marked and nobody is in, not that one way; else its own.
 */
static fr_cell free_beside(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, uint32_t stream,
                           int but)
{
    const body *self = &crowd->bodies[k];
    fr_cell cell = fr_cell_at(self->start), found = cell;
    for (int side = 0; side < LANE_SIDES; side++) {
        fr_cell beside = lane_step(cell, 2 * side);
        if (2 * side != but && fr_cost_walkable(input->cost, (fr_class)self->movement_class, beside) &&
            crowd_mark_of(crowd, beside, stream) == NULL && !is_occupied(crowd, k, beside)) {
            found = beside;
        }
    }
    return found;
}

static fr_vec2 go_to(const body *self, fr_cell cell)
{
    fr_vec2 way = fr_position_delta(self->start, fr_cell_centre(cell));
    return fr_vec2_scale(fr_vec2_normalize(way), self->top_speed);
}

/* Is the unit between a way that a stream has marked, or others who wait, and where it came from? */
static bool is_pressed(const fr_crowd *crowd, uint32_t k, uint32_t stream, int on)
{
    const body *self = &crowd->bodies[k];
    fr_vec2 ahead = {FR_STEPS[on].dx, FR_STEPS[on].dy};
    bool pressed = crowd_mark_of(crowd, lane_step(fr_cell_at(self->start), on), stream) != NULL;
    for (int n = 0; n < crowd->list_count[k] && !pressed; n++) {
        uint32_t index = crowd_neighbour(crowd, k, n);
        pressed =
            crowd->bodies[index].backs > 0 && fr_vec2_dot(crowd_way_to(crowd, self, index), ahead) > 0.0f;
    }
    return pressed;
}

/* Velocity of one that waits clear of the way that a stream has marked: in single file on to where there is
 * room for others behind it; else to the middle of its cell, if it is at the rim of that way, and a little
 * forward, up to it. */
static fr_vec2 make_room(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, uint32_t stream)
{
    const body *self = &crowd->bodies[k];
    fr_cell cell = fr_cell_at(self->start);
    int on = crowd_way_on(input, self->leg, cell);
    if (on == FR_DIR_NONE) {
        return (fr_vec2){0.0f, 0.0f};
    }
    if (crowd_is_narrow(input, self, cell) && is_pressed(crowd, k, stream, on)) {
        fr_cell to = free_beside(crowd, input, k, stream, on);
        if (to.x != cell.x || to.y != cell.y) {
            return go_to(self, to);
        }
    }
    bool edges = crowd_mark_of(crowd, lane_step(cell, on), stream) == NULL;
    fr_vec2 velocity = fr_vec2_scale(self->aim, edges ? EDGE_SPEED * self->top_speed : 0.0f);
    fr_vec2 to_middle = fr_position_delta(self->start, fr_cell_centre(cell));
    for (int side = 0; side < LANE_SIDES; side++) {
        fr_vec2 out = {FR_STEPS[2 * side].dx, FR_STEPS[2 * side].dy};
        float off = -fr_vec2_dot(to_middle, out);
        if (off > 0.0f && crowd_mark_of(crowd, lane_step(cell, 2 * side), stream) != NULL) {
            velocity = fr_vec2_add(velocity, fr_vec2_scale(out, -off * RIM_RATE));
        }
    }
    return velocity;
}

/* Velocity clear of the way that a stream has marked: to a free cell beside it, else on before it. */
static fr_vec2 clear_way(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, uint32_t stream)
{
    const body *self = &crowd->bodies[k];
    fr_cell cell = fr_cell_at(self->start), to = free_beside(crowd, input, k, stream, FR_DIR_NONE);
    int on = crowd_mark_of(crowd, cell, stream)->direction;
    if (to.x == cell.x && to.y == cell.y && on != FR_DIR_NONE) {
        to = lane_step(cell, on);
    }
    return go_to(self, to);
}

bool crowd_back_off(const fr_crowd *crowd, const fr_crowd_input *input, const body *self, uint32_t leg,
                    fr_vec2 way, fr_vec2 *velocity)
{
    fr_cell cell = fr_cell_at(self->start);
    if (crowd->lane_count == 0 || !crowd_is_narrow(input, self, cell)) {
        return false;
    }
    uint32_t stream = crowd_stream_of(&input->orders->legs[leg]);
    float best = INFINITY;
    for (int side = 0; side < LANE_SIDES; side++) {
        fr_cell next = lane_step(cell, 2 * side);
        fr_vec2 to = fr_position_delta(self->start, fr_cell_centre(next));
        float towards = fr_vec2_dot(to, way) / (fr_vec2_length(way) * fr_vec2_length(to));
        if (towards > TOWARDS || !fr_cost_walkable(input->cost, (fr_class)self->movement_class, next)) {
            continue;
        }
        towards += crowd_mark_of(crowd, next, stream) != NULL ? 2.0f : 0.0f;
        if (towards < best) {
            best = towards;
            *velocity = fr_vec2_scale(fr_vec2_normalize(to), self->top_speed);
        }
    }
    return best < INFINITY;
}

lane_turn crowd_lane_turn(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, uint32_t *leg,
                          fr_vec2 *velocity)
{
    const body *self = &crowd->bodies[k];
    if (crowd->lane_count == 0 || self->on_detour || input->orders->legs[self->leg].field == NULL) {
        return LANE_FREE;
    }
    opposition found = look_through(crowd, input, self);
    if (found.theirs == NULL) {
        return LANE_FREE;
    }
    if (found.ours != NULL && goes_first(found.ours, found.theirs)) {
        return LANE_OURS;
    }
    uint32_t stream = found.theirs->stream;
    bool is_clear = crowd_mark_of(crowd, fr_cell_at(self->start), stream) == NULL;
    if (!is_clear && reaches_room(crowd, input, self, &found)) {
        return LANE_OURS;
    }
    *leg = found.theirs->leg;
    *velocity = is_clear ? make_room(crowd, input, k, stream) : clear_way(crowd, input, k, stream);
    return is_clear ? LANE_WAITS : LANE_CLEARS;
}
