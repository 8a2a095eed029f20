/* summary: what a map comes to, in numbers that another program can recompute. */
#include "mapio/mapio.h"

#include "base/memory.h"

/* Cells of class foot that are passable, and the areas they form over shared edges. */
typedef struct areas {
    int32_t passable, count, largest;
} areas;

/* A run of passable cells in a row. Runs that touch form trees (Tarjan 1975, path halving). */
typedef struct run {
    int32_t first, end; /* columns; end exclusive */
    int32_t parent;
    int32_t cells; /* of the whole area, at its root */
} run;

typedef struct run_list {
    run *runs;
    int32_t count, capacity;
} run_list;

static int32_t root_of(run *runs, int32_t at)
{
    while (runs[at].parent != at) {
        runs[at].parent = runs[runs[at].parent].parent;
        at = runs[at].parent;
    }
    return at;
}

static void join(run *runs, int32_t a, int32_t b)
{
    a = root_of(runs, a);
    b = root_of(runs, b);
    if (a != b) {
        runs[b].parent = a;
        runs[a].cells += runs[b].cells;
    }
}

static void add_runs(run_list *list, const uint8_t *row, int32_t width)
{
    for (int32_t x = 0; x < width; x++) {
        if (row[x] == FR_COST_WALL) {
            continue;
        }
        int32_t first = x;
        while (x < width && row[x] != FR_COST_WALL) {
            x++;
        }
        if (list->count == list->capacity) {
            list->capacity = list->capacity > 0 ? 2 * list->capacity : 1024;
            list->runs = fr_realloc(list->runs, (size_t)list->capacity, sizeof *list->runs);
        }
        list->runs[list->count] = (run){first, x, list->count, x - first};
        list->count++;
    }
}

/* Joins the runs of a row, from `begin` to `end`, with those of the row above. */
static void join_rows(run *runs, int32_t above, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++) {
        while (above < begin && runs[above].end <= runs[i].first) {
            above++;
        }
        for (int32_t k = above; k < begin && runs[k].first < runs[i].end; k++) {
            join(runs, k, i);
        }
    }
}

static areas count_areas(const fr_map *map)
{
    areas result = {0};
    run_list list = {0};
    int32_t above = 0;
    for (int32_t y = 0; y < map->grid.height; y++) {
        int32_t begin = list.count;
        add_runs(&list, map->costs[FR_CLASS_FOOT] + (ptrdiff_t)y * map->grid.width, map->grid.width);
        join_rows(list.runs, above, begin, list.count);
        above = begin;
    }
    for (int32_t i = 0; i < list.count; i++) {
        const run *r = &list.runs[i];
        result.passable += r->end - r->first;
        result.count += r->parent == i;
        result.largest = r->parent == i && r->cells > result.largest ? r->cells : result.largest;
    }
    fr_free(list.runs);
    return result;
}

/* Classes with the same costs share their array, and the hash. */
static void write_hashes(const fr_map *map, fr_json_writer *w)
{
    uint64_t hashes[FR_CLASS_COUNT];
    for (int c = 0; c < FR_CLASS_COUNT; c++) {
        int same = 0;
        while (map->costs[same] != map->costs[c]) {
            same++;
        }
        hashes[c] = same < c ? hashes[same] : fr_map_cost_hash(map, (fr_class)c);
        fr_json_write_hash(w, fr_class_name((fr_class)c), hashes[c]);
    }
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
    write_hashes(map, &w);
    fr_json_end_object(&w);
    fr_json_begin_array(&w, "warnings");
    for (int32_t i = 0; i < map->warning_count; i++) {
        fr_json_write_string(&w, NULL, map->warnings[i]);
    }
    fr_json_end_array(&w);
    fr_json_end_object(&w);
    fr_buffer_append(out, "\n", 1);
}
