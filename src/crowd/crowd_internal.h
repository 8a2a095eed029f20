/* crowd_internal: what the stages of a step hand to one another. Only crowd/ includes this. */
#ifndef FR_CROWD_CROWD_INTERNAL_H
#define FR_CROWD_CROWD_INTERNAL_H

#include <string.h>

#include "base/memory.h"
#include "crowd/crowd.h"
#include "crowd/lanes.h"
#include "crowd/octile_search.h"

#define DT (1.0f / FR_TICK_HZ)

/* Neighbours kept per unit. A packed unit of the usual size has 6 to 10; a large one among small ones more,
 * and those beyond are counted. */
#define NEIGHBOURS_MAX 24
#define CONTACT_ROWS   (NEIGHBOURS_MAX / LANES)

/* Beyond touching, neighbours are kept this far (cells): what two units can close in one tick and its
 * corrections. */
#define NEIGHBOUR_MARGIN 0.3f
/* How far beyond touching a unit looks for the one ahead (cells). */
#define QUEUE_REACH 0.45f

/* Whoever follows the field counts as farther away than whoever sees its place: by more than any way in a
 * pack (cells).
 */
#define FIELD_WAY 4096.0f

/* `backs` of one that only stands clear while others pass: nobody makes room for it. */
#define BACKS_WAITS 1

/* How a unit takes part in a tick. */
typedef enum part {
    PART_ASLEEP = 0, /* parked, and nobody near moves */
    PART_PARKED,     /* stands at its post, gives way a little */
    PART_OFF_POST,   /* has been moved from there, and goes back */
    PART_FIXED,      /* stands and never gives way: the last of those who stand */
    PART_MOVING,
    PART_ESCAPING,  /* on its way out of a wall, pushing others aside */
    PART_DISPLACED, /* the same, and it takes too long: meets nobody */
} part;

/* Neighbours of one unit side by side, so that the correction computes all of a row at once. */
typedef struct contacts {
    lanes x, y;            /* from the unit to it, at the start of the tick */
    lanes reach;           /* distance at which the two touch */
    lanes weight;          /* share of an overlap that this unit gives way by */
    uint32_t index[LANES]; /* sorted */
} contacts;

/* Places and sizes in sorted order, with LANES entries to spare at the end. */
typedef struct discs {
    int32_t *x, *y; /* at the start of the tick, fixed point */
    float *radius;
} discs;

/* One unit in sorted order. What others look at comes first: one line of the cache, in quarters that are read
 * as a whole (neighbours.c). */
typedef struct body {
    _Alignas(FR_CACHE_LINE) fr_vec2 velocity;
    fr_vec2 aim; /* unit vector where it wants to go, before giving way */

    float potential; /* orders the queue: about the way left, cells at cost 1 */
    uint32_t stream; /* those who follow one field are one, whatever their orders; FR_NO_INDEX: none */
    int32_t part;    /* enum part */
    int32_t backs;   /* how strongly it lets others through a passage (passage.c): those of leg `backs_for` */

    int32_t waits;     /* 0, 1, 2: how long it has been getting nowhere */
    int32_t has_place; /* of its own in the pack: 0 or 1 */
    int32_t movement_class;
    uint32_t id;

    fr_position start; /* at the start of the tick */
    float radius;
    float own_speed; /* on the best ground, cells/s */

    float top_speed;         /* on this ground, cells/s */
    float wish;              /* speed it would go if alone, cells/s */
    float straight;          /* cells that the aim leads straight on */
    float way;               /* left to where it stops: what progress is measured by */
    uint32_t leg;            /* or FR_NO_INDEX */
    uint32_t pack;           /* those of one pack are friends (fr_leg_pack); or FR_NO_INDEX */
    uint32_t cell_potential; /* of the field at its cell, FR_UNREACHED without one */
    uint32_t backs_for;
    fr_vec2 back;    /* velocity with which it lets others through */
    uint8_t arrived; /* stands at its place */
    uint8_t near_wall;
    uint8_t follows_field; /* rather than a straight line */
    uint8_t on_detour;     /* round those who stand, by way of a point */
} body;

