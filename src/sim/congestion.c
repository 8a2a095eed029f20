/* congestion: counting, and whose turn it is. */
#include "sim/congestion_internal.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "grid/nav.h"

/* Looks 3.75 times a second; the average gives each look half the weight: about half a second. */
#define LOOK_TICKS 8
/* Legs that have no jam yet are looked at so many at a time. */
#define LEGS_PER_LOOK 16
/* Smaller groups go through. */
#define UNITS_MIN 8

/* Without congestion, those who hold are gone round once somebody got nowhere before them, this long ago at
 * most (ticks). */
#define HELD_UP_TICKS 90

#define MASS_ONE 4096.0f

/* A unit needs about this much room beside one that never gives way (cells): its radius, less what the cell
 * grid may hide. */
#define HELD_MARGIN 0.35f

fr_congestion *fr_congestion_create(fr_grid map)
{
    fr_congestion *congestion = fr_alloc(1, sizeof *congestion);
    congestion->squares = fr_jam_squares(map);
    size_t count = (size_t)fr_grid_count(congestion->squares);
    congestion->average = fr_alloc(count, sizeof *congestion->average);
    congestion->now = fr_alloc(count, sizeof *congestion->now);
    congestion->held_mass = fr_alloc(count, sizeof *congestion->held_mass);
    congestion->held_cells = fr_alloc_raw((size_t)fr_grid_count(map), sizeof *congestion->held_cells);
    congestion->active = fr_alloc_raw(count, sizeof *congestion->active);
    congestion->is_active = fr_alloc(count, 1);
    congestion->is_candidate = fr_alloc(count, 1);
    congestion->candidates = fr_alloc_raw(count, sizeof *congestion->candidates);
    for (int32_t j = 0; j < FR_JAMS_MAX; j++) {
        congestion->jams[j].cells = fr_alloc_raw(count, sizeof *congestion->jams[j].cells);
    }
    return congestion;
}

void fr_congestion_destroy(fr_congestion *congestion)
{
    if (congestion == NULL) {
        return;
    }
    for (int32_t j = 0; j < FR_JAMS_MAX; j++) {
        fr_free(congestion->jams[j].cells);
    }
    fr_free(congestion->average);
    fr_free(congestion->now);
    fr_free(congestion->held_mass);
    fr_free(congestion->held_cells);
    fr_free(congestion->active);
    fr_free(congestion->is_active);
    fr_free(congestion->is_candidate);
    fr_free(congestion->candidates);
    fr_free(congestion);
}

static int32_t square_at(const fr_congestion *congestion, fr_position position)
{
    fr_cell cell = fr_cell_at(position);
    return fr_grid_index(congestion->squares, (fr_cell){cell.x / FR_JAM_SIDE, cell.y / FR_JAM_SIDE});
}

static bool holds(const fr_agents *agents, int32_t unit)
{
    return agents->state[unit] == FR_UNIT_HOLDING && agents->movement_class[unit] != FR_CLASS_AIR;
}

/* Cells in whose middle nobody can stand for this unit. */
static void hold_cells(fr_congestion *congestion, fr_cost *cost, const fr_agents *agents, int32_t unit)
{
    fr_position at = agents->position[unit];
    fr_cell middle = fr_cell_at(at);
    float reach = agents->radius[unit] + HELD_MARGIN;
    int32_t cells = (int32_t)reach + 1;
    for (int32_t y = middle.y - cells; y <= middle.y + cells; y++) {
        for (int32_t x = middle.x - cells; x <= middle.x + cells; x++) {
            fr_cell cell = {x, y};
            fr_vec2 way = fr_position_delta(at, fr_cell_centre(cell));
            if (fr_grid_contains(fr_cost_grid(cost), cell) && fr_vec2_dot(way, way) < reach * reach &&
                !fr_cost_is_held(cost, cell)) {
                fr_cost_set_held(cost, cell, true);
                congestion->held_cells[congestion->held_count++] = cell;
            }
        }
    }
}

static uint64_t mix_holder(uint64_t hash, const fr_agents *agents, int32_t unit)
{
    hash = fr_hash_u32(hash, (uint32_t)unit);
    hash = fr_hash_u32(hash, (uint32_t)agents->position[unit].x);
    return fr_hash_u32(hash, (uint32_t)agents->position[unit].y);
}

