/* scen_check: fields against the optimal lengths of a MovingAI scenario file. */
#ifndef FR_TOOLS_SCEN_CHECK_H
#define FR_TOOLS_SCEN_CHECK_H

#include "mapio/mapio.h"

typedef struct fr_scen_result {
    int32_t lines, matched, no_path; /* lines looked at; with the printed length; that say there is no way */
    int32_t traced, longer,
        failed; /* ways walked to the goal; longer than the optimum; not walked to the end */
    double ratio_sum, ratio_worst; /* length of traced ways by the optimum */
} fr_scen_result;

/* Looks at every `every`th line from the first on, one field for each goal; lazy: built as far as the lines
 * seen so far need it. A line whose size is not the
 * map's is FR_BAD_INPUT. */
fr_status fr_check_scen(const fr_map *map, fr_class movement_class, const char *path,
                        const fr_scen_line *lines, int32_t line_count, int32_t every, bool trace, bool lazy,
                        fr_scen_result *result, fr_error *error);

#endif
