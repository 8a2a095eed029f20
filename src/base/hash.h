/* hash: FNV-1a 64 (Fowler, Noll, Vo) for files and costs, byte by byte as others can recompute it. */
#ifndef FR_BASE_HASH_H
#define FR_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define FR_HASH_SEED 0xcbf29ce484222325u

static inline uint64_t fr_hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ at[i]) * 0x100000001b3u;
    }
    return hash;
}

/* Little-endian, whatever the machine. */
static inline uint64_t fr_hash_u32(uint64_t hash, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        hash = (hash ^ ((value >> (8 * i)) & 0xffu)) * 0x100000001b3u;
    }
    return hash;
}

#endif
