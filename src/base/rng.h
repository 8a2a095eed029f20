/* rng: a small counter-based random stream (Steele, Lea and Flood, "Fast splittable pseudorandom number
 * generators", 2014: SplitMix64). The simulation owns one stream, the eye another: effects never desync a
 * game. */
#ifndef FR_BASE_RNG_H
#define FR_BASE_RNG_H

#include <stdint.h>

typedef struct fr_rng {
    uint64_t state;
} fr_rng;

static inline uint64_t fr_mix64(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint64_t fr_rng_next(fr_rng *rng)
{
    return fr_mix64(rng->state += 0x9e3779b97f4a7c15u);
}

/* Uniform integer in 0..bound-1, bound >= 1 (the bias below 2^-32 is of no account here). */
static inline uint32_t fr_rng_below(fr_rng *rng, uint32_t bound)
{
    return (uint32_t)(((fr_rng_next(rng) >> 32) * bound) >> 32);
}

/* Uniform in [0,1) with 24 bits, exact in a float. */
static inline float fr_rng_unit(fr_rng *rng)
{
    return (float)(fr_rng_next(rng) >> 40) * (1.0f / 16777216.0f);
}

#endif
