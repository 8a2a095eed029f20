/* Targets: what a cell may see, and how good the ways are that come of it. The oracles are slow and simple:
 * every cell that a swept square covers, and the shortest way over all cells that see one another. */
#include "field_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "field/field_internal.h"
#include "files/stdio_io.h"
#include "mapio/mapio.h"

static uint8_t cost_of(const scene *s, int32_t x, int32_t y)
{
    return fr_cost_at(s->cost, FR_CLASS_FOOT, (fr_cell){x, y});
}

/* Whether the inside of the unit square of a cell meets that of one swept from (0, 0) to (dx, dy): they are
 * apart in x, in y, or across the line. */
static bool is_swept(int32_t dx, int32_t dy, int32_t x, int32_t y)
{
    if (x < (dx < 0 ? dx : 0) || x > (dx > 0 ? dx : 0) || y < (dy < 0 ? dy : 0) || y > (dy > 0 ? dy : 0)) {
        return false;
    }
    return abs(dx * y - dy * x) < abs(dx) + abs(dy) || (dx == 0 && dy == 0);
}

static void assert_sees(const scene *s, fr_cell cell, fr_cell to)
{
    int32_t dx = to.x - cell.x, dy = to.y - cell.y;
    for (int32_t y = -abs(dy); y <= abs(dy); y++) {
        for (int32_t x = -abs(dx); x <= abs(dx); x++) {
            if (is_swept(dx, dy, x, y) && cost_of(s, cell.x + x, cell.y + y) != cost_of(s, cell.x, cell.y)) {
                fail_msg("%d,%d of %dx%d: target %d,%d lies behind %d,%d", cell.x, cell.y, s->map->grid.width,
                         s->map->grid.height, to.x, to.y, cell.x + x, cell.y + y);
            }
        }
    }
}

static uint32_t octile(int32_t dx, int32_t dy)
{
    uint32_t ax = (uint32_t)abs(dx), ay = (uint32_t)abs(dy), shorter = ax < ay ? ax : ay;
    return FR_STEP_STRAIGHT * (ax + ay - 2 * shorter) + FR_STEP_DIAGONAL * shorter;
}

/* What the sampler relies on. */
static void assert_target_is_sound(const scene *s, fr_cell cell)
{
    fr_field_cell found = fr_field_cell_at(s->field, cell);
    if (found.integration == FR_UNREACHED) {
        assert_int_equal(found.target, FR_TARGET_NONE);
        return;
    }
    fr_cell to = fr_target_cell(found.target);
    int32_t dx = to.x - cell.x, dy = to.y - cell.y;
    assert_int_equal(found.best == 0, dx == 0 && dy == 0);
    if ((found.target & FR_TARGET_UNEVEN) != 0) {
        assert_true(abs(dx) <= 1 && abs(dy) <= 1);
        assert_true(fr_field_value(s->field, to) < found.integration);
        return;
    }
    assert_sees(s, cell, to);
    assert_int_equal(found.integration,
                     fr_field_value(s->field, to) + cost_of(s, cell.x, cell.y) * octile(dx, dy));
    int32_t sx = (dx > 0) - (dx < 0), sy = (dy > 0) - (dy < 0);
    const fr_cell next[] = {{cell.x + sx, cell.y}, {cell.x, cell.y + sy}, {cell.x + sx, cell.y + sy}};
    for (int i = 0; i < 3; i++) {
        bool is_own = next[i].x == cell.x && next[i].y == cell.y;
        assert_true(is_own || fr_field_value(s->field, next[i]) < found.integration);
    }
}

