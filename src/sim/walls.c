/* walls: see the header. The flood fill goes by runs of a row, so that its stack stays short. */
#include "sim/walls.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/memory.h"

void fr_walls_init(fr_walls *walls, fr_grid grid)
{
    size_t count = (size_t)fr_grid_count(grid);
    *walls = (fr_walls){.grid = grid};
    walls->region = fr_alloc(count, sizeof *walls->region);
}

void fr_walls_fini(fr_walls *walls)
{
    fr_free(walls->region);
    fr_free(walls->previous);
    fr_free(walls->stack);
    *walls = (fr_walls){0};
}

static void push(fr_walls *walls, size_t *depth, int32_t index)
{
    if (*depth == walls->stack_capacity) {
        walls->stack_capacity = walls->stack_capacity == 0 ? 256 : walls->stack_capacity * 2;
        walls->stack = fr_realloc(walls->stack, walls->stack_capacity, sizeof *walls->stack);
    }
    walls->stack[(*depth)++] = index;
}

/* Labels the run of unlabelled open cells through `index`, and pushes one cell of every run that touches it.
 */
static void fill_run(fr_walls *walls, const uint8_t *costs, int32_t index, uint32_t label, size_t *depth)
{
    int32_t width = walls->grid.width;
    fr_cell cell = fr_grid_cell(walls->grid, index);
    uint32_t *region = walls->region + (index - cell.x);
    const uint8_t *row = costs + (index - cell.x);
    int32_t left = cell.x, right = cell.x;
    while (left > 0 && row[left - 1] != FR_COST_WALL) {
        left--;
    }
    while (right + 1 < width && row[right + 1] != FR_COST_WALL) {
        right++;
    }
    for (int32_t x = left; x <= right; x++) {
        region[x] = label;
    }
    for (int side = -1; side <= 1; side += 2) {
        int32_t y = cell.y + side;
        if (y < 0 || y >= walls->grid.height) {
            continue;
        }
        int32_t start = y * width;
        bool in_run = false;
        for (int32_t x = left; x <= right; x++) {
            bool is_open = costs[start + x] != FR_COST_WALL && walls->region[start + x] == FR_WALL_REGION;
            if (is_open && !in_run) {
                push(walls, depth, start + x);
            }
            in_run = is_open;
        }
    }
}

bool fr_walls_update(fr_walls *walls, const uint8_t *costs)
{
    int32_t count = fr_grid_count(walls->grid);
    bool is_same = walls->is_labelled;
    for (int32_t i = 0; i < count && is_same; i++) {
        is_same = (costs[i] == FR_COST_WALL) == (walls->region[i] == FR_WALL_REGION);
    }
    if (is_same) {
        return false;
    }
    uint32_t *labels = walls->region;
    if (walls->is_labelled) {
        labels = walls->previous;
        if (labels == NULL) {
            labels = fr_alloc_raw((size_t)count, sizeof *labels);
        }
        memset(labels, 0, (size_t)count * sizeof *labels);
        walls->previous = walls->region;
        walls->region = labels;
    }
    uint32_t label = 0;
    for (int32_t i = 0; i < count; i++) {
        if (costs[i] == FR_COST_WALL || labels[i] != FR_WALL_REGION) {
            continue;
        }
        size_t depth = 0;
        label++;
        push(walls, &depth, i);
        while (depth > 0) {
            int32_t index = walls->stack[--depth];
            if (labels[index] == FR_WALL_REGION) {
                fill_run(walls, costs, index, label, &depth);
            }
        }
    }
    walls->region_count = label;
    walls->is_labelled = true;
    walls->has_changed = true;
    return true;
}

