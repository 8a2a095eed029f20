/* clock: the one source of time of the program. A script makes it virtual: then frame F is at F/60 s,
 * whatever the machine does. */
#ifndef FR_APP_CLOCK_H
#define FR_APP_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#define FR_NS_PER_S 1000000000u

/* Frames per second of virtual time: two a tick at normal speed. */
#define FR_VIRTUAL_FRAME_HZ 60

typedef struct fr_clock {
    bool is_virtual;
    uint64_t frame; /* of virtual time */
} fr_clock;

/* Monotonic real time. Works before SDL is initialised. Any thread. */
uint64_t fr_real_now_ns(void);

/* Time of a virtual frame, rounded up, so that frame 2 is never a hair before the first tick. */
uint64_t fr_virtual_frame_ns(uint64_t frame);

/* Real or virtual now. */
uint64_t fr_clock_now_ns(const fr_clock *clock);

#endif
