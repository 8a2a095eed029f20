/* slots: the places of a pack. A hexagonal lattice round the goal, nearest first by walking distance, without
 * the points that lie in walls or under somebody who stands. Units claim late, the far side first, so that
 * nobody has to squeeze past those who are there. */
#include "crowd/crowd_internal.h"

#include <string.h>

#include "field/line_of_sight.h"

#define ROW_RATIO 0.8660254f /* height of a lattice row per pitch */

/* Deep bands of the pack fill first; a band is this many pitches. */
#define BAND_PITCHES 1.5f

/* Depths are worked out this often while a pack fills, from at most so many of those who come. */
#define DEPTHS_PER_PACK 64
#define SOURCES_MAX     256
#define DEPTHS_TICKS    10
/* Who stands yields this much (cells). */
#define SQUEEZE 0.15f
/* Places are looked for this far from those who come: pack radii, plus cells. */
#define DEPTH_RADII 5.0f
#define DEPTH_CELLS 20.0f

/* Units claim this far before they come to the pack (cells at cost 1). */
#define CLAIM_MARGIN 4

/* Radius of the leg's units: of the middle one where they differ. */
static float unit_radius(const fr_leg *leg)
{
    return leg->slot_pitch * (0.5f / FR_SLOT_SPACING);
}

/* Cells that one unit takes in hexagonal packing: 2 sqrt 3 r^2. */
static float cells_per_unit(const fr_leg *leg)
{
    float radius = unit_radius(leg);
    return 3.4641f * radius * radius;
}

typedef struct slot_maker {
    fr_crowd *crowd;
    const fr_crowd_input *input;
    const fr_leg *leg;
    fr_position anchor;
    float radius;
    int32_t goal, wanted, count;
    uint32_t stop_distance;  /* enough were found: the search goes on to here for roundness */
    uint32_t arrival_radius; /* UINT32_MAX until known */
    uint32_t sure_potential; /* least potential of a cell beyond the arrival radius */
    float cells_left;        /* cells within the arrival radius that have not been met */
} slot_maker;

static bool is_occupied(const slot_maker *maker, fr_position place)
{
    const fr_spatial_hash *hash = &maker->crowd->hash;
    fr_cell bucket = fr_spatial_hash_bucket(hash, place);
    for (int32_t row = bucket.y - 1; row <= bucket.y + 1; row++) {
        uint32_t begin, end;
        fr_spatial_hash_row(hash, bucket.x, row, &begin, &end);
        for (uint32_t k = begin; k < end; k++) {
            const body *other = &maker->crowd->bodies[k];
            fr_vec2 way = fr_position_delta(place, other->start);
            float reach = maker->radius + other->radius;
            if (other->part != PART_MOVING && fr_vec2_dot(way, way) < reach * reach) {
                return true;
            }
        }
    }
    return false;
}

/* Takes a lattice point as a candidate if a unit can stand there. The key orders by distance from the goal:
 * by air in the open, so that packs are round, and by the way walked behind corners (octile is at most 8.24 %
 * too long). */
static void consider(slot_maker *maker, fr_vec2 from_anchor, fr_cell cell, uint32_t distance)
{
    fr_crowd *crowd = maker->crowd;
    fr_position place = {maker->anchor.x + fr_fixed((double)from_anchor.x),
                         maker->anchor.y + fr_fixed((double)from_anchor.y)};
    fr_cell in = fr_cell_at(place);
    if (in.x != cell.x || in.y != cell.y || crowd->candidate_capacity <= maker->count ||
        !crowd_disc_fits(maker->input, maker->leg->movement_class, place, maker->radius) ||
        is_occupied(maker, place)) {
        return;
    }
    float air = fr_vec2_length(from_anchor), walked = (float)distance * (0.92f / FR_STEP_STRAIGHT) - 0.7f;
    float key = air > walked ? air : walked;
    crowd->candidates[maker->count] = (fr_slot){.position = place, .goal = maker->goal, .depth = distance};
    crowd->candidate_key[maker->count] = (uint32_t)(key * 16.0f);
    maker->count++;
}

