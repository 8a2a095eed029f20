/* scenery: what stands on the ground or is strewn over it: tufts, strokes on water, bridge decks, rocks,
 * built walls and trees. Each function paints one kind over the whole rectangle of a painter. */
#ifndef FR_VIEW_SCENERY_H
#define FR_VIEW_SCENERY_H

#include "view/painter.h"

/* Stable random bits of a cell, for variety. */
uint32_t fr_scenery_hash(int32_t x, int32_t y, uint32_t salt);

void fr_scenery_tufts(fr_painter *painter);
void fr_scenery_strokes(fr_painter *painter);
void fr_scenery_swamp(fr_painter *painter);
void fr_scenery_gravel(fr_painter *painter);
void fr_scenery_patches(fr_painter *painter);
void fr_scenery_bridges(fr_painter *painter);
void fr_scenery_rocks(fr_painter *painter);
void fr_scenery_walls(fr_painter *painter);
void fr_scenery_trees(fr_painter *painter);

#endif
