/* neighbours: who is near a unit this tick: the list that the correction works on, and how fast the one ahead
 * allows it to go. Reads the sorted units of the tick and writes the unit's own list. Knows nothing of fields
 * and walls. */
#include "crowd/crowd_internal.h"

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

/* Candidates sifted at a time. */
#define SIFT 64

/* How much of an overlap with `other` this unit takes upon itself; both shares add up to 1. */
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
    float share = 0.5f;
    if (self_stands && other_stands && (self->part == PART_OFF_POST) != (other->part == PART_OFF_POST)) {
        /* Going back, it doesn't drive others from their posts. */
        return self->part == PART_OFF_POST ? SHARE_RETURNING : 1.0f - SHARE_RETURNING;
    }
    if (self_stands != other_stands) {
        const body *stander = self_stands ? self : other, *mover = self_stands ? other : self;
        float standing = !gives_way ? 0.0f : stander->arrived ? SHARE_SETTLED : SHARE_IDLE;
        if (gives_way && stander->pack != mover->pack && mover->waits < 2 &&
            !crowd_is_enclosed(crowd, mover)) {
            standing = stander->part == PART_OFF_POST ? SHARE_BACK : SHARE_FIRM;
            return self_stands ? standing : 1.0f - standing; /* however heavy the other is */
        }
        share = self_stands ? standing : 1.0f - standing;
    } else {
        /* Selected, not branched upon: who of two is ahead can't be predicted. */
        bool queue = !self_stands && self->stream == other->stream;
        float ahead = self->potential < other->potential ? SHARE_AHEAD : SHARE_BEHIND;
        float waits = self->waits > other->waits ? SHARE_AHEAD : SHARE_BEHIND;
        share = queue && self->potential != other->potential ? ahead : share;
        share = self->waits != other->waits ? waits : share;
        share = self->backs != other->backs ? (self->backs ? SHARE_BACKING : 1.0f - SHARE_BACKING) : share;
    }
    if (self->mass == other->mass) {
        return share;
    }
    /* The heavier one yields less. */
    float mine = share * other->mass, theirs = (1.0f - share) * self->mass;
    return mine / (mine + theirs);
}

/* Speed (cells/s) at which to follow one that goes at `pace` in the same direction, once there is no gap. */
static float follow(const body *self, float pace, bool presses)
{
    pace = pace > 0.0f ? pace : 0.0f;
    float beyond = pace - QUEUE_FLOWS * self->own_speed;
    return presses ? PRESS_GAIN * pace : QUEUE_GAIN * pace + QUEUE_RUN * (beyond > 0.0f ? beyond : 0.0f);
}

/* Speed (cells/s) by its heading that a unit ahead allows; INFINITY for one that is not ahead in the same
 * queue. Whoever is farther from the goal waits, from wherever the two come: as nobody waits for those
 * behind, somebody can always move. */
static float pace_behind(const body *self, const body *other, fr_vec2 heading, fr_vec2 way, float squared,
                         float reach, bool presses)
{
    float ahead = fr_vec2_dot(way, heading);
    float side = way.x * heading.y - way.y * heading.x;
    /* One test of all, not one after the other: none of them can be predicted. */
    int is_before = (other->stream == self->stream) & (other->potential < self->potential - QUEUE_AHEAD);
    is_before |= other->backs > BACKS_WAITS; /* who goes back before it is not run over */
    int in_the_way = (other->part == PART_MOVING) & (ahead > 0.0f) & (side < reach) & (side > -reach);
    if ((is_before & in_the_way) == 0) {
        return INFINITY;
    }
    float distance = sqrtf(squared);
    float gap = distance > reach ? distance - reach : 0.0f;
    float closing = gap / QUEUE_S;
    if (fr_vec2_dot(heading, other->aim) > QUEUE_SAME_WAY) {
        return follow(self, fr_vec2_dot(other->velocity, heading), presses) + closing;
    }
    /* Where ways meet, what counts is that they don't come nearer. */
    float pace = fr_vec2_dot(other->velocity, way) / distance;
    return (follow(self, pace, presses) + closing) * distance / ahead;
}

/* Sorted indices in begin..end-1 (at most SIFT) of the discs that the unit looks at, itself included. Free of
 * branches: which of the candidates are near enough can't be predicted. Reads up to LANES - 1 discs more. */
