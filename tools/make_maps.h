/* make_maps: the generator of the maps that ship with the game. A canvas of ground kinds is composed by code,
 * tidied and written as Tiled JSON with one tileset of our own. It runs at the author's desk (`make maps`),
 * never in the game: what it wrote is in maps/. The same source writes the same bytes on every machine. */
#ifndef FR_TOOLS_MAKE_MAPS_H
#define FR_TOOLS_MAKE_MAPS_H

#include <stdbool.h>

#include "base/io.h"
#include "grid/map.h"

/* Ground of a map in the making, row by row. */
typedef struct fr_canvas {
    int width, height;
    uint8_t *kinds; /* fr_terrain [width * height] */
} fr_canvas;

fr_canvas fr_canvas_create(int width, int height, fr_terrain kind);
void fr_canvas_destroy(fr_canvas *canvas);

/* Kind of ground at a cell; beyond the edge that of the nearest cell inside. */
fr_terrain fr_canvas_at(const fr_canvas *canvas, int x, int y);
/* Cells outside are ignored. */
void fr_canvas_set(fr_canvas *canvas, int x, int y, fr_terrain kind);
/* The part of the rectangle inside the canvas. */
void fr_canvas_fill(fr_canvas *canvas, int x, int y, int width, int height, fr_terrain kind);

/* Costs that the tileset states for a kind of ground. */
int fr_ground_cost(fr_terrain kind, fr_class movement_class);

/* Majority rule, `rounds` times: a cell of `kind` with few of its like around becomes `other`, a cell of
 * `other` among many of `kind` joins it. Other kinds stay. */
void fr_canvas_smooth(fr_canvas *canvas, fr_terrain kind, fr_terrain other, int rounds);

/* Patches of `kind` (4-connected) with fewer than `least` cells become `other`. */
void fr_canvas_drop_small(fr_canvas *canvas, fr_terrain kind, int least, fr_terrain other);

/* Closes gaps that are less than three cells wide, and everything that foot can't reach from the largest
 * region, with the blocked ground beside it. */
void fr_canvas_close_gaps(fr_canvas *canvas);

/* A soft line through knots (Catmull and Rom, 1974), as wide as its knots say. */
typedef struct fr_knot {
    float x, y, half_width;
} fr_knot;

/* Distance in cells from the edge of the line, negative inside. At least two knots. */
float fr_line_distance(const fr_knot *knots, int count, float x, float y);

/* Where units start, in cells. */
typedef struct fr_start {
    int x, y, width, height, team;
} fr_start;

/* Paints the default map. Its starts go to `starts`; returns their number. */
fr_canvas fr_make_vale(const fr_start **starts, int *start_count);

/* Appends the map as Tiled JSON over the tileset ground.tsj beside it. */
void fr_write_tiled_map(const fr_canvas *canvas, const fr_start *starts, int start_count, fr_buffer *out);
/* Appends the tileset and its picture. */
void fr_write_tileset(fr_buffer *out);
void fr_write_tileset_image(fr_buffer *out);

#endif
