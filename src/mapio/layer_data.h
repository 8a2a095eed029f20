/* layer_data: the gids of a tile layer or chunk, in whatever way they are written. Internal to mapio/. */
#ifndef FR_MAPIO_LAYER_DATA_H
#define FR_MAPIO_LAYER_DATA_H

#include "base/json.h"
#include "grid/grid.h"

/* Fills `out` [w*h] with the gids in member `data` of `holder` (the layer itself or one of its chunks), flip
 * flags kept. Encoding and compression are the layer's. The number of gids must be width x height exactly. */
fr_status fr_layer_data_read(const fr_json *json, const fr_json_value *layer, const fr_json_value *holder,
                             fr_grid size, uint32_t *out, fr_error *error);

/* Adds a rectangle of cells to another: both may lie anywhere; 64 bits, so that no file can overflow it. */
typedef struct fr_box {
    int64_t left, top, right, bottom; /* right and bottom exclusive; empty while right <= left */
} fr_box;
void fr_box_add(fr_box *box, fr_box other);

/* Position and size of a layer or chunk: members x, y (default 0), width, height, within the limits of a map.
 */
fr_status fr_layer_box(const fr_json *json, const fr_json_value *holder, fr_box *out, fr_error *error);

#endif
