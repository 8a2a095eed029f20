/* parallel: which way a stream goes that is as wide as its way. By the shortest way everybody meets at the
 * edge of the next corner; water keeps beside itself. Its direction is that of the potential, evened out
 * between the walls, which lets nothing through: as heat spreads in a plate (explicit steps of the diffusion
 * equation with insulated borders). */
#include "field/field.h"

#include "field/field_internal.h"
#include "grid/nav.h"

/* Steps of evening out. Two and a half cells to each side of the middle of a way have then become about even;
 * twice as many make streams longer and no faster. */
#define STEPS 4
/* Cells to each side of the middle one that its slope depends on after so many steps. */
#define HALF (STEPS + 1)
#define SIDE (2 * HALF + 1)

typedef struct window {
    float value[2][SIDE][SIDE]; /* way left, in straight steps, less that of the middle cell */
    bool open[SIDE][SIDE];
} window;

/* Way left from a cell, the straight line to its target measured by air: integrations go in eight directions,
 * and their slope is askew. */
static float way_left(const fr_field *field, fr_cell cell, const fr_field_cell *of, uint32_t middle)
{
    int64_t left = (int64_t)of->integration - middle;
    if (of->best == 0) {
        return (float)left;
    }
    fr_cell to = fr_target_cell(of->target);
    int32_t dx = to.x - cell.x, dy = to.y - cell.y;
    int64_t line = (int64_t)of->integration - fr_field_cell_value(field, to);
    float air = sqrtf((float)(dx * dx + dy * dy)) * (float)FR_STEP_STRAIGHT / (float)fr_octile_price(dx, dy);
    return (float)(left - line) + (float)line * air;
}

static void fill(window *out, const fr_field *field, fr_cell middle)
{
    uint32_t value = fr_field_cell_value(field, middle);
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            fr_cell cell = {middle.x + x - HALF, middle.y + y - HALF};
            fr_field_cell of = fr_field_cell_at(field, cell);
            out->open[y][x] = of.integration != FR_UNREACHED;
            out->value[0][y][x] = out->open[y][x] ? way_left(field, cell, &of, value) : 0.0f;
        }
    }
}

/* What the neighbour has more than the cell; nothing flows through walls. */
static float rise(const window *in, int turn, int y, int x, int dy, int dx)
{
    return in->open[y + dy][x + dx] ? in->value[turn][y + dy][x + dx] - in->value[turn][y][x] : 0.0f;
}

bool fr_field_parallel_at(const fr_field *field, fr_position position, fr_vec2 *direction)
{
    fr_position place = fr_nav_position(field->shift, position);
    fr_cell middle = fr_cell_at(place);
    if (fr_field_cell_value(field, middle) == FR_UNREACHED) {
        return false;
    }
    window at;
    fill(&at, field, middle);
    int turn = 0;
    for (int margin = 1; margin <= STEPS; margin++, turn ^= 1) {
        for (int y = margin; y < SIDE - margin; y++) {
            for (int x = margin; x < SIDE - margin; x++) {
                at.value[turn ^ 1][y][x] =
                    at.value[turn][y][x] +
                    0.25f * (rise(&at, turn, y, x, 0, -1) + rise(&at, turn, y, x, 0, 1) +
                             rise(&at, turn, y, x, -1, 0) + rise(&at, turn, y, x, 1, 0));
            }
        }
    }
    /* The slope runs evenly from one side of the cell to the other: beside a wall it is along it. */
    fr_vec2 in_cell = fr_position_delta(fr_cell_centre(middle), place);
    float west = rise(&at, turn, HALF, HALF, 0, -1), east = -rise(&at, turn, HALF, HALF, 0, 1);
    float north = rise(&at, turn, HALF, HALF, -1, 0), south = -rise(&at, turn, HALF, HALF, 1, 0);
    fr_vec2 down = {west + (east - west) * (in_cell.x + 0.5f), north + (south - north) * (in_cell.y + 0.5f)};
    float length = fr_vec2_length(down);
    if (length < 1.0f) {
        return false;
    }
    *direction = fr_vec2_scale(down, 1.0f / length);
    return true;
}
