/* overlay_sectors: of which blocks of 32x32 cells the shown field consists, for the overlay of F7: built,
 * just built or repaired, out of date because costs changed in them, or not built. It compares what it sees
 * with what it saw the last time; the field knows nothing of it. */
#ifndef FR_VIEW_OVERLAY_SECTORS_H
#define FR_VIEW_OVERLAY_SECTORS_H

#include "field/field.h"

/* Ticks for which a block that was built or repaired stands out, fading. */
#define FR_SECTOR_FRESH_TICKS 30

typedef struct fr_sectors {
    uint64_t name;     /* of the field that the rest is about */
    uint32_t *stamps;  /* [block] of its content when seen last; 0 = not built */
    uint32_t *costs;   /* [block] version of its costs when the field was up to date */
    uint32_t *changed; /* [block] tick at which its content changed, + 1; 0 = long ago */
    int32_t count, capacity;
    uint32_t tick;
    bool is_fading; /* some block stands out */
    fr_field_standing standing;
} fr_sectors;

/* All-zero is valid. */
void fr_sectors_fini(fr_sectors *sectors);

/* Looks at the field, once a frame while the overlay is on. `name` stays the same as long as it is the field
 * of the same request, `cost`: the costs that it is of. A number comes back that differs when the colours
 * may. O(blocks of the map). */
uint32_t fr_sectors_look(fr_sectors *sectors, const fr_field *field, uint64_t name,
                         fr_field_standing standing, const fr_cost *cost, uint32_t tick);

/* Colours of every `stride`th tile of a rectangle inside the map, opaque, 0 where nothing is built; out
 * [rows * columns] as in fr_heat_grid. */
void fr_sectors_read(const fr_sectors *sectors, const fr_cost *cost, fr_rect cells, int stride,
                     uint32_t *out);

#endif
