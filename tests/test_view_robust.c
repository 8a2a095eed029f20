/* What must not break the view: windows and maps of any size, missing fonts and images, odd text, lost
 * textures; and what it tells the app about its panels. */
#include "view_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "view/image.h"
#include "view/panel.h"
#include "view/tiles.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const fr_help_line HELP[] = {{"F1", "cost", "cost"}, {"F10", "help", "help"}, {"Wheel", "zoom", NULL}};

typedef struct warnings {
    int count;
    char last[512];
} warnings;

static void count_warning(void *self, const char *line)
{
    warnings *seen = self;
    seen->count++;
    snprintf(seen->last, sizeof seen->last, "%s", line);
}

static void test_any_window_any_map_any_zoom(void **state)
{
    (void)state;
    static const struct {
        int32_t map_width, map_height;
        int width_px, height_px;
        fr_camera camera;
    } table[] = {
        {1, 1, 1, 1, {0.5, 0.5, 20.0}},          {1, 1, 200, 100, {0.5, 0.5, 96.0}},
        {8192, 1, 300, 200, {4000.0, 0.5, 0.5}}, {8192, 1, 120, 90, {8192.0, 1.0, 30.0}},
        {1, 8192, 200, 300, {0.5, 10.0, 3.0}},   {1500, 12, 300, 100, {700.0, 6.0, 1.5}},
        {20, 16, 2, 900, {-1e9, 1e9, 12.0}},     {20, 16, 900, 3, {(double)NAN, 5.0, (double)NAN}},
        {20, 16, 200, 100, {10.0, 8.0, 1e300}},  {20, 16, 200, 100, {10.0, 8.0, -4.0}},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        test_scene scene;
        scene_begin(&scene, patchwork_map(table[i].map_width, table[i].map_height), table[i].width_px,
                    table[i].height_px);
        scene_add_units(&scene, 30, 6, 0.5, 0.5, 0.9);
        scene.state.camera = table[i].camera;
        scene.state.overlays = FR_OVERLAY_COST | FR_OVERLAY_INTEGRATION | FR_OVERLAY_ARROWS;
        scene.state.help = HELP;
        scene.state.help_count = 3;
        scene.state.help_page = 1;
        scene.state.message = "a message longer than most of these windows are wide, to be cut";
        scene.state.has_marker = scene.state.has_probe = scene.state.marker_unreachable = true;
        scene.state.marker = fr_position_at(-3.0, 99.0);
        scene.state.dragging = true;
        scene.state.drag_px[2] = 1e6f;
        fr_view *view = scene_view(&scene);
        uint64_t first = scene_draw(&scene, view);
        assert_true(scene_draw(&scene, view) == first);
        fr_view_destroy(view);
        scene_end(&scene);
    }
}

/* Every two of them, with numbers in the cells and without: what one has read the other must not draw. */
static void test_overlays_together(void **state)
{
    (void)state;
    for (int a = 0; a < FR_OVERLAY_COUNT; a++) {
        for (int b = a; b < FR_OVERLAY_COUNT; b++) {
            test_scene scene;
            scene_begin(&scene, patchwork_map(30, 20), 300, 200);
            fr_view *view = scene_view(&scene);
            scene.state.overlays = 1u << a | 1u << b;
            for (int zoom = 0; zoom < 2; zoom++) {
                scene.state.camera = (fr_camera){15.0, 10.0, zoom == 0 ? 60.0 : 8.0};
                scene_draw(&scene, view);
            }
            fr_view_destroy(view);
            scene_end(&scene);
        }
    }
}

static void test_a_window_that_is_resized(void **state)
{
    (void)state;
    test_scene scene;
    scene_begin(&scene, patchwork_map(30, 20), 400, 300);
    fr_view *view = scene_view(&scene);
    scene.state.overlays = FR_OVERLAY_COST;
    for (int size = 1; size < 400; size += 57) {
        scene.state.width_px = size;
        scene.state.height_px = 300 - size / 2;
        scene_draw(&scene, view);
    }
    scene.state.width_px = 400;
    scene.state.height_px = 300;
    uint64_t again = scene_draw(&scene, view);
    fr_view *fresh = scene_view(&scene);
    assert_true(scene_draw(&scene, fresh) == again);
    fr_view_destroy(fresh);
    fr_view_destroy(view);
    scene_end(&scene);
}

