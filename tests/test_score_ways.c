/* The judge's shortest ways: known lengths, and a slow oracle on maps drawn by lot. */
#include "support.h"

#include <math.h>

#include "base/memory.h"
#include "base/rng.h"
#include "sim/score_ways.h"

enum { SIDE_MAX = 12, PLACES_MAX = (SIDE_MAX + 1) * (SIDE_MAX + 1) + 108 };

#define PLENTY ((int64_t)1 << 40)

static double way_length(const char *const *picture, double sx, double sy, double gx, double gy)
{
    fr_map *map = map_from_picture(picture);
    fr_open_ground ground;
    fr_open_ground_init(&ground, map->grid, map->costs[FR_CLASS_FOOT]);
    fr_ways *ways = fr_ways_create(&ground);
    fr_way_goal goal = {.place = fr_position_at(gx, gy)};
    fr_position start = fr_position_at(sx, sy);
    int64_t steps = PLENTY;
    double length = -2.0;
    assert_true(fr_ways_find(ways, &goal, &start, 1, &steps, &length));
    fr_ways_destroy(ways);
    fr_open_ground_fini(&ground);
    fr_map_destroy(map);
    return length;
}

/* Lengths worked out by hand: straight, round one corner, along a wall, round two, between diagonal walls. */
static void test_known_ways(void **state)
{
    (void)state;
    static const char *const picture[] = {
        "..........", //
        "..##......", //
        "..##...#..", //
        "......#...", //
        "..........", NULL,
    };
    static const struct {
        double sx, sy, gx, gy, length;
    } cases[] = {
        {0.5, 0.5, 9.5, 0.5, 9.0},                           /* free */
        {1.0, 1.5, 5.0, 1.5, 2.0 * 1.118033988749895 + 2.0}, /* over the block: (2,1), (4,1) */
        {1.5, 1.0, 5.0, 1.0, 3.5},                           /* along its edge */
        {2.0, 0.5, 2.0, 3.5, 3.0},                           /* along its side */
        {6.5, 2.5, 7.5, 3.5, 0.7071067811865476 + 2.0 + 0.7071067811865476}, /* not between the two */
        {2.5, 0.5, 5.0, 3.5, 1.5811388300841898 + 2.6925824035672520},       /* round (4,1) */
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double found = way_length(picture, cases[c].sx, cases[c].sy, cases[c].gx, cases[c].gy);
        double back = way_length(picture, cases[c].gx, cases[c].gy, cases[c].sx, cases[c].sy);
        if (fabs(found - cases[c].length) > 1e-9 || fabs(back - cases[c].length) > 1e-9) {
            fail_msg("case %zu: %.12f, back %.12f, expected %.12f", c, found, back, cases[c].length);
        }
    }
}

static void test_no_way(void **state)
{
    (void)state;
    static const char *const picture[] = {"..#...", ".#....", "#.....", NULL};
    assert_true(way_length(picture, 0.5, 0.5, 3.5, 1.5) < 0.0);
}

/* --- the oracle: every pair of places that see one another, and Bellman-Ford --------------------- */

typedef struct oracle {
    int32_t width, height;
    const uint8_t *costs;
    double x[PLACES_MAX], y[PLACES_MAX], length[PLACES_MAX];
    int32_t count, start_count; /* starts come first, and no way leads through them */
} oracle;

static bool is_wall(const oracle *o, int32_t x, int32_t y)
{
    return x < 0 || y < 0 || x >= o->width || y >= o->height || o->costs[y * o->width + x] == FR_COST_WALL;
}

/* Two walls that meet at this corner point alone. */
static bool is_pinch(const oracle *o, int32_t x, int32_t y)
{
    return is_wall(o, x - 1, y - 1) == is_wall(o, x, y) && is_wall(o, x, y - 1) == is_wall(o, x - 1, y) &&
           is_wall(o, x, y) != is_wall(o, x - 1, y);
}

/* Part 0 <= t <= 1 of p + t d that lies strictly between low and high. */
static void clip(double p, double d, double low, double high, double *from, double *to)
{
    if (d == 0.0) {
        if (p <= low || p >= high) {
            *to = -1.0;
        }
        return;
    }
    double a = (low - p) / d, b = (high - p) / d;
    *from = fmax(*from, fmin(a, b));
    *to = fmin(*to, fmax(a, b));
}

