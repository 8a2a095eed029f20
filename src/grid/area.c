#include "grid/area.h"

#include "base/hash.h"

fr_area fr_area_rect(fr_position low, fr_position high)
{
    return (fr_area){FR_AREA_RECT, low, high};
}

fr_area fr_area_disc(fr_position centre, int32_t radius)
{
    return (fr_area){
        FR_AREA_DISC, {centre.x - radius, centre.y - radius}, {centre.x + radius, centre.y + radius}};
}

bool fr_area_is_sane(const fr_area *area)
{
    return area->kind >= FR_AREA_NONE && area->kind < FR_AREA_KIND_COUNT && area->low.x <= area->high.x &&
           area->low.y <= area->high.y && (int64_t)area->high.x - area->low.x <= INT32_MAX &&
           (int64_t)area->high.y - area->low.y <= INT32_MAX;
}

fr_position fr_area_centre(const fr_area *area)
{
    return (fr_position){(int32_t)(((int64_t)area->low.x + area->high.x) / 2),
                         (int32_t)(((int64_t)area->low.y + area->high.y) / 2)};
}

bool fr_area_contains(const fr_area *area, fr_cell cell)
{
    fr_position middle = fr_cell_centre(cell);
    if (area->kind == FR_AREA_RECT) {
        return middle.x >= area->low.x && middle.x < area->high.x && middle.y >= area->low.y &&
               middle.y < area->high.y;
    }
    fr_position centre = fr_area_centre(area);
    int64_t dx = (int64_t)middle.x - centre.x, dy = (int64_t)middle.y - centre.y;
    int64_t radius = (int64_t)area->high.x - centre.x;
    return area->kind == FR_AREA_DISC && dx * dx + dy * dy <= radius * radius;
}

fr_rect fr_area_bounds(const fr_area *area, fr_grid grid)
{
    if (area->kind == FR_AREA_NONE) {
        return (fr_rect){0, 0, 0, 0};
    }
    fr_cell low = fr_cell_at(area->low), high = fr_cell_at(area->high);
    return fr_grid_clip(grid, (fr_rect){low.x, low.y, high.x - low.x + 1, high.y - low.y + 1});
}

int32_t fr_area_count(const fr_area *area, fr_grid grid)
{
    fr_rect bounds = fr_area_bounds(area, grid);
    int32_t count = 0;
    for (int32_t y = bounds.y; y < bounds.y + bounds.height; y++) {
        for (int32_t x = bounds.x; x < bounds.x + bounds.width; x++) {
            count += fr_area_contains(area, (fr_cell){x, y});
        }
    }
    return count;
}

static int32_t clamp(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

fr_position fr_area_nearest(const fr_area *area, fr_position position)
{
    fr_position centre = fr_area_centre(area);
    if (area->kind == FR_AREA_RECT) {
        /* The upper edge itself lies outside. */
        return (fr_position){clamp(position.x, area->low.x, area->high.x - 1),
                             clamp(position.y, area->low.y, area->high.y - 1)};
    }
    fr_vec2 out = fr_position_delta(centre, position);
    float radius = (float)(area->high.x - centre.x) * (1.0f / FR_POSITION_ONE);
    float length = fr_vec2_length(out);
    if (length <= radius) {
        return position;
    }
    fr_vec2 rim = fr_vec2_scale(out, radius / length);
    return fr_position_add(centre, rim);
}

fr_area fr_area_clamp(const fr_area *area, fr_grid grid)
{
    fr_area clamped = *area;
    if (area->kind == FR_AREA_RECT) {
        clamped.low = fr_grid_clamp_position(grid, area->low);
        clamped.high = (fr_position){clamp(area->high.x, 0, grid.width * FR_POSITION_ONE),
                                     clamp(area->high.y, 0, grid.height * FR_POSITION_ONE)};
    } else if (area->kind == FR_AREA_DISC) {
        /* Moved as a whole: what is left of a disc cut at the edge is none. */
        fr_position centre = fr_grid_clamp_position(grid, fr_area_centre(area));
        clamped = fr_area_disc(centre, (area->high.x - area->low.x) / 2);
    }
    return clamped;
}

uint64_t fr_area_hash(const fr_area *area, uint64_t hash)
{
    if (area->kind == FR_AREA_NONE) {
        return hash;
    }
    hash = fr_hash_u32(hash, (uint32_t)area->kind);
    hash = fr_hash_u32(fr_hash_u32(hash, (uint32_t)area->low.x), (uint32_t)area->low.y);
    return fr_hash_u32(fr_hash_u32(hash, (uint32_t)area->high.x), (uint32_t)area->high.y);
}
