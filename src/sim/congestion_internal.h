/* congestion_internal: what is counted (congestion.c), and what orders make of it (congestion_jam.c). */
#ifndef FR_SIM_CONGESTION_INTERNAL_H
#define FR_SIM_CONGESTION_INTERNAL_H

#include "sim/congestion.h"

/* Mass and heading of what is in a square, in 4096ths of r^2. */
typedef struct crowd_square {
    int32_t mass, flow_x, flow_y;
} crowd_square;

/* One order's congestion. */
typedef struct jam {
    bool is_used;
    uint32_t leg;
    float budget;   /* what may be added to a free way, in integration units */
    int32_t quiet;  /* looks in a row that found nothing */
    int32_t *cells; /* [count] squares with extra cost */
    int32_t count;
} jam;

struct fr_congestion {
    bool is_on;
    fr_grid squares;
    crowd_square *average, *now; /* [square] of all who may give way */
    int32_t *held_mass;          /* [square] of those who never do */
    fr_cell *held_cells;         /* [held_count] cells that they hold, each once */
    int32_t held_count;
    uint64_t holders;   /* which ones, and where: tells when that changes */
    int32_t *active;    /* [active_count] squares with anything in them */
    uint8_t *is_active; /* [square] */
    int32_t active_count;
    uint8_t *is_candidate; /* [square] all 0 between two looks */
    int32_t *candidates;   /* [square] */
    int32_t next_leg;      /* legs without a jam are looked at in turn */
    jam jams[FR_JAMS_MAX];
    uint32_t denied;
};

/* Looks at an order anew: begins, changes or ends its jam. */
void congestion_look(fr_congestion *congestion, fr_order_desk *desk, uint32_t leg, int32_t full_speed_cost);
void congestion_end_jam(fr_congestion *congestion, fr_order_desk *desk, int32_t index);

#endif