static bool sees(const oracle *o, double ax, double ay, double bx, double by)
{
    for (int32_t y = -1; y <= o->height; y++) {
        for (int32_t x = -1; x <= o->width; x++) {
            double from = 0.0, to = 1.0;
            clip(ax, bx - ax, x, x + 1, &from, &to);
            clip(ay, by - ay, y, y + 1, &from, &to);
            if (is_wall(o, x, y) && to - from > 1e-9) {
                return false;
            }
            /* The corner point where two walls meet is shut for all that passes it. */
            double dx = bx - ax, dy = by - ay, square = dx * dx + dy * dy;
            double along = ((x - ax) * dx + (y - ay) * dy) / (square > 0.0 ? square : 1.0);
            double across = (x - ax) * dy - (y - ay) * dx;
            if (is_pinch(o, x, y) && fabs(across) < 1e-9 && along > 1e-9 && along < 1.0 - 1e-9) {
                return false;
            }
        }
    }
    /* A wall on both sides, cell after cell: along the joint of two walls. */
    if (ax == bx && ax == floor(ax)) {
        for (double y = fmin(ay, by) + 0.125; y < fmax(ay, by); y += 0.25) {
            if (is_wall(o, (int32_t)ax - 1, (int32_t)floor(y)) &&
                is_wall(o, (int32_t)ax, (int32_t)floor(y))) {
                return false;
            }
        }
    }
    if (ay == by && ay == floor(ay)) {
        for (double x = fmin(ax, bx) + 0.125; x < fmax(ax, bx); x += 0.25) {
            if (is_wall(o, (int32_t)floor(x), (int32_t)ay - 1) &&
                is_wall(o, (int32_t)floor(x), (int32_t)ay)) {
                return false;
            }
        }
    }
    return true;
}

/* Lengths to the places marked as goals (length 0 on entry, the others huge) through all convex corners. */
static void solve(oracle *o)
{
    bool has_changed = true;
    static bool sight[PLACES_MAX][PLACES_MAX];
    for (int32_t i = 0; i < o->count; i++) {
        for (int32_t j = 0; j < o->count; j++) {
            sight[i][j] = sees(o, o->x[i], o->y[i], o->x[j], o->y[j]);
        }
    }
    while (has_changed) {
        has_changed = false;
        for (int32_t i = 0; i < o->count; i++) {
            for (int32_t j = o->start_count; j < o->count; j++) {
                double dx = o->x[i] - o->x[j], dy = o->y[i] - o->y[j];
                double length = o->length[j] + sqrt(dx * dx + dy * dy);
                if (sight[i][j] && length < o->length[i] - 1e-12) {
                    o->length[i] = length;
                    has_changed = true;
                }
            }
        }
    }
}

static void add_place(oracle *o, double x, double y, double length)
{
    o->x[o->count] = x;
    o->y[o->count] = y;
    o->length[o->count++] = length;
}

static void add_corners(oracle *o)
{
    for (int32_t y = 0; y <= o->height; y++) {
        for (int32_t x = 0; x <= o->width; x++) {
            int walls =
                is_wall(o, x - 1, y - 1) + is_wall(o, x, y - 1) + is_wall(o, x - 1, y) + is_wall(o, x, y);
            if (walls == 1) {
                add_place(o, x, y, 1e9);
            }
        }
    }
}

static double half_step(fr_rng *rng, int32_t cell)
{
    /* Middle, edge, and places between. */
    return cell + (double)fr_rng_below(rng, 4) / 4.0;
}

/* On an open cell, and not where two walls meet: the oracle would see it from both sides. */
static bool is_open_place(const oracle *o, double x, double y)
{
    bool is_point = x == floor(x) && y == floor(y);
    return !is_wall(o, (int32_t)floor(x), (int32_t)floor(y)) &&
           !(is_point && is_pinch(o, (int32_t)x, (int32_t)y));
}

static void print_map(const oracle *o)
{
    for (int32_t y = 0; y < o->height; y++) {
        for (int32_t x = 0; x < o->width; x++) {
            print_message("%c", is_wall(o, x, y) ? '#' : '.');
        }
        print_message("\n");
    }
}

static void draw_by_lot(fr_map *map, fr_rng *rng)
{
    uint32_t share = fr_rng_below(rng, 50);
    for (int32_t i = 0; i < fr_grid_count(map->grid); i++) {
        map->costs[FR_CLASS_FOOT][i] = fr_rng_below(rng, 100) < share ? FR_COST_WALL : 1;
    }
}

enum { STARTS = 6 };

