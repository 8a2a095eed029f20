/* app: the program: from a command line to an exit status. Owns everything; two of them in one process do not
 * meet. */
#ifndef FR_APP_APP_H
#define FR_APP_APP_H

#include <stdint.h>

/* Runs the program. `start_ns`: when the process began (fr_real_now_ns). Returns the exit status: 0 done, 1
 * ran and failed, 2 wrong use or bad input. */
int fr_app_run(int argc, char **argv, uint64_t start_ns);

#endif
