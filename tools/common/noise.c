#include "noise.h"

#include "base/rng.h"

static float lattice(uint64_t seed, int x, int y)
{
    uint64_t key = seed * 0x9e3779b97f4a7c15u + ((uint64_t)(uint32_t)x << 32) + (uint32_t)y;
    return (float)(fr_mix64(fr_mix64(key)) >> 40) * (1.0f / 16777216.0f);
}

static float value_noise(uint64_t seed, float x, float y)
{
    /* Callers stay within +-4096 cells, so that the shift to positive keeps the cast a floor. */
    int ix = (int)(x + 4096.0f) - 4096, iy = (int)(y + 4096.0f) - 4096;
    float u = x - (float)ix, v = y - (float)iy;
    u = u * u * (3.0f - 2.0f * u);
    v = v * v * (3.0f - 2.0f * v);
    float above = lattice(seed, ix, iy) + (lattice(seed, ix + 1, iy) - lattice(seed, ix, iy)) * u;
    float below = lattice(seed, ix, iy + 1) + (lattice(seed, ix + 1, iy + 1) - lattice(seed, ix, iy + 1)) * u;
    return above + (below - above) * v;
}

float fr_noise(uint64_t seed, float x, float y, float scale)
{
    float sum = 0.0f, weight = 1.0f, total = 0.0f;
    float turned_once = 0.96f * x + 0.28f * y;
    y = 0.96f * y - 0.28f * x;
    x = turned_once;
    for (int octave = 0; octave < 3; octave++) {
        sum += weight * value_noise(seed + (uint64_t)octave, x / scale, y / scale);
        total += weight;
        weight *= 0.5f;
        scale *= 0.5f;
        /* Turned from octave to octave (3-4-5 triangle), or the lattice shows as straight edges. */
        float turned = 0.8f * x - 0.6f * y;
        y = 0.6f * x + 0.8f * y;
        x = turned;
    }
    return sum / total;
}
