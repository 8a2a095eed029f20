/* score_ways: Dijkstra over the corners of walls, goal outward; what a corner sees is found when its turn
 * comes (score_sweep.c). A corner stays in the queue with every length it ever had; the first to come out
 * counts. */
#include "sim/score_ways_internal.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Work of queueing a corner, in steps: in long queues each touches a few places far apart. */
#define QUEUE_STEPS 8

fr_ways *fr_ways_create(const fr_open_ground *ground)
{
    fr_ways *ways = fr_alloc(1, sizeof *ways);
    ways->ground = ground;
    ways->corners = fr_alloc_raw((size_t)ground->corner_count + 1, sizeof *ways->corners);
    ways->row_first = fr_alloc_raw((size_t)ground->grid.height + 1, sizeof *ways->row_first);
    return ways;
}

void fr_ways_destroy(fr_ways *ways)
{
    if (ways == NULL) {
        return;
    }
    fr_free(ways->corners);
    fr_free(ways->heap);
    fr_free(ways->strips);
    fr_free(ways->starts);
    fr_free(ways->start_index);
    fr_free(ways->start_nodes);
    fr_free(ways->sorted_place);
    fr_free(ways->row_first);
    fr_free(ways->points);
    fr_free(ways);
}

/* --- starts -------------------------------------------------------------------------------------- */

typedef struct sortable {
    fr_position place;
    int32_t index;
} sortable;

static int compare_starts(const void *a, const void *b)
{
    const sortable *p = a, *q = b;
    int32_t p_row = p->place.y / FR_POSITION_ONE, q_row = q->place.y / FR_POSITION_ONE;
    if (p_row != q_row) {
        return p_row < q_row ? -1 : 1;
    }
    if (p->place.x != q->place.x) {
        return p->place.x < q->place.x ? -1 : 1;
    }
    return p->index < q->index ? -1 : 1;
}

static void take_starts(fr_ways *ways, const fr_position *starts, int32_t count)
{
    size_t room = (size_t)count + 1;
    if (count > ways->start_capacity || ways->starts == NULL) {
        ways->start_capacity = count;
        ways->starts = fr_realloc(ways->starts, room, sizeof *ways->starts);
        ways->start_index = fr_realloc(ways->start_index, room, sizeof *ways->start_index);
        ways->start_nodes = fr_realloc(ways->start_nodes, room, sizeof *ways->start_nodes);
        ways->sorted_place = fr_realloc(ways->sorted_place, room, sizeof *ways->sorted_place);
    }
    sortable *order = fr_alloc_raw(room, sizeof *order);
    for (int32_t i = 0; i < count; i++) {
        order[i] = (sortable){starts[i], i};
    }
    qsort(order, (size_t)count, sizeof *order, compare_starts);
    int32_t row = 0;
    ways->start_count = count;
    ways->low = ways->high = count > 0 ? starts[0] : (fr_position){0, 0};
    for (int32_t i = 0; i < count; i++) {
        fr_position place = order[i].place;
        for (; row <= place.y / FR_POSITION_ONE; row++) {
            ways->row_first[row] = i;
        }
        ways->starts[i] = place;
        ways->start_index[i] = order[i].index;
        ways->sorted_place[order[i].index] = i;
        ways->start_nodes[i] = (way_node){.length = -1.0, .from = FROM_NONE};
        ways->low.x = place.x < ways->low.x ? place.x : ways->low.x;
        ways->low.y = place.y < ways->low.y ? place.y : ways->low.y;
        ways->high.x = place.x > ways->high.x ? place.x : ways->high.x;
        ways->high.y = place.y > ways->high.y ? place.y : ways->high.y;
    }
    for (; row <= ways->ground->grid.height; row++) {
        ways->row_first[row] = count;
    }
    fr_free(order);
}

/* --- the queue ----------------------------------------------------------------------------------- */

/* No way from any start through this corner is shorter than its length and the straight line to all of them.
 */
