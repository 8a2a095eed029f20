#include "view/overlay_regions.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/rng.h"

/* Samples a side: enough to meet all but the smallest areas, few enough to take anew with every edit. */
#define SAMPLES 128

/* Blue for the largest; the others without it (Okabe and Ito, "Color universal design", 2008). */
#define LARGEST 0xFF0072B2u
static const uint32_t OTHERS[] = {0xFFE69F00u, 0xFFCC79A7u, 0xFFF0E442u,
                                  0xFF56B4E9u, 0xFFD55E00u, 0xFF009E73u};

enum { OTHER_COUNT = sizeof OTHERS / sizeof OTHERS[0] };

void fr_region_colors_fini(fr_region_colors *colors)
{
    fr_free(colors->marks);
    *colors = (fr_region_colors){0};
}

static int compare_marks(const void *left, const void *right)
{
    const fr_region_mark *a = left, *b = right;
    if (a->region != b->region) {
        return a->region < b->region ? -1 : 1;
    }
    return (a->first > b->first) - (a->first < b->first);
}

static void take_samples(fr_region_colors *colors, fr_grid grid)
{
    int32_t columns = grid.width < SAMPLES ? grid.width : SAMPLES;
    int32_t rows = grid.height < SAMPLES ? grid.height : SAMPLES;
    if (colors->capacity < columns * rows) {
        colors->capacity = columns * rows;
        colors->marks = fr_realloc(colors->marks, (size_t)colors->capacity, sizeof *colors->marks);
    }
    colors->count = 0;
    for (int32_t i = 0; i < columns * rows; i++) {
        fr_cell cell = {(int32_t)((int64_t)(i % columns) * grid.width / columns),
                        (int32_t)((int64_t)(i / columns) * grid.height / rows)};
        uint32_t region = fr_regions_at(colors->regions, cell);
        if (region != FR_REGION_NONE) {
            colors->marks[colors->count++] = (fr_region_mark){region, i, 1};
        }
    }
}

/* One mark for each region, and the region that was met most often. */
static void join_marks(fr_region_colors *colors)
{
    int32_t kept = 0, most = 0;
    qsort(colors->marks, (size_t)colors->count, sizeof *colors->marks, compare_marks);
    colors->largest = FR_REGION_NONE;
    for (int32_t i = 0; i < colors->count; i++) {
        if (kept == 0 || colors->marks[kept - 1].region != colors->marks[i].region) {
            colors->marks[kept++] = colors->marks[i];
        } else {
            colors->marks[kept - 1].samples++;
        }
        if (colors->marks[kept - 1].samples > most) {
            most = colors->marks[kept - 1].samples;
            colors->largest = colors->marks[kept - 1].region;
        }
    }
    colors->count = kept;
}

static uint32_t color_of(const fr_region_colors *colors, uint32_t region)
{
    if (region == FR_REGION_NONE) {
        return 0;
    }
    if (region == colors->largest) {
        return LARGEST;
    }
    int32_t low = 0, high = colors->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (colors->marks[middle].region < region) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    /* Too small for the samples: by its number, which edits may change. */
    bool is_marked = low < colors->count && colors->marks[low].region == region;
    uint64_t name = is_marked ? (uint64_t)colors->marks[low].first : region;
    return OTHERS[fr_mix64(name) % OTHER_COUNT];
}

void fr_region_colors_read(fr_region_colors *colors, const fr_regions *regions, uint32_t cost_version,
                           fr_grid grid, fr_rect cells, int stride, uint32_t *out)
{
    if (colors->regions != regions || colors->cost_version != cost_version) {
        colors->regions = regions;
        colors->cost_version = cost_version;
        take_samples(colors, grid);
        join_marks(colors);
    }
    uint32_t last_region = FR_REGION_NONE, last_color = 0;
    for (int32_t y = cells.y; y < cells.y + cells.height; y += stride) {
        for (int32_t x = cells.x; x < cells.x + cells.width; x += stride) {
            uint32_t region = fr_regions_at(regions, (fr_cell){x, y});
            if (region != last_region) {
                last_region = region;
                last_color = color_of(colors, region);
            }
            *out++ = last_color;
        }
    }
}
