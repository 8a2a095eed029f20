#include "app/script.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "view/image.h"

/* A day of virtual time. */
#define FRAME_MAX (24 * 3600 * 60)

static const char *const KEYS[] = {"at",       "type", "x",      "y",  "button", "clicks", "key",
                                   "scancode", "mods", "repeat", "dy", "file",   "text",   NULL};

static const struct {
    const char *name;
    fr_input_kind kind;
    const char *needs; /* a key that must be there, or null */
} TYPES[] = {
    {"motion", FR_INPUT_MOTION, "x"},      {"down", FR_INPUT_DOWN, "button"},
    {"up", FR_INPUT_UP, "button"},         {"wheel", FR_INPUT_WHEEL, "dy"},
    {"key_down", FR_INPUT_KEY_DOWN, NULL}, {"key_up", FR_INPUT_KEY_UP, NULL},
    {"text", FR_INPUT_TEXT, NULL},         {"drop", FR_INPUT_DROP, "file"},
    {"resize", FR_INPUT_RESIZE, "x"},      {"quit", FR_INPUT_QUIT, NULL},
    {"shot", FR_INPUT_SHOT, "file"},       {"dump", FR_INPUT_DUMP, "file"},
};
static const char *const BUTTONS[FR_BUTTON_COUNT] = {"left", "middle", "right"};
static const char *const MODS[] = {"shift", "ctrl", "alt"};

enum { TYPE_COUNT = sizeof TYPES / sizeof TYPES[0], MOD_COUNT = sizeof MODS / sizeof MODS[0] };

static fr_status read_type(const fr_json *json, const fr_json_value *line, fr_input_event *event,
                           fr_error *error)
{
    const char *name = NULL;
    fr_status status = fr_json_get_string(json, line, "type", &name, error);
    if (status != FR_OK) {
        return status;
    }
    for (int i = 0; i < TYPE_COUNT; i++) {
        if (strcmp(TYPES[i].name, name) == 0) {
            event->kind = TYPES[i].kind;
            if (TYPES[i].needs != NULL && fr_json_get(line, TYPES[i].needs) == NULL) {
                return fr_json_fail(json, line, error, "a '%s' event needs \"%s\"", name, TYPES[i].needs);
            }
            return FR_OK;
        }
    }
    return fr_json_fail(json, fr_json_get(line, "type"), error, "found '%s', expected a type of event", name);
}

static fr_status read_place(const fr_json *json, const fr_json_value *line, fr_input_event *event,
                            fr_error *error)
{
    if (fr_json_get(line, "x") == NULL && fr_json_get(line, "y") == NULL) {
        return FR_OK;
    }
    double x = 0, y = 0;
    fr_status status = fr_json_get_number(json, line, "x", -32768, 32767, &x, error);
    if (status == FR_OK) {
        status = fr_json_get_number(json, line, "y", -32768, 32767, &y, error);
    }
    if (status == FR_OK && event->kind == FR_INPUT_RESIZE && (x < 320 || y < 240 || x > 8192 || y > 8192)) {
        return fr_json_fail(json, line, error, "found a size of %gx%g, expected 320x240 to 8192x8192", x, y);
    }
    event->has_place = true;
    event->x = (float)x;
    event->y = (float)y;
    return status;
}

static fr_status read_button(const fr_json *json, const fr_json_value *line, fr_input_event *event,
                             fr_error *error)
{
    const char *name = NULL;
    int64_t clicks = 1;
    fr_status status = FR_OK;
    if (fr_json_get(line, "clicks") != NULL) {
        status = fr_json_get_int(json, line, "clicks", 1, 255, &clicks, error);
    }
    event->clicks = (int)clicks;
    if (status != FR_OK || fr_json_get(line, "button") == NULL) {
        return status;
    }
    status = fr_json_get_string(json, line, "button", &name, error);
    for (int i = 0; status == FR_OK && i < FR_BUTTON_COUNT; i++) {
        if (strcmp(BUTTONS[i], name) == 0) {
            event->button = (fr_button)i;
            return FR_OK;
        }
    }
    return status != FR_OK ? status
                           : fr_json_fail(json, fr_json_get(line, "button"), error,
                                          "found '%s', expected left, middle or right", name);
}

