/* single_file: who may be where the walls leave room for one stream only. Whoever is in such ground marks its
 * way through, as far as there is room again; whoever would come against it there sees the marks from afar.
 * Of two streams in one such place the one that is nearer to its end goes on; the other goes into room beside
 * the way, or back, and waits, and nobody goes in against those who are in. Knows walls and fields; passage.c
 * deals with those who meet all the same, and with lanes. */
#include "crowd/crowd_internal.h"

#include "base/memory.h"

/* A way through is followed no farther (cells), and so far beyond its end. */
#define TRACE_CELLS  64
#define BEYOND_CELLS 6
/* From so far outside (cells) a unit looks whether it may go in. */
#define LOOK_CELLS 6
/* Two streams can pass each other in a square of this many radii, of at most so many cells. In two lanes (4)
 * 50 against 50 can, but in 47 s instead of 29 by taking turns. */
#define PASS_RADII     5.0f
#define PASS_CELLS_MAX 4
/* Steps straight along rows and columns are enough: in single file there are no others. */
#define SIDES 4
/* Clear of the way it edges forward at this share of its top speed. */
#define EDGE_SPEED 0.02f
/* Room on the way to others is made for if the unit comes there so much (cells) earlier. */
#define HEAD_START_CELLS 4
/* Backing off, no way leads towards those who come: cosine. */
#define TOWARDS 0.5f
/* Off the rim of a way (1/s). */
#define RIM_RATE 5.0f

typedef struct lane_mark {
    uint32_t stream, leg;
    int32_t next;      /* another mark in the cell, and 1; 0: none */
    uint8_t direction; /* of the way on; FR_DIR_NONE at its end */
    uint8_t left;      /* cells to where there is room again */
    uint8_t occupied;  /* somebody of that stream is in the cell */
    uint8_t is_exact;  /* `left` is that far; else it is more */
} lane_mark;

void crowd_lanes_init(fr_crowd *crowd)
{
    size_t cells = (size_t)crowd->map.width * (size_t)crowd->map.height;
    crowd->lane_first = fr_alloc(cells, sizeof *crowd->lane_first);
    crowd->lane_capacity = 1024;
    crowd->lane_marks = fr_alloc_raw((size_t)crowd->lane_capacity, sizeof *crowd->lane_marks);
    crowd->lane_cells = fr_alloc_raw((size_t)crowd->lane_capacity, sizeof *crowd->lane_cells);
}

void crowd_lanes_fini(fr_crowd *crowd)
{
    fr_free(crowd->lane_first);
    fr_free(crowd->lane_marks);
    fr_free(crowd->lane_cells);
}

static fr_cell step_from(fr_cell cell, int direction)
{
    return (fr_cell){cell.x + FR_STEPS[direction].dx, cell.y + FR_STEPS[direction].dy};
}

/* Does the cell lie in no open square in which two of that size can pass each other? */
static bool is_narrow(const fr_crowd_input *input, const body *self, fr_cell cell)
{
    int needed = crowd_floor(PASS_RADII * self->radius) + 1;
    int side = needed < PASS_CELLS_MAX ? needed : PASS_CELLS_MAX, window = 2 * side - 1;
    uint64_t walls = fr_cost_wall_window(input->cost, (fr_class)self->movement_class,
                                         (fr_cell){cell.x - side + 1, cell.y - side + 1}, window);
    if (walls == 0) {
        return false;
    }
    uint64_t row = (1u << side) - 1u, square = 0;
    for (int y = 0; y < side; y++) {
        square |= row << (y * window);
    }
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            if ((walls & square << (y * window + x)) == 0) {
                return false;
            }
        }
    }
    return true;
}

/* The mark of a stream in a cell, or null. */
static lane_mark *mark_of(const fr_crowd *crowd, fr_cell cell, uint32_t stream)
{
    for (int32_t i = crowd->lane_first[fr_grid_index(crowd->map, cell)]; i != 0;
         i = crowd->lane_marks[i - 1].next) {
        if (crowd->lane_marks[i - 1].stream == stream) {
            return &crowd->lane_marks[i - 1];
        }
    }
    return NULL;
}

static lane_mark *add_mark(fr_crowd *crowd, fr_cell cell, const body *self)
{
    if (crowd->lane_count == crowd->lane_capacity) {
        crowd->lane_capacity *= 2;
        size_t capacity = (size_t)crowd->lane_capacity;
        crowd->lane_marks = fr_realloc(crowd->lane_marks, capacity, sizeof *crowd->lane_marks);
        crowd->lane_cells = fr_realloc(crowd->lane_cells, capacity, sizeof *crowd->lane_cells);
    }
    int32_t index = fr_grid_index(crowd->map, cell), at = crowd->lane_count++;
    crowd->lane_marks[at] = (lane_mark){
        .stream = self->stream, .leg = self->leg, .next = crowd->lane_first[index], .direction = FR_DIR_NONE};
    crowd->lane_cells[at] = index;
    crowd->lane_first[index] = at + 1;
    return &crowd->lane_marks[at];
}

