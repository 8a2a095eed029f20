#include "view/overlay_arrows.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "grid/nav.h"
#include "view/palette.h"
#include "view/raster.h"

/* Least distance between arrows, and largest arrow (pixels). */
#define ARROW_GAP_PX 15.0
#define ARROW_MAX_PX 30

/* Places in the arrows' picture: headings, clockwise from east, and the goal's dot. */
#define HEADING_COUNT 32
#define ARROW_COUNT   (HEADING_COUNT + 1)

#define TURN 6.28318531f /* radians */

void fr_arrows_flush(fr_arrows *arrows)
{
    fr_picture_destroy(arrows->picture);
    *arrows = (fr_arrows){.picture = NULL};
}

static void bake_arrow(fr_raster *raster, int heading, float size)
{
    float middle = size * 0.5f, reach = size * 0.5f - 2.0f, head = fmaxf(size * 0.26f, 2.5f);
    if (heading == HEADING_COUNT) {
        fr_raster_disc(raster, middle, middle, size * 0.22f + 1.2f, 1.0f, FR_COLOR_OUTLINE, 150);
        fr_raster_disc(raster, middle, middle, size * 0.22f, 1.0f, FR_COLOR_BONE, 256);
        return;
    }
    float angle = (float)heading * (TURN / HEADING_COUNT);
    fr_vec2 ahead = {cosf(angle), sinf(angle)};
    float tip_x = middle + ahead.x * reach, tip_y = middle + ahead.y * reach;
    float tail_x = middle - ahead.x * reach * 0.9f, tail_y = middle - ahead.y * reach * 0.9f;
    float line = fmaxf(size * 0.085f, 1.1f);
    for (int pass = 0; pass < 2; pass++) {
        float width = pass == 0 ? line + 2.2f : line;
        uint32_t color = pass == 0 ? FR_COLOR_OUTLINE : 0xFFFFFFFFu, alpha = pass == 0 ? 150 : 250;
        fr_raster_line(raster, tail_x, tail_y, tip_x, tip_y, width, color, alpha);
        for (int side = -1; side <= 1; side += 2) {
            float back_x = -ahead.x - (float)side * ahead.y, back_y = -ahead.y + (float)side * ahead.x;
            fr_raster_line(raster, tip_x, tip_y, tip_x + back_x * head * 0.8f, tip_y + back_y * head * 0.8f,
                           width, color, alpha);
        }
    }
}

static void bake_arrows(fr_arrows *arrows, fr_canvas *canvas, int size)
{
    int width = 64, height = 16;
    while (width < ARROW_COUNT * size) {
        width *= 2;
    }
    while (height < size) {
        height *= 2;
    }
    fr_picture_destroy(arrows->picture);
    arrows->picture = fr_picture_create(canvas, width, height, false);
    arrows->size_px = size;
    uint32_t *pixels = fr_alloc_raw((size_t)size * (size_t)size, sizeof *pixels);
    for (int heading = 0; heading < ARROW_COUNT; heading++) {
        memset(pixels, 0, (size_t)size * (size_t)size * sizeof *pixels);
        fr_raster raster = {pixels, size, 0, 0, size, size};
        bake_arrow(&raster, heading, (float)size);
        fr_picture_update(arrows->picture, (fr_rect){heading * size, 0, size, size}, pixels, size);
    }
    fr_free(pixels);
}

/* The arrow for a unit in the middle of a field cell, -1 for none. */
static int arrow_at(const fr_field *field, fr_cell cell)
{
    fr_field_sample sample = fr_field_sample_at(field, fr_nav_centre(fr_field_shift(field), cell));
    if (sample.kind != FR_SAMPLE_STEP) {
        return sample.kind == FR_SAMPLE_GOAL ? HEADING_COUNT : -1;
    }
    long heading = lroundf(atan2f(sample.direction.y, sample.direction.x) * (HEADING_COUNT / TURN));
    return (int)((heading + HEADING_COUNT) % HEADING_COUNT);
}

void fr_arrows_draw(fr_arrows *arrows, fr_canvas *canvas, const fr_frame *frame, const fr_field *field,
                    fr_draw_list *list)
{
    double scale = fr_nav_scale(fr_field_shift(field)), zoom = frame->zoom * scale;
    int apart = (int)ceil(ARROW_GAP_PX / zoom);
    int size = (int)(apart * zoom * 0.8);
    size = size > ARROW_MAX_PX ? ARROW_MAX_PX : size;
    if (size != arrows->size_px) {
        bake_arrows(arrows, canvas, size);
    }
    fr_rect cells = fr_nav_cells(fr_field_shift(field), frame->cells);
    /* Places are fixed on the map: arrows do not jump while it moves. */
    int32_t first_x = (cells.x + apart - 1 - apart / 2) / apart * apart + apart / 2;
    int32_t first_y = (cells.y + apart - 1 - apart / 2) / apart * apart + apart / 2;
    for (int32_t y = first_y; y < cells.y + cells.height; y += apart) {
        for (int32_t x = first_x; x < cells.x + cells.width; x += apart) {
            int arrow = arrow_at(field, (fr_cell){x, y});
            if (arrow < 0) {
                continue;
            }
            float left = floorf(fr_frame_x(frame, (x + 0.5) * scale) - (float)size * 0.5f + 0.5f);
            float top = floorf(fr_frame_y(frame, (y + 0.5) * scale) - (float)size * 0.5f + 0.5f);
            fr_draw_copy(list, arrows->picture, left, top, (fr_rect){arrow * size, 0, size, size});
        }
    }
}
