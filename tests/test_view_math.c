/* The view's arithmetic: camera, pixels and cells, outlines, layout, draw lists. No window is opened. */
#include "view_scene.h"

#include <math.h>

#include "view/atlas.h"
#include "view/heat.h"
#include "view/hud.h"
#include "view/layout.h"
#include "view/legend.h"
#include "view/painter.h"
#include "view/palette.h"
#include "view/pixel.h"
#include "view/shape.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void test_camera_follows_the_formula(void **state)
{
    (void)state;
    const fr_camera camera = {10.5, 20.25, 16.0};
    double x, y;
    fr_camera_to_screen(camera, 1280, 720, 12.5, 20.25, &x, &y);
    assert_true(x == 640.0 + 32.0 && y == 360.0);
    fr_camera_to_world(camera, 1280, 720, x, y, &x, &y);
    assert_true(x == 12.5 && y == 20.25);
}

static void test_zoom_keeps_the_point_under_the_cursor(void **state)
{
    (void)state;
    static const double factors[] = {1.25, 0.8, 1e9, 1e-9};
    for (size_t i = 0; i < COUNT(factors); i++) {
        fr_camera before = {33.0, 44.0, 12.0},
                  after = fr_camera_zoom_at(before, 800, 600, 123.0, 456.0, factors[i]);
        double x0, y0, x1, y1;
        fr_camera_to_world(before, 800, 600, 123.0, 456.0, &x0, &y0);
        fr_camera_to_world(after, 800, 600, 123.0, 456.0, &x1, &y1);
        assert_true(fabs(x0 - x1) < 1e-9 && fabs(y0 - y1) < 1e-9);
        assert_true(after.zoom >= FR_ZOOM_MIN && after.zoom <= FR_ZOOM_MAX);
    }
}

static void test_camera_is_kept_on_the_map(void **state)
{
    (void)state;
    const fr_grid grid = {40, 30};
    fr_camera camera = fr_camera_clamp((fr_camera){-5.0, 99.0, 16.0}, grid);
    assert_true(camera.x == 0.0 && camera.y == 30.0 && camera.zoom == 16.0);
    camera = fr_camera_clamp((fr_camera){(double)NAN, (double)INFINITY, (double)NAN}, grid);
    assert_true(camera.x == 0.0 && camera.y == 30.0 && camera.zoom == FR_ZOOM_MIN);
}

static void test_visible_cells_are_clipped(void **state)
{
    (void)state;
    const fr_grid grid = {40, 30};
    static const struct {
        fr_camera camera;
        fr_rect cells;
    } table[] = {
        {{20.0, 15.0, 10.0}, {15, 10, 10, 10}}, /* 100 x 100 pixels show 10 x 10 cells */
        {{20.5, 15.0, 10.0}, {15, 10, 11, 10}}, /* half a cell on each side counts */
        {{0.0, 0.0, 10.0}, {0, 0, 5, 5}},       {{20.0, 15.0, 0.5}, {0, 0, 40, 30}},
        {{-500.0, 15.0, 10.0}, {0, 10, 0, 10}},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        fr_rect cells = fr_camera_cells(table[i].camera, 100, 100, grid);
        assert_memory_equal(&cells, &table[i].cells, sizeof cells);
    }
}

static void test_every_pixel_belongs_to_one_cell(void **state)
{
    (void)state;
    static const double zooms[] = {0.5, 0.77, 1.0, 2.5, 3.0, 17.3, 20.0, 96.0};
    for (size_t i = 0; i < COUNT(zooms); i++) {
        for (int px = 0; px < 1000; px++) {
            int32_t cell = fr_cell_of_px(zooms[i], px);
            assert_true(fr_cell_edge_px(zooms[i], cell) <= px && px < fr_cell_edge_px(zooms[i], cell + 1));
        }
    }
}

