/* taken: the ground round a goal that is not to be had: where somebody stands, is at home, or is on its way
 * to, and what is kept free for others. Noted once for each leg that gets places (places.c). */
#include "crowd/crowd_internal.h"

#include <string.h>

#include "base/memory.h"

#define BUCKET_SHIFT 1 /* buckets of 2x2 cells */

void crowd_taken_init(fr_crowd *crowd, int32_t unit_capacity)
{
    taken_ground *all = &crowd->taken;
    all->columns = (crowd->map.width >> BUCKET_SHIFT) + 1;
    all->rows = (crowd->map.height >> BUCKET_SHIFT) + 1;
    all->newest = fr_alloc_raw((size_t)all->columns * (size_t)all->rows, sizeof *all->newest);
    /* A unit takes two places at most; there are not many more free places than units, nor new ones. */
    all->capacity = unit_capacity * 4 + 1024;
    all->discs = fr_alloc_raw((size_t)all->capacity, sizeof *all->discs);
}

void crowd_taken_fini(fr_crowd *crowd)
{
    fr_free(crowd->taken.newest);
    fr_free(crowd->taken.discs);
}

static int32_t bucket_along(int32_t fixed, int32_t count)
{
    int32_t bucket = fixed < 0 ? 0 : fixed / (FR_POSITION_ONE << BUCKET_SHIFT);
    return bucket < count ? bucket : count - 1;
}

static int32_t bucket_of(const taken_ground *all, fr_position position)
{
    return bucket_along(position.y, all->rows) * all->columns + bucket_along(position.x, all->columns);
}

void crowd_take(fr_crowd *crowd, fr_position position, float radius, float mass)
{
    taken_ground *all = &crowd->taken;
    if (all->count < all->capacity) {
        int32_t *newest = &all->newest[bucket_of(all, position)];
        all->discs[all->count] = (taken_disc){position, radius, mass, *newest};
        *newest = all->count++;
        all->radius_max = radius > all->radius_max ? radius : all->radius_max;
    }
}

static void gather(fr_crowd *crowd, const fr_crowd_input *input, const fr_leg *leg)
{
    const fr_agents *agents = input->agents;
    const fr_orders *orders = input->orders;
    for (int32_t i = 0; i < agents->count; i++) {
        bool moves = agents->state[i] == FR_UNIT_MOVING;
        if (agents->state[i] == FR_UNIT_GONE || (agents->flags[i] & FR_AGENT_DISPLACED) != 0 ||
            (moves && (agents->flags[i] & FR_AGENT_HAS_SLOT) == 0) ||
            !fr_classes_collide((fr_class)agents->movement_class[i], leg->movement_class)) {
            continue;
        }
        float radius = agents->radius[i];
        crowd_take(crowd, agents->target[i], radius, radius * radius);
        if ((agents->flags[i] & FR_AGENT_OFF_POST) != 0) {
            crowd_take(crowd, agents->position[i], radius, 0.0f);
        }
    }
    for (int32_t l = 0; l < orders->leg_limit; l++) {
        const fr_leg *other = &orders->legs[l];
        if (other == leg || other->order == FR_NO_INDEX ||
            !fr_classes_collide(other->movement_class, leg->movement_class)) {
            continue;
        }
        for (int32_t s = 0; s < other->slot_count; s++) {
            const fr_slot *slot = &orders->slots[other->slot_first + s];
            if (!slot->spare || other->order == leg->order) {
                crowd_take(crowd, slot->position, slot->radius,
                           slot->spare ? 0.0f : slot->radius * slot->radius);
            }
        }
    }
}

void crowd_note_taken(fr_crowd *crowd, const fr_crowd_input *input, const fr_leg *leg)
{
    taken_ground *all = &crowd->taken;
    all->count = 0;
    all->radius_max = 0.0f;
    memset(all->newest, 0xff, (size_t)all->columns * (size_t)all->rows * sizeof *all->newest);
    gather(crowd, input, leg);
}

void crowd_free_taken(fr_crowd *crowd, int32_t count)
{
    taken_ground *all = &crowd->taken;
    while (all->count > count) {
        all->count--;
        all->newest[bucket_of(all, all->discs[all->count].position)] = all->discs[all->count].older;
    }
}

float crowd_room_at(const fr_crowd *crowd, fr_position place, float least, float most)
{
    const taken_ground *all = &crowd->taken;
    int32_t reach = fr_fixed((double)(most + all->radius_max));
    int32_t left = bucket_along(place.x - reach, all->columns);
    int32_t right = bucket_along(place.x + reach, all->columns);
    int32_t bottom = bucket_along(place.y + reach, all->rows);
    for (int32_t row = bucket_along(place.y - reach, all->rows); row <= bottom; row++) {
        for (int32_t column = left; column <= right; column++) {
            int32_t d = all->newest[row * all->columns + column];
            for (; d >= 0; d = all->discs[d].older) {
                fr_vec2 way = fr_position_delta(place, all->discs[d].position);
                float squared = fr_vec2_dot(way, way), apart = most + all->discs[d].radius;
                if (squared < apart * apart) {
                    most = sqrtf(squared) - all->discs[d].radius;
                    if (most < least) {
                        return 0.0f;
                    }
                }
            }
        }
    }
    return most;
}

bool crowd_is_taken(const fr_crowd *crowd, fr_position place, float radius)
{
    return crowd_room_at(crowd, place, radius, radius) < radius;
}

float crowd_taken_mass(const fr_crowd *crowd, fr_cell cell)
{
    const taken_ground *all = &crowd->taken;
    int32_t bucket = (cell.y >> BUCKET_SHIFT) * all->columns + (cell.x >> BUCKET_SHIFT);
    float mass = 0.0f;
    for (int32_t d = all->newest[bucket]; d >= 0; d = all->discs[d].older) {
        fr_cell in = fr_cell_at(all->discs[d].position);
        mass += in.x == cell.x && in.y == cell.y ? all->discs[d].mass : 0.0f;
    }
    return mass;
}
