#include "crowd/mechanisms.h"

#include <string.h>

static const char *const mover_names[FR_MOVER_COUNT] = {"freshet", "naive"};

const fr_mechanism FR_MECHANISMS[FR_MECHANISM_COUNT] = {
    {FR_MECHANISM_CONFLICT, "conflict", "see oncoming traffic cells ahead and turn aside"},
    {FR_MECHANISM_QUEUE, "queue", "keep behind the one ahead instead of pressing"},
    {FR_MECHANISM_SWAPS, "swaps", "exchange places in the pack where that shortens both ways"},
    {FR_MECHANISM_GIVEWAY, "giveway", "let those pass who walk when standing, and return"},
    {FR_MECHANISM_LANES, "lanes", "keep right, so that streams against each other part in lanes"},
    {FR_MECHANISM_BYPASS, "bypass", "go round crowds that stand, not through them"},
    {FR_MECHANISM_TURNS, "turns", "let one stream through first where two can't pass"},
    {FR_MECHANISM_CONGESTION, "congestion", "go round crowds, where a map or scenario has that on"},
};

const char *fr_mover_name(fr_mover mover)
{
    return (unsigned)mover < FR_MOVER_COUNT ? mover_names[mover] : NULL;
}

fr_mover fr_mover_from_name(const char *name)
{
    int mover = 0;
    while (mover < FR_MOVER_COUNT && strcmp(mover_names[mover], name) != 0) {
        mover++;
    }
    return (fr_mover)mover;
}

uint32_t fr_mechanism_bit(const char *name, size_t length)
{
    for (int i = 0; i < FR_MECHANISM_COUNT; i++) {
        if (strlen(FR_MECHANISMS[i].name) == length && memcmp(FR_MECHANISMS[i].name, name, length) == 0) {
            return FR_MECHANISMS[i].bit;
        }
    }
    return 0;
}