/* The way on for units of a leg: the neighbour with the least left, or FR_DIR_NONE. */
static fr_direction way_on(const fr_crowd_input *input, uint32_t leg, fr_cell cell)
{
    const fr_leg *theirs = &input->orders->legs[leg];
    uint32_t least = crowd_value(input, theirs, cell);
    fr_direction best = FR_DIR_NONE;
    for (int side = 0; side < SIDES; side++) {
        fr_direction direction = (fr_direction)(2 * side);
        fr_cell next = step_from(cell, direction);
        uint32_t value = fr_cost_walkable(input->cost, theirs->movement_class, next)
                             ? crowd_value(input, theirs, next)
                             : FR_UNREACHED;
        if (value < least) {
            least = value;
            best = direction;
        }
    }
    return best;
}

/* Marks the way of a unit that is in single file to where there is room, and a little on. */
static void mark_way(fr_crowd *crowd, const fr_crowd_input *input, const body *self)
{
    fr_cell cell = fr_cell_at(self->start);
    lane_mark *own = mark_of(crowd, cell, self->stream);
    if (own != NULL) {
        own->occupied = 1;
        return;
    }
    int32_t first = crowd->lane_count, beyond = 0, left = 0;
    bool is_exact = false;
    for (int32_t i = 0; i < TRACE_CELLS && beyond < BEYOND_CELLS; i++) {
        lane_mark *there = mark_of(crowd, cell, self->stream);
        if (there != NULL) {
            left = there->left + 1;
            is_exact = there->is_exact;
            break;
        }
        beyond = i > 0 && !is_narrow(input, self, cell) ? beyond + 1 : 0;
        lane_mark *mark = add_mark(crowd, cell, self);
        mark->occupied = i == 0;
        mark->direction = (uint8_t)way_on(input, self->leg, cell);
        is_exact = mark->direction == FR_DIR_NONE || beyond == BEYOND_CELLS;
        if (mark->direction == FR_DIR_NONE) {
            break;
        }
        cell = step_from(cell, mark->direction);
    }
    for (int32_t i = crowd->lane_count - 1; i >= first; i--) {
        crowd->lane_marks[i].left = (uint8_t)(left < UINT8_MAX ? left : UINT8_MAX);
        crowd->lane_marks[i].is_exact = is_exact;
        left++;
    }
}

void crowd_lanes_gather(fr_crowd *crowd, const fr_crowd_input *input)
{
    for (int32_t i = 0; i < crowd->lane_count; i++) {
        crowd->lane_first[crowd->lane_cells[i]] = 0;
    }
    crowd->lane_count = 0;
    if (!crowd->has_conflict || !crowd_has(input, FR_MECHANISM_TURNS)) {
        return;
    }
    for (int32_t k = 0; k < crowd->hash.count; k++) {
        const body *self = &crowd->bodies[k];
        if (self->part == PART_MOVING && self->backs == 0 && self->movement_class != FR_CLASS_AIR &&
            !self->on_detour && input->orders->legs[self->leg].field != NULL &&
            is_narrow(input, self, fr_cell_at(self->start))) {
            mark_way(crowd, input, self);
        }
    }
}

bool crowd_is_in_lane(const fr_crowd *crowd, const body *self)
{
    return crowd->lane_count > 0 && mark_of(crowd, fr_cell_at(self->start), self->stream) != NULL;
}

/* What a unit finds on its way through. */
typedef struct opposition {
    const lane_mark *theirs; /* the mark of those who are nearest against it, or null */
    const lane_mark *ours;   /* that of the foremost of its own before them, or null */
    int32_t cells;           /* to them */
} opposition;

/* The mark in `next` of a stream that comes from there to `cell`: the one of somebody who is there, if there
 * is. */
