/* options: the command line as plain values. One table of options serves parsing and --help. It opens no file
 * and decides nothing that needs one: what a scenario says otherwise is settled when it is loaded. */
#ifndef FR_APP_OPTIONS_H
#define FR_APP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/status.h"
#include "base/vec2.h"
#include "crowd/mechanisms.h"
#include "view/camera.h"

#define FR_UNITS_DEFAULT 2000
#define FR_WINDOW_WIDTH  1280
#define FR_WINDOW_HEIGHT 720

/* Ends every message about a wrong use of the command line. */
#define FR_USAGE_HINT "Try 'freshet --help'"

/* Strings are borrowed from argv; null = not given. */
typedef struct fr_options {
    bool help, version, check;
    const char *map_path, *scenario_path, *replay_path;
    bool has_units, has_seed, has_threads, has_ticks, has_camera, has_shift, has_size, has_movement;
    int32_t units;
    uint64_t seed;
    int32_t threads; /* 0 = inline */
    uint32_t ticks;
    fr_camera camera;
    fr_vec2 shift;
    fr_mover mover;
    uint32_t without; /* FR_MECHANISM bits */
    int width_px, height_px;
    bool headless, paced, fullscreen, vsync;
    int fps;           /* 0 = the program's choice */
    float ui_scale;    /* 0 = follow the display */
    unsigned overlays; /* fr_overlay bits */
    const char *report_path, *positions_path, *dump_path, *record_path, *screenshot_path, *script_path;
    const char *font_path, *data_dir;
} fr_options;

/* Parses a command line; argv may be reordered (operands last). FR_BAD_INPUT with one line that ends in
 * FR_USAGE_HINT; `out` is then not to be used. */
fr_status fr_options_parse(int argc, char **argv, fr_options *out, fr_error *error);

/* Text of --help: options and keys. */
void fr_options_help(fr_buffer *out);

#endif
