#include "app/stage.h"

#include <string.h>

#include "view/image.h"

#define WINDOW_MIN_WIDTH  320
#define WINDOW_MIN_HEIGHT 240

/* Without a display SDL falls back to drivers that show nothing, and says nothing of it. */
static bool runs_unasked_in_the_dark(void)
{
    const char *driver = SDL_GetCurrentVideoDriver();
    if (driver == NULL || (strcmp(driver, "dummy") != 0 && strcmp(driver, "offscreen") != 0)) {
        return false;
    }
    const char *asked = SDL_getenv("SDL_VIDEODRIVER");
    return asked == NULL || strstr(asked, driver) == NULL;
}

static fr_status start_video(fr_stage *stage, bool visible, fr_error *error)
{
    if (!visible) {
        SDL_setenv("SDL_VIDEODRIVER", "dummy", 1);
        SDL_SetHintWithPriority(SDL_HINT_RENDER_DRIVER, "software", SDL_HINT_OVERRIDE);
    }
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        return fr_fail(error, FR_LIMIT, "no display: %s; --headless runs without one", SDL_GetError());
    }
    stage->initialised = true;
    if (runs_unasked_in_the_dark()) {
        return fr_fail(error, FR_LIMIT, "no display found; --headless runs without one");
    }
    return FR_OK;
}

static void learn_refresh_rate(fr_stage *stage)
{
    SDL_DisplayMode mode;
    int display = SDL_GetWindowDisplayIndex(stage->window);
    bool known = display >= 0 && SDL_GetCurrentDisplayMode(display, &mode) == 0 && mode.refresh_rate > 0;
    stage->refresh_hz = known ? mode.refresh_rate : 60;
}

fr_status fr_stage_open(fr_stage *stage, const fr_options *options, bool visible, fr_error *error)
{
    *stage = (fr_stage){.refresh_hz = 60};
    fr_status status = start_video(stage, visible, error);
    if (status != FR_OK) {
        return status;
    }
    Uint32 flags = SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    if (options->fullscreen && visible) {
        flags |= SDL_WINDOW_FULLSCREEN_DESKTOP;
    }
    stage->window = SDL_CreateWindow("Freshet", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                     options->width_px, options->height_px, flags);
    if (stage->window == NULL) {
        return fr_fail(error, FR_LIMIT, "no window: %s", SDL_GetError());
    }
    SDL_SetWindowMinimumSize(stage->window, WINDOW_MIN_WIDTH, WINDOW_MIN_HEIGHT);
    /* The cached ground is a target texture. */
    Uint32 wanted = SDL_RENDERER_TARGETTEXTURE;
    wanted |= options->vsync && visible ? (Uint32)SDL_RENDERER_PRESENTVSYNC : 0;
    stage->renderer = SDL_CreateRenderer(stage->window, -1, wanted);
    if (stage->renderer == NULL) {
        stage->renderer = SDL_CreateRenderer(stage->window, -1, SDL_RENDERER_SOFTWARE);
    }
    if (stage->renderer == NULL) {
        return fr_fail(error, FR_LIMIT, "no renderer: %s", SDL_GetError());
    }
    SDL_RendererInfo info;
    stage->waits_for_display =
        SDL_GetRendererInfo(stage->renderer, &info) == 0 && (info.flags & SDL_RENDERER_PRESENTVSYNC) != 0;
    learn_refresh_rate(stage);
    return FR_OK;
}

void fr_stage_close(fr_stage *stage)
{
    if (stage->renderer != NULL) {
        SDL_DestroyRenderer(stage->renderer);
    }
    if (stage->window != NULL) {
        SDL_DestroyWindow(stage->window);
    }
    if (stage->initialised) {
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
    }
    *stage = (fr_stage){.refresh_hz = 60};
}

void fr_stage_size(const fr_stage *stage, int *width_px, int *height_px, float *scale_x, float *scale_y)
{
    int width = 1, height = 1;
    SDL_GetWindowSize(stage->window, &width, &height);
    if (SDL_GetRendererOutputSize(stage->renderer, width_px, height_px) != 0) {
        *width_px = width;
        *height_px = height;
    }
    *scale_x = width > 0 ? (float)*width_px / (float)width : 1.0f;
    *scale_y = height > 0 ? (float)*height_px / (float)height : 1.0f;
}

void fr_stage_resize(fr_stage *stage, int width, int height)
{
    SDL_SetWindowSize(stage->window, width, height);
}

void fr_stage_toggle_fullscreen(fr_stage *stage)
{
    bool is_full = (SDL_GetWindowFlags(stage->window) & SDL_WINDOW_FULLSCREEN) != 0;
    SDL_SetWindowFullscreen(stage->window, is_full ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
}

bool fr_stage_seen(const fr_stage *stage)
{
    return (SDL_GetWindowFlags(stage->window) & (SDL_WINDOW_MINIMIZED | SDL_WINDOW_HIDDEN)) == 0;
}

fr_status fr_stage_picture(const fr_stage *stage, bool png, fr_buffer *out, fr_error *error)
{
    int width = 0, height = 0;
    SDL_GetRendererOutputSize(stage->renderer, &width, &height);
    /* Opaque 24 bits: what every viewer shows alike. */
    SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormat(0, width, height, 24, SDL_PIXELFORMAT_BGR24);
    if (surface == NULL) {
        return fr_fail(error, FR_NO_MEMORY, "picture: %s", SDL_GetError());
    }
    fr_status status = FR_OK;
    if (SDL_RenderReadPixels(stage->renderer, NULL, surface->format->format, surface->pixels,
                             surface->pitch) != 0) {
        status = fr_fail(error, FR_LIMIT, "picture: %s", SDL_GetError());
    } else {
        status = fr_image_encode(surface, png, out, error);
    }
    SDL_FreeSurface(surface);
    return status;
}