static void test_targets_are_seen_and_lie_lower(void **state)
{
    (void)state;
    fr_rng rng = {71};
    int far = 0;
    for (int i = 0; i < 40; i++) {
        fr_map *map = random_map(&rng, (field_map_kind)(i % MAP_KIND_COUNT));
        if (i % 4 == 0) { /* large even patches */
            for (int32_t c = 0; c < fr_grid_count(map->grid); c++) {
                fr_cell cell = fr_grid_cell(map->grid, c);
                map->costs[FR_CLASS_FOOT][c] = (uint8_t)(1 + (cell.x / 9 * 7 + cell.y / 6 * 5 + i) % 4);
            }
        }
        fr_goal goal = {random_open_cell(&rng, map), 0};
        scene s = open_scene(map, &goal, 1);
        for (int32_t c = 0; c < fr_grid_count(map->grid); c++) {
            fr_cell cell = fr_grid_cell(map->grid, c);
            assert_target_is_sound(&s, cell);
            fr_cell to = fr_target_cell(fr_field_cell_at(s.field, cell).target);
            far += abs(to.x - cell.x) > 2 && abs(to.y - cell.y) > 2;
        }
        close_scene(&s);
    }
    assert_true(far > 500);
}

static double trace_from(const fr_field *field, fr_cell cell)
{
    bool met_wall;
    double limit = 4.0 * fr_grid_count(fr_field_grid(field));
    double length = fr_field_trace(field, fr_cell_centre(cell), limit, &met_wall, NULL, 0, NULL);
    assert_true(length >= 0.0 && !met_wall);
    return length;
}

/* Nothing is in the way: whatever the distance and the angle, the way is the straight line. */
static void test_open_ground_is_crossed_straight(void **state)
{
    (void)state;
    fr_goal goal = {{30, 20}, 0};
    scene s = open_scene(open_map(260, 190), &goal, 1);
    static const fr_cell starts[] = {{259, 189}, {250, 20}, {30, 180}, {200, 91},
                                     {0, 0},     {35, 189}, {259, 0}};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        double air = hypot(starts[i].x - goal.cell.x, starts[i].y - goal.cell.y);
        assert_true(trace_from(s.field, starts[i]) < air * 1.001 + 0.05);
    }
    close_scene(&s);
}

/* Behind a wall: straight to its end, and straight on from there. */
static void test_a_wall_is_rounded_at_its_end(void **state)
{
    (void)state;
    fr_map *map = open_map(90, 60);
    for (int32_t y = 10; y < 60; y++) {
        map->costs[FR_CLASS_FOOT][y * 90 + 45] = FR_COST_WALL;
    }
    fr_goal goal = {{80, 50}, 0};
    scene s = open_scene(map, &goal, 1);
    double best = hypot(45.0 - 5.5, 40.5 - 10.0) + 1.0 + hypot(80.5 - 46.0, 50.5 - 10.0);
    double length = trace_from(s.field, (fr_cell){5, 40});
    assert_true(length < best + 1.0); /* turns at the cells beside the corners, not at the corners */
    close_scene(&s);
}

/* ---- how far one could go ---- */

/* Whether the line between two centres keeps off walls and their corners. */
static bool sees_bare(const scene *s, fr_cell a, fr_cell b)
{
    int32_t dx = b.x - a.x, dy = b.y - a.y;
    for (int32_t y = dy < 0 ? dy : 0; y <= (dy > 0 ? dy : 0); y++) {
        for (int32_t x = dx < 0 ? dx : 0; x <= (dx > 0 ? dx : 0); x++) {
            /* The cell's corners lie on both sides of the line, or on it. */
            bool touches = 2 * abs(dx * y - dy * x) <= abs(dx) + abs(dy);
            if (touches && cost_of(s, a.x + x, a.y + y) == FR_COST_WALL) {
                return false;
            }
        }
    }
    return true;
}

/* Shortest any-angle ways to the goal, over all pairs of cells that see one another. lengths [cells]. */
static void any_angle_oracle(const scene *s, fr_cell goal, double *lengths)
{
    fr_grid grid = s->map->grid;
    int32_t count = fr_grid_count(grid);
    bool *done = fr_alloc((size_t)count, sizeof *done);
    for (int32_t i = 0; i < count; i++) {
        lengths[i] = HUGE_VAL;
    }
    lengths[fr_grid_index(grid, goal)] = 0.0;
    for (;;) {
        int32_t nearest = -1;
        for (int32_t i = 0; i < count; i++) {
            if (!done[i] && isfinite(lengths[i]) && (nearest < 0 || lengths[i] < lengths[nearest])) {
                nearest = i;
            }
        }
        if (nearest < 0) {
            break;
        }
        done[nearest] = true;
        fr_cell from = fr_grid_cell(grid, nearest);
        for (int32_t i = 0; i < count; i++) {
            fr_cell to = fr_grid_cell(grid, i);
            double length = lengths[nearest] + hypot(to.x - from.x, to.y - from.y);
            if (length < lengths[i] && is_open(s, to) && sees_bare(s, from, to)) {
                lengths[i] = length;
            }
        }
    }
    fr_free(done);
}