static fr_status read_key(const fr_json *json, const fr_json_value *line, fr_input_event *event,
                          fr_error *error)
{
    const char *key = NULL, *scancode = NULL;
    fr_status status = FR_OK;
    if (fr_json_get(line, "key") != NULL) {
        status = fr_json_get_string(json, line, "key", &key, error);
    }
    if (status == FR_OK && fr_json_get(line, "scancode") != NULL) {
        status = fr_json_get_string(json, line, "scancode", &scancode, error);
    }
    if (status != FR_OK || (event->kind != FR_INPUT_KEY_DOWN && event->kind != FR_INPUT_KEY_UP)) {
        return status;
    }
    event->key = key != NULL ? SDL_GetKeyFromName(key) : SDLK_UNKNOWN;
    event->scancode = scancode != NULL ? SDL_GetScancodeFromName(scancode) : SDL_SCANCODE_UNKNOWN;
    if ((key != NULL && event->key == SDLK_UNKNOWN) ||
        (scancode != NULL && event->scancode == SDL_SCANCODE_UNKNOWN) || (key == NULL && scancode == NULL)) {
        return fr_json_fail(json, line, error, "no key is named '%s'",
                            key != NULL        ? key
                            : scancode != NULL ? scancode
                                               : "");
    }
    /* One of the two follows from the other by its name: the machine's own keyboard has no say. */
    if (key == NULL) {
        event->key = SDL_GetKeyFromName(scancode);
    } else if (scancode == NULL) {
        event->scancode = SDL_GetScancodeFromName(key);
    }
    return FR_OK;
}

static fr_status read_mods(const fr_json *json, const fr_json_value *line, fr_input_event *event,
                           fr_error *error)
{
    const fr_json_value *mods = fr_json_get(line, "mods");
    if (mods != NULL && !fr_json_is_array(mods)) {
        return fr_json_fail(json, mods, error, "expected a list of shift, ctrl, alt");
    }
    for (const fr_json_value *mod = fr_json_first(mods); mod != NULL; mod = fr_json_next(mod)) {
        const char *name = fr_json_string_or(mod, "");
        int found = 0;
        while (found < MOD_COUNT && strcmp(MODS[found], name) != 0) {
            found++;
        }
        if (found == MOD_COUNT) {
            return fr_json_fail(json, mod, error, "found '%s', expected shift, ctrl or alt", name);
        }
        event->mods |= 1u << found;
    }
    return FR_OK;
}

static fr_status read_rest(const fr_json *json, const fr_json_value *line, fr_script_event *out,
                           fr_error *error)
{
    const char *text = NULL, *file = NULL;
    double turn = 0;
    fr_status status = FR_OK;
    if (fr_json_get(line, "dy") != NULL) {
        status = fr_json_get_number(json, line, "dy", -100, 100, &turn, error);
    }
    if (status == FR_OK && out->event.kind == FR_INPUT_TEXT) {
        status =
            fr_json_get_string(json, line, fr_json_get(line, "text") != NULL ? "text" : "key", &text, error);
    }
    if (status == FR_OK && fr_json_get(line, "file") != NULL) {
        status = fr_json_get_string(json, line, "file", &file, error);
    }
    if (status == FR_OK && out->event.kind == FR_INPUT_SHOT && file != NULL &&
        fr_image_refusal(file) != NULL) {
        status = fr_json_fail(json, fr_json_get(line, "file"), error, "found \"%.80s\": %s", file,
                              fr_image_refusal(file));
    }
    if (status != FR_OK) {
        return status;
    }
    const fr_json_value *repeat = fr_json_get(line, "repeat");
    if (repeat != NULL && !fr_json_is_bool(repeat)) {
        return fr_json_fail(json, repeat, error, "expected true or false");
    }
    out->event.repeat = fr_json_bool_or(repeat, false);
    out->event.wheel = (float)turn;
    if (text != NULL) {
        SDL_strlcpy(out->event.text, text, sizeof out->event.text);
    }
    out->file = fr_strdup(file);
    out->event.file = out->file;
    return FR_OK;
}

