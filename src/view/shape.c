#include "view/shape.h"

/* How it works: eroding the union of cells by r and growing it by r again rounds its outer corners and leaves
 * the rest. The eroded set is one rectangle a cell, drawn in where no neighbour continues. At an inner corner
 * (both sides continue, the diagonal does not) a quarter disc is missing from it; leaving out the square
 * round that disc instead, by two overlapping rectangles, grows back to the same outline. */

static bool has(uint32_t cells, int dx, int dy)
{
    return (cells & FR_AROUND_BIT(dx, dy)) != 0;
}

static void add(fr_shape *shape, float x0, float y0, float x1, float y1)
{
    float *rect = shape->rects[shape->count++];
    rect[0] = x0;
    rect[1] = y0;
    rect[2] = x1;
    rect[3] = y1;
}

static void add_cell(fr_shape *shape, uint32_t joined, int dx, int dy)
{
    bool left = has(joined, dx - 1, dy), right = has(joined, dx + 1, dy);
    bool up = has(joined, dx, dy - 1), down = has(joined, dx, dy + 1);
    float r = shape->radius, x = (float)dx, y = (float)dy;
    float x0 = left ? x : x + r, x1 = right ? x + 1.0f : x + 1.0f - r;
    float y0 = up ? y : y + r, y1 = down ? y + 1.0f : y + 1.0f - r;
    bool notch_ul = left && up && !has(joined, dx - 1, dy - 1);
    bool notch_ur = right && up && !has(joined, dx + 1, dy - 1);
    bool notch_dl = left && down && !has(joined, dx - 1, dy + 1);
    bool notch_dr = right && down && !has(joined, dx + 1, dy + 1);
    if (!(notch_ul || notch_ur || notch_dl || notch_dr)) {
        add(shape, x0, y0, x1, y1);
        return;
    }
    add(shape, notch_ul || notch_dl ? x + r : x0, y0, notch_ur || notch_dr ? x + 1.0f - r : x1, y1);
    add(shape, x0, notch_ul || notch_ur ? y + r : y0, x1, notch_dl || notch_dr ? y + 1.0f - r : y1);
}

void fr_shape_build(fr_shape *shape, uint32_t body, uint32_t joined, float radius)
{
    shape->count = 0;
    shape->radius = radius;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            if (has(body, dx, dy)) {
                add_cell(shape, joined, dx, dy);
            }
        }
    }
}

void fr_shape_squares(const fr_shape *shape, float x, float step, float y, int count, float *out)
{
    for (int i = 0; i < count; i++) {
        out[i] = 4.0f;
    }
    for (int k = 0; k < shape->count; k++) {
        const float *rect = shape->rects[k];
        float above = rect[1] - y, below = y - rect[3], dy = above > below ? above : below;
        float dy_square = dy > 0.0f ? dy * dy : 0.0f;
        if (dy_square >= 1.0f) {
            continue;
        }
        float x0 = rect[0], x1 = rect[2];
        for (int i = 0; i < count; i++) {
            float at = x + (float)i * step;
            float before = x0 - at, after = at - x1;
            float dx = before > after ? before : after;
            dx = dx > 0.0f ? dx : 0.0f;
            float square = dx * dx + dy_square;
            out[i] = square < out[i] ? square : out[i];
        }
    }
}
