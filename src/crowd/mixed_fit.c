/* mixed_fit: puts the discs of a pack of several sizes down on the least ground on which all find places. */
#include "crowd/packing.h"

#include <string.h>

/* Discs are moved as far back as they can be, in steps down to this (radii). */
#define STEP_LEAST 0.05f

/* Share of the pack's ground that the discs take at most, with what they keep from one another, and by how
 * much more ground is tried as long as they don't fit. A pack of a thousand of three sizes takes 0.84. */
#define FILL_MOST  0.9f
#define FILL_STEP  0.03f
#define FILL_STEPS 20
#define FILL_GUESS 3 /* so many steps are often enough: tried first */
/* Places are to count as arrived even this much farther out (cells): units are pushed a little. */
#define RIM_MARGIN 1.2f

static uint32_t octile_way(fr_cell a, fr_cell b)
{
    return fr_octile_price(b.x - a.x, b.y - a.y);
}

/* Would a place near a candidate count as arrived, even a little farther out? */
static bool is_within_rim(const packing *now, const fr_slot *near, fr_position place)
{
    fr_position centre = now->ground.centre;
    fr_vec2 away = fr_position_delta(centre, place);
    fr_vec2 out = fr_vec2_scale(away, now->margin / (fr_vec2_length(away) + 1e-3f));
    fr_cell cell = fr_cell_at(fr_position_add(place, out)), goal = fr_cell_at(centre);
    uint32_t walk = near->depth + octile_way(cell, goal) - octile_way(fr_cell_at(near->position), goal);
    return now->walk_most == UINT32_MAX || walk <= now->walk_most;
}

/* Counts the candidates that may be used by how far from the middle they lie. */
static void count_by_distance(packing *now)
{
    memset(now->at_distance, 0, sizeof now->at_distance);
    for (int32_t i = 0; i < now->ground.count; i++) {
        const fr_slot *at = &now->ground.crowd->candidates[i];
        if (is_within_rim(now, at, at->position)) {
            int32_t step = (int32_t)(crowd_ground_distance(&now->ground, at) * DISTANCES_A_CELL);
            now->at_distance[step < DISTANCES ? step : DISTANCES - 1]++;
        }
    }
}

/* The distance from the middle within which so many of these lie; INFINITY if there are not as many. */
static float distance_of(const packing *now, float rank)
{
    float count = 0.0f;
    for (int32_t step = 0; step < DISTANCES; step++) {
        count += (float)now->at_distance[step];
        if (count >= rank) {
            return (float)(step + 1) / DISTANCES_A_CELL;
        }
    }
    return INFINITY;
}

static const fr_leg *leg_of(const packing *now, const pack_member *member)
{
    const fr_crowd_input *input = now->ground.input;
    return &input->orders->legs[input->agents->leg[member->unit]];
}

/* Radius of the largest disc for which the ground is free there, at most so large; 0 for less than `least`.
 */
static float room_at(const packing *now, float least, float most, fr_position place)
{
    const fr_area *area = now->ground.area;
    fr_cell cell = fr_cell_at(place);
    return fr_octile_search_distance(&now->ground.crowd->search, cell) == UINT32_MAX ||
                   (area != NULL && !fr_area_contains(area, cell))
               ? 0.0f
               : crowd_room_at(now->ground.crowd, place, least, most);
}

static bool is_free(const packing *now, float radius, fr_position place)
{
    float most = radius * DISC_SPACING;
    return room_at(now, most, most, place) >= most;
}

/* And clear of walls? */
static bool is_clear(const packing *now, const pack_member *member, fr_position place)
{
    return crowd_disc_fits(now->ground.input, leg_of(now, member)->movement_class, place, member->radius);
}

/* Does its field lead there? */
static bool is_led_to(const packing *now, const pack_member *member, fr_position place)
{
    const fr_leg *leg = leg_of(now, member);
    return leg->field == NULL || crowd_value(now->ground.input, leg, fr_cell_at(place)) != FR_UNREACHED;
}

