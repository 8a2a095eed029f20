#include "app/play.h"

#include "app/pace.h"
#include "app/paths.h"
#include "base/memory.h"
#include "view/image.h"

/* While nothing happens an idle game looks up this often, to take a message away when its time is over. */
#define IDLE_MS 500

/* Files that a script asks for in one frame. */
enum { REQUESTS_MAX = 32 };

typedef struct play {
    fr_screen *screen;
    fr_script *script;
    fr_pace pace;
    uint64_t last_frame_ns; /* on the screen's clock */
    bool end_was_told;      /* a run by hand goes on after its last tick, if the player wants */
    /* What the script wants of this frame's picture and state. */
    const fr_input_event *requests[REQUESTS_MAX];
    int request_count;
    fr_status status;
    fr_error *error;
} play;

/* Under a script SDL's own mouse and keyboard have no say. */
static bool is_for_script(const fr_input_event *event)
{
    return event->kind == FR_INPUT_QUIT || event->kind == FR_INPUT_REDRAW ||
           event->kind == FR_INPUT_TARGETS_LOST;
}

static void take_events(play *p)
{
    SDL_Event sdl;
    while (SDL_PollEvent(&sdl)) {
        fr_input_event event = fr_input_event_from_sdl(&sdl);
        if (event.kind != FR_INPUT_NONE && (p->script == NULL || is_for_script(&event))) {
            fr_screen_handle(p->screen, &event);
        }
        if (sdl.type == SDL_DROPFILE) {
            SDL_free(sdl.drop.file);
        }
    }
    const fr_input_event *scripted;
    while (p->script != NULL && (scripted = fr_script_next(p->script, p->screen->clock.frame)) != NULL) {
        if (scripted->kind != FR_INPUT_SHOT && scripted->kind != FR_INPUT_DUMP) {
            fr_screen_handle(p->screen, scripted);
        } else if (p->request_count < REQUESTS_MAX) {
            p->requests[p->request_count++] = scripted;
        } else if (p->status == FR_OK) {
            p->status = fr_fail(p->error, FR_LIMIT, "script: more than %d files in one frame", REQUESTS_MAX);
        }
    }
}

/* A run by hand is not torn away from the player at its last tick; it pauses there. */
static bool stops_at_last_tick(const play *p)
{
    return p->script != NULL || p->screen->session->options->has_ticks ||
           p->screen->session->options->headless;
}

static void run_ticks(play *p, int ticks)
{
    fr_screen *screen = p->screen;
    for (int i = 0; i < ticks; i++) {
        if (fr_session_ended(screen->session)) {
            if (stops_at_last_tick(p) || screen->session->diverged || screen->session->write_failed) {
                return;
            }
            if (!p->end_was_told) {
                p->end_was_told = true;
                screen->ui.loop.paused = true;
                fr_ui_say(&screen->ui, fr_clock_now_ns(&screen->clock), "the %s is over: Space goes on",
                          screen->session->replay != NULL ? "replay" : "scenario");
                return;
            }
        }
        fr_session_tick(screen->session);
        fr_screen_ticked(screen, screen->session->last_tick_ns);
    }
}

static void fulfil_wishes(play *p)
{
    fr_ui *ui = &p->screen->ui;
    if (ui->toggle_fullscreen) {
        ui->toggle_fullscreen = false;
        fr_stage_toggle_fullscreen(&p->screen->stage);
    }
}

static void save_numbered_picture(fr_screen *screen)
{
    fr_error error = {{0}};
    uint64_t now = fr_clock_now_ns(&screen->clock);
    char *path = fr_screenshot_path(fr_image_extension(), &error);
    if (path != NULL && fr_screen_save_picture(screen, path, &error) == FR_OK) {
        fr_ui_say(&screen->ui, now, "screenshot saved: %s", path);
    } else {
        fr_ui_say(&screen->ui, now, "%s", error.message);
    }
    screen->session->io.log(screen->session->io.self, screen->ui.message);
    fr_free(path);
}

