/* probe: a field of the player's own, to look at goals that no unit has been sent to. Its memory is its own,
 * so that looking never changes the simulation. */
#ifndef FR_APP_PROBE_H
#define FR_APP_PROBE_H

#include "field/field.h"
#include "sim/snapshot.h"

/* Cells of the largest field that is built as a whole, within a frame or two. Larger ones are built as far as
 * somebody looks, and only from places that lie this near to a goal (cells). */
#define FR_PROBE_CELLS_MAX (1 << 21)
#define FR_PROBE_REACH     1000.0f

typedef struct fr_probe {
    fr_field_pool *pool; /* made on first use */
    fr_scratch *scratch;
    fr_field *field; /* for the key below; null if there is none */
    bool built;
    uint32_t cost_version; /* of the view */
    fr_cost_view view;
    uint64_t goals_hash;
    uint64_t builds; /* differs whenever the field does */
} fr_probe;

/* An all-zero probe is valid. */
void fr_probe_fini(fr_probe *probe);

/* What is looked at: a goal, or several, and where from. */
typedef struct fr_probe_look {
    fr_cost_view view;
    const fr_position *goals; /* [goal_count 1..FR_GOALS_MAX] */
    int goal_count;
    const fr_position *from; /* [from_count 0..FR_PROBE_FROM_MAX] places that the field should cover */
    int from_count;
} fr_probe_look;
#define FR_PROBE_FROM_MAX 64

/* The field to the goals over the costs of now; built when costs, view or goals differ from the last time,
 * or, on large maps, when there are places near enough that it does not cover. Null if the pool has no room.
 * Valid until the next call. */
const fr_field *fr_probe_field(fr_probe *probe, const fr_snapshot *snapshot, const fr_probe_look *look);

/* Does the field cover the place, or does nothing lead from there to a goal? */
bool fr_probe_covers(const fr_snapshot *snapshot, const fr_field *field, fr_cost_view view,
                     fr_position place);

#endif
