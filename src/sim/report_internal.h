/* report_internal: what the files that write a report share. */
#ifndef FR_SIM_REPORT_INTERNAL_H
#define FR_SIM_REPORT_INTERNAL_H

#include "base/json.h"
#include "sim/score.h"

/* A number, or null if it is not known. */
void fr_report_number_if(fr_json_writer *writer, const char *key, bool is_known, double number);

/* Nearest rank of a share among count >= 1 ascending values, from 0: the smallest value that the share does
 * not exceed. */
int32_t fr_report_rank(int32_t count, double share);

/* time_ratio, path_ratio, makespan_ratio, resolved, bound. */
void fr_report_write_ideal(fr_json_writer *writer, const fr_scorecard *card, const fr_snapshot *last);

/* lane_order, doors. */
void fr_report_write_doors(fr_json_writer *writer, const fr_scorecard *card, const fr_snapshot *last);

#endif
