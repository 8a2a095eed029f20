/* shape: the outline of a kind of ground. The union of its cells with outer corners rounded (never where a
 * neighbour continues), given as a distance, so that one outline serves rims, shores and shadows. Pure
 * arithmetic. */
#ifndef FR_VIEW_SHAPE_H
#define FR_VIEW_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

/* Cells around one cell, 5 x 5, as bits. */
#define FR_AROUND_BIT(dx, dy) (1u << (((dy) + 2) * 5 + (dx) + 2))

/* At most two rectangles for each of nine cells. */
#define FR_SHAPE_RECTS_MAX 18

/* The outline seen from one cell, valid for points within one cell of it. */
typedef struct fr_shape {
    float rects[FR_SHAPE_RECTS_MAX][4]; /* x0, y0, x1, y1 relative to the cell's top left corner */
    int count;
    float radius;
} fr_shape;

/* `body`: the cells that make up the shape; `joined` (which includes them): the cells towards which it stays
 * open. `radius` 0 < r < 0.5: of the corners, in cells. */
void fr_shape_build(fr_shape *shape, uint32_t body, uint32_t joined, float radius);

/* Squared distances (cells) of `count` points from the shape drawn in by its radius: (x + i * step, y)
 * relative to the cell's corner. The outline is where the distance is the radius. Exact up to 1 cell. */
void fr_shape_squares(const fr_shape *shape, float x, float step, float y, int count, float *out);

#endif
