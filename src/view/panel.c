#include "view/panel.h"

#include <math.h>
#include <stdio.h>

#include "base/memory.h"
#include "view/layout.h"
#include "view/palette.h"
#include "view/pixel.h"

#define RADIUS 7

void fr_skin_init(fr_skin *skin, fr_canvas *canvas, fr_text *text, float scale)
{
    *skin = (fr_skin){.canvas = canvas, .text = text, .scale = scale};
}

void fr_skin_flush(fr_skin *skin)
{
    for (int i = 0; i < FR_SKIN_PANELS_KEPT; i++) {
        fr_picture_destroy(skin->kept[i].picture);
        skin->kept[i].picture = NULL;
        skin->kept[i].width = skin->kept[i].height = 0;
    }
    fr_text_flush(skin->text);
}

void fr_skin_fini(fr_skin *skin)
{
    fr_skin_flush(skin);
    fr_text_destroy(skin->text);
    *skin = (fr_skin){0};
}

/* Distance of a pixel from the edge of a rounded rectangle, negative inside. */
static float rounded_gap(float x, float y, float width, float height, float radius)
{
    float dx = fabsf(x - width * 0.5f) - (width * 0.5f - radius),
          dy = fabsf(y - height * 0.5f) - (height * 0.5f - radius);
    float outside_x = fmaxf(dx, 0.0f), outside_y = fmaxf(dy, 0.0f);
    return sqrtf(outside_x * outside_x + outside_y * outside_y) + fminf(fmaxf(dx, dy), 0.0f) - radius;
}

static fr_picture *make_background(const fr_skin *skin, int width, int height)
{
    fr_picture *picture = fr_picture_create(skin->canvas, width, height, false);
    if (picture == NULL) {
        return NULL;
    }
    float radius = fminf((float)RADIUS * skin->scale, 0.5f * (float)(width < height ? width : height));
    float line = fmaxf(1.0f, floorf(skin->scale));
    uint32_t *pixels = fr_alloc_raw((size_t)width * (size_t)height, sizeof *pixels);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            float gap = rounded_gap((float)x + 0.5f, (float)y + 0.5f, (float)width, (float)height, radius);
            uint32_t color = fr_argb_mix(FR_COLOR_PANEL_EDGE, FR_COLOR_PANEL, fr_coverage(gap + line));
            pixels[(size_t)y * (size_t)width + (size_t)x] =
                fr_argb_with_alpha(color, fr_coverage(gap) * FR_PANEL_ALPHA >> 8);
        }
    }
    fr_picture_update(picture, (fr_rect){0, 0, width, height}, pixels, width);
    fr_free(pixels);
    return picture;
}

void fr_skin_panel(fr_skin *skin, fr_draw_list *list, fr_rect box)
{
    if (box.width < 1 || box.height < 1) {
        return;
    }
    int oldest = 0;
    skin->frame++;
    for (int i = 0; i < FR_SKIN_PANELS_KEPT; i++) {
        if (skin->kept[i].width == box.width && skin->kept[i].height == box.height) {
            oldest = i;
            break;
        }
        oldest = skin->kept[i].used < skin->kept[oldest].used ? i : oldest;
    }
    if (skin->kept[oldest].width != box.width || skin->kept[oldest].height != box.height) {
        fr_picture_destroy(skin->kept[oldest].picture);
        skin->kept[oldest].picture = make_background(skin, box.width, box.height);
        skin->kept[oldest].width = box.width;
        skin->kept[oldest].height = box.height;
    }
    skin->kept[oldest].used = skin->frame;
    fr_draw_copy(list, skin->kept[oldest].picture, (float)box.x, (float)box.y,
                 (fr_rect){0, 0, box.width, box.height});
}

int fr_text_draw_wrapped(fr_skin *skin, fr_draw_list *list, fr_text_color color, float x, float y,
                         int line_px, int columns, int lines_max, const char *utf8)
{
    int lines = 0;
    for (; *utf8 != '\0' && lines < lines_max; lines++) {
        char line[256];
        int bytes = fr_text_break(utf8, columns);
        snprintf(line, sizeof line, "%.*s", bytes, utf8);
        fr_text_draw(skin->text, list, FR_TEXT_PLAIN, color, x, y + (float)(lines * line_px), line);
        utf8 += bytes;
    }
    return lines;
}
