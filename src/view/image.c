#include "view/image.h"

#include <SDL.h>
#ifdef FR_HAVE_IMAGE
#include <SDL_image.h>
#endif
#include <string.h>

#include "base/memory.h"

#ifdef FR_HAVE_IMAGE
#define STRING_OF(x)  #x
#define VERSION_OF(x) STRING_OF(x)
#define IMAGE_LIBRARY                                                                                        \
    "SDL2_image " VERSION_OF(SDL_IMAGE_MAJOR_VERSION) "." VERSION_OF(                                        \
        SDL_IMAGE_MINOR_VERSION) "." VERSION_OF(SDL_IMAGE_PATCHLEVEL)
#endif

static SDL_Surface *load_surface(const char *path)
{
#ifdef FR_HAVE_IMAGE
    return IMG_Load(path);
#else
    return SDL_LoadBMP(path);
#endif
}

fr_status fr_image_load(const char *path, fr_image *out, fr_error *error)
{
    SDL_Surface *loaded = load_surface(path);
    if (loaded == NULL) {
        return fr_fail(error, FR_IO_FAILED, "%s: image not loaded: %s", path, SDL_GetError());
    }
    if (loaded->w < 1 || loaded->h < 1 || loaded->w > FR_IMAGE_SIDE_MAX || loaded->h > FR_IMAGE_SIDE_MAX) {
        fr_status status = fr_fail(error, FR_LIMIT, "%s: image of %d x %d pixels, expected at most %d a side",
                                   path, loaded->w, loaded->h, FR_IMAGE_SIDE_MAX);
        SDL_FreeSurface(loaded);
        return status;
    }
    SDL_Surface *surface = SDL_ConvertSurfaceFormat(loaded, SDL_PIXELFORMAT_ARGB8888, 0);
    SDL_FreeSurface(loaded);
    if (surface == NULL) {
        return fr_fail(error, FR_IO_FAILED, "%s: image not converted: %s", path, SDL_GetError());
    }
    fr_image image = {.width = surface->w, .height = surface->h};
    image.pixels = fr_alloc_raw((size_t)surface->w * (size_t)surface->h, sizeof *image.pixels);
    for (int y = 0; y < surface->h; y++) {
        memcpy(image.pixels + (size_t)y * (size_t)surface->w,
               (const char *)surface->pixels + (size_t)y * (size_t)surface->pitch,
               (size_t)surface->w * sizeof *image.pixels);
    }
    SDL_FreeSurface(surface);
    *out = image;
    return FR_OK;
}

void fr_image_fini(fr_image *image)
{
    fr_free(image->pixels);
    *image = (fr_image){0};
}

const char *fr_image_library(void)
{
#ifdef FR_HAVE_IMAGE
    return IMAGE_LIBRARY;
#else
    return NULL;
#endif
}