static bool visit_cell(void *context, fr_cell cell, uint32_t distance, int32_t source)
{
    (void)source;
    slot_maker *maker = context;
    maker->cells_left -= 1.0f;
    if (maker->cells_left <= 0.0f && maker->arrival_radius == UINT32_MAX) {
        maker->arrival_radius = distance + FR_STEP_STRAIGHT;
    }
    if (distance > maker->arrival_radius && maker->leg->field != NULL) {
        uint32_t potential = fr_field_value(maker->leg->field, cell);
        maker->sure_potential = potential < maker->sure_potential ? potential : maker->sure_potential;
    }
    if (distance > maker->stop_distance) {
        return maker->arrival_radius == UINT32_MAX ||
               distance <= maker->arrival_radius + 2 * FR_STEP_STRAIGHT;
    }
    fr_position corner = {cell.x * FR_POSITION_ONE, cell.y * FR_POSITION_ONE};
    fr_vec2 low = fr_position_delta(maker->anchor, corner);
    float pitch = maker->leg->slot_pitch, row_height = pitch * ROW_RATIO;
    for (int32_t row = crowd_floor(low.y / row_height); (float)row * row_height < low.y + 1.0f; row++) {
        float shift = (row & 1) != 0 ? 0.5f * pitch : 0.0f;
        for (int32_t column = crowd_floor((low.x - shift) / pitch);
             (float)column * pitch + shift < low.x + 1.0f; column++) {
            consider(maker, (fr_vec2){(float)column * pitch + shift, (float)row * row_height}, cell,
                     distance);
        }
    }
    if (maker->count >= maker->wanted && maker->stop_distance == UINT32_MAX) {
        /* The octagon that has been searched holds the disc that is wanted only if it is a little larger. */
        maker->stop_distance = distance + distance / 11 + FR_STEP_STRAIGHT;
    }
    return true;
}

/* Sorts candidates by key (counting sort, stable) into crowd->sorted_candidates. */
static void sort_candidates(fr_crowd *crowd, int32_t count)
{
    enum { KEYS = 1 << 12 };
    uint32_t start[KEYS + 1];
    memset(start, 0, sizeof start);
    for (int32_t i = 0; i < count; i++) {
        uint32_t key = crowd->candidate_key[i] < KEYS - 1 ? crowd->candidate_key[i] : KEYS - 1;
        crowd->candidate_key[i] = key;
        start[key + 1]++;
    }
    for (int32_t k = 1; k <= KEYS; k++) {
        start[k] += start[k - 1];
    }
    for (int32_t i = 0; i < count; i++) {
        crowd->sorted_candidates[start[crowd->candidate_key[i]]++] = crowd->candidates[i];
    }
}

/* Moves all legs' free places to the front of the pool. */
static void compact_slots(fr_crowd *crowd, fr_orders *orders)
{
    int32_t count = 0;
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        fr_leg *leg = &orders->legs[l];
        if (leg->order == FR_NO_INDEX || leg->slot_count == 0) {
            continue;
        }
        memcpy(crowd->candidates + count, orders->slots + leg->slot_first,
               (size_t)leg->slot_count * sizeof(fr_slot));
        leg->slot_first = count;
        count += leg->slot_count;
    }
    memcpy(orders->slots, crowd->candidates, (size_t)count * sizeof(fr_slot));
    orders->slot_limit = count;
}

/* Some places more than units, as long as they count as arrived: whoever is shut out of its own finds one at
 * the rim. */
static int32_t spare_slots(int32_t units)
{
    return units > 1 ? units / 16 + 4 : 0;
}

