#include "app/ui.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

/* At the start units are at least big enough to be told apart, and at most as big as the art is drawn for. */
#define FIRST_ZOOM_MIN 10.0
#define FIRST_ZOOM_MAX 28.0

void fr_ui_say(fr_ui *ui, uint64_t now_ns, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(ui->message, sizeof ui->message, format, arguments);
    va_end(arguments);
    ui->message_ns = now_ns;
}

const char *fr_ui_message(const fr_ui *ui, uint64_t now_ns)
{
    return ui->message[0] != '\0' && now_ns - ui->message_ns < FR_MESSAGE_NS ? ui->message : NULL;
}

bool fr_ui_marker_shown(const fr_ui *ui, uint64_t now_ns)
{
    return ui->has_marker && now_ns - ui->marker_ns < FR_MARKER_NS;
}

static int compare_descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

static double clamp(double value, double min, double max)
{
    return value < min ? min : value > max ? max : value;
}

/* Largest zoom at which a unit this far from the centre lies within the middle 60 %. */
static double zoom_for(double dx, double dy, int width_px, int height_px)
{
    double across = fabs(dx) > 1e-6 ? 0.3 * width_px / fabs(dx) : FR_ZOOM_MAX;
    double down = fabs(dy) > 1e-6 ? 0.3 * height_px / fabs(dy) : FR_ZOOM_MAX;
    return across < down ? across : down;
}

fr_camera fr_ui_first_camera(const fr_snapshot *snapshot, int width_px, int height_px)
{
    double across = snapshot->grid.width, down = snapshot->grid.height;
    fr_camera camera = {.x = across / 2, .y = down / 2};
    int32_t count = snapshot->unit_count;
    if (count == 0) {
        double fit = fmin(width_px / across, height_px / down);
        camera.zoom = clamp(fit, FR_ZOOM_MIN, FIRST_ZOOM_MAX);
        return camera;
    }
    double sum_x = 0, sum_y = 0;
    for (int32_t i = 0; i < count; i++) {
        sum_x += fr_cells(snapshot->position[i].x);
        sum_y += fr_cells(snapshot->position[i].y);
    }
    camera.x = sum_x / count;
    camera.y = sum_y / count;
    double *zooms = fr_alloc((size_t)count, sizeof *zooms);
    for (int32_t i = 0; i < count; i++) {
        zooms[i] = zoom_for(fr_cells(snapshot->position[i].x) - camera.x,
                            fr_cells(snapshot->position[i].y) - camera.y, width_px, height_px);
    }
    qsort(zooms, (size_t)count, sizeof *zooms, compare_descending);
    /* A hair less than the exact zoom, so that rounding can't push the last unit out. */
    double quarter = zooms[(count - 1) / 4] * 0.999;
    double most = zooms[(int32_t)((double)(count - 1) * 0.9)];
    fr_free(zooms);
    camera.zoom = clamp(fmin(quarter, clamp(most, FIRST_ZOOM_MIN, FIRST_ZOOM_MAX)), FR_ZOOM_MIN, FR_ZOOM_MAX);
    return camera;
}
