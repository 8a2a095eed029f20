#include "app/pick.h"

fr_box_px fr_pick_screen(const fr_pick_scene *scene)
{
    return (fr_box_px){0, 0, scene->width_px, scene->height_px};
}

static void unit_on_screen(const fr_pick_scene *scene, uint32_t unit, double *x_px, double *y_px)
{
    fr_position now = scene->snapshot->position[unit];
    fr_position before = scene->snapshot->previous[unit];
    double alpha = (double)scene->alpha;
    double x = fr_cells(before.x) + (fr_cells(now.x) - fr_cells(before.x)) * alpha;
    double y = fr_cells(before.y) + (fr_cells(now.y) - fr_cells(before.y)) * alpha;
    fr_camera_to_screen(scene->camera, scene->width_px, scene->height_px, x, y, x_px, y_px);
}

uint32_t fr_pick_unit(const fr_pick_scene *scene, double x_px, double y_px, double slack_px)
{
    const fr_snapshot *snapshot = scene->snapshot;
    uint32_t nearest = FR_NO_UNIT;
    double nearest_squared = 0;
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        if (snapshot->state[i] == FR_UNIT_GONE) {
            continue;
        }
        double at_x, at_y;
        unit_on_screen(scene, (uint32_t)i, &at_x, &at_y);
        double squared = (at_x - x_px) * (at_x - x_px) + (at_y - y_px) * (at_y - y_px);
        double reach = (double)snapshot->radius[i] * scene->camera.zoom + slack_px;
        if (squared <= reach * reach && (nearest == FR_NO_UNIT || squared < nearest_squared)) {
            nearest = (uint32_t)i;
            nearest_squared = squared;
        }
    }
    return nearest;
}

bool fr_pick_in_box(const fr_pick_scene *scene, uint32_t unit, fr_box_px box)
{
    if (scene->snapshot->state[unit] == FR_UNIT_GONE) {
        return false;
    }
    double x, y;
    unit_on_screen(scene, unit, &x, &y);
    double left = box.x0 < box.x1 ? box.x0 : box.x1, right = box.x0 < box.x1 ? box.x1 : box.x0;
    double top = box.y0 < box.y1 ? box.y0 : box.y1, bottom = box.y0 < box.y1 ? box.y1 : box.y0;
    return x >= left && x <= right && y >= top && y <= bottom;
}

int fr_pick_team(const fr_pick_scene *scene, fr_box_px box)
{
    int32_t counts[FR_TEAMS_MAX] = {0};
    for (int32_t i = 0; i < scene->snapshot->unit_count; i++) {
        if (fr_pick_in_box(scene, (uint32_t)i, box)) {
            counts[scene->snapshot->team[i]]++;
        }
    }
    int best = -1;
    for (int team = 0; team < FR_TEAMS_MAX; team++) {
        if (counts[team] > 0 && (best < 0 || counts[team] > counts[best])) {
            best = team;
        }
    }
    return best;
}
