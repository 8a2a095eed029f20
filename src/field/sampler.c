/* sampler: how a field is followed between cell centres. Units, traces and tools all come through here, so
 * what is promised here holds for all of them: the direction never leads into a blocked cell or past a
 * corner, and following it arrives.
 *
 * The direction is a mix of the four nearest cells' headings. It is taken only if it agrees with the arrow of
 * the own cell and enters, within the next tick, only cells of lower rank; else the unit aims at the
 * centre of the cell that the own arrow points to, which is always legal. Why that arrives: the rank of a
 * cell is the value of the cell that its arrow points to; of two equal ones, a cell with a diagonal arrow
 * ranks above one with a straight arrow. On the way to a centre along a diagonal the unit may graze a cell
 * beside it. That cell could step straight to the same target, so its arrow leads to one of no higher value,
 * and if to one of equal value, then straight: it ranks lower, too. So ranks fall with every border that is
 * crossed until a goal is reached, and inside a cell every direction gains along the arrow. */
#include "field/field.h"

#include "base/assert.h"
#include "field/field_internal.h"

/* How far ahead a direction is checked (cells): a little more than the fastest unit goes in a tick. */
#define LOOK_AHEAD 0.42f
_Static_assert(100 * (int)FR_SPEED_MAX < 42 * FR_TICK_HZ, "a unit must not outrun the check");

/* Least cosine of the angle between mix and own arrow. Two ways round a pillar don't average into it, and
 * inside a cell every direction makes way. */
#define AGREEMENT_MIN 0.25f

/* Step of a trace (cells), and steps from one point for drawing to the next. */
#define TRACE_STEP        0.0625
#define TRACE_POINT_STEPS 8

/* Unit vectors at every 22.5 degrees, clockwise from east. */
#define COS_22 0.92387953f
#define SIN_22 0.38268343f
#define COS_45 0.70710678f
static const fr_vec2 headings[2 * FR_DIR_COUNT] = {
    {1.0f, 0.0f},  {COS_22, SIN_22},   {COS_45, COS_45},   {SIN_22, COS_22},
    {0.0f, 1.0f},  {-SIN_22, COS_22},  {-COS_45, COS_45},  {-COS_22, SIN_22},
    {-1.0f, 0.0f}, {-COS_22, -SIN_22}, {-COS_45, -COS_45}, {-SIN_22, -COS_22},
    {0.0f, -1.0f}, {SIN_22, -COS_22},  {COS_45, -COS_45},  {COS_22, -SIN_22},
};

/* Where the sample is taken. */
typedef struct place {
    const fr_field *field;
    fr_cell cell;
    const fr_field_block *block;
    fr_field_cell own;   /* reached, not a goal */
    fr_vec2 at;          /* within the cell, [0,1) */
    uint32_t next_value; /* of the cell that the own arrow points to */
    bool is_diagonal;    /* the own arrow */
} place;

/* The arrow; where a neighbouring direction is just as good, the middle of the two: on open ground every way
 * within a wedge of 45 degrees costs the same, and its middle is the straightest. */
static fr_vec2 heading_of(uint8_t best)
{
    int first = fr_first_step(best);
    int clockwise = best >> ((first + 1) % FR_DIR_COUNT) & 1;
    int counter = best >> ((first + FR_DIR_COUNT - 1) % FR_DIR_COUNT) & 1;
    return headings[(2 * first + clockwise - counter + 2 * FR_DIR_COUNT) % (2 * FR_DIR_COUNT)];
}

static bool is_reached(fr_field_cell cell)
{
    return cell.integration != FR_UNREACHED;
}

/* A cell near the own one; nearly always in the same block, where cells beyond the map's edge are unreached.
 */
static inline fr_field_cell look_at(const place *here, int dx, int dy)
{
    fr_cell cell = {here->cell.x + dx, here->cell.y + dy};
    if (((uint32_t)(cell.x ^ here->cell.x) | (uint32_t)(cell.y ^ here->cell.y)) < FR_BLOCK_SIDE) {
        int32_t index = fr_block_index(cell);
        return (fr_field_cell){.integration = here->block->integration[index],
                               .best = here->block->best[index]};
    }
    return fr_field_cell_at(here->field, cell);
}

/* Whether a cell near the own one ranks lower (see above); goals rank lowest. */
static bool ranks_lower(const place *here, int dx, int dy)
{
    fr_field_cell content = look_at(here, dx, dy);
    if (content.integration <= here->next_value) {
        return true; /* and what its arrow points to has less */
    }
    if (content.best == 0) {
        return is_reached(content);
    }
    const fr_step *step = &FR_STEPS[fr_first_step(content.best)];
    uint32_t next_value = look_at(here, dx + step->dx, dy + step->dy).integration;
    return next_value < here->next_value ||
           (next_value == here->next_value && here->is_diagonal && step->price == FR_STEP_STRAIGHT);
}

