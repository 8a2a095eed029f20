/* The stdio form of fr_io: whole files or none, and one clear line when it does not work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/stdio_io.h"

/* A folder of the test's own. */
static int make_folder(void **state)
{
    const char *parent = getenv("TMPDIR");
    static char folder[256];
    snprintf(folder, sizeof folder, "%s/freshet-files-XXXXXX", parent != NULL ? parent : "/tmp");
    *state = folder;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    return rmdir(*state); /* fails, and the test with it, if anything was left behind */
}

static const char *path_in(void **state, const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", (const char *)*state, name);
    return path;
}

static int count_files(void **state)
{
    DIR *folder = opendir(*state);
    int count = 0;
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        count += entry->d_name[0] != '.';
    }
    closedir(folder);
    return count;
}

static void test_write_then_read(void **state)
{
    fr_io io = fr_stdio_io("test");
    fr_error error = {0};
    const char *path = path_in(state, "a.json");
    for (int round = 0; round < 2; round++) { /* the second one replaces */
        const char *text = round == 0 ? "first, longer" : "second";
        assert_int_equal(io.write(io.self, path, text, strlen(text), &error), FR_OK);
        fr_buffer read = {0};
        fr_buffer_append(&read, "<", 1);
        assert_int_equal(io.read(io.self, path, &read, &error), FR_OK);
        assert_int_equal(read.size, strlen(text) + 1);
        assert_memory_equal(read.data + 1, text, strlen(text));
        fr_buffer_fini(&read);
    }
    assert_int_equal(count_files(state), 1);
    assert_int_equal(remove(path), 0);
}

static void test_nothing_appears_before_commit(void **state)
{
    fr_error error = {0};
    const char *path = path_in(state, "report.json");
    fr_output *output = fr_output_open(path, &error);
    assert_non_null(output);
    assert_int_equal(fr_output_write(output, "half", 4, &error), FR_OK);
    assert_int_not_equal(access(path, F_OK), 0);
    fr_output_abandon(output);
    assert_int_equal(count_files(state), 0);

    output = fr_output_open(path, &error);
    fr_output *rival = fr_output_open(path, &error); /* two runs at once */
    assert_non_null(rival);
    assert_int_equal(fr_output_write(output, "one", 3, &error), FR_OK);
    assert_int_equal(fr_output_write(rival, "two", 3, &error), FR_OK);
    assert_int_equal(fr_output_commit(output, &error), FR_OK);
    assert_int_equal(fr_output_commit(rival, &error), FR_OK);
    assert_int_equal(count_files(state), 1);
    assert_int_equal(remove(path), 0);
    fr_output_abandon(NULL);
}

static void test_failures_are_one_line(void **state)
{
    fr_io io = fr_stdio_io("test");
    static const struct {
        const char *path;
        bool reads;
        const char *message;
    } cases[] = {
        {"/nowhere/at/all.json", true, "/nowhere/at/all.json: cannot be opened: "},
        {"/nowhere/at/all.json", false, "/nowhere/at/all.json: cannot be written: "},
        {"/", true, "/: cannot be read: "},
        {"/", false, "/: cannot be written: "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fr_error error = {0};
        fr_buffer out = {0};
        fr_status status = cases[i].reads ? io.read(io.self, cases[i].path, &out, &error)
                                          : io.write(io.self, cases[i].path, "x", 1, &error);
        assert_int_equal(status, FR_IO_FAILED);
        assert_int_equal(strncmp(error.message, cases[i].message, strlen(cases[i].message)), 0);
        assert_null(strchr(error.message, '\n'));
        assert_int_equal(out.size, 0);
        fr_buffer_fini(&out);
    }
}

static void test_folder_without_write_permission(void **state)
{
    if (geteuid() == 0) {
        print_message("skipped: permissions do not bind the superuser\n");
        skip();
    }
    fr_error error = {0};
    assert_int_equal(chmod(*state, 0500), 0);
    fr_output *output = fr_output_open(path_in(state, "a.json"), &error);
    assert_int_equal(chmod(*state, 0700), 0);
    assert_null(output);
    assert_non_null(strstr(error.message, "a.json: cannot be written: "));
}

static void test_full_device(void **state)
{
    (void)state;
    fr_error error = {0};
    if (access("/dev/full", W_OK) != 0) {
        print_message("skipped: no /dev/full\n");
        skip();
    }
    fr_io io = fr_stdio_io("test");
    assert_int_equal(io.write(io.self, "/dev/full", "x", 1, &error), FR_IO_FAILED);
    struct stat info;
    assert_int_equal(stat("/dev/full", &info), 0);
    assert_true(S_ISCHR(info.st_mode)); /* not replaced by a file */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_write_then_read, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_nothing_appears_before_commit, make_folder, remove_folder),
        cmocka_unit_test(test_failures_are_one_line),
        cmocka_unit_test_setup_teardown(test_folder_without_write_permission, make_folder, remove_folder),
        cmocka_unit_test(test_full_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
