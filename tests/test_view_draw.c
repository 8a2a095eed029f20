/* The view's pictures: what is drawn where, that pieces painted later fit those painted before, and that no
 * size of window or map breaks it. Drawn by SDL's software renderer into memory. */
#include "view_scene.h"

#include <unistd.h>

#include "view/heat.h"
#include "view/image.h"
#include "view/land_cache.h"
#include "view/overlay.h"
#include "view/palette.h"
#include "view/tiles.h"
#include "view/units.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Quads and dots that a scene's units come to. */
typedef struct crowd_count {
    int32_t seen, quads, dots, batches;
} crowd_count;

static crowd_count count_crowd(test_scene *scene)
{
    fr_canvas *canvas = fr_canvas_create(scene->renderer);
    fr_atlas *atlas = fr_atlas_create(canvas);
    fr_unit_painter painter = {0};
    fr_draw_list list = {0};
    fr_frame frame = fr_frame_begin(&scene->snapshot, &scene->state);
    crowd_count count = {.seen = fr_units_draw(&painter, atlas, &frame, &list)};
    count.quads = list.quad_count;
    count.dots = list.rect_count;
    count.batches = list.batch_count;
    for (int32_t i = 1; i < list.quad_count; i++) {
        /* One size: from top to bottom, as far as pixels tell. */
        assert_true(list.targets[i].y + 2.0f >= list.targets[i - 1].y);
    }
    fr_draw_list_fini(&list);
    fr_unit_painter_fini(&painter);
    fr_atlas_destroy(atlas);
    fr_canvas_destroy(canvas);
    return count;
}

static void test_units_out_of_view_are_not_drawn(void **state)
{
    (void)state;
    test_scene scene;
    scene_begin(&scene, open_map(200, 150), 320, 200);
    scene_add_units(&scene, 100 * 70, 100, 1.5, 1.5, 2.0);
    /* 320 x 200 pixels at 16 a cell show 20 x 12.5 cells: 10 x 6 lattice places, and some at the rim. */
    crowd_count count = count_crowd(&scene);
    assert_in_range(count.seen, 60, 100);
    assert_int_equal(count.quads, count.seen);
    assert_int_equal(count.dots, 0);
    assert_int_equal(count.batches, 1);
    scene.state.camera.zoom = 0.5; /* the whole map fits; units are dots, one batch a team */
    count = count_crowd(&scene);
    assert_int_equal(count.seen, 7000);
    assert_int_equal(count.dots, 7000);
    assert_int_equal(count.quads, 0);
    assert_int_equal(count.batches, 2);
    scene.state.camera.x = 0.0;
    scene.state.camera.y = 150.0;
    scene.state.camera.zoom = 96.0; /* a corner without units */
    assert_int_equal(count_crowd(&scene).seen, 0);
    scene_end(&scene);
}

static void test_units_gone_are_not_drawn(void **state)
{
    (void)state;
    test_scene scene;
    scene_begin(&scene, open_map(20, 12), 320, 200);
    scene_add_units(&scene, 4, 4, 8.0, 6.0, 1.0);
    ((uint8_t *)(uintptr_t)scene.snapshot.state)[2] = FR_UNIT_GONE;
    assert_int_equal(count_crowd(&scene).seen, 3);
    scene_end(&scene);
}

/* First quad's place for one unit that moved from x = 8 to 9 in the last tick. */
static fr_box moving_unit_box(test_scene *scene, float alpha)
{
    fr_canvas *canvas = fr_canvas_create(scene->renderer);
    fr_atlas *atlas = fr_atlas_create(canvas);
    fr_unit_painter painter = {0};
    fr_draw_list list = {0};
    scene->state.alpha = alpha;
    fr_frame frame = fr_frame_begin(&scene->snapshot, &scene->state);
    fr_units_draw(&painter, atlas, &frame, &list);
    fr_box box = list.targets[0];
    fr_draw_list_fini(&list);
    fr_unit_painter_fini(&painter);
    fr_atlas_destroy(atlas);
    fr_canvas_destroy(canvas);
    return box;
}

