/* heat: an overlay's picture as pixels: cells coloured by cost or by distance, bands, hatching, grid and
 * contour lines. Reads plain arrays; knows no textures.
 *
 * The picture has the window's pixels rather than one texel a cell: filling runs of one colour and copying
 * them unscaled takes a software renderer a third of the time of stretching a small texture, and lines come
 * out smooth. */
#ifndef FR_VIEW_HEAT_H
#define FR_VIEW_HEAT_H

#include "field/field.h"
#include "view/raster.h"

/* What is known of the visible cells, thinned out when cells are smaller than pixels: entry (i, j) stands for
 * cell (cells.x + i * stride, cells.y + j * stride). */
typedef struct fr_heat_grid {
    fr_rect cells; /* visible, inside the map */
    int stride;
    int columns, rows;
    uint8_t *costs;        /* [rows * columns] */
    uint32_t *integration; /* the same; only if has_field */
    uint32_t *tints;       /* the same: opaque colours that others state; only if style.by_tint */
    bool has_field;
    bool is_complete;  /* unreached cells have no way to the goal; else they may not be built */
    uint32_t maximum;  /* of the whole field */
    size_t capacity;   /* entries that the arrays hold */
    uint8_t *cost_row; /* one full row of cells, for thinning */
    uint32_t *value_row;
    size_t row_capacity;
} fr_heat_grid;

/* An all-zero grid is valid. */
void fr_heat_grid_fini(fr_heat_grid *grid);
/* Copies what is needed to show a rectangle of cells; `field` may be null. */
void fr_heat_grid_read(fr_heat_grid *grid, const fr_cost *cost, fr_class movement_class,
                       const fr_field *field, fr_rect cells, int stride);

typedef struct fr_heat_style {
    bool by_cost, by_integration, by_tint; /* what is coloured; the last of them wins */
    uint32_t wave; /* not 0: values below it are coloured and those just below stand out; wins over all */
    bool lines;    /* thin lines between cells */
} fr_heat_style;

/* Paints the whole raster, which is in world pixels of this zoom; transparent outside the map. */
void fr_heat_paint(const fr_heat_grid *grid, const fr_heat_style *style, double zoom, fr_raster *raster);

/* Width of a band of integration: the distance between two contour lines. */
uint32_t fr_heat_band(uint32_t maximum);

/* Colour of a cost 1..254 before it is laid over the ground. */
uint32_t fr_heat_cost_color(uint8_t cost);

#endif