static inline bool crowd_stands(const body *unit)
{
    return unit->part <= PART_FIXED;
}

/* Squared radius: what counts for weight, and for the room that a unit takes. */
static inline float crowd_mass(const body *unit)
{
    return unit->radius * unit->radius;
}

/* Ground that is not to be had (taken.c). */
typedef struct taken_disc {
    fr_position position;
    float radius;
    float mass;    /* squared radius of the one who needs it; 0 where that one is counted elsewhere */
    int32_t older; /* the one noted before it in its bucket, or -1 */
} taken_disc;

typedef struct taken_ground {
    int32_t count, capacity;
    taken_disc *discs;
    int32_t *newest; /* [columns * rows] disc noted last in each bucket, or -1 */
    int32_t columns, rows;
    float radius_max;
} taken_ground;

/* One who is to get a place in a pack. */
typedef struct pack_member {
    uint32_t unit;
    float radius; /* of the place: units of about one size share theirs (crowd_size_class) */
    int32_t goal; /* index in its order's goals */
    fr_position place, kept;
} pack_member;

struct fr_crowd {
    fr_grid map;
    fr_spatial_hash hash;
    discs discs;  /* what most looks at a neighbour need, packed */
    body *bodies; /* [sorted] */
    /* The correction's state before a pass and after it. */
    fr_vec2 *offset[2];        /* [sorted] from the start of the tick */
    uint8_t *moved;            /* [sorted] what the last pass that it took part in did to the unit */
    _Atomic uint8_t *astir[2]; /* [sorted] whether it takes part in the pass, and in the next one */
    /* [sorted] indices of those who take part in the next further pass, and of those in the last. */
    uint32_t *crush, *last_crush;
    int32_t crush_count;
    bool *is_in_crush; /* [sorted] scratch, false between passes */
    contacts
        *contacts; /* lists of a range of units lie one behind the other, from its first unit's place on */
    uint32_t *list_start;           /* [sorted] */
    uint8_t *list_count;            /* [sorted] neighbours, not rows */
    struct conflict_cell *conflict; /* coarse grid */
    int32_t conflict_columns, conflict_rows;
    int32_t *conflict_touched;
    int32_t conflict_touched_count;
    int32_t *lane_first; /* [cell] first mark there, and 1; 0: none (single_file.c) */
    struct lane_mark *lane_marks;
    int32_t *lane_cells; /* [lane_count] where they are */
    int32_t lane_count, lane_capacity;
    bool has_conflict; /* more than one order, or units without one about */
    bool has_standing; /* then: some of them stand */
    _Atomic uint32_t neighbours_dropped;
    /* Arrival. */
    bool *is_arriving;                /* [sorted] crowd_approach() */
    int32_t claims_left, places_left; /* this tick */
    int32_t detours_left;             /* likewise */
    fr_octile_search search;
    int32_t candidate_capacity;
    fr_slot *candidates;       /* [candidate_capacity] where the pack's units might stand (ground.c) */
    uint32_t *candidate_key;   /* [candidate_capacity] scratch: what they, or members, are sorted by */
    uint32_t *candidate_order; /* [candidate_capacity] their indices, the best first */
    int32_t member_count;
    pack_member *members;   /* [member_count] those without a place yet */
    uint32_t *member_order; /* [member_count] their indices, the one that will be there first first */
    taken_ground taken;
};

/* Is a mechanism in use? */
static inline bool crowd_has(const fr_crowd_input *input, uint32_t mechanism)
{
    return (input->without & mechanism) == 0;
}

/* Floor of a small number, without the library call. */
static inline int32_t crowd_floor(float value)
{
    int32_t whole = (int32_t)value;
    return whole - ((float)whole > value);
}

