#include "view/view.h"

#include "base/memory.h"
#include "view/atlas.h"
#include "view/help.h"
#include "view/land_cache.h"
#include "view/legend.h"
#include "view/hud.h"
#include "view/marker.h"
#include "view/minimap.h"
#include "view/movement_panel.h"
#include "view/overlay.h"
#include "view/palette.h"
#include "view/route_line.h"
#include "view/units.h"

/* Text smaller than this is no text, larger fills the window. */
#define UI_SCALE_MIN 0.5f
#define UI_SCALE_MAX 4.0f

struct fr_view {
    fr_grid grid;
    fr_canvas *canvas;
    fr_land ground;
    fr_tiles *tiles;
    fr_terrain_art art;
    fr_land_cache *land_cache;
    fr_atlas *atlas;
    fr_unit_painter units;
    fr_overlay_painter *overlay;
    fr_markers markers;
    fr_route_line route_line;
    fr_minimap minimap;
    fr_skin skin;
    fr_draw_list list;
};

fr_view *fr_view_create(struct SDL_Renderer *renderer, const fr_map *map, const fr_view_config *config,
                        void (*warn)(void *self, const char *line), void *warn_self)
{
    fr_view *view = fr_alloc(1, sizeof *view);
    view->grid = map->grid;
    view->canvas = fr_canvas_create(renderer);
    fr_land_init(&view->ground, map);
    view->tiles = fr_tiles_create(map, warn, warn_self);
    fr_terrain_art_init(&view->art, &view->ground, view->tiles);
    view->land_cache = fr_land_cache_create(view->canvas, &view->art);
    view->atlas = fr_atlas_create(view->canvas);
    float scale = config->ui_scale;
    scale = scale >= UI_SCALE_MIN ? (scale <= UI_SCALE_MAX ? scale : UI_SCALE_MAX) : UI_SCALE_MIN;
    fr_text *text = fr_text_create(view->canvas, config->font_path, config->data_dir, scale, warn, warn_self);
    fr_skin_init(&view->skin, view->canvas, text, scale);
    view->overlay = fr_overlay_create(view->canvas, text);
    return view;
}

void fr_view_destroy(fr_view *view)
{
    if (view == NULL) {
        return;
    }
    fr_draw_list_fini(&view->list);
    fr_minimap_fini(&view->minimap);
    fr_route_line_fini(&view->route_line);
    fr_markers_fini(&view->markers);
    fr_overlay_destroy(view->overlay);
    fr_skin_fini(&view->skin);
    fr_unit_painter_fini(&view->units);
    fr_atlas_destroy(view->atlas);
    fr_land_cache_destroy(view->land_cache);
    fr_terrain_art_fini(&view->art);
    fr_tiles_destroy(view->tiles);
    fr_land_fini(&view->ground);
    fr_canvas_destroy(view->canvas);
    fr_free(view);
}

void fr_view_targets_lost(fr_view *view)
{
    fr_land_cache_flush(view->land_cache);
    fr_atlas_flush(view->atlas);
    fr_overlay_flush(view->overlay);
    fr_route_line_flush(&view->route_line);
    fr_markers_flush(&view->markers);
    fr_minimap_flush(&view->minimap);
    fr_skin_flush(&view->skin);
}

static fr_layout layout_of(const fr_view *view, const fr_view_state *state)
{
    fr_metrics metrics = {view->skin.scale, fr_text_column_px(view->skin.text, FR_TEXT_PLAIN),
                          fr_text_column_px(view->skin.text, FR_TEXT_BOLD)};
    return fr_layout_make(&metrics, state, view->grid);
}

static void ground_changed(void *self, fr_rect cells)
{
    fr_land_cache_touch(self, cells);
}

void fr_view_draw(fr_view *view, const fr_snapshot *snapshot, const fr_view_state *state)
{
    fr_frame frame = fr_frame_begin(snapshot, state);
    fr_layout layout = layout_of(view, state);
    fr_draw_list *list = &view->list;
    fr_draw_list_clear(list);
    fr_land_sync(&view->ground, snapshot->cost, ground_changed, view->land_cache);
    fr_land_cache_draw(view->land_cache, &frame, state->complete, list);
    fr_overlay_draw(view->overlay, &frame, list);
    fr_units_draw(&view->units, view->atlas, &frame, list);
    fr_route_line_draw(&view->route_line, &view->skin, &frame, list);
    fr_markers_draw(&view->markers, &view->skin, &frame, list);
    fr_minimap_draw(&view->minimap, &view->skin, &frame, &layout, fr_land_cache_overview(view->land_cache),
                    list);
    fr_legend_draw(&view->skin, &frame, &layout, list);
    fr_movement_panel_draw(&view->skin, &frame, &layout, list);
    fr_hud_draw(&view->skin, &frame, &layout, list);
    fr_help_draw(&view->skin, &frame, &layout.help, list);
    fr_canvas_clear(view->canvas, FR_COLOR_BEYOND);
    fr_canvas_draw(view->canvas, list);
}

static int add_panel(fr_panel_rect *out, int capacity, int count, fr_panel panel, fr_rect box)
{
    if (box.width < 1) {
        return count;
    }
    if (count < capacity) {
        out[count] = (fr_panel_rect){panel, box.x, box.y, box.width, box.height};
    }
    return count + 1;
}

int fr_view_panels(const fr_view *view, const fr_view_state *state, fr_panel_rect *out, int capacity)
{
    fr_layout layout = layout_of(view, state);
    int count = add_panel(out, capacity, 0, FR_PANEL_HUD, layout.hud);
    count = add_panel(out, capacity, count, FR_PANEL_MINIMAP, layout.minimap);
    count = add_panel(out, capacity, count, FR_PANEL_BAR, layout.bar);
    count = add_panel(out, capacity, count, FR_PANEL_LEGEND, layout.legend);
    count = add_panel(out, capacity, count, FR_PANEL_MOVEMENT, layout.movement);
    return add_panel(out, capacity, count, FR_PANEL_HELP, layout.help.box);
}

int fr_view_help_pages(const fr_view *view, const fr_view_state *state)
{
    return layout_of(view, state).help.pages;
}

int fr_view_movement_row(const fr_view *view, const fr_view_state *state, float x_px, float y_px)
{
    fr_layout layout = layout_of(view, state);
    return fr_movement_panel_row(&layout, x_px, y_px);
}

fr_position fr_view_minimap_position(const fr_view *view, const fr_view_state *state, float x_px, float y_px)
{
    fr_rect map = layout_of(view, state).minimap_map;
    if (map.width < 1 || map.height < 1) {
        return fr_position_at(view->grid.width / 2.0, view->grid.height / 2.0);
    }
    double x = ((double)x_px - map.x) / map.width * view->grid.width;
    double y = ((double)y_px - map.y) / map.height * view->grid.height;
    x = x > 0.0 ? (x < view->grid.width ? x : view->grid.width) : 0.0;
    y = y > 0.0 ? (y < view->grid.height ? y : view->grid.height) : 0.0;
    return fr_grid_clamp_position(view->grid, fr_position_at(x, y));
}
