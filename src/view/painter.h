/* painter: the brush of the terrain. Works on one rectangle of the map at one zoom: knows which pixel belongs
 * to which cell, which cells belong to which kind, and lays the outline of a set of kinds over the pixels.
 * What is laid over what is terrain.c's and scenery.c's business. */
#ifndef FR_VIEW_PAINTER_H
#define FR_VIEW_PAINTER_H

#include <math.h>
#include <stddef.h>

#include "view/land.h"
#include "view/raster.h"

/* Bits of a cell: one for each kind of ground (1 << fr_terrain), and these. */
#define FR_CELL_PATCH (1u << 10) /* an edit that is no wall */
#define FR_CELL_DEEP  (1u << 11) /* open water all round */

/* Cells known beyond the painted rectangle. */
#define FR_PAINTER_MARGIN 4

typedef struct fr_painter {
    const fr_land *ground;
    double zoom;      /* pixels per cell */
    float scale;      /* the same */
    fr_raster raster; /* in world pixels: (0, 0) is the map's top left corner */
    fr_rect cells;    /* cells whose pixels the raster shows */
    uint16_t *bits;   /* [(cells.height + 2 margin) * bits_stride] */
    uint16_t *any;    /* the same shape: or over 3 x 3 */
    int bits_stride;
    int bits_capacity; /* cells that the arrays hold */
    uint32_t
        *corners; /* [2][cells.width + 2 margin] colours at the corners of a row of cells, for terrain.c */
    int corner_capacity;
    uint32_t *stamps; /* crowns baked for stamp_zoom, stamp_side pixels square, for trees.c */
    int stamp_side;
    double stamp_zoom;
} fr_painter;

/* First world pixel of a cell's column or row at a zoom: THE rule for which pixel shows which cell. */
static inline int fr_cell_edge_px(double zoom, int32_t cell)
{
    return (int)floor(cell * zoom + 0.5);
}

/* The cell that a world pixel shows. */
static inline int32_t fr_cell_of_px(double zoom, int px)
{
    int32_t cell = (int32_t)floor((px + 0.5) / zoom);
    /* A pixel centre on the border of two cells: the rule above decides. */
    return fr_cell_edge_px(zoom, cell) > px        ? cell - 1
           : fr_cell_edge_px(zoom, cell + 1) <= px ? cell + 1
                                                   : cell;
}

/* An all-zero painter is valid. */
void fr_painter_fini(fr_painter *painter);

/* Gets ready to paint a raster (its window lies on the map; zoom at least 2). */
void fr_painter_begin(fr_painter *painter, const fr_land *ground, double zoom, fr_raster raster);

/* Bits of a cell at most FR_PAINTER_MARGIN - 1 cells outside painter->cells. */
static inline int fr_painter_index(const fr_painter *painter, int32_t x, int32_t y)
{
    return (y - painter->cells.y + FR_PAINTER_MARGIN) * painter->bits_stride + x - painter->cells.x +
           FR_PAINTER_MARGIN;
}

static inline unsigned fr_painter_bits(const fr_painter *painter, int32_t x, int32_t y)
{
    return painter->bits[fr_painter_index(painter, x, y)];
}

/* One coat: the outline of some kinds in one colour. */
typedef struct fr_coat {
    unsigned body;   /* kinds that make it up */
    unsigned joined; /* kinds towards which it stays open; 0: none but body */
    float radius;    /* of outer corners, cells */
    float grow;      /* cells beyond (or, negative, within) the cells' own edge */
    uint32_t color;
    uint32_t alpha; /* 0..256 */
    float softness; /* cells over which the edge fades; 0: one pixel */
    float dx, dy;   /* shift in cells, rounded to whole pixels; at most one cell */
} fr_coat;

void fr_painter_coat(fr_painter *painter, const fr_coat *coat);
/* The coats one over the other, the first at the bottom. */
void fr_painter_coats(fr_painter *painter, const fr_coat *coats, size_t count);

#endif
