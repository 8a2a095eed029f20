#include "view/marker.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "view/palette.h"
#include "view/pixel.h"
#include "view/raster.h"

/* Side of a marker's picture and radii of its rings at scale 1 (pixels). */
#define SIDE  56
#define OUTER 15.0f
#define INNER 9.0f

void fr_markers_flush(fr_markers *markers)
{
    fr_picture_destroy(markers->order);
    fr_picture_destroy(markers->probe);
    markers->order = markers->probe = NULL;
}

void fr_markers_fini(fr_markers *markers)
{
    fr_markers_flush(markers);
    fr_free(markers->pixels);
    *markers = (fr_markers){0};
}

static void lay(uint32_t *pixel, uint32_t color, float gap, float strength)
{
    *pixel = fr_argb_over(*pixel, color, (uint32_t)((float)fr_coverage(gap) * strength));
}

/* A ring with a dark rim, so that it shows on sand as on water. */
static void lay_ring(uint32_t *pixel, float distance, float radius, float width, uint32_t color,
                     float strength)
{
    float gap = fabsf(distance - radius) - width * 0.5f;
    lay(pixel, FR_COLOR_OUTLINE, gap - 1.0f, 0.4f * strength);
    lay(pixel, color, gap, strength);
}

typedef struct marker_look {
    float scale, strength;
    float ripple; /* 0..1: an outer ring that runs in on the goal; 1 = arrived */
    bool crossed, round;
} marker_look;

static uint32_t marker_pixel(float x, float y, const marker_look *look)
{
    float s = look->scale, distance = sqrtf(x * x + y * y);
    uint32_t color = look->crossed ? FR_COLOR_WARNING : FR_COLOR_BONE, pixel = 0;
    lay_ring(&pixel, distance, OUTER * s + (1.0f - look->ripple) * 10.0f * s, 1.6f * s, color,
             0.9f * look->strength * look->ripple);
    if (look->crossed) {
        lay_ring(&pixel, distance, INNER * s, 1.6f * s, color, 0.8f * look->strength);
        float arm = fminf(fabsf(x - y), fabsf(x + y)) * 0.7071f, reach = fmaxf(fabsf(x), fabsf(y)) - 4.5f * s;
        float gap = fmaxf(arm - 1.1f * s, reach);
        lay(&pixel, FR_COLOR_OUTLINE, gap - 1.0f, 0.5f * look->strength);
        lay(&pixel, color, gap, look->strength);
        return pixel;
    }
    lay_ring(&pixel, distance, INNER * s, 1.6f * s, color, 0.8f * look->strength);
    float diamond = look->round ? distance - 3.0f * s : (fabsf(x) + fabsf(y)) * 0.7071f - 3.2f * s;
    lay(&pixel, FR_COLOR_OUTLINE, diamond - 1.0f, 0.5f * look->strength);
    lay(&pixel, color, diamond, look->strength);
    return pixel;
}

static void draw_marker(fr_markers *markers, fr_picture **picture, const fr_skin *skin, const fr_frame *frame,
                        fr_position place, const marker_look *look, fr_draw_list *list)
{
    int side = markers->side;
    if (*picture == NULL) {
        *picture = fr_picture_create(skin->canvas, side, side, false);
    }
    for (int y = 0; y < side; y++) {
        for (int x = 0; x < side; x++) {
            float half = (float)side * 0.5f;
            markers->pixels[y * side + x] =
                marker_pixel((float)x + 0.5f - half, (float)y + 0.5f - half, look);
        }
    }
    fr_rect all = {0, 0, side, side};
    fr_picture_update(*picture, all, markers->pixels, side);
    float x = fr_frame_x(frame, fr_cells(place.x)), y = fr_frame_y(frame, fr_cells(place.y));
    if (x > (float)-side && y > (float)-side && x < (float)(frame->width_px + side) &&
        y < (float)(frame->height_px + side)) {
        fr_draw_copy(list, *picture, roundf(x) - (float)(side / 2), roundf(y) - (float)(side / 2), all);
    }
}

static void draw_drag_box(const float *corners, float line, fr_draw_list *list)
{
    float x0 = roundf(fminf(corners[0], corners[2])), x1 = roundf(fmaxf(corners[0], corners[2]));
    float y0 = roundf(fminf(corners[1], corners[3])), y1 = roundf(fmaxf(corners[1], corners[3]));
    fr_draw_rect(list, fr_argb_with_alpha(FR_COLOR_BONE, 26), (fr_box){x0, y0, x1 - x0, y1 - y0});
    uint32_t color = fr_argb_with_alpha(FR_COLOR_BONE, 220);
    fr_draw_rect(list, color, (fr_box){x0, y0, x1 - x0 + line, line});
    fr_draw_rect(list, color, (fr_box){x0, y1, x1 - x0 + line, line});
    fr_draw_rect(list, color, (fr_box){x0, y0 + line, line, fmaxf(y1 - y0 - line, 0.0f)});
    fr_draw_rect(list, color, (fr_box){x1, y0 + line, line, fmaxf(y1 - y0 - line, 0.0f)});
}

void fr_markers_draw(fr_markers *markers, const fr_skin *skin, const fr_frame *frame, fr_draw_list *list)
{
    const fr_view_state *state = frame->state;
    if (markers->pixels == NULL) {
        markers->side = fr_skin_px(skin, SIDE) / 2 * 2;
        markers->pixels = fr_alloc((size_t)markers->side * (size_t)markers->side, sizeof *markers->pixels);
    }
    if (state->has_probe) {
        marker_look look = {.scale = skin->scale, .strength = 0.9f, .ripple = 1.0f, .round = true};
        draw_marker(markers, &markers->probe, skin, frame, state->probe, &look, list);
    }
    if (state->has_marker && state->marker_age_s < FR_MARKER_S) {
        marker_look look = {.scale = skin->scale, .crossed = state->marker_unreachable};
        look.strength = (float)fmin(fmax(FR_MARKER_S - state->marker_age_s, 0.0), 1.0);
        look.ripple = (float)fmin(fmax(state->marker_age_s / 0.25, 0.0), 1.0);
        draw_marker(markers, &markers->order, skin, frame, state->marker, &look, list);
    }
    if (state->dragging) {
        draw_drag_box(state->drag_px, fmaxf(1.0f, floorf(skin->scale)), list);
    }
}
