#include "app/paths.h"

#include <SDL.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/memory.h"

#ifndef FR_DATADIR
#define FR_DATADIR "/usr/local/share/freshet"
#endif

enum { ROOTS_MAX = 8, SCREENSHOTS_MAX = 9999 };

/* Folders to look in, in order; owned strings. */
typedef struct root_list {
    char *dir[ROOTS_MAX];
    int count;
} root_list;

static char *join(const char *a, const char *b, const char *c)
{
    fr_buffer text = {0};
    fr_buffer_printf(&text, "%s%s%s", a, b, c);
    fr_buffer_append(&text, "", 1);
    return (char *)text.data;
}

static bool exists(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0;
}

static root_list find_roots(const char *data_option)
{
    root_list roots = {.count = 0};
    if (data_option != NULL) {
        roots.dir[roots.count++] = fr_strdup(data_option);
        return roots;
    }
    const char *from_environment = getenv("FRESHET_DATA");
    if (from_environment != NULL && from_environment[0] != '\0') {
        roots.dir[roots.count++] = fr_strdup(from_environment);
    }
    char *base = SDL_GetBasePath(); /* ends in a slash */
    if (base != NULL) {
        static const char *const BESIDE[] = {".", "..", "../..", "../share/freshet"};
        for (size_t i = 0; i < sizeof BESIDE / sizeof BESIDE[0]; i++) {
            roots.dir[roots.count++] = join(base, BESIDE[i], "");
        }
        SDL_free(base);
    }
    roots.dir[roots.count++] = fr_strdup(FR_DATADIR);
    return roots;
}

static void free_roots(root_list *roots)
{
    for (int i = 0; i < roots->count; i++) {
        fr_free(roots->dir[i]);
    }
}

char *fr_data_file(const char *data_option, const char *name, fr_error *error)
{
    root_list roots = find_roots(data_option);
    fr_buffer tried = {0};
    char *found = NULL;
    for (int i = 0; i < roots.count && found == NULL; i++) {
        char *path = join(roots.dir[i], "/", name);
        if (exists(path)) {
            found = path;
        } else {
            fr_buffer_printf(&tried, "%s%s", i > 0 ? ", " : "", roots.dir[i]);
            fr_free(path);
        }
    }
    if (found == NULL) {
        fr_fail(error, FR_BAD_INPUT, "%s: not found in %.*s; --data names the folder", name, (int)tried.size,
                (const char *)tried.data);
    }
    fr_buffer_fini(&tried);
    free_roots(&roots);
    return found;
}

char *fr_data_font_dir(const char *data_option)
{
    static const char *const INSIDE[] = {"", "/assets"};
    root_list roots = find_roots(data_option);
    char *found = NULL;
    for (int i = 0; i < roots.count; i++) {
        for (size_t j = 0; j < sizeof INSIDE / sizeof INSIDE[0] && found == NULL; j++) {
            char *fonts = join(roots.dir[i], INSIDE[j], "/fonts");
            if (exists(fonts)) {
                found = join(roots.dir[i], INSIDE[j], "");
            }
            fr_free(fonts);
        }
    }
    free_roots(&roots);
    return found;
}

char *fr_screenshot_path(const char *extension, fr_error *error)
{
    char *folder = SDL_GetPrefPath(NULL, "freshet");
    if (folder == NULL) {
        fr_fail(error, FR_IO_FAILED, "no folder for screenshots: %s", SDL_GetError());
        return NULL;
    }
    char *path = NULL;
    for (int number = 1; number <= SCREENSHOTS_MAX && path == NULL; number++) {
        char name[32];
        SDL_snprintf(name, sizeof name, "freshet-%04d.", number);
        path = join(folder, name, extension);
        if (exists(path)) {
            fr_free(path);
            path = NULL;
        }
    }
    if (path == NULL) {
        fr_fail(error, FR_IO_FAILED, "%s: holds %d screenshots already", folder, SCREENSHOTS_MAX);
    }
    SDL_free(folder);
    return path;
}