/* The places all round at that distance which lie farther back, the deepest first; returns their number. */
static int find_deeper(const packing *now, fr_position place, float depth, float step,
                       fr_position deeper[FR_DIR_COUNT])
{
    float depths[FR_DIR_COUNT];
    int count = 0;
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        fr_vec2 way = {(float)FR_STEPS[d].dx * step, (float)FR_STEPS[d].dy * step};
        fr_position next = fr_position_add(place, way);
        float there = crowd_depth_at(now, next);
        if (there <= depth + 1e-4f) {
            continue;
        }
        int at = count++;
        for (; at > 0 && depths[at - 1] < there; at--) {
            depths[at] = depths[at - 1];
            deeper[at] = deeper[at - 1];
        }
        depths[at] = there;
        deeper[at] = next;
    }
    return count;
}

/* Moves a disc from where there is room for it as far back as it goes, between those who are there. */
static fr_position push_back(const packing *now, const pack_member *member, const fr_slot *near)
{
    fr_position place = near->position;
    float step = 0.5f * now->ground.pitch;
    while (step > STEP_LEAST * member->radius) {
        fr_position deeper[FR_DIR_COUNT];
        int count = find_deeper(now, place, crowd_depth_at(now, place), step, deeper), found = 0;
        while (found < count &&
               !(fr_vec2_length(fr_position_delta(now->ground.centre, deeper[found])) <= now->most_distance &&
                 is_within_rim(now, near, deeper[found]) && is_free(now, member->radius, deeper[found]) &&
                 is_clear(now, member, deeper[found]) && is_led_to(now, member, deeper[found]))) {
            found++;
        }
        if (found < count) {
            place = deeper[found];
        } else {
            step *= 0.5f;
        }
    }
    return place;
}

/* The first candidate with room for the member. Ground only ever gets less: what was too tight for one stays
 * so for its like, and for those who are larger. */
static const fr_slot *find_room(packing *now, const pack_member *member)
{
    const fr_crowd *crowd = now->ground.crowd;
    int32_t *from = now->from[leg_of(now, member)->movement_class];
    int size = crowd_size_class(member->radius);
    float radius = member->radius * DISC_SPACING;
    for (int smaller = 0; smaller < size; smaller++) {
        from[size] = from[smaller] > from[size] ? from[smaller] : from[size];
    }
    for (int32_t i = from[size]; i < now->usable; i++) {
        fr_slot *at = &crowd->candidates[crowd->candidate_key[i]];
        if (at->radius >= radius) {
            at->radius = room_at(now, now->smallest * DISC_SPACING, at->radius, at->position);
        }
        bool has_room = at->radius >= radius && is_clear(now, member, at->position);
        if (has_room && is_led_to(now, member, at->position)) {
            now->used = i + 1 > now->used ? i + 1 : now->used;
            return at;
        }
        from[size] += from[size] == i && !has_room;
    }
    return NULL;
}

/* Finds the member's place. */
static bool put_down(packing *now, pack_member *member)
{
    const fr_slot *at = find_room(now, member);
    if (at != NULL) {
        member->place = push_back(now, member, at);
        crowd_take(now->ground.crowd, member->place, member->radius * DISC_SPACING, 0.0f);
    }
    return at != NULL;
}

/* Lists the candidates that lie within the ground given, the deepest first: their indices in candidate_key.
 */
static void list_usable(packing *now)
{
    fr_crowd *crowd = now->ground.crowd;
    now->usable = 0;
    for (int32_t i = 0; i < now->ground.count; i++) {
        fr_slot *at = &crowd->candidates[crowd->candidate_order[i]];
        if (crowd_ground_distance(&now->ground, at) <= now->most_distance &&
            is_within_rim(now, at, at->position)) {
            crowd->candidate_key[now->usable++] = crowd->candidate_order[i];
            at->radius = now->largest * DISC_SPACING;
        }
    }
}