static double least_to_starts(const fr_ways *ways, const fr_corner *corner)
{
    double x = corner->x, y = corner->y;
    double dx = fmax(fmax(fr_cells(ways->low.x) - x, x - fr_cells(ways->high.x)), 0.0);
    double dy = fmax(fmax(fr_cells(ways->low.y) - y, y - fr_cells(ways->high.y)), 0.0);
    return sqrt(dx * dx + dy * dy);
}

void ways_queue(fr_ways *ways, int32_t corner)
{
    ways->steps -= QUEUE_STEPS;
    double order = ways->corners[corner].node.length + least_to_starts(ways, &ways->ground->corners[corner]);
    if (ways->heap_count == ways->heap_capacity) {
        ways->heap_capacity = ways->heap_capacity == 0 ? 256 : 2 * ways->heap_capacity;
        ways->heap = fr_realloc(ways->heap, (size_t)ways->heap_capacity, sizeof *ways->heap);
    }
    int32_t at = ways->heap_count++;
    for (; at > 0 && ways->heap[(at - 1) / 2].order > order; at = (at - 1) / 2) {
        ways->heap[at] = ways->heap[(at - 1) / 2];
    }
    ways->heap[at] = (way_entry){order, corner};
}

static way_entry pop(fr_ways *ways)
{
    way_entry top = ways->heap[0], item = ways->heap[--ways->heap_count];
    int32_t at = 0;
    for (int32_t child = 1; child < ways->heap_count; child = 2 * at + 1) {
        if (child + 1 < ways->heap_count && ways->heap[child + 1].order < ways->heap[child].order) {
            child++;
        }
        if (ways->heap[child].order >= item.order) {
            break;
        }
        ways->heap[at] = ways->heap[child];
        at = child;
    }
    ways->heap[at] = item;
    return top;
}

/* --- areas --------------------------------------------------------------------------------------- */

static int compare_cells(const void *a, const void *b)
{
    const fr_cell *p = a, *q = b;
    return p->y != q->y ? (p->y < q->y ? -1 : 1) : (p->x > q->x) - (p->x < q->x);
}

static bool in_area(const fr_way_goal *goal, fr_cell cell)
{
    return bsearch(&cell, goal->cells, (size_t)goal->cell_count, sizeof cell, compare_cells) != NULL;
}

/* Straight along its row and column to a cell of the area: the ways that end inside an edge of the area end
 * at a right angle to it, and only starts are off the lines on which corners lie. */
static void reach_square(fr_ways *ways, const fr_way_goal *goal, int32_t at)
{
    fr_position place = ways->starts[at];
    fr_cell own = fr_cell_at(place);
    way_node *start = &ways->start_nodes[at];
    if (in_area(goal, own)) {
        *start = (way_node){.length = 0.0, .from = FROM_GOAL, .goal = place};
        return;
    }
    for (int d = 0; d < FR_DIR_COUNT; d += 2) {
        fr_cell cell = own;
        do {
            cell = (fr_cell){cell.x + FR_STEPS[d].dx, cell.y + FR_STEPS[d].dy};
            ways->steps--;
        } while (fr_open_ground_run(ways->ground, cell) != NULL && !in_area(goal, cell));
        if (!in_area(goal, cell)) {
            continue;
        }
        fr_position edge = place;
        edge.x = FR_STEPS[d].dx != 0 ? (cell.x + (FR_STEPS[d].dx < 0)) * FR_POSITION_ONE : edge.x;
        edge.y = FR_STEPS[d].dy != 0 ? (cell.y + (FR_STEPS[d].dy < 0)) * FR_POSITION_ONE : edge.y;
        double length = ways_straight_cells((int64_t)edge.x - place.x, (int64_t)edge.y - place.y);
        if (start->length < 0.0 || length < start->length) {
            *start = (way_node){.length = length, .from = FROM_GOAL, .goal = edge};
        }
    }
}

