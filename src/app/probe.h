/* probe: a field of the player's own, to look at goals that no unit has been sent to. Its memory is its own,
 * so that looking never changes the simulation. */
#ifndef FR_APP_PROBE_H
#define FR_APP_PROBE_H

#include "field/field.h"
#include "sim/snapshot.h"

typedef struct fr_probe {
    fr_field_pool *pool; /* made on first use */
    fr_scratch *scratch;
    fr_field *field; /* for the key below; null if there is none */
    bool built;
    uint32_t cost_version;
    fr_cost_view view;
    uint64_t goals_hash;
    uint64_t builds; /* differs whenever the field does */
} fr_probe;

/* An all-zero probe is valid. */
void fr_probe_fini(fr_probe *probe);

/* The field to these goals [1..FR_GOALS_MAX] over the costs of now; built when costs, view or goals differ
 * from the last time. Null if the pool has no room. Valid until the next call. */
const fr_field *fr_probe_field(fr_probe *probe, const fr_snapshot *snapshot, fr_cost_view view,
                               const fr_position *goals, int goal_count);

#endif