/* After drawing, before presenting: the picture is still there. */
static void save_requested(play *p)
{
    for (int i = 0; i < p->request_count && p->status == FR_OK; i++) {
        const fr_input_event *request = p->requests[i];
        p->status = request->kind == FR_INPUT_SHOT
                        ? fr_screen_save_picture(p->screen, request->file, p->error)
                        : fr_screen_save_dump(p->screen, request->file, p->error);
    }
    p->request_count = 0;
    if (p->screen->ui.screenshot) {
        p->screen->ui.screenshot = false;
        save_numbered_picture(p->screen);
    }
}

static bool is_over(const play *p)
{
    const fr_session *session = p->screen->session;
    if (p->screen->ui.quit || p->status != FR_OK || session->diverged || session->write_failed) {
        return true;
    }
    if (fr_session_ended(session) && stops_at_last_tick(p)) {
        return true;
    }
    /* A script that says no more ends the run, unless its clock still carries it to its last tick. */
    return p->script != NULL && fr_script_ended(p->script) &&
           (!session->has_last_tick || p->screen->ui.loop.paused);
}

/* Would the next frame look like the last? */
static bool is_idle(const play *p)
{
    const fr_screen *screen = p->screen;
    if (p->script != NULL) {
        return false;
    }
    if (!fr_stage_seen(&screen->stage)) {
        return true;
    }
    return screen->ui.loop.paused && screen->ui.loop.steps == 0 && !fr_input_busy(&screen->input) &&
           !fr_ui_marker_shown(&screen->ui, fr_clock_now_ns(&screen->clock));
}

static void frame(play *p)
{
    fr_screen *screen = p->screen;
    uint64_t now = fr_clock_now_ns(&screen->clock);
    double seconds = (double)(now - p->last_frame_ns) / FR_NS_PER_S;
    p->last_frame_ns = now;
    take_events(p);
    fr_screen_hold(screen, seconds < 0.1 ? seconds : 0.1);
    if (p->script == NULL && !fr_stage_seen(&screen->stage)) {
        fr_loop_skip(&screen->ui.loop, now);
        return;
    }
    fr_loop_frame step = fr_loop_advance(&screen->ui.loop, now);
    run_ticks(p, step.ticks);
    screen->alpha = step.alpha;
    fulfil_wishes(p);
    /* A paused picture may be the last for long; scripts and screenshots want the same one on every machine.
     */
    fr_screen_draw(screen, p->script != NULL || screen->ui.loop.paused || screen->ui.screenshot);
    save_requested(p);
    SDL_RenderPresent(screen->stage.renderer);
}

/* Sleeps until there is something new to show. */
static void wait_for_something(const play *p)
{
    const fr_screen *screen = p->screen;
    bool has_message = fr_ui_message(&screen->ui, fr_clock_now_ns(&screen->clock)) != NULL;
    bool is_still = true;
    while (is_still && SDL_WaitEventTimeout(NULL, IDLE_MS) == 0) {
        is_still = has_message == (fr_ui_message(&screen->ui, fr_clock_now_ns(&screen->clock)) != NULL);
    }
}

static void rest(play *p)
{
    if (p->script != NULL) {
        p->screen->clock.frame++;
        return;
    }
    if (is_idle(p)) {
        wait_for_something(p);
    }
    uint64_t sleep_ns = fr_pace_frame(&p->pace, fr_real_now_ns());
    if (sleep_ns > 0) {
        SDL_Delay((Uint32)(sleep_ns / 1000000u));
    }
}

fr_status fr_play(fr_screen *screen, fr_script *script, uint64_t *first_frame_ns, fr_error *error)
{
    play p = {.screen = screen,
              .script = script,
              .pace = fr_pace_begin(screen->session->options->fps, screen->stage.waits_for_display,
                                    screen->stage.refresh_hz),
              .error = error};
    screen->clock.is_virtual = script != NULL;
    p.last_frame_ns = fr_clock_now_ns(&screen->clock);
    *first_frame_ns = 0;
    bool is_running = !is_over(&p);
    while (is_running) {
        frame(&p);
        if (*first_frame_ns == 0) {
            *first_frame_ns = fr_real_now_ns();
        }
        /* Before the rest, not after it: a paused game rests until the next event. */
        is_running = !is_over(&p);
        if (is_running) {
            rest(&p);
        }
    }
    return p.status;
}
