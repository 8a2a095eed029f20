#include "view/camera.h"

#include <math.h>

static double clamped(double value, double low, double high)
{
    /* Written so that a value that is not a number becomes `low`. */
    return value > low ? (value < high ? value : high) : low;
}

fr_camera fr_camera_zoom_at(fr_camera camera, int width_px, int height_px, double x_px, double y_px,
                            double factor)
{
    double x, y;
    fr_camera_to_world(camera, width_px, height_px, x_px, y_px, &x, &y);
    camera.zoom = clamped(camera.zoom * factor, FR_ZOOM_MIN, FR_ZOOM_MAX);
    camera.x = x - (x_px - width_px / 2.0) / camera.zoom;
    camera.y = y - (y_px - height_px / 2.0) / camera.zoom;
    return camera;
}

fr_camera fr_camera_clamp(fr_camera camera, fr_grid grid)
{
    camera.x = clamped(camera.x, 0.0, grid.width);
    camera.y = clamped(camera.y, 0.0, grid.height);
    camera.zoom = clamped(camera.zoom, FR_ZOOM_MIN, FR_ZOOM_MAX);
    return camera;
}

fr_rect fr_camera_cells(fr_camera camera, int width_px, int height_px, fr_grid grid)
{
    double x0, y0, x1, y1;
    fr_camera_to_world(camera, width_px, height_px, 0.0, 0.0, &x0, &y0);
    fr_camera_to_world(camera, width_px, height_px, width_px, height_px, &x1, &y1);
    int32_t left = (int32_t)clamped(floor(x0), 0.0, grid.width);
    int32_t top = (int32_t)clamped(floor(y0), 0.0, grid.height);
    int32_t right = (int32_t)clamped(ceil(x1), 0.0, grid.width);
    int32_t bottom = (int32_t)clamped(ceil(y1), 0.0, grid.height);
    return (fr_rect){left, top, right - left, bottom - top};
}
