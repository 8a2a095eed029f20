/* mechanisms: what movement is made of, as data: the movers, and the mechanisms of ours that can be left out,
 * so that everybody can see what each is worth. Names are those of command lines, recordings and panels. */
#ifndef FR_CROWD_MECHANISMS_H
#define FR_CROWD_MECHANISMS_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef enum fr_mover {
    FR_MOVER_FRESHET = 0,
    FR_MOVER_NAIVE, /* as in any tutorial (crowd/naive.c), to compare with */
    FR_MOVER_COUNT
} fr_mover;

/* "freshet", "naive"; null for an unknown number. */
const char *fr_mover_name(fr_mover mover);
/* FR_MOVER_COUNT if there is none of that name. */
fr_mover fr_mover_from_name(const char *name);

/* Bits of a set of mechanisms. */
enum {
    FR_MECHANISM_CONFLICT = 1u << 0,
    FR_MECHANISM_QUEUE = 1u << 1,
    FR_MECHANISM_SWAPS = 1u << 2,
    FR_MECHANISM_GIVEWAY = 1u << 3,
    FR_MECHANISM_LANES = 1u << 4,
    FR_MECHANISM_CONGESTION = 1u << 5,
    FR_MECHANISM_BYPASS = 1u << 6,
    FR_MECHANISM_TURNS = 1u << 7,
    FR_MECHANISM_SPREAD = 1u << 8,
};
#define FR_MECHANISM_COUNT 9
#define FR_MECHANISMS_ALL  ((1u << FR_MECHANISM_COUNT) - 1u)

typedef struct fr_mechanism {
    uint32_t bit;
    const char *name;
    const char *help; /* one line: what it does */
} fr_mechanism;

/* THE table of them. */
extern const fr_mechanism FR_MECHANISMS[FR_MECHANISM_COUNT];

/* Bit of the one that is called so (name [length], any bytes may follow); 0 if there is none. */
uint32_t fr_mechanism_bit(const char *name, size_t length);

/* Adds the bits of a list of names, with a comma between two. FR_BAD_INPUT with a message that lists all
 * names if one is not known. */
fr_status fr_mechanisms_parse(const char *list, uint32_t *bits, fr_error *error);

#endif
