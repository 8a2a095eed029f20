#include "view/overlay_threat.h"

#include <math.h>

#include "view/palette.h"
#include "view/pixel.h"

/* Pale to dark: told apart by brightness alone, and from the blue and green of the ground. */
#define MILD   0xFFF6C98Au
#define DEADLY 0xFF8C1D18u

#define EXTRA_MAX 254u /* all causes together end there */

uint32_t fr_threat_color(uint32_t extra)
{
    /* By ratio: 2 against 4 matters as much as 50 against 100. */
    float share = logf((float)(extra > EXTRA_MAX ? EXTRA_MAX : extra)) / logf((float)EXTRA_MAX);
    return fr_argb_mix(MILD, DEADLY, (uint32_t)(share * 256.0f));
}

/* The part of a row of cells whose centres lie in a disc: first and last column; false if none does. */
static bool row_of_disc(const fr_threat *threat, int32_t y, int32_t *first, int32_t *last)
{
    double dy = y + 0.5 - fr_cells(threat->centre.y), radius = fr_cells(threat->radius);
    double squared = radius * radius - dy * dy;
    if (squared < 0.0) {
        return false;
    }
    double half = sqrt(squared), x = fr_cells(threat->centre.x) - 0.5;
    *first = (int32_t)ceil(x - half);
    *last = (int32_t)floor(x + half);
    return *first <= *last;
}

/* First entry at or behind a cell, of entries that begin at `begin`. */
static int32_t entry_from(int32_t cell, int32_t begin, int stride)
{
    return cell <= begin ? 0 : (cell - begin + stride - 1) / stride;
}

static void add_threat(const fr_threat *threat, fr_rect cells, int stride, uint32_t *sums)
{
    int32_t columns = (cells.width + stride - 1) / stride, rows = (cells.height + stride - 1) / stride;
    for (int32_t j = 0; j < rows; j++) {
        int32_t first, last;
        if (!row_of_disc(threat, cells.y + j * stride, &first, &last)) {
            continue;
        }
        uint32_t *row = sums + (ptrdiff_t)j * columns;
        for (int32_t i = entry_from(first, cells.x, stride); i < columns && cells.x + i * stride <= last;
             i++) {
            row[i] += threat->cost;
        }
    }
}

bool fr_threats_any(const fr_cost *cost)
{
    bool any = false;
    for (int32_t t = 0; t < FR_THREATS_MAX && !any; t++) {
        any = fr_cost_threat(cost, t) != NULL;
    }
    return any;
}

void fr_threats_read(const fr_cost *cost, fr_rect cells, int stride, uint32_t *out)
{
    size_t count =
        (size_t)((cells.width + stride - 1) / stride) * (size_t)((cells.height + stride - 1) / stride);
    for (size_t i = 0; i < count; i++) {
        out[i] = 0;
    }
    for (int32_t t = 0; t < FR_THREATS_MAX; t++) {
        const fr_threat *threat = fr_cost_threat(cost, t);
        if (threat != NULL) {
            add_threat(threat, cells, stride, out);
        }
    }
    uint32_t last_sum = 0, last_color = 0; /* neighbours are mostly alike */
    for (size_t i = 0; i < count; i++) {
        if (out[i] != last_sum) {
            last_sum = out[i];
            last_color = last_sum == 0 ? 0 : fr_threat_color(last_sum);
        }
        out[i] = last_color;
    }
}
