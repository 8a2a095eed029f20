/* sampler: how a field is followed between cell centres. Units, traces and tools all come through here, so
 * what is promised here holds for all of them: the direction never leads into a blocked cell or past a
 * corner, and following it arrives.
 *
 * A unit walks towards the target of the cell it stands in (aim_rule.h). Headings of several cells are not
 * mixed: each is right for its own cell, and where targets lie on two sides of an obstacle their middle is
 * right for none. Why it arrives: the way to a target leads over even ground, straight and free from wherever
 * in the cell it begins, and every border that it crosses is crossed towards the target. The cell behind the
 * border has a way to the target that is shorter by that step, so its value is less, whatever target it has
 * in turn: values fall with every border, until a goal is reached. A target at the end of a single step has a
 * lower value itself; what a diagonal one needs where the ground beside it is dearer, see to_corner(). */
#include "field/field.h"

#include "base/assert.h"
#include "field/field_internal.h"
#include "grid/nav.h"

/* Step of a trace (cells), and steps from one point for drawing to the next. */
#define TRACE_STEP        0.0625
#define TRACE_POINT_STEPS 8

/* A disc of the usual size in a cell clears a wall beside it up to this far from the middle of the cell
 * (cells; where a cell is half a tile, it has to stay beyond the middle); further on, it heads back at this
 * rate, in parts of its speed per cell. */
static const float CLEAR_OFFSETS[] = {0.5f - 2.0f * FR_RADIUS_DEFAULT, 0.5f - FR_RADIUS_DEFAULT,
                                      0.5f - 0.5f * FR_RADIUS_DEFAULT, 0.5f - 0.25f * FR_RADIUS_DEFAULT};
#define CLEAR_RATE 1.5f

/* So near to a corner where four cells meet (cells, on both axes) a unit counts as standing on it: no step is
 * short enough to meet it exactly. */
#define AT_CORNER 0.04f

/* On a diagonal step between cells of which one is dearer: straight to the corner where all four meet, or a
 * little before it, so that the crossing itself is on the diagonal. `ahead` is the position from the cell's
 * centre, both axes turned towards the corner. */
static fr_vec2 to_corner(fr_vec2 ahead)
{
    float before = 0.5f - 0.25f * fabsf(ahead.x - ahead.y);
    return (fr_vec2){before - ahead.x, before - ahead.y};
}

/* The way over a diagonal step that does not lead over even ground. `next` is the cell at its end. */
static fr_vec2 diagonal_way(const fr_field *field, fr_cell cell, fr_cell next, fr_vec2 from_centre,
                            fr_vec2 way)
{
    fr_vec2 turn = {(float)(next.x - cell.x), (float)(next.y - cell.y)};
    fr_vec2 ahead = {from_centre.x * turn.x, from_centre.y * turn.y};
    /* The cell that would be crossed beside the corner. If it cost no more than this one, a straight step
     * from it would make its value no more than this: */
    fr_cell side = ahead.x > ahead.y ? (fr_cell){next.x, cell.y} : (fr_cell){cell.x, next.y};
    uint64_t end = fr_field_cell_value(field, next);
    uint64_t own_step = fr_field_cell_value(field, cell) - end,
             side_step = fr_field_cell_value(field, side) - end;
    if (fr_field_cell_value(field, side) <= end ||
        FR_STEP_DIAGONAL * side_step <= FR_STEP_STRAIGHT * own_step) {
        return way;
    }
    fr_vec2 corner = to_corner(ahead);
    return (fr_vec2){corner.x * turn.x, corner.y * turn.y};
}

/* The way across a corner that the position is at, if a diagonal step over uneven ground leads across it to a
 * lower value: to the cell at the end of the step, out of whichever of the four cells. */
static bool crosses_corner(const fr_field *field, fr_cell cell, uint32_t value, fr_vec2 from_centre,
                           fr_vec2 *way)
{
    if (fabsf(from_centre.x) < 0.5f - AT_CORNER || fabsf(from_centre.y) < 0.5f - AT_CORNER) {
        return false;
    }
    fr_cell low = {from_centre.x > 0.0f ? cell.x : cell.x - 1, from_centre.y > 0.0f ? cell.y : cell.y - 1};
    for (int i = 0; i < 4; i++) {
        fr_cell start = {low.x + i % 2, low.y + i / 2}, end = {low.x + 1 - i % 2, low.y + 1 - i / 2};
        if (fr_field_cell_value(field, end) < value &&
            fr_field_cell_at(field, start).target == (fr_target_at(end) | FR_TARGET_UNEVEN)) {
            *way =
                (fr_vec2){(float)(end.x - cell.x) - from_centre.x, (float)(end.y - cell.y) - from_centre.y};
            return true;
        }
    }
    return false;
}

/* Whether a cell next to this one is reached; nearly always it lies in the same block, where cells beyond the
 * map's edge are unreached. */
static inline bool is_reached(const fr_field *field, const fr_field_block *block, fr_cell cell, fr_cell next)
{
    if (((uint32_t)(next.x ^ cell.x) | (uint32_t)(next.y ^ cell.y)) < FR_BLOCK_SIDE) {
        return block->integration[fr_block_index(next)] != FR_UNREACHED;
    }
    return fr_field_cell_at(field, next).integration != FR_UNREACHED;
}

/* Turns a direction back to the middle of the cell where a wall beside it, or beside the cell that comes
 * next, is nearer than a unit's radius: the way to the target is meant for the unit's centre. */