/* Who stands and never gives way; nothing is to do while they are the same as before. */
static void note_holders(fr_congestion *congestion, fr_order_desk *desk)
{
    const fr_agents *agents = desk->agents;
    uint64_t holders = FR_HASH_SEED;
    for (int32_t unit = 0; unit < agents->count; unit++) {
        holders = holds(agents, unit) ? mix_holder(holders, agents, unit) : holders;
    }
    if (holders == congestion->holders) {
        return;
    }
    congestion->holders = holders;
    for (int32_t i = 0; i < congestion->held_count; i++) {
        fr_cost_set_held(desk->cost, congestion->held_cells[i], false);
    }
    congestion->held_count = 0;
    memset(congestion->held_mass, 0,
           (size_t)fr_grid_count(congestion->squares) * sizeof *congestion->held_mass);
    for (int32_t unit = 0; unit < agents->count; unit++) {
        if (holds(agents, unit)) {
            hold_cells(congestion, desk->cost, agents, unit);
            congestion->held_mass[square_at(congestion, agents->position[unit])] +=
                (int32_t)(agents->radius[unit] * agents->radius[unit] * MASS_ONE);
        }
    }
    fr_rect changed = fr_cost_held_compose(desk->cost);
    fr_rect cells = fr_nav_cells(fr_cost_shift(fr_cost_nav(desk->cost)), changed);
    for (int32_t j = 0; j < FR_JAMS_MAX && changed.width > 0; j++) {
        fr_field_service_view_changed(desk->fields, FR_COST_FIRST_JAM + j, cells);
    }
}

static void count_unit(fr_congestion *congestion, const fr_agents *agents, int32_t unit)
{
    int32_t square = square_at(congestion, agents->position[unit]);
    if (!congestion->is_active[square]) {
        congestion->is_active[square] = 1;
        congestion->active[congestion->active_count++] = square;
    }
    float mass = agents->radius[unit] * agents->radius[unit] * MASS_ONE;
    fr_vec2 heading = fr_vec2_scale(agents->velocity[unit], mass / agents->speed[unit]);
    crowd_square *now = &congestion->now[square];
    now->mass += (int32_t)mass;
    now->flow_x += (int32_t)heading.x;
    now->flow_y += (int32_t)heading.y;
}

/* Half of what is new; what is nearly nothing ends. */
static int32_t blend(int32_t average, int32_t now)
{
    int32_t next = average + (now - average) / 2;
    return now == 0 && next < 16 && next > -16 ? 0 : next;
}

static void count_crowds(fr_congestion *congestion, const fr_agents *agents)
{
    for (int32_t unit = 0; unit < agents->count; unit++) {
        /* Fliers are in nobody's way. */
        if (agents->state[unit] != FR_UNIT_GONE && !holds(agents, unit) &&
            agents->movement_class[unit] != FR_CLASS_AIR) {
            count_unit(congestion, agents, unit);
        }
    }
    int32_t kept = 0;
    for (int32_t i = 0; i < congestion->active_count; i++) {
        int32_t square = congestion->active[i];
        crowd_square *average = &congestion->average[square], *now = &congestion->now[square];
        *average = (crowd_square){blend(average->mass, now->mass), blend(average->flow_x, now->flow_x),
                                  blend(average->flow_y, now->flow_y)};
        *now = (crowd_square){0, 0, 0};
        if (average->mass > 0) {
            congestion->active[kept++] = square;
        } else {
            *average = (crowd_square){0, 0, 0};
            congestion->is_active[square] = 0;
        }
    }
    congestion->active_count = kept;
}

void fr_congestion_switch(fr_congestion *congestion, fr_order_desk *desk, bool is_on)
{
    congestion->is_on = is_on;
    for (int32_t j = 0; j < FR_JAMS_MAX && !is_on; j++) {
        congestion_end_jam(congestion, desk, j);
    }
}

bool fr_congestion_is_on(const fr_congestion *congestion)
{
    return congestion->is_on;
}

/* Has a unit of it got nowhere of late, before one who holds? */
static bool is_held_up(const fr_leg *leg, uint32_t tick)
{
    return leg->held_up != 0 && tick - leg->held_up < HELD_UP_TICKS;
}

static bool has_work(const fr_congestion *congestion, const fr_order_desk *desk)
{
    bool any = congestion->is_on || fr_congestion_jams(congestion) != 0;
    for (int32_t l = 0; l < desk->orders.leg_limit && !any; l++) {
        const fr_leg *leg = &desk->orders.legs[l];
        any = leg->order != FR_NO_INDEX && is_held_up(leg, desk->tick);
    }
    return any;
}

