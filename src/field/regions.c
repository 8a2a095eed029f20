#include "field/regions.h"

#include "base/memory.h"

/* A block's 1,024 cells hold at most 512 areas that do not touch. */
#define BLOCK_REGIONS_MAX (FR_BLOCK_CELLS / 2)

struct fr_regions {
    const fr_cost *cost;
    fr_cost_view view;
    fr_grid grid;
    int32_t blocks_x, blocks_y;
    uint16_t *label;  /* [block][FR_BLOCK_CELLS] 0 = wall, else 1.. within the block */
    uint16_t *count;  /* [block] labels used */
    uint32_t *first;  /* [block] node of label 1 */
    uint32_t *parent; /* [node] union-find (Tarjan 1975, path halving) */
};

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

/* Joins the labels of block a's cells from `at_a` on with those of block b from `at_b` on, along one border.
 */
static void join_border(fr_regions *regions, int32_t a, int32_t at_a, int32_t b, int32_t at_b, int32_t stride)
{
    const uint16_t *label_a = regions->label + (size_t)a * FR_BLOCK_CELLS;
    const uint16_t *label_b = regions->label + (size_t)b * FR_BLOCK_CELLS;
    uint16_t last_a = 0, last_b = 0;
    for (int32_t i = 0; i < FR_BLOCK_SIDE; i++) {
        uint16_t la = label_a[at_a + i * stride], lb = label_b[at_b + i * stride];
        if (la != 0 && lb != 0 && (la != last_a || lb != last_b)) {
            join(regions->parent, regions->first[a] + la - 1u, regions->first[b] + lb - 1u);
            last_a = la;
            last_b = lb;
        }
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
    const int32_t last = FR_BLOCK_SIDE - 1;
    for (int32_t b = 0; b < blocks; b++) {
        if (b % regions->blocks_x + 1 < regions->blocks_x) {
            join_border(regions, b, last, b + 1, 0, FR_BLOCK_SIDE);
        }
        if (b + regions->blocks_x < blocks) {
            join_border(regions, b, last * FR_BLOCK_SIDE, b + regions->blocks_x, 0, 1);
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
    regions->count = fr_alloc(blocks, sizeof *regions->count);
    regions->first = fr_alloc(blocks, sizeof *regions->first);
    regions->parent = fr_alloc_raw(blocks * BLOCK_REGIONS_MAX, sizeof *regions->parent);
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

/* Takes a cell if it is of the region and nearer than the best so far, ties by y, then x. */
static void consider(const fr_regions *regions, uint32_t region, fr_position goal, fr_cell cell,
                     int64_t *best, fr_cell *nearest)
{
    uint32_t here = fr_regions_at(regions, cell);
    if (here == FR_REGION_NONE || (region != FR_REGION_NONE && here != region) ||
        !fr_cost_walkable(regions->cost, regions->view, cell)) {
        return;
    }
    fr_position centre = fr_cell_centre(cell);
    int64_t dx = (int64_t)centre.x - goal.x, dy = (int64_t)centre.y - goal.y;
    int64_t distance = dx * dx + dy * dy;
    bool earlier = cell.y < nearest->y || (cell.y == nearest->y && cell.x < nearest->x);
    if (distance < *best || (distance == *best && earlier)) {
        *best = distance;
        *nearest = cell;
    }
}

bool fr_regions_nearest(const fr_regions *regions, uint32_t region, fr_position goal, fr_cell *nearest)
{
    goal = fr_grid_clamp_position(regions->grid, goal);
    fr_cell middle = fr_cell_at(goal);
    int64_t best = INT64_MAX;
    fr_cell found = {0, 0};
    int32_t side = regions->grid.width > regions->grid.height ? regions->grid.width : regions->grid.height;
    for (int32_t k = 0; k < side; k++) {
        /* Centres of ring k are at least k - 1/2 away along one axis. */
        int64_t least = (int64_t)k * FR_POSITION_ONE - FR_POSITION_ONE / 2;
        if (least > 0 && least * least > best) {
            break;
        }
        /* Only the part of the ring that lies on the map: rings of a map one cell high are mostly outside. */
        int32_t left = -k > -middle.x ? -k : -middle.x;
        int32_t right = k < regions->grid.width - 1 - middle.x ? k : regions->grid.width - 1 - middle.x;
        for (int32_t side_y = -k; side_y <= k; side_y += k > 0 ? 2 * k : 1) {
            bool on_map = middle.y + side_y >= 0 && middle.y + side_y < regions->grid.height;
            for (int32_t i = left; on_map && i <= right; i++) {
                consider(regions, region, goal, (fr_cell){middle.x + i, middle.y + side_y}, &best, &found);
            }
        }
        int32_t top = -k + 1 > -middle.y ? -k + 1 : -middle.y;
        int32_t bottom =
            k - 1 < regions->grid.height - 1 - middle.y ? k - 1 : regions->grid.height - 1 - middle.y;
        for (int32_t i = top; i <= bottom; i++) {
            consider(regions, region, goal, (fr_cell){middle.x - k, middle.y + i}, &best, &found);
            consider(regions, region, goal, (fr_cell){middle.x + k, middle.y + i}, &best, &found);
        }
    }
    if (best == INT64_MAX) {
        return false;
    }
    *nearest = found;
    return true;
}