/* Rotates by the angle whose half has this tangent, to the right: rational, so that no trigonometry is
 * needed. */
static inline fr_vec2 crowd_rotate(fr_vec2 v, float half_tangent)
{
    float scale = 1.0f / (1.0f + half_tangent * half_tangent);
    float c = (1.0f - half_tangent * half_tangent) * scale, s = 2.0f * half_tangent * scale;
    return (fr_vec2){v.x * c - v.y * s, v.x * s + v.y * c};
}

/* Do the units of a leg follow that unit about? */
static inline bool crowd_follows(const fr_crowd_input *input, uint32_t leg, const body *unit)
{
    return input->orders->orders[input->orders->legs[leg].order].leader1 == unit->id + 1;
}

/* From a unit to the one at a sorted index, at the start of the tick. */
static inline fr_vec2 crowd_way_to(const fr_crowd *crowd, const body *self, uint32_t index)
{
    return fr_position_delta(self->start, (fr_position){crowd->discs.x[index], crowd->discs.y[index]});
}

/* Sorted index of the n-th neighbour of unit k. */
static inline uint32_t crowd_neighbour(const fr_crowd *crowd, uint32_t k, int n)
{
    return crowd->contacts[crowd->list_start[k] + (uint32_t)(n / LANES)].index[n % LANES];
}

/* What is left from a tile to the goal of a leg that has a field, as an integration. */
static inline uint32_t crowd_value(const fr_crowd_input *input, const fr_leg *leg, fr_cell tile)
{
    return fr_leg_has_one_point(leg)
               ? fr_way_out_left(input->way_out, leg->ways, leg->field, fr_cell_at(leg->goal), tile)
               : fr_way_out_value(input->way_out, leg->ways, leg->field, tile);
}

/* The same from a position. */
static inline uint32_t crowd_value_at(const fr_crowd_input *input, const fr_leg *leg, fr_position position)
{
    return input->way_out == NULL ? fr_field_value_at(leg->field, position)
                                  : crowd_value(input, leg, fr_cell_at(position));
}

typedef struct stage {
    fr_crowd *crowd;
    const fr_crowd_input *input;
    int pass;
    bool is_rush; /* too many shall look for a line at once */
} stage;

/* look.c: where does each unit want to go, and how fast? */
void crowd_look(void *context, int begin, int end, int lane);
/* look.c: number of the stream of a leg: fields are told apart by their slot; an order of its own,
 * without a field, by its number. */
uint32_t crowd_stream_of(const fr_leg *leg);
/* steering.c: neighbours, giving way, queueing, new velocity. */
void crowd_steer(void *context, int begin, int end, int lane);
/* neighbours.c: fills the unit's list; returns the speed (cells/s) that the one ahead allows, INFINITY if
 * there is none. */
float crowd_find_neighbours(fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, fr_vec2 heading);
/* conflict.c: mass and heading per coarse cell; the veer that each unit should take. */
void crowd_conflict_init(fr_crowd *crowd);
void crowd_conflict_gather(fr_crowd *crowd, const fr_crowd_input *input);
float crowd_conflict_veer(const fr_crowd *crowd, const fr_crowd_input *input, const body *self);
/* conflict.c: how densely those who stand are packed there: 0 (nobody) .. about 1. */
float crowd_standing_at(const fr_crowd *crowd, const body *self, fr_vec2 from_self);
/* The same of those who will stand there, and are of an order that came before the unit's. */
float crowd_promised_at(const fr_crowd *crowd, const fr_crowd_input *input, const body *self,
                        fr_vec2 from_self);
/* conflict.c: are they too many there to step aside? */
bool crowd_is_crowded(const fr_crowd *crowd, const body *self, fr_vec2 from_self);
/* conflict.c: is the unit in the midst of a crowd that stands? Then there is no way round. */
bool crowd_is_enclosed(const fr_crowd *crowd, const body *self);
/* The same of those under way. */
float crowd_moving_at(const fr_crowd *crowd, const body *self, fr_vec2 from_self);

