/* Maps that others made: the folder $FRESHET_CASES (default ../shared/cases) with maps of the Tiled editor,
 * of other loaders' tests and of the grid benchmark. Skipped where it is absent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/memory.h"
#include "files/stdio_io.h"
#include "memory_io.h"

static const char *case_path(const char *name, char *out, size_t size)
{
    const char *folder = getenv("FRESHET_CASES");
    snprintf(out, size, "%s/%s", folder != NULL ? folder : "../shared/cases", name);
    return out;
}

static bool lacks_libraries(void)
{
    const char *libraries = fr_mapio_libraries();
    return strstr(libraries, "zlib") == NULL || strstr(libraries, "zstd") == NULL ||
           strstr(libraries, "expat") == NULL;
}

/* The table of what each file should do; skips the test without it. */
static void read_expected(fr_buffer *out)
{
    if (lacks_libraries()) {
        print_message("skipped: needs zlib, zstd and expat\n");
        skip();
    }
    char path[512];
    fr_error error = {0};
    fr_io io = fr_stdio_io("test");
    if (io.read(io.self, case_path("tiled/EXPECTED.md", path, sizeof path), out, &error) != FR_OK) {
        print_message("skipped: %s\n", error.message);
        skip();
    }
    fr_buffer_append(out, "", 1);
}

/* The part of the message that belongs to a reason in the table. */
static const char *message_for(const char *reason)
{
    static const struct {
        const char *reason, *message;
    } words[] = {
        {"a tileset, not a map", "$: a tileset, not a map"},
        {"a template or other", "$: a template, not a map"},
        {"hexagonal", "$.orientation: hexagonal"},
        {"tileset is not a tileset", "tileset.garbage: not a tileset"},
        {"tileset missing, path shown", "/../../../Level/TestTileSet.tsx: cannot be opened"},
        {"not valid JSON", ":"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strncmp(reason, words[i].reason, strlen(words[i].reason)) == 0) {
            return words[i].message;
        }
    }
    fail_msg("no message known for \"%s\"", reason);
    return "";
}

/* One row of the table: `outcome` is "load: ... WxH ..." or "refuse: reason". */
static void check_row(const char *name, const char *outcome)
{
    char relative[300], path[600];
    fr_error error = {0};
    fr_io io = fr_stdio_io("test");
    snprintf(relative, sizeof relative, "tiled/%s", name);
    fr_map *map = fr_map_load(&io, case_path(relative, path, sizeof path), &error);
    if (strncmp(outcome, "refuse: ", 8) == 0) {
        const char *message = message_for(outcome + 8);
        if (map != NULL || strstr(error.message, message) == NULL || strstr(error.message, name) == NULL) {
            fail_msg("%s: %s\nfound %s", name, outcome, map != NULL ? "a map" : error.message);
        }
        return;
    }
    if (map == NULL) {
        fail_msg("%s: %s\nfound %s", name, outcome, error.message);
        return;
    }
    char size[32];
    snprintf(size, sizeof size, " %dx%d", map->grid.width, map->grid.height);
    bool warns_of_ground = false;
    for (int32_t i = 0; i < map->warning_count; i++) {
        warns_of_ground |= strstr(map->warnings[i], "no visible tile layer") != NULL;
    }
    if (strstr(outcome, size) == NULL || warns_of_ground != (strstr(outcome, "no tile layer") != NULL)) {
        fail_msg("%s: %s\nfound a map of%s", name, outcome, size);
    }
    fr_map_destroy(map);
}