double fr_walls_penetration(const fr_walls *walls, fr_position position, double radius)
{
    fr_rect under = fr_cells_under_disc(position, radius);
    double nearest = radius * radius;
    for (int32_t cy = under.y; cy < under.y + under.height; cy++) {
        for (int32_t cx = under.x; cx < under.x + under.width; cx++) {
            fr_cell cell = {cx, cy};
            if (fr_walls_region(walls, cell) == FR_WALL_REGION) {
                double squared = fr_cell_distance_squared(position, cell);
                nearest = squared < nearest ? squared : nearest;
            }
        }
    }
    return nearest < radius * radius ? radius - sqrt(nearest) : 0.0;
}

bool fr_walls_buried(const fr_walls *walls, fr_position position, double radius)
{
    fr_rect under = fr_cells_under_disc(position, radius);
    for (int32_t cy = under.y; cy < under.y + under.height; cy++) {
        for (int32_t cx = under.x; cx < under.x + under.width; cx++) {
            fr_cell cell = {cx, cy};
            if (fr_walls_became_wall(walls, cell) &&
                fr_cell_distance_squared(position, cell) < radius * radius) {
                return true;
            }
        }
    }
    return false;
}

typedef struct nearest_search {
    const fr_walls *walls;
    fr_position from;
    uint32_t region, was;
    int64_t best; /* squared distance in fixed point; -1: none yet */
    fr_cell cell;
} nearest_search;

static void try_cell(nearest_search *search, fr_cell cell)
{
    const fr_walls *walls = search->walls;
    uint32_t region = fr_walls_region(walls, cell);
    if (region == FR_WALL_REGION || (search->region != 0 && region != search->region) ||
        (search->was != 0 && walls->previous != NULL &&
         walls->previous[fr_grid_index(walls->grid, cell)] != search->was)) {
        return;
    }
    fr_position centre = fr_cell_centre(cell);
    int64_t dx = (int64_t)centre.x - search->from.x, dy = (int64_t)centre.y - search->from.y;
    int64_t squared = dx * dx + dy * dy;
    bool is_better = search->best < 0 || squared < search->best;
    if (squared == search->best) {
        is_better = cell.y < search->cell.y || (cell.y == search->cell.y && cell.x < search->cell.x);
    }
    if (is_better) {
        search->best = squared;
        search->cell = cell;
    }
}

bool fr_walls_nearest(const fr_walls *walls, fr_position from, uint32_t region, uint32_t was,
                      fr_cell *nearest)
{
    if (walls->region_count == 0) {
        return false; /* else every unit of a walled-up map would search all of it */
    }
    nearest_search search = {.walls = walls, .from = from, .region = region, .was = was, .best = -1};
    fr_grid grid = walls->grid;
    fr_cell middle = fr_grid_clamp_cell(grid, fr_cell_at(from));
    int32_t last = grid.width > grid.height ? grid.width : grid.height;
    for (int32_t ring = 0; ring <= last; ring++) {
        /* A centre in this ring is at least ring - 1/2 cells away. */
        int64_t least = (int64_t)ring * FR_POSITION_ONE - FR_POSITION_ONE / 2;
        if (search.best >= 0 && ring > 0 && search.best < least * least) {
            break;
        }
        /* Only rows of the map: rings of a map one cell high are mostly outside. */
        int32_t top = middle.y - ring > 0 ? middle.y - ring : 0;
        int32_t bottom = middle.y + ring < grid.height - 1 ? middle.y + ring : grid.height - 1;
        for (int32_t y = top; y <= bottom; y++) {
            bool is_edge = y == middle.y - ring || y == middle.y + ring;
            int32_t step = is_edge || ring == 0 ? 1 : 2 * ring;
            int32_t left = middle.x - ring, right = middle.x + ring;
            left = step == 1 && left < 0 ? 0 : left;
            right = step == 1 && right >= grid.width ? grid.width - 1 : right;
            for (int32_t x = left; x <= right; x += step) {
                if (x >= 0 && x < grid.width) {
                    try_cell(&search, (fr_cell){x, y});
                }
            }
        }
    }
    if (search.best < 0) {
        return false;
    }
    *nearest = search.cell;
    return true;
}
