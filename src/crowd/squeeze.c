/* squeeze: fields of wide discs end where these are not sure to fit. Who stands beyond, pushed there, or
 * beside a corner, is led back to the field. */
#include "crowd/crowd_internal.h"

#include "field/line_of_sight.h"

/* Cells of a field are looked for this far. */
#define REACH 3

void crowd_squeeze_out(const fr_crowd_input *input, const fr_leg *leg, fr_position position,
                       fr_field_sample *sample)
{
    if (leg->field == NULL) {
        return;
    }
    fr_cell here = fr_cell_at(position);
    float least = INFINITY;
    for (int32_t y = here.y - REACH; y <= here.y + REACH; y++) {
        for (int32_t x = here.x - REACH; x <= here.x + REACH; x++) {
            uint32_t potential = crowd_value(input, leg, (fr_cell){x, y});
            fr_position centre = fr_cell_centre((fr_cell){x, y});
            fr_vec2 way = fr_position_delta(position, centre);
            float squared = fr_vec2_dot(way, way);
            if (potential != FR_UNREACHED && squared < least &&
                fr_line_is_free(input->cost, leg->movement_class, position, centre, 0.0f)) {
                least = squared;
                *sample = (fr_field_sample){.direction = fr_vec2_normalize(way),
                                            .potential = potential,
                                            .centre = fr_cell_centre(here),
                                            .kind = FR_SAMPLE_STEP};
            }
        }
    }
}
