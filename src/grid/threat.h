/* threat: areas that are dear to cross for those who mind them. Plain values. */
#ifndef FR_GRID_THREAT_H
#define FR_GRID_THREAT_H

#include "grid/grid.h"

/* How much an order minds threats. The names are those of scenario files. */
typedef enum fr_caution {
    FR_CAUTION_NORMAL = 0, /* pays what they cost */
    FR_CAUTION_RUSH,       /* not at all */
    FR_CAUTION_SAFE,       /* goes through only where there is no other way */
    FR_CAUTION_COUNT
} fr_caution;

/* "normal", ...; null for an unknown number. */
const char *fr_caution_name(fr_caution caution);
/* The caution of that name, or FR_CAUTION_COUNT. */
fr_caution fr_caution_from_name(const char *name);

#define FR_TEAM_NONE 0xff

/* A disc of extra cost: each cell whose centre lies in it. */
typedef struct fr_threat {
    fr_position centre;
    int32_t radius; /* 16.16 cells, more than 0 */
    uint8_t cost;   /* 1..254 more; 0: there is no threat */
    uint8_t team;   /* whose it is, and who does not mind it; or FR_TEAM_NONE */
} fr_threat;

#endif
