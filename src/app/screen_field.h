/* screen_field: which field the overlays show: that of the selected units, the player's probe, or the last
 * order's. */
#ifndef FR_APP_SCREEN_FIELD_H
#define FR_APP_SCREEN_FIELD_H

#include "app/screen.h"

typedef struct fr_shown_field {
    const fr_field *field; /* null: none, or no overlay asks for one */
    uint64_t stamp;        /* differs whenever the contents differ */
    uint64_t name;         /* the same as long as it is the field of the same order or probe */
    fr_field_standing standing;
    fr_class movement_class;
    fr_field_owner owner;
    bool has_probe; /* `probe` is its goal, to be marked */
    fr_position probe;
} fr_shown_field;

fr_shown_field fr_screen_field(fr_screen *screen);

#endif
