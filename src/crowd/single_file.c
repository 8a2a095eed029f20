/* single_file: who may be where the walls leave room for one stream only. Whoever is in such ground marks its
 * way through, as far as there is room again; whoever would come against it there sees the marks from afar.
 * Of two streams in one such place the one that is nearer to its end goes on; the other goes into room beside
 * the way, or back, and waits, and nobody goes in against those who are in. Knows walls and fields; passage.c
 * deals with those who meet all the same, and with lanes. */
#include "crowd/single_file.h"

#include "base/assert.h"
#include "base/memory.h"

/* So far beyond its end (cells) a way through is marked. */
#define BEYOND_CELLS 6
/* Two streams can pass each other in a square of this many radii, of at most so many cells. In two lanes (4)
 * 50 against 50 can, but in 47 s instead of 29 by taking turns. */
#define PASS_RADII     5.0f
#define PASS_CELLS_MAX 4

void crowd_lanes_init(fr_crowd *crowd, int32_t unit_capacity)
{
    size_t cells = (size_t)crowd->map.width * (size_t)crowd->map.height;
    crowd->lane_first = fr_alloc(cells, sizeof *crowd->lane_first);
    /* As if each marked a way of its own: most of it is never touched. */
    crowd->lane_capacity = unit_capacity * LANE_TRACE_CELLS;
    crowd->lane_marks = fr_alloc_raw((size_t)crowd->lane_capacity, sizeof *crowd->lane_marks);
    crowd->lane_cells = fr_alloc_raw((size_t)crowd->lane_capacity, sizeof *crowd->lane_cells);
}

void crowd_lanes_fini(fr_crowd *crowd)
{
    fr_free(crowd->lane_first);
    fr_free(crowd->lane_marks);
    fr_free(crowd->lane_cells);
}

bool crowd_is_narrow(const fr_crowd_input *input, const body *self, fr_cell cell)
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

lane_mark *crowd_mark_of(const fr_crowd *crowd, fr_cell cell, uint32_t stream)
{
    if (!fr_grid_contains(crowd->map, cell)) {
        return NULL;
    }
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
    FR_ASSERT(crowd->lane_count < crowd->lane_capacity);
    int32_t index = fr_grid_index(crowd->map, cell), at = crowd->lane_count++;
    crowd->lane_marks[at] = (lane_mark){
        .stream = self->stream, .leg = self->leg, .next = crowd->lane_first[index], .direction = FR_DIR_NONE};
    crowd->lane_cells[at] = index;
    crowd->lane_first[index] = at + 1;
    return &crowd->lane_marks[at];
}

int crowd_way_on(const fr_crowd_input *input, uint32_t leg, fr_cell cell)
{
    const fr_leg *theirs = &input->orders->legs[leg];
    uint32_t least = crowd_value(input, theirs, cell);
    int best = FR_DIR_NONE;
    for (int side = 0; side < LANE_SIDES; side++) {
        int direction = 2 * side;
        fr_cell next = lane_step(cell, direction);
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
    lane_mark *own = crowd_mark_of(crowd, cell, self->stream);
    if (own != NULL) {
        own->occupied = 1;
        return;
    }
    int32_t first = crowd->lane_count, beyond = 0, left = 0;
    bool is_exact = false;
    for (int32_t i = 0; i < LANE_TRACE_CELLS && beyond < BEYOND_CELLS; i++) {
        lane_mark *there = crowd_mark_of(crowd, cell, self->stream);
        if (there != NULL) {
            left = there->left + 1;
            is_exact = there->is_exact;
            break;
        }
        beyond = i > 0 && !crowd_is_narrow(input, self, cell) ? beyond + 1 : 0;
        lane_mark *mark = add_mark(crowd, cell, self);
        mark->occupied = i == 0;
        mark->direction = (uint8_t)crowd_way_on(input, self->leg, cell);
        is_exact = mark->direction == FR_DIR_NONE || beyond == BEYOND_CELLS;
        if (mark->direction == FR_DIR_NONE) {
            break;
        }
        cell = lane_step(cell, mark->direction);
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
            crowd_is_narrow(input, self, fr_cell_at(self->start))) {
            mark_way(crowd, input, self);
        }
    }
}

bool crowd_is_in_lane(const fr_crowd *crowd, const body *self)
{
    return crowd->lane_count > 0 && crowd_mark_of(crowd, fr_cell_at(self->start), self->stream) != NULL;
}
