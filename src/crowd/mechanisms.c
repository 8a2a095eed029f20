#include "crowd/mechanisms.h"

#include <string.h>

#include "base/buffer.h"

static const char *const mover_names[FR_MOVER_COUNT] = {"freshet", "naive"};

const fr_mechanism FR_MECHANISMS[FR_MECHANISM_COUNT] = {
    {FR_MECHANISM_CONFLICT, "conflict", "see oncoming traffic cells ahead and turn aside"},
    {FR_MECHANISM_QUEUE, "queue", "keep behind the one ahead instead of pressing"},
    {FR_MECHANISM_SPREAD, "spread", "pass beside one's own queue, and keep abreast round corners"},
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

static fr_status fail_name(const char *name, size_t length, fr_error *error)
{
    fr_buffer names = {0};
    for (int i = 0; i < FR_MECHANISM_COUNT; i++) {
        fr_buffer_printf(&names, "%s%s", i > 0 ? ", " : "", FR_MECHANISMS[i].name);
    }
    fr_status status = fr_fail(error, FR_BAD_INPUT, "no mechanism is named '%.*s', expected some of %.*s",
                               (int)length, name, (int)names.size, (const char *)names.data);
    fr_buffer_fini(&names);
    return status;
}

fr_status fr_mechanisms_parse(const char *list, uint32_t *bits, fr_error *error)
{
    for (const char *at = list;; at++) {
        size_t length = strcspn(at, ",");
        uint32_t bit = fr_mechanism_bit(at, length);
        if (bit == 0) {
            return fail_name(at, length, error);
        }
        *bits |= bit;
        at += length;
        if (*at == '\0') {
            return FR_OK;
        }
    }
}
