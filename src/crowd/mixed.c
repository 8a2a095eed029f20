/* mixed: places for units of several sizes. Discs are put down one by one, those of the units that will be
 * there first before all others, each as far from where they come from as there is room for it: so nobody
 * has to pass those who have settled, and every unit finds a place of its size, whatever sizes there are. */
#include "crowd/places.h"

#include <string.h>

#include "field/line_of_sight.h"

/* Where discs may be put is looked at on a lattice of this pitch (root mean square of the radii), or of as
 * many points as there is memory for. */
#define SPACING    1.02f
#define LOOK_PITCH 0.5f
/* Then they are moved as far back as they can be, in steps down to this (radii). */
#define STEP_LEAST 0.05f

/* Share of the pack's ground that the discs take, with what they keep from one another: first tried, and by
 * how much more ground is taken as long as they don't fit. A pack of a thousand of three sizes takes 0.84. */
#define FILL_MOST 0.9f
#define FILL_STEP 0.03f
/* Places are to count as arrived even this much farther out (cells): units are pushed a little. */
#define RIM_MARGIN 1.2f
/* Ground that is looked at, to that first tried. */
#define GROUND_MORE 1.5f

/* So many units tell from which sides the pack is come to. Such a side begins where they come into sight of
 * the goal, but no farther off than this: pack radii, plus cells. Sides lie apart by an angle of at least
 * this cosine. */
#define SOURCES_MAX 64
#define GATES_MAX   8
#define GATE_RADII  2.0f
#define GATE_CELLS  10.0f
#define GATE_COSINE 0.85f
/* Ways behind the corner from which they see it are searched this much farther. */
#define BEHIND_GATE 2

typedef struct packing {
    ground_search ground;
    float mass;          /* squared radii of those who get places */
    int32_t units;       /* these */
    float most_distance; /* from the middle, for centres */
    uint32_t walk_most;  /* the same of the way walked to the goal, from this much farther out */
    float margin;
    fr_position gates[GATES_MAX]; /* where those who come come into sight of the goal */
    float gate_way[GATES_MAX];    /* cells from there to the goal */
    int32_t gate_count;
    float reach;                /* gates are no farther than this */
    float walk_slack;           /* to be taken off ways walked, for comparison with those by air */
    float least_depth;          /* of all candidates, and a little less */
    int32_t taken_before;       /* discs that others have taken */
    int32_t from[SIZE_CLASSES]; /* candidates before this one have no room for a disc of the size */
} packing;

static bool is_meant(const packing *now, const pack_member *member)
{
    return member->goal == now->ground.goal;
}

/* From cell to cell, between the middles of cells in between. */
static float walked_at(const packing *now, fr_position place)
{
    const fr_octile_search *search = &now->ground.crowd->search;
    const int32_t half = FR_POSITION_ONE / 2;
    fr_cell own = fr_cell_at(place), base = fr_cell_at((fr_position){place.x - half, place.y - half});
    fr_vec2 share = fr_position_delta(fr_cell_centre(base), place);
    float sum = 0.0f;
    for (int corner = 0; corner < 4; corner++) {
        int32_t dx = corner & 1, dy = corner >> 1;
        uint32_t way = fr_octile_search_distance(search, (fr_cell){base.x + dx, base.y + dy});
        way = way == UINT32_MAX ? fr_octile_search_distance(search, own) : way;
        sum += (float)way * (dx == 1 ? share.x : 1.0f - share.x) * (dy == 1 ? share.y : 1.0f - share.y);
    }
    return sum * (1.0f / FR_STEP_STRAIGHT);
}

/* How much farther than the goal a point lies from where the pack is come to: by air in the open, and on foot
 * behind corners. */
static float depth_at(const packing *now, fr_position place)
{
    float air = INFINITY;
    for (int32_t g = 0; g < now->gate_count; g++) {
        float more = fr_vec2_length(fr_position_delta(now->gates[g], place)) - now->gate_way[g];
        air = more < air ? more : air;
    }
    if (now->gate_count == 0) { /* they are all there: round the goal */
        return -fr_vec2_length(fr_position_delta(now->ground.centre, place));
    }
    float walked = walked_at(now, place) - now->walk_slack;
    return air > walked ? air : walked;
}

