/* score_corners: see the header. */
#include "sim/score_corners.h"

#include "base/memory.h"

typedef struct list {
    void *items;
    int32_t count, capacity;
} list;

/* Room for one more; returns the array, which may have moved. */
static void *make_room(list *l, size_t size)
{
    if (l->count == l->capacity) {
        l->capacity = l->capacity == 0 ? 256 : 2 * l->capacity;
        l->items = fr_realloc(l->items, (size_t)l->capacity, size);
    }
    return l->items;
}

static bool is_wall(fr_grid grid, const uint8_t *costs, int32_t x, int32_t y)
{
    fr_cell cell = {x, y};
    return !fr_grid_contains(grid, cell) || costs[fr_grid_index(grid, cell)] == FR_COST_WALL;
}

static void list_runs(fr_open_ground *ground, const uint8_t *costs)
{
    fr_grid grid = ground->grid;
    list runs = {0};
    for (int32_t y = 0; y < grid.height; y++) {
        ground->row_first[y] = runs.count;
        for (int32_t x = 0; x < grid.width; x++) {
            int32_t first = x;
            while (!is_wall(grid, costs, x, y)) {
                x++;
            }
            if (x > first) {
                ground->runs = make_room(&runs, sizeof *ground->runs);
                ground->runs[runs.count++] = (fr_run){first, x};
            }
        }
    }
    ground->row_first[grid.height] = runs.count;
}

static void list_corners(fr_open_ground *ground, const uint8_t *costs)
{
    fr_grid grid = ground->grid;
    list corners = {0};
    for (int32_t y = 0; y <= grid.height; y++) {
        ground->line_first[y] = corners.count;
        for (int32_t x = 0; x <= grid.width; x++) {
            int walls = 0;
            fr_corner corner = {.x = x, .y = y};
            for (int k = 0; k < 4; k++) {
                int dx = k % 2, dy = k / 2;
                if (is_wall(grid, costs, x - 1 + dx, y - 1 + dy)) {
                    walls++;
                    corner.wall_x = (int8_t)(2 * dx - 1);
                    corner.wall_y = (int8_t)(2 * dy - 1);
                }
            }
            if (walls == 1) {
                ground->corners = make_room(&corners, sizeof *ground->corners);
                ground->corners[corners.count++] = corner;
            }
        }
    }
    ground->line_first[grid.height + 1] = ground->corner_count = corners.count;
}

void fr_open_ground_init(fr_open_ground *ground, fr_grid grid, const uint8_t *costs)
{
    *ground = (fr_open_ground){.grid = grid};
    ground->row_first = fr_alloc_raw((size_t)grid.height + 1, sizeof *ground->row_first);
    ground->line_first = fr_alloc_raw((size_t)grid.height + 2, sizeof *ground->line_first);
    list_runs(ground, costs);
    list_corners(ground, costs);
}

void fr_open_ground_fini(fr_open_ground *ground)
{
    fr_free(ground->runs);
    fr_free(ground->row_first);
    fr_free(ground->corners);
    fr_free(ground->line_first);
    *ground = (fr_open_ground){0};
}

const fr_run *fr_open_ground_run(const fr_open_ground *ground, fr_cell cell)
{
    if (!fr_grid_contains(ground->grid, cell)) {
        return NULL;
    }
    int32_t low = ground->row_first[cell.y], high = ground->row_first[cell.y + 1], end = high;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (ground->runs[middle].end <= cell.x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < end && ground->runs[low].first <= cell.x ? &ground->runs[low] : NULL;
}

int32_t fr_open_ground_corner(const fr_open_ground *ground, int32_t line, int32_t x)
{
    int32_t low = ground->line_first[line], high = ground->line_first[line + 1];
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (ground->corners[middle].x < x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}
