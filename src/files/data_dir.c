#include "files/data_dir.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/memory.h"

#ifndef FR_DATADIR
#define FR_DATADIR "/usr/local/share/freshet"
#endif

static char *join(const char *a, const char *b, const char *c)
{
    fr_buffer text = {0};
    fr_buffer_printf(&text, "%s%s%s", a, b, c);
    fr_buffer_append(&text, "", 1);
    return (char *)text.data;
}

/* Null, with the place added to those tried, if it is not there. */
static char *look(const char *folder, const char *beside, const char *name, fr_buffer *tried)
{
    struct stat info;
    char *root = join(folder, beside, "");
    char *path = join(root, "/", name);
    if (stat(path, &info) != 0) {
        fr_buffer_printf(tried, "%s%s", tried->size > 0 ? ", " : "", root);
        fr_free(path);
        path = NULL;
    }
    fr_free(root);
    return path;
}

static char *look_everywhere(const fr_data_places *places, const char *name, fr_buffer *tried)
{
    static const char *const BESIDE[] = {".", "..", "../..", "../share/freshet"};
    if (places->option != NULL) {
        return look(places->option, "", name, tried);
    }
    char *found = places->current != NULL ? look(places->current, "", name, tried) : NULL;
    const char *from_environment = getenv("FRESHET_DATA");
    if (found == NULL && from_environment != NULL && from_environment[0] != '\0') {
        found = look(from_environment, "", name, tried);
    }
    for (size_t i = 0; i < sizeof BESIDE / sizeof BESIDE[0] && found == NULL && places->program != NULL;
         i++) {
        found = look(places->program, BESIDE[i], name, tried);
    }
    return found != NULL ? found : look(FR_DATADIR, "", name, tried);
}

char *fr_data_find(const fr_data_places *places, const char *name, fr_error *error)
{
    fr_buffer tried = {0};
    char *found = look_everywhere(places, name, &tried);
    if (found == NULL) {
        fr_fail(error, FR_BAD_INPUT, "%s: not found in %.*s", name, (int)tried.size,
                (const char *)tried.data);
    }
    fr_buffer_fini(&tried);
    return found;
}
