#include "bench_draw.h"

#include <SDL.h>
#include <stdlib.h>

#include "../common/field_timing.h"
#include "base/memory.h"
#include "base/rng.h"
#include "view/view.h"

enum {
    WIDTH_PX = 1280,
    HEIGHT_PX = 720,
    MAP_WIDTH = 256,
    MAP_HEIGHT = 192,
    REPEATS = 60,
    REPEATS_QUICK = 12
};

/* All that a frame needs, without a world. */
typedef struct bench_stage {
    SDL_Surface *surface;
    SDL_Renderer *renderer;
    fr_map *map;
    fr_cost *cost;
    fr_field_pool *pool;
    fr_scratch *scratch;
    fr_field *field;
    fr_snapshot snapshot;
    uint8_t *selected;
    fr_view *view;
    fr_view_state state;
} bench_stage;

/* A river with a bridge, woods, rocks and a road: every kind of ground in the usual shares. */
static fr_map *make_map(void)
{
    fr_map *map = fr_map_create("bench", (fr_grid){MAP_WIDTH, MAP_HEIGHT});
    map->has_terrain = true;
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        fr_cell cell = fr_grid_cell(map->grid, i);
        int32_t river = abs(cell.x - MAP_WIDTH / 2 - (cell.y * 7 % 90 < 45 ? cell.y % 13 : 13 - cell.y % 13));
        uint64_t blotch = fr_mix64((uint64_t)(cell.x / 9 * 1000 + cell.y / 7)) % 16;
        fr_terrain kind = blotch < 4 ? FR_TERRAIN_FOREST : blotch < 5 ? FR_TERRAIN_ROCK : FR_TERRAIN_GRASS;
        bool road = cell.y / 4 == MAP_HEIGHT / 8;
        kind = road ? FR_TERRAIN_ROAD : kind;
        if (river < 9) {
            kind = river < 8 ? (road ? FR_TERRAIN_BRIDGE : FR_TERRAIN_WATER) : FR_TERRAIN_SAND;
        }
        map->terrain[i] = (uint8_t)kind;
        bool wall = kind == FR_TERRAIN_WATER || kind == FR_TERRAIN_ROCK;
        map->costs[FR_CLASS_FOOT][i] = wall ? FR_COST_WALL : kind == FR_TERRAIN_FOREST ? 4 : 2;
    }
    fr_map_share_costs(map);
    return map;
}

/* `count` units on a lattice that just fills what the camera shows; every second one is selected. */
static void place_units(bench_stage *stage, int32_t count)
{
    size_t n = (size_t)count;
    fr_position *position = fr_alloc(n, sizeof *position), *previous = fr_alloc(n, sizeof *previous);
    fr_vec2 *facing = fr_alloc(n, sizeof *facing);
    float *radius = fr_alloc(n, sizeof *radius);
    uint8_t *team = fr_alloc(n, 1), *states = fr_alloc(n, 1);
    stage->selected = fr_alloc(n, 1);
    double wide = WIDTH_PX / stage->state.camera.zoom, high = HEIGHT_PX / stage->state.camera.zoom;
    int32_t columns = 1;
    while ((double)columns * columns * high < (double)count * wide) {
        columns++;
    }
    int32_t rows = (count + columns - 1) / columns;
    for (int32_t i = 0; i < count; i++) {
        double x = stage->state.camera.x + wide * ((i % columns + 0.5) / columns - 0.5);
        double y = stage->state.camera.y + high * ((i / columns + 0.5) / rows - 0.5);
        position[i] = fr_position_at(x, y);
        previous[i] = fr_position_at(x - 0.1, y);
        facing[i] = FR_STEPS[fr_mix64((uint64_t)i) % FR_DIR_COUNT].unit;
        radius[i] = FR_RADIUS_DEFAULT;
        team[i] = (uint8_t)(fr_mix64((uint64_t)i + 99) % 2);
        stage->selected[i] = i % 2 == 0;
    }
    fr_snapshot *snapshot = &stage->snapshot;
    *snapshot = (fr_snapshot){.grid = stage->map->grid,
                              .unit_count = count,
                              .position = position,
                              .previous = previous,
                              .facing = facing,
                              .radius = radius,
                              .team = team,
                              .state = states,
                              .cost = stage->cost};
    stage->state.selected = stage->selected;
    stage->state.selected_count = (count + 1) / 2;
}

static void drop_units(bench_stage *stage)
{
    const fr_snapshot *snapshot = &stage->snapshot;
    const void *const arrays[] = {snapshot->position, snapshot->previous, snapshot->facing,
                                  snapshot->radius,   snapshot->team,     snapshot->state};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        fr_free((void *)(uintptr_t)arrays[i]);
    }
    fr_free(stage->selected);
}

