/* walls: exact disc against cells. The nearest point of a blocked cell to the disc's centre decides; the
 * deepest touch is undone first. Whatever happens, the answer is a place where the disc was legal before. */
#include "crowd/crowd_internal.h"

/* Kept between disc and wall (cells), more than rounding to fixed point can undo. */
#define CLEARANCE 3e-5f
#define ROUNDS    6

/* Deepest touch of a disc at (x, y), cells relative to `base`; its depth and the direction out of it. */
static float deepest_touch(const fr_crowd_input *input, fr_class movement_class, fr_cell base, float x,
                           float y, float radius, fr_vec2 *out)
{
    int32_t cell_x = crowd_floor(x), cell_y = crowd_floor(y);
    int32_t reach = (int32_t)radius + 1;
    int32_t side = 2 * reach + 1;
    fr_cell corner = {base.x + cell_x - reach, base.y + cell_y - reach};
    uint64_t walls = fr_cost_wall_window(input->cost, movement_class, corner, side);
    float deepest = 0.0f;
    for (int32_t bit = 0; walls != 0; bit++, walls >>= 1) {
        if ((walls & 1) == 0) {
            continue;
        }
        float left = (float)(cell_x - reach + bit % side), top = (float)(cell_y - reach + bit / side);
        float near_x = x < left ? left : x > left + 1.0f ? left + 1.0f : x;
        float near_y = y < top ? top : y > top + 1.0f ? top + 1.0f : y;
        fr_vec2 away = {x - near_x, y - near_y};
        float squared = fr_vec2_dot(away, away);
        if (squared >= radius * radius) {
            continue;
        }
        float distance = sqrtf(squared);
        if (distance < 1e-6f) {
            return INFINITY; /* the centre is in a wall: the caller takes an older place */
        }
        if (radius - distance > deepest) {
            deepest = radius - distance;
            *out = fr_vec2_scale(away, 1.0f / distance);
        }
    }
    return deepest;
}

fr_vec2 crowd_clear_walls(const fr_crowd_input *input, const body *self, fr_vec2 offset)
{
    fr_class movement_class = (fr_class)self->movement_class;
    fr_cell base = fr_cell_at(self->start);
    fr_vec2 local =
        fr_position_delta((fr_position){base.x * FR_POSITION_ONE, base.y * FR_POSITION_ONE}, self->start);
    float x = local.x + offset.x, y = local.y + offset.y;
    float radius = self->radius + CLEARANCE;
    for (int round = 0; round < ROUNDS; round++) {
        fr_vec2 out = {0.0f, 0.0f};
        float depth = deepest_touch(input, movement_class, base, x, y, radius, &out);
        if (depth == 0.0f) {
            return (fr_vec2){x - local.x, y - local.y};
        }
        if (depth == INFINITY) {
            break;
        }
        /* A hair more than the depth, or the loop would end on rounding. */
        x += out.x * (depth + 1e-6f);
        y += out.y * (depth + 1e-6f);
    }
    return (fr_vec2){0.0f, 0.0f};
}

bool crowd_disc_fits(const fr_crowd_input *input, fr_class movement_class, fr_position position, float radius)
{
    fr_cell base = fr_cell_at(position);
    fr_vec2 local =
        fr_position_delta((fr_position){base.x * FR_POSITION_ONE, base.y * FR_POSITION_ONE}, position);
    fr_vec2 out;
    return fr_cost_walkable(input->cost, movement_class, base) &&
           deepest_touch(input, movement_class, base, local.x, local.y, radius + CLEARANCE, &out) == 0.0f;
}
