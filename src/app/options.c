#include "app/options.h"

#include <getopt.h>
#include <string.h>

#include "app/hotkeys.h"
#include "app/option_values.h"
#include "app/parse.h"
#include "base/assert.h"
#include "base/limits.h"

typedef enum option_id {
    OPTION_SCENARIO = 256, /* beyond every character that getopt might return */
    OPTION_UNITS,
    OPTION_PACED,
    OPTION_SEED,
    OPTION_THREADS,
    OPTION_HEADLESS,
    OPTION_TICKS,
    OPTION_REPORT,
    OPTION_POSITIONS,
    OPTION_DUMP,
    OPTION_RECORD,
    OPTION_REPLAY,
    OPTION_SCREENSHOT,
    OPTION_CAMERA,
    OPTION_OVERLAY,
    OPTION_SCRIPT,
    OPTION_CHECK,
    OPTION_MOVER,
    OPTION_WITHOUT,
    OPTION_SHIFT,
    OPTION_SIZE,
    OPTION_FULLSCREEN,
    OPTION_VSYNC,
    OPTION_FPS,
    OPTION_UI_SCALE,
    OPTION_FONT,
    OPTION_DATA,
    OPTION_HELP,
    OPTION_VERSION,
} option_id;

typedef struct option_row {
    option_id id;
    const char *name, *value, *help; /* value null: a switch */
} option_row;

static const option_row ROWS[] = {
    {OPTION_SCENARIO, "scenario", "FILE", "map, units and timed orders from FILE (not together with MAP)"},
    {OPTION_UNITS, "units", "N", "units spawned where the map names none (default 2000)"},
    {OPTION_SEED, "seed", "N", "for placement and the simulation (default 1)"},
    {OPTION_SHIFT, "shift", "DX,DY", "move every group's start by that many cells"},
    {OPTION_THREADS, "threads", "N",
     "worker threads; 0 = everything inline (default: cores - 1, at least 1)"},
    {OPTION_TICKS, "ticks", "N", "stop after N simulation ticks of 1/30 s"},
    {OPTION_HEADLESS, "headless", NULL, "no window, at full speed; needs --ticks, a scenario or a replay"},
    {OPTION_PACED, "paced", NULL, "headless ticks at 1/30 s of real time"},
    {OPTION_REPORT, "report", "FILE", "scorecard as JSON at the end (- = stdout)"},
    {OPTION_POSITIONS, "positions", "FILE", "every unit at every tick as CSV"},
    {OPTION_DUMP, "dump", "FILE", "state at the end as JSON"},
    {OPTION_RECORD, "record", "FILE", "all commands, and the state hash of every tick"},
    {OPTION_REPLAY, "replay", "FILE", "run a recording again; exit 1 if it differs"},
    {OPTION_SCREENSHOT, "screenshot", "FILE", "picture at the end, .bmp or .png"},
    {OPTION_CAMERA, "camera", "X,Y,ZOOM", "centre in cells and pixels per cell at start"},
    {OPTION_OVERLAY, "overlay", "LIST", "overlays on at start, comma separated; names at F1, F2, ... below"},
    {OPTION_SCRIPT, "script", "FILE", "input events instead of a hand; time is virtual"},
    {OPTION_CHECK, "check", NULL, "load MAP, print a summary as JSON, exit"},
    {OPTION_MOVER, "mover", "NAME", "how units move: freshet (default) or naive, as in tutorials"},
    {OPTION_WITHOUT, "without", "LIST", "mechanisms of the mover switched off, comma separated; names below"},
    {OPTION_SIZE, "size", "WxH", "of the window (default 1280x720)"},
    {OPTION_FULLSCREEN, "fullscreen", NULL, "start in fullscreen"},
    {OPTION_VSYNC, "vsync", "on|off", "wait for the display (default on)"},
    {OPTION_FPS, "fps", "N", "frames per second at most (default: the display's, or 60)"},
    {OPTION_UI_SCALE, "ui-scale", "S", "size of text and panels, 0.5 to 4 (default: the display's)"},
    {OPTION_FONT, "font", "FILE", "font for all text"},
    {OPTION_DATA, "data", "DIR", "folder with maps/ and fonts/ (also $FRESHET_DATA)"},
    {OPTION_HELP, "help", NULL, "print this text and exit"},
    {OPTION_VERSION, "version", NULL, "print the version and exit"},
};
enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

/* What holds when nothing is given. */
static fr_options default_options(void)
{
    return (fr_options){.units = FR_UNITS_DEFAULT,
                        .seed = 1,
                        .width_px = FR_WINDOW_WIDTH,
                        .height_px = FR_WINDOW_HEIGHT,
                        .vsync = true};
}

