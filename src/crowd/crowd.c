#include "crowd/crowd_internal.h"

#include "base/assert.h"
#include "base/memory.h"

/* Passes of position correction. Largest overlap of two units in the run of vale (2,000 units) and in a
 * column of 2,000 that is stopped at full speed: 0.10 and 0.16 with six, 0.09 and 0.14 with seven, 0.08 and
 * 0.13 with eight; of another column of 2,000, 0.21 with seven and 0.12 with eight. */
#define PASSES 8

/* With deep overlaps left there are more, up to this many: only those in the crush take part. Largest overlap
 * of 27 circles of 1,000 that change sides: 0.07 in the middle one and 0.09 in the worst; with half as many
 * 0.09 and 0.12. */
#define PASSES_MAX 96

/* Units that look for a free line at once. If more are to, everybody waits for its turn: of 100,000 that are
 * ordered about, three quarters of the longest tick would be that. */
#define LOOKS_AT_ONCE 16384

/* Units per piece of a parallel stage: small enough to share out, large enough not to matter. */
#define GRAIN 256

fr_crowd *fr_crowd_create(fr_grid map, int32_t unit_capacity)
{
    fr_crowd *crowd = fr_alloc(1, sizeof *crowd);
    size_t units = (size_t)unit_capacity;
    crowd->map = map;
    fr_spatial_hash_init(&crowd->hash, map, unit_capacity);
    crowd->discs.x = fr_alloc(units + LANES, sizeof *crowd->discs.x);
    crowd->discs.y = fr_alloc(units + LANES, sizeof *crowd->discs.y);
    crowd->discs.radius = fr_alloc(units + LANES, sizeof *crowd->discs.radius);
    crowd->bodies = fr_alloc_lines(units, sizeof *crowd->bodies);
    for (int i = 0; i < 2; i++) {
        crowd->offset[i] = fr_alloc(units, sizeof *crowd->offset[i]);
        crowd->astir[i] = fr_alloc(units, sizeof *crowd->astir[i]);
    }
    crowd->moved = fr_alloc_raw(units, sizeof *crowd->moved);
    crowd->is_in_crush = fr_alloc(units, sizeof *crowd->is_in_crush);
    crowd->crush = fr_alloc_raw(units, sizeof *crowd->crush);
    crowd->last_crush = fr_alloc_raw(units, sizeof *crowd->last_crush);
    crowd->is_arriving = fr_alloc_raw(units, sizeof *crowd->is_arriving);
    crowd->contacts = fr_alloc_raw(units * CONTACT_ROWS, sizeof *crowd->contacts);
    crowd->list_start = fr_alloc(units, sizeof *crowd->list_start);
    crowd->list_count = fr_alloc(units, sizeof *crowd->list_count);
    crowd_conflict_init(crowd);
    crowd_lanes_init(crowd, unit_capacity);
    fr_octile_search_init(&crowd->search, map);
    crowd_taken_init(crowd, unit_capacity);
    /* Packs of several sizes need many more than there are places. */
    crowd->candidate_capacity =
        unit_capacity * 2 + 1024 + (unit_capacity < 2048 ? 24 * unit_capacity : 49152);
    size_t candidates = (size_t)crowd->candidate_capacity;
    crowd->candidates = fr_alloc_raw(candidates, sizeof *crowd->candidates);
    crowd->candidate_key = fr_alloc_raw(candidates, sizeof *crowd->candidate_key);
    crowd->candidate_order = fr_alloc_raw(candidates, sizeof *crowd->candidate_order);
    crowd->members = fr_alloc_raw(units, sizeof *crowd->members);
    crowd->member_order = fr_alloc_raw(units, sizeof *crowd->member_order);
    return crowd;
}

