/* test_app_options: command lines in, values or one line of complaint out; and that --help knows every key.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "app/hotkeys.h"
#include "app/options.h"
#include "app/parse.h"

/* Splits a command line at blanks; '' stands for an empty word. */
static fr_status parse(const char *line, fr_options *out, fr_error *error)
{
    static char words[512];
    char *argv[64] = {0};
    int argc = 0;
    char *program = strcpy(words, "freshet ");
    strncat(words, line, sizeof words - 16);
    for (char *word = strtok(program, " "); word != NULL && argc < 63; word = strtok(NULL, " ")) {
        argv[argc++] = strcmp(word, "''") == 0 ? word + 2 : word;
    }
    *error = (fr_error){{0}};
    return fr_options_parse(argc, argv, out, error);
}

static void test_values(void **state)
{
    (void)state;
    fr_options o;
    fr_error error;
    assert_int_equal(parse("", &o, &error), FR_OK);
    assert_null(o.map_path);
    assert_int_equal(o.units, 2000);
    assert_true(o.seed == 1 && !o.has_seed && !o.has_threads && !o.has_ticks && o.vsync);
    assert_int_equal(o.width_px, 1280);

    assert_int_equal(
        parse("my.tmj --units 10 --seed 18446744073709551615 --threads 0 --ticks 90 --headless "
              "--camera 3.5,-2,20 --overlay arrows,cost --shift -1.5,2 --size 900x600 --vsync off "
              "--fps 30 --ui-scale 1.5 --report - --dump d.json --record r --positions p.csv "
              "--screenshot s.bmp --data dir --font f.ttf --fullscreen --paced --mover naive --without "
              "lanes,queue",
              &o, &error),
        FR_OK);
    assert_string_equal(o.map_path, "my.tmj");
    assert_int_equal(o.units, 10);
    assert_true(o.seed == UINT64_MAX && o.has_threads && o.threads == 0 && o.ticks == 90 && o.headless);
    assert_true(o.camera.x == 3.5 && o.camera.y == -2.0 && o.camera.zoom == 20.0);
    assert_int_equal(o.overlays, FR_OVERLAY_COST | FR_OVERLAY_ARROWS);
    assert_true(o.shift.x == -1.5f && o.shift.y == 2.0f);
    assert_true(o.width_px == 900 && o.height_px == 600 && !o.vsync && o.fps == 30 && o.ui_scale == 1.5f);
    assert_string_equal(o.report_path, "-");
    assert_string_equal(o.screenshot_path, "s.bmp");
    assert_true(o.fullscreen && o.paced);
    assert_int_equal(o.mover, FR_MOVER_NAIVE);
    assert_int_equal(o.without, FR_MECHANISM_LANES | FR_MECHANISM_QUEUE);

    assert_int_equal(parse("--headless --scenario s.json", &o, &error), FR_OK);
    assert_int_equal(parse("--headless --replay r.json --threads 3", &o, &error), FR_OK);
    assert_int_equal(parse("--headless --check a.map", &o, &error), FR_OK);
    assert_int_equal(parse("--ticks=5 -- --odd.map", &o, &error), FR_OK);
    assert_string_equal(o.map_path, "--odd.map");
    /* Help ends the parse: what is wrong behind it does not matter. */
    assert_int_equal(parse("--help --nonsense", &o, &error), FR_OK);
    assert_true(o.help);
    assert_int_equal(parse("--version --nonsense", &o, &error), FR_OK);
    assert_true(o.version);
}

static void test_complaints(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
    } cases[] = {
        {"--nonsense", "'--nonsense'"},
        {"-z", "'-z'"},
        {"--units", "--units needs N"},
        {"--headless=3 --ticks 1", "--headless takes no value"},
        {"--units 12x", "found '12x'"},
        {"--units -5", "found '-5'"},
        {"--units 131073", "131072"},
        {"--units ''", "found ''"},
        {"--units 1e3", "found '1e3'"},
        {"--seed 18446744073709551616", "below 2^64"},
        {"--threads 33", "up to 32"},
        {"--ticks 2147483648", "below 2^31"},
        {"--fps 0", "from 1 to 1000"},
        {"--ui-scale nan", "found 'nan'"},
        {"--ui-scale 0x1", "found '0x1'"},
        {"--ui-scale 9", "0.5 to 4"},
        {"--camera 1,2", "X,Y,ZOOM"},
        {"--camera 1,2,inf", "X,Y,ZOOM"},
        {"--camera 1,2,0", "X,Y,ZOOM"},
        {"--camera 1,2,3,4", "X,Y,ZOOM"},
        {"--camera 1e400,2,3", "X,Y,ZOOM"},
        {"--shift 1", "DX,DY"},
        {"--size 1280", "WxH"},
        {"--size 1280x72x", "WxH"},
        {"--size 99999x720", "WxH"},
        {"--size 640.5x480", "WxH"},
        {"--vsync maybe", "on or off"},
        {"--overlay cost,heat", "'heat'"},
        {"--overlay cost,", "''"},
        {"--mover boids", "found 'boids', expected freshet or naive"},
        {"--without ring",
         "no mechanism is named 'ring', expected some of conflict, queue, spread, swaps, giveway"},
        {"--without queue,", "named ''"},
        {"--without ''", "named ''"},
        {"--replay r.json --mover naive", "--mover or --without"},
        {"--screenshot a.jpg", ".bmp or .png"},
        {"--screenshot png", ".bmp or .png"},
        {"--report ''", "--report"},
        {"--report a.json --ticks 3 --dump a.json", "--report and --dump: found 'a.json' for both"},
        {"--screenshot a.bmp --record a.bmp", "--record and --screenshot"},
        {"--report - --positions -", "found '-' for both"},
        {"a.map b.map", "'b.map'"},
        {"--scenario s.json a.map", "'a.map'"},
        {"--replay r.json a.map", "MAP"},
        {"--replay r.json --seed 4", "--seed"},
        {"--headless", "--ticks N"},
        {"--headless --script s.jsonl", "--ticks N"},
        {"--s x", "'--s'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_options o;
        fr_error error;
        fr_status status = parse(cases[i].line, &o, &error);
        if (status != FR_BAD_INPUT || strstr(error.message, cases[i].says) == NULL ||
            strstr(error.message, FR_USAGE_HINT) == NULL || strchr(error.message, '\n') != NULL) {
            fail_msg("'%s': status %d, \"%s\", expected \"%s\"", cases[i].line, status, error.message,
                     cases[i].says);
        }
    }
}

