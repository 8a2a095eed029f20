/* score_lanes: see score_doors.h. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "sim/score_doors.h"

/* Streams that have just met are given this long to sort themselves: order is a state, not a wonder. */
#define SORT_TICKS (5 * FR_TICK_HZ)

void fr_lanes_init(fr_lanes *lanes, const fr_scenario *scenario)
{
    *lanes = (fr_lanes){.row_count = 0};
    if (scenario == NULL || !scenario->has_lanes) {
        return;
    }
    const double *area = scenario->lanes_area;
    int32_t x0 = (int32_t)floor(area[0]), y0 = (int32_t)floor(area[1]);
    int32_t x1 = (int32_t)ceil(area[0] + area[2]), y1 = (int32_t)ceil(area[1] + area[3]);
    lanes->cells = (fr_rect){x0, y0, x1 - x0, y1 - y0};
    lanes->is_along_y = scenario->lanes_axis_y;
    lanes->row_count = lanes->is_along_y ? x1 - x0 : y1 - y0;
    for (int side = 0; side < 2; side++) {
        lanes->groups[side] = scenario->lanes_groups[side];
        lanes->counts[side] = fr_alloc((size_t)lanes->row_count + 1, sizeof *lanes->counts[side]);
    }
}

void fr_lanes_fini(fr_lanes *lanes)
{
    fr_free(lanes->counts[0]);
    fr_free(lanes->counts[1]);
    *lanes = (fr_lanes){.row_count = 0};
}

/* How far a stream reaches along the axis, within the area (fixed). */
typedef struct extent {
    int32_t least, most, count;
} extent;

static void count_unit(fr_lanes *lanes, extent *extents, fr_position position, int side)
{
    fr_cell cell = fr_cell_at(position);
    int32_t x = cell.x - lanes->cells.x, y = cell.y - lanes->cells.y;
    if (x < 0 || y < 0 || x >= lanes->cells.width || y >= lanes->cells.height) {
        return;
    }
    int32_t along = lanes->is_along_y ? position.y : position.x;
    extent *own = &extents[side];
    own->least = own->count == 0 || along < own->least ? along : own->least;
    own->most = own->count == 0 || along > own->most ? along : own->most;
    own->count++;
    lanes->counts[side][lanes->is_along_y ? x : y]++;
}

void fr_lanes_tick(fr_lanes *lanes, const fr_snapshot *snapshot)
{
    if (lanes->row_count == 0) {
        return;
    }
    extent extents[2] = {{0, 0, 0}, {0, 0, 0}};
    for (int side = 0; side < 2; side++) {
        memset(lanes->counts[side], 0, (size_t)lanes->row_count * sizeof *lanes->counts[side]);
    }
    for (int32_t i = 0; i < snapshot->unit_count; i++) {
        for (int side = 0; side < 2 && snapshot->state[i] != FR_UNIT_GONE; side++) {
            if (snapshot->group[i] == lanes->groups[side]) {
                count_unit(lanes, extents, snapshot->position[i], side);
            }
        }
    }
    bool overlap = extents[0].count > 0 && extents[1].count > 0 && extents[0].least <= extents[1].most &&
                   extents[1].least <= extents[0].most;
    if (overlap && !lanes->has_met) {
        lanes->has_met = true;
        lanes->met_tick = snapshot->tick;
    }
    if (!overlap || snapshot->tick - lanes->met_tick < SORT_TICKS) {
        return;
    }
    for (int32_t row = 0; row < lanes->row_count; row++) {
        int64_t sum = (int64_t)lanes->counts[0][row] + lanes->counts[1][row];
        int64_t difference = (int64_t)lanes->counts[0][row] - lanes->counts[1][row];
        lanes->order_sum += difference * difference - sum;
        lanes->pair_sum += sum * sum - sum;
    }
}

bool fr_lanes_order(const fr_lanes *lanes, double *order)
{
    if (lanes->pair_sum == 0) {
        return false;
    }
    *order = (double)lanes->order_sum / (double)lanes->pair_sum;
    return true;
}
