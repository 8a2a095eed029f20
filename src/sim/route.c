#include "sim/route.h"

#include <math.h>

#include "base/assert.h"
#include "crowd/ground_speed.h"

/* The way is followed in legs, so that the points of one fit here. */
#define LEG_CELLS  32.0
#define LEG_POINTS 1024

static double distance(fr_position a, fr_position b)
{
    double x = fr_cells(b.x - a.x), y = fr_cells(b.y - a.y);
    return sqrt(x * x + y * y);
}

/* Time for one piece, which is short: the ground under its middle counts. */
static double piece_s(const fr_snapshot *snapshot, uint32_t unit, fr_position from, fr_position to)
{
    fr_position middle = {from.x + (to.x - from.x) / 2, from.y + (to.y - from.y) / 2};
    fr_class movement_class = (fr_class)snapshot->movement_class[unit];
    uint8_t cost = fr_cost_at(snapshot->cost, movement_class, fr_cell_at(middle));
    float speed = fr_ground_speed(snapshot->speed[unit], snapshot->full_speed_cost, cost);
    return distance(from, to) / (double)speed;
}

static void add_point(fr_route *route, fr_position *points, int32_t capacity, fr_position point)
{
    if (points != NULL && route->point_count < capacity) {
        points[route->point_count++] = point;
    }
}

static void walk_to(fr_route *route, const fr_snapshot *snapshot, uint32_t unit, fr_position from,
                    fr_position to, fr_position *points, int32_t capacity)
{
    route->length_cells += distance(from, to);
    route->eta_s += piece_s(snapshot, unit, from, to);
    add_point(route, points, capacity, to);
}

/* To where the field leads on. */
static fr_position walk_out(fr_route *route, const fr_snapshot *snapshot, const fr_field *field,
                            uint32_t unit, fr_position at, fr_position *points, int32_t capacity)
{
    fr_class movement_class = (fr_class)snapshot->movement_class[unit];
    fr_cell next;
    while (fr_field_value(field, fr_cell_at(at)) == FR_UNREACHED &&
           fr_way_out_next(snapshot->way_out, movement_class, fr_cell_at(at), &next)) {
        fr_position to = fr_cell_centre(next);
        walk_to(route, snapshot, unit, at, to, points, capacity);
        at = to;
    }
    return at;
}

fr_route fr_route_trace(const fr_snapshot *snapshot, const fr_field *field, uint32_t unit,
                        fr_position *points, int32_t capacity)
{
    FR_ASSERT(unit < (uint32_t)snapshot->unit_count);
    fr_route route = {.arrives = false};
    fr_position at = snapshot->position[unit], leg[LEG_POINTS];
    bool met_wall = false;
    add_point(&route, points, capacity, at);
    at = walk_out(&route, snapshot, field, unit, at, points, capacity);
    while (!route.arrives && !met_wall && route.length_cells < FR_ROUTE_CELLS_MAX) {
        int count = 0;
        route.arrives = fr_field_trace(field, at, LEG_CELLS, &met_wall, leg, LEG_POINTS, &count) >= 0.0;
        for (int i = 1; i < count; i++) {
            walk_to(&route, snapshot, unit, leg[i - 1], leg[i], points, capacity);
        }
        fr_position last = count > 0 ? leg[count - 1] : at;
        if (!route.arrives && last.x == at.x && last.y == at.y) {
            break; /* no step was possible */
        }
        at = last;
    }
    return route;
}
