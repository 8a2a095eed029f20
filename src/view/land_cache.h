/* land_cache: pictures of the ground, chunk by chunk, at the zoom that is shown; painted once and kept.
 * Work is bounded by pixels a frame, never by time, so that a recorded session shows the same pictures on
 * every machine. While chunks are missing, those of another zoom and a picture of the whole map stand in,
 * scaled. */
#ifndef FR_VIEW_LAND_CACHE_H
#define FR_VIEW_LAND_CACHE_H

#include "view/frame.h"
#include "view/render_sdl.h"
#include "view/overview.h"

typedef struct fr_land_cache fr_land_cache;

/* `art` and `canvas` are borrowed. */
fr_land_cache *fr_land_cache_create(fr_canvas *canvas, fr_terrain_art *art);
void fr_land_cache_destroy(fr_land_cache *cache);
/* Drops all pictures. */
void fr_land_cache_flush(fr_land_cache *cache);

/* The cells of the rectangle look different: repaints what shows them, at the zoom in use at once. */
void fr_land_cache_touch(fr_land_cache *cache, fr_rect cells);

/* Paints what is missing, within the frame's budget (`complete`: without one), and adds the visible ground to
 * the list. Returns true if every visible chunk is at the frame's zoom. */
bool fr_land_cache_draw(fr_land_cache *cache, const fr_frame *frame, bool complete, fr_draw_list *list);

/* The whole map, kept up with every touch. */
const fr_overview *fr_land_cache_overview(const fr_land_cache *cache);

#endif
