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

/* Closes the file. The extension decides between formats that look alike. */
static SDL_Surface *load_surface(SDL_RWops *file, const char *path)
{
#ifdef FR_HAVE_IMAGE
    const char *dot = strrchr(path, '.');
    return IMG_LoadTyped_RW(file, 1, dot != NULL ? dot + 1 : NULL);
#else
    (void)path;
    return SDL_LoadBMP_RW(file, 1);
#endif
}

fr_status fr_image_load(const char *path, fr_image *out, fr_error *error)
{
    SDL_RWops *file = SDL_RWFromFile(path, "rb");
    if (file == NULL) {
        return fr_fail(error, FR_IO_FAILED, "%s: image not loaded: %s", path, SDL_GetError());
    }
    SDL_Surface *loaded = load_surface(file, path);
    if (loaded == NULL) {
        return fr_fail(error, FR_BAD_INPUT, "%s: image not loaded: %s", path, SDL_GetError());
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

/* SDL has no stream that writes to growing memory: this one fills an fr_buffer. The writers seek back to fill
 * in sizes, so the place of writing is kept beside it. */
typedef struct memory_stream {
    fr_buffer *out;
    size_t start, at;
} memory_stream;

static Sint64 stream_size(SDL_RWops *ops)
{
    const memory_stream *stream = ops->hidden.unknown.data1;
    return (Sint64)(stream->out->size - stream->start);
}

static Sint64 stream_seek(SDL_RWops *ops, Sint64 offset, int whence)
{
    memory_stream *stream = ops->hidden.unknown.data1;
    Sint64 from = whence == RW_SEEK_SET ? 0 : whence == RW_SEEK_CUR ? (Sint64)stream->at : stream_size(ops);
    if (from + offset < 0 || from + offset > stream_size(ops)) {
        return SDL_SetError("seek outside of the picture");
    }
    stream->at = (size_t)(from + offset);
    return (Sint64)stream->at;
}

static size_t stream_read(SDL_RWops *ops, void *bytes, size_t size, size_t count)
{
    (void)ops;
    (void)bytes;
    (void)size;
    (void)count;
    return 0;
}

static size_t stream_write(SDL_RWops *ops, const void *bytes, size_t size, size_t count)
{
    memory_stream *stream = ops->hidden.unknown.data1;
    fr_buffer *out = stream->out;
    size_t total = size * count, at = stream->start + stream->at;
    size_t over = out->size - at < total ? out->size - at : total;
    if (over > 0) {
        memcpy(out->data + at, bytes, over);
    }
    if (total > over) {
        fr_buffer_append(out, (const uint8_t *)bytes + over, total - over);
    }
    stream->at += total;
    return count;
}

static int stream_close(SDL_RWops *ops)
{
    SDL_FreeRW(ops);
    return 0;
}

const char *fr_image_extension(void)
{
#ifdef FR_HAVE_IMAGE
    return "png";
#else
    return "bmp";
#endif
}

const char *fr_image_refusal(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (fr_image_is_png(path)) {
        return fr_image_library() != NULL ? NULL
                                          : "PNG needs SDL2_image, which this build is without; .bmp works";
    }
    return dot != NULL && SDL_strcasecmp(dot, ".bmp") == 0 ? NULL : "expected a name ending in .bmp or .png";
}

bool fr_image_is_png(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && SDL_strcasecmp(dot, ".png") == 0;
}

fr_status fr_image_encode(SDL_Surface *surface, bool png, fr_buffer *out, fr_error *error)
{
    memory_stream stream = {.out = out, .start = out->size};
    SDL_RWops *ops = SDL_AllocRW();
    if (ops == NULL) {
        return fr_fail(error, FR_NO_MEMORY, "picture: %s", SDL_GetError());
    }
    ops->type = SDL_RWOPS_UNKNOWN;
    ops->size = stream_size;
    ops->seek = stream_seek;
    ops->read = stream_read;
    ops->write = stream_write;
    ops->close = stream_close;
    ops->hidden.unknown.data1 = &stream;
    int result = -1;
    if (!png) {
        result = SDL_SaveBMP_RW(surface, ops, 0);
    } else {
#ifdef FR_HAVE_IMAGE
        result = IMG_SavePNG_RW(surface, ops, 0);
#else
        SDL_SetError("PNG needs SDL2_image, which this build is without");
#endif
    }
    SDL_RWclose(ops);
    return result == 0 ? FR_OK : fr_fail(error, FR_LIMIT, "picture: %s", SDL_GetError());
}

const char *fr_image_library(void)
{
#ifdef FR_HAVE_IMAGE
    return IMAGE_LIBRARY;
#else
    return NULL;
#endif
}
