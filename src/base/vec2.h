/* vec2: points and vectors. Positions are fixed point so that a unit moves alike everywhere on the map;
 * vectors are floats and stay short. Only + - * / and sqrtf: no libm trigonometry in the simulation. */
#ifndef FR_BASE_VEC2_H
#define FR_BASE_VEC2_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct fr_vec2 {
    float x, y;
} fr_vec2;

/* 1/65536 cell. x right, y down. */
typedef struct fr_position {
    int32_t x, y;
} fr_position;

#define FR_POSITION_ONE 65536

static inline fr_vec2 fr_vec2_add(fr_vec2 a, fr_vec2 b)
{
    return (fr_vec2){a.x + b.x, a.y + b.y};
}

static inline fr_vec2 fr_vec2_scale(fr_vec2 a, float s)
{
    return (fr_vec2){a.x * s, a.y * s};
}

static inline float fr_vec2_dot(fr_vec2 a, fr_vec2 b)
{
    return a.x * b.x + a.y * b.y;
}

static inline float fr_vec2_length(fr_vec2 a)
{
    return sqrtf(a.x * a.x + a.y * a.y);
}

/* Unit vector, or zero for a vector shorter than 1e-9. */
static inline fr_vec2 fr_vec2_normalize(fr_vec2 a)
{
    float length = fr_vec2_length(a);
    return length > 1e-9f ? fr_vec2_scale(a, 1.0f / length) : (fr_vec2){0.0f, 0.0f};
}

/* Cells to fixed point, rounded to nearest. The value must lie within +-32,767 cells. */
static inline int32_t fr_fixed(double cells)
{
    return (int32_t)(cells * FR_POSITION_ONE + (cells < 0.0 ? -0.5 : 0.5));
}

static inline fr_position fr_position_at(double x, double y)
{
    return (fr_position){fr_fixed(x), fr_fixed(y)};
}

/* Fixed point to cells, exact. */
static inline double fr_cells(int32_t fixed)
{
    return (double)fixed / FR_POSITION_ONE;
}

/* Twice the area of the triangle o-a-b, signed: which side of o-a is b on. Exact up to differences of 32,767
 * cells. */
static inline int64_t fr_cross(fr_position o, fr_position a, fr_position b)
{
    return ((int64_t)a.x - o.x) * ((int64_t)b.y - o.y) - ((int64_t)a.y - o.y) * ((int64_t)b.x - o.x);
}

/* Does a step from a to b cross the line from c to d? Coming to stand on it counts, leaving it does not, so
 * that who stops there has crossed once. */
static inline bool fr_path_crosses(fr_position a, fr_position b, fr_position c, fr_position d)
{
    int64_t a_side = fr_cross(c, d, a), b_side = fr_cross(c, d, b);
    int64_t c_side = fr_cross(a, b, c), d_side = fr_cross(a, b, d);
    bool parted = (a_side < 0 && b_side >= 0) || (a_side > 0 && b_side <= 0);
    return parted && ((c_side <= 0 && d_side >= 0) || (c_side >= 0 && d_side <= 0));
}

/* Vector from a to b in cells. */
static inline fr_vec2 fr_position_delta(fr_position a, fr_position b)
{
    const float scale = 1.0f / FR_POSITION_ONE;
    return (fr_vec2){(float)(b.x - a.x) * scale, (float)(b.y - a.y) * scale};
}

/* The place that lies so far from a, in cells. */
static inline fr_position fr_position_add(fr_position a, fr_vec2 offset)
{
    return (fr_position){a.x + fr_fixed((double)offset.x), a.y + fr_fixed((double)offset.y)};
}

#endif