static void test_ways_are_close_to_the_shortest(void **state)
{
    (void)state;
    fr_rng rng = {72};
    double sum = 0.0, worst = 0.0;
    int count = 0;
    for (int i = 0; i < 6; i++) {
        fr_map *map = open_map(19, 14);
        for (int32_t c = 0; c < fr_grid_count(map->grid); c++) {
            if (fr_rng_below(&rng, 100) < 12) {
                map->costs[FR_CLASS_FOOT][c] = FR_COST_WALL;
            }
        }
        fr_goal goal = {random_open_cell(&rng, map), 0};
        scene s = open_scene(map, &goal, 1);
        double *shortest = fr_alloc((size_t)fr_grid_count(map->grid), sizeof *shortest);
        any_angle_oracle(&s, goal.cell, shortest);
        for (int32_t c = 0; c < fr_grid_count(map->grid); c++) {
            fr_cell cell = fr_grid_cell(map->grid, c);
            bool is_reached = fr_field_value(s.field, cell) != FR_UNREACHED;
            assert_int_equal(is_reached, isfinite(shortest[c]) && is_open(&s, cell));
            if (!is_reached || shortest[c] < 3.0) {
                continue;
            }
            double ratio = trace_from(s.field, cell) / shortest[c];
            sum += ratio;
            worst = ratio > worst ? ratio : worst;
            count++;
        }
        fr_free(shortest);
        close_scene(&s);
    }
    print_message("against the exact any-angle ways: mean %.4f, worst %.4f of %d\n", sum / count, worst,
                  count);
    assert_true(count > 800);
    assert_true(sum / count < 1.02);
    assert_true(worst < 1.13);
}

/* ---- weighted ground ---- */

/* What a piece of a way costs, each part paying the cell it lies in. */
static double price_of_piece(const scene *s, fr_position from, fr_position to)
{
    double x = fr_cells(from.x), y = fr_cells(from.y), dx = fr_cells(to.x) - x, dy = fr_cells(to.y) - y;
    double length = hypot(dx, dy), price = 0.0;
    for (double begin = 0.0; begin < 1.0 - 1e-12;) {
        double past = begin + 1e-9, end = 1.0;
        int32_t cx = (int32_t)floor(x + past * dx), cy = (int32_t)floor(y + past * dy);
        double at_x = dx != 0.0 ? ((dx > 0.0 ? cx + 1 : cx) - x) / dx : 1.0;
        double at_y = dy != 0.0 ? ((dy > 0.0 ? cy + 1 : cy) - y) / dy : 1.0;
        end = at_x > past && at_x < end ? at_x : end;
        end = at_y > past && at_y < end ? at_y : end;
        price += (end - begin) * length * cost_of(s, cx, cy);
        begin = end;
    }
    return price;
}

static double price_of_way(const scene *s, fr_cell cell)
{
    fr_position at = fr_cell_centre(cell);
    double price = 0.0;
    fr_field_sample sample = fr_field_sample_at(s->field, at);
    while (sample.kind == FR_SAMPLE_STEP) {
        fr_position next = {at.x + fr_fixed(0.0625 * (double)sample.direction.x),
                            at.y + fr_fixed(0.0625 * (double)sample.direction.y)};
        price += price_of_piece(s, at, next);
        at = next;
        sample = fr_field_sample_at(s->field, at);
    }
    return price + price_of_piece(s, at, fr_cell_centre(fr_cell_at(at)));
}

