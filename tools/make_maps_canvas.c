/* make_maps_canvas: ground of a map in the making, lines to compose it with, and the passes that tidy
 * it so that crowds can walk it. Knows nothing of any one map, nor of files. Only + - * / and sqrtf in
 * floats: the same map on every machine. */
#include "make_maps.h"

#include <string.h>

#include "base/assert.h"
#include "base/memory.h"

fr_canvas fr_canvas_create(int width, int height, fr_terrain kind)
{
    fr_canvas canvas = {width, height, fr_alloc((size_t)(width * height), 1)};
    memset(canvas.kinds, (int)kind, (size_t)(width * height));
    return canvas;
}

void fr_canvas_destroy(fr_canvas *canvas)
{
    fr_free(canvas->kinds);
    *canvas = (fr_canvas){0};
}

static int clamp(int value, int high)
{
    return value < 0 ? 0 : value > high ? high : value;
}

fr_terrain fr_canvas_at(const fr_canvas *canvas, int x, int y)
{
    return canvas->kinds[clamp(y, canvas->height - 1) * canvas->width + clamp(x, canvas->width - 1)];
}

void fr_canvas_set(fr_canvas *canvas, int x, int y, fr_terrain kind)
{
    if (x >= 0 && y >= 0 && x < canvas->width && y < canvas->height) {
        canvas->kinds[y * canvas->width + x] = (uint8_t)kind;
    }
}

void fr_canvas_fill(fr_canvas *canvas, int x, int y, int width, int height, fr_terrain kind)
{
    for (int row = y; row < y + height; row++) {
        for (int column = x; column < x + width; column++) {
            fr_canvas_set(canvas, column, row, kind);
        }
    }
}

int fr_ground_cost(fr_terrain kind, fr_class movement_class)
{
    static const uint8_t costs[FR_TERRAIN_COUNT][3] = {
        [FR_TERRAIN_GRASS] = {2, 2, 2},
        [FR_TERRAIN_WATER] = {FR_COST_WALL, FR_COST_WALL, 2},
        [FR_TERRAIN_SHALLOW] = {5, 8, 2},
        [FR_TERRAIN_SAND] = {3, 3, 2},
        [FR_TERRAIN_FOREST] = {6, FR_COST_WALL, 6},
        [FR_TERRAIN_ROCK] = {FR_COST_WALL, FR_COST_WALL, FR_COST_WALL},
        [FR_TERRAIN_ROAD] = {1, 1, 1},
        [FR_TERRAIN_BRIDGE] = {1, 1, 1},
        [FR_TERRAIN_SWAMP] = {6, 12, 3},
        [FR_TERRAIN_WALL] = {FR_COST_WALL, FR_COST_WALL, FR_COST_WALL},
    };
    return movement_class == FR_CLASS_AIR ? 1 : costs[kind][movement_class];
}

static bool blocked(const fr_canvas *canvas, int x, int y)
{
    return fr_ground_cost(fr_canvas_at(canvas, x, y), FR_CLASS_FOOT) == FR_COST_WALL;
}

static int count_around(const fr_canvas *canvas, int x, int y, fr_terrain kind)
{
    int count = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            count += fr_canvas_at(canvas, x + dx, y + dy) == kind;
        }
    }
    return count;
}

void fr_canvas_smooth(fr_canvas *canvas, fr_terrain kind, fr_terrain other, int rounds)
{
    size_t cells = (size_t)(canvas->width * canvas->height);
    uint8_t *next = fr_alloc(cells, 1);
    for (int round = 0; round < rounds; round++) {
        for (int y = 0; y < canvas->height; y++) {
            for (int x = 0; x < canvas->width; x++) {
                fr_terrain now = fr_canvas_at(canvas, x, y);
                int count = count_around(canvas, x, y, kind);
                fr_terrain then = now;
                if (now == kind && count <= 4) {
                    then = other;
                } else if (now == other && count >= 5) {
                    then = kind;
                }
                next[y * canvas->width + x] = (uint8_t)then;
            }
        }
        memcpy(canvas->kinds, next, cells);
    }
    fr_free(next);
}

/* Marks of a patch whose size is not known yet; patch numbers begin above. */
#define UNSEEN 0