/* spread.c: turns a unit aside, beside those of its own queue, where it needs to and can; else back. It looks
 * only if it follows its field and nobody is against it. */
void crowd_spread(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, bool looks);

/* bypass.c: the veer that leads round a crowd that stands in the way; `veer` itself where none does. */
bool crowd_bypass_veer(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, float *veer);

/* single_file.c: marks the ways of those who are where there is room for one only. */
void crowd_lanes_init(fr_crowd *crowd, int32_t unit_capacity);
void crowd_lanes_fini(fr_crowd *crowd);
void crowd_lanes_gather(fr_crowd *crowd, const fr_crowd_input *input);
/* single_file.c: is the unit on the way through of its own stream? */
bool crowd_is_in_lane(const fr_crowd *crowd, const body *self);
/* lane_turn.c: may a unit go on there? Else with what velocity does it let others through? */
typedef enum lane_turn {
    LANE_FREE,   /* nobody is against it */
    LANE_OURS,   /* those against it let its stream through */
    LANE_WAITS,  /* it lets those of `leg` through, clear of their way */
    LANE_CLEARS, /* it has to get clear of it first */
} lane_turn;
lane_turn crowd_lane_turn(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, uint32_t *leg,
                          fr_vec2 *velocity);

/* lane_turn.c: in single file, velocity away from one that comes `way` from there, clear of the way of
 * those of `leg` if it can be; false elsewhere. */
bool crowd_back_off(const fr_crowd *crowd, const fr_crowd_input *input, const body *self, uint32_t leg,
                    fr_vec2 way, fr_vec2 *velocity);

/* passage.c: must the unit let others through a narrow passage, and with what velocity? */
bool crowd_take_turn(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k, fr_vec2 *velocity);

/* giveway.c: velocity wished by one who stands: out of others' way, or back to its post. */
fr_vec2 crowd_give_way(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k);

/* escape.c: one that stands in a wall: its part, the way that it wants to go this tick, and its going it. */
void crowd_begin_escape(const fr_agents *agents, body *self);
fr_vec2 crowd_escape(const fr_agents *agents, const body *self);
void crowd_end_escape(fr_agents *agents, const body *self, fr_vec2 offset);
/* collision.c: one pass of position correction; the end of the tick. */
void crowd_correct(void *context, int begin, int end, int lane);
void crowd_commit(void *context, int begin, int end, int lane);
/* collision.c: finds who takes part in a further pass, the one of that round. False if nobody overlapped
 * deeply after the last one. Serial. */
bool crowd_find_crush(fr_crowd *crowd, int pass, int round);
/* collision.c: a pass for them alone. */
void crowd_correct_crush(void *context, int begin, int end, int lane);
/* walls.c: the offset nearest to the wished one at which the disc touches no wall. */
fr_vec2 crowd_clear_walls(const fr_crowd_input *input, const body *self, fr_vec2 offset);
/* walls.c: does a disc stand free there? */
bool crowd_disc_fits(const fr_crowd_input *input, fr_class movement_class, fr_position position,
                     float radius);
/* squeeze.c: how a wide disc gets from a place too tight for its field to the nearest cell that the field
 * knows, if there is one near. */
void crowd_squeeze_out(const fr_crowd_input *input, const fr_leg *leg, fr_position position,
                       fr_field_sample *sample);
/* Ticks between two looks at how deep the free places of a leg lie. */
#define DEPTHS_TICKS 10

/* Units whose radii differ by less than a sixteenth may have one another's places: those of one class, of
 * which there are 16 to each doubling. */
#define SIZE_CLASSES 73
static inline int crowd_size_class(float radius)
{
    const float base = FR_RADIUS_MIN;
    uint32_t bits, base_bits;
    memcpy(&bits, &radius, sizeof bits);
    memcpy(&base_bits, &base, sizeof base_bits);
    return (int)(bits >> 19) - (int)(base_bits >> 19);
}

