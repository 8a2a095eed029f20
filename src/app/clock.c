#include "app/clock.h"

#include <SDL.h>

uint64_t fr_real_now_ns(void)
{
    uint64_t counter = SDL_GetPerformanceCounter();
    uint64_t frequency = SDL_GetPerformanceFrequency();
    /* In two parts: counter * 1e9 would overflow within minutes on a counter of 1 GHz. */
    return counter / frequency * FR_NS_PER_S + counter % frequency * FR_NS_PER_S / frequency;
}

uint64_t fr_virtual_frame_ns(uint64_t frame)
{
    return (frame * FR_NS_PER_S + FR_VIRTUAL_FRAME_HZ - 1) / FR_VIRTUAL_FRAME_HZ;
}

uint64_t fr_clock_now_ns(const fr_clock *clock)
{
    return clock->is_virtual ? fr_virtual_frame_ns(clock->frame) : fr_real_now_ns();
}