/* Patches of even cost: the ways must not be dearer than the field says, but cheaper on the whole. */
static void test_weighted_ground_is_respected(void **state)
{
    (void)state;
    fr_rng rng = {73};
    double sum = 0.0, worst = 0.0;
    int count = 0;
    for (int i = 0; i < 12; i++) {
        fr_map *map = open_map(31 + i, 40 - i);
        int32_t wide = 6 + (int32_t)fr_rng_below(&rng, 7), high = 6 + (int32_t)fr_rng_below(&rng, 7);
        uint8_t patches[7][7];
        for (int k = 0; k < 49; k++) {
            patches[k / 7][k % 7] = (uint8_t)(1 + fr_rng_below(&rng, 8));
        }
        for (int32_t c = 0; c < fr_grid_count(map->grid); c++) {
            fr_cell cell = fr_grid_cell(map->grid, c);
            map->costs[FR_CLASS_FOOT][c] = patches[cell.y / high][cell.x / wide];
        }
        fr_goal goal = {random_open_cell(&rng, map), 0};
        scene s = open_scene(map, &goal, 1);
        for (int32_t c = i; c < fr_grid_count(map->grid); c += 3) {
            fr_cell cell = fr_grid_cell(map->grid, c);
            double value = fr_field_value(s.field, cell) / 70.0;
            if (value < 20.0) {
                continue;
            }
            double half_cells = (cost_of(&s, cell.x, cell.y) - cost_of(&s, goal.cell.x, goal.cell.y)) / 2.0;
            double ratio = (price_of_way(&s, cell) + half_cells) / value;
            sum += ratio;
            worst = ratio > worst ? ratio : worst;
            count++;
        }
        close_scene(&s);
    }
    print_message("weighted: mean %.4f, worst %.4f of %d\n", sum / count, worst, count);
    assert_true(count > 3000);
    assert_true(sum / count < 0.99);
    assert_true(worst < 1.10);
}

/* ---- published maps ---- */

static void test_published_ways_get_shorter(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int32_t every;
        double mean_most;
    } cases[] = {
        {"empty-48-48", 40, 0.955},     {"room-64-64-16", 20, 0.955}, {"arena", 10, 0.970},
        {"random-64-64-20", 15, 0.955}, {"maze-32-32-2", 10, 0.940},  {"den312d", 20, 0.970},
    };
    const char *folder = getenv("FRESHET_CASES");
    fr_io io = fr_stdio_io("test_any_angle");
    int tried = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char path[512];
        fr_error error = {0};
        snprintf(path, sizeof path, "%s/movingai/%s.map", folder != NULL ? folder : "../shared/cases",
                 cases[i].name);
        fr_map *map = fr_map_load(&io, path, &error);
        if (map == NULL) {
            continue;
        }
        snprintf(path, sizeof path, "%s/movingai/%s.scen", folder != NULL ? folder : "../shared/cases",
                 cases[i].name);
        fr_scen_line *lines;
        int32_t line_count, count = 0;
        assert_int_equal(fr_scen_load(&io, path, &lines, &line_count, &error), FR_OK);
        double sum = 0.0;
        fr_goal goal = {lines[0].goal, 0};
        scene s = open_scene(map, &goal, 1);
        for (int32_t k = 0; k < line_count; k += cases[i].every) {
            if (lines[k].length == 0.0) {
                continue;
            }
            goal.cell = lines[k].goal;
            fr_field_destroy(s.pool, s.field);
            s.field = fr_field_build(s.pool, s.scratch, s.cost, FR_CLASS_FOOT, &goal, 1);
            double ratio = trace_from(s.field, lines[k].start) / lines[k].length;
            assert_true(ratio < 1.01);
            sum += ratio;
            count++;
        }
        if (sum / count > cases[i].mean_most) {
            fail_msg("%s: mean %.4f of the octile optimum, expected at most %.4f", cases[i].name, sum / count,
                     cases[i].mean_most);
        }
        fr_free(lines);
        close_scene(&s);
        tried++;
    }
    if (tried == 0) {
        print_message("skipped: no benchmark maps in $FRESHET_CASES/movingai\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_targets_are_seen_and_lie_lower),
        cmocka_unit_test(test_open_ground_is_crossed_straight),
        cmocka_unit_test(test_a_wall_is_rounded_at_its_end),
        cmocka_unit_test(test_ways_are_close_to_the_shortest),
        cmocka_unit_test(test_weighted_ground_is_respected),
        cmocka_unit_test(test_published_ways_get_shorter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