static void append_slots(fr_crowd *crowd, const fr_crowd_input *input, fr_leg *leg, int32_t goal,
                         fr_position anchor, int32_t wanted)
{
    slot_maker maker = {
        .crowd = crowd,
        .input = input,
        .leg = leg,
        .anchor = anchor,
        .radius = unit_radius(leg),
        .goal = goal,
        .wanted = wanted + spare_slots(wanted),
        .stop_distance = UINT32_MAX,
        .arrival_radius = UINT32_MAX,
        .sure_potential = UINT32_MAX,
        /* A group counts as arrived within the cells that hold 1.25 times its hexagonal packing. */
        .cells_left = 1.25f * (float)wanted * cells_per_unit(leg),
    };
    fr_cell cell = fr_cell_at(anchor);
    if (!crowd_disc_fits(input, leg->movement_class, anchor, maker.radius)) {
        maker.anchor = fr_cell_centre(cell);
    }
    fr_octile_search_run(&crowd->search, input->cost, leg->fit, &cell, 1, visit_cell, &maker);
    sort_candidates(crowd, maker.count);
    fr_orders *orders = input->orders;
    int32_t taken = 0;
    for (int32_t i = 0; i < maker.count && taken < maker.wanted && orders->slot_limit < orders->slot_capacity;
         i++) {
        const fr_slot *slot = &crowd->sorted_candidates[i];
        if (taken < wanted || slot->depth <= maker.arrival_radius) {
            orders->slots[orders->slot_limit] = *slot;
            orders->slots[orders->slot_limit++].spare = taken >= wanted;
            taken++;
        }
    }
    leg->slot_count += taken;
    leg->pack_potential =
        maker.sure_potential < leg->pack_potential ? maker.sure_potential : leg->pack_potential;
}

/* Places round each of several goals: as many as there are units nearest to it on foot. */
static void make_slots_of_goals(fr_crowd *crowd, const fr_crowd_input *input, uint32_t index)
{
    fr_orders *orders = input->orders;
    fr_leg *leg = &orders->legs[index];
    const fr_order *order = &orders->orders[leg->order];
    fr_cell cells[FR_GOALS_MAX];
    int32_t wanted[FR_GOALS_MAX] = {0};
    const fr_position *goals = fr_order_goals(orders, order);
    for (int32_t g = 0; g < order->goal_count; g++) {
        cells[g] = fr_leg_has_goal(leg, g) ? fr_cell_at(goals[g]) : (fr_cell){-1, -1};
    }
    fr_octile_search_run(&crowd->search, input->cost, leg->fit, cells, order->goal_count, NULL, NULL);
    const fr_agents *agents = input->agents;
    for (int32_t i = 0; i < agents->count; i++) {
        if (agents->leg[i] == index && agents->state[i] == FR_UNIT_MOVING &&
            (agents->flags[i] & FR_AGENT_HAS_SLOT) == 0) {
            int32_t goal = fr_octile_search_source(&crowd->search, fr_cell_at(agents->position[i]));
            if (goal >= 0) {
                wanted[goal]++;
            }
        }
    }
    for (int32_t g = 0; g < order->goal_count; g++) {
        if (wanted[g] > 0) {
            append_slots(crowd, input, leg, g, goals[g], wanted[g]);
        }
    }
}

void crowd_make_slots(fr_crowd *crowd, const fr_crowd_input *input, uint32_t index)
{
    fr_orders *orders = input->orders;
    fr_leg *leg = &orders->legs[index];
    leg->slots_made = true;
    leg->depths_tick = input->tick - DEPTHS_TICKS;
    if (orders->slot_limit + leg->unclaimed + spare_slots(leg->unclaimed) > orders->slot_capacity) {
        compact_slots(crowd, orders);
    }
    leg->slot_first = orders->slot_limit;
    leg->slot_count = 0;
    leg->pack_potential = UINT32_MAX;
    if (!leg->reachable || orders->orders[leg->order].goal_count == 1) {
        append_slots(crowd, input, leg, 0, leg->goal, leg->unclaimed);
    } else {
        make_slots_of_goals(crowd, input, index);
    }
    leg->claim_potential = 0;
    for (int32_t s = 0; leg->field != NULL && s < leg->slot_count; s++) {
        fr_cell cell = fr_cell_at(orders->slots[leg->slot_first + s].position);
        uint32_t potential = fr_field_value(leg->field, cell);
        uint32_t margin =
            CLAIM_MARGIN * FR_STEP_STRAIGHT * (uint32_t)fr_cost_at(input->cost, leg->view, cell);
        if (potential < FR_INTEGRATION_MAX - margin && potential + margin > leg->claim_potential) {
            leg->claim_potential = potential + margin;
        }
    }
}

