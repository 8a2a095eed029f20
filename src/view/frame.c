#include "view/frame.h"

#include <math.h>

fr_frame fr_frame_begin(const fr_snapshot *snapshot, const fr_view_state *state)
{
    fr_frame frame = {.snapshot = snapshot, .state = state};
    frame.width_px = state->width_px > 1 ? state->width_px : 1;
    frame.height_px = state->height_px > 1 ? state->height_px : 1;
    frame.camera = fr_camera_clamp(state->camera, snapshot->grid);
    frame.zoom = frame.camera.zoom;
    frame.origin_x = (int32_t)floor(frame.width_px / 2.0 - frame.camera.x * frame.zoom + 0.5);
    frame.origin_y = (int32_t)floor(frame.height_px / 2.0 - frame.camera.y * frame.zoom + 0.5);
    frame.cells = fr_camera_cells(frame.camera, frame.width_px, frame.height_px, snapshot->grid);
    return frame;
}
