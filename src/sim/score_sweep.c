/* score_sweep: what is seen from a point, found by sweeping a cone row by row over the open runs, as in
 * Harabor, Grastien, Oez and Aksakalli, "Optimal any-angle pathfinding in practice" (2016). Of a corner only
 * the cone behind it is of interest: a taut way bends round it and nowhere else. Places are fixed point and
 * cones are compared by whole products, so that touching is exact. */
#include "sim/score_ways_internal.h"

#include "base/memory.h"

/* One look from a point up (sign -1) or down (+1). */
typedef struct sweep {
    fr_ways *ways;
    int64_t x, y; /* of the point, fixed */
    int sign;
    way_node next; /* what leads on from what is seen, `length` being that of the point */
} sweep;

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
    way_corner *state = &ways->corners[index];
    int64_t dx = corner->x * ONE - s->x, dy = corner->y * ONE - s->y;
    if (state->is_closed || !can_bend(corner, dx, dy)) {
        return;
    }
    double length = s->next.length + ways_straight_cells(dx, dy);
    if (state->node.length < 0.0 || length < state->node.length) {
        state->node = s->next;
        state->node.length = length;
        state->dx = dx;
        state->dy = dy;
        ways_queue(ways, index);
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

static bool holds(const way_cone *c, int64_t x, int64_t y)
{
    return c->lx * y <= x * c->ly && x * c->ry <= c->rx * y;
}

/* Starts of a row that the cone holds between the lines `near` and `far` (fixed, from the point). */
static void reach_starts(sweep *s, int32_t row, const fr_run *run, const way_cone *c, int64_t near,
                         int64_t far)
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
        double length = s->next.length + ways_straight_cells(dx, dy);
        way_node *start = &ways->start_nodes[at];
        if (start->length < 0.0 || length < start->length) {
            *start = s->next;
            start->length = length;
        }
    }
}

static void add_strip(fr_ways *ways, int32_t line, const way_cone *c)
{
    if (ways->strip_count == ways->strip_capacity) {
        ways->strip_capacity = ways->strip_capacity == 0 ? 256 : 2 * ways->strip_capacity;
        ways->strips = fr_realloc(ways->strips, (size_t)ways->strip_capacity, sizeof *ways->strips);
    }
    ways->strips[ways->strip_count++] = (way_strip){line, *c};
}

/* A run of a row, entered `near` from the point; the cone fits the run there. */
static void cross_run(sweep *s, int32_t row, const fr_run *run, way_cone c, int64_t near)
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
static void cross_line(sweep *s, int32_t line, const way_cone *c)
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
        way_cone part = *c;
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
static void reach_along(sweep *s, int32_t line, const fr_run *run, const way_cone *c)
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
static void look(sweep *s, fr_cell cell, const way_cone *c)
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
        way_strip next = ways->strips[--ways->strip_count];
        cross_line(s, next.line, &next.cone);
    }
    ways->strip_count = 0;
}

/* --- where looks begin --------------------------------------------------------------------------- */

static const way_cone half_plane = {-1, 0, 1, 0};

/* All round from a point of the goal; `cell` holds it, on an edge or inside. */
void ways_look_round(fr_ways *ways, fr_position point, fr_cell cell)
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
void ways_look_behind(fr_ways *ways, int32_t index)
{
    const fr_corner *corner = &ways->ground->corners[index];
    const way_corner *state = &ways->corners[index];
    int side = corner->wall_x;
    sweep s = {.ways = ways,
               .x = corner->x * ONE,
               .y = corner->y * ONE,
               .next = {.length = state->node.length, .from = index}};
    bool is_flat = state->dx * side >= 0; /* the wall's side that ends the cone lies along the rows */
    s.sign = is_flat ? -corner->wall_y : corner->wall_y;
    int64_t dx = state->dx, dy = state->dy * s.sign;
    way_cone c = is_flat ? (side > 0 ? (way_cone){dx, dy, 1, 0} : (way_cone){-1, 0, dx, dy})
                         : (side > 0 ? (way_cone){dx, dy, 0, 1} : (way_cone){0, 1, dx, dy});
    int into = is_flat ? side : -side;
    look(&s, (fr_cell){corner->x - (into < 0 ? 1 : 0), corner->y - (s.sign < 0 ? 1 : 0)}, &c);
}