static bool ends_beyond(void *context, fr_cell cell, uint32_t distance, int32_t source)
{
    (void)cell, (void)source;
    return distance <= *(const uint32_t *)context;
}

/* Where someone comes into sight of the goal, or a point on the straight way from there. */
static bool find_gate(const packing *now, fr_position from, fr_position *gate)
{
    const ground_search *ground = &now->ground;
    const fr_leg *leg = ground->pack->legs[0];
    fr_cell cell = fr_cell_at(from);
    while (!fr_line_is_free(ground->input->cost, leg->movement_class, ground->centre, from, 0.0f)) {
        if (fr_octile_search_distance(&ground->crowd->search, cell) == UINT32_MAX) {
            return false;
        }
        fr_cell next = crowd_step_back(ground->crowd, ground->input, leg->fit, cell);
        if (next.x == cell.x && next.y == cell.y) {
            return false; /* in an area out of sight of its middle the way ends at its rim */
        }
        cell = next;
        from = fr_cell_centre(cell);
    }
    fr_vec2 way = fr_position_delta(ground->centre, from);
    float length = fr_vec2_length(way);
    *gate = length <= now->reach ? from
                                 : fr_position_add(ground->centre, fr_vec2_scale(way, now->reach / length));
    return length > 0.5f;
}

/* Finds the sides from which the pack is come to. Leaves in the search how much farther than the goal every
 * cell is to walk from there, and the longest way to it. */
static void find_gates(packing *now)
{
    const ground_search *ground = &now->ground;
    fr_crowd *crowd = ground->crowd;
    int32_t stride = crowd->member_count / SOURCES_MAX + 1;
    fr_cell cells[GATES_MAX];
    uint32_t ways[GATES_MAX], farthest = 0;
    for (int32_t m = 0; m < crowd->member_count && now->gate_count < GATES_MAX; m += stride) {
        const pack_member *member = &crowd->members[crowd->member_order[m]];
        fr_position gate;
        if (!is_meant(now, member) || !find_gate(now, ground->input->agents->position[member->unit], &gate)) {
            continue;
        }
        fr_vec2 way = fr_position_delta(ground->centre, gate);
        float length = fr_vec2_length(way);
        bool is_new = true;
        for (int32_t g = 0; g < now->gate_count; g++) {
            fr_vec2 other = fr_position_delta(ground->centre, now->gates[g]);
            is_new = is_new && fr_vec2_dot(way, other) < GATE_COSINE * length * now->gate_way[g];
        }
        cells[now->gate_count] = fr_cell_at(gate);
        uint32_t walk = fr_octile_search_distance(&crowd->search, cells[now->gate_count]);
        if (is_new && walk != UINT32_MAX) {
            ways[now->gate_count] = walk;
            farthest = walk > farthest ? walk : farthest;
            now->gates[now->gate_count] = gate;
            now->gate_way[now->gate_count++] = length;
        }
    }
    if (now->gate_count == 0) {
        return;
    }
    for (int32_t g = 0; g < now->gate_count; g++) {
        ways[g] = farthest - ways[g];
    }
    uint32_t last = farthest + ground->stop_distance;
    fr_octile_search_run(&crowd->search, ground->input->cost, ground->pack->legs[0]->fit, cells,
                         now->gate_count, ways, ends_beyond, &last);
    /* Octile is at most 8.24 % too long. */
    now->walk_slack = (float)farthest * (1.0f / FR_STEP_STRAIGHT) +
                      0.0824f * (float)last * (1.0f / FR_STEP_STRAIGHT) + 0.7f;
}

/* Puts the candidates in order, the deepest first. */
static void order_candidates(packing *now)
{
    fr_crowd *crowd = now->ground.crowd;
    float least = INFINITY, most = -INFINITY;
    for (int32_t i = 0; i < now->ground.count; i++) {
        float depth = depth_at(now, crowd->candidates[i].position);
        least = depth < least ? depth : least;
        most = depth > most ? depth : most;
    }
    now->least_depth = least - 1.0f;
    float scale = 4095.0f / (most - least + 1e-3f);
    for (int32_t i = 0; i < now->ground.count; i++) {
        float depth = depth_at(now, crowd->candidates[i].position);
        crowd->candidate_key[i] = (uint32_t)((most - depth) * scale);
    }
    crowd_order_by_key(crowd->candidate_key, now->ground.count, crowd->candidate_order);
}

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

