/* camera: world to screen and back. x_px = (x - centre.x) * zoom + width_px / 2, y alike. Pure arithmetic. */
#ifndef FR_VIEW_CAMERA_H
#define FR_VIEW_CAMERA_H

#include "grid/grid.h"

#define FR_ZOOM_MIN 0.5
#define FR_ZOOM_MAX 96.0

typedef struct fr_camera {
    double x, y; /* centre, cells */
    double zoom; /* pixels per cell */
} fr_camera;

static inline void fr_camera_to_screen(fr_camera camera, int width_px, int height_px, double x, double y,
                                       double *x_px, double *y_px)
{
    *x_px = (x - camera.x) * camera.zoom + width_px / 2.0;
    *y_px = (y - camera.y) * camera.zoom + height_px / 2.0;
}

static inline void fr_camera_to_world(fr_camera camera, int width_px, int height_px, double x_px, double y_px,
                                      double *x, double *y)
{
    *x = (x_px - width_px / 2.0) / camera.zoom + camera.x;
    *y = (y_px - height_px / 2.0) / camera.zoom + camera.y;
}

/* Multiplies the zoom, keeping the world point under the cursor in place; zoom is clamped. */
fr_camera fr_camera_zoom_at(fr_camera camera, int width_px, int height_px, double x_px, double y_px,
                            double factor);
/* Keeps the centre on the map. */
fr_camera fr_camera_clamp(fr_camera camera, fr_grid grid);
/* Cells that can be seen, clipped to the map. */
fr_rect fr_camera_cells(fr_camera camera, int width_px, int height_px, fr_grid grid);

#endif