/* How far the neighbourhood of a pack is searched, in 70ths of a cell. */
static uint32_t search_reach(const fr_leg *leg)
{
    return (uint32_t)((DEPTH_RADII * leg->pack_radius + DEPTH_CELLS) * FR_STEP_STRAIGHT);
}

/* The next cell on the way back to where the last search began; the cell itself at its start. */
static fr_cell step_back(const fr_crowd *crowd, const fr_crowd_input *input, fr_cost_view fit, fr_cell cell)
{
    uint32_t here = fr_octile_search_distance(&crowd->search, cell);
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        fr_cell next = {cell.x + FR_STEPS[d].dx, cell.y + FR_STEPS[d].dy};
        if (fr_cost_step_allowed(input->cost, fit, cell, d) &&
            fr_octile_search_distance(&crowd->search, next) == here - FR_STEPS[d].price) {
            return next;
        }
    }
    return cell;
}

typedef struct way_goal {
    fr_cell cell;
    uint32_t most;
} way_goal;

static bool visit_for_way(void *context, fr_cell cell, uint32_t distance, int32_t source)
{
    (void)source;
    const way_goal *goal = context;
    return distance <= goal->most && (cell.x != goal->cell.x || cell.y != goal->cell.y);
}

/* Closes the cells through whose middle nobody of the leg could go for those who stand there. */
static void close_standing(fr_crowd *crowd, const fr_leg *leg, fr_position from, uint32_t most)
{
    /* Whoever stands farther off than the search goes can be left out: of 100,000 units that is nearly
     * everybody. */
    float range = (float)most * (1.0f / FR_STEP_STRAIGHT) + 4.0f;
    float radius = unit_radius(leg);
    for (int32_t k = 0; k < crowd->hash.count; k++) {
        const body *other = &crowd->bodies[k];
        fr_vec2 apart = fr_position_delta(from, other->start);
        if (other->part == PART_MOVING || fr_vec2_dot(apart, apart) > range * range) {
            continue;
        }
        float reach = radius + other->radius - SQUEEZE;
        fr_cell cell = fr_cell_at(other->start);
        int32_t cells = (int32_t)(reach + 0.5f);
        fr_octile_search_close(&crowd->search, cell);
        for (int32_t y = cell.y - cells; y <= cell.y + cells; y++) {
            for (int32_t x = cell.x - cells; x <= cell.x + cells; x++) {
                fr_vec2 way = fr_position_delta(other->start, fr_cell_centre((fr_cell){x, y}));
                if (fr_grid_contains(crowd->map, (fr_cell){x, y}) && fr_vec2_dot(way, way) < reach * reach) {
                    fr_octile_search_close(&crowd->search, (fr_cell){x, y});
                }
            }
        }
    }
}

/* Corners that a unit has to round on its way to a place: from each point back along the way as far as can be
 * seen. */