/* The distance from the middle within which so many of the candidates lie that may be used; INFINITY if there
 * are not as many. */
static float distance_of(const packing *now, float rank)
{
    enum { STEPS = 4096, PER_CELL = 16 };
    int32_t within[STEPS] = {0};
    for (int32_t i = 0; i < now->ground.count; i++) {
        const fr_slot *at = &now->ground.crowd->candidates[i];
        if (is_within_rim(now, at, at->position)) {
            int32_t step = (int32_t)(crowd_ground_distance(&now->ground, at) * PER_CELL);
            within[step < STEPS ? step : STEPS - 1]++;
        }
    }
    float count = 0.0f;
    for (int32_t step = 0; step < STEPS; step++) {
        count += (float)within[step];
        if (count >= rank) {
            return (float)(step + 1) / PER_CELL;
        }
    }
    return INFINITY;
}

/* Is there room for the member's disc? */
static bool is_free(const packing *now, const pack_member *member, fr_position place)
{
    const fr_crowd_input *input = now->ground.input;
    const fr_leg *leg = &input->orders->legs[input->agents->leg[member->unit]];
    const fr_area *area = now->ground.area;
    fr_cell cell = fr_cell_at(place);
    return fr_octile_search_distance(&now->ground.crowd->search, cell) != UINT32_MAX &&
           !crowd_is_taken(now->ground.crowd, place, member->radius * SPACING) &&
           (area == NULL || fr_area_contains(area, cell)) &&
           crowd_disc_fits(input, leg->movement_class, place, member->radius) &&
           (leg->field == NULL || crowd_value(input, leg, cell) != FR_UNREACHED);
}

/* Moves a disc from where there is room for it as far back as it goes, between those who are there. */
static fr_position push_back(const packing *now, const pack_member *member, const fr_slot *near)
{
    fr_position place = near->position;
    float depth = depth_at(now, place), step = 0.5f * now->ground.pitch;
    while (step > STEP_LEAST * member->radius) {
        fr_position best = place;
        for (int d = 0; d < FR_DIR_COUNT; d++) {
            fr_vec2 way = {(float)FR_STEPS[d].dx * step, (float)FR_STEPS[d].dy * step};
            fr_position next = fr_position_add(place, way);
            float there = depth_at(now, next);
            if (there > depth + 1e-4f &&
                fr_vec2_length(fr_position_delta(now->ground.centre, next)) <= now->most_distance &&
                is_within_rim(now, near, next) && is_free(now, member, next)) {
                best = next;
                depth = there;
            }
        }
        step = best.x == place.x && best.y == place.y ? 0.5f * step : step;
        place = best;
    }
    return place;
}

/* Finds the member's place. Ground only ever gets less: what was too tight for one stays so for its like. */
static bool put_down(packing *now, pack_member *member)
{
    fr_crowd *crowd = now->ground.crowd;
    int32_t *from = &now->from[crowd_size_class(member->radius)];
    for (; *from < now->ground.count; ++*from) {
        const fr_slot *at = &crowd->candidates[crowd->candidate_order[*from]];
        if (crowd_ground_distance(&now->ground, at) <= now->most_distance &&
            is_within_rim(now, at, at->position) && is_free(now, member, at->position)) {
            member->place = push_back(now, member, at);
            crowd_take(crowd, member->place, member->radius * SPACING, 0.0f);
            return true;
        }
    }
    return false;
}

/* Finds everybody's place within the ground given. Returns how many have one, the first to come. */
static int32_t put_down_all(packing *now)
{
    fr_crowd *crowd = now->ground.crowd;
    memset(now->from, 0, sizeof now->from);
    crowd_free_taken(crowd, now->taken_before);
    int32_t placed = 0;
    for (int32_t m = 0; m < crowd->member_count; m++) {
        pack_member *member = &crowd->members[crowd->member_order[m]];
        if (is_meant(now, member)) {
            if (!put_down(now, member)) {
                break;
            }
            placed++;
        }
    }
    return placed;
}

