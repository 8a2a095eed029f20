#include "app/paths.h"

#include <SDL.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "files/data_dir.h"

enum { SCREENSHOTS_MAX = 9999 };

static char *find(const char *data_option, const char *name, fr_error *error)
{
    char *program = SDL_GetBasePath();
    char *found = fr_data_find(&(fr_data_places){.option = data_option, .program = program}, name, error);
    SDL_free(program);
    return found;
}

char *fr_data_file(const char *data_option, const char *name, fr_error *error)
{
    fr_error problem = {{0}};
    char *found = find(data_option, name, &problem);
    if (found == NULL) {
        fr_fail(error, FR_BAD_INPUT, "%s; --data names the folder", problem.message);
    }
    return found;
}

char *fr_data_font_dir(const char *data_option)
{
    static const char fonts[] = "/fonts";
    char *found = find(data_option, "assets/fonts", NULL);
    if (found == NULL) {
        found = find(data_option, "fonts", NULL);
    }
    if (found != NULL) {
        found[strlen(found) - (sizeof fonts - 1)] = '\0';
    }
    return found;
}

static char *name_in(const char *folder, const char *name, const char *extension)
{
    fr_buffer text = {0};
    fr_buffer_printf(&text, "%s%s%s", folder, name, extension);
    fr_buffer_append(&text, "", 1);
    return (char *)text.data;
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
        path = name_in(folder, name, extension);
        struct stat info;
        if (stat(path, &info) == 0) {
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
