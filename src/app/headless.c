#include "app/headless.h"

#include <SDL.h>

#include "app/clock.h"

static void sleep_until(uint64_t due_ns)
{
    uint64_t now_ns = fr_real_now_ns();
    if (due_ns > now_ns) {
        SDL_Delay((Uint32)((due_ns - now_ns + 999999u) / 1000000u));
    }
}

void fr_headless_run(fr_session *session)
{
    uint64_t begin_ns = fr_real_now_ns();
    for (uint64_t tick = 1; !fr_session_ended(session); tick++) {
        fr_session_tick(session);
        if (session->options->paced) {
            sleep_until(begin_ns + tick * FR_NS_PER_S / FR_TICK_HZ);
        }
        SDL_PumpEvents();
        if (SDL_HasEvent(SDL_QUIT)) {
            break;
        }
    }
}
