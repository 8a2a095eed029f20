/* conflict: a coarse grid of who stands and who goes where, from which a unit sees oncoming traffic several
 * cells ahead and gives way to the right. A unit's own stream is taken out of what it sees: friends who
 * converge are no conflict. */
#include "crowd/crowd_internal.h"

#include "base/memory.h"

#define COARSE_SHIFT   1 /* coarse cells of 2x2 cells */
#define COARSE_INVERSE 0.5f

/* Streams told apart in one coarse cell; more are only in the total, so that their own units see them too. */
#define STREAMS_KEPT 3

/* A packed coarse cell holds this many units of radius 0.4 (hexagonal packing of four cells). */
#define PACKED 7.2f
/* Mass of a unit of that size. */
#define UNIT_MASS (1.0f / 0.16f)
/* Share of the traffic's mass that must go my way for it to be no conflict. */
#define THETA 0.6f
/* Conflict at which a unit turns by as much as it ever does (tangent of half the angle: 0.84 is 80 degrees).
 */
#define KAPPA 2.0f
/* Left only if the right is worse by this much. */
#define SIDE_BIAS 0.3f

/* Packed more densely than this, those who stand have no room to step aside. */
#define CROWDED 0.44f
/* Where those who stand are packed more densely than this, they are all around. */
#define AROUND       0.2f
#define AROUND_CELLS 1.5f
#define ENCLOSED     0.6f

typedef struct traffic {
    float mass;
    fr_vec2 heading; /* sum of mass x direction */
} traffic;

/* Legs told apart in one coarse cell; the ground of more is left out. */
#define LEGS_KEPT 3

/* Masses at a place: of those who stand, and of all. */
typedef struct masses {
    float standing, all;
} masses;

struct conflict_cell {
    traffic total;
    bool is_touched;
    float standing;            /* mass of those who stand */
    float promised[LEGS_KEPT]; /* mass of those who are on their way to a place there, or may claim one */
    uint32_t leg[LEGS_KEPT];
    int32_t legs;
    traffic own[STREAMS_KEPT];
    uint32_t stream[STREAMS_KEPT];
    int32_t streams;
};

void crowd_conflict_init(fr_crowd *crowd)
{
    crowd->conflict_columns = (crowd->map.width >> COARSE_SHIFT) + 1;
    crowd->conflict_rows = (crowd->map.height >> COARSE_SHIFT) + 1;
    /* The ground, and the air behind it. */
    size_t cells = 2 * (size_t)crowd->conflict_columns * (size_t)crowd->conflict_rows;
    crowd->conflict = fr_alloc(cells, sizeof *crowd->conflict);
    crowd->conflict_touched = fr_alloc_raw(cells, sizeof *crowd->conflict_touched);
}

/* Where those of a class find those whom they may meet. */
static int32_t coarse_index(const fr_crowd *crowd, int movement_class, fr_position position)
{
    fr_cell cell = fr_grid_clamp_cell(crowd->map, fr_cell_at(position));
    int32_t row = (cell.y >> COARSE_SHIFT) + (movement_class == FR_CLASS_AIR ? crowd->conflict_rows : 0);
    return row * crowd->conflict_columns + (cell.x >> COARSE_SHIFT);
}

static void add(traffic *to, float mass, fr_vec2 heading)
{
    to->mass += mass;
    to->heading = fr_vec2_add(to->heading, fr_vec2_scale(heading, mass));
}

/* More than one order, or units that have none. */
static bool has_conflict(const fr_crowd_input *input)
{
    const fr_agents *agents = input->agents;
    uint32_t first = FR_NO_INDEX;
    for (int32_t unit = 0; unit < agents->count; unit++) {
        if (agents->state[unit] == FR_UNIT_GONE) {
            continue;
        }
        if (agents->leg[unit] == FR_NO_INDEX) {
            return true;
        }
        uint32_t pack = fr_leg_pack(input->orders, agents->leg[unit]);
        first = first == FR_NO_INDEX ? pack : first;
        if (pack != first) {
            return true;
        }
    }
    return false;
}

/* The cell to write to. */
static struct conflict_cell *touch(fr_crowd *crowd, int movement_class, fr_position position)
{
    int32_t index = coarse_index(crowd, movement_class, position);
    struct conflict_cell *cell = &crowd->conflict[index];
    if (!cell->is_touched) {
        cell->is_touched = true;
        crowd->conflict_touched[crowd->conflict_touched_count++] = index;
    }
    return cell;
}

