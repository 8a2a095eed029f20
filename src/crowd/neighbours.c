/* neighbours: who is near a unit this tick: the list that the correction works on, and how fast the one ahead
 * allows it to go. Reads the sorted units of the tick and writes the unit's own list. Knows nothing of fields
 * and walls. */
#include "crowd/crowd_internal.h"

#include <stddef.h>
#include <string.h>

/* Queue: follow the one ahead at QUEUE_GAIN times its speed (at its speed alone, queues run dry), faster by
 * QUEUE_RUN of what it goes beyond QUEUE_FLOWS of its top speed, plus what closes the gap in QUEUE_S. A queue
 * that stands is to be calm (with PRESS_GAIN units before a gap of one turn back and forth half as often
 * again), a column that marches is to close up; where there are other streams, a calm one comes to nothing.
 */
#define QUEUE_GAIN  1.15f
#define QUEUE_FLOWS 0.4f
#define QUEUE_RUN   1.0f
#define PRESS_GAIN  1.5f
#define QUEUE_S     0.3f
/* Ahead: at least this much nearer to the goal (cells). */
#define QUEUE_AHEAD 0.02f
/* Cosine between the ways of two who go the same way; else their ways meet. */
#define QUEUE_SAME_WAY 0.2f
/* A unit that gives way to others by more than this is not queueing (tangent of half the angle). */
#define QUEUE_VEER_MAX 0.075f

/* Shares of an overlap: of the one ahead and the one behind in a queue, of settled and idle units against
 * movers. */
#define SHARE_AHEAD   0.35f
#define SHARE_BEHIND  0.65f
#define SHARE_SETTLED 0.35f
#define SHARE_IDLE    0.6f
/* Of those who stand against strangers that are not kept waiting: they step aside, but are not pushed about.
 */
#define SHARE_FIRM 0.1f
#define SHARE_BACK 0.02f
/* Of one that stands in a wall against others. */
#define SHARE_ESCAPING 0.35f
/* Of one on its way back to its post against one at its post. */
#define SHARE_RETURNING 0.75f
/* Of one who lets others through. */
#define SHARE_BACKING 0.6f

/* Units keep this much apart (share of the reach), so that what the correction leaves undone is air, not
 * overlap. Two who stand bear to have little of it: packs come to rest. */
#define SKIN          0.006f
#define STANDING_SKIN 0.002f

/* Candidates sifted at a time, and units found that are looked at together. */
#define SIFT      64
#define FOUND_MAX 128

/* Those found near a unit, in sorted order, with LANES entries to spare. */
typedef struct found_list {
    int count;
    uint32_t index[FOUND_MAX + LANES];
} found_list;

/* LANES of them side by side: which are ahead and which too near can't be predicted, so that nothing branches
 * upon it. */
typedef struct others {
    const uint32_t *index;
    lanes velocity_x, velocity_y, aim_x, aim_y;
    lanes potential;
    lanes_mask stream, part, backs, waits, has_place;
    lanes radius;
    lanes x, y;    /* from the unit to it */
    lanes squared; /* its distance */
    lanes reach;   /* distance at which the two touch */
    lanes_mask meets;
} others;

/* Shares by weight: the heavier one yields less. */
static float by_mass(float share, const body *self, const body *other)
{
    float mine = share * crowd_mass(other), theirs = (1.0f - share) * crowd_mass(self);
    return self->radius == other->radius ? share : mine / (mine + theirs);
}

/* How much of an overlap with `other` a unit takes upon itself, where one of them at least is no mover; both
 * shares add up to 1. */
static float share_of(const fr_crowd *crowd, const body *self, const body *other, bool gives_way)
{
    bool self_stands = crowd_stands(self), other_stands = crowd_stands(other);
    if (self->part == PART_FIXED) {
        return 0.0f;
    }
    if (other->part == PART_FIXED) {
        return 1.0f;
    }
    if (self->part == PART_ESCAPING || other->part == PART_ESCAPING) {
        float yields = self->part == PART_ESCAPING ? SHARE_ESCAPING : 1.0f - SHARE_ESCAPING;
        return self->part == other->part ? 0.5f : yields;
    }
    if (self_stands && other_stands) {
        /* Going back, it doesn't drive others from their posts. */
        bool is_back = self->part == PART_OFF_POST, is_other_back = other->part == PART_OFF_POST;
        float returning = is_back ? SHARE_RETURNING : 1.0f - SHARE_RETURNING;
        return is_back != is_other_back ? returning : by_mass(0.5f, self, other);
    }
    const body *stander = self_stands ? self : other, *mover = self_stands ? other : self;
    float standing = !gives_way ? 0.0f : stander->arrived ? SHARE_SETTLED : SHARE_IDLE;
    if (gives_way && stander->pack != mover->pack && mover->waits < 2 && !crowd_is_enclosed(crowd, mover)) {
        standing = stander->part == PART_OFF_POST ? SHARE_BACK : SHARE_FIRM;
        return self_stands ? standing : 1.0f - standing; /* however heavy the other is */
    }
    return by_mass(self_stands ? standing : 1.0f - standing, self, other);
}

