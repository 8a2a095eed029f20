/* pick: which units lie under a point or in a box of the screen, as they were last drawn. Reads a snapshot
 * and a camera; knows nothing of selections or events. */
#ifndef FR_APP_PICK_H
#define FR_APP_PICK_H

#include "sim/world.h"
#include "view/camera.h"

/* What was on the screen. */
typedef struct fr_pick_scene {
    const fr_snapshot *snapshot;
    float alpha; /* units are drawn between their last two positions */
    fr_camera camera;
    int width_px, height_px;
} fr_pick_scene;

/* Corners in any order. */
typedef struct fr_box_px {
    double x0, y0, x1, y1;
} fr_box_px;

/* The whole screen. */
fr_box_px fr_pick_screen(const fr_pick_scene *scene);

/* The unit whose centre is nearest to a point, if the point is within its radius plus `slack_px`; FR_NO_UNIT
 * if there is none. */
uint32_t fr_pick_unit(const fr_pick_scene *scene, double x_px, double y_px, double slack_px);

/* Is a unit's centre in the box, and the unit in the world? */
bool fr_pick_in_box(const fr_pick_scene *scene, uint32_t unit, fr_box_px box);

/* The team with most units in the box (the lowest number of equals); -1 if it is empty. */
int fr_pick_team(const fr_pick_scene *scene, fr_box_px box);

#endif
