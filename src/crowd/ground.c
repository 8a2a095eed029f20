/* ground: where round a goal there is room for units to stand: points of a hexagonal lattice, met in order of
 * walking distance, without those in walls or under somebody who stands. Who needs how many is places.c's
 * business. */
#include "crowd/places.h"

#include <string.h>

/* Cells in which a pack counts as arrived, per squared radius of its units. */
#define ROOM_PER_SQUARE ((float)(FR_PACK_ROOM * FR_PACKED_CELLS))

/* Parts of an area that are farther from its middle than this many times its sides are left out. */
#define AREA_DETOUR 4

float crowd_ground_distance(const ground_search *ground, const fr_slot *place)
{
    /* Octile is at most 8.24 % too long. */
    float air = fr_vec2_length(fr_position_delta(ground->centre, place->position)),
          walked = (float)place->depth * (0.92f / FR_STEP_STRAIGHT) - 0.7f;
    return air > walked && !ground->by_walk ? air : walked > 0.0f ? walked : 0.0f;
}

/* Takes a lattice point as a candidate if a unit can stand there. */
static void consider(ground_search *ground, fr_vec2 from_anchor, fr_cell cell, uint32_t distance)
{
    fr_crowd *crowd = ground->crowd;
    fr_position place = fr_position_add(ground->anchor, from_anchor);
    fr_cell in = fr_cell_at(place);
    if (in.x != cell.x || in.y != cell.y || crowd->candidate_capacity <= ground->count ||
        !crowd_disc_fits(ground->input, ground->pack->legs[0]->movement_class, place, ground->radius) ||
        crowd_is_taken(crowd, place, ground->radius)) {
        return;
    }
    crowd->candidates[ground->count++] =
        (fr_slot){.position = place, .radius = ground->radius, .goal = ground->goal, .depth = distance};
}

static fr_vec2 turned(const ground_search *ground, fr_vec2 v)
{
    return ground->is_turned ? (fr_vec2){v.y, v.x} : v;
}

/* Takes the points of the lattice that lie in a cell. */
static void offer_cell(ground_search *ground, fr_cell cell, uint32_t distance)
{
    fr_position corner = {cell.x * FR_POSITION_ONE, cell.y * FR_POSITION_ONE};
    fr_vec2 low = turned(ground, fr_position_delta(ground->anchor, corner));
    float pitch = ground->pitch, row_height = pitch * ROW_RATIO;
    for (int32_t row = crowd_floor(low.y / row_height); (float)row * row_height < low.y + 1.0f; row++) {
        float shift = (row & 1) != 0 ? 0.5f * pitch : 0.0f;
        for (int32_t column = crowd_floor((low.x - shift) / pitch);
             (float)column * pitch + shift < low.x + 1.0f; column++) {
            fr_vec2 point = {(float)column * pitch + shift, (float)row * row_height};
            consider(ground, turned(ground, point), cell, distance);
        }
    }
}

/* Enough are found: how far the search goes on. */
static void note_enough(ground_search *ground, uint32_t distance)
{
    if (ground->count >= ground->wanted && ground->stop_distance == UINT32_MAX) {
        /* The octagon that has been searched holds the disc that is wanted only if it is a little larger. */
        ground->stop_distance = distance + distance / 11 + FR_STEP_STRAIGHT;
    }
}

/* Below the least potential of a cell beyond the arrival radius a unit is near enough to stop for sure. */
static void note_beyond(const ground_search *ground, fr_cell cell)
{
    for (int32_t l = 0; l < ground->pack->count; l++) {
        fr_leg *leg = ground->pack->legs[l];
        if (leg->field != NULL) {
            uint32_t potential = crowd_value(ground->input, leg, cell);
            leg->pack_potential = potential < leg->pack_potential ? potential : leg->pack_potential;
        }
    }
}

static bool visit_cell(void *context, fr_cell cell, uint32_t distance, int32_t source)
{
    (void)source;
    ground_search *ground = context;
    uint32_t seen = ground->arrival_radius; /* and a little farther, for what lies beyond it */
    if (seen != UINT32_MAX && distance > seen + 2 * FR_STEP_STRAIGHT && distance > ground->stop_distance) {
        return distance <= ground->reach;
    }
    /* Others who are there need their room too. */
    float others = crowd_taken_mass(ground->crowd, cell);
    ground->others_mass += others;
    ground->cells_left += ROOM_PER_SQUARE * others - 1.0f;
    if (ground->cells_left <= 0.0f && ground->arrival_radius == UINT32_MAX) {
        ground->arrival_radius = distance + FR_STEP_STRAIGHT;
    }
    if (distance > ground->arrival_radius) {
        note_beyond(ground, cell);
    }
    if (distance <= ground->stop_distance) {
        offer_cell(ground, cell, distance);
        note_enough(ground, distance);
    }
    return true;
}

