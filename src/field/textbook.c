/* textbook: the flow field as any tutorial with sound arithmetic would write it. Kept plain on purpose: it is
 * the oracle that fr_integrate is compared with, and the yardstick that benchmarks divide by. It must not
 * borrow anything from the fast side: an oracle that shares code proves nothing. */
#include "field/textbook.h"

#include "base/assert.h"
#include "base/memory.h"

typedef struct heap_node {
    uint32_t key;
    int32_t cell;
} heap_node;

typedef struct node_heap {
    heap_node *nodes; /* owned */
    int32_t count, capacity;
} node_heap;

static void heap_push(node_heap *heap, uint32_t key, int32_t cell)
{
    if (heap->count == heap->capacity) {
        heap->capacity = heap->capacity > 0 ? 2 * heap->capacity : 1024;
        heap->nodes = fr_realloc(heap->nodes, (size_t)heap->capacity, sizeof *heap->nodes);
    }
    int32_t at = heap->count++;
    while (at > 0) {
        int32_t parent = (at - 1) / 2;
        if (heap->nodes[parent].key <= key) {
            break;
        }
        heap->nodes[at] = heap->nodes[parent];
        at = parent;
    }
    heap->nodes[at] = (heap_node){key, cell};
}

static heap_node heap_pop(node_heap *heap)
{
    heap_node top = heap->nodes[0];
    heap_node last = heap->nodes[--heap->count];
    int32_t at = 0;
    for (;;) {
        int32_t child = 2 * at + 1;
        if (child >= heap->count) {
            break;
        }
        if (child + 1 < heap->count && heap->nodes[child + 1].key < heap->nodes[child].key) {
            child++;
        }
        if (heap->nodes[child].key >= last.key) {
            break;
        }
        heap->nodes[at] = heap->nodes[child];
        at = child;
    }
    heap->nodes[at] = last;
    return top;
}

static bool passable(fr_grid grid, const uint8_t *costs, int32_t x, int32_t y)
{
    return x >= 0 && x < grid.width && y >= 0 && y < grid.height && costs[y * grid.width + x] != FR_COST_WALL;
}

/* The corner rule on an unpadded grid. */
static bool step_allowed(fr_grid grid, const uint8_t *costs, int32_t x, int32_t y, const fr_step *step)
{
    return passable(grid, costs, x + step->dx, y + step->dy) &&
           (step->price == FR_STEP_STRAIGHT ||
            (passable(grid, costs, x + step->dx, y) && passable(grid, costs, x, y + step->dy)));
}

/* Returns the largest value that was given out. */
static uint32_t integrate(fr_grid grid, const uint8_t *costs, const fr_goal *goals, int goal_count,
                          uint32_t *integration)
{
    for (int32_t i = 0; i < fr_grid_count(grid); i++) {
        integration[i] = FR_UNREACHED;
    }
    node_heap open = {0};
    for (int g = 0; g < goal_count; g++) {
        int32_t cell = fr_grid_index(grid, goals[g].cell);
        if (costs[cell] != FR_COST_WALL && goals[g].price < integration[cell]) {
            integration[cell] = goals[g].price;
            heap_push(&open, goals[g].price, cell);
        }
    }
    uint32_t largest = 0;
    while (open.count > 0) {
        heap_node node = heap_pop(&open);
        if (node.key != integration[node.cell]) {
            continue; /* stale: the cell was reached more cheaply since */
        }
        largest = node.key;
        fr_cell cell = fr_grid_cell(grid, node.cell);
        for (int d = 0; d < FR_DIR_COUNT; d++) {
            const fr_step *step = &FR_STEPS[d];
            if (!step_allowed(grid, costs, cell.x, cell.y, step)) {
                continue;
            }
            int32_t next = (cell.y + step->dy) * grid.width + cell.x + step->dx;
            uint32_t value = node.key + (uint32_t)step->price * costs[next];
            if (value < integration[next] && value <= FR_INTEGRATION_MAX) {
                integration[next] = value;
                heap_push(&open, value, next);
            }
        }
    }
    fr_free(open.nodes);
    return largest;
}

static void point_arrows(fr_grid grid, const uint8_t *costs, const uint32_t *integration, uint8_t *directions)
{
    for (int32_t y = 0; y < grid.height; y++) {
        for (int32_t x = 0; x < grid.width; x++) {
            int32_t cell = y * grid.width + x;
            if (integration[cell] == FR_UNREACHED) {
                directions[cell] = FR_DIR_NONE;
                continue;
            }
            uint64_t best = UINT64_MAX;
            int arrow = FR_DIR_GOAL;
            for (int d = 0; d < FR_DIR_COUNT; d++) {
                const fr_step *step = &FR_STEPS[d];
                if (!step_allowed(grid, costs, x, y, step)) {
                    continue;
                }
                uint32_t neighbour = integration[(y + step->dy) * grid.width + x + step->dx];
                uint64_t value = (uint64_t)neighbour + (uint64_t)step->price * costs[cell];
                if (value < best) {
                    best = value;
                    arrow = d;
                }
            }
            directions[cell] = (uint8_t)(best <= integration[cell] ? arrow : FR_DIR_GOAL);
        }
    }
}

/* Saturated: a passable cell was left unreached although a reached one is a legal step away. */
static bool lost_a_cell(fr_grid grid, const uint8_t *costs, const uint32_t *integration)
{
    for (int32_t y = 0; y < grid.height; y++) {
        for (int32_t x = 0; x < grid.width; x++) {
            if (integration[y * grid.width + x] == FR_UNREACHED) {
                continue;
            }
            for (int d = 0; d < FR_DIR_COUNT; d++) {
                const fr_step *step = &FR_STEPS[d];
                if (step_allowed(grid, costs, x, y, step) &&
                    integration[(y + step->dy) * grid.width + x + step->dx] == FR_UNREACHED) {
                    return true;
                }
            }
        }
    }
    return false;
}

bool fr_textbook_field(fr_grid grid, const uint8_t *costs, const fr_goal *goals, int goal_count,
                       uint32_t *integration, uint8_t *directions)
{
    FR_ASSERT(goal_count >= 0 && (goal_count == 0 || goals != NULL));
    uint32_t largest = integrate(grid, costs, goals, goal_count, integration);
    point_arrows(grid, costs, integration, directions);
    /* Only a field that came within one step of the limit can have lost a cell. */
    return largest > FR_INTEGRATION_MAX - 254u * FR_STEP_DIAGONAL && lost_a_cell(grid, costs, integration);
}
