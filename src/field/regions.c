#include "field/regions_internal.h"

#include "base/memory.h"

static uint32_t find(uint32_t *parent, uint32_t node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = find(parent, a);
    b = find(parent, b);
    if (a < b) {
        parent[b] = a;
    } else {
        parent[a] = b;
    }
}

/* Flood fill of one block. */
static void label_block(fr_regions *regions, int32_t block)
{
    uint16_t *label = regions->label + (size_t)block * FR_BLOCK_CELLS;
    fr_cell corner = {block % regions->blocks_x << FR_BLOCK_SHIFT,
                      block / regions->blocks_x << FR_BLOCK_SHIFT};
    enum { OPEN = 0xffff };
    for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
        fr_cell cell = {corner.x + i % FR_BLOCK_SIDE, corner.y + i / FR_BLOCK_SIDE};
        label[i] = fr_cost_walkable(regions->cost, regions->view, cell) ? OPEN : 0;
    }
    uint16_t count = 0;
    uint16_t stack[FR_BLOCK_CELLS];
    for (int32_t i = 0; i < FR_BLOCK_CELLS; i++) {
        if (label[i] != OPEN) {
            continue;
        }
        label[i] = ++count;
        int top = 0;
        stack[top++] = (uint16_t)i;
        while (top > 0) {
            int32_t at = stack[--top];
            for (int d = 0; d < FR_DIR_COUNT; d += 2) {
                int32_t x = at % FR_BLOCK_SIDE + FR_STEPS[d].dx, y = at / FR_BLOCK_SIDE + FR_STEPS[d].dy;
                if (x < 0 || y < 0 || x >= FR_BLOCK_SIDE || y >= FR_BLOCK_SIDE ||
                    label[y * FR_BLOCK_SIDE + x] != OPEN) {
                    continue;
                }
                label[y * FR_BLOCK_SIDE + x] = count;
                stack[top++] = (uint16_t)(y * FR_BLOCK_SIDE + x);
            }
        }
    }
    regions->count[block] = count;
}

/* Finds the stretches of the border between block a, to the east or south, and block b, and joins their
 * areas.
 */
static void join_border(fr_regions *regions, int32_t a, int32_t b, bool is_south)
{
    const int32_t last = FR_BLOCK_SIDE - 1, stride = is_south ? 1 : FR_BLOCK_SIDE;
    const uint16_t *label_a =
        regions->label + (size_t)a * FR_BLOCK_CELLS + (is_south ? last * FR_BLOCK_SIDE : last);
    const uint16_t *label_b = regions->label + (size_t)b * FR_BLOCK_CELLS;
    fr_region_stretch *list = fr_regions_stretches(regions, a, is_south), open = {0};
    int32_t count = 0;
    for (int32_t i = 0; i <= FR_BLOCK_SIDE; i++) {
        bool is_open = i < FR_BLOCK_SIDE && label_a[i * stride] != 0 && label_b[i * stride] != 0;
        if (is_open && open.first == 0) {
            open = (fr_region_stretch){label_a[i * stride], label_b[i * stride], (uint8_t)i, 0};
        } else if (!is_open && open.first != 0) {
            open.end = (uint8_t)i;
            list[count++] = open;
            join(regions->parent, regions->first[a] + open.first - 1u, regions->first[b] + open.second - 1u);
            open.first = 0;
        }
    }
    if (count < FR_STRETCHES_MAX) {
        list[count] = (fr_region_stretch){0};
    }
}

static void join_blocks(fr_regions *regions)
{
    uint32_t nodes = 0;
    int32_t blocks = regions->blocks_x * regions->blocks_y;
    for (int32_t b = 0; b < blocks; b++) {
        regions->first[b] = nodes;
        for (uint32_t i = 0; i < regions->count[b]; i++, nodes++) {
            regions->parent[nodes] = nodes;
        }
    }
    for (int32_t b = 0; b < blocks; b++) {
        if (b % regions->blocks_x + 1 < regions->blocks_x) {
            join_border(regions, b, b + 1, false);
        }
        if (b + regions->blocks_x < blocks) {
            join_border(regions, b, b + regions->blocks_x, true);
        }
    }
    /* Point every node at its root, so that reading needs no search. */
    for (uint32_t n = 0; n < nodes; n++) {
        regions->parent[n] = find(regions->parent, n);
    }
}

fr_regions *fr_regions_create(const fr_cost *cost, fr_cost_view view)
{
    fr_regions *regions = fr_alloc(1, sizeof *regions);
    regions->cost = cost;
    regions->view = view;
    regions->grid = fr_cost_grid(cost);
    regions->blocks_x = fr_grid_blocks_x(regions->grid);
    regions->blocks_y = fr_grid_blocks_y(regions->grid);
    size_t blocks = (size_t)fr_grid_block_count(regions->grid);
    regions->label = fr_alloc_raw(blocks * FR_BLOCK_CELLS, sizeof *regions->label);
    regions->stretches = fr_alloc(blocks * 2 * FR_STRETCHES_MAX, sizeof *regions->stretches);
    regions->count = fr_alloc(blocks, sizeof *regions->count);
    regions->first = fr_alloc(blocks, sizeof *regions->first);
    regions->parent = fr_alloc_raw(blocks * FR_BLOCK_REGIONS_MAX, sizeof *regions->parent);
    for (int32_t b = 0; b < (int32_t)blocks; b++) {
        label_block(regions, b);
    }
    join_blocks(regions);
    return regions;
}