/* The same where places lie in an area only. Ends where there is none of it left to meet, or with what can
 * only be reached by a long way round outside it. */
static bool visit_area_cell(void *context, fr_cell cell, uint32_t distance, int32_t source)
{
    (void)source;
    ground_search *ground = context;
    if (distance > ground->stop_distance || distance > ground->reach) {
        return false;
    }
    if (fr_area_contains(ground->area, cell)) {
        ground->area_cells_left--;
        offer_cell(ground, cell, distance);
        note_enough(ground, distance);
    }
    return ground->area_cells_left > 0;
}

void crowd_order_by_key(const uint32_t *key, int32_t count, uint32_t *order)
{
    enum { KEYS = 1 << 12 };
    uint32_t start[KEYS + 1];
    memset(start, 0, sizeof start);
    for (int32_t i = 0; i < count; i++) {
        start[(key[i] < KEYS - 1 ? key[i] : KEYS - 1) + 1]++;
    }
    for (int32_t k = 1; k <= KEYS; k++) {
        start[k] += start[k - 1];
    }
    for (int32_t i = 0; i < count; i++) {
        order[start[key[i] < KEYS - 1 ? key[i] : KEYS - 1]++] = (uint32_t)i;
    }
}

static ground_search begin(fr_crowd *crowd, const fr_crowd_input *input, const pack_legs *pack,
                           const ground_need *need, int32_t goal, fr_position anchor)
{
    ground_search ground = {
        .crowd = crowd,
        .input = input,
        .pack = pack,
        .anchor = anchor,
        .pitch = need->pitch,
        .radius = need->radius,
        .goal = goal,
        .wanted = need->wanted,
        .stop_distance = UINT32_MAX,
        .arrival_radius = UINT32_MAX,
        .reach = need->reach,
        /* A group counts as arrived within the cells that hold 1.25 times its hexagonal packing. */
        .cells_left = ROOM_PER_SQUARE * need->mass,
    };
    if (!crowd_disc_fits(input, pack->legs[0]->movement_class, anchor, need->radius)) {
        ground.anchor = fr_cell_centre(fr_cell_at(anchor));
    }
    ground.centre = ground.anchor;
    return ground;
}

ground_search crowd_find_ground(fr_crowd *crowd, const fr_crowd_input *input, const pack_legs *pack,
                                const ground_need *need, int32_t goal, fr_position anchor, int phase)
{
    static const fr_vec2 shifts[LATTICE_PHASES / 2] = {
        {0.0f, 0.0f}, {0.5f, 0.0f}, {0.5f, ROW_RATIO / 3.0f}, {0.25f, ROW_RATIO / 6.0f}};
    ground_search ground = begin(crowd, input, pack, need, goal, anchor);
    ground.is_turned = phase >= LATTICE_PHASES / 2;
    fr_vec2 shift = turned(&ground, fr_vec2_scale(shifts[phase % (LATTICE_PHASES / 2)], need->pitch));
    ground.anchor.x += fr_fixed((double)shift.x);
    ground.anchor.y += fr_fixed((double)shift.y);
    fr_cell cell = fr_cell_at(anchor);
    fr_octile_search_run(&crowd->search, input->cost, pack->legs[0]->fit, &cell, 1, NULL, visit_cell,
                         &ground);
    return ground;
}

ground_search crowd_find_ground_of_area(fr_crowd *crowd, const fr_crowd_input *input, const pack_legs *pack,
                                        const ground_need *need)
{
    fr_leg *leg = pack->legs[0];
    const fr_area *area = &input->orders->orders[leg->order].area;
    fr_rect bounds = fr_area_bounds(area, crowd->map);
    ground_search ground = begin(crowd, input, pack, need, 0, leg->goal);
    ground.area = area;
    ground.area_cells_left = fr_area_count(area, crowd->map);
    ground.reach = (uint32_t)(AREA_DETOUR * (bounds.width + bounds.height)) * FR_STEP_STRAIGHT;
    fr_cell cell = fr_cell_at(leg->goal);
    fr_octile_search_run(&crowd->search, input->cost, leg->fit, &cell, 1, NULL, visit_area_cell, &ground);
    if (ground.count < need->least) {
        /* All of it, and what lies nearest to it on foot. */
        ground = begin(crowd, input, pack, need, 0, leg->goal);
        ground.by_walk = true;
        fr_octile_search_widen(&crowd->search, input->cost, leg->fit, area, visit_cell, &ground);
    } else {
        leg->pack_potential = 0; /* the field has no value to tell the pack from the rest of the area */
    }
    return ground;
}