static fr_vec2 keep_clear(const fr_field *field, const fr_field_block *block, fr_cell cell,
                          fr_vec2 from_centre, fr_vec2 direction)
{
    bool is_steep = fabsf(direction.y) > fabsf(direction.x);
    float offset = is_steep ? from_centre.x : from_centre.y;
    float clear = CLEAR_OFFSETS[field->shift - FR_NAV_SHIFT_MIN];
    if (fabsf(offset) <= clear) {
        return direction;
    }
    int on = (is_steep ? direction.y : direction.x) > 0.0f ? 1 : -1;
    for (int side = -1; side <= 1; side += 2) {
        if ((float)side * offset <= clear) {
            continue;
        }
        fr_cell beside = {cell.x + (is_steep ? side : 0), cell.y + (is_steep ? 0 : side)};
        fr_cell oblique = {cell.x + (is_steep ? side : on), cell.y + (is_steep ? on : side)};
        if (is_reached(field, block, cell, beside) && is_reached(field, block, cell, oblique)) {
            continue;
        }
        float back = CLEAR_RATE * ((float)side * clear - offset);
        float *across = is_steep ? &direction.x : &direction.y;
        if ((float)side * (*across - back) > 0.0f) {
            *across = back;
            return fr_vec2_normalize(direction);
        }
    }
    return direction;
}

/* The sample at a position in field cells; its potential is as it is stored, its centre left to the caller.
 */
static fr_field_sample sample_cells(const fr_field *field, fr_position position, fr_cell cell)
{
    const float scale = 1.0f / FR_POSITION_ONE;
    if (!fr_grid_contains(field->grid, cell)) {
        return (fr_field_sample){.potential = FR_UNREACHED, .kind = FR_SAMPLE_NONE};
    }
    const fr_field_block *block = fr_field_block_at(field, cell);
    int32_t index = fr_block_index(cell);
    fr_field_sample sample = {.potential = block->integration[index], .kind = FR_SAMPLE_NONE};
    if (block->best[index] == 0) {
        sample.kind = sample.potential != FR_UNREACHED ? FR_SAMPLE_GOAL : FR_SAMPLE_NONE;
        return sample;
    }
    sample.kind = FR_SAMPLE_STEP;
    fr_target target = block->target[index];
    fr_cell to = fr_target_cell(target);
    fr_position centre = fr_cell_centre(cell);
    fr_vec2 from_centre = {(float)(position.x - centre.x) * scale, (float)(position.y - centre.y) * scale};
    fr_vec2 way = {(float)(to.x - cell.x) - from_centre.x, (float)(to.y - cell.y) - from_centre.y};
    if (crosses_corner(field, cell, sample.potential, from_centre, &way)) {
        sample.direction = fr_vec2_normalize(way);
        sample.reach = fr_vec2_length(way);
        return sample;
    }
    if ((target & FR_TARGET_UNEVEN) != 0 && to.x != cell.x && to.y != cell.y) {
        way = diagonal_way(field, cell, to, from_centre, way);
    }
    sample.reach = fr_vec2_length(way);
    sample.direction = keep_clear(field, block, cell, from_centre, fr_vec2_normalize(way));
    return sample;
}

fr_field_sample fr_field_sample_at(const fr_field *field, fr_position position)
{
    if (field->shift == 0) {
        fr_cell tile = fr_cell_at(position);
        fr_field_sample sample = sample_cells(field, position, tile);
        sample.centre = fr_cell_centre(tile);
        return sample;
    }
    fr_position place = fr_nav_position(field->shift, position);
    fr_cell cell = fr_cell_at(place);
    fr_field_sample sample = sample_cells(field, place, cell);
    sample.centre = fr_nav_centre(field->shift, cell);
    sample.potential = fr_field_tile_value(field, sample.potential);
    sample.reach *= (float)fr_nav_scale(field->shift);
    return sample;
}

static void add_point(fr_position *points, int capacity, int *count, fr_position point)
{
    if (points != NULL && *count < capacity) {
        points[(*count)++] = point;
    }
}

double fr_field_trace(const fr_field *field, fr_position start, double limit, bool *met_wall,
                      fr_position *points, int capacity, int *point_count)
{
    FR_ASSERT(points == NULL || point_count != NULL);
    int count = 0;
    double length = 0.0;
    fr_position at = start;
    fr_field_sample sample = fr_field_sample_at(field, at);
    for (int64_t step = 0; sample.kind == FR_SAMPLE_STEP && length <= limit; step++) {
        if (step % TRACE_POINT_STEPS == 0) {
            add_point(points, capacity, &count, at);
        }
        int32_t dx = fr_fixed(TRACE_STEP * (double)sample.direction.x);
        int32_t dy = fr_fixed(TRACE_STEP * (double)sample.direction.y);
        at = (fr_position){at.x + dx, at.y + dy};
        length += sqrt(fr_cells(dx) * fr_cells(dx) + fr_cells(dy) * fr_cells(dy));
        sample = fr_field_sample_at(field, at);
    }
    add_point(points, capacity, &count, at);
    bool arrived = sample.kind == FR_SAMPLE_GOAL;
    if (arrived) {
        length += (double)fr_vec2_length(fr_position_delta(at, sample.centre));
        add_point(points, capacity, &count, sample.centre);
    }
    if (met_wall != NULL) {
        *met_wall = sample.kind == FR_SAMPLE_NONE;
    }
    if (point_count != NULL) {
        *point_count = count;
    }
    return arrived && length <= limit ? length : -1.0;
}
