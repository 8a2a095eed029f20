#include "view/minimap.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "view/palette.h"
#include "view/pixel.h"

void fr_minimap_flush(fr_minimap *minimap)
{
    fr_picture_destroy(minimap->picture);
    minimap->picture = NULL;
    minimap->width = minimap->height = 0;
}

void fr_minimap_fini(fr_minimap *minimap)
{
    fr_minimap_flush(minimap);
    fr_free(minimap->ground);
    fr_free(minimap->pixels);
    *minimap = (fr_minimap){0};
}

/* Mean of the overview's texels under one pixel. */
static uint32_t mean_texel(const fr_raster *overview, int x0, int y0, int x1, int y1)
{
    uint32_t red = 0, green = 0, blue = 0, count = 0;
    for (int y = y0; y < y1; y++) {
        for (int x = x0; x < x1; x++) {
            uint32_t texel = overview->pixels[(size_t)y * (size_t)overview->stride + (size_t)x];
            red += texel >> 16 & 0xffu;
            green += texel >> 8 & 0xffu;
            blue += texel & 0xffu;
            count++;
        }
    }
    return 0xff000000u | red / count << 16 | green / count << 8 | blue / count;
}

static int upper(int i, int texels, int pixels)
{
    int end = (int)((int64_t)(i + 1) * texels / pixels);
    int begin = (int)((int64_t)i * texels / pixels);
    return end > begin ? end : begin + 1;
}

static void scale_ground(fr_minimap *minimap, const fr_raster *overview)
{
    for (int y = 0; y < minimap->height; y++) {
        int y0 = (int)((int64_t)y * overview->height / minimap->height);
        for (int x = 0; x < minimap->width; x++) {
            int x0 = (int)((int64_t)x * overview->width / minimap->width);
            minimap->ground[y * minimap->width + x] =
                mean_texel(overview, x0, y0, upper(x, overview->width, minimap->width),
                           upper(y, overview->height, minimap->height));
        }
    }
}

static void plot_units(fr_minimap *minimap, const fr_frame *frame, int dot)
{
    const fr_snapshot *snapshot = frame->snapshot;
    const float across = (float)minimap->width / ((float)snapshot->grid.width * FR_POSITION_ONE);
    const float down = (float)minimap->height / ((float)snapshot->grid.height * FR_POSITION_ONE);
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        if (snapshot->state[i] == FR_UNIT_GONE) {
            continue;
        }
        fr_team_color team = fr_palette_team(snapshot->team[i]);
        bool selected = frame->state->selected != NULL && frame->state->selected[i] != 0;
        int x0 = (int)((float)snapshot->position[i].x * across),
            y0 = (int)((float)snapshot->position[i].y * down);
        for (int y = y0; y < y0 + dot && y < minimap->height; y++) {
            for (int x = x0; x < x0 + dot && x < minimap->width; x++) {
                if (x >= 0 && y >= 0) {
                    minimap->pixels[y * minimap->width + x] = selected ? team.light : team.body;
                }
            }
        }
    }
}

static void draw_view_frame(const fr_frame *frame, fr_rect map, float line, fr_draw_list *list)
{
    fr_grid grid = frame->snapshot->grid;
    double across = map.width / (double)grid.width, down = map.height / (double)grid.height;
    double half_x = frame->width_px / frame->zoom / 2.0, half_y = frame->height_px / frame->zoom / 2.0;
    float x0 = (float)floor(map.x + fmax(frame->camera.x - half_x, 0.0) * across);
    float y0 = (float)floor(map.y + fmax(frame->camera.y - half_y, 0.0) * down);
    float x1 = (float)ceil(map.x + fmin(frame->camera.x + half_x, grid.width) * across);
    float y1 = (float)ceil(map.y + fmin(frame->camera.y + half_y, grid.height) * down);
    uint32_t color = fr_argb_with_alpha(FR_COLOR_BONE, 215);
    fr_draw_rect(list, color, (fr_box){x0, y0, x1 - x0, line});
    fr_draw_rect(list, color, (fr_box){x0, y1 - line, x1 - x0, line});
    fr_draw_rect(list, color, (fr_box){x0, y0 + line, line, y1 - y0 - 2.0f * line});
    fr_draw_rect(list, color, (fr_box){x1 - line, y0 + line, line, y1 - y0 - 2.0f * line});
}

void fr_minimap_draw(fr_minimap *minimap, fr_skin *skin, const fr_frame *frame, const fr_layout *layout,
                     const fr_overview *overview, fr_draw_list *list)
{
    fr_rect map = layout->minimap_map;
    if (map.width < 1) {
        return;
    }
    if (map.width != minimap->width || map.height != minimap->height) {
        fr_minimap_flush(minimap);
        minimap->width = map.width;
        minimap->height = map.height;
        size_t pixels = (size_t)map.width * (size_t)map.height;
        minimap->ground = fr_realloc(minimap->ground, pixels, sizeof *minimap->ground);
        minimap->pixels = fr_realloc(minimap->pixels, pixels, sizeof *minimap->pixels);
        minimap->picture = fr_picture_create(skin->canvas, map.width, map.height, true);
        minimap->version = overview->version - 1;
    }
    if (minimap->version != overview->version) {
        minimap->version = overview->version;
        scale_ground(minimap, &overview->raster);
    }
    memcpy(minimap->pixels, minimap->ground,
           (size_t)map.width * (size_t)map.height * sizeof *minimap->pixels);
    int dot = skin->scale >= 1.75f ? 2 : 1;
    plot_units(minimap, frame, dot);
    fr_rect all = {0, 0, map.width, map.height};
    fr_picture_update(minimap->picture, all, minimap->pixels, map.width);
    fr_skin_panel(skin, list, layout->minimap);
    fr_draw_copy(list, minimap->picture, (float)map.x, (float)map.y, all);
    draw_view_frame(frame, map, fmaxf(1.0f, floorf(skin->scale)), list);
}