void fr_regions_destroy(fr_regions *regions)
{
    if (regions == NULL) {
        return;
    }
    fr_free(regions->label);
    fr_free(regions->stretches);
    fr_free(regions->count);
    fr_free(regions->first);
    fr_free(regions->parent);
    fr_free(regions);
}

void fr_regions_update(fr_regions *regions, fr_rect rect)
{
    rect = fr_grid_clip(regions->grid, rect);
    if (rect.width == 0 || rect.height == 0) {
        return;
    }
    for (int32_t by = rect.y >> FR_BLOCK_SHIFT; by <= (rect.y + rect.height - 1) >> FR_BLOCK_SHIFT; by++) {
        for (int32_t bx = rect.x >> FR_BLOCK_SHIFT; bx <= (rect.x + rect.width - 1) >> FR_BLOCK_SHIFT; bx++) {
            label_block(regions, by * regions->blocks_x + bx);
        }
    }
    join_blocks(regions);
}

uint32_t fr_regions_at(const fr_regions *regions, fr_cell cell)
{
    if (!fr_grid_contains(regions->grid, cell)) {
        return FR_REGION_NONE;
    }
    int32_t block = fr_grid_block(regions->grid, cell);
    uint16_t label = regions->label[(size_t)block * FR_BLOCK_CELLS + (size_t)fr_block_index(cell)];
    return label == 0 ? FR_REGION_NONE : regions->parent[regions->first[block] + label - 1u];
}

uint32_t fr_regions_limit(const fr_regions *regions)
{
    int32_t last = fr_grid_block_count(regions->grid) - 1;
    return regions->first[last] + regions->count[last];
}

/* Has the block a cell of the region? Looks at its few labels, not at its cells. */
static bool block_has(const fr_regions *regions, int32_t block, uint32_t region)
{
    for (uint32_t label = 0; label < regions->count[block]; label++) {
        if (region == FR_REGION_NONE || regions->parent[regions->first[block] + label] == region) {
            return true;
        }
    }
    return false;
}

/* A search for the cell nearest to a goal. */
typedef struct nearest_search {
    const fr_regions *regions;
    uint32_t region;
    fr_position goal;
    int64_t best; /* squared distance; INT64_MAX: none yet */
    fr_cell found;
} nearest_search;

static int64_t squared_distance(fr_position a, fr_position b)
{
    int64_t dx = (int64_t)a.x - b.x, dy = (int64_t)a.y - b.y;
    return dx * dx + dy * dy;
}

/* Takes a cell if it is of the region and nearer than the best so far, ties by y, then x. */
static void consider(nearest_search *search, fr_cell cell)
{
    const fr_regions *regions = search->regions;
    int64_t distance = squared_distance(fr_cell_centre(cell), search->goal);
    bool earlier = cell.y < search->found.y || (cell.y == search->found.y && cell.x < search->found.x);
    if (distance > search->best || (distance == search->best && !earlier)) {
        return;
    }
    uint32_t here = fr_regions_at(regions, cell);
    if (here == FR_REGION_NONE || (search->region != FR_REGION_NONE && here != search->region) ||
        !fr_cost_walkable(regions->cost, regions->view, cell)) {
        return;
    }
    search->best = distance;
    search->found = cell;
}

static int32_t clamp(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* The same for a block, if any of its cells can be nearer. */
static void consider_block(nearest_search *search, int32_t block)
{
    fr_rect rect = fr_grid_block_rect(search->regions->grid, block);
    fr_position low = fr_cell_centre((fr_cell){rect.x, rect.y});
    fr_position high = fr_cell_centre((fr_cell){rect.x + rect.width - 1, rect.y + rect.height - 1});
    fr_position closest = {clamp(search->goal.x, low.x, high.x), clamp(search->goal.y, low.y, high.y)};
    if (squared_distance(closest, search->goal) > search->best ||
        !block_has(search->regions, block, search->region)) {
        return;
    }
    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        for (int32_t x = rect.x; x < rect.x + rect.width; x++) {
            consider(search, (fr_cell){x, y});
        }
    }
}

bool fr_regions_nearest(const fr_regions *regions, uint32_t region, fr_position goal, fr_cell *nearest)
{
    goal = fr_grid_clamp_position(regions->grid, goal);
    nearest_search search = {.regions = regions, .region = region, .goal = goal, .best = INT64_MAX};
    fr_cell at = fr_cell_at(goal);
    int32_t middle_x = at.x >> FR_BLOCK_SHIFT, middle_y = at.y >> FR_BLOCK_SHIFT;
    int32_t blocks_x = regions->blocks_x, blocks_y = regions->blocks_y;
    for (int32_t k = 0; k < (blocks_x > blocks_y ? blocks_x : blocks_y); k++) {
        /* The goal lies in the middle block: ring k begins k - 1 whole blocks away along one axis. */
        int64_t least = (int64_t)(k - 1) * FR_BLOCK_SIDE * FR_POSITION_ONE;
        if (least > 0 && least * least > search.best) {
            break;
        }
        int32_t top = clamp(middle_y - k, 0, blocks_y - 1), bottom = clamp(middle_y + k, 0, blocks_y - 1);
        int32_t left = clamp(middle_x - k, 0, blocks_x - 1), right = clamp(middle_x + k, 0, blocks_x - 1);
        for (int32_t y = top; y <= bottom; y++) {
            bool whole_row = y == middle_y - k || y == middle_y + k;
            for (int32_t x = left; x <= right; x++) {
                if (whole_row || x == middle_x - k || x == middle_x + k) {
                    consider_block(&search, y * blocks_x + x);
                }
            }
        }
    }
    if (search.best == INT64_MAX) {
        return false;
    }
    *nearest = search.found;
    return true;
}
