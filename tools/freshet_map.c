/* freshet-map: makes map files, turns them into one another, and looks at them: what is in them, and whether
 * the game would take them. This file has the command line and the verbs that only read. */
#include <stdio.h>
#include <string.h>

#include "common/options.h"
#include "files/stdio_io.h"
#include "grid/nav.h"
#include "map/map_tools.h"
#include "mapio/mapio.h"

static const char program[] = "freshet-map";

static const char help[] =
    "Usage: freshet-map generate KIND WxH [--seed N] OUT\n"
    "       freshet-map convert IN OUT\n"
    "       freshet-map thumbnail IN OUT.bmp\n"
    "       freshet-map info MAP\n"
    "       freshet-map validate MAP\n"
    "Maps are Tiled JSON (.tmj, .json) or MovingAI (.map).\n"
    "\n"
    "  generate       a map drawn by lot: open, noise, cave, maze, rooms, islands or passes;\n"
    "                 the same kind, size and seed (default 1) give the same map anywhere\n"
    "  convert        the ground and the spawns of a map in the format that OUT ends in\n"
    "  thumbnail      a picture of at most 512 x 512 pixels\n"
    "  info           summary as JSON, then layers, tilesets, spawns and warnings\n"
    "  validate       exit 0 if the game can load the map, 2 if not; warnings to stderr\n"
    "A Tiled map is written with the picture of its tiles beside it: NAME-tiles.bmp for NAME.tmj.\n"
    "\n"
    "  --help         this text\n"
    "  --version      version and optional libraries\n"
    "\n"
    "Exit status: 0 done, 1 the output could not be written, 2 usage or bad input.\n";

static void print_facts(const fr_map *map)
{
    printf("tiles of %d x %d pixels, full speed on cost %d, %s\n", map->tile_width_px, map->tile_height_px,
           map->full_speed_cost, map->has_terrain ? "states its terrain" : "terrain guessed from costs");
    fr_grid cells = fr_nav_grid(map->grid, map->nav_shift);
    printf("fields of %d x %d cells of %g tiles\n", cells.width, cells.height, fr_nav_scale(map->nav_shift));
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

/* Loads the one map named and shows it. */
static int look(const char *verb, int argc, char **argv, int (*show)(const fr_map *map))
{
    if (argc != 1) {
        return fr_complain_usage(program, "%s: found %d file names, expected one", verb, argc);
    }
    fr_io io = fr_stdio_io(program);
    fr_error error = {0};
    fr_map *map = fr_map_load(&io, argv[0], &error);
    if (map == NULL) {
        return fr_complain(program, "%s", error.message);
    }
    int code = show(map);
    fr_map_destroy(map);
    return code;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*write)(const char *program, int argc, char **argv);
        int (*show)(const fr_map *map);
    } verbs[] = {
        {"generate", fr_map_generate, NULL},   {"convert", fr_map_convert, NULL},
        {"thumbnail", fr_map_thumbnail, NULL}, {"info", NULL, print_info},
        {"validate", NULL, print_warnings},
    };
    if (fr_answer_help(program, help, argc, argv)) {
        return FR_EXIT_OK;
    }
    if (argc < 2) {
        return fr_complain_usage(program, "what to do?");
    }
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (strcmp(argv[1], verbs[i].name) == 0) {
            return verbs[i].write != NULL ? verbs[i].write(program, argc - 2, argv + 2)
                                          : look(argv[1], argc - 2, argv + 2, verbs[i].show);
        }
    }
    return fr_complain_usage(program, "%s: unknown, expected generate, convert, thumbnail, info or validate",
                             argv[1]);
}