static void test_crowds_of_all_teams_and_sizes(void **state)
{
    (void)state;
    test_scene scene;
    scene_begin(&scene, open_map(40, 30), 320, 240);
    scene_add_units(&scene, 120, 20, 1.0, 1.0, 1.9);
    for (int32_t i = 0; i < 120; i++) {
        ((uint8_t *)(uintptr_t)scene.snapshot.team)[i] = (uint8_t)(i % 3 * 9); /* also beyond FR_TEAMS_MAX */
        ((float *)(uintptr_t)scene.snapshot.radius)[i] = 0.1f + (float)(i % 4) * 0.5f;
    }
    fr_view *view = scene_view(&scene);
    uint8_t selected[120];
    for (int i = 0; i < 120; i++) {
        selected[i] = i % 2 == 0; /* more looks than a sheet has room for at first */
    }
    scene.state.selected = selected;
    static const double zooms[] = {4.0, 12.0, 40.0, 4.0};
    uint64_t first = 0;
    for (size_t i = 0; i < COUNT(zooms); i++) {
        scene.state.camera.zoom = zooms[i];
        scene.state.complete = true;
        uint64_t hash = scene_draw(&scene, view);
        first = i == 0 ? hash : first;
        assert_true(i + 1 < COUNT(zooms) || hash == first);
    }
    fr_view_destroy(view);
    scene_end(&scene);
}

static void test_a_font_that_is_not_there_is_one_warning(void **state)
{
    (void)state;
    test_scene scene;
    scene_begin(&scene, open_map(20, 15), 640, 480);
    warnings seen = {0};
    const fr_view_config config = {.data_dir = "assets", .font_path = "no/such/font.ttf", .ui_scale = 1.0f};
    fr_view *view = fr_view_create(scene.renderer, scene.map, &config, count_warning, &seen);
    assert_int_equal(seen.count, 1);
    assert_non_null(strstr(seen.last, "no/such/font.ttf"));
    scene_draw(&scene, view);
    fr_view_destroy(view);
    scene_end(&scene);
}

static void test_text_of_any_bytes(void **state)
{
    (void)state;
    test_scene scene;
    scene_begin(&scene, open_map(4, 4), 64, 64);
    fr_canvas *canvas = fr_canvas_create(scene.renderer);
    fr_text *text = fr_text_create(canvas, NULL, "assets", 1.0f, NULL, NULL);
    int column = fr_text_column_px(text, FR_TEXT_PLAIN);
    assert_in_range(column, 5, 9);
    static const struct {
        const char *text;
        int columns;
    } table[] = {{"", 0},         {"abc", 3},      {"\xc3\xa4\xd0\x96", 2},
                 {"\xff\xfe", 2}, {"\xe2\x82", 2}, {"\x01\x7f", 2}};
    fr_draw_list list = {0};
    for (size_t i = 0; i < COUNT(table); i++) {
        float width = fr_text_width(text, FR_TEXT_PLAIN, table[i].text);
        assert_true(width == (float)(table[i].columns * column));
        assert_true(fr_text_draw(text, &list, FR_TEXT_PLAIN, FR_TEXT_MUTED, 0.0f, 0.0f, table[i].text) ==
                    width);
    }
    /* More letters than the atlas holds: it begins anew, and goes on. */
    for (uint32_t code = 0x100; code < 0x560; code++) {
        const char letter[3] = {(char)(0xc0 | code >> 6), (char)(0x80 | (code & 0x3f)), 0};
        fr_text_draw(text, &list, FR_TEXT_BOLD, FR_TEXT_BRIGHT, 0.0f, 0.0f, letter);
    }
    fr_canvas_draw(canvas, &list);
    fr_draw_list_fini(&list);
    fr_text_destroy(text);
    fr_canvas_destroy(canvas);
    scene_end(&scene);
}

