/* The JSON reader and writer: what is refused and where, what numbers may be, what is written. */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

#define TEXT(literal) literal, sizeof(literal) - 1

static void test_refused_text_names_the_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
        const char *message;
    } cases[] = {
        {TEXT(""), "f.json: 1:1: empty"},
        {TEXT("{\"a\": 1"), "1:7: not valid JSON: the file ends too early"},
        {TEXT("[1,\n2,]"), "2:3: not valid JSON: unexpected ']'"},
        {TEXT("[1]\nx"), "2:1: trailing text"},
        {TEXT("[1]\0"), "1:4: NUL byte"},
        {TEXT("[\"a\0b\"]"), "1:4: NUL byte"},
        {TEXT("[\"\\u0000\"]"), "1:3: \\u0000"},
        {TEXT("[1e400]"), "1:2: number too large"},
        {TEXT("[-1e400]"), "1:2: number too large"},
        {TEXT("[01]"), "1:2: malformed number"},
        {TEXT("[1.]"), "1:2: malformed number"},
        {TEXT("[-]"), "1:2: malformed number"},
        {TEXT("[NaN]"), "1:2: not valid JSON: unexpected 'N'"},
        {TEXT("[\"abc"), "1:2: string without an end"},
        {TEXT("[\"abc\\\""), "1:2: string without an end"},
        {TEXT("[\"\xc3\xa9\", \"\xff\"]"), "1:8: not UTF-8"},
        {TEXT("\xff\xfe[\0]\0"), "1:1: UTF-16"},
        {TEXT("\xfe\xff\0[\0]"), "1:1: UTF-16"},
        {TEXT("[\0]\0"), "1:1: UTF-16"},
        {TEXT("// no\n[1]"), "1:1: not valid JSON"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_error error = {0};
        assert_null(fr_json_parse("f.json", cases[i].text, cases[i].size, &error));
        expect_message(cases[i].text, &error, cases[i].message);
    }
}

static void test_accepted_text(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{}",    " [1, 2]\r\n", "\xef\xbb\xbf{\"a\": 1}\r\n", "[\"\\\\u0000\"]", "[1e300, -0.5, 0, -0, 1E+2]",
        "\"x\"",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fr_error error = {0};
        fr_json *json = fr_json_parse("f.json", texts[i], strlen(texts[i]), &error);
        if (json == NULL) {
            fail_msg("%s: %s", texts[i], error.message);
        }
        fr_json_destroy(json);
    }
}

static void test_deep_nesting_is_refused(void **state)
{
    (void)state;
    static char text[100000];
    fr_error error = {0};
    memset(text, '[', sizeof text);
    assert_null(fr_json_parse("deep.json", text, sizeof text, &error));
    expect_message("deep", &error, "deep.json: 1:");
}

