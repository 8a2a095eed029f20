#include "view/route_line.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "view/painter.h"
#include "view/palette.h"
#include "view/raster.h"

/* Radius of a dot and distance from one to the next, at scale 1 (pixels). */
#define RADIUS 2.2f
#define APART  9.0

/* Distance of the label from the cursor, and from text to its edge, at scale 1 (pixels). */
#define LABEL_AWAY    18
#define LABEL_PADDING 6

void fr_route_line_flush(fr_route_line *line)
{
    fr_picture_destroy(line->dot);
    line->dot = NULL;
}

void fr_route_line_fini(fr_route_line *line)
{
    fr_route_line_flush(line);
    *line = (fr_route_line){0};
}

void fr_route_text(const fr_view_route *route, char *out, size_t size)
{
    int seconds = (int)(route->eta_s + 0.5);
    if (!route->arrives) {
        snprintf(out, size, "no way there");
    } else if (seconds < 60) {
        snprintf(out, size, "%.0f cells, %d s", route->length_cells, seconds);
    } else {
        snprintf(out, size, "%.0f cells, %d:%02d min", route->length_cells, seconds / 60, seconds % 60);
    }
}

static void bake_dot(fr_route_line *line, const fr_skin *skin)
{
    float radius = RADIUS * skin->scale;
    line->side = (int)ceilf(2.0f * radius + 4.0f);
    size_t pixels = (size_t)line->side * (size_t)line->side;
    uint32_t *dot = fr_alloc(pixels, sizeof *dot);
    fr_raster raster = {dot, line->side, 0, 0, line->side, line->side};
    float middle = (float)line->side * 0.5f;
    fr_raster_disc(&raster, middle, middle, radius + 1.2f, 1.0f, FR_COLOR_OUTLINE, 160);
    fr_raster_disc(&raster, middle, middle, radius, 1.0f, FR_COLOR_BONE, 256);
    line->dot = fr_picture_create(skin->canvas, line->side, line->side, false);
    fr_picture_update(line->dot, (fr_rect){0, 0, line->side, line->side}, dot, line->side);
    fr_free(dot);
}

static void draw_dot(const fr_route_line *line, const fr_frame *frame, float x, float y, fr_draw_list *list)
{
    float half = (float)line->side * 0.5f;
    if (x > -half && y > -half && x < (float)frame->width_px + half && y < (float)frame->height_px + half) {
        fr_draw_copy(list, line->dot, roundf(x - half), roundf(y - half),
                     (fr_rect){0, 0, line->side, line->side});
    }
}

/* Dots at equal distances along the way, counted from the goal: so they stand still while the unit walks. */
static void draw_dots(const fr_route_line *line, const fr_skin *skin, const fr_frame *frame,
                      const fr_view_route *route, fr_draw_list *list)
{
    float apart = (float)APART * skin->scale, left = apart;
    for (int32_t i = route->point_count - 1; i > 0; i--) {
        float x0 = fr_frame_x(frame, fr_cells(route->points[i].x));
        float y0 = fr_frame_y(frame, fr_cells(route->points[i].y));
        float x1 = fr_frame_x(frame, fr_cells(route->points[i - 1].x));
        float y1 = fr_frame_y(frame, fr_cells(route->points[i - 1].y));
        float length = sqrtf((x1 - x0) * (x1 - x0) + (y1 - y0) * (y1 - y0)), at = left;
        for (; at < length; at += apart) {
            draw_dot(line, frame, x0 + (x1 - x0) * at / length, y0 + (y1 - y0) * at / length, list);
        }
        left = at - length;
    }
}

static void draw_label(fr_skin *skin, const fr_frame *frame, const fr_view_route *route, fr_draw_list *list)
{
    char text[64];
    fr_route_text(route, text, sizeof text);
    int padding = fr_skin_px(skin, LABEL_PADDING), away = fr_skin_px(skin, LABEL_AWAY);
    int width = (int)fr_text_width(skin->text, FR_TEXT_PLAIN, text) + 2 * padding;
    int height = fr_text_line_px(skin->text, FR_TEXT_PLAIN) + padding;
    int x = (int)frame->state->mouse_px[0] + away, y = (int)frame->state->mouse_px[1] - away - height;
    /* Beside the cursor, on the side where there is room. */
    x = x + width > frame->width_px ? x - 2 * away - width : x;
    y = y < 0 ? y + 2 * away + height : y;
    fr_skin_panel(skin, list, (fr_rect){x, y, width, height});
    fr_text_draw(skin->text, list, FR_TEXT_PLAIN, FR_TEXT_BRIGHT, (float)(x + padding),
                 (float)(y + padding / 2), text);
}

void fr_route_line_draw(fr_route_line *line, fr_skin *skin, const fr_frame *frame, fr_draw_list *list)
{
    const fr_view_route *route = &frame->state->route;
    if (route->point_count < 1) {
        return;
    }
    if (line->dot == NULL) {
        bake_dot(line, skin);
    }
    draw_dots(line, skin, frame, route, list);
    draw_label(skin, frame, route, list);
}
