/* score_ways: Dijkstra over the corners of walls, goal outward. What a corner sees is found when its turn
 * comes, by sweeping a cone row by row over the open runs (as in Harabor, Grastien, Oez and Aksakalli,
 * "Optimal any-angle pathfinding in practice", 2016): only the cone behind the corner, for a taut way bends
 * round it and nowhere else. Places are fixed point and cones are compared by whole products, so that
 * touching is exact. */
#include "sim/score_ways.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define ONE ((int64_t)FR_POSITION_ONE)

/* Where a way goes on from a corner or a start: a corner, ... */
#define FROM_NONE (-1) /* ... nothing yet, ... */
#define FROM_GOAL (-2) /* ... straight to the point of the goal kept with it. */

typedef struct node {
    double length;    /* cells to the goal; negative: not reached */
    int32_t from;     /* corner, or FROM_ */
    fr_position goal; /* of FROM_GOAL */
} node;

typedef struct corner_state {
    node node;
    int64_t dx, dy; /* from the point before to this corner */
    bool is_closed;
} corner_state;

typedef struct entry {
    double order;
    int32_t corner;
} entry;

/* Directions as seen from the point that looks, y counted the way the sweep goes: (lx, ly) is the border with
 * the smaller x. ly and ry are never negative, and the cone is less than a half plane or all of it. */
typedef struct cone {
    int64_t lx, ly, rx, ry;
} cone;

typedef struct strip {
    int32_t line;
    cone cone;
} strip;

struct fr_ways {
    const fr_open_ground *ground;
    corner_state *corners; /* [corner_count] */
    entry *heap;
    int32_t heap_count, heap_capacity;
    strip *strips; /* of the sweep under way */
    int32_t strip_count, strip_capacity;
    fr_position *starts;   /* sorted by row, then x [start_count] */
    int32_t *start_index;  /* in the caller's order */
    node *start_nodes;     /* in the sorted order */
    int32_t *sorted_place; /* of the caller's start in the sorted order */
    int32_t *row_first;    /* [height + 1] */
    int32_t start_count, start_capacity;
    fr_position low, high; /* corners of the box of all starts */
    fr_position *points;
    int32_t point_capacity;
    int64_t steps;
};

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
        ways->start_nodes[i] = (node){.length = -1.0, .from = FROM_NONE};
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

static void push(fr_ways *ways, entry item)
{
    if (ways->heap_count == ways->heap_capacity) {
        ways->heap_capacity = ways->heap_capacity == 0 ? 256 : 2 * ways->heap_capacity;
        ways->heap = fr_realloc(ways->heap, (size_t)ways->heap_capacity, sizeof *ways->heap);
    }
    int32_t at = ways->heap_count++;
    for (; at > 0 && ways->heap[(at - 1) / 2].order > item.order; at = (at - 1) / 2) {
        ways->heap[at] = ways->heap[(at - 1) / 2];
    }
    ways->heap[at] = item;
}

