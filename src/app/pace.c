#include "app/pace.h"

#include "app/clock.h"

fr_pace fr_pace_begin(int fps, bool waits_for_display, int refresh_hz)
{
    return (fr_pace){.fps = fps, .waits_for_display = waits_for_display, .refresh_hz = refresh_hz};
}

static void watch_display(fr_pace *pace, uint64_t frame_ns)
{
    bool is_fast = frame_ns * (uint64_t)pace->refresh_hz < FR_NS_PER_S / 2;
    pace->fast_frames = is_fast ? pace->fast_frames + 1 : 0;
    if (pace->fast_frames >= FR_PACE_DOUBTS) {
        pace->waits_for_display = false;
    }
}

uint64_t fr_pace_frame(fr_pace *pace, uint64_t now_ns)
{
    if (pace->waits_for_display && pace->last_ns != 0) {
        watch_display(pace, now_ns > pace->last_ns ? now_ns - pace->last_ns : 0);
    }
    pace->last_ns = now_ns;
    if (pace->fps == 0 && pace->waits_for_display) {
        return 0;
    }
    uint64_t period_ns = FR_NS_PER_S / (uint64_t)(pace->fps > 0 ? pace->fps : FR_PACE_FPS_DEFAULT);
    pace->due_ns += period_ns;
    if (pace->due_ns < now_ns) {
        /* Late: what was missed is not made up for by a burst of frames. */
        pace->due_ns = now_ns;
    } else if (pace->due_ns > now_ns + period_ns) {
        pace->due_ns = now_ns + period_ns;
    }
    pace->last_ns = pace->due_ns;
    return pace->due_ns - now_ns;
}
