/* ground_speed: the one rule of how ground slows those who walk on it. */
#ifndef FR_CROWD_GROUND_SPEED_H
#define FR_CROWD_GROUND_SPEED_H

#include "grid/grid.h"

/* Speed (cells/s) on ground of this cost (no wall): top speed x full_speed_cost / cost, from a quarter to all
 * of the top speed. */
static inline float fr_ground_speed(float top_speed, int32_t full_speed_cost, uint8_t cost)
{
    float factor = (float)full_speed_cost / (float)cost;
    return top_speed * (factor > 1.0f ? 1.0f : factor < 0.25f ? 0.25f : factor);
}

#endif
