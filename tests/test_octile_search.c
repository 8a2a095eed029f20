/* Ways of a claim: led towards its place, the search finds what the one in all directions does. */
#include "support.h"

#include "base/rng.h"
#include "crowd/octile_search.h"
#include "field_maps.h"

enum { SIDE = 40, TARGETS = 20 };

/* The same cells for the next run of each. */
static void close_some(fr_rng *rng, fr_octile_search *a, fr_octile_search *b)
{
    for (int i = 0; i < 60; i++) {
        fr_cell cell = {(int32_t)fr_rng_below(rng, SIDE), (int32_t)fr_rng_below(rng, SIDE)};
        fr_octile_search_close(a, cell);
        fr_octile_search_close(b, cell);
    }
}

static void test_a_led_search_finds_the_shortest_way(void **state)
{
    (void)state;
    fr_rng rng = {7};
    int reached = 0, beyond = 0;
    for (int round = 0; round < 60; round++) {
        fr_map *map =
            random_map_of_size(&rng, (field_map_kind)(round % MAP_KIND_COUNT), (fr_grid){SIDE, SIDE + 7});
        fr_cost *cost = fr_cost_create(map);
        fr_octile_search all, led;
        fr_octile_search_init(&all, map->grid);
        fr_octile_search_init(&led, map->grid);
        for (int target = 0; target < TARGETS; target++) {
            fr_cell from = random_open_cell(&rng, map), to = random_open_cell(&rng, map);
            uint32_t most = fr_rng_below(&rng, 3 * SIDE * FR_STEP_STRAIGHT);
            close_some(&rng, &all, &led);
            fr_octile_search_run(&all, cost, FR_CLASS_FOOT, &from, 1, NULL, NULL, NULL);
            fr_octile_search_to(&led, cost, FR_CLASS_FOOT, from, to, most);
            uint32_t wanted = fr_octile_search_distance(&all, to);
            if (wanted <= most) {
                assert_int_equal(fr_octile_search_distance(&led, to), wanted);
                reached++;
            } else {
                /* It may have been seen by then, but by no shorter way. */
                assert_true(fr_octile_search_distance(&led, to) >= wanted);
                beyond++;
            }
        }
        fr_octile_search_fini(&all);
        fr_octile_search_fini(&led);
        fr_cost_destroy(cost);
        fr_map_destroy(map);
    }
    assert_true(reached > 100 && beyond > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_led_search_finds_the_shortest_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
