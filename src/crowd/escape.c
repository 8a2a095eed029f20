/* escape: units on whose place a wall came down. They walk straight towards the nearest open ground of their
 * region (sim/displace.c), through the wall, pushing others before them; they end where they first stand
 * free. Whoever can't get out like that goes on as if it were alone. */
#include "crowd/crowd_internal.h"

/* Cells in a tick: so much, and a share of what is left, but no more than neighbours look ahead. */
#define ESCAPE_STEP  0.28f
#define ESCAPE_SHARE (1.0f / 15.0f)
#define ESCAPE_MOST  0.42f
/* Alone it goes this far (cells) in a tick; others are minded as long as that way it would still be out after
 * so many (ticks). */
#define ALONE_STEP   0.9f
#define ESCAPE_TICKS 29

void crowd_begin_escape(const fr_agents *agents, body *self)
{
    float distance = fr_vec2_length(fr_position_delta(self->start, agents->target[self->id]));
    float ticks_left = (float)(ESCAPE_TICKS - agents->stall_ticks[self->id]);
    self->part = distance < ALONE_STEP * ticks_left ? PART_ESCAPING : PART_DISPLACED;
    self->own_speed = ALONE_STEP * FR_TICK_HZ;
}

fr_vec2 crowd_escape(const fr_agents *agents, const body *self)
{
    fr_vec2 way = fr_position_delta(self->start, agents->target[self->id]);
    float distance = fr_vec2_length(way), step = ESCAPE_STEP + ESCAPE_SHARE * distance;
    step = step < ESCAPE_MOST ? step : ESCAPE_MOST;
    return distance <= step ? way : fr_vec2_scale(way, step / distance);
}

void crowd_end_escape(fr_agents *agents, const body *self, fr_vec2 offset)
{
    uint32_t id = self->id;
    fr_position target = agents->target[id];
    fr_vec2 way = fr_position_delta(self->start, target);
    float distance = fr_vec2_length(way), length = fr_vec2_length(offset);
    agents->velocity[id] = (fr_vec2){0.0f, 0.0f};
    if (agents->stall_ticks[id] < ESCAPE_TICKS) {
        agents->stall_ticks[id]++;
    }
    if (self->part == PART_DISPLACED) {
        if (distance <= ALONE_STEP) {
            agents->position[id] = target;
            return;
        }
        offset = fr_vec2_scale(way, ALONE_STEP / distance);
    } else if (length > ALONE_STEP) {
        offset = fr_vec2_scale(offset, ALONE_STEP / length);
    }
    agents->position[id] = fr_position_add(self->start, offset);
}