static void test_panels_and_minimap_for_the_mouse(void **state)
{
    (void)state;
    test_scene scene;
    scene_begin(&scene, open_map(256, 192), 1280, 720);
    scene.state.help = HELP;
    scene.state.help_count = 3;
    fr_view *view = scene_view(&scene);
    fr_panel_rect panels[8];
    int count = fr_view_panels(view, &scene.state, panels, 8);
    assert_int_equal(count, 3);
    scene.state.help_page = 1;
    assert_int_equal(fr_view_panels(view, &scene.state, panels, 8), 4);
    assert_int_equal(fr_view_panels(view, &scene.state, NULL, 0), 4);
    const fr_panel_rect *minimap = NULL;
    for (int i = 0; i < 4; i++) {
        minimap = panels[i].panel == FR_PANEL_MINIMAP ? &panels[i] : minimap;
    }
    assert_non_null(minimap);
    fr_position middle =
        fr_view_minimap_position(view, &scene.state, (float)minimap->x + (float)minimap->width / 2.0f,
                                 (float)minimap->y + (float)minimap->height / 2.0f);
    assert_true(fabs(fr_cells(middle.x) - 128.0) < 2.0 && fabs(fr_cells(middle.y) - 96.0) < 2.0);
    fr_position corner = fr_view_minimap_position(view, &scene.state, -1e9f, 1e9f);
    assert_int_equal(corner.x, 0);
    assert_true(fr_cells(corner.y) <= 192.0 && fr_cells(corner.y) > 191.9);
    scene.state.help_page = 0;
    assert_int_equal(fr_view_movement_row(view, &scene.state, 1100.0f, 60.0f), -1); /* not open */
    scene.state.movement_open = true;
    assert_int_equal(fr_view_panels(view, &scene.state, panels, 8), 4);
    fr_panel_rect movement = panels[3];
    assert_int_equal(movement.panel, FR_PANEL_MOVEMENT);
    int last = -1, rows = 0;
    for (int y = movement.y; y < movement.y + movement.height; y++) {
        int row = fr_view_movement_row(view, &scene.state, (float)movement.x + 1.0f, (float)y);
        assert_int_equal(fr_view_movement_row(view, &scene.state, (float)movement.x - 1.0f, (float)y), -1);
        rows += row > last;
        last = row;
    }
    assert_int_equal(rows, 1 + FR_MECHANISM_COUNT);
    assert_int_equal(last, -1); /* the text below the rows is none */
    uint64_t all_on = scene_draw(&scene, view);
    scene.state.without = FR_MECHANISM_QUEUE;
    assert_true(scene_draw(&scene, view) != all_on);
    scene.state.movement_open = false; /* the numbers say that something is off */
    uint64_t one_off = scene_draw(&scene, view);
    scene.state.without = 0;
    assert_true(scene_draw(&scene, view) != one_off);
    fr_view_destroy(view);
    scene_end(&scene);
}

/* A sheet of one tile of 2 x 2 pixels: red, green / blue, white. */
static void write_sheet(const char *path)
{
    SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormat(0, 2, 2, 32, SDL_PIXELFORMAT_ARGB8888);
    assert_non_null(surface);
    static const uint32_t pixels[2][2] = {{0xffff0000u, 0xff00ff00u}, {0xff0000ffu, 0xffffffffu}};
    for (int y = 0; y < 2; y++) {
        memcpy((char *)surface->pixels + y * surface->pitch, pixels[y], sizeof pixels[y]);
    }
    assert_int_equal(SDL_SaveBMP(surface, path), 0);
    SDL_FreeSurface(surface);
}

/* `counted`: the tileset states how many tiles its image has, as newer files do. One layer that shows a tile
 * in each way it can be turned; the last gid is defined by no tileset. */
static fr_map *tiled_map(const char *image, bool counted)
{
    static const uint32_t gids[] = {
        0, 1, 1 | FR_GID_FLIP_H, 1 | FR_GID_FLIP_V, 1 | FR_GID_FLIP_D, 1 | FR_GID_FLIP_D | FR_GID_FLIP_H, 7};
    fr_map *map = open_map((int32_t)COUNT(gids), 1);
    map->tile_width_px = map->tile_height_px = 2;
    map->layer_count = map->tileset_count = 1;
    map->layers = fr_alloc(1, sizeof *map->layers);
    map->layers[0] = (fr_tile_layer){fr_strdup("ground"), fr_alloc(COUNT(gids), sizeof(uint32_t)), 1.0f};
    memcpy(map->layers[0].gids, gids, sizeof gids);
    map->tilesets = fr_alloc(1, sizeof *map->tilesets);
    map->tilesets[0] = (fr_tileset){.name = fr_strdup("sheet"),
                                    .first_gid = 1,
                                    .image = fr_strdup(image),
                                    .tile_width_px = 2,
                                    .tile_height_px = 2,
                                    .columns = counted ? 1 : 0,
                                    .tile_count = counted ? 1 : 0};
    return map;
}

