/* slots: who gets which place of a pack (places.c). Units claim late, the far side first, so that nobody has
 * to squeeze past those who are there. */
#include "crowd/crowd_internal.h"

#include <string.h>

#include "field/line_of_sight.h"

/* Deep bands of the pack fill first; a band is this many pitches. */
#define BAND_PITCHES 1.5f
/* A place shuts in others up to so far behind it (cells between their rims), if they lie no farther from the
 * line than this share of the reach, and this much behind. Of so many places of several sizes one is chosen.
 */
#define BEHIND_CELLS 1.0f
#define BEHIND_SIDE  0.7f
#define BEHIND_LEAST 0.3f
enum { TRIED_MAX = 16 };

/* Depths are worked out this often while a pack fills, from at most so many of those who come; in time, see
 * DEPTHS_TICKS. */
#define DEPTHS_PER_PACK 64
#define SOURCES_MAX     256
/* Who stands yields this much (cells). */
#define SQUEEZE 0.15f
/* Places are looked for this far from those who come: pack radii, plus cells. */
#define DEPTH_RADII 5.0f
#define DEPTH_CELLS 20.0f

/* Moves all legs' free places to the front of the pool. */
void crowd_compact_slots(fr_crowd *crowd, fr_orders *orders)
{
    int32_t count = 0;
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        fr_leg *leg = &orders->legs[l];
        if (leg->order == FR_NO_INDEX || leg->slot_count == 0) {
            leg->slot_first = 0;
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

/* How far the neighbourhood of a pack is searched, in 70ths of a cell. */
static uint32_t search_reach(const fr_leg *leg)
{
    return (uint32_t)((DEPTH_RADII * leg->pack_radius + DEPTH_CELLS) * FR_STEP_STRAIGHT);
}

fr_cell crowd_step_back(const fr_crowd *crowd, const fr_crowd_input *input, fr_cost_view fit, fr_cell cell)
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

/* Radius of the leg's units: of the middle one where they differ. */
static float unit_radius(const fr_leg *leg)
{
    return leg->slot_pitch * (0.5f / FR_SLOT_SPACING);
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
        if (!crowd_stands(other) || fr_vec2_dot(apart, apart) > range * range ||
            !fr_classes_collide(leg->movement_class, (fr_class)other->movement_class)) {
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
    float air = fr_vec2_length(fr_position_delta(here, place));
    uint32_t most = (uint32_t)((2.0f * air + 8.0f) * FR_STEP_STRAIGHT);
    crowd->claims_left--; /* only claims that search are dear */
    close_standing(crowd, leg, here, most);
    fr_octile_search_to(&crowd->search, input->cost, leg->fit, fr_cell_at(here), fr_cell_at(place), most);
    fr_position from = place;
    for (int i = 0; i < FR_VIAS; i++) {
        if (fr_octile_search_distance(&crowd->search, fr_cell_at(from)) == UINT32_MAX ||
            fr_line_is_free(input->cost, leg->movement_class, from, here, half_width)) {
            break;
        }
        fr_cell seen = crowd_step_back(crowd, input, leg->fit, fr_cell_at(from));
        for (;;) {
            fr_cell next = crowd_step_back(crowd, input, leg->fit, seen);
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
    fr_octile_search_run(&crowd->search, input->cost, leg->fit, sources, source_count, NULL, visit_for_depth,
                         &goal);
    for (int32_t s = 0; s < leg->slot_count; s++) {
        slots[s].depth = fr_octile_search_distance(&crowd->search, fr_cell_at(slots[s].position));
    }
}

int32_t crowd_nearest_goal(const fr_orders *orders, const fr_leg *leg, fr_position position,
                           fr_position *goal)
{
    const fr_order *order = &orders->orders[leg->order];
    if (fr_leg_has_area(orders, leg)) {
        *goal = fr_area_nearest(&order->area, position);
        return 0;
    }
    if (fr_leg_has_one_point(leg)) {
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

/* How many free places does a place shut in, for those who come as this unit does? */
static int32_t count_behind(const fr_orders *orders, const fr_leg *leg, const fr_slot *place,
                            fr_position here)
{
    fr_vec2 back = fr_vec2_normalize(fr_position_delta(here, place->position));
    int32_t count = 0;
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        const fr_leg *other = &orders->legs[l];
        bool is_of_pack = other == leg || (leg->pack != 0 && other->pack == leg->pack);
        for (int32_t s = 0; is_of_pack && s < other->slot_count; s++) {
            const fr_slot *behind = &orders->slots[other->slot_first + s];
            fr_vec2 way = fr_position_delta(place->position, behind->position);
            float along = fr_vec2_dot(way, back), side = way.x * back.y - way.y * back.x;
            float reach = place->radius + behind->radius;
            count += along > BEHIND_LEAST * reach && along < reach + BEHIND_CELLS &&
                     side < BEHIND_SIDE * reach && side > -BEHIND_SIDE * reach;
        }
    }
    return count;
}

typedef struct place_choice {
    fr_position here;
    int32_t size, goal; /* of the unit */
    bool takes_spare;
    int32_t tried[TRIED_MAX]; /* places that are out */
    int32_t tried_count;
    int32_t place, band; /* the choice, or -1 */
} place_choice;

static bool is_out(const place_choice *choice, const fr_slot *slots, int32_t s)
{
    bool is_out = crowd_size_class(slots[s].radius) != choice->size;
    for (int32_t t = 0; t < choice->tried_count; t++) {
        is_out |= choice->tried[t] == s;
    }
    return is_out;
}

/* Chooses the nearest of the places in the deepest band. */
static void choose(place_choice *choice, const fr_leg *leg, const fr_slot *slots)
{
    uint32_t band_height = (uint32_t)(BAND_PITCHES * leg->slot_pitch * FR_STEP_STRAIGHT);
    float best_distance = 0.0f;
    choice->place = choice->band = -1;
    for (int32_t s = 0; s < leg->slot_count; s++) {
        if (is_out(choice, slots, s)) {
            continue;
        }
        int32_t band = (int32_t)(slots[s].depth / band_height) + 3;
        if (slots[s].goal != choice->goal) {
            band = 0; /* another goal's place only when one's own has none left */
        } else if (slots[s].depth == UINT32_MAX) {
            band = 1; /* shut in */
        } else if (slots[s].spare && !choice->takes_spare) {
            band = 2;
        }
        fr_vec2 way = fr_position_delta(choice->here, slots[s].position);
        float distance = fr_vec2_dot(way, way);
        if (band > choice->band || (band == choice->band && distance < best_distance)) {
            choice->place = s;
            choice->band = band;
            best_distance = distance;
        }
    }
}

/* Where places are of several sizes, those who come do not come in the order in which they were put down:
 * each place that another shuts in makes that one as much worse as a band. */
static int32_t choose_open(place_choice *choice, const fr_orders *orders, const fr_leg *leg,
                           const fr_slot *slots)
{
    int32_t best = -1, best_band = INT32_MIN;
    for (choose(choice, leg, slots); choice->place >= 0 && choice->band > best_band;
         choose(choice, leg, slots)) {
        int32_t band = choice->band - count_behind(orders, leg, &slots[choice->place], choice->here);
        if (band > best_band) {
            best = choice->place;
            best_band = band;
        }
        if (choice->tried_count == TRIED_MAX) {
            break;
        }
        choice->tried[choice->tried_count++] = choice->place;
    }
    return best;
}

void crowd_claim_slot(fr_crowd *crowd, const fr_crowd_input *input, const body *self, bool again)
{
    fr_agents *agents = input->agents;
    fr_orders *orders = input->orders;
    fr_leg *leg = &orders->legs[agents->leg[self->id]];
    fr_position here = agents->position[self->id];
    if (leg->claims_left-- <= 0 && input->tick - leg->depths_tick >= DEPTHS_TICKS) {
        make_depths(crowd, input, agents->leg[self->id], here);
    }
    fr_slot *slots = orders->slots + leg->slot_first;
    place_choice choice = {.here = here,
                           .size = crowd_size_class(self->radius),
                           .goal = crowd_goal_below(crowd, input, leg, here),
                           .takes_spare = again};
    int32_t best;
    if (leg->is_mixed) {
        best = choose_open(&choice, orders, leg, slots);
        crowd->places_left -= leg->slot_count * (choice.tried_count + 1);
    } else {
        choose(&choice, leg, slots);
        best = choice.place;
        crowd->places_left -= leg->slot_count;
    }
    if (best < 0) {
        return;
    }
    agents->target[self->id] = slots[best].position;
    agents->via[self->id] = find_corners(crowd, input, leg, slots[best].position, here);
    agents->flags[self->id] =
        (uint8_t)((agents->flags[self->id] & ~FR_AGENT_DETOUR) | FR_AGENT_HAS_SLOT | FR_AGENT_RECHECK);
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
    fr_slot slot = {.position = agents->target[id], .radius = agents->radius[id]};
    slot.goal = crowd_goal_below(crowd, input, leg, slot.position);
    leg->unclaimed++;
    agents->flags[id] &= (uint8_t)~FR_AGENT_HAS_SLOT;
    /* A leg's places lie together: where the pool goes on behind them, they move to its end first. */
    if (leg->slot_first + leg->slot_count != orders->slot_limit) {
        if (orders->slot_limit + leg->slot_count >= orders->slot_capacity) {
            crowd_compact_slots(crowd, orders);
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