/* Gives the 4-connected patch of `same` cells that holds `start` the number `patch`; returns its size. */
static int flood(const fr_canvas *canvas, const uint8_t *same, int start, int patch, int *patches, int *stack)
{
    int size = 0, top = 0;
    stack[top++] = start;
    patches[start] = patch;
    while (top > 0) {
        int at = stack[--top];
        int x = at % canvas->width, y = at / canvas->width;
        const int steps[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
        size++;
        for (int i = 0; i < 4; i++) {
            int nx = x + steps[i][0], ny = y + steps[i][1];
            int to = ny * canvas->width + nx;
            if (nx >= 0 && ny >= 0 && nx < canvas->width && ny < canvas->height && same[to] &&
                patches[to] == UNSEEN) {
                patches[to] = patch;
                stack[top++] = to;
            }
        }
    }
    return size;
}

void fr_canvas_drop_small(fr_canvas *canvas, fr_terrain kind, int least, fr_terrain other)
{
    int cells = canvas->width * canvas->height;
    uint8_t *same = fr_alloc((size_t)cells, 1);
    int *patches = fr_alloc((size_t)cells, sizeof(int));
    int *stack = fr_alloc((size_t)cells, sizeof(int));
    for (int i = 0; i < cells; i++) {
        same[i] = canvas->kinds[i] == kind;
    }
    for (int i = 0, patch = UNSEEN; i < cells; i++) {
        if (!same[i] || patches[i] != UNSEEN) {
            continue;
        }
        if (flood(canvas, same, i, ++patch, patches, stack) < least) {
            for (int j = i; j < cells; j++) {
                if (patches[j] == patch) {
                    canvas->kinds[j] = (uint8_t)other;
                }
            }
        }
    }
    fr_free(same);
    fr_free(patches);
    fr_free(stack);
}

/* The blocked kind that most cells around have. */
static fr_terrain blocked_kind_around(const fr_canvas *canvas, int x, int y)
{
    int water = count_around(canvas, x, y, FR_TERRAIN_WATER);
    return water > count_around(canvas, x, y, FR_TERRAIN_ROCK) ? FR_TERRAIN_WATER : FR_TERRAIN_ROCK;
}

/* Is the cell part of a square of 3 x 3 open cells? Beyond the edge counts as the edge does. */
static bool has_room(const fr_canvas *canvas, int x, int y)
{
    for (int corner = 0; corner < 9; corner++) {
        bool open = true;
        for (int i = 0; i < 9 && open; i++) {
            open = !blocked(canvas, x - corner % 3 + i % 3, y - corner / 3 + i / 3);
        }
        if (open) {
            return true;
        }
    }
    return false;
}

static void close_regions(fr_canvas *canvas)
{
    int cells = canvas->width * canvas->height;
    uint8_t *open = fr_alloc((size_t)cells, 1);
    int *patches = fr_alloc((size_t)cells, sizeof(int));
    int *stack = fr_alloc((size_t)cells, sizeof(int));
    int largest = UNSEEN, largest_size = 0;
    for (int i = 0; i < cells; i++) {
        open[i] = !blocked(canvas, i % canvas->width, i / canvas->width);
    }
    for (int i = 0, patch = UNSEEN; i < cells; i++) {
        if (open[i] && patches[i] == UNSEEN) {
            int size = flood(canvas, open, i, ++patch, patches, stack);
            if (size > largest_size) {
                largest = patch;
                largest_size = size;
            }
        }
    }
    for (int i = 0; i < cells; i++) {
        if (open[i] && patches[i] != largest) {
            canvas->kinds[i] = (uint8_t)blocked_kind_around(canvas, i % canvas->width, i / canvas->width);
        }
    }
    fr_free(open);
    fr_free(patches);
    fr_free(stack);
}

void fr_canvas_close_gaps(fr_canvas *canvas)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (int y = 0; y < canvas->height; y++) {
            for (int x = 0; x < canvas->width; x++) {
                if (!blocked(canvas, x, y) && !has_room(canvas, x, y)) {
                    fr_canvas_set(canvas, x, y, blocked_kind_around(canvas, x, y));
                    changed = true;
                }
            }
        }
    }
    close_regions(canvas);
}

static float catmull_rom(float a, float b, float c, float d, float t)
{
    return 0.5f * (2.0f * b + (c - a) * t + (2.0f * a - 5.0f * b + 4.0f * c - d) * t * t +
                   (3.0f * b - a - 3.0f * c + d) * t * t * t);
}

float fr_line_distance(const fr_knot *knots, int count, float x, float y)
{
    enum { PIECES = 8 };
    float nearest = 1e9f;
    FR_ASSERT(count >= 2);
    for (int i = 0; i + 1 < count; i++) {
        const fr_knot *a = &knots[i > 0 ? i - 1 : 0], *b = &knots[i], *c = &knots[i + 1];
        const fr_knot *d = &knots[i + 2 < count ? i + 2 : count - 1];
        float from_x = b->x - x, from_y = b->y - y;
        for (int piece = 1; piece <= PIECES; piece++) {
            float t = (float)piece / PIECES;
            float to_x = catmull_rom(a->x, b->x, c->x, d->x, t) - x;
            float to_y = catmull_rom(a->y, b->y, c->y, d->y, t) - y;
            float dx = to_x - from_x, dy = to_y - from_y;
            float along = -(from_x * dx + from_y * dy) / (dx * dx + dy * dy);
            along = along < 0.0f ? 0.0f : along > 1.0f ? 1.0f : along;
            float off_x = from_x + dx * along, off_y = from_y + dy * along;
            float whole = (t * PIECES - 1.0f + along) / PIECES;
            float half_width = b->half_width + (c->half_width - b->half_width) * whole;
            float distance = sqrtf(off_x * off_x + off_y * off_y) - half_width;
            nearest = distance < nearest ? distance : nearest;
            from_x = to_x;
            from_y = to_y;
        }
    }
    return nearest;
}