void fr_congestion_tick(fr_congestion *congestion, fr_order_desk *desk, int32_t full_speed_cost)
{
    if (desk->tick % LOOK_TICKS != 0 || !has_work(congestion, desk)) {
        return;
    }
    note_holders(congestion, desk);
    if (congestion->is_on) {
        count_crowds(congestion, desk->agents);
    }
    const fr_orders *orders = &desk->orders;
    for (int32_t j = 0; j < FR_JAMS_MAX; j++) {
        const jam *own = &congestion->jams[j];
        if (own->is_used && orders->legs[own->leg].jam == j + 1) {
            congestion_look(congestion, desk, own->leg, full_speed_cost);
        } else if (own->is_used) {
            congestion_end_jam(congestion, desk, j); /* its order is over */
        }
    }
    int32_t left = LEGS_PER_LOOK;
    for (int32_t i = 0; i < orders->leg_limit && left > 0; i++) {
        int32_t l = congestion->next_leg < orders->leg_limit ? congestion->next_leg : 0;
        const fr_leg *leg = &orders->legs[l];
        congestion->next_leg = l + 1;
        bool is_fixed = leg->order != FR_NO_INDEX && orders->orders[leg->order].leader1 == 0 &&
                        (congestion->is_on || is_held_up(leg, desk->tick));
        if (is_fixed && leg->jam == 0 && leg->units >= UNITS_MIN && leg->field != NULL &&
            leg->movement_class != FR_CLASS_AIR) {
            congestion_look(congestion, desk, (uint32_t)l, full_speed_cost);
            left--;
        }
    }
}

uint32_t fr_congestion_jams(const fr_congestion *congestion)
{
    uint32_t bits = 0;
    for (int32_t j = 0; j < FR_JAMS_MAX; j++) {
        bits |= congestion->jams[j].is_used ? 1u << j : 0;
    }
    return bits;
}

uint32_t fr_congestion_jam_leg(const fr_congestion *congestion, int32_t number)
{
    return congestion->jams[number].is_used ? congestion->jams[number].leg : FR_NO_INDEX;
}

uint32_t fr_congestion_denied(const fr_congestion *congestion)
{
    return congestion->denied;
}

uint64_t fr_congestion_hash(const fr_congestion *congestion, const fr_cost *cost, uint64_t hash)
{
    hash = fr_hash_u32(hash, (uint32_t)congestion->next_leg);
    for (int32_t i = 0; i < congestion->active_count; i++) {
        const crowd_square *average = &congestion->average[congestion->active[i]];
        hash = fr_hash_u32(hash, (uint32_t)congestion->active[i]);
        hash = fr_hash_u32(hash, (uint32_t)average->mass);
        hash = fr_hash_u32(hash, (uint32_t)average->flow_x);
        hash = fr_hash_u32(hash, (uint32_t)average->flow_y);
    }
    for (int32_t j = 0; j < FR_JAMS_MAX; j++) {
        const jam *own = &congestion->jams[j];
        for (int32_t i = 0; own->is_used && i < own->count; i++) {
            hash = fr_hash_u32(hash, (uint32_t)own->cells[i]);
            hash = fr_hash_u32(hash, fr_cost_jam_at(cost, j, own->cells[i]));
        }
    }
    return hash;
}

/* ---- saved ---- */

/* More than all units of a world, on one spot; and looks that find nothing, long after which a jam has ended.
 */
#define SAVED_MASS_MAX (1 << 29)
#define QUIET_MAX      1000

typedef struct saved_jam {
    uint32_t is_used, leg;
    float budget;
    int32_t quiet, count;
} saved_jam;