static fr_status parse_number_option(const option_row *row, const char *text, fr_options *out,
                                     fr_error *error)
{
    uint64_t n = 0;
    double scale = 0;
    fr_status status = FR_OK;
    switch (row->id) {
    case OPTION_UNITS:
        status = fr_option_count(row->name, text, 0, FR_UNITS_MAX, "a whole number up to 131072", &n, error);
        out->units = (int32_t)n;
        out->has_units = true;
        return status;
    case OPTION_SEED:
        status = fr_option_count(row->name, text, 0, UINT64_MAX, "a whole number below 2^64", &n, error);
        out->seed = n;
        out->has_seed = true;
        return status;
    case OPTION_THREADS:
        status = fr_option_count(row->name, text, 0, FR_WORKERS_MAX, "a whole number up to 32", &n, error);
        out->threads = (int32_t)n;
        out->has_threads = true;
        return status;
    case OPTION_TICKS:
        status = fr_option_count(row->name, text, 0, INT32_MAX, "a whole number below 2^31", &n, error);
        out->ticks = (uint32_t)n;
        out->has_ticks = true;
        return status;
    case OPTION_FPS:
        status = fr_option_count(row->name, text, 1, 1000, "a whole number from 1 to 1000", &n, error);
        out->fps = (int)n;
        return status;
    default:
        if (!fr_parse_word_numbers(text, ',', &scale, 1) || scale < 0.5 || scale > 4.0) {
            return fr_option_refuse(error, row->name, text, "a number from 0.5 to 4");
        }
        out->ui_scale = (float)scale;
        return FR_OK;
    }
}

/* Where an option that is a file or folder name is kept; null for the others. */
static const char **path_of(option_id id, fr_options *out)
{
    switch (id) {
    case OPTION_SCENARIO:
        return &out->scenario_path;
    case OPTION_REPORT:
        return &out->report_path;
    case OPTION_POSITIONS:
        return &out->positions_path;
    case OPTION_DUMP:
        return &out->dump_path;
    case OPTION_RECORD:
        return &out->record_path;
    case OPTION_REPLAY:
        return &out->replay_path;
    case OPTION_SCRIPT:
        return &out->script_path;
    case OPTION_FONT:
        return &out->font_path;
    case OPTION_DATA:
        return &out->data_dir;
    default:
        return NULL;
    }
}

static fr_status take_option(const option_row *row, const char *text, fr_options *out, fr_error *error)
{
    const char **path = path_of(row->id, out);
    if (path != NULL) {
        if (*text == '\0') {
            return fr_option_refuse(error, row->name, text, "a name");
        }
        *path = text;
        return FR_OK;
    }
    switch (row->id) {
    case OPTION_HELP:
        out->help = true;
        return FR_OK;
    case OPTION_VERSION:
        out->version = true;
        return FR_OK;
    case OPTION_CHECK:
        out->check = true;
        return FR_OK;
    case OPTION_HEADLESS:
        out->headless = true;
        return FR_OK;
    case OPTION_PACED:
        out->paced = true;
        return FR_OK;
    case OPTION_FULLSCREEN:
        out->fullscreen = true;
        return FR_OK;
    case OPTION_VSYNC:
        if (strcmp(text, "on") != 0 && strcmp(text, "off") != 0) {
            return fr_option_refuse(error, row->name, text, "on or off");
        }
        out->vsync = strcmp(text, "on") == 0;
        return FR_OK;
    case OPTION_CAMERA:
        return fr_option_camera(row->name, text, out, error);
    case OPTION_SHIFT:
        return fr_option_shift(row->name, text, out, error);
    case OPTION_SIZE:
        return fr_option_size(row->name, text, out, error);
    case OPTION_OVERLAY:
        return fr_option_overlays(row->name, text, out, error);
    case OPTION_SCREENSHOT:
        return fr_option_screenshot(row->name, text, out, error);
    case OPTION_MOVER:
        return fr_option_mover(row->name, text, out, error);
    case OPTION_WITHOUT:
        return fr_option_without(row->name, text, out, error);
    default:
        return parse_number_option(row, text, out, error);
    }
}

/* No two files of a run may be the same: the last to be finished would replace the others. */
static fr_status check_outputs(const fr_options *options, fr_error *error)
{
    const struct {
        const char *name, *path;
    } outputs[] = {
        {"report", options->report_path},
        {"positions", options->positions_path},
        {"dump", options->dump_path},
        {"record", options->record_path},
        {"screenshot", options->screenshot_path},
    };
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
        for (size_t k = 0; k < i; k++) {
            if (outputs[i].path != NULL && outputs[k].path != NULL &&
                strcmp(outputs[i].path, outputs[k].path) == 0) {
                return fr_fail(error, FR_BAD_INPUT, "--%s and --%s: found '%s' for both. " FR_USAGE_HINT,
                               outputs[k].name, outputs[i].name, outputs[i].path);
            }
        }
    }
    return FR_OK;
}