static void test_colors_mix(void **state)
{
    (void)state;
    assert_int_equal(fr_argb_mix(0xff204060u, 0xff60c020u, 0), 0xff204060u);
    assert_int_equal(fr_argb_mix(0xff204060u, 0xff60c020u, 256), 0xff60c020u);
    assert_int_equal(fr_argb_mix(0xff204060u, 0xff60c020u, 128), 0xff408040u);
    assert_int_equal(fr_argb_over(0u, 0xff123456u, 256), 0xff123456u);
    assert_int_equal(fr_argb_over(0u, 0xff123456u, 0), 0u);
    /* Half over nothing keeps the colour and is half there. */
    assert_int_equal(fr_argb_over(0u, 0xff123456u, 128) & 0xffffffu, 0x123456u);
    assert_in_range(fr_argb_over(0u, 0xff123456u, 128) >> 24, 126, 128);
    assert_int_equal(fr_coverage(-2.0f), 256);
    assert_int_equal(fr_coverage(0.0f), 128);
    assert_int_equal(fr_coverage(2.0f), 0);
}

static void test_teams_and_heat_can_be_told_apart(void **state)
{
    (void)state;
    for (int a = 0; a < FR_TEAMS_MAX; a++) {
        for (int b = 0; b < a; b++) {
            assert_int_not_equal(fr_palette_team(a).body, fr_palette_team(b).body);
        }
    }
    uint32_t last = 0;
    for (int i = 0; i <= 10; i++) {
        uint32_t color = fr_palette_viridis((float)i / 10.0f);
        /* Viridis grows brighter all the way; green carries most of it. */
        assert_true((color >> 8 & 0xffu) > last);
        last = color >> 8 & 0xffu;
    }
    assert_int_not_equal(fr_heat_cost_color(1), fr_heat_cost_color(2));
}

static void test_facings_go_clockwise_from_east(void **state)
{
    (void)state;
    for (int i = 0; i < FR_FACINGS; i++) {
        for (int off = -1; off <= 1; off++) {
            double turn = (i + off * 0.45) * 2.0 * 3.14159265358979 / FR_FACINGS;
            assert_int_equal(fr_facing_of((fr_vec2){(float)cos(turn), (float)sin(turn)}), i);
        }
    }
    assert_int_equal(fr_facing_of((fr_vec2){0.0f, 0.0f}), 0);
}

static void test_sprite_sizes_are_near_enough(void **state)
{
    (void)state;
    for (float radius = FR_SPRITE_RADIUS_MIN; radius < 39.0f; radius += 0.37f) {
        assert_true(fabsf(fr_atlas_radius(fr_atlas_size(radius)) / radius - 1.0f) < 0.041f);
    }
    assert_int_equal(fr_atlas_size(0.0f), 0);
    assert_int_equal(fr_atlas_size(1e6f), FR_SPRITE_SIZES - 1);
}

/* Outline of the middle cells of a 5 x 5 picture, sampled on a raster of 4 x 4 points a cell over 3 x 3
 * cells. */
static void draw_outline(const char *const *cells, float radius, char out[12][13])
{
    uint32_t body = 0;
    for (int y = 0; y < 5; y++) {
        for (int x = 0; x < 5; x++) {
            body |= cells[y][x] == '#' ? FR_AROUND_BIT(x - 2, y - 2) : 0;
        }
    }
    fr_shape shape;
    fr_shape_build(&shape, body, body, radius);
    for (int j = 0; j < 12; j++) {
        float squares[12];
        fr_shape_squares(&shape, -0.875f, 0.25f, -0.875f + 0.25f * (float)j, 12, squares);
        for (int i = 0; i < 12; i++) {
            out[j][i] = squares[i] < radius * radius ? '#' : '.';
        }
        out[j][12] = '\0';
    }
}