void fr_congestion_save(const fr_congestion *congestion, fr_buffer *out)
{
    uint32_t is_on = congestion->is_on;
    fr_buffer_append(out, &is_on, sizeof is_on);
    fr_buffer_append(out, &congestion->next_leg, sizeof congestion->next_leg);
    fr_buffer_append(out, &congestion->active_count, sizeof congestion->active_count);
    for (int32_t i = 0; i < congestion->active_count; i++) {
        int32_t square = congestion->active[i];
        fr_buffer_append(out, &square, sizeof square);
        fr_buffer_append(out, &congestion->average[square], sizeof congestion->average[square]);
    }
    fr_buffer_append(out, &congestion->holders, sizeof congestion->holders);
    fr_buffer_append(out, &congestion->held_count, sizeof congestion->held_count);
    fr_buffer_append(out, congestion->held_cells,
                     (size_t)congestion->held_count * sizeof *congestion->held_cells);
    if (congestion->held_count > 0) {
        fr_buffer_append(out, congestion->held_mass,
                         (size_t)fr_grid_count(congestion->squares) * sizeof *congestion->held_mass);
    }
    for (int32_t j = 0; j < FR_JAMS_MAX; j++) {
        const jam *own = &congestion->jams[j];
        saved_jam saved = {own->is_used, own->leg, own->budget, own->quiet, own->count};
        fr_buffer_append(out, &saved, sizeof saved);
        fr_buffer_append(out, own->cells, (size_t)own->count * sizeof *own->cells);
    }
}

static bool take_square(const fr_congestion *congestion, fr_reader *reader, int32_t *square)
{
    return fr_reader_take(reader, square, sizeof *square) && *square >= 0 &&
           *square < fr_grid_count(congestion->squares);
}

static bool is_mass(int32_t mass)
{
    return mass >= -SAVED_MASS_MAX && mass <= SAVED_MASS_MAX;
}

static bool square_is_sane(const crowd_square *square)
{
    return is_mass(square->mass) && is_mass(square->flow_x) && is_mass(square->flow_y);
}

static bool load_holders(fr_congestion *congestion, fr_cost *cost, fr_reader *reader)
{
    fr_grid grid = fr_cost_grid(cost);
    int32_t *count = &congestion->held_count;
    if (!fr_reader_take(reader, &congestion->holders, sizeof congestion->holders) ||
        !fr_reader_take(reader, count, sizeof *count) || *count < 0 || *count > fr_grid_count(grid) ||
        !fr_reader_take(reader, congestion->held_cells, (size_t)*count * sizeof(fr_cell))) {
        return false;
    }
    for (int32_t i = 0; i < *count; i++) {
        if (!fr_grid_contains(grid, congestion->held_cells[i])) {
            return false;
        }
        fr_cost_set_held(cost, congestion->held_cells[i], true);
    }
    fr_cost_held_compose(cost);
    int32_t squares = *count == 0 ? 0 : fr_grid_count(congestion->squares);
    bool sane =
        fr_reader_take(reader, congestion->held_mass, (size_t)squares * sizeof *congestion->held_mass);
    for (int32_t i = 0; i < squares && sane; i++) {
        sane = is_mass(congestion->held_mass[i]);
    }
    return sane;
}

bool fr_congestion_load(fr_congestion *congestion, fr_cost *cost, fr_reader *reader)
{
    uint32_t is_on;
    int32_t squares = fr_grid_count(congestion->squares), count;
    if (!fr_reader_take(reader, &is_on, sizeof is_on) || is_on > 1 ||
        !fr_reader_take(reader, &congestion->next_leg, sizeof congestion->next_leg) ||
        congestion->next_leg < 0 || !fr_reader_take(reader, &count, sizeof count) || count < 0 ||
        count > squares) {
        return false;
    }
    congestion->is_on = is_on != 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t square;
        if (!take_square(congestion, reader, &square) || congestion->is_active[square] ||
            !fr_reader_take(reader, &congestion->average[square], sizeof *congestion->average) ||
            !square_is_sane(&congestion->average[square])) {
            return false;
        }
        congestion->is_active[square] = 1;
        congestion->active[congestion->active_count++] = square;
    }
    if (!load_holders(congestion, cost, reader)) {
        return false;
    }
    for (int32_t j = 0; j < FR_JAMS_MAX; j++) {
        jam *own = &congestion->jams[j];
        saved_jam saved;
        if (!fr_reader_take(reader, &saved, sizeof saved) || saved.is_used > 1 || saved.count < 0 ||
            saved.count > squares || saved.quiet < 0 || saved.quiet > QUIET_MAX ||
            !(saved.budget >= 0.0f && saved.budget <= (float)FR_INTEGRATION_MAX)) {
            return false;
        }
        own->is_used = saved.is_used != 0;
        own->leg = saved.leg; /* compared with the legs by the caller */
        own->budget = saved.budget;
        own->quiet = saved.quiet;
        for (; own->count < saved.count; own->count++) {
            if (!take_square(congestion, reader, &own->cells[own->count])) {
                return false;
            }
        }
    }
    return true;
}