static void test_every_file_does_what_it_should(void **state)
{
    (void)state;
    fr_buffer table = {0};
    read_expected(&table);
    int rows = 0;
    for (char *line = strtok((char *)table.data, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char name[256], outcome[256];
        if (sscanf(line, "| %255[^ |] | %255[^|]", name, outcome) == 2 &&
            (strncmp(outcome, "load: ", 6) == 0 || strncmp(outcome, "refuse: ", 8) == 0)) {
            check_row(name, outcome);
            rows++;
        }
    }
    fr_buffer_fini(&table);
    assert_true(rows > 100);
}

/* Summary of a case without its name, format and warnings. */
static void summarize(const char *name, fr_buffer *out)
{
    char path[512];
    fr_error error = {0};
    fr_io io = fr_stdio_io("test");
    fr_map *map = fr_map_load(&io, case_path(name, path, sizeof path), &error);
    if (map == NULL) {
        fail_msg("%s", error.message);
        return;
    }
    fr_map_write_summary(map, out);
    fr_buffer_append(out, "", 1);
    char *from = strstr((char *)out->data, "\"width\""), *to = strstr((char *)out->data, "\"warnings\"");
    *to = '\0';
    memmove(out->data, from, strlen(from) + 1);
    fr_map_destroy(map);
}

static void test_encodings_agree(void **state)
{
    (void)state;
    static const char *const groups[][9] = {
        {"movingai/arena.map", "tiled/editor-1.8.2/arena-csv.tmj", "tiled/editor-1.8.2/arena-base64.tmj",
         "tiled/editor-1.8.2/arena-gzip.tmj", "tiled/editor-1.8.2/arena-zlib.tmj",
         "tiled/editor-1.8.2/arena-zstd.tmj", "tiled/editor-1.8.2/arena-embedded.tmj", NULL},
        {"movingai/icecrown.map", "tiled/editor-1.8.2/icecrown-csv.tmj",
         "tiled/editor-1.8.2/icecrown-zlib.tmj", NULL},
        {"tiled/editor-1.8.2/json/flipped-csv.tmj", "tiled/editor-1.8.2/json/flipped-base64.tmj",
         "tiled/editor-1.8.2/json/flipped-gzip.tmj", "tiled/editor-1.8.2/json/flipped-zlib.tmj",
         "tiled/editor-1.8.2/json/flipped-zstd.tmj", "tiled/editor-1.8.2/json/flipped-embedded.tmj", NULL},
        {"tiled/editor-1.8.2/json/perspective_walls-csv.tmj",
         "tiled/editor-1.8.2/json/perspective_walls-json1.json",
         "tiled/editor-1.8.2/json/perspective_walls-json1-embedded.json",
         "tiled/derived/perspective_walls-bom-crlf.tmj", NULL},
    };
    fr_buffer table = {0};
    read_expected(&table);
    fr_buffer_fini(&table);
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        fr_buffer first = {0};
        summarize(groups[g][0], &first);
        for (int i = 1; groups[g][i] != NULL; i++) {
            fr_buffer other = {0};
            summarize(groups[g][i], &other);
            if (strcmp((const char *)first.data, (const char *)other.data) != 0) {
                fail_msg("%s\n%s\ndiffers from %s\n%s", groups[g][i], (const char *)other.data, groups[g][0],
                         (const char *)first.data);
            }
            fr_buffer_fini(&other);
        }
        fr_buffer_fini(&first);
    }
}

static void test_flips_are_kept_and_masked(void **state)
{
    (void)state;
    fr_buffer table = {0};
    read_expected(&table);
    fr_buffer_fini(&table);
    char path[512];
    fr_error error = {0};
    fr_io io = fr_stdio_io("test");
    fr_map *map =
        fr_map_load(&io, case_path("tiled/editor-1.8.2/json/flipped-zstd.tmj", path, sizeof path), &error);
    assert_non_null(map);
    static const uint32_t expected[] = {2147483694u, 1073741870u, 3221225518u, 46u};
    assert_memory_equal(map->layers[0].gids, expected, sizeof expected);
    assert_int_equal(map->warning_count, 0);
    fr_map_destroy(map);
}

static void test_scenarios_load(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int32_t count;
    } cases[] = {
        {"movingai/icecrown.scen", 1280}, {"movingai/Paris_1_256.scen", 0}, {"movingai/brc000d.scen", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[512];
        fr_error error = {0};
        fr_io io = fr_stdio_io("test");
        fr_scen_line *lines = NULL;
        int32_t count = 0;
        fr_status status =
            fr_scen_load(&io, case_path(cases[i].name, path, sizeof path), &lines, &count, &error);
        if (status == FR_IO_FAILED) {
            print_message("skipped: %s\n", error.message);
            skip();
        }
        assert_string_equal(error.message, "");
        assert_true(cases[i].count == 0 ? count > 100 : count == cases[i].count);
        fr_free(lines);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_file_does_what_it_should),
        cmocka_unit_test(test_encodings_agree),
        cmocka_unit_test(test_flips_are_kept_and_masked),
        cmocka_unit_test(test_scenarios_load),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
