#include "crowd/order.h"

#include "field/line_of_sight.h"

bool fr_leg_line_is_even(const fr_leg *leg, const fr_cost *cost, fr_position a, fr_position b,
                         float half_width)
{
    if (leg->view == (fr_cost_view)leg->movement_class) {
        return fr_line_is_even(cost, leg->view, a, b, half_width);
    }
    /* Costs are those of the cells that the centre crosses; the disc as a whole must keep clear of walls. */
    return fr_line_is_even(cost, leg->view, a, b, 0.0f) &&
           fr_line_is_free(cost, leg->movement_class, a, b, half_width);
}