static void test_units_are_drawn_between_ticks(void **state)
{
    (void)state;
    test_scene scene;
    scene_begin(&scene, open_map(20, 12), 320, 200);
    scene_add_units(&scene, 1, 1, 9.0, 6.0, 1.0);
    ((fr_position *)(uintptr_t)scene.snapshot.previous)[0].x -= FR_POSITION_ONE;
    float before = moving_unit_box(&scene, 0.0f).x;
    assert_true(moving_unit_box(&scene, 0.5f).x == before + 8.0f);
    assert_true(moving_unit_box(&scene, 1.0f).x == before + 16.0f);
    assert_true(moving_unit_box(&scene, 7.0f).x == before + 16.0f); /* never beyond what is known */
    scene_end(&scene);
}

static void test_selection_changes_the_picture_of_the_selected_alone(void **state)
{
    (void)state;
    test_scene scene;
    scene_begin(&scene, open_map(20, 12), 320, 200);
    scene_add_units(&scene, 2, 2, 5.0, 6.0, 10.0);
    fr_view *view = scene_view(&scene);
    scene_draw(&scene, view);
    uint32_t before[2][24]; /* a line through the middle of each unit */
    for (int x = 0; x < 24; x++) {
        before[0][x] = scene_pixel(&scene, 80 - 12 + x, 100);
        before[1][x] = scene_pixel(&scene, 240 - 12 + x, 100);
    }
    const uint8_t selected[2] = {1, 0};
    scene.state.selected = selected;
    scene.state.selected_count = 1;
    scene_draw(&scene, view);
    int changed[2] = {0, 0};
    for (int x = 0; x < 24; x++) {
        changed[0] += scene_pixel(&scene, 80 - 12 + x, 100) != before[0][x];
        changed[1] += scene_pixel(&scene, 240 - 12 + x, 100) != before[1][x];
    }
    assert_in_range(changed[0], 2, 20); /* both sides of the ring, not the body */
    assert_int_equal(changed[1], 0);
    fr_view_destroy(view);
    scene_end(&scene);
}

static void test_ground_painted_in_parts_fits(void **state)
{
    (void)state;
    static const double zooms[] = {3.0, 7.3, 20.0};
    fr_map *map = patchwork_map(16, 12);
    fr_land land;
    fr_land_init(&land, map);
    fr_terrain_art art;
    fr_terrain_art_init(&art, &land, NULL);
    for (size_t i = 0; i < COUNT(zooms); i++) {
        int width = fr_cell_edge_px(zooms[i], 16), height = fr_cell_edge_px(zooms[i], 12);
        size_t pixels = (size_t)width * (size_t)height;
        uint32_t *whole = fr_alloc(pixels, sizeof *whole), *parts = fr_alloc(pixels, sizeof *parts);
        fr_terrain_paint(&art, zooms[i], (fr_raster){whole, width, 0, 0, width, height});
        int cut_x = width * 2 / 5, cut_y = height * 3 / 7;
        const fr_rect pieces[4] = {{0, 0, cut_x, cut_y},
                                   {cut_x, 0, width - cut_x, cut_y},
                                   {0, cut_y, cut_x, height - cut_y},
                                   {cut_x, cut_y, width - cut_x, height - cut_y}};
        for (int k = 0; k < 4; k++) {
            fr_rect p = pieces[k];
            fr_terrain_paint(&art, zooms[i],
                             (fr_raster){parts + p.y * width + p.x, width, p.x, p.y, p.width, p.height});
        }
        assert_memory_equal(whole, parts, pixels * sizeof *whole);
        fr_free(whole);
        fr_free(parts);
    }
    fr_terrain_art_fini(&art);
    fr_land_fini(&land);
    fr_map_destroy(map);
}