static fr_status read_line(const fr_json *json, fr_script_event *out, fr_error *error)
{
    const fr_json_value *line = fr_json_root(json);
    if (!fr_json_is_object(line)) {
        return fr_json_fail(json, line, error, "expected one object a line");
    }
    int64_t frame = 0;
    fr_status status = fr_json_check_keys(json, line, KEYS, error);
    if (status == FR_OK) {
        status = fr_json_get_int(json, line, "at", 0, FRAME_MAX, &frame, error);
    }
    out->frame = (uint64_t)frame;
    if (status == FR_OK) {
        status = read_type(json, line, &out->event, error);
    }
    if (status == FR_OK) {
        status = read_place(json, line, &out->event, error);
    }
    if (status == FR_OK) {
        status = read_button(json, line, &out->event, error);
    }
    if (status == FR_OK) {
        status = read_key(json, line, &out->event, error);
    }
    if (status == FR_OK) {
        status = read_mods(json, line, &out->event, error);
    }
    return status == FR_OK ? read_rest(json, line, out, error) : status;
}

/* Puts an event behind all of its frame and earlier ones: a script in order, the usual case, is only
 * appended. */
static void insert(fr_script *script, fr_script_event event)
{
    if (script->count == script->capacity) {
        script->capacity = script->capacity > 0 ? 2 * script->capacity : 64;
        script->events = fr_realloc(script->events, (size_t)script->capacity, sizeof *script->events);
    }
    int32_t at = script->count++;
    for (; at > 0 && script->events[at - 1].frame > event.frame; at--) {
        script->events[at] = script->events[at - 1];
    }
    script->events[at] = event;
}

fr_script *fr_script_load(const fr_io *io, const char *path, fr_error *error)
{
    fr_buffer bytes = {0};
    if (io->read(io->self, path, &bytes, error) != FR_OK) {
        return NULL;
    }
    fr_script *script = fr_alloc(1, sizeof *script);
    const char *at = (const char *)bytes.data, *end = at + bytes.size;
    fr_status status = FR_OK;
    for (int number = 1; at < end && status == FR_OK; number++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((newline != NULL ? newline : end) - at);
        size_t blank = 0;
        while (blank < length && (at[blank] == ' ' || at[blank] == '\t' || at[blank] == '\r')) {
            blank++;
        }
        if (blank < length) {
            fr_buffer name = {0};
            fr_buffer_printf(&name, "%s:%d", path, number);
            fr_buffer_append(&name, "", 1);
            fr_json *json = fr_json_parse((const char *)name.data, at, length, error);
            fr_script_event event = {0};
            status = json != NULL ? read_line(json, &event, error) : FR_BAD_INPUT;
            if (status == FR_OK) {
                insert(script, event);
            }
            fr_json_destroy(json);
            fr_buffer_fini(&name);
        }
        at = newline != NULL ? newline + 1 : end;
    }
    fr_buffer_fini(&bytes);
    if (status != FR_OK) {
        fr_script_destroy(script);
        return NULL;
    }
    return script;
}

void fr_script_destroy(fr_script *script)
{
    if (script == NULL) {
        return;
    }
    for (int32_t i = 0; i < script->count; i++) {
        fr_free(script->events[i].file);
    }
    fr_free(script->events);
    fr_free(script);
}

const fr_input_event *fr_script_next(fr_script *script, uint64_t frame)
{
    if (fr_script_ended(script) || script->events[script->next].frame > frame) {
        return NULL;
    }
    return &script->events[script->next++].event;
}

bool fr_script_ended(const fr_script *script)
{
    return script->next == script->count;
}