static void test_outlines_round_outer_corners_only(void **state)
{
    (void)state;
    static const struct {
        const char *cells[5], *expected[12];
    } table[] = {
        {{".....", ".....", "..#..", ".....", "....."},
         {"............", "............", "............", "............", ".....##.....", "....####....",
          "....####....", ".....##.....", "............", "............", "............", "............"}},
        {{".....", ".....", "..##.", "..#..", "....."},
         {"............", "............", "............", "............", ".....#######", "....########",
          "....########", "....#######.", "....####....", "....####....", "....####....", ".....##....."}},
    };
    for (size_t t = 0; t < COUNT(table); t++) {
        char out[12][13];
        draw_outline(table[t].cells, 0.45f, out);
        for (int j = 0; j < 12; j++) {
            /* The right end of the second picture is a corner outside the 3 x 3 cells' certainty: not
             * compared. */
            out[j][11] = table[t].expected[j][11];
            assert_string_equal(out[j], table[t].expected[j]);
        }
    }
}

static const fr_metrics METRICS = {1.0f, 7, 8};
static const fr_help_line HELP[] = {
    {"F1", "cost", "cost"}, {"S", "stop", NULL}, {"Space", "pause it", "pause"}};

static bool in_the_middle(fr_rect box, int width, int height)
{
    return box.width > 0 && box.x < width - width / 5 && box.x + box.width > width / 5 &&
           box.y < height - height / 5 && box.y + box.height > height / 5;
}

static void test_panels_keep_out_of_the_middle(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1280, 720}, {1920, 1080}, {800, 600}, {640, 480},  {320, 200},
                                   {100, 1000}, {1000, 100},  {1, 1},     {7680, 4320}};
    static const float scales[] = {0.5f, 1.0f, 2.0f, 4.0f};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        for (size_t k = 0; k < COUNT(scales); k++) {
            int width = sizes[i][0], height = sizes[i][1];
            fr_metrics metrics = {scales[k], (int)(7.0f * scales[k]), (int)(8.0f * scales[k])};
            fr_view_state view_state = {
                .width_px = width, .height_px = height, .help = HELP, .help_count = 3, .overlays = 0x1ff};
            fr_layout layout = fr_layout_make(&metrics, &view_state, (fr_grid){256, 192});
            const fr_rect boxes[] = {layout.hud, layout.minimap, layout.bar, layout.legend};
            for (size_t b = 0; b < COUNT(boxes); b++) {
                assert_false(in_the_middle(boxes[b], width, height));
                assert_true(boxes[b].width == 0 ||
                            (boxes[b].x >= 0 && boxes[b].y >= 0 && boxes[b].x + boxes[b].width <= width &&
                             boxes[b].y + boxes[b].height <= height));
            }
            assert_int_equal(layout.help.box.width, 0);
        }
    }
}

static void test_the_default_window_shows_all_panels(void **state)
{
    (void)state;
    fr_view_state view_state = {
        .width_px = 1280, .height_px = 720, .help = HELP, .help_count = 3, .help_page = 1};
    fr_layout layout = fr_layout_make(&METRICS, &view_state, (fr_grid){256, 192});
    assert_int_equal(layout.hud_rows, FR_HUD_ROWS_MAX);
    assert_int_equal(layout.bar_items, 2);
    assert_true(layout.minimap.width > 0);
    assert_int_equal(layout.help.columns * layout.help.rows >= 3, 1);
    assert_true(layout.help.box.x > 0 && layout.help.box.y > 0);
}

/* Too narrow for all of its lines, the bar keeps the last, which is the help's, and then the first ones. */
static void test_the_bar_keeps_its_last_line(void **state)
{
    (void)state;
    static const fr_help_line help[] = {{"Left drag", "select units; Shift adds", "select"},
                                        {"S", "stop", NULL},
                                        {"F1", "cost", "cost"},
                                        {"F10, ?", "help", "help"},
                                        {"F11", "fullscreen", NULL}};
    static const struct {
        int width, items, lines[3];
    } cases[] = {{1280, 3, {0, 2, 3}}, {360, 2, {0, 3}}, {240, 1, {3}}, {100, 0, {0}}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_view_state view_state = {
            .width_px = cases[i].width, .height_px = 400, .help = help, .help_count = 5};
        fr_layout layout = fr_layout_make(&METRICS, &view_state, (fr_grid){256, 192});
        assert_int_equal(layout.bar_items, cases[i].items);
        assert_int_equal(layout.bar.width > 0, cases[i].items > 0);
        for (int k = 0; k < cases[i].items; k++) {
            assert_int_equal(layout.bar_lines[k], cases[i].lines[k]);
        }
    }
}