/* Ground that is tried first. */
static float first_cells(const packing *now)
{
    return 3.1416f * SPACING * SPACING / FILL_MOST * now->mass;
}

/* Takes the least ground on which all find places: well within the arrival radius, on its rim, or beyond.
 * Returns how many have found one. */
static int32_t fit_all(packing *now)
{
    const ground_search *ground = &now->ground;
    float room = first_cells(now) / (ROW_RATIO * ground->pitch * ground->pitch);
    for (int i = 0; i < 3; i++) {
        now->walk_most = i < 2 ? ground->arrival_radius : UINT32_MAX;
        now->margin = i == 0 ? RIM_MARGIN : 0.0f;
        for (float rank = room; (now->most_distance = distance_of(now, rank)) < INFINITY;
             rank *= 1.0f + FILL_STEP) {
            if (put_down_all(now) == now->units) {
                return now->units;
            }
        }
    }
    now->most_distance = INFINITY;
    return put_down_all(now);
}

/* The same as an integer, for those who claim places: the deepest first. */
static uint32_t depth_of(const packing *now, fr_position place)
{
    return (uint32_t)((depth_at(now, place) - now->least_depth) * FR_STEP_STRAIGHT);
}

/* Puts the places found into the pool, leg by leg. */
static void append(const packing *now, int32_t placed)
{
    const pack_legs *pack = now->ground.pack;
    const fr_crowd *crowd = now->ground.crowd;
    fr_orders *orders = now->ground.input->orders;
    for (int32_t l = 0; l < pack->count; l++) {
        fr_leg *leg = pack->legs[l];
        leg->claims_left = INT32_MAX; /* depths are known */
        leg->slot_first = leg->slot_count == 0 ? orders->slot_limit : leg->slot_first;
        int32_t left = placed;
        for (int32_t m = 0; m < crowd->member_count && left > 0; m++) {
            const pack_member *member = &crowd->members[crowd->member_order[m]];
            if (is_meant(now, member)) {
                left--;
                if (&orders->legs[now->ground.input->agents->leg[member->unit]] == leg) {
                    crowd_append_slot(orders, leg,
                                      &(fr_slot){.position = member->place,
                                                 .radius = member->radius,
                                                 .goal = now->ground.goal,
                                                 .depth = depth_of(now, member->place)});
                }
            }
        }
    }
}

float crowd_append_mixed(fr_crowd *crowd, const fr_crowd_input *input, const pack_legs *pack, int32_t goal,
                         fr_position anchor)
{
    packing now = {.ground.goal = goal, .taken_before = crowd->taken.count};
    float least = INFINITY;
    for (int32_t m = 0; m < crowd->member_count; m++) {
        const pack_member *member = &crowd->members[m];
        if (is_meant(&now, member)) {
            least = member->radius < least ? member->radius : least;
            now.mass += member->radius * member->radius;
            now.units++;
        }
    }
    float cells = GROUND_MORE * first_cells(&now);
    float pitch = LOOK_PITCH * sqrtf(now.mass / (float)now.units),
          least_pitch = sqrtf(1.2f * cells / (ROW_RATIO * (float)crowd->candidate_capacity));
    pitch = pitch > least_pitch ? pitch : least_pitch;
    ground_need need = {.pitch = pitch,
                        .radius = least,
                        .wanted = (int32_t)(cells / (ROW_RATIO * pitch * pitch)) + 1,
                        .mass = now.mass};
    need.least = need.wanted;
    now.reach = GATE_RADII * sqrtf(now.mass) + GATE_CELLS;
    need.reach = (uint32_t)(BEHIND_GATE * now.reach * FR_STEP_STRAIGHT);
    now.ground = fr_leg_has_area(input->orders, pack->legs[0])
                     ? crowd_find_ground_of_area(crowd, input, pack, &need)
                     : crowd_find_ground(crowd, input, pack, &need, goal, anchor, 0);
    find_gates(&now);
    order_candidates(&now);
    append(&now, fit_all(&now));
    return (now.mass + now.ground.others_mass) / (float)FR_PACKED_SHARE;
}
