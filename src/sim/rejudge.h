/* rejudge: judges a run from its --positions file and its scenario alone. Puts together what a world would
 * have shown after every tick, as far as the scorecard looks at it: so both give the same figures, and other
 * programs' runs can be judged alike. */
#ifndef FR_SIM_REJUDGE_H
#define FR_SIM_REJUDGE_H

#include "sim/positions_read.h"
#include "sim/scorecard.h"

typedef struct fr_rejudge fr_rejudge;

/* `scenario` is borrowed. */
fr_rejudge *fr_rejudge_create(const fr_scenario *scenario);
void fr_rejudge_destroy(fr_rejudge *rejudge);

/* Takes the rows of a file in their order: ascending ticks from 0; a unit's rows end when it leaves.
 * FR_BAD_INPUT for what no run could have written; the caller knows file and line. */
fr_status fr_rejudge_add(fr_rejudge *rejudge, const fr_positions_row *row, fr_error *error);

/* After the last row: appends the report. What only the program knows that made the run is null in it. */
void fr_rejudge_report(fr_rejudge *rejudge, fr_buffer *out);

#endif
