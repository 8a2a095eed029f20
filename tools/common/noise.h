/* noise: smooth random ground for maps that are made by code. Only + - * / in floats: the same on every
 * machine. */
#ifndef FR_TOOLS_NOISE_H
#define FR_TOOLS_NOISE_H

#include <stdint.h>

/* Smooth noise in 0..1: three octaves of value noise, the coarsest `scale` cells wide (16 or more on the
 * largest maps). */
float fr_noise(uint64_t seed, float x, float y, float scale);

#endif
