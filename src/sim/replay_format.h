/* replay_format: what the writer and the reader of recordings share. */
#ifndef FR_SIM_REPLAY_FORMAT_H
#define FR_SIM_REPLAY_FORMAT_H

#include "sim/command.h"

#define FR_REPLAY_FORMAT  "freshet-replay"
#define FR_REPLAY_VERSION 1

/* "move", ...; the kinds in the order of fr_command_kind. */
extern const char *const FR_COMMAND_NAMES[FR_COMMAND_KIND_COUNT];

/* What a kind of command carries beside its name. */
static inline bool fr_command_has_units(fr_command_kind kind)
{
    return kind == FR_COMMAND_MOVE || kind == FR_COMMAND_STOP || kind == FR_COMMAND_HOLD ||
           kind == FR_COMMAND_FOLLOW;
}

static inline bool fr_command_has_rect(fr_command_kind kind)
{
    return kind == FR_COMMAND_SET_COST || kind == FR_COMMAND_RESTORE_COST || kind == FR_COMMAND_SET_TERRAIN;
}

static inline bool fr_command_has_cost(fr_command_kind kind)
{
    return kind == FR_COMMAND_SET_COST || kind == FR_COMMAND_SET_TERRAIN;
}

#endif
