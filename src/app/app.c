#include "app/app.h"

#include <SDL.h>
#include <stdio.h>

#include "app/dump.h"
#include "app/headless.h"
#include "app/play.h"
#include "base/version.h"
#include "mapio/mapio.h"
#include "view/image.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_BAD_INPUT = 2 };

static int complain(const fr_error *error, int status)
{
    fprintf(stderr, "freshet: %s\n", error->message);
    return status;
}

static int print(const fr_buffer *text)
{
    bool is_written = fwrite(text->data, 1, text->size, stdout) == text->size && fflush(stdout) == 0;
    if (!is_written) {
        fprintf(stderr, "freshet: standard output can't be written\n");
    }
    return is_written ? EXIT_DONE : EXIT_FAILED;
}

static int print_help(void)
{
    fr_buffer text = {0};
    fr_options_help(&text);
    int status = print(&text);
    fr_buffer_fini(&text);
    return status;
}

static int print_version(void)
{
    SDL_version sdl;
    SDL_GetVersion(&sdl);
    const char *image = fr_image_library();
    fr_buffer text = {0};
    fr_buffer_printf(&text, "freshet " FR_VERSION "\nSDL %d.%d.%d\noptional libraries: %s%s%s\n", sdl.major,
                     sdl.minor, sdl.patch, fr_mapio_libraries(), image != NULL ? ", " : "",
                     image != NULL ? image : "");
    int status = print(&text);
    fr_buffer_fini(&text);
    return status;
}

static int check_map(const fr_options *options)
{
    fr_error error = {{0}};
    fr_io io = fr_stdio_io("freshet");
    fr_scenario *scenario = NULL;
    fr_map *map = NULL;
    if (options->scenario_path != NULL) {
        scenario = fr_scenario_load(&io, options->scenario_path, &error);
    } else {
        map = fr_session_load_map(options, &io, &error);
    }
    if (scenario == NULL && map == NULL) {
        return complain(&error, EXIT_BAD_INPUT);
    }
    fr_buffer text = {0};
    fr_map_write_summary(scenario != NULL ? scenario->map : map, &text);
    int status = print(&text);
    fr_buffer_fini(&text);
    if (scenario != NULL) {
        fr_scenario_destroy(scenario);
    } else {
        fr_map_destroy(map);
    }
    return status;
}

/* A headless run has no window: the picture is drawn once, at the end. */
static fr_status picture_at_end(fr_session *session, fr_error *error)
{
    fr_screen screen;
    fr_status status = fr_screen_open(&screen, session, false, error);
    if (status == FR_OK) {
        screen.clock.is_virtual = true; /* nothing in the picture depends on the hour */
        screen.alpha = 1.0f;
        fr_screen_draw(&screen, true);
        fr_buffer bytes = {0};
        status = fr_stage_picture(&screen.stage, fr_image_is_png(session->options->screenshot_path), &bytes,
                                  error);
        if (status == FR_OK) {
            status = fr_output_finish(&session->files.screenshot, &bytes, error);
        }
        fr_buffer_fini(&bytes);
    }
    fr_screen_close(&screen);
    return status;
}

static fr_status run_headless(fr_session *session, fr_error *error)
{
    fr_headless_run(session);
    fr_status status = FR_OK;
    if (session->files.dump != NULL) {
        fr_ui ui;
        fr_buffer bytes = {0};
        fr_screen_arrange(&ui, session, session->options->width_px, session->options->height_px);
        fr_dump_write(fr_world_snapshot(session->world), &ui, NULL, 0, &bytes);
        status = fr_output_finish(&session->files.dump, &bytes, error);
        fr_selection_fini(&ui.selection);
        fr_buffer_fini(&bytes);
    }
    return status == FR_OK && session->files.screenshot != NULL ? picture_at_end(session, error) : status;
}

/* State and picture as they were last shown. */
static fr_status write_last_frame(fr_screen *screen, fr_error *error)
{
    fr_session *session = screen->session;
    fr_status status = FR_OK;
    fr_buffer bytes = {0};
    if (session->files.dump != NULL) {
        fr_screen_dump(screen, &bytes);
        status = fr_output_finish(&session->files.dump, &bytes, error);
    }
    if (status == FR_OK && session->files.screenshot != NULL) {
        bytes.size = 0;
        fr_screen_draw(screen, true);
        status = fr_stage_picture(&screen->stage, fr_image_is_png(session->options->screenshot_path), &bytes,
                                  error);
        if (status == FR_OK) {
            status = fr_output_finish(&session->files.screenshot, &bytes, error);
        }
    }
    fr_buffer_fini(&bytes);
    return status;
}

static fr_status run_on_screen(fr_session *session, fr_script *script, uint64_t *first_frame_ns,
                               fr_error *error)
{
    fr_screen screen;
    fr_status status = fr_screen_open(&screen, session, !session->options->headless, error);
    if (status == FR_OK) {
        status = fr_play(&screen, script, first_frame_ns, error);
    }
    if (status == FR_OK) {
        status = write_last_frame(&screen, error);
    }
    fr_screen_close(&screen);
    return status;
}

static int run_session(fr_session *session, fr_script *script, uint64_t start_ns)
{
    fr_error error = {{0}};
    uint64_t first_frame_ns = 0;
    bool on_screen = !session->options->headless || script != NULL;
    fr_status status =
        on_screen ? run_on_screen(session, script, &first_frame_ns, &error) : run_headless(session, &error);
    double first_frame_ms = -1.0;
    if (!session->options->headless && first_frame_ns > start_ns) {
        first_frame_ms = (double)(first_frame_ns - start_ns) / 1e6;
    }
    if (status == FR_OK) {
        status = fr_session_finish(session, first_frame_ms, &error);
    }
    if (status != FR_OK) {
        return complain(&error, EXIT_FAILED);
    }
    if (session->diverged) {
        fprintf(stderr, "freshet: %s: the run differs from the recording, first at tick %u\n",
                session->options->replay_path, (unsigned)session->diverged_tick);
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

static int run(const fr_options *options, uint64_t start_ns)
{
    fr_error error = {{0}};
    fr_session session;
    fr_script *script = NULL;
    int result = EXIT_BAD_INPUT;
    /* SDL's event room alone, without video: from here on SIGTERM and SIGINT are quit events, and no
     * half-written file is left behind. */
    SDL_Init(SDL_INIT_EVENTS);
    fr_status status = fr_session_create(&session, options, &error);
    if (status == FR_OK && options->script_path != NULL) {
        script = fr_script_load(&session.io, options->script_path, &error);
        status = script != NULL ? FR_OK : FR_BAD_INPUT;
    }
    if (status == FR_OK) {
        result = run_session(&session, script, start_ns);
    } else {
        complain(&error, EXIT_BAD_INPUT);
    }
    fr_script_destroy(script);
    fr_session_destroy(&session);
    return result;
}

int fr_app_run(int argc, char **argv, uint64_t start_ns)
{
    fr_options options;
    fr_error error = {{0}};
    if (fr_options_parse(argc, argv, &options, &error) != FR_OK) {
        return complain(&error, EXIT_BAD_INPUT);
    }
    if (options.help) {
        return print_help();
    }
    if (options.version) {
        return print_version();
    }
    int result = options.check ? check_map(&options) : run(&options, start_ns);
    SDL_Quit();
    return result;
}