/* taken.c: notes what is taken, for a leg that is to get places. */
void crowd_taken_init(fr_crowd *crowd, int32_t unit_capacity);
void crowd_taken_fini(fr_crowd *crowd);
void crowd_note_taken(fr_crowd *crowd, const fr_crowd_input *input, const fr_leg *leg);
/* taken.c: notes one more; and forgets all but the first so many. */
void crowd_take(fr_crowd *crowd, fr_position position, float radius, float mass);
void crowd_free_taken(fr_crowd *crowd, int32_t count);
/* taken.c: radius of the largest disc there that meets none that is taken, at most so large; 0 for less than
 * `least`. */
float crowd_room_at(const fr_crowd *crowd, fr_position place, float least, float most);
/* taken.c: does a disc there meet one that is taken? */
bool crowd_is_taken(const fr_crowd *crowd, fr_position place, float radius);
/* taken.c: squared radii of those whose ground lies in a cell of the map. */
float crowd_taken_mass(const fr_crowd *crowd, fr_cell cell);
/* places.c: makes the free places of a leg when its first unit comes near. */
void crowd_make_slots(fr_crowd *crowd, const fr_crowd_input *input, uint32_t leg);
/* slots.c: moves all legs' free places to the front of the pool. */
void crowd_compact_slots(fr_crowd *crowd, fr_orders *orders);
/* places.c: works out below which potential units claim: again when the field comes after the places. */
void crowd_price_slots(const fr_crowd_input *input, fr_leg *leg);
/* slots.c: takes the free place that suits a unit best, if there is one; of all of them if it does so again.
 */
void crowd_claim_slot(fr_crowd *crowd, const fr_crowd_input *input, const body *self, bool again);
/* slots.c: the next cell on the way back to where the last search began; the cell itself at its start. */
fr_cell crowd_step_back(const fr_crowd *crowd, const fr_crowd_input *input, fr_cost_view fit, fr_cell cell);
/* slots.c: gives a unit's place back to its leg. */
void crowd_return_slot(fr_crowd *crowd, const fr_crowd_input *input, uint32_t id);
/* basin.c: index of the goal of the leg that its field leads to from a position; without one the nearest by
 * air. O(way). */
int32_t crowd_goal_below(fr_crowd *crowd, const fr_crowd_input *input, const fr_leg *leg,
                         fr_position position);
/* basin.c: the same for all crowd->members. O(cells on their ways). */
void crowd_find_goals(fr_crowd *crowd, const fr_crowd_input *input, const fr_leg *leg);
/* slots.c: index of the leg's goal nearest to a position, by air. */
int32_t crowd_nearest_goal(const fr_orders *orders, const fr_leg *leg, fr_position position,
                           fr_position *goal);
/* naive.c: all of a unit's tick but its end. */
void crowd_steer_naively(void *context, int begin, int end, int lane);
/* detour.c: a unit without a place of its own that stands before others goes round them. Serial. Returns how
 * long it may get nowhere before it has to be content with where it is (ticks). */
uint16_t crowd_go_round(fr_crowd *crowd, const fr_crowd_input *input, uint32_t k);
/* detour.c: does a unit on its way round have to let others pass? */
bool crowd_must_yield(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k);
/* arrival.c: notes the progress of a unit that is under way. True if there is more to do for it, or for one
 * that has settled. Concerns this unit alone. */
bool crowd_approach(const fr_crowd_input *input, const body *self);
/* arrival.c: the first sorted index from there on of those for whom there is more; the number of units if
 * there is none. */
int32_t crowd_next_arriving(const fr_crowd *crowd, int32_t from);
/* arrival.c: claims, settling, swaps. Serial, in sorted order. */
void crowd_arrive(fr_crowd *crowd, const fr_crowd_input *input);

#endif