static void check_turned_tiles(fr_map *map)
{
    warnings seen = {0};
    fr_tiles *tiles = fr_tiles_create(map, count_warning, &seen);
    assert_non_null(tiles);
    assert_int_equal(seen.count, 0);
    uint32_t pixels[2][14] = {{0}};
    fr_raster raster = {pixels[0], 14, 0, 0, 14, 2};
    fr_tiles_paint(tiles, 2.0, &raster, (fr_rect){0, 0, 7, 1});
    /* r g    g r    b w    r b    b r
     * b w    w b    r g    g w    w g */
    static const char *const expected[2] = {"..rggrbwrbbr", "..bwwbrggwwg"};
    for (int y = 0; y < 2; y++) {
        char shown[13] = {0};
        for (int x = 0; x < 12; x++) {
            uint32_t p = pixels[y][x];
            shown[x] = p == 0xffff0000u   ? 'r'
                       : p == 0xff00ff00u ? 'g'
                       : p == 0xff0000ffu ? 'b'
                       : p == 0           ? '.'
                                          : 'w';
        }
        assert_string_equal(shown, expected[y]);
    }
    assert_int_not_equal(pixels[0][12], 0); /* an undefined tile is seen */
    assert_int_equal(fr_tiles_cell_color(tiles, 0, 0, 0xff123456u), 0xff123456u);
    assert_int_equal(fr_tiles_cell_color(tiles, 1, 0, 0xff123456u) & 0xff000000u, 0xff000000u);
    fr_tiles_destroy(tiles);
    fr_map_destroy(map);
}

static void test_tiles_are_turned_as_in_the_editor(void **state)
{
    (void)state;
    char folder[] = "/tmp/freshet-sheet-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/sheet.bmp", folder);
    write_sheet(path);
    check_turned_tiles(tiled_map(path, true));
    check_turned_tiles(tiled_map(path, false));
    unlink(path);
    rmdir(folder);
}

/* Of a file that is not there the loader of the map has told; of one that is no picture nobody has. */
static void test_a_bad_image_is_one_warning_and_flat_ground(void **state)
{
    (void)state;
    char folder[] = "/tmp/freshet-sheet-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/sheet.bmp", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs("no picture", file);
    fclose(file);
    const struct {
        const char *image;
        int warnings;
    } cases[] = {{"no/such/sheet.bmp", 0}, {path, 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        test_scene scene;
        scene_begin(&scene, tiled_map(cases[i].image, true), 112, 16);
        warnings seen = {0};
        const fr_view_config config = {.data_dir = "assets", .ui_scale = 1.0f};
        fr_view *view = fr_view_create(scene.renderer, scene.map, &config, count_warning, &seen);
        assert_int_equal(seen.count, cases[i].warnings);
        assert_true(seen.count == 0 || strstr(seen.last, path) != NULL);
        scene_draw(&scene, view);
        assert_int_equal(scene_pixel(&scene, 4, 8), scene_pixel(&scene, 40, 8));
        fr_view_destroy(view);
        scene_end(&scene);
    }
    unlink(path);
    rmdir(folder);
}

static void test_images_are_read(void **state)
{
    (void)state;
    char folder[] = "/tmp/freshet-image-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/sheet.bmp", folder);
    write_sheet(path);
    fr_error error = {{0}};
    fr_image image = {0};
    assert_int_equal(fr_image_load(path, &image, &error), FR_OK);
    assert_int_equal(image.width, 2);
    assert_int_equal(image.height, 2);
    assert_int_equal(image.pixels[1], 0xff00ff00u);
    assert_int_equal(image.pixels[2], 0xff0000ffu);
    fr_image_fini(&image);
    unlink(path);
    assert_int_not_equal(fr_image_load(path, &image, &error), FR_OK);
    assert_non_null(strstr(error.message, path));
    assert_null(image.pixels);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_window_any_map_any_zoom),
        cmocka_unit_test(test_overlays_together),
        cmocka_unit_test(test_a_window_that_is_resized),
        cmocka_unit_test(test_crowds_of_all_teams_and_sizes),
        cmocka_unit_test(test_a_font_that_is_not_there_is_one_warning),
        cmocka_unit_test(test_text_of_any_bytes),
        cmocka_unit_test(test_panels_and_minimap_for_the_mouse),
        cmocka_unit_test(test_tiles_are_turned_as_in_the_editor),
        cmocka_unit_test(test_a_bad_image_is_one_warning_and_flat_ground),
        cmocka_unit_test(test_images_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
