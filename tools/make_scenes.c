/* make_scenes: the twelve scenes that movement is judged by, with their variants. Each is the text of its
 * scenario file, with ' for ", and the maps that they share; what is the same in many is written here once.
 */
#include "make_scenes.h"

#include <stdio.h>
#include <string.h>

#include "mapio/map_writer.h"

/* A file in the making. */
typedef struct desk {
    const fr_io *io;
    const char *folder;
    fr_buffer bytes;
    fr_status status; /* of all files up to here */
    fr_error *error;
} desk;

/* Writes what was gathered and begins anew. */
static void finish(desk *d, const char *file)
{
    fr_buffer path = {0};
    fr_buffer_printf(&path, "%s/%s", d->folder, file);
    fr_buffer_append(&path, "", 1);
    if (d->status == FR_OK) {
        d->status =
            d->io->write(d->io->self, (const char *)path.data, d->bytes.data, d->bytes.size, d->error);
    }
    fr_buffer_fini(&path);
    d->bytes.size = 0;
}

/* Appends text with " for each '. */
static void say(desk *d, const char *text)
{
    for (; *text != '\0'; text++) {
        fr_buffer_append(&d->bytes, *text == '\'' ? "\"" : text, 1);
    }
}

/* A whole scenario. `map` is its JSON: a file beside it, or a grid; null: NAME.map. `ticks`: twice the ideal
 * and 5 s, within which a run must have ended to count as resolved, and 12 s of rest. `rest` are further
 * members of the root, or null, like the orders where each unit has its own. */
static void scene(desk *d, const char *name, const char *map, int ticks, const char *groups,
                  const char *orders, const char *rest)
{
    char text[64];
    say(d, "{\n  'format': 'freshet-scenario', 'version': 1, 'seed': 1, 'ticks': ");
    snprintf(text, sizeof text, "%d,\n  'map': ", ticks);
    say(d, text);
    snprintf(text, sizeof text, "'%s.map'", name);
    say(d, map != NULL ? map : text);
    say(d, ",\n  'groups': [\n    ");
    say(d, groups);
    say(d, "]");
    if (orders != NULL) {
        say(d, ",\n  'orders': [\n    ");
        say(d, orders);
        say(d, "]");
    }
    if (rest != NULL) {
        say(d, ",\n  ");
        say(d, rest);
    }
    say(d, "\n}\n");
    snprintf(text, sizeof text, "%s.json", name);
    finish(d, text);
}

/* Writes NAME.map and destroys the map. */
static void write_map(desk *d, const char *name, fr_map *map)
{
    char file[64];
    snprintf(file, sizeof file, "%s.map", name);
    fr_map_write_movingai(map, &d->bytes);
    fr_map_destroy(map);
    finish(d, file);
}

/* --- one goal for all: S1 to S4 ------------------------------------------------------------------- */

#define OPEN_MAP  "'s01-open.map'"
#define START_BOX "'area': [10, 20, 50, 60]"

static void make_open(desk *d)
{
    write_map(d, "s01-open", fr_scene_map(200, 100));
    scene(d, "s01-open", OPEN_MAP, 2400, "{'name': 'blue', 'count': 1000, " START_BOX "}",
          "{'tick': 0, 'group': 'blue', 'order': 'move', 'goal': [150, 50]}", NULL);
}

static void make_doors(desk *d)
{
    static const struct {
        int width, top, units, ticks;
    } doors[] = {{1, 32, 300, 4000}, {2, 31, 600, 4000}, {4, 30, 1000, 3600}};
    for (size_t i = 0; i < sizeof doors / sizeof *doors; i++) {
        int width = doors[i].width, top = doors[i].top;
        char name[32], groups[120], rest[80];
        fr_map *map = fr_scene_map(128, 64);
        fr_scene_fill(map, (fr_rect){64, 0, 1, 64}, FR_COST_WALL);
        fr_scene_fill(map, (fr_rect){64, top, 1, width}, 1);
        snprintf(name, sizeof name, "s02-door-%d", width);
        write_map(d, name, map);
        snprintf(groups, sizeof groups, "{'name': 'blue', 'count': %d, 'area': [20, 8, 40, 48]}",
                 doors[i].units);
        snprintf(rest, sizeof rest, "'doors': [{'name': 'gap', 'line': [65, %d, 65, %d]}]", top, top + width);
        scene(d, name, NULL, doors[i].ticks, groups,
              "{'tick': 0, 'group': 'blue', 'order': 'move', 'goal': [100, 32]}", rest);
    }
}

