/* congestion_jam: what one order makes of the crowds: extra cost by squares, bounded by its free way. */
#include <string.h>

#include "grid/nav.h"
#include "sim/congestion_internal.h"

/* r^2 that discs may have in a cell when packed as hexagons: 0.9069 / pi, in 4096ths. */
#define PACKED_CELL 1182.0f

/* Fuller than this a square begins to cost more, in multiples of the ground's cost EXTRA_MAX when it is as
 * full as FULL. */
#define EMPTY     0.25f
#define FULL      0.8f
#define EXTRA_MAX 8.0f

/* Weights of a square, those at its sides, and those across its corners. */
static const float halo[3] = {4.0f, 2.0f, 1.0f};

/* The extra cost of a free way is at most this share of its cost. */
#define BUDGET_SHARE 0.5f

/* Free ways that are followed to learn what lies on them, and cells of each. */
#define WAYS_MAX  12
#define STEPS_MAX 8192

/* A jam begins when this many cells' worth of extra cost lie on a way; it ends after so many looks in a row
 * that find less. */
#define BEGIN_CELLS 4.0f
#define QUIET_LOOKS 8

/* At its goal a group is its own crowd: pack radii, plus cells. */
#define GOAL_RADII 1.6f
#define GOAL_CELLS 4.0f

/* Extra cost changes when what it should be is farther off than this (eighths of the ground's cost). */
#define CHANGE_MIN 3.0f

typedef struct look {
    const fr_congestion *congestion;
    const fr_order_desk *desk;
    const fr_leg *leg;
    const fr_field *field; /* of the free way */
    uint32_t goal_zone;    /* potential below which the goal's own crowd is */
} look;

/* The way from a cell of the square that has one to the goal. */
static bool find_way(const look *l, fr_cell square, fr_vec2 *heading, uint32_t *potential)
{
    static const int8_t order[4][2] = {{1, 1}, {2, 2}, {1, 2}, {2, 1}};
    for (int i = 0; i < 4; i++) {
        fr_cell tile = {square.x * FR_JAM_SIDE + order[i][0], square.y * FR_JAM_SIDE + order[i][1]};
        fr_cell cell = fr_nav_cell_of(fr_field_shift(l->field), tile);
        if (!fr_grid_contains(fr_field_grid(l->field), cell)) {
            continue;
        }
        uint8_t direction;
        fr_field_copy(l->field, (fr_rect){cell.x, cell.y, 1, 1}, potential, &direction);
        if (direction < FR_DIR_COUNT) {
            *heading = FR_STEPS[direction].unit;
            return true;
        }
    }
    return false;
}

/* Open cells of a square. */
static int open_cells(const look *l, fr_cell square)
{
    uint64_t walls =
        fr_cost_wall_window(l->desk->cost, (fr_cost_view)l->leg->movement_class,
                            (fr_cell){square.x * FR_JAM_SIDE, square.y * FR_JAM_SIDE}, FR_JAM_SIDE);
    return FR_JAM_SIDE * FR_JAM_SIDE - __builtin_popcountll(walls);
}

/* How much dearer a square is for this order, in multiples of the ground's cost, if there were no bound. */
static float wanted_extra(const look *l, int32_t index)
{
    if (!l->congestion->is_on) {
        return 0.0f; /* only those who hold count */
    }
    fr_cell square = fr_grid_cell(l->congestion->squares, index);
    fr_vec2 heading;
    uint32_t potential;
    if (!find_way(l, square, &heading, &potential) || potential < l->goal_zone) {
        return 0.0f;
    }
    float hindrance = 0.0f, room = 0.0f;
    for (int32_t dy = -1; dy <= 1; dy++) {
        for (int32_t dx = -1; dx <= 1; dx++) {
            fr_cell near = {square.x + dx, square.y + dy};
            if (!fr_grid_contains(l->congestion->squares, near)) {
                continue;
            }
            const crowd_square *crowd = &l->congestion->average[fr_grid_index(l->congestion->squares, near)];
            float weight = halo[(dx != 0) + (dy != 0)];
            float along = (float)crowd->flow_x * heading.x + (float)crowd->flow_y * heading.y;
            float stands = (float)crowd->mass - along;
            hindrance += weight * (stands > 0.0f ? stands : 0.0f);
            float free = (float)open_cells(l, near) * PACKED_CELL -
                         (float)l->congestion->held_mass[fr_grid_index(l->congestion->squares, near)];
            room += weight * (free > 0.0f ? free : 0.0f);
        }
    }
    if (hindrance <= 0.0f) {
        return 0.0f;
    }
    float fullness = room > 0.0f ? (hindrance / room - EMPTY) / (FULL - EMPTY) : 1.0f;
    return fullness <= 0.0f ? 0.0f : fullness >= 1.0f ? EXTRA_MAX : fullness * EXTRA_MAX;
}