static int sift(const discs *all, uint32_t begin, uint32_t end, const body *self, uint32_t near[SIFT + LANES])
{
    int count = 0;
    float own_look = self->radius + QUEUE_REACH;
    for (uint32_t first = begin; first < end; first += LANES) {
        lanes_mask x, y;
        lanes radius;
        memcpy(&x, all->x + first, sizeof x);
        memcpy(&y, all->y + first, sizeof y);
        memcpy(&radius, all->radius + first, sizeof radius);
        lanes way_x = __builtin_convertvector(x - self->start.x, lanes) * (1.0f / FR_POSITION_ONE);
        lanes way_y = __builtin_convertvector(y - self->start.y, lanes) * (1.0f / FR_POSITION_ONE);
        lanes look = radius + own_look;
        lanes_mask is_near = way_x * way_x + way_y * way_y < look * look;
        for (int l = 0; l < LANES; l++) {
            near[count] = first + (uint32_t)l;
            count -= is_near[l];
        }
    }
    /* What lies beyond the end was found last. */
    while (count > 0 && near[count - 1] >= end) {
        count--;
    }
    return count;
}

static void add_neighbour(contacts *list, int n, uint32_t index, fr_vec2 way, float reach, float weight)
{
    contacts *row = &list[n / LANES];
    int lane = n % LANES;
    row->index[lane] = index;
    row->x[lane] = way.x;
    row->y[lane] = way.y;
    row->reach[lane] = reach;
    row->weight[lane] = weight;
}

/* Neighbours that touch nobody, whatever moves: the correction takes whole rows. */
static void fill_row(contacts *list, int count, uint32_t k)
{
    for (int n = count; n % LANES != 0; n++) {
        add_neighbour(list, n, k, (fr_vec2){FIELD_WAY, FIELD_WAY}, 0.0f, 0.0f);
    }
}

float crowd_find_neighbours(fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, fr_vec2 heading)
{
    const fr_spatial_hash *hash = &crowd->hash;
    const body *self = &crowd->bodies[k];
    contacts *list = crowd->contacts + crowd->list_start[k];
    int count = 0;
    uint32_t dropped = 0;
    float cap = INFINITY;
    bool gives_way = crowd_has(input, FR_MECHANISM_GIVEWAY);
    float veer = input->agents->veer[self->id];
    bool queues = crowd_has(input, FR_MECHANISM_QUEUE) && self->part == PART_MOVING &&
                  veer < QUEUE_VEER_MAX && veer > -QUEUE_VEER_MAX;
    const uint8_t *flags = input->agents->flags;
    uint8_t place = flags[self->id] & FR_AGENT_HAS_SLOT;
    fr_cell bucket = fr_spatial_hash_bucket(hash, self->start);
    for (int32_t row = bucket.y - 1; row <= bucket.y + 1; row++) {
        uint32_t begin, end, near[SIFT + LANES];
        fr_spatial_hash_row(hash, bucket.x, row, &begin, &end);
        for (uint32_t from = begin; from < end; from += SIFT) {
            int found = sift(&crowd->discs, from, from + SIFT < end ? from + SIFT : end, self, near);
            for (int i = 0; i < found; i++) {
                uint32_t j = near[i];
                const body *other = &crowd->bodies[j];
                if (j == k || other->part == PART_DISPLACED || !crowd_meets(self, other)) {
                    continue;
                }
                fr_vec2 way = crowd_way_to(crowd, self, j);
                float squared = fr_vec2_dot(way, way);
                float reach = self->radius + crowd->discs.radius[j];
                /* Of two who have places one with less way left may have to go right across: whoever goes
                 * straight to its own does not queue behind the other. */
                if (queues &&
                    ((place & flags[other->id]) == 0 || (flags[self->id] & FR_AGENT_LINE_FREE) == 0)) {
                    float pace = pace_behind(self, other, heading, way, squared, reach, crowd->has_conflict);
                    cap = pace < cap ? pace : cap;
                }
                bool is_fast = self->part == PART_ESCAPING || other->part == PART_ESCAPING;
                float keep = reach + (is_fast ? QUEUE_REACH : NEIGHBOUR_MARGIN);
                bool stays = squared < keep * keep;
                if (count == NEIGHBOURS_MAX) {
                    dropped += stays;
                    continue;
                }
                bool both_stand = crowd_stands(self) && crowd_stands(other);
                add_neighbour(list, count, j, way, reach * (1.0f + (both_stand ? STANDING_SKIN : SKIN)),
                              share_of(crowd, self, other, gives_way));
                count += stays;
            }
        }
    }
    if (dropped > 0) {
        atomic_fetch_add_explicit(&crowd->neighbours_dropped, dropped, memory_order_relaxed);
    }
    fill_row(list, count, k);
    crowd->list_count[k] = (uint8_t)count;
    return cap;
}