static void test_help_names_options_and_keys(void **state)
{
    (void)state;
    fr_buffer text = {0};
    fr_options_help(&text);
    fr_buffer_append(&text, "", 1);
    const char *help = (const char *)text.data;
    static const char *const said[] = {"--scenario FILE",
                                       "--camera X,Y,ZOOM",
                                       "--vsync on|off",
                                       "--data DIR",
                                       "--check",
                                       "F1 ",
                                       "F10, ?",
                                       "Ctrl+A",
                                       "Right click",
                                       "Usage: freshet",
                                       "follow it",
                                       "Minimap ",
                                       "Shift adds or takes away",
                                       "Shift+0-9 "};
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        if (strstr(help, said[i]) == NULL) {
            fail_msg("--help does not say \"%s\":\n%s", said[i], help);
        }
    }
    fr_buffer_fini(&text);
}

static void test_hotkeys(void **state)
{
    (void)state;
    static const struct {
        SDL_Keycode key;
        SDL_Scancode scancode;
        unsigned mods;
        fr_action action;
        int argument;
    } cases[] = {
        {SDLK_F1, SDL_SCANCODE_F1, 0, FR_ACTION_OVERLAY, 0},
        {SDLK_F3, SDL_SCANCODE_F3, FR_MOD_SHIFT, FR_ACTION_OVERLAY, 2},
        {SDLK_SPACE, SDL_SCANCODE_SPACE, 0, FR_ACTION_PAUSE, 0},
        {SDLK_RETURN, SDL_SCANCODE_RETURN, 0, FR_ACTION_NONE, 0},
        {SDLK_RETURN, SDL_SCANCODE_RETURN, FR_MOD_ALT, FR_ACTION_FULLSCREEN, 0},
        {SDLK_s, SDL_SCANCODE_S, 0, FR_ACTION_STOP, 0},
        {SDLK_s, SDL_SCANCODE_S, FR_MOD_CTRL, FR_ACTION_NONE, 0},
        {SDLK_a, SDL_SCANCODE_A, FR_MOD_CTRL, FR_ACTION_SELECT_ALL, 0},
        {SDLK_a, SDL_SCANCODE_A, 0, FR_ACTION_NONE, 0},
        /* AZERTY: letters by meaning, digits by place. */
        {SDLK_a, SDL_SCANCODE_Q, FR_MOD_CTRL, FR_ACTION_SELECT_ALL, 0},
        {SDLK_AMPERSAND, SDL_SCANCODE_1, 0, FR_ACTION_GROUP_RECALL, 1},
        {SDLK_1, SDL_SCANCODE_1, FR_MOD_CTRL, FR_ACTION_GROUP_SET, 1},
        {SDLK_0, SDL_SCANCODE_0, FR_MOD_SHIFT, FR_ACTION_GROUP_ADD, 0},
        {SDLK_0, SDL_SCANCODE_0, FR_MOD_ALT, FR_ACTION_NONE, 0},
        {SDLK_SLASH, SDL_SCANCODE_SLASH, FR_MOD_SHIFT, FR_ACTION_HELP, 0},
        {SDLK_SLASH, SDL_SCANCODE_SLASH, 0, FR_ACTION_NONE, 0},
        {SDLK_EQUALS, SDL_SCANCODE_EQUALS, FR_MOD_SHIFT, FR_ACTION_SPEED, 1},
        {SDLK_KP_MINUS, SDL_SCANCODE_KP_MINUS, 0, FR_ACTION_SPEED, -1},
        {SDLK_UNKNOWN, SDL_SCANCODE_UNKNOWN, 0, FR_ACTION_NONE, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fr_hotkey hotkey = fr_hotkey_for_key(cases[i].key, cases[i].scancode, cases[i].mods);
        if (hotkey.action != cases[i].action || hotkey.argument != cases[i].argument) {
            fail_msg("case %zu: action %d, argument %d", i, hotkey.action, hotkey.argument);
        }
    }
    assert_int_equal(fr_hotkey_for_text("?").action, FR_ACTION_HELP);
    assert_int_equal(fr_hotkey_for_text("+").argument, 1);
    assert_int_equal(fr_hotkey_for_text("-").argument, -1);
    assert_int_equal(fr_hotkey_for_text("\xc3\x9f").action, FR_ACTION_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_complaints),
        cmocka_unit_test(test_help_names_options_and_keys),
        cmocka_unit_test(test_hotkeys),
    };
    return cmocka_run_group_tests_name("app options", tests, NULL, NULL);
}