static const lane_mark *mark_against(const fr_crowd *crowd, const body *self, fr_cell next, fr_direction way)
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
    for (int32_t i = 0; i < TRACE_CELLS + LOOK_CELLS; i++) {
        bool narrow = is_narrow(input, self, cell);
        is_in |= narrow;
        beyond = narrow ? 0 : beyond + 1;
        if (is_in ? beyond >= 2 : i >= LOOK_CELLS) {
            break;
        }
        const lane_mark *own = mark_of(crowd, cell, self->stream);
        found.ours = own != NULL && own->occupied ? own : found.ours;
        fr_direction way = way_on(input, self->leg, cell);
        if (way == FR_DIR_NONE) {
            break;
        }
        cell = step_from(cell, way);
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
    for (int32_t i = 0; 2 * i + HEAD_START_CELLS < found->cells && is_narrow(input, self, cell); i++) {
        for (int side = 0; side < SIDES && i > 0; side++) {
            fr_cell beside = step_from(cell, 2 * side);
            if (fr_cost_walkable(input->cost, (fr_class)self->movement_class, beside) &&
                mark_of(crowd, beside, found->theirs->stream) == NULL) {
                return true;
            }
        }
        fr_direction way = way_on(input, self->leg, cell);
        if (way == FR_DIR_NONE) {
            return false;
        }
        cell = step_from(cell, way);
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
                           fr_direction but)
{
    const body *self = &crowd->bodies[k];
    fr_cell cell = fr_cell_at(self->start), found = cell;
    for (int side = 0; side < SIDES; side++) {
        fr_cell beside = step_from(cell, 2 * side);
        if (2 * side != (int)but && fr_cost_walkable(input->cost, (fr_class)self->movement_class, beside) &&
            mark_of(crowd, beside, stream) == NULL && !is_occupied(crowd, k, beside)) {
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
static bool is_pressed(const fr_crowd *crowd, uint32_t k, uint32_t stream, fr_direction on)
{
    const body *self = &crowd->bodies[k];
    fr_vec2 ahead = {FR_STEPS[on].dx, FR_STEPS[on].dy};
    bool is_pressed = mark_of(crowd, step_from(fr_cell_at(self->start), on), stream) != NULL;
    for (int n = 0; n < crowd->list_count[k] && !is_pressed; n++) {
        uint32_t index = crowd_neighbour(crowd, k, n);
        is_pressed =
            crowd->bodies[index].backs > 0 && fr_vec2_dot(crowd_way_to(crowd, self, index), ahead) > 0.0f;
    }
    return is_pressed;
}

/* Velocity of one that waits clear of the way that a stream has marked: in single file on to where there is
 * room for others behind it; else to the middle of its cell, if it is at the rim of that way, and a little
 * forward, up to it. */
static fr_vec2 make_room(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, uint32_t stream)
{
    const body *self = &crowd->bodies[k];
    fr_cell cell = fr_cell_at(self->start);
    fr_direction on = way_on(input, self->leg, cell);
    if (on == FR_DIR_NONE) {
        return (fr_vec2){0.0f, 0.0f};
    }
    if (is_narrow(input, self, cell) && is_pressed(crowd, k, stream, on)) {
        fr_cell to = free_beside(crowd, input, k, stream, on);
        if (to.x != cell.x || to.y != cell.y) {
            return go_to(self, to);
        }
    }
    bool edges = mark_of(crowd, step_from(cell, on), stream) == NULL;
    fr_vec2 velocity = fr_vec2_scale(self->aim, edges ? EDGE_SPEED * self->top_speed : 0.0f);
    fr_vec2 to_middle = fr_position_delta(self->start, fr_cell_centre(cell));
    for (int side = 0; side < SIDES; side++) {
        fr_vec2 out = {FR_STEPS[2 * side].dx, FR_STEPS[2 * side].dy};
        float off = -fr_vec2_dot(to_middle, out);
        if (off > 0.0f && mark_of(crowd, step_from(cell, 2 * side), stream) != NULL) {
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
    fr_direction on = (fr_direction)mark_of(crowd, cell, stream)->direction;
    if (to.x == cell.x && to.y == cell.y && on != FR_DIR_NONE) {
        to = step_from(cell, on);
    }
    return go_to(self, to);
}

bool crowd_back_off(const fr_crowd *crowd, const fr_crowd_input *input, const body *self, uint32_t leg,
                    fr_vec2 way, fr_vec2 *velocity)
{
    fr_cell cell = fr_cell_at(self->start);
    if (crowd->lane_count == 0 || !is_narrow(input, self, cell)) {
        return false;
    }
    uint32_t stream = crowd_stream_of(&input->orders->legs[leg]);
    float best = INFINITY;
    for (int side = 0; side < SIDES; side++) {
        fr_cell next = step_from(cell, 2 * side);
        fr_vec2 to = fr_position_delta(self->start, fr_cell_centre(next));
        float towards = fr_vec2_dot(to, way) / (fr_vec2_length(way) * fr_vec2_length(to));
        if (towards > TOWARDS || !fr_cost_walkable(input->cost, (fr_class)self->movement_class, next)) {
            continue;
        }
        towards += mark_of(crowd, next, stream) != NULL ? 2.0f : 0.0f;
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
    bool is_clear = mark_of(crowd, fr_cell_at(self->start), stream) == NULL;
    if (!is_clear && reaches_room(crowd, input, self, &found)) {
        return LANE_OURS;
    }
    *leg = found.theirs->leg;
    *velocity = is_clear ? make_room(crowd, input, k, stream) : clear_way(crowd, input, k, stream);
    return is_clear ? LANE_WAITS : LANE_CLEARS;
}