static fr_via find_corners(fr_crowd *crowd, const fr_crowd_input *input, const fr_leg *leg, fr_position place,
                           fr_position here)
{
    fr_via via = {{place, place}};
    float half_width = leg->slot_pitch * (0.5f * 0.9f / FR_SLOT_SPACING);
    if (fr_line_is_free(input->cost, leg->movement_class, place, here, half_width)) {
        return via;
    }
    fr_cell source = fr_cell_at(here);
    float air = fr_vec2_length(fr_position_delta(here, place));
    way_goal goal = {.cell = fr_cell_at(place), .most = (uint32_t)((2.0f * air + 8.0f) * FR_STEP_STRAIGHT)};
    crowd->claims_left--; /* only claims that search are dear */
    close_standing(crowd, leg, here, goal.most);
    fr_octile_search_run(&crowd->search, input->cost, leg->fit, &source, 1, visit_for_way, &goal);
    fr_position from = place;
    for (int i = 0; i < FR_VIAS; i++) {
        if (fr_octile_search_distance(&crowd->search, fr_cell_at(from)) == UINT32_MAX ||
            fr_line_is_free(input->cost, leg->movement_class, from, here, half_width)) {
            break;
        }
        fr_cell seen = step_back(crowd, input, leg->fit, fr_cell_at(from));
        for (;;) {
            fr_cell next = step_back(crowd, input, leg->fit, seen);
            if ((next.x == seen.x && next.y == seen.y) ||
                !fr_line_is_free(input->cost, leg->movement_class, from, fr_cell_centre(next), half_width)) {
                break;
            }
            seen = next;
        }
        from = fr_cell_centre(seen);
        for (int later = i; later < FR_VIAS; later++) {
            via.corner[later] = from;
        }
    }
    return via;
}

typedef struct depth_goal {
    const fr_octile_search *search;
    const fr_slot *slots;
    int32_t count, next; /* places before `next` have been reached */
    uint32_t most;       /* farther away a place counts as shut in */
} depth_goal;

/* Ends the search once every place is reached, or too far off. */
static bool visit_for_depth(void *context, fr_cell cell, uint32_t distance, int32_t source)
{
    (void)cell, (void)source;
    depth_goal *goal = context;
    if (distance > goal->most) {
        return false;
    }
    while (goal->next < goal->count &&
           fr_octile_search_distance(goal->search, fr_cell_at(goal->slots[goal->next].position)) !=
               UINT32_MAX) {
        goal->next++;
    }
    return goal->next < goal->count;
}

/* Depths of a leg's free places: how far each lies from those who are about to come, past those who have
 * settled. What is deep is claimed first, so that nobody who has settled stands in the way of those who
 * follow, whatever the shape of the ground. Worked out anew as the pack grows, for a stream may come from
 * several sides. */
static void make_depths(fr_crowd *crowd, const fr_crowd_input *input, uint32_t index, fr_position from)
{
    const fr_agents *agents = input->agents;
    fr_leg *leg = &input->orders->legs[index];
    fr_slot *slots = input->orders->slots + leg->slot_first;
    leg->claims_left = 8 + leg->slot_count / DEPTHS_PER_PACK;
    leg->depths_tick = input->tick;
    fr_cell sources[SOURCES_MAX];
    int32_t source_count = 0;
    sources[source_count++] = fr_cell_at(from);
    uint32_t margin = leg->claim_potential / 8 + 8 * FR_STEP_STRAIGHT;
    close_standing(crowd, leg, from, UINT32_MAX); /* those who come may be anywhere */
    for (int32_t k = 0; k < crowd->hash.count && source_count < SOURCES_MAX; k++) {
        const body *other = &crowd->bodies[k];
        if (other->part == PART_MOVING && agents->leg[other->id] == index &&
            (agents->flags[other->id] & FR_AGENT_HAS_SLOT) == 0 &&
            other->cell_potential <= leg->claim_potential + margin) {
            sources[source_count++] = fr_cell_at(other->start);
        }
    }
    depth_goal goal = {
        .search = &crowd->search, .slots = slots, .count = leg->slot_count, .most = search_reach(leg)};
    fr_octile_search_run(&crowd->search, input->cost, leg->fit, sources, source_count, visit_for_depth,
                         &goal);
    for (int32_t s = 0; s < leg->slot_count; s++) {
        slots[s].depth = fr_octile_search_distance(&crowd->search, fr_cell_at(slots[s].position));
    }
}

int32_t crowd_nearest_goal(const fr_orders *orders, const fr_leg *leg, fr_position position,
                           fr_position *goal)
{
    const fr_order *order = &orders->orders[leg->order];
    if (!leg->reachable || order->goal_count == 1) {
        *goal = leg->goal;
        return 0;
    }
    const fr_position *goals = fr_order_goals(orders, order);
    int32_t nearest = 0;
    float least = INFINITY;
    for (int32_t g = 0; g < order->goal_count; g++) {
        fr_vec2 way = fr_position_delta(position, goals[g]);
        float squared = fr_vec2_dot(way, way);
        if (fr_leg_has_goal(leg, g) && squared < least) {
            least = squared;
            nearest = g;
        }
    }
    *goal = goals[nearest];
    return nearest;
}