/* Tiles of the field's cell that somebody holds; or the cell lies in one. */
static int32_t held_tiles(const look *l, fr_cell cell)
{
    fr_rect tiles = fr_nav_tiles(fr_field_shift(l->field), (fr_rect){cell.x, cell.y, 1, 1});
    int32_t held = 0;
    for (int32_t i = 0; i < tiles.width * tiles.height; i++) {
        held +=
            fr_cost_is_held(l->desk->cost, (fr_cell){tiles.x + i % tiles.width, tiles.y + i / tiles.width});
    }
    return held;
}

/* Follows the free way from a cell of the field; what crowds would add to it, in integration units, and how
 * many tiles of it are held. */
static float extra_on_way(const look *l, fr_cell from, int32_t *held)
{
    const fr_cost *nav = fr_cost_nav(l->desk->cost);
    const int32_t shift = fr_field_shift(l->field);
    float sum = 0.0f;
    int32_t last = -1;
    float extra = 0.0f;
    for (int step = 0; step < STEPS_MAX; step++) {
        uint8_t direction;
        fr_field_copy(l->field, (fr_rect){from.x, from.y, 1, 1}, NULL, &direction);
        if (direction >= FR_DIR_COUNT) {
            break;
        }
        fr_cell tile = fr_cell_at(fr_nav_centre(shift, from));
        int32_t square =
            fr_grid_index(l->congestion->squares, (fr_cell){tile.x / FR_JAM_SIDE, tile.y / FR_JAM_SIDE});
        if (square != last) {
            last = square;
            extra = wanted_extra(l, square);
        }
        *held += held_tiles(l, from);
        sum += extra * (float)FR_STEPS[direction].price * (float)fr_cost_at(nav, l->leg->fit, from) *
               (float)fr_nav_scale(shift);
        from = (fr_cell){from.x + FR_STEPS[direction].dx, from.y + FR_STEPS[direction].dy};
    }
    return sum;
}

/* What free ways of units on their way cost, and what crowds would add. */
typedef struct ways {
    float length_max, extra_max; /* integration units */
    int32_t held;                /* cells of all of them */
} ways;

/* Is the unit under way by the field? */
static bool follows(const fr_agents *agents, int32_t unit, uint32_t leg)
{
    return agents->leg[unit] == leg && agents->state[unit] == FR_UNIT_MOVING &&
           (agents->flags[unit] & FR_AGENT_HAS_SLOT) == 0;
}

static ways follow_ways(const look *l, uint32_t leg)
{
    const fr_agents *agents = l->desk->agents;
    ways found = {0.0f, 0.0f, 0};
    int32_t follower = 0, stride = l->leg->unclaimed / WAYS_MAX + 1;
    for (int32_t unit = 0; unit < agents->count; unit++) {
        if (!follows(agents, unit, leg) || follower++ % stride != 0) {
            continue;
        }
        fr_position at = agents->position[unit];
        uint32_t potential = fr_field_value(l->field, fr_cell_at(at));
        if (potential == FR_UNREACHED) {
            continue;
        }
        float length = (float)potential,
              extra = extra_on_way(l, fr_nav_cell_at(fr_field_shift(l->field), at), &found.held);
        found.length_max = length > found.length_max ? length : found.length_max;
        found.extra_max = extra > found.extra_max ? extra : found.extra_max;
    }
    return found;
}

static void add_candidate(fr_congestion *congestion, int32_t square, int32_t *count)
{
    if (!congestion->is_candidate[square]) {
        congestion->is_candidate[square] = 1;
        congestion->candidates[(*count)++] = square;
    }
}

