#include "crowd/octile_search.h"

#include <string.h>

#include "base/memory.h"

/* More than a step adds to a key at most, its price and as much of the estimate, so that one turn of the ring
 * holds all open keys. */
#define RING 256

void fr_octile_search_init(fr_octile_search *search, fr_grid grid)
{
    size_t cells = (size_t)fr_grid_count(grid);
    *search = (fr_octile_search){.grid = grid};
    search->closed = fr_alloc(cells, sizeof *search->closed);
    search->stamp = fr_alloc(cells, sizeof *search->stamp);
    search->distance = fr_alloc_raw(cells, sizeof *search->distance);
    search->source = fr_alloc_raw(cells, sizeof *search->source);
    /* A cell is queued once per neighbour that improves it: never more than eight times. */
    search->entry_capacity = (int32_t)(cells * 8 + FR_GOALS_MAX);
    search->entry_cell = fr_alloc_raw((size_t)search->entry_capacity, sizeof *search->entry_cell);
    search->entry_next = fr_alloc_raw((size_t)search->entry_capacity, sizeof *search->entry_next);
}

void fr_octile_search_fini(fr_octile_search *search)
{
    fr_free(search->closed);
    fr_free(search->stamp);
    fr_free(search->distance);
    fr_free(search->source);
    fr_free(search->entry_cell);
    fr_free(search->entry_next);
    *search = (fr_octile_search){0};
}

void fr_octile_search_close(fr_octile_search *search, fr_cell cell)
{
    search->closed[fr_grid_index(search->grid, cell)] = search->generation + 1;
}

typedef struct ring {
    int32_t head[RING];  /* newest entry of each key, -1 = none */
    int32_t entries;     /* taken from the pool */
    int32_t open;        /* not yet popped */
    const fr_cell *goal; /* where the search leads, or null */
} ring;

static ring empty_ring(const fr_cell *goal)
{
    ring queue = {.goal = goal};
    memset(queue.head, 0xff, sizeof queue.head);
    return queue;
}

typedef struct sources {
    const fr_cell *cells;
    const uint32_t *prices; /* or null */
    int32_t count;
    const fr_cost *cost;
    fr_cost_view view;
} sources;

/* What is left to the goal at least. */
static uint32_t estimate(const ring *queue, fr_cell cell)
{
    return queue->goal == NULL ? 0 : fr_octile_price(queue->goal->x - cell.x, queue->goal->y - cell.y);
}

static void push(fr_octile_search *search, ring *queue, fr_cell cell, uint32_t distance, uint16_t source)
{
    int32_t index = fr_grid_index(search->grid, cell);
    if (search->stamp[index] == search->generation && search->distance[index] <= distance) {
        return;
    }
    search->stamp[index] = search->generation;
    search->distance[index] = distance;
    search->source[index] = source;
    int32_t entry = queue->entries++;
    search->entry_cell[entry] = index;
    uint32_t key = distance + estimate(queue, cell);
    search->entry_next[entry] = queue->head[key % RING];
    queue->head[key % RING] = entry;
    queue->open++;
}

static void expand(fr_octile_search *search, ring *queue, const fr_cost *cost, fr_cost_view view,
                   fr_cell cell, uint32_t distance, uint16_t source)
{
    /* One look at the 3x3 cells around instead of three questions a step. */
    uint64_t walls = fr_cost_wall_window(cost, view, (fr_cell){cell.x - 1, cell.y - 1}, 3);
    for (int d = 0; d < FR_DIR_COUNT; d++) {
        const fr_step *step = &FR_STEPS[d];
        uint64_t column = (uint64_t)1 << (4 + step->dx), row = (uint64_t)1 << (4 + 3 * step->dy);
        uint64_t touched = (uint64_t)1 << (4 + step->dx + 3 * step->dy) | column | row;
        /* The corner rule; for a straight step one of the two is the target and the other the cell itself. */
        if ((walls & touched) == 0) {
            fr_cell next = {cell.x + step->dx, cell.y + step->dy};
            push(search, queue, next, distance + step->price, source);
        }
    }
}

/* Lets the sources in that begin at this distance; returns where the next ones do. */
static uint32_t let_in(fr_octile_search *search, ring *queue, const sources *from, uint32_t distance)
{
    uint32_t next = UINT32_MAX;
    for (int32_t i = 0; i < from->count; i++) {
        uint32_t price = from->prices != NULL ? from->prices[i] : 0;
        if (price == distance && fr_cost_walkable(from->cost, from->view, from->cells[i])) {
            push(search, queue, from->cells[i], distance, (uint16_t)i);
        } else if (price > distance && price < next) {
            next = price;
        }
    }
    return next;
}

