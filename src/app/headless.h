/* headless: a session without anyone to look at it, as fast as it goes or at the pace of real time. */
#ifndef FR_APP_HEADLESS_H
#define FR_APP_HEADLESS_H

#include "app/session.h"

/* Ticks until the session has ended, or the process is asked to end (SIGTERM, SIGINT): then what there is so
 * far counts. */
void fr_headless_run(fr_session *session);

#endif
