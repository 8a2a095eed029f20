/* test_app_loop: the accumulator against tables of timestamps. No clock is asked: every case is exact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "app/clock.h"
#include "app/loop.h"
#include "app/pace.h"
#include "base/limits.h"

/* Ten seconds at a steady frame rate. */
static void test_steady_rates(void **state)
{
    (void)state;
    static const struct {
        int fps, speed;
        int ticks, ticks_frame_max;
    } cases[] = {
        {60, 8, 300, 1},   {144, 8, 300, 1},   {20, 8, 300, 2}, {30, 8, 300, 1},
        {59, 8, 300, 1},   {60, 16, 600, 1},   {60, 4, 150, 1}, {60, 1, 37, 1},
        {60, 64, 2400, 4}, {144, 32, 1200, 1}, {7, 8, 300, 5},  {1000, 8, 300, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_loop loop = fr_loop_begin();
        loop.speed = cases[i].speed;
        int ticks = 0, most = 0;
        uint64_t start_ns = 123456789;
        for (int frame = 0; frame <= 10 * cases[i].fps; frame++) {
            uint64_t at_ns =
                ((uint64_t)frame * FR_NS_PER_S + (uint64_t)cases[i].fps - 1) / (uint64_t)cases[i].fps;
            fr_loop_frame step = fr_loop_advance(&loop, start_ns + at_ns);
            ticks += step.ticks;
            most = step.ticks > most ? step.ticks : most;
            assert_true(step.alpha >= 0.0f && step.alpha <= 1.0f);
        }
        if (ticks != cases[i].ticks || most != cases[i].ticks_frame_max || loop.dropped_ticks != 0) {
            fail_msg("%d fps at speed %d/8: %d ticks, at most %d a frame, %d dropped", cases[i].fps,
                     cases[i].speed, ticks, most, (int)loop.dropped_ticks);
        }
    }
}

/* One loop, one line a frame. */
static void test_single_frames(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        uint64_t now_ms;
        int ticks;
        double alpha;
        int dropped;
    } frames[] = {
        {"the first frame only sets the time", 1000, 0, 0.0, 0},
        {"half a tick and a bit", 1020, 0, 0.6, 0},
        {"the rest of it", 1040, 1, 0.2, 0},
        {"the clock stands", 1040, 0, 0.2, 0},
        {"the clock goes back", 500, 0, 0.2, 0},
        {"and on from there", 520, 0, 0.8, 0},
        {"a stall within the bound", 620, 3, 0.8, 0},
        {"a stall of ten seconds: 300 ticks owed", 10620, 5, 0.8, 295},
        {"as if nothing had been", 10640, 1, 0.4, 295},
        {"a day", 86410640, 5, 0.4, 295 + 3600 * 30 - 5},
    };
    fr_loop loop = fr_loop_begin();
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        fr_loop_frame got = fr_loop_advance(&loop, frames[i].now_ms * 1000000u);
        double off = (double)got.alpha - frames[i].alpha;
        if (got.ticks != frames[i].ticks || off > 1e-6 || off < -1e-6 ||
            (int)loop.dropped_ticks != frames[i].dropped) {
            fail_msg("%s: %d ticks, alpha %f, %d dropped", frames[i].what, got.ticks, (double)got.alpha,
                     (int)loop.dropped_ticks);
        }
    }
}

