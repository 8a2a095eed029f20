#include "view/overlay_clearance.h"

#include <math.h>

#include "base/memory.h"
#include "view/palette.h"

/* Steps of the sweeps, in fifths of the distance between two entries. */
#define STRAIGHT 5
#define DIAGONAL 7
#define FAR      60000

/* The entries that are measured: those asked for and as many around them as can matter, in a ring. */
typedef struct window {
    int32_t first_x, first_y; /* cell of entry (0, 0) */
    int32_t columns, rows;
    int32_t row; /* entries from one row to the next: columns and the ring */
    int stride;
} window;

void fr_clearance_fini(fr_clearance *clearance)
{
    fr_free(clearance->tenths);
    fr_free(clearance->distance);
    fr_free(clearance->costs);
    *clearance = (fr_clearance){0};
}

static int32_t entries(int32_t cells, int stride)
{
    return (cells + stride - 1) / stride;
}

static window window_around(fr_grid grid, fr_rect cells, int stride)
{
    int32_t margin = entries(FR_CLEARANCE_MAX, stride) * stride;
    int32_t left = cells.x > margin ? cells.x - margin : 0, top = cells.y > margin ? cells.y - margin : 0;
    int32_t right = cells.x + cells.width + margin, bottom = cells.y + cells.height + margin;
    right = right < grid.width ? right : grid.width;
    bottom = bottom < grid.height ? bottom : grid.height;
    window w = {left, top, entries(right - left, stride), entries(bottom - top, stride), 0, stride};
    w.row = w.columns + 2;
    return w;
}

static void reserve(fr_clearance *clearance, const window *w, size_t asked, size_t row)
{
    size_t needed = (size_t)w->row * (size_t)(w->rows + 2);
    if (needed > clearance->distance_capacity) {
        clearance->distance_capacity = needed;
        clearance->distance = fr_realloc(clearance->distance, needed, sizeof *clearance->distance);
    }
    if (asked > clearance->capacity) {
        clearance->capacity = asked;
        clearance->tenths = fr_realloc(clearance->tenths, asked, sizeof *clearance->tenths);
    }
    if (row > clearance->row_capacity) {
        clearance->row_capacity = row;
        clearance->costs = fr_realloc(clearance->costs, row, 1);
    }
}

/* Walls are at 0, the ring too where it lies beyond the map; all else is far. */
static void seed(fr_clearance *clearance, const window *w, const fr_cost *cost, fr_cost_view view)
{
    fr_grid grid = fr_cost_grid(cost);
    bool closed_left = w->first_x == 0, closed_top = w->first_y == 0;
    bool closed_right = w->first_x + w->columns * w->stride >= grid.width;
    bool closed_bottom = w->first_y + w->rows * w->stride >= grid.height;
    for (int32_t j = -1; j <= w->rows; j++) {
        uint16_t *row = clearance->distance + (ptrdiff_t)(j + 1) * w->row + 1;
        bool is_beyond = (j < 0 && closed_top) || (j == w->rows && closed_bottom);
        bool is_ring = j < 0 || j == w->rows;
        row[-1] = is_beyond || closed_left ? 0 : FAR;
        row[w->columns] = is_beyond || closed_right ? 0 : FAR;
        if (!is_ring) {
            fr_rect line = {w->first_x, w->first_y + j * w->stride, (w->columns - 1) * w->stride + 1, 1};
            fr_cost_copy(cost, view, line, clearance->costs);
        }
        for (int32_t i = 0; i < w->columns; i++) {
            bool is_wall = is_ring ? is_beyond : clearance->costs[i * w->stride] == FR_COST_WALL;
            row[i] = is_wall ? 0 : FAR;
        }
    }
}

static uint16_t nearer(uint16_t a, int b)
{
    return b < a ? (uint16_t)b : a;
}

/* Forward from above and from the left (way = 1), or backward (way = -1). */
static void sweep(uint16_t *distance, const window *w, int way)
{
    ptrdiff_t back = -way, above = -way * (ptrdiff_t)w->row;
    ptrdiff_t count = (ptrdiff_t)w->row * w->rows;
    /* Through the ring as well: what it gets there does not matter, and never is too small. */
    uint16_t *at = distance + w->row + (way > 0 ? 1 : count - 2);
    for (ptrdiff_t i = 0; i < count - 2; i++, at += way) {
        uint16_t best = nearer(*at, at[back] + STRAIGHT);
        best = nearer(best, at[above] + STRAIGHT);
        best = nearer(best, at[above + 1] + DIAGONAL);
        *at = nearer(best, at[above - 1] + DIAGONAL);
    }
}

void fr_clearance_read(fr_clearance *clearance, const fr_cost *cost, fr_cost_view view, fr_rect cells,
                       int stride)
{
    window w = window_around(fr_cost_grid(cost), cells, stride);
    int32_t columns = entries(cells.width, stride), rows = entries(cells.height, stride);
    reserve(clearance, &w, (size_t)columns * (size_t)rows, (size_t)(w.columns * stride));
    seed(clearance, &w, cost, view);
    sweep(clearance->distance, &w, 1);
    sweep(clearance->distance, &w, -1);
    int32_t skip_x = (cells.x - w.first_x) / stride, skip_y = (cells.y - w.first_y) / stride;
    uint16_t *out = clearance->tenths;
    for (int32_t j = 0; j < rows; j++) {
        const uint16_t *row = clearance->distance + (ptrdiff_t)(j + skip_y + 1) * w.row + 1 + skip_x;
        for (int32_t i = 0; i < columns; i++) {
            /* From centre to centre; the wall begins half a cell before. */
            int tenths = row[i] * 10 * stride / STRAIGHT - 5;
            tenths = tenths > 10 * FR_CLEARANCE_MAX ? 10 * FR_CLEARANCE_MAX : tenths;
            *out++ = (uint16_t)(tenths > 0 ? tenths : 0);
        }
    }
}

uint32_t fr_clearance_color(uint16_t tenths)
{
    /* By the root: half a cell against one and a half matters more than 8 against 9. Wide ground is most of a
     * map: it gets a calm green, not the brightest yellow. */
    return fr_palette_viridis(0.72f * sqrtf((float)tenths / (10.0f * FR_CLEARANCE_MAX)));
}
