/* freshet-map: looks at map files: what is in them, and whether the game would take them. */
#include <stdio.h>
#include <string.h>

#include "common/options.h"
#include "files/stdio_io.h"
#include "mapio/mapio.h"

static const char program[] = "freshet-map";

static const char help[] =
    "Usage: freshet-map info MAP\n"
    "       freshet-map validate MAP\n"
    "Looks at a map: Tiled JSON (.tmj, .json) or MovingAI (.map).\n"
    "\n"
    "  info MAP       summary as JSON, then layers, tilesets, spawns and warnings\n"
    "  validate MAP   exit 0 if the game can load the map, 2 if not; warnings to stderr\n"
    "  --help         this text\n"
    "  --version      version and optional libraries\n"
    "\n"
    "Exit status: 0 done, 2 usage or bad input.\n";

/* Promised, and refused by name until they are there. */
static const char *const later_verbs[] = {"generate", "convert", "thumbnail"};

static void print_facts(const fr_map *map)
{
    printf("tiles of %d x %d pixels, full speed on cost %d, %s\n", map->tile_width_px, map->tile_height_px,
           map->full_speed_cost, map->has_terrain ? "states its terrain" : "terrain guessed from costs");
    for (int32_t i = 0; i < map->layer_count; i++) {
        printf("layer \"%s\": opacity %g\n", map->layers[i].name, (double)map->layers[i].opacity);
    }
    for (int32_t i = 0; i < map->tileset_count; i++) {
        const fr_tileset *t = &map->tilesets[i];
        printf("tileset \"%s\": gids from %u, tiles of %d x %d pixels, ", t->name, t->first_gid,
               t->tile_width_px, t->tile_height_px);
        if (t->image != NULL) {
            printf("%d on %s\n", t->tile_count, t->image);
        } else {
            printf("%d images\n", t->tile_image_count);
        }
    }
    for (int32_t i = 0; i < map->spawn_count; i++) {
        const fr_spawn *s = &map->spawns[i];
        printf("spawn at %g,%g, %g x %g cells: team %d, class %s, ", (double)s->x, (double)s->y,
               (double)s->width, (double)s->height, s->team, fr_class_name(s->movement_class));
        if (s->count < 0) {
            printf("a share of all units\n");
        } else {
            printf("%d units\n", s->count);
        }
    }
    for (int32_t i = 0; i < map->warning_count; i++) {
        printf("warning: %s\n", map->warnings[i]);
    }
}

static int print_info(const fr_map *map)
{
    fr_buffer summary = {0};
    fr_map_write_summary(map, &summary);
    fwrite(summary.data, 1, summary.size, stdout);
    fr_buffer_fini(&summary);
    print_facts(map);
    if (fflush(stdout) != 0) {
        fr_complain(program, "standard output: cannot be written");
        return FR_EXIT_FAILED;
    }
    return FR_EXIT_OK;
}

static int print_warnings(const fr_map *map)
{
    for (int32_t i = 0; i < map->warning_count; i++) {
        fprintf(stderr, "%s: %s: warning: %s\n", program, map->path, map->warnings[i]);
    }
    return FR_EXIT_OK;
}

int main(int argc, char **argv)
{
    if (fr_answer_help(program, help, argc, argv)) {
        return FR_EXIT_OK;
    }
    const char *verb = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < sizeof later_verbs / sizeof *later_verbs; i++) {
        if (strcmp(verb, later_verbs[i]) == 0) {
            return fr_complain(program, "%s: not in this version", verb);
        }
    }
    bool wants_info = strcmp(verb, "info") == 0;
    if (!wants_info && strcmp(verb, "validate") != 0) {
        return argc < 2 ? fr_complain_usage(program, "what to do?")
                        : fr_complain_usage(program, "%s: unknown, expected info or validate", verb);
    }
    if (argc != 3) {
        return fr_complain_usage(program, "%s: found %d file names, expected one", verb, argc - 2);
    }
    fr_io io = fr_stdio_io(program);
    fr_error error = {0};
    fr_map *map = fr_map_load(&io, argv[2], &error);
    if (map == NULL) {
        return fr_complain(program, "%s", error.message);
    }
    int code = wants_info ? print_info(map) : print_warnings(map);
    fr_map_destroy(map);
    return code;
}