static void make_trap(desk *d)
{
    fr_map *map = fr_scene_map(128, 96);
    fr_scene_fill(map, (fr_rect){78, 28, 2, 41}, FR_COST_WALL);
    fr_scene_fill(map, (fr_rect){48, 28, 32, 2}, FR_COST_WALL);
    fr_scene_fill(map, (fr_rect){48, 67, 32, 2}, FR_COST_WALL);
    write_map(d, "s03-u-trap", map);
    scene(d, "s03-u-trap", NULL, 2700, "{'name': 'blue', 'count': 400, 'area': [50, 32, 26, 33]}",
          "{'tick': 0, 'group': 'blue', 'order': 'move', 'goal': [105, 48]}", NULL);
}

static void make_mazes(desk *d)
{
    /* Ways of 827, 851 and 775 cells from the middle of one hall to that of the other: the first three seeds
     * between 750 and 880, so that it is 700 to 900 from wherever in a hall. */
    static const uint64_t seeds[] = {21, 54, 56};
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "s04-maze-%d", i + 1);
        write_map(d, name, fr_scene_maze(seeds[i]));
        scene(d, name, NULL, 15000, "{'name': 'blue', 'count': 500, 'area': [1, 98, 30, 30]}",
              "{'tick': 0, 'group': 'blue', 'order': 'move', 'goal': [113, 16]}", NULL);
    }
}

/* --- everybody across everybody: S5, S6, S10 ------------------------------------------------------- */

/* Units evenly on a ring round the middle of a square map, each ordered to the place opposite. Five decimals
 * never lie between two steps of a position, so that the ring stays as symmetric as it is written. */
static void make_circle(desk *d, const char *name, const char *map, int ticks, int units, double noise)
{
    const double middle = units == 250 ? 60.0 : 160.0, radius = units == 250 ? 40.0 : 140.0;
    /* Cosine and sine of a full turn by the number of units. */
    const double turn_x = units == 250 ? 0.99968418928329994 : 0.99998026085613712;
    const double turn_y = units == 250 ? 0.025130095443337478 : 0.0062831439655589511;
    fr_buffer groups = {0};
    double x = radius, y = 0.0;
    fr_buffer_printf(&groups, "{'name': 'ring', ");
    if (noise > 0.0) {
        fr_buffer_printf(&groups, "'noise': %g, ", noise);
    }
    fr_buffer_printf(&groups, "'units': [\n");
    for (int i = 0; i < units; i++) {
        fr_buffer_printf(&groups, "      [%.5f, %.5f, %.5f, %.5f]%s\n", middle + x, middle + y, middle - x,
                         middle - y, i + 1 < units ? "," : "]}");
        double next = x * turn_x - y * turn_y;
        y = x * turn_y + y * turn_x;
        x = next;
    }
    fr_buffer_append(&groups, "", 1);
    scene(d, name, map, ticks, (const char *)groups.data, NULL, NULL);
    fr_buffer_fini(&groups);
}

static void make_circles(desk *d)
{
    write_map(d, "s05-circle", fr_scene_map(120, 120));
    make_circle(d, "s05-circle", NULL, 1800, 250, 1e-3);
    make_circle(d, "s05-circle-exact", "'s05-circle.map'", 1800, 250, 0.0);
    fr_write_ring_map(320, 320, &d->bytes);
    finish(d, "s05-circle-1000.tmj");
    make_circle(d, "s05-circle-1000", "'s05-circle-1000.tmj'", 4800, 1000, 1e-3);
}

static void make_corridor(desk *d)
{
    char orders[1024] = "";
    for (int side = 0; side < 2; side++) {
        size_t used = strlen(orders);
        used += (size_t)snprintf(orders + used, sizeof orders - used,
                                 "{'tick': 0, 'group': '%s', 'order': 'move', 'goals': [",
                                 side == 0 ? "right" : "left");
        for (int y = 1; y <= 10; y++) {
            used += (size_t)snprintf(orders + used, sizeof orders - used, "[%s, %d.5]%s",
                                     side == 0 ? "157.5" : "2.5", y, y < 10 ? ", " : "]}");
        }
        snprintf(orders + used, sizeof orders - used, "%s", side == 0 ? ",\n    " : "");
    }
    write_map(d, "s06-corridor", fr_scene_map(160, 12));
    scene(d, "s06-corridor", NULL, 3000,
          "{'name': 'right', 'team': 0, 'count': 200, 'area': [5, 1, 40, 10], "
          "'leave': {'line': [155, 0, 155, 12]}},\n    "
          "{'name': 'left', 'team': 1, 'count': 200, 'area': [115, 1, 40, 10], "
          "'leave': {'line': [5, 0, 5, 12]}}",
          orders, "'lanes': {'area': [40, 1, 80, 10], 'axis': 'x', 'groups': ['right', 'left']}");
}