static void test_edits_show_as_if_they_had_always_been_there(void **state)
{
    (void)state;
    static const double zooms[] = {1.5, 12.0};
    for (size_t i = 0; i < COUNT(zooms); i++) {
        test_scene scene;
        scene_begin(&scene, patchwork_map(40, 34), 240, 160);
        scene.state.camera.zoom = zooms[i];
        fr_view *view = scene_view(&scene);
        uint64_t plain = scene_draw(&scene, view);
        fr_cost_set_edit(scene.cost, (fr_rect){17, 14, 6, 2}, FR_COST_WALL);
        fr_cost_set_edit(scene.cost, (fr_rect){18, 19, 3, 3}, 9);
        fr_cost_set_terrain(scene.cost, (fr_rect){12, 14, 3, 7}, FR_TERRAIN_WATER, FR_COST_WALL);
        uint64_t edited = scene_draw(&scene, view);
        assert_true(edited != plain);
        fr_view *fresh = scene_view(&scene);
        assert_true(scene_draw(&scene, fresh) == edited);
        fr_view_destroy(fresh);
        fr_cost_set_edit(scene.cost, (fr_rect){0, 0, 40, 34}, 0);
        scene.state.complete = true; /* a change of the whole map takes more than one frame's budget */
        uint64_t restored = scene_draw(&scene, view);
        fresh = scene_view(&scene);
        assert_true(scene_draw(&scene, fresh) == restored);
        fr_view_destroy(fresh);
        fr_view_destroy(view);
        scene_end(&scene);
    }
}

static void test_a_new_zoom_settles_to_the_picture_drawn_afresh(void **state)
{
    (void)state;
    test_scene scene;
    scene_begin(&scene, patchwork_map(64, 48), 480, 380);
    fr_view *view = scene_view(&scene);
    scene_draw(&scene, view);
    uint64_t last = 0, now = 1;
    scene.state.camera.zoom = 9.5;
    int frames = 0;
    for (; now != last && frames < 60; frames++) {
        last = now;
        now = scene_draw(&scene, view);
    }
    assert_in_range(frames, 3, 59);
    fr_view *fresh = scene_view(&scene);
    assert_true(scene_draw(&scene, fresh) == now);
    fr_view_destroy(fresh);
    fr_view_targets_lost(view);
    assert_true(scene_draw(&scene, view) == now);
    fr_view_destroy(view);
    scene_end(&scene);
}