static void compare(uint64_t seed, bool to_area)
{
    fr_rng rng = {seed};
    fr_grid grid = {(int32_t)fr_rng_below(&rng, SIDE_MAX) + 1, (int32_t)fr_rng_below(&rng, SIDE_MAX) + 1};
    fr_map *map = fr_map_create("lot", grid);
    draw_by_lot(map, &rng);
    static oracle o;
    o = (oracle){.width = grid.width, .height = grid.height, .costs = map->costs[FR_CLASS_FOOT]};
    fr_position starts[STARTS];
    double lengths[STARTS];
    int32_t count = 0;
    for (int i = 0; i < STARTS; i++) {
        double x = half_step(&rng, (int32_t)fr_rng_below(&rng, (uint32_t)grid.width));
        double y = half_step(&rng, (int32_t)fr_rng_below(&rng, (uint32_t)grid.height));
        if (is_open_place(&o, x, y)) {
            starts[count++] = fr_position_at(x, y);
            add_place(&o, x, y, 1e9);
        }
    }
    o.start_count = count;
    double gx = half_step(&rng, (int32_t)fr_rng_below(&rng, (uint32_t)grid.width));
    double gy = half_step(&rng, (int32_t)fr_rng_below(&rng, (uint32_t)grid.height));
    if (is_open_place(&o, gx, gy)) {
        fr_cell cells[9];
        fr_way_goal goal = {.place = fr_position_at(gx, gy)};
        add_corners(&o);
        if (to_area) {
            goal.cells = cells;
            /* An area as the oracle sees it: a goal at every quarter of a cell, edges included. */
            fr_cell middle = fr_cell_at(goal.place);
            for (int32_t y = middle.y; y <= middle.y + 1 && y < grid.height; y++) {
                for (int32_t x = middle.x; x <= middle.x + 1 && x < grid.width; x++) {
                    if (!is_wall(&o, x, y)) {
                        cells[goal.cell_count++] = (fr_cell){x, y};
                        for (int k = 0; k < 25; k++) {
                            if (k % 20 > 4 || k % 4 != 0 || !is_pinch(&o, x + k % 5 / 4, y + k / 20)) {
                                add_place(&o, x + (k % 5) / 4.0, y + (double)(k / 5) / 4.0, 0.0);
                            }
                        }
                    }
                }
            }
        } else {
            add_place(&o, gx, gy, 0.0);
        }
        solve(&o);
        fr_open_ground ground;
        fr_open_ground_init(&ground, grid, o.costs);
        fr_ways *ways = fr_ways_create(&ground);
        int64_t steps = PLENTY;
        assert_true(fr_ways_find(ways, &goal, starts, count, &steps, lengths));
        for (int i = 0; i < count; i++) {
            double expected = o.length[i] < 1e8 ? o.length[i] : -1.0;
            int32_t points;
            const fr_position *way = fr_ways_points(ways, i, &points);
            double walked = expected < 0.0 ? -1.0 : 0.0;
            for (int32_t k = 1; k < points && walked >= 0.0; k++) {
                walked += hypot(fr_cells(way[k].x - way[k - 1].x), fr_cells(way[k].y - way[k - 1].y));
            }
            if (fabs(lengths[i] - expected) > 1e-9 || fabs(walked - expected) > 1e-9) {
                print_map(&o);
                fail_msg("seed %d: from %g,%g to %g,%g: %.12f (points: %.12f), expected %.12f", (int)seed,
                         o.x[i], o.y[i], gx, gy, lengths[i], walked, expected);
            }
        }
        fr_ways_destroy(ways);
        fr_open_ground_fini(&ground);
    }
    fr_map_destroy(map);
}

static void test_places_against_oracle(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 250; seed++) {
        compare(seed, false);
    }
}

static void test_areas_against_oracle(void **state)
{
    (void)state;
    for (uint64_t seed = 1001; seed <= 1100; seed++) {
        compare(seed, true);
    }
}

/* A search that may not work long enough says so. */
static void test_budget(void **state)
{
    (void)state;
    fr_map *map = open_map(40, 30);
    fr_open_ground ground;
    fr_open_ground_init(&ground, map->grid, map->costs[FR_CLASS_FOOT]);
    fr_ways *ways = fr_ways_create(&ground);
    fr_way_goal goal = {.place = fr_position_at(1.5, 1.5)};
    fr_position start = fr_position_at(30.5, 20.5);
    double length;
    int64_t steps = 5;
    assert_false(fr_ways_find(ways, &goal, &start, 1, &steps, &length));
    assert_true(steps == 0);
    fr_ways_destroy(ways);
    fr_open_ground_fini(&ground);
    fr_map_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_ways),
        cmocka_unit_test(test_no_way),
        cmocka_unit_test(test_places_against_oracle),
        cmocka_unit_test(test_areas_against_oracle),
        cmocka_unit_test(test_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
