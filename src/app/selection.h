/* selection: which units the player has selected, and the ten numbered groups. Flags by unit id; it knows
 * nothing of screens or mice. */
#ifndef FR_APP_SELECTION_H
#define FR_APP_SELECTION_H

#include "sim/snapshot.h"

typedef struct fr_selection {
    int32_t capacity; /* units of the world */
    int32_t count;
    uint8_t *flags;   /* [capacity] 0/1 */
    uint16_t *groups; /* [capacity] bit g: in group g */
    uint32_t *ids;    /* [capacity], filled on demand */
} fr_selection;

void fr_selection_init(fr_selection *selection, int32_t unit_count);
void fr_selection_fini(fr_selection *selection);

void fr_selection_clear(fr_selection *selection);
void fr_selection_set(fr_selection *selection, uint32_t unit, bool selected);

/* Drops units that have left the world. */
void fr_selection_prune(fr_selection *selection, const fr_snapshot *snapshot);

/* Ids of the selected, ascending [count]; valid until the selection changes. */
const uint32_t *fr_selection_ids(fr_selection *selection);

/* Makes the selected the members of a group, or adds them. */
void fr_selection_store(fr_selection *selection, int group, bool add);
/* Selects the members of a group that are still there. An empty group leaves the selection alone. */
void fr_selection_recall(fr_selection *selection, const fr_snapshot *snapshot, int group);

/* Mean position of the selected, in cells; false if none is. */
bool fr_selection_centre(const fr_selection *selection, const fr_snapshot *snapshot, double *x, double *y);

#endif
