/* test_app_script: event files in, plain events or one line of complaint out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "app/script.h"

/* A file that is only a string. */
static fr_status read_text(void *self, const char *path, fr_buffer *out, fr_error *error)
{
    (void)path;
    (void)error;
    fr_buffer_append(out, self, strlen(self));
    return FR_OK;
}

static fr_script *load(const char *text, fr_error *error)
{
    fr_io io = {.self = (void *)(uintptr_t)text, .read = read_text};
    *error = (fr_error){{0}};
    return fr_script_load(&io, "s.jsonl", error);
}

static void test_events_in_order(void **state)
{
    (void)state;
    fr_error error;
    fr_script *script = load("{\"at\": 5, \"type\": \"down\", \"button\": \"right\", \"x\": 10, \"y\": 20.5, "
                             "\"clicks\": 2, \"mods\": [\"shift\", \"alt\"]}\r\n"
                             "\n"
                             "{\"at\": 2, \"type\": \"key_down\", \"key\": \"F2\"}\n"
                             "{\"at\": 5, \"type\": \"key_up\", \"scancode\": \"1\", \"repeat\": true}\n"
                             "{\"at\": 5, \"type\": \"wheel\", \"dy\": -2}\n"
                             "{\"at\": 9, \"type\": \"text\", \"text\": \"?\"}\n"
                             "{\"at\": 9, \"type\": \"shot\", \"file\": \"a.bmp\"}",
                             &error);
    if (script == NULL) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(script->count, 6);
    assert_null(fr_script_next(script, 1));
    const fr_input_event *event = fr_script_next(script, 2);
    assert_true(event->kind == FR_INPUT_KEY_DOWN && event->key == SDLK_F2 &&
                event->scancode == SDL_SCANCODE_F2);
    assert_null(fr_script_next(script, 4));
    event = fr_script_next(script, 5);
    assert_true(event->kind == FR_INPUT_DOWN && event->button == FR_BUTTON_RIGHT && event->has_place);
    assert_true(event->x == 10.0f && event->y == 20.5f && event->clicks == 2);
    assert_int_equal(event->mods, FR_MOD_SHIFT | FR_MOD_ALT);
    event = fr_script_next(script, 5);
    assert_true(event->kind == FR_INPUT_KEY_UP && event->key == SDLK_1 && event->repeat);
    event = fr_script_next(script, 5);
    assert_true(event->kind == FR_INPUT_WHEEL && event->wheel == -2.0f && !event->has_place);
    assert_null(fr_script_next(script, 5));
    assert_false(fr_script_ended(script));
    assert_string_equal(fr_script_next(script, 100)->text, "?"); /* late is not lost */
    assert_string_equal(fr_script_next(script, 100)->file, "a.bmp");
    assert_true(fr_script_ended(script));
    fr_script_destroy(script);

    script = load("", &error);
    assert_non_null(script);
    assert_true(fr_script_ended(script));
    fr_script_destroy(script);
}

static void test_complaints(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"{\"at\": 1, \"type\": \"jump\"}", "'jump'"},
        {"{\"at\": 1, \"type\": \"quit\"}\n{\"at\": 1, \"kind\": \"quit\"}", "s.jsonl:2"},
        {"{\"type\": \"quit\"}", "at"},
        {"{\"at\": -1, \"type\": \"quit\"}", "at"},
        {"{\"at\": 1.5, \"type\": \"quit\"}", "at"},
        {"[1]", "object"},
        {"{\"at\": 1, \"type\": \"quit\"", "s.jsonl:1"},
        {"{\"at\": 1, \"type\": \"down\"}", "button"},
        {"{\"at\": 1, \"type\": \"down\", \"button\": \"side\"}", "'side'"},
        {"{\"at\": 1, \"type\": \"motion\", \"x\": 3}", "y"},
        {"{\"at\": 1, \"type\": \"motion\"}", "\"x\""},
        {"{\"at\": 1, \"type\": \"key_down\", \"key\": \"Any\"}", "'Any'"},
        {"{\"at\": 1, \"type\": \"key_down\"}", "no key"},
        {"{\"at\": 1, \"type\": \"key_down\", \"key\": \"A\", \"mods\": [\"meta\"]}", "'meta'"},
        {"{\"at\": 1, \"type\": \"key_down\", \"key\": \"A\", \"mods\": \"ctrl\"}", "mods"},
        {"{\"at\": 1, \"type\": \"key_down\", \"key\": \"A\", \"repeat\": 1}", "repeat"},
        {"{\"at\": 1, \"type\": \"shot\"}", "file"},
        {"{\"at\": 1, \"type\": \"shot\", \"file\": \"a.txt\"}",
         "$.file: found \"a.txt\": expected a name ending in .bmp or .png"},
        {"{\"at\": 1, \"type\": \"resize\", \"x\": 10, \"y\": 10}", "320x240"},
        {"{\"at\": 1, \"type\": \"wheel\", \"dy\": 1000}", "dy"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_error error;
        fr_script *script = load(cases[i].text, &error);
        if (script != NULL || strstr(error.message, cases[i].says) == NULL ||
            strstr(error.message, "s.jsonl") == NULL) {
            fail_msg("%s: \"%s\", expected \"%s\"", cases[i].text, error.message, cases[i].says);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events_in_order),
        cmocka_unit_test(test_complaints),
    };
    return cmocka_run_group_tests_name("app script", tests, NULL, NULL);
}