static bool begin(bench_stage *stage)
{
    *stage = (bench_stage){0};
    /* As the window of the dummy video driver: 32 bits without alpha. */
    stage->surface = SDL_CreateRGBSurfaceWithFormat(0, WIDTH_PX, HEIGHT_PX, 32, SDL_PIXELFORMAT_RGB888);
    stage->renderer = stage->surface == NULL ? NULL : SDL_CreateSoftwareRenderer(stage->surface);
    if (stage->renderer == NULL) {
        SDL_FreeSurface(stage->surface);
        return false;
    }
    stage->map = make_map();
    stage->cost = fr_cost_create(stage->map);
    stage->pool = fr_field_pool_create(stage->map->grid, 8u << 20);
    stage->scratch = fr_scratch_create(stage->map->grid);
    const fr_goal goal = {{MAP_WIDTH / 2 + 40, MAP_HEIGHT / 2}, 0};
    stage->field = fr_field_build(stage->pool, stage->scratch, stage->cost, FR_CLASS_FOOT, &goal, 1);
    static const fr_help_line help[] = {{"F1", "cost", "cost"},
                                        {"F2", "integration", "integration"},
                                        {"F3", "arrows", "arrows"},
                                        {"Space", "pause", "pause"},
                                        {"F10", "help", "help"}};
    stage->state = (fr_view_state){.width_px = WIDTH_PX,
                                   .height_px = HEIGHT_PX,
                                   .alpha = 0.5f,
                                   .speed = 1.0,
                                   .help = help,
                                   .help_count = 5,
                                   .hud = {.fps = 60.0, .tick_ms = 1.8, .field_ms = 6.1},
                                   .message = "ETA 11.4 s",
                                   .title = "bench",
                                   .has_marker = true,
                                   .marker = fr_position_at(MAP_WIDTH / 2 + 40.5, MAP_HEIGHT / 2 + 0.5),
                                   .field = stage->field,
                                   .field_stamp = 1};
    stage->state.camera = (fr_camera){MAP_WIDTH / 2.0, MAP_HEIGHT / 2.0, 10.0};
    const fr_view_config config = {.data_dir = "assets", .ui_scale = 1.0f};
    stage->view = fr_view_create(stage->renderer, stage->map, &config, NULL, NULL);
    return true;
}

static void end(bench_stage *stage)
{
    fr_view_destroy(stage->view);
    fr_field_destroy(stage->pool, stage->field);
    fr_scratch_destroy(stage->scratch);
    fr_field_pool_destroy(stage->pool);
    fr_cost_destroy(stage->cost);
    fr_map_destroy(stage->map);
    SDL_DestroyRenderer(stage->renderer);
    SDL_FreeSurface(stage->surface);
}

static double draw_ms(bench_stage *stage)
{
    Uint64 began = SDL_GetPerformanceCounter();
    fr_view_draw(stage->view, &stage->snapshot, &stage->state);
    SDL_RenderFlush(stage->renderer);
    return (double)(SDL_GetPerformanceCounter() - began) * 1000.0 / (double)SDL_GetPerformanceFrequency();
}

typedef struct draw_case {
    const char *name;
    int32_t units;
    double zoom;
    unsigned overlays;
    double pan; /* cells a frame */
    double limit_ms;
} draw_case;

static void write_case(const fr_bench *bench, const draw_case *c, double median, double worst)
{
    fr_json_writer *writer = bench->writer;
    fr_bench_begin_case(bench, c->name);
    fr_json_write_int(writer, "units", c->units);
    fr_json_write_int(writer, "width_px", WIDTH_PX);
    fr_json_write_int(writer, "height_px", HEIGHT_PX);
    fr_json_write_fixed(writer, "frame_ms", median, 2);
    fr_json_write_fixed(writer, "worst_ms", worst, 2);
    fr_json_write_fixed(writer, "limit_ms", c->limit_ms, 1);
    fr_json_write_fixed(writer, "ratio", median / c->limit_ms, 3);
    fr_json_end_object(writer);
}

static void run_case(bench_stage *stage, const fr_bench *bench, const draw_case *c)
{
    int repeats = bench->quick ? REPEATS_QUICK : REPEATS;
    stage->state.camera = (fr_camera){MAP_WIDTH / 2.0 - repeats * c->pan / 2.0, MAP_HEIGHT / 2.0, c->zoom};
    stage->state.overlays = c->overlays;
    place_units(stage, c->units);
    stage->state.complete = true;
    draw_ms(stage); /* paints the ground and bakes the sprites */
    stage->state.complete = false;
    double times[REPEATS];
    for (int i = 0; i < repeats; i++) {
        stage->state.camera.x += c->pan;
        times[i] = draw_ms(stage);
    }
    double median = fr_median(times, repeats);
    write_case(bench, c, median, times[repeats - 1]); /* the median has sorted them */
    drop_units(stage);
}

bool fr_bench_draw(const fr_bench *bench)
{
    static const draw_case cases[] = {
        {"units-10000", 10000, 10.0, 0, 0.0, 12.0},
        {"units-10000-panning", 10000, 10.0, 0, 0.2, 16.0},
        {"units-10000-integration", 10000, 10.0, FR_OVERLAY_INTEGRATION, 0.0, 24.0},
        {"units-2000-all-overlays", 2000, 20.0, FR_OVERLAY_COST | FR_OVERLAY_INTEGRATION | FR_OVERLAY_ARROWS,
         0.0, 24.0},
        {"units-2000-integration-panning", 2000, 20.0, FR_OVERLAY_INTEGRATION, 0.2, 24.0},
        {"units-2000-clearance-panning", 2000, 20.0, FR_OVERLAY_CLEARANCE, 0.2, 24.0},
        {"units-2000-clearance-afar", 2000, 2.0, FR_OVERLAY_CLEARANCE, 0.5, 24.0},
        {"units-50000-dots", 50000, 4.0, 0, 0.0, 16.0},
    };
    bench_stage stage;
    if (!begin(&stage)) {
        return false;
    }
    const draw_case first = {"first-frame", 2000, 20.0, 0, 0.0, 1000.0};
    stage.state.camera.zoom = first.zoom;
    place_units(&stage, first.units);
    double first_ms = draw_ms(&stage);
    write_case(bench, &first, first_ms, first_ms);
    drop_units(&stage);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_case(&stage, bench, &cases[i]);
    }
    end(&stage);
    return true;
}