/* Squares with a crowd in or beside them, and those that have extra cost now. */
static int32_t list_candidates(fr_congestion *congestion, const jam *own)
{
    int32_t count = 0;
    for (int32_t i = 0; i < congestion->active_count; i++) {
        fr_cell square = fr_grid_cell(congestion->squares, congestion->active[i]);
        for (int k = 0; k < 9; k++) {
            fr_cell near = {square.x + k % 3 - 1, square.y + k / 3 - 1};
            if (fr_grid_contains(congestion->squares, near)) {
                add_candidate(congestion, fr_grid_index(congestion->squares, near), &count);
            }
        }
    }
    for (int32_t i = 0; i < own->count; i++) {
        add_candidate(congestion, own->cells[i], &count);
    }
    return count;
}

static void spread_jam(fr_congestion *congestion, const look *l, int32_t index, float share)
{
    jam *own = &congestion->jams[index];
    fr_cost *cost = l->desk->cost;
    int32_t count = list_candidates(congestion, own);
    own->count = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t square = congestion->candidates[i];
        congestion->is_candidate[square] = 0;
        float wanted = 8.0f * share * wanted_extra(l, square);
        uint8_t before = fr_cost_jam_at(cost, index, square);
        float off = wanted - (float)before;
        uint8_t eighths =
            off > CHANGE_MIN || off < -CHANGE_MIN || wanted < 1.0f ? (uint8_t)(wanted + 0.5f) : before;
        fr_cost_set_jam(cost, index, square, eighths);
        if (eighths > 0) {
            own->cells[own->count++] = square;
        }
    }
    fr_rect changed = fr_cost_jam_compose(cost, index);
    if (changed.width > 0) {
        fr_field_service_view_changed(l->desk->fields, FR_COST_FIRST_JAM + index,
                                      fr_nav_cells(fr_field_shift(l->field), changed));
    }
}

static int32_t begin_jam(fr_congestion *congestion, fr_order_desk *desk, uint32_t leg)
{
    int32_t index = 0;
    while (index < FR_JAMS_MAX && congestion->jams[index].is_used) {
        index++;
    }
    if (index == FR_JAMS_MAX) {
        congestion->denied++;
        return -1;
    }
    jam *own = &congestion->jams[index];
    *own = (jam){.is_used = true, .leg = leg, .cells = own->cells};
    fr_leg_begin_jam(desk, &desk->orders.legs[leg], index);
    return index;
}

void congestion_end_jam(fr_congestion *congestion, fr_order_desk *desk, int32_t index)
{
    jam *own = &congestion->jams[index];
    if (!own->is_used) {
        return;
    }
    fr_leg *leg = &desk->orders.legs[own->leg];
    if (leg->jam == index + 1) {
        fr_leg_end_jam(desk, leg);
    }
    own->is_used = false;
    own->count = 0;
}

void congestion_look(fr_congestion *congestion, fr_order_desk *desk, uint32_t index, int32_t full_speed_cost)
{
    fr_leg *leg = &desk->orders.legs[index];
    look l = {.congestion = congestion,
              .desk = desk,
              .leg = leg,
              .field = fr_field_service_get(desk->fields, leg->field_id)};
    if (l.field == NULL) {
        return;
    }
    l.goal_zone =
        (uint32_t)((GOAL_RADII * leg->pack_radius + GOAL_CELLS) * FR_STEP_STRAIGHT * (float)full_speed_cost);
    ways found = follow_ways(&l, index);
    bool is_jammed =
        found.held > 0 || found.extra_max > BEGIN_CELLS * FR_STEP_STRAIGHT * (float)full_speed_cost;
    int32_t number = (int32_t)leg->jam - 1;
    if (number < 0 && (!is_jammed || (number = begin_jam(congestion, desk, index)) < 0)) {
        return;
    }
    jam *own = &congestion->jams[number];
    own->quiet = is_jammed ? 0 : own->quiet + 1;
    if (own->quiet > QUIET_LOOKS) {
        congestion_end_jam(congestion, desk, number);
        return;
    }
    float budget = BUDGET_SHARE * found.length_max;
    own->budget = budget > own->budget ? budget : own->budget;
    spread_jam(congestion, &l, number, found.extra_max > own->budget ? own->budget / found.extra_max : 1.0f);
}