/* From every corner of a cell of the area that has open ground beside the area at it. */
static void look_from_area(fr_ways *ways, const fr_way_goal *goal)
{
    for (int32_t i = 0; i < ways->start_count; i++) {
        reach_square(ways, goal, i);
    }
    for (int32_t i = 0; i < goal->cell_count && ways->steps > 0; i++) {
        for (int k = 0; k < 4; k++) {
            fr_cell cell = goal->cells[i], found = {-1, -1};
            int32_t x = cell.x + k % 2, y = cell.y + k / 2;
            int walls = 0, outside = 0, diagonal = 0;
            for (int around = 0; around < 4; around++) {
                fr_cell other = {x - 1 + around % 2, y - 1 + around / 2};
                bool is_open = fr_open_ground_run(ways->ground, other) != NULL;
                bool is_in = is_open && in_area(goal, other);
                if (is_in && found.x < 0) {
                    found = other;
                }
                walls += !is_open;
                diagonal += !is_open ? (around == 0 || around == 3 ? 1 : -1) : 0;
                outside += is_open && !is_in;
            }
            bool is_pinch = walls == 2 && abs(diagonal) == 2;
            if (outside > 0 && !is_pinch && found.x == cell.x && found.y == cell.y) {
                ways_look_round(ways, (fr_position){x * FR_POSITION_ONE, y * FR_POSITION_ONE}, cell);
            }
        }
    }
}

/* --- the search ---------------------------------------------------------------------------------- */

/* Is every start known, with no corner left that could make it nearer? */
static bool is_done(const fr_ways *ways, double order)
{
    for (int32_t i = 0; i < ways->start_count; i++) {
        if (ways->start_nodes[i].length < 0.0 || ways->start_nodes[i].length > order) {
            return false;
        }
    }
    return true;
}

bool fr_ways_find(fr_ways *ways, const fr_way_goal *goal, const fr_position *starts, int32_t count,
                  int64_t *steps, double *lengths)
{
    take_starts(ways, starts, count);
    for (int32_t i = 0; i < ways->ground->corner_count; i++) {
        ways->corners[i].node.length = -1.0;
        ways->corners[i].is_closed = false;
    }
    ways->heap_count = 0;
    ways->steps = *steps - ways->ground->corner_count / 8;
    if (goal->cells != NULL) {
        look_from_area(ways, goal);
    } else {
        ways_look_round(ways, goal->place, fr_cell_at(goal->place));
    }
    int32_t turn = 0;
    while (ways->heap_count > 0 && ways->steps > 0) {
        way_entry next = pop(ways);
        way_corner *state = &ways->corners[next.corner];
        if (state->is_closed) {
            continue;
        }
        if (turn++ % 16 == 0 && is_done(ways, next.order)) {
            break;
        }
        state->is_closed = true;
        ways_look_behind(ways, next.corner);
    }
    bool is_found = ways->steps > 0;
    *steps = is_found ? ways->steps : 0;
    for (int32_t i = 0; i < count && is_found; i++) {
        lengths[ways->start_index[i]] = ways->start_nodes[i].length;
    }
    return is_found;
}

static void add_point(fr_ways *ways, int32_t *count, fr_position point)
{
    if (*count == ways->point_capacity) {
        ways->point_capacity = ways->point_capacity == 0 ? 64 : 2 * ways->point_capacity;
        ways->points = fr_realloc(ways->points, (size_t)ways->point_capacity, sizeof *ways->points);
    }
    ways->points[(*count)++] = point;
}

const fr_position *fr_ways_points(fr_ways *ways, int32_t start, int32_t *count)
{
    int32_t at = ways->sorted_place[start];
    const way_node *step = &ways->start_nodes[at];
    *count = 0;
    add_point(ways, count, ways->starts[at]);
    while (step->from >= 0) {
        const fr_corner *corner = &ways->ground->corners[step->from];
        add_point(ways, count, (fr_position){corner->x * FR_POSITION_ONE, corner->y * FR_POSITION_ONE});
        step = &ways->corners[step->from].node;
    }
    if (step->from == FROM_GOAL) {
        add_point(ways, count, step->goal);
    }
    return ways->points;
}
