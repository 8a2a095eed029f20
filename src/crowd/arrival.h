/* arrival: what the parts of coming to rest hand to one another: who claims a place and settles (arrival.c),
 * where a unit has arrived (pack.c), exchanges of places (swaps.c), and those who have settled (posts.c). */
#ifndef FR_CROWD_ARRIVAL_H
#define FR_CROWD_ARRIVAL_H

#include "crowd/crowd_internal.h"

/* Without progress for so long, a unit puts up with less. */
#define PATIENCE_TICKS 18
/* A pack begins to close this long after the last one came into it. */
#define CLOSING_TICKS 6
/* And is closed at its very rim too. */
#define RIM_TICKS 40

/* pack.c: has it been sent to an area, and stands in it? */
bool crowd_is_in_area(const fr_crowd_input *input, const body *self);
/* pack.c: has a unit arrived where it is, with or without its place: near enough by its field, by so much
 * (integration), or within the disc that the pack needs and in sight of the goal? */
bool crowd_is_in_pack(const fr_crowd_input *input, const body *self, uint32_t margin);
/* pack.c: has every unit come to the places, or are there none left to come to? */
bool crowd_all_have_come(const fr_leg *leg);
/* pack.c: has everybody been in the pack for so long? */
bool crowd_pack_is_full_for(const fr_crowd_input *input, const fr_leg *leg, uint32_t ticks);
/* pack.c: keeps, for every leg, since when nobody is outside the pack any more. */
void crowd_watch_packs(const fr_crowd *crowd, const fr_crowd_input *input);

/* swaps.c: exchanges places with neighbours of the same leg where both together get shorter ways. */
void crowd_swap_places(const fr_crowd *crowd, const fr_crowd_input *input, uint32_t k);

/* posts.c: has one that settled walk again, to its target. */
void crowd_rouse(fr_agents *agents, uint32_t id);
/* posts.c: one off its post sets out again by its field if it can't go straight back. */
void crowd_set_out_again(const fr_crowd_input *input, const body *self);
/* posts.c: when nobody walks in a pack any more, those who have been moved from their posts stay where they
 * are: once, for later they will be moved by others, who pass. Whoever was pushed out of a tight pack comes
 * back in. False at any other time. */
bool crowd_end_filling(const fr_crowd_input *input, const body *self);

#endif