void crowd_claim_slot(fr_crowd *crowd, const fr_crowd_input *input, const body *self, bool again)
{
    fr_agents *agents = input->agents;
    fr_orders *orders = input->orders;
    fr_leg *leg = &orders->legs[agents->leg[self->id]];
    fr_position here = agents->position[self->id], goal;
    if (leg->claims_left-- <= 0 && input->tick - leg->depths_tick >= DEPTHS_TICKS) {
        make_depths(crowd, input, agents->leg[self->id], here);
    }
    int32_t own_goal = crowd_nearest_goal(orders, leg, here, &goal);
    fr_slot *slots = orders->slots + leg->slot_first;
    uint32_t band_height = (uint32_t)(BAND_PITCHES * leg->slot_pitch * FR_STEP_STRAIGHT);
    int32_t best = -1, best_band = -1;
    float best_distance = 0.0f;
    for (int32_t s = 0; s < leg->slot_count; s++) {
        int32_t band = (int32_t)(slots[s].depth / band_height) + 3;
        if (slots[s].goal != own_goal) {
            band = 0; /* another goal's place only when one's own has none left */
        } else if (slots[s].depth == UINT32_MAX) {
            band = 1; /* shut in */
        } else if (slots[s].spare && !again) {
            band = 2;
        }
        fr_vec2 way = fr_position_delta(here, slots[s].position);
        float distance = fr_vec2_dot(way, way);
        if (band > best_band || (band == best_band && distance < best_distance)) {
            best = s;
            best_band = band;
            best_distance = distance;
        }
    }
    if (best < 0) {
        return;
    }
    agents->target[self->id] = slots[best].position;
    agents->via[self->id] = find_corners(crowd, input, leg, slots[best].position, here);
    agents->flags[self->id] |= FR_AGENT_HAS_SLOT | FR_AGENT_RECHECK;
    fr_agents_restart(agents, self->id);
    leg->unclaimed--;
    leg->slot_count--;
    memmove(slots + best, slots + best + 1, (size_t)(leg->slot_count - best) * sizeof *slots);
}

void crowd_return_slot(fr_crowd *crowd, const fr_crowd_input *input, uint32_t id)
{
    fr_agents *agents = input->agents;
    fr_orders *orders = input->orders;
    fr_leg *leg = &orders->legs[agents->leg[id]];
    fr_slot slot = {.position = agents->target[id]};
    fr_position goal;
    slot.goal = crowd_nearest_goal(orders, leg, slot.position, &goal);
    leg->unclaimed++;
    agents->flags[id] &= (uint8_t)~FR_AGENT_HAS_SLOT;
    /* A leg's places lie together: where the pool goes on behind them, they move to its end first. */
    if (leg->slot_first + leg->slot_count != orders->slot_limit) {
        if (orders->slot_limit + leg->slot_count >= orders->slot_capacity) {
            compact_slots(crowd, orders);
        }
        if (orders->slot_limit + leg->slot_count >= orders->slot_capacity) {
            return; /* no room to keep it: one place fewer */
        }
        memcpy(orders->slots + orders->slot_limit, orders->slots + leg->slot_first,
               (size_t)leg->slot_count * sizeof(fr_slot));
        leg->slot_first = orders->slot_limit;
        orders->slot_limit += leg->slot_count;
    }
    if (orders->slot_limit < orders->slot_capacity) {
        fr_slot *slots = orders->slots + leg->slot_first;
        memmove(slots + 1, slots, (size_t)leg->slot_count * sizeof *slots);
        slots[0] = slot;
        orders->slot_limit++;
        leg->slot_count++;
    }
    leg->claims_left = 0;
}
