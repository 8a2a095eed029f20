#include "mapio/mapio.h"

#include <stdio.h>
#include <string.h>

#include "mapio/codec.h"
#include "mapio/movingai.h"
#include "mapio/tiled.h"
#include "mapio/tileset.h"

/* A cut or strange benchmark map is better told so by its own reader than that it is no JSON. */
static bool is_movingai(const char *path, const char *text, size_t size)
{
    size_t length = strlen(path);
    bool is_named_so = length >= 4 && strcmp(path + length - 4, ".map") == 0;
    return (size >= 5 && memcmp(text, "type ", 5) == 0) || (is_named_so && (size == 0 || text[0] != '{'));
}

fr_map *fr_map_load_bytes(const fr_io *io, const char *path, const void *bytes, size_t size, fr_error *error)
{
    const char *text = bytes;
    if (is_movingai(path, text, size)) {
        return fr_movingai_load(path, bytes, size, error);
    }
    if (size > 0 && text[0] == '<') {
        fr_fail(error, FR_BAD_INPUT, "%s: 1:1: XML, expected JSON: save the map as .tmj in the Tiled editor",
                path);
        return NULL;
    }
    return fr_tiled_load(io, path, bytes, size, error);
}

fr_map *fr_map_load(const fr_io *io, const char *path, fr_error *error)
{
    fr_buffer text = {0};
    fr_map *map = NULL;
    if (io->read(io->self, path, &text, error) == FR_OK) {
        map = fr_map_load_bytes(io, path, text.data, text.size, error);
    }
    fr_buffer_fini(&text);
    return map;
}

const char *fr_mapio_libraries(void)
{
    /* Every thread writes its own copy, and always the same. */
    static _Thread_local char text[96];
    const struct {
        const char *name, *version;
    } libraries[] = {
        {"zlib", fr_zlib_version()},
        {"zstd", fr_zstd_version()},
        {"expat", fr_expat_version()},
    };
    size_t used = 0;
    snprintf(text, sizeof text, "none");
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        if (libraries[i].version != NULL && used < sizeof text) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %.16s", used > 0 ? ", " : "",
                                     libraries[i].name, libraries[i].version);
        }
    }
    return text;
}
