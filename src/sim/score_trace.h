/* score_trace: ways over ground of different costs, for the judge: streamlines of a field made for the
 * purpose. The one part of the judge that uses field/, because a report says that it did ("bound": "trace").
 */
#ifndef FR_SIM_SCORE_TRACE_H
#define FR_SIM_SCORE_TRACE_H

#include "sim/score_course.h"

typedef struct fr_tracer fr_tracer;

/* Over these costs [w*h], which are copied. Null for maps too large for it. */
fr_tracer *fr_tracer_create(fr_grid grid, const uint8_t *costs);
void fr_tracer_destroy(fr_tracer *tracer);

/* Turns to another goal, or area. False: too many goals, or more fields made than is reasonable. */
bool fr_tracer_aim(fr_tracer *tracer, fr_position goal, const fr_area *area);

/* Points of the way from a start [*count >= 1], valid until the next call; null if there is none. */
const fr_position *fr_tracer_way(fr_tracer *tracer, fr_position start, int32_t *count);

#endif
