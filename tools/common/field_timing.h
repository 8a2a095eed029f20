/* field_timing: integration and arrows against the textbook, in one thread, turn by turn, so that both meet
 * the same machine in the same mood. Shared by freshet-field --bench and freshet-bench field. */
#ifndef FR_TOOLS_FIELD_TIMING_H
#define FR_TOOLS_FIELD_TIMING_H

#include "base/json.h"
#include "field/integrate.h"
#include "grid/map.h"

typedef struct fr_field_timing {
    fr_grid grid;
    int32_t reached;                                  /* cells */
    double textbook_ns_per_cell, freshet_ns_per_cell; /* medians, over all cells of the map */
    double ratio;                                     /* textbook / freshet */
    double any_angle_ns_per_cell;                     /* the pass that finds the targets, not in freshet's */
    bool equal;                                       /* the same bits */
} fr_field_timing;

/* Builds the field of one goal `repeats` times each way (1 or more). costs [w*h] row-major. */
fr_field_timing fr_time_field(fr_grid grid, const uint8_t *costs, fr_cell goal, int repeats);

/* From plain costs [w*h] to integration and arrows: what is timed. Allocates nothing. */
void fr_build_whole_field(fr_scratch *scratch, const uint8_t *costs, fr_cell goal);

/* The cell of the class's largest region that is nearest to the map's centre; false on a map of walls. */
bool fr_central_cell(const fr_map *map, fr_class movement_class, fr_cell *out);

/* Writes the keys of `freshet-field --bench` into an open object. */
void fr_write_field_timing(fr_json_writer *writer, const char *map, const fr_field_timing *timing);

/* Time that the calling thread has computed (ns): a busy machine does not count against either side. */
uint64_t fr_thread_ns(void);

/* Median of the values, which are sorted in place; `count` at least 1. */
double fr_median(double *values, int count);

#endif