static void test_text_breaks_between_words(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int columns, bytes;
    } cases[] = {{"one two", 7, 7},  {"one two", 6, 4},   {"one two", 3, 4}, {"one two", 2, 2},
                 {"", 5, 0},         {"seventeen", 4, 4}, {"a b c d", 5, 6}, {"\xc3\xa4\xc3\xb6 x", 2, 5},
                 {"\xc3\xa4x", 0, 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(fr_text_break(cases[i].text, cases[i].columns), cases[i].bytes);
    }
}

/* Every line of help, on one page or another, inside the panel, and the panel inside the window: whatever the
 * window's size and the scale. */
static void test_help_fits_any_window(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1280, 720}, {640, 400},  {320, 240},
                                   {400, 1200}, {2560, 300}, {1920, 1080}};
    static const float scales[] = {0.5f, 1.0f, 2.0f, 4.0f};
    fr_help_line help[40];
    for (size_t i = 0; i < COUNT(help); i++) {
        help[i] = (fr_help_line){
            i % 3 == 0 ? "F11, Alt+Enter" : "F1",
            i % 7 == 0 ? "move there; held: see the way; nothing selected: probe goal" : "cost", NULL};
    }
    for (size_t i = 0; i < COUNT(sizes); i++) {
        for (size_t k = 0; k < COUNT(scales); k++) {
            fr_view_state view_state = {.width_px = sizes[i][0],
                                        .height_px = sizes[i][1],
                                        .help = help,
                                        .help_count = COUNT(help),
                                        .help_page = 99,
                                        .movement_open = true};
            fr_metrics metrics = {scales[k], (int)(7.0f * scales[k]), (int)(8.0f * scales[k])};
            fr_layout whole = fr_layout_make(&metrics, &view_state, (fr_grid){256, 192});
            fr_help_layout layout = whole.help;
            fr_rect box = layout.box;
            assert_int_equal(layout.page, layout.pages);
            assert_true(layout.pages >= 1 && layout.pages <= (int)COUNT(help) * 8);
            assert_true(box.x >= 0 && box.y >= 0 && box.x + box.width <= sizes[i][0] &&
                        box.y + box.height <= sizes[i][1]);
            const fr_rect others[] = {whole.hud, whole.minimap, whole.bar, whole.movement};
            for (size_t o = 0; o < COUNT(others); o++) {
                fr_rect common = fr_rect_intersect(others[o], box);
                assert_true(common.width <= 0 || common.height <= 0);
            }
            if (sizes[i][0] >= 320 * (int)scales[k] && sizes[i][1] >= 240 * (int)scales[k]) {
                int key_px = 14 * metrics.bold_column_px;
                assert_true(layout.columns * layout.column_px <= box.width);
                assert_true(layout.stacked || layout.key_px >= key_px);
                assert_true(layout.text_columns >= 16);
                assert_true((layout.rows + 1) * layout.line_px <= box.height);
            }
        }
    }
    fr_view_state normal = {
        .width_px = 1280, .height_px = 720, .help = help, .help_count = COUNT(help), .help_page = 1};
    assert_int_equal(fr_layout_make(&METRICS, &normal, (fr_grid){256, 192}).help.pages, 1);
}

