#include "mapio/paths.h"

#include <stdbool.h>
#include <string.h>

#include "base/memory.h"

static bool is_absolute(const char *path)
{
    bool has_drive =
        ((path[0] >= 'A' && path[0] <= 'Z') || (path[0] >= 'a' && path[0] <= 'z')) && path[1] == ':';
    return path[0] == '/' || has_drive;
}

/* Length of the folder part of a path, with its last slash. */
static size_t folder_length(const char *path)
{
    size_t length = strlen(path);
    while (length > 0 && path[length - 1] != '/' && path[length - 1] != '\\') {
        length--;
    }
    return length;
}

char *fr_path_beside(const char *from, const char *relative)
{
    char *turned = fr_strdup(relative);
    for (char *c = turned; *c != '\0'; c++) {
        *c = *c == '\\' ? '/' : *c;
    }
    if (is_absolute(turned)) {
        return turned;
    }
    size_t folder = folder_length(from), size = folder + strlen(turned) + 1;
    char *path = fr_alloc_raw(size, 1);
    memcpy(path, from, folder);
    memcpy(path + folder, turned, size - folder);
    fr_free(turned);
    return path;
}