/* Options that each make sense but not together. */
static fr_status check_together(const fr_options *options, fr_error *error)
{
    if (options->scenario_path != NULL && options->map_path != NULL) {
        return fr_fail(error, FR_BAD_INPUT,
                       "--scenario names the map itself: found MAP '%s' too. " FR_USAGE_HINT,
                       options->map_path);
    }
    if (options->replay_path != NULL) {
        const char *also = options->map_path != NULL        ? "MAP"
                           : options->scenario_path != NULL ? "--scenario"
                           : options->has_units             ? "--units"
                           : options->has_seed              ? "--seed"
                           : options->has_shift             ? "--shift"
                           : options->has_movement          ? "--mover or --without"
                                                            : NULL;
        if (also != NULL) {
            return fr_fail(
                error, FR_BAD_INPUT,
                "--replay takes map, units and orders from the recording: found %s too. " FR_USAGE_HINT,
                also);
        }
    }
    if (options->headless && !options->check && !options->has_ticks && options->scenario_path == NULL &&
        options->replay_path == NULL) {
        return fr_fail(error, FR_BAD_INPUT, "--headless needs a number of ticks: --ticks N. " FR_USAGE_HINT);
    }
    return check_outputs(options, error);
}

static const option_row *row_of(int id)
{
    for (int i = 0; i < ROW_COUNT; i++) {
        if ((int)ROWS[i].id == id) {
            return &ROWS[i];
        }
    }
    return NULL;
}

fr_status fr_options_parse(int argc, char **argv, fr_options *out, fr_error *error)
{
    struct option table[ROW_COUNT + 1];
    for (int i = 0; i < ROW_COUNT; i++) {
        table[i] = (struct option){.name = ROWS[i].name,
                                   .has_arg = ROWS[i].value != NULL ? required_argument : no_argument,
                                   .val = (int)ROWS[i].id};
    }
    table[ROW_COUNT] = (struct option){.name = NULL};
    *out = default_options();
    opterr = 0;
    optind = 0; /* begin anew, whatever was parsed before */
    for (;;) {
        optopt = 0;
        int id = getopt_long(argc, argv, ":", table, NULL);
        if (id == -1) {
            break;
        }
        const option_row *row = row_of(id == ':' || id == '?' ? optopt : id);
        if (id == ':' && row != NULL) {
            return fr_fail(error, FR_BAD_INPUT, "--%s needs %s. " FR_USAGE_HINT, row->name, row->value);
        }
        if (id == '?' && row != NULL) {
            return fr_fail(error, FR_BAD_INPUT, "--%s takes no value. " FR_USAGE_HINT, row->name);
        }
        if (row == NULL && optopt != 0) {
            return fr_fail(error, FR_BAD_INPUT, "unknown option '-%c'. " FR_USAGE_HINT, optopt);
        }
        if (row == NULL) {
            return fr_fail(error, FR_BAD_INPUT, "unknown or ambiguous option '%s'. " FR_USAGE_HINT,
                           argv[optind - 1]);
        }
        fr_status status = take_option(row, optarg, out, error);
        if (status != FR_OK || out->help || out->version) {
            return status;
        }
    }
    for (int i = optind; i < argc; i++) {
        if (out->map_path != NULL || argv[i][0] == '\0') {
            return fr_fail(error, FR_BAD_INPUT,
                           "found a second operand '%s', expected one MAP. " FR_USAGE_HINT, argv[i]);
        }
        out->map_path = argv[i];
    }
    return check_together(out, error);
}

void fr_options_help(fr_buffer *out)
{
    fr_buffer_printf(
        out, "Usage: freshet [OPTIONS] [MAP]\n"
             "Thousands of units flow across a tile map on shared flow fields.\n\n"
             "MAP is a Tiled JSON map (.tmj, .json) or a MovingAI map (.map); none = the default map.\n\n"
             "Options:\n");
    for (int i = 0; i < ROW_COUNT; i++) {
        fr_buffer left = {0};
        fr_buffer_printf(&left, "--%s%s%s", ROWS[i].name, ROWS[i].value != NULL ? " " : "",
                         ROWS[i].value != NULL ? ROWS[i].value : "");
        fr_buffer_printf(out, "  %-*.*s %s\n", 21, (int)left.size, (const char *)left.data, ROWS[i].help);
        fr_buffer_fini(&left);
    }
    fr_buffer_printf(out, "\nMechanisms (--without):\n");
    for (int i = 0; i < FR_MECHANISM_COUNT; i++) {
        fr_buffer_printf(out, "  %-*s %s\n", 21, FR_MECHANISMS[i].name, FR_MECHANISMS[i].help);
    }
    fr_help_line keys[64];
    int key_count = fr_hotkey_help(keys, 64);
    FR_ASSERT(key_count <= 64);
    fr_buffer_printf(out, "\nKeys and mouse:\n");
    for (int i = 0; i < key_count; i++) {
        fr_buffer_printf(out, "  %-*s %s\n", 21, keys[i].key, keys[i].text);
    }
    fr_buffer_printf(
        out, "\nExit status: 0 done, 1 a check failed or there is no display, 2 wrong use or bad input.\n");
}