void fr_crowd_destroy(fr_crowd *crowd)
{
    if (crowd == NULL) {
        return;
    }
    fr_spatial_hash_fini(&crowd->hash);
    fr_octile_search_fini(&crowd->search);
    crowd_taken_fini(crowd);
    fr_free(crowd->discs.x);
    fr_free(crowd->discs.y);
    fr_free(crowd->discs.radius);
    fr_free(crowd->bodies);
    for (int i = 0; i < 2; i++) {
        fr_free(crowd->offset[i]);
        fr_free(crowd->astir[i]);
    }
    fr_free(crowd->moved);
    fr_free(crowd->is_in_crush);
    fr_free(crowd->crush);
    fr_free(crowd->last_crush);
    fr_free(crowd->is_arriving);
    fr_free(crowd->contacts);
    fr_free(crowd->list_start);
    fr_free(crowd->list_count);
    crowd_lanes_fini(crowd);
    fr_free(crowd->conflict);
    fr_free(crowd->conflict_touched);
    fr_free(crowd->candidates);
    fr_free(crowd->candidate_key);
    fr_free(crowd->candidate_order);
    fr_free(crowd->members);
    fr_free(crowd->member_order);
    fr_free(crowd);
}

static bool all_rest(const fr_agents *agents)
{
    for (uint32_t unit = 0; unit < (uint32_t)agents->count; unit++) {
        if (fr_agents_is_astir(agents, unit)) {
            return false;
        }
    }
    return true;
}

/* Shall more units look for a free line anew than one tick has time for? */
static bool is_rush(const fr_agents *agents)
{
    int32_t looking = 0;
    for (int32_t unit = 0; unit < agents->count; unit++) {
        looking += (agents->flags[unit] & FR_AGENT_RECHECK) != 0 && agents->state[unit] == FR_UNIT_MOVING;
    }
    return looking > LOOKS_AT_ONCE;
}

/* What a step does to units none of which is astir. */
static void rest(fr_crowd *crowd, const fr_crowd_input *input)
{
    fr_agents *agents = input->agents;
    for (int32_t unit = 0; unit < agents->count; unit++) {
        if (agents->state[unit] != FR_UNIT_GONE) {
            agents->previous[unit] = agents->position[unit];
            agents->velocity[unit] = (fr_vec2){0.0f, 0.0f};
        }
    }
    crowd->hash.count = 0;
    crowd_arrive(crowd, input);
}

uint32_t fr_crowd_step(fr_crowd *crowd, const fr_crowd_input *input)
{
    const fr_agents *agents = input->agents;
    const fr_executor *executor = &input->executor;
    if (all_rest(agents)) {
        rest(crowd, input);
        return 0;
    }
    /* Wide enough for the queue's look ahead between the two largest units. */
    fr_spatial_hash_build(&crowd->hash, agents, 2.0f * agents->radius_max + QUEUE_REACH);
    atomic_store_explicit(&crowd->neighbours_dropped, 0, memory_order_relaxed);
    int32_t count = crowd->hash.count;
    stage now = {.crowd = crowd, .input = input, .is_rush = is_rush(agents)};
    if (input->mover == FR_MOVER_NAIVE) {
        executor->parallel_for(executor->self, count, GRAIN, crowd_steer_naively, &now);
        executor->parallel_for(executor->self, count, GRAIN, crowd_commit, &now);
        return 0;
    }
    executor->parallel_for(executor->self, count, GRAIN, crowd_look, &now);
    crowd_conflict_gather(crowd, input);
    crowd_lanes_gather(crowd, input);
    executor->parallel_for(executor->self, count, GRAIN, crowd_steer, &now);
    for (now.pass = 0; now.pass < PASSES; now.pass++) {
        executor->parallel_for(executor->self, count, GRAIN, crowd_correct, &now);
    }
    for (; now.pass < PASSES_MAX && crowd_find_crush(crowd, now.pass, now.pass - PASSES); now.pass++) {
        executor->parallel_for(executor->self, crowd->crush_count, GRAIN, crowd_correct_crush, &now);
    }
    executor->parallel_for(executor->self, count, GRAIN, crowd_commit, &now);
    crowd_arrive(crowd, input);
    return atomic_load_explicit(&crowd->neighbours_dropped, memory_order_relaxed);
}
