#include "view/overlay_sectors.h"

#include <string.h>

#include "base/memory.h"
#include "grid/nav.h"
#include "view/palette.h"
#include "view/pixel.h"

/* Steps in which the colour of a fresh block fades: each paints the picture anew. */
#define FADE_STEPS 6

void fr_sectors_fini(fr_sectors *sectors)
{
    fr_free(sectors->stamps);
    fr_free(sectors->costs);
    fr_free(sectors->changed);
    *sectors = (fr_sectors){0};
}

/* Another field: nothing of it is news. */
static void begin(fr_sectors *sectors, const fr_field *field, uint64_t name, const fr_cost *cost)
{
    int32_t count = fr_grid_block_count(fr_field_grid(field));
    if (count > sectors->capacity) {
        size_t blocks = (size_t)count;
        sectors->capacity = count;
        sectors->stamps = fr_realloc(sectors->stamps, blocks, sizeof *sectors->stamps);
        sectors->costs = fr_realloc(sectors->costs, blocks, sizeof *sectors->costs);
        sectors->changed = fr_realloc(sectors->changed, blocks, sizeof *sectors->changed);
    }
    sectors->name = name;
    sectors->count = count;
    for (int32_t b = 0; b < count; b++) {
        sectors->stamps[b] = fr_field_block_stamp(field, b);
        sectors->costs[b] = fr_cost_block_version(cost, b);
        sectors->changed[b] = 0;
    }
}

static uint32_t age_of(const fr_sectors *sectors, int32_t block)
{
    uint32_t changed = sectors->changed[block];
    uint32_t age = sectors->tick + 1 - changed;
    return changed == 0 || age >= FR_SECTOR_FRESH_TICKS ? FR_SECTOR_FRESH_TICKS : age;
}

uint32_t fr_sectors_look(fr_sectors *sectors, const fr_field *field, uint64_t name,
                         fr_field_standing standing, const fr_cost *cost, uint32_t tick)
{
    if (sectors->count != fr_grid_block_count(fr_field_grid(field)) || sectors->name != name) {
        begin(sectors, field, name, cost);
    }
    sectors->tick = tick;
    sectors->standing = standing;
    sectors->is_fading = false;
    for (int32_t b = 0; b < sectors->count; b++) {
        uint32_t stamp = fr_field_block_stamp(field, b);
        if (stamp != sectors->stamps[b]) {
            sectors->stamps[b] = stamp;
            sectors->changed[b] = tick + 1;
        }
        if (standing == FR_STANDING_CURRENT) {
            sectors->costs[b] = fr_cost_block_version(cost, b);
        }
        sectors->is_fading |= age_of(sectors, b) < FR_SECTOR_FRESH_TICKS;
    }
    uint32_t step = sectors->is_fading ? tick * FADE_STEPS / FR_SECTOR_FRESH_TICKS + 1 : 0;
    return step * 4 + (uint32_t)standing;
}

static uint32_t color_of(const fr_sectors *sectors, const fr_cost *cost, int32_t block)
{
    if (sectors->stamps[block] == 0) {
        return 0;
    }
    if (sectors->costs[block] != fr_cost_block_version(cost, block)) {
        return FR_COLOR_SECTOR_STALE;
    }
    uint32_t step = age_of(sectors, block) * FADE_STEPS / FR_SECTOR_FRESH_TICKS;
    return fr_argb_mix(FR_COLOR_SECTOR_FRESH, FR_COLOR_SECTOR_BUILT, step * 256u / FADE_STEPS);
}

void fr_sectors_read(const fr_sectors *sectors, const fr_cost *cost, fr_rect cells, int stride, uint32_t *out)
{
    fr_grid grid = fr_cost_grid(cost);
    int32_t shift = fr_cost_shift(cost);
    for (int32_t y = cells.y; y < cells.y + cells.height; y += stride) {
        int32_t last = -1;
        uint32_t color = 0;
        for (int32_t x = cells.x; x < cells.x + cells.width; x += stride) {
            int32_t block = fr_grid_block(grid, fr_nav_cell_of(shift, (fr_cell){x, y}));
            if (block != last) {
                last = block;
                color = color_of(sectors, cost, block);
            }
            *out++ = color;
        }
    }
}