/* Each overlay has its line, the one that is seen first of all where there is no room for more. */
static void test_the_legend(void **state)
{
    (void)state;
    static const struct {
        int width, height;
        float scale;
        unsigned overlays;
        int rows;
    } cases[] = {{1280, 720, 1.0f, 0, 0},     {1280, 720, 1.0f, 0x001, 1}, {1280, 720, 1.0f, 0x103, 3},
                 {1280, 720, 1.0f, 0x1ff, 5}, {640, 400, 1.0f, 0x1ff, 1},  {1280, 720, 2.0f, 0x1ff, 1},
                 {1280, 720, 1.0f, 0x046, 3}, {640, 400, 1.0f, 0x002, 1},  {640, 400, 1.0f, 0x020, 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_view_state view_state = {.width_px = cases[i].width,
                                    .height_px = cases[i].height,
                                    .overlays = cases[i].overlays,
                                    .help = HELP,
                                    .help_count = 3};
        fr_metrics metrics = {cases[i].scale, (int)(7.0f * cases[i].scale), (int)(8.0f * cases[i].scale)};
        fr_layout layout = fr_layout_make(&metrics, &view_state, (fr_grid){256, 192});
        assert_int_equal(layout.legend_rows, cases[i].rows);
        assert_int_equal(layout.legend.width > 0, cases[i].rows > 0);
        fr_rect common = fr_rect_intersect(layout.legend, layout.bar);
        assert_true(common.width <= 0 || common.height <= 0);
    }
    int shown[FR_OVERLAY_COUNT];
    assert_int_equal(fr_legend_overlays(0x085, 2, shown), 2);
    assert_int_equal(shown[0], 7);
    assert_int_equal(shown[1], 2);
}

/* At the side, beside the minimap wherever there is room for both, and with all of its rows. */
static void test_the_movement_panel(void **state)
{
    (void)state;
    static const struct {
        int width, height;
        float scale;
        bool is_wide, has_help;
    } cases[] = {{1280, 720, 1.0f, true, true},
                 {1920, 1080, 1.0f, true, true},
                 {640, 400, 1.0f, false, false},
                 {1280, 720, 2.0f, false, false},
                 {3840, 2160, 3.0f, true, true}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        fr_view_state view_state = {
            .width_px = cases[i].width, .height_px = cases[i].height, .movement_open = true};
        fr_metrics metrics = {cases[i].scale, (int)(7.0f * cases[i].scale), (int)(8.0f * cases[i].scale)};
        fr_layout layout = fr_layout_make(&metrics, &view_state, (fr_grid){256, 192});
        fr_rect box = layout.movement;
        assert_false(in_the_middle(box, cases[i].width, cases[i].height));
        assert_true(box.x > 0 && box.y > 0 && box.x + box.width < cases[i].width);
        assert_true(box.y + box.height < layout.minimap.y);
        assert_int_equal(layout.movement_is_wide, cases[i].is_wide);
        assert_int_equal(layout.movement_has_help, cases[i].has_help);
        assert_true(layout.movement_rows_y + FR_MOVEMENT_ROWS * layout.movement_line_px <=
                    box.y + box.height);
    }
}

static void test_the_minimap_keeps_the_maps_shape(void **state)
{
    (void)state;
    static const fr_grid grids[] = {{256, 192}, {192, 256}, {1, 1}, {8192, 1}, {1, 8192}, {100, 100}};
    for (size_t i = 0; i < COUNT(grids); i++) {
        fr_view_state view_state = {.width_px = 1280, .height_px = 720};
        fr_rect map = fr_layout_make(&METRICS, &view_state, grids[i]).minimap_map;
        assert_in_range(map.width, 8, 200);
        assert_in_range(map.height, 8, 160);
        if (grids[i].width < 1000 && grids[i].height < 1000) {
            double shape = (double)map.width / map.height * grids[i].height / grids[i].width;
            assert_true(shape > 0.95 && shape < 1.05);
        }
    }
}

static void test_batches_join(void **state)
{
    (void)state;
    fr_draw_list list = {0};
    char places[2];
    fr_picture *a = (fr_picture *)(void *)&places[0], *b = (fr_picture *)(void *)&places[1]; /* never read */
    const fr_rect part = {0, 0, 4, 4};
    fr_draw_copy(&list, a, 0.0f, 0.0f, part);
    fr_draw_copy(&list, a, 9.0f, 0.0f, part);
    fr_draw_copy(&list, NULL, 9.0f, 0.0f, part);
    fr_draw_copy(&list, b, 0.0f, 0.0f, part);
    fr_draw_rect(&list, 0xff000000u, (fr_box){0, 0, 1, 1});
    fr_draw_rect(&list, 0xff000000u, (fr_box){1, 0, 1, 1});
    fr_draw_rect(&list, 0xffffffffu, (fr_box){2, 0, 1, 1});
    static const int32_t counts[] = {2, 1, 2, 1};
    assert_int_equal(list.batch_count, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(list.batches[i].count, counts[i]);
    }
    assert_int_equal(list.quad_count, 3);
    fr_draw_list_fini(&list);
}

static void test_counts_have_commas(void **state)
{
    (void)state;
    static const struct {
        uint64_t number;
        const char *text;
    } table[] = {{0, "0"},          {999, "999"},           {1000, "1,000"},
                 {65536, "65,536"}, {1234567, "1,234,567"}, {UINT64_MAX, "18,446,744,073,709,551,615"}};
    for (size_t i = 0; i < COUNT(table); i++) {
        char out[32];
        assert_string_equal(fr_hud_count(out, table[i].number), table[i].text);
    }
}

static void test_bands_are_round_numbers_of_steps(void **state)
{
    (void)state;
    static const struct {
        uint32_t maximum_steps, band_steps;
    } table[] = {{0, 1}, {24, 1}, {48, 2}, {100, 5}, {240, 10}, {500, 20}, {5000, 500}, {60000000, 5000000}};
    for (size_t i = 0; i < COUNT(table); i++) {
        assert_int_equal(fr_heat_band(table[i].maximum_steps * FR_STEP_STRAIGHT),
                         table[i].band_steps * FR_STEP_STRAIGHT);
    }
}

static void test_overlays_have_names(void **state)
{
    (void)state;
    assert_string_equal(fr_overlay_name(0), "cost");
    assert_string_equal(fr_overlay_name(1), "integration");
    assert_string_equal(fr_overlay_name(2), "arrows");
    assert_string_equal(fr_overlay_name(3), "regions");
    assert_string_equal(fr_overlay_name(4), "clearance");
    assert_string_equal(fr_overlay_name(5), "wavefront");
    assert_string_equal(fr_overlay_name(6), "sectors");
    assert_string_equal(fr_overlay_name(7), "threat");
    assert_string_equal(fr_overlay_name(8), "congestion");
    assert_null(fr_overlay_name(FR_OVERLAY_COUNT));
    assert_null(fr_overlay_name(-1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_camera_follows_the_formula),
        cmocka_unit_test(test_zoom_keeps_the_point_under_the_cursor),
        cmocka_unit_test(test_camera_is_kept_on_the_map),
        cmocka_unit_test(test_visible_cells_are_clipped),
        cmocka_unit_test(test_every_pixel_belongs_to_one_cell),
        cmocka_unit_test(test_colors_mix),
        cmocka_unit_test(test_teams_and_heat_can_be_told_apart),
        cmocka_unit_test(test_facings_go_clockwise_from_east),
        cmocka_unit_test(test_sprite_sizes_are_near_enough),
        cmocka_unit_test(test_outlines_round_outer_corners_only),
        cmocka_unit_test(test_panels_keep_out_of_the_middle),
        cmocka_unit_test(test_the_default_window_shows_all_panels),
        cmocka_unit_test(test_the_legend),
        cmocka_unit_test(test_the_movement_panel),
        cmocka_unit_test(test_the_bar_keeps_its_last_line),
        cmocka_unit_test(test_text_breaks_between_words),
        cmocka_unit_test(test_help_fits_any_window),
        cmocka_unit_test(test_the_minimap_keeps_the_maps_shape),
        cmocka_unit_test(test_batches_join),
        cmocka_unit_test(test_counts_have_commas),
        cmocka_unit_test(test_bands_are_round_numbers_of_steps),
        cmocka_unit_test(test_overlays_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
