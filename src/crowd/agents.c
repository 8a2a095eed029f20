#include "crowd/agents.h"

#include <stddef.h>
#include <string.h>

#include "base/assert.h"
#include "base/limits.h"
#include "base/memory.h"

/* The one table of arrays: memory, saving and hashing all walk it. */
typedef struct column {
    size_t offset; /* of the pointer in fr_agents */
    size_t size;   /* of an element */
    bool decides;  /* part of the state hash */
} column;

#define COLUMN(member, decides)                                                                              \
    {                                                                                                        \
        offsetof(fr_agents, member), sizeof *((fr_agents *)0)->member, decides                               \
    }

static const column columns[] = {
    COLUMN(position, true),     COLUMN(previous, false),
    COLUMN(target, true),       COLUMN(via, true),
    COLUMN(velocity, true),     COLUMN(facing, false),
    COLUMN(radius, true),       COLUMN(speed, true),
    COLUMN(veer, true),         COLUMN(aside, true),
    COLUMN(abreast, true),      COLUMN(best, true),
    COLUMN(order, true),        COLUMN(leg, true),
    COLUMN(open_cell, true),    COLUMN(group, false),
    COLUMN(goal1, true),        COLUMN(stall_ticks, true),
    COLUMN(team, false),        COLUMN(movement_class, true),
    COLUMN(state, true),        COLUMN(reason, false),
    COLUMN(flags, true),        COLUMN(rouses, true),
    COLUMN(resorts, true),      COLUMN(leaves, false),
    COLUMN(backs, true),        COLUMN(backs_for, true),
    COLUMN(back, true),         COLUMN(stride_from, true),
    COLUMN(stride_ticks, true),
};
enum { COLUMN_COUNT = sizeof columns / sizeof *columns };

static void *column_data(const fr_agents *agents, const column *which)
{
    void *data;
    memcpy(&data, (const char *)agents + which->offset, sizeof data);
    return data;
}

void fr_agents_init(fr_agents *agents, int32_t capacity)
{
    FR_ASSERT(capacity >= 1 && capacity <= FR_UNITS_MAX);
    *agents = (fr_agents){.capacity = capacity};
    size_t total = 0;
    for (int i = 0; i < COLUMN_COUNT; i++) {
        total += ((size_t)capacity * columns[i].size + 63) / 64 * 64;
    }
    char *memory = fr_alloc(total, 1);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        memcpy((char *)agents + columns[i].offset, &memory, sizeof memory);
        memory += ((size_t)capacity * columns[i].size + 63) / 64 * 64;
    }
}

void fr_agents_fini(fr_agents *agents)
{
    fr_free(agents->position); /* first column: the block's start */
    *agents = (fr_agents){0};
}

void fr_agents_save(const fr_agents *agents, fr_buffer *out)
{
    fr_buffer_append(out, &agents->count, sizeof agents->count);
    fr_buffer_append(out, &agents->radius_max, sizeof agents->radius_max);
    fr_buffer_append(out, &agents->speed_max, sizeof agents->speed_max);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        fr_buffer_append(out, column_data(agents, &columns[i]), (size_t)agents->count * columns[i].size);
    }
}

bool fr_agents_load(fr_agents *agents, fr_reader *reader)
{
    int32_t count;
    if (!fr_reader_take(reader, &count, sizeof count) || count < 0 || count > agents->capacity ||
        !fr_reader_take(reader, &agents->radius_max, sizeof agents->radius_max) ||
        !fr_reader_take(reader, &agents->speed_max, sizeof agents->speed_max)) {
        return false;
    }
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (!fr_reader_take(reader, column_data(agents, &columns[i]), (size_t)count * columns[i].size)) {
            return false;
        }
    }
    agents->count = count;
    return true;
}

/* FNV-1a's scheme on words of eight bytes: a replay hashes every tick, and bytes would take longer than the
 * tick. */
static uint64_t hash_words(uint64_t hash, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        uint64_t word = 0;
        size_t part = size < sizeof word ? size : sizeof word;
        memcpy(&word, at, part);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
        at += part;
        size -= part;
    }
    return hash;
}

uint64_t fr_agents_hash(const fr_agents *agents, uint64_t hash)
{
    hash = hash_words(hash, &agents->count, sizeof agents->count);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        if (columns[i].decides) {
            hash =
                hash_words(hash, column_data(agents, &columns[i]), (size_t)agents->count * columns[i].size);
        }
    }
    return hash;
}