/* The same among movers. */
static lanes shares_of_movers(const body *self, const others *them)
{
    const lanes none = {0}, ahead = none + SHARE_AHEAD, behind = none + SHARE_BEHIND;
    lanes_mask queue = (them->stream == (int32_t)self->stream) & (them->potential != self->potential);
    lanes share =
        lanes_select(queue, lanes_select(them->potential > self->potential, ahead, behind), none + 0.5f);
    share = lanes_select(them->waits == self->waits, share,
                         lanes_select(them->waits < self->waits, ahead, behind));
    share = lanes_select(them->backs == self->backs, share,
                         none + (self->backs > 0 ? SHARE_BACKING : 1.0f - SHARE_BACKING));
    lanes mine = share * (them->radius * them->radius), theirs = (1.0f - share) * crowd_mass(self);
    return lanes_select(them->radius == self->radius, share, mine / (mine + theirs));
}

static lanes shares_of(const fr_crowd *crowd, const body *self, const others *them, bool gives_way)
{
    lanes share = shares_of_movers(self, them);
    lanes_mask stands = them->part != PART_MOVING;
    for (int l = 0; l < LANES && (self->part != PART_MOVING || lanes_any(stands)); l++) {
        if (self->part != PART_MOVING || stands[l]) {
            share[l] = share_of(crowd, self, &crowd->bodies[them->index[l]], gives_way);
        }
    }
    return share;
}

/* Speeds (cells/s) at which to follow those that go at `pace` in the same direction, once there is no gap. */
static lanes follow(const body *self, lanes pace, bool presses)
{
    pace = lanes_max(pace, 0.0f);
    lanes beyond = lanes_max(pace - QUEUE_FLOWS * self->own_speed, 0.0f);
    return presses ? PRESS_GAIN * pace : QUEUE_GAIN * pace + QUEUE_RUN * beyond;
}

/* Speeds (cells/s) by its heading that those ahead allow a unit; INFINITY where they are not ahead in the
 * same queue. Whoever is farther from the goal waits, from wherever the two come: as nobody waits for those
 * behind, somebody can always move. */
static lanes paces_behind(const body *self, const others *them, fr_vec2 heading, bool presses)
{
    lanes ahead = them->x * heading.x + them->y * heading.y;
    lanes side = them->x * heading.y - them->y * heading.x;
    lanes_mask is_before =
        (them->stream == (int32_t)self->stream) & (them->potential < self->potential - QUEUE_AHEAD);
    is_before |= them->backs > BACKS_WAITS; /* who goes back before it is not run over */
    lanes_mask in_the_way =
        (them->part == PART_MOVING) & (ahead > 0.0f) & (side < them->reach) & (side > -them->reach);
    lanes distance = lanes_sqrt(them->squared);
    lanes closing = lanes_max(distance - them->reach, 0.0f) / QUEUE_S;
    lanes_mask same_way = heading.x * them->aim_x + heading.y * them->aim_y > QUEUE_SAME_WAY;
    /* Where ways meet, what counts is that they don't come nearer. */
    lanes along = them->velocity_x * heading.x + them->velocity_y * heading.y;
    lanes nearer = (them->velocity_x * them->x + them->velocity_y * them->y) / distance;
    lanes pace = follow(self, lanes_select(same_way, along, nearer), presses) + closing;
    pace = lanes_select(same_way, pace, pace * distance / ahead);
    return lanes_select(is_before & in_the_way, pace, (lanes){0} + INFINITY);
}

