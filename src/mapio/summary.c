/* summary: what a map comes to, in numbers that another program can recompute. */
#include "mapio/mapio.h"

#include "base/memory.h"

/* Cells of class foot that are passable, and the areas they form over shared edges. */
typedef struct areas {
    int32_t passable, count, largest;
} areas;

/* Marks the area around `start` in `seen` and returns its cells. `stack` holds as many indices as the map
 * cells. */
static int32_t flood(fr_grid grid, const uint8_t *costs, uint8_t *seen, int32_t *stack, int32_t start)
{
    static const fr_direction straight[] = {FR_DIR_E, FR_DIR_S, FR_DIR_W, FR_DIR_N};
    int32_t size = 0, top = 0;
    stack[top++] = start;
    seen[start] = 1;
    while (top > 0) {
        fr_cell cell = fr_grid_cell(grid, stack[--top]);
        size++;
        for (int d = 0; d < 4; d++) {
            const fr_step *step = &FR_STEPS[straight[d]];
            fr_cell next = {cell.x + step->dx, cell.y + step->dy};
            if (!fr_grid_contains(grid, next)) {
                continue;
            }
            int32_t index = fr_grid_index(grid, next);
            if (costs[index] != FR_COST_WALL && !seen[index]) {
                seen[index] = 1;
                stack[top++] = index;
            }
        }
    }
    return size;
}

static areas count_areas(const fr_map *map)
{
    areas result = {0};
    const uint8_t *costs = map->costs[FR_CLASS_FOOT];
    int32_t count = fr_grid_count(map->grid);
    uint8_t *seen = fr_alloc((size_t)count, 1);
    int32_t *stack = fr_alloc_raw((size_t)count, sizeof *stack);
    for (int32_t i = 0; i < count; i++) {
        if (costs[i] != FR_COST_WALL && !seen[i]) {
            int32_t size = flood(map->grid, costs, seen, stack, i);
            result.passable += size;
            result.count++;
            result.largest = size > result.largest ? size : result.largest;
        }
    }
    fr_free(stack);
    fr_free(seen);
    return result;
}

void fr_map_write_summary(const fr_map *map, fr_buffer *out)
{
    static const char *const formats[] = {
        [FR_MAP_TILED] = "tiled", [FR_MAP_MOVINGAI] = "movingai", [FR_MAP_INLINE] = "inline"};
    areas found = count_areas(map);
    fr_json_writer w = fr_json_writer_begin(out, false);
    fr_json_begin_object(&w, NULL);
    fr_json_write_string(&w, "map", map->path);
    fr_json_write_string(&w, "format", formats[map->format]);
    fr_json_write_int(&w, "width", map->grid.width);
    fr_json_write_int(&w, "height", map->grid.height);
    fr_json_write_int(&w, "passable", found.passable);
    fr_json_write_int(&w, "regions", found.count);
    fr_json_write_int(&w, "largest_region", found.largest);
    fr_json_write_int(&w, "spawns", map->spawn_count);
    fr_json_begin_object(&w, "cost_hash");
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        fr_json_write_hash(&w, fr_class_name((fr_class)c), fr_map_cost_hash(map, (fr_class)c));
    }
    fr_json_end_object(&w);
    fr_json_begin_array(&w, "warnings");
    for (int32_t i = 0; i < map->warning_count; i++) {
        fr_json_write_string(&w, NULL, map->warnings[i]);
    }
    fr_json_end_array(&w);
    fr_json_end_object(&w);
    fr_buffer_append(out, "\n", 1);
}