static void test_pause_and_step(void **state)
{
    (void)state;
    fr_loop loop = fr_loop_begin();
    fr_loop_advance(&loop, 0);
    fr_loop_advance(&loop, 10000000); /* 0.3 of a tick */
    loop.paused = true;
    assert_int_equal(fr_loop_advance(&loop, 5000000000u).ticks, 0);
    assert_int_equal((int)loop.dropped_ticks, 0);

    fr_loop_step(&loop);
    fr_loop_step(&loop);
    fr_loop_frame frame = fr_loop_advance(&loop, 6000000000u);
    assert_int_equal(frame.ticks, 2);
    assert_true(frame.alpha > 0.29f && frame.alpha < 0.31f);
    assert_int_equal(fr_loop_advance(&loop, 7000000000u).ticks, 0);

    /* Speed keys don't end a pause, and paused time doesn't come back. */
    fr_loop_change_speed(&loop, 1);
    assert_true(loop.paused);
    loop.paused = false;
    assert_int_equal(fr_loop_advance(&loop, 7010000000u).ticks, 0); /* 0.3 + 0.6 */
    assert_int_equal(fr_loop_advance(&loop, 7020000000u).ticks, 1); /* 0.3 + 1.2 */

    /* A step while running pauses. */
    fr_loop_step(&loop);
    assert_true(loop.paused);
    assert_int_equal(fr_loop_advance(&loop, 9000000000u).ticks, 1);

    loop.paused = false;
    fr_loop_skip(&loop, 20000000000u);
    assert_int_equal(fr_loop_advance(&loop, 20000000000u).ticks, 0);
}

static void test_speed_limits(void **state)
{
    (void)state;
    fr_loop loop = fr_loop_begin();
    assert_true(fr_loop_speed(&loop) == 1.0);
    for (int i = 0; i < 10; i++) {
        fr_loop_change_speed(&loop, 1);
    }
    assert_true(fr_loop_speed(&loop) == 8.0);
    for (int i = 0; i < 10; i++) {
        fr_loop_change_speed(&loop, -1);
    }
    assert_true(fr_loop_speed(&loop) == 0.125);
}

/* Scripts rely on this: one tick every second frame, for hours. */
static void test_virtual_time(void **state)
{
    (void)state;
    fr_loop loop = fr_loop_begin();
    for (uint64_t frame = 0; frame < 1000000; frame++) {
        int ticks = fr_loop_advance(&loop, fr_virtual_frame_ns(frame)).ticks;
        assert_int_equal(ticks, frame > 0 && frame % 2 == 0 ? 1 : 0);
    }
    fr_clock clock = {.is_virtual = true, .frame = 60};
    assert_true(fr_clock_now_ns(&clock) == FR_NS_PER_S);
}

/* Frames that take `work_ms`, slept between as told: how many fit into a second. */
static int frames_in_a_second(fr_pace *pace, uint64_t work_us, uint64_t display_us)
{
    uint64_t now_ns = 5000000000u, end_ns = now_ns + FR_NS_PER_S;
    int frames = 0;
    for (; now_ns < end_ns; frames++) {
        now_ns += work_us * 1000;
        if (display_us > 0) { /* presenting waits for the display */
            now_ns += display_us * 1000 - now_ns % (display_us * 1000);
        }
        now_ns += fr_pace_frame(pace, now_ns);
    }
    return frames;
}

static void test_pace(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int fps;
        bool waits;
        uint64_t work_us, display_us;
        int min, max;
    } cases[] = {
        {"no vsync: 60", 0, false, 2000, 0, 59, 62},
        {"a cap", 30, false, 2000, 0, 29, 32},
        {"a cap below the display's rate", 30, true, 2000, 16667, 29, 32},
        {"the display's own pace is left alone", 0, true, 2000, 16667, 59, 61},
        {"a fast display too", 0, true, 2000, 6944, 142, 145},
        {"a display that only says it waits", 0, true, 100, 0, 60, 75},
        {"frames too slow for the cap", 60, false, 40000, 0, 25, 25},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_pace pace = fr_pace_begin(cases[i].fps, cases[i].waits, cases[i].display_us == 6944 ? 144 : 60);
        int frames = frames_in_a_second(&pace, cases[i].work_us, cases[i].display_us);
        if (frames < cases[i].min || frames > cases[i].max) {
            fail_msg("%s: %d frames a second", cases[i].what, frames);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steady_rates),   cmocka_unit_test(test_single_frames),
        cmocka_unit_test(test_pause_and_step), cmocka_unit_test(test_speed_limits),
        cmocka_unit_test(test_virtual_time),   cmocka_unit_test(test_pace),
    };
    return cmocka_run_group_tests_name("app loop", tests, NULL, NULL);
}