/* What a look around comes to. */
typedef struct look_around {
    const fr_crowd *crowd;
    uint32_t k;
    fr_vec2 heading;
    bool queues, gives_way;
    bool passes_placed; /* does not queue behind those who have places */
    contacts *list;
    unsigned count;
    uint32_t dropped; /* beyond those that the list holds */
    lanes cap;        /* cells/s */
} look_around;

/* Adds those in begin..end-1 (at most SIFT) that a unit looks at. Reads up to LANES - 1 discs more. */
static void sift(const discs *all, uint32_t begin, uint32_t end, const body *self, uint32_t k,
                 found_list *found)
{
    const int32_t *all_x = all->x, *all_y = all->y;
    const float *all_radius = all->radius;
    const lanes_mask step = {0, 1, 2, 3};
    float own_look = self->radius + QUEUE_REACH;
    fr_position start = self->start;
    int count = found->count;
    for (uint32_t first = begin; first < end; first += LANES) {
        lanes_mask x, y;
        lanes radius;
        memcpy(&x, all_x + first, sizeof x);
        memcpy(&y, all_y + first, sizeof y);
        memcpy(&radius, all_radius + first, sizeof radius);
        lanes way_x = __builtin_convertvector(x - start.x, lanes) * (1.0f / FR_POSITION_ONE);
        lanes way_y = __builtin_convertvector(y - start.y, lanes) * (1.0f / FR_POSITION_ONE);
        lanes look = radius + own_look;
        lanes_mask is_near = way_x * way_x + way_y * way_y < look * look;
        is_near &= step != (int32_t)(k - first);
        for (int l = 0; l < LANES; l++) {
            found->index[count] = first + (uint32_t)l;
            count -= is_near[l];
        }
    }
    /* What lies beyond the end was found last. */
    while (count > found->count && found->index[count - 1] >= end) {
        count--;
    }
    found->count = count;
}

/* The quarter of a line of the cache at each of them, turned: a member of all in each row. */
static void read_quarter(const fr_crowd *crowd, const uint32_t *index, size_t offset, lanes rows[LANES])
{
    for (int l = 0; l < LANES; l++) {
        memcpy(&rows[l], (const unsigned char *)&crowd->bodies[index[l]] + offset, sizeof rows[l]);
    }
    lanes_turn(rows);
}

static others others_at(const fr_crowd *crowd, uint32_t k, const uint32_t *index)
{
    const body *self = &crowd->bodies[k];
    lanes motion[LANES], queue[LANES], kind[LANES], place[LANES];
    read_quarter(crowd, index, offsetof(body, velocity), motion);
    read_quarter(crowd, index, offsetof(body, potential), queue);
    read_quarter(crowd, index, offsetof(body, waits), kind);
    read_quarter(crowd, index, offsetof(body, start), place);
    others them = {
        .index = index,
        .velocity_x = motion[0],
        .velocity_y = motion[1],
        .aim_x = motion[2],
        .aim_y = motion[3],
        .potential = queue[0],
        .stream = (lanes_mask)queue[1],
        .part = (lanes_mask)queue[2],
        .backs = (lanes_mask)queue[3],
        .waits = (lanes_mask)kind[0],
        .has_place = (lanes_mask)kind[1],
        .radius = place[2],
    };
    them.x = __builtin_convertvector((lanes_mask)place[0] - self->start.x, lanes) * (1.0f / FR_POSITION_ONE);
    them.y = __builtin_convertvector((lanes_mask)place[1] - self->start.y, lanes) * (1.0f / FR_POSITION_ONE);
    them.squared = them.x * them.x + them.y * them.y;
    them.reach = self->radius + them.radius;
    int32_t flies = -(self->movement_class == FR_CLASS_AIR);
    them.meets = ((lanes_mask)kind[3] != (int32_t)self->id) & (them.part != PART_DISPLACED) &
                 (((lanes_mask)kind[2] == FR_CLASS_AIR) == flies);
    return them;
}

static void add_neighbour(contacts *list, unsigned n, uint32_t index, fr_vec2 way, float reach, float weight)
{
    contacts *row = &list[n / LANES];
    unsigned lane = n % LANES;
    row->index[lane] = index;
    row->x[lane] = way.x;
    row->y[lane] = way.y;
    row->reach[lane] = reach;
    row->weight[lane] = weight;
}

