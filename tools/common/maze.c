#include "maze.h"

#include "base/memory.h"

void fr_make_maze(fr_grid plan, fr_rng *rng, fr_maze_dig_fn dig, void *context)
{
    bool *visited = fr_alloc((size_t)fr_grid_count(plan), sizeof *visited);
    int32_t *stack = fr_alloc_raw((size_t)fr_grid_count(plan), sizeof *stack);
    int32_t depth = 1;
    stack[0] = 0;
    visited[0] = true;
    dig(context, (fr_cell){0, 0}, FR_DIR_NONE);
    while (depth > 0) {
        fr_cell place = fr_grid_cell(plan, stack[depth - 1]);
        int ways[4], way_count = 0;
        for (int d = 0; d < FR_DIR_COUNT; d += 2) {
            fr_cell next = {place.x + FR_STEPS[d].dx, place.y + FR_STEPS[d].dy};
            if (fr_grid_contains(plan, next) && !visited[fr_grid_index(plan, next)]) {
                ways[way_count++] = d;
            }
        }
        if (way_count == 0) {
            depth--;
            continue;
        }
        int way = ways[fr_rng_below(rng, (uint32_t)way_count)];
        fr_cell next = {place.x + FR_STEPS[way].dx, place.y + FR_STEPS[way].dy};
        stack[depth++] = fr_grid_index(plan, next);
        visited[fr_grid_index(plan, next)] = true;
        dig(context, next, way ^ 4);
    }
    fr_free(stack);
    fr_free(visited);
}