/* Works the queue off from the least key on. `from` (or null): sources that still have to come in, at `next`
 * first. */
static void spread(fr_octile_search *search, ring *queue, uint32_t key, const fr_cost *cost,
                   fr_cost_view view, const sources *from, uint32_t next, fr_octile_visit visit,
                   void *context)
{
    for (; queue->open > 0 || next != UINT32_MAX; key++) {
        key = queue->open == 0 ? next : key;
        next = key == next ? let_in(search, queue, from, key) : next;
        int32_t entry;
        while ((entry = queue->head[key % RING]) >= 0) {
            queue->head[key % RING] = search->entry_next[entry];
            queue->open--;
            int32_t index = search->entry_cell[entry];
            uint32_t distance = search->distance[index];
            fr_cell cell = fr_grid_cell(search->grid, index);
            if (distance + estimate(queue, cell) != key) {
                continue; /* improved since */
            }
            uint16_t source = search->source[index];
            if (visit != NULL && !visit(context, cell, distance, source)) {
                return;
            }
            if (search->closed[index] != search->generation || distance == 0) {
                expand(search, queue, cost, view, cell, distance, source);
            }
        }
    }
}

void fr_octile_search_run(fr_octile_search *search, const fr_cost *cost, fr_cost_view view,
                          const fr_cell *cells, int32_t count, const uint32_t *prices, fr_octile_visit visit,
                          void *context)
{
    ring queue = empty_ring(NULL);
    search->generation++;
    sources from = {cells, prices, count, cost, view};
    spread(search, &queue, 0, cost, view, &from, let_in(search, &queue, &from, 0), visit, context);
}

typedef struct target {
    fr_cell cell;
    uint32_t most;
} target;

static bool visit_on_the_way(void *context, fr_cell cell, uint32_t distance, int32_t source)
{
    (void)source;
    const target *to = context;
    uint32_t left = fr_octile_price(to->cell.x - cell.x, to->cell.y - cell.y);
    return left > 0 && distance + left <= to->most;
}

void fr_octile_search_to(fr_octile_search *search, const fr_cost *cost, fr_cost_view view, fr_cell from,
                         fr_cell to, uint32_t most)
{
    ring queue = empty_ring(&to);
    search->generation++;
    if (fr_cost_walkable(cost, view, from)) {
        push(search, &queue, from, 0, 0);
    }
    target end = {to, most};
    spread(search, &queue, estimate(&queue, from), cost, view, NULL, UINT32_MAX, visit_on_the_way, &end);
}

void fr_octile_search_widen(fr_octile_search *search, const fr_cost *cost, fr_cost_view view,
                            const fr_area *area, fr_octile_visit visit, void *context)
{
    ring queue = empty_ring(NULL);
    search->generation++;
    fr_rect bounds = fr_area_bounds(area, search->grid);
    for (int32_t y = bounds.y; y < bounds.y + bounds.height; y++) {
        for (int32_t x = bounds.x; x < bounds.x + bounds.width; x++) {
            fr_cell cell = {x, y};
            if (search->stamp[fr_grid_index(search->grid, cell)] == search->generation - 1 &&
                fr_area_contains(area, cell)) {
                push(search, &queue, cell, 0, 0);
            }
        }
    }
    spread(search, &queue, 0, cost, view, NULL, UINT32_MAX, visit, context);
}

void fr_octile_search_clear(fr_octile_search *search)
{
    search->generation++;
}

void fr_octile_search_label(fr_octile_search *search, fr_cell cell, int32_t source)
{
    int32_t index = fr_grid_index(search->grid, cell);
    search->stamp[index] = search->generation;
    search->source[index] = (uint16_t)source;
}

int32_t fr_octile_search_source(const fr_octile_search *search, fr_cell cell)
{
    if (!fr_grid_contains(search->grid, cell)) {
        return -1;
    }
    int32_t index = fr_grid_index(search->grid, cell);
    return search->stamp[index] == search->generation ? search->source[index] : -1;
}

uint32_t fr_octile_search_distance(const fr_octile_search *search, fr_cell cell)
{
    if (!fr_grid_contains(search->grid, cell)) {
        return UINT32_MAX;
    }
    int32_t index = fr_grid_index(search->grid, cell);
    return search->stamp[index] == search->generation ? search->distance[index] : UINT32_MAX;
}
