/* mixed: places for units of several sizes. Discs are put down one by one, those of the units that will be
 * there first before all others, each as far from where they come from as there is room for it: so nobody
 * has to pass those who have settled, and every unit finds a place of its size, whatever sizes there are. */
#include "crowd/packing.h"

#include "field/line_of_sight.h"

/* Where discs may be put is looked at on a lattice of this pitch (root mean square of the radii), or of as
 * many points as there is memory for. */
#define LOOK_PITCH 0.5f
/* Ground that is looked at, to what the pack takes at least. */
#define GROUND_MORE 1.5f

/* So many units tell from which sides the pack is come to. Such a side begins where they come into sight of
 * the goal, but no farther off than this: pack radii, plus cells. Sides lie apart by an angle of at least
 * this cosine. */
#define SOURCES_MAX 64
#define GATE_RADII  2.0f
#define GATE_CELLS  10.0f
#define GATE_COSINE 0.85f
/* Ways behind the corner from which they see it are searched this much farther. */
#define BEHIND_GATE 2

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

float crowd_depth_at(const packing *now, fr_position place)
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
        if (!crowd_is_meant(now, member) ||
            !find_gate(now, ground->input->agents->position[member->unit], &gate)) {
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
        float depth = crowd_depth_at(now, crowd->candidates[i].position);
        crowd->candidates[i].radius = depth; /* until it is known what disc has room there */
        least = depth < least ? depth : least;
        most = depth > most ? depth : most;
    }
    now->least_depth = least - 1.0f;
    float scale = 4095.0f / (most - least + 1e-3f);
    for (int32_t i = 0; i < now->ground.count; i++) {
        crowd->candidate_key[i] = (uint32_t)((most - crowd->candidates[i].radius) * scale);
    }
    crowd_order_by_key(crowd->candidate_key, now->ground.count, crowd->candidate_order);
}

/* The same as an integer, for those who claim places: the deepest first. */
static uint32_t depth_of(const packing *now, fr_position place)
{
    return (uint32_t)((crowd_depth_at(now, place) - now->least_depth) * FR_STEP_STRAIGHT);
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
            if (crowd_is_meant(now, member)) {
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
    packing now = {.ground.goal = goal, .taken_before = crowd->taken.count, .smallest = INFINITY};
    for (int32_t m = 0; m < crowd->member_count; m++) {
        const pack_member *member = &crowd->members[m];
        if (crowd_is_meant(&now, member)) {
            now.smallest = member->radius < now.smallest ? member->radius : now.smallest;
            now.largest = member->radius > now.largest ? member->radius : now.largest;
            now.mass += member->radius * member->radius;
            now.units++;
        }
    }
    float cells = GROUND_MORE * crowd_least_ground(now.mass);
    float pitch = LOOK_PITCH * sqrtf(now.mass / (float)now.units),
          least_pitch = sqrtf(1.2f * cells / (ROW_RATIO * (float)crowd->candidate_capacity));
    pitch = pitch > least_pitch ? pitch : least_pitch;
    ground_need need = {.pitch = pitch,
                        .radius = now.smallest,
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
    append(&now, crowd_fit_all(&now));
    return (now.mass + now.ground.others_mass) / (float)FR_PACKED_SHARE;
}
