#include "field_timing.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "field/any_angle.h"
#include "field/integrate.h"
#include "field/regions.h"
#include "field/textbook.h"

uint64_t fr_thread_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

double fr_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, compare_doubles);
    return (values[(count - 1) / 2] + values[count / 2]) / 2.0;
}

void fr_build_whole_field(fr_scratch *scratch, const uint8_t *costs, fr_cell goal_cell)
{
    fr_goal goal = {goal_cell, 0};
    fr_grid grid = fr_scratch_grid(scratch);
    for (int32_t y = 0; y < grid.height; y++) {
        memcpy(fr_scratch_costs(scratch) + (ptrdiff_t)y * fr_scratch_stride(scratch),
               costs + (ptrdiff_t)y * grid.width, (size_t)grid.width);
    }
    fr_integrate(scratch, &goal, 1);
    fr_integrate_directions(scratch);
}

static void compare(const fr_scratch *scratch, const uint32_t *integration, const uint8_t *directions,
                    fr_field_timing *timing)
{
    timing->equal = true;
    for (int32_t y = 0; y < timing->grid.height; y++) {
        const uint32_t *row = fr_scratch_integration(scratch) + (ptrdiff_t)y * fr_scratch_stride(scratch);
        const uint8_t *arrows = fr_scratch_directions(scratch) + (ptrdiff_t)y * fr_scratch_stride(scratch);
        for (int32_t x = 0; x < timing->grid.width; x++, integration++, directions++) {
            timing->reached += row[x] != FR_UNREACHED;
            timing->equal = timing->equal && row[x] == *integration && arrows[x] == *directions;
        }
    }
}

fr_field_timing fr_time_field(fr_grid grid, const uint8_t *costs, fr_cell goal_cell, int repeats)
{
    size_t count = (size_t)fr_grid_count(grid);
    fr_goal goal = {goal_cell, 0};
    fr_scratch *scratch = fr_scratch_create(grid);
    uint32_t *integration = fr_alloc(count, sizeof *integration);
    uint8_t *directions = fr_alloc(count, 1);
    double *textbook_ns = fr_alloc((size_t)repeats, sizeof *textbook_ns);
    double *freshet_ns = fr_alloc((size_t)repeats, sizeof *freshet_ns);
    double *any_angle_ns = fr_alloc((size_t)repeats, sizeof *any_angle_ns);
    /* One round more than is counted: the first touches the memory. */
    for (int i = -1; i < repeats; i++) {
        uint64_t begin = fr_thread_ns();
        fr_textbook_field(grid, costs, &goal, 1, integration, directions);
        uint64_t between = fr_thread_ns();
        fr_build_whole_field(scratch, costs, goal_cell);
        uint64_t end = fr_thread_ns();
        fr_any_angle_find_all(scratch);
        if (i >= 0) {
            any_angle_ns[i] = (double)(fr_thread_ns() - end);
            textbook_ns[i] = (double)(between - begin);
            freshet_ns[i] = (double)(end - between);
        }
    }
    fr_field_timing timing = {.grid = grid};
    compare(scratch, integration, directions, &timing);
    timing.textbook_ns_per_cell = fr_median(textbook_ns, repeats) / (double)count;
    timing.freshet_ns_per_cell = fr_median(freshet_ns, repeats) / (double)count;
    timing.ratio = timing.textbook_ns_per_cell / timing.freshet_ns_per_cell;
    timing.any_angle_ns_per_cell = fr_median(any_angle_ns, repeats) / (double)count;
    fr_free(textbook_ns);
    fr_free(freshet_ns);
    fr_free(any_angle_ns);
    fr_free(integration);
    fr_free(directions);
    fr_scratch_destroy(scratch);
    return timing;
}

static int compare_regions(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* The id that occurs most often, walls left out. */
static uint32_t largest_region(const fr_regions *regions, fr_grid grid)
{
    size_t count = (size_t)fr_grid_count(grid), begin = 0, most = 0;
    uint32_t *ids = fr_alloc(count, sizeof *ids);
    for (size_t i = 0; i < count; i++) {
        ids[i] = fr_regions_at(regions, fr_grid_cell(grid, (int32_t)i));
    }
    qsort(ids, count, sizeof *ids, compare_regions);
    uint32_t largest = FR_REGION_NONE;
    for (size_t i = 1; i <= count && ids[begin] != FR_REGION_NONE; i++) {
        if (i < count && ids[i] == ids[begin]) {
            continue;
        }
        if (i - begin > most) {
            most = i - begin;
            largest = ids[begin];
        }
        begin = i < count ? i : begin;
    }
    fr_free(ids);
    return largest;
}

bool fr_central_cell(const fr_map *map, fr_class movement_class, fr_cell *out)
{
    fr_cost *cost = fr_cost_create(map);
    fr_regions *regions = fr_regions_create(cost, movement_class);
    uint32_t region = largest_region(regions, map->grid);
    fr_position centre = fr_position_at(map->grid.width / 2.0, map->grid.height / 2.0);
    bool found = region != FR_REGION_NONE && fr_regions_nearest(regions, region, centre, out);
    fr_regions_destroy(regions);
    fr_cost_destroy(cost);
    return found;
}

void fr_write_field_timing(fr_json_writer *writer, const char *map, const fr_field_timing *timing)
{
    fr_json_write_string(writer, "map", map);
    fr_json_write_int(writer, "width", timing->grid.width);
    fr_json_write_int(writer, "height", timing->grid.height);
    fr_json_write_int(writer, "cells", fr_grid_count(timing->grid));
    fr_json_write_int(writer, "reached", timing->reached);
    fr_json_write_fixed(writer, "textbook_ns_per_cell", timing->textbook_ns_per_cell, 2);
    fr_json_write_fixed(writer, "freshet_ns_per_cell", timing->freshet_ns_per_cell, 2);
    fr_json_write_fixed(writer, "ratio", timing->ratio, 2);
    fr_json_write_fixed(writer, "any_angle_ns_per_cell", timing->any_angle_ns_per_cell, 2);
    fr_json_write_bool(writer, "equal", timing->equal);
}