static void test_checked_getters(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a\": [{\"n\": 2.5, \"big\": 9007199254740994, \"s\": \"x\", \"ok\": 7, \"neg\": -3,"
        " \"tenth\": 0.1, \"null\": null}]}";
    fr_error error = {0};
    fr_json *json = fr_json_parse("f.json", text, strlen(text), &error);
    assert_non_null(json);
    const fr_json_value *object = fr_json_first(fr_json_get(fr_json_root(json), "a"));
    int64_t n = 42;
    assert_int_equal(fr_json_get_int(json, object, "ok", 0, 10, &n, &error), FR_OK);
    assert_int_equal(n, 7);
    assert_int_equal(fr_json_get_int(json, object, "neg", INT64_MIN, INT64_MAX, &n, &error), FR_OK);
    assert_int_equal(n, -3);

    static const struct {
        const char *key, *message;
    } bad[] = {
        {"n", "f.json: $.a[0].n: found 2.5, expected a whole number in 0..10"},
        {"big", "f.json: $.a[0].big: found 9007199254740994"},
        {"s", "f.json: $.a[0].s: found \"x\", expected a whole number"},
        {"neg", "f.json: $.a[0].neg: found -3"},
        {"null", "f.json: $.a[0].null: found null"},
        {"gone", "f.json: $.a[0]: \"gone\" is missing, expected a whole number in 0..10"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        n = 42;
        assert_int_equal(fr_json_get_int(json, object, bad[i].key, 0, 10, &n, &error), FR_BAD_INPUT);
        expect_message(bad[i].key, &error, bad[i].message);
        assert_int_equal(n, 42);
    }
    /* Beyond 2^53 a double may already be another number than the one in the file. */
    assert_int_equal(fr_json_get_int(json, object, "big", 0, INT64_MAX, &n, &error), FR_BAD_INPUT);

    double d = 0;
    const char *s = NULL;
    assert_int_equal(fr_json_get_number(json, object, "tenth", 0, 1, &d, &error), FR_OK);
    assert_true(d == 0.1);
    assert_int_equal(fr_json_get_number(json, object, "n", 0, 1, &d, &error), FR_BAD_INPUT);
    assert_int_equal(fr_json_get_string(json, object, "s", &s, &error), FR_OK);
    assert_string_equal(s, "x");
    assert_int_equal(fr_json_get_string(json, object, "n", &s, &error), FR_BAD_INPUT);
    fr_json_destroy(json);
}

static void test_strict_keys(void **state)
{
    (void)state;
    static const char *const allowed[] = {"a", "b", NULL};
    static const struct {
        const char *text, *message; /* null: accepted */
    } cases[] = {
        {"{\"a\": 1, \"b\": 2}", NULL},
        {"{}", NULL},
        {"{\"a\": 1, \"c\": 2}", "f.json: $.c: unknown key"},
        {"{\"a\": 1, \"a\": 2}", "f.json: $.a: this key appears twice"},
        {"[]", "f.json: $: found an array, expected an object"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_error error = {0};
        fr_json *json = fr_json_parse("f.json", cases[i].text, strlen(cases[i].text), &error);
        fr_status status = fr_json_check_keys(json, fr_json_root(json), allowed, &error);
        assert_int_equal(status, cases[i].message == NULL ? FR_OK : FR_BAD_INPUT);
        if (cases[i].message != NULL) {
            expect_message(cases[i].text, &error, cases[i].message);
        }
        fr_json_destroy(json);
    }
}

static void test_peeks_are_safe_on_anything(void **state)
{
    (void)state;
    fr_error error = {0};
    fr_json *json = fr_json_parse("f.json", TEXT("[1, \"s\", true, {\"k\": 2}]"), &error);
    const fr_json_value *number = fr_json_first(fr_json_root(json));
    assert_null(fr_json_get(NULL, "k"));
    assert_null(fr_json_get(number, "k"));
    assert_null(fr_json_first(NULL));
    assert_int_equal(fr_json_count(fr_json_root(json)), 4);
    assert_int_equal(fr_json_count(NULL), 0);
    assert_true(fr_json_number_or(NULL, -1) < 0);
    assert_string_equal(fr_json_string_or(number, "none"), "none");
    assert_true(fr_json_bool_or(fr_json_next(fr_json_next(number)), false));
    assert_null(fr_json_key(number));
    fr_json_destroy(json);
    fr_json_destroy(NULL);
}

static void test_writer(void **state)
{
    (void)state;
    fr_buffer out = {0};
    fr_json_writer w = fr_json_writer_begin(&out, false);
    fr_json_begin_object(&w, NULL);
    fr_json_write_string(&w, "text", "a\"\\\n\x01\xff\xc3\xa9");
    fr_json_begin_array(&w, "list");
    fr_json_write_int(&w, NULL, -3);
    fr_json_write_fixed(&w, NULL, 1.005, 1);
    w.compact = true;
    fr_json_begin_array(&w, NULL);
    fr_json_write_bool(&w, NULL, true);
    fr_json_write_null(&w, NULL);
    fr_json_end_array(&w);
    w.compact = false;
    fr_json_end_array(&w);
    fr_json_begin_object(&w, "empty");
    fr_json_end_object(&w);
    fr_json_write_number(&w, "inf", HUGE_VAL);
    fr_json_write_hash(&w, "hash", 0xabcu);
    fr_json_end_object(&w);
    fr_buffer_append(&out, "", 1);
    assert_string_equal((const char *)out.data, "{\n"
                                                "  \"text\": \"a\\\"\\\\\\n\\u0001\xef\xbf\xbd\xc3\xa9\",\n"
                                                "  \"list\": [\n"
                                                "    -3,\n"
                                                "    1.0, [true, null]\n"
                                                "  ],\n"
                                                "  \"empty\": {},\n"
                                                "  \"inf\": null,\n"
                                                "  \"hash\": \"0000000000000abc\"\n"
                                                "}");
    fr_buffer_fini(&out);
}

static void test_numbers_read_back_exactly(void **state)
{
    (void)state;
    static const struct {
        double number;
        const char *text;
    } cases[] = {
        {0.1, "0.1"},
        {1.0 / 3.0, "0.3333333333333333"},
        {3.0, "3"},
        {1e22, "1e+22"},
        {-0.25, "-0.25"},
        {5e-324, "4.94065645841247e-324"},
        {123456789.125, "123456789.125"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_buffer out = {0};
        fr_json_writer w = fr_json_writer_begin(&out, true);
        fr_json_write_number(&w, NULL, cases[i].number);
        fr_buffer_append(&out, "", 1);
        assert_string_equal((const char *)out.data, cases[i].text);
        assert_true(strtod((const char *)out.data, NULL) == cases[i].number);
        fr_buffer_fini(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_text_names_the_place),
        cmocka_unit_test(test_accepted_text),
        cmocka_unit_test(test_deep_nesting_is_refused),
        cmocka_unit_test(test_checked_getters),
        cmocka_unit_test(test_strict_keys),
        cmocka_unit_test(test_peeks_are_safe_on_anything),
        cmocka_unit_test(test_writer),
        cmocka_unit_test(test_numbers_read_back_exactly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
