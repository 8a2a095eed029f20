/* repair: a field brought up to date after a change of costs by touching only what the change reaches. The
 * result has exactly the bits of a build over the new costs: integration and best steps alike. Knows fields
 * and cost snapshots, nothing of the service that decides when to repair. Internal to field/. */
#ifndef FR_FIELD_REPAIR_H
#define FR_FIELD_REPAIR_H

#include "field/field_internal.h"

/* Working memory for maps of one size; reused from repair to repair, nothing is allocated in between. */
typedef struct fr_repair fr_repair;

/* Cells of a map up to which changing them is quicker than building the field anew. */
int32_t fr_repair_worthwhile(fr_grid grid);

/* For repairs that change at most `change_limit` cells [1..cells of the map's blocks]. */
fr_repair *fr_repair_create(fr_grid grid, int32_t change_limit);
void fr_repair_destroy(fr_repair *repair);

/* Repairs a field that is exact over the costs of `before` (a clone of it, not settled yet), so that it is
 * exact over those of `after`. Goals (ascending by cell: y, then x; no cell twice) and view are those it was
 * built with; a partial field keeps its extent. Gives up, false, when more cells would change, or have to be
 * looked at, than the working memory is for: the field's content is undefined then, and a build is the
 * cheaper way. Any thread, one at a time per working memory.
 *
 * Work and memory touched: by the cells that change and the blocks they lie in, plus one look per block of
 * the map. Method: Ramalingam and Reps, "An incremental algorithm for a generalization of the shortest-path
 * problem" (1996), in two waves: cells that lost their last best step are dropped, then everything that is
 * not yet, or no longer, as cheap as it can be is relaxed from the border inwards. */
bool fr_field_repair(fr_field *field, fr_repair *repair, const fr_cost_snapshot *before,
                     const fr_cost_snapshot *after, fr_cost_view view, const fr_goal *goals, int goal_count);

/* Cells whose value, best steps or target differ between two fields of one map. Only blocks that they do not
 * share are read. Any thread. */
int32_t fr_field_count_changes(const fr_field *before, const fr_field *after);
/* The same in one block. */
int32_t fr_field_block_changes(const fr_field *before, const fr_field *after, int32_t number);

#endif