static void gather_unit(fr_crowd *crowd, const body *self)
{
    struct conflict_cell *cell = touch(crowd, self->movement_class, self->start);
    float mass = crowd_mass(self) * UNIT_MASS;
    add(&cell->total, mass, self->aim);
    if (crowd_stands(self)) {
        cell->standing += mass;
        crowd->has_standing = true;
    }
    int32_t i = 0;
    while (i < cell->streams && cell->stream[i] != self->stream) {
        i++;
    }
    if (i < STREAMS_KEPT && self->stream != FR_NO_INDEX) {
        if (i == cell->streams) {
            cell->stream[cell->streams++] = self->stream;
        }
        add(&cell->own[i], mass, self->aim);
    }
}

static void gather_place(fr_crowd *crowd, const fr_orders *orders, uint32_t leg, fr_position place,
                         float mass)
{
    struct conflict_cell *cell = touch(crowd, (int)orders->legs[leg].movement_class, place);
    int32_t i = 0;
    while (i < cell->legs && cell->leg[i] != leg) {
        i++;
    }
    if (i < LEGS_KEPT) {
        cell->legs += i == cell->legs;
        cell->leg[i] = leg;
        cell->promised[i] += mass;
    }
}

void crowd_conflict_gather(fr_crowd *crowd, const fr_crowd_input *input)
{
    for (int32_t i = 0; i < crowd->conflict_touched_count; i++) {
        crowd->conflict[crowd->conflict_touched[i]] = (struct conflict_cell){0};
    }
    crowd->conflict_touched_count = 0;
    crowd->has_standing = false;
    crowd->has_conflict = has_conflict(input);
    if (!crowd->has_conflict) {
        return;
    }
    const fr_agents *agents = input->agents;
    const fr_orders *orders = input->orders;
    for (int32_t k = 0; k < crowd->hash.count; k++) {
        const body *self = &crowd->bodies[k];
        if (self->part == PART_DISPLACED || self->part == PART_ESCAPING) {
            continue;
        }
        gather_unit(crowd, self);
        if (self->part == PART_MOVING && (agents->flags[self->id] & FR_AGENT_HAS_SLOT) != 0) {
            gather_place(crowd, orders, self->leg, agents->target[self->id], crowd_mass(self) * UNIT_MASS);
        }
    }
    for (uint32_t l = 0; l < (uint32_t)orders->leg_limit; l++) {
        const fr_leg *leg = &orders->legs[l];
        for (int32_t s = 0; leg->order != FR_NO_INDEX && s < leg->slot_count; s++) {
            const fr_slot *slot = &orders->slots[leg->slot_first + s];
            if (!slot->spare) {
                gather_place(crowd, orders, l, slot->position, slot->radius * slot->radius * UNIT_MASS);
            }
        }
    }
}

/* How much of what is in the coarse cell there goes against this heading: 0 (nothing) .. about 1. */
static float conflict_at(const fr_crowd *crowd, const body *self, fr_vec2 from_self)
{
    fr_position there = fr_position_add(self->start, from_self);
    const struct conflict_cell *cell = &crowd->conflict[coarse_index(crowd, self->movement_class, there)];
    if (cell->total.mass == 0.0f) {
        return 0.0f;
    }
    traffic others = cell->total;
    for (int32_t i = 0; i < cell->streams; i++) {
        if (cell->stream[i] == self->stream) {
            add(&others, -cell->own[i].mass, (fr_vec2){0.0f, 0.0f});
            others.heading.x -= cell->own[i].heading.x;
            others.heading.y -= cell->own[i].heading.y;
        }
    }
    float against = (1.0f - THETA) * others.mass - fr_vec2_dot(self->aim, others.heading);
    return against > 0.0f ? against / (2.0f * PACKED) : 0.0f;
}

/* Left where that is better, by some margin for those who keep right; on even terms half of the others go
 * left.
 */
static bool goes_left(const fr_crowd_input *input, const body *self, float right_side, float left_side)
{
    if (crowd_has(input, FR_MECHANISM_LANES)) {
        return right_side > left_side + SIDE_BIAS;
    }
    return right_side == left_side ? (self->id & 1) != 0 : right_side > left_side;
}

/* Masses in a coarse cell, by column and row in the grid of the unit's class. */
static masses masses_in(const fr_crowd *crowd, const body *self, int32_t column, int32_t row)
{
    if (column < 0 || column >= crowd->conflict_columns || row < 0 || row >= crowd->conflict_rows) {
        return (masses){0.0f, 0.0f};
    }
    int32_t first_row = self->movement_class == FR_CLASS_AIR ? crowd->conflict_rows : 0;
    const struct conflict_cell *cell = &crowd->conflict[(first_row + row) * crowd->conflict_columns + column];
    return (masses){cell->standing, cell->total.mass};
}

static masses mix(masses a, masses b, float share)
{
    return (masses){a.standing + (b.standing - a.standing) * share, a.all + (b.all - a.all) * share};
}

