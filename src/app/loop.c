#include "app/loop.h"

#include "app/clock.h"
#include "base/limits.h"

/* `owed` counts nanoseconds x FR_TICK_HZ x eighths of speed: one tick is a whole number of these. */
#define TICK_UNITS ((uint64_t)FR_NS_PER_S * FR_SPEED_NORMAL)

/* Longest gap between two frames that is looked at, so that the product below can't overflow. Anything near
 * it is far beyond the catch-up bound. */
#define GAP_NS_MAX ((uint64_t)3600 * FR_NS_PER_S)

fr_loop fr_loop_begin(void)
{
    return (fr_loop){.speed = FR_SPEED_NORMAL};
}

static uint64_t take_gap(fr_loop *loop, uint64_t now_ns)
{
    uint64_t gap_ns = loop->started && now_ns > loop->last_ns ? now_ns - loop->last_ns : 0;
    loop->started = true;
    loop->last_ns = now_ns;
    return gap_ns < GAP_NS_MAX ? gap_ns : GAP_NS_MAX;
}

fr_loop_frame fr_loop_advance(fr_loop *loop, uint64_t now_ns)
{
    uint64_t gap_ns = take_gap(loop, now_ns);
    uint64_t ticks = 0;
    if (!loop->paused) {
        loop->owed += gap_ns * FR_TICK_HZ * (uint64_t)loop->speed;
        ticks = loop->owed / TICK_UNITS;
        loop->owed %= TICK_UNITS;
        if (ticks > FR_CATCH_UP_TICKS_MAX) {
            loop->dropped_ticks += ticks - FR_CATCH_UP_TICKS_MAX;
            ticks = FR_CATCH_UP_TICKS_MAX;
        }
    }
    ticks += (uint64_t)loop->steps;
    loop->steps = 0;
    float alpha = (float)((double)loop->owed / (double)TICK_UNITS);
    /* The float nearest to a share just below one may be one. */
    return (fr_loop_frame){.ticks = (int)ticks, .alpha = alpha < 1.0f ? alpha : 1.0f};
}

void fr_loop_skip(fr_loop *loop, uint64_t now_ns)
{
    take_gap(loop, now_ns);
}

void fr_loop_step(fr_loop *loop)
{
    loop->paused = true;
    loop->steps++;
}

void fr_loop_change_speed(fr_loop *loop, int direction)
{
    int speed = direction > 0 ? loop->speed * 2 : loop->speed / 2;
    if (speed >= FR_SPEED_LOWEST && speed <= FR_SPEED_HIGHEST) {
        loop->speed = speed;
    }
}

double fr_loop_speed(const fr_loop *loop)
{
    return (double)loop->speed / FR_SPEED_NORMAL;
}