/* What one of the other three cells adds to the mix: its heading; a goal draws towards its centre. */
static fr_vec2 share(const place *here, int dx, int dy, fr_field_cell content, float weight)
{
    if (content.best != 0) {
        return fr_vec2_scale(heading_of(content.best), weight);
    }
    fr_vec2 to_centre = {(float)dx + 0.5f - here->at.x, (float)dy + 0.5f - here->at.y};
    return fr_vec2_scale(fr_vec2_normalize(to_centre), weight);
}

/* Bilinear mix of the four nearest cells. Cells that are blocked, unreached or behind a corner have no
 * weight. */
static fr_vec2 mix_headings(const place *here)
{
    int dx = here->at.x < 0.5f ? -1 : 1, dy = here->at.y < 0.5f ? -1 : 1;
    float a = fabsf(here->at.x - 0.5f), b = fabsf(here->at.y - 0.5f);
    fr_field_cell beside = look_at(here, dx, 0);
    fr_field_cell below = look_at(here, 0, dy);
    fr_field_cell across = look_at(here, dx, dy);
    float beside_weight = is_reached(beside) ? a * (1.0f - b) : 0.0f;
    float below_weight = is_reached(below) ? b * (1.0f - a) : 0.0f;
    float across_weight = is_reached(beside) && is_reached(below) && is_reached(across) ? a * b : 0.0f;
    fr_vec2 mix = fr_vec2_scale(heading_of(here->own.best), (1.0f - a) * (1.0f - b));
    if (beside_weight > 0.0f) {
        mix = fr_vec2_add(mix, share(here, dx, 0, beside, beside_weight));
    }
    if (below_weight > 0.0f) {
        mix = fr_vec2_add(mix, share(here, 0, dy, below, below_weight));
    }
    if (across_weight > 0.0f) {
        mix = fr_vec2_add(mix, share(here, dx, dy, across, across_weight));
    }
    return fr_vec2_normalize(mix);
}

/* Whether the next tick in this direction stays in the own cell or enters only cells of lower rank. */
static bool is_safe(const place *here, fr_vec2 direction)
{
    float x = here->at.x + LOOK_AHEAD * direction.x, y = here->at.y + LOOK_AHEAD * direction.y;
    int dx = (x >= 1.0f) - (x < 0.0f), dy = (y >= 1.0f) - (y < 0.0f);
    if (dx == 0 && dy == 0) {
        return true;
    }
    if (dx == 0 || dy == 0) {
        return ranks_lower(here, dx, dy);
    }
    /* Which border is crossed first: compare the distances to both, in steps of the direction. */
    float to_x = (dx > 0 ? 1.0f - here->at.x : here->at.x) * fabsf(direction.y);
    float to_y = (dy > 0 ? 1.0f - here->at.y : here->at.y) * fabsf(direction.x);
    bool x_first = to_x < to_y;
    return ranks_lower(here, x_first ? dx : 0, x_first ? 0 : dy) && ranks_lower(here, dx, dy) &&
           is_reached(look_at(here, x_first ? 0 : dx, x_first ? dy : 0));
}

fr_field_sample fr_field_sample_at(const fr_field *field, fr_position position)
{
    const float scale = 1.0f / FR_POSITION_ONE;
    place here = {.field = field, .cell = fr_cell_at(position)};
    if (!fr_grid_contains(field->grid, here.cell)) {
        return (fr_field_sample){.potential = FR_UNREACHED, .kind = FR_SAMPLE_NONE};
    }
    here.block = fr_field_block_at(field, here.cell);
    here.own = look_at(&here, 0, 0);
    fr_field_sample sample = {.potential = here.own.integration, .kind = FR_SAMPLE_NONE};
    if (here.own.best == 0) {
        sample.kind = is_reached(here.own) ? FR_SAMPLE_GOAL : FR_SAMPLE_NONE;
        return sample;
    }
    sample.kind = FR_SAMPLE_STEP;
    here.at.x = (float)(position.x - here.cell.x * FR_POSITION_ONE) * scale;
    here.at.y = (float)(position.y - here.cell.y * FR_POSITION_ONE) * scale;
    const fr_step *arrow = &FR_STEPS[fr_first_step(here.own.best)];
    here.next_value = look_at(&here, arrow->dx, arrow->dy).integration;
    here.is_diagonal = arrow->price == FR_STEP_DIAGONAL;
    sample.direction = mix_headings(&here);
    if (fr_vec2_dot(sample.direction, arrow->unit) < AGREEMENT_MIN || !is_safe(&here, sample.direction)) {
        fr_vec2 to_centre = {(float)arrow->dx + 0.5f - here.at.x, (float)arrow->dy + 0.5f - here.at.y};
        sample.direction = fr_vec2_normalize(to_centre);
    }
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
        fr_position centre = fr_cell_centre(fr_cell_at(at));
        length += (double)fr_vec2_length(fr_position_delta(at, centre));
        add_point(points, capacity, &count, centre);
    }
    if (met_wall != NULL) {
        *met_wall = sample.kind == FR_SAMPLE_NONE;
    }
    if (point_count != NULL) {
        *point_count = count;
    }
    return arrived && length <= limit ? length : -1.0;
}