/* Finds everybody's place within the ground given. Returns how many have one, the first to come. */
static int32_t put_down_all(packing *now)
{
    fr_crowd *crowd = now->ground.crowd;
    memset(now->from, 0, sizeof now->from);
    list_usable(now);
    crowd_free_taken(crowd, now->taken_before);
    now->used = 0;
    now->placed_mass = 0.0f;
    int32_t placed = 0;
    for (int32_t m = 0; m < crowd->member_count; m++) {
        pack_member *member = &crowd->members[crowd->member_order[m]];
        if (crowd_is_meant(now, member)) {
            if (!put_down(now, member)) {
                break;
            }
            placed++;
            now->placed_mass += member->radius * member->radius;
        }
    }
    return placed;
}

/* Keeps the places found, or finds them again. */
static void keep_places(const packing *now)
{
    const fr_crowd *crowd = now->ground.crowd;
    for (int32_t m = 0; m < crowd->member_count; m++) {
        if (crowd_is_meant(now, &crowd->members[m])) {
            crowd->members[m].kept = crowd->members[m].place;
        }
    }
}

static void restore_places(const packing *now)
{
    fr_crowd *crowd = now->ground.crowd;
    crowd_free_taken(crowd, now->taken_before);
    for (int32_t m = 0; m < crowd->member_count; m++) {
        pack_member *member = &crowd->members[m];
        if (crowd_is_meant(now, member)) {
            member->place = member->kept;
            crowd_take(crowd, member->place, member->radius * DISC_SPACING, 0.0f);
        }
    }
}

float crowd_least_ground(float mass)
{
    return 3.1416f * DISC_SPACING * DISC_SPACING / FILL_MOST * mass;
}

/* Ground that is tried at some step. */
static float cells_at(const packing *now, int step)
{
    float cells = crowd_least_ground(now->mass);
    for (int i = 0; i < step; i++) {
        cells *= 1.0f + FILL_STEP;
    }
    return cells;
}

/* Steps from a share of ground to all of it. */
static int steps_of(float share)
{
    int steps = 0;
    for (share *= 1.0f + 0.5f * FILL_STEP; share < 1.0f && steps < FILL_STEPS; steps++) {
        share *= 1.0f + FILL_STEP;
    }
    return steps;
}

/* Takes the least ground on which all find places. How many did not, or how much was left over, tells which
 * is tried next, so that it takes two or three tries, and seldom more. */
static bool fit(packing *now)
{
    float candidates_a_cell = 1.0f / (ROW_RATIO * now->ground.pitch * now->ground.pitch);
    int failed = -1, fitting = FILL_STEPS, tried = FILL_GUESS, last = -1;
    bool found = false;
    count_by_distance(now);
    while (failed + 1 < fitting) {
        tried = tried <= failed ? failed + 1 : tried >= fitting ? fitting - 1 : tried;
        now->most_distance = distance_of(now, cells_at(now, tried) * candidates_a_cell);
        if (now->most_distance == INFINITY) {
            fitting = tried; /* there is not so much */
            continue;
        }
        last = tried;
        if (put_down_all(now) < now->units) {
            failed = tried;
            int more = steps_of(now->placed_mass / now->mass);
            tried += more > 1 ? more : 1;
            continue;
        }
        found = true;
        fitting = tried;
        keep_places(now);
        int less = steps_of((float)now->used / (float)now->usable);
        if (less == 0) {
            break;
        }
        tried -= less;
    }
    if (found && last != fitting) {
        restore_places(now);
    }
    return found;
}

/* Finds places for all: well within the arrival radius, on its rim, or beyond. Returns how many have one. */
int32_t crowd_fit_all(packing *now)
{
    for (int i = 0; i < 3; i++) {
        now->walk_most = i < 2 ? now->ground.arrival_radius : UINT32_MAX;
        now->margin = i == 0 ? RIM_MARGIN : 0.0f;
        if (fit(now)) {
            return now->units;
        }
    }
    now->most_distance = INFINITY;
    return put_down_all(now);
}
