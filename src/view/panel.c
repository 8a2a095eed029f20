#include "view/panel.h"

#include <math.h>

#include "base/memory.h"
#include "view/palette.h"
#include "view/pixel.h"

#define RADIUS 7

void fr_ui_init(fr_ui *ui, fr_canvas *canvas, fr_text *text, float scale)
{
    *ui = (fr_ui){.canvas = canvas, .text = text, .scale = scale};
}

void fr_ui_flush(fr_ui *ui)
{
    for (int i = 0; i < FR_UI_PANELS_KEPT; i++) {
        fr_picture_destroy(ui->kept[i].picture);
        ui->kept[i].picture = NULL;
        ui->kept[i].width = ui->kept[i].height = 0;
    }
    fr_text_flush(ui->text);
}

void fr_ui_fini(fr_ui *ui)
{
    fr_ui_flush(ui);
    fr_text_destroy(ui->text);
    *ui = (fr_ui){0};
}

/* Distance of a pixel from the edge of a rounded rectangle, negative inside. */
static float rounded_gap(float x, float y, float width, float height, float radius)
{
    float dx = fabsf(x - width * 0.5f) - (width * 0.5f - radius),
          dy = fabsf(y - height * 0.5f) - (height * 0.5f - radius);
    float outside_x = fmaxf(dx, 0.0f), outside_y = fmaxf(dy, 0.0f);
    return sqrtf(outside_x * outside_x + outside_y * outside_y) + fminf(fmaxf(dx, dy), 0.0f) - radius;
}

static fr_picture *make_background(const fr_ui *ui, int width, int height)
{
    fr_picture *picture = fr_picture_create(ui->canvas, width, height, false);
    if (picture == NULL) {
        return NULL;
    }
    float radius = fminf((float)RADIUS * ui->scale, 0.5f * (float)(width < height ? width : height));
    float line = fmaxf(1.0f, floorf(ui->scale));
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

void fr_ui_panel(fr_ui *ui, fr_draw_list *list, fr_rect box)
{
    if (box.width < 1 || box.height < 1) {
        return;
    }
    int oldest = 0;
    ui->frame++;
    for (int i = 0; i < FR_UI_PANELS_KEPT; i++) {
        if (ui->kept[i].width == box.width && ui->kept[i].height == box.height) {
            oldest = i;
            break;
        }
        oldest = ui->kept[i].used < ui->kept[oldest].used ? i : oldest;
    }
    if (ui->kept[oldest].width != box.width || ui->kept[oldest].height != box.height) {
        fr_picture_destroy(ui->kept[oldest].picture);
        ui->kept[oldest].picture = make_background(ui, box.width, box.height);
        ui->kept[oldest].width = box.width;
        ui->kept[oldest].height = box.height;
    }
    ui->kept[oldest].used = ui->frame;
    fr_draw_copy(list, ui->kept[oldest].picture, (float)box.x, (float)box.y,
                 (fr_rect){0, 0, box.width, box.height});
}