static void test_heat_tells_walls_from_ground_without_a_way(void **state)
{
    (void)state;
    static const char *const rows[] = {"g...#....", "..5.#....", "....#....", NULL};
    fr_map *map = map_from_picture(rows);
    fr_cost *cost = fr_cost_create(map);
    fr_field_pool *pool = fr_field_pool_create(map->grid, 8u << 20);
    fr_scratch *scratch = fr_scratch_create(map->grid);
    const fr_goal goal = {picture_cell(rows, 'g'), 0};
    fr_field *field = fr_field_build(pool, scratch, cost, FR_CLASS_FOOT, &goal, 1);
    fr_heat_grid grid = {0};
    fr_heat_grid_read(&grid, cost, FR_CLASS_FOOT, field, (fr_rect){0, 0, 9, 3}, 1);
    uint32_t pixels[10 * 90];
    fr_raster raster = {pixels, 90, 0, 0, 90, 10};
    fr_heat_style style = {.by_integration = true};
    fr_heat_paint(&grid, &style, 10.0, &raster);
    uint32_t near = pixels[5 * 90 + 5], far = pixels[5 * 90 + 35], wall = pixels[5 * 90 + 45],
             beyond = pixels[5 * 90 + 56];
    assert_true(near != far && far != wall && wall != beyond && beyond != far);
    grid.is_complete = false; /* then nobody knows whether there is a way: not hatched */
    fr_heat_paint(&grid, &style, 10.0, &raster);
    assert_int_not_equal(pixels[5 * 90 + 56], beyond);
    for (int i = 0; i < 90; i++) {
        assert_true(i / 10 % 9 < 5 || pixels[5 * 90 + i] == pixels[5 * 90 + 56]);
    }
    grid.is_complete = true;
    style = (fr_heat_style){.by_cost = true};
    fr_heat_paint(&grid, &style, 10.0, &raster);
    assert_int_equal(pixels[5 * 90 + 5], pixels[5 * 90 + 15]);
    assert_int_not_equal(pixels[5 * 90 + 5], pixels[5 * 90 + 45]);
    /* The wavefront two cells from the goal: behind it, the front, what is still to come. */
    style = (fr_heat_style){.by_cost = true, .by_integration = true, .wave = 2 * FR_STEP_STRAIGHT};
    fr_heat_paint(&grid, &style, 10.0, &raster);
    near = pixels[5 * 90 + 5], far = pixels[5 * 90 + 35];
    uint32_t front = pixels[5 * 90 + 15], next = pixels[5 * 90 + 25];
    assert_true(near != front && front != next && next == far && far != beyond);
    fr_heat_grid_fini(&grid);
    fr_field_destroy(pool, field);
    fr_scratch_destroy(scratch);
    fr_field_pool_destroy(pool);
    fr_cost_destroy(cost);
    fr_map_destroy(map);
}

static void test_numbers_only_in_wide_cells_and_arrows_thinned_out(void **state)
{
    (void)state;
    test_scene scene;
    scene_begin(&scene, open_map(64, 64), 640, 640);
    fr_field_pool *pool = fr_field_pool_create(scene.map->grid, 8u << 20);
    fr_scratch *scratch = fr_scratch_create(scene.map->grid);
    const fr_goal goal = {{32, 32}, 0};
    fr_field *field = fr_field_build(pool, scratch, scene.cost, FR_CLASS_FOOT, &goal, 1);
    scene.state.field = field;
    scene.state.field_stamp = 1;
    fr_canvas *canvas = fr_canvas_create(scene.renderer);
    fr_text *text = fr_text_create(canvas, NULL, "assets", 1.0f, NULL, NULL);
    fr_overlay_painter *overlay = fr_overlay_create(canvas, text);
    static const struct {
        unsigned overlays;
        double zoom;
        int32_t least, most; /* quads beside the heat map */
    } table[] = {
        {0, 20.0, -1, -1},
        {FR_OVERLAY_COST, 20.0, 1024, 1024}, /* one digit in each of 32 x 32 cells */
        {FR_OVERLAY_COST, 17.0, 0, 0},
        {FR_OVERLAY_INTEGRATION, 33.0, 0, 0},
        {FR_OVERLAY_INTEGRATION, 40.0, 256, 512},
        {FR_OVERLAY_ARROWS | FR_OVERLAY_COST, 20.0, 1024, 1024}, /* arrows alone: no room for both */
        {FR_OVERLAY_ARROWS | FR_OVERLAY_COST, 64.0, 200, 200},   /* both in each of 10 x 10 cells */
        {FR_OVERLAY_ARROWS, 20.0, 1024, 1024},                   /* one a cell */
        {FR_OVERLAY_ARROWS, 10.0, 900, 1089},                    /* one in four of 64 x 64 */
        {FR_OVERLAY_ARROWS, 0.5, 1, 9},                          /* 32 x 32 pixels of map */
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        fr_draw_list list = {0};
        scene.state.overlays = table[i].overlays;
        scene.state.camera.zoom = table[i].zoom;
        fr_frame frame = fr_frame_begin(&scene.snapshot, &scene.state);
        fr_overlay_draw(overlay, &frame, &list);
        assert_true(list.quad_count - 1 >= table[i].least && list.quad_count - 1 <= table[i].most);
        fr_draw_list_fini(&list);
    }
    fr_overlay_destroy(overlay);
    fr_text_destroy(text);
    fr_canvas_destroy(canvas);
    fr_field_destroy(pool, field);
    fr_scratch_destroy(scratch);
    fr_field_pool_destroy(pool);
    scene_end(&scene);
}