/* Between the middles of coarse cells. */
static masses masses_at(const fr_crowd *crowd, const body *self, fr_vec2 from_self)
{
    float x = (float)fr_cells(self->start.x) + from_self.x, y = (float)fr_cells(self->start.y) + from_self.y;
    x = x * COARSE_INVERSE - 0.5f;
    y = y * COARSE_INVERSE - 0.5f;
    int32_t column = crowd_floor(x), row = crowd_floor(y);
    masses top =
        mix(masses_in(crowd, self, column, row), masses_in(crowd, self, column + 1, row), x - (float)column);
    masses bottom = mix(masses_in(crowd, self, column, row + 1), masses_in(crowd, self, column + 1, row + 1),
                        x - (float)column);
    return mix(top, bottom, y - (float)row);
}

float crowd_standing_at(const fr_crowd *crowd, const body *self, fr_vec2 from_self)
{
    return crowd->has_standing ? masses_at(crowd, self, from_self).standing * (1.0f / PACKED) : 0.0f;
}

/* Has the first leg come to its goal earlier? Ground is its own before it is that of the other. */
static bool is_before(const fr_orders *orders, uint32_t first, uint32_t other)
{
    const fr_leg *a = &orders->legs[first], *b = &orders->legs[other];
    return fr_leg_pack(orders, first) != fr_leg_pack(orders, other) &&
           (!b->slots_made || a->slots_tick < b->slots_tick ||
            (a->slots_tick == b->slots_tick && first < other));
}

float crowd_promised_at(const fr_crowd *crowd, const fr_crowd_input *input, const body *self,
                        fr_vec2 from_self)
{
    fr_position there = fr_position_add(self->start, from_self);
    const struct conflict_cell *cell = &crowd->conflict[coarse_index(crowd, self->movement_class, there)];
    float mass = 0.0f;
    for (int32_t i = 0; i < cell->legs; i++) {
        bool follows = crowd_follows(input, cell->leg[i], self);
        mass += !follows && is_before(input->orders, cell->leg[i], self->leg) ? cell->promised[i] : 0.0f;
    }
    return mass * (1.0f / PACKED);
}

bool crowd_is_crowded(const fr_crowd *crowd, const body *self, fr_vec2 from_self)
{
    return crowd_standing_at(crowd, self, from_self) > CROWDED;
}

bool crowd_is_enclosed(const fr_crowd *crowd, const body *self)
{
    return crowd_standing_at(crowd, self, (fr_vec2){0.0f, 0.0f}) > ENCLOSED ||
           (crowd_standing_at(crowd, self, fr_vec2_scale(self->aim, AROUND_CELLS)) > AROUND &&
            crowd_standing_at(crowd, self, fr_vec2_scale(self->aim, -AROUND_CELLS)) > AROUND);
}

float crowd_moving_at(const fr_crowd *crowd, const body *self, fr_vec2 from_self)
{
    masses there = masses_at(crowd, self, from_self);
    return (there.all - there.standing) * (1.0f / PACKED);
}

float crowd_conflict_veer(const fr_crowd *crowd, const fr_crowd_input *input, const body *self)
{
    if (!crowd->has_conflict || (self->aim.x == 0.0f && self->aim.y == 0.0f)) {
        return 0.0f;
    }
    static const float ahead[] = {3.0f, 10.0f, 20.0f}, weight[] = {0.4f, 0.3f, 0.3f};
    /* Who sees them from afar need turn by less. */
    static const float veer_max[] = {0.84f, 0.4f, 0.25f};
    const float aside = 1.5f;
    /* y points down: to the right of (x, y) lies (-y, x). */
    fr_vec2 right = {-self->aim.y, self->aim.x};
    float wanted = 0.0f, right_side = 0.0f, left_side = 0.0f;
    for (int i = 0; i < 3; i++) {
        /* What lies beyond the target, or the next corner, is not on the way. */
        if (i > 0 && ahead[i] > self->straight + 1.0f) {
            break;
        }
        fr_vec2 at = fr_vec2_scale(self->aim, ahead[i]);
        float conflict = KAPPA * conflict_at(crowd, self, at);
        conflict = (conflict < 1.0f ? conflict : 1.0f) * veer_max[i];
        wanted = conflict > wanted ? conflict : wanted;
        right_side += weight[i] * conflict_at(crowd, self, fr_vec2_add(at, fr_vec2_scale(right, aside)));
        left_side += weight[i] * conflict_at(crowd, self, fr_vec2_add(at, fr_vec2_scale(right, -aside)));
    }
    return goes_left(input, self, right_side, left_side) ? -wanted : wanted;
}