/* Two rooms and a passage between them. */
static void make_narrow(desk *d)
{
    enum { ROOM = 24, PASSAGE = 20, WIDTH = 2 * ROOM + PASSAGE + 2, HEIGHT = ROOM + 2 };
    static const int widths[] = {1, 2, 3, 6};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        int width = widths[i], top = HEIGHT / 2 - (width + 1) / 2;
        char name[32], rest[80];
        fr_map *map = fr_scene_map(WIDTH, HEIGHT);
        fr_scene_fill(map, (fr_rect){1 + ROOM, 0, PASSAGE, HEIGHT}, FR_COST_WALL);
        fr_scene_fill(map, (fr_rect){1 + ROOM, top, PASSAGE, width}, 1);
        snprintf(name, sizeof name, "s06-narrow-%d", width);
        write_map(d, name, map);
        snprintf(rest, sizeof rest, "'doors': [{'name': 'passage', 'line': [35, %d, 35, %d]}]", top,
                 top + width);
        scene(d, name, NULL, 2700,
              "{'name': 'right', 'team': 0, 'count': 16, 'area': [7, 7, 12, 12]},\n    "
              "{'name': 'left', 'team': 1, 'count': 16, 'area': [51, 7, 12, 12]}",
              "{'tick': 0, 'group': 'right', 'order': 'move', 'goal': [57, 13]},\n    "
              "{'tick': 0, 'group': 'left', 'order': 'move', 'goal': [13, 13]}",
              rest);
    }
}

/* Five groups at the corners of a pentagon, each ordered to the second next corner. */
static void make_five(desk *d)
{
    static const char *const x[] = {"80", "137.06", "115.27", "44.73", "22.94"};
    static const char *const y[] = {"20", "61.46", "128.54", "128.54", "61.46"};
    static const char *const left[] = {"73", "130.06", "108.27", "37.73", "15.94"};
    static const char *const top[] = {"13", "54.46", "121.54", "121.54", "54.46"};
    static const char *const names[] = {"north", "east", "southeast", "southwest", "west"};
    char groups[640] = "", orders[640] = "";
    size_t groups_used = 0, orders_used = 0;
    for (int i = 0; i < 5; i++) {
        int to = (i + 2) % 5;
        groups_used +=
            (size_t)snprintf(groups + groups_used, sizeof groups - groups_used,
                             "%s{'name': '%s', 'team': %d, 'count': 100, 'area': [%s, %s, 14, 14]}",
                             i > 0 ? ",\n    " : "", names[i], i, left[i], top[i]);
        orders_used += (size_t)snprintf(orders + orders_used, sizeof orders - orders_used,
                                        "%s{'tick': 0, 'group': '%s', 'order': 'move', 'goal': [%s, %s]}",
                                        i > 0 ? ",\n    " : "", names[i], x[to], y[to]);
    }
    write_map(d, "s10-five", fr_scene_map(160, 160));
    scene(d, "s10-five", NULL, 2400, groups, orders, NULL);
}

/* --- ground, buildings, friends, sizes, numbers: S7 to S9, S11, S12 --------------------------------- */

static void make_convoy(desk *d)
{
    fr_buffer groups = {0}, rows = {0};
    fr_buffer_printf(&groups, "{'name': 'convoy', 'noise': 0.05, 'units': [\n");
    for (int y = 0; y < 20; y++) {
        fr_buffer_printf(&groups, "      ");
        for (int x = 0; x < 10; x++) {
            fr_buffer_printf(&groups, "[%d.5, %d.5]%s", 8 + x, 54 + y, x < 9 ? ", " : "");
        }
        fr_buffer_printf(&groups, y < 19 ? ",\n" : "]}");
    }
    fr_buffer_append(&groups, "", 1);
    fr_map *map = fr_scene_convoy();
    fr_write_rows(map, &rows);
    fr_buffer_append(&rows, "", 1);
    fr_map_destroy(map);
    scene(d, "s07-convoy", (const char *)rows.data, 5400, (const char *)groups.data,
          "{'tick': 0, 'group': 'convoy', 'order': 'move', 'goal': [236, 64]}", NULL);
    fr_buffer_fini(&rows);
    fr_buffer_fini(&groups);
}

