/* tile_art: the pictures of our tilesets, drawn pixel by pixel in the game's palette. Knows kinds of ground,
 * not maps. */
#ifndef FR_TOOLS_TILE_ART_H
#define FR_TOOLS_TILE_ART_H

#include "bitmap.h"
#include "grid/map.h"

/* Pixels a side of a tile, and pictures of each kind of ground. */
enum { FR_TILE_PX = 16, FR_TILE_VARIANTS = 4 };

/* Draws one tile with its upper left corner at x, y; the whole of it must lie on the sheet.
 * variant 0..FR_TILE_VARIANTS-1. */
void fr_draw_tile(fr_bitmap *sheet, int x, int y, fr_terrain kind, int variant);

#endif