/* Neighbours that touch nobody, whatever moves: the correction takes whole rows. */
static void fill_row(contacts *list, unsigned count, uint32_t k)
{
    for (unsigned n = count; n % LANES != 0; n++) {
        add_neighbour(list, n, k, (fr_vec2){FIELD_WAY, FIELD_WAY}, 0.0f, 0.0f);
    }
}

static void look_at(look_around *look, const others *them)
{
    const body *self = &look->crowd->bodies[look->k];
    const lanes none = {0};
    if (look->queues) {
        lanes pace = paces_behind(self, them, look->heading, look->crowd->has_conflict);
        lanes_mask counts = them->meets & ((them->has_place == 0) | -(int32_t)!look->passes_placed);
        pace = lanes_select(counts, pace, none + INFINITY);
        look->cap = lanes_select(pace < look->cap, pace, look->cap);
    }
    lanes_mask is_fast = (them->part == PART_ESCAPING) | -(int32_t)(self->part == PART_ESCAPING);
    lanes_mask both_stand = (them->part <= PART_FIXED) & -(int32_t)crowd_stands(self);
    lanes keep = them->reach + lanes_select(is_fast, none + QUEUE_REACH, none + NEIGHBOUR_MARGIN);
    lanes reach = them->reach * (1.0f + lanes_select(both_stand, none + STANDING_SKIN, none + SKIN));
    lanes_mask stays = them->meets & (them->squared < keep * keep);
    if (!lanes_any(stays)) {
        return;
    }
    lanes weight = shares_of(look->crowd, self, them, look->gives_way);
    for (int l = 0; l < LANES; l++) {
        if (look->count == NEIGHBOURS_MAX) {
            look->dropped -= (uint32_t)stays[l];
            continue;
        }
        fr_vec2 way = {them->x[l], them->y[l]};
        add_neighbour(look->list, look->count, them->index[l], way, reach[l], weight[l]);
        look->count -= (unsigned)stays[l];
    }
}

/* The last of those found are filled up with the unit itself, whom it does not meet. */
static void look_at_all(look_around *look, found_list *found)
{
    for (int l = 0; l < LANES; l++) {
        found->index[found->count + l] = look->k;
    }
    for (int first = 0; first < found->count; first += LANES) {
        others them = others_at(look->crowd, look->k, found->index + first);
        look_at(look, &them);
    }
    found->count = 0;
}

float crowd_find_neighbours(fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, fr_vec2 heading)
{
    const fr_spatial_hash *hash = &crowd->hash;
    const body *self = &crowd->bodies[k];
    float veer = input->agents->veer[self->id];
    look_around look = {
        .crowd = crowd,
        .k = k,
        .heading = heading,
        .queues = crowd_has(input, FR_MECHANISM_QUEUE) && self->part == PART_MOVING &&
                  veer < QUEUE_VEER_MAX && veer > -QUEUE_VEER_MAX,
        .gives_way = crowd_has(input, FR_MECHANISM_GIVEWAY),
        /* Of two who have places one with less way left may have to go right across: whoever goes straight to
         * its own does not queue behind the other. */
        .passes_placed = self->has_place && (input->agents->flags[self->id] & FR_AGENT_LINE_FREE) != 0,
        .list = crowd->contacts + crowd->list_start[k],
        .cap = (lanes){0} + INFINITY,
    };
    found_list found;
    found.count = 0;
    fr_cell bucket = fr_spatial_hash_bucket(hash, self->start);
    for (int32_t row = bucket.y - 1; row <= bucket.y + 1; row++) {
        uint32_t begin, end;
        fr_spatial_hash_row(hash, bucket.x, row, &begin, &end);
        for (uint32_t from = begin; from < end; from += SIFT) {
            if (found.count > FOUND_MAX - SIFT) {
                look_at_all(&look, &found);
            }
            sift(&crowd->discs, from, from + SIFT < end ? from + SIFT : end, self, k, &found);
        }
    }
    look_at_all(&look, &found);
    if (look.dropped > 0) {
        atomic_fetch_add_explicit(&crowd->neighbours_dropped, look.dropped, memory_order_relaxed);
    }
    fill_row(look.list, look.count, k);
    crowd->list_count[k] = (uint8_t)look.count;
    lanes cap = look.cap;
    float first = cap[0] < cap[1] ? cap[0] : cap[1], second = cap[2] < cap[3] ? cap[2] : cap[3];
    return first < second ? first : second;
}