static entry pop(fr_ways *ways)
{
    entry top = ways->heap[0], item = ways->heap[--ways->heap_count];
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

/* --- the sweep ----------------------------------------------------------------------------------- */

/* One look from a point up (sign -1) or down (+1). */
typedef struct sweep {
    fr_ways *ways;
    int64_t x, y; /* of the point, fixed */
    int sign;
    node next; /* what leads on from what is seen, `length` being that of the point */
} sweep;

static double straight_cells(int64_t dx, int64_t dy)
{
    double x = (double)dx / (double)ONE, y = (double)dy / (double)ONE;
    return sqrt(x * x + y * y);
}

/* Can a taut way that comes along (dx, dy) bend round the corner? Not if it runs along the wall, nor if it
 * has the wall behind it on neither side. */
static bool can_bend(const fr_corner *corner, int64_t dx, int64_t dy)
{
    int64_t to_x = dx * corner->wall_x, to_y = dy * corner->wall_y;
    return (to_x >= 0 && to_y < 0) || (to_x < 0 && to_y >= 0);
}

static void reach_corner(sweep *s, int32_t index)
{
    fr_ways *ways = s->ways;
    const fr_corner *corner = &ways->ground->corners[index];
    corner_state *state = &ways->corners[index];
    int64_t dx = corner->x * ONE - s->x, dy = corner->y * ONE - s->y;
    if (state->is_closed || !can_bend(corner, dx, dy)) {
        return;
    }
    double length = s->next.length + straight_cells(dx, dy);
    if (state->node.length < 0.0 || length < state->node.length) {
        state->node = s->next;
        state->node.length = length;
        state->dx = dx;
        state->dy = dy;
        push(ways, (entry){length + least_to_starts(ways, corner), index});
    }
}

static void reach_point(sweep *s, int32_t x, int32_t line)
{
    const fr_open_ground *ground = s->ways->ground;
    int32_t index = fr_open_ground_corner(ground, line, x);
    if (index < ground->line_first[line + 1] && ground->corners[index].x == x) {
        reach_corner(s, index);
    }
}

static bool holds(const cone *c, int64_t x, int64_t y)
{
    return c->lx * y <= x * c->ly && x * c->ry <= c->rx * y;
}

/* Starts of a row that the cone holds between the lines `near` and `far` (fixed, from the point). */
static void reach_starts(sweep *s, int32_t row, const fr_run *run, const cone *c, int64_t near, int64_t far)
{
    fr_ways *ways = s->ways;
    int32_t at = ways->row_first[row], end = ways->row_first[row + 1];
    if (at == end) {
        return;
    }
    int64_t least = run->first * ONE - s->x, most = run->end * ONE - s->x;
    if (c->ly > 0) {
        int64_t edge = (c->lx < 0 ? c->lx * far : c->lx * near) / c->ly - 1;
        least = edge > least ? edge : least;
    }
    if (c->ry > 0) {
        int64_t edge = (c->rx > 0 ? c->rx * far : c->rx * near) / c->ry + 1;
        most = edge < most ? edge : most;
    }
    int32_t high = end;
    while (at < high) {
        int32_t middle = at + (high - at) / 2;
        if (ways->starts[middle].x - s->x < least) {
            at = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; at < end && ways->starts[at].x - s->x <= most; at++) {
        int64_t dx = ways->starts[at].x - s->x, dy = ways->starts[at].y - s->y;
        ways->steps--;
        if (dy * s->sign < 0 || !holds(c, dx, dy * s->sign)) {
            continue;
        }
        double length = s->next.length + straight_cells(dx, dy);
        node *start = &ways->start_nodes[at];
        if (start->length < 0.0 || length < start->length) {
            *start = s->next;
            start->length = length;
        }
    }
}

static void add_strip(fr_ways *ways, int32_t line, const cone *c)
{
    if (ways->strip_count == ways->strip_capacity) {
        ways->strip_capacity = ways->strip_capacity == 0 ? 256 : 2 * ways->strip_capacity;
        ways->strips = fr_realloc(ways->strips, (size_t)ways->strip_capacity, sizeof *ways->strips);
    }
    ways->strips[ways->strip_count++] = (strip){line, *c};
}

/* A run of a row, entered `near` from the point; the cone fits the run there. */
static void cross_run(sweep *s, int32_t row, const fr_run *run, cone c, int64_t near)
{
    int32_t line = s->sign > 0 ? row + 1 : row;
    int64_t far = (line * ONE - s->y) * s->sign;
    int64_t first = run->first * ONE - s->x, end = run->end * ONE - s->x;
    s->ways->steps--;
    reach_starts(s, row, run, &c, near, far);
    if (end * c.ly < c.lx * far || first * c.ry > c.rx * far) {
        return; /* all of it meets the side of the run before */
    }
    if (first * c.ly >= c.lx * far) {
        reach_point(s, run->first, line);
        c.lx = first;
        c.ly = far;
    }
    if (end * c.ry <= c.rx * far) {
        reach_point(s, run->end, line);
        c.rx = end;
        c.ry = far;
    }
    if (c.lx * c.ry < c.rx * c.ly) {
        add_strip(s->ways, line, &c);
    }
}

/* Goes on behind a line: into every run there that the cone overlaps. */
static void cross_line(sweep *s, int32_t line, const cone *c)
{
    const fr_open_ground *ground = s->ways->ground;
    int32_t row = s->sign > 0 ? line : line - 1;
    if (row < 0 || row >= ground->grid.height) {
        return;
    }
    int64_t near = (line * ONE - s->y) * s->sign;
    int32_t low = ground->row_first[row], end = ground->row_first[row + 1], high = end;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if ((ground->runs[middle].end * ONE - s->x) * c->ly <= c->lx * near) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < end; low++) {
        const fr_run *run = &ground->runs[low];
        int64_t run_first = run->first * ONE - s->x, run_end = run->end * ONE - s->x;
        cone part = *c;
        if (run_first * c->ry >= c->rx * near) {
            break;
        }
        if (run_first * c->ly >= c->lx * near) {
            reach_point(s, run->first, line);
            part.lx = run_first;
            part.ly = near;
        }
        if (run_end * c->ry <= c->rx * near) {
            reach_point(s, run->end, line);
            part.rx = run_end;
            part.ry = near;
        }
        cross_run(s, row, run, part, near);
    }
}

/* Corners on the line that the point itself stands on, as far as the run beside it goes. */
static void reach_along(sweep *s, int32_t line, const fr_run *run, const cone *c)
{
    const fr_open_ground *ground = s->ways->ground;
    int32_t from = c->ly == 0 ? run->first : (int32_t)(s->x / ONE);
    int32_t to = c->ry == 0 ? run->end : (int32_t)((s->x + ONE - 1) / ONE);
    for (int32_t i = fr_open_ground_corner(ground, line, from);
         i < ground->line_first[line + 1] && ground->corners[i].x <= to; i++) {
        if (ground->corners[i].x * ONE != s->x) {
            reach_corner(s, i);
        }
    }
}

/* Looks into a cone that begins in the run of `cell`, which holds the point or has it on its edge. */
static void look(sweep *s, fr_cell cell, const cone *c)
{
    fr_ways *ways = s->ways;
    const fr_run *run = fr_open_ground_run(ways->ground, cell);
    if (run == NULL) {
        return;
    }
    if (s->y % ONE == 0) {
        reach_along(s, (int32_t)(s->y / ONE), run, c);
    }
    cross_run(s, cell.y, run, *c, 0);
    while (ways->strip_count > 0 && ways->steps > 0) {
        strip next = ways->strips[--ways->strip_count];
        cross_line(s, next.line, &next.cone);
    }
    ways->strip_count = 0;
}

/* --- where looks begin --------------------------------------------------------------------------- */

static const cone half_plane = {-1, 0, 1, 0};

/* All round from a point of the goal; `cell` holds it, on an edge or inside. */
static void look_round(fr_ways *ways, fr_position point, fr_cell cell)
{
    sweep s = {
        .ways = ways, .x = point.x, .y = point.y, .next = {.length = 0.0, .from = FROM_GOAL, .goal = point}};
    bool on_line = point.y % FR_POSITION_ONE == 0, on_column = point.x % FR_POSITION_ONE == 0;
    for (s.sign = -1; s.sign <= 1; s.sign += 2) {
        fr_cell begin = cell;
        int32_t row = point.y / FR_POSITION_ONE - (on_line && s.sign < 0 ? 1 : 0);
        if (row != cell.y) {
            /* The row on the other side of the line: straight over, or round the end of one wall. */
            int32_t beside = point.x == cell.x * FR_POSITION_ONE ? cell.x - 1 : cell.x + 1;
            begin.y = row;
            if (fr_open_ground_run(ways->ground, begin) == NULL && on_column &&
                fr_open_ground_run(ways->ground, (fr_cell){beside, cell.y}) != NULL) {
                begin.x = beside;
            }
        }
        look(&s, begin, &half_plane);
    }
}

/* From the corner, behind it as seen from the point before. */
static void look_behind(fr_ways *ways, int32_t index)
{
    const fr_corner *corner = &ways->ground->corners[index];
    const corner_state *state = &ways->corners[index];
    int side = corner->wall_x;
    sweep s = {.ways = ways,
               .x = corner->x * ONE,
               .y = corner->y * ONE,
               .next = {.length = state->node.length, .from = index}};
    bool is_flat = state->dx * side >= 0; /* the wall's side that ends the cone lies along the rows */
    s.sign = is_flat ? -corner->wall_y : corner->wall_y;
    int64_t dx = state->dx, dy = state->dy * s.sign;
    cone c = is_flat ? (side > 0 ? (cone){dx, dy, 1, 0} : (cone){-1, 0, dx, dy})
                     : (side > 0 ? (cone){dx, dy, 0, 1} : (cone){0, 1, dx, dy});
    int into = is_flat ? side : -side;
    look(&s, (fr_cell){corner->x - (into < 0 ? 1 : 0), corner->y - (s.sign < 0 ? 1 : 0)}, &c);
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
    node *start = &ways->start_nodes[at];
    if (in_area(goal, own)) {
        *start = (node){.length = 0.0, .from = FROM_GOAL, .goal = place};
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
        double length = straight_cells((int64_t)edge.x - place.x, (int64_t)edge.y - place.y);
        if (start->length < 0.0 || length < start->length) {
            *start = (node){.length = length, .from = FROM_GOAL, .goal = edge};
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
                look_round(ways, (fr_position){x * FR_POSITION_ONE, y * FR_POSITION_ONE}, cell);
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
        look_round(ways, goal->place, fr_cell_at(goal->place));
    }
    int32_t turn = 0;
    while (ways->heap_count > 0 && ways->steps > 0) {
        entry next = pop(ways);
        corner_state *state = &ways->corners[next.corner];
        if (state->is_closed) {
            continue;
        }
        if (turn++ % 16 == 0 && is_done(ways, next.order)) {
            break;
        }
        state->is_closed = true;
        look_behind(ways, next.corner);
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
    const node *step = &ways->start_nodes[at];
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
