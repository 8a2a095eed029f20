/* map_generate: writes a map of a kind, drawn by lot: `generate KIND WxH --seed N OUT`. */
#include <inttypes.h>
#include <string.h>

#include "../common/map_maker.h"
#include "../common/options.h"
#include "map_tools.h"

typedef struct request {
    fr_map_kind kind;
    fr_grid size;
    int64_t seed;
    const char *out;
} request;

static int parse_kind(const char *program, const char *text, fr_map_kind *kind)
{
    *kind = fr_map_kind_from_name(text);
    if (*kind != FR_MAP_KIND_COUNT) {
        return FR_EXIT_OK;
    }
    char names[128] = "";
    for (int k = 0; k < FR_MAP_KIND_COUNT; k++) {
        strncat(names,
                k == 0                      ? ""
                : k + 1 < FR_MAP_KIND_COUNT ? ", "
                                            : " or ",
                sizeof names - strlen(names) - 1);
        strncat(names, fr_map_kind_name((fr_map_kind)k), sizeof names - strlen(names) - 1);
    }
    return fr_complain_usage(program, "generate: found kind '%s', expected %s", text, names);
}

static int parse_size(const char *program, const char *text, fr_grid *size)
{
    if (!fr_parse_size(text, FR_MAP_SIDE_MAX, size)) {
        return fr_complain_usage(program, "generate: found size '%s', expected WxH with sides of 1..%d cells",
                                 text, FR_MAP_SIDE_MAX);
    }
    if ((int64_t)size->width * size->height > FR_MAP_CELLS_MAX) {
        return fr_complain_usage(program, "generate: found size '%s', expected at most %d cells in all", text,
                                 FR_MAP_CELLS_MAX);
    }
    return FR_EXIT_OK;
}

static int parse_seed(const char *program, const char *text, int64_t *seed)
{
    if (text == NULL || !fr_parse_int(text, 0, INT64_MAX, seed)) {
        return fr_complain_usage(program, "--seed: found '%s', expected a whole number from 0 on",
                                 text != NULL ? text : "nothing");
    }
    return FR_EXIT_OK;
}

static int parse(const char *program, int argc, char **argv, request *r)
{
    int places = 0, code = FR_EXIT_OK;
    for (int i = 0; i < argc && code == FR_EXIT_OK; i++) {
        if (strcmp(argv[i], "--seed") == 0) {
            i++;
            code = parse_seed(program, i < argc ? argv[i] : NULL, &r->seed);
        } else if (strncmp(argv[i], "--seed=", 7) == 0) {
            code = parse_seed(program, argv[i] + 7, &r->seed);
        } else if (argv[i][0] == '-') {
            code = fr_complain_usage(program, "generate: %s: unknown option", argv[i]);
        } else if (places == 0) {
            code = parse_kind(program, argv[i], &r->kind);
            places++;
        } else if (places == 1) {
            code = parse_size(program, argv[i], &r->size);
            places++;
        } else if (places == 2) {
            r->out = argv[i];
            places++;
        } else {
            code = fr_complain_usage(program, "generate: %s: one map at a time", argv[i]);
        }
    }
    if (code == FR_EXIT_OK && places < 3) {
        static const char *const missing[] = {"a kind, a size and a file", "a size and a file",
                                              "a file to write"};
        code = fr_complain_usage(program, "generate: expected %s", missing[places]);
    }
    return code;
}

static bool has_open_cell(const fr_map *map)
{
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        if (map->costs[FR_CLASS_FOOT][i] != FR_COST_WALL) {
            return true;
        }
    }
    return false;
}

int fr_map_generate(const char *program, int argc, char **argv)
{
    request r = {.seed = 1};
    int code = parse(program, argc, argv, &r);
    if (code != FR_EXIT_OK) {
        return code;
    }
    fr_error error = {0};
    fr_map_output output;
    if (fr_map_output_open(r.out, &output, &error) != FR_OK) {
        return fr_complain(program, "%s", error.message);
    }
    fr_map *map = fr_make_map(r.kind, r.size, (uint64_t)r.seed, 1);
    if (has_open_cell(map)) {
        code = fr_map_output_save(program, &output, map);
    } else {
        fr_map_output_abandon(&output);
        code = fr_complain(program,
                           "generate: %s of %d x %d, seed %" PRId64 ": no open cell, expected a larger map",
                           fr_map_kind_name(r.kind), r.size.width, r.size.height, r.seed);
    }
    fr_map_destroy(map);
    return code;
}
