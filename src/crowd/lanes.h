/* lanes: several units side by side, for what is computed alike for all of them, in the vectors of GCC and
 * clang. The same bits on every machine: each lane is an IEEE operation of its own. */
#ifndef FR_CROWD_LANES_H
#define FR_CROWD_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#define LANES 4 /* other numbers need another lanes_turn */
typedef float lanes __attribute__((vector_size(4 * LANES)));
/* In each lane all bits set, or none; or whole numbers. */
typedef int32_t lanes_mask __attribute__((vector_size(4 * LANES)));

static inline lanes lanes_sqrt(lanes v)
{
    for (int l = 0; l < LANES; l++) {
        v[l] = sqrtf(v[l]);
    }
    return v;
}

/* Where `test` holds `yes`, elsewhere `no`. */
static inline lanes lanes_select(lanes_mask test, lanes yes, lanes no)
{
    return (lanes)((test & (lanes_mask)yes) | (~test & (lanes_mask)no));
}

/* The larger of each and a number. */
static inline lanes lanes_max(lanes v, float least)
{
    return lanes_select(v > least, v, (lanes){0} + least);
}

static inline float lanes_sum(lanes v)
{
    return (v[0] + v[1]) + (v[2] + v[3]);
}

static inline bool lanes_any(lanes_mask v)
{
    typedef int64_t halves __attribute__((vector_size(4 * LANES)));
    halves half = (halves)v;
    return (half[0] | half[1]) != 0;
}

/* LANES rows become LANES columns. */
#ifdef __clang__
#define LANES_SHUFFLE(a, b, w, x, y, z) __builtin_shufflevector(a, b, w, x, y, z)
#else
#define LANES_SHUFFLE(a, b, w, x, y, z) __builtin_shuffle(a, b, (lanes_mask){w, x, y, z})
#endif
static inline void lanes_turn(lanes rows[LANES])
{
    lanes low01 = LANES_SHUFFLE(rows[0], rows[1], 0, 4, 1, 5),
          low23 = LANES_SHUFFLE(rows[2], rows[3], 0, 4, 1, 5);
    lanes high01 = LANES_SHUFFLE(rows[0], rows[1], 2, 6, 3, 7),
          high23 = LANES_SHUFFLE(rows[2], rows[3], 2, 6, 3, 7);
    rows[0] = LANES_SHUFFLE(low01, low23, 0, 1, 4, 5);
    rows[1] = LANES_SHUFFLE(low01, low23, 2, 3, 6, 7);
    rows[2] = LANES_SHUFFLE(high01, high23, 0, 1, 4, 5);
    rows[3] = LANES_SHUFFLE(high01, high23, 2, 3, 6, 7);
}
#undef LANES_SHUFFLE

#endif
