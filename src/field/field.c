/* field: fields filled from a scratch, read, and copied for overlays. Where their blocks come from is
 * field_pool.c; how they are followed is sampler.c; how they are saved is field_file.c. */
#include "field/field.h"

#include <math.h>

#include "base/assert.h"
#include "field/any_angle.h"
#include "field/field_internal.h"
#include "field/row_pass.h"
#include "field/scratch.h"
#include "grid/nav.h"

/* Adds those of a row's cells to a block that are new there and lie below `ends`, in a function of its own
 * for the sake of `restrict`: one lane a cell. */
FR_WIDEST_VECTORS FR_NOT_INLINED static void
store_row(const uint32_t *restrict values, const uint8_t *restrict best, const fr_target *restrict targets,
          const uint32_t *restrict ends, int32_t width, uint32_t *restrict to_values,
          uint8_t *restrict to_best, fr_target *restrict to_targets)
{
    for (int32_t x = 0; x < width; x++) {
        bool is_new = (to_values[x] == FR_UNREACHED) & (values[x] < ends[x]);
        to_best[x] = is_new ? best[x] : to_best[x];
    }
    for (int32_t x = 0; x < width; x++) {
        bool is_new = (to_values[x] == FR_UNREACHED) & (values[x] < ends[x]);
        to_targets[x] = is_new ? targets[x] : to_targets[x];
        to_values[x] = is_new ? values[x] : to_values[x];
    }
}

void fr_field_block_store(fr_field_block *block, const fr_scratch *scratch, int32_t number,
                          const fr_extent *extent)
{
    uint32_t ends[FR_BLOCK_SIDE];
    fr_rect rect = fr_grid_block_rect(scratch->grid, number);
    for (int32_t y = 0; y < rect.height; y++) {
        uint32_t place = fr_scratch_index(scratch, (fr_cell){rect.x, rect.y + y});
        int32_t to = y * FR_BLOCK_SIDE;
        fr_extent_row(extent, (fr_cell){rect.x, rect.y + y}, rect.width, ends);
        store_row(scratch->integration + place, scratch->best + place, scratch->targets + place, ends,
                  rect.width, block->integration + to, block->best + to, block->target + to);
    }
    block->maximum = fr_block_maximum(block);
}

/* Makes a field of the costs that lie in the scratch. */
static void fill(fr_field *field, fr_scratch *scratch, const fr_goal *goals, int goal_count)
{
    field->saturated = fr_integrate(scratch, goals, goal_count);
    fr_integrate_directions(scratch);
    fr_any_angle_find_all(scratch);
    field->extent = fr_extent_all(field->grid);
    field->maximum = 0;
    int32_t count = fr_grid_block_count(field->grid);
    for (int32_t number = 0; number < count; number++) {
        fr_field_block *block = fr_field_block_take(field, number);
        *block = field->blocks[FR_BLOCK_ABSENT];
        fr_field_block_store(block, scratch, number, &field->extent);
        field->maximum = block->maximum > field->maximum ? block->maximum : field->maximum;
        if (fr_block_is_unreached(block)) {
            fr_field_block_leave(field, number);
        }
    }
}

void fr_field_fill(fr_field *field, fr_scratch *scratch, const fr_cost_snapshot *snapshot, fr_cost_view view,
                   const fr_goal *goals, int goal_count)
{
    FR_ASSERT(scratch->grid.width == field->grid.width && scratch->grid.height == field->grid.height);
    fr_cost_snapshot_copy(snapshot, view, fr_scratch_costs(scratch), scratch->stride);
    fill(field, scratch, goals, goal_count);
}

fr_field *fr_field_build(fr_field_pool *pool, fr_scratch *scratch, const fr_cost *cost, fr_cost_view view,
                         const fr_goal *goals, int goal_count)
{
    fr_grid grid = fr_cost_grid(cost);
    FR_ASSERT(scratch->grid.width == grid.width && scratch->grid.height == grid.height);
    fr_field *field = fr_field_reserve(pool, grid);
    if (field == NULL) {
        return NULL;
    }
    for (int32_t y = 0; y < grid.height; y++) {
        fr_cost_copy(cost, view, (fr_rect){0, y, grid.width, 1},
                     fr_scratch_costs(scratch) + (ptrdiff_t)y * scratch->stride);
    }
    fill(field, scratch, goals, goal_count);
    fr_field_settle(pool, field);
    return field;
}

uint32_t fr_field_value(const fr_field *field, fr_cell tile)
{
    if (field->shift == 0) {
        return fr_field_cell_value(field, tile);
    }
    return fr_field_tile_value(field, fr_field_cell_value(field, fr_nav_cell_of(field->shift, tile)));
}

uint32_t fr_field_value_at(const fr_field *field, fr_position position)
{
    fr_cell cell = fr_nav_cell_at(field->shift, position);
    return fr_field_tile_value(field, fr_field_cell_value(field, cell));
}

double fr_field_steps(const fr_field *field, fr_cell tile)
{
    uint32_t value = fr_field_cell_value(field, fr_nav_cell_of(field->shift, tile));
    return value == FR_UNREACHED ? (double)INFINITY
                                 : (double)value * fr_nav_scale(field->shift) / FR_STEP_STRAIGHT;
}

void fr_field_copy(const fr_field *field, fr_rect rect, uint32_t *integration, uint8_t *directions)
{
    FR_ASSERT(rect.x >= 0 && rect.y >= 0 && rect.width >= 0 && rect.height >= 0 &&
              rect.x + rect.width <= field->grid.width && rect.y + rect.height <= field->grid.height);
    size_t out = 0;
    for (int32_t y = rect.y; y < rect.y + rect.height; y++) {
        for (int32_t x = rect.x; x < rect.x + rect.width; x++, out++) {
            fr_field_cell found = fr_field_cell_at(field, (fr_cell){x, y});
            if (integration != NULL) {
                integration[out] = fr_field_tile_value(field, found.integration);
            }
            if (directions != NULL) {
                int goal_or_none = found.integration == FR_UNREACHED ? FR_DIR_NONE : FR_DIR_GOAL;
                directions[out] = (uint8_t)(found.best != 0 ? fr_first_step(found.best) : goal_or_none);
            }
        }
    }
}

uint32_t fr_field_block_stamp(const fr_field *field, int32_t block)
{
    /* What is written gets a block of its own. */
    return (uint32_t)field->table[block];
}

fr_grid fr_field_grid(const fr_field *field)
{
    return field->grid;
}

int32_t fr_field_shift(const fr_field *field)
{
    return field->shift;
}

bool fr_field_is_complete(const fr_field *field)
{
    return field->extent.limit > FR_INTEGRATION_MAX;
}

bool fr_field_saturated(const fr_field *field)
{
    return field->saturated;
}

uint32_t fr_field_maximum(const fr_field *field)
{
    return fr_field_tile_value(field, field->maximum);
}