/* An overlay without anything to show says so in its legend, and hides none of the others. */
static void test_an_empty_overlay_says_so(void **state)
{
    (void)state;
    test_scene scene;
    scene_begin(&scene, open_map(64, 48), 1280, 720);
    fr_view *view = scene_view(&scene);
    scene.state.overlays = FR_OVERLAY_COST;
    scene_draw(&scene, view);
    uint32_t by_cost = scene_pixel(&scene, 640, 364);
    scene.state.overlays = FR_OVERLAY_COST | FR_OVERLAY_THREAT | FR_OVERLAY_CONGESTION;
    uint64_t off = scene_draw(&scene, view);
    assert_int_equal(scene_pixel(&scene, 640, 364), by_cost);
    scene.snapshot.congestion = true;
    assert_true(scene_draw(&scene, view) != off); /* "no crowd" rather than "switched off" */
    fr_cost_set_threat(scene.cost, 0, &(fr_threat){fr_position_at(32, 24), fr_fixed(7), 9, FR_TEAM_NONE});
    scene_draw(&scene, view);
    assert_int_not_equal(scene_pixel(&scene, 640, 364), by_cost);
    fr_view_destroy(view);
    scene_end(&scene);
}

/* Two pictures of one field, of which one is somebody's: they differ where the legend says so, for overlays
 * of fields alone. */
static void test_the_legend_says_whose_field_it_is(void **state)
{
    (void)state;
    test_scene scene;
    scene_begin(&scene, open_map(64, 48), 1280, 720);
    fr_view *view = scene_view(&scene);
    fr_field_pool *pool = fr_field_pool_create(scene.map->grid, 8u << 20);
    fr_scratch *scratch = fr_scratch_create(scene.map->grid);
    const fr_goal goal = {{32, 24}, 0};
    fr_field *field = fr_field_build(pool, scratch, scene.cost, FR_CLASS_FOOT, &goal, 1);
    scene.state.field = field;
    for (int of_field = 0; of_field < 2; of_field++) {
        scene.state.overlays = of_field ? FR_OVERLAY_ARROWS : FR_OVERLAY_COST;
        uint64_t pictures[FR_FIELD_OWNER_COUNT];
        for (int owner = 0; owner < FR_FIELD_OWNER_COUNT; owner++) {
            scene.state.field_owner = (fr_field_owner)owner;
            pictures[owner] = scene_draw(&scene, view);
            for (int other = 0; other < owner; other++) {
                assert_int_equal(pictures[owner] != pictures[other], of_field);
            }
        }
    }
    fr_view_destroy(view);
    fr_field_destroy(pool, field);
    fr_scratch_destroy(scratch);
    fr_field_pool_destroy(pool);
    scene_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_units_out_of_view_are_not_drawn),
        cmocka_unit_test(test_units_gone_are_not_drawn),
        cmocka_unit_test(test_units_are_drawn_between_ticks),
        cmocka_unit_test(test_selection_changes_the_picture_of_the_selected_alone),
        cmocka_unit_test(test_ground_painted_in_parts_fits),
        cmocka_unit_test(test_edits_show_as_if_they_had_always_been_there),
        cmocka_unit_test(test_a_new_zoom_settles_to_the_picture_drawn_afresh),
        cmocka_unit_test(test_heat_tells_walls_from_ground_without_a_way),
        cmocka_unit_test(test_numbers_only_in_wide_cells_and_arrows_thinned_out),
        cmocka_unit_test(test_an_empty_overlay_says_so),
        cmocka_unit_test(test_the_legend_says_whose_field_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
