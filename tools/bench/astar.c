#include "astar.h"

#include <string.h>

#include "base/memory.h"

typedef struct entry {
    uint32_t estimate; /* price so far and the least that is left */
    uint32_t price;
    int32_t cell;
} entry;

/* What is known of a cell; together, because it is asked for together. */
typedef struct node {
    uint32_t generation; /* search in which the rest was written */
    uint32_t price;
    uint8_t came_by; /* direction of the step into the cell */
} node;

struct fr_astar {
    fr_grid grid;
    const uint8_t *costs;
    uint32_t generation;
    node *nodes; /* [w*h] */
    entry *heap;
    size_t count, capacity;
    fr_cell start, goal;
};

fr_astar *fr_astar_create(fr_grid grid, const uint8_t *costs)
{
    fr_astar *astar = fr_alloc(1, sizeof *astar);
    astar->grid = grid;
    astar->costs = costs;
    astar->nodes = fr_alloc((size_t)fr_grid_count(grid), sizeof *astar->nodes);
    return astar;
}

void fr_astar_destroy(fr_astar *astar)
{
    fr_free(astar->nodes);
    fr_free(astar->heap);
    fr_free(astar);
}

/* Of equal estimates the one that has come further: it is nearer to the goal. */
static bool comes_before(const entry *a, const entry *b)
{
    return a->estimate != b->estimate ? a->estimate < b->estimate : a->price > b->price;
}

static void push(fr_astar *astar, entry added)
{
    if (astar->count == astar->capacity) {
        astar->capacity = astar->capacity > 0 ? 2 * astar->capacity : 1024;
        astar->heap = fr_realloc(astar->heap, astar->capacity, sizeof *astar->heap);
    }
    size_t at = astar->count++;
    while (at > 0 && comes_before(&added, &astar->heap[(at - 1) / 2])) {
        astar->heap[at] = astar->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    astar->heap[at] = added;
}

static entry pop(fr_astar *astar)
{
    entry first = astar->heap[0], last = astar->heap[--astar->count];
    size_t at = 0, child;
    while ((child = 2 * at + 1) < astar->count) {
        child += child + 1 < astar->count && comes_before(&astar->heap[child + 1], &astar->heap[child]);
        if (!comes_before(&astar->heap[child], &last)) {
            break;
        }
        astar->heap[at] = astar->heap[child];
        at = child;
    }
    astar->heap[at] = last;
    return first;
}

/* Never more than what is left. */
static uint32_t least_left(const fr_astar *astar, fr_cell cell)
{
    return fr_octile_price(cell.x - astar->goal.x, cell.y - astar->goal.y);
}

static bool is_open(const fr_astar *astar, int32_t x, int32_t y)
{
    fr_cell cell = {x, y};
    return fr_grid_contains(astar->grid, cell) &&
           astar->costs[fr_grid_index(astar->grid, cell)] != FR_COST_WALL;
}

static void reach(fr_astar *astar, fr_cell cell, uint32_t price, int came_by)
{
    int32_t index = fr_grid_index(astar->grid, cell);
    node *known = &astar->nodes[index];
    if (known->generation == astar->generation && known->price <= price) {
        return;
    }
    *known = (node){astar->generation, price, (uint8_t)came_by};
    push(astar, (entry){price + least_left(astar, cell), price, index});
}

static void expand(fr_astar *astar, const entry *from)
{
    fr_cell cell = fr_grid_cell(astar->grid, from->cell);
    uint32_t cost = astar->costs[from->cell];
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        const fr_step *step = &FR_STEPS[d];
        fr_cell next = {cell.x + step->dx, cell.y + step->dy};
        if (is_open(astar, next.x, next.y) &&
            (d % 2 == 0 || (is_open(astar, next.x, cell.y) && is_open(astar, cell.x, next.y)))) {
            reach(astar, next, from->price + cost * step->price, d);
        }
    }
}

uint32_t fr_astar_find(fr_astar *astar, fr_cell start, fr_cell goal)
{
    astar->generation++;
    astar->count = 0;
    astar->start = start;
    astar->goal = goal;
    int32_t goal_index = fr_grid_index(astar->grid, goal);
    reach(astar, start, 0, FR_DIR_GOAL);
    while (astar->count > 0) {
        entry next = pop(astar);
        if (next.cell == goal_index) {
            return next.price;
        }
        if (next.price == astar->nodes[next.cell].price) { /* else a better way in was found meanwhile */
            expand(astar, &next);
        }
    }
    return FR_ASTAR_NO_PATH;
}

int32_t fr_astar_path(const fr_astar *astar, fr_cell *out, int32_t capacity)
{
    int32_t count = 0;
    fr_cell cell = astar->goal;
    while (count < capacity) {
        out[count++] = cell;
        const node *known = &astar->nodes[fr_grid_index(astar->grid, cell)];
        if (known->generation != astar->generation || known->came_by == FR_DIR_GOAL) {
            break;
        }
        cell.x -= FR_STEPS[known->came_by].dx;
        cell.y -= FR_STEPS[known->came_by].dy;
    }
    return count;
}
