/* script: input events from a file, for end-to-end tests without a hand: one JSON object a line. */
#ifndef FR_APP_SCRIPT_H
#define FR_APP_SCRIPT_H

#include "app/event.h"
#include "base/io.h"

typedef struct fr_script_event {
    uint64_t frame;
    fr_input_event event;
    char *file; /* owned; event.file points to it */
} fr_script_event;

typedef struct fr_script {
    fr_script_event *events; /* by frame, those of one frame in file order */
    int32_t count, capacity;
    int32_t next; /* the first that has not been played */
} fr_script;

/* Strict: unknown keys, types, buttons and key names are refused with file, line and path. Null on failure.
 */
fr_script *fr_script_load(const fr_io *io, const char *path, fr_error *error);
void fr_script_destroy(fr_script *script);

/* The next event of this frame, or null if there is none left. */
const fr_input_event *fr_script_next(fr_script *script, uint64_t frame);
bool fr_script_ended(const fr_script *script);

#endif
