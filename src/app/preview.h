/* preview: the way of the selected while the player holds the right button: that of the unit nearest to their
 * middle, to the place under the cursor. Its fields are its own: looking never changes the simulation. */
#ifndef FR_APP_PREVIEW_H
#define FR_APP_PREVIEW_H

#include "app/probe.h"
#include "app/selection.h"
#include "sim/route.h"

typedef struct fr_preview {
    fr_probe probe;
    uint32_t unit; /* whose way is shown, until the selection leaves it */
    bool has_unit;
    fr_route route;
    fr_position *points; /* [route.point_count] */
} fr_preview;

/* An all-zero preview is valid. */
void fr_preview_fini(fr_preview *preview);

/* The selected unit nearest to the middle of the selected, the same as last time while it stays selected.
 * False if none is. */
bool fr_preview_choose(fr_preview *preview, const fr_selection *selection, const fr_snapshot *snapshot,
                       uint32_t *unit);
/* The button was let go: the next time another unit may be chosen. */
void fr_preview_end(fr_preview *preview);

/* Traces the way of a unit to `goal`. `led_by` is the field that leads it there already, or null. False on
 * large maps for a goal too far away to look for a way at once. */
bool fr_preview_trace(fr_preview *preview, const fr_snapshot *snapshot, uint32_t unit, const fr_field *led_by,
                      fr_position goal);

#endif
