/* bench_data: the maps and scenarios that are measured on: in the current folder, a checkout around the
 * program, or installed beside it. */
#ifndef FR_TOOLS_BENCH_DATA_H
#define FR_TOOLS_BENCH_DATA_H

#include "base/status.h"

/* Path of a file or folder such as "maps/scenarios"; null with the places tried. The caller frees. */
char *fr_bench_data(const char *name, fr_error *error);

#endif