/* A building falls on the crowd on its way, and goes again. */
static void make_building(desk *d)
{
    scene(d, "s08-building", OPEN_MAP, 2700, "{'name': 'blue', 'count': 1000, " START_BOX "}",
          "{'tick': 0, 'group': 'blue', 'order': 'move', 'goal': [150, 50]},\n    "
          "{'tick': 300, 'order': 'set_cost', 'rect': [92, 40, 20, 20], 'cost': 255},\n    "
          "{'tick': 750, 'order': 'restore_cost', 'rect': [92, 40, 20, 20]}",
          NULL);
}

#define SETTLERS                                                                                             \
    "{'name': 'settlers', 'count': 200, 'area': [100, 40, 20, 20]},\n    "                                   \
    "{'name': 'newcomers', 'count': 200, " START_BOX "}"
#define SETTLE  "{'tick': 0, 'group': 'settlers', 'order': 'move', 'goal': [150, 50]},\n    "
#define COME(x) "{'tick': 600, 'group': 'newcomers', 'order': 'move', 'goal': [" #x ", 50]}"

/* Friends have settled at the goal of those who come later, or before it. */
static void make_occupied(desk *d)
{
    scene(d, "s09-occupied", OPEN_MAP, 3600, SETTLERS, SETTLE COME(150), NULL);
    scene(d, "s09-behind", OPEN_MAP, 3600, SETTLERS, SETTLE COME(170), NULL);
    scene(d, "s09-hold", OPEN_MAP, 3600, SETTLERS,
          SETTLE "{'tick': 590, 'group': 'settlers', 'order': 'hold'},\n    " COME(150), NULL);
}

static void make_mixed(desk *d)
{
    scene(d, "s11-mixed", OPEN_MAP, 3600,
          "{'name': 'large', 'count': 50, " START_BOX ", 'radius': 0.9, 'speed': 2.5},\n    "
          "{'name': 'middle', 'count': 150, " START_BOX ", 'radius': 0.55, 'speed': 3.2},\n    "
          "{'name': 'small', 'count': 300, " START_BOX ", 'radius': 0.35, 'speed': 4.5}",
          "{'tick': 0, 'group': 'large', 'order': 'move', 'goal': [150, 50]},\n    "
          "{'tick': 0, 'group': 'middle', 'order': 'move', 'goal': [150, 50]},\n    "
          "{'tick': 0, 'group': 'small', 'order': 'move', 'goal': [150, 50]}",
          NULL);
}

/* A block as dense as a lattice of pitch 1.15 in the lower left. */
static void make_scale(desk *d)
{
    fr_write_ring_map(512, 512, &d->bytes);
    finish(d, "s12-512x512.tmj");
    scene(d, "s12-10k", "'s12-512x512.tmj'", 9000,
          "{'name': 'blue', 'count': 10000, 'area': [10, 387, 115, 115]}",
          "{'tick': 0, 'group': 'blue', 'order': 'move', 'goal': [384, 128]}", NULL);
    fr_write_ring_map(1024, 1024, &d->bytes);
    finish(d, "s12-1024x1024.tmj");
    scene(d, "s12-100k", "'s12-1024x1024.tmj'", 18000,
          "{'name': 'blue', 'count': 100000, 'area': [10, 650, 364, 364]}",
          "{'tick': 0, 'group': 'blue', 'order': 'move', 'goal': [768, 256]}", NULL);
}

fr_status fr_make_scenes(const fr_io *io, const char *folder, fr_error *error)
{
    desk d = {.io = io, .folder = folder, .status = FR_OK, .error = error};
    make_open(&d);
    make_doors(&d);
    make_trap(&d);
    make_mazes(&d);
    make_circles(&d);
    make_corridor(&d);
    make_narrow(&d);
    make_convoy(&d);
    make_building(&d);
    make_occupied(&d);
    make_five(&d);
    make_mixed(&d);
    make_scale(&d);
    fr_buffer_fini(&d.bytes);
    return d.status;
}
