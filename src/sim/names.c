/* names: what states and reasons are called in dumps, positions files and panels. */
#include "sim/snapshot.h"

#include <stddef.h>

static const char *const state_names[FR_UNIT_STATE_COUNT] = {"idle", "moving", "arrived", "holding", "gone"};

static const char *const reason_names[FR_REASON_COUNT] = {
    "none",   "field", "straight", "slot",    "waiting for field",
    "no way", "queue", "settled",  "no room", "displaced",
};

const char *fr_unit_state_name(fr_unit_state state)
{
    return (unsigned)state < FR_UNIT_STATE_COUNT ? state_names[state] : NULL;
}

const char *fr_unit_reason_name(fr_unit_reason reason)
{
    return (unsigned)reason < FR_REASON_COUNT ? reason_names[reason] : NULL;
}
